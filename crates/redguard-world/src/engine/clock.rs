//! The clocks of the game: BIOS ticks, nominal ticks, and the scale of a frame.

/// BIOS ticks in a second. They drive water, sky, animated images, the measurement of frames, and menus. \[E=\]
pub const BIOS_TICKS_PER_SECOND: f64 = 1_193_182.0 / 65_536.0;

/// Nominal ticks in a second, about: they drive scripts and the animation of actors. \[E\]
pub const NOMINAL_TICKS_PER_SECOND: f32 = 12.14;

/// Fine ticks in a nominal tick. \[E\]
pub const FINE_TICKS: u32 = 8;

/// BIOS ticks of a window in which frames are counted. \[E\]
const WINDOW: u32 = 18;

/// So many updates after a world is entered have exactly one nominal tick. \[E\]
pub const SETTLING_UPDATES: u32 = 12;

/// How many whole BIOS ticks a time has, in seconds from 0 on.
#[must_use]
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturating and dropping the fraction are meant"
)]
pub const fn bios_ticks(seconds: f64) -> u64 {
    (seconds * BIOS_TICKS_PER_SECOND) as u64
}

/// How long an update is, in 256ths of a nominal one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FrameScale(pub i32);

impl FrameScale {
    /// One nominal update.
    pub const NOMINAL: Self = Self(256);

    /// The part of a number that falls to this update: `(number * scale) >> 8`.
    #[must_use]
    pub const fn of(self, number: i32) -> i32 {
        number.wrapping_mul(self.0) >> 8
    }

    /// The next scale with `use_smooth_divisor`: it falls to its target at once, and rises in steps of one and, from what is left, 1, 5, 10
    /// or 20 more. \[E\]
    ///
    /// That what is left is counted after the first step is our reading. \[?\]
    #[must_use]
    pub const fn eased(self, target: Self) -> Self {
        if self.0 >= target.0 {
            return target;
        }
        let risen = self.0.saturating_add(1);
        let more = match target.0.saturating_sub(risen) {
            ..=0 => 0,
            1..=5 => 1,
            6..=10 => 5,
            11..=20 => 10,
            _ => 20,
        };
        Self(risen.saturating_add(more))
    }
}

/// The frame rates of SYSTEM.INI, per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameRates {
    /// `normal_frame_rate`.
    pub normal: i32,
    /// `min_frame_rate`.
    pub least: i32,
    /// `max_frame_rate`.
    pub most: i32,
}

impl Default for FrameRates {
    /// Those of the shipped game. \[D\]
    fn default() -> Self {
        Self { normal: 12, least: 6, most: 300 }
    }
}

impl FrameRates {
    /// The scale of updates at a measured rate: `normal * 256 / clamp(rate, least, most)`; a normal rate of 0 is 12. \[E\]
    #[must_use]
    pub fn scale(&self, measured: i32) -> FrameScale {
        let normal = if self.normal == 0 { 12 } else { self.normal };
        let rate = measured.min(self.most).max(self.least).max(1);
        FrameScale(normal.wrapping_mul(256).checked_div(rate).unwrap_or_default())
    }
}

/// The measured frames: frames per complete window of 18 BIOS ticks; `None` before the first one is complete. \[E\]
#[must_use]
pub const fn measured_rate(frames: u32, ticks: u32) -> Option<u32> {
    frames.checked_div(ticks / WINDOW)
}

/// The next rate with `use_smooth_fps`: one towards the measured one, and by half of the gap before where that is 5 or more. \[E\]
#[must_use]
pub fn smoothed_rate(rate: i32, measured: i32) -> i32 {
    let gap = measured.saturating_sub(rate);
    let rate = if gap.saturating_abs() >= 5 { rate.saturating_add(gap / 2) } else { rate };
    rate.saturating_add(measured.saturating_sub(rate).signum())
}

