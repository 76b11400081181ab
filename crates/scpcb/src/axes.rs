//! Conversion between the axes of the game and those of glTF, for rooms and models.
//!
//! The game (Blitz3D) is left-handed: X right, Y up, Z into the screen. Rooms and the models placed in them have 256 units per
//! meter (the game scales rooms by 8/2048). A triangle's front faces along `(b - a) x (c - a)`, computed on the raw numbers.
//!
//! glTF is right-handed with the same X and Y, so Z is negated. That mirrors the world, which would turn every triangle
//! inside out; reversing the winding order of each triangle undoes that. Texture coordinates are unchanged: both have their origin
//! at the top left.
//!
//! Rotations are pitch, yaw and roll in degrees. Blitz3D rotates +X toward +Z at a yaw of 90, +Z toward -Y at a
//! pitch of 90, +X toward +Y at a roll of 90. As matrices on the raw axes that is `Ry(-yaw) Rx(pitch) Rz(roll)`; after
//! mirroring, `Ry(yaw) Rx(-pitch) Rz(roll)`.
//!
//! Models store rotations as quaternions (w, x, y, z) that Blitz3D interprets as their inverse: a yaw of 90 is
//! (cos 45, 0, sin 45, 0). Inverted and mirrored that is (x, y, -z, w). Matrices in models are row-major with sixteen numbers,
//! for row vectors: the last row is the translation.

use glam::{Affine3A, EulerRot, Mat3A, Quat, Vec3, Vec3A};

/// Game units per meter, in rooms.
pub const UNITS_PER_METER: f32 = 256.0;

/// Converts a position in a room to meters and glTF's axes.
#[must_use]
pub fn position([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, -z) / UNITS_PER_METER
}

/// Converts a direction to glTF's axes, keeping its length.
#[must_use]
pub fn direction([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, -z)
}

/// Converts a length to meters.
#[must_use]
pub fn length(units: f32) -> f32 {
    units / UNITS_PER_METER
}

/// Reverses the winding order of a triangle, so that its front face stays the front face after mirroring.
#[must_use]
pub fn winding([a, b, c]: [u32; 3]) -> [u32; 3] {
    [a, c, b]
}

/// Converts the rotation of a placed model from pitch, yaw and roll in degrees.
#[must_use]
pub fn rotation([pitch, yaw, roll]: [f32; 3]) -> Quat {
    Quat::from_rotation_y(yaw.to_radians())
        * Quat::from_rotation_x(-pitch.to_radians())
        * Quat::from_rotation_z(roll.to_radians())
}

/// Converts the rotation of a model's node from a stored quaternion (w, x, y, z) of any length; zero length becomes the identity.
#[must_use]
pub fn orientation([w, x, y, z]: [f32; 4]) -> Quat {
    let rotation = Quat::from_xyzw(x, y, -z, w);
    if rotation.is_finite() && rotation.length_squared() > 0.0 {
        rotation.normalize()
    } else {
        Quat::IDENTITY
    }
}

/// Converts a row-major matrix of a model, for row vectors, to meters and glTF's axes.
/// The last column is assumed to be (0, 0, 0, 1).
#[must_use]
pub fn matrix([i, j, k, origin]: [[f32; 4]; 4]) -> Affine3A {
    let row = |[x, y, z, _]: [f32; 4]| Vec3A::new(x, y, -z);
    let [x, y, z, _] = origin;
    Affine3A { matrix3: Mat3A::from_cols(row(i), row(j), -row(k)), translation: position([x, y, z]).into() }
}

/// Converts a position from meters and glTF's axes back to game units. Inverse of [`position`], bit for bit unless the value
/// overflows or underflows.
#[must_use]
pub fn game_position(meters: Vec3) -> [f32; 3] {
    let Vec3 { x, y, z } = meters * UNITS_PER_METER;
    [x, y, -z]
}

/// Converts a length in meters back to game units.
#[must_use]
pub fn game_length(meters: f32) -> f32 {
    meters * UNITS_PER_METER
}

