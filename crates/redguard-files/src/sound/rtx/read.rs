//! Reads a dialogue file: the footer, the index, and the first bytes of each line, but no voices.

use std::collections::BTreeMap;
use std::ops::Range;

use record::{Bytes, Error, Reader, Record, Result, Source};

use super::layout::{CHUNK_HEAD, ChunkHead, END, FOOTER, Footer, INDEX_ENTRY, IndexEntry, PREFIX, Prefix};
use super::model::{Content, Dialogue, EndMark, IndexLine, Line, Payload, Piece, Voice};
use crate::sound::{HEADER, SoundHeader, length};

/// The maximum number of lines in a file. The game has 4,866.
pub const MAX_LINES: u64 = 1 << 18;

/// The number of bytes read at once from the start of a line: usually its header, text and voice header.
const READ_AHEAD: u64 = 256;

/// The index and its location.
struct Table {
    start: u64,
    end: u64,
    entries: Vec<IndexEntry>,
}

impl Dialogue {
    /// Reads the footer, the index and everything before the voices. A malformed line is kept as bytes.
    ///
    /// # Errors
    /// Returns an error if there is no footer, when the index or a line is out of bounds, or when lines overlap.
    pub fn read(source: &Source) -> Result<Self> {
        let table = read_table(source)?;
        let ranges = payload_ranges(&table)?;
        let mut pieces = Vec::new();
        let mut pieces_at = BTreeMap::new();
        let mut previous_end = 0;
        for range in &ranges {
            let head = range.start.saturating_sub(CHUNK_HEAD);
            if head > previous_end {
                pieces.push(Piece::Gap(source.part(previous_end..head)?));
            }
            pieces_at.insert(range.start, pieces.len());
            pieces.push(Piece::Line(read_line(source, range)?));
            previous_end = range.end;
        }
        let last = source.part(previous_end..table.start)?;
        let end = if last.len() == length(END) && *last.read_all()? == *END {
            EndMark::Present
        } else {
            if !last.is_empty() {
                pieces.push(Piece::Gap(last));
            }
            EndMark::Absent
        };
        let line = |entry: &IndexEntry| {
            let piece = pieces_at.get(&u64::from(entry.payload_offset)).copied()?;
            Some(IndexLine { tag: entry.tag, piece })
        };
        let index = table.entries.iter().filter_map(line).collect();
        let footer = source.len().saturating_sub(FOOTER);
        let behind_index = Bytes::from(source.read(table.end..footer)?.into_owned());
        Ok(Self { pieces, end, index, behind_index })
    }
}

fn read_table(source: &Source) -> Result<Table> {
    let in_footer = |error: Error| error.in_field("footer");
    let Some(at) = source.len().checked_sub(FOOTER) else {
        let message = format!("the file has {} bytes, too few for a footer of {FOOTER} bytes", source.len());
        return Err(in_footer(Error::malformed(message).at(0)));
    };
    let bytes = source.read(at..source.len())?;
    if !bytes.starts_with(b"RNAV") {
        let message = "expected a footer that starts with \"RNAV\"";
        return Err(in_footer(Error::malformed(message).at(at)));
    }
    let footer = Footer::read(&mut Reader::new(&bytes), ()).map_err(in_footer)?;
    let (start, count) = (u64::from(footer.index_offset), u64::from(footer.index_count));
    if start > at {
        let message = format!("index_offset is {start:#x}, after the footer at {at:#x}");
        return Err(in_footer(Error::malformed(message).at(at.saturating_add(4)).in_field("index_offset")));
    }
    let size = count.saturating_mul(INDEX_ENTRY);
    let end = start.saturating_add(size);
    if end > at {
        let left = at.saturating_sub(start);
        let message = format!(
            "index_count is {count}, but only {left} bytes are left for entries of {INDEX_ENTRY} bytes"
        );
        return Err(in_footer(Error::malformed(message).at(at.saturating_add(8)).in_field("index_count")));
    }
    if count > MAX_LINES {
        let message = format!("index_count is {count} (limit: {MAX_LINES})");
        return Err(in_footer(Error::limit(message).at(at.saturating_add(8)).in_field("index_count")));
    }
    let bytes = source.read(start..end)?;
    let mut reader = Reader::new(&bytes);
    let entries = reader.list(footer.index_count, ()).map_err(|error| error.in_field("index"))?;
    Ok(Table { start, end, entries })
}

