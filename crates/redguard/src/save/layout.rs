//! What stands in a saved game (`SAVEGAME.SAV`) and in what was kept of a map that was left (`.TSG`): chunks of four letters, a big-endian length
//! and their bytes, closed by `END ` without a length. Numbers within chunks are little-endian.
//!
//! Source: redguard-preservation, tested on slots of a retail install, version 1.31.

use record::{Bytes, Error, Order, Reader, Record, Result, Writer};
use serde::{Deserialize, Serialize};

use super::named;
use crate::name::FixedText;
use crate::raw::Raw;

/// A saved game, or a map that was left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// The chunks, in their order.
    pub chunks: Vec<Chunk>,
    /// Whether `END ` closes the file.
    pub end: bool,
    /// What stands behind that: nothing in sound files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// A chunk. What is known but has another length or version is kept as an `Other`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Chunk {
    /// SVGM: what the menu shows of the slot.
    #[serde(rename = "SVGM")]
    Header(Box<Header>),
    /// SVGF: the global flags.
    #[serde(rename = "SVGF")]
    Flags(Flags),
    /// SVIT: the inventory.
    #[serde(rename = "SVIT")]
    Items(Items),
    /// SVGV: the clock, and much that is not known.
    #[serde(rename = "SVGV")]
    General(Box<General>),
    /// Any other chunk.
    Other {
        /// Its four letters.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Flags {
    /// The flags; in JSON each with its name.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Items {
    /// The items in the order of ITEM.INI. The last item has no record.
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
const GENERAL_SIZE: u32 = 1542;
const END: [u8; 4] = *b"END ";

/// The chunks whose layout is known.
pub(super) const KNOWN: [[u8; 4]; 4] = [FIRST, FLAGS, ITEMS, GENERAL];

impl Record for Save {
    type Context = ();
    const MIN_SIZE: usize = 4;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let chunks = reader.field("chunks", |reader| {
            let mut chunks = Vec::new();
            while !reader.is_at_end() && !reader.rest().starts_with(&END) {
                chunks.push(reader.item(chunks.len(), |reader| Chunk::read(reader, ()))?);
            }
            Ok(chunks)
        })?;
        let end = !reader.is_at_end();
        if end {
            reader.field("end", |reader| FixedText::<4>::read(reader, ()))?;
        }
        let rest = reader.field("rest", |reader| Bytes::read(reader, ()))?;
        Ok(Self { chunks, end, rest })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        writer.field("chunks", |writer| Chunk::write_list(&self.chunks, writer, ()))?;
        if self.end {
            writer.put(&END);
        } else if !self.rest.is_empty() {
            return Err(Error::usage("nothing can stand behind the end where there is none").in_field("rest"));
        }
        writer.put(&self.rest);
        Ok(())
    }
}

impl Record for Chunk {
    type Context = ();
    const MIN_SIZE: usize = 8;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let tag = reader.field("tag", |reader| FixedText::<4>::read(reader, ()))?;
        let at = reader.offset();
        let size =
            reader.field("length", |reader| reader.ordered(Order::Big, |reader| u32::read(reader, ())))?;
        reader.check_count(size, 1, at).map_err(|error| error.in_field("length"))?;
        reader.field("content", |reader| {
            reader.section(size, |reader| match (tag.0, size) {
                (FIRST, HEADER_SIZE) if reader.rest().starts_with(&VERSION) => {
                    Header::read(reader, ()).map(|header| Self::Header(Box::new(header)))
                }
                (FLAGS, _) if has_flags(reader.rest()) => Flags::read(reader, ()).map(Self::Flags),
                (ITEMS, _) if size % 22 == 4 => Items::read(reader, ()).map(Self::Items),
                (GENERAL, GENERAL_SIZE) => {
                    General::read(reader, ()).map(|general| Self::General(Box::new(general)))
                }
                _ => Bytes::read(reader, ()).map(|data| Self::Other { tag, data }),
            })
        })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        writer.put(&self.tag());
        let place = writer.reserve(4);
        let start = writer.offset();
        match self {
            Self::Header(header) => header.write(writer, ())?,
            Self::Flags(flags) => flags.write(writer, ())?,
            Self::Items(items) => items.write(writer, ())?,
            Self::General(general) => general.write(writer, ())?,
            Self::Other { tag, .. } if tag.0 == END => {
                return Err(Error::usage("a chunk cannot be called END").in_field("tag"));
            }
            Self::Other { data, .. } => writer.put(data),
        }
        let size = u32::try_from(writer.offset().saturating_sub(start))
            .map_err(|_| Error::usage("a chunk takes more than 4 GB"))?;
        writer.patch(place, &size.swap_bytes(), ())
    }
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

impl Record for Flags {
    type Context = ();
    const MIN_SIZE: usize = 4;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
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
        let list = values.into_iter().zip(states).map(|(value, state)| Flag { value, state }).collect();
        Ok(Self { list })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        writer.count::<u32>(self.list.len())?.write(writer, ())?;
        self.list.iter().try_for_each(|flag| flag.value.write(writer, ()))?;
        self.list.iter().for_each(|flag| writer.put(&[flag.state]));
        Ok(())
    }
}

impl Record for Items {
    type Context = ();
    const MIN_SIZE: usize = 4;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let count = reader.remaining().saturating_sub(4).checked_div(Item::MIN_SIZE).unwrap_or_default();
        let records = reader.field("records", |reader| Item::read_list(reader, count, ()))?;
        let selected = reader.field("selected", |reader| i32::read(reader, ()))?;
        Ok(Self { records, selected })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        Item::write_list(&self.records, writer, ())?;
        self.selected.write(writer, ())
    }
}
