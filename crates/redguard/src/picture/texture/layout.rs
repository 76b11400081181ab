//! What stands in a `TEXTURE.###` file: little-endian.
//!
//! A header, a directory, and then descriptors and pixels in any order. Pixels of several records stand side by side in pages of 256 columns,
//! so their bytes interleave. Therefore everything behind the directory is kept as one run of bytes, in which the descriptors have their places.
//! Sources: Daggerfall Unity; UESP, "Daggerfall Mod: Image formats/Texture"; Vampyre Imaging Library; what others measured on all 418 sets of the
//! game.

use std::collections::BTreeMap;

use record::{Bytes, Error, Reader, Record, Result, Writer};
use serde::{Deserialize, Serialize};

use asset::FixedText;

/// A texture set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureSet {
    /// What the set is called; may fill its field.
    pub name: FixedText<24>,
    /// The records in the order of the directory: models name them by their number.
    pub records: Vec<TextureRecord>,
    /// Everything behind the directory. On writing the descriptors are put into it.
    pub body: Bytes,
}

/// A record: its entry in the directory, and its descriptor where it has one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureRecord {
    /// The entry in the directory.
    pub entry: DirectoryEntry,
    /// Size and timing. A solid colour has none; nor has a record whose entry leads nowhere.
    pub descriptor: Option<Descriptor>,
}

/// An entry of the directory: 20 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectoryEntry {
    /// Unknown; in sets of solid colours perhaps a colour in the high byte.
    pub type1: i16,
    /// Where the descriptor stands, from the start of the file; 0 for a solid colour.
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
    /// Pixels from the left when it is drawn.
    pub x_offset: i16,
    /// Pixels from the top.
    pub y_offset: i16,
    /// Pixels across.
    pub width: i16,
    /// Pixels down.
    pub height: i16,
    /// See [`flag`].
    pub flags: u16,
    /// The descriptor and the record's own pixels, in bytes.
    pub size: u32,
    /// Where the pixels start, from the descriptor.
    pub data_offset: u32,
    /// One frame: 256 minus the width, the gap between rows. Else 0.
    pub row_gap: i16,
    /// 0 for a record without a picture, which only keeps its place.
    pub frame_count: u16,
    /// How long a frame is shown, in milliseconds.
    pub frame_delay: u16,
    /// 1 + this / 256 times as wide.
    pub x_scale: i16,
    /// 1 + this / 256 times as high.
    pub y_scale: i16,
}

/// Bits of [`Descriptor::flags`].
pub mod flag {
    /// Rows of run lengths, together with [`CLEAR`].
    pub const RUNS: u16 = 0x0008;
    /// Index 0 is seen through.
    pub const CLEAR: u16 = 0x0100;
    /// Rows are 256 bytes apart.
    pub const PAGE: u16 = 0x0800;
    /// Unknown; stands with rows of run lengths.
    pub const UNKNOWN_0X1000: u16 = 0x1000;
    /// All that are known.
    pub const ALL: u16 = RUNS | CLEAR | PAGE | UNKNOWN_0X1000;
}

/// How many bytes stand in front of the directory.
const HEAD: usize = 26;

/// How many bytes an entry of the directory takes.
const ENTRY: usize = 20;

/// How many bytes a descriptor takes.
pub(super) const DESCRIPTOR: usize = 28;

impl TextureSet {
    /// Where the directory ends.
    #[must_use]
    pub fn body_start(&self) -> usize {
        HEAD.saturating_add(self.records.len().saturating_mul(ENTRY))
    }

    /// The length of the file.
    #[must_use]
    pub fn len(&self) -> usize {
        self.body_start().saturating_add(self.body.len())
    }

