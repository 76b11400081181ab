//! Checks of an archive: every file can be unpacked, names are valid, and files do not overlap.

use std::collections::HashMap;
use std::ops::Range;

use asset::archive::Content;
use asset::{Charset, GamePath, Report};
use files::name::safe_name;
use record::Error;

use super::entry::{Entry, Kind};
use super::{Grf, name, warning};

pub(super) fn check(grf: &Grf, report: &mut Report) {
    check_names(grf, report);
    check_overlaps(grf, report);
    // Entries may share their bytes, which are unpacked only once.
    let mut unpacked: HashMap<_, Option<Error>> = HashMap::new();
    for (index, entry) in (0_usize..).zip(&grf.entries) {
        if entry.kind == Kind::Stored {
            let message = format!("{} has no flags; assumed to be stored uncompressed", entry.text());
            report.warn(&warning::STORED, message).in_field(field(index));
        }
        if entry.kind.content() != Content::File {
            continue;
        }
        let bytes = (entry.offset, entry.packed, entry.aligned, entry.size, entry.cipher, entry.kind);
        let error = unpacked.entry(bytes).or_insert_with(|| grf.unpack(index, &mut |_| ()).err());
        if let Some(error) = error.as_ref().map(|error| grf.of_entry(error, index)) {
            unreadable(grf, index, entry, &error, report);
        }
    }
}

/// Reports a file that cannot be unpacked, because its bytes are damaged or because its table entry is invalid.
fn unreadable(grf: &Grf, index: usize, entry: &Entry, error: &Error, report: &mut Report) {
    let noted = report.warn(&warning::UNREADABLE, error.message());
    match entry.range(grf.source.len()) {
        Ok(range) if !range.is_empty() => {
            let noted = noted.in_field(field(index));
            if let Some(offset) = error.offset() {
                noted.at(offset);
            }
        }
        _ if grf.version().is_scrambled() => drop(noted.in_field(error.path())),
        _ => drop(noted.in_field("table")),
    }
}

fn field(index: usize) -> String {
    format!("entries[{index}]")
}

fn check_names(grf: &Grf, report: &mut Report) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (index, entry) in (0_usize..).zip(&grf.entries) {
        let text = entry.text();
        if !name::is_text(&entry.name) {
            let message = format!("the name {text} cannot be decoded in {}", Charset::Cp949.name());
            report.warn(&warning::NO_TEXT, message).in_field(field(index));
        }
        if !entry.kind.content().is_file() {
            continue;
        }
        match GamePath::parse(&text) {
            Err(reason) => {
                let message = format!("{text} {reason}");
                report.warn(&warning::LEADS_OUT, message).in_field(field(index));
            }
            Ok(path) if path.is_root() => {
                let message = format!("\"{text}\" is not a valid file name");
                report.warn(&warning::LEADS_OUT, message).in_field(field(index));
            }
            Ok(path) if path.segments().any(|segment| safe_name(segment) != segment) => {
                let message = format!("{text} is not a valid file name on every system");
                report.warn(&warning::UNSAFE_NAME, message).in_field(field(index));
            }
            Ok(_) => {}
        }
        let first = *seen.entry(name::folded(&text)).or_insert(index);
        if first != index {
            let other = grf.entries.get(first).map(Entry::text).unwrap_or_default();
            let message = format!("{text} has the same name as {other} (entry {first})");
            report.warn(&warning::DUPLICATE_NAME, message).in_field(field(index));
        }
    }
}

/// Reports files that share bytes. The reported offsets are the offsets of the bytes, because the fields of an entry start in the table in
/// older archives.
fn check_overlaps(grf: &Grf, report: &mut Report) {
    let mut ranges: Vec<_> = (0_usize..)
        .zip(&grf.entries)
        .filter(|(_, entry)| entry.kind.content().is_file())
        .filter_map(|(index, entry)| Some((entry.range(grf.source.len()).ok()?, index)))
        .filter(|(range, _)| !range.is_empty())
        .collect();
    ranges.sort_by_key(|(range, index)| (range.start, range.end, *index));
    let text = |index: usize| grf.entries.get(index).map(Entry::text).unwrap_or_default();
    let mut before: Option<(Range<u64>, usize)> = None;
    for (range, index) in ranges {
        if let Some((other, first)) = &before
            && range.start < other.end
        {
            if range == *other {
                let message = format!("{} has the same bytes as {}", text(index), text(*first));
                report.warn(&warning::SHARED, message).at(range.start).in_field(field(index));
            } else {
                let message = format!("{} starts within the bytes of {}", text(index), text(*first));
                report.warn(&warning::OVERLAP, message).at(range.start).in_field(field(index));
            }
        }
        if before.as_ref().is_none_or(|(other, _)| range.end > other.end) {
            before = Some((range, index));
        }
    }
}
