//! Wavefront `.obj`: a model as text, with its materials in a `.mtl` file beside it. The engine does not load it; mods keep models in it, and editors of
//! rooms place them.
//!
//! The axes are the format's own, those of glTF: X right, Y up, Z out of the picture; a triangle's front is counter-clockwise; v upwards.

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

use crate::model::bearing;

pub use library::Material;
pub use warning::CODES;

/// Wavefront models.
pub static FORMAT: Format = Format::new("scpcb.obj", "Wavefront model", open)
    .game("scpcb")
    .extensions(&["obj"])
    // Compilers give their output the same extension.
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

/// The most groups of one file: each is a part of a mesh.
pub const MAX_GROUPS: usize = 1 << 13;

/// A model.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ObjFile {
    /// The files with materials, beside the model.
    pub libraries: Vec<String>,
    /// Corners of faces.
    pub vertices: Vec<[f32; 3]>,
    /// v upwards.
    pub texture_coords: Vec<[f32; 2]>,
    /// Of any length.
    pub normals: Vec<[f32; 3]>,
    /// Faces by object and material, in the order in which they begin.
    pub groups: Vec<Group>,
    /// Statements that are not read: how many of each.
    pub ignored: BTreeMap<String, u64>,
}

/// The faces of an object that have one material.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The name of the object or group; empty where there is none.
    pub name: String,
    /// The name of the material.
    pub material: Option<String>,
    /// The corners of all faces.
    pub corners: Vec<Corner>,
    /// How many corners each face has.
    pub face_sizes: Vec<u32>,
}

/// A corner of a face, by indices into the lists of the file from 0 on. One that leads nowhere is [`NOWHERE`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Corner {
    /// In [`ObjFile::vertices`].
    pub vertex: u32,
    /// In [`ObjFile::texture_coords`].
    pub texture_coord: Option<u32>,
    /// In [`ObjFile::normals`].
    pub normal: Option<u32>,
}

/// The index of what does not exist.
pub const NOWHERE: u32 = u32::MAX;

impl ObjFile {
    /// Reads a model. Invalid numbers and statements that are not read are reported.
    ///
    /// # Errors
    /// When no line has a statement of the format, and for more than [`MAX_GROUPS`].
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        read::read(bytes, report)
    }

    fn triangle_count(&self) -> usize {
        let sizes = self.groups.iter().flat_map(|group| &group.face_sizes);
        let triangles = sizes.map(|size| usize::try_from(size.saturating_sub(2)).unwrap_or(usize::MAX));
        triangles.fold(0, usize::saturating_add)
    }
}

/// The model with its materials and the images they refer to.
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
        let around = context.clone();
        let make = move |making: &mut ProductContext<'_>| {
            let mut scene = to_scene(self, &around, target.name, target.factor(), making.report);
            bearing::apply(&mut scene, &around, target.factor(), making.report);
            Ok(scene)
        };
        Ok(Products::new(context, target).with_scene(make).with_fields(self, self.unit_fields()))
    }
}
