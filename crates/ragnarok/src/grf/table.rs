//! Reading of the table of an archive. None of its numbers is trusted.

use std::borrow::Cow;
use std::ops::Range;

use asset::Report;
use record::{Error, Reader, Record, Result, Source};
use serde::Serialize;

use super::cipher::Cipher;
use super::entry::Entry;
use super::layout::{Header, PlainEntry, ScrambledEntry, ScrambledName, TableHead};
use super::stored::{Stored, inflate};
use super::version::Version;
use super::{max_entries, warning};

/// Maximum size of a decompressed table in bytes. The largest archives of the game have tables of a few dozen megabytes.
const MAX_SIZE: u64 = 1 << 29;

/// Maximum compression ratio of a table: an entry of at most 272 bytes cannot be compressed to less than about five.
const MAX_RATIO: u64 = 64;

/// Decompressed size in bytes that is always allowed.
const ALWAYS_ALLOWED: u64 = 1 << 20;

/// Number of bytes of an uncompressed table that are read at once.
const WINDOW: u64 = 1 << 18;

/// The position of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Offset of the first byte.
    pub offset: u64,
    /// Size in the archive in bytes, as far as the table was read.
    pub stored: u64,
    /// Decompressed size in bytes. Null if the table is not compressed.
    pub size: Option<u64>,
}

/// Reads the table of an archive.
pub(super) fn read(source: &Source, header: &Header, report: &mut Report) -> Result<(Table, Vec<Entry>)> {
    let length = source.len();
    let offset = header.table_offset().filter(|offset| *offset <= length).ok_or_else(|| {
        let shown =
            header.table_offset().map_or("a negative offset".to_owned(), |offset| format!("{offset:#x}"));
        Error::malformed(format!("table_offset is {shown}, but the file has only {length} bytes"))
            .at(30)
            .in_field("table_offset")
            .in_field("header")
    })?;
    let read = if header.version().is_scrambled() { read_scrambled } else { read_packed };
    let (table, entries) = read(source, header, offset, report)?;
    let (count, found) = (header.count(), i64::try_from(entries.len()).unwrap_or(i64::MAX));
    if count != found && !header.version().is_scrambled() {
        let message = format!("the header declares {count} entries, but the table has {found}");
        report.warn(&warning::COUNT, message).in_field("header.count");
    }
    Ok((table, entries))
}

/// Reads a table since 0x200.
fn read_packed(
    source: &Source,
    header: &Header,
    offset: u64,
    report: &mut Report,
) -> Result<(Table, Vec<Entry>)> {
    let version = header.version();
    let (head, stream) = packed_extent(source, version, offset)?;
    let table = Table { offset, stored: stream.end.saturating_sub(offset), size: Some(head.size.into()) };
    if head.packed == 0 && head.size == 0 {
        return Ok((table, Vec::new()));
    }
    let bytes = unpack(source, &head, stream.clone())?;
    let mut reader = Reader::new(&bytes);
    let (mut entries, limit) = (Vec::new(), max_entries(source.len()));
    while !reader.is_at_end() {
        if entries.len() >= limit {
            return Err(too_many(limit, stream.start));
        }
        let at = reader.offset();
        match reader.attempt(|reader| PlainEntry::read(reader, version)) {
            Ok(entry) => entries.push(Entry::plain(entry, version)),
            Err(error) => {
                let what = format!("the unpacked table is damaged at byte {at}");
                let error = Error::new(error.kind(), error.message()).at(stream.start);
                cut_short(&error, &what, entries.len(), Some("table.stream"), report)?;
                break;
            }
        }
    }
    Ok((table, entries))
}

/// Returns the fields before a compressed table, and the range of the table itself.
pub(super) fn packed_extent(
    source: &Source,
    version: Version,
    offset: u64,
) -> Result<(TableHead, Range<u64>)> {
    let length = u64::try_from(if version.is_wide() { 12 } else { 8_usize }).unwrap_or_default();
    let end = offset.saturating_add(length).min(source.len());
    let bytes = source.read(offset..end)?;
    let head = TableHead::read(&mut Reader::new(&bytes), version)
        .map_err(|error| moved(&error, offset).in_field("table"))?;
    let stream_end = end.checked_add(head.packed.into()).filter(|end| *end <= source.len());
    let stream = end..stream_end.ok_or_else(|| {
        let left = source.len().saturating_sub(end);
        Error::malformed(format!("the packed size is {}, but only {left} bytes are left", head.packed))
            .at(end.saturating_sub(8))
            .in_field("packed")
            .in_field("table")
    })?;
    Ok((head, stream))
}

