//! A flag on a pole: its cloth hangs in the first frame, waves gently in eight frames, and wildly in eight more.

use std::f64::consts::TAU;

use super::canvas::{Ramp, index};
use super::carpentry::CLOTH;
use super::walker::{Vector, block, boxed, image};
use crate::model::FaceTexture;
use crate::model::solid::{Solid, SolidCorner, SolidFace};

/// Number of frames of each wave animation.
pub(super) const STEPS: i32 = 8;

/// Number of quads of the cloth in each direction.
const ALONG: u32 = 6;
const ACROSS: u32 = 2;

/// Sizes in world units; 20 units are one meter.
const POLE: f64 = 80.0;
const LENGTH: f64 = 44.0;
const HEIGHT: f64 = 26.0;
/// Distance from the middle of the cloth to each of its sides: path tracers render coincident sides black.
const HALF_THICKNESS: f64 = 0.6;

/// Amplitude of the cloth, and its phase (0 to 1).
#[derive(Clone, Copy)]
struct Wave {
    amplitude: f64,
    phase: f64,
}

/// Vertices of one side of the cloth, column by column from the pole, at a distance `forward` in front of the middle.
fn cloth(wave: Wave, forward: f64) -> Vec<Vector> {
    let mut out = Vec::new();
    for column in 0..=ALONG {
        let share = f64::from(column) / f64::from(ALONG);
        let swing = wave.amplitude * share.sqrt() * ((1.1 * share - wave.phase) * TAU).sin();
        for row in 0..=ACROSS {
            let down = f64::from(row) / f64::from(ACROSS);
            // The free end sinks a little.
            let sink = 6.0 * share * share / (1.0 + wave.amplitude);
            out.push([
                1.0 + LENGTH * share,
                down * HEIGHT + sink - POLE,
                swing * (1.0 + 0.3 * down) - forward,
            ]);
        }
    }
    out
}

/// Builds the flag in all frames; the foot of the pole is at the origin.
pub(super) fn flag() -> Solid {
    let wood = FaceTexture::Color(index(Ramp::Wood, 6));
    let (pole, mut faces) = boxed(&block([-1.2, -POLE - 4.0, -1.2], [1.2, 0.0, 1.2], wood));
    let hanging = [Wave { amplitude: 1.0, phase: 0.0 }];
    let waves = |amplitude: f64| {
        (0..STEPS).map(move |step| Wave { amplitude, phase: f64::from(step) / f64::from(STEPS) })
    };
    let frames = hanging.into_iter().chain(waves(3.0)).chain(waves(9.0));
    let sides = |wave| [HALF_THICKNESS, -HALF_THICKNESS].into_iter().flat_map(move |side| cloth(wave, side));
    let frames = frames.map(|wave| pole.iter().copied().chain(sides(wave)).collect()).collect();
    let first = u32::try_from(pole.len()).unwrap_or_default();
    let back_side = (ALONG + 1) * (ACROSS + 1);
    for column in 0..ALONG {
        for row in 0..ACROSS {
            let vertex = |right: u32, below: u32| first + (column + right) * (ACROSS + 1) + row + below;
            let texel = |number: u32, count: u32| i16::try_from(64 * number / count).unwrap_or(64);
            let corner = |right: u32, below: u32| SolidCorner {
                vertex: vertex(right, below),
                uv: [texel(column + right, ALONG), texel(row + below, ACROSS)],
                normal: [0.0; 3],
            };
            let front = vec![corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
            let to_back = |corner: &SolidCorner| SolidCorner { vertex: corner.vertex + back_side, ..*corner };
            let back = front.iter().rev().map(to_back).collect();
            faces.push(SolidFace { corners: front, texture: image(CLOTH) });
            faces.push(SolidFace { corners: back, texture: image(CLOTH) });
        }
    }
    Solid { frames, faces }
}
