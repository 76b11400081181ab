//! Functions that process files and return what the program prints as JSON.

pub(crate) mod inspect;
pub(crate) mod script;
pub(crate) mod write;

use antiquary::Outcome;
use antiquary::diff::Change;
use antiquary::json::Document;
use pyo3::prelude::*;
use serde::Serialize;

use crate::error::Result;
use crate::value::to_python;

/// The results of a function: a dict.
pub(crate) type Object = Py<PyAny>;

/// Converts the results of a function to a dict.
pub(crate) fn object(py: Python<'_>, document: &Document) -> Result<Object> {
    Ok(to_python(py, document.root())?.unbind())
}

/// The result of an edit: its outcome, and what has changed.
#[derive(Serialize)]
pub(crate) struct EditResult<'a> {
    #[serde(flatten)]
    pub(crate) outcome: &'a Outcome,
    pub(crate) changes: &'a [Change],
    pub(crate) more: u64,
}
