//! Scenery of the island: a hut, palm trees, a rope bridge, a lantern and a boat.

use super::canvas::{Ramp, index};
use super::carpentry::{BANK, LEAF, LID, STAVES};
use crate::model::FaceTexture;
use crate::model::solid::{Solid, SolidCorner, SolidFace};

/// A position in world units: X right, Y down, Z forward.
type Position = [f64; 3];

const PLANKS: FaceTexture = FaceTexture::Image { bank: BANK, image: LID };
const TIMBER: FaceTexture = FaceTexture::Image { bank: BANK, image: STAVES };
const LEAVES: FaceTexture = FaceTexture::Image { bank: BANK, image: LEAF };

/// Length of the bridge from post to post, in world units; 20 units are one meter.
pub(super) const BRIDGE: f64 = 480.0;

/// Builds a model from faces.
struct Builder(Solid);

impl Builder {
    fn new() -> Self {
        Self(Solid { frames: vec![Vec::new()], faces: Vec::new() })
    }

    /// Adds a face with its corners in counter-clockwise order seen from the front, starting at the top left.
    fn face(&mut self, corners: &[Position], texture: FaceTexture) {
        let Some(vertices) = self.0.frames.first_mut() else { return };
        let first = u32::try_from(vertices.len()).unwrap_or_default();
        vertices.extend_from_slice(corners);
        let uvs = [[0, 0], [0, 64], [64, 64], [64, 0]];
        let corner = |(vertex, uv)| SolidCorner { vertex, uv, normal: [0.0; 3] };
        let corners = (first..).zip(uvs).take(corners.len()).map(corner).collect();
        self.0.faces.push(SolidFace { corners, texture });
    }

    /// Adds a face for each side of a sheet, with a small distance between them.
    fn sheet(&mut self, corners: [Position; 4], offset: Position, texture: FaceTexture) {
        let moved = |sign: f64| {
            corners.map(|position| {
                let mut pairs = position.into_iter().zip(offset).map(|(at, offset)| at + offset * sign);
                std::array::from_fn(|_| pairs.next().unwrap_or_default())
            })
        };
        self.face(&moved(1.0), texture);
        let [a, b, c, d] = moved(-1.0);
        self.face(&[d, c, b, a], texture);
    }

    /// Adds a box.
    fn block(&mut self, [a, b, c]: Position, [x, y, z]: Position, texture: FaceTexture) {
        let sides = [
            [[a, b, c], [a, y, c], [x, y, c], [x, b, c]],
            [[x, b, c], [x, y, c], [x, y, z], [x, b, z]],
            [[x, b, z], [x, y, z], [a, y, z], [a, b, z]],
            [[a, b, z], [a, y, z], [a, y, c], [a, b, c]],
            [[a, b, z], [a, b, c], [x, b, c], [x, b, z]],
            [[a, y, c], [a, y, z], [x, y, z], [x, y, c]],
        ];
        sides.iter().for_each(|side| self.face(side, texture));
    }
}

fn color(ramp: Ramp, shade: i64) -> FaceTexture {
    FaceTexture::Color(index(ramp, shade))
}

