//! The layout of a ROB file: a header, segments with an 80-byte header and a model each, and an end tag.
//!
//! Sources: UESP, "Mod:ROB File Format"; redguard-preservation's documentation; RGUnity/redguard-unity.

use glam::Vec3;
use record::{Bytes, Declared, Error, Reader, Record, Result, Writer, by_hand, read_whole, write_whole};
use serde::{Deserialize, Serialize};

use crate::model::Model;
use crate::model::collision::CollisionSphere;
use crate::number::single;
use asset::FixedText;

/// End tag of a ROB file.
pub const END: &[u8] = b"END ";
/// Size of a segment header in bytes.
pub const SEGMENT: u32 = 80;

/// Kind of a segment with an external `.3DC` model.
pub(super) const EXTERNAL: u16 = 512;

/// The models of a map.
#[derive(Declared, Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rob {
    /// The first 20 bytes.
    pub header: Header,
    /// Models, in file order.
    #[record(count = header.num_segments)]
    pub segments: Vec<Segment>,
    /// Bytes after the segments: `END ` in valid files.
    pub rest: Bytes,
}

/// The first 20 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[record(magic = b"OARC")]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// 0, 0, 0 and 4.
    pub unused_04: [u8; 4],
    /// Number of segments.
    pub num_segments: u32,
    /// The second half of the header.
    pub data: DataHeader,
}

/// The second half of the header.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[record(magic = b"OARD", order = big)]
#[serde(deny_unknown_fields)]
pub struct DataHeader {
    /// Size of the segments in bytes; big-endian.
    pub payload_size: u32,
}

/// A named model.
#[derive(Declared, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// The first 80 bytes.
    pub header: SegmentHeader,
    /// The model.
    #[record(count = header.data_size, stored_as = Bytes)]
    pub payload: Payload,
}

/// The name and drawing properties of a model.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentHeader {
    /// Size of the model and this header in bytes.
    pub total_size: u32,
    /// Name by which maps refer to the model; for an external model, its file name without extension.
    pub name: FixedText<8>,
    /// 0 for a model, 256 for a model of the menu, 512 for an external `.3DC` model.
    pub kind: u16,
    /// The high byte is the render mode: mirror, water, beam.
    pub flags: u16,
    /// Bit 1: palette color 0 is transparent. Bit 6: items.
    pub attributes: u8,
    /// Collision flags. Bit 1: no collision. Bit 0: collision by spheres, as with an actor, instead of by faces. See [`Self::collision`].
    pub collision: u8,
    /// Zero.
    pub reserved_12: u8,
    /// Low byte of the number of faces; not read by the game.
    pub face_count_low: u8,
    /// Mostly 0, 0, 0 and 1; not read by the game.
    pub unused_14: [u8; 4],
    /// Zero.
    pub reserved_18: u32,
    /// Side lengths of the bounding box, in 256ths of a world unit.
    pub extent: [u32; 3],
    /// Zero.
    pub reserved_28: [u32; 3],
    /// Extent of the box from the origin along each positive axis.
    pub positive: [u32; 3],
    /// Extent of the box from the origin along each negative axis.
    pub negative: [u32; 3],
    /// Size of the model in bytes.
    pub data_size: u32,
}

/// Collision test of the game with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collision {
    /// Test against the faces.
    Faces,
    /// Test against spheres, as with an actor.
    Actor,
    /// No test: everything passes through the model.
    None,
}

impl Collision {
    /// Name in extras: `faces`, `actor` or `none`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Faces => "faces",
            Self::Actor => "actor",
            Self::None => "none",
        }
    }
}

/// The content of a segment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    /// Empty: the model is external.
    Empty,
    /// A model; its offsets are relative to its start.
    Model(Box<Model>),
    /// Bytes that could not be read as a model.
    Unread(Bytes),
}

impl SegmentHeader {
    /// Creates the header of a new segment, with the values that almost all segments of the game have.
    pub(super) fn typical() -> Self {
        Self { unused_14: [0, 0, 0, 1], ..Self::default() }
    }

    /// Sets the bounding box to the box of the model's first frame.
    pub(super) fn set_box(&mut self, model: &Model) {
        let (mut positive, mut negative) = ([0_u32; 3], [0_u32; 3]);
        for position in model.first_frame_positions() {
            for ((position, max), min) in position.into_iter().zip(&mut positive).zip(&mut negative) {
                let side = if position > 0 { max } else { min };
                *side = position.unsigned_abs().max(*side);
            }
        }
        (self.positive, self.negative) = (positive, negative);
        for ((extent, positive), negative) in self.extent.iter_mut().zip(positive).zip(negative) {
            *extent = positive.saturating_add(negative);
        }
    }

