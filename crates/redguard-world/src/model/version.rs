//! The version tag of a model.

use std::fmt;

use record::{Error, Record};
use serde::{Deserialize, Serialize};

use redguard_files::picture::Renderer;

/// The version of a model: a four-character tag, which also determines the renderer.
///
/// "v4.02" in other sources is not a version: the fifth byte belongs to the number of vertices.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[record(tag = [u8; 4], unknown = not_a_version, show = "{}")]
pub enum Version {
    /// `v2.6`, of the software renderer.
    #[record(tag = *b"v2.6")]
    #[serde(rename = "v2.6")]
    V2_6,
    /// `v2.7`, of the software renderer.
    #[record(tag = *b"v2.7")]
    #[serde(rename = "v2.7")]
    V2_7,
    /// `v4.0`, of the Glide renderer.
    #[default]
    #[record(tag = *b"v4.0")]
    #[serde(rename = "v4.0")]
    V4_0,
    /// `v5.0`, of the Glide renderer.
    #[record(tag = *b"v5.0")]
    #[serde(rename = "v5.0")]
    V5_0,
}

impl Version {
    /// All versions.
    pub const ALL: [Self; 4] = [Self::V2_6, Self::V2_7, Self::V4_0, Self::V5_0];

    /// The version tag.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::V2_6 => "v2.6",
            Self::V2_7 => "v2.7",
            Self::V4_0 => "v4.0",
            Self::V5_0 => "v5.0",
        }
    }

    /// Whether models of this version are for the Glide renderer.
    #[must_use]
    pub const fn is_glide(self) -> bool {
        matches!(self, Self::V4_0 | Self::V5_0)
    }

    /// The renderer of models of this version.
    pub(crate) const fn renderer(self) -> Renderer {
        if self.is_glide() { Renderer::Glide } else { Renderer::Software }
    }

    /// Whether nodes of section 4 have extents.
    pub(super) const fn has_extents(self) -> bool {
        matches!(self, Self::V5_0)
    }

    /// Whether the game loads the nodes of section 4 of models of this version.
    pub(crate) const fn has_loaded_nodes(self) -> bool {
        matches!(self, Self::V5_0)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

fn not_a_version(found: &[u8; 4]) -> Error {
    let message =
        format!("unknown model version \"{}\" (known: v2.6, v2.7, v4.0, v5.0)", found.escape_ascii());
    let is_version =
        matches!(found, [b'v', major, b'.', minor] if major.is_ascii_digit() && minor.is_ascii_digit());
    if is_version { Error::unsupported(message) } else { Error::malformed(message) }
}
