//! Writing the pages: a section for each format, a card for each file.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use asset::{Error, Format, GameInfo, counted, size, thousands};

use super::card::{Cards, WIDE_CARD, anchor_of_failure, failed, write_defects};
use super::escape::html;
use super::section::{Item, Section, SectionKind, Shown};
use super::{FOLDER, PAGE, search};
use crate::catalog::Catalog;
use crate::run::{FormatRun, Run};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Maximum number of rows for files that were not converted; the rest is counted.
const MAX_KINDS: usize = 200;

/// Passes each page and its search index to `put`, with its name; the first page comes last.
pub(super) fn write_all(
    shown: &Shown<'_>,
    put: &mut dyn FnMut(&str, &str) -> Result<(), Error>,
) -> Result<(), Error> {
    let sections = shown.sections();
    let pages = shown.pages(&sections);
    let by_format = shown.run.by_format(shown.catalog);
    let games = games(&by_format, shown.catalog);
    let writer = PageWriter {
        names: Names(&games),
        title: title(&games),
        games: games.iter().map(|game| game.id).collect::<Vec<_>>().join(" "),
        sum: sum(shown.run, &by_format),
        shown,
        sections: &sections,
        pages: &pages,
    };
    for number in (0..pages.len()).rev() {
        if pages.len() > 1 {
            put(&search::name_of(number), &writer.search(number))?;
        }
        put(&name_of(number), &writer.page(number))?;
    }
    Ok(())
}

/// Returns the file name of a page, by zero-based index.
fn name_of(page: usize) -> String {
    match page {
        0 => PAGE.to_owned(),
        _ => format!("{FOLDER}/page-{}.html", page + 1),
    }
}

/// Writer of all pages.
struct PageWriter<'a> {
    shown: &'a Shown<'a>,
    sections: &'a [Section],
    /// Sections on each page, with the ranges of their items.
    pages: &'a [Vec<(usize, std::ops::Range<usize>)>],
    names: Names<'a>,
    title: String,
    /// Ids of the games, separated by spaces.
    games: String,
    sum: String,
}

