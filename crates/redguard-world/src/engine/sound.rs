//! Volume, panning and mixing of sounds.

use super::rotation::Angle2048;
use redguard_files::settings::ini::system::System;

/// The center of the stereo panorama, which ranges from 0 (left) to 127 (right).
pub const CENTER: u8 = 64;

/// The maximum volume.
pub const MAX_VOLUME: i32 = 127;

/// The number of ticks after which all samples are stopped; tasks restart their own. \[E\]
pub const SAMPLE_STOP_TICKS: u32 = 1400;

/// The number of sounds that can play at once. \[E\]
pub const CHANNELS: usize = 16;

/// The distance up to which sounds are audible, in world units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AudibleRange {
    radius: i32,
}

impl Default for AudibleRange {
    /// The range in the shipped game: `sound_distance` 64.
    fn default() -> Self {
        Self::of_setting(64)
    }
}

impl AudibleRange {
    /// Returns the range for `sound_distance` of SYSTEM.INI: 36 world units per unit of the setting. \[E=\]
    #[must_use]
    pub const fn of_setting(sound_distance: i32) -> Self {
        Self { radius: sound_distance.wrapping_mul(36) }
    }

    /// Returns the greatest distance at which a sound is audible, in world units.
    #[must_use]
    pub const fn radius(self) -> i32 {
        self.radius
    }

    /// Returns the volume lost per world unit, in 65536ths; `None` for a `sound_distance` of 0 to 3, with which the game divides by zero.
    /// \[E=\]
    #[must_use]
    pub const fn falloff(self) -> Option<i32> {
        65_536_i32.checked_div(self.radius / 128)
    }

    /// Returns the volume (0 to 127) at a distance from the camera in integer world units, with the offset of the sound; `None` beyond the
    /// audible range. Without a [falloff](Self::falloff), the distance has no effect. \[E\]
    #[must_use]
    pub fn volume(self, distance: i32, offset: i32) -> Option<u8> {
        if distance > self.radius {
            return None;
        }
        let lost = (distance.wrapping_mul(self.falloff().unwrap_or_default()) >> 16).clamp(0, MAX_VOLUME);
        Some(volume_byte(MAX_VOLUME.wrapping_sub(lost).saturating_add(offset)))
    }
}

/// The settings of SYSTEM.INI for sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoundSettings {
    /// `sound_distance`.
    pub range: AudibleRange,
    /// `volume`: the factor of all effects, in 256ths.
    pub volume: i32,
    /// `redbook`: whether music is played.
    pub plays_music: bool,
    /// `redbook_volume`.
    pub music_volume: i32,
}

impl Default for SoundSettings {
    /// The settings of the shipped game. \[D\]
    fn default() -> Self {
        Self { range: AudibleRange::default(), volume: 255, plays_music: true, music_volume: 200 }
    }
}

impl SoundSettings {
    /// Returns the settings of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        let number = |key| system.integer("system", key);
        Self {
            range: AudibleRange::of_setting(number("sound_distance")),
            volume: number("volume"),
            plays_music: number("redbook") != 0,
            music_volume: number("redbook_volume"),
        }
    }

    /// Returns the volume that the music is set to, from 0 to 127; `None` for other numbers, which change nothing. The shipped one is one of
    /// these. \[E\]
    #[must_use]
    pub fn music_volume(&self) -> Option<u8> {
        u8::try_from(self.music_volume).ok().filter(|volume| i32::from(*volume) <= MAX_VOLUME)
    }
}

/// Clamps a volume to 0 to 127.
fn volume_byte(volume: i32) -> u8 {
    u8::try_from(volume.clamp(0, MAX_VOLUME)).unwrap_or_default()
}

/// Returns the stereo position of a sound at a bearing from a camera with a yaw; 64 is the center. A sound directly to the left or right of
/// the camera is also at the center. \[E\]
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
    u8::try_from(to_right.wrapping_add(i32::from(CENTER))).unwrap_or(CENTER)
}

/// Returns the playback volume, with the `volume` of SYSTEM.INI (255 as shipped). \[E\]
#[must_use]
pub fn played_volume(volume: u8, master: i32) -> i32 {
    i32::from(volume).wrapping_mul(master) >> 8
}

/// Returns the playback sample rate in Hz: the sound's rate plus an offset, clamped to 512 to 44000. \[E\]
#[must_use]
pub fn played_rate(rate: i32, offset: i32) -> i32 {
    rate.saturating_add(offset).clamp(512, 44_000)
}

/// Returns the sample rate offset in Hz for the second operand of a PlaySound command. \[E\]
#[must_use]
pub const fn rate_offset(number: i32) -> i32 {
    number.wrapping_mul(64)
}

/// Returns the sample rate offset in Hz for combat sounds, from a random number below 128. \[E\]
#[must_use]
pub const fn combat_rate_offset(random: i32) -> i32 {
    random.wrapping_mul(16).wrapping_sub(1024)
}

/// Returns the volume of a sound without a position; its panning is centered. \[E\]
///
/// The base volume of shipped effects is uncertain: 64 or 100. \[?\]
#[must_use]
pub fn flat_volume(base: u8, operand: i32) -> u8 {
    volume_byte(i32::from(base).saturating_add(operand))
}

