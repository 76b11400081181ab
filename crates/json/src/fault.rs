//! Errors in the conversion between typed values and JSON.

use std::fmt::Display;

use serde::de::{self, Expected, Unexpected};
use serde::ser;

use record::Error;

/// The error type of serializers and deserializers in this crate.
#[derive(Debug)]
pub struct Fault(pub(crate) Error);

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        fault.0
    }
}

impl Fault {
    /// Creates an error for an unexpected value.
    pub(crate) fn expected(expected: impl Display, got: impl Display) -> Self {
        Self(Error::malformed(format!("expected {expected}, got {got}")))
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Fault {}

impl ser::Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        Self(Error::malformed(message.to_string()))
    }
}

impl de::Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        Self(Error::malformed(message.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::expected(expected, describe(found))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::expected(expected, describe(found))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::expected(expected, format_args!("{length} values"))
    }
}

/// Formats an unexpected value as it is written in JSON.
fn describe(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(value) => value.to_string(),
        Unexpected::Signed(value) => value.to_string(),
        Unexpected::Float(value) => value.to_string(),
        Unexpected::Str(text) => quoted(text),
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        other => other.to_string(),
    }
}

/// Maximum number of displayed characters of a string.
const MAX_SHOWN: usize = 60;

/// Returns a string in quotes, shortened if it is long.
pub(crate) fn quoted(text: &str) -> String {
    let shown: String = text.chars().take(MAX_SHOWN).collect();
    let more = if shown.len() < text.len() { "..." } else { "" };
    format!("{shown:?}{more}")
}
