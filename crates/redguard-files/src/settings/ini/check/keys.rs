//! Checks KEYS.INI.

use asset::Report;

use super::super::Kind;
use super::super::binding::ACTIONS;
use super::super::unknown::UnknownKey;
use super::Subject;
use super::warning::REQUIRED;

/// Keys that the shipped file also contains in `[defined]`, where they have no effect.
const LEFTOVERS: [&str; 2] = ["next_key", "prev_key"];

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let section = subject.lookup.section("input");
    for action in ACTIONS.iter().filter(|action| action.user_key.is_some()) {
        let code = section.and_then(|section| section.value(action.key, Some(0))).unwrap_or_default();
        if code.is_empty() {
            report.warn(&REQUIRED, format!("{}[0] is missing from section [input]", action.key));
        }
    }
}

/// Whether the shipped file contains a key that has no effect.
pub(super) fn is_leftover(kind: Kind, unknown: &UnknownKey) -> bool {
    let is_shipped = || LEFTOVERS.iter().any(|key| unknown.key.eq_ignore_ascii_case(key));
    kind == Kind::Keys && unknown.section == "defined" && is_shipped()
}