impl PageWriter<'_> {
    /// Returns the text of a page.
    fn page(&self, number: usize) -> String {
        let up = if number == 0 { "" } else { "../" };
        let mut cards = Cards::new(self.shown, up);
        let mut body = String::new();
        for (section, range) in self.pages.get(number).into_iter().flatten() {
            let Some(section) = self.sections.get(*section) else { continue };
            let items = section.items.get(range.clone()).unwrap_or_default();
            self.write_section(&mut body, section, (items, range.start), &mut cards);
        }
        let mut title = html(&self.title);
        if number > 0 {
            let _ = write!(title, " \u{2013} page {}", number + 1);
        }
        let style = format!("{STYLE}{}", cards.fonts());
        let chips = self.chips(number);
        let (pager, search) = match self.pages.len() {
            1 => (String::new(), String::new()),
            count => (self.pager(number), format!(" data-pages=\"{count}\" data-up=\"{up}\"")),
        };
        fill(&[
            ("games", &self.games),
            ("title", &title),
            ("style", &style),
            ("search", &search),
            ("heading", &html(&self.title)),
            ("sum", &self.sum),
            ("chips", &chips),
            ("sections", &body),
            ("pager", &pager),
            ("script", SCRIPT),
        ])
    }

    /// Returns the search index of a page.
    fn search(&self, number: usize) -> String {
        let mut index = search::Index::new(number, self.shown);
        for (section, range) in self.pages.get(number).into_iter().flatten() {
            let Some(section) = self.sections.get(*section) else { continue };
            let heading = self.heading(section);
            for item in section.items.get(range.clone()).unwrap_or_default() {
                index.add(item, &heading);
            }
        }
        index.finish()
    }

    /// Returns the heading of a section.
    fn heading(&self, section: &Section) -> String {
        match &section.kind {
            SectionKind::Format(format, _) => self.names.of(format),
            SectionKind::Failed => "Failed".to_owned(),
            SectionKind::NotConverted => "Not converted".to_owned(),
        }
    }

    /// Returns links to the starts of all sections.
    fn chips(&self, from: usize) -> String {
        let mut out = String::new();
        for (number, section) in self.sections.iter().enumerate() {
            let is_here = |page: &Vec<(usize, std::ops::Range<usize>)>| {
                page.iter().any(|(section, range)| *section == number && range.start == 0)
            };
            let page = self.pages.iter().position(is_here).unwrap_or_default();
            let count = match &section.kind {
                SectionKind::NotConverted => not_converted(self.shown.run),
                SectionKind::Format(..) => files_on(&section.items),
                SectionKind::Failed => section.items.len() as u64,
            };
            let class = if matches!(section.kind, SectionKind::Failed) { "bad" } else { "" };
            let name = match &section.kind {
                SectionKind::Format(..) => self.heading(section),
                SectionKind::Failed | SectionKind::NotConverted => self.heading(section).to_lowercase(),
            };
            let (page, anchor) = (link_to(page, from), anchor(section));
            let (name, count) = (html(&name), thousands(count));
            let _ = write!(
                out,
                "<a href=\"{page}#{anchor}\" class=\"{class}\">{name} <small>{count}</small></a>"
            );
        }
        out
    }

    /// Returns links to the first page, the last page and the pages around this one.
    fn pager(&self, here: usize) -> String {
        let last = self.pages.len().saturating_sub(1);
        let mut numbers = BTreeSet::from([0, last]);
        numbers.extend(here.saturating_sub(3)..=(here + 3).min(last));
        let mut out = String::from("<nav class=\"pager\" aria-label=\"PageWriter\">");
        let step = |page: Option<usize>, name: &str| match page.filter(|page| *page <= last) {
            Some(page) => format!("<a href=\"{}\" rel=\"{name}\">{name}</a>", link_to(page, here)),
            None => String::new(),
        };
        out.push_str(&step(here.checked_sub(1), "prev"));
        let mut before = 0_usize;
        for page in numbers {
            if page > before + 1 {
                out.push_str("<span>\u{2026}</span>");
            }
            before = page;
            let (link, number) = (link_to(page, here), page + 1);
            let current = if page == here { " aria-current=\"page\"" } else { "" };
            let _ = write!(out, "<a href=\"{link}\"{current}>{number}</a>");
        }
        out.push_str(&step(here.checked_add(1), "next"));
        out.push_str("</nav>\n");
        out
    }

    fn write_section(
        &self,
        out: &mut String,
        section: &Section,
        (items, start): (&[Item], usize),
        cards: &mut Cards<'_>,
    ) {
        let id = if start == 0 { anchor(section) } else { format!("{}-continued", anchor(section)) };
        let name = html(&self.heading(section));
        let continued = if start == 0 { "" } else { ", continued" };
        match &section.kind {
            SectionKind::Format(format, of_format) => {
                let mut of_section = String::new();
                for item in items {
                    if let Item::Card(part) = item {
                        cards.write(&mut of_section, part);
                    }
                }
                let count = files_on(&section.items);
                let is_full = of_section.contains(WIDE_CARD) || items.len() < section.items.len();
                let width = if is_full { Width::Full } else { Width::of(count) };
                write_heading(out, (&id, &name, format), of_format, (count, width, continued));
                out.push_str(&of_section);
                out.push_str("</div>\n</section>\n");
            }
            SectionKind::Failed => {
                let _ = writeln!(
                    out,
                    "<section id=\"{id}\">\n<h2>{name} <small class=\"count\">{}{continued}</small></h2>\n<ul class=\"rows\">",
                    counted(section.items.len(), "file", "files")
                );
                items.iter().for_each(|item| self.write_failure(out, item));
                out.push_str("</ul>\n</section>\n");
            }
            SectionKind::NotConverted => write_not_converted(out, self.shown.run, self.shown.catalog),
        }
    }

    fn write_failure(&self, out: &mut String, item: &Item) {
        match item {
            Item::Failure(input) => {
                let Some(outcome) = self.shown.run.outcomes.get(*input) else { return };
                let (name, why) = (html(self.shown.name(*input)), html(&failed(outcome)));
                let anchor = anchor_of_failure(*input);
                let _ =
                    write!(out, "<li id=\"{anchor}\"><bdi>{name}</bdi>: <span class=\"why\">{why}</span>");
                write_defects(out, outcome);
                out.push_str("</li>\n");
            }
            Item::Container(number) => {
                let Some(error) = self.shown.run.containers.get(*number) else { return };
                let name = error.file().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
                let _ = writeln!(
                    out,
                    "<li>Archive <bdi>{}</bdi>: <span class=\"why\">{}</span></li>",
                    html(&name),
                    html(error.message())
                );
            }
            Item::Card(_) | Item::Table => {}
        }
    }
}

/// Returns the relative link from one page to another.
fn link_to(page: usize, from: usize) -> String {
    if page == from {
        return String::new();
    }
    match (page, from) {
        (0, _) => format!("../{PAGE}"),
        (_, 0) => name_of(page),
        _ => Path::new(&name_of(page)).file_name().unwrap_or_default().to_string_lossy().into_owned(),
    }
}

