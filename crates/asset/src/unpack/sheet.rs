//! Lists of records as tables for spreadsheets: a row for each record, a column for each number or string in it.
//!
//! The name of a column is the path of its field in the record: `position[0]`, `object`. Fields that a record lacks are empty
//! cells. Rows can be added, removed and reordered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use csv::StringRecord;
use json::{Content, Document, Map, Node, Value, push_member};
use record::Error;
use scene::product::{Cell, Table};
use serde::de::DeserializeOwned;

/// Maximum number of columns. Lists with more have no table, because spreadsheets would not open it.
const MOST_COLUMNS: usize = 512;

/// Returns the columns of a list of records, in the order in which they first occur, or no columns if there are too many.
#[must_use]
pub fn columns(records: Node<'_>) -> Vec<String> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut out: Vec<String> = Vec::new();
    for record in items(records) {
        let mut last = None;
        flatten(record, &mut String::new(), &mut |path, _| {
            if out.len() > MOST_COLUMNS {
                return;
            }
            if seen.insert(path.to_owned()) {
                // After the preceding column of the record, so that all numbers of a list are adjacent, even if the first record
                // has fewer.
                let at = last.map_or(0, |last: usize| last.saturating_add(1)).min(out.len());
                out.insert(at, path.to_owned());
            }
            last = out.iter().position(|known| known == path);
        });
    }
    if out.len() > MOST_COLUMNS { Vec::new() } else { out }
}

/// Returns the table of a list of records.
#[must_use]
pub fn table<'a>(records: Node<'a>, columns: &'a [String]) -> Table<'a> {
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    let row = |record: Node<'_>| {
        let mut cells: BTreeMap<String, Cell> = BTreeMap::new();
        flatten(record, &mut String::new(), &mut |path, value| {
            cells.insert(path.to_owned(), cell(value));
        });
        columns.iter().map(|column| cells.remove(column).unwrap_or_default()).collect()
    };
    Table::new(names, items(records).map(row))
}

/// Reads records from a table that was created from `before` and edited.
///
/// # Errors
/// When the data is not a table, or a row is not a valid record. The message contains the line and the column.
pub fn read<T: DeserializeOwned>(csv: &[u8], before: Node<'_>) -> Result<Vec<T>, Error> {
    let texts = texts(before);
    let mut out = Vec::new();
    for row in text_rows(csv)? {
        let at_line = |message: &str| Error::usage(format!("line {}: {message}", row.line));
        let mut record = Value::Null;
        for (column, text) in row.cells() {
            let Some(value) = value(text, texts.get(column)) else { continue };
            put(&mut record, column, value).ok_or_else(|| {
                at_line(&format!("column {column}: the items or members before it are missing"))
            })?;
        }
        let typed = Document::from(&record).read();
        out.push(typed.map_err(|error: Error| match error.path().as_str() {
            "" => at_line(error.message()),
            path => at_line(&format!("column {path}: {}", error.message())),
        })?);
    }
    Ok(out)
}

/// A row of a table, with its cells as texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextRow {
    /// Number of the line in which the row starts, from 1.
    pub line: usize,
    headers: Arc<StringRecord>,
    cells: StringRecord,
}

impl TextRow {
    /// Returns the cell of a column; `None` if the table does not have the column.
    #[must_use]
    pub fn get(&self, column: &str) -> Option<&str> {
        self.cells().find(|(name, _)| *name == column).map(|(_, text)| text)
    }

    /// Iterates over the columns with their cells.
    pub fn cells(&self) -> impl Iterator<Item = (&str, &str)> {
        self.headers.iter().zip(&self.cells)
    }
}

/// Reads the rows of a table as texts. Empty rows are skipped.
///
/// # Errors
/// When the data is not a table in UTF-8.
pub fn text_rows(csv: &[u8]) -> Result<Vec<TextRow>, Error> {
    // A spreadsheet may insert a byte order mark.
    let csv = csv.strip_prefix(b"\xef\xbb\xbf").unwrap_or(csv);
    let mut reader = csv::ReaderBuilder::new().flexible(false).from_reader(csv);
    let headers = Arc::new(reader.headers().map_err(|error| table_error(&error))?.clone());
    let mut lines = LineCounter { rest: csv, line: 1 };
    let mut out = Vec::new();
    for row in reader.records() {
        let cells = row.map_err(|error| table_error(&error))?;
        if cells.iter().all(str::is_empty) {
            continue;
        }
        let start = cells.position().map_or(0, csv::Position::byte);
        let line = lines.advance(csv.len(), usize::try_from(start).unwrap_or(usize::MAX));
        out.push(TextRow { line, headers: Arc::clone(&headers), cells });
    }
    Ok(out)
}

