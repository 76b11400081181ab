//! The place of a node in the space of its parent.

use glam::{DAffine3, Quat, Vec3};
use scene::Node;
use scene::node::from_affine;

use crate::import::curve::unit;

/// Where a node stands in its parent's space, in the scene's axes and units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) translation: Vec3,
    pub(super) rotation: Quat,
    pub(super) scale: Vec3,
}

impl Place {
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

    /// The closest to a matrix: one that is sheared has no place.
    pub(super) fn nearest(matrix: DAffine3) -> Self {
        let nested = from_affine("", matrix.as_affine3a());
        let inner = nested.inner.map_or(Quat::IDENTITY, |inner| inner.rotation);
        let place = Self::of(&nested.outer);
        Self { rotation: unit(place.rotation * inner), ..place }
    }
}
