//! Writing the page: a section for each format, a card for each file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use asset::{Format, Game, Severity, counted, size, thousands};

use super::card::{Cards, WIDE_CARD, failed, write_amiss};
use super::escape::html;
use super::watch::Shot;
use crate::catalog::Catalog;
use crate::run::{FormatRun, Outcome, Run};

/// A page and the files that belong to it.
pub(super) struct Made {
    pub(super) html: String,
    pub(super) beside: Vec<(String, Vec<u8>)>,
}

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Makes the page. `names` are the inputs as they are shown, in the order of the outcomes; so are the numbers of the shots.
pub(super) fn make(
    run: &Run,
    names: &[String],
    shots: &BTreeMap<usize, Shot>,
    catalog: Catalog,
    out: &Path,
    most_inside: usize,
) -> Made {
    let by_format = run.by_format(catalog);
    let games = games(&by_format, catalog);
    let names_of = Names(&games);
    let mut cards = Cards::new(out, most_inside);
    let (mut chips, mut sections) = (String::new(), String::new());
    for of_format in &by_format {
        let Some(format) = catalog.formats().find(|format| Some(format.id) == of_format.format) else {
            continue;
        };
        let shown: Vec<_> = (0_usize..)
            .zip(&run.outcomes)
            .filter(|(_, outcome)| outcome.format == Some(format.id))
            .filter_map(|(index, outcome)| Some((index, outcome, shots.get(&index)?)))
            .collect();
        if shown.is_empty() {
            continue;
        }
        let count = u64::try_from(shown.len()).unwrap_or(u64::MAX);
        let name = names_of.of(format);
        write_chip(&mut chips, &anchor(format), &name, count, "");
        let mut cards_of_format = String::new();
        for (index, outcome, shot) in shown {
            let name = names.get(index).map_or("", String::as_str);
            cards.write(&mut cards_of_format, index, name, outcome, shot);
        }
        let room = if cards_of_format.contains(WIDE_CARD) { Room::Whole } else { Room::of(count) };
        write_heading(&mut sections, (format, &name), of_format, (count, room));
        sections.push_str(&cards_of_format);
        sections.push_str("</div>\n</section>\n");
    }
    write_failures(&mut chips, &mut sections, run, names);
    write_skipped(&mut chips, &mut sections, run, catalog);
    let title = title(&games);
    let style = format!("{STYLE}{}", cards.fonts());
    let html = fill(&[
        ("title", &html(&title)),
        ("style", &style),
        ("heading", &html(&title)),
        ("sum", &sum(run, &by_format)),
        ("chips", &chips),
        ("sections", &sections),
        ("script", SCRIPT),
    ]);
    Made { html, beside: cards.into_beside() }
}

/// How much of the page's width a section takes.
enum Room {
    Whole,
    /// So many cards: small sections stand beside one another.
    Cards(u64),
}

impl Room {
    const fn of(count: u64) -> Self {
        if count > 3 { Self::Whole } else { Self::Cards(count) }
    }
}

