//! Checks SURFACE.INI.

use asset::{Report, counted};

use super::super::surface;
use super::Subject;
use super::warning::{END, SURFACE};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let ini = subject.settings.ini();
    let all = surface::assignments(ini);
    let line_of = |offset: u64| ini.lines().find(|line| line.offset == offset).map_or(0, |line| line.number);
    for it in all.iter().filter(|it| !surface::SURFACES.contains(&it.kind.as_str())) {
        let message = format!("line {}: unknown surface \"{}\"", line_of(it.offset), it.kind);
        report.warn(&SURFACE, message).at(it.offset);
    }
    let texts: Vec<_> = ini.section("surfaces").into_iter().flat_map(|section| section.texts).collect();
    for line in texts.iter().filter(|line| all.iter().all(|it| it.offset != line.offset)) {
        let message = format!("line {}: expected BANK,IMAGE,SURFACE", line.line);
        report.warn(&SURFACE, message).at(line.offset);
    }
    let end = all.iter().position(|it| it.set == 0 && it.image.unwrap_or(0) == 0);
    if let Some(end) = end
        && let (Some(it), Some(ignored_lines)) =
            (all.get(end), all.len().checked_sub(end.saturating_add(1)).filter(|it| *it > 0))
    {
        let message = format!(
            "line {} ends the list: {} not read",
            line_of(it.offset),
            counted(ignored_lines, "line after it is", "lines after it are")
        );
        report.warn(&END, message).at(it.offset);
    }
}
