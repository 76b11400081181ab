//! Where the parts of a file stood, so that an unchanged file is written as it was.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bytes::Bytes;
use crate::source::length_of;
use crate::{Error, Reader, Result, Writer};

/// The places of the parts of a file that is read through offsets, and the bytes between them that nothing points at.
///
/// A file whose parts keep their lengths is written with every part at its old place. When a part grows or shrinks, the parts
/// keep their order, the bytes between them stay between them, and everything behind moves. Parts that overlapped stay together
/// as long as they agree on the bytes they share; an edit that makes them disagree is an error.
/// An empty layout (a file made from scratch) puts the parts one behind the other in the order the format declares.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Layout {
    /// Every part and where it stood, in the order they were read. The part called `` is the record itself.
    pub places: Vec<Extent>,
    /// Bytes that no part claims, in the order they stand.
    pub gaps: Vec<Gap>,
}

/// One part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// The field, like `items[3]`.
    pub part: String,
    /// Its first byte, from the start of the file.
    pub start: u64,
    /// How many bytes it takes.
    pub length: u64,
}

/// Bytes of the file that no part claims.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The first byte, from the start of the file.
    pub start: u64,
    /// What stands there.
    pub bytes: Bytes,
}

impl Extent {
    fn end(&self) -> u64 {
        self.start.saturating_add(self.length)
    }
}

/// Notes where parts stand while a record is read through offsets: the record itself with [`inline`](Self::inline), each part with
/// [`read`](Self::read), then [`finish`](Self::finish) gives the [`Layout`] that the record keeps.
#[derive(Debug)]
pub struct LayoutReader {
    start: u64,
    places: Vec<Extent>,
    /// How many bytes all parts together have taken.
    taken: u64,
}

/// Parts may share bytes, but all of them together take no more than this, or four times the file: a table of offsets that
/// all point at the same bytes must not fill the memory.
const MOST_SHARED: u64 = 16 << 20;

impl LayoutReader {
    /// At the start of the record.
    #[must_use]
    pub fn new(reader: &Reader<'_>) -> Self {
        Self { start: reader.offset(), places: Vec::new(), taken: 0 }
    }

    /// Notes the record itself, which ends where the reader stands.
    pub fn inline(&mut self, reader: &Reader<'_>) {
        let length = reader.offset().saturating_sub(self.start);
        self.places.push(Extent { part: String::new(), start: self.start, length });
    }

    /// Reads the part called `part` at its offset and notes it. Without a size it may reach to the end of the file.
    ///
    /// # Errors
    /// When it lies outside the file, when parts share bytes so often that they would fill the memory, and those of `read`.
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
        self.taken = self.taken.saturating_add(length);
        if self.taken > MOST_SHARED.max(reader.file_len().saturating_mul(4)) {
            let message = "overlapping parts add up to many times the size of the file";
            return Err(Error::limit(message).at(start));
        }
        self.places.push(Extent { part: part.into(), start, length });
        Ok(value)
    }

    /// Finds the bytes that no part claimed, and moves the reader to the end of the file.
    pub fn finish(self, reader: &mut Reader<'_>) -> Layout {
        let mut claimed: Vec<(u64, u64)> =
            self.places.iter().map(|place| (place.start, place.end())).collect();
        claimed.push((reader.file_len(), reader.file_len()));
        claimed.sort_unstable();
        let mut gaps: Vec<Gap> = Vec::new();
        let mut known = self.start;
        for (start, end) in claimed {
            if start > known {
                let bytes = reader.gap(format!("layout.gaps[{}].bytes", gaps.len()), known, start);
                gaps.push(Gap { start: known, bytes: Bytes::from(bytes) });
            }
            known = known.max(end);
        }
        reader.skip_to_end();
        Layout { places: self.places, gaps }
    }
}

/// Lays out the parts of a record that is written: [`part`](Self::part) for each, the record itself as the part called ``, then
/// [`place`](Self::place). Now [`find`](Self::find) tells where each stands: what holds offsets is written again with
/// [`rewrite`](Self::rewrite), and [`finish`](Self::finish) puts all of it into the writer.
#[derive(Debug)]
pub struct LayoutWriter<'a> {
    old: &'a Layout,
    base: u64,
    parts: Vec<Part>,
    /// Where each part stands in the list: a model may have thousands of them.
    numbers: BTreeMap<String, usize>,
    /// The places of the old parts by their names.
    places: BTreeMap<&'a str, &'a Extent>,
}

