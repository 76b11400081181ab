//! Lists of numbers as arrays of numpy. The memory of a list becomes that of the array, without a copy.

use antiquary::Error;
use numpy::ndarray::{Array2, Array3};
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;

use crate::error::Result;

/// An array with the shape (count,).
pub(crate) fn numbers<T: Element>(py: Python<'_>, values: Vec<T>) -> Result<Py<PyArray1<T>>> {
    import(py)?;
    Ok(values.into_pyarray(py).unbind())
}

/// An array with the shape (count, N).
pub(crate) fn rows<T: Element, const N: usize>(
    py: Python<'_>,
    values: Vec<[T; N]>,
) -> Result<Py<PyArray2<T>>> {
    let count = values.len();
    table(py, count, N, values.into_flattened())
}

/// An array with the shape (rows, columns).
pub(crate) fn table<T: Element>(
    py: Python<'_>,
    rows: usize,
    columns: usize,
    values: Vec<T>,
) -> Result<Py<PyArray2<T>>> {
    import(py)?;
    let array = Array2::from_shape_vec((rows, columns), values).map_err(wrong_shape)?;
    Ok(array.into_pyarray(py).unbind())
}

/// An array with the shape (layers, rows, columns).
pub(crate) fn cube<T: Element>(
    py: Python<'_>,
    (layers, rows, columns): (usize, usize, usize),
    values: Vec<T>,
) -> Result<Py<PyArray3<T>>> {
    import(py)?;
    let array = Array3::from_shape_vec((layers, rows, columns), values).map_err(wrong_shape)?;
    Ok(array.into_pyarray(py).unbind())
}

/// Imports numpy with the first array, so that a program without arrays starts faster, and a missing numpy is an `ImportError`.
fn import(py: Python<'_>) -> PyResult<()> {
    py.import("numpy").map(drop)
}

#[expect(clippy::needless_pass_by_value, reason = "used as a function for `map_err`")]
fn wrong_shape(error: numpy::ndarray::ShapeError) -> Error {
    Error::internal(format!("an array has the wrong number of items: {error}"))
}
