//! Versions of saved games.

use crate::string::BlitzString;

/// A version with a known layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Version {
    /// Version 1.3.10, with the zones of the map at the end.
    V1_3_10,
    /// Version 1.3.11, with the zones of the map before the rooms.
    #[default]
    V1_3_11,
}

impl Version {
    /// The version with a name.
    #[must_use]
    pub fn of(name: &BlitzString) -> Option<Self> {
        match name.bytes() {
            b"1.3.10" => Some(Self::V1_3_10),
            b"1.3.11" => Some(Self::V1_3_11),
            _ => None,
        }
    }
}
