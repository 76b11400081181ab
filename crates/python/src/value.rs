//! JSON documents as Python objects.

use antiquary::json::{Content, Node, Value};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

/// Converts a value to the Python object that `json.loads` would return for it.
pub(crate) fn to_python<'py>(py: Python<'py>, node: Node<'_>) -> PyResult<Bound<'py, PyAny>> {
    match node.content() {
        Content::Null => Ok(py.None().into_bound(py)),
        Content::Bool(value) => value.into_bound_py_any(py),
        Content::Unsigned(number) => number.into_bound_py_any(py),
        Content::Negative(number) => number.into_bound_py_any(py),
        Content::Single(number) if number.is_finite() => shortest(number).into_bound_py_any(py),
        Content::Double(number) if number.is_finite() => number.into_bound_py_any(py),
        // Numbers that JSON cannot hold are strings of their bits.
        Content::Single(_) | Content::Double(_) | Content::Bytes(_) => match node.to_value() {
            Value::String(text) => text.into_bound_py_any(py),
            other => other.to_string().into_bound_py_any(py),
        },
        Content::Text(text) => text.into_bound_py_any(py),
        Content::List(items) => {
            let list = PyList::empty(py);
            items.iter().try_for_each(|item| list.append(to_python(py, item)?))?;
            list.into_bound_py_any(py)
        }
        Content::Object(members) => {
            let dict = PyDict::new(py);
            // The names of fields repeat in every record.
            let mut put = |(name, value)| dict.set_item(PyString::intern(py, name), to_python(py, value)?);
            members.iter().try_for_each(&mut put)?;
            dict.into_bound_py_any(py)
        }
    }
}

/// Converts a number to the double that has the same shortest decimal, which is the number in JSON.
fn shortest(number: f32) -> f64 {
    let double = f64::from(number);
    if double.fract() == 0.0 { double } else { number.to_string().parse().unwrap_or(double) }
}
