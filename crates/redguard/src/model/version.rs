//! The version that a model starts with.

use std::fmt;

use record::{Error, Reader, Record, Result, Writer};
use serde::{Deserialize, Serialize};

/// The version of a model: four letters. Which renderer it is for follows from it.
///
/// "v4.02" is none: the byte behind the four is the lowest of the number of vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Version {
    /// `v2.6`, of the software renderer.
    #[serde(rename = "v2.6")]
    V2_6,
    /// `v2.7`, of the software renderer.
    #[serde(rename = "v2.7")]
    V2_7,
    /// `v4.0`, of the Glide renderer.
    #[default]
    #[serde(rename = "v4.0")]
    V4_0,
    /// `v5.0`, of the Glide renderer.
    #[serde(rename = "v5.0")]
    V5_0,
}

impl Version {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::V2_6, Self::V2_7, Self::V4_0, Self::V5_0];

    /// The four letters.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::V2_6 => "v2.6",
            Self::V2_7 => "v2.7",
            Self::V4_0 => "v4.0",
            Self::V5_0 => "v5.0",
        }
    }

    /// Whether it is for the Glide renderer.
    #[must_use]
    pub const fn is_glide(self) -> bool {
        matches!(self, Self::V4_0 | Self::V5_0)
    }

    /// Whether nodes of section 4 have extents.
    pub(super) const fn has_extents(self) -> bool {
        matches!(self, Self::V5_0)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

impl Record for Version {
    type Context = ();
    const MIN_SIZE: usize = 4;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let start = reader.offset();
        let found = reader.take(4)?;
        let known = Self::ALL.into_iter().find(|version| version.text().as_bytes() == found);
        let version = known.ok_or_else(|| {
            let message =
                format!("a model starts with v2.6, v2.7, v4.0 or v5.0, this one with \"{}\"", found.escape_ascii());
            let is_version = matches!(found, [b'v', major, b'.', minor] if major.is_ascii_digit() && minor.is_ascii_digit());
            if is_version { Error::unsupported(message) } else { Error::malformed(message) }.at(start)
        })?;
        reader.leaf(start, &version);
        Ok(version)
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        writer.put(self.text().as_bytes());
        Ok(())
    }
}
