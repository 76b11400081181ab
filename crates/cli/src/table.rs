//! Text tables.

use std::io::{self, Write};

use crate::style::TITLE;

/// Rows of cells. Each column except the last is as wide as its widest cell.
#[derive(Debug, Default)]
pub(crate) struct Table {
    titles: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with a header row.
    pub(crate) fn new(titles: &[&'static str]) -> Self {
        Self { titles: titles.to_vec(), rows: Vec::new() }
    }

    /// A table without a header row.
    pub(crate) fn untitled() -> Self {
        Self::default()
    }

    /// Adds a row. Cells must already be escaped.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Writes the table, indented.
    pub(crate) fn write(&self, out: &mut dyn Write, indent: usize) -> io::Result<()> {
        let titles: Vec<_> = self.titles.iter().copied().map(String::from).collect();
        let mut widths = Widths::default();
        widths.fit(&titles);
        self.rows.iter().for_each(|row| widths.fit(row));
        if !titles.is_empty() {
            write!(out, "{TITLE}")?;
            widths.write(out, indent, &titles)?;
            writeln!(out, "{TITLE:#}")?;
        }
        for row in &self.rows {
            widths.write(out, indent, row)?;
            writeln!(out)?;
        }
        Ok(())
    }
}

/// Widths of the columns of a table, in characters.
#[derive(Debug, Default)]
pub(crate) struct Widths(Vec<usize>);

impl Widths {
    /// Widens the columns to fit a row.
    pub(crate) fn fit(&mut self, row: &[String]) {
        self.0.resize(self.0.len().max(row.len()), 0);
        for (known, cell) in self.0.iter_mut().zip(row) {
            *known = (*known).max(width(cell));
        }
    }

    /// Writes a row, indented, without a line ending.
    pub(crate) fn write(&self, out: &mut dyn Write, indent: usize, row: &[String]) -> io::Result<()> {
        write!(out, "{:indent$}", "")?;
        let last = row.iter().rposition(|cell| !cell.is_empty());
        for (index, (cell, wide)) in row.iter().zip(&self.0).enumerate() {
            if Some(index) == last {
                return write!(out, "{cell}");
            }
            let missing = wide.saturating_sub(width(cell)) + 2;
            write!(out, "{cell}{:missing$}", "")?;
        }
        Ok(())
    }
}

/// The width of a text, counting each character as one column.
fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_without_trailing_spaces() {
        let mut table = Table::new(&["ID", "WHAT"]);
        table.row(["größer".into(), "x".into()]);
        table.row(["a".into(), String::new()]);
        let mut out = Vec::new();
        table.write(&mut out, 1).unwrap();
        let plain = anstream::adapter::strip_bytes(&out).into_vec();
        assert_eq!(String::from_utf8(plain).unwrap(), " ID      WHAT\n größer  x\n a\n");
    }
}
