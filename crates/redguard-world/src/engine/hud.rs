//! Images drawn over the scene, on a screen of 640 x 480 pixels: frames and positions.

use super::rotation::Angle2048;

/// The upper left corner of the health candle. \[E\]
pub const CANDLE: [i32; 2] = [12, 8];

/// The upper left corner of the compass. \[E\]
pub const COMPASS: [i32; 2] = [546, 396];

/// The upper left corner of the current item. \[E\]
pub const ITEM: [i32; 2] = [12, 386];

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
        assert_eq!([0, 1, 10, 20].map(slider), [0, 12, 128, 256]);
    }
}
