//! Checks COMBAT.INI.

use asset::{Report, counted};

use super::super::combat::{List, ListKind, parts};
use super::super::lookup::Entry;
use super::super::value::integer;
use super::warning::{GAP, REFERENCE, REQUIRED};
use super::{Subject, sound};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    match subject.lookup.section("misc") {
        Some(misc) => {
            let sounds =
                ["sword_clank_1", "sword_clank_2"].into_iter().filter_map(|key| misc.entry(key, None));
            sounds.for_each(|entry| parry_sound(subject, entry, report));
        }
        None => {
            report.warn(&REQUIRED, "section [misc] is missing");
        }
    }
    for kind in ListKind::ALL {
        let list = List::new(&subject.lookup, kind);
        repeated(&list, report);
        match kind {
            ListKind::Attacks => {
                gaps(&list, kind, "damage and no type", report);
                combos(&list, report);
            }
            ListKind::Defenses => gaps(&list, kind, "max_range", report),
            ListKind::Taunts => {}
        }
    }
}

fn parry_sound(subject: &Subject<'_>, entry: &Entry<'_>, report: &mut Report) {
    if let Some(problem) = sound::problem(subject.context, integer(entry.value()).into()) {
        let message = format!("line {}: {} {problem}", entry.line, entry.written);
        report.warn(&REFERENCE, message).at(entry.offset);
    }
}

/// Reports sections with the number of another one.
fn repeated(list: &List<'_, '_>, report: &mut Report) {
    for (number, section) in &list.repeated {
        let Some(first) = list.sections.get(number) else { continue };
        let message = format!(
            "line {}: [{}] has the same number as [{}] in line {}, which takes precedence",
            section.line, section.name, first.name, first.line
        );
        report.warn(&GAP, message).at(section.offset);
    }
}

/// Reports sections that the game does not load because an earlier number is missing or has no values.
fn gaps(list: &List<'_, '_>, kind: ListKind, missing: &str, report: &mut Report) {
    let (name, [one, many]) = (kind.section(), kind.nouns());
    let end = list.loaded();
    let mut lost = list.sections.range(end..);
    let count = lost.clone().count();
    let Some((number, section)) = lost.next() else { return };
    let line = section.line;
    if *number != end {
        let message = format!(
            "line {line}: {name}{end:02} is missing, so the game does not load the {} from here on",
            counted(count, one, many)
        );
        report.warn(&GAP, message).at(section.offset);
    } else if let Some(lost) = count.checked_sub(1).filter(|lost| *lost > 0) {
        // The last one may be there to end the list.
        let message = format!(
            "line {line}: {name}{end:02} has no {missing}, so the game does not load the {} after it",
            counted(lost, one, many)
        );
        report.warn(&GAP, message).at(section.offset);
    }
}

/// Reports parts of loaded combos that are not loaded.
fn combos(list: &List<'_, '_>, report: &mut Report) {
    let loaded = list.loaded();
    for section in list.sections.range(..loaded).map(|(_, section)| section) {
        for (key, part) in parts(section).unwrap_or_default() {
            if u32::try_from(part).is_ok_and(|part| part < loaded) {
                continue;
            }
            let (line, offset) =
                section.entry(key, None).map_or((section.line, section.offset), |it| (it.line, it.offset));
            let message =
                format!("line {line}: {key} of [{}] is attack {part}, which is not loaded", section.name);
            report.warn(&REFERENCE, message).at(offset);
        }
    }
}
