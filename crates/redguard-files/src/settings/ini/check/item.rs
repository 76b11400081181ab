//! Checks ITEM.INI.

use std::collections::BTreeSet;

use asset::{Report, first_few};

use super::super::item::{group, ids};
use super::super::key::ValueKind;
use super::super::lookup::Entry;
use super::super::value::integers;
use super::Subject;
use super::warning::{REFERENCE, REQUIRED};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let Some(section) = subject.lookup.section("items") else {
        report.warn(&REQUIRED, "section [items] is missing");
        return;
    };
    let ids = ids(section);
    for entry in section.firsts().filter(|entry| !entry.value().is_empty()) {
        let key = group().and_then(|group| group.find(&entry.name));
        let refers = key.is_some_and(|key| key.kind == ValueKind::List || key.name == "start_item_select");
        if refers {
            references(entry, &ids, report);
        }
    }
}

/// Reports numbers without an item.
fn references(entry: &Entry<'_>, ids: &BTreeSet<u32>, report: &mut Report) {
    let is_known = |number: &i32| u32::try_from(*number).is_ok_and(|number| ids.contains(&number));
    let unknown: BTreeSet<i32> = integers(entry.value()).into_iter().filter(|it| !is_known(it)).collect();
    let unknown: Vec<String> = unknown.iter().map(i32::to_string).collect();
    let problem = match unknown.as_slice() {
        [] => return,
        [one] => format!("contains {one}, but there is no item {one}"),
        several => format!("contains {}, but there are no such items", first_few(several)),
    };
    let message = format!("line {}: {} {problem}", entry.line, entry.written);
    report.warn(&REFERENCE, message).at(entry.offset);
}
