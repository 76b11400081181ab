//! Tables as editable views: the changed cells of a table become values of the file.

use std::collections::BTreeMap;

use asset::unpack::EditedView;
use asset::unpack::sheet::{TextRow, text_rows};
use asset::{Context, Parts, Unpacked, ViewSource, first_few};
use media::ini::Ini;
use record::{Error, Result, Source};
use serde::{Deserialize, Serialize};

use super::super::Settings;
use super::super::key::Name;
use super::super::lookup::{Lookup, Section};
use super::super::value::is_number;
use super::place::{Place, SUBTITLE, place};
use super::{Layout, layouts};

/// The tables as they were unpacked, by name, to find the changed cells.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Before {
    tables: BTreeMap<String, String>,
}

/// Writes the tables of a file.
pub(in super::super) fn unpack(
    settings: &Settings,
    context: &Context<'_>,
    parts: &mut Parts<'_>,
) -> Result<()> {
    let layouts = settings.kind().map_or(&[][..], layouts);
    if layouts.is_empty() || !parts.wants_views() {
        return Ok(());
    }
    let typed = settings.typed(Some(context)).root().to_value();
    let mut before = Before::default();
    for layout in layouts {
        let csv = String::from_utf8_lossy(&layout.table(&typed).to_csv()?).into_owned();
        parts.text_view(&format!("{}.csv", layout.name), &csv, &[ViewSource::Record("/lines")])?;
        before.tables.insert(layout.name.to_owned(), csv);
    }
    parts.context(&before)
}

/// Applies the edited tables of an unpacked folder to the bytes of its record.
pub(in super::super) fn pack(folder: &Unpacked, bytes: Vec<u8>) -> Result<Vec<u8>> {
    let views = folder.edited_views()?;
    if views.is_empty() {
        return Ok(bytes);
    }
    let settings = Settings::read(&Source::from(bytes))?;
    let before: Before = folder.context()?;
    let mut values = Values::default();
    for view in &views {
        values.read(&settings, &before, view).map_err(|error| error.in_file(view.path()))?;
    }
    let mut ini = settings.ini().clone();
    values.add_sections(&mut ini)?;
    let changes = values.changes(&Lookup::new(&ini))?;
    // From the end of the file, so that the numbers of the lines before stay the same.
    for change in changes.into_iter().rev() {
        change.apply(&mut ini)?;
    }
    Ok(ini.write())
}

/// A changed cell.
#[derive(Debug)]
struct Cell {
    text: String,
    /// Path of the view.
    file: String,
    /// Line in the view.
    line: usize,
    column: String,
}

impl Cell {
    /// Adds the location to an error about the cell.
    fn locate(&self, error: &Error) -> Error {
        let message = format!("line {}: column {}: {}", self.line, self.column, error.message());
        Error::usage(message).in_file(&self.file)
    }
}

/// The changed cells of all tables, by section, key and field.
#[derive(Debug, Default)]
struct Values(BTreeMap<(String, Name), BTreeMap<Option<usize>, Cell>>);

impl Values {
    /// Adds the changed cells of a view.
    fn read(&mut self, settings: &Settings, before: &Before, view: &EditedView) -> Result<()> {
        let found = settings.kind().and_then(|kind| {
            let layout = layouts(kind).iter().find(|layout| layout.name == view.stem())?;
            Some((kind, layout, before.tables.get(layout.name)?))
        });
        let (kind, layout, old) =
            found.ok_or_else(|| Error::usage("was edited, but is not a table of the file"))?;
        let (old, lookup) = (text_rows(old.as_bytes())?, Lookup::new(settings.ini()));
        let mut old: BTreeMap<Vec<&str>, &TextRow> = old.iter().map(|row| (layout.key(row), row)).collect();
        let rows = text_rows(&view.bytes)?;
        for row in &rows {
            let at_line = |message: &str| Error::usage(format!("line {}: {message}", row.line));
            let key = layout.key(row);
            let unknown = || {
                let names = layout.keys.join(" and ");
                at_line(&format!(
                    "there is no row with {names} {}, or it occurs twice; rows cannot be added",
                    key.join(", ")
                ))
            };
            let old = old.remove(&key).ok_or_else(unknown)?;
            for (column, text) in row.cells() {
                let Some(old) = old.get(column) else {
                    return Err(at_line(&format!("unknown column {column}")));
                };
                if is_same(unguarded(old), unguarded(text)) {
                    continue;
                }
                let computed =
                    || at_line(&format!("column {column} is computed from others and cannot be changed"));
                let Place { section, key, field } =
                    place(kind, layout.rows, &lookup, row, column).ok_or_else(computed)?;
                let cell = Cell {
                    text: unguarded(text).trim().to_owned(),
                    file: view.path(),
                    line: row.line,
                    column: column.to_owned(),
                };
                self.0.entry((section, key)).or_default().insert(field, cell);
            }
        }
        if old.is_empty() {
            return Ok(());
        }
        let missing: Vec<String> = old.keys().map(|key| key.join(", ")).collect();
        Err(Error::usage(format!("rows are missing and cannot be removed: {}", first_few(&missing))))
    }

    /// Appends the sections that the file lacks.
    fn add_sections(&self, ini: &mut Ini) -> Result<()> {
        let lookup = Lookup::new(ini);
        let is_missing = |section: &&String| lookup.section(section).is_none();
        let mut missing: Vec<String> =
            self.0.keys().map(|(section, _)| section).filter(is_missing).cloned().collect();
        missing.dedup();
        missing.iter().try_for_each(|section| ini.append_section(section))
    }

