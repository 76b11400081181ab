//! Errors of the library as Python exceptions.

use antiquary::{Error, Kind, Outcome, Severity};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::value::to_python;

/// The result of a function that Python calls.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// The reason why a function failed.
pub(crate) enum Failure {
    /// An error of the library, which becomes an `antiquary.Error`.
    Library(Error),
    /// The outcome of work on a file that failed, which becomes an `antiquary.Error` with the outcome.
    Outcome(Box<Outcome>),
    /// An error of the library, with further results.
    WithResult(Error, Py<PyAny>),
    /// Any other exception.
    Python(PyErr),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| match failure {
            Failure::Library(error) => exception(py, &error, None),
            Failure::Outcome(outcome) => of_outcome(py, &outcome),
            Failure::WithResult(error, result) => exception(py, &error, Some(result)),
            Failure::Python(error) => error,
        })
    }
}

/// Creates the exception for an error of the library.
pub(crate) fn exception(py: Python<'_>, error: &Error, result: Option<Py<PyAny>>) -> PyErr {
    let fields = Fields {
        class: class_of(error),
        kind: error.kind().name(),
        code: error.kind().name(),
        message: error.message(),
        offset: error.offset(),
        path: &error.path(),
        file: error.file().map(|file| file.display().to_string()),
    };
    fields.raise(py, result).unwrap_or_else(|error| error)
}

/// Creates the exception for an outcome that failed: its error, or else its most severe warning.
fn of_outcome(py: Python<'_>, outcome: &Outcome) -> PyErr {
    let result = to_python(py, outcome).ok();
    if let Some(error) = &outcome.error {
        return exception(py, &error.clone().in_file(&outcome.input), result);
    }
    let worst = outcome.warnings.worst().unwrap_or(Severity::Note);
    let warning = outcome.warnings.iter().find(|warning| warning.code.severity == worst);
    let fields = Fields {
        class: "RefusedError",
        kind: "refused",
        code: warning.map_or("refused", |warning| warning.code.id),
        message: warning.map_or("refused because of its warnings", |warning| &warning.message),
        offset: warning.and_then(|warning| warning.offset),
        path: warning.map_or("", |warning| &warning.path),
        file: Some(outcome.input.clone()),
    };
    fields.raise(py, result).unwrap_or_else(|error| error)
}

/// The class in `antiquary._errors` for an error.
fn class_of(error: &Error) -> &'static str {
    match error.kind() {
        Kind::Malformed => "MalformedError",
        Kind::Unsupported => "UnsupportedError",
        Kind::Limit => "LimitError",
        Kind::Io if error.file().is_some_and(|file| !file.exists()) => "MissingFileError",
        Kind::Io => "FileError",
        Kind::Usage => "UsageError",
        _ => "InternalError",
    }
}

/// The attributes of an exception.
struct Fields<'a> {
    class: &'static str,
    kind: &'a str,
    code: &'a str,
    message: &'a str,
    offset: Option<u64>,
    path: &'a str,
    file: Option<String>,
}

impl Fields<'_> {
    fn raise(self, py: Python<'_>, result: Option<Py<PyAny>>) -> PyResult<PyErr> {
        let attributes = PyDict::new(py);
        attributes.set_item("kind", self.kind)?;
        attributes.set_item("code", self.code)?;
        attributes.set_item("offset", self.offset)?;
        attributes.set_item("path", self.path)?;
        attributes.set_item("file", self.file)?;
        attributes.set_item("result", result)?;
        let class = py.import("antiquary._errors")?.getattr(self.class)?;
        Ok(PyErr::from_value(class.call((self.message,), Some(&attributes))?))
    }
}
