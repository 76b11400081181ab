//! Byte spans of an archive: header, table and files.

use record::{PartTracer, Result, Source, Visitor};

use super::Grf;
use super::layout::{HEADER, Header, ScrambledEntry, TableHead};
use super::table::{Window, packed_extent};

/// Reports the header, the table and the files in this order. The files are in the order of their offsets.
pub(super) fn trace(grf: &Grf, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
    let mut parts = PartTracer::new(visitor);
    parts.record_in::<Header>(&source.head(HEADER)?, 0, "header", ())?;
    if grf.version().is_scrambled() {
        scrambled_table(grf, source, &mut parts)?;
    } else {
        packed_table(grf, source, &mut parts)?;
    }
    files(grf, source, &mut parts);
    Ok(())
}

fn packed_table(grf: &Grf, source: &Source, parts: &mut PartTracer<'_>) -> Result<()> {
    let (_, stream) = packed_extent(source, grf.version(), grf.table.offset)?;
    parts.record::<TableHead>(source, grf.table.offset..stream.start, "table", grf.version())?;
    parts.span(stream, "table.stream", &format_args!("{} entries, packed with zlib", grf.entries.len()));
    Ok(())
}

fn scrambled_table(grf: &Grf, source: &Source, parts: &mut PartTracer<'_>) -> Result<()> {
    let mut window = Window::new(source);
    let mut at = grf.table.offset;
    for index in 0..grf.entries.len() {
        if parts.is_stopped() {
            break;
        }
        let bytes = window.from(at)?;
        let length = parts.record_in::<ScrambledEntry>(bytes, at, format!("entries[{index}]"), ())?;
        at = at.saturating_add(length);
    }
    Ok(())
}

/// Reports the bytes of the files. Files that share their bytes are reported one after the other.
fn files(grf: &Grf, source: &Source, parts: &mut PartTracer<'_>) {
    let mut ranges: Vec<_> = (0_usize..)
        .zip(&grf.entries)
        .filter(|(_, entry)| entry.kind.content().is_file())
        .filter_map(|(index, entry)| Some((entry.range(source.len()).ok()?, index, entry)))
        .filter(|(range, ..)| !range.is_empty())
        .collect();
    ranges.sort_by_key(|(range, index, _)| (range.start, range.end, *index));
    for (range, index, entry) in ranges {
        if parts.is_stopped() {
            break;
        }
        parts.span(range, &format!("entries[{index}].data"), &entry.text());
    }
}
