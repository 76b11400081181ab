//! The steps of movements requested by scripts, and their position queries. Angles have 2048 units per turn, positions are world units
//! times 256, durations are nominal ticks.

use super::clock::{FrameScale, Ticks};
use super::rotation::Angle2048;

/// Divides, returning 0 for a divisor of 0; the game crashes with a processor fault there.
fn divide_or_zero(number: i32, divisor: i32) -> i32 {
    number.checked_div(divisor).unwrap_or_default()
}

/// `RotateByAxis`: returns the rotation per update, in 256ths, for a rotation by `by` in `duration` ticks; if that is 0, one unit per tick
/// of the update. \[E\]
#[must_use]
pub fn rotation_step(by: i32, duration: i32, ticks: Ticks) -> i32 {
    match ticks.scale.of(divide_or_zero(by.wrapping_shl(8), duration)) {
        0 => i32::try_from(ticks.nominal).unwrap_or(i32::MAX).wrapping_mul(by.signum()),
        step => step,
    }
}

/// Whether a rotation has arrived: its target is no farther than a step of this many 256ths. \[E\]
#[must_use]
pub fn has_arrived(angle: Angle2048, target: Angle2048, step: i32) -> bool {
    target.difference(angle).wrapping_abs() <= (step >> 8).wrapping_abs()
}

/// `sRotateByAxis`: returns the angle after `elapsed` of `duration` ticks; from the second-to-last tick onward, the target. \[E\]
#[must_use]
pub fn smooth_rotation(origin: Angle2048, by: i32, duration: i32, elapsed: i32) -> Angle2048 {
    if elapsed >= duration.wrapping_sub(1) {
        return origin.plus(by);
    }
    let offset = divide_or_zero(by.wrapping_abs().wrapping_shl(8), duration).wrapping_mul(elapsed) >> 8;
    origin.plus(if by < 0 { offset.wrapping_neg() } else { offset })
}

/// `MoveByAxis`: returns the movement per update: `((by / duration) >> 8) * scale`. \[E\]
#[must_use]
pub fn movement_step(by: i32, duration: i32, scale: FrameScale) -> i32 {
    (divide_or_zero(by, duration) >> 8).wrapping_mul(scale.0)
}

/// `sMoveByAxis`: returns the position after `elapsed` of `duration` ticks. \[E\]
#[must_use]
pub fn smooth_movement(origin: i32, by: i32, duration: i32, elapsed: i32) -> i32 {
    origin.wrapping_add(divide_or_zero(by.wrapping_shl(8), duration).wrapping_mul(elapsed) >> 8)
}

/// `MoveToLocation`: returns the movement per update toward a location at a distance; `None` on arrival. \[E\]
#[must_use]
pub fn approach_step(distance: i32, duration: i32, elapsed: i32, scale: FrameScale) -> Option<i32> {
    let remaining = duration.wrapping_add(1).wrapping_sub(elapsed);
    (elapsed <= duration).then(|| scale.of(divide_or_zero(distance, remaining)))
}

/// `Wait`: whether a task is still waiting. \[E\]
#[must_use]
pub const fn is_waiting(duration: i32, elapsed: i32) -> bool {
    elapsed < duration.wrapping_sub(1)
}

/// `PlayerDistance`: returns the sum of the coordinate differences of two positions, in their unit. \[E\]
#[must_use]
pub fn player_distance(me: [i32; 3], player: [i32; 3]) -> i32 {
    super::rotation::difference(me, player).iter().fold(0, |sum, part| sum.wrapping_add(part.wrapping_abs()))
}

/// `PlayerFacing`: whether the player's yaw differs by at most `tolerance` from the actor's yaw plus an offset. \[E\]
#[must_use]
pub fn is_player_facing(yaw: Angle2048, offset: i32, player_yaw: Angle2048, tolerance: i32) -> bool {
    yaw.plus(offset).difference(player_yaw).wrapping_abs() <= tolerance
}

/// Returns the position of an actor attached to another actor: `position + matrix * offset`, where the offset is the difference of both
/// positions when the map was loaded, in the parent's space. World units times 256. \[E\]
#[must_use]
pub fn family_position(
    parent: [i32; 3],
    orientation: &super::rotation::Orientation,
    offset: [i32; 3],
) -> [i32; 3] {
    let [x, y, z] = orientation.apply_to_integers(offset);
    let [parent_x, parent_y, parent_z] = parent;
    [parent_x.wrapping_add(x), parent_y.wrapping_add(y), parent_z.wrapping_add(z)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK: Ticks = Ticks { nominal: 1, fine: 8, scale: FrameScale::NOMINAL };

    #[test]
    fn a_rotation_goes_in_equal_steps() {
        // 512 * 256 / 10 = 13107.
        assert_eq!(rotation_step(512, 10, TICK), 13_107);
        assert_eq!(rotation_step(-512, 10, Ticks { scale: FrameScale(128), ..TICK }), -6554);
        // 256 / 1000 = 0: one per tick.
        assert_eq!(rotation_step(-1, 1000, Ticks { nominal: 2, ..TICK }), -2);
        assert_eq!(rotation_step(5, 0, TICK), 1);
        let at = |angle, target, step| has_arrived(Angle2048::new(angle), Angle2048::new(target), step);
        assert!(at(2047, 1, 2 << 8) && !at(2047, 2, 2 << 8) && at(5, 3, -(2 << 8)));
    }

    #[test]
    fn a_smooth_rotation_snaps_one_tick_early() {
        let at = |elapsed| smooth_rotation(Angle2048::new(10), -100, 10, elapsed).get();
        assert_eq!([0, 5, 8, 9, 20].map(at), [10, 2008, 1978, 1958, 1958]);
    }

    #[test]
    fn movements_truncate_fractions() {
        // 5120 / 3 = 1706, and 1706 / 256 = 6.
        assert_eq!(movement_step(5120, 3, FrameScale(128)), 768);
        // 5120 * 256 / 3 = 436906; * 2 = 873812; / 256 = 3413.
        assert_eq!(smooth_movement(100, 5120, 3, 2), 3513);
        assert_eq!(approach_step(1000, 9, 0, FrameScale::NOMINAL), Some(100));
        assert_eq!(
            (approach_step(1000, 9, 9, FrameScale(512)), approach_step(9, 9, 10, FrameScale(1))),
            (Some(2000), None)
        );
        assert_eq!([8, 9].map(|elapsed| is_waiting(10, elapsed)), [true, false]);
    }

    #[test]
    fn player_distance_is_the_sum_of_the_axes() {
        assert_eq!(player_distance([1, -2, 3], [4, 4, 4]), 10);
        let facing = |yaw, player| is_player_facing(Angle2048::new(yaw), 100, Angle2048::new(player), 20);
        assert!(facing(2000, 52) && facing(2000, 72) && !facing(2000, 73));
        let parent = super::super::rotation::Orientation::of_actor([0, -512, 0]);
        assert_eq!(family_position([10, 20, 30], &parent, [0, 5, 100]), [110, 25, 30]);
    }
}
