//! A fixed number of bytes without a known structure.

use std::fmt;

use crate::schema::Schema;
use crate::{Bytes, Reader, Record, Result, Writer};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

/// `N` bytes that are kept unchanged. One field in the hex view, hexadecimal in JSON.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Raw<const N: usize>(pub [u8; N]);

impl<const N: usize> Raw<N> {
    /// Whether all bytes are zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|byte| *byte == 0)
    }
}

impl<const N: usize> Default for Raw<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> fmt::Debug for Raw<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Bytes::from(self.0.as_slice()), f)
    }
}

impl<const N: usize> Record for Raw<N> {
    type Context = ();
    const MIN_SIZE: usize = N;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let start = reader.offset();
        let mut out = [0; N];
        out.copy_from_slice(reader.take(N)?);
        reader.leaf(start, &format_args!("{:?}", Self(out)));
        Ok(Self(out))
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        writer.put(&self.0);
        Ok(())
    }

    fn schema() -> Schema {
        Schema::Bytes(N)
    }
}

impl<const N: usize> Serialize for Raw<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Bytes::from(self.0.as_slice()).serialize(serializer)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Raw<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = Bytes::deserialize(deserializer)?;
        let found = bytes.len();
        <[u8; N]>::try_from(bytes.0)
            .map(Self)
            .map_err(|_| D::Error::custom(format!("expected {N} bytes, found {found}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{read_whole, write_whole};

    #[test]
    fn keeps_raw_bytes() {
        let raw = Raw(*b"\0\x01\xfe");
        assert_eq!(write_whole(&raw, ()).unwrap(), b"\0\x01\xfe");
        assert_eq!(read_whole::<Raw<3>>(b"\0\x01\xfe", ()).unwrap(), raw);
        assert_eq!(serde_json::to_string(&raw).unwrap(), "\"0001fe\"");
        assert_eq!(serde_json::from_str::<Raw<3>>("\"0001fe\"").unwrap(), raw);
        assert!(serde_json::from_str::<Raw<4>>("\"0001fe\"").is_err());
        assert!(!raw.is_zero() && Raw::<3>::default().is_zero());
    }
}
