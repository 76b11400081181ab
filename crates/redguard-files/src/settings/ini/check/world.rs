//! Checks WORLD.INI.

use asset::Report;

use super::Subject;
use super::warning::REQUIRED;

/// The keys that the game needs.
const REQUIRED_KEYS: [&str; 2] = ["start_world", "start_marker"];

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let section = subject.lookup.section("world");
    for key in REQUIRED_KEYS {
        let value = section.and_then(|section| section.value(key, None)).unwrap_or_default();
        if value.is_empty() {
            report.warn(&REQUIRED, format!("{key} is missing from section [world]"));
        }
    }
}
