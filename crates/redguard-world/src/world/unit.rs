//! Rotations of a map in degrees and positions in world units, as aliases in paths for the stored numbers: `statics[4].degrees`.
//!
//! Rotations consist of pitch, heading and roll. A placement stores them in 2048ths of a turn, a static as a matrix with 28 fraction bits.

use asset::typed_view::{Unit, UnitField, rounded};

/// The fields of a map that are stored as fixed-point numbers.
pub(super) const FIELDS: [UnitField; 7] = [
    UnitField {
        owner: "sections/*/MPOB/records/*",
        stored: "angles",
        name: "degrees",
        unit: Unit::DEGREES_OF_STEPS,
    },
    UnitField {
        owner: "sections/*/MPOB/records/*",
        stored: "position",
        name: "position_units",
        unit: Unit::UNITS_OF_256THS,
    },
    UnitField {
        owner: "sections/*/MPSO/records/*",
        stored: "matrix",
        name: "degrees",
        unit: Unit::List { show: angles_of, store: matrix_of },
    },
    UnitField {
        owner: "sections/*/MPRP/records/*",
        stored: "angle",
        name: "degrees",
        unit: Unit::DEGREES_OF_STEPS,
    },
    UnitField {
        owner: "sections/*/MPRP/records/*",
        stored: "position",
        name: "position_units",
        unit: Unit::UNITS_OF_256THS,
    },
    UnitField {
        owner: "sections/*/RAHD/records/*",
        stored: "locations",
        name: "location_units",
        unit: Unit::UNITS_OF_256THS,
    },
    UnitField {
        owner: "sections/*/RAHD/records/*/extra",
        stored: "sphere_scale",
        name: "sphere_scale_units",
        unit: Unit::UNITS_OF_256THS,
    },
];

/// The stored number for 1 in the matrix of a static.
const ONE: f64 = 268_435_456.0;

/// The tolerance for the rows of a matrix to be orthogonal unit vectors.
const NEAR: f64 = 1e-3;

/// Returns pitch, heading and roll of a stored matrix; `None` if it is not a rotation.
fn angles_of(stored: &[f64]) -> Option<Vec<f64>> {
    let [a, b, c, d, e, f, g, h, i] = stored else { return None };
    angles([[a, b, c], [d, e, f], [g, h, i]].map(|row| row.map(|it| it / ONE))).map(Vec::from)
}

/// Returns the stored numbers of the matrix for pitch, heading and roll.
fn matrix_of(degrees: &[f64]) -> Option<Vec<i64>> {
    let [pitch, heading, roll] = degrees else { return None };
    Some(
        matrix([*pitch, *heading, *roll]).into_iter().flatten().map(|number| rounded(number * ONE)).collect(),
    )
}

/// Returns the matrix for pitch, heading and roll: the angles are negated and applied in the order heading, pitch, roll.
fn matrix(degrees: [f64; 3]) -> [[f64; 3]; 3] {
    let [(sb, cb), (sa, ca), (sg, cg)] = degrees.map(|degrees| (-degrees).to_radians().sin_cos());
    [
        [ca * cg + sa * sb * sg, sa * sb * cg - ca * sg, sa * cb],
        [cb * sg, cb * cg, -sb],
        [ca * sb * sg - sa * cg, sa * sg + ca * sb * cg, ca * cb],
    ]
}

/// Returns the pitch, heading and roll of a matrix in degrees; `None` if it is not a rotation.
fn angles(matrix: [[f64; 3]; 3]) -> Option<[f64; 3]> {
    let [x, y, z] = matrix.map(glam::DVec3::from);
    let is_rotation =
        [x, y, z].iter().all(|row| (row.length() - 1.0).abs() < NEAR) && x.cross(y).distance(z) < NEAR;
    if !is_rotation {
        return None;
    }
    let pitch = (-y.z).clamp(-1.0, 1.0).asin();
    // Facing straight up or down, heading and roll rotate around the same axis.
    let (heading, roll) = match y.x.hypot(y.y) > 1e-6 {
        true => (x.z.atan2(z.z), y.x.atan2(y.y)),
        false => ((-z.x).atan2(x.x), 0.0),
    };
    Some([pitch, heading, roll].map(|angle| -angle.to_degrees()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rotation::Orientation;

    #[test]
    fn degrees_rotate_statics_and_placements_alike() {
        for steps in [[0, 512, 0], [100, 700, -300], [512, 33, 0], [-256, 0, 1024], [0, 0, 5]] {
            let degrees = steps.map(|step: i32| f64::from(step) * 360.0 / 2048.0);
            let (found, expected) = (matrix(degrees), Orientation::of_actor(steps).0);
            for (found, expected) in found.into_iter().flatten().zip(expected.into_iter().flatten()) {
                assert!((found - f64::from(expected)).abs() < 1e-5, "{steps:?}: {found} is not {expected}");
            }
            let again = matrix(angles(found).unwrap());
            for (again, found) in again.into_iter().flatten().zip(found.into_iter().flatten()) {
                assert!((again - found).abs() < 1e-9, "{steps:?}");
            }
        }
        assert_eq!(angles([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), None);
        assert_eq!(angles([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), None, "mirrored");
    }
}
