//! The component order of normals.
//!
//! Ultimate Edition Reborn reads the second component of a normal as z and the third as y; the Blender add-on for such rooms
//! writes x, y, z. The file does not store the order, but the triangles reveal it: normals are perpendicular to them.

use glam::Vec3;

use crate::rmesh::layout::Surface;

/// The order of the three components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rmesh) enum NormalOrder {
    /// x, z, y.
    Xzy,
    /// x, y, z.
    Xyz,
}

impl NormalOrder {
    /// The text in extras and messages.
    pub(in crate::rmesh) const fn text(self) -> &'static str {
        match self {
            Self::Xzy => "x, z, y",
            Self::Xyz => "x, y, z",
        }
    }

    /// The order in which the normals fit the triangles better; the game's order if both fit equally.
    pub(super) fn of(surfaces: &[Surface], normals: &[Vec<[f32; 3]>]) -> Self {
        let (mut xzy, mut xyz) = (0.0, 0.0);
        for (surface, normals) in surfaces.iter().zip(normals) {
            for triangle in &surface.triangles {
                let Some(face_normal) = face_normal(surface, *triangle) else { continue };
                for normal in triangle.iter().filter_map(|corner| normals.get(usize::try_from(*corner).ok()?))
                {
                    xzy += alignment(Self::Xzy.apply(*normal), face_normal);
                    xyz += alignment(Self::Xyz.apply(*normal), face_normal);
                }
            }
        }
        if xyz > xzy { Self::Xyz } else { Self::Xzy }
    }

    /// Converts a stored normal to the game's axes, or the reverse.
    pub(super) fn apply(self, [first, second, third]: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Xzy => [first, third, second],
            Self::Xyz => [first, second, third],
        }
    }
}

/// The normal of a triangle.
fn face_normal(surface: &Surface, triangle: [u32; 3]) -> Option<Vec3> {
    face_cross(surface, triangle)?.try_normalize()
}

/// The normal of a triangle, with twice its area as length.
pub(super) fn face_cross(surface: &Surface, triangle: [u32; 3]) -> Option<Vec3> {
    let corner =
        |index: u32| surface.vertices.get(usize::try_from(index).ok()?).map(|vertex| vertex.position);
    let [a, b, c] = triangle.map(corner);
    let (a, b, c) = (Vec3::from(a?), Vec3::from(b?), Vec3::from(c?));
    Some((b - a).cross(c - a))
}

/// 1 if a normal is parallel to a direction, with either sign, and 0 if it is perpendicular.
fn alignment(normal: [f32; 3], face_normal: Vec3) -> f64 {
    let along = Vec3::from(normal).try_normalize().map_or(0.0, |normal| normal.dot(face_normal).abs());
    f64::from(along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rmesh::layout::{TextureSlot, Vertex};

    fn floor() -> Surface {
        let at = |x, z| Vertex { position: [x, 0.0, z], ..Vertex::default() };
        Surface {
            lightmap: TextureSlot::NONE,
            texture: TextureSlot::NONE,
            vertices: vec![at(0.0, 0.0), at(0.0, 9.0), at(9.0, 0.0)],
            triangles: vec![[0, 1, 2]],
        }
    }

    #[test]
    fn a_floor_determines_the_component_order() {
        let order_of = |normal: [f32; 3]| NormalOrder::of(&[floor()], &[vec![normal; 3]]);
        assert_eq!(order_of([0.0, 1.0, 0.0]), NormalOrder::Xyz);
        assert_eq!(order_of([0.0, -1.0, 0.0]), NormalOrder::Xyz);
        assert_eq!(order_of([0.0, 0.0, 1.0]), NormalOrder::Xzy);
    }

    #[test]
    fn the_order_of_the_game_is_the_default() {
        for normal in [[0.0; 3], [f32::NAN; 3], [1.0, 0.0, 0.0], [0.0, 0.7, 0.7]] {
            assert_eq!(NormalOrder::of(&[floor()], &[vec![normal; 3]]), NormalOrder::Xzy, "{normal:?}");
        }
        let mut without_corners = floor();
        without_corners.triangles = vec![[7, 8, u32::MAX]];
        assert_eq!(NormalOrder::of(&[without_corners], &[vec![[0.0, 1.0, 0.0]; 3]]), NormalOrder::Xzy);
    }
}
