//! The steps of the movements that scripts ask for, and what they ask about places. Angles have 2048 to a turn, positions are world units times
//! 256, durations nominal ticks.

use super::clock::{FrameScale, Ticks};
use super::rotation::Angle2048;

/// A quotient that is 0 where the divisor is; there the game stops with a fault of the processor.
fn over(number: i32, divisor: i32) -> i32 {
    number.checked_div(divisor).unwrap_or_default()
}

/// `RotateByAxis`: how far an angle moves in an update, in 256ths, of a rotation by `by` in `duration` ticks; where that is 0, one for each tick of the
/// update. \[E\]
#[must_use]
pub fn rotation_step(by: i32, duration: i32, ticks: Ticks) -> i32 {
    match ticks.scale.of(over(by.wrapping_shl(8), duration)) {
        0 => i32::try_from(ticks.nominal).unwrap_or(i32::MAX).wrapping_mul(by.signum()),
        step => step,
    }
}

/// Whether a rotation has arrived: its target is nearer than a step of this many 256ths. \[E\]
#[must_use]
pub fn has_arrived(angle: Angle2048, target: Angle2048, step: i32) -> bool {
    target.difference(angle).wrapping_abs() <= (step >> 8).wrapping_abs()
}

/// `sRotateByAxis`: the angle after `elapsed` of `duration` ticks; from the last but one on the target. \[E\]
#[must_use]
pub fn smooth_rotation(origin: Angle2048, by: i32, duration: i32, elapsed: i32) -> Angle2048 {
    if elapsed >= duration.wrapping_sub(1) {
        return origin.plus(by);
    }
    let way = over(by.wrapping_abs().wrapping_shl(8), duration).wrapping_mul(elapsed) >> 8;
    origin.plus(if by < 0 { way.wrapping_neg() } else { way })
}

/// `MoveByAxis`: how far something moves in an update: `((by / duration) >> 8) * scale`. \[E\]
#[must_use]
pub fn movement_step(by: i32, duration: i32, scale: FrameScale) -> i32 {
    (over(by, duration) >> 8).wrapping_mul(scale.0)
}

/// `sMoveByAxis`: the place after `elapsed` of `duration` ticks. \[E\]
#[must_use]
pub fn smooth_movement(origin: i32, by: i32, duration: i32, elapsed: i32) -> i32 {
    origin.wrapping_add(over(by.wrapping_shl(8), duration).wrapping_mul(elapsed) >> 8)
}

/// `MoveToLocation`: how far something moves in an update towards a place at a distance; `None` when it is there. \[E\]
#[must_use]
pub fn approach_step(distance: i32, duration: i32, elapsed: i32, scale: FrameScale) -> Option<i32> {
    let left = duration.wrapping_add(1).wrapping_sub(elapsed);
    (elapsed <= duration).then(|| scale.of(over(distance, left)))
}

/// `Wait`: whether a task still waits. \[E\]
#[must_use]
pub const fn is_waiting(duration: i32, elapsed: i32) -> bool {
    elapsed < duration.wrapping_sub(1)
}

/// `PlayerDistance`: the sum of the differences of two places, in their unit. \[E\]
#[must_use]
pub fn player_distance(me: [i32; 3], player: [i32; 3]) -> i32 {
    super::rotation::difference(me, player).iter().fold(0, |sum, way| sum.wrapping_add(way.wrapping_abs()))
}

/// `PlayerFacing`: whether the yaw of the player differs by at most `tolerance` from mine and an offset. \[E\]
#[must_use]
pub fn is_player_facing(yaw: Angle2048, offset: i32, player_yaw: Angle2048, tolerance: i32) -> bool {
    yaw.plus(offset).difference(player_yaw).wrapping_abs() <= tolerance
}

/// The orientation and place of what hangs on another actor: `position + matrix * offset`, where the offset is the difference of both when the map was
/// loaded, in the space of the parent. World units times 256. \[E\]
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
        // 256 / 1000 = 0: one for each tick.
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
    fn movements_drop_their_fractions() {
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
    fn places_are_compared_by_the_sum_of_their_ways() {
        assert_eq!(player_distance([1, -2, 3], [4, 4, 4]), 10);
        let facing = |yaw, player| is_player_facing(Angle2048::new(yaw), 100, Angle2048::new(player), 20);
        assert!(facing(2000, 52) && facing(2000, 72) && !facing(2000, 73));
        let parent = super::super::rotation::Orientation::of_actor([0, -512, 0]);
        assert_eq!(family_position([10, 20, 30], &parent, [0, 5, 100]), [110, 25, 30]);
    }
}
