//! Names in fields of a fixed length.

use std::fmt;

use record::{Bytes, Error, Record, Result};
use serde::de::{Deserialize, Deserializer, Error as _, IntoDeserializer};
use serde::ser::{Serialize, Serializer};

use files::Charset;

/// A name in a field of `N` bytes: text in code page 437 up to the first NUL. A name that fills the field has no NUL. Bytes after
/// the NUL are preserved. In JSON, the name is a string; if the text alone does not restore all bytes, it is `0x` followed by the
/// bytes in hexadecimal.
#[derive(Record, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[record(show = "{:?}")]
pub struct FixedText<const N: usize>(pub [u8; N]);

impl<const N: usize> FixedText<N> {
    /// Creates a name from text.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if the text is too long or has characters that code page 437 lacks.
    pub fn new(text: &str) -> Result<Self> {
        let bytes = Charset::Cp437.encode(text).filter(|bytes| !bytes.contains(&0)).ok_or_else(|| {
            let charset = Charset::Cp437.name();
            Error::usage(format!("{text:?} has characters outside the game's character set ({charset})"))
        })?;
        let mut out = [0; N];
        match out.get_mut(..bytes.len()) {
            Some(target) => target.copy_from_slice(&bytes),
            None => return Err(Error::usage(format!("{text:?} is longer than its field ({N} bytes)"))),
        }
        Ok(Self(out))
    }

    /// Returns the bytes before the first NUL.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.split(|byte| *byte == 0).next().unwrap_or_default()
    }

    /// Returns the decoded text.
    #[must_use]
    pub fn text(&self) -> String {
        Charset::Cp437.decode(self.bytes()).into_owned()
    }

    /// Whether all bytes are zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|byte| *byte == 0)
    }
}

impl<const N: usize> Default for FixedText<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> fmt::Display for FixedText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl<const N: usize> fmt::Debug for FixedText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text(), f)
    }
}

impl<const N: usize> From<[u8; N]> for FixedText<N> {
    fn from(bytes: [u8; N]) -> Self {
        Self(bytes)
    }
}

/// Prefix in JSON of a name that is given as bytes.
const IN_BYTES: &str = "0x";

impl<const N: usize> Serialize for FixedText<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.text();
        let plain = !text.starts_with(IN_BYTES) && Self::new(&text).is_ok_and(|encoded| encoded == *self);
        if plain {
            return serializer.serialize_str(&text);
        }
        let digits: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        serializer.serialize_str(&format!("{IN_BYTES}{digits}"))
    }
}

impl<'de, const N: usize> Deserialize<'de> for FixedText<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let Some(digits) = text.strip_prefix(IN_BYTES) else {
            return Self::new(&text).map_err(|error| D::Error::custom(error.message()));
        };
        let bytes = Bytes::deserialize(digits.into_deserializer())?;
        let found = bytes.len();
        let bytes = <[u8; N]>::try_from(bytes.0);
        bytes.map(Self).map_err(|_| D::Error::custom(format!("expected {N} bytes, found {found}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{read_whole, write_whole};

    #[test]
    fn preserves_every_byte_of_a_name() {
        for (bytes, text, json) in [
            (*b"D02001\0\0", "D02001", "\"D02001\""),
            (*b"full_one", "full_one", "\"full_one\""),
            (*b"\0\0\0\0\0\0\0\0", "", "\"\""),
            (*b"A\0junk\0\0", "A", "\"0x41006a756e6b0000\""),
            (*b"\x80\xe1\0\0\0\0\0\0", "Çß", "\"Çß\""),
            (*b"0x1\0\0\0\0\0", "0x1", "\"0x3078310000000000\""),
        ] {
            let name: FixedText<8> = read_whole(&bytes, ()).unwrap();
            assert_eq!(name.text(), text);
            assert_eq!(serde_json::to_string(&name).unwrap(), json);
            assert_eq!(json::from_str::<FixedText<8>>(json).unwrap(), name);
            assert_eq!(write_whole(&name, ()).unwrap(), bytes);
        }
    }

    #[test]
    fn refuses_values_that_do_not_fit() {
        assert!(FixedText::<4>::new("12345").is_err());
        assert!(FixedText::<4>::new("\u{3b4}\u{4e2d}").is_err());
        assert!(json::from_str::<FixedText<4>>("\"0x0011\"").is_err());
        assert!(json::from_str::<FixedText<4>>("\"0xzz\"").is_err());
    }
}