/// A hut of planks with a door in front and a thatched roof.
pub(super) fn hut() -> Solid {
    let mut out = Builder::new();
    let (x, y, z) = (80.0, -70.0, 60.0);
    out.block([-x, y, -z], [x, 8.0, z], PLANKS);
    // The door and a window, a little in front of the wall.
    let front = -z - 0.5;
    out.face(&[[-14.0, -46.0, front], [-14.0, 0.0, front], [14.0, 0.0, front], [14.0, -46.0, front]], TIMBER);
    out.face(
        &[[36.0, -48.0, front], [36.0, -28.0, front], [60.0, -28.0, front], [60.0, -48.0, front]],
        color(Ramp::Fire, 13),
    );
    let straw = color(Ramp::Sand, 10);
    let (eaves, ridge, out_x, out_z) = (y + 10.0, y - 44.0, x + 14.0, z + 20.0);
    out.face(
        &[[-out_x, ridge, 0.0], [-out_x, eaves, -out_z], [out_x, eaves, -out_z], [out_x, ridge, 0.0]],
        straw,
    );
    out.face(
        &[[out_x, ridge, 0.0], [out_x, eaves, out_z], [-out_x, eaves, out_z], [-out_x, ridge, 0.0]],
        straw,
    );
    // The underside of the roof, and the gables.
    let shade = color(Ramp::Sand, 5);
    out.face(
        &[
            [out_x, ridge + 2.0, 0.0],
            [out_x, eaves + 2.0, -out_z],
            [-out_x, eaves + 2.0, -out_z],
            [-out_x, ridge + 2.0, 0.0],
        ],
        shade,
    );
    out.face(
        &[
            [-out_x, ridge + 2.0, 0.0],
            [-out_x, eaves + 2.0, out_z],
            [out_x, eaves + 2.0, out_z],
            [out_x, ridge + 2.0, 0.0],
        ],
        shade,
    );
    out.face(&[[-x, ridge + 2.0, 0.0], [-x, y, z], [-x, y, -z]], PLANKS);
    out.face(&[[x, ridge + 2.0, 0.0], [x, y, -z], [x, y, z]], PLANKS);
    out.0
}

/// A palm tree: a leaning trunk with leaves around its top.
pub(super) fn palm() -> Solid {
    let mut out = Builder::new();
    let bark = color(Ramp::Wood, 8);
    // Four sides of five sections, which get thinner and farther to the right toward the top.
    let ring = |section: u32| {
        let up = f64::from(section) - 0.2;
        let (lean, half) = (up * up * 1.4, 5.0 - up * 0.6);
        let y = -24.0 * up;
        [[lean - half, y, -half], [lean + half, y, -half], [lean + half, y, half], [lean - half, y, half]]
    };
    for section in 0..5 {
        let (below, above) = (ring(section), ring(section + 1));
        for side in 0..4_usize {
            let next = (side + 1) % 4;
            let at = |ring: &[Position; 4], corner: usize| ring.get(corner).copied().unwrap_or_default();
            out.face(&[at(&above, side), at(&below, side), at(&below, next), at(&above, next)], bark);
        }
    }
    let (x, y) = (35.0, -120.0);
    for leaf in 0..8 {
        let angle = f64::from(leaf) * std::f64::consts::TAU / 8.0;
        let (sin, cos) = angle.sin_cos();
        // Along and across the leaf: first up, then down.
        let at = |along: f64, across: f64, up: f64| {
            [x + sin * along + cos * across, y - up, cos * along - sin * across]
        };
        let (inner, outer) = (at(0.0, -10.0, 2.0), at(0.0, 10.0, 2.0));
        out.sheet([at(34.0, -10.0, 12.0), inner, outer, at(34.0, 10.0, 12.0)], [0.0, 0.2, 0.0], LEAVES);
        let (inner, outer) = (at(34.0, -10.0, 12.0), at(34.0, 10.0, 12.0));
        out.sheet([at(66.0, -8.0, -16.0), inner, outer, at(66.0, 8.0, -16.0)], [0.0, 0.2, 0.0], LEAVES);
    }
    out.0
}

/// A bridge along Z: planks that sag between posts, with ropes on both sides.
pub(super) fn bridge() -> Solid {
    let mut out = Builder::new();
    let half = BRIDGE / 2.0;
    let sag = |z: f64| 30.0 * (1.0 - (z / half) * (z / half));
    for plank in 0..24 {
        let z = -half + 10.0 + f64::from(plank) * 20.0;
        let y = sag(z);
        out.block([-22.0, y, z - 8.0], [22.0, y + 3.0, z + 8.0], PLANKS);
    }
    let rope = color(Ramp::Sand, 7);
    for x in [-24.0, 24.0] {
        for section in 0..12 {
            let from = -half + f64::from(section) * 40.0;
            let (a, b) = (sag(from) - 34.0, sag(from + 40.0) - 34.0);
            out.sheet(
                [
                    [x, a - 1.0, from],
                    [x, a + 1.0, from],
                    [x, b + 1.0, from + 40.0],
                    [x, b - 1.0, from + 40.0],
                ],
                [0.6, 0.0, 0.0],
                rope,
            );
            // A vertical rope.
            let (top, bottom) = (a, sag(from));
            out.sheet(
                [
                    [x, top, from - 0.7],
                    [x, bottom, from - 0.7],
                    [x, bottom, from + 0.7],
                    [x, top, from + 0.7],
                ],
                [0.6, 0.0, 0.0],
                rope,
            );
        }
        for z in [-half, half] {
            out.block([x - 4.0, -44.0, z - 4.0], [x + 4.0, 90.0, z + 4.0], TIMBER);
        }
    }
    out.0
}

