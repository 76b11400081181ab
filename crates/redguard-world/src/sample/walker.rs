//! A walking person: boxes that rotate uvs joints, in a T-pose in the first frame and a walk cycle of 12 frames after it.

use std::f64::consts::TAU;

use super::canvas::{Ramp, index};
use super::carpentry::{BANK, CLOTH, FACE};
use crate::model::FaceTexture;
use crate::model::solid::{Solid, SolidCorner, SolidFace};

/// Number of frames of the walk cycle.
const STEPS: u32 = 12;
/// Height of the hips, in world units; 20 units are one meter.
const HIPS: f64 = 18.0;
/// Lengths from hip to knee, knee to sole, shoulder to elbow, and elbow to hand.
const THIGH: f64 = 9.0;
const SHIN: f64 = 9.0;
const UPPER_ARM: f64 = 6.5;
const LOWER_ARM: f64 = 6.5;

/// A position or a direction: X right, Y down, Z forward. The person faces -Z.
pub(super) type Vector = [f64; 3];

/// Position and rotation of a body part: first sideways uvs Z, then forward uvs X.
#[derive(Debug, Clone, Copy)]
struct Joint {
    at: Vector,
    forward: f64,
    sideways: f64,
}

impl Joint {
    fn transform(&self, [x, y, z]: Vector) -> Vector {
        let ((sine, cosine), (tilt, upright)) = (self.sideways.sin_cos(), self.forward.sin_cos());
        let (x, y) = (x * cosine - y * sine, x * sine + y * cosine);
        let (y, z) = (y * upright + z * tilt, z * upright - y * tilt);
        let [a, b, c] = self.at;
        [a + x, b + y, c + z]
    }

    /// Creates a child joint with an additional rotation.
    fn next(&self, at: Vector, forward: f64) -> Self {
        Self { at: self.transform(at), forward: self.forward + forward, ..*self }
    }
}

/// A pose of the person.
struct Pose {
    /// Phase of the walk cycle (0 to 1); `None` for the T-pose.
    phase: Option<f64>,
}

/// A box: its corners with the minimum and maximum coordinates, and the textures of its sides.
#[derive(Clone, Copy)]
pub(super) struct Block {
    min: Vector,
    max: Vector,
    /// Right, left, bottom, top, back, front.
    sides: [FaceTexture; 6],
}

pub(super) const fn image(image: u16) -> FaceTexture {
    FaceTexture::Image { bank: BANK, image }
}

pub(super) fn block(min: Vector, max: Vector, texture: FaceTexture) -> Block {
    Block { min, max, sides: [texture; 6] }
}

