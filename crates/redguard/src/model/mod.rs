//! Models (`.3D`, `.3DC`) of the Glide renderer (v4.0, v5.0) and of the software renderer (v2.6, v2.7), static and animated.

pub(crate) mod check;
mod describe;
mod exact;
mod frame;
mod glide;
pub(crate) mod import;
pub(crate) mod interpretation;
mod layout;
mod material;
mod normal;
pub mod rob;
pub(crate) mod scene;
mod software;
pub(crate) mod solid;
#[cfg(test)]
mod tests;
mod texture;
mod version;
pub(crate) mod warning;

use asset::{
    Asset, Context, Description, Detail, Format, Import, NameKind, Names, Offered, Parts, Probe, ProductKind,
    Products, Report, Score, Unpacked, record_spans,
};
use record::{Record, Result, read_whole, write_whole};
use serde::{Deserialize, Serialize};

pub use frame::{Face, FaceCorner};
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

/// Models.
pub static FORMAT: Format = Format {
    id: "redguard.3d",
    name: "Redguard model",
    game: Some("redguard"),
    extensions: &["3d", "3dc"],
    probe,
    open: |source, _report| Ok(Box::new(Model::read(&source.read_all()?)?)),
    pack: Some(pack),
    import: Some(Import { extensions: import::EXTENSIONS, make: import::import }),
    products: &[
        Offered { kind: ProductKind::Scene, about: "the model with its textures and frames" },
        Offered { kind: ProductKind::Data, about: "every field of the file" },
    ],
    save_as: &[],
    spans: Some(record_spans::<Model>),
    archive: None,
    options: scene::OPTIONS,
    names: Names::of_file(NameKind::Model),
    codes: CODES,
};

fn probe(file: &Probe<'_>) -> Option<Score> {
    Version::ALL.iter().any(|version| file.starts_with(version.text().as_bytes())).then_some(Score::CERTAIN)
}

/// A model.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(ahead = Version)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// A model of the Glide renderer.
    #[record(when = ahead.is_glide())]
    Glide(Glide),
    /// A model of the software renderer.
    Software(Software),
}

impl Model {
    /// Reads a model.
    ///
    /// # Errors
    /// When a part is out of bounds, a face has too few corners, the frame encoding is unknown, or the frames of a
    /// model of the software renderer do not fill the file.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the model; an unchanged one gives the bytes it was read from.
    ///
    /// # Errors
    /// When lists that belong together have different lengths, or offsets exceed 32 bits.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Its version.
    #[must_use]
    pub const fn version(&self) -> Version {
        match self {
            Self::Glide(model) => model.header.version,
            Self::Software(model) => model.header.version,
        }
    }

    /// The locations of its parts.
    #[must_use]
    pub const fn layout(&self) -> &record::Layout {
        match self {
            Self::Glide(model) => &model.layout,
            Self::Software(model) => &model.layout,
        }
    }
}

impl Asset for Model {
    fn describe(&self, detail: Detail) -> Description {
        describe::describe(self, detail)
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, context, report);
    }

    fn products(&self, context: &Context<'_>, out: &mut Products<'_>) -> Result<()> {
        let target = out.target();
        out.scene(|making| scene::of_model(self, context, &target, making.report))?;
        out.fields(self)
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.typed(self)
    }
}

fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    let model: Model = folder.typed()?;
    model.write()
}
