//! The syntax of settings files: the meaning of a line, and which names are equal.

use std::borrow::Cow;

use asset::Charset;

use super::{Line, same};

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
        let decode = |text| self.charset.decode(text);
        let line = line.trim_ascii();
        match self.before_comment(line) {
            [] if line.is_empty() => Line::Empty,
            [] => Line::Comment(decode(line)),
            [b'[', name @ .., b']'] => Line::Section(decode(name)),
            text => match text.iter().position(|byte| *byte == b'=') {
                Some(at) => {
                    let (key, value) = line.split_at(at);
                    let value = value.get(1..).unwrap_or_default().trim_ascii();
                    Line::Entry(decode(key.trim_ascii()), decode(value))
                }
                None => Line::Text(decode(line)),
            },
        }
    }

    fn before_comment(self, line: &[u8]) -> &[u8] {
        match line.iter().position(|byte| *byte == b';') {
            Some(at) if at == 0 || self.has_inline_comments() => {
                line.get(..at).unwrap_or_default().trim_ascii()
            }
            _ => line,
        }
    }
}
