//! Tables, sorted and filtered by the server, because they may have tens of thousands of rows.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use antiquary::Report;
use antiquary::asset::{Error, ProductKind};
use antiquary::json::Value;
use antiquary::scene::Product;
use antiquary::scene::product::Cell;
use serde::Serialize;

use crate::file::File;
use crate::query::Query;
use crate::{Explorer, Fault, Response};

/// Maximum number of rows in an answer.
pub(crate) const ROWS: usize = 1000;
/// Maximum number of rows kept of a table.
const MAX_ROWS: usize = 1 << 20;
/// Parameters of a view of a table; all others are options of the format.
const OWN: &[&str] = &["kind", "item", "from", "count", "sort", "order", "filter", "find"];

/// A complete table.
struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
}

#[derive(Serialize)]
struct Page<'a> {
    columns: &'a [String],
    total: usize,
    from: usize,
    rows: Vec<&'a [Value]>,
    sounds: Option<&'a str>,
    /// First row with a cell that equals the search text, or otherwise contains it.
    found: Option<usize>,
    truncated: bool,
}

impl Explorer {
    pub(super) fn table_view(&self, file: &File<'_>, query: &Query) -> Result<Response, Fault> {
        let table = self.table(file, query)?;
        let (from, count) = query.range(ROWS, 0)?;
        let mut rows: Vec<&Vec<Value>> = table.rows.iter().collect();
        if let Some(text) = query.get("filter") {
            let text = text.to_lowercase();
            rows.retain(|row| row.iter().any(|cell| shown(cell).to_lowercase().contains(&text)));
        }
        if let Some(column) = query.get("sort") {
            let index = table.columns.iter().position(|known| known == column);
            let index = index.ok_or_else(|| Fault::request(format!("unknown column \"{column}\"")))?;
            rows.sort_by(|a, b| compared(a.get(index), b.get(index)));
            if query.get("order") == Some("down") {
                rows.reverse();
            }
        }
        let found = query.get("find").and_then(|text| found(&rows, text));
        let total = rows.len();
        let chosen = rows.into_iter().skip(from).take(count).map(Vec::as_slice).collect();
        let speaks = file.format().makes(ProductKind::Sound);
        Response::json(&Page {
            columns: &table.columns,
            total,
            from,
            rows: chosen,
            sounds: speaks.then_some(file.entry.full.as_str()),
            found,
            truncated: table.rows.len() == MAX_ROWS,
        })
    }

    fn table(&self, file: &File<'_>, query: &Query) -> Result<Arc<Table>, Fault> {
        let options = file.options(query, OWN)?;
        let item = query.number("item")?.unwrap_or(0);
        let page = ["from", "count", "sort", "order", "filter", "find"];
        let chosen: Vec<_> = query.without(&page).collect();
        self.cache.get(file.key("table", &format!("{chosen:?}")), || {
            let made =
                file.with_item(ProductKind::Table, item, &options, &mut Report::new(), |product, _| {
                    let Product::Table(table) = product else { return Err(Error::usage("not a table")) };
                    let columns = table.columns.iter().map(|column| column.clone().into_owned()).collect();
                    let rows = table.rows.take(MAX_ROWS).map(|row| row.into_iter().map(value).collect());
                    Ok(Table { columns, rows: rows.collect() })
                })?;
            let bytes = made.rows.iter().flatten().map(|cell| shown(cell).len() + 48);
            let bytes = bytes.sum::<usize>() as u64;
            Ok((made, bytes))
        })
    }
}

/// Returns the first row in which a cell equals a text; otherwise the first in which a cell contains it.
fn found(rows: &[&Vec<Value>], text: &str) -> Option<usize> {
    let text = text.to_lowercase();
    let has = |fits: &dyn Fn(&str) -> bool| {
        rows.iter().position(|row| row.iter().any(|cell| fits(&shown(cell).to_lowercase())))
    };
    has(&|cell| cell == text).or_else(|| has(&|cell| cell.contains(&text)))
}

fn value(cell: Cell) -> Value {
    match cell {
        Cell::Text(text) => Value::String(text),
        Cell::Number(number) => Value::Number(number),
        _ => Value::Null,
    }
}

/// Returns a cell as text.
fn shown(cell: &Value) -> Cow<'_, str> {
    match cell {
        Value::String(text) => Cow::Borrowed(text),
        Value::Null => Cow::Borrowed(""),
        other => Cow::Owned(other.to_string()),
    }
}

/// Compares cells: numbers before texts, empty cells last.
fn compared(a: Option<&Value>, b: Option<&Value>) -> Ordering {
    match (a.and_then(Value::as_f64), b.and_then(Value::as_f64)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => {
            let text = |cell: Option<&Value>| cell.map(|cell| shown(cell).to_lowercase()).unwrap_or_default();
            let (a, b) = (text(a), text(b));
            a.is_empty().cmp(&b.is_empty()).then_with(|| a.cmp(&b))
        }
    }
}