/// Returns pitch, yaw and roll in degrees for a rotation. Of the equivalent angles, those with a pitch within a quarter turn are used.
#[must_use]
pub fn angles(rotation: Quat) -> [f32; 3] {
    let (yaw, pitch, roll) = rotation.to_euler(EulerRot::YXZ);
    [-pitch.to_degrees(), yaw.to_degrees(), roll.to_degrees()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_rotate_as_in_blitz3d() {
        let turned = |angles, axis: [f32; 3]| rotation(angles) * direction(axis);
        let close =
            |a: Vec3, b: [f32; 3]| assert!(a.abs_diff_eq(direction(b), 1e-6), "{a} is not {b:?} mirrored");
        close(turned([0.0, 90.0, 0.0], [1.0, 0.0, 0.0]), [0.0, 0.0, 1.0]);
        close(turned([90.0, 0.0, 0.0], [0.0, 0.0, 1.0]), [0.0, -1.0, 0.0]);
        close(turned([0.0, 0.0, 90.0], [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
    }

    #[test]
    fn positions_round_trip_bit_for_bit_and_angles_round_trip_as_rotations() {
        for point in [[1.0, -2.5, 3.051_76e-5], [0.1, -0.0, 0.0], [25800.3, 1e30, -7e-20]] {
            assert_eq!(game_position(position(point)).map(f32::to_bits), point.map(f32::to_bits));
        }
        assert_eq!(game_length(length(0.3)), 0.3);
        for given in [[10.0, 20.0, 30.0], [-80.0, 170.0, -100.0], [120.0, 0.0, 0.0], [90.0, 45.0, 0.0]] {
            let (turn, back) = (rotation(given), rotation(angles(rotation(given))));
            assert!(turn.dot(back).abs() > 1.0 - 1e-6, "{given:?}: {:?}", angles(turn));
        }
        assert!(
            Vec3::from(angles(rotation([10.0, 20.0, 30.0]))).abs_diff_eq(Vec3::new(10.0, 20.0, 30.0), 1e-4)
        );
    }

    #[test]
    fn quaternions_match_the_angles() {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert!(orientation([half, 0.0, half, 0.0]).abs_diff_eq(rotation([0.0, 90.0, 0.0]), 1e-6));
        assert!(orientation([half, -half, 0.0, 0.0]).abs_diff_eq(rotation([90.0, 0.0, 0.0]), 1e-6));
        assert!(orientation([half, 0.0, 0.0, -half]).abs_diff_eq(rotation([0.0, 0.0, 90.0]), 1e-6));
        assert_eq!(orientation([0.0; 4]), Quat::IDENTITY);
        assert_eq!(orientation([f32::NAN, 0.0, 0.0, 1.0]), Quat::IDENTITY);
    }

    #[test]
    fn matrices_transform_positions_as_in_the_game() {
        let file =
            [[0.0, 2.0, 0.5, 0.0], [-1.0, 0.0, 0.25, 0.0], [0.0, 4.0, 3.0, 0.0], [256.0, -96.0, 64.0, 1.0]];
        let point = [10.0, 20.0, 30.0];
        let mut moved = [0.0; 3];
        for (column, moved) in moved.iter_mut().enumerate() {
            *moved = (0..3).map(|row| point[row] * file[row][column]).sum::<f32>() + file[3][column];
        }
        let mapped = matrix(file).transform_point3(position(point));
        assert!(mapped.abs_diff_eq(position(moved), 1e-5), "{mapped} is not {}", position(moved));
    }

    #[test]
    fn the_front_face_stays_the_front_face() {
        let corners = [[0.0, 0.0, 0.0], [256.0, 0.0, 0.0], [0.0, 0.0, 256.0]];
        let normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a);
        let raw = normal(corners.map(Vec3::from));
        let [a, b, c] = winding([0, 1, 2]).map(|corner| position(corners[corner as usize]));
        assert_eq!(normal([a, b, c]).normalize(), direction(raw.normalize().to_array()));
        assert_eq!(b, Vec3::new(0.0, 0.0, -1.0));
        assert_eq!(c, Vec3::new(1.0, 0.0, 0.0));
    }
}
