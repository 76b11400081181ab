//! Conversion between the axes of the game and those of glTF, for rooms and models.
//!
//! The game (Blitz3D) is left-handed: X right, Y up, Z into the picture. Rooms and the models placed in them count 256 units to
//! a meter (the game scales rooms by 8/2048). A triangle's front is where `(b - a) x (c - a)` points, on the raw numbers.
//!
//! glTF is right-handed with the same X and Y, so Z is negated. That mirrors the world, which would turn every triangle
//! inside out; reversing the winding of each triangle fixes that. Texture coordinates are unchanged: both have their origin at the
//! top left.
//!
//! Rotations are pitch, yaw and roll in degrees. Blitz3D rotates +X toward +Z at a yaw of 90, +Z toward -Y at a
//! pitch of 90, +X toward +Y at a roll of 90. As matrices on the raw axes that is `Ry(-yaw) Rx(pitch) Rz(roll)`; after
//! mirroring, `Ry(yaw) Rx(-pitch) Rz(roll)`.
//!
//! Models store rotations as quaternions (w, x, y, z) that Blitz3D interprets as their inverse: a yaw of 90 is
//! (cos 45, 0, sin 45, 0). Inverted and mirrored that is (x, y, -z, w). Matrices in models are row-major with sixteen numbers,
//! for row vectors: the last row is the translation.

use glam::{Affine3A, EulerRot, Mat3A, Quat, Vec3, Vec3A};

/// Game units to the meter, in rooms.
pub const UNITS_PER_METER: f32 = 256.0;

/// A position in a room, in meters and glTF's axes.
#[must_use]
pub fn position([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, -z) / UNITS_PER_METER
}

/// A direction in glTF's axes, as long as it was.
#[must_use]
pub fn direction([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, -z)
}

/// A length in meters.
#[must_use]
pub fn length(units: f32) -> f32 {
    units / UNITS_PER_METER
}

/// A triangle whose front is seen from the same side as in the game.
#[must_use]
pub fn winding([a, b, c]: [u32; 3]) -> [u32; 3] {
    [a, c, b]
}

/// The rotation of a model, from pitch, yaw and roll in degrees.
#[must_use]
pub fn rotation([pitch, yaw, roll]: [f32; 3]) -> Quat {
    Quat::from_rotation_y(yaw.to_radians())
        * Quat::from_rotation_x(-pitch.to_radians())
        * Quat::from_rotation_z(roll.to_radians())
}

/// The rotation of a model's node, from a quaternion as stored in files: w, x, y, z. Of any length; zero length is the identity.
#[must_use]
pub fn orientation([w, x, y, z]: [f32; 4]) -> Quat {
    let turn = Quat::from_xyzw(x, y, -z, w);
    if turn.is_finite() && turn.length_squared() > 0.0 { turn.normalize() } else { Quat::IDENTITY }
}

/// A matrix of a model, in meters and glTF's axes, from sixteen numbers row by row for vectors on their left.
/// The last column is assumed to be (0, 0, 0, 1).
#[must_use]
pub fn matrix([i, j, k, origin]: [[f32; 4]; 4]) -> Affine3A {
    let row = |[x, y, z, _]: [f32; 4]| Vec3A::new(x, y, -z);
    let [x, y, z, _] = origin;
    Affine3A { matrix3: Mat3A::from_cols(row(i), row(j), -row(k)), translation: position([x, y, z]).into() }
}

/// A position in meters and glTF's axes back in game units: the same bits that [`position`] was given, as long as it did not run out of
/// range.
#[must_use]
pub fn game_position(meters: Vec3) -> [f32; 3] {
    let Vec3 { x, y, z } = meters * UNITS_PER_METER;
    [x, y, -z]
}

/// A length in meters back in game units.
#[must_use]
pub fn game_length(meters: f32) -> f32 {
    meters * UNITS_PER_METER
}

/// Pitch, yaw and roll in degrees that turn as this does. Several do: the pitch is within a quarter turn.
#[must_use]
pub fn angles(turn: Quat) -> [f32; 3] {
    let (yaw, pitch, roll) = turn.to_euler(EulerRot::YXZ);
    [-pitch.to_degrees(), yaw.to_degrees(), roll.to_degrees()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_turn_the_way_blitz3d_does() {
        let turned = |angles, axis: [f32; 3]| rotation(angles) * direction(axis);
        let close =
            |a: Vec3, b: [f32; 3]| assert!(a.abs_diff_eq(direction(b), 1e-6), "{a} is not {b:?} mirrored");
        close(turned([0.0, 90.0, 0.0], [1.0, 0.0, 0.0]), [0.0, 0.0, 1.0]);
        close(turned([90.0, 0.0, 0.0], [0.0, 0.0, 1.0]), [0.0, -1.0, 0.0]);
        close(turned([0.0, 0.0, 90.0], [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]);
    }

    #[test]
    fn places_come_back_bit_for_bit_and_angles_turn_the_same() {
        for place in [[1.0, -2.5, 3.051_76e-5], [0.1, -0.0, 0.0], [25800.3, 1e30, -7e-20]] {
            assert_eq!(game_position(position(place)).map(f32::to_bits), place.map(f32::to_bits));
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
    fn quaternions_turn_as_the_angles_do() {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert!(orientation([half, 0.0, half, 0.0]).abs_diff_eq(rotation([0.0, 90.0, 0.0]), 1e-6));
        assert!(orientation([half, -half, 0.0, 0.0]).abs_diff_eq(rotation([90.0, 0.0, 0.0]), 1e-6));
        assert!(orientation([half, 0.0, 0.0, -half]).abs_diff_eq(rotation([0.0, 0.0, 90.0]), 1e-6));
        assert_eq!(orientation([0.0; 4]), Quat::IDENTITY);
        assert_eq!(orientation([f32::NAN, 0.0, 0.0, 1.0]), Quat::IDENTITY);
    }

    #[test]
    fn matrices_take_places_where_the_game_does() {
        let file =
            [[0.0, 2.0, 0.5, 0.0], [-1.0, 0.0, 0.25, 0.0], [0.0, 4.0, 3.0, 0.0], [256.0, -96.0, 64.0, 1.0]];
        let place = [10.0, 20.0, 30.0];
        let mut moved = [0.0; 3];
        for (column, moved) in moved.iter_mut().enumerate() {
            *moved = (0..3).map(|row| place[row] * file[row][column]).sum::<f32>() + file[3][column];
        }
        let mapped = matrix(file).transform_point3(position(place));
        assert!(mapped.abs_diff_eq(position(moved), 1e-5), "{mapped} is not {}", position(moved));
    }

    #[test]
    fn the_front_of_a_triangle_stays_the_front() {
        let corners = [[0.0, 0.0, 0.0], [256.0, 0.0, 0.0], [0.0, 0.0, 256.0]];
        let normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a);
        let raw = normal(corners.map(Vec3::from));
        let [a, b, c] = winding([0, 1, 2]).map(|corner| position(corners[corner as usize]));
        assert_eq!(normal([a, b, c]).normalize(), direction(raw.normalize().to_array()));
        assert_eq!(b, Vec3::new(0.0, 0.0, -1.0));
        assert_eq!(c, Vec3::new(1.0, 0.0, 0.0));
    }
}
