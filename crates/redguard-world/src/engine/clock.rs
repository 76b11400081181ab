//! The game's clocks: BIOS ticks, nominal ticks, and the frame scale.

use redguard_files::settings::ini::system::System;

/// BIOS ticks per second. They drive water, sky, animated images, frame rate measurement, and menus. \[E=\]
pub const BIOS_TICKS_PER_SECOND: f64 = 1_193_182.0 / 65_536.0;

/// Approximate nominal ticks per second. They drive scripts and the animation of actors. \[E\]
pub const NOMINAL_TICKS_PER_SECOND: f32 = 12.14;

/// Fine ticks per nominal tick. \[E\]
pub const FINE_TICKS: u32 = 8;

/// The length in BIOS ticks of the window in which frames are counted. \[E\]
const WINDOW: u32 = 18;

/// The number of updates after a world is entered that have exactly one nominal tick. \[E\]
pub const SETTLING_UPDATES: u32 = 12;

/// Returns the number of complete BIOS ticks in a time in seconds, counted from 0.
#[must_use]
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturation and truncation are intended"
)]
pub const fn bios_ticks(seconds: f64) -> u64 {
    (seconds * BIOS_TICKS_PER_SECOND) as u64
}

/// The length of an update, in 256ths of a nominal one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FrameScale(pub i32);

impl FrameScale {
    /// One nominal update.
    pub const NOMINAL: Self = Self(256);

    /// Scales a number to this update: `(number * scale) >> 8`.
    #[must_use]
    pub const fn of(self, number: i32) -> i32 {
        number.wrapping_mul(self.0) >> 8
    }

    /// Returns the next scale with `use_smooth_divisor`. It falls to its target immediately, and rises by 1 plus, depending on the
    /// remaining difference, 1, 5, 10 or 20 more. \[E\]
    ///
    /// Measuring the remaining difference after the first step is our reading. \[?\]
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

/// The settings of SYSTEM.INI for the length of updates. Rates are per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameRates {
    /// `normal_frame_rate`.
    pub normal: i32,
    /// `min_frame_rate`.
    pub min: i32,
    /// `max_frame_rate`. It does not limit how often the game draws.
    pub max: i32,
    /// `use_smooth_fps`: whether the measured rate is approached in steps.
    pub smooths_rate: bool,
    /// `use_smooth_divisor`: whether the scale is approached in steps.
    pub smooths_scale: bool,
}

impl Default for FrameRates {
    /// The settings of the shipped game. \[D\]
    fn default() -> Self {
        Self { normal: 12, min: 6, max: 300, smooths_rate: true, smooths_scale: true }
    }
}

impl FrameRates {
    /// Returns the settings of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        let number = |key| system.integer("system", key);
        Self {
            normal: number("normal_frame_rate"),
            min: number("min_frame_rate"),
            max: number("max_frame_rate"),
            smooths_rate: number("use_smooth_fps") != 0,
            smooths_scale: number("use_smooth_divisor") != 0,
        }
    }

    /// Returns the rate that determines the next scale, from the previous one and the measured one. \[E\]
    #[must_use]
    pub fn next_rate(&self, rate: i32, measured: i32) -> i32 {
        if self.smooths_rate { smoothed_rate(rate, measured) } else { measured }
    }

    /// Returns the scale of the next update, from the previous one and the rate. \[E\]
    #[must_use]
    pub fn next_scale(&self, scale: FrameScale, rate: i32) -> FrameScale {
        let target = self.scale(rate);
        if self.smooths_scale { scale.eased(target) } else { target }
    }

    /// Returns the scale of updates at a measured rate: `normal * 256 / clamp(rate, min, max)`. A normal rate of 0 means 12. \[E\]
    #[must_use]
    pub fn scale(&self, measured: i32) -> FrameScale {
        let normal = if self.normal == 0 { 12 } else { self.normal };
        let rate = measured.min(self.max).max(self.min).max(1);
        FrameScale(normal.wrapping_mul(256).checked_div(rate).unwrap_or_default())
    }
}

/// Returns the measured frame rate: frames per complete window of 18 BIOS ticks; `None` before the first window is complete. \[E\]
#[must_use]
pub const fn measured_rate(frames: u32, ticks: u32) -> Option<u32> {
    frames.checked_div(ticks / WINDOW)
}

/// Returns the next rate with `use_smooth_fps`: one step toward the measured rate, after moving by half of the gap if the gap is 5 or more.
/// \[E\]
#[must_use]
pub fn smoothed_rate(rate: i32, measured: i32) -> i32 {
    let gap = measured.saturating_sub(rate);
    let rate = if gap.saturating_abs() >= 5 { rate.saturating_add(gap / 2) } else { rate };
    rate.saturating_add(measured.saturating_sub(rate).signum())
}

/// The elapsed game time. Loading, menus and readers stop it: the clock is not advanced meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameClock {
    /// The sum of all scales, in 256ths of a nominal tick.
    sum: u32,
    /// Updates since the world was entered.
    updates: u32,
}

/// The ticks of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticks {
    /// Complete nominal ticks: 0, 1 or more.
    pub nominal: u32,
    /// Fine ticks, 8 to a nominal one.
    pub fine: u32,
    /// The scale of the update.
    pub scale: FrameScale,
}

impl GameClock {
    /// Advances the clock by an update of this scale. Each of the first twelve updates has one nominal tick regardless of its scale. \[E\]
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
    fn bios_ticks_follow_the_timer_chip() {
        assert!((BIOS_TICKS_PER_SECOND - 18.2065).abs() < 1e-4);
        assert_eq!([0.0, 0.054, 0.055, 10.0, -1.0].map(bios_ticks), [0, 0, 1, 182, 0]);
    }

    #[test]
    fn the_scale_is_the_normal_rate_over_the_measured_one() {
        let rates = FrameRates::default();
        // 12 * 256 / 24, / 6 at minimum, / 300 at maximum.
        assert_eq!([12, 24, 3, 1000].map(|rate| rates.scale(rate).0), [256, 128, 512, 10]);
        assert_eq!([15, 20, 60, 5, 400].map(|rate| rates.scale(rate).0), [204, 153, 51, 512, 10]);
        assert_eq!(FrameScale(128).of(-3), -2);
    }

    #[test]
    fn a_normal_rate_of_0_is_12() {
        let rates = FrameRates { normal: 0, ..FrameRates::default() };
        assert_eq!(rates.scale(20), FrameRates::default().scale(20));
        // Without limits, the game divides by the clamped rate of 0.
        assert_eq!(FrameRates { min: 0, max: 0, ..rates }.scale(5).0, 3072);
    }

    #[test]
    fn smoothing_is_a_setting() {
        let smooth = FrameRates::default();
        let direct = FrameRates { smooths_rate: false, smooths_scale: false, ..smooth };
        assert_eq!([smooth, direct].map(|it| it.next_rate(10, 20)), [16, 20]);
        // 12 * 256 / 24 = 128; from 100, a step of 21.
        assert_eq!([smooth, direct].map(|it| it.next_scale(FrameScale(100), 24).0), [121, 128]);
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
    fn a_scale_falls_immediately_and_rises_in_steps() {
        let eased = |scale, target| FrameScale(scale).eased(FrameScale(target)).0;
        assert_eq!([eased(300, 256), eased(256, 256), eased(255, 256)], [256, 256, 256]);
        assert_eq!(
            [eased(250, 256), eased(249, 256), eased(240, 256), eased(100, 256)],
            [252, 255, 251, 121]
        );
    }

    #[test]
    fn the_first_updates_of_a_world_have_one_nominal_tick() {
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
