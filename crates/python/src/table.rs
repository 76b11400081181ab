//! Tables as lists of dicts.

use antiquary::Named;
use antiquary::scene::product::{Cell, Table};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::error::Result;
use crate::value::to_python;

/// The rows of a table.
pub(crate) struct Rows {
    name: String,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Rows {
    /// Reads all rows of a table. Columns without a name are named by their index.
    pub(crate) fn read(named: Named<Table<'_>>) -> Self {
        let name = named.name();
        let table = named.into_value();
        let rows: Vec<Vec<Cell>> = table.rows.collect();
        let mut columns: Vec<String> = table.columns.into_iter().map(std::borrow::Cow::into_owned).collect();
        let width = rows.iter().map(Vec::len).max().unwrap_or_default();
        columns.extend((columns.len()..width).map(|index| index.to_string()));
        Self { name, columns, rows }
    }
}

/// Creates a table.
pub(crate) fn new(py: Python<'_>, rows: Rows) -> Result<Py<PyAny>> {
    let list = PyList::empty(py);
    for row in rows.rows {
        let dict = PyDict::new(py);
        for (column, cell) in rows.columns.iter().zip(row) {
            dict.set_item(column, value(py, cell)?)?;
        }
        list.append(dict)?;
    }
    let class = py.import("antiquary._values")?.getattr("Table")?;
    Ok(class.call1((list, rows.name, rows.columns))?.unbind())
}

fn value(py: Python<'_>, cell: Cell) -> Result<Bound<'_, PyAny>> {
    match cell {
        Cell::Text(text) => Ok(text.into_bound_py_any(py)?),
        Cell::Number(number) => Ok(to_python(py, &number)?.into_bound(py)),
        _ => Ok(py.None().into_bound(py)),
    }
}
