//! Decomposition of 3x3 matrices: into a rotation and a scale if possible, otherwise by singular value decomposition.
//!
//! Computed in double precision; the results are written as single-precision floats.

use glam::{Affine3A, DMat3, DQuat, DVec3};

/// Axes count as perpendicular if the cosine between them is below this value, the noise of single-precision floats.
const PERPENDICULAR: f64 = 1e-5;

/// Maximum number of iterations: the method converges quadratically, and a 3x3 matrix needs about five.
const MAX_ROUNDS: usize = 32;

/// Returns the matrix without its translation.
pub(super) fn columns(matrix: Affine3A) -> DMat3 {
    glam::Mat3::from(matrix.matrix3).as_dmat3()
}

/// Returns the rotation and scale whose product (rotation · scale) is the matrix; `None` for a sheared matrix.
pub(super) fn rotation_and_scale(matrix: DMat3) -> Option<(DQuat, DVec3)> {
    let lengths = lengths(matrix);
    let perpendicular = |a: DVec3, b: DVec3, lengths: f64| a.dot(b).abs() <= PERPENDICULAR * lengths;
    let straight = perpendicular(matrix.x_axis, matrix.y_axis, lengths.x * lengths.y)
        && perpendicular(matrix.y_axis, matrix.z_axis, lengths.y * lengths.z)
        && perpendicular(matrix.z_axis, matrix.x_axis, lengths.z * lengths.x);
    straight.then(|| to_rotation_and_scale(matrix, lengths))
}

/// Returns `(U, S, Vᵀ)` with `matrix = U · S · Vᵀ`: two rotations and the scale factors between them. One factor may
/// be negative.
///
/// Uses the one-sided Jacobi method: pairs of columns are rotated until they are perpendicular.
pub(super) fn decompose(matrix: DMat3) -> (DQuat, DVec3, DQuat) {
    let (mut scaled, mut right) = (matrix, DMat3::IDENTITY);
    for _ in 0..MAX_ROUNDS {
        let mut converged = true;
        for pair in [Pair::Xy, Pair::Yz, Pair::Zx] {
            if let Some(turn) = pair.turn(scaled) {
                scaled *= turn;
                right *= turn;
                converged = false;
            }
        }
        if converged {
            break;
        }
    }
    let (left, values) = to_rotation_and_scale(scaled, lengths(scaled));
    (left, values, DQuat::from_mat3(&right.transpose()).normalize())
}

/// A pair of columns.
#[derive(Clone, Copy)]
enum Pair {
    Xy,
    Yz,
    Zx,
}

impl Pair {
    /// Returns the rotation of the two columns into each other that makes them perpendicular; `None` if they already
    /// are.
    fn turn(self, matrix: DMat3) -> Option<DMat3> {
        let (a, b) = match self {
            Self::Xy => (matrix.x_axis, matrix.y_axis),
            Self::Yz => (matrix.y_axis, matrix.z_axis),
            Self::Zx => (matrix.z_axis, matrix.x_axis),
        };
        let (aa, bb, ab) = (a.length_squared(), b.length_squared(), a.dot(b));
        // The condition is also false for NaN.
        if ab.abs() > 1e-14 * (aa * bb).sqrt() && ab.is_finite() {
            // The smaller of two possible angles; the larger one would swap the columns forever.
            let difference = aa - bb;
            let angle = 0.5 * (2.0 * ab * difference.signum()).atan2(difference.abs());
            Some(match self {
                Self::Xy => DMat3::from_rotation_z(angle),
                Self::Yz => DMat3::from_rotation_x(angle),
                Self::Zx => DMat3::from_rotation_y(angle),
            })
        } else {
            None
        }
    }
}

fn lengths(matrix: DMat3) -> DVec3 {
    DVec3::new(matrix.x_axis.length(), matrix.y_axis.length(), matrix.z_axis.length())
}

/// Converts perpendicular columns to a rotation and scale factors. A column of length zero gets the remaining
/// direction; for a mirroring matrix, the factor whose negation changes the rotation least is negative.
fn to_rotation_and_scale(matrix: DMat3, lengths: DVec3) -> (DQuat, DVec3) {
    let mut axes = directions(matrix);
    let mut scale = lengths;
    if axes.determinant() < 0.0 {
        let (x, y, z) = (axes.x_axis.x, axes.y_axis.y, axes.z_axis.z);
        if z <= x && z <= y {
            (axes.z_axis, scale.z) = (-axes.z_axis, -scale.z);
        } else if y <= x {
            (axes.y_axis, scale.y) = (-axes.y_axis, -scale.y);
        } else {
            (axes.x_axis, scale.x) = (-axes.x_axis, -scale.x);
        }
    }
    (DQuat::from_mat3(&axes).normalize(), scale)
}

/// Normalizes the columns. A column that is negligible compared with the others has no direction and is replaced.
fn directions(matrix: DMat3) -> DMat3 {
    let least = lengths(matrix).max_element() * 1e-12;
    let unit = |v: DVec3| if v.length() > least { v.try_normalize() } else { None };
    match (unit(matrix.x_axis), unit(matrix.y_axis), unit(matrix.z_axis)) {
        (Some(x), Some(y), Some(z)) => DMat3::from_cols(x, y, z),
        (Some(x), Some(y), None) => DMat3::from_cols(x, y, x.cross(y)),
        (Some(x), None, Some(z)) => DMat3::from_cols(x, z.cross(x), z),
        (None, Some(y), Some(z)) => DMat3::from_cols(y.cross(z), y, z),
        (Some(x), None, None) => {
            let y = x.any_orthonormal_vector();
            DMat3::from_cols(x, y, x.cross(y))
        }
        (None, Some(y), None) => {
            let z = y.any_orthonormal_vector();
            DMat3::from_cols(y.cross(z), y, z)
        }
        (None, None, Some(z)) => {
            let x = z.any_orthonormal_vector();
            DMat3::from_cols(x, z.cross(x), z)
        }
        (None, None, None) => DMat3::IDENTITY,
    }
}
