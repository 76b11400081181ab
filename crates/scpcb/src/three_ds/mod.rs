//! 3D Studio `.3ds`: a model of materials and objects, which the engine loads and some mods use. Objects become nodes.
//!
//! As the engine loads it: X right, Z up, Y into the picture (the loader swaps Y and Z), corners of a triangle in the order of the file after the swap,
//! v upwards, materials white where they have a texture. Animation (the keyframer) is not read.

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

use crate::model::bearing;

pub use warning::CODES;

/// 3D Studio models.
pub static FORMAT: Format = Format::new("scpcb.3ds", "3D Studio model", open)
    .game("scpcb")
    .extensions(&["3ds"])
    .probe(|file| is_at_start_of(file).then_some(Score::CERTAIN))
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

/// The first chunk.
pub(crate) const MAGIC: &[u8] = b"MM";

/// Two letters are weak evidence, so the length and the first chunk within count, too.
fn is_at_start_of(file: &Probe<'_>) -> bool {
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
    /// Of the file's layout; mostly 3.
    pub version: Option<u32>,
    /// In the order of the file.
    pub materials: Vec<Material>,
    /// In the order of the file.
    pub objects: Vec<Object>,
    /// Whether there is animation.
    pub has_keyframes: bool,
    /// Chunks that are not read: how many of each number, `0x1100`.
    pub skipped: BTreeMap<String, u64>,
}

/// A material.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Material {
    /// Objects name it by this.
    pub name: String,
    /// Red, green and blue, within 0..1.
    pub diffuse: Option<[f32; 3]>,
    /// The file of the texture.
    pub texture: Option<String>,
}

/// An object with triangles.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Z up, where the object stands in the model.
    pub vertices: Vec<[f32; 3]>,
    /// One for each vertex, or none; v upwards.
    pub texture_coords: Vec<[f32; 2]>,
    /// Three vertices each.
    pub faces: Vec<[u16; 3]>,
    /// Which faces have which material; of several the last counts.
    pub face_materials: Vec<FaceMaterial>,
    /// The axes of the object and its origin. Vertices do not depend on it.
    pub matrix: Option<[[f32; 3]; 4]>,
}

/// The faces of one material.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FaceMaterial {
    /// The name of the material.
    pub material: String,
    /// Indices into the faces of the object.
    pub faces: Vec<u16>,
}

impl ThreeDs {
    /// Reads a model. Objects without triangles (lights, cameras) and animation are left out and reported.
    ///
    /// # Errors
    /// For another type of file, and chunks that exceed their parents or are too short for their contents.
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        read::read(bytes, report)
    }
}

/// The model with the images it refers to.
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
        let around = context.clone();
        let make = move |making: &mut ProductContext<'_>| {
            let mut scene = to_scene(self, &around, target.name, target.factor(), making.report);
            bearing::apply(&mut scene, &around, target.factor(), making.report);
            Ok(scene)
        };
        Ok(Products::new(context, target).with_scene(make).with_fields(self, self.unit_fields()))
    }
}
