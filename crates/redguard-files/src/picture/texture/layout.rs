//! The layout of a `TEXTURE.###` file. All numbers are little-endian.
//!
//! A file consists of a header, a directory, and descriptors and pixels in any order. Pixels of several records are arranged side
//! by side in pages of 256 columns, so their bytes interleave. Therefore everything after the directory, including the descriptors,
//! is kept as one block of bytes.
//! Sources: Daggerfall Unity; UESP, "Daggerfall Mod: Image formats/Texture"; Vampyre Imaging Library; third-party measurements of
//! all 418 sets of the game.

use std::collections::BTreeMap;

use record::{Bytes, Declared, Error, Reader, Record, Result, Writer, by_hand};
use serde::{Deserialize, Serialize};

use asset::FixedText;

/// A texture set.
#[derive(Declared, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureSet {
    /// The name of the set, up to 24 characters without a terminator.
    #[record(before(count: i16 = records.len()))]
    pub name: FixedText<24>,
    /// The records in directory order. Models refer to them by number.
    #[record(count = count, stored_as = Vec<DirectoryRecord>)]
    pub records: Vec<TextureRecord>,
    /// Everything after the directory. Descriptors are written into it.
    #[record(by = descriptors_and_pixels)]
    pub body: Bytes,
}

/// A record: its directory entry and optional descriptor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureRecord {
    /// The entry in the directory.
    pub entry: DirectoryEntry,
    /// Size and timing. `None` for solid colors and records with an invalid position.
    pub descriptor: Option<Descriptor>,
}

/// A record as stored in the directory.
#[derive(Record)]
struct DirectoryRecord {
    /// The entry in the directory.
    entry: DirectoryEntry,
}

/// An entry of the directory: 20 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectoryEntry {
    /// Unknown; in sets of solid colors possibly a color in the high byte.
    pub type1: i16,
    /// Offset of the descriptor from the start of the file; 0 for a solid color.
    pub position: i32,
    /// Unknown.
    pub type2: i16,
    /// Unknown.
    pub unknown_0x08: u32,
    /// Zero.
    pub unknown_0x0c: [u8; 8],
}

/// Size and timing of a record: 28 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Descriptor {
    /// Horizontal drawing offset in pixels.
    pub x_offset: i16,
    /// Vertical drawing offset in pixels.
    pub y_offset: i16,
    /// Width in pixels.
    pub width: i16,
    /// Height in pixels.
    pub height: i16,
    /// Bits of [`flag`].
    pub flags: u16,
    /// Size of the descriptor and the record's own pixels in bytes.
    pub size: u32,
    /// Offset of the pixels from the descriptor.
    pub data_offset: u32,
    /// The gap between rows: 256 minus the width for a single frame, otherwise 0.
    pub row_gap: i16,
    /// 0 for a placeholder record without a picture.
    pub frame_count: u16,
    /// The frame duration in milliseconds.
    pub frame_delay: u16,
    /// Horizontal scale: 1 + this / 256.
    pub x_scale: i16,
    /// Vertical scale: 1 + this / 256.
    pub y_scale: i16,
}

/// Bits of [`Descriptor::flags`].
pub mod flag {
    /// Rows of run lengths, together with [`CLEAR`].
    pub const RUNS: u16 = 0x0008;
    /// Index 0 is transparent.
    pub const CLEAR: u16 = 0x0100;
    /// Rows are 256 bytes apart.
    pub const PAGE: u16 = 0x0800;
    /// Unknown; set with rows of run lengths.
    pub const UNKNOWN_0X1000: u16 = 0x1000;
    /// All known flags.
    pub const ALL: u16 = RUNS | CLEAR | PAGE | UNKNOWN_0X1000;
}

/// The size of the header in bytes.
const HEAD: usize = 26;

/// The size of a directory entry in bytes.
const ENTRY: usize = 20;

/// The size of a descriptor in bytes.
pub(super) const DESCRIPTOR: usize = 28;

impl TextureSet {
    /// Returns the end offset of the directory.
    #[must_use]
    pub fn body_start(&self) -> usize {
        HEAD.saturating_add(self.records.len().saturating_mul(ENTRY))
    }

    /// Returns the size of the file in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.body_start().saturating_add(self.body.len())
    }

    /// Whether the set has no records. Never true for a set that was read from a file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns bytes after the directory by their offset in the file; `None` if they are out of bounds.
    #[must_use]
    pub fn bytes_at(&self, position: usize, count: usize) -> Option<&[u8]> {
        let start = position.checked_sub(self.body_start())?;
        self.body.get(start..start.checked_add(count)?)
    }

    pub(super) fn bytes_at_mut(&mut self, position: usize, count: usize) -> Option<&mut [u8]> {
        let start = position.checked_sub(self.body_start())?;
        self.body.0.get_mut(start..start.checked_add(count)?)
    }
}

