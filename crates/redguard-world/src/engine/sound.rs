//! How loud a sound is, on which side, and what the mixer makes of its samples.

use super::rotation::Angle2048;

/// The middle of the stereo panorama, which goes from 0 (left) to 127 (right).
pub const MIDDLE: u8 = 64;

/// The loudest volume.
pub const LOUDEST: i32 = 127;

/// After so many ticks all samples are stopped; tasks start theirs again. \[E\]
pub const SAMPLES_CUT_AFTER: u32 = 1400;

/// How many sounds play at once. \[E\]
pub const CHANNELS: usize = 16;

/// How far sounds are heard, in world units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Earshot {
    radius: i32,
}

impl Default for Earshot {
    /// That of the shipped game: `sound_distance` 64.
    fn default() -> Self {
        Self::of_setting(64)
    }
}

impl Earshot {
    /// That of `sound_distance` of SYSTEM.INI: 36 world units for each. \[E=\]
    #[must_use]
    pub const fn of_setting(sound_distance: i32) -> Self {
        Self { radius: sound_distance.wrapping_mul(36) }
    }

    /// The greatest distance at which something is heard, in world units.
    #[must_use]
    pub const fn radius(self) -> i32 {
        self.radius
    }

    /// What a world unit takes from the volume, in 65536ths. \[E=\]
    #[must_use]
    pub fn falloff(self) -> i32 {
        65_536_i32.checked_div(self.radius / 128).unwrap_or_default()
    }

    /// The volume, up to 127, at a distance from the camera in whole world units, with the offset of the sound; `None` beyond earshot. \[E\]
    #[must_use]
    pub fn volume(self, distance: i32, offset: i32) -> Option<u8> {
        if distance > self.radius {
            return None;
        }
        let lost = (distance.wrapping_mul(self.falloff()) >> 16).clamp(0, LOUDEST);
        Some(volume_byte(LOUDEST.wrapping_sub(lost).saturating_add(offset)))
    }
}

/// A volume from 0 to 127.
fn volume_byte(volume: i32) -> u8 {
    u8::try_from(volume.clamp(0, LOUDEST)).unwrap_or_default()
}

/// The place in the stereo panorama of a sound at a bearing from the camera with a yaw: 64 is the middle. Right beside the camera it is the middle
/// too. \[E\]
#[must_use]
pub fn pan(bearing: Angle2048, yaw: Angle2048) -> u8 {
    let around = bearing.plus(yaw.negated().get()).get();
    let side = |angle: i32| (angle & 511) >> 3;
    let to_right = match around {
        ..512 => side(around),
        512..1024 => side(1024_i32.wrapping_sub(around)),
        1024..1536 => side(around).wrapping_neg(),
        _ => side(2048_i32.wrapping_sub(around)).wrapping_neg(),
    };
    u8::try_from(to_right.wrapping_add(i32::from(MIDDLE))).unwrap_or(MIDDLE)
}

/// The volume that is played, with the `volume` of SYSTEM.INI (255 as shipped). \[E\]
#[must_use]
pub fn played_volume(volume: u8, master: i32) -> i32 {
    i32::from(volume).wrapping_mul(master) >> 8
}

/// The sample rate that is played, in Hz: that of the sound and an offset, from 512 to 44000. \[E\]
#[must_use]
pub fn played_rate(rate: i32, offset: i32) -> i32 {
    rate.saturating_add(offset).clamp(512, 44_000)
}

/// The offset of a sample rate in Hz that the second number of a PlaySound command stands for. \[E\]
#[must_use]
pub const fn rate_offset(number: i32) -> i32 {
    number.wrapping_mul(64)
}

/// The offset of a sample rate in Hz of the sounds of a fight, from a random number below 128. \[E\]
#[must_use]
pub const fn combat_rate_offset(random: i32) -> i32 {
    random.wrapping_mul(16).wrapping_sub(1024)
}

/// The volume of a sound that comes from nowhere in particular; its place is the middle. \[E\]
///
/// The base volume of shipped effects is not settled: 64 or 100. \[?\]
#[must_use]
pub fn flat_volume(base: u8, operand: i32) -> u8 {
    volume_byte(i32::from(base).saturating_add(operand))
}

/// Who wants to be heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The animation of the player, and speech.
    Player,
    /// The answer to a blow.
    Combat,
    /// Everything else.
    Other,
}

/// The channel for a new sound: the first one that is idle, from the first one that the speaker may have; `None` where there is none, since no sound
/// is stopped for another. \[E\]
#[must_use]
pub fn channel(is_idle: [bool; CHANNELS], speaker: Speaker) -> Option<usize> {
    let first = match speaker {
        Speaker::Player => 0,
        Speaker::Combat => 4,
        Speaker::Other => 6,
    };
    is_idle.iter().enumerate().skip(first).find(|(_, is_idle)| **is_idle).map(|(channel, _)| channel)
}

/// How loud a side is at a place of the panorama, up to 128. \[E\]
#[must_use]
pub fn side_level(place: u8) -> i32 {
    if place > 62 { 128 } else { i32::from(place).wrapping_mul(2) }
}

