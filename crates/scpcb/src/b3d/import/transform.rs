//! Transforms of nodes.

use glam::{DAffine3, Quat, Vec3};
use scene::Node;
use scene::node::from_affine;

use crate::import::curve::unit;

/// Transform of a node to its parent's space, in the scene's axes and units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Transform {
    pub(super) translation: Vec3,
    pub(super) rotation: Quat,
    pub(super) scale: Vec3,
}

impl Transform {
    pub(super) fn of(node: &Node) -> Self {
        Self { translation: node.translation, rotation: unit(node.rotation), scale: node.scale }
    }

    pub(super) fn matrix(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(
            self.scale.as_dvec3(),
            self.rotation.as_dquat().normalize(),
            self.translation.as_dvec3(),
        )
    }

    /// Returns the closest transform to a matrix. A sheared matrix has no exact one.
    pub(super) fn nearest(matrix: DAffine3) -> Self {
        let nested = from_affine("", matrix.as_affine3a());
        let inner = nested.inner.map_or(Quat::IDENTITY, |inner| inner.rotation);
        let transform = Self::of(&nested.outer);
        Self { rotation: unit(transform.rotation * inner), ..transform }
    }
}
