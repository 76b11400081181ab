//! Strings in Blitz3D's encoding.

use std::borrow::Cow;
use std::fmt;

use asset::Charset;
use record::{Error, Record, Result, Sequence};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

/// An `i32` length, then that many windows-1252 bytes, without a terminator.
///
/// The bytes are kept as they are; in JSON they are text. Each of the 256 byte values maps to its own character, so the conversion is
/// lossless. Source: Koanyaku, "SCP – Containment Breach RMesh file format" ("B3D string").
#[derive(Record, Clone, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct BlitzString(#[record(count = i32, show = shown)] Box<[u8]>);

impl BlitzString {
    /// Creates a string from raw bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    /// Encodes text.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if a character has no byte in windows-1252.
    pub fn from_text(text: &str) -> Result<Self> {
        let charset = Charset::Windows1252;
        let bytes = charset.encode(text);
        let foreign = || Error::usage(format!("\"{text}\" cannot be encoded in {}", charset.name()));
        bytes.map(|bytes| Self::from_bytes(&bytes)).ok_or_else(foreign)
    }

    /// The raw bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The decoded text.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        Charset::Windows1252.decode(&self.0)
    }

    /// Whether the string is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn shown(bytes: &[u8]) -> String {
    format!("{:?}", Charset::Windows1252.decode(bytes))
}

/// The string as a list of bytes, for fields that store the length elsewhere.
impl Sequence for BlitzString {
    type Item = u8;

    fn from_items(items: Vec<u8>) -> Self {
        Self(items.into())
    }

    fn items(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for BlitzString {
    /// For literals in code; a character that is missing from the game's charset becomes a question mark.
    fn from(text: &str) -> Self {
        Self::from_text(text).unwrap_or_else(|_| {
            let plain: String =
                text.chars().map(|letter| if letter.is_ascii() { letter } else { '?' }).collect();
            Self::from_bytes(plain.as_bytes())
        })
    }
}

impl fmt::Display for BlitzString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl fmt::Debug for BlitzString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text(), f)
    }
}

impl Serialize for BlitzString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de> Deserialize<'de> for BlitzString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        Self::from_text(&text).map_err(|error| D::Error::custom(error.message()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{read_whole, write_whole};

    #[test]
    fn is_a_length_and_windows_1252_bytes() {
        let string: BlitzString = read_whole(b"\x04\0\0\0caf\xe9", ()).unwrap();
        assert_eq!(string.text(), "café");
        assert_eq!(write_whole(&string, ()).unwrap(), b"\x04\0\0\0caf\xe9");
    }

    #[test]
    fn every_byte_round_trips_through_json() {
        let all: Vec<u8> = (0..=255).collect();
        let string = BlitzString::from_bytes(&all);
        let json = serde_json::to_string(&string).unwrap();
        assert_eq!(json::from_str::<BlitzString>(&json).unwrap(), string);
    }

    #[test]
    fn refuses_text_outside_the_charset() {
        assert!(BlitzString::from_text("ключ.png").is_err());
        assert!(json::from_str::<BlitzString>("\"\u{1f511}\"").is_err());
    }

    #[test]
    fn refuses_an_impossible_length_at_the_start_of_the_string() {
        for length in [b"\0\0\0\x40", b"\xff\xff\xff\xff"] {
            let error = read_whole::<BlitzString>(length, ()).unwrap_err();
            assert_eq!(error.offset(), Some(0));
        }
    }
}
