//! Positions of the parts of a file, so that an unchanged file is written back unchanged.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bytes::Bytes;
use crate::source::length_of;
use crate::{Error, Reader, Result, Writer};

/// The positions of the parts of a file that is read through offsets, and the bytes between them that no offset refers to.
///
/// A file whose parts keep their lengths is written with every part at its previous position. If the length of a part changes, the parts
/// keep their order, the bytes between them stay between them, and everything after the part moves. Overlapping parts stay together
/// as long as their shared bytes are equal; an edit that makes these bytes differ is an error.
/// With an empty layout (a new file), the parts are written one after the other in the order of the format.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Layout {
    /// Every part with its position, in reading order. The part with the empty name is the record itself.
    pub places: Vec<Extent>,
    /// Bytes that belong to no part, in the order of their positions.
    pub gaps: Vec<Gap>,
}

/// The name and position of one part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// Path of the field, such as `items[3]`.
    pub part: String,
    /// Offset of the first byte from the start of the file.
    pub start: u64,
    /// Length in bytes.
    pub length: u64,
}

/// Bytes of the file that belong to no part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// Offset of the first byte from the start of the file.
    pub start: u64,
    /// The bytes.
    pub bytes: Bytes,
}

impl Extent {
    fn end(&self) -> u64 {
        self.start.saturating_add(self.length)
    }
}

/// Notes the positions of parts while a record is read through offsets: the record itself with [`inline`](Self::inline), each part with
/// [`read`](Self::read). [`finish`](Self::finish) then returns the [`Layout`] that the record keeps.
#[derive(Debug)]
pub struct LayoutReader {
    start: u64,
    places: Vec<Extent>,
    /// Total length of the parts read so far, in bytes.
    total: u64,
}

/// Maximum total length of parts in bytes, unless four times the file's length is larger. Parts may share bytes, but a table of offsets
/// that all refer to the same bytes must not exhaust the memory.
const MAX_TOTAL: u64 = 16 << 20;

impl LayoutReader {
    /// Creates a layout reader. The reader must be at the start of the record.
    #[must_use]
    pub fn new(reader: &Reader<'_>) -> Self {
        Self { start: reader.offset(), places: Vec::new(), total: 0 }
    }

    /// Notes the record itself, which ends at the reader's position.
    pub fn inline(&mut self, reader: &Reader<'_>) {
        let length = reader.offset().saturating_sub(self.start);
        self.places.push(Extent { part: String::new(), start: self.start, length });
    }

    /// Reads the part with the name `part` at its offset and notes its position. Without a size, it may extend to the end of the file.
    ///
    /// # Errors
    /// If the part is outside the file, if parts share so many bytes that they would exhaust the memory, and those of `read`.
    pub fn read<T>(
        &mut self,
        reader: &mut Reader<'_>,
        part: impl Into<String>,
        start: u64,
        size: Option<u64>,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T>,
    ) -> Result<T> {
        let (value, end) = match size {
            Some(size) => reader.read_at(start, Some(size), |reader| reader.section(size, read))?,
            None => reader.read_at(start, None, read)?,
        };
        let length = end.saturating_sub(start);
        self.total = self.total.saturating_add(length);
        if self.total > MAX_TOTAL.max(reader.file_len().saturating_mul(4)) {
            let message = "overlapping parts add up to many times the size of the file";
            return Err(Error::limit(message).at(start));
        }
        self.places.push(Extent { part: part.into(), start, length });
        Ok(value)
    }

    /// Collects the bytes that belong to no part, and moves the reader to the end of the file.
    pub fn finish(self, reader: &mut Reader<'_>) -> Layout {
        let mut claimed: Vec<(u64, u64)> =
            self.places.iter().map(|place| (place.start, place.end())).collect();
        claimed.push((reader.file_len(), reader.file_len()));
        claimed.sort_unstable();
        let mut gaps: Vec<Gap> = Vec::new();
        let mut covered = self.start;
        for (start, end) in claimed {
            if start > covered {
                let bytes = reader.gap(format!("layout.gaps[{}].bytes", gaps.len()), covered, start);
                gaps.push(Gap { start: covered, bytes: Bytes::from(bytes) });
            }
            covered = covered.max(end);
        }
        reader.skip_to_end();
        Layout { places: self.places, gaps }
    }
}

/// Arranges the parts of a record while writing.
///
/// Call [`part`](Self::part) for each part (with an empty name for the record itself), then [`place`](Self::place). Now
/// [`find`](Self::find) returns the position of each part: write the parts that contain offsets again with [`rewrite`](Self::rewrite).
/// Finally, [`finish`](Self::finish) writes everything to the writer.
#[derive(Debug)]
pub struct LayoutWriter<'a> {
    old: &'a Layout,
    base: u64,
    parts: Vec<Part>,
    /// Index of each part in `parts` by its name. A model may have thousands of parts.
    indices: BTreeMap<String, usize>,
    /// Previous positions of the parts by their names.
    old_places: BTreeMap<&'a str, &'a Extent>,
}

#[derive(Debug)]
struct Part {
    name: String,
    bytes: Vec<u8>,
    /// Order of parts without a previous position: a lower rank comes first.
    rank: u32,
    start: u64,
}

impl<'a> LayoutWriter<'a> {
    /// Creates a layout writer at the position of the record, with the layout from reading it.
    #[must_use]
    pub fn new(writer: &Writer, old: &'a Layout) -> Self {
        let mut old_places = BTreeMap::new();
        for place in &old.places {
            old_places.entry(place.part.as_str()).or_insert(place);
        }
        Self { old, base: writer.offset(), parts: Vec::new(), indices: BTreeMap::new(), old_places }
    }

