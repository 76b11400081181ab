//! Which bytes of an archive hold what: header, table, files.

use std::fmt;

use record::{Reader, Record, Result, Source, Span, Visit, Visitor};

use super::Grf;
use super::layout::{HEADER, Header, ScrambledEntry, TableHead};
use super::table::{Window, packed_place};

/// Tells a visitor of header, table and files, in this order; the files in the order of their places.
pub(super) fn trace(grf: &Grf, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
    let mut moved = Moved { visitor, base: 0, prefix: "header".to_owned(), stopped: false };
    Header::read(&mut Reader::tracing(&source.head(HEADER)?, &mut moved), ())?;
    if grf.version().is_scrambled() {
        scrambled_table(grf, source, &mut moved)?;
    } else {
        packed_table(grf, source, &mut moved)?;
    }
    files(grf, source, &mut moved)
}

fn packed_table(grf: &Grf, source: &Source, moved: &mut Moved<'_>) -> Result<()> {
    let (_, stream) = packed_place(source, grf.version(), grf.table.offset)?;
    let head = source.read(grf.table.offset..stream.start)?;
    (moved.base, moved.prefix) = (grf.table.offset, "table".to_owned());
    TableHead::read(&mut Reader::tracing(&head, moved), grf.version())?;
    moved.tell(stream, "table.stream", &format_args!("{} entries, packed with zlib", grf.entries.len()));
    Ok(())
}

fn scrambled_table(grf: &Grf, source: &Source, moved: &mut Moved<'_>) -> Result<()> {
    let mut window = Window::new(source);
    let mut at = grf.table.offset;
    for index in 0..grf.entries.len() {
        if moved.stopped {
            break;
        }
        (moved.base, moved.prefix) = (at, format!("entries[{index}]"));
        let mut reader = Reader::tracing(window.from(at)?, moved);
        ScrambledEntry::read(&mut reader, ())?;
        at = at.saturating_add(reader.offset());
    }
    Ok(())
}

/// The bytes of the files. Of files that have the same bytes only the first is told.
fn files(grf: &Grf, source: &Source, moved: &mut Moved<'_>) -> Result<()> {
    let mut places: Vec<_> = (0_usize..)
        .zip(&grf.entries)
        .filter(|(_, entry)| entry.kind.content().is_file())
        .filter_map(|(index, entry)| Some((entry.place(source.len()).ok()?, index, entry)))
        .filter(|(place, ..)| !place.is_empty())
        .collect();
    places.sort_by_key(|(place, index, _)| (place.start, place.end, *index));
    places.dedup_by(|later, first| later.0 == first.0);
    for (place, index, entry) in places {
        if moved.stopped {
            break;
        }
        moved.tell(place, &format!("entries[{index}].data"), &entry.text());
    }
    Ok(())
}

/// Tells of a part of the file that starts at `base`, under a prefix.
struct Moved<'a> {
    visitor: &'a mut dyn Visitor,
    base: u64,
    prefix: String,
    stopped: bool,
}

impl Moved<'_> {
    fn tell(&mut self, place: std::ops::Range<u64>, path: &str, value: &dyn fmt::Display) {
        let span = Span { start: place.start, end: place.end, path, value };
        self.stopped |= self.visitor.span(span) == Visit::Stop;
    }
}

impl Visitor for Moved<'_> {
    fn span(&mut self, span: Span<'_>) -> Visit {
        let path = format!("{}.{}", self.prefix, span.path);
        let (start, end) = (span.start.saturating_add(self.base), span.end.saturating_add(self.base));
        self.tell(start..end, &path, span.value);
        if self.stopped { Visit::Stop } else { Visit::Continue }
    }
}
