//! Which of the three numbers of a normal is which.
//!
//! Ultimate Edition Reborn takes the second number of a normal as z and the third as y; the Blender add-on that writes such rooms
//! gives them as x, y, z. The file does not say who wrote it, but its triangles do: a normal stands upright on them.

use glam::Vec3;

use crate::rmesh::layout::Surface;

/// How the three numbers are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// x, z, y.
    Swapped,
    /// x, y, z.
    AsWritten,
}

impl Reading {
    /// The reading under which the normals fit the triangles better; the game's own where that cannot be told.
    pub(super) fn of(surfaces: &[Surface], normals: &[Vec<[f32; 3]>]) -> Self {
        let (mut swapped, mut as_written) = (0.0, 0.0);
        for (surface, normals) in surfaces.iter().zip(normals) {
            for triangle in &surface.triangles {
                let Some(upright) = upright(surface, *triangle) else { continue };
                for normal in triangle.iter().filter_map(|corner| normals.get(usize::try_from(*corner).ok()?))
                {
                    swapped += fit(Self::Swapped.apply(*normal), upright);
                    as_written += fit(Self::AsWritten.apply(*normal), upright);
                }
            }
        }
        if as_written > swapped { Self::AsWritten } else { Self::Swapped }
    }

    /// The normal on the game's axes.
    pub(super) fn apply(self, [first, second, third]: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Swapped => [first, third, second],
            Self::AsWritten => [first, second, third],
        }
    }
}

/// The direction that stands upright on a triangle.
fn upright(surface: &Surface, triangle: [u32; 3]) -> Option<Vec3> {
    let corner =
        |index: u32| surface.vertices.get(usize::try_from(index).ok()?).map(|vertex| vertex.position);
    let [a, b, c] = triangle.map(corner);
    let (a, b, c) = (Vec3::from(a?), Vec3::from(b?), Vec3::from(c?));
    (b - a).cross(c - a).try_normalize()
}

/// 1 where a normal lies along a direction, whichever way round, 0 across it.
fn fit(normal: [f32; 3], upright: Vec3) -> f64 {
    let along = Vec3::from(normal).try_normalize().map_or(0.0, |normal| normal.dot(upright).abs());
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
    fn a_floor_tells_which_number_is_y() {
        let up = |normal: [f32; 3]| Reading::of(&[floor()], &[vec![normal; 3]]);
        assert_eq!(up([0.0, 1.0, 0.0]), Reading::AsWritten);
        assert_eq!(up([0.0, -1.0, 0.0]), Reading::AsWritten);
        assert_eq!(up([0.0, 0.0, 1.0]), Reading::Swapped);
    }

    #[test]
    fn the_game_is_followed_where_nothing_can_be_told() {
        for normal in [[0.0; 3], [f32::NAN; 3], [1.0, 0.0, 0.0], [0.0, 0.7, 0.7]] {
            assert_eq!(Reading::of(&[floor()], &[vec![normal; 3]]), Reading::Swapped, "{normal:?}");
        }
        let mut without_corners = floor();
        without_corners.triangles = vec![[7, 8, u32::MAX]];
        assert_eq!(Reading::of(&[without_corners], &[vec![[0.0, 1.0, 0.0]; 3]]), Reading::Swapped);
    }
}
