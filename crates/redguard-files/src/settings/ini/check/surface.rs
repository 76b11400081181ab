//! Checks SURFACE.INI.

use asset::{Context, Report, counted};
use files::suggest::did_you_mean;

use super::super::lookup::{Lookup, Section};
use super::super::surface::{
    self, Assignment, MAX_BANK, MAX_IMAGE, Replacement, SECTION, SURFACES, Use, assignments,
};
use super::super::value::is_number;
use super::warning::{END, REFERENCE, REPEATED, REQUIRED, SURFACE, UNKNOWN, UNUSED, VALUE};
use super::{Subject, sound};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let lookup = &subject.lookup;
    match lookup.section(SECTION) {
        Some(section) => rows(section, &assignments(lookup), report),
        None => {
            report.warn(&REQUIRED, format!("section [{SECTION}] is missing"));
        }
    }
    for name in SURFACES {
        let rows = lookup.section(name).map(surface::sounds).unwrap_or_default();
        rows.iter().for_each(|row| replacement(subject.context, name, row, report));
    }
    unknown_sections(lookup, report);
}

fn unknown_sections(lookup: &Lookup<'_>, report: &mut Report) {
    let known = || SURFACES.into_iter().chain([SECTION]);
    for section in lookup.sections().iter().filter(|section| known().all(|name| name != section.name)) {
        let hint = did_you_mean(&section.name, known());
        let message = format!("line {}: the game ignores section [{}]{hint}", section.line, section.name);
        report.warn(&UNKNOWN, message).at(section.offset);
    }
}

fn rows(section: &Section<'_>, all: &[Assignment], report: &mut Report) {
    let lines = section.texts.iter().map(|it| (it.line, it.offset));
    let entries = section.entries.iter().map(|it| (it.line, it.offset));
    let is_row = |line: usize| all.binary_search_by_key(&line, |it| it.line).is_ok();
    for (line, offset) in lines.chain(entries).filter(|(line, _)| !is_row(*line)) {
        report.warn(&SURFACE, format!("line {line}: expected BANK,IMAGE,SURFACE")).at(offset);
    }
    all.iter().for_each(|it| row(it, report));
    let Some(end) = all.iter().position(|it| it.used == Use::End) else { return };
    if let (Some(it), Some(ignored)) =
        (all.get(end), all.len().checked_sub(end.saturating_add(1)).filter(|it| *it > 0))
    {
        let ignored = counted(ignored, "line after it is", "lines after it are");
        let message = format!("line {} ends the list: {ignored} not read", it.line);
        report.warn(&END, message).at(it.offset);
    }
}

fn row(it: &Assignment, report: &mut Report) {
    if it.code().is_none() {
        let message = format!("line {}: unknown surface \"{}\"", it.line, it.kind);
        report.warn(&SURFACE, message).at(it.offset);
    }
    let [set, image] = &it.written;
    number("bank", it.set, MAX_BANK, set, it, report);
    if it.image.is_some() {
        number("image", it.index(), MAX_IMAGE, image, it, report);
    }
    if let Use::Hidden(first) = it.used {
        let message = format!(
            "line {}: image {} of bank {} is already assigned in line {first}, which takes precedence",
            it.line,
            it.index(),
            it.set
        );
        report.warn(&REPEATED, message).at(it.offset);
    }
}

/// Checks the number of a bank or an image.
fn number(what: &str, number: i32, most: i32, written: &str, it: &Assignment, report: &mut Report) {
    let problem = match () {
        () if !is_number(written) => format!("is \"{written}\"; expected a number"),
        () if !(0..=most).contains(&number) => format!("is {number} (valid: 0 to {most})"),
        () => return,
    };
    report.warn(&VALUE, format!("line {}: {what} {problem}", it.line)).at(it.offset);
}

fn replacement(context: &Context<'_>, surface: &str, row: &Replacement<'_>, report: &mut Report) {
    let line = row.line;
    if row.source().is_none() {
        let message = format!("line {line}: the replaced sound is \"{}\"; expected 0 to 255", row.source);
        report.warn(&VALUE, message).at(row.offset);
    }
    let Some(target) = row.target() else {
        let message = format!("line {line}: the new sound is \"{}\"; expected a number", row.target);
        report.warn(&VALUE, message).at(row.offset);
        return;
    };
    if let Some(problem) = sound::problem(context, target.into()) {
        report.warn(&REFERENCE, format!("line {line}: the new sound {problem}")).at(row.offset);
    }
    // Sounds are replaced only on surfaces other than 0.
    if SURFACES.first() == Some(&surface) {
        let message = format!("line {line}: a replacement in [{surface}] has no effect");
        report.warn(&UNUSED, message).at(row.offset);
    }
}
