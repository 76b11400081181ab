//! The records of the camera: where it is in relation to the actor that it follows.

use super::super::clock::FrameScale;
use super::super::rotation::{Angle2048, Orientation, bearing, difference, distance, normal};

/// The flag of records whose pitch does not follow the actor.
pub const OWN_PITCH: u8 = 0x80;

/// The lowest scale of the movement limit, in 256ths.
const MIN_SCALE: i32 = 180;

/// The camera's place in relation to an actor. Angles are pitch, yaw and roll, 2048 per turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CameraRecord {
    /// Flags, such as [`OWN_PITCH`].
    pub flags: u8,
    /// The point behind which the camera is: an offset from the actor in its own axes, in world units times 256.
    pub offset: [i32; 3],
    /// The angles by which the camera is turned around that point.
    pub angle_offset: [i32; 3],
    /// The distance from that point, in world units.
    pub distance: i32,
    /// The number that replaces a smaller distance. It is compared with the distance in world units times 256.
    pub min_distance: i32,
    /// The largest movement per frame, in world units times 256.
    pub max_velocity: u32,
    /// The limit to the left, in world units times 256. Its use is unknown. \[?\]
    pub left_limit: i32,
    /// The limit to the right, negated, in world units times 256. Its use is unknown. \[?\]
    pub right_limit: i32,
    /// The point that the camera looks at: an offset from the actor in its own axes, in world units times 256.
    pub target_offset: [i32; 3],
    /// The aim above and below a rope. Its unit and use are unknown. \[?\]
    pub aim: [i32; 3],
}

impl Default for CameraRecord {
    /// The record for walking in the shipped game. \[D\]
    fn default() -> Self {
        Self {
            flags: 0,
            offset: [0, -14_000, 0],
            angle_offset: [0; 3],
            distance: 250,
            min_distance: 120,
            max_velocity: 8000,
            left_limit: 5000,
            right_limit: -5000,
            target_offset: [-6000, -14_000, 0],
            aim: [0; 3],
        }
    }
}

/// Returns the orientation of the camera's axes, which unlike those of an actor turn up and to the right for positive pitch and roll.
fn orientation([pitch, yaw, roll]: [i32; 3]) -> Orientation {
    Orientation::of_actor([pitch.wrapping_neg(), yaw, roll.wrapping_neg()])
}

fn sum([a, b, c]: [i32; 3], [x, y, z]: [i32; 3]) -> [i32; 3] {
    [a.wrapping_add(x), b.wrapping_add(y), c.wrapping_add(z)]
}

impl CameraRecord {
    /// Returns the record for the gremlin: half the distances, and heights of its own. \[E\]
    #[must_use]
    pub const fn of_gremlin(self) -> Self {
        const HEIGHT: i32 = 6400;
        let ([x, _, z], [target_x, _, target_z]) = (self.offset, self.target_offset);
        Self {
            offset: [x >> 1, HEIGHT, z >> 1],
            target_offset: [target_x, HEIGHT, target_z],
            distance: self.distance >> 1,
            min_distance: self.min_distance >> 1,
            ..self
        }
    }

    /// Returns the distance of the camera in world units. It is replaced by the minimum only if 256 times it is less, so a distance of 1 is
    /// kept. \[E\]
    #[must_use]
    pub const fn resting_distance(&self) -> i32 {
        if self.distance.wrapping_shl(8) < self.min_distance { self.min_distance } else { self.distance }
    }

    /// Returns the place of the camera behind an actor, before anything gets in the way. Positions are in world units times 256. \[E\]
    #[must_use]
    pub fn candidate(&self, position: [i32; 3], angles: [i32; 3]) -> [i32; 3] {
        let [pitch, yaw, roll] = difference(angles, self.angle_offset);
        let [own_pitch, ..] = self.angle_offset;
        let pitch = if self.flags & OWN_PITCH != 0 { own_pitch.wrapping_neg() } else { pitch };
        let center = sum(position, orientation(angles).apply_to_integers(self.offset));
        let back = [0, 0, self.resting_distance().wrapping_shl(8).wrapping_neg()];
        sum(center, orientation([pitch, yaw, roll]).apply_to_integers(back))
    }

