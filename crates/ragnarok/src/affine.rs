//! Affine maps: rotation, scale, shear and translation.

use glam::{DMat3, DVec3};

/// An affine map: `linear · point + translation`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine {
    /// Rotation, scale and shear.
    pub linear: DMat3,
    /// Translation, applied after the linear part.
    pub translation: DVec3,
}

impl Affine {
    /// The identity map.
    pub const IDENTITY: Self = Self { linear: DMat3::IDENTITY, translation: DVec3::ZERO };

    /// Transforms a point.
    #[must_use]
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.linear * point + self.translation
    }

    /// Composes two maps: applies `first`, then `self`.
    #[must_use]
    pub fn after(&self, first: &Self) -> Self {
        Self { linear: self.linear * first.linear, translation: self.point(first.translation) }
    }
}
