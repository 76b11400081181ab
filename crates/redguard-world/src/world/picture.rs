//! What a picture that faces the camera shows, and the rectangle that it is shown on.

use scene::Primitive;

use crate::engine::flat::FlatLook;
use crate::map::Map;

/// A picture that faces the camera, as the game draws it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Picture {
    pub(super) bank: u16,
    pub(super) image: u16,
    pub(super) look: FlatLook,
}

impl Picture {
    pub(super) fn of(map: &Map, bank: u16, image: u16) -> Self {
        Self { bank, image, look: FlatLook::of(map, bank, image) }
    }
}

/// A rectangle around the origin that faces -Z, which is where the camera of the game is. `half` is from the middle to its edges, in meters; the
/// texture coordinates are those of its left, upper, right and lower edge.
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

/// The edges of a whole image.
pub(super) const WHOLE: [f32; 4] = [0.0, 0.0, 1.0, 1.0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_faces_the_camera_of_the_game() {
        let it = rectangle([1.0, 2.0], WHOLE);
        let [a, b, c] = [0, 1, 2].map(|corner| glam::Vec3::from(it.positions[it.indices[corner] as usize]));
        assert!((b - a).cross(c - a).z < 0.0);
        // The first texel stands at the top, to the left of who looks along +Z.
        assert_eq!(it.positions[0], [1.0, 2.0, 0.0]);
        assert_eq!(it.uvs[0][0], [0.0, 0.0]);
        let turned = rectangle([1.0, 2.0], [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(turned.uvs[0][0], [1.0, 0.0]);
    }
}
