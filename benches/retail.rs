//! A synthetic install of Redguard of realistic size, with the same numbers of banks, images, models and frames as a real one.
//!
//! A real install has 415 banks with 5,602 images, 55 of them animated; 204 models with frames and 65 without; 41 ROB files with 5,870
//! segments, 1,203 of which refer to separate model files, and 245,535 faces; 27 maps ([`maps`]).

pub mod maps;

use std::f64::consts::TAU;

use antiquary::Sink;
use antiquary::asset::FixedText;
use antiquary::media::picture::Colors;
use antiquary::redguard::model::rob::{self, Payload, Rob, Segment, SegmentHeader};
use antiquary::redguard::model::{
    Corner, Glide, GlideFace, GlideFrame, GlideHeader, GlidePose, Model, Normals, Version, VertexPositions,
};
use antiquary::redguard::picture::gxa::Gxa;
use antiquary::redguard::picture::palette::Palette;
use antiquary::redguard::picture::texbsi::{Bank, Entry, Image, ImageKey};

/// Banks of textures.
pub const BANKS: u16 = 415;
/// Images in all banks.
pub const IMAGES: usize = 5602;
/// Images with several frames.
pub const ANIMATED: usize = 55;
/// Models with frames.
pub const MOVING: usize = 204;
/// Models without frames in separate files.
pub const STILL: usize = 65;
/// ROB files.
pub const ROBS: usize = 41;
/// Segments of all ROB files.
pub const SEGMENTS: usize = 5870;
/// Segments that name a file.
pub const EXTERNAL: usize = 1203;
/// Frames of an animated model: the average of 9,190 frames in 147 files.
const FRAMES: usize = 62;
/// Number of the first bank; the two before it are palettes.
const FIRST_BANK: u16 = 2;

/// Writes the install.
///
/// # Errors
/// Errors of the sink.
pub fn write(sink: &mut dyn Sink) -> antiquary::record::Result<()> {
    let palette = Palette::new(colors()).write()?;
    for name in ["ISLAND", "CATACOMB", "PALACE00", "NECRO", "OBSERVAT", "HIDEOUT", "SUNSET", "NIGHTSKY"] {
        sink.put(&format!("fxart/{name}.COL"), &palette)?;
    }
    let mut random = Random(1);
    for bank in 0..BANKS {
        let number = FIRST_BANK + bank;
        sink.put(&format!("fxart/TEXBSI.{number:03}"), &textures(usize::from(bank), number, &mut random)?)?;
    }
    for number in 0..STILL {
        let model = revolve(Revolution { sides: 12, rings: 6, frames: 1 }, &mut random);
        sink.put(&format!("fxart/STILL{number:03}.3D"), &model.write()?)?;
    }
    for number in 0..MOVING {
        let model = revolve(Revolution { sides: 12, rings: 12, frames: FRAMES }, &mut random);
        sink.put(&format!("fxart/MOVE{number:04}.3DC"), &model.write()?)?;
    }
    for number in 0..ROBS {
        sink.put(&format!("fxart/MAP{number:05}.ROB"), &models(number, &mut random)?)?;
    }
    for number in 0..65_usize {
        let (side, frames) = if number % 5 == 0 { (320, 2) } else { (32, 8) };
        let picture = |random: &mut Random| (side, side, paint(u32::from(side), random));
        let gxa = Gxa::new(colors(), (0..frames).map(|_| picture(&mut random)).collect())?;
        sink.put(&format!("system/MENU{number:04}.GXA"), &gxa.write()?)?;
    }
    maps::write(sink, &mut random)
}

/// A pseudorandom number generator with a fixed seed.
struct Random(u32);

impl Random {
    fn below(&mut self, below: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % below
    }
}

/// Six-bit colors, which are also valid in embedded palettes.
fn colors() -> Colors {
    let bytes: Vec<u8> =
        (0..=255_u8).flat_map(|index| [index / 4, (index / 8) % 64, 63 - index / 4]).collect();
    Colors::from_bytes(&bytes).expect("256 colours")
}

