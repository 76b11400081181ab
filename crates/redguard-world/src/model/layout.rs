//! What both generations of models share: corners, and the encodings of frame vertices and normals.

use record::{Bytes, Error, Reader, Record, Result};
use serde::{Deserialize, Serialize};

/// Three integers: a position or a direction in 256ths of a world unit.
pub type Triple = [i32; 3];

/// A corner of a face: 8 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[record(flat)]
#[serde(deny_unknown_fields)]
pub struct Corner {
    /// The vertex: its index from v4.0 on; in earlier versions its byte offset, with twelve bytes per vertex.
    pub vertex: u32,
    /// Difference of u from the previous corner, in 16ths of a texel; absolute for the first corner.
    pub u_delta: i16,
    /// Difference of v from the previous corner.
    pub v_delta: i16,
}

/// The vertex positions of one frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VertexPositions {
    /// Absolute positions, in 256ths.
    Absolute(Vec<Triple>),
    /// Differences from the reference frame.
    Words(Vec<[i16; 3]>),
    /// Differences in whole world units.
    Bytes(Vec<[i8; 3]>),
}

/// The face normals of one frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Normals {
    /// In 256ths.
    Absolute(Vec<Triple>),
    /// Three ten-bit numbers per word.
    Packed(Vec<u32>),
}

/// The number size of stored vertex positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    Long,
    Word,
    Byte,
}

impl VertexPositions {
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

    /// Number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Absolute(list) => list.len(),
            Self::Words(list) => list.len(),
            Self::Bytes(list) => list.len(),
        }
    }

    /// Whether there are no items.
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

    /// Number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Absolute(list) => list.len(),
            Self::Packed(list) => list.len(),
        }
    }

    /// Whether there are no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The fewest corners of a face.
const FEWEST_CORNERS: usize = 3;
/// The most corners of a face; shipped files have at most ten.
const MOST_CORNERS: usize = 64;

/// Rejects a face with an invalid number of corners. `start` is its offset.
pub(super) fn check_corners(count: usize, index: usize, start: u64) -> Result<()> {
    if (FEWEST_CORNERS..=MOST_CORNERS).contains(&count) {
        return Ok(());
    }
    let message = format!("corner_count is {count} (valid: {FEWEST_CORNERS} to {MOST_CORNERS})");
    Err(Error::malformed(message).at(start).in_field("corner_count").in_item(index))
}

/// A stored offset as a reader offset.
pub(super) fn offset(at: u32) -> u64 {
    u64::from(at)
}

/// A writer offset as a stored offset.
pub(super) fn offset_of(at: u64) -> Result<u32> {
    u32::try_from(at)
        .map_err(|_| Error::usage(format!("offset {at:#x} does not fit into 32 bits; the file is too large")))
}

/// Rejects a list of the wrong length on writing.
pub(super) fn same_length(what: &'static str, found: usize, wanted: usize) -> Result<()> {
    if found == wanted {
        return Ok(());
    }
    Err(Error::usage(format!("expected {wanted} items, found {found}")).in_field(what))
}

/// Whether there are no bytes.
pub(super) fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}
