//! The layout of a timbre library: an index of entries (patch, bank, offset) that ends with `FF FF`, then the timbres. Little-endian.
//!
//! Sources: the readers of ScummVM (`audio/miles_adlib.cpp`) for timbres with two operators, and libADLMIDI (`load_ail.h`), which
//! also supports four.

use std::collections::BTreeMap;

use record::{
    Bytes, Declared, Error, Layout, LayoutReader, LayoutWriter, Reader, Record, Result, Writer, by_hand,
};
use serde::{Deserialize, Serialize};

/// The percussion bank: each patch is a key of the drum channel.
pub const PERCUSSION: u8 = 127;

/// The maximum number of index entries: one for each patch of each bank, except the pair that marks the end.
pub const MAX_ENTRIES: usize = 65_535;

/// The size in bytes of a timbre with two operators.
pub(super) const TWO_OPERATORS: u16 = 14;

/// The size in bytes of a timbre with four operators.
pub(super) const FOUR_OPERATORS: u16 = 25;

/// The bytes that mark the end of the index: patch and bank 255.
pub(super) const END: [u8; 2] = [0xff; 2];

/// A timbre library.
#[derive(Declared, Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimbreLibrary {
    /// The index, which maps patches to timbres. Entries may share a timbre.
    #[record(stored_as = Index, inline)]
    pub entries: Vec<Entry>,
    /// The timbres, in the order in which the index first refers to them.
    #[record(by = parts_at_offsets)]
    pub timbres: Vec<Timbre>,
    /// The locations of the timbres.
    pub layout: Layout,
}

/// An entry of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// MIDI program number; in bank 127, the key of the drum.
    pub patch: u8,
    /// Bank number; 127 is percussion.
    pub bank: u8,
    /// The timbre of the patch.
    pub timbre: TimbreRef,
}

/// A reference from an entry to a timbre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TimbreRef {
    /// The index of a timbre.
    Number(u32),
    /// An offset with no timbre: within the index, or too close to the end of the file.
    Dangling {
        /// The offset from the start of the file.
        offset: u32,
    },
}

/// A timbre: an instrument, stored as register values of the sound chip. It starts with its size in bytes as a `u16`, called
/// `tag`.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(tag = u16, check = check_length)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Timbre {
    /// 14 bytes: two operators, for OPL2 and OPL3.
    #[record(tag = TWO_OPERATORS)]
    TwoOperators {
        /// Semitones added to each note; in bank 127, the note to play.
        transpose: i8,
        /// The operators.
        voice: Voice,
    },
    /// 25 bytes: four operators, for OPL3.
    #[record(tag = FOUR_OPERATORS)]
    FourOperators {
        /// Semitones added to each note; in bank 127, the note to play.
        transpose: i8,
        /// The first pair of operators.
        voice: Voice,
        /// The second pair of operators.
        second_voice: Voice,
    },
    /// Any other size.
    #[record(unknown)]
    Other {
        /// The size in bytes, including this field.
        length: u16,
        /// The bytes after the length.
        data: Bytes,
    },
}

/// Two operators: 11 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Voice {
    /// The operator that modulates the carrier.
    pub modulator: Operator,
    /// Register C0: feedback of the modulator (bits 1 to 3), and whether both operators are audible (bit 0). With four operators,
    /// libADLMIDI uses bit 7 of the first voice as bit 0 of the second.
    pub feedback_connection: u8,
    /// The operator that is audible.
    pub carrier: Operator,
}

/// The registers of an operator: 5 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operator {
    /// Register 20: tremolo, vibrato, sustain and key scaling of the envelope (bits 7 to 4), frequency multiple (bits 0 to 3).
    pub flags_multiple: u8,
    /// Register 40: key scaling of the level (bits 6 and 7), attenuation (bits 0 to 5).
    pub scale_level: u8,
    /// Register 60: attack rate (bits 4 to 7), decay rate (bits 0 to 3).
    pub attack_decay: u8,
    /// Register 80: sustain level (bits 4 to 7), release rate (bits 0 to 3).
    pub sustain_release: u8,
    /// Register E0: waveform.
    pub waveform: u8,
}

/// The index as stored in the file.
#[derive(Record)]
pub(super) struct Index {
    #[record(until = END, after(end: u16 = u16::from_le_bytes(END)))]
    pub(super) entries: Vec<IndexEntry>,
}

/// An index entry as stored in the file.
#[derive(Record, Clone, Copy)]
#[record(check = check_entry)]
pub(super) struct IndexEntry {
    pub(super) patch: u8,
    pub(super) bank: u8,
    /// The offset of the timbre.
    #[record(show = "{:#x}")]
    pub(super) timbre: u32,
}

impl Timbre {
    /// The size in bytes as stored in the file.
    #[must_use]
    pub fn length(&self) -> u16 {
        match self {
            Self::TwoOperators { .. } => TWO_OPERATORS,
            Self::FourOperators { .. } => FOUR_OPERATORS,
            Self::Other { length, .. } => *length,
        }
    }
}

fn check_length(timbre: &Timbre) -> Result<()> {
    let Timbre::Other { length, data } = timbre else { return Ok(()) };
    if [TWO_OPERATORS, FOUR_OPERATORS].contains(length) {
        return Err(Error::usage(format!("a timbre of {length} bytes must have operators instead of data"))
            .in_field("length"));
    }
    let needed = data.len().saturating_add(size_of::<u16>());
    if needed != usize::from(*length) {
        let message =
            format!("the length is {length}; with {} bytes of data it must be {needed}", data.len());
        return Err(Error::usage(message).in_field("length"));
    }
    Ok(())
}

