//! A JSON value in few bytes: what a typed file is turned into to be edited, compared or shown without a value for each number.
//!
//! Values stand one after the other in one buffer, names of members once in a table. Floats keep their precision and their bits,
//! bytes stay bytes, so a document takes about twice the space of the file; a list or object knows how long it is, so that it can
//! be skipped.
//!
//! | tag | | then |
//! | --- | --- | --- |
//! | 0, 1, 2 | null, false, true | |
//! | 3, 4 | a whole number, one below 0 | the number, or -1 minus the number, in groups of 7 bits |
//! | 5, 6 | a float, a double | 4 or 8 bytes |
//! | 7, 8 | text, bytes | the length in groups of 7 bits, the bytes |
//! | 9, 10 | a list, an object | counts and lengths of one byte each, the items |
//! | 11, 12 | a list, an object | counts and lengths of eight bytes each, the items |
//! | 13, 14 | an object that says by its only member which form a value has | as an object |
//! | 32 and above | a whole number from 0 to 223 | |
//!
//! Each member of an object has in front of its value the number of its name in the table plus 1, or 0 and the name itself.

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
mod way;
mod write;

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde::ser::{Serialize, Serializer};

pub use edit::Edits;
pub use member::Members;
pub use node::{Content, List, Node, Object};
pub use parse::Blob;
pub use set::{Step, pointer};
pub use way::{Way, push_member};

use self::build::Builder;
use self::name::Names;
use record::{Error, Result};

const NULL: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
const WHOLE: u8 = 3;
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
/// Small whole numbers are this tag plus the number.
const SMALL: u8 = 32;

/// A JSON value in compact form.
#[derive(Clone)]
pub struct Document {
    bytes: Vec<u8>,
    names: Names,
}

impl Document {
    /// The document of a value.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) when the value has a form JSON cannot hold.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self> {
        Self::of_file(value, 0)
    }

    /// The document of a typed file of so many bytes: memory is set aside for it at once.
    ///
    /// # Errors
    /// As [`Document::of`].
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
    /// [`Kind::Malformed`](record::Kind::Malformed) when it is not JSON; the message names line and column.
    pub fn parse(json: &[u8]) -> Result<Self> {
        Self::parse_with(json, &mut |_| Ok(None))
    }

    /// Reads a document from JSON in which `{"blob": "NAME"}` stands for bytes that `blob` knows.
    ///
    /// # Errors
    /// As [`Document::parse`], and the errors of `blob`.
    pub fn parse_with(json: &[u8], blob: Blob<'_>) -> Result<Self> {
        parse::parse(json, blob)
    }

    /// Reads the typed value.
    ///
    /// # Errors
    /// [`Kind::Malformed`](record::Kind::Malformed) when the document is not of this form: the error names the field and what was
    /// expected there.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        T::deserialize(self.root()).map_err(|fault| fault.0)
    }

    /// The value itself.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node::new(self, 0)
    }

    /// How many bytes of memory its values take.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Puts other bytes in the place of some.
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

/// Equal values, whatever the order of their members.
impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.root() == other.root()
    }
}

/// As JSON: floats that JSON cannot say as text of their bits, bytes as hexadecimal text.
impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.root().serialize(serializer)
    }
}