#[derive(Debug)]
struct Part {
    name: String,
    bytes: Vec<u8>,
    /// Parts of a lower rank come first when there is no old order.
    rank: u32,
    start: u64,
}

impl<'a> LayoutWriter<'a> {
    /// At the place of the record, with the layout that it was read with.
    #[must_use]
    pub fn new(writer: &Writer, old: &'a Layout) -> Self {
        let mut places = BTreeMap::new();
        for place in &old.places {
            places.entry(place.part.as_str()).or_insert(place);
        }
        Self { old, base: writer.offset(), parts: Vec::new(), numbers: BTreeMap::new(), places }
    }

    /// Adds a part. Its place is known after [`place`](Self::place). Parts of a lower rank come first in a file made from scratch.
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
        self.numbers.entry(name.clone()).or_insert(self.parts.len());
        self.parts.push(Part { name, bytes: part.into_bytes(), rank, start: 0 });
        Ok(())
    }

    /// Writes a part again, now that the numbers in it are known. Its length must stay. A part that was not added is passed over.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::Kind::Usage) when its length is another now, and those of `write`.
    pub fn rewrite(
        &mut self,
        writer: &Writer,
        name: &str,
        write: impl FnOnce(&mut Writer) -> Result<()>,
    ) -> Result<()> {
        let number = self.numbers.get(name).copied();
        let Some(part) = number.and_then(|number| self.parts.get_mut(number)) else { return Ok(()) };
        let mut again = writer.part(part.start);
        write(&mut again)?;
        let again = again.into_bytes();
        if again.len() != part.bytes.len() {
            return Err(Error::usage("its length depends on the offsets of other parts"));
        }
        part.bytes = again;
        Ok(())
    }

    /// Where a part stands, and its length.
    #[must_use]
    pub fn find(&self, name: &str) -> (u64, u64) {
        let part = self.numbers.get(name).and_then(|number| self.parts.get(*number));
        part.map_or((0, 0), |part| (part.start, length_of(&part.bytes)))
    }

    /// Gives every part its place: the old one where all parts have their old lengths.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::Kind::Usage) when a part that shares bytes with another has a new length.
    pub fn place(&mut self) -> Result<()> {
        let unchanged = self.old.places.len() == self.parts.len()
            && self.parts.iter().all(|part| {
                self.place_of(&part.name).is_some_and(|place| place.length == length_of(&part.bytes))
            });
        if unchanged {
            for part in &mut self.parts {
                if let Some(place) = self.places.get(part.name.as_str()) {
                    part.start = place.start;
                }
            }
            return Ok(());
        }
        self.move_parts()
    }

    fn place_of(&self, name: &str) -> Option<&'a Extent> {
        self.places.get(name).copied()
    }

    /// Lays the parts out one behind the other: known ones in their old order with the bytes between them, new ones behind
    /// those.
    fn move_parts(&mut self) -> Result<()> {
        let mut known: Vec<(Extent, usize)> = Vec::new();
        let mut fresh: Vec<usize> = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            match self.place_of(&part.name) {
                Some(place) => known.push((place.clone(), index)),
                _ => fresh.push(index),
            }
        }
        known.sort_by_key(|(place, index)| (place.start, place.length, *index));
        fresh.sort_by_key(|index| self.parts.get(*index).map(|part| (part.rank, *index)));

        let mut at = self.base;
        let mut gaps = self.old.gaps.iter().peekable();
        // The old and the new start of the group of parts that share bytes, and its old end.
        let mut group: Option<(u64, u64, u64, bool)> = None;
        for (place, index) in known {
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
        for index in fresh {
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

    /// Puts the parts and the bytes between them into the writer.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::Kind::Usage) when parts that share bytes do not agree on them.
    pub fn finish(mut self, writer: &mut Writer) -> Result<()> {
        self.parts.sort_by_key(|part| part.start);
        let mut out: Vec<u8> = Vec::new();
        let mut gaps = self.old.gaps.iter();
        for part in &self.parts {
            let start = usize::try_from(part.start.saturating_sub(self.base)).unwrap_or(usize::MAX);
            while out.len() < start {
                let Some(gap) = gaps.next() else {
                    return Err(
                        Error::usage(format!("there are no bytes before {}", part.name)).at(part.start)
                    );
                };
                out.extend_from_slice(&gap.bytes);
            }
            let shared = out.get(start..).unwrap_or_default();
            let (again, new) = part.bytes.split_at(shared.len().min(part.bytes.len()));
            if shared.get(..again.len()) != Some(again) {
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