    /// Returns the changes of lines in ascending order.
    fn changes(&self, lookup: &Lookup<'_>) -> Result<Vec<Change<'_>>> {
        let mut out = Vec::new();
        for ((section, key), cells) in &self.0 {
            let Some(section) = lookup.section(section) else { continue };
            let Some(cell) = cells.values().next() else { continue };
            let entry = section.entry(&key.base, key.index);
            let old = entry.map(|entry| entry.value()).unwrap_or_default();
            let text = new_value(old, cells).map_err(|error| cell.locate(&error))?;
            let (line, new_key) = match entry {
                Some(entry) => (entry.line, None),
                None if text.is_empty() => continue,
                None => (last_line(section, key), Some(key.to_string())),
            };
            out.push(Change { line, new_key, text, cell });
        }
        out.sort_by_key(|change| change.line);
        Ok(out)
    }
}

/// A change of a line.
#[derive(Debug)]
struct Change<'v> {
    /// Number of the line that is changed, or that the new one follows.
    line: usize,
    /// Key of a new line.
    new_key: Option<String>,
    text: String,
    cell: &'v Cell,
}

impl Change<'_> {
    fn apply(&self, ini: &mut Ini) -> Result<()> {
        let done = match &self.new_key {
            Some(key) => ini.insert_key(self.line, key, &self.text),
            None => ini.set_value(self.line, &self.text),
        };
        done.map_err(|error| self.cell.locate(&error))
    }
}

impl Layout {
    /// Returns the cells that identify a row.
    fn key<'r>(&self, row: &'r TextRow) -> Vec<&'r str> {
        self.keys.iter().map(|column| unguarded(row.get(column).unwrap_or_default())).collect()
    }
}

/// Removes the apostrophe that keeps a spreadsheet from running a text as a formula.
fn unguarded(text: &str) -> &str {
    text.strip_prefix('\'').unwrap_or(text)
}

/// Whether two cells are equal, also if a spreadsheet has written a number in another form.
fn is_same(old: &str, new: &str) -> bool {
    let number = |text: &str| {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
        if is_plain { text.parse::<f64>().ok() } else { None }
    };
    old == new || number(old).is_some_and(|old| number(new) == Some(old))
}

/// Returns the last line of the items with the index of a key, or else of the section.
fn last_line(section: &Section<'_>, key: &Name) -> usize {
    let of_item = section.entries.iter().filter(|entry| key.index.is_some() && entry.name.index == key.index);
    let of_section =
        section.entries.iter().map(|entry| entry.line).chain(section.texts.iter().map(|text| text.line));
    of_item.map(|entry| entry.line).max().or_else(|| of_section.max()).unwrap_or(section.line)
}

/// Returns the value of a key after its cells were changed.
fn new_value(old: &str, cells: &BTreeMap<Option<usize>, Cell>) -> Result<String> {
    let mut value = old.to_owned();
    for (field, cell) in cells {
        value = match field {
            None => cell.text.clone(),
            Some(field) => with_field(&value, *field, &cell.text)?,
        };
    }
    Ok(value)
}

/// Replaces a field of a subtitle, which may lack the first one.
fn with_field(value: &str, field: usize, text: &str) -> Result<String> {
    let fields: Vec<&str> = value.splitn(SUBTITLE.len(), ',').collect();
    let is_long = fields.len() == SUBTITLE.len() && fields.get(5).is_some_and(|stop| is_number(stop.trim()));
    let (count, at) = match is_long {
        true => (SUBTITLE.len(), Some(field)),
        false => (SUBTITLE.len().saturating_sub(1), field.checked_sub(1)),
    };
    let mut fields: Vec<&str> = value.splitn(count, ',').collect();
    let Some(place) = at.and_then(|at| fields.get_mut(at)) else {
        return Err(Error::usage("the subtitle in the file does not have this field"));
    };
    if field.saturating_add(1) < SUBTITLE.len() && text.contains(',') {
        return Err(Error::usage("only the text of a subtitle can contain a comma"));
    }
    *place = text;
    Ok(fields.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_subtitles_are_fields_of_one_value() {
        let long = "1, 255,0,9,2,10,Hello, Cyrus.";
        assert_eq!(with_field(long, 0, "0").unwrap(), "0, 255,0,9,2,10,Hello, Cyrus.");
        assert_eq!(with_field(long, 6, "Bye, now").unwrap(), "1, 255,0,9,2,10,Bye, now");
        let short = "255,0,9,2,10,Hello, Cyrus.";
        assert_eq!(with_field(short, 5, "12").unwrap(), "255,0,9,2,12,Hello, Cyrus.");
        for (value, field, text) in [(short, 0, "1"), (long, 4, "1,2"), ("x", 3, "1")] {
            assert!(with_field(value, field, text).is_err(), "{value}");
        }
    }

    #[test]
    fn numbers_in_another_form_are_equal() {
        for (old, new) in [("0.9", "0.90"), ("70.0", "70"), ("a", "a"), ("1, 2", "1, 2")] {
            assert!(is_same(old, new), "{old}");
        }
        for (old, new) in [("1", "2"), ("nan", "NAN"), ("", "0"), ("1, 2", "1,2")] {
            assert!(!is_same(old, new), "{old}");
        }
    }
}
