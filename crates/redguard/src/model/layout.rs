//! What both generations of models have in common: corners, frames, and how the shapes of frames are stored.

use record::{Bytes, Error, Reader, Record, Result};
use serde::{Deserialize, Serialize};

/// Three whole numbers: a place or a direction in 256ths of a world unit.
pub type Triple = [i32; 3];

/// A corner of a face: 8 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[record(flat)]
#[serde(deny_unknown_fields)]
pub struct Corner {
    /// Which vertex: its number from v4.0 on; before that the byte where it starts, twelve bytes a vertex.
    pub vertex: u32,
    /// Added to the u of the corner before, in 16ths of a texel; the first corner's is its own.
    pub u_delta: i16,
    /// Added to the v of the corner before.
    pub v_delta: i16,
}

/// The vertices of one frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Places {
    /// Where they are, in 256ths.
    Absolute(Vec<Triple>),
    /// How far they are from the reference frame.
    Words(Vec<[i16; 3]>),
    /// The same in whole world units.
    Bytes(Vec<[i8; 3]>),
}

/// The face normals of one frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Normals {
    /// In 256ths.
    Absolute(Vec<Triple>),
    /// Three numbers of ten bits in each.
    Packed(Vec<u32>),
}

/// How the vertices of a frame are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    Long,
    Word,
    Byte,
}

impl Places {
    pub(super) fn read(reader: &mut Reader<'_>, count: u32, width: Width) -> Result<Self> {
        Ok(match width {
            Width::Long => Self::Absolute(reader.list(count, ())?),
            Width::Word => Self::Words(reader.list(count, ())?),
            Width::Byte => Self::Bytes(reader.list(count, ())?),
        })
    }

    pub(super) fn write(&self, writer: &mut record::Writer) -> Result<()> {
        match self {
            Self::Absolute(list) => Triple::write_list(list, writer, ()),
            Self::Words(list) => <[i16; 3]>::write_list(list, writer, ()),
            Self::Bytes(list) => <[i8; 3]>::write_list(list, writer, ()),
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Absolute(list) => list.len(),
            Self::Words(list) => list.len(),
            Self::Bytes(list) => list.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Normals {
    pub(super) fn read(reader: &mut Reader<'_>, count: u32, packed: bool) -> Result<Self> {
        Ok(if packed {
            Self::Packed(reader.list(count, ())?)
        } else {
            Self::Absolute(reader.list(count, ())?)
        })
    }

    pub(super) fn write(&self, writer: &mut record::Writer) -> Result<()> {
        match self {
            Self::Absolute(list) => Triple::write_list(list, writer, ()),
            Self::Packed(list) => u32::write_list(list, writer, ()),
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Absolute(list) => list.len(),
            Self::Packed(list) => list.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The fewest corners of a face.
const FEWEST_CORNERS: usize = 3;
/// The most corners of a face that are read; shipped files have ten at most.
const MOST_CORNERS: usize = 64;

/// Refuses a face that is none. `start` is where it stands.
pub(super) fn check_corners(count: usize, index: usize, start: u64) -> Result<()> {
    if (FEWEST_CORNERS..=MOST_CORNERS).contains(&count) {
        return Ok(());
    }
    let message = format!("a face has {FEWEST_CORNERS} to {MOST_CORNERS} corners, this one {count}");
    Err(Error::malformed(message).at(start).in_field("corner_count").in_item(index))
}

/// An offset of the file as the reader takes it.
pub(super) fn offset(at: u32) -> u64 {
    u64::from(at)
}

/// A place as an offset of the file.
pub(super) fn offset_of(at: u64) -> Result<u32> {
    u32::try_from(at)
        .map_err(|_| Error::usage(format!("the file grows beyond what its offsets can say: {at:#x}")))
}

/// Refuses to write a list of another length than it must have.
pub(super) fn same_length(what: &'static str, found: usize, wanted: usize) -> Result<()> {
    if found == wanted {
        return Ok(());
    }
    Err(Error::usage(format!("it holds {found} items where {wanted} are needed")).in_field(what))
}

/// Whether there is nothing to be kept.
pub(super) fn nothing(bytes: &Bytes) -> bool {
    bytes.is_empty()
}
