//! Layout of a terrain (`.WLD`): a header, tables, and tiles of 128 x 128 corners with four planes each; little-endian.
//!
//! Sources: UESP, "Mod:World Files"; redguard-preservation's documentation and its authors' findings about the Glide program; measurements
//! of bethesda-multitool on the software program.

use record::{Bytes, Error, Raw, Record, Result};
use serde::{Deserialize, Serialize};

/// Number of corners along each side of a tile.
pub const SIDE: usize = 128;

/// Size of a plane in bytes: one byte per corner.
const PLANE: u32 = 128 * 128;

/// Size of the level table in bytes.
const LEVELS: u32 = 1024;

/// A terrain.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terrain {
    /// The first 144 bytes.
    pub header: Header,
    /// Offset of each tile. Not read by the game, which reads the tiles sequentially.
    #[record(count = header.tile_table_bytes / 4)]
    pub tile_offsets: Vec<u32>,
    /// 25, 30, 80, 127, and zeros. Not read by the game.
    #[record(count = LEVELS)]
    pub levels: Bytes,
    /// Tiles, row by row.
    #[record(count = header.columns.saturating_mul(header.rows))]
    pub tiles: Vec<Tile>,
    /// Whether the `TULO` trailer follows.
    #[record(present = b"TULO")]
    pub has_trailer: bool,
    /// Three numbers of the trailer, the same in all files. Not read by the game.
    #[record(when = has_trailer)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trailer: Option<[u32; 3]>,
    /// Bytes after the trailer: none in valid files.
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
    /// Size of the tile table in bytes: 16.
    #[record(check = are_words)]
    pub tile_table_bytes: u32,
    /// Number of tile columns: 2.
    pub columns: u32,
    /// Number of tile rows: 2.
    pub rows: u32,
    /// Zero.
    pub unused_0c: u32,
    /// Offset of the level table: 160.
    pub level_table_offset: u32,
    /// 1; the game refuses other values.
    #[record(check = is_one)]
    pub version: u32,
    /// Size of a tile header in bytes: 22; the game refuses other values.
    #[record(check = is_size_of_header)]
    pub tile_header_bytes: u32,
    /// Offset of the end of the tiles: 263416.
    pub data_end: u32,
    /// Zeros.
    pub unused_20: Raw<112>,
}

fn are_words(bytes: &u32) -> Result<()> {
    match bytes % 4 {
        0 => Ok(()),
        _ => Err(Error::malformed(format!("found {bytes} bytes, expected a multiple of 4"))),
    }
}

fn is_one(version: &u32) -> Result<()> {
    match version {
        1 => Ok(()),
        _ => Err(Error::malformed(format!("found version {version}, expected 1"))),
    }
}

fn is_size_of_header(bytes: &u32) -> Result<()> {
    match bytes {
        22 => Ok(()),
        _ => Err(Error::malformed(format!("found {bytes} bytes, expected 22"))),
    }
}

impl Header {
    /// Number of tiles; saturates on overflow, at more than a file can contain.
    #[must_use]
    pub const fn tile_count(&self) -> u32 {
        self.columns.saturating_mul(self.rows)
    }
}

/// A tile.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tile {
    /// A different number in each tile, the same in all files: 2152, 568, 1308, 10.
    pub unknown_00: u16,
    /// Zeros.
    pub unknown_02: [u16; 2],
    /// Bank of the textures: 302. The game uses that bank whatever the value is.
    pub texture_set: u16,
    /// Index into the level table: 0.
    pub level: u8,
    /// The low five bits are nonzero if planes follow. The Glide program does not check them.
    pub flag: u8,
    /// Zeros.
    pub unknown_0a: Raw<12>,
    /// Ground of the tile.
    #[record(with = flag)]
    pub ground: Ground,
}

/// Ground of a tile.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(context = u8)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// Four planes.
    #[record(when = context & 0x1f != 0)]
    Planes(Planes),
    /// A seed from which a program generates the ground, in an unknown way. No file of the game has it.
    Seed(Raw<25>),
}

/// Planes of a tile, with one byte per corner: rows from north to south (decreasing Z), and from west to east (increasing X) within a row.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planes {
    /// Low seven bits: an index into the height table. High bit: how the software program splits the square at this corner.
    #[record(count = PLANE)]
    pub heights: Bytes,
    /// Objects scattered on the ground: zeros, and not read by the game.
    #[record(count = PLANE)]
    pub scatter: Bytes,
    /// Low six bits: an image of bank 302. High two bits: its number of quarter turns.
    #[record(count = PLANE)]
    pub surface: Bytes,
    /// Zeros; not read by the game.
    #[record(count = PLANE)]
    pub unused: Bytes,
}
