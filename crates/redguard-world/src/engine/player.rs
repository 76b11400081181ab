//! The controls of the player: taps, turning, walking and running.

use super::clock::FrameScale;
use redguard_files::settings::ini::system::System;

/// The settings of SYSTEM.INI for the controls of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerSettings {
    /// `tap_time`: the longest time between the presses of a double tap, in nominal ticks.
    pub tap_time: i32,
    /// `turn_speed` and `turn_max_speed`.
    pub turning: Turning,
    /// `walk_mode`: whether walking is the default. The game writes it when Tab is pressed.
    pub walks: bool,
    /// `auto_defend`: whether the look key defends only against an attack. The game writes it when F7 is pressed.
    pub defends_automatically: bool,
    /// `sheath_sword_delay`, in nominal ticks.
    pub sheathe_delay: i32,
    /// `auto_grab`: whether contacts in front of the player grab a ledge first.
    pub grabs_automatically: bool,
    /// `mouse_turn`: whether the mouse turns the player.
    pub turns_by_mouse: bool,
    /// `joy_tolerance`: the distance from the center at which a joystick counts as moved.
    pub joystick_tolerance: i32,
    /// `poly_push_units`: the least distance by which a face pushes the player away, in world units.
    pub push_distance: i32,
    /// `lineup_distance`: the distance above which `PlayerLineUp` approaches its target first, in world units.
    pub lineup_distance: i32,
}

impl Default for PlayerSettings {
    /// The settings of the shipped game. \[D\]
    fn default() -> Self {
        Self {
            tap_time: 12,
            turning: Turning::default(),
            walks: false,
            defends_automatically: true,
            sheathe_delay: 6,
            grabs_automatically: false,
            turns_by_mouse: false,
            joystick_tolerance: 60,
            push_distance: 16,
            lineup_distance: 128,
        }
    }
}

/// The fewest loop iterations between the presses of a double tap.
const MIN_TAP_WINDOW: i32 = 6;

impl PlayerSettings {
    /// Returns the settings of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        let number = |key| system.integer("cyrus", key);
        Self {
            tap_time: number("tap_time"),
            turning: Turning { increment: number("turn_speed"), limit: number("turn_max_speed") },
            walks: number("walk_mode") != 0,
            defends_automatically: number("auto_defend") != 0,
            sheathe_delay: number("sheath_sword_delay"),
            grabs_automatically: number("auto_grab") == 1,
            turns_by_mouse: number("mouse_turn") != 0,
            joystick_tolerance: number("joy_tolerance"),
            push_distance: number("poly_push_units"),
            lineup_distance: system.integer("game", "lineup_distance"),
        }
    }

    /// Returns the greatest number of loop iterations between the presses of a double tap: at least 6. \[E\]
    #[must_use]
    pub fn tap_window(&self, scale: FrameScale) -> i32 {
        let window = self.tap_time.wrapping_shl(8).checked_div(scale.0).unwrap_or_default();
        window.max(MIN_TAP_WINDOW)
    }

    /// Whether the player walks instead of running. The walk key reverses the setting; in a fighting stance, only the key counts. \[E\]
    #[must_use]
    pub const fn is_walking(&self, walk_key: Key, stance: Stance) -> bool {
        let is_held = matches!(walk_key, Key::Held);
        match stance {
            Stance::Fighting => is_held,
            Stance::Exploring => self.walks != is_held,
        }
    }

    /// Whether the weapon is put away after the keys for looking and for actions were held together for a number of nominal ticks. A
    /// `sheath_sword_delay` of 0 is 6. \[E\]
    #[must_use]
    pub const fn sheathes(&self, held_ticks: i32) -> bool {
        held_ticks > if self.sheathe_delay == 0 { 6 } else { self.sheathe_delay }
    }

    /// Whether `PlayerLineUp` approaches a target at this distance (world units times 256); nearer, it only aligns the player. \[E\]
    #[must_use]
    pub const fn approaches(&self, distance: i32) -> bool {
        distance > self.lineup_distance.wrapping_mul(256)
    }
}

/// The state of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// Not held.
    Released,
    /// Held.
    Held,
}

/// Whether the player is ready to fight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stance {
    /// Without a weapon in the hand.
    Exploring,
    /// With a weapon in the hand, or defending.
    Fighting,
}

/// The acceleration of turns to one side, in angle units (2048 per turn) per nominal update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turning {
    /// The increase per update: `turn_speed`, or attribute 22 of an armed actor.
    pub increment: i32,
    /// The speed from which turning is not increased: `turn_max_speed`, or attribute 21 of an armed actor.
    pub limit: i32,
}

impl Default for Turning {
    /// The settings of the shipped game. \[D\]
    fn default() -> Self {
        Self { increment: 12, limit: 48 }
    }
}

impl Turning {
    /// Returns the speed in the next update while the key is held; without the key, it is 0. The last increase may exceed the limit. \[E\]
    #[must_use]
    pub const fn faster(&self, speed: i32) -> i32 {
        if speed < self.limit { speed.wrapping_add(self.increment) } else { speed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tap_window_has_at_least_6_iterations() {
        let window = |scale| PlayerSettings::default().tap_window(FrameScale(scale));
        assert_eq!([256, 153, 512, 1024, 0].map(window), [12, 20, 6, 6, 6]);
    }

    #[test]
    fn turning_accelerates_without_clamping() {
        let speeds = |turning: Turning| {
            let mut speed = 0;
            [(); 7].map(|()| {
                speed = turning.faster(speed);
                speed
            })
        };
        assert_eq!(speeds(Turning::default()), [12, 24, 36, 48, 48, 48, 48]);
        assert_eq!(speeds(Turning { increment: 12, limit: 64 }), [12, 24, 36, 48, 60, 72, 72]);
        // To the right, the heading decreases.
        let mut heading = 2048;
        let headings = speeds(Turning::default()).map(|speed| {
            heading -= FrameScale::NOMINAL.of(speed);
            heading
        });
        assert_eq!(headings[..5], [2036, 2012, 1976, 1928, 1880]);
    }

    #[test]
    fn the_walk_key_reverses_the_setting_except_in_a_fight() {
        let walks =
            |walks, key, stance| PlayerSettings { walks, ..Default::default() }.is_walking(key, stance);
        let exploring = |setting, key| walks(setting, key, Stance::Exploring);
        assert_eq!(
            [
                exploring(false, Key::Released),
                exploring(false, Key::Held),
                exploring(true, Key::Released),
                exploring(true, Key::Held)
            ],
            [false, true, true, false]
        );
        assert!(walks(true, Key::Held, Stance::Fighting) && !walks(true, Key::Released, Stance::Fighting));
    }

    #[test]
    fn a_sword_is_sheathed_after_the_delay() {
        let sheathes =
            |delay, ticks| PlayerSettings { sheathe_delay: delay, ..Default::default() }.sheathes(ticks);
        assert_eq!(
            [sheathes(6, 6), sheathes(6, 7), sheathes(0, 6), sheathes(1, 2)],
            [false, true, false, true]
        );
        let approaches = |distance| PlayerSettings::default().approaches(distance);
        assert_eq!([approaches(128 * 256), approaches(128 * 256 + 1)], [false, true]);
    }
}
