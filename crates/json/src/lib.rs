//! JSON that people edit, such as records between `unpack` and `pack`.
//!
//! Plain serde, with three rules of its own. A number that JSON cannot say (infinity, NaN) is a string of its bits, like
//! `"0x7fa00001"`, so that it comes back bit for bit. Whatever fits into a line is put on one line. Floats are the shortest
//! decimals that read back the same.
//!
//! Records must not be read through serde's `flatten`, `untagged` or internally tagged forms: those guess types before this
//! crate sees the numbers.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

mod de;
mod document;
mod fault;
mod layout;
mod parser;
mod ser;
mod text;
mod value;

use serde::de::DeserializeOwned;
use serde::ser::Serialize;

use record::{Error, Result};

pub use document::{
    Blob, Content, Document, Edits, List, Members, Node, Object, Step, Way, pointer, push_member,
};
pub use fault::Fault;
pub use layout::{Pretty, pretty};
pub use parser::{Parser, SyntaxError};
pub use value::{Map, Number, Value, ValueIndex, from_value, to_value};

/// Writes a value as indented JSON with a line break at the end.
///
/// # Errors
/// [`Kind::Usage`](record::Kind::Usage) when the value has a form JSON cannot hold.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    to_compact(value).map(|text| pretty(&text))
}

/// Writes a value as JSON without white space.
///
/// # Errors
/// As [`to_vec`].
pub fn to_compact<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    put(value, &mut out)?;
    Ok(out)
}

/// Puts a value into what takes it.
fn put<T: Serialize + ?Sized>(value: &T, sink: &mut impl ser::Sink) -> Result<()> {
    value
        .serialize(ser::Serializer(sink))
        .map_err(|error| Error::usage(format!("cannot be written as JSON: {error}")))
}

/// Reads a value from JSON.
///
/// # Errors
/// [`Kind::Malformed`](record::Kind::Malformed) when it is not JSON or not of this form; the message names line and column.
pub fn from_slice<T: DeserializeOwned>(json: &[u8]) -> Result<T> {
    parse(json).map_err(|error| Error::malformed(error.to_string()))
}

/// Reads a value from JSON, as [`from_slice`] does.
///
/// # Errors
/// When it is not JSON or not of this form, with line and column.
pub fn parse<T: DeserializeOwned>(json: &[u8]) -> std::result::Result<T, SyntaxError> {
    let mut parser = Parser::new(json)?;
    let value = T::deserialize(&mut parser)?;
    parser.end().map(|()| value)
}

/// Reads a value from JSON.
///
/// # Errors
/// As [`from_slice`].
pub fn from_str<T: DeserializeOwned>(json: &str) -> Result<T> {
    from_slice(json.as_bytes())
}

#[cfg(test)]
mod tests;
