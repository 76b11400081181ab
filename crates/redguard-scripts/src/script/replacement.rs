//! A script that is read from a text, and what is wrong with the text.

use soup::text::Problem;

/// A text that is to be assembled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// The name of its file without folders and extension, which may name what it belongs to.
    pub stem: String,
    /// The text.
    pub text: String,
}

/// A script that takes the place of an object's.
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
