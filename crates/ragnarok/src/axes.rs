//! Conversion between the axes of the game and those of glTF, for all versions of models.
//!
//! Posed models before 2.2 have Y down. Rotating them by 180 degrees around X fixes that: `(x, -y, -z)`, nothing is mirrored, and
//! the winding order is kept. Models of 2.2 and later have Y up, and are mirrored: `(x, y, -z)`, and the winding order is reversed.
//! This was measured: read like that, closed meshes of real models face outward, and the letters on their textures are readable.
//!
//! Both are their own inverse and only change signs, so linear maps are conjugated with them, and scale factors along the axes
//! are unchanged. So are texture coordinates: v points down in both. A unit of the game is assumed to be a meter; its length is unknown.

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

/// The conversion of a model space to glTF's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axes {
    signs: DVec3,
    /// Whether the winding order is reversed.
    mirrors: bool,
    /// Meters per unit.
    scale: f64,
}

impl Axes {
    /// The axes of a space, with this many meters per unit.
    #[must_use]
    pub fn of(space: Space, scale: f64) -> Self {
        match space {
            Space::YDown => Self { signs: DVec3::new(1.0, -1.0, -1.0), mirrors: false, scale },
            Space::YUp => Self { signs: DVec3::new(1.0, 1.0, -1.0), mirrors: true, scale },
        }
    }

    /// A place, in meters.
    #[must_use]
    pub fn position(&self, position: DVec3) -> DVec3 {
        self.signs * position * self.scale
    }

    /// The game's place of one in meters. Turns, directions, linear maps and triangles come back by the same way they went.
    #[must_use]
    pub fn game_position(&self, position: DVec3) -> DVec3 {
        self.signs * position / self.scale
    }

    /// A direction, as long as it was.
    #[must_use]
    pub fn direction(&self, direction: DVec3) -> DVec3 {
        self.signs * direction
    }

    /// A turn.
    #[must_use]
    pub fn rotation(&self, rotation: DQuat) -> DQuat {
        // Mirroring reverses the axis of a rotation.
        let axis = if self.mirrors { -self.signs } else { self.signs };
        let DVec3 { x, y, z } = axis * rotation.xyz();
        DQuat::from_xyzw(x, y, z, rotation.w)
    }

    /// A linear map.
    #[must_use]
    pub fn linear(&self, linear: DMat3) -> DMat3 {
        let signs = DMat3::from_diagonal(self.signs);
        signs * linear * signs
    }

    /// A map of places.
    #[must_use]
    pub fn affine(&self, affine: &Affine) -> Affine {
        Affine { linear: self.linear(affine.linear), translation: self.position(affine.translation) }
    }

    /// A triangle whose front is seen from the same side as in the game.
    #[must_use]
    pub fn winding<T>(&self, [a, b, c]: [T; 3]) -> [T; 3] {
        if self.mirrors { [a, c, b] } else { [a, b, c] }
    }
}

/// A turn of texture coordinates, from +u towards +v, as `KHR_texture_transform` has it: the other way round.
#[must_use]
pub fn uv_rotation(radians: f64) -> f64 {
    -radians
}

/// Where `KHR_texture_transform` takes texture coordinates that it first multiplies, then turns; without its offset.
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
    fn down_becomes_up_by_half_a_turn_before_2_2_and_a_mirror_is_undone_since() {
        let (old, new) = (Axes::of(Space::YDown, 1.0), Axes::of(Space::YUp, 2.0));
        assert_eq!(old.position(POINT), DVec3::new(1.0, -2.0, -3.0));
        assert_eq!(new.position(POINT), DVec3::new(2.0, 4.0, -6.0));
        assert_eq!(new.game_position(new.position(POINT)), POINT);
        assert_eq!((old.winding([0, 1, 2]), new.winding([0, 1, 2])), ([0, 1, 2], [0, 2, 1]));
    }

    #[test]
    fn what_is_turned_before_or_after_stands_in_the_same_place() {
        let turn = DQuat::from_axis_angle(DVec3::new(0.36, 0.48, 0.8), 1.1);
        for axes in [Axes::of(Space::YDown, 1.0), Axes::of(Space::YUp, 1.0)] {
            let after = axes.position(turn * POINT);
            assert!((axes.rotation(turn) * axes.position(POINT)).abs_diff_eq(after, 1e-12));
            let linear = DMat3::from_quat(turn) * DMat3::from_diagonal(DVec3::new(2.0, 3.0, 4.0));
            let after = axes.position(linear * POINT);
            assert!((axes.linear(linear) * axes.position(POINT)).abs_diff_eq(after, 1e-12));
        }
    }

    #[test]
    fn the_front_of_a_triangle_stays_the_front() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::new(0.2, 1.0, 0.3)];
        let normal = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
        for axes in [Axes::of(Space::YDown, 1.0), Axes::of(Space::YUp, 1.0)] {
            let turned = axes.winding(corners).map(|corner| axes.position(corner));
            assert_eq!(normal(turned), axes.direction(normal(corners)));
        }
    }
}
