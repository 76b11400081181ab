//! Scripts assembled from a text, and problems of the text.

use soup::text::Problem;

/// A text to assemble.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// The file name without folders and extension; it may identify the owner of the text.
    pub stem: String,
    /// The text.
    pub text: String,
}

/// A new script for an object.
#[derive(Debug, Default)]
pub(super) struct Replacement {
    pub(super) code: Vec<u8>,
    pub(super) start: u32,
    pub(super) new_texts: Vec<String>,
}

pub(super) type Parsed<T> = Result<T, Vec<Problem>>;

pub(super) fn problem<T>(line: usize, column: usize, message: impl Into<String>) -> Parsed<T> {
    Err(vec![Problem { line, column, message: message.into() }])
}
