//! Python objects as JSON values.

use antiquary::json::{Map, Value};
use antiquary::{Error, json};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::error::Result;

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