/// How loud the left and the right side are at a place of the panorama. \[E\]
#[must_use]
pub fn side_levels(pan: u8) -> [i32; 2] {
    [side_level(127_u8.saturating_sub(pan)), side_level(pan)]
}

/// A 16-bit sample with a volume and the level of a side. \[E\]
#[must_use]
pub fn mixed_16(sample: i16, volume: u8, level: i32) -> i32 {
    let factor = level.wrapping_mul(volume.into()) / LOUDEST;
    i32::from(sample).wrapping_mul(factor) / 128
}

/// An 8-bit sample, with 0 as its middle, with a volume and the level of a side. \[E\]
#[must_use]
pub fn mixed_8(sample: i8, volume: u8, level: i32) -> i32 {
    let louder = i32::from(sample).wrapping_mul(i32::from(volume).wrapping_add(1)) >> 7;
    louder.wrapping_mul(level) >> 7
}

/// What becomes of the music when a world is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Music {
    /// The current track goes on.
    Keep,
    /// It stops.
    Stop,
    /// This track of the CD starts.
    Play(i32),
}

/// The music of a world, from its `world_redbook` and the track that plays. \[E\]
#[must_use]
pub fn music(world_redbook: Option<i32>, current: Option<i32>) -> Music {
    match world_redbook {
        None | Some(-1) => Music::Keep,
        Some(track) if track < 1 => Music::Stop,
        Some(track) if Some(track) == current => Music::Keep,
        Some(track) => Music::Play(track),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sound_weakens_with_its_distance_and_ends_at_the_radius() {
        let shipped = Earshot::default();
        assert_eq!((shipped.radius(), shipped.falloff()), (2304, 3640));
        // 1000 * 3640 / 65536 = 55.5; 2304 * 3640 / 65536 = 127.97.
        assert_eq!(
            [0, 1000, 2304].map(|distance| shipped.volume(distance, 0)),
            [Some(127), Some(72), Some(0)]
        );
        assert_eq!((shipped.volume(2305, 127), shipped.volume(1000, -40)), (None, Some(32)));
        assert_eq!((shipped.volume(0, 99), shipped.volume(1000, -99)), (Some(127), Some(0)));
        assert_eq!(Earshot::of_setting(0).volume(0, 0), Some(127));
    }

    #[test]
    fn sounds_are_on_the_side_they_come_from() {
        let at = |bearing| pan(Angle2048::new(bearing), Angle2048::ZERO);
        assert_eq!([0, 256, 511, 513, 768, 1023].map(at), [64, 96, 127, 127, 96, 64]);
        assert_eq!([1024, 1280, 1535, 1537, 1792, 2047].map(at), [64, 32, 1, 1, 32, 64]);
        // Right beside the camera the masks leave nothing.
        assert_eq!([512, 1536].map(at), [64, 64]);
        assert_eq!(pan(Angle2048::new(10), Angle2048::new(-246)), 96);
    }

    #[test]
    fn rates_and_volumes_stay_in_range() {
        assert_eq!(
            [(11_025, 64), (100, 0), (44_100, 0)].map(|(rate, by)| played_rate(rate, by)),
            [11_089, 512, 44_000]
        );
        assert_eq!((rate_offset(-3), combat_rate_offset(0), combat_rate_offset(127)), (-192, -1024, 1008));
        assert_eq!((played_volume(127, 255), flat_volume(64, 100), flat_volume(64, -70)), (126, 127, 0));
    }

    #[test]
    fn channels_are_not_taken_away() {
        let idle = |from: usize, to: usize| std::array::from_fn(|at| (from..to).contains(&at));
        assert_eq!(
            [Speaker::Player, Speaker::Combat, Speaker::Other].map(|it| channel(idle(0, 16), it)),
            [Some(0), Some(4), Some(6)]
        );
        assert_eq!(
            (channel(idle(0, 6), Speaker::Other), channel(idle(9, 10), Speaker::Player)),
            (None, Some(9))
        );
    }

    #[test]
    fn the_mixer_has_128_levels() {
        assert_eq!([0, 31, 62, 63, 127].map(side_level), [0, 62, 124, 128, 128]);
        assert_eq!([side_levels(64), side_levels(0), side_levels(127)], [[128, 128], [128, 0], [0, 128]]);
        // 124 * 100 / 127 = 97; -1000 * 97 / 128 = -757.8.
        assert_eq!(mixed_16(-1000, 100, 124), -757);
        // -100 * 101 / 128 = -78.9, rounded down; -79 * 124 / 128 = -76.5, rounded down.
        assert_eq!(mixed_8(-100, 100, 124), -77);
        assert_eq!((mixed_8(127, 127, 128), mixed_16(i16::MIN, 127, 128)), (127, -32_768));
    }

    #[test]
    fn the_same_track_is_not_started_again() {
        assert_eq!(
            [None, Some(-1), Some(0), Some(5), Some(6)].map(|track| music(track, Some(5))),
            [Music::Keep, Music::Keep, Music::Stop, Music::Keep, Music::Play(6)]
        );
    }
}
