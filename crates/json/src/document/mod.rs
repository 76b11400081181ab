//! A JSON value in a compact encoding. Typed files are converted to documents to be edited, compared or displayed without allocating a
//! value for each number.
//!
//! Values are stored one after the other in one buffer, and the names of members once in a table. Floats keep their precision and bits,
//! and bytes remain bytes, so a document takes about twice the space of the file. A list or object contains its length, so that it can
//! be skipped.
//!
//! | tag | value | following bytes |
//! | --- | --- | --- |
//! | 0, 1, 2 | null, false, true | |
//! | 3, 4 | a non-negative integer, a negative integer | the number, or -1 minus the number, in groups of 7 bits |
//! | 5, 6 | an `f32`, an `f64` | 4 or 8 bytes |
//! | 7, 8 | a string, bytes | the length in groups of 7 bits, the bytes |
//! | 9, 10 | a list, an object | the count and the length in bytes (one byte each), the items |
//! | 11, 12 | a list, an object | the count and the length in bytes (eight bytes each), the items |
//! | 13, 14 | an enum variant: an object whose only member is the name of the variant | as for an object |
//! | 32 and above | an integer from 0 to 223 | |
//!
//! The value of a member follows the index of its name in the table plus 1, or 0 and the name itself.

mod build;
mod edit;
mod member;
mod name;
mod node;
mod parse;
mod read;
mod set;
#[cfg(test)]
mod tests;
mod value_path;
mod write;

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde::ser::{Serialize, Serializer};

pub use edit::Edits;
pub use member::Members;
pub use node::{Content, List, Node, Object};
pub use parse::Blob;
pub use set::{Step, pointer};
pub use value_path::{ValuePath, push_member};

use self::build::Builder;
use self::name::Names;
use record::{Error, Result};

const NULL: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
const UNSIGNED: u8 = 3;
const NEGATIVE: u8 = 4;
const SINGLE: u8 = 5;
const DOUBLE: u8 = 6;
const TEXT: u8 = 7;
const BYTES: u8 = 8;
const LIST: u8 = 9;
const OBJECT: u8 = 10;
const LONG_LIST: u8 = 11;
const LONG_OBJECT: u8 = 12;
const VARIANT: u8 = 13;
const LONG_VARIANT: u8 = 14;
/// Small non-negative integers are this tag plus the number.
const SMALL: u8 = 32;

/// A JSON value in a compact encoding.
#[derive(Clone)]
pub struct Document {
    bytes: Vec<u8>,
    names: Names,
}

impl Document {
    /// Creates the document of a value.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if JSON cannot represent the value.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self> {
        Self::of_file(value, 0)
    }

    /// Creates the document of a typed file. `bytes` is the size of the file, which determines the initial allocation.
    ///
    /// # Errors
    /// Same as [`Document::of`].
    pub fn of_file<T: Serialize + ?Sized>(value: &T, bytes: usize) -> Result<Self> {
        let mut builder = Builder::new(Names::default(), bytes.saturating_mul(2));
        builder.value(value).map_err(|fault| Error::usage(fault.0.message()))?;
        let mut document = builder.finish();
        document.bytes.shrink_to_fit();
        Ok(document)
    }

    /// Reads a document from JSON.
    ///
    /// # Errors
    /// [`Kind::Malformed`](record::Kind::Malformed) if the text is not valid JSON. The message contains the line and column.
    pub fn parse(json: &[u8]) -> Result<Self> {
        Self::parse_with(json, &mut |_| Ok(None))
    }

    /// Reads a document from JSON and replaces each `{"blob": "NAME"}` with the bytes returned by `blob`.
    ///
    /// # Errors
    /// Same as [`Document::parse`], and the errors of `blob`.
    pub fn parse_with(json: &[u8], blob: Blob<'_>) -> Result<Self> {
        parse::parse(json, blob)
    }

    /// Converts to a typed value.
    ///
    /// # Errors
    /// [`Kind::Malformed`](record::Kind::Malformed) if the document does not have the type `T`. The error contains the field and the
    /// expected type.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        T::deserialize(self.root()).map_err(|fault| fault.0)
    }

    /// The root value.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node::new(self, 0)
    }

    /// Size of the encoded values in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Replaces a range of bytes.
    fn replace(&mut self, range: Range<usize>, new: &[u8]) {
        drop(self.bytes.splice(range, new.iter().copied()));
    }
}

impl Default for Document {
    fn default() -> Self {
        Self { bytes: vec![NULL], names: Names::default() }
    }
}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Document({} bytes)", self.bytes.len())
    }
}

/// Compares the values. The order of members is ignored.
impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.root() == other.root()
    }
}

/// Writes floats that JSON cannot represent as strings of their bits, and bytes as hexadecimal strings.
impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.root().serialize(serializer)
    }
}
