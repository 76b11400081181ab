//! Billboards (images that face the camera), and the rectangle on which they are drawn.

use scene::Primitive;

use crate::engine::flat::FlatLook;
use crate::map::Map;

/// A billboard with the drawing parameters of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Billboard {
    pub(super) bank: u16,
    pub(super) image: u16,
    pub(super) look: FlatLook,
}

impl Billboard {
    pub(super) fn of(map: &Map, bank: u16, image: u16) -> Self {
        Self { bank, image, look: FlatLook::of(map, bank, image) }
    }
}

/// Creates a rectangle centered on the origin that faces -Z, toward the game's camera. The first argument is the distance from the center
/// to the edges in meters, the second the texture coordinates of the left, upper, right and lower edge.
pub(super) fn rectangle([x, y]: [f32; 2], [left, top, right, bottom]: [f32; 4]) -> Primitive {
    // Seen from -Z, +X is to the left.
    let corner = |right: f32, up: f32| [-x * right, y * up, 0.0];
    Primitive {
        positions: vec![corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0)],
        normals: Some(vec![[0.0, 0.0, -1.0]; 4]),
        uvs: vec![vec![[left, top], [left, bottom], [right, bottom], [right, top]]],
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Primitive::default()
    }
}

/// The texture coordinates of the edges of a full image.
pub(super) const FULL_IMAGE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_faces_the_camera_of_the_game() {
        let it = rectangle([1.0, 2.0], FULL_IMAGE);
        let [a, b, c] = [0, 1, 2].map(|corner| glam::Vec3::from(it.positions[it.indices[corner] as usize]));
        assert!((b - a).cross(c - a).z < 0.0);
        // The first texel is at the top left for a viewer looking along +Z.
        assert_eq!(it.positions[0], [1.0, 2.0, 0.0]);
        assert_eq!(it.uvs[0][0], [0.0, 0.0]);
        let turned = rectangle([1.0, 2.0], [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(turned.uvs[0][0], [1.0, 0.0]);
    }
}
