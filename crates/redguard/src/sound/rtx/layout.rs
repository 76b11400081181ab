//! What stands in an `.RTX` file: chunks with a text and perhaps a voice, the mark `END `, a table of the chunks, and a footer that says
//! where the table is.
//!
//! All numbers have the low byte first but the length in front of a chunk and the kind of it.
//! Sources: UESP, "Mod:RTX File Format"; redguard-preservation's documentation; the readers of RGUnity and redguard-mod-manager; counted
//! by others on the game: 4,866 chunks, 3,933 of them voiced.

use record::Record;
use serde::{Deserialize, Serialize};

use asset::FixedText;

/// What a line is called by: four characters. The game looks it up without regard to the case of A to Z.
pub type Tag = FixedText<4>;

/// The last 12 bytes of the file.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
#[record(magic = b"RNAV")]
pub struct Footer {
    /// Where the table starts.
    pub index_offset: u32,
    /// How many entries it has.
    pub index_count: u32,
}

/// An entry of the table. The game's own table runs from the last chunk to the first.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexEntry {
    /// The tag of the chunk once more.
    pub tag: Tag,
    /// Where the chunk's payload starts, behind its head.
    pub payload_offset: u32,
    /// How many bytes the payload has.
    pub payload_size: u32,
}

/// What stands in front of a payload.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkHead {
    /// What the line is called by.
    pub tag: Tag,
    /// How many bytes the payload has.
    #[record(order = big)]
    pub payload_size: u32,
}

/// What a payload starts with; behind it stands the text.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prefix {
    /// 0 for a text, 1 for a text and a voice.
    #[record(order = big)]
    pub kind: u16,
    /// How many bytes the text has.
    pub text_length: u32,
}

/// Bytes of the footer.
pub(super) const FOOTER: u64 = 12;

/// Bytes of an entry of the table.
pub(super) const INDEX_ENTRY: u64 = 12;

/// Bytes in front of a payload.
pub(super) const CHUNK_HEAD: u64 = 8;

/// Bytes in front of a text.
pub(super) const PREFIX: u64 = 6;

/// The mark behind the last chunk. Some programs leave it out.
pub(super) const END: &[u8; 4] = b"END ";
