//! What stands in an `.SFX` file: a header that counts, one section with all effects in a row, and a mark of the end.
//!
//! The lengths of the two sections have the high byte first, everything else the low byte. There is no table: the game finds an effect
//! by its place, counted from 0.
//! Sources: UESP, "Mod:SFX File Format"; redguard-preservation's documentation; counted by others on the game: 118 effects.

use record::{Bytes, Error, Order, Reader, Record, Result, Writer};
use serde::{Deserialize, Serialize};

use crate::name::FixedText;
use crate::sound::{HEADER, SoundHeader, length};

/// A file of effects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoundBank {
    /// What the program that made it wrote about itself: "Conveted by SoupFX".
    pub description: FixedText<32>,
    /// What stands behind the count, within the header's length: nothing in sound files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub header_rest: Bytes,
    /// The effects; scripts and animations name them by their place.
    pub effects: Vec<Effect>,
    /// What stands behind the last effect, within the section's length: nothing in sound files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub effects_rest: Bytes,
    /// What stands behind the section: "END ".
    pub end: Bytes,
}

/// One effect.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// What its samples are like.
    pub header: SoundHeader,
    /// Its samples: of 8 bits without a sign, of 16 bits with one; left before right.
    #[record(count = header.data_length)]
    pub pcm: Bytes,
}

/// The tag of the header.
pub(super) const HEADER_TAG: &[u8; 4] = b"FXHD";

/// The tag of the section with the effects.
const EFFECTS_TAG: &[u8; 4] = b"FXDT";

/// The mark of the end.
pub(super) const END: &[u8] = b"END ";

/// Bytes of the header without its tag and length.
const COUNTED: u64 = 36;

/// Where the first effect starts in a file whose header has no rest.
const FIRST: u64 = 52;

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

/// Reads a section: its tag, its length, and what stands in it.
fn section<T>(
    reader: &mut Reader<'_>,
    tag: &[u8; 4],
    read: impl FnOnce(&mut Reader<'_>) -> Result<T>,
) -> Result<T> {
    reader.magic(tag)?;
    let size = reader.field("section_size", |reader| {
        let start = reader.offset();
        let size = reader.ordered(Order::Big, |reader| u32::read(reader, ()))?;
        reader.check_count(size, 1, start)
    })?;
    reader.within(u64::try_from(size).unwrap_or(u64::MAX), read)
}

impl Record for SoundBank {
    type Context = ();
    const MIN_SIZE: usize = 52;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let (description, count, at, header_rest) = reader.field("header", |reader| {
            section(reader, HEADER_TAG, |reader| {
                let description = reader.field("description", |reader| FixedText::read(reader, ()))?;
                let at = reader.offset();
                let count = reader.field("effect_count", |reader| u32::read(reader, ()))?;
                Ok((description, count, at, reader.field("rest", |reader| Bytes::read(reader, ()))?))
            })
        })?;
        let (effects, effects_rest) = reader.field("effects", |reader| {
            section(reader, EFFECTS_TAG, |reader| {
                let count = reader
                    .check_count(count, Effect::MIN_SIZE, at)
                    .map_err(|error| error.in_field("count"))?;
                let effects = reader.items(count, |reader| Effect::read(reader, ()))?;
                Ok((effects, reader.field("rest", |reader| Bytes::read(reader, ()))?))
            })
        })?;
        if reader.rest().starts_with(HEADER_TAG) {
            let message = "a second header stands behind the effects";
            return Err(Error::malformed(message).at(reader.offset()));
        }
        let end = reader.field("end", |reader| Bytes::read(reader, ()))?;
        Ok(Self { description, header_rest, effects, effects_rest, end })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        writer.put(HEADER_TAG);
        let header = COUNTED.saturating_add(length(&self.header_rest));
        put_size(writer, header)?;
        self.description.write(writer, ())?;
        let count: u32 = writer.field("effects", |writer| writer.count(self.effects.len()))?;
        count.write(writer, ())?;
        writer.put(&self.header_rest);
        writer.put(EFFECTS_TAG);
        let place = writer.reserve(4);
        let start = writer.offset();
        writer.field("effects", |writer| Effect::write_list(&self.effects, writer, ()))?;
        writer.put(&self.effects_rest);
        let size = writer.offset().saturating_sub(start);
        let size: u32 = writer.count(usize::try_from(size).unwrap_or(usize::MAX))?;
        writer.ordered(Order::Big, |writer| writer.patch(place, &size, ()))?;
        writer.put(&self.end);
        Ok(())
    }
}

fn put_size(writer: &mut Writer, size: u64) -> Result<()> {
    let size: u32 = writer.count(usize::try_from(size).unwrap_or(usize::MAX))?;
    writer.ordered(Order::Big, |writer| size.write(writer, ()))
}

impl SoundBank {
    /// The effects, each with its number and the place where its header starts in the file.
    pub fn placed(&self) -> impl Iterator<Item = (usize, u64, &Effect)> {
        let mut at = FIRST.saturating_add(length(&self.header_rest));
        self.effects.iter().enumerate().map(move |(number, effect)| {
            let start = at;
            at = start.saturating_add(HEADER).saturating_add(length(&effect.pcm));
            (number, start, effect)
        })
    }

    /// Where what stands behind the effects starts.
    pub(super) fn behind_effects(&self) -> u64 {
        let last = self.placed().last();
        last.map_or(FIRST.saturating_add(length(&self.header_rest)), |(_, start, effect)| {
            start.saturating_add(HEADER).saturating_add(length(&effect.pcm))
        })
    }
}
