//! Names in models: in cp949, with a fixed size of 40 bytes until version 2.1, with a length prefix since 2.2.

use std::borrow::Cow;
use std::fmt;

use asset::Charset;
use record::schema::Schema;
use record::{Bytes, Error, Reader, Record, Result, Writer};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::rsm::Version;

/// Size of a fixed-size name in bytes.
const WIDTH: usize = 40;

/// Maximum length of the text in a fixed-size name, in bytes: the game needs a NUL at the end.
pub(super) const MAX_TEXT_LEN: usize = WIDTH - 1;

/// A name. The text ends at the first NUL, and the bytes after it are kept.
///
/// In JSON, it is a string. A name with bytes after the NUL, or with bytes that cannot be decoded in cp949, is an object with `text` or
/// `bytes`, and `after_nul`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Name {
    /// The text, followed by the NUL and the bytes after it. NULs that are only padding are not kept.
    bytes: Box<[u8]>,
    /// Length of the text in bytes.
    length: usize,
}

impl Name {
    /// Creates a name from bytes. The text ends at the first NUL, and the remaining bytes are kept.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        Self { bytes: bytes.into(), length }
    }

    /// Creates a name from text.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if the text cannot be encoded in cp949 or contains a NUL.
    pub fn from_text(text: &str) -> Result<Self> {
        match Charset::Cp949.encode(text) {
            Some(bytes) if !bytes.contains(&0) => Ok(Self::from_bytes(&bytes)),
            _ => {
                let charset = Charset::Cp949.name();
                Err(Error::usage(format!("{text:?} has a NUL or cannot be encoded in {charset}")))
            }
        }
    }

    /// The bytes of the text.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// The bytes after the text: the first NUL and everything after it. Empty if there is only padding.
    #[must_use]
    pub fn rest(&self) -> &[u8] {
        self.bytes.get(self.length..).unwrap_or_default()
    }

    /// The text. Undecodable bytes become U+FFFD.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        Charset::Cp949.decode(self.bytes())
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Whether encoding the text returns the same bytes.
    #[must_use]
    pub fn is_text(&self) -> bool {
        Charset::Cp949.encode(&self.text()).is_some_and(|bytes| *bytes == *self.bytes())
    }

    /// Returns the name without the bytes after the text.
    #[must_use]
    pub fn without_rest(&self) -> Self {
        Self::from_bytes(self.bytes())
    }

    /// Truncates a text at a character, so that it has at most `limit` bytes including `ending`, which is appended.
    pub(super) fn truncated(text: &str, limit: usize, ending: &str) -> Self {
        let encoded = |text: &str| Charset::Cp949.encode(text).map_or(0, |bytes| bytes.len());
        let mut left = limit.saturating_sub(encoded(ending));
        let fits = |letter: &char| {
            let length = encoded(letter.encode_utf8(&mut [0; 4]));
            let rest = left.checked_sub(length);
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        let start: String = text.chars().take_while(fits).collect();
        Self::from_text(&format!("{start}{ending}")).unwrap_or_default()
    }

    fn with_rest(mut self, rest: &[u8]) -> Self {
        if !rest.is_empty() {
            self.bytes = [self.bytes(), rest].concat().into();
        }
        self
    }

    fn read_fixed(reader: &mut Reader<'_>) -> Result<Self> {
        let name = Self::from_bytes(reader.take(WIDTH)?);
        let is_padding = name.rest().iter().all(|byte| *byte == 0);
        Ok(if is_padding { name.without_rest() } else { name })
    }

    fn read_counted(reader: &mut Reader<'_>) -> Result<Self> {
        let start = reader.offset();
        let length: i32 = reader.read_count()?;
        let length = reader.check_count(length, 1, start)?;
        Ok(Self::from_bytes(reader.take(length)?))
    }

    fn write_fixed(&self, writer: &mut Writer) -> Result<()> {
        if self.length > WIDTH {
            return Err(Error::usage(format!(
                "\"{}\" has {} bytes, but names of this version have at most {WIDTH}",
                self.text(),
                self.length
            )));
        }
        // The bytes after a shorter text are truncated to the fixed size.
        let mut padded = [0; WIDTH];
        for (to, from) in padded.iter_mut().zip(&self.bytes) {
            *to = *from;
        }
        writer.put(&padded);
        Ok(())
    }
}

/// A name as stored.
#[derive(Record)]
#[record(context = Version)]
enum StoredName {
    /// Until 2.1: text up to the first NUL.
    #[record(when = context < Version::V2_2)]
    Fixed([u8; WIDTH]),
    /// Since 2.2.
    Counted(#[record(count = i32)] Bytes),
}

/// Implemented by hand: fixed size before version 2.2, length prefix since.
impl Record for Name {
    type Context = Version;
    const MIN_SIZE: usize = 4;

    fn min_size(version: Version) -> usize {
        if version.has_fixed_names() { WIDTH } else { Self::MIN_SIZE }
    }

