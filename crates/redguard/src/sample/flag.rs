//! A flag on its pole: a cloth that hangs in the first frame, waves gently in eight frames, and wildly in eight more.

use std::f64::consts::TAU;

use super::canvas::{Ramp, index};
use super::carpentry::CLOTH;
use super::walker::{Vector, block, boxed, image};
use crate::model::FaceTexture;
use crate::model::solid::{Solid, SolidCorner, SolidFace};

/// The frames of each way to wave.
pub(super) const STEPS: i32 = 8;

/// The quads of the cloth along and across.
const ALONG: u32 = 6;
const ACROSS: u32 = 2;

/// Sizes in world units; twenty are a meter.
const POLE: f64 = 80.0;
const LENGTH: f64 = 44.0;
const HEIGHT: f64 = 26.0;

/// How far the cloth swings out, and its phase from 0 to 1.
#[derive(Clone, Copy)]
struct Wave {
    amplitude: f64,
    phase: f64,
}

/// The vertices of the cloth, column by column from the pole on.
fn cloth(wave: Wave) -> Vec<Vector> {
    let mut out = Vec::new();
    for column in 0..=ALONG {
        let part = f64::from(column) / f64::from(ALONG);
        let swing = wave.amplitude * part.sqrt() * ((1.1 * part - wave.phase) * TAU).sin();
        for row in 0..=ACROSS {
            let down = f64::from(row) / f64::from(ACROSS);
            // What hangs out sinks a little.
            let sink = 6.0 * part * part / (1.0 + wave.amplitude);
            out.push([1.0 + LENGTH * part, down * HEIGHT + sink - POLE, swing * (1.0 + 0.3 * down)]);
        }
    }
    out
}

/// The flag, standing on the origin, in all its frames.
pub(super) fn flag() -> Solid {
    let wood = FaceTexture::Color(index(Ramp::Wood, 6));
    let (pole, mut faces) = boxed(&block([-1.2, -POLE - 4.0, -1.2], [1.2, 0.0, 1.2], wood));
    let still = [Wave { amplitude: 1.0, phase: 0.0 }];
    let waves = |amplitude: f64| {
        (0..STEPS).map(move |step| Wave { amplitude, phase: f64::from(step) / f64::from(STEPS) })
    };
    let frames = still.into_iter().chain(waves(3.0)).chain(waves(9.0));
    let frames = frames.map(|wave| pole.iter().copied().chain(cloth(wave)).collect()).collect();
    let first = u32::try_from(pole.len()).unwrap_or_default();
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
            let back = front.iter().rev().copied().collect();
            faces.push(SolidFace { corners: front, texture: image(CLOTH) });
            faces.push(SolidFace { corners: back, texture: image(CLOTH) });
        }
    }
    Solid { frames, faces }
}