    /// Returns the point that the camera looks at, in world units times 256. \[E\]
    #[must_use]
    pub fn target(&self, position: [i32; 3], angles: [i32; 3]) -> [i32; 3] {
        sum(position, orientation(angles).apply_to_integers(self.target_offset))
    }

    /// Returns the largest movement in a frame, in world units times 256, from the movement in the previous frame and `max_acc`. \[E\]
    #[must_use]
    pub fn movement_limit(&self, moved: i32, max_acceleration: i32, scale: FrameScale) -> i32 {
        let faster = moved.wrapping_abs().wrapping_add(max_acceleration);
        let limit = faster.min(i32::try_from(self.max_velocity).unwrap_or(i32::MAX));
        FrameScale(scale.0.max(MIN_SCALE)).of(limit)
    }
}

/// Returns the pitch and the yaw of a camera that looks at a target; its roll is 0. \[E\]
#[must_use]
pub fn view_angles(camera: [i32; 3], target: [i32; 3]) -> [Angle2048; 2] {
    let [x, y, z] = normal(difference(camera, target));
    let across = distance([0; 3], [x, 0, z]);
    [bearing(across, y).plus(-512), bearing(x, z).plus(-1024)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(position: [i32; 3]) -> [i32; 3] {
        position.map(|it| it.wrapping_mul(256))
    }

    #[test]
    fn the_camera_is_behind_and_above_the_player() {
        // The source observed (32481, -330, 33642); its player was between two units.
        let place = CameraRecord::default().candidate(units([32_464, -275, 33_892]), [0, 22, 0]);
        assert_eq!(place.map(|it| it >> 8), [32_480, -330, 33_642]);
        let [pitch, yaw] = view_angles(units([32_481, -330, 33_642]), units([32_464, -330, 33_892]));
        assert_eq!((pitch.get(), yaw.get()), (0, 2027));
    }

    #[test]
    fn angle_offsets_turn_the_camera_around_the_player() {
        let record = CameraRecord { offset: [0; 3], angle_offset: [0, 512, 0], ..CameraRecord::default() };
        assert_eq!(record.candidate([0; 3], [0; 3]), [-64_000, 0, 0]);
        // A quarter turn of the player in the same direction leaves the camera behind its new heading.
        assert_eq!(record.candidate([0; 3], [0, 512, 0]), [0, 0, -64_000]);
        // A positive offset of the pitch raises the camera, whatever the pitch of the player is with the flag.
        let high = CameraRecord { angle_offset: [512, 0, 0], ..record };
        assert_eq!(high.candidate([0; 3], [0; 3]), [0, -64_000, 0]);
        assert_eq!(high.candidate([0; 3], [512, 0, 0]), [0, 0, -64_000]);
        let own = CameraRecord { flags: OWN_PITCH, ..high };
        assert_eq!(own.candidate([0; 3], [512, 0, 0]), [0, -64_000, 0]);
    }

    #[test]
    fn only_a_distance_of_0_is_replaced_by_the_shipped_minimum() {
        let distance = |distance| CameraRecord { distance, ..CameraRecord::default() }.resting_distance();
        assert_eq!([0, 1, 119, 250].map(distance), [120, 1, 119, 250]);
    }

    #[test]
    fn the_gremlin_has_half_the_distances() {
        let record = CameraRecord { offset: [100, -14_000, 50], ..CameraRecord::default() }.of_gremlin();
        assert_eq!((record.offset, record.distance, record.min_distance), ([50, 6400, 25], 125, 60));
        assert_eq!(record.target_offset, [-6000, 6400, 0]);
    }

    #[test]
    fn movements_accelerate_up_to_the_maximum() {
        let limit = |moved, scale| CameraRecord::default().movement_limit(moved, 5000, FrameScale(scale));
        assert_eq!([limit(0, 256), limit(0, 153), limit(8000, 256)], [5000, 3515, 8000]);
        let free = CameraRecord { max_velocity: u32::MAX, ..CameraRecord::default() };
        assert_eq!(free.movement_limit(-100_000, 5000, FrameScale::NOMINAL), 105_000);
    }
}
