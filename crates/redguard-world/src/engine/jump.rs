//! Jumps: how they rise, how far they carry, and the settings for actors without their own.

use super::clock::FrameScale;
use redguard_files::settings::ini::system::System;

/// The jump of actors whose attributes do not define one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JumpSettings {
    /// `jump_time`, in nominal ticks.
    pub time: i32,
    /// `jump_height`, in world units.
    pub height: i32,
}

impl Default for JumpSettings {
    /// The settings of the shipped game. \[D\]
    fn default() -> Self {
        Self { time: 6, height: 80 }
    }
}

/// Returns the low byte of a setting, which is all that the game keeps; a setting below 1 is replaced first.
const fn byte_or(setting: i32, replacement: u8) -> u8 {
    if setting < 1 {
        return replacement;
    }
    let [low, ..] = setting.to_le_bytes();
    low
}

impl JumpSettings {
    /// Returns the settings of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        let number = |key| system.integer("system", key);
        Self { time: number("jump_time"), height: number("jump_height") }
    }

    /// Returns the time of an actor's jump in nominal ticks: attribute 31, or the setting if that is 0 or above 127. A setting below 1 is 6,
    /// and only its low byte counts. \[E\]
    #[must_use]
    pub const fn time(&self, attribute_31: u8) -> u8 {
        if attribute_31.cast_signed() <= 0 { byte_or(self.time, 6) } else { attribute_31 }
    }

    /// Returns the height of an actor's jump in world units: attribute 32, or the setting if that is 0. A setting below 1 is 80, and only its
    /// low byte counts. \[E\]
    #[must_use]
    pub const fn height(&self, attribute_32: u8) -> u8 {
        if attribute_32 == 0 { byte_or(self.height, 80) } else { attribute_32 }
    }
}

/// The last fine tick of the rise of a jump.
const LAST_TICK: i32 = 29;

/// The square of the number of fine ticks of the rise.
const SQUARE: i32 = 900;

/// The height of a jump at its top.
const TOP: i32 = 256;

/// Returns the height of a jump after a number of fine ticks, in 256ths of its full height. \[E\]
#[must_use]
pub fn rise(fine_ticks: u8) -> i32 {
    let left = LAST_TICK.saturating_sub(fine_ticks.into()).max(0);
    SQUARE.saturating_sub(left.saturating_mul(left)).saturating_mul(TOP) / SQUARE
}

/// Whether a jump begins to fall after this number of fine ticks. \[E\]
#[must_use]
pub fn is_at_top(fine_ticks: u8) -> bool {
    rise(fine_ticks) >= TOP
}

/// Returns the Y of a jumping actor, in world units times 256 (Y down), from the Y where it left the ground and its height of the jump in
/// world units. \[E\]
#[must_use]
pub fn rising_y(origin: i32, height: u8, fine_ticks: u8) -> i32 {
    origin.wrapping_sub(i32::from(height).wrapping_mul(rise(fine_ticks)))
}

/// A jump that carries the actor forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leap {
    /// A standing jump that is steered forward (motion 2).
    Steered,
    /// A running jump (motions 8 and 9).
    Running,
}

impl Leap {
    /// Returns the greatest distance of the jump, in world units times 256. \[E\]
    #[must_use]
    pub const fn reach(self) -> i32 {
        match self {
            Self::Steered => 0x1_0000,
            Self::Running => 0x1_8000,
        }
    }

    /// Returns the movement of an update, in world units times 256, from the time of the jump in nominal ticks and the distance traveled so
    /// far. 0 for a time of 0, which makes the game divide by zero. \[E\]
    #[must_use]
    pub fn step(self, time: u8, traveled: i32, scale: FrameScale) -> i32 {
        let distance: i32 = match self {
            Self::Steered => 0xb400,
            Self::Running => 0x1_0000,
        };
        let step = scale.of(distance.checked_div(time.into()).unwrap_or_default());
        step.min(self.reach().saturating_sub(traveled)).max(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_take_precedence_over_the_settings() {
        let settings = JumpSettings::default();
        assert_eq!([0, 1, 127, 128, 255].map(|it| settings.time(it)), [6, 1, 127, 6, 6]);
        assert_eq!([0, 1, 255].map(|it| settings.height(it)), [80, 1, 255]);
    }

    #[test]
    fn settings_below_1_are_replaced_and_only_their_low_byte_counts() {
        let settings = |number| JumpSettings { time: number, height: number };
        assert_eq!([-1, 0, 1, 255, 257].map(|it| settings(it).time(0)), [6, 6, 1, 255, 1]);
        assert_eq!([-1, 0, 1, 255, 300].map(|it| settings(it).height(0)), [80, 80, 1, 255, 44]);
    }

    #[test]
    fn the_rise_is_a_parabola_of_30_fine_ticks() {
        let stated = [
            16, 32, 48, 63, 78, 92, 105, 118, 130, 142, 153, 163, 173, 183, 192, 200, 207, 215, 221, 227,
            232, 237, 242, 245, 248, 251, 253, 254, 255, 256,
        ];
        assert_eq!((0..30).map(rise).collect::<Vec<_>>(), stated);
        assert_eq!([30, 69, 255].map(rise), [256; 3]);
        assert_eq!([28, 29].map(is_at_top), [false, true]);
    }

    #[test]
    fn a_running_jump_covers_384_units() {
        let mut traveled = 0;
        let mut steps = Vec::new();
        while traveled < Leap::Running.reach() {
            steps.push(Leap::Running.step(6, traveled, FrameScale::NOMINAL));
            traveled += steps.last().unwrap();
        }
        assert_eq!((steps.len(), steps[0], steps[9], traveled), (10, 10_922, 6, 384 * 256));
        assert_eq!(Leap::Running.step(6, traveled, FrameScale::NOMINAL), 0);
    }

    #[test]
    fn a_steered_jump_covers_256_units() {
        assert_eq!(Leap::Steered.step(6, 0, FrameScale::NOMINAL), 7680);
        assert_eq!(Leap::Steered.step(6, 65_000, FrameScale::NOMINAL), 536);
        assert_eq!(Leap::Steered.step(0, 0, FrameScale::NOMINAL), 0);
    }
}