/// What has passed of the game's time. Loading, menus and readers stop it: then it is not advanced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameClock {
    /// The sum of all scales, in 256ths of a nominal tick.
    sum: u32,
    /// Updates since the world was entered.
    updates: u32,
}

/// How many ticks an update has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticks {
    /// Whole nominal ticks: 0, 1 or more.
    pub nominal: u32,
    /// Fine ticks, 8 to a nominal one.
    pub fine: u32,
    /// The scale of the update.
    pub scale: FrameScale,
}

impl GameClock {
    /// An update of this scale; one of the first twelve has one nominal tick whatever its scale is. \[E\]
    pub fn update(&mut self, scale: FrameScale) -> Ticks {
        let is_settling = self.updates < SETTLING_UPDATES;
        self.updates = self.updates.saturating_add(1);
        if is_settling {
            return Ticks { nominal: 1, fine: FINE_TICKS, scale: FrameScale::NOMINAL };
        }
        let before = self.sum;
        self.sum = before.wrapping_add(scale.0.unsigned_abs());
        let passed = |shift: u32| (self.sum >> shift).wrapping_sub(before >> shift);
        Ticks { nominal: passed(8), fine: passed(5), scale }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bios_ticks_are_those_of_the_timer_chip() {
        assert!((BIOS_TICKS_PER_SECOND - 18.2065).abs() < 1e-4);
        assert_eq!([0.0, 0.054, 0.055, 10.0, -1.0].map(bios_ticks), [0, 0, 1, 182, 0]);
    }

    #[test]
    fn the_scale_is_the_normal_rate_over_the_measured_one() {
        let rates = FrameRates::default();
        // 12 * 256 / 24, / 6 at least, / 300 at most.
        assert_eq!([12, 24, 3, 1000].map(|rate| rates.scale(rate).0), [256, 128, 512, 10]);
        assert_eq!(FrameRates { normal: 0, least: 0, most: 0 }.scale(5).0, 3072);
        assert_eq!(FrameScale(128).of(-3), -2);
    }

    #[test]
    fn rates_are_measured_in_windows_of_18_ticks() {
        assert_eq!(
            [(30, 17), (30, 18), (30, 53)].map(|(frames, ticks)| measured_rate(frames, ticks)),
            [None, Some(30), Some(15)]
        );
        assert_eq!(
            [(10, 10), (10, 14), (10, 20), (20, 10)].map(|(rate, to)| smoothed_rate(rate, to)),
            [10, 11, 16, 14]
        );
    }

    #[test]
    fn a_scale_falls_at_once_and_rises_in_steps() {
        let eased = |scale, target| FrameScale(scale).eased(FrameScale(target)).0;
        assert_eq!([eased(300, 256), eased(256, 256), eased(255, 256)], [256, 256, 256]);
        assert_eq!(
            [eased(250, 256), eased(249, 256), eased(240, 256), eased(100, 256)],
            [252, 255, 251, 121]
        );
    }

    #[test]
    fn the_first_updates_of_a_world_have_one_tick() {
        let mut clock = GameClock::default();
        let first: Vec<_> = (0..12).map(|_| clock.update(FrameScale(64))).collect();
        assert!(first.iter().all(|it| (it.nominal, it.fine, it.scale.0) == (1, 8, 256)));
        let later: Vec<_> = (0..4).map(|_| clock.update(FrameScale(64)).nominal).collect();
        assert_eq!(later, [0, 0, 0, 1]);
        assert_eq!(clock.update(FrameScale(600)), Ticks { nominal: 2, fine: 18, scale: FrameScale(600) });
    }

    proptest! {
        #[test]
        fn a_scale_reaches_its_target(scale in 1_i32..2000, target in 1_i32..2000) {
            let mut now = FrameScale(scale);
            for _ in 0..200 {
                now = now.eased(FrameScale(target));
                prop_assert!(now.0 <= target);
            }
            prop_assert_eq!(now.0, target);
        }
    }
}
