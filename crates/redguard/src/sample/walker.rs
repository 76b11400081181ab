//! A figure that walks: boxes that turn around joints, with arms held out in the first frame and a step of twelve frames behind it.

use std::f64::consts::TAU;

use super::canvas::{Ramp, index};
use super::carpentry::{BANK, CLOTH, FACE};
use crate::model::Paint;
use crate::model::solid::{Solid, SolidCorner, SolidFace};

/// The frames of a step of both legs.
const STEPS: u32 = 12;
/// How high the hips are, in world units; twenty make a metre.
const HIPS: f64 = 18.0;
/// From hip to knee, from knee to sole, from shoulder to elbow, from elbow to hand.
const THIGH: f64 = 9.0;
const SHIN: f64 = 9.0;
const UPPER_ARM: f64 = 6.5;
const LOWER_ARM: f64 = 6.5;

/// A place or a direction: X right, Y down, Z forward. The figure looks to where Z comes from.
type Place = [f64; 3];

/// Where a part is and how it is turned: first sideways around Z, then forward around X.
#[derive(Debug, Clone, Copy)]
struct Joint {
    at: Place,
    forward: f64,
    sideways: f64,
}

impl Joint {
    fn place(&self, [x, y, z]: Place) -> Place {
        let ((sine, cosine), (tilt, upright)) = (self.sideways.sin_cos(), self.forward.sin_cos());
        let (x, y) = (x * cosine - y * sine, x * sine + y * cosine);
        let (y, z) = (y * upright + z * tilt, z * upright - y * tilt);
        let [a, b, c] = self.at;
        [a + x, b + y, c + z]
    }

    /// A joint further on, turned by more.
    fn next(&self, at: Place, forward: f64) -> Self {
        Self { at: self.place(at), forward: self.forward + forward, ..*self }
    }
}

/// How the figure stands at a moment of its step.
struct Stance {
    /// From 0 to 1 through the step; `None` with its arms held out.
    phase: Option<f64>,
}

/// A box: least and most of it, and what its sides are painted with.
#[derive(Clone, Copy)]
struct Block {
    least: Place,
    most: Place,
    /// Right, left, bottom, top, back, front.
    sides: [Paint; 6],
}

const fn image(image: u16) -> Paint {
    Paint::Image { bank: BANK, image }
}

fn block(least: Place, most: Place, paint: Paint) -> Block {
    Block { least, most, sides: [paint; 6] }
}

/// The parts of the figure where they are at a moment.
fn parts(stance: &Stance) -> Vec<(Joint, Block)> {
    let skin = Paint::Color(index(Ramp::Sand, 13));
    let hair = Paint::Color(index(Ramp::Wood, 4));
    let trousers = Paint::Color(index(Ramp::Blue, 5));
    let boots = Paint::Color(index(Ramp::Wood, 3));
    let swing = |shift: f64| stance.phase.map_or(0.0, |phase| ((phase + shift) * TAU).sin());
    // The body is lowest when both feet are on the ground.
    let sink = stance.phase.map_or(0.0, |phase| 1.9 * (phase * TAU).sin().powi(2));
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
        // The knee bends while the leg comes forward.
        let bend = stance.phase.map_or(0.0, |phase| 0.85 * ((phase + shift) * TAU).cos().max(0.0));
        let hip = body.next([side * 1.8, 0.0, 0.0], stride);
        let knee = hip.next([0.0, THIGH, 0.0], -bend);
        let sole = knee.next([0.0, SHIN - 1.4, 0.0], 0.5 * bend - 0.4 * stride);
        out.push((hip, block([-1.6, -0.4, -1.7], [1.6, THIGH, 1.7], trousers)));
        out.push((knee, block([-1.4, -0.6, -1.5], [1.4, SHIN - 1.4, 1.5], trousers)));
        out.push((sole, block([-1.5, -0.8, -3.6], [1.5, 1.4, 1.6], boots)));
        let held = if stance.phase.is_none() { TAU / 4.0 } else { 0.06 };
        let shoulder = Joint {
            at: body.place([side * 3.7, -11.0, 0.0]),
            forward: -0.45 * swing(shift),
            sideways: -side * held,
        };
        let elbow = shoulder
            .next([0.0, UPPER_ARM, 0.0], stance.phase.map_or(0.0, |_| 0.35 + 0.2 * swing(shift + 0.5)));
        out.push((shoulder, block([-1.2, -0.8, -1.3], [1.2, UPPER_ARM, 1.3], image(CLOTH))));
        out.push((elbow, block([-1.0, -0.4, -1.1], [1.0, LOWER_ARM, 1.1], skin)));
    }
    out
}

/// The corners of a box, and of each side the four that run counter-clockwise from the top left, seen from outside.
const SIDES: [[usize; 4]; 6] =
    [[1, 3, 7, 5], [4, 6, 2, 0], [2, 6, 7, 3], [4, 0, 1, 5], [5, 7, 6, 4], [0, 2, 3, 1]];

fn corners(block: &Block) -> [Place; 8] {
    let ([a, b, c], [x, y, z]) = (block.least, block.most);
    [[a, b, c], [x, b, c], [a, y, c], [x, y, c], [a, b, z], [x, b, z], [a, y, z], [x, y, z]]
}

fn shape(stance: &Stance) -> Vec<Place> {
    let places = |(joint, block): (Joint, Block)| corners(&block).map(|place| joint.place(place));
    parts(stance).into_iter().flat_map(places).collect()
}

/// The figure, standing on the origin.
pub(super) fn walker() -> Solid {
    let rest = Stance { phase: None };
    let steps = (0..STEPS).map(|step| Stance { phase: Some(f64::from(step) / f64::from(STEPS)) });
    let frames = [rest].into_iter().chain(steps).map(|stance| shape(&stance)).collect();
    let mut faces = Vec::new();
    for (number, (_, block)) in (0_u32..).zip(parts(&Stance { phase: None })) {
        for (side, paint) in SIDES.into_iter().zip(block.sides) {
            // The image stands upright on each side, sixty-four texels wide and high.
            let around = side.into_iter().zip([[0, 0], [0, 64], [64, 64], [64, 0]]);
            let corner = |(corner, uv): (usize, [i16; 2])| SolidCorner {
                vertex: number * 8 + u32::try_from(corner).unwrap_or_default(),
                uv,
                normal: [0.0; 3],
            };
            faces.push(SolidFace { corners: around.map(corner).collect(), paint });
        }
    }
    Solid { frames, faces }
}