/// Returns the validated offset of an entry's descriptor.
fn descriptor_position(entry: &DirectoryEntry, body_start: usize, length: usize) -> Option<usize> {
    let position = usize::try_from(entry.position).ok().filter(|position| *position >= body_start)?;
    (position.checked_add(DESCRIPTOR)? <= length).then_some(position)
}

/// Implemented by hand: descriptors can be anywhere between pixels, and may overlap.
#[by_hand(Descriptor)]
impl Record for TextureSet {
    type Context = ();
    const MIN_SIZE: usize = HEAD;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let start = reader.offset();
        let count = reader.field("count", |reader| i16::read(reader, ()))?;
        if count <= 0 {
            return Err(Error::malformed(format!("invalid record count {count}"))
                .at(start)
                .in_field("count"));
        }
        let name = reader.field("name", |reader| FixedText::read(reader, ()))?;
        let entries: Vec<DirectoryEntry> = reader.field("records", |reader| {
            let count = reader.check_count(count, ENTRY, start)?;
            reader.items(count, |reader| Ok(DirectoryRecord::read(reader, ())?.entry))
        })?;
        let body = Bytes::from(reader.rest());
        let body_start = usize::try_from(reader.offset()).unwrap_or(usize::MAX);
        let length = body_start.saturating_add(body.len());
        let positions: Vec<Option<usize>> =
            entries.iter().map(|entry| descriptor_position(entry, body_start, length)).collect();
        let descriptors = read_body(reader, &positions, &body, body_start)?;
        let record = |(entry, position): (DirectoryEntry, Option<usize>)| TextureRecord {
            entry,
            descriptor: position.and_then(|position| descriptors.get(&position).copied()),
        };
        Ok(Self { name, records: entries.into_iter().zip(positions).map(record).collect(), body })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        let count: i16 = writer.field("records", |writer| writer.count(self.records.len()))?;
        if count == 0 {
            return Err(Error::usage("a set has at least one record").in_field("records"));
        }
        count.write(writer, ())?;
        self.name.write(writer, ())?;
        for record in &self.records {
            record.entry.write(writer, ())?;
        }
        writer.put(&self.body_with_descriptors()?);
        Ok(())
    }
}

/// Reads everything after the directory: the descriptors in file order, and the bytes between them.
fn read_body(
    reader: &mut Reader<'_>,
    positions: &[Option<usize>],
    body: &[u8],
    body_start: usize,
) -> Result<BTreeMap<usize, Descriptor>> {
    // Each offset once, with the first record that refers to it.
    let mut first: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, position) in positions.iter().enumerate() {
        if let Some(position) = position {
            first.entry(*position).or_insert(index);
        }
    }
    let mut out = BTreeMap::new();
    for (position, index) in first {
        let here = usize::try_from(reader.offset()).unwrap_or(usize::MAX);
        let descriptor = if let Some(gap) = position.checked_sub(here) {
            if gap > 0 {
                reader.field("body", |reader| u8::read_list(reader, gap, ()))?;
            }
            reader.field("records", |reader| {
                reader.item(index, |reader| reader.field("descriptor", |reader| Descriptor::read(reader, ())))
            })?
        } else {
            // The descriptor overlaps one that was already read.
            let bytes = body.get(position.saturating_sub(body_start)..).unwrap_or_default();
            Descriptor::read(&mut Reader::new(bytes), ())?
        };
        out.insert(position, descriptor);
    }
    reader.field("body", |reader| Bytes::read(reader, ()))?;
    Ok(out)
}

impl TextureSet {
    /// Returns the bytes after the directory with the descriptors filled in.
    fn body_with_descriptors(&self) -> Result<Vec<u8>> {
        let mut body = self.body.0.clone();
        let start = self.body_start();
        let mut written: Vec<(usize, usize, Vec<u8>)> = Vec::new();
        for (index, record) in self.records.iter().enumerate() {
            let Some(descriptor) = &record.descriptor else { continue };
            let wrong = |message: String| {
                Error::usage(message).in_field("position").in_item(index).in_field("records")
            };
            let position = descriptor_position(&record.entry, start, self.len())
                .and_then(|position| position.checked_sub(start))
                .ok_or_else(|| {
                    wrong(format!("a descriptor at {} is out of bounds", record.entry.position))
                })?;
            let mut bytes = Writer::new();
            descriptor.write(&mut bytes, ())?;
            let bytes = bytes.into_bytes();
            if let Some(target) = body.get_mut(position..position.saturating_add(bytes.len())) {
                target.copy_from_slice(&bytes);
            }
            written.push((index, position, bytes));
        }
        for (index, position, bytes) in written {
            if body.get(position..position.saturating_add(bytes.len())) != Some(&bytes[..]) {
                let message = "the descriptor shares bytes with that of another record, but the two differ; change both";
                return Err(Error::usage(message).in_field("descriptor").in_item(index).in_field("records"));
            }
        }
        Ok(body)
    }
}
