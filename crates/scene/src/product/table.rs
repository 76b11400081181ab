//! Tables as products, whose rows are generated while they are written.

use std::borrow::Cow;
use std::fmt;

use json::Number;

use crate::Result;

/// A table with rows and columns.
pub struct Table<'a> {
    /// Names of the columns; empty for a table of numbers without headings.
    pub columns: Vec<Cow<'a, str>>,
    /// The rows, each with one cell per column.
    pub rows: Box<dyn Iterator<Item = Vec<Cell>> + 'a>,
}

/// The content of a cell.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub enum Cell {
    /// An empty cell.
    #[default]
    Empty,
    /// A text.
    Text(String),
    /// A number.
    Number(Number),
}

impl<'a> Table<'a> {
    /// Creates a table with these columns and rows.
    pub fn new(
        columns: impl IntoIterator<Item = impl Into<Cow<'a, str>>>,
        rows: impl Iterator<Item = Vec<Cell>> + 'a,
    ) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), rows: Box::new(rows) }
    }
}

impl Table<'_> {
    /// Writes the table as comma-separated values.
    ///
    /// # Errors
    /// If a row cannot be created.
    pub fn to_csv(mut self) -> Result<Vec<u8>> {
        to_csv(&mut self)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Number> for Cell {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl fmt::Debug for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({})", self.columns.join(", "))
    }
}

/// Writes comma-separated values according to RFC 4180: texts are quoted, so that no spreadsheet interprets them as
/// numbers, and texts that could be formulas start with an apostrophe; lines end with CR LF.
pub(super) fn to_csv(table: &mut Table<'_>) -> Result<Vec<u8>> {
    let mut out = String::new();
    if !table.columns.is_empty() {
        end_row(&mut out, table.columns.iter().map(|name| name.clone().into_owned()));
    }
    for row in &mut table.rows {
        end_row(&mut out, row.into_iter().map(|cell| cell_text(&cell)));
    }
    Ok(out.into_bytes())
}

fn end_row(out: &mut String, cells: impl Iterator<Item = String>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&cell);
    }
    out.push_str("\r\n");
}

/// Whether a spreadsheet could run a text as a formula. A leading apostrophe prevents that; texts that already start
/// with one get another, so that removing one always restores the text.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\''])
}

fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Text(text) => {
            let guard = if is_formula(text) { "'" } else { "" };
            format!("\"{guard}{}\"", text.replace('"', "\"\""))
        }
        Cell::Number(number) => number.to_string(),
    }
}