fn unpack(source: &Source, head: &TableHead, stream: Range<u64>) -> Result<Vec<u8>> {
    let size = u64::from(head.size);
    let in_table = |error: Error| error.in_field("table");
    let allowed = u64::from(head.packed).saturating_mul(MAX_RATIO).clamp(ALWAYS_ALLOWED, MAX_SIZE);
    if size > allowed {
        let message = format!(
            "unpacked size is {size}, but {} packed bytes may unpack to at most {allowed}",
            head.packed
        );
        return Err(in_table(Error::limit(message).at(stream.start.saturating_sub(4)).in_field("size")));
    }
    let mut bytes = Vec::new();
    let stored = Stored::new(source, stream, head.packed, Cipher::None);
    inflate(stored, size, &mut |piece| bytes.extend_from_slice(piece)).map_err(in_table)?;
    Ok(bytes)
}

/// Reads a table before 0x200.
fn read_scrambled(
    source: &Source,
    header: &Header,
    offset: u64,
    report: &mut Report,
) -> Result<(Table, Vec<Entry>)> {
    let count = usize::try_from(header.count()).map_err(|_| {
        let message = format!("{} is not a valid entry count", header.count());
        Error::malformed(message).at(38).in_field("count").in_field("header")
    })?;
    let (mut entries, limit) = (Vec::new(), max_entries(source.len()));
    let mut window = Window::new(source);
    let mut at = offset;
    while entries.len() < count {
        if entries.len() >= limit {
            return Err(too_many(limit, at));
        }
        let mut reader = Reader::new(window.from(at)?);
        match ScrambledEntry::read(&mut reader, ()) {
            Ok(entry) => entries.push(Entry::scrambled(&entry, header.version())),
            Err(error) => {
                let error = moved(&error, at);
                let missing = count.saturating_sub(entries.len());
                let what = format!("{missing} of {count} entries cannot be read");
                cut_short(&error, &what, entries.len(), None, report)?;
                break;
            }
        }
        at = at.saturating_add(reader.offset());
    }
    Ok((Table { offset, stored: at.saturating_sub(offset), size: None }, entries))
}

/// A window into a file that moves forward.
pub(super) struct Window<'a> {
    source: &'a Source,
    bytes: Cow<'a, [u8]>,
    start: u64,
}

impl<'a> Window<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        Self { source, bytes: Cow::Borrowed(&[]), start: 0 }
    }

    /// Returns the bytes from an offset on. They include the complete entry at the offset, if there is one.
    pub(super) fn from(&mut self, at: u64) -> Result<&[u8]> {
        let longest = u64::try_from(ScrambledName::MAX_NAME_LENGTH).unwrap_or(u64::MAX).saturating_add(64);
        let wanted = at.saturating_add(longest).min(self.source.len());
        let end = self.start.saturating_add(u64::try_from(self.bytes.len()).unwrap_or(0));
        if at < self.start || wanted > end {
            let end = at.saturating_add(WINDOW).min(self.source.len());
            (self.bytes, self.start) = (self.source.read(at.min(end)..end)?, at);
        }
        let skipped = usize::try_from(at.saturating_sub(self.start)).unwrap_or(usize::MAX);
        Ok(self.bytes.get(skipped..).unwrap_or_default())
    }
}

/// Handles a damaged table: reports the error if at least one entry was read, and returns it otherwise. `field` is the field that contains
/// the damaged bytes, if there is one.
fn cut_short(
    error: &Error,
    what: &str,
    found: usize,
    field: Option<&str>,
    report: &mut Report,
) -> Result<()> {
    if found == 0 {
        return Err(error.clone().in_item(found).in_field("entries"));
    }
    let message = format!("{what}: {}", error.message());
    let noted = report.warn(&warning::TABLE, message).in_field(field.unwrap_or_default());
    if let Some(offset) = error.offset() {
        noted.at(offset);
    }
    Ok(())
}

fn too_many(limit: usize, offset: u64) -> Error {
    Error::limit(format!("more than {limit} entries, too many for an archive of this size"))
        .at(offset)
        .in_field("entries")
}

/// Moves an error from a part of the file that starts at `base` to the file.
pub(super) fn moved(error: &Error, base: u64) -> Error {
    let moved = Error::new(error.kind(), error.message());
    let moved = match error.offset() {
        Some(offset) => moved.at(base.saturating_add(offset)),
        None => moved,
    };
    match error.path() {
        path if path.is_empty() => moved,
        path => moved.in_field(path),
    }
}
