//! 3D Studio `.3ds` models of materials and objects, which the engine loads and some mods use. Objects become nodes.
//!
//! As the engine loads it: X right, Z up, Y into the screen (the loader swaps Y and Z); triangles in file order after the swap; v
//! upwards; materials with a texture are white. Animation (the keyframer) is not read.

mod read;
mod shape;
#[cfg(test)]
mod tests;
mod warning;

use std::collections::BTreeMap;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, NameKind, Names, Offered, Probe, ProductContext,
    ProductKind, Products, Report, Score, Target, counted,
};
use json::{Document, json};
use record::{Result, Source};
use scene::Scene;
use serde::Serialize;

use crate::model::game_transform;

pub use warning::CODES;

/// 3D Studio models.
pub static FORMAT: Format = Format::new("scpcb.3ds", "3D Studio model", open)
    .game("scpcb")
    .extensions(&["3ds"])
    .probe(|file| starts_like_a_model(file).then_some(Score::CERTAIN))
    .products(&[
        Offered { kind: ProductKind::Scene, about: "the model with its textures" },
        Offered { kind: ProductKind::Data, about: "every field of the file" },
    ])
    .options(crate::model::ModelOptions::DECLARED)
    .names(Names::of_file(NameKind::Model).in_fields(&[
        ("materials.name", NameKind::Material),
        ("materials.texture", NameKind::Texture),
        ("objects.name", NameKind::Node),
    ]))
    .codes(CODES)
    .shared_codes(warning::SHARED);

fn open(source: &Source, report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(ThreeDs::read(&source.read_all()?, report)?))
}

/// Signature of the first chunk.
pub(crate) const MAGIC: &[u8] = b"MM";

/// Whether a file starts like a model. Two letters are weak evidence, so the length and the first child chunk are checked, too.
fn starts_like_a_model(file: &Probe<'_>) -> bool {
    let length =
        file.head.get(2..6).and_then(|bytes| bytes.first_chunk::<4>()).map(|it| u32::from_le_bytes(*it));
    let within =
        file.head.get(6..8).and_then(|bytes| bytes.first_chunk::<2>()).map(|it| u16::from_le_bytes(*it));
    file.starts_with(MAGIC)
        && length.is_some_and(|length| u64::from(length) <= file.length && length >= 6)
        && matches!(within, Some(0x0002 | 0x0005 | 0x000a | 0x3d3d | 0x3d3e | 0xb000))
}

/// A model.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ThreeDs {
    /// Version of the format; usually 3.
    pub version: Option<u32>,
    /// Materials in file order.
    pub materials: Vec<Material>,
    /// Objects in file order.
    pub objects: Vec<Object>,
    /// Whether there is animation.
    pub has_keyframes: bool,
    /// Number of skipped chunks by ID, such as `0x1100`.
    pub skipped: BTreeMap<String, u64>,
}

/// A material.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Material {
    /// Name by which objects refer to it.
    pub name: String,
    /// Red, green and blue (0 to 1).
    pub diffuse: Option<[f32; 3]>,
    /// File name of the texture.
    pub texture: Option<String>,
}

/// An object with triangles.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Object {
    /// Name of the object.
    pub name: String,
    /// Vertex positions in the space of the model, Z up.
    pub vertices: Vec<[f32; 3]>,
    /// Texture coordinates of each vertex, or empty; v upwards.
    pub texture_coords: Vec<[f32; 2]>,
    /// Triangles of vertex indices.
    pub faces: Vec<[u16; 3]>,
    /// Materials of faces. Of several for one face, the last one is used.
    pub face_materials: Vec<FaceMaterial>,
    /// Axes and origin of the object. Vertices do not depend on it.
    pub matrix: Option<[[f32; 3]; 4]>,
}

/// The faces of one material.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FaceMaterial {
    /// Name of the material.
    pub material: String,
    /// Indices into the faces of the object.
    pub faces: Vec<u16>,
}

impl ThreeDs {
    /// Reads a model. Objects without triangles (lights, cameras) and animation are left out and reported.
    ///
    /// # Errors
    /// Fails for another type of file, and for chunks that exceed their parents or are too short for their contents.
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        read::read(bytes, report)
    }
}

/// Converts the model with the images it refers to.
pub(crate) fn to_scene(
    file: &ThreeDs,
    context: &Context<'_>,
    name: &str,
    scale: f32,
    report: &mut Report,
) -> Scene {
    shape::shapes(file, report).to_scene(Some(context), name, scale, report)
}

impl Asset for ThreeDs {
    fn describe(&self, detail: Detail) -> Description {
        let objects = self.objects.len();
        let count = |of: fn(&Object) -> usize| self.objects.iter().map(of).fold(0, usize::saturating_add);
        let triangles = count(|object| object.faces.len());
        let brief = || {
            Document::object(|out| {
                out.put("version", &self.version)
                    .list("objects", self.objects.iter().map(|object| json!({ "name": object.name })))
                    .list(
                        "materials",
                        self.materials.iter().map(|it| json!({ "name": it.name, "texture": it.texture })),
                    )
                    .put("skipped", &self.skipped);
            })
        };
        Description {
            summary: format!(
                "model, {}, {}",
                counted(objects, "object", "objects"),
                counted(triangles, "triangle", "triangles")
            ),
            counts: Counts::new()
                .with("objects", objects)
                .with("vertices", count(|object| object.vertices.len()))
                .with("triangles", triangles)
                .with("materials", self.materials.len()),
            fields: match detail {
                Detail::Brief => brief(),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        shape::shapes(self, report).check(context, report);
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