/// An image that compresses about as well as painted ones: smooth waves with some noise.
fn paint(side: u32, random: &mut Random) -> Vec<u8> {
    let (across, down) = (f64::from(1 + random.below(4)), f64::from(1 + random.below(4)));
    let wave = |at: u32, times: f64| (f64::from(at) / f64::from(side) * TAU * times).sin();
    (0..side * side)
        .map(|pixel| {
            let (x, y) = (pixel % side, pixel / side);
            let soft = 128.0 + 60.0 * wave(x, across) + 50.0 * wave(y, down);
            (soft as u32 + random.below(6)).clamp(1, 255) as u8
        })
        .collect()
}

fn textures(index: usize, number: u16, random: &mut Random) -> antiquary::record::Result<Vec<u8>> {
    let banks = usize::from(BANKS);
    let count = IMAGES / banks + usize::from(index < IMAGES % banks);
    let mut entries = Vec::new();
    for image in 0..count {
        let side = [64, 64, 64, 128, 32][image % 5];
        let frames = if image == 1 && index < ANIMATED { 8 } else { 1 };
        let frames: Vec<_> = (0..frames).map(|_| paint(side, random)).collect();
        let embedded = (image == 0 && index < 56).then(colors);
        let name = ImageKey { bank: number, image: image as u16 }.name().expect("numbers a name can hold");
        let image = Image::new(side, side, &frames, 71, embedded)?;
        entries.push(Entry { name, image, rest: antiquary::record::Bytes::default() });
    }
    Bank { entries, ..Bank::default() }.write()
}

/// Parameters of a solid of revolution.
#[derive(Clone, Copy)]
struct Revolution {
    sides: u32,
    rings: u32,
    frames: usize,
}

/// A solid of revolution that sways from frame to frame.
fn revolve(revolution: Revolution, random: &mut Random) -> Model {
    let Revolution { sides, rings, frames } = revolution;
    let positions = |frame: usize, random: &mut Random| -> Vec<[i32; 3]> {
        let sway = (frame as f64 / 8.0 * TAU).sin() * 800.0;
        let ring = |ring: u32, side: u32, random: &mut Random| {
            let angle = f64::from(side) / f64::from(sides) * TAU;
            let height = f64::from(ring) / f64::from(rings);
            let radius = 4000.0 + 1500.0 * (height * TAU).sin() + f64::from(random.below(64));
            [radius * angle.cos() + sway * height, -16_000.0 * height, radius * angle.sin()]
                .map(|number| number as i32)
        };
        (0..=rings)
            .flat_map(|row| (0..sides).map(move |side| (row, side)))
            .map(|(row, side)| ring(row, side, random))
            .collect()
    };
    let vertices = positions(0, random);
    let (bank, image) = (FIRST_BANK + random.below(u32::from(BANKS)) as u16, random.below(12) as u16);
    let mut faces = Vec::new();
    let mut face_normals = Vec::new();
    for row in 0..rings {
        for side in 0..sides {
            let at = |row: u32, side: u32| row * sides + side % sides;
            let corners = [at(row, side), at(row, side + 1), at(row + 1, side + 1), at(row + 1, side)];
            let steps = [[0, 0], [1024, 0], [0, 1024], [-1024, 0]];
            let corners = corners.iter().zip(steps).map(|(vertex, [u_delta, v_delta])| Corner {
                vertex: *vertex,
                u_delta,
                v_delta,
            });
            let texture =
                if random.below(8) == 0 { 0xfff0_4a00 } else { word(bank, image + (row % 2) as u16) };
            faces.push(GlideFace {
                corner_count: 0,
                brightness: 0,
                texture,
                unused: 0,
                corners: corners.collect(),
            });
            let angle = (f64::from(side) + 0.5) / f64::from(sides) * TAU;
            face_normals.push([angle.cos() * 256.0, 0.0, angle.sin() * 256.0].map(|number| number as i32));
        }
    }
    let packed: Vec<u32> = face_normals
        .iter()
        .map(|normal| (0..3).map(|axis| ((normal[axis] & 0x3ff) as u32) << (10 * axis)).sum())
        .collect();
    let poses: Vec<GlidePose> = (1..frames)
        .map(|frame| {
            let moved = positions(frame, random);
            let step = |(base, moved): (&[i32; 3], [i32; 3])| {
                [0, 1, 2].map(|axis| (base[axis] - moved[axis]) as i16)
            };
            GlidePose {
                vertices: VertexPositions::Words(vertices.iter().zip(moved).map(step).collect()),
                normals: Normals::Packed(packed.clone()),
            }
        })
        .collect();
    let kind = if frames > 1 { 2 } else { 0 };
    let frame = GlideFrame { offset_vertices: 0, offset_normals: 0, reserved: 0, kind };
    let corners = 4 * sides * rings;
    let version = if frames > 1 { Version::V4_0 } else { Version::V5_0 };
    Model::Glide(Glide {
        header: GlideHeader {
            version,
            total_face_vertices: corners,
            total_face_vertices_dup: corners,
            num_frames: frames as u32,
            radius: 20_000,
            ..GlideHeader::default()
        },
        faces,
        vertex_normals: vec![[f32::NAN; 3]; vertices.len()],
        vertices,
        face_normals,
        frames: vec![frame; frames],
        poses,
        nodes: Vec::new(),
        normal_indices: None,
        layout: antiquary::record::Layout::default(),
    })
}

