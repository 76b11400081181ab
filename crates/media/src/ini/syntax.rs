//! The syntax of settings files: the meaning of a line, and which names are equal.

use std::borrow::Cow;
use std::ops::Range;

use asset::Charset;

use super::{Line, same};

/// The parts of a line, as ranges of bytes without surrounding blanks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineParts {
    /// Everything except the comment.
    pub code: Range<usize>,
    /// The meaning of the code.
    pub content: LineContent,
}

/// The meaning of a line without its comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineContent {
    /// The start of a section: its name.
    Section(Range<usize>),
    /// A key and its value. A missing value is an empty range behind the `=`.
    Entry {
        /// Name of the key.
        key: Range<usize>,
        /// The value.
        value: Range<usize>,
    },
    /// Any other text, or nothing.
    Text,
}

/// The syntax of a game's settings files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Syntax {
    charset: Charset,
    dialect: Dialect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Blitz3d,
    Xngine,
}

/// The syntax of Blitz3D games.
impl From<Charset> for Syntax {
    fn from(charset: Charset) -> Self {
        Self { charset, dialect: Dialect::Blitz3d }
    }
}

impl Syntax {
    /// Creates the syntax of XnGine games: `;` starts a comment anywhere in a line, sections with the same name are one section,
    /// and blanks around the brackets of a key are ignored.
    #[must_use]
    pub const fn xngine(charset: Charset) -> Self {
        Self { charset, dialect: Dialect::Xngine }
    }

    /// Returns the character set of the files.
    #[must_use]
    pub const fn charset(self) -> Charset {
        self.charset
    }

    /// Returns a value or a text line without its comment and surrounding blanks.
    #[must_use]
    pub fn without_comment(self, text: &str) -> &str {
        let end = if self.has_inline_comments() { text.find(';') } else { None };
        text.get(..end.unwrap_or(text.len())).unwrap_or(text).trim_ascii()
    }

    /// Returns the name of a key without the blanks that the game ignores: `type[0]` for `type [ 0 ]`.
    #[must_use]
    pub fn key_name(self, key: &str) -> Cow<'_, str> {
        let indexed = |key: &str| {
            let (name, index) = key.strip_suffix(']')?.split_once('[')?;
            Some(format!("{}[{}]", name.trim_ascii(), index.trim_ascii()))
        };
        let found = match self.dialect {
            Dialect::Xngine => indexed(key.trim_ascii()),
            Dialect::Blitz3d => None,
        };
        found.map_or(Cow::Borrowed(key), Cow::Owned)
    }

    /// Whether the game treats two keys as equal.
    #[must_use]
    pub fn is_same_key(self, a: &str, b: &str) -> bool {
        same(&self.key_name(a), &self.key_name(b))
    }

    /// Whether `;` starts a comment anywhere in a line; otherwise only at its start.
    pub(super) fn has_inline_comments(self) -> bool {
        self.dialect == Dialect::Xngine
    }

    /// Whether sections with the same name are one section; otherwise only the first one applies.
    pub(super) fn joins_sections(self) -> bool {
        self.dialect == Dialect::Xngine
    }

    /// Parses a line.
    pub(super) fn parse(self, line: &[u8]) -> Line<'_> {
        let decode = |range: Range<usize>| self.charset.decode(line.get(range).unwrap_or_default());
        let whole = trimmed(line, 0..line.len());
        let LineParts { code, content } = self.split(line);
        match content {
            LineContent::Section(_) => Line::Section(decode(between_brackets(&code))),
            LineContent::Entry { key, value } => {
                Line::Entry(decode(key), decode(trimmed(line, value.start..whole.end)))
            }
            LineContent::Text if whole.is_empty() => Line::Empty,
            LineContent::Text if code.is_empty() => Line::Comment(decode(whole)),
            LineContent::Text => Line::Text(decode(whole)),
        }
    }

    /// Splits a line, in the character set of the game or in UTF-8, into its parts.
    #[must_use]
    pub fn split(self, line: &[u8]) -> LineParts {
        let code = self.before_comment(line);
        let content = match line.get(code.clone()).unwrap_or_default() {
            [b'[', .., b']'] => LineContent::Section(trimmed(line, between_brackets(&code))),
            text => match text.iter().position(|byte| *byte == b'=') {
                Some(at) => {
                    let at = code.start.saturating_add(at);
                    let key = trimmed(line, code.start..at);
                    LineContent::Entry { key, value: trimmed(line, at.saturating_add(1)..code.end) }
                }
                None => LineContent::Text,
            },
        };
        LineParts { code, content }
    }

    fn before_comment(self, line: &[u8]) -> Range<usize> {
        let whole = trimmed(line, 0..line.len());
        match line.iter().position(|byte| *byte == b';') {
            Some(at) if at == whole.start || self.has_inline_comments() => trimmed(line, 0..at),
            _ => whole,
        }
    }
}

fn between_brackets(code: &Range<usize>) -> Range<usize> {
    code.start.saturating_add(1)..code.end.saturating_sub(1)
}

/// Removes the blanks at both ends of a range.
fn trimmed(line: &[u8], range: Range<usize>) -> Range<usize> {
    let part = line.get(range.clone()).unwrap_or_default();
    let blanks = part.len().saturating_sub(part.trim_ascii_start().len());
    let start = range.start.saturating_add(blanks);
    start..start.saturating_add(part.trim_ascii().len())
}