/// Returns the number of files that the cards are of.
fn files_on(items: &[Item]) -> u64 {
    let files = items.iter().filter(|item| matches!(item, Item::Card(part) if part.number == 0));
    files.count() as u64
}

fn anchor(section: &Section) -> String {
    match &section.kind {
        SectionKind::Format(format, _) => format.id.replace('.', "-"),
        SectionKind::Failed => "failed".to_owned(),
        SectionKind::NotConverted => "left".to_owned(),
    }
}

/// Width of a section on the page.
enum Width {
    Full,
    /// Width of this many cards: small sections share a row.
    Cards(u64),
}

impl Width {
    const fn of(count: u64) -> Self {
        if count > 3 { Self::Full } else { Self::Cards(count) }
    }
}

/// Fills in the template; inserted text is not searched for placeholders.
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

/// Returns the games of the files.
fn games(by_format: &[FormatRun], catalog: Catalog) -> Vec<&'static GameInfo> {
    let ids: BTreeSet<_> =
        by_format.iter().filter_map(|it| it.format?.split_once('.')).map(|(game, _)| game).collect();
    catalog.games().iter().copied().filter(|game| ids.contains(game.id)).collect()
}

fn title(games: &[&GameInfo]) -> String {
    let names: Vec<_> = games.iter().map(|game| game.name).collect();
    match names.as_slice() {
        [] => "Converted files".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Display names of formats on the page.
struct Names<'a>(&'a [&'static GameInfo]);

impl Names<'_> {
    /// Returns the display name of a format. On the page of a single game, the name of the game is omitted.
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
    let left_out = not_converted(run);
    if left_out > 0 {
        let _ = write!(out, ", {} not converted", thousands(left_out));
    }
    out.push('.');
    out
}

fn write_heading(
    out: &mut String,
    (id, name, format): (&str, &str, &Format),
    of_format: &FormatRun,
    (count, width, continued): (u64, Width, &str),
) {
    let warnings = match of_format.warnings {
        0 => String::new(),
        number => format!(", {}", counted(number, "warning", "warnings")),
    };
    let few = match width {
        Width::Full => String::new(),
        Width::Cards(cards) => format!(" class=\"few\" style=\"--cards: {cards}\""),
    };
    let _ = writeln!(
        out,
        "<section id=\"{id}\"{few}>\n<h2>{name} <small><code>{}</code></small> <small class=\"count\">{}{warnings}{continued}</small></h2>\n<div class=\"grid\">",
        html(format.id),
        counted(count, "file", "files"),
    );
}

/// Returns the number of files that were not converted.
fn not_converted(run: &Run) -> u64 {
    let skipped = run.known_files() + run.unknown_files();
    skipped + run.left_out.values().sum::<u64>()
}

/// Writes the table of files that were not converted: formats without outputs, known files, and unknown ones.
fn write_not_converted(out: &mut String, run: &Run, catalog: Catalog) {
    let mut rows = Vec::new();
    for format in catalog.formats() {
        if let Some(count) = run.left_out.get(format.id) {
            let name = format.extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>();
            let about = format!("{}; cannot be converted to this output", format.name);
            rows.push((name.join(" "), about, *count));
        }
    }
    for known in &run.known {
        rows.push((known.pattern.to_string(), known.about.to_owned(), known.files));
    }
    let mut unknown: Vec<_> = run.unknown.iter().collect();
    unknown.sort_by_key(|(extension, count)| (std::cmp::Reverse(**count), *extension));
    for (extension, count) in unknown {
        let name = if extension.is_empty() { "no extension".to_owned() } else { format!(".{extension}") };
        rows.push((name, "unknown".to_owned(), *count));
    }
    let more: u64 = rows.iter().skip(MAX_KINDS).map(|(.., count)| *count).sum();
    rows.truncate(MAX_KINDS);
    if more > 0 {
        rows.push((String::from("\u{2026}"), "other names".to_owned(), more));
    }
    let _ = writeln!(
        out,
        "<section id=\"left\">\n<h2>Not converted <small class=\"count\">{}</small></h2>\n<table>\n<thead><tr><th>name</th><th>description</th><th>files</th></tr></thead>\n<tbody>",
        counted(not_converted(run), "file", "files")
    );
    for (name, about, count) in rows {
        let (name, about) = (html(&name), html(&about));
        let _ = writeln!(
            out,
            "<tr><td><code>{name}</code></td><td>{about}</td><td>{}</td></tr>",
            thousands(count)
        );
    }
    out.push_str("</tbody>\n</table>\n</section>\n");
}