/// Counts the lines of a table up to ascending offsets. Cells may contain line breaks.
struct LineCounter<'a> {
    rest: &'a [u8],
    line: usize,
}

impl LineCounter<'_> {
    /// Returns the number of the line in which the record at an offset starts.
    fn advance(&mut self, length: usize, start: usize) -> usize {
        let passed = start.saturating_sub(length.saturating_sub(self.rest.len()));
        let (before, rest) = self.rest.split_at_checked(passed).unwrap_or((self.rest, &[]));
        let is_end = |byte: &&u8| **byte == b'\n';
        self.line = self.line.saturating_add(before.iter().filter(is_end).count());
        self.rest = rest;
        // A record may start between the two bytes of a line break.
        let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
        self.line.saturating_add(blanks.filter(is_end).count())
    }
}

fn table_error(error: &csv::Error) -> Error {
    Error::usage(format!("not a table of comma-separated values: {error}"))
}

fn items<'a>(records: Node<'a>) -> impl Iterator<Item = Node<'a>> + 'a {
    match records.content() {
        Content::List(items) => Some(items.iter()),
        _ => None,
    }
    .into_iter()
    .flatten()
}

/// Visits every number and string in a record.
fn flatten<'a>(node: Node<'a>, path: &mut String, visit: &mut dyn FnMut(&str, Node<'a>)) {
    let end = path.len();
    match node.content() {
        Content::Object(members) => {
            for (name, value) in members.iter() {
                push_member(path, name);
                flatten(value, path, visit);
                path.truncate(end);
            }
        }
        Content::List(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push_str(&format!("[{index}]"));
                flatten(item, path, visit);
                path.truncate(end);
            }
        }
        _ => visit(path, node),
    }
}

fn cell(node: Node<'_>) -> Cell {
    match node.to_value() {
        Value::Number(number) => Cell::Number(number),
        Value::String(text) => Cell::Text(text),
        Value::Bool(value) => Cell::Text(value.to_string()),
        _ => Cell::Empty,
    }
}

/// Returns the columns that contain strings, and whether all records have one.
fn texts(records: Node<'_>) -> BTreeMap<String, bool> {
    let (mut found, mut count): (BTreeMap<String, usize>, usize) = (BTreeMap::new(), 0);
    for record in items(records) {
        count = count.saturating_add(1);
        flatten(record, &mut String::new(), &mut |path, value| {
            if matches!(value.content(), Content::Text(_) | Content::Bytes(_)) {
                let times = found.entry(path.to_owned()).or_default();
                *times = times.saturating_add(1);
            }
        });
    }
    found.into_iter().map(|(path, times)| (path, times == count)).collect()
}

/// Parses a cell; `None` if it is empty.
fn value(text: &str, is_text: Option<&bool>) -> Option<Value> {
    match is_text {
        Some(is_always_there) => {
            // A leading apostrophe keeps spreadsheets from evaluating text as a formula.
            let text = text.strip_prefix('\'').unwrap_or(text);
            (*is_always_there || !text.is_empty()).then(|| text.into())
        }
        None if text.is_empty() => None,
        None => Some(match text.trim() {
            "true" | "TRUE" => true.into(),
            "false" | "FALSE" => false.into(),
            number => json::from_str::<json::Number>(number).map_or_else(|_| text.into(), Value::Number),
        }),
    }
}

/// Sets the value at a path, and creates the objects and lists on the path.
fn put(record: &mut Value, path: &str, value: Value) -> Option<()> {
    let mut at = record;
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let (index, after) = inside.split_once(']')?;
            let index: usize = index.parse().ok()?;
            if at.is_null() {
                *at = Value::Array(Vec::new());
            }
            let list = at.as_array_mut()?;
            // Gaps are refused: a missing item was the end of another list.
            if index == list.len() {
                list.push(Value::Null);
            }
            at = list.get_mut(index)?;
            rest = after;
        } else {
            let name = rest.strip_prefix('.').unwrap_or(rest);
            let end = name.find(['.', '[']).unwrap_or(name.len());
            let (name, after) = name.split_at_checked(end)?;
            if at.is_null() {
                *at = Value::Object(Map::new());
            }
            at = at.as_object_mut()?.entry(name).or_insert(Value::Null);
            rest = after;
        }
    }
    *at = value;
    Some(())
}