/// The template with everything in its place; what is put in is not looked at again.
fn fill(parts: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = TEMPLATE;
    for (name, text) in parts {
        let Some((before, after)) = rest.split_once(&format!("<!--{name}-->")) else { continue };
        out.push_str(before);
        out.push_str(text.trim_end_matches('\n'));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The games the files are of.
fn games(by_format: &[FormatRun], catalog: Catalog) -> Vec<&'static Game> {
    let ids: BTreeSet<_> =
        by_format.iter().filter_map(|it| it.format?.split_once('.')).map(|(game, _)| game).collect();
    catalog.games().iter().copied().filter(|game| ids.contains(game.id)).collect()
}

fn title(games: &[&Game]) -> String {
    let names: Vec<_> = games.iter().map(|game| game.name).collect();
    match names.as_slice() {
        [] => "Converted files".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// What formats are called on the page.
struct Names<'a>(&'a [&'static Game]);

impl Names<'_> {
    /// On the page of one game its name need not stand before each format.
    fn of(&self, format: &Format) -> String {
        let short = match self.0 {
            [game] => {
                let last = game.name.rsplit(": ").next().unwrap_or_default();
                let rest = format.name.strip_prefix(game.name).or_else(|| format.name.strip_prefix(last));
                rest.map(str::trim_start).filter(|rest| !rest.is_empty()).unwrap_or(format.name)
            }
            _ => format.name,
        };
        let mut letters = short.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
    }
}

fn sum(run: &Run, by_format: &[FormatRun]) -> String {
    let total = |part: fn(&FormatRun) -> u64| by_format.iter().map(part).fold(0, u64::saturating_add);
    let mut out = format!("<b>{}</b> converted", counted(total(|it| it.well), "file", "files"));
    let _ = write!(out, ", {} read, {} written", size(total(|it| it.bytes)), size(total(|it| it.written)));
    let warnings = total(|it| it.warnings);
    if warnings > 0 {
        let _ = write!(out, ", {}", counted(warnings, "warning", "warnings"));
    }
    if run.failed() > 0 {
        let _ = write!(out, ", {} failed", counted(total(|it| it.failed), "file", "files"));
    }
    let skipped = run.known_files().saturating_add(run.unknown_files());
    let left_out = run.left_out.values().fold(skipped, |sum, count| sum.saturating_add(*count));
    if left_out > 0 {
        let _ = write!(out, ", {} not converted", thousands(left_out));
    }
    out.push('.');
    out
}

fn anchor(format: &Format) -> String {
    format.id.replace('.', "-")
}

fn write_chip(out: &mut String, anchor: &str, name: &str, count: u64, class: &str) {
    let (name, count) = (html(name), thousands(count));
    let _ = write!(out, "<a href=\"#{anchor}\" class=\"{class}\">{name} <small>{count}</small></a>");
}

fn write_heading(
    out: &mut String,
    (format, name): (&Format, &str),
    of_format: &FormatRun,
    (count, room): (u64, Room),
) {
    let warnings = match of_format.warnings {
        0 => String::new(),
        number => format!(", {}", counted(number, "warning", "warnings")),
    };
    let few = match room {
        Room::Whole => String::new(),
        Room::Cards(cards) => format!(" class=\"few\" style=\"--cards: {cards}\""),
    };
    let _ = writeln!(
        out,
        "<section id=\"{}\"{few}>\n<h2>{} <small><code>{}</code></small> <small class=\"count\">{}{warnings}</small></h2>\n<div class=\"grid\">",
        anchor(format),
        html(name),
        html(format.id),
        counted(count, "file", "files"),
    );
}

fn write_failures(chips: &mut String, out: &mut String, run: &Run, names: &[String]) {
    let failures: Vec<(usize, &Outcome)> =
        (0_usize..).zip(&run.outcomes).filter(|(_, outcome)| !outcome.ok).collect();
    let count = u64::try_from(failures.len()).unwrap_or(u64::MAX);
    if count == 0 && run.containers.is_empty() {
        return;
    }
    write_chip(chips, "failed", "failed", count, "bad");
    let _ = writeln!(
        out,
        "<section id=\"failed\">\n<h2>Failed <small class=\"count\">{}</small></h2>\n<ul class=\"rows\">",
        counted(count, "file", "files")
    );
    for (index, outcome) in failures {
        let name = names.get(index).map_or(outcome.input.as_str(), String::as_str);
        let why = html(&failed(outcome));
        let _ = write!(out, "<li><bdi>{}</bdi>: <span class=\"why\">{why}</span>", html(name));
        write_amiss(out, outcome);
        out.push_str("</li>\n");
    }
    for failure in &run.containers {
        let _ = writeln!(out, "<li>Archive: <span class=\"why\">{}</span></li>", html(&failure.message));
    }
    out.push_str("</ul>\n</section>\n");
}

/// What was not converted: formats that become nothing, known files, unknown ones.
fn write_skipped(chips: &mut String, out: &mut String, run: &Run, catalog: Catalog) {
    let mut rows = Vec::new();
    for format in catalog.formats() {
        if let Some(count) = run.left_out.get(format.id) {
            let called =
                format.extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>();
            let about = format!("{}; cannot be converted to this output", format.name);
            rows.push((called.join(" "), about, *count));
        }
    }
    for known in &run.known {
        rows.push((known.pattern.to_string(), known.about.to_owned(), known.files));
    }
    let mut unknown: Vec<_> = run.unknown.iter().collect();
    unknown.sort_by_key(|(extension, count)| (std::cmp::Reverse(**count), *extension));
    for (extension, count) in unknown {
        let called = if extension.is_empty() { "no extension".to_owned() } else { format!(".{extension}") };
        rows.push((called, "unknown".to_owned(), *count));
    }
    if rows.is_empty() {
        return;
    }
    let count = rows.iter().fold(0_u64, |sum, (.., count)| sum.saturating_add(*count));
    write_chip(chips, "left", "not converted", count, "");
    let _ = writeln!(
        out,
        "<section id=\"left\">\n<h2>Not converted <small class=\"count\">{}</small></h2>\n<table>\n<thead><tr><th>name</th><th>description</th><th>files</th></tr></thead>\n<tbody>",
        counted(count, "file", "files")
    );
    for (called, about, count) in rows {
        let (called, about) = (html(&called), html(&about));
        let _ = writeln!(
            out,
            "<tr><td><code>{called}</code></td><td>{about}</td><td>{}</td></tr>",
            thousands(count)
        );
    }
    out.push_str("</tbody>\n</table>\n</section>\n");
}

/// How many of one severity, in words; `None` when there are none.
pub(super) fn tally(outcome: &Outcome, severity: Severity) -> Option<String> {
    let (one, many) = match severity {
        Severity::Note => ("note", "notes"),
        Severity::Warning => ("warning", "warnings"),
        Severity::Error => ("error", "errors"),
    };
    let count = outcome.warnings.count(severity);
    (count > 0).then(|| counted(count, one, many))
}
