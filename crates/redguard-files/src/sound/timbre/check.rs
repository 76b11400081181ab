//! Checks a timbre library.

use std::collections::BTreeMap;

use asset::Report;

use super::layout::{Timbre, TimbreLibrary, TimbreRef};
use super::warning;

/// Reports entries for a patch that already has one.
pub(super) fn duplicates(library: &TimbreLibrary, report: &mut Report) {
    let mut first: BTreeMap<(u8, u8), usize> = BTreeMap::new();
    for (index, entry) in library.entries.iter().enumerate() {
        let known = *first.entry((entry.bank, entry.patch)).or_insert(index);
        if known != index {
            let message = format!("patch {} of bank {} already has entry {known}", entry.patch, entry.bank);
            report.warn(&warning::DUPLICATE, message).in_field(format!("entries[{index}]"));
        }
    }
}

/// Reports timbres that cannot be played, and bytes that a table does not include.
pub(super) fn incomplete(library: &TimbreLibrary, report: &mut Report) {
    for (index, entry) in library.entries.iter().enumerate() {
        if let TimbreRef::Dangling { offset } = entry.timbre {
            let message = format!("there is no timbre at {offset:#x}");
            report.warn(&warning::DANGLING, message).in_field(format!("entries[{index}].timbre"));
        }
    }
    for (index, timbre) in library.timbres.iter().enumerate() {
        if let Timbre::Other { length, .. } = timbre {
            let message = format!("unknown timbre length {length} (known: 14, 25)");
            report.warn(&warning::LENGTH, message).in_field(format!("timbres[{index}]"));
        }
    }
    for (index, gap) in library.layout.gaps.iter().enumerate() {
        let bytes = asset::counted(gap.bytes.len(), "byte", "bytes");
        let message = format!("{bytes} that no entry refers to");
        report.warn(&warning::UNUSED, message).in_field(format!("layout.gaps[{index}]"));
    }
}
