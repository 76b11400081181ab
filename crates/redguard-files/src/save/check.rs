//! Checks a saved game.

use asset::Report;

use super::flag::FLAGS;
use super::item::ItemNames;
use super::layout::{Chunk, FIRST, KNOWN, Save, VERSION};
use super::warning;

/// Chunks that occur in saved games and are kept as opaque bytes.
const OPAQUE: [&[u8; 4]; 15] = [
    b"THMB", b"SCR3", b"SMOB", b"SMRP", b"SMCO", b"SMSH", b"SVCM", b"SMFM", b"SMGR", b"SVRG", b"SVG2",
    b"SVCB", b"SVMV", b"SVMD", b"SVGV",
];

pub(super) fn check(save: &Save, names: Option<&ItemNames>, report: &mut Report) {
    for (index, chunk) in save.chunks.iter().enumerate() {
        let field = format!("chunks[{index}]");
        check_chunk(chunk, index, names, &field, report);
    }
    if !save.chunks.iter().any(|chunk| chunk.tag() == FIRST) {
        report.warn(&warning::FIRST, "the SVGM chunk is missing").in_field("chunks");
    }
    if !save.end {
        report.warn(&warning::NO_END, "the END tag is missing");
    }
    if !save.rest.is_empty() {
        let message = format!("{} unexpected bytes after the end", save.rest.len());
        report.warn(&warning::LEFT_OVER, message).in_field("rest");
    }
}

fn check_chunk(chunk: &Chunk, index: usize, names: Option<&ItemNames>, field: &str, report: &mut Report) {
    if chunk.tag() == FIRST && index > 0 {
        report.warn(&warning::FIRST, format!("SVGM is at position {index} instead of first")).in_field(field);
    }
    match chunk {
        Chunk::Header(_) | Chunk::General(_) => {}
        Chunk::Flags(flags) => {
            if flags.list.len() != FLAGS.len() {
                let message = format!("there are {} flags (expected: 369)", flags.list.len());
                report.warn(&warning::FLAGS, message).in_field(field);
            }
        }
        Chunk::Items(items) => {
            let count = items.records.len();
            if let Some(names) = names.filter(|names| count.saturating_add(1) != names.count()) {
                let message =
                    format!("there are {count} item records, but ITEM.INI has {} items", names.count());
                report.warn(&warning::ITEMS, message).in_field(field);
            }
            // The last item has no record, but can be selected.
            let is_item = usize::try_from(items.selected).map_or(items.selected == -1, |item| item <= count);
            if !is_item {
                let message = format!("selected is {} (valid: -1 for none, up to {count})", items.selected);
                report.warn(&warning::SELECTED, message).in_field(field);
            }
        }
        Chunk::Other { tag, data } if tag.0 == FIRST => {
            let version = data.first_chunk::<4>().copied().unwrap_or_default();
            let message = if version == VERSION {
                format!("SVGM has the unexpected size {}", data.len())
            } else {
                format!("unknown SVGM version {}", version.escape_ascii())
            };
            report.warn(&warning::VERSION, message).in_field(field);
        }
        Chunk::Other { tag, data } if KNOWN.contains(&tag.0) => {
            let message = format!("{tag} has the unexpected size {}", data.len());
            report.warn(&warning::LENGTH, message).in_field(field);
        }
        Chunk::Other { tag, data } => {
            if !OPAQUE.contains(&&tag.0) {
                let message = format!("unknown chunk {} ({} bytes)", tag.0.escape_ascii(), data.len());
                report.warn(&warning::UNKNOWN, message).in_field(field);
            }
        }
    }
}
