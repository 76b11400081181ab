//! Tables of texts and numbers.

use std::ffi::{CString, c_char};

use facade::scene::product::{Cell, Table};

use crate::call::{call, free};
use crate::failure::item;
use crate::handle::{self, ErrorHandle, Handle, TableHandle};
use crate::pointer::Out;
use crate::status::Status;
use crate::string::c_string;

/// The object of a table handle.
#[derive(Debug)]
pub struct TableObject {
    name: CString,
    columns: Vec<CString>,
    rows: Vec<Vec<(CellKind, CString)>>,
}

impl Handle for TableHandle {
    type Object = TableObject;
}

impl TableObject {
    pub(crate) fn new(name: &str, table: Table<'_>) -> Self {
        let cell = |cell| match cell {
            Cell::Text(text) => (CellKind::Text, c_string(&text)),
            Cell::Number(number) => (CellKind::Number, c_string(&number.to_string())),
            _ => (CellKind::Empty, CString::default()),
        };
        Self {
            name: c_string(name),
            columns: table.columns.iter().map(|column| c_string(column)).collect(),
            rows: table.rows.map(|row| row.into_iter().map(cell).collect()).collect(),
        }
    }
}

/// The content of a cell.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// Nothing.
    Empty = 0,
    /// A text.
    Text = 1,
    /// A number, as decimal text.
    Number = 2,
}

/// The size of a table.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TableInfo {
    /// Name of the table in its file; empty if it is the only one.
    pub name: *const c_char,
    /// Number of named columns; 0 for a table of numbers without headings.
    pub column_count: usize,
    /// Number of rows.
    pub row_count: usize,
}

/// A cell of a table.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TableCell {
    /// The kind of content.
    pub kind: CellKind,
    /// The content; empty for an empty cell.
    pub text: *const c_char,
}

/// Gets the size of a table. The pointer is valid until the table is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_table_get(
    table: TableHandle,
    info: *mut TableInfo,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (info, error) = unsafe { (Out::new(info), Out::new(error)) };
    call(error, || {
        let object = handle::get(table)?;
        info.put(
            "info",
            TableInfo {
                name: object.name.as_ptr(),
                column_count: object.columns.len(),
                row_count: object.rows.len(),
            },
        )
    })
}

/// Gets the name of a column. It is valid until the table is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_table_column(
    table: TableHandle,
    column: usize,
    name: *mut *const c_char,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (name, error) = unsafe { (Out::new(name), Out::new(error)) };
    call(error, || name.put("name", item("column", &handle::get(table)?.columns, column)?.as_ptr()))
}

/// Gets a cell of a table. The pointer is valid until the table is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_table_cell(
    table: TableHandle,
    row: usize,
    column: usize,
    cell: *mut TableCell,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (cell, error) = unsafe { (Out::new(cell), Out::new(error)) };
    call(error, || {
        let object = handle::get(table)?;
        let (kind, text) = item("column", item("row", &object.rows, row)?, column)?;
        cell.put("cell", TableCell { kind: *kind, text: text.as_ptr() })
    })
}

/// Frees a table, and everything that was borrowed from it. Does nothing for the handle 0.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_table_free(table: TableHandle) -> Status {
    free(table)
}