    /// Whether the set has no records; none that was read has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Bytes of the file behind the directory. `None` where they are not all there.
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

/// Where a descriptor stands when its entry leads to one.
fn place(entry: &DirectoryEntry, body_start: usize, length: usize) -> Option<usize> {
    let position = usize::try_from(entry.position).ok().filter(|position| *position >= body_start)?;
    (position.checked_add(DESCRIPTOR)? <= length).then_some(position)
}

/// By hand: descriptors stand anywhere between pixels, and may share bytes.
impl Record for TextureSet {
    type Context = ();
    const MIN_SIZE: usize = HEAD;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let start = reader.offset();
        let count = reader.field("count", |reader| i16::read(reader, ()))?;
        if count <= 0 {
            return Err(Error::malformed(format!("{count} records cannot be")).at(start).in_field("count"));
        }
        let name = reader.field("name", |reader| FixedText::read(reader, ()))?;
        let entries: Vec<DirectoryEntry> = reader.field("directory", |reader| {
            let count = reader.check_count(count, ENTRY, start)?;
            DirectoryEntry::read_list(reader, count, ())
        })?;
        let body = Bytes::from(reader.rest());
        let body_start = usize::try_from(reader.offset()).unwrap_or(usize::MAX);
        let length = body_start.saturating_add(body.len());
        let places: Vec<Option<usize>> =
            entries.iter().map(|entry| place(entry, body_start, length)).collect();
        let descriptors = read_body(reader, &places, &body, body_start)?;
        let record = |(entry, place): (DirectoryEntry, Option<usize>)| TextureRecord {
            entry,
            descriptor: place.and_then(|place| descriptors.get(&place).copied()),
        };
        Ok(Self { name, records: entries.into_iter().zip(places).map(record).collect(), body })
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

/// Walks through everything behind the directory: the descriptors in the order they stand, and the bytes between them.
fn read_body(
    reader: &mut Reader<'_>,
    places: &[Option<usize>],
    body: &[u8],
    body_start: usize,
) -> Result<BTreeMap<usize, Descriptor>> {
    // Each place once, with the first record that names it.
    let mut first: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, place) in places.iter().enumerate() {
        if let Some(place) = place {
            first.entry(*place).or_insert(index);
        }
    }
    let mut out = BTreeMap::new();
    for (place, index) in first {
        let here = usize::try_from(reader.offset()).unwrap_or(usize::MAX);
        let descriptor = if let Some(gap) = place.checked_sub(here) {
            if gap > 0 {
                reader.field("pixels", |reader| u8::read_list(reader, gap, ()))?;
            }
            reader.field("records", |reader| {
                reader.item(index, |reader| reader.field("descriptor", |reader| Descriptor::read(reader, ())))
            })?
        } else {
            // It overlaps one that was read already.
            let bytes = body.get(place.saturating_sub(body_start)..).unwrap_or_default();
            Descriptor::read(&mut Reader::new(bytes), ())?
        };
        out.insert(place, descriptor);
    }
    reader.field("pixels", |reader| Bytes::read(reader, ()))?;
    Ok(out)
}

impl TextureSet {
    /// The bytes behind the directory with the descriptors in their places.
    fn body_with_descriptors(&self) -> Result<Vec<u8>> {
        let mut body = self.body.0.clone();
        let start = self.body_start();
        let mut written: Vec<(usize, usize, Vec<u8>)> = Vec::new();
        for (index, record) in self.records.iter().enumerate() {
            let Some(descriptor) = &record.descriptor else { continue };
            let wrong = |message: String| {
                Error::usage(message).in_field("position").in_item(index).in_field("records")
            };
            let place = place(&record.entry, start, self.len())
                .and_then(|place| place.checked_sub(start))
                .ok_or_else(|| {
                    wrong(format!("there is no room for a descriptor at {}", record.entry.position))
                })?;
            let mut bytes = Writer::new();
            descriptor.write(&mut bytes, ())?;
            let bytes = bytes.into_bytes();
            if let Some(room) = body.get_mut(place..place.saturating_add(bytes.len())) {
                room.copy_from_slice(&bytes);
            }
            written.push((index, place, bytes));
        }
        for (index, place, bytes) in written {
            if body.get(place..place.saturating_add(bytes.len())) != Some(&bytes[..]) {
                let message = "its descriptor shares bytes with that of another record, and the two differ: change both alike";
                return Err(Error::usage(message).in_field("descriptor").in_item(index).in_field("records"));
            }
        }
        Ok(body)
    }
}