    /// Sets the low byte of the number of faces.
    pub(super) fn set_face_count(&mut self, model: &Model) {
        [self.face_count_low, ..] = model.face_count().to_le_bytes();
    }

    /// Render mode: the high byte of the flags, where 0 means 255.
    #[must_use]
    pub const fn render_mode(&self) -> u8 {
        let [_, mode] = self.flags.to_le_bytes();
        if mode == 0 { 0xff } else { mode }
    }

    /// Collision test of the game with the model: bit 1 of the byte takes precedence over bit 0 (redguard-preservation, collision).
    #[must_use]
    pub const fn collision(&self) -> Collision {
        match (self.collision & 2 != 0, self.collision & 1 != 0) {
            (true, _) => Collision::None,
            (false, true) => Collision::Actor,
            (false, false) => Collision::Faces,
        }
    }

    /// The spheres that represent the model if it collides like an actor, which fill its bounding box.
    pub(crate) fn spheres(&self) -> Vec<CollisionSphere> {
        /// File units per world unit.
        const UNIT: f64 = 256.0;
        let side = |side: [u32; 3]| Vec3::from(side.map(|length| single(f64::from(length) / UNIT)));
        CollisionSphere::of_box(side(self.positive), side(self.negative), 1.0)
    }

    /// Whether palette color 0 is transparent.
    #[must_use]
    pub const fn is_keyed(&self) -> bool {
        self.attributes & 2 != 0
    }
}

impl Segment {
    /// File name of the external model; `None` if the model is embedded.
    #[must_use]
    pub fn external(&self) -> Option<String> {
        matches!(self.payload, Payload::Empty).then(|| format!("{}.3DC", self.header.name))
    }
}

/// Implemented by hand: a wrong size in the header is kept until the model changes.
#[by_hand]
impl Record for Segment {
    type Context = ();
    const MIN_SIZE: usize = 80;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let header: SegmentHeader = reader.field("header", |reader| SegmentHeader::read(reader, ()))?;
        let bytes = reader.field("payload", |reader| {
            let start = reader.offset();
            let size = reader.check_count(header.data_size, 1, start.saturating_sub(4))?;
            let bytes = reader.take(size)?;
            reader.leaf(start, &"a model");
            Ok(bytes)
        })?;
        let payload = match bytes {
            [] => Payload::Empty,
            bytes => read_whole(bytes, ()).map_or_else(
                |_| Payload::Unread(Bytes::from(bytes)),
                |model| Payload::Model(Box::new(model)),
            ),
        };
        Ok(Self { header, payload })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        let bytes = self.payload.bytes().map_err(|error| error.in_field("payload"))?;
        let mut header = self.header;
        let size: u32 = writer.count(bytes.len())?;
        if size != header.data_size {
            header.data_size = size;
            header.total_size = size.saturating_add(SEGMENT);
        }
        header.write(writer, ())?;
        writer.put(&bytes);
        Ok(())
    }
}

impl Payload {
    fn bytes(&self) -> Result<Vec<u8>> {
        match self {
            Self::Empty => Ok(Vec::new()),
            Self::Model(model) => write_whole(&**model, ()),
            Self::Unread(bytes) => Ok(bytes.0.clone()),
        }
    }
}

/// Implemented by hand: as with segments, a wrong total size is kept until a segment changes.
#[by_hand]
impl Record for Rob {
    type Context = ();
    const MIN_SIZE: usize = 20;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let header: Header = reader.field("header", |reader| Header::read(reader, ()))?;
        let segments = reader.field("segments", |reader| reader.list(header.num_segments, ()))?;
        let rest = reader.field("rest", |reader| Bytes::read(reader, ()))?;
        Ok(Self { header, segments, rest })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        let count: u32 = writer.count(self.segments.len())?;
        let header_at = writer.reserve(Self::MIN_SIZE);
        let start = writer.offset();
        let segments = |writer: &mut Writer| Segment::write_list(&self.segments, writer, ());
        writer.field("segments", segments)?;
        let length = usize::try_from(writer.offset().saturating_sub(start)).unwrap_or(usize::MAX);
        let size: u32 = writer.count(length).map_err(|error: Error| error.in_field("segments"))?;
        let old = self.segments.iter().map(|segment| u64::from(segment.header.data_size));
        let old = old.fold(0_u64, |sum, size| sum.saturating_add(size).saturating_add(SEGMENT.into()));
        let mut header = self.header;
        if count != header.num_segments || u64::from(size) != old {
            header.num_segments = count;
            header.data.payload_size = size;
        }
        writer.patch(header_at, &header, ())?;
        writer.put(&self.rest);
        Ok(())
    }
}
