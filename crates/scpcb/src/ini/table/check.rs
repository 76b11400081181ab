//! Checks a table against its schema, and against the files and tables of the game.

use std::collections::{BTreeMap, BTreeSet};

use asset::{Code, Context, Report, counted};
use media::ini::{Entry, Ini};

use super::schema::{KeyRule, Kind, Schema, SectionRule};
use super::section::{Checked, Sections};
use super::value::{self, Number};
use super::warning;
use crate::ini::lookup::RoomTable;

pub(super) fn check(schema: &'static Schema, ini: &Ini, context: &Context<'_>, report: &mut Report) {
    let sections = Sections::of(ini);
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut values = Values { context, rooms: None, folders: Folders::of(schema, &sections, context) };
    for section in &sections.0 {
        let name = &section.section.name;
        let line = *first.entry(name.trim().to_lowercase()).or_insert(section.section.line);
        if line != section.section.line {
            let message = format!("the section is in line {line}, too; the game only reads the first");
            section.warn(&warning::DUPLICATE_SECTION, message, report);
            continue;
        }
        match schema.section(name) {
            Some(rule) => check_section(section, rule, &mut values, report),
            None => {
                section.warn(&warning::UNKNOWN_SECTION, "the game does not read this section".into(), report);
            }
        }
    }
    values.folders.report(report);
    if let Some(extra) = schema.extra {
        extra(&sections, report);
    }
}

fn check_section(
    section: &Checked<'_>,
    rule: &SectionRule,
    values: &mut Values<'_, '_>,
    report: &mut Report,
) {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    for entry in &section.section.entries {
        let Some(key) = rule.key(&entry.key) else {
            let message = "the game does not read this key".to_owned();
            section.warn_of(entry, &warning::UNKNOWN_KEY, message, report);
            continue;
        };
        let line = *first.entry(entry.key.to_lowercase()).or_insert(entry.line);
        if line == entry.line {
            values.check(section, entry, key, report);
        } else {
            let message = format!("the key is in line {line}, too; the game only reads the first");
            section.warn_of(entry, &warning::DUPLICATE_KEY, message, report);
        }
    }
    for text in &section.section.texts {
        let message = format!("a line without \"=\" is ignored: \"{:.60}\"", text.text);
        report
            .warn(&warning::NO_KEY, message)
            .in_field(format!("lines[{}]", text.line.saturating_sub(1)))
            .at(text.offset);
    }
}

/// Context of the checks of values.
struct Values<'a, 'b> {
    context: &'a Context<'b>,
    /// The rooms of the game, looked up on first use.
    rooms: Option<Option<RoomTable>>,
    folders: Folders,
}

impl Values<'_, '_> {
    fn check(&mut self, section: &Checked<'_>, entry: &Entry<'_>, rule: &KeyRule, report: &mut Report) {
        // An empty value is the same as no key.
        if entry.value.is_empty() {
            return;
        }
        let text = entry.value.as_ref();
        let problem: Option<(&'static Code, String)> = match rule.kind {
            Kind::Text => None,
            Kind::Number => number(text, true, None),
            Kind::Within(min, max) => number(text, true, Some((min, max))),
            Kind::Whole => number(text, false, None),
            Kind::WholeWithin(min, max) => number(text, false, Some((float(min), float(max)))),
            Kind::NumberOr(check_word) if text.eq_ignore_ascii_case(check_word) => None,
            Kind::NumberOr(_) => number(text, true, None),
            Kind::Switch if value::switch(text).is_some() => None,
            Kind::ExactSwitch if ["true", "1", "false", "0"].contains(&text) => None,
            Kind::Switch | Kind::ExactSwitch => {
                Some((&warning::NOT_A_SWITCH, format!("\"{text:.60}\" is read as false")))
            }
            Kind::Color if value::color(text).is_some() => None,
            Kind::Color => {
                let message = format!("\"{text:.60}\" is not a color (expected three numbers from 0 to 255)");
                Some((&warning::NOT_A_COLOR, message))
            }
            Kind::Choice(words) => check_word(text, words, |a, b| a.eq_ignore_ascii_case(b)),
            Kind::ExactChoice(words) => check_word(text, words, |a, b| a == b),
            Kind::Room => self.room(text),
            Kind::File(noun, before, after) => self.file(noun, &format!("{before}{text}{after}")),
        };
        if let Some((code, problem)) = problem {
            section.warn_of(entry, code, problem, report);
        }
    }

