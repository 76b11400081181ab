//! Models (`.3D`, `.3DC`) of the Glide renderer (v4.0, v5.0) and of the software renderer (v2.6, v2.7), static and animated. The format is
//! declared in [`world::model`](crate::world::model), which also adds the attachments of models.

pub(crate) mod check;
pub(crate) mod collision;
pub(crate) mod describe;
mod face;
mod frame;
mod glide;
pub(crate) mod import;
pub(crate) mod interpretation;
mod layout;
mod material;
mod normal;
pub(crate) mod options;
mod original;
pub mod rob;
mod runs;
pub(crate) mod scene;
mod software;
pub(crate) mod solid;
#[cfg(test)]
mod tests;
mod texture;
mod version;
pub(crate) mod warning;

use record::{Record, Result, read_whole, write_whole};
use serde::{Deserialize, Serialize};

pub use collision::ModelLayer;
pub use face::{Face, FaceCorner};
pub use glide::{
    Face as GlideFace, FaceRef, Frame as GlideFrame, Glide, Header as GlideHeader, Node, NormalRef,
    Pose as GlidePose,
};
pub use import::ImportTarget;
pub use interpretation::{DeltaSign, Interpretation, LaterCornerUvs};
pub use layout::{Corner, Normals, Triple, VertexPositions};
pub use software::{
    Block, Frame as SoftwareFrame, Header as SoftwareHeader, Motion, Plane, Pose as SoftwarePose, Software,
};
pub use texture::FaceTexture;
pub use version::Version;
pub use warning::CODES;

/// A model.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(ahead = Version)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// A model of the Glide renderer.
    #[record(when = *ahead == Version::V4_0 || *ahead == Version::V5_0)]
    Glide(Glide),
    /// A model of the software renderer.
    Software(Software),
}

/// File extensions of models, without dots.
pub(crate) const EXTENSIONS: &[&str] = &["3d", "3dc"];

impl Model {
    /// Reads a model.
    ///
    /// # Errors
    /// When a part is out of bounds, a face has too few corners, the frame encoding is unknown, or the frames of a model of the software
    /// renderer do not fill the file.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the model; an unchanged model is written byte for byte as it was read.
    ///
    /// # Errors
    /// When lists that belong together have different lengths, or offsets exceed 32 bits.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Version of the model.
    #[must_use]
    pub const fn version(&self) -> Version {
        match self {
            Self::Glide(model) => model.header.version,
            Self::Software(model) => model.header.version,
        }
    }

    /// Locations of the model's parts.
    #[must_use]
    pub const fn layout(&self) -> &record::Layout {
        match self {
            Self::Glide(model) => &model.layout,
            Self::Software(model) => &model.layout,
        }
    }
}
