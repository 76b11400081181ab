//! Checks keys and values against their declarations.

use asset::Report;
use files::suggest::did_you_mean;

use crate::sound::rtx;

use super::super::Kind;
use super::super::key::{Key, ValueKind};
use super::super::lookup::{Entry, Section};
use super::super::unknown::{UnknownKey, keys, similar_section};
use super::keys::is_leftover;
use super::warning::{LABEL, UNKNOWN, UNUSED, VALUE};
use super::{Subject, file};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let Some(kind) = subject.kind.filter(|kind| !kind.groups().is_empty()) else { return };
    for section in subject.lookup.sections() {
        if kind.group(&section.name).is_some() {
            values(subject, kind, section, report);
        } else {
            unknown_section(kind, section, report);
        }
    }
    keys(&subject.lookup, kind).iter().for_each(|key| unknown_key(kind, key, report));
}

fn unknown_section(kind: Kind, section: &Section<'_>, report: &mut Report) {
    let guess = similar_section(kind, &section.name).map(|name| format!("; did you mean \"{name}\"?"));
    let message = format!(
        "line {}: the game ignores section [{}]{}",
        section.line,
        section.name,
        guess.unwrap_or_default()
    );
    report.warn(&UNKNOWN, message).at(section.offset);
}

fn unknown_key(kind: Kind, unknown: &UnknownKey, report: &mut Report) {
    let hint = match (unknown.others.as_slice(), &unknown.nearest) {
        ([], Some(nearest)) => format!("; did you mean \"{nearest}\"?"),
        ([], None) => index_hint(kind, unknown),
        (others, _) => {
            let shown = |section: &&str| format!("[{}]", section.replace('#', "N"));
            let others: Vec<String> = others.iter().map(shown).collect();
            format!("; it belongs to section {}", others.join(" or "))
        }
    };
    let message = format!("line {}: the game ignores \"{}\"{hint}", unknown.line, unknown.key);
    let code = if is_leftover(kind, unknown) { &UNUSED } else { &UNKNOWN };
    report.warn(code, message).at(unknown.offset);
}

/// Returns a hint for a known key that lacks its index, or should not have one.
fn index_hint(kind: Kind, unknown: &UnknownKey) -> String {
    let base = unknown.key.split('[').next().unwrap_or_default().trim().to_lowercase();
    let bases: Vec<String> = kind.keys(&unknown.section).map(|key| key.numbered_like(&base)).collect();
    match kind.keys(&unknown.section).find(|key| key.numbered_like(&base) == base) {
        Some(key) if key.is_indexed() => format!("; it needs an index, as in \"{base}[0]\""),
        Some(_) => format!("; it has no index: \"{base}\""),
        None => did_you_mean(&base, bases.iter().map(String::as_str)),
    }
}

/// Checks the values that count.
fn values(subject: &Subject<'_>, kind: Kind, section: &Section<'_>, report: &mut Report) {
    let labels = rtx::labels(subject.context);
    for entry in section.firsts() {
        let Some(key) = kind.find(&section.name, &entry.name) else { continue };
        index(key, entry, report);
        if let Some(problem) = key.problem(entry.value()) {
            value(key, entry, &problem, report);
        }
        match key.kind {
            ValueKind::Label => {
                let label = entry.value();
                let is_missing = labels.as_ref().is_some_and(|it| !it.contains(&rtx::label_key(label)));
                if !label.is_empty() && is_missing {
                    let message = format!("line {}: dialogue line \"{label}\" was not found", entry.line);
                    report.warn(&LABEL, message).at(entry.offset);
                }
            }
            ValueKind::Path(kind) => file::check(subject.context, kind, entry, report),
            _ => {}
        }
    }
}

/// Checks the index in brackets.
fn index(key: &Key, entry: &Entry<'_>, report: &mut Report) {
    let (Some(index), Some((least, most))) = (entry.name.index, key.indices) else { return };
    if !(least..=most).contains(&index) {
        let message =
            format!("line {}: {} has index {index} (valid: {least} to {most})", entry.line, entry.written);
        report.warn(&VALUE, message).at(entry.offset);
    }
}

fn value(key: &Key, entry: &Entry<'_>, problem: &str, report: &mut Report) {
    let (line, name) = (entry.line, entry.written.as_ref());
    if key.is_ignored_outside {
        let message = format!("line {line}: {name} {problem}: the game ignores it");
        report.warn(&UNUSED, message).at(entry.offset);
    } else {
        report.warn(&VALUE, format!("line {line}: {name} {problem}")).at(entry.offset);
    }
}
