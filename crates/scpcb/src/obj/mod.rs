//! Wavefront `.obj` models as text, with materials in separate `.mtl` files. The engine does not load them; mods store models in
//! this format, and room editors place them.
//!
//! The axes are those of the format and of glTF: X right, Y up, Z toward the viewer; front faces are counterclockwise; v upwards.

mod library;
mod read;
mod shape;
#[cfg(test)]
mod tests;
mod warning;

use std::collections::BTreeMap;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, NameKind, Names, Offered, ProductContext,
    ProductKind, Products, Report, Score, Target, counted,
};
use json::{Document, json};
use record::{Result, Source};
use scene::Scene;
use serde::Serialize;

use crate::model::game_transform;

pub use library::Material;
pub use warning::CODES;

/// Wavefront models.
pub static FORMAT: Format = Format::new("scpcb.obj", "Wavefront model", open)
    .game("scpcb")
    .extensions(&["obj"])
    // Object files of compilers have the same extension.
    .probe(|file| (file.extension() == "obj" && file.head.contains(&0)).then_some(Score::NEVER))
    .products(&[
        Offered { kind: ProductKind::Scene, about: "the model with its materials and textures" },
        Offered { kind: ProductKind::Data, about: "every field of the file" },
    ])
    .options(crate::model::ModelOptions::DECLARED)
    .names(
        Names::of_file(NameKind::Model)
            .in_fields(&[("groups.name", NameKind::Node), ("groups.material", NameKind::Material)]),
    )
    .codes(CODES)
    .shared_codes(warning::SHARED);

fn open(source: &Source, report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(ObjFile::read(&source.read_all()?, report)?))
}

/// Maximum number of groups in a file: each is a primitive.
pub const MAX_GROUPS: usize = 1 << 13;

/// A model.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ObjFile {
    /// Names of material libraries, relative to the model.
    pub libraries: Vec<String>,
    /// Vertex positions.
    pub vertices: Vec<[f32; 3]>,
    /// Texture coordinates; v upwards.
    pub texture_coords: Vec<[f32; 2]>,
    /// Normals of any length.
    pub normals: Vec<[f32; 3]>,
    /// Faces by object and material, in order of first occurrence.
    pub groups: Vec<Group>,
    /// Number of ignored statements by keyword.
    pub ignored: BTreeMap<String, u64>,
}

/// Faces of an object with one material.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Group {
    /// Name of the object or group; empty if there is none.
    pub name: String,
    /// Name of the material.
    pub material: Option<String>,
    /// Corners of all faces.
    pub corners: Vec<Corner>,
    /// Number of corners of each face.
    pub face_sizes: Vec<u32>,
}

/// A corner of a face, with zero-based indices into the lists of the file. An invalid index is [`NOWHERE`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Corner {
    /// Index into [`ObjFile::vertices`].
    pub vertex: u32,
    /// Index into [`ObjFile::texture_coords`].
    pub texture_coord: Option<u32>,
    /// Index into [`ObjFile::normals`].
    pub normal: Option<u32>,
}

/// An invalid index.
pub const NOWHERE: u32 = u32::MAX;

impl ObjFile {
    /// Reads a model. Reports invalid numbers and ignored statements.
    ///
    /// # Errors
    /// Fails if no line has a statement of the format, and for more than [`MAX_GROUPS`].
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        read::read(bytes, report)
    }

    fn triangle_count(&self) -> usize {
        let sizes = self.groups.iter().flat_map(|group| &group.face_sizes);
        let triangles = sizes.map(|size| usize::try_from(size.saturating_sub(2)).unwrap_or(usize::MAX));
        triangles.fold(0, usize::saturating_add)
    }
}

/// Converts the model with its materials and the images they refer to.
pub(crate) fn to_scene(
    file: &ObjFile,
    context: &Context<'_>,
    name: &str,
    scale: f32,
    report: &mut Report,
) -> Scene {
    shape::shapes(file, context, report).to_scene(Some(context), name, scale, report)
}

impl Asset for ObjFile {
    fn describe(&self, detail: Detail) -> Description {
        let triangles = self.triangle_count();
        let brief = || {
            let groups = self.groups.iter().map(
                |group| json!({ "name": group.name, "material": group.material, "faces": group.face_sizes.len() }),
            );
            Document::object(|out| {
                out.put("libraries", &self.libraries).list("groups", groups).put("ignored", &self.ignored);
            })
        };
        Description {
            summary: format!(
                "model, {}, {}",
                counted(self.groups.len(), "group", "groups"),
                counted(triangles, "triangle", "triangles")
            ),
            counts: Counts::new()
                .with("groups", self.groups.len())
                .with("vertices", self.vertices.len())
                .with("triangles", triangles),
            fields: match detail {
                Detail::Brief => brief(),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        shape::shapes(self, context, report).check(context, report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let asset_context = context.clone();
        let make = move |making: &mut ProductContext<'_>| {
            let mut scene = to_scene(self, &asset_context, target.name, target.factor(), making.report);
            game_transform::apply(&mut scene, &asset_context, target.factor(), making.report);
            Ok(scene)
        };
        Ok(Products::new(context, target).with_scene(make).with_fields(self, self.unit_fields()))
    }
}
