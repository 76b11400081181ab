//! The layout of a saved game (`SAVEGAME.SAV`) and of the saved state of an inactive map (`.TSG`): chunks with a four-letter tag,
//! a big-endian length and content, terminated by `END ` without a length. Numbers within chunks are little-endian.
//!
//! Source: redguard-preservation, tested on slots of a retail install, version 1.31.

use record::{Bytes, Error, Record, Result};
use serde::{Deserialize, Serialize};

use super::flag::Flag;
use super::named;
use asset::FixedText;
use record::Raw;

/// A saved game, or the saved state of an inactive map.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(check = no_rest_without_end)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// The chunks in file order.
    #[record(until = &END || end, limit = MAX_CHUNKS)]
    pub chunks: Vec<Chunk>,
    /// Whether the file ends with `END `.
    #[record(present = &END)]
    pub end: bool,
    /// Bytes after the end tag; empty in valid files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// The maximum number of chunks. A saved game has about a dozen.
const MAX_CHUNKS: usize = 1 << 16;

/// A chunk. A known chunk with an unexpected length or version is kept as `Other`.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(tag = FixedText<4>, length = u32, length_order = big)]
pub enum Chunk {
    /// SVGM: the slot information for the menu.
    #[record(tag = FIRST, when = length == Header::MIN_SIZE && rest.starts_with(&VERSION))]
    #[serde(rename = "SVGM")]
    Header(Box<Header>),
    /// SVGF: the global flags.
    #[record(tag = FLAGS, when = has_flags(rest))]
    #[serde(rename = "SVGF")]
    Flags(Flags),
    /// SVIT: the inventory.
    #[record(tag = ITEMS, when = length % Item::MIN_SIZE == 4)]
    #[serde(rename = "SVIT")]
    Items(Items),
    /// SVGV: the clock, and many unknown fields.
    #[record(tag = GENERAL, when = length == General::MIN_SIZE)]
    #[serde(rename = "SVGV")]
    General(Box<General>),
    /// Any other chunk.
    #[record(unknown)]
    Other {
        /// The tag: four letters.
        #[record(check = not_the_end)]
        tag: FixedText<4>,
        /// The content.
        data: Bytes,
    },
}

/// The supported version.
pub const VERSION: [u8; 4] = *b"1.31";

/// The slot information for the menu: 272 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version: `1.31`.
    pub version: FixedText<4>,
    /// Compared by the game before restoring the saved game.
    pub compatibility: [u32; 2],
    /// The title of the slot.
    pub text: FixedText<128>,
    /// The number of the world in WORLD.INI.
    pub world: u32,
    /// The name of a bitmap.
    pub bitmap: FixedText<128>,
}

/// The global flags of the scripts, in the order of SOUP386.DEF.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Flags {
    /// The flags; in JSON, each includes its name.
    #[record(by = flag_list, inline)]
    #[serde(with = "named")]
    pub list: Vec<Flag>,
}

/// The inventory.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Items {
    /// The items in the order of ITEM.INI. The last item has no record.
    #[record(leave = 4)]
    pub records: Vec<Item>,
    /// The number of the selected item; -1 for none.
    pub selected: i32,
}

/// An item: 22 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Whether the item is hidden: 0 if visible.
    pub hide: u8,
    #[allow(missing_docs, reason = "unknown field")]
    pub unknown_0x01: u8,
    /// The total number in the game.
    pub total: i32,
    /// The maximum number that the player can own.
    pub player_max: i32,
    /// The number that the player owns.
    pub player_total: i32,
    #[allow(missing_docs, reason = "unknown field")]
    pub unknown_0x0e: u32,
    #[allow(missing_docs, reason = "unknown field")]
    pub unknown_0x12: u32,
}

