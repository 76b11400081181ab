//! Checks MENU.INI.

use std::collections::{BTreeMap, HashMap};

use asset::{Context, Report, counted};

use super::super::caption::{Caption, movies};
use super::super::lookup::{Entry, Section};
use super::super::menu::{MAX_SKIPS, MOVIES, all_skips, pages};
use super::super::page::{Element, NAMES, Page};
use super::super::value::{is_number, is_word};
use super::super::world::find;
use super::Subject;
use super::warning::{CAPTION, GAP, MISSING, REQUIRED, UNKNOWN, UNUSED, VALUE};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (page, section) in pages(&subject.lookup) {
        if page.name().is_none() {
            let message = format!(
                "line {}: the game has no page {} (valid: 0 to {})",
                section.line,
                page.number,
                NAMES.len().saturating_sub(1)
            );
            report.warn(&UNKNOWN, message).at(section.offset);
        }
        for slot in [0, 1] {
            surface(subject.context, slot, section, report);
        }
        page.elements.iter().for_each(|it| element(&page, it, section, report));
        gap("text", page.elements.len(), &by_base(section), report);
    }
    if let Some(section) = subject.lookup.section(MOVIES) {
        movies_of(subject, section, report);
    }
}

/// Checks the image of a surface. A page needs surface 0.
fn surface(context: &Context<'_>, slot: u32, section: &Section<'_>, report: &mut Report) {
    let keys = ["texture_set", "texture_index"];
    let is_set = |key: &str| section.text(key, Some(slot)).is_some();
    let missing = keys.into_iter().find(|key| !is_set(key));
    if let Some(missing) = missing.filter(|_| slot == 0 || keys.into_iter().any(is_set)) {
        report.warn(&REQUIRED, format!("{missing}[{slot}] is missing from section [{}]", section.name));
    }
    let Some(entry) = section.entry("texture_set", Some(slot)).filter(|entry| !entry.value().is_empty())
    else {
        return;
    };
    let file = format!("TEXBSI.{:03}", section.integer("texture_set", Some(slot)));
    if context.install.game().is_some() && find(context, &format!("fxart/{file}")).is_none() {
        let message = format!("line {}: texture bank \"{file}\" was not found", entry.line);
        report.warn(&MISSING, message).at(entry.offset);
    }
}

fn element(page: &Page, it: &Element, section: &Section<'_>, report: &mut Report) {
    let entry = |key: &str| section.entry(key, Some(it.index));
    if let (1, [_, None], Some(entry)) = (it.texture, page.textures, entry("texture")) {
        warn(entry, format_args!("is 1, but the page has no surface 1"), report);
    }
    let slider = entry("slider_min").or_else(|| entry("slider_max"));
    if let Some(entry) = slider.filter(|_| it.slider_min > it.slider_max) {
        let problem = format_args!("is greater than slider_max: {} > {}", it.slider_min, it.slider_max);
        warn(entry, problem, report);
    }
}

/// Lines that count by the name of their key without the index.
type ByBase<'s> = HashMap<&'s str, Vec<&'s Entry<'s>>>;

fn by_base<'s>(section: &'s Section<'s>) -> ByBase<'s> {
    let mut out = ByBase::new();
    for entry in section.firsts().filter(|entry| !entry.value().is_empty()) {
        out.entry(entry.name.base.as_str()).or_default().push(entry);
    }
    out
}

/// Reports the first entry of a list after its first gap.
fn gap(key: &str, length: usize, all: &ByBase<'_>, report: &mut Report) {
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    let entries = all.get(key).into_iter().flatten();
    let mut ignored = entries.filter(|entry| entry.name.index > Some(length));
    let Some(first) = ignored.next() else { return };
    let others = match ignored.count() {
        0 => String::new(),
        others => format!(" and {}", counted(others, "other", "others")),
    };
    let message = format!(
        "line {}: {key}[{length}] is missing, so the game ignores {}{others}",
        first.line, first.written
    );
    report.warn(&GAP, message).at(first.offset);
}

fn movies_of(subject: &Subject<'_>, section: &Section<'_>, report: &mut Report) {
    let movies = movies(subject.settings.ini());
    let all = by_base(section);
    gap("movie_name", movies.len(), &all, report);
    for movie in &movies {
        skips(movie.number, section, report);
        let key = format!("movie{}_text", movie.number);
        gap(&key, movie.captions.len(), &all, report);
        for it in &movie.captions {
            if let Some(entry) = section.entry(&key, Some(it.index)) {
                caption(it, entry, report);
            }
        }
    }
    let mut without_movie: BTreeMap<u32, &Entry<'_>> = BTreeMap::new();
    for entry in section.firsts() {
        let number = entry.name.number("movie#_text[]").and_then(|number| usize::try_from(number).ok());
        if let Some(number) = number.filter(|number| *number >= movies.len()) {
            without_movie.entry(u32::try_from(number).unwrap_or(u32::MAX)).or_insert(entry);
        }
    }
    for (movie, entry) in without_movie {
        let message = format!(
            "line {}: {} has no effect, because there is no movie {movie}",
            entry.line, entry.written
        );
        report.warn(&UNUSED, message).at(entry.offset);
    }
}

/// Checks the frames to which the player can skip.
fn skips(movie: u32, section: &Section<'_>, report: &mut Report) {
    let Some(entry) = section.entry("movie_keys", Some(movie)) else { return };
    let all = all_skips(section, movie);
    let used = all.get(..MAX_SKIPS).unwrap_or(&all);
    let falling = used.windows(2).find(|pair| matches!(pair, [first, second] if first >= second));
    if let Some([first, second]) = falling {
        let problem = format_args!("contains {second} after {first}; expected ascending frames");
        warn(entry, problem, report);
    }
    if all.len() > MAX_SKIPS {
        let message = format!(
            "line {}: {} has {}, of which the game uses {MAX_SKIPS}",
            entry.line,
            entry.written,
            counted(all.len(), "frame", "frames")
        );
        report.warn(&UNUSED, message).at(entry.offset);
    }
}

/// Checks a subtitle.
fn caption(it: &Caption, entry: &Entry<'_>, report: &mut Report) {
    const FIELDS: &str = "always, red, green, blue, start, stop, text";
    let Some(color) = it.color else {
        let fields = counted(it.fields, "field", "fields");
        warn(entry, format_args!("has {fields}; the game reads seven: {FIELDS}"), report);
        return;
    };
    if it.always.is_none() {
        let message =
            format!("line {}: {} has six fields; the game reads seven: {FIELDS}", entry.line, entry.written);
        report.warn(&CAPTION, message).at(entry.offset);
    }
    let numbers = entry.value().split(',').take(it.fields.saturating_sub(1)).map(str::trim);
    for bad in numbers.filter(|text| !is_number(text) && !is_word(text)) {
        warn(entry, format_args!("contains \"{bad}\"; expected a number"), report);
    }
    for bad in color.into_iter().filter(|channel| !(0..=255).contains(channel)) {
        warn(entry, format_args!("has the color channel {bad} (valid: 0 to 255)"), report);
    }
    if it.start < 1 {
        warn(entry, format_args!("starts in frame {} (valid: 1 and above)", it.start), report);
    }
    if it.stop <= it.start {
        warn(entry, format_args!("stops in frame {}, but starts in frame {}", it.stop, it.start), report);
    }
}

fn warn(entry: &Entry<'_>, problem: std::fmt::Arguments<'_>, report: &mut Report) {
    let message = format!("line {}: {} {problem}", entry.line, entry.written);
    report.warn(&VALUE, message).at(entry.offset);
}
