//! Computes face normals, packs them into words, and compares directions.

use glam::{DVec3, Vec3};

use super::layout::Triple;

/// Vertex normal (NaN) that marks flat shading.
pub(super) const FLAT: [f32; 3] = [f32::from_bits(0xffc0_0000); 3];

/// Length of a unit normal.
const ONE: f64 = 256.0;

/// Outward normal of a face with counter-clockwise corners, in 256ths; zero for a degenerate face.
pub(super) fn of_face(corners: &[Triple]) -> Triple {
    let Some((first, rest)) = corners.split_first() else { return [0; 3] };
    let relative = |position: &Triple| {
        let ([x, y, z], [a, b, c]) = (position.map(f64::from), first.map(f64::from));
        [x - a, y - b, z - c]
    };
    let mut sum = [0.0; 3];
    for pair in rest.windows(2) {
        if let [second, third] = pair {
            let ([a, b, c], [x, y, z]) = (relative(second), relative(third));
            let [i, j, k] = sum;
            sum = [i + (b * z - c * y), j + (c * x - a * z), k + (a * y - b * x)];
        }
    }
    let [x, y, z] = sum;
    let length = (x * x + y * y + z * z).sqrt();
    if length > 0.0 { sum.map(|number| rounded(number / length * ONE)) } else { [0; 3] }
}

/// Packs a normal as in the frames after the first: 10 bits per component, x lowest.
pub(super) fn packed(normal: Triple) -> u32 {
    let [x, y, z] = normal.map(|number| {
        let number = u32::try_from(number.clamp(-512, 511).rem_euclid(1024));
        number.unwrap_or_default()
    });
    x | (y << 10) | (z << 20)
}

/// Rounds to the nearest integer, saturating.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is intended")]
pub(super) fn rounded(number: f64) -> i32 {
    number.round() as i32
}

/// Cosine of the angle between two directions; `None` if one of them has zero length.
pub(super) fn cosine(a: [f32; 3], b: [f32; 3]) -> Option<f32> {
    let [a, b] = [a, b].map(|direction| Vec3::from(direction).try_normalize());
    Some(a?.dot(b?))
}

/// Converts a face normal in 256ths to a direction.
pub(super) fn direction_of(normal: Triple) -> [f32; 3] {
    DVec3::from(normal.map(f64::from)).normalize_or_zero().as_vec3().to_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_points_to_the_counter_clockwise_side() {
        let square = [[0, 0, 0], [9, 0, 0], [9, 9, 0], [0, 9, 0]];
        assert_eq!(of_face(&square), [0, 0, 256]);
        let reversed: Vec<Triple> = square.into_iter().rev().collect();
        assert_eq!(of_face(&reversed), [0, 0, -256]);
        assert_eq!(of_face(&[[1, 1, 1]; 3]), [0; 3]);
    }

    #[test]
    fn clamps_components_to_ten_bits() {
        assert_eq!(packed([1, -1, 256]), 1 | (0x3ff << 10) | (256 << 20));
        assert_eq!(packed([999, -999, 0]), 511 | (512 << 10));
    }
}
