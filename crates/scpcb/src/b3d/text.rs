//! NUL-terminated strings of models.

use std::borrow::Cow;
use std::fmt;

use record::{Error, Record, Result};
use serde::{Deserialize, Serialize};

use crate::string::BlitzString;

/// Maximum number of characters of a name in a scene. Longer names are truncated: a texture's name may occur in thousands of
/// materials.
pub(super) const MAX_NAME_LENGTH: usize = 256;

/// NUL-terminated Windows-1252 text. The bytes are kept; in JSON it is text.
#[derive(Record, Clone, PartialEq, Eq, Hash, Default, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CText(#[record(terminator = b"\0", show = "{:?}")] BlitzString);

impl CText {
    /// Returns a string with these bytes, none of which may be zero.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if a byte is zero: the string would end there.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self(BlitzString::from_bytes(bytes)).checked()
    }

    /// Returns the bytes without the terminator.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        self.0.text()
    }

    /// Returns the truncated name, for uses that repeat it.
    pub(super) fn cut(&self) -> Self {
        Self(BlitzString::from_bytes(self.bytes().get(..MAX_NAME_LENGTH).unwrap_or(self.bytes())))
    }

    /// Returns the text of the truncated name.
    pub(super) fn short(&self) -> String {
        self.cut().to_string()
    }

    /// Whether the name is longer than the truncated name.
    pub(super) fn is_long(&self) -> bool {
        self.bytes().len() > MAX_NAME_LENGTH
    }

    /// Whether the string is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn checked(self) -> Result<Self> {
        if self.bytes().contains(&0) {
            return Err(Error::usage("the string contains a NUL byte"));
        }
        Ok(self)
    }
}

/// Returns the number of bytes before the first NUL.
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == 0)
}

impl From<&str> for CText {
    /// Converts text without zero bytes. A character that the game's charset lacks becomes a question mark.
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for CText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl fmt::Debug for CText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text(), f)
    }
}