/// The texture word of a face: the image's name in base 40.
fn word(bank: u16, image: u16) -> u32 {
    let digits = [10 + bank / 100, bank / 10 % 10, bank % 10, image / 100, image / 10 % 10, image % 10];
    digits.into_iter().fold(0, |word, digit| word * 40 + u32::from(digit))
}

/// A ROB file with as many models as others have on average, without animated ones.
///
/// # Errors
/// If the models do not fit into the file.
pub fn static_models() -> antiquary::record::Result<Vec<u8>> {
    let mut random = Random(1);
    let segments = (0..SEGMENTS / ROBS).map(|index| embedded(0, index, &mut random));
    rob_of(segments.collect::<antiquary::record::Result<_>>()?)
}

/// A segment with a static model.
fn embedded(number: usize, index: usize, random: &mut Random) -> antiquary::record::Result<Segment> {
    let model = revolve(Revolution { sides: 13, rings: 4, frames: 1 }, random);
    segment(&format!("S{number:02}_{index:03}"), 0, Payload::Model(Box::new(model)))
}

fn segment(name: &str, kind: u16, payload: Payload) -> antiquary::record::Result<Segment> {
    let name = FixedText::new(name)?;
    let header = SegmentHeader { total_size: rob::SEGMENT, name, kind, ..SegmentHeader::default() };
    Ok(Segment { header, payload })
}

fn rob_of(segments: Vec<Segment>) -> antiquary::record::Result<Vec<u8>> {
    let header = rob::Header { unused_04: [0, 0, 0, 4], ..rob::Header::default() };
    Rob { header, segments, rest: rob::END.into() }.write()
}

fn models(number: usize, random: &mut Random) -> antiquary::record::Result<Vec<u8>> {
    let count = SEGMENTS / ROBS + usize::from(number < SEGMENTS % ROBS);
    let external = EXTERNAL / ROBS + usize::from(number < EXTERNAL % ROBS);
    let segments = (0..count).map(|index| match index < external {
        true => segment(&format!("MOVE{:04}", (number * external + index) % MOVING), 512, Payload::Empty),
        false => embedded(number, index, random),
    });
    rob_of(segments.collect::<antiquary::record::Result<_>>()?)
}
