//! The layout of a terrain (`.WLD`): a header, tables, and tiles of 128 x 128 corners with four planes each; little-endian.
//!
//! Sources: UESP, "Mod:World Files"; redguard-preservation's documentation and what its authors found in the Glide program; measurements of
//! bethesda-multitool on the software program.

use record::{Bytes, Error, Raw, Record, Result};
use serde::{Deserialize, Serialize};

/// Corners along a side of a tile.
pub const SIDE: usize = 128;

/// Bytes of a plane: one for each corner.
const PLANE: u32 = 128 * 128;

/// Bytes of the table of levels.
const LEVELS: u32 = 1024;

/// A terrain.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terrain {
    /// The first 144 bytes.
    pub header: Header,
    /// Where each tile begins. Not read by the game, which takes one tile after the other.
    #[record(count = header.tile_table_bytes / 4)]
    pub tile_offsets: Vec<u32>,
    /// 25, 30, 80, 127, and zeros. Not read by the game.
    #[record(count = LEVELS)]
    pub levels: Bytes,
    /// The tiles, row by row.
    #[record(count = header.tile_count())]
    pub tiles: Vec<Tile>,
    /// Whether `TULO` follows.
    #[record(present = b"TULO")]
    pub has_trailer: bool,
    /// Three numbers behind it, the same in all files. Not read by the game.
    #[record(when = has_trailer)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trailer: Option<[u32; 3]>,
    /// Bytes after that: none in valid files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.0.is_empty()
}

/// The first 144 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Bytes of the table of tiles: 16.
    #[record(check = are_words)]
    pub tile_table_bytes: u32,
    /// Tiles side by side: 2.
    pub columns: u32,
    /// Rows of tiles: 2.
    pub rows: u32,
    /// Zero.
    pub unused_0c: u32,
    /// Where the table of levels begins: 160.
    pub level_table_offset: u32,
    /// 1; the game refuses others.
    #[record(check = is_one)]
    pub version: u32,
    /// Bytes of a tile's header: 22; the game refuses others.
    #[record(check = is_size_of_header)]
    pub tile_header_bytes: u32,
    /// Where the tiles end: 263416.
    pub data_end: u32,
    /// Zeros.
    pub unused_20: Raw<112>,
}

fn are_words(bytes: &u32) -> Result<()> {
    match bytes % 4 {
        0 => Ok(()),
        _ => {
            Err(Error::malformed(format!("the table of tiles has {bytes} bytes, which are no whole offsets")))
        }
    }
}

fn is_one(version: &u32) -> Result<()> {
    match version {
        1 => Ok(()),
        _ => Err(Error::malformed(format!("the version is {version} (the game reads: 1)"))),
    }
}

fn is_size_of_header(bytes: &u32) -> Result<()> {
    match bytes {
        22 => Ok(()),
        _ => Err(Error::malformed(format!("headers of tiles have {bytes} bytes (the game reads: 22)"))),
    }
}

impl Header {
    /// How many tiles there are; more than a file can have where there are too many to count.
    #[must_use]
    pub const fn tile_count(&self) -> u32 {
        self.columns.saturating_mul(self.rows)
    }
}

/// A tile.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tile {
    /// Another number in each place, the same in all files: 2152, 568, 1308, 10.
    pub unknown_00: u16,
    /// Zeros.
    pub unknown_02: [u16; 2],
    /// The bank of its textures: 302. The game takes that one whatever stands here.
    pub texture_set: u16,
    /// Its place in the table of levels: 0.
    pub level: u8,
    /// Its low five bits are not all 0 where planes follow. The Glide program does not look.
    pub flag: u8,
    /// Zeros.
    pub unknown_0a: Raw<12>,
    /// What its ground is like.
    #[record(with = flag)]
    pub ground: Ground,
}

/// What the ground of a tile is like.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(context = u8)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// Four planes.
    #[record(when = context & 0x1f != 0)]
    Planes(Planes),
    /// What a program makes the ground of, in an unknown way. No file of the game has it.
    Seed(Raw<25>),
}

/// The planes of a tile, each with a byte for each corner: rows from north to south (high Z to low Z), in a row from west to east (X rises).
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planes {
    /// Seven bits: a place in the table of heights. The eighth says how the software program splits the square that begins here.
    #[record(count = PLANE)]
    pub heights: Bytes,
    /// What is scattered on the ground: zeros, and not read by the game.
    #[record(count = PLANE)]
    pub scatter: Bytes,
    /// Six bits: an image of bank 302. The other two: how often it is turned by a quarter.
    #[record(count = PLANE)]
    pub surface: Bytes,
    /// Zeros; not read by the game.
    #[record(count = PLANE)]
    pub unused: Bytes,
}
