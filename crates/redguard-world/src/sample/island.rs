//! Models of the island: a barrel, a crate, a plant with transparent textures, scenery, and a walking person, which is an external model.

use record::{Bytes, Result};

use super::carpentry::{BANK, LEAF, LID};
use super::scenery;
use crate::model::rob::{DataHeader, END, Header, Payload, Rob, SEGMENT, Segment, SegmentHeader};
use crate::model::solid::{Solid, SolidCorner, SolidFace};
use crate::model::{FaceTexture, Model, Version};
use asset::FixedText;

/// Kind of a segment with an external model.
const EXTERNAL: u16 = 512;
/// Attribute bit for transparent palette color 0.
const KEYED: u8 = 2;

/// Builds the models of the island.
pub(super) fn island(barrel: &Solid, walker: &Solid) -> Result<Rob> {
    let segments = vec![
        segment("BARREL01", barrel, 0)?,
        segment("CRATE01", &crate_of_planks(), 0)?,
        segment("FERN01", &fern(), KEYED)?,
        segment("HUT01", &scenery::hut(), 0)?,
        segment("PALMTR01", &scenery::palm(), KEYED)?,
        segment("BRIDGE01", &scenery::bridge(), 0)?,
        segment("LANTRN01", &scenery::lantern(), 0)?,
        segment("BOAT01", &scenery::boat(), 0)?,
        segment("ROPE01", &scenery::rope(), 0)?,
        external("WALKER01", walker)?,
    ];
    of_segments(segments)
}

pub(super) fn of_segments(segments: Vec<Segment>) -> Result<Rob> {
    let header = Header { unused_04: [0, 0, 0, 4], num_segments: 0, data: DataHeader::default() };
    Ok(Rob { header, segments, rest: Bytes::from(END) })
}

/// One embedded and one external model.
pub(super) fn specimen(solid: &Solid) -> Result<Rob> {
    of_segments(vec![segment("LEAF01", solid, KEYED)?, external("LEAF02", solid)?])
}

/// Creates a segment with an embedded model.
pub(super) fn segment(name: &str, solid: &Solid, attributes: u8) -> Result<Segment> {
    let mut header = header(name, solid)?;
    header.attributes = attributes;
    [header.face_count_low, ..] = solid.faces.len().to_le_bytes();
    Ok(Segment { header, payload: Payload::Model(Box::new(Model::Glide(solid.glide(Version::V5_0)))) })
}

fn external(name: &str, solid: &Solid) -> Result<Segment> {
    let header = SegmentHeader { kind: EXTERNAL, total_size: SEGMENT, ..header(name, solid)? };
    Ok(Segment { header, payload: Payload::Empty })
}

/// Creates a header with the bounding box of the first frame.
fn header(name: &str, solid: &Solid) -> Result<SegmentHeader> {
    let positions = || solid.frames.first().into_iter().flatten();
    let reach = |axis: usize, sign: f64| {
        let distances =
            positions().filter_map(|position| position.get(axis)).map(|number| number * sign * 256.0);
        rounded(distances.fold(0.0, f64::max))
    };
    let positive = [0, 1, 2].map(|axis| reach(axis, 1.0));
    let negative = [0, 1, 2].map(|axis| reach(axis, -1.0));
    let mut extent = positive;
    for (side, negative) in extent.iter_mut().zip(negative) {
        *side += negative;
    }
    Ok(SegmentHeader {
        name: FixedText::new(name)?,
        unused_14: [0, 0, 0, 1],
        extent,
        positive,
        negative,
        ..SegmentHeader::default()
    })
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is small"
)]
fn rounded(number: f64) -> u32 {
    number.round() as u32
}

/// A face whose four corners, counter-clockwise from the top left, span the entire image.
fn square(vertices: [u32; 4], image: u16) -> SolidFace {
    let corners = vertices.into_iter().zip([[0, 0], [0, 64], [64, 64], [64, 0]]);
    let corner = |(vertex, uv)| SolidCorner { vertex, uv, normal: [0.0; 3] };
    SolidFace { corners: corners.map(corner).collect(), texture: FaceTexture::Image { bank: BANK, image } }
}

pub(super) fn crate_of_planks() -> Solid {
    let (half, top) = (8.0, -16.0);
    let mut vertices = Vec::new();
    for y in [top, 0.0] {
        vertices.extend([[-half, y, -half], [half, y, -half], [half, y, half], [-half, y, half]]);
    }
    let sides = [[0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0], [3, 0, 1, 2], [4, 7, 6, 5]];
    Solid { frames: vec![vertices], faces: sides.into_iter().map(|side| square(side, LID)).collect() }
}

/// Two crossed upright leaves whose front and back faces are slightly offset.
pub(super) fn fern() -> Solid {
    let (half, top, offset) = (10.0, -20.0, 0.125);
    let mut vertices = Vec::new();
    for y in [top, 0.0] {
        for side in [-offset, offset] {
            vertices.extend([[-half, y, side], [half, y, side], [side, y, -half], [side, y, half]]);
        }
    }
    // Front, back, right, left.
    let sides = [[0, 8, 9, 1], [5, 13, 12, 4], [6, 14, 15, 7], [3, 11, 10, 2]];
    Solid { frames: vec![vertices], faces: sides.into_iter().map(|side| square(side, LEAF)).collect() }
}
