//! Results as Python objects.

use antiquary::json::{self, Fault, Kind, Scalar, Sink};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde::Serialize;

/// Converts a value to the Python object that `json.loads` would return for its JSON.
pub(crate) fn to_python<T: Serialize + ?Sized>(py: Python<'_>, value: &T) -> PyResult<Py<PyAny>> {
    let mut builder = Builder { py, value: None, error: None };
    json::to_sink(value, &mut builder).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    match builder.error {
        Some(error) => Err(error),
        None => Ok(builder.take().unbind()),
    }
}

/// Holds the last value written to it. An open list or dict takes its items from here.
struct Builder<'py> {
    py: Python<'py>,
    value: Option<Bound<'py, PyAny>>,
    /// The first exception, such as a lack of memory.
    error: Option<PyErr>,
}

/// An incomplete list or dict.
enum Open<'py> {
    /// The items, and whether another one follows.
    List { list: Bound<'py, PyList>, follows: bool },
    /// The members, and the name of the one that follows.
    Object { dict: Bound<'py, PyDict>, following: Option<Bound<'py, PyString>> },
}

impl<'py> Builder<'py> {
    fn take(&mut self) -> Bound<'py, PyAny> {
        self.value.take().unwrap_or_else(|| self.py.None().into_bound(self.py))
    }

    fn check(&mut self, result: PyResult<()>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }

    /// Adds the value of the last item or member.
    fn store(&mut self, open: &mut Open<'py>) {
        let stored = match open {
            Open::List { list, follows: true } => list.append(self.take()),
            Open::List { follows: false, .. } => Ok(()),
            Open::Object { dict, following } => {
                following.take().map_or(Ok(()), |name| dict.set_item(name, self.take()))
            }
        };
        self.check(stored);
    }
}

impl<'py> Sink for Builder<'py> {
    type Open = Open<'py>;

    fn scalar(&mut self, value: Scalar<'_>) {
        let py = self.py;
        let object = value.as_read(|value| match value {
            Scalar::Bool(value) => value.into_bound_py_any(py),
            Scalar::Unsigned(number) => number.into_bound_py_any(py),
            Scalar::Signed(number) => number.into_bound_py_any(py),
            Scalar::Double(number) => number.into_bound_py_any(py),
            Scalar::Text(text) => text.into_bound_py_any(py),
            Scalar::Null | Scalar::Single(_) | Scalar::Bytes(_) => Ok(py.None().into_bound(py)),
        });
        let stored = object.map(|object| self.value = Some(object));
        self.check(stored);
    }

    fn open(&mut self, kind: Kind, _length: Option<usize>) -> Result<Open<'py>, Fault> {
        Ok(match kind {
            Kind::List => Open::List { list: PyList::empty(self.py), follows: false },
            Kind::Object | Kind::Variant => Open::Object { dict: PyDict::new(self.py), following: None },
        })
    }

    fn item(&mut self, open: &mut Open<'py>) {
        self.store(open);
        if let Open::List { follows, .. } = open {
            *follows = true;
        }
    }

    fn member(&mut self, open: &mut Open<'py>, name: &str) {
        self.store(open);
        if let Open::Object { following, .. } = open {
            // The names of fields repeat in every record.
            *following = Some(PyString::intern(self.py, name));
        }
    }

    fn close(&mut self, mut open: Open<'py>) {
        self.store(&mut open);
        self.value = Some(match open {
            Open::List { list, .. } => list.into_any(),
            Open::Object { dict, .. } => dict.into_any(),
        });
    }
}