    /// Adds a part. Its position is known after [`place`](Self::place). In a new file, parts with a lower rank come first.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn part(
        &mut self,
        writer: &Writer,
        name: impl Into<String>,
        rank: u32,
        write: impl FnOnce(&mut Writer) -> Result<()>,
    ) -> Result<()> {
        let mut part = writer.part(self.base);
        write(&mut part)?;
        let name = name.into();
        self.indices.entry(name.clone()).or_insert(self.parts.len());
        self.parts.push(Part { name, bytes: part.into_bytes(), rank, start: 0 });
        Ok(())
    }

    /// Writes a part again with the final offsets. Its length must not change. Does nothing if the part was not added.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::Kind::Usage) if its length has changed, and those of `write`.
    pub fn rewrite(
        &mut self,
        writer: &Writer,
        name: &str,
        write: impl FnOnce(&mut Writer) -> Result<()>,
    ) -> Result<()> {
        let index = self.indices.get(name).copied();
        let Some(part) = index.and_then(|index| self.parts.get_mut(index)) else { return Ok(()) };
        let mut rewritten = writer.part(part.start);
        write(&mut rewritten)?;
        let rewritten = rewritten.into_bytes();
        if rewritten.len() != part.bytes.len() {
            return Err(Error::usage("its length depends on the offsets of other parts"));
        }
        part.bytes = rewritten;
        Ok(())
    }

    /// Offset and length of a part. Both are zero if the part was not added.
    #[must_use]
    pub fn find(&self, name: &str) -> (u64, u64) {
        let part = self.indices.get(name).and_then(|index| self.parts.get(*index));
        part.map_or((0, 0), |part| (part.start, length_of(&part.bytes)))
    }

    /// Determines the position of every part. If no length has changed, all parts keep their positions.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::Kind::Usage) if a part that shares bytes with another part has a new length.
    pub fn place(&mut self) -> Result<()> {
        let unchanged = self.old.places.len() == self.parts.len()
            && self.parts.iter().all(|part| {
                self.place_of(&part.name).is_some_and(|place| place.length == length_of(&part.bytes))
            });
        if unchanged {
            for part in &mut self.parts {
                if let Some(place) = self.old_places.get(part.name.as_str()) {
                    part.start = place.start;
                }
            }
            return Ok(());
        }
        self.move_parts()
    }

    fn place_of(&self, name: &str) -> Option<&'a Extent> {
        self.old_places.get(name).copied()
    }

    /// Arranges the parts one after the other: existing parts in their previous order with the bytes between them, then new parts.
    fn move_parts(&mut self) -> Result<()> {
        let mut existing: Vec<(Extent, usize)> = Vec::new();
        let mut added: Vec<usize> = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            match self.place_of(&part.name) {
                Some(place) => existing.push((place.clone(), index)),
                _ => added.push(index),
            }
        }
        existing.sort_by_key(|(place, index)| (place.start, place.length, *index));
        added.sort_by_key(|index| self.parts.get(*index).map(|part| (part.rank, *index)));

        let mut at = self.base;
        let mut gaps = self.old.gaps.iter().peekable();
        // The current group of parts that share bytes: its old start, its new start, its old end, and whether all lengths are unchanged.
        let mut group: Option<(u64, u64, u64, bool)> = None;
        for (place, index) in existing {
            let length = self.parts.get(index).map_or(0, |part| length_of(&part.bytes));
            let kept = length == place.length;
            let start = match group {
                Some((old, new, end, all_kept)) if place.start < end => {
                    if !(kept && all_kept) {
                        return Err(Error::usage(format!(
                            "{} overlaps another part, so its length cannot change",
                            place.part
                        ))
                        .at(place.start));
                    }
                    group = Some((old, new, end.max(place.end()), true));
                    new.saturating_add(place.start.saturating_sub(old))
                }
                _ => {
                    while let Some(gap) = gaps.next_if(|gap| gap.start < place.start) {
                        at = at.saturating_add(length_of(&gap.bytes));
                    }
                    group = Some((place.start, at, place.end(), kept));
                    at
                }
            };
            if let Some(part) = self.parts.get_mut(index) {
                part.start = start;
            }
            at = at.max(start.saturating_add(length));
        }
        for index in added {
            at = self.put_at(index, at);
        }
        Ok(())
    }

    fn put_at(&mut self, index: usize, at: u64) -> u64 {
        match self.parts.get_mut(index) {
            Some(part) => {
                part.start = at;
                at.saturating_add(length_of(&part.bytes))
            }
            None => at,
        }
    }

    /// Writes the parts and the bytes between them to the writer.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::Kind::Usage) if the shared bytes of overlapping parts differ.
    pub fn finish(mut self, writer: &mut Writer) -> Result<()> {
        self.parts.sort_by_key(|part| part.start);
        let mut out: Vec<u8> = Vec::new();
        let mut gaps = self.old.gaps.iter();
        for part in &self.parts {
            let start = usize::try_from(part.start.saturating_sub(self.base)).unwrap_or(usize::MAX);
            while out.len() < start {
                let Some(gap) = gaps.next() else {
                    return Err(Error::usage(format!("missing bytes before {}", part.name)).at(part.start));
                };
                out.extend_from_slice(&gap.bytes);
            }
            let shared = out.get(start..).unwrap_or_default();
            let (repeated, new) = part.bytes.split_at(shared.len().min(part.bytes.len()));
            if shared.get(..repeated.len()) != Some(repeated) {
                let message =
                    "overlaps another part, and the shared bytes differ: make the same change in both";
                return Err(Error::usage(message).at(part.start).in_field(part.name.clone()));
            }
            out.extend_from_slice(new);
        }
        for gap in gaps {
            out.extend_from_slice(&gap.bytes);
        }
        writer.put(&out);
        Ok(())
    }
}
