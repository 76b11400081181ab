//! What stands in a saved game (`SAVEGAME.SAV`) and in what was kept of a map that was left (`.TSG`): chunks of four letters, a big-endian length
//! and their bytes, closed by `END ` without a length. Numbers within chunks are little-endian.
//!
//! Source: redguard-preservation, tested on slots of a retail install, version 1.31.

use record::{Bytes, Error, Reader, Record, Result};
use serde::{Deserialize, Serialize};

use super::named;
use asset::FixedText;
use record::Raw;

/// A saved game, or a map that was left.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(check = nothing_behind_an_open_end)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// The chunks, in their order.
    #[record(until = is_closed)]
    pub chunks: Vec<Chunk>,
    /// Whether `END ` closes the file.
    #[record(present = &END)]
    pub end: bool,
    /// What stands behind that: nothing in sound files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// A chunk. What is known but has another length or version is kept as an `Other`.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(tag = FixedText<4>, length = u32, length_order = big, body = "content")]
pub enum Chunk {
    /// SVGM: what the menu shows of the slot.
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
    /// SVGV: the clock, and much that is not known.
    #[record(tag = GENERAL, when = length == General::MIN_SIZE)]
    #[serde(rename = "SVGV")]
    General(Box<General>),
    /// Any other chunk.
    #[record(unknown)]
    Other {
        /// Its four letters.
        #[record(check = not_the_end)]
        tag: FixedText<4>,
        /// Its bytes.
        data: Bytes,
    },
}

/// The version of which the chunks are known.
pub const VERSION: [u8; 4] = *b"1.31";

/// What the menu shows of the slot: 272 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// `1.31`.
    pub version: FixedText<4>,
    /// What the game compares before it restores anything.
    pub compatibility: [u32; 2],
    /// The text of the slot.
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
    /// The flags; in JSON each with its name.
    #[record(by = flag_list, inline)]
    #[serde(with = "named")]
    pub list: Vec<Flag>,
}

/// A global flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flag {
    /// What scripts read.
    pub value: i32,
    /// Its kind and its latch in one byte.
    pub state: u8,
}

impl Flag {
    /// The bit of the latch. It is concluded from the console's `setflag`, which takes the other bits (239) to clear it.
    pub const LATCH: u8 = 0x10;

    /// Whether it is latched: what `TestGlobalFlag` gives.
    #[must_use]
    pub const fn is_latched(self) -> bool {
        self.state & Self::LATCH != 0
    }
}

/// The inventory.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Items {
    /// The items in the order of ITEM.INI. The last item has no record.
    #[record(leave = 4)]
    pub records: Vec<Item>,
    /// The number of the item in hand, -1 for none.
    pub selected: i32,
}

/// An item: 22 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Not 0: not shown.
    pub hide: u8,
    #[allow(missing_docs, reason = "nobody knows")]
    pub unknown_0x01: u8,
    /// How many there are in all.
    pub total: i32,
    /// How many the player can have.
    pub player_max: i32,
    /// How many the player has.
    pub player_total: i32,
    #[allow(missing_docs, reason = "nobody knows")]
    pub unknown_0x0e: u32,
    #[allow(missing_docs, reason = "nobody knows")]
    pub unknown_0x12: u32,
}

