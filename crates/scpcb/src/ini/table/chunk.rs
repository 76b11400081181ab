//! Checks of counts in the table of SCP-1499. The game iterates from 0 to each count inclusive, and has space for 128 objects in a
//! chunk.

use asset::Report;

use super::section::{Checked, Sections};
use super::value;
use super::warning;

/// Maximum number of the last object in a chunk.
pub(super) const LAST_OBJECT: i64 = 127;
/// Number of the last model of an object.
pub(super) const LAST_MODEL: i64 = 15;

/// Maximum number of missing chunks listed.
const MAX_LISTED: u32 = 64;

pub(super) fn check(sections: &Sections<'_>, report: &mut Report) {
    if let Some(general) = sections.get("general")
        && let Some(last) = count(general)
    {
        for number in (0..=last).take_while(|number| *number <= MAX_LISTED) {
            if sections.get(&format!("chunk{number}")).is_none() {
                let message = format!("count is {last}, but [chunk{number}] is missing");
                general.warn(&warning::COUNTED_MISSING, message, report);
            }
        }
        for section in &sections.0 {
            let number = number_of(&section.section.name, "chunk");
            if number.is_some_and(|number| number > last) {
                let message = format!("the chunk is unused: count is {last}");
                section.warn(&warning::NOT_COUNTED, message, report);
            }
        }
    }
    for chunk in sections.0.iter().filter(|section| number_of(&section.section.name, "chunk").is_some()) {
        check_objects(chunk, report);
    }
}

fn check_objects(chunk: &Checked<'_>, report: &mut Report) {
    let Some(last) = count(chunk).filter(|last| i64::from(*last) <= LAST_OBJECT) else { return };
    for number in 0..=last {
        if chunk.section.get(&format!("obj{number}")).is_none() {
            let message = format!("count is {last}, but \"obj{number}\" is missing");
            chunk.warn(&warning::COUNTED_MISSING, message, report);
        }
    }
    for entry in &chunk.section.entries {
        if number_of(&entry.key, "obj").is_some_and(|number| number > last) {
            let message = format!("the object is unused: count is {last}");
            chunk.warn_of(entry, &warning::NOT_COUNTED, message, report);
        }
    }
}

/// Returns a count as the game reads it; `None` if it is missing or negative.
fn count(section: &Checked<'_>) -> Option<u32> {
    let number = value::number(section.section.get("count")?, false).value;
    // Integers of Blitz3D have 32 bits.
    format!("{number:.0}").parse().ok()
}

/// Returns the number in a name: 12 for `chunk12`.
fn number_of(name: &str, before: &str) -> Option<u32> {
    name.trim().to_lowercase().strip_prefix(before)?.parse().ok()
}