fn check_entry(entry: &IndexEntry) -> Result<()> {
    if [entry.patch, entry.bank] == END {
        return Err(Error::usage("patch 255 of bank 255 marks the end of the index"));
    }
    Ok(())
}

/// Returns the length of the timbre at an offset; `None` if there is no timbre.
fn timbre_length(reader: &mut Reader<'_>, index_end: u64, offset: u64) -> Option<u64> {
    let length_field = |reader: &mut Reader<'_>| reader.untraced(|reader| u16::read(reader, ()));
    let (length, body) = reader.read_at(offset, Some(2), length_field).ok()?;
    let length = u64::from(length);
    let fits = offset >= index_end
        && body <= offset.saturating_add(length)
        && offset.saturating_add(length) <= reader.file_len();
    fits.then_some(length)
}

/// Reads the timbre at an offset that no earlier entry refers to.
fn read_timbre(
    reader: &mut Reader<'_>,
    layout: &mut LayoutReader,
    index_end: u64,
    offset: u32,
    timbres: &mut Vec<Timbre>,
) -> Result<TimbreRef> {
    let length = timbre_length(reader, index_end, offset.into());
    let Some(length) = length else { return Ok(TimbreRef::Dangling { offset }) };
    let index = timbres.len();
    let number = u32::try_from(index).unwrap_or(u32::MAX);
    let timbre = layout.read(reader, name_of(number), offset.into(), Some(length), |reader| {
        reader.field("timbres", |reader| reader.item(index, |reader| Timbre::read(reader, ())))
    })?;
    timbres.push(timbre);
    Ok(TimbreRef::Number(number))
}

fn name_of(timbre: u32) -> String {
    format!("timbres[{timbre}]")
}

/// Implemented by hand: timbres are located by offsets, which entries may share, and keep their locations.
#[by_hand(Timbre)]
impl Record for TimbreLibrary {
    type Context = ();
    const MIN_SIZE: usize = END.len();

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let mut layout = LayoutReader::new(reader);
        let start = reader.offset();
        let index = Index::read(reader, ())?;
        reader
            .check_limit(index.entries.len(), MAX_ENTRIES, start)
            .map_err(|error| error.in_field("entries"))?;
        layout.inline(reader);
        let index_end = reader.offset();
        let mut timbres = Vec::new();
        let mut known: BTreeMap<u32, TimbreRef> = BTreeMap::new();
        let mut entries = Vec::with_capacity(index.entries.len());
        for IndexEntry { patch, bank, timbre: offset } in index.entries {
            let timbre = match known.get(&offset) {
                Some(timbre) => *timbre,
                None => read_timbre(reader, &mut layout, index_end, offset, &mut timbres)?,
            };
            known.insert(offset, timbre);
            entries.push(Entry { patch, bank, timbre });
        }
        Ok(Self { entries, timbres, layout: layout.finish(reader) })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        let mut parts = LayoutWriter::new(writer, &self.layout);
        parts.part(writer, "", 0, |writer| self.index(|_| 0)?.write(writer, ()))?;
        for (number, timbre) in (0..).zip(&self.timbres) {
            let write = |writer: &mut Writer| timbre.write(writer, ());
            parts.part(writer, name_of(number), 1, write).map_err(|error| {
                error.in_item(usize::try_from(number).unwrap_or(usize::MAX)).in_field("timbres")
            })?;
        }
        parts.place()?;
        let index = self.index(|number| parts.find(&name_of(number)).0)?;
        parts.rewrite(writer, "", |writer| index.write(writer, ()))?;
        parts.finish(writer)
    }
}

impl TimbreLibrary {
    /// Returns the index with the offsets of the timbres.
    fn index(&self, offset_of: impl Fn(u32) -> u64) -> Result<Index> {
        let stored = |entry: &Entry| {
            let timbre = match entry.timbre {
                TimbreRef::Dangling { offset } => offset,
                TimbreRef::Number(number) if self.timbre(entry).is_some() => {
                    let too_far = |_| Error::limit("the offset of the timbre does not fit into 32 bits");
                    u32::try_from(offset_of(number)).map_err(too_far)?
                }
                TimbreRef::Number(number) => {
                    let count = self.timbres.len();
                    return Err(Error::usage(format!(
                        "timbre {number} does not exist (number of timbres: {count})"
                    )));
                }
            };
            Ok(IndexEntry { patch: entry.patch, bank: entry.bank, timbre })
        };
        let located = |(index, entry)| {
            stored(entry).map_err(|error: Error| error.in_field("timbre").in_item(index).in_field("entries"))
        };
        Ok(Index { entries: self.entries.iter().enumerate().map(located).collect::<Result<_>>()? })
    }

    /// Returns the timbre of an entry; `None` for a dangling reference.
    #[must_use]
    pub fn timbre(&self, entry: &Entry) -> Option<&Timbre> {
        match entry.timbre {
            TimbreRef::Number(number) => self.timbres.get(usize::try_from(number).ok()?),
            TimbreRef::Dangling { .. } => None,
        }
    }
}
