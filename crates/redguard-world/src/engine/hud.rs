//! Images drawn over the scene, on a screen of 640 x 480 pixels: frames and positions.

use super::rotation::Angle2048;
use redguard_files::settings::ini::system::System;

/// The upper left corner of the health candle in the shipped game. \[D\]
pub const CANDLE: [i32; 2] = [12, 8];

/// The upper left corner of the compass in the shipped game. \[D\]
pub const COMPASS: [i32; 2] = [546, 396];

/// The upper left corner of the current item in the shipped game. \[D\]
pub const ITEM: [i32; 2] = [12, 386];

/// The places of the images in SYSTEM.INI: upper left corners on a screen of 640 x 480 pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HudLayout {
    /// `candle_xco` and `candle_yco`: the health candle.
    pub candle: [i32; 2],
    /// `compass_xco` and `compass_yco`.
    pub compass: [i32; 2],
    /// `logbook_xco` and `logbook_yco`: the sign of a new entry in the logbook.
    pub logbook: [i32; 2],
    /// `pickup_xco` and `pickup_yco`: the current item.
    pub item: [i32; 2],
    /// `pickup_xco` and `pickup_text_yco`: the prompt to use an object.
    pub prompt: [i32; 2],
    /// `game_xco1`, `game_yco1`, `game_xco2` and `game_yco2`: the two power-ups.
    pub power_ups: [[i32; 2]; 2],
}

impl Default for HudLayout {
    /// The places of the shipped game. \[D\]
    fn default() -> Self {
        Self {
            candle: CANDLE,
            compass: COMPASS,
            logbook: [540, 20],
            item: ITEM,
            prompt: [12, 436],
            power_ups: [[576, 6], [576, 96]],
        }
    }
}

impl HudLayout {
    /// Returns the places of SYSTEM.INI.
    #[must_use]
    pub fn of_system(system: &System) -> Self {
        let corner = |x, y| [x, y].map(|key| system.integer("system", key));
        Self {
            candle: corner("candle_xco", "candle_yco"),
            compass: corner("compass_xco", "compass_yco"),
            logbook: corner("logbook_xco", "logbook_yco"),
            item: corner("pickup_xco", "pickup_yco"),
            prompt: corner("pickup_xco", "pickup_text_yco"),
            power_ups: [corner("game_xco1", "game_yco1"), corner("game_xco2", "game_yco2")],
        }
    }
}

/// Returns the burn level of the health candle: 0 at full health (100), 11 at 0 health. Frames 66 to 80 show it going out. \[E\]
#[must_use]
pub fn candle_level(health: i32) -> i32 {
    (100_i32.wrapping_sub(health).wrapping_mul(256) / 100).wrapping_mul(11) >> 8
}

/// Returns the five flickering frames of the candle at a level. \[E\]
#[must_use]
pub const fn candle_frames(level: i32) -> std::ops::RangeInclusive<i32> {
    let first = level.wrapping_mul(6);
    first..=first.wrapping_add(4)
}

/// Returns the frame of the compass, from the heading of the player and the `world_compass` of the world, 2048 per turn. \[E\]
#[must_use]
pub fn compass_frame(heading: i32, world_compass: i32) -> i32 {
    Angle2048::new(heading.wrapping_add(world_compass)).negated().get() >> 6
}

/// Returns the upper left corner of an inventory cell, by its column (0 to 3) and row (0 to 2). \[E\]
#[must_use]
pub const fn inventory_cell(column: i32, row: i32) -> [i32; 2] {
    [column.wrapping_mul(105).wrapping_add(100), row.wrapping_mul(102).wrapping_add(87)]
}

/// Returns the step of a menu slider (0 to 20), from its value. \[E\]
#[must_use]
pub const fn slider_step(value: i32) -> i32 {
    value.wrapping_mul(10) / 128
}

/// Returns the value of a menu slider, from its step (0 to 20). \[E\]
#[must_use]
pub const fn slider(step: i32) -> i32 {
    step.wrapping_mul(128) / 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_candle_burns_down_as_health_falls() {
        // 1 * 256 / 100 = 2, * 11 / 256 = 0; 50: 128 * 11 / 256 = 5.
        assert_eq!([100, 99, 50, 10, 0].map(candle_level), [0, 0, 5, 9, 11]);
        assert_eq!(candle_frames(11), 66..=70);
    }

    #[test]
    fn the_compass_turns_against_the_heading() {
        assert_eq!(
            [compass_frame(0, 0), compass_frame(64, 0), compass_frame(1, 0), compass_frame(512, 512)],
            [0, 31, 31, 16]
        );
    }

    #[test]
    fn computes_inventory_cells_and_sliders() {
        assert_eq!((inventory_cell(0, 0), inventory_cell(3, 2)), ([100, 87], [415, 291]));
        assert_eq!([0, 1, 10, 19, 20].map(slider), [0, 12, 128, 243, 256]);
        assert_eq!([255, 256, 200, 12].map(slider_step), [19, 20, 15, 0]);
    }
}
