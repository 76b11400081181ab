//! Checks lines of all files.

use asset::Report;
use media::ini::Line;

use super::super::Kind;
use super::super::lookup::Section;
use super::super::surface::SURFACES;
use super::Subject;
use super::warning::{LINE, OUTSIDE, REPEATED};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    lines(subject, report);
    subject.lookup.sections().iter().for_each(|section| repeated(subject.kind, section, report));
}

fn lines(subject: &Subject<'_>, report: &mut Report) {
    let is_table = matches!(subject.kind, Some(Kind::Fog | Kind::Driver));
    let mut is_inside = false;
    for placed in subject.settings.ini().lines() {
        match placed.line {
            Line::Section(_) => is_inside = true,
            Line::Entry(key, _) if !is_inside && !is_table => {
                let message = format!("line {}: \"{key}\" is outside of any section", placed.number);
                report.warn(&OUTSIDE, message).at(placed.offset);
            }
            Line::Text(text) if text.starts_with('[') => {
                let message = format!("line {}: \"{text}\" has no closing bracket", placed.number);
                report.warn(&LINE, message).at(placed.offset);
            }
            _ => {}
        }
    }
}

fn repeated(kind: Option<Kind>, section: &Section<'_>, report: &mut Report) {
    // For the sounds of a surface, the last assignment takes precedence.
    if kind == Some(Kind::Surface) && SURFACES.contains(&section.name.as_str()) {
        return;
    }
    for entry in section.entries.iter().filter(|entry| !entry.is_first) {
        let first = section.entry(&entry.name.base, entry.name.index).map_or(0, |first| first.line);
        let message = format!(
            "line {}: \"{}\" is already set in line {first}, which takes precedence",
            entry.line, entry.written
        );
        report.warn(&REPEATED, message).at(entry.offset);
    }
}
