//! Functions that process files and return what the program prints as JSON.

pub(crate) mod inspect;
pub(crate) mod script;
pub(crate) mod write;

use antiquary::Outcome;
use pyo3::prelude::*;

use crate::error::{Failure, Result};

/// The results of a function: a dict.
pub(crate) type Object = Py<PyAny>;

/// Returns an outcome that succeeded.
pub(crate) fn succeeded(outcome: &Outcome) -> Result<()> {
    if outcome.ok { Ok(()) } else { Err(Failure::Outcome(Box::new(outcome.clone()))) }
}