    fn read(reader: &mut Reader<'_>, version: Version) -> Result<Self> {
        let start = reader.offset();
        if version.has_fixed_names() {
            let name = Self::read_fixed(reader)?;
            reader.leaf(start, &name);
            return Ok(name);
        }
        let name = Self::read_counted(reader)?;
        if !name.bytes.is_empty() {
            let counter = u64::try_from(size_of::<i32>()).unwrap_or_default();
            reader.leaf(start.saturating_add(counter), &name);
        }
        Ok(name)
    }

    fn write(&self, writer: &mut Writer, version: Version) -> Result<()> {
        if version.has_fixed_names() {
            return self.write_fixed(writer);
        }
        writer.counted::<i32, u8>(&self.bytes, ())
    }

    fn schema() -> Schema {
        StoredName::schema()
    }
}

impl From<&str> for Name {
    /// For constants. If a character cannot be encoded in cp949, question marks replace all non-ASCII characters and spaces.
    fn from(text: &str) -> Self {
        Self::from_text(text).unwrap_or_else(|_| {
            let plain: String =
                text.chars().map(|letter| if letter.is_ascii_graphic() { letter } else { '?' }).collect();
            Self::from_bytes(plain.as_bytes())
        })
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())?;
        if self.rest().iter().any(|byte| *byte != 0) {
            write!(f, " (and bytes after the NUL)")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text(), f)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.rest().is_empty() && self.is_text() {
            return serializer.serialize_str(&self.text());
        }
        let mut out = serializer.serialize_struct("Name", 2)?;
        if self.is_text() {
            out.serialize_field("text", &self.text())?;
        } else {
            out.serialize_field("bytes", &Bytes::from(self.bytes()))?;
        }
        out.serialize_field("after_nul", &Bytes::from(self.rest()))?;
        out.end()
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged)]
        enum Form {
            Plain(String),
            Text { text: String, after_nul: Bytes },
            Bytes { bytes: Bytes, after_nul: Bytes },
        }
        let (name, rest) = match Form::deserialize(deserializer)? {
            Form::Plain(text) => (Self::from_text(&text), Bytes::default()),
            Form::Text { text, after_nul } => (Self::from_text(&text), after_nul),
            Form::Bytes { bytes, after_nul } => (Ok(Self::from_bytes(&bytes)), after_nul),
        };
        let name = name.map_err(|error| D::Error::custom(error.message()))?;
        if rest.first().is_some_and(|byte| *byte != 0) {
            return Err(D::Error::custom("the bytes after a name must start with its NUL terminator: 00"));
        }
        Ok(name.with_rest(&rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{read_whole, write_whole};

    const FIXED: Version = Version::V1_4;
    const COUNTED: Version = Version::V2_3;

    fn assert_round_trip(name: &Name, version: Version, bytes: &[u8]) {
        assert_eq!(write_whole(name, version).unwrap(), bytes);
        assert_eq!(&read_whole::<Name>(bytes, version).unwrap(), name);
        let again: Name = json::from_slice(&json::to_vec(name).unwrap()).unwrap();
        assert_eq!(&again, name);
    }

    fn forty(start: &[u8]) -> Vec<u8> {
        let mut bytes = start.to_vec();
        bytes.resize(WIDTH, 0);
        bytes
    }

    #[test]
    fn names_have_forty_bytes_or_a_length_prefix() {
        assert_round_trip(&Name::from("root"), FIXED, &forty(b"root"));
        assert_round_trip(&Name::from("유저"), FIXED, &forty(b"\xc0\xaf\xc0\xfa"));
        assert_round_trip(&Name::from(&*"x".repeat(40)), FIXED, &[b'x'; 40]);
        assert_round_trip(&Name::from("root"), COUNTED, b"\x04\0\0\0root");
        assert_round_trip(&Name::default(), COUNTED, b"\0\0\0\0");
    }

    #[test]
    fn bytes_after_the_nul_are_kept() {
        let junk = Name::from_bytes(&forty(b"n\0left\xfd\0over"));
        assert_eq!((&*junk.text(), junk.rest().len()), ("n", 39));
        assert_round_trip(&junk, FIXED, &forty(b"n\0left\xfd\0over"));
        assert_round_trip(&Name::from_bytes(b"n\0"), COUNTED, b"\x02\0\0\0n\0");
    }

    #[test]
    fn undecodable_bytes_are_kept() {
        let name = Name::from_bytes(b"\xc0 \xff");
        assert!(!name.is_text());
        assert_round_trip(&name, COUNTED, b"\x03\0\0\0\xc0 \xff");
    }

    #[test]
    fn refuses_names_that_are_too_long() {
        let error = write_whole(&Name::from(&*"y".repeat(41)), FIXED).unwrap_err();
        assert!(error.message().contains("names of this version have at most 40"), "{error}");
        let error = read_whole::<Name>(b"\x09\0\0\0abc", COUNTED).unwrap_err();
        assert_eq!(error.offset(), Some(0));
    }
}
