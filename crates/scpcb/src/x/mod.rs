//! DirectX `.x` models, as text or binary, often compressed: frames with meshes, materials, skins and animations.

mod animation;
mod check;
mod content;
mod describe;
mod header;
mod import;
mod kept;
mod layout;
mod mesh;
mod model_reader;
mod object;
mod read;
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

use self::source::{Original, SourceFile};
use crate::model::{game_transform, origin, replaced};

pub use header::{Encoding, FloatSize, Header};
pub use layout::{
    Animation, AnimationKeys, AnimationOptions, AnimationSet, DeclData, Faces, FileHeader, Frame, FvfData,
    KeyKind, Material, MaterialList, Mesh, Normals, SkinHeader, SkinWeights, Skipped, VertexColor,
    VertexDuplication, VertexElement,
};
pub use object::{MAX_DEPTH, MAX_OBJECTS};
pub(crate) use scene::to_scene;
pub use warning::CODES;

/// DirectX models, as text or binary.
pub static FORMAT: Format = Format::new("scpcb.x", "DirectX model", open)
    .game("scpcb")
    .extensions(&["x"])
    .probe(probe)
    .pack(|folder, _report| folder.typed::<SourceFile>()?.write())
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
    // Many other files have the extension `.x`, such as source code.
    (file.extension() == "x" && !file.starts_with(header::MAGIC) && file.length > 0).then_some(Score::NEVER)
}

/// A model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct XFile {
    /// Version and encoding of the file.
    pub header: Header,
    /// Number of template declarations. They are not read: only Microsoft's standard templates can be converted.
    pub templates: usize,
    /// The object `Header`, which old programs write.
    pub file_header: Option<FileHeader>,
    /// `AnimTicksPerSecond`; defaults to 4800.
    pub ticks_per_second: Option<u32>,
    /// Top-level frames.
    pub frames: Vec<Frame>,
    /// All meshes in file order, at any level.
    pub meshes: Vec<Mesh>,
    /// Indices of the meshes that are neither in a frame nor referred to by one.
    pub top_meshes: Vec<usize>,
    /// All materials in file order, at any level.
    pub materials: Vec<Material>,
    /// Animation sets.
    pub animation_sets: Vec<AnimationSet>,
    /// Objects that are not read.
    pub skipped: Vec<Skipped>,
    #[serde(skip)]
    original: Original,
}

impl XFile {
    /// Returns an empty model.
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

    /// Reads a model in any encoding. Damage outside of the geometry is left out and reported; damage in the geometry and in the
    /// structure of the file is an error with its location.
    ///
    /// # Errors
    /// Fails for an empty file, an invalid header, compressed data that is damaged or too large, incomplete meshes and matrices,
    /// and objects that are nested too deeply.
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        read::read(bytes, report)
    }

    /// Returns the number of triangles of the faces of all meshes.
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
        let asset_context = context.clone();
        let make = move |making: &mut ProductContext<'_>| {
            let mut scene = to_scene(self, &asset_context, target.name, target.factor(), making.report);
            game_transform::apply(&mut scene, &asset_context, target.factor(), making.report);
            replaced::report_textures(&asset_context, &warning::GIVEN_TEXTURES, making.report);
            kept::keep(&mut scene, self.original.0.as_ref(), target.factor());
            Ok(scene)
        };
        Ok(Products::new(context, target).with_scene(make).with_fields(self, self.unit_fields()))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        let source = self.original.0.as_ref();
        let source = source.ok_or_else(|| {
            Error::usage("the model was not read from a file, so it has no lines or tokens")
        })?;
        parts.typed(&SourceFile::of(&source.read_all()?)?)
    }
}
