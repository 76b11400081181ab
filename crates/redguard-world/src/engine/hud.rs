//! Images drawn over the scene, on a screen of 640 x 480 pixels: frames and positions.

use redguard_files::settings::ini::system::System;

pub use redguard_files::screen::{
    candle_frames, candle_level, compass_frame, slider, slider_frame, slider_step,
};

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

/// Returns the upper left corner of an inventory cell, by its column (0 to 3) and row (0 to 2). \[E\]
#[must_use]
pub const fn inventory_cell(column: i32, row: i32) -> [i32; 2] {
    [column.wrapping_mul(105).wrapping_add(100), row.wrapping_mul(102).wrapping_add(87)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_inventory_cells() {
        assert_eq!((inventory_cell(0, 0), inventory_cell(3, 2)), ([100, 87], [415, 291]));
    }
}
