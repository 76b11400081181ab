//! Versions of the model format and their features.

use std::fmt;

use record::{Error, Record, Result};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::axes::Space;

/// A version: two bytes, such as 1 and 4. In JSON, it is a string such as `"1.4"`.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[record(from = [u8; 2], show = "{}")]
pub struct Version {
    major: u8,
    minor: u8,
}

impl Version {
    /// The oldest known version.
    pub const V1_1: Self = Self::new(1, 1);
    /// Adds smoothing groups and colors of texture coordinates.
    pub const V1_2: Self = Self::new(1, 2);
    /// Adds flags of volume boxes.
    pub const V1_3: Self = Self::new(1, 3);
    /// Adds an alpha byte. The version of nearly all models of the game.
    pub const V1_4: Self = Self::new(1, 4);
    /// Adds an extra word.
    pub const V1_5: Self = Self::new(1, 5);
    /// No file is known. Read by the rules of the neighboring versions.
    pub const V2_0: Self = Self::new(2, 0);
    /// No file is known. Read by the rules of the neighboring versions.
    pub const V2_1: Self = Self::new(2, 1);
    /// Uses frames instead of milliseconds, absolute matrices, several roots and length-prefixed names.
    pub const V2_2: Self = Self::new(2, 2);
    /// Adds textures of each mesh and texture animations.
    pub const V2_3: Self = Self::new(2, 3);

    /// All supported versions. Descriptions of 1.6 and 1.7 are only guesses.
    pub const KNOWN: [Self; 9] = [
        Self::V1_1,
        Self::V1_2,
        Self::V1_3,
        Self::V1_4,
        Self::V1_5,
        Self::V2_0,
        Self::V2_1,
        Self::V2_2,
        Self::V2_3,
    ];

    const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }

    /// Parses a known version, such as `1.4`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::KNOWN.into_iter().find(|version| version.to_string() == text)
    }

    /// Whether names have a fixed size of 40 bytes instead of a length prefix.
    #[must_use]
    pub fn has_fixed_names(self) -> bool {
        self < Self::V2_2
    }

    /// Whether meshes follow the rules of 2.2: matrices and positions in model space, frames instead of milliseconds, Y up.
    #[must_use]
    pub fn is_absolute(self) -> bool {
        self >= Self::V2_2
    }

    /// The coordinate space of models.
    #[must_use]
    pub fn space(self) -> Space {
        if self.is_absolute() { Space::YUp } else { Space::YDown }
    }

    /// Whether meshes have their own textures.
    #[must_use]
    pub fn has_mesh_textures(self) -> bool {
        self >= Self::V2_3
    }

    /// Whether the version is known from a file or from the source of a program that writes models.
    #[must_use]
    pub fn is_verified(self) -> bool {
        self != Self::V2_0 && self != Self::V2_1
    }

    /// The file extension of this version.
    #[must_use]
    pub fn extension(self) -> &'static str {
        if self < Self::V2_0 { "rsm" } else { "rsm2" }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl TryFrom<[u8; 2]> for Version {
    type Error = Error;

    fn try_from([major, minor]: [u8; 2]) -> Result<Self> {
        let version = Self::new(major, minor);
        if Self::KNOWN.contains(&version) {
            return Ok(version);
        }
        let known = "1.1 to 1.5 and 2.0 to 2.3 are";
        Err(Error::unsupported(format!("unknown version {version} ({known})")))
    }
}

impl From<&Version> for [u8; 2] {
    fn from(version: &Version) -> Self {
        [version.major, version.minor]
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            let known = Self::KNOWN.map(|version| version.to_string()).join(", ");
            D::Error::custom(format!("unknown version \"{text}\" ({known})"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Kind, read_whole, write_whole};

    #[test]
    fn reads_and_writes_only_known_versions() {
        for major in 0..=3 {
            for minor in 0..=255 {
                let read = read_whole::<Version>(&[major, minor], ());
                let known = matches!((major, minor), (1, 1..=5) | (2, 0..=3));
                assert_eq!(read.is_ok(), known, "{major}.{minor}");
                match read {
                    Ok(version) => assert_eq!(write_whole(&version, ()).unwrap(), [major, minor]),
                    Err(error) => assert_eq!((error.kind(), error.offset()), (Kind::Unsupported, Some(0))),
                }
            }
        }
        assert_eq!(Version::parse("2.3"), Some(Version::V2_3));
        assert_eq!(Version::parse("1.6"), None);
    }
}