/// Returns the byte ranges of the payloads in file order, without duplicates.
fn payload_ranges(table: &Table) -> Result<Vec<Range<u64>>> {
    let mut payload_ranges = Vec::with_capacity(table.entries.len());
    for (number, entry) in table.entries.iter().enumerate() {
        let at = table.start.saturating_add(INDEX_ENTRY.saturating_mul(u64::try_from(number).unwrap_or(0)));
        let reject = |message: String, field: &'static str, at: u64| {
            Err(Error::malformed(message).at(at).in_field(field).in_item(number).in_field("index"))
        };
        let (start, size) = (u64::from(entry.payload_offset), u64::from(entry.payload_size));
        let end = start.saturating_add(size);
        let offset = at.saturating_add(4);
        if start < CHUNK_HEAD || start > table.start {
            let message =
                format!("payload_offset {start:#x} is not between {CHUNK_HEAD:#x} and {:#x}", table.start);
            return reject(message, "payload_offset", offset);
        }
        if end > table.start {
            let left = table.start.saturating_sub(start);
            let message = format!("payload_size is {size}, but only {left} bytes are left before the index");
            return reject(message, "payload_size", at.saturating_add(8));
        }
        if size < PREFIX {
            let message = format!("payload_size is {size} (minimum: {PREFIX})");
            return reject(message, "payload_size", at.saturating_add(8));
        }
        payload_ranges.push((start, end, number, offset));
    }
    payload_ranges.sort_unstable();
    payload_ranges.dedup_by_key(|(start, end, ..)| (*start, *end));
    let overlap =
        payload_ranges.iter().zip(payload_ranges.iter().skip(1)).find(|((_, end, ..), (start, ..))| {
            // A chunk header is part of its payload's range.
            start.saturating_sub(CHUNK_HEAD) < *end
        });
    if let Some(((_, end, ..), (start, _, number, offset))) = overlap {
        let message = format!(
            "the line at {:#x} overlaps the previous line, which ends at {end:#x}",
            start.saturating_sub(CHUNK_HEAD)
        );
        let error = Error::malformed(message).at(*offset).in_field("payload_offset");
        return Err(error.in_item(*number).in_field("index"));
    }
    Ok(payload_ranges.into_iter().map(|(start, end, ..)| start..end).collect())
}

fn read_line(source: &Source, payload: &Range<u64>) -> Result<Line> {
    let start = payload.start.saturating_sub(CHUNK_HEAD);
    let first = source.read(start..payload.end.min(start.saturating_add(READ_AHEAD)))?;
    let head = ChunkHead::read(&mut Reader::new(&first), ()).map_err(|error| error.at(start))?;
    let size = payload.end.saturating_sub(payload.start);
    let declared_size = (u64::from(head.payload_size) != size).then_some(head.payload_size);
    let payload = match read_content(source, payload, &first) {
        Ok(content) => Payload::Content(content),
        Err(error) if error.kind() == record::Kind::Io => return Err(error),
        Err(error) => Payload::Damaged(error, source.part(payload.clone())?),
    };
    Ok(Line { tag: head.tag, declared_size, payload })
}

/// Reads a payload. `first` contains the bytes that were already read, starting with the chunk header.
fn read_content(source: &Source, payload: &Range<u64>, first: &[u8]) -> Result<Content> {
    let text_at = payload.start.saturating_add(PREFIX);
    let prefix = first.get(usize::try_from(CHUNK_HEAD).unwrap_or(0)..).unwrap_or_default();
    let prefix = Prefix::read(&mut Reader::new(prefix), ()).map_err(|error| error.at(payload.start))?;
    if prefix.kind > 1 {
        let message = format!("unknown kind {} (known: 0 for text, 1 for text with a voice)", prefix.kind);
        return Err(Error::malformed(message).at(payload.start).in_field("kind"));
    }
    let text_end = text_at.saturating_add(prefix.text_length.into());
    if text_end > payload.end {
        let left = payload.end.saturating_sub(text_at);
        let message = format!("text_length is {}, but only {left} bytes are left", prefix.text_length);
        return Err(Error::malformed(message).at(payload.start.saturating_add(2)).in_field("text_length"));
    }
    let has_voice = prefix.kind == 1;
    let wanted = text_end.saturating_add(if has_voice { HEADER } else { 0 });
    if wanted > payload.end {
        let left = payload.end.saturating_sub(text_end);
        let message = format!("a voice header needs {HEADER} bytes, but only {left} are left");
        return Err(Error::malformed(message).at(text_end).in_field("voice"));
    }
    let bytes = window(source, first, payload, text_at..wanted)?;
    let (text, rest) =
        bytes.split_at_checked(usize::try_from(prefix.text_length).unwrap_or(0)).unwrap_or_default();
    let text = Bytes::from(text);
    if !has_voice {
        return Ok(Content { text, voice: None, rest: source.part(text_end..payload.end)? });
    }
    let header = SoundHeader::read(&mut Reader::new(rest), ()).map_err(|error| error.at(text_end))?;
    let pcm_end = wanted.saturating_add(header.data_length.into());
    if pcm_end > payload.end {
        let left = payload.end.saturating_sub(wanted);
        let message = format!("data_length is {}, but only {left} bytes are left", header.data_length);
        let error = Error::malformed(message).at(text_end.saturating_add(22));
        return Err(error.in_field("data_length").in_field("header").in_field("voice"));
    }
    let voice = Voice { header, pcm: source.part(wanted..pcm_end)? };
    Ok(Content { text, voice: Some(voice), rest: source.part(pcm_end..payload.end)? })
}

/// Returns a range of the file, from the bytes already read if possible.
fn window(source: &Source, first: &[u8], payload: &Range<u64>, range: Range<u64>) -> Result<Vec<u8>> {
    let base = payload.start.saturating_sub(CHUNK_HEAD);
    let inside = |offset: u64| usize::try_from(offset.saturating_sub(base)).ok();
    let known = inside(range.start).zip(inside(range.end)).and_then(|(from, to)| first.get(from..to));
    match known {
        Some(bytes) => Ok(bytes.to_vec()),
        None => Ok(source.read(range)?.into_owned()),
    }
}
