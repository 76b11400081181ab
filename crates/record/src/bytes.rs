//! Bytes that are kept unchanged: hexadecimal in JSON, shortened for display.

use std::fmt;

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::record_trait::Sequence;

/// Bytes of unknown structure, or bytes that are not records: kept and written back unchanged. A hexadecimal string in JSON.
#[derive(Clone, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Bytes(pub Vec<u8>);

impl Sequence for Bytes {
    type Item = u8;

    fn from_items(items: Vec<u8>) -> Self {
        Self(items)
    }

    fn items(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl std::ops::Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Preview(&self.0), f)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Preview(&self.0), f)
    }
}

/// Displays bytes in short form: the first sixteen, followed by the total number if there are more.
pub(crate) struct Preview<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Preview<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.0.get(..16).unwrap_or(self.0);
        for (index, byte) in shown.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{byte:02x}")?;
        }
        if !self.0.is_empty() && self.0.iter().all(|byte| (0x20..0x7f).contains(byte)) {
            let text: String = shown.iter().map(|byte| char::from(*byte)).collect();
            write!(f, " {text:?}")?;
        }
        if self.0.len() > shown.len() {
            write!(f, " ... {} bytes", self.0.len())?;
        }
        Ok(())
    }
}

/// Hexadecimal digits in JSON and other human-readable formats, bytes otherwise.
impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => serializer.serialize_str(&HEXLOWER.encode(&self.0)),
            false => serializer.serialize_bytes(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.is_human_readable() {
            true => {
                let digits = String::deserialize(deserializer)?;
                HEXLOWER_PERMISSIVE
                    .decode(digits.as_bytes())
                    .map(Self)
                    .map_err(|_| D::Error::custom("expected two hexadecimal digits for each byte"))
            }
            false => deserializer.deserialize_byte_buf(ByteBufVisitor).map(Self),
        }
    }
}

/// Visitor that returns the bytes unchanged.
struct ByteBufVisitor;

impl Visitor<'_> for ByteBufVisitor {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_hexadecimal_in_json() {
        let bytes = Bytes(vec![0, 0x1f, 0xff]);
        let json = serde_json::to_string(&bytes).unwrap();
        assert_eq!(json, r#""001fff""#);
        assert_eq!(serde_json::from_str::<Bytes>(&json).unwrap(), bytes);
        assert!(serde_json::from_str::<Bytes>(r#""001""#).is_err());
        assert!(serde_json::from_str::<Bytes>(r#""0g""#).is_err());
    }

    #[test]
    fn display_shows_the_first_bytes_and_text() {
        assert_eq!(Bytes(b"GLB2".to_vec()).to_string(), "47 4c 42 32 \"GLB2\"");
        assert_eq!(
            Bytes(vec![7; 100]).to_string(),
            "07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 07 ... 100 bytes"
        );
    }
}
