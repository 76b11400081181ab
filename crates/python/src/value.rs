//! JSON documents as Python objects, and the reverse.

use antiquary::json::{Content, Map, Node, Value};
use antiquary::{Error, json};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::error::Result;

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
            members.iter().try_for_each(|(name, value)| dict.set_item(name, to_python(py, value)?))?;
            dict.into_bound_py_any(py)
        }
    }
}

/// Converts a number to the double that has the same shortest decimal, which is the number in JSON.
fn shortest(number: f32) -> f64 {
    let double = f64::from(number);
    if double.fract() == 0.0 { double } else { number.to_string().parse().unwrap_or(double) }
}

/// Converts the members of an object.
pub(crate) fn members<'py>(py: Python<'py>, map: &Map<String, Value>) -> Result<Bound<'py, PyAny>> {
    let document = json::Document::of(map)?;
    Ok(to_python(py, document.root())?)
}

/// Deepest nesting of lists and dicts that is accepted, which also ends the recursion for a list that contains itself.
const DEEPEST: usize = 100;

/// Converts a Python object to a JSON value. Arrays and scalars of numpy are converted by their method `tolist`.
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> Result<Value> {
    convert(object, 0)
}

fn convert(object: &Bound<'_, PyAny>, depth: usize) -> Result<Value> {
    if depth > DEEPEST {
        return Err(Error::usage(format!("a value is nested more than {DEEPEST} levels deep")).into());
    }
    let below = depth.saturating_add(1);
    if object.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(value) = object.cast::<PyBool>() {
        return Ok(Value::from(value.is_true()));
    }
    if object.is_instance_of::<PyInt>() {
        return match object.extract::<i64>() {
            Ok(number) => Ok(Value::from(number)),
            Err(_) => Ok(Value::from(object.extract::<u64>()?)),
        };
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(json::to_value(object.extract::<f64>()?)?);
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::from(text.to_str()?));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let mut map = Map::new();
        for (name, value) in dict {
            map.insert(name.extract::<String>()?, convert(&value, below)?);
        }
        return Ok(Value::from(map));
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        let items = object.try_iter()?.map(|item| convert(&item?, below));
        return items.collect();
    }
    if object.hasattr("tolist")? {
        return convert(&object.call_method0("tolist")?, below);
    }
    let class = object.get_type();
    Err(Error::usage(format!("a value of type {} cannot be stored in a field", class.name()?)).into())
}