/// A lantern on a post.
pub(super) fn lantern() -> Solid {
    let mut out = Builder::new();
    out.block([-2.5, -60.0, -2.5], [2.5, 4.0, 2.5], TIMBER);
    out.block([-2.0, -60.0, -16.0], [2.0, -57.0, 0.0], TIMBER);
    let glass = color(Ramp::Fire, 15);
    out.block([-4.0, -54.0, -18.0], [4.0, -43.0, -10.0], glass);
    out.block([-5.0, -56.5, -19.0], [5.0, -54.0, -9.0], color(Ramp::Stone, 4));
    out.block([-5.0, -43.0, -19.0], [5.0, -41.0, -9.0], color(Ramp::Stone, 4));
    out.0
}

/// A link of a rope, which hangs from the origin down to the next link.
pub(super) fn rope() -> Solid {
    let mut out = Builder::new();
    out.block([-0.8, 0.0, -0.8], [0.8, 16.0, 0.8], color(Ramp::Sand, 8));
    out.0
}

/// A boat along Z with a mast and a sail.
pub(super) fn boat() -> Solid {
    let mut out = Builder::new();
    // Ribs from bow to stern: position along Z, half the width at the top, and height of the edge.
    let ribs = [(-90.0, 4.0, -34.0), (-50.0, 26.0, -24.0), (10.0, 32.0, -20.0), (60.0, 24.0, -26.0)];
    let hull = color(Ramp::Wood, 9);
    for pair in ribs.windows(2) {
        let [(z, width, y), (next_z, next_width, next_y)] = pair else { continue };
        for side in [-1.0, 1.0] {
            let (top, next_top) = ([side * width, *y, *z], [side * next_width, *next_y, *next_z]);
            let (keel, next_keel) =
                ([side * width * 0.4, 12.0, *z], [side * next_width * 0.4, 12.0, *next_z]);
            let outside =
                if side < 0.0 { [next_top, next_keel, keel, top] } else { [top, keel, next_keel, next_top] };
            out.face(&outside, TIMBER);
            let [a, b, c, d] = outside;
            let inward = |[x, y, z]: Position| [x * 0.92, y, z];
            out.face(&[inward(d), inward(c), inward(b), inward(a)], hull);
        }
        out.face(
            &[
                [-next_width * 0.6, -2.0, *next_z],
                [-width * 0.6, -2.0, *z],
                [width * 0.6, -2.0, *z],
                [next_width * 0.6, -2.0, *next_z],
            ],
            PLANKS,
        );
    }
    out.face(&[[24.0, -26.0, 60.0], [9.6, 12.0, 60.0], [-9.6, 12.0, 60.0], [-24.0, -26.0, 60.0]], TIMBER);
    out.block([-2.5, -150.0, -12.5], [2.5, 0.0, -7.5], TIMBER);
    let sail = color(Ramp::Stone, 14);
    out.sheet(
        [[-44.0, -146.0, -14.0], [-52.0, -48.0, -34.0], [52.0, -48.0, -34.0], [44.0, -146.0, -14.0]],
        [0.0, 0.0, -0.4],
        sail,
    );
    out.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn box_faces_point_outward() {
        let mut out = Builder::new();
        out.block([-1.0; 3], [1.0; 3], PLANKS);
        for face in &out.0.faces {
            let position = |corner: &SolidCorner| glam::DVec3::from(out.0.frames[0][corner.vertex as usize]);
            let [a, b, c] = [0, 1, 2].map(|corner| position(&face.corners[corner]));
            assert!((b - a).cross(c - a).dot(a + c) > 0.0, "{face:?}");
        }
    }
}
