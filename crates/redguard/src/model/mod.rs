//! Models (`.3D`, `.3DC`): those of the Glide renderer (v4.0, v5.0) and of the software renderer (v2.6, v2.7), still and moving.

pub(crate) mod check;
mod describe;
mod exact;
mod frame;
mod glide;
pub(crate) mod import;
mod layout;
mod material;
mod normal;
pub(crate) mod reading;
pub(crate) mod scene;
mod software;
pub(crate) mod solid;
#[cfg(test)]
mod tests;
mod texture;
mod version;
pub(crate) mod warning;

use asset::{
    Asset, Can, Context, Description, Detail, Format, Import, Output, OutputKind, Parts, Probe, Report,
    Score, Sink, Target, Unpacked,
};
use record::{
    Error, Reader, Record, Result, Source, Visitor, Writer, json, read_whole, trace_whole, write_whole,
};
use serde::{Deserialize, Serialize};

pub use frame::{Face, FaceCorner};
pub use glide::{
    Face as GlideFace, FaceRef, Frame as GlideFrame, Glide, Header as GlideHeader, Node, NormalRef,
    Pose as GlidePose,
};
pub use import::Form;
pub use layout::{Corner, Normals, Places, Triple};
pub use reading::{Deltas, LaterCorners, Reading};
pub use software::{
    Block, Frame as SoftwareFrame, Header as SoftwareHeader, Motion, Plane, Pose as SoftwarePose, Software,
};
pub use texture::Paint;
pub use version::Version;
pub use warning::CODES;

/// Models.
pub static FORMAT: Format = Format {
    id: "redguard.3d",
    name: "Redguard model",
    game: "redguard",
    extensions: &["3d", "3dc"],
    can: &[Can::Read, Can::Write, Can::Check, Can::Scene, Can::Pack, Can::Import, Can::Hex],
    probe,
    open: |source, _report| Ok(Box::new(Model::read(&source.read_all()?)?)),
    pack: Some(pack),
    import: Some(Import { extensions: import::EXTENSIONS, make: import::import }),
    outputs: OUTPUTS,
    options: scene::OPTIONS,
    codes: CODES,
};

/// What models become.
pub(crate) const OUTPUTS: &[Output] = &[
    Output {
        extension: "glb",
        kind: OutputKind::Scene,
        about: "shape, textures and frames as binary glTF, textures inside",
    },
    Output { extension: "gltf", kind: OutputKind::Scene, about: "the same as glTF, textures beside it" },
    Output { extension: "json", kind: OutputKind::Data, about: "every field of the file" },
];

fn probe(file: &Probe<'_>) -> Option<Score> {
    Version::ALL.iter().any(|version| file.starts_with(version.text().as_bytes())).then_some(Score::CERTAIN)
}

/// A model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// Of the Glide renderer.
    Glide(Glide),
    /// Of the software renderer.
    Software(Software),
}

impl Record for Model {
    type Context = ();
    const MIN_SIZE: usize = 64;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let version = reader.peek(|reader| Version::read(&mut Reader::new(reader.rest()), ()));
        let version = version.map_err(|error| error.in_field("version").in_field("header"))?;
        Ok(match version.is_glide() {
            true => Self::Glide(Glide::read(reader)?),
            false => Self::Software(Software::read(reader)?),
        })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        match self {
            Self::Glide(model) => model.write(writer),
            Self::Software(model) => model.write(writer),
        }
    }
}

impl Model {
    /// Reads a model.
    ///
    /// # Errors
    /// When a part lies outside the file, a face has too few corners, frames are stored in a way that is not known, or the frames of a
    /// model of the software renderer do not fill the file.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the model; an unchanged one gives the bytes it was read from.
    ///
    /// # Errors
    /// When lists that belong together have different lengths, or the file grows beyond what its offsets can say.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// The version it starts with.
    #[must_use]
    pub const fn version(&self) -> Version {
        match self {
            Self::Glide(model) => model.header.version,
            Self::Software(model) => model.header.version,
        }
    }

    /// Where its parts stand.
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

    fn export(
        &self,
        context: &Context<'_>,
        target: &Target<'_>,
        sink: &mut dyn Sink,
        report: &mut Report,
    ) -> Result<()> {
        if target.output.kind == OutputKind::Data {
            return sink.put(&target.main_name(), &json::to_vec(self)?);
        }
        target.put_scene(&scene::of_model(self, context, target, report)?, sink)
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.record(json::to_vec(self)?)
    }

    fn spans(&self, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
        trace_whole::<Self>(&source.read_all()?, (), visitor)
    }
}

fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    let model: Model =
        json::from_slice(&folder.record()?).map_err(|error: Error| error.in_file("record.json"))?;
    model.write()
}