/// The source of a sound, which determines the channels it may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SoundSource {
    /// The animation of the player, and speech.
    Player,
    /// The reaction to a hit.
    Combat,
    /// Any other source.
    Other,
}

/// Returns the channel for a new sound: the first idle one among those that its source may use. `None` if there is none, since no sound is
/// stopped in favor of another. \[E\]
#[must_use]
pub fn channel(is_idle: [bool; CHANNELS], source: SoundSource) -> Option<usize> {
    let first = match source {
        SoundSource::Player => 0,
        SoundSource::Combat => 4,
        SoundSource::Other => 6,
    };
    is_idle.iter().enumerate().skip(first).find(|(_, is_idle)| **is_idle).map(|(channel, _)| channel)
}

/// Returns the level of a side at a stereo position, up to 128. \[E\]
#[must_use]
pub fn side_level(pan: u8) -> i32 {
    if pan > 62 { 128 } else { i32::from(pan).wrapping_mul(2) }
}

/// Returns the levels of the left and the right side at a stereo position. \[E\]
#[must_use]
pub fn side_levels(pan: u8) -> [i32; 2] {
    [side_level(127_u8.saturating_sub(pan)), side_level(pan)]
}

/// Scales a 16-bit sample by a volume and the level of a side. \[E\]
#[must_use]
pub fn mixed_16(sample: i16, volume: u8, level: i32) -> i32 {
    let factor = level.wrapping_mul(volume.into()) / MAX_VOLUME;
    i32::from(sample).wrapping_mul(factor) / 128
}

/// Scales an 8-bit sample (signed, centered on 0) by a volume and the level of a side. \[E\]
#[must_use]
pub fn mixed_8(sample: i8, volume: u8, level: i32) -> i32 {
    let louder = i32::from(sample).wrapping_mul(i32::from(volume).wrapping_add(1)) >> 7;
    louder.wrapping_mul(level) >> 7
}

/// The change of music when a world is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Music {
    /// The current track continues.
    Keep,
    /// The music stops.
    Stop,
    /// This CD track starts.
    Play(i32),
}

/// Returns the change of music for a world, from its `world_redbook` and the current track. \[E\]
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
    fn volume_falls_with_distance_and_ends_at_the_radius() {
        let shipped = AudibleRange::default();
        assert_eq!((shipped.radius(), shipped.falloff()), (2304, Some(3640)));
        // 1000 * 3640 / 65536 = 55.5; 2304 * 3640 / 65536 = 127.97.
        assert_eq!(
            [0, 1000, 2304].map(|distance| shipped.volume(distance, 0)),
            [Some(127), Some(72), Some(0)]
        );
        assert_eq!((shipped.volume(2305, 127), shipped.volume(1000, -40)), (None, Some(32)));
        assert_eq!((shipped.volume(0, 99), shipped.volume(1000, -99)), (Some(127), Some(0)));
        assert_eq!(AudibleRange::of_setting(0).volume(0, 0), Some(127));
    }

    #[test]
    fn the_audible_range_follows_its_setting() {
        let of = |setting| {
            let range = AudibleRange::of_setting(setting);
            (range.radius(), range.falloff())
        };
        assert_eq!([64, 32].map(of), [(2304, Some(3640)), (1152, Some(7281))]);
        assert_eq!([100, 4, 3].map(of), [(3600, Some(2340)), (144, Some(65_536)), (108, None)]);
    }

    #[test]
    fn a_music_volume_above_127_changes_nothing() {
        let volume = |music_volume| SoundSettings { music_volume, ..Default::default() }.music_volume();
        assert_eq!([-1, 0, 127, 128, 200].map(volume), [None, Some(0), Some(127), None, None]);
    }

    #[test]
    fn sounds_are_on_the_side_they_come_from() {
        let at = |bearing| pan(Angle2048::new(bearing), Angle2048::ZERO);
        assert_eq!([0, 256, 511, 513, 768, 1023].map(at), [64, 96, 127, 127, 96, 64]);
        assert_eq!([1024, 1280, 1535, 1537, 1792, 2047].map(at), [64, 32, 1, 1, 32, 64]);
        // Directly to the left or right of the camera, the masks leave 0.
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
    fn a_busy_channel_is_never_reused() {
        let idle = |from: usize, to: usize| std::array::from_fn(|at| (from..to).contains(&at));
        assert_eq!(
            [SoundSource::Player, SoundSource::Combat, SoundSource::Other].map(|it| channel(idle(0, 16), it)),
            [Some(0), Some(4), Some(6)]
        );
        assert_eq!(
            (channel(idle(0, 6), SoundSource::Other), channel(idle(9, 10), SoundSource::Player)),
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
    fn the_current_track_is_not_restarted() {
        assert_eq!(
            [None, Some(-1), Some(0), Some(5), Some(6)].map(|track| music(track, Some(5))),
            [Music::Keep, Music::Keep, Music::Stop, Music::Keep, Music::Play(6)]
        );
    }
}
