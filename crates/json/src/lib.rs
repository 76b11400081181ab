//! JSON for people to edit, such as the records written by `unpack` and read by `pack`.
//!
//! Based on serde, with three additional rules:
//!
//! - A number that JSON cannot represent (infinity, NaN) is a string of its bits, such as `"0x7fa00001"`, and is read back bit for bit.
//! - Every list or object that fits on one line is written on one line.
//! - Floats are written as the shortest decimals that are read back as the same float.
//!
//! Do not read records with serde's `flatten`, `untagged` or internally tagged representations, because they guess types before this
//! crate can convert the numbers.
//!
//! # Glossary
//!
//! | term | meaning |
//! | --- | --- |
//! | value | a JSON value in memory ([`Value`]), like the one of `serde_json` |
//! | document | a JSON value in a compact binary encoding ([`Document`]) |
//! | node | a value in a document ([`Node`]) |
//! | member, item | an entry of an object, an entry of a list (JSON calls lists *arrays*) |
//! | step | the name of a member or the index of an item ([`Step`]); a sequence of steps is a path |
//! | variant | an object whose only member is the name of an enum variant, serde's externally tagged representation |
//! | blob | bytes that are stored in a separate file and referenced by name: `{"blob": "NAME"}` |

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

mod de;
mod document;
mod fault;
mod float;
mod layout;
mod parser;
mod ser;
mod text;
mod value;

use serde::de::DeserializeOwned;
use serde::ser::Serialize;

use record::{Error, Result};

pub use document::{
    Blob, Content, Document, Edits, List, Members, Node, Object, Step, ValuePath, pointer, push_member,
};
pub use fault::Fault;
pub use layout::{Pretty, pretty};
pub use parser::{Parser, SyntaxError};
pub use ser::{Kind, Scalar, Sink};
pub use value::{Map, Number, Value, ValueIndex, from_value, to_value};

/// Writes a value as indented JSON with a line break at the end.
///
/// # Errors
/// [`Kind::Usage`](record::Kind::Usage) if JSON cannot represent the value.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    to_compact(value).map(|text| pretty(&text))
}

/// Writes a value as JSON without whitespace.
///
/// # Errors
/// Same as [`to_vec`].
pub fn to_compact<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    to_sink(value, &mut out)?;
    Ok(out)
}

/// Writes a value to a sink.
///
/// # Errors
/// Same as [`to_vec`], and the errors of the sink.
pub fn to_sink<T: Serialize + ?Sized>(value: &T, sink: &mut impl Sink) -> Result<()> {
    value
        .serialize(ser::Serializer(sink))
        .map_err(|error| Error::usage(format!("cannot be written as JSON: {error}")))
}

/// Reads a value from JSON.
///
/// # Errors
/// [`Kind::Malformed`](record::Kind::Malformed) if the text is not valid JSON, or if the value does not have the type `T`. The message
/// contains the line and column.
pub fn from_slice<T: DeserializeOwned>(json: &[u8]) -> Result<T> {
    parse(json).map_err(|error| Error::malformed(error.to_string()))
}

/// Reads a value from JSON, like [`from_slice`], but returns a [`SyntaxError`].
///
/// # Errors
/// If the text is not valid JSON, or if the value does not have the type `T`. The error contains the line and column.
pub fn parse<T: DeserializeOwned>(json: &[u8]) -> std::result::Result<T, SyntaxError> {
    let mut parser = Parser::new(json)?;
    let value = T::deserialize(&mut parser)?;
    parser.end().map(|()| value)
}

/// Reads a value from a string of JSON.
///
/// # Errors
/// Same as [`from_slice`].
pub fn from_str<T: DeserializeOwned>(json: &str) -> Result<T> {
    from_slice(json.as_bytes())
}

#[cfg(test)]
mod tests;