    fn room(&mut self, name: &str) -> Option<(&'static Code, String)> {
        let table = self.rooms.get_or_insert_with(|| RoomTable::of_install(self.context)).as_ref()?;
        let message = || format!("room \"{name:.60}\" is not in Data/rooms.ini");
        (!table.has(name)).then(|| (&warning::UNKNOWN_ROOM, message()))
    }

    /// Looks up a file, unless its folder is missing.
    fn file(&mut self, noun: &str, path: &str) -> Option<(&'static Code, String)> {
        if self.context.install.find(path).found().is_some() || self.folders.skips(path) {
            return None;
        }
        Some((&warning::FILE_MISSING, format!("{noun} \"{path:.200}\" was not found")))
    }
}

/// Top-level folders of the game that a table refers to.
struct Folders(BTreeMap<String, Folder>);

/// A folder of the game.
struct Folder {
    name: String,
    /// Whether any referenced subfolder contains a file.
    exists: bool,
    /// Number of names that were not looked up because the folder is missing.
    skipped: usize,
}

impl Folders {
    fn of(schema: &Schema, sections: &Sections<'_>, context: &Context<'_>) -> Self {
        let mut folders: BTreeMap<String, Folder> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for section in &sections.0 {
            let Some(rule) = schema.section(&section.section.name) else { continue };
            for entry in &section.section.entries {
                let Some(Kind::File(_, before, after)) = rule.key(&entry.key).map(|key| key.kind) else {
                    continue;
                };
                let path = format!("{before}{}{after}", entry.value);
                let (Some((first, _)), Some((folder, _))) =
                    (path.split_once(['/', '\\']), path.rsplit_once(['/', '\\']))
                else {
                    continue;
                };
                let name = first.to_owned();
                let known = folders.entry(first.to_lowercase());
                let known = known.or_insert(Folder { name, exists: false, skipped: 0 });
                if !known.exists && seen.insert(folder.to_lowercase()) {
                    known.exists = !context.install.folder(folder).files().is_empty();
                }
            }
        }
        Self(folders)
    }

    /// Whether the lookup of a file is skipped. Skipped files are counted.
    fn skips(&mut self, path: &str) -> bool {
        let first = path.split_once(['/', '\\']).map(|(first, _)| first.to_lowercase());
        let Some(folder) = first.and_then(|first| self.0.get_mut(&first)) else { return false };
        if !folder.exists {
            folder.skipped = folder.skipped.saturating_add(1);
        }
        !folder.exists
    }

    fn report(&self, report: &mut Report) {
        for Folder { name, skipped, .. } in self.0.values().filter(|folder| folder.skipped > 0) {
            let names = counted(*skipped, "name is", "names are");
            report.warn(
                &warning::NOT_SEARCHED,
                format!("no files were found in \"{name}\": {names} not looked up"),
            );
        }
    }
}

/// Returns the problem of a number, if any.
fn number(text: &str, has_fraction: bool, bounds: Option<(f64, f64)>) -> Option<(&'static Code, String)> {
    let Number { value, is_complete } = value::number(text, has_fraction);
    if !is_complete {
        return Some((&warning::NOT_A_NUMBER, format!("\"{text:.60}\" is read as {value}")));
    }
    let (min, max) = bounds?;
    let message = || {
        let bounds = if max < float(i64::MAX) { format!("{min} to {max}") } else { format!("{min} or more") };
        format!("{value} is out of range ({bounds})")
    };
    (!(min..=max).contains(&value)).then(|| (&warning::OUT_OF_RANGE, message()))
}

/// Returns a bound as a float.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "bounds are small, or as good as infinite"
)]
const fn float(number: i64) -> f64 {
    number as f64
}

fn check_word(
    text: &str,
    known: &[&str],
    is_same: impl Fn(&str, &str) -> bool,
) -> Option<(&'static Code, String)> {
    let message = || format!("\"{text:.60}\" is unknown (known: {})", known.join(", "));
    (!known.iter().any(|check_word| is_same(check_word, text))).then(|| (&warning::UNKNOWN_WORD, message()))
}
