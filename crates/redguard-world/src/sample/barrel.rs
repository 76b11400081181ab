//! A barrel of twelve bulging staves, with a brand on one side and on its lids.

use std::f64::consts::TAU;

use super::carpentry::{BANK, BRANDED, LID, STAVES};
use crate::model::FaceTexture;
use crate::model::solid::{Solid, SolidCorner, SolidFace};
use crate::number::single;

/// Number of staves.
const STAVES_AROUND: u32 = 12;
/// Height and radius of each ring, from the bottom up, in world units; 20 units are one meter.
const RINGS: [(f64, f64); 4] = [(0.0, 6.0), (6.0, 7.6), (14.0, 7.6), (20.0, 6.0)];
/// Rows of the rings in the image of the staves, in texels.
const ROWS: [i16; 4] = [64, 45, 19, 0];

/// Builds the barrel; its bottom is at the origin.
pub(super) fn barrel() -> Solid {
    let mut vertices = Vec::new();
    for (height, radius) in RINGS {
        for stave in 0..STAVES_AROUND {
            let (sine, cosine) = angle(f64::from(stave));
            vertices.push([radius * sine, -height, -radius * cosine]);
        }
    }
    let mut faces = Vec::new();
    for stave in 0..STAVES_AROUND {
        for ring in 0_u32..3 {
            faces.push(stave_face(stave, ring));
        }
    }
    faces.push(lid(3, false));
    faces.push(lid(0, true));
    Solid { frames: vec![vertices], faces }
}

/// Sine and cosine of the angle of an edge between staves, from the front to the right.
fn angle(edge: f64) -> (f64, f64) {
    let share = (edge - 0.5) / f64::from(STAVES_AROUND);
    (share * TAU).sin_cos()
}

fn vertex(ring: u32, stave: u32) -> u32 {
    ring * STAVES_AROUND + stave % STAVES_AROUND
}

/// Whether the stave has the brand: the two staves in front, which share one image.
fn is_branded(stave: u32) -> bool {
    matches!(stave, 0 | 11)
}

fn row(ring: u32) -> i16 {
    usize::try_from(ring).ok().and_then(|ring| ROWS.get(ring)).copied().unwrap_or_default()
}

fn stave_face(stave: u32, ring: u32) -> SolidFace {
    let next = stave + 1;
    let above = ring + 1;
    // Two staves share an image, half each.
    let left = if stave.is_multiple_of(2) { 32 } else { 0_i16 };
    let right = left + 32;
    let corner = |ring: u32, stave: u32, u: i16| {
        let (sine, cosine) = angle(f64::from(stave));
        SolidCorner {
            vertex: vertex(ring, stave),
            uv: [u, row(ring)],
            normal: [single(sine), 0.0, single(-cosine)],
        }
    };
    SolidFace {
        corners: vec![
            corner(above, stave, left),
            corner(ring, stave, left),
            corner(ring, next, right),
            corner(above, next, right),
        ],
        texture: FaceTexture::Image { bank: BANK, image: if is_branded(stave) { BRANDED } else { STAVES } },
    }
}

/// Builds a lid, seen from above or from below.
fn lid(ring: u32, is_below: bool) -> SolidFace {
    let corner = |stave: u32| {
        let (sine, cosine) = angle(f64::from(stave));
        // Seen from above, the front is at the bottom; seen from below, at the top.
        let down = if is_below { -cosine } else { cosine };
        let texel = |share: f64| texels(32.0 + share * 32.0);
        SolidCorner { vertex: vertex(ring, stave), uv: [texel(sine), texel(down)], normal: [0.0; 3] }
    };
    let mut corners: Vec<SolidCorner> = (0..STAVES_AROUND).map(corner).collect();
    if is_below {
        corners.reverse();
    }
    SolidFace { corners, texture: FaceTexture::Image { bank: BANK, image: LID } }
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "an image is small")]
fn texels(number: f64) -> i16 {
    number.round() as i16
}
