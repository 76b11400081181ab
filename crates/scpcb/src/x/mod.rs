//! DirectX `.x`: a model as text or binary, often compressed. Frames with meshes, materials, skins and animations.

mod animation;
mod check;
mod content;
mod describe;
mod header;
mod import;
mod kept;
mod layout;
mod mesh;
mod object;
mod read;
mod reading;
mod scene;
mod source;
#[cfg(test)]
mod tests;
mod token;
mod value;
mod warning;
mod write;
mod zip;

use asset::{
    Asset, Context, Description, Detail, Format, Import, Items, NameKind, Names, Offered, Parts, Probe,
    ProductContext, ProductKind, Products, Report, ScenePart, Score, Source, Target,
};
use record::{Error, Result};
use serde::Serialize;

use self::source::{Original, Written};
use crate::model::{bearing, origin, replaced};

pub use header::{Encoding, FloatSize, Header};
pub use layout::{
    Animation, AnimationKeys, AnimationOptions, AnimationSet, DeclData, Faces, FileHeader, Frame, FvfData,
    KeyKind, Material, MaterialList, Mesh, Normals, SkinHeader, SkinWeights, Skipped, VertexColor,
    VertexDuplication, VertexElement,
};
pub use object::{MAX_DEPTH, MAX_OBJECTS};
pub(crate) use scene::to_scene;
pub use warning::CODES;

/// Models as text or binary.
pub static FORMAT: Format = Format::new("scpcb.x", "DirectX model", open)
    .game("scpcb")
    .extensions(&["x"])
    .probe(probe)
    .pack(|folder, _report| folder.typed::<Written>()?.write())
    .import(Import {
        extensions: &["x", import::BINARY],
        options: &[],
        make: |scene, report| Ok(import::import(scene.read, scene.extension, report)?.into()),
    })
    .products(&[
        Offered { kind: ProductKind::Scene, about: "the model with its textures, skins and animations" },
        Offered { kind: ProductKind::Data, about: "every field of the file" },
    ])
    .spans(|_, source, visitor| source::trace(&source.read_all()?, visitor))
    .options(crate::model::ModelOptions::DECLARED)
    .names(Names::of_file(NameKind::Model).in_fields(&[
        ("materials.name", NameKind::Material),
        ("texture", NameKind::Texture),
        ("name", NameKind::Node),
        ("frame", NameKind::Node),
        ("bone", NameKind::Node),
    ]))
    .codes(CODES)
    .shared_codes(warning::SHARED);

fn open(source: &Source, report: &mut Report) -> Result<Box<dyn Asset>> {
    let mut file = XFile::read(&source.read_all()?, report)?;
    file.original = Original(Some(source.clone()));
    Ok(Box::new(file))
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    if Header::is_at_start_of(file.head) {
        return Some(Score::CERTAIN);
    }
    // Many other things are called `.x`, source code among them.
    (file.extension() == "x" && !file.starts_with(header::MAGIC) && file.length > 0).then_some(Score::NEVER)
}

/// A model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct XFile {
    /// What the file says of itself.
    pub header: Header,
    /// How many templates it declares. They are not read: all that can be shown is of Microsoft's standard ones.
    pub templates: usize,
    /// The object `Header`, which old programs write.
    pub file_header: Option<FileHeader>,
    /// `AnimTicksPerSecond`; 4800 where there is none.
    pub ticks_per_second: Option<u32>,
    /// The frames that are in no other.
    pub frames: Vec<Frame>,
    /// All meshes in the order of the file, wherever they are in it.
    pub meshes: Vec<Mesh>,
    /// Those of them that are in no frame and that no frame names.
    pub top_meshes: Vec<usize>,
    /// All materials in the order of the file, wherever they are in it.
    pub materials: Vec<Material>,
    /// What moves.
    pub animation_sets: Vec<AnimationSet>,
    /// Objects that are not read.
    pub skipped: Vec<Skipped>,
    #[serde(skip)]
    original: Original,
}

impl XFile {
    /// An empty model.
    #[must_use]
    pub fn new(header: Header) -> Self {
        Self {
            header,
            templates: 0,
            file_header: None,
            ticks_per_second: None,
            frames: Vec::new(),
            meshes: Vec::new(),
            top_meshes: Vec::new(),
            materials: Vec::new(),
            animation_sets: Vec::new(),
            skipped: Vec::new(),
            original: Original::default(),
        }
    }

    /// Reads a model in any of its encodings. Damage outside of the geometry is left out and reported; damage in the geometry and in the
    /// structure of the file is an error that says where.
    ///
    /// # Errors
    /// An empty file, a header that is not one, compressed data that is damaged or too large, meshes and matrices that are not all there,
    /// objects nested too deeply.
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        read::read(bytes, report)
    }

    /// How many triangles the faces of all meshes make.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.faces.triangle_count()).fold(0, usize::saturating_add)
    }
}

impl Asset for XFile {
    fn describe(&self, detail: Detail) -> Description {
        describe::describe(self, detail)
    }

    fn items(&self) -> Items {
        describe::items(self)
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, context, report);
    }

    fn origin(&self, part: ScenePart<'_>) -> Option<String> {
        origin::field_of(&part)
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let around = context.clone();
        let make = move |making: &mut ProductContext<'_>| {
            let mut scene = to_scene(self, &around, target.name, target.factor(), making.report);
            bearing::apply(&mut scene, &around, target.factor(), making.report);
            replaced::note(&around, &warning::GIVEN_TEXTURES, making.report);
            kept::keep(&mut scene, self.original.0.as_ref(), target.factor());
            Ok(scene)
        };
        Ok(Products::new(context, target).with_scene(make).with_fields(self, self.unit_fields()))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        let source = self.original.0.as_ref();
        let source = source
            .ok_or_else(|| Error::usage("a model that was not read from a file has no lines or tokens"))?;
        parts.typed(&Written::of(&source.read_all()?)?)
    }
}
