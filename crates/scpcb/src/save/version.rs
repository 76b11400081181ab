//! The versions of saved games.

use crate::string::BlitzString;

/// The versions whose layout is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Version {
    /// The zones of the map are at the end.
    V1_3_10,
    /// The zones of the map are in front of the rooms.
    #[default]
    V1_3_11,
}

impl Version {
    /// The version of this name.
    #[must_use]
    pub fn of(name: &BlitzString) -> Option<Self> {
        match name.bytes() {
            b"1.3.10" => Some(Self::V1_3_10),
            b"1.3.11" => Some(Self::V1_3_11),
            _ => None,
        }
    }
}
