//! Vectors and maps in single precision, as used in scenes.

use ::scene::Node;
use ::scene::node::{Nested, from_affine};
use glam::{Affine3A, DMat3, DVec3, Mat3, Vec3};

use crate::affine::Affine;

/// Converts a vector to single precision, if the result is finite.
pub(super) fn finite(vector: DVec3) -> Option<Vec3> {
    let vector = vector.as_vec3();
    vector.is_finite().then_some(vector)
}

/// Converts a map to single precision, if the result is finite.
fn finite_affine(affine: &Affine) -> Option<Affine3A> {
    let DMat3 { x_axis, y_axis, z_axis } = affine.linear;
    let linear = Mat3::from_cols(finite(x_axis)?, finite(y_axis)?, finite(z_axis)?);
    Some(Affine3A::from_mat3_translation(linear, finite(affine.translation)?))
}

/// Converts a map to nodes, if all numbers are finite. The length of an axis may overflow even if its components do not.
pub(super) fn finite_nodes(name: &str, affine: &Affine) -> Option<Nested> {
    let nested = from_affine(name, finite_affine(affine)?);
    let is_valid = |node: &Node| node.rotation.is_finite() && node.scale.is_finite();
    std::iter::once(&nested.outer).chain(&nested.inner).all(is_valid).then_some(nested)
}
