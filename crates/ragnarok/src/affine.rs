//! Maps that turn, scale, shear and move points.

use glam::{DMat3, DVec3};

/// An affine map: `linear · point + translation`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine {
    /// The part that turns, scales and shears.
    pub linear: DMat3,
    /// The part that moves.
    pub translation: DVec3,
}

impl Affine {
    /// The map that changes nothing.
    pub const IDENTITY: Self = Self { linear: DMat3::IDENTITY, translation: DVec3::ZERO };

    /// Transforms a point.
    #[must_use]
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.linear * point + self.translation
    }

    /// First the other, then this.
    #[must_use]
    pub fn after(&self, first: &Self) -> Self {
        Self { linear: self.linear * first.linear, translation: self.point(first.translation) }
    }
}