/// The clock, and many unknown fields: 1,542 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "unknown fields have no documentation")]
pub struct General {
    pub unknown_0x00: Raw<148>,
    /// The BIOS tick (18.2 per second) at which the frame count started.
    pub measurement_base: i32,
    /// Remaining ticks of the last measurement.
    pub measurement_rest: i32,
    /// Measured frame rate.
    pub measured_fps: i32,
    /// The scale of the next frame; 256 is one nominal tick.
    pub next_scale: i32,
    /// Nominal ticks of this frame.
    pub nominal_step: i32,
    /// Fine ticks of this frame, 8 per nominal tick.
    pub fine_step: i32,
    /// The number of frames until the clock runs freely.
    pub warm_up: i32,
    pub unknown_0xb0: i32,
    /// The last BIOS tick.
    pub bios_sample: i32,
    /// The number of frames in this measurement.
    pub frames_counted: i32,
    pub unknown_0xbc: i32,
    /// Smoothed frame rate.
    pub smoothed_fps: i32,
    /// The scale of this frame; 256 is one nominal tick.
    pub frame_scale: i32,
    /// Nominal ticks as displayed.
    pub nominal_shown: i32,
    /// Total nominal ticks.
    pub nominal_total: i32,
    /// Sum of scales; 256 is one nominal tick.
    pub scaled_total: i32,
    /// The amount added to the sum by this frame.
    pub scaled_step: i32,
    /// Fine ticks.
    pub fine_ticks: i32,
    /// Total fine ticks.
    pub fine_total: i32,
    /// Sum of scales; 32 is one fine tick.
    pub fine_scaled: i32,
    /// The amount added to the sum by this frame.
    pub fine_scaled_step: i32,
    /// The minimum frame rate.
    pub min_rate: i32,
    /// The maximum frame rate.
    pub max_rate: i32,
    /// Possibly `use_smooth_fps`.
    pub unknown_0xf0: i32,
    /// Possibly `use_smooth_divisor`.
    pub unknown_0xf4: i32,
    /// The nominal frame rate, times 256.
    pub normal_rate: i32,
    pub unknown_0xfc: Raw<1290>,
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

/// The tag of the first chunk, which identifies the format.
pub(super) const FIRST: [u8; 4] = *b"SVGM";

/// The size of the first chunk in bytes.
pub(super) const HEADER_SIZE: u32 = 272;

const FLAGS: [u8; 4] = *b"SVGF";
const ITEMS: [u8; 4] = *b"SVIT";
const GENERAL: [u8; 4] = *b"SVGV";
const END: [u8; 4] = *b"END ";

/// The tags of the chunks with a known layout.
pub(super) const KNOWN: [[u8; 4]; 4] = [FIRST, FLAGS, ITEMS, GENERAL];

fn no_rest_without_end(save: &Save) -> Result<()> {
    if !save.end && !save.rest.is_empty() {
        return Err(Error::usage("rest must be empty without an END tag").in_field("rest"));
    }
    Ok(())
}

fn not_the_end(tag: &FixedText<4>) -> Result<()> {
    if tag.0 == END { Err(Error::usage("a chunk cannot have the tag END")) } else { Ok(()) }
}

/// Whether the flag count matches the size of the chunk.
fn has_flags(bytes: &[u8]) -> bool {
    let Some((count, rest)) = bytes.split_first_chunk::<4>() else { return false };
    let count = usize::try_from(u32::from_le_bytes(*count)).unwrap_or(usize::MAX);
    count.checked_mul(5) == Some(rest.len())
}

impl Chunk {
    /// Returns the tag.
    #[must_use]
    pub fn tag(&self) -> [u8; 4] {
        match self {
            Self::Header(_) => FIRST,
            Self::Flags(_) => FLAGS,
            Self::Items(_) => ITEMS,
            Self::General(_) => GENERAL,
            Self::Other { tag, .. } => tag.0,
        }
    }

    /// Returns the size of the content in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Header(_) => Header::MIN_SIZE,
            Self::Flags(flags) => flags.list.len().saturating_mul(5).saturating_add(4),
            Self::Items(items) => items.records.len().saturating_mul(22).saturating_add(4),
            Self::General(_) => General::MIN_SIZE,
            Self::Other { data, .. } => data.len(),
        }
    }

    /// Whether the content is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A list of flags: the number of flags, all values, then all states.
mod flag_list {
    use record::{Reader, Record, Result, Writer};

    use super::{Flag, named};

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Vec<Flag>> {
        let count = reader.field("count", |reader| u32::read(reader, ()))?;
        let count = reader.check_count(count, 5, reader.offset())?;
        let mut number = 0..count;
        let values = reader.items(count, |reader| {
            reader.field("value", |reader| {
                let (start, value) = (reader.offset(), reader.take(4)?);
                let value = i32::from_le_bytes(value.first_chunk().copied().unwrap_or_default());
                let name = named::name_of(number.next().unwrap_or_default());
                reader.leaf(start, &format_args!("{value} {name}"));
                Ok(value)
            })
        })?;
        let states = reader.items(count, |reader| reader.field("state", |reader| u8::read(reader, ())))?;
        Ok(values.into_iter().zip(states).map(|(value, state)| Flag { value, state }).collect())
    }

    pub(super) fn write(flags: &[Flag], writer: &mut Writer) -> Result<()> {
        writer.count::<u32>(flags.len())?.write(writer, ())?;
        flags.iter().try_for_each(|flag| flag.value.write(writer, ()))?;
        flags.iter().for_each(|flag| writer.put(&[flag.state]));
        Ok(())
    }
}
