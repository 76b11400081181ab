//! Conversion between the axes of the game and the axes of glTF, for all versions of models.
//!
//! Posed models before 2.2 have Y down. They are rotated by 180 degrees around X: `(x, -y, -z)`. Nothing is mirrored, and the winding
//! order is kept. Models of 2.2 and later have Y up and are mirrored: `(x, y, -z)`, and the winding order is reversed. Both were
//! measured: with these conversions, closed meshes of real models face outward, and the letters on their textures are readable.
//!
//! Both conversions are their own inverse and only change signs, so linear maps are conjugated with them, and scale factors along the axes
//! are unchanged. Texture coordinates are also unchanged, because v points down in both. The length of a unit is unknown and assumed to
//! be a meter.

use glam::{DMat3, DQuat, DVec2, DVec3};

use crate::affine::Affine;

/// The coordinate spaces of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// Y down, right-handed: posed models before 2.2.
    YDown,
    /// Y up, left-handed: models of 2.2 and later.
    YUp,
}

/// The conversion from a model space to glTF.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axes {
    signs: DVec3,
    /// Whether the conversion reverses the winding order.
    mirrors: bool,
    /// Meters per unit.
    scale: f64,
}

impl Axes {
    /// Creates the conversion of a space. `scale` is the length of a unit in meters.
    #[must_use]
    pub fn of(space: Space, scale: f64) -> Self {
        match space {
            Space::YDown => Self { signs: DVec3::new(1.0, -1.0, -1.0), mirrors: false, scale },
            Space::YUp => Self { signs: DVec3::new(1.0, 1.0, -1.0), mirrors: true, scale },
        }
    }

    /// Converts a position. The result is in meters.
    #[must_use]
    pub fn position(&self, position: DVec3) -> DVec3 {
        self.signs * position * self.scale
    }

    /// Converts a position in meters back to the game. For rotations, directions, linear maps and triangles, the conversion is its own
    /// inverse.
    #[must_use]
    pub fn game_position(&self, position: DVec3) -> DVec3 {
        self.signs * position / self.scale
    }

    /// Converts a direction. Its length is unchanged.
    #[must_use]
    pub fn direction(&self, direction: DVec3) -> DVec3 {
        self.signs * direction
    }

    /// Converts a rotation.
    #[must_use]
    pub fn rotation(&self, rotation: DQuat) -> DQuat {
        // Mirroring reverses the axis of a rotation.
        let axis = if self.mirrors { -self.signs } else { self.signs };
        let DVec3 { x, y, z } = axis * rotation.xyz();
        DQuat::from_xyzw(x, y, z, rotation.w)
    }

    /// Converts a linear map.
    #[must_use]
    pub fn linear(&self, linear: DMat3) -> DMat3 {
        let signs = DMat3::from_diagonal(self.signs);
        signs * linear * signs
    }

    /// Converts an affine map of positions.
    #[must_use]
    pub fn affine(&self, affine: &Affine) -> Affine {
        Affine { linear: self.linear(affine.linear), translation: self.position(affine.translation) }
    }

    /// Reorders the corners of a triangle so that its front stays on the same side as in the game.
    #[must_use]
    pub fn winding<T>(&self, [a, b, c]: [T; 3]) -> [T; 3] {
        if self.mirrors { [a, c, b] } else { [a, b, c] }
    }
}

/// Converts a rotation of texture coordinates from +u toward +v to `KHR_texture_transform`, which rotates in the opposite direction.
#[must_use]
pub fn uv_rotation(radians: f64) -> f64 {
    -radians
}

/// Applies the scale, then the rotation of a `KHR_texture_transform` to texture coordinates, without its offset.
#[must_use]
pub fn uv_transformed(scale: DVec2, rotation: f64, uv: DVec2) -> DVec2 {
    let (sine, cosine) = rotation.sin_cos();
    let DVec2 { x, y } = scale * uv;
    DVec2::new(cosine * x + sine * y, cosine * y - sine * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINT: DVec3 = DVec3::new(1.0, 2.0, 3.0);

    #[test]
    fn old_models_are_rotated_and_new_models_are_mirrored() {
        let (old, new) = (Axes::of(Space::YDown, 1.0), Axes::of(Space::YUp, 2.0));
        assert_eq!(old.position(POINT), DVec3::new(1.0, -2.0, -3.0));
        assert_eq!(new.position(POINT), DVec3::new(2.0, 4.0, -6.0));
        assert_eq!(new.game_position(new.position(POINT)), POINT);
        assert_eq!((old.winding([0, 1, 2]), new.winding([0, 1, 2])), ([0, 1, 2], [0, 2, 1]));
    }

    #[test]
    fn rotations_and_linear_maps_commute_with_the_conversion() {
        let rotation = DQuat::from_axis_angle(DVec3::new(0.36, 0.48, 0.8), 1.1);
        for axes in [Axes::of(Space::YDown, 1.0), Axes::of(Space::YUp, 1.0)] {
            let after = axes.position(rotation * POINT);
            assert!((axes.rotation(rotation) * axes.position(POINT)).abs_diff_eq(after, 1e-12));
            let linear = DMat3::from_quat(rotation) * DMat3::from_diagonal(DVec3::new(2.0, 3.0, 4.0));
            let after = axes.position(linear * POINT);
            assert!((axes.linear(linear) * axes.position(POINT)).abs_diff_eq(after, 1e-12));
        }
    }

    #[test]
    fn triangles_keep_their_front_side() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::new(0.2, 1.0, 0.3)];
        let normal = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
        for axes in [Axes::of(Space::YDown, 1.0), Axes::of(Space::YUp, 1.0)] {
            let converted = axes.winding(corners).map(|corner| axes.position(corner));
            assert_eq!(normal(converted), axes.direction(normal(corners)));
        }
    }
}
