//! The frames, positions and values of the parts of a screen, as the game computes them.
//!
//! Source: redguard-preservation 0.10.4, which describes the Glide program of 1998. \[E\] is stated about that program, \[?\] is open.

/// The offset of a text's shadow to the right and down. \[E\]
pub const SHADOW: [i32; 2] = [1, 1];

/// Returns the burn level of the health candle: 0 at full health (100 and above), 11 at 0 health. Frames 66 to 80 show it going out. \[E\]
#[must_use]
pub fn candle_level(health: i32) -> i32 {
    let burned = 100_i32.wrapping_sub(health.min(100)).wrapping_mul(256) / 100;
    burned.wrapping_mul(11) >> 8
}

/// Returns the five flickering frames of the candle at a level. \[E\]
#[must_use]
pub const fn candle_frames(level: i32) -> std::ops::RangeInclusive<i32> {
    let first = level.wrapping_mul(6);
    first..=first.wrapping_add(4)
}

/// Returns the frame of the compass, from the heading of the player and the `world_compass` of the world, 2048 per turn. \[E\]
#[must_use]
pub const fn compass_frame(heading: i32, world_compass: i32) -> i32 {
    heading.wrapping_add(world_compass).wrapping_neg().rem_euclid(2048) >> 6
}

/// Returns the value of a menu slider, from its step (0 to 20). \[E\]
#[must_use]
pub const fn slider(step: i32) -> i32 {
    step.wrapping_mul(128) / 10
}

/// Returns the step of a menu slider, from its value (0 to 256). \[E\]
#[must_use]
pub fn slider_step(value: i32) -> i32 {
    let step = i64::from(value).saturating_mul(10) / 128;
    i32::try_from(step).unwrap_or_default()
}

/// Returns the frame of a menu slider with these limits at a step, out of a number of frames. \[E\], a half is rounded up \[?\]
#[must_use]
pub fn slider_frame(step: i32, [min, max]: [i32; 2], frames: i32) -> i32 {
    let last = i64::from(frames).saturating_sub(1).max(0);
    let range = i64::from(max).saturating_sub(min.into());
    if range <= 0 {
        return 0;
    }
    let twice = i64::from(step).saturating_mul(last).saturating_mul(2).saturating_add(range);
    let frame = twice.div_euclid(range.saturating_mul(2)).clamp(0, last);
    i32::try_from(frame).unwrap_or_default()
}

/// Returns the opacity of the shadow for a text's opacity: 200/256 of it. \[E\]
#[must_use]
pub fn shadow_alpha(alpha: u8) -> u8 {
    u8::try_from(u32::from(alpha).wrapping_mul(200) >> 8).unwrap_or(u8::MAX)
}

/// Returns the start of a line of this width that is centered at a position, in pixels. \[E\]
#[must_use]
pub const fn centered_at(center: i32, width: i32) -> i32 {
    center.wrapping_add(width.wrapping_neg() / 2)
}

/// Returns the width that a menu page subtracts from the position of a text or bitmap: nothing (0), a half (1), or all (2). \[E\]
#[must_use]
pub const fn justified(justify: i32, width: i32) -> i32 {
    match justify {
        1 => width / 2,
        2 => width,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_candle_burns_down_as_health_falls() {
        // 1 * 256 / 100 = 2, * 11 / 256 = 0; 50: 128 * 11 / 256 = 5.
        assert_eq!([100, 99, 50, 10, 0].map(candle_level), [0, 0, 5, 9, 11]);
        assert_eq!([100, 91, 90, 50, 37, 36, 1, 0].map(candle_level), [0, 0, 1, 5, 6, 7, 10, 11]);
        assert_eq!((candle_level(200), candle_frames(11)), (0, 66..=70));
    }

    #[test]
    fn the_compass_turns_against_the_heading() {
        let frames = [(0, 0), (64, 0), (65, 0), (1984, 0), (1000, 2000), (1500, 1024), (1, 0), (512, 512)];
        let frames = frames.map(|(heading, compass)| compass_frame(heading, compass));
        assert_eq!(frames, [0, 31, 30, 1, 17, 24, 31, 16]);
    }

    #[test]
    fn a_slider_has_a_step_for_each_twentieth() {
        assert_eq!([0, 1, 10, 19, 20].map(slider), [0, 12, 128, 243, 256]);
        assert_eq!([255, 256, 200, 12, -13].map(slider_step), [19, 20, 15, 0, -1]);
    }

    #[test]
    fn the_frame_of_a_slider_is_in_proportion_to_its_step() {
        assert_eq!(slider_frame(19, [0, 20], 21), 19);
        // 9.5
        assert_eq!(slider_frame(19, [0, 20], 11), 10);
        assert_eq!([-5, 0, 30].map(|step| slider_frame(step, [0, 20], 11)), [0, 0, 10]);
        // Limits without a range, and a bitmap without frames.
        assert_eq!(
            (slider_frame(5, [0, 0], 21), slider_frame(5, [9, 3], 21), slider_frame(5, [0, 20], 0)),
            (0, 0, 0)
        );
    }

    #[test]
    fn half_a_pixel_is_rounded_to_the_right() {
        assert_eq!([0, 100, 101].map(|width| centered_at(320, width)), [320, 270, 270]);
        assert_eq!([0, 1, 2, 5].map(|justify| justified(justify, 9)), [0, 4, 9, 0]);
    }
}
