//! The layout of an `.RTX` file: chunks with a text and an optional voice, the tag `END `, an index of the chunks, and a footer
//! with the offset of the index.
//!
//! All numbers are little-endian except the length and the kind of a chunk, which are big-endian.
//! Sources: UESP, "Mod:RTX File Format"; redguard-preservation's documentation; the readers of RGUnity and redguard-mod-manager;
//! third-party counts of the game's file: 4,866 chunks, 3,933 of them voiced.

use record::Record;
use record::schema::{ByHand, Schema, TypeDoc};
use serde::{Deserialize, Serialize};

use crate::sound::SoundHeader;
use asset::FixedText;

/// The dialogue file: lines one after another, then the index.
pub(super) const SCHEMA: Schema = Schema::ByHand(
    const {
        &ByHand {
            doc: TypeDoc {
                path: || "rtx::Dialogue",
                about: "Chunks with a text and an optional voice, the tag `END `, an index of the chunks, and a footer at the end.",
            },
            context: None,
            reason: "the lines are located by the index, which is located by the footer at the end of the file; a file can have \
                     hundreds of megabytes, so its parts are read separately",
            fields: &[],
            parts: &[
                ChunkHead::schema,
                Prefix::schema,
                SoundHeader::schema,
                IndexEntry::schema,
                Footer::schema,
            ],
        }
    },
);

/// The tag of a line: four characters. The game's lookup ignores the case of A to Z.
pub type Tag = FixedText<4>;

/// The last 12 bytes of the file.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
#[record(magic = b"RNAV")]
pub struct Footer {
    /// The offset of the index.
    pub index_offset: u32,
    /// The number of index entries.
    pub index_count: u32,
}

/// An index entry. The game's own index is in reverse chunk order.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexEntry {
    /// The tag of the chunk.
    pub tag: Tag,
    /// The offset of the chunk's payload, which follows the chunk header.
    pub payload_offset: u32,
    /// The size of the payload in bytes.
    pub payload_size: u32,
}

/// The header of a chunk.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkHead {
    /// The tag of the line.
    pub tag: Tag,
    /// The size of the payload in bytes.
    #[record(order = big)]
    pub payload_size: u32,
}

/// The header of a payload; the text follows.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prefix {
    /// 0 for a text, 1 for a text and a voice.
    #[record(order = big)]
    pub kind: u16,
    /// The size of the text in bytes.
    pub text_length: u32,
}

/// The size of the footer in bytes.
pub(super) const FOOTER: u64 = 12;

/// The size of an index entry in bytes.
pub(super) const INDEX_ENTRY: u64 = 12;

/// The size of a chunk header in bytes.
pub(super) const CHUNK_HEAD: u64 = 8;

/// The size of the payload header in bytes.
pub(super) const PREFIX: u64 = 6;

/// The tag after the last chunk. Some tools omit it.
pub(super) const END: &[u8; 4] = b"END ";
