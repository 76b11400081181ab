//! The versions of the format.

use std::fmt;

use serde::{Serialize, Serializer};

/// The version of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u32);

impl Version {
    /// Scrambled names in an uncompressed table.
    pub const V102: Self = Self(0x102);
    /// Same as 0x102, as far as known.
    pub const V103: Self = Self(0x103);
    /// Compressed table.
    pub const V200: Self = Self(0x200);
    /// 64-bit offsets.
    pub const V300: Self = Self(0x300);

    /// All supported versions.
    pub const KNOWN: [Self; 4] = [Self::V102, Self::V103, Self::V200, Self::V300];

    /// Whether this version is supported.
    #[must_use]
    pub fn is_known(self) -> bool {
        Self::KNOWN.contains(&self)
    }

    /// Whether names are scrambled and the table is not compressed.
    #[must_use]
    pub fn is_scrambled(self) -> bool {
        self < Self::V200
    }

    /// Whether offsets have 64 bits.
    #[must_use]
    pub fn is_wide(self) -> bool {
        self >= Self::V300
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
