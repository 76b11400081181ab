//! Vectors and maps in single precision, as scenes have them.

use ::scene::Node;
use ::scene::node::{Nested, from_affine};
use glam::{Affine3A, DMat3, DVec3, Mat3, Vec3};

use crate::affine::Affine;

/// A vector in single precision, if that is finite.
pub(super) fn finite(vector: DVec3) -> Option<Vec3> {
    let vector = vector.as_vec3();
    vector.is_finite().then_some(vector)
}

/// A map in single precision, if that is finite.
fn finite_affine(affine: &Affine) -> Option<Affine3A> {
    let DMat3 { x_axis, y_axis, z_axis } = affine.linear;
    let linear = Mat3::from_cols(finite(x_axis)?, finite(y_axis)?, finite(z_axis)?);
    Some(Affine3A::from_mat3_translation(linear, finite(affine.translation)?))
}

/// The nodes of a map, if all their numbers are finite: lengths of axes may be too great where the axes' own numbers are not.
pub(super) fn finite_nodes(name: &str, affine: &Affine) -> Option<Nested> {
    let nested = from_affine(name, finite_affine(affine)?);
    let is_sound = |node: &Node| node.rotation.is_finite() && node.scale.is_finite();
    std::iter::once(&nested.outer).chain(&nested.inner).all(is_sound).then_some(nested)
}
