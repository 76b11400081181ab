//! Records shared by both generations of models: corners, and the encodings of frame vertices and normals.

use record::{Bytes, Error, Reader, Record, Result};
use serde::{Deserialize, Serialize};

/// Three integers: a position or a direction, in 256ths of a world unit.
pub type Triple = [i32; 3];

/// A corner of a face: 8 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[record(flat)]
#[serde(deny_unknown_fields)]
pub struct Corner {
    /// Vertex: an index from v4.0 on; in earlier versions a byte offset with 12 bytes per vertex.
    pub vertex: u32,
    /// Difference of u from the previous corner, in 16ths of a texel; absolute for the first corner.
    pub u_delta: i16,
    /// Difference of v from the previous corner.
    pub v_delta: i16,
}

/// Vertex positions of one frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VertexPositions {
    /// Absolute positions, in 256ths.
    Absolute(Vec<Triple>),
    /// Differences from the reference frame.
    Words(Vec<[i16; 3]>),
    /// Differences in integer world units.
    Bytes(Vec<[i8; 3]>),
}

/// Face normals of one frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Normals {
    /// Components in 256ths.
    Absolute(Vec<Triple>),
    /// Three 10-bit numbers per word.
    Packed(Vec<u32>),
}

/// Integer size of stored vertex positions.
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

    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Absolute(list) => list.len(),
            Self::Words(list) => list.len(),
            Self::Bytes(list) => list.len(),
        }
    }

    /// Whether there are no vertices.
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

    /// Number of normals.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Absolute(list) => list.len(),
            Self::Packed(list) => list.len(),
        }
    }

    /// Whether there are no normals.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Minimum number of corners of a face.
const MIN_CORNERS: usize = 3;
/// Maximum number of corners of a face; shipped files have at most ten.
const MAX_CORNERS: usize = 64;

/// Rejects a face with an invalid number of corners. `start` is the offset of the face.
pub(super) fn check_corners(count: usize, index: usize, start: u64) -> Result<()> {
    if (MIN_CORNERS..=MAX_CORNERS).contains(&count) {
        return Ok(());
    }
    let message = format!("corner_count is {count} (valid: {MIN_CORNERS} to {MAX_CORNERS})");
    Err(Error::malformed(message).at(start).in_field("corner_count").in_item(index))
}

/// Converts a stored offset to a reader offset.
pub(super) fn offset(at: u32) -> u64 {
    u64::from(at)
}

/// Converts a writer offset to a stored offset.
pub(super) fn offset_of(at: u64) -> Result<u32> {
    u32::try_from(at)
        .map_err(|_| Error::usage(format!("offset {at:#x} does not fit into 32 bits; the file is too large")))
}

/// Rejects a list of the wrong length when writing.
pub(super) fn same_length(what: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::usage(format!("found {found} items, expected {expected}")).in_field(what))
}

/// Whether there are no bytes.
pub(super) fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}
