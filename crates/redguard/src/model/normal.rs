//! Face normals out of corners, and the words that hold them.

use super::layout::Triple;

/// The unit of normals: 256 is 1.
const ONE: f64 = 256.0;

/// The outward normal of a face whose corners run counter-clockwise seen from outside, in 256ths; zero where it has no area.
pub(super) fn of_face(corners: &[Triple]) -> Triple {
    let Some((first, rest)) = corners.split_first() else { return [0; 3] };
    let less = |place: &Triple| {
        let ([x, y, z], [a, b, c]) = (place.map(f64::from), first.map(f64::from));
        [x - a, y - b, z - c]
    };
    let mut sum = [0.0; 3];
    for pair in rest.windows(2) {
        if let [second, third] = pair {
            let ([a, b, c], [x, y, z]) = (less(second), less(third));
            let [i, j, k] = sum;
            sum = [i + (b * z - c * y), j + (c * x - a * z), k + (a * y - b * x)];
        }
    }
    let [x, y, z] = sum;
    let length = (x * x + y * y + z * z).sqrt();
    if length > 0.0 { sum.map(|number| rounded(number / length * ONE)) } else { [0; 3] }
}

/// A normal as frames behind the first have it: ten bits each, x lowest.
pub(super) fn packed(normal: Triple) -> u32 {
    let [x, y, z] = normal.map(|number| {
        let number = u32::try_from(number.clamp(-512, 511).rem_euclid(1024));
        number.unwrap_or_default()
    });
    x | (y << 10) | (z << 20)
}

/// The nearest whole number; the furthest there is for one that is further away.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is meant")]
pub(super) fn rounded(number: f64) -> i32 {
    number.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_points_to_where_its_corners_run_counter_clockwise() {
        let square = [[0, 0, 0], [9, 0, 0], [9, 9, 0], [0, 9, 0]];
        assert_eq!(of_face(&square), [0, 0, 256]);
        let turned: Vec<Triple> = square.into_iter().rev().collect();
        assert_eq!(of_face(&turned), [0, 0, -256]);
        assert_eq!(of_face(&[[1, 1, 1]; 3]), [0; 3]);
    }

    #[test]
    fn words_hold_ten_bits_each() {
        assert_eq!(packed([1, -1, 256]), 1 | (0x3ff << 10) | (256 << 20));
        assert_eq!(packed([999, -999, 0]), 511 | (512 << 10));
    }
}
