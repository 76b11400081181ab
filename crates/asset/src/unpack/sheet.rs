//! Lists of records as tables that a spreadsheet opens: a row for each record, a column for each number or text in it.
//!
//! A column is called by the path of its field in the record: `position[0]`, `object`. What a record does not have is an empty cell. Rows are
//! added, removed and put in another order as one likes.

use std::collections::{BTreeMap, BTreeSet};

use json::{Content, Document, Map, Node, Value, push_member};
use record::Error;
use scene::product::{Cell, Table};
use serde::de::DeserializeOwned;

/// A list with more columns has no table: a spreadsheet would not open it.
const MOST_COLUMNS: usize = 512;

/// The columns of a list of records, in the order in which they first occur; none where there are too many.
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
                // Behind the column that it follows in the record: the last numbers of a long list stand beside the first ones.
                let at = last.map_or(0, |last: usize| last.saturating_add(1)).min(out.len());
                out.insert(at, path.to_owned());
            }
            last = out.iter().position(|known| known == path);
        });
    }
    if out.len() > MOST_COLUMNS { Vec::new() } else { out }
}

/// The table of a list of records.
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

/// Reads the records of a table that was made of others.
///
/// # Errors
/// When it is no table, or when a row is no such record; the message names the line and the column.
pub fn read<T: DeserializeOwned>(csv: &[u8], before: Node<'_>) -> Result<Vec<T>, Error> {
    let texts = texts(before);
    // A spreadsheet may put a mark of the character set in front.
    let csv = csv.strip_prefix(b"\xef\xbb\xbf").unwrap_or(csv);
    let mut reader = csv::ReaderBuilder::new().flexible(false).from_reader(csv);
    let headers = reader.headers().map_err(|error| fault(&error))?.clone();
    let mut out = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| fault(&error))?;
        let at_line = |message: &str| {
            let start = row.position().map_or(0, csv::Position::byte);
            Error::usage(format!("line {}: {message}", line_at(csv, start)))
        };
        if row.iter().all(str::is_empty) {
            continue;
        }
        let mut record = Value::Null;
        for (column, text) in headers.iter().zip(&row) {
            let Some(value) = value(text, texts.get(column)) else { continue };
            put(&mut record, column, value)
                .ok_or_else(|| at_line(&format!("column {column}: there is nothing in front of it")))?;
        }
        let typed = Document::from(&record).read();
        out.push(typed.map_err(|error: Error| match error.path().as_str() {
            "" => at_line(error.message()),
            path => at_line(&format!("column {path}: {}", error.message())),
        })?);
    }
    Ok(out)
}

/// The number of the line in which a record starts. Cells may have several lines.
fn line_at(csv: &[u8], start: u64) -> usize {
    let before = usize::try_from(start).ok().and_then(|start| csv.split_at_checked(start));
    let (before, behind) = before.unwrap_or((csv, &[]));
    let is_end = |byte: &&u8| **byte == b'\n';
    // A record may start between the two bytes that end a line.
    let ends =
        before.iter().filter(is_end).count().saturating_add(
            behind.iter().take_while(|byte| byte.is_ascii_whitespace()).filter(is_end).count(),
        );
    ends.saturating_add(1)
}

fn fault(error: &csv::Error) -> Error {
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

/// Tells of every number and text in a record.
fn flatten<'a>(node: Node<'a>, path: &mut String, tell: &mut dyn FnMut(&str, Node<'a>)) {
    let end = path.len();
    match node.content() {
        Content::Object(members) => {
            for (name, value) in members.iter() {
                push_member(path, name);
                flatten(value, path, tell);
                path.truncate(end);
            }
        }
        Content::List(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push_str(&format!("[{index}]"));
                flatten(item, path, tell);
                path.truncate(end);
            }
        }
        _ => tell(path, node),
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

/// The columns with texts, and whether all records have one there.
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

/// What stands in a cell; `None` where nothing does.
fn value(text: &str, is_text: Option<&bool>) -> Option<Value> {
    match is_text {
        Some(is_always_there) => {
            // An apostrophe keeps spreadsheets from running a text as a formula.
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

/// Puts a value where a path leads, and makes the objects and lists on the way.
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
            // Without gaps: what is missing was the end of another list.
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