/// The body parts in a pose.
fn parts(pose: &Pose) -> Vec<(Joint, Block)> {
    let skin = FaceTexture::Color(index(Ramp::Sand, 13));
    let hair = FaceTexture::Color(index(Ramp::Wood, 4));
    let trousers = FaceTexture::Color(index(Ramp::Blue, 5));
    let boots = FaceTexture::Color(index(Ramp::Wood, 3));
    let swing = |shift: f64| pose.phase.map_or(0.0, |phase| ((phase + shift) * TAU).sin());
    // The body is at its lowest when both feet are on the ground.
    let sink = pose.phase.map_or(0.0, |phase| 1.9 * (phase * TAU).sin().powi(2));
    let body = Joint { at: [0.0, sink - HIPS, 0.0], forward: 0.0, sideways: 0.0 };
    let mut chest = block([-3.6, -12.0, -2.0], [3.6, 0.0, 2.0], image(CLOTH));
    chest.sides = [image(CLOTH), image(CLOTH), trousers, skin, image(CLOTH), image(CLOTH)];
    let mut head = block([-2.2, -5.4, -2.4], [2.2, 0.0, 2.2], hair);
    head.sides = [hair, hair, skin, hair, hair, image(FACE)];
    let nod = body.next([0.0, -12.0, 0.0], 0.03 * swing(0.1));
    let mut out = vec![
        (body, chest),
        (nod, block([-1.2, -1.0, -1.2], [1.2, 0.2, 1.2], skin)),
        (nod.next([0.0, -1.0, 0.0], 0.0), head),
    ];
    for (side, shift) in [(1.0, 0.0), (-1.0, 0.5)] {
        let stride = 0.5 * swing(shift);
        // The knee bends while the leg moves forward.
        let bend = pose.phase.map_or(0.0, |phase| 0.85 * ((phase + shift) * TAU).cos().max(0.0));
        let hip = body.next([side * 1.8, 0.0, 0.0], stride);
        let knee = hip.next([0.0, THIGH, 0.0], -bend);
        let sole = knee.next([0.0, SHIN - 1.4, 0.0], 0.5 * bend - 0.4 * stride);
        out.push((hip, block([-1.6, -0.4, -1.7], [1.6, THIGH, 1.7], trousers)));
        out.push((knee, block([-1.4, -0.6, -1.5], [1.4, SHIN - 1.4, 1.5], trousers)));
        out.push((sole, block([-1.5, -0.8, -3.6], [1.5, 1.4, 1.6], boots)));
        let arm_angle = if pose.phase.is_none() { TAU / 4.0 } else { 0.06 };
        let shoulder = Joint {
            at: body.transform([side * 3.7, -11.0, 0.0]),
            forward: -0.45 * swing(shift),
            sideways: -side * arm_angle,
        };
        let elbow =
            shoulder.next([0.0, UPPER_ARM, 0.0], pose.phase.map_or(0.0, |_| 0.35 + 0.2 * swing(shift + 0.5)));
        out.push((shoulder, block([-1.2, -0.8, -1.3], [1.2, UPPER_ARM, 1.3], image(CLOTH))));
        out.push((elbow, block([-1.0, -0.4, -1.1], [1.0, LOWER_ARM, 1.1], skin)));
    }
    out
}

/// Corner indices of each side of a box, counter-clockwise from the top left, seen from outside.
const SIDES: [[usize; 4]; 6] =
    [[1, 3, 7, 5], [4, 6, 2, 0], [2, 6, 7, 3], [4, 0, 1, 5], [5, 7, 6, 4], [0, 2, 3, 1]];

fn corners(block: &Block) -> [Vector; 8] {
    let ([a, b, c], [x, y, z]) = (block.min, block.max);
    [[a, b, c], [x, b, c], [a, y, c], [x, y, c], [a, b, z], [x, b, z], [a, y, z], [x, y, z]]
}

fn vertices(pose: &Pose) -> Vec<Vector> {
    let positions = |(joint, block): (Joint, Block)| corners(&block).map(|corner| joint.transform(corner));
    parts(pose).into_iter().flat_map(positions).collect()
}

/// Faces of a box whose first vertex has index `first`.
fn faces(first: u32, block: &Block) -> Vec<SolidFace> {
    let sides = SIDES.into_iter().zip(block.sides);
    sides
        .map(|(side, texture)| {
            // The image is upright on each side, with 64 by 64 texels.
            let uvs = side.into_iter().zip([[0, 0], [0, 64], [64, 64], [64, 0]]);
            let corner = |(corner, uv): (usize, [i16; 2])| SolidCorner {
                vertex: first + u32::try_from(corner).unwrap_or_default(),
                uv,
                normal: [0.0; 3],
            };
            SolidFace { corners: uvs.map(corner).collect(), texture }
        })
        .collect()
}

/// Vertices and faces of a static box.
pub(super) fn boxed(block: &Block) -> (Vec<Vector>, Vec<SolidFace>) {
    (corners(block).to_vec(), faces(0, block))
}

/// Builds the person, standing at the origin.
pub(super) fn walker() -> Solid {
    let rest = Pose { phase: None };
    let steps = (0..STEPS).map(|step| Pose { phase: Some(f64::from(step) / f64::from(STEPS)) });
    let frames = [rest].into_iter().chain(steps).map(|pose| vertices(&pose)).collect();
    let blocks = (0_u32..).zip(parts(&Pose { phase: None }));
    let faces = blocks.flat_map(|(number, (_, block))| faces(number * 8, &block)).collect();
    Solid { frames, faces }
}