/// The clock, and much that is not known: 1,542 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "of the unknown fields nobody knows more")]
pub struct General {
    pub unknown_0x00: Raw<148>,
    /// The tick of the BIOS (18.2 a second) at which frames are counted from.
    pub measurement_base: i32,
    /// Ticks left over from the last measurement.
    pub measurement_rest: i32,
    /// Frames a second, as measured.
    pub measured_fps: i32,
    /// The next frame's scale, 256 for one nominal tick.
    pub next_scale: i32,
    /// Nominal ticks of this frame.
    pub nominal_step: i32,
    /// Fine ticks of this frame, 8 to a nominal one.
    pub fine_step: i32,
    /// Frames until the clock runs freely.
    pub warm_up: i32,
    pub unknown_0xb0: i32,
    /// The last tick of the BIOS.
    pub bios_sample: i32,
    /// Frames of this measurement.
    pub frames_counted: i32,
    pub unknown_0xbc: i32,
    /// Frames a second, smoothed.
    pub smoothed_fps: i32,
    /// This frame's scale, 256 for one nominal tick.
    pub frame_scale: i32,
    /// Nominal ticks that are shown.
    pub nominal_shown: i32,
    /// Nominal ticks in all.
    pub nominal_total: i32,
    /// The sum of scales, 256 for one nominal tick.
    pub scaled_total: i32,
    /// What this frame added to it.
    pub scaled_step: i32,
    /// Fine ticks.
    pub fine_ticks: i32,
    /// Fine ticks in all.
    pub fine_total: i32,
    /// The sum of scales, 32 for one fine tick.
    pub fine_scaled: i32,
    /// What this frame added to it.
    pub fine_scaled_step: i32,
    /// The least frames a second that count.
    pub min_rate: i32,
    /// The most frames a second that count.
    pub max_rate: i32,
    /// Perhaps `use_smooth_fps`.
    pub unknown_0xf0: i32,
    /// Perhaps `use_smooth_divisor`.
    pub unknown_0xf4: i32,
    /// The usual frames a second, times 256.
    pub normal_rate: i32,
    pub unknown_0xfc: Raw<1290>,
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

/// The tag of the first chunk, which tells the format.
pub(super) const FIRST: [u8; 4] = *b"SVGM";

/// How long it is.
pub(super) const HEADER_SIZE: u32 = 272;

const FLAGS: [u8; 4] = *b"SVGF";
const ITEMS: [u8; 4] = *b"SVIT";
const GENERAL: [u8; 4] = *b"SVGV";
const END: [u8; 4] = *b"END ";

/// The chunks whose layout is known.
pub(super) const KNOWN: [[u8; 4]; 4] = [FIRST, FLAGS, ITEMS, GENERAL];

fn is_closed(reader: &Reader<'_>) -> Result<bool> {
    Ok(reader.is_at_end() || reader.rest().starts_with(&END))
}

fn nothing_behind_an_open_end(save: &Save) -> Result<()> {
    if !save.end && !save.rest.is_empty() {
        return Err(Error::usage("nothing can stand behind the end where there is none").in_field("rest"));
    }
    Ok(())
}

fn not_the_end(tag: &FixedText<4>) -> Result<()> {
    if tag.0 == END { Err(Error::usage("a chunk cannot be called END")) } else { Ok(()) }
}

/// Whether the number of flags in front fits the bytes.
fn has_flags(bytes: &[u8]) -> bool {
    let Some((count, rest)) = bytes.split_first_chunk::<4>() else { return false };
    let count = usize::try_from(u32::from_le_bytes(*count)).unwrap_or(usize::MAX);
    count.checked_mul(5) == Some(rest.len())
}

impl Chunk {
    /// The four letters in front of it.
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

    /// How many bytes it takes behind its length.
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

    /// Whether it takes none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Their number, all values, then all states.
mod flag_list {
    use record::{Reader, Record, Result, Writer};

    use super::{Flag, named};

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Vec<Flag>> {
        let count = reader.field("count", |reader| u32::read(reader, ()))?;
        let count = reader.check_count(count, 5, reader.offset())?;
        let mut number = 0..count;
        let values = reader.field("values", |reader| {
            reader.items(count, |reader| {
                let (start, value) = (reader.offset(), reader.take(4)?);
                let value = i32::from_le_bytes(value.first_chunk().copied().unwrap_or_default());
                let name = named::name_of(number.next().unwrap_or_default());
                reader.leaf(start, &format_args!("{value} {name}"));
                Ok(value)
            })
        })?;
        let states = reader.field("states", |reader| u8::read_list(reader, count, ()))?;
        Ok(values.into_iter().zip(states).map(|(value, state)| Flag { value, state }).collect())
    }

    pub(super) fn write(flags: &[Flag], writer: &mut Writer) -> Result<()> {
        writer.count::<u32>(flags.len())?.write(writer, ())?;
        flags.iter().try_for_each(|flag| flag.value.write(writer, ()))?;
        flags.iter().for_each(|flag| writer.put(&[flag.state]));
        Ok(())
    }
}
