//! Models that only consist of shapes and materials, such as `.3ds` and `.obj` files: a node for each shape, a primitive of its
//! mesh for each material.

use std::collections::{BTreeMap, BTreeSet};

use asset::Reference;
use asset::{Context, Report, counted};
use glam::Vec3;
use scene::color::srgb_to_linear;
use scene::image::Alpha;
use scene::{AlphaMode, Material, MaterialId, Mesh, Node, Primitive, Sampler, Scene, TextureRef};

use super::normal;
use super::texture::{Keying, Textures, look_up};
use super::warning;

/// A model.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    pub(crate) shapes: Vec<Shape>,
    pub(crate) materials: Vec<Surface>,
}

/// Triangles with a common list of vertices.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    pub(crate) name: String,
    /// Field path in the file.
    pub(crate) field: String,
    /// Positions in meters and glTF's axes.
    pub(crate) positions: Vec<[f32; 3]>,
    /// Texture coordinates of each vertex, or empty; v downwards.
    pub(crate) uvs: Vec<[f32; 2]>,
    /// Normals of each vertex, or empty. Missing normals are computed as Blitz3D does.
    pub(crate) normals: Vec<[f32; 3]>,
    /// Triangles by material, counterclockwise.
    pub(crate) parts: Vec<(Option<usize>, Vec<[u32; 3]>)>,
}

/// The material of a part.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    pub(crate) name: String,
    /// Field path of its texture.
    pub(crate) field: String,
    /// Color in display space; ignored if there is a texture.
    pub(crate) color: [f32; 3],
    pub(crate) alpha: f32,
    pub(crate) texture: Option<String>,
}

impl Shapes {
    /// Converts the model with its images, below one root of this name. Lengths are multiplied by `scale`. Without a context, no
    /// images are looked up.
    pub(crate) fn to_scene(
        &self,
        context: Option<&Context<'_>>,
        name: &str,
        scale: f32,
        report: &mut Report,
    ) -> Scene {
        let mut scene = Scene::new(name);
        let root = scene.add_root(Node::named(name));
        let mut added = BTreeMap::new();
        let mut textures = Textures::default();
        for shape in &self.shapes {
            let valid = shape.valid_parts(report);
            let normals = shape.normals_of(&valid);
            let mut primitives = Vec::new();
            for (material, triangles) in &valid {
                let surface = material.and_then(|material| self.materials.get(material));
                let id = *added.entry(surface.and(*material)).or_insert_with(|| {
                    let material = surface.map_or_else(
                        || Material { name: "default".into(), ..Material::default() },
                        |surface| surface.material(&mut scene, &mut textures, context, report),
                    );
                    scene.add_material(material)
                });
                primitives.push(shape.primitive(triangles, &normals, id, scale));
            }
            if !primitives.is_empty() {
                let name = shape.name.clone();
                let mesh = scene.add_mesh(Mesh { name: name.clone(), primitives, ..Mesh::default() });
                scene.add_child(root, Node { mesh: Some(mesh), ..Node::named(name) });
            }
        }
        if scene.meshes.is_empty() {
            report.warn(&warning::NO_GEOMETRY, "the model has no triangles to convert");
        }
        scene
    }

    /// Reports defects of the model, and looks up its textures.
    pub(crate) fn check(&self, context: &Context<'_>, report: &mut Report) {
        drop(self.to_scene(None, "", 1.0, report));
        for shape in &self.shapes {
            let flat = |triangle: &&[u32; 3]| {
                let [a, b, c] = triangle.map(|corner| shape.at(corner).map(|at| at.as_dvec3()));
                let area = a.zip(b).zip(c).map(|((a, b), c)| (b - a).cross(c - a));
                area.is_some_and(|area| area == glam::DVec3::ZERO)
            };
            let count = shape.parts.iter().flat_map(|(_, triangles)| triangles).filter(flat).count();
            if count > 0 {
                let message = format!("{} zero area", counted(count, "triangle has", "triangles have"));
                report.warn(&warning::ZERO_AREA, message).in_field(shape.field.as_str());
            }
        }
        let mut known = BTreeSet::new();
        for Surface { field, texture, .. } in &self.materials {
            let Some(name) = texture.as_deref().filter(|name| known.insert(name.to_lowercase())) else {
                continue;
            };
            let reference = Reference::new("texture", name, field);
            reference.check(look_up(context, name), report);
        }
    }
}

impl Shape {
    fn at(&self, corner: u32) -> Option<Vec3> {
        self.positions.get(usize::try_from(corner).ok()?).copied().map(Vec3::from)
    }

    /// Returns the parts with their valid triangles, and reports the others.
    fn valid_parts(&self, report: &mut Report) -> Vec<(Option<usize>, Vec<[u32; 3]>)> {
        let (mut bad_index, mut not_finite) = (0_usize, 0_usize);
        let mut is_valid = |triangle: &[u32; 3]| {
            let corners = triangle.map(|corner| self.at(corner));
            if corners.contains(&None) {
                bad_index = bad_index.saturating_add(1);
                return false;
            }
            let is_finite = corners.iter().flatten().all(|corner| corner.is_finite());
            not_finite = not_finite.saturating_add(usize::from(!is_finite));
            is_finite
        };
        let mut valid = Vec::new();
        for (material, triangles) in &self.parts {
            let triangles: Vec<_> = triangles.iter().copied().filter(&mut is_valid).collect();
            if !triangles.is_empty() {
                valid.push((*material, triangles));
            }
        }
        let field = self.field.as_str();
        if bad_index > 0 {
            let triangles = counted(bad_index, "triangle refers", "triangles refer");
            let last = self.positions.len();
            let message = format!("{triangles} to vertices beyond the last of {last}; they are left out");
            report.warn(&warning::BAD_INDEX, message).in_field(field);
        }
        if not_finite > 0 {
            let message = format!(
                "{} a corner with a non-finite position; they are left out",
                counted(not_finite, "triangle has", "triangles have")
            );
            report.warn(&warning::NOT_FINITE, message).in_field(field);
        }
        let uvs = self.uvs.iter().flatten().filter(|number| !number.is_finite()).count();
        let normals = self.normals.iter().flatten().filter(|number| !number.is_finite()).count();
        if uvs > 0 || normals > 0 {
            let message = format!(
                "{} of texture coordinates and normals are not finite; using 0",
                counted(uvs.saturating_add(normals), "number", "numbers")
            );
            report.warn(&warning::NOT_FINITE, message).in_field(field);
        }
        valid
    }

    fn normals_of(&self, parts: &[(Option<usize>, Vec<[u32; 3]>)]) -> Vec<[f32; 3]> {
        if self.normals.len() == self.positions.len() {
            return self.normals.iter().map(|normal| normal.map(finite)).collect();
        }
        let triangles: Vec<_> = parts.iter().flat_map(|(_, triangles)| triangles).copied().collect();
        normal::smooth(&self.positions, &triangles)
    }

    /// Returns a primitive with only the vertices that its triangles use.
    fn primitive(
        &self,
        triangles: &[[u32; 3]],
        normals: &[[f32; 3]],
        material: MaterialId,
        scale: f32,
    ) -> Primitive {
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let mut used: Vec<usize> = Vec::new();
        let mut number = |corner: &u32| {
            *numbers.entry(*corner).or_insert_with(|| {
                let next = u32::try_from(used.len()).unwrap_or(u32::MAX);
                used.push(usize::try_from(*corner).unwrap_or(usize::MAX));
                next
            })
        };
        let indices = triangles.iter().flatten().map(&mut number).collect();
        let normal = |index: &usize| normals.get(*index).copied().unwrap_or_default();
        let position = |index: &usize| self.positions.get(*index).copied().unwrap_or_default();
        // A texture needs coordinates. If there are none, the game uses the image's corner.
        let uv = |index: &usize| self.uvs.get(*index).copied().unwrap_or_default().map(finite);
        Primitive {
            positions: used.iter().map(position).map(|at| (Vec3::from(at) * scale).to_array()).collect(),
            normals: Some(used.iter().map(normal).collect()),
            uvs: vec![used.iter().map(uv).collect()],
            indices,
            material: Some(material),
            ..Primitive::default()
        }
    }
}

fn finite(number: f32) -> f32 {
    if number.is_finite() { number } else { 0.0 }
}

impl Surface {
    /// Converts the material: the color, or white with a texture whose alpha is ignored, as the game loads textures of models.
    fn material(
        &self,
        scene: &mut Scene,
        textures: &mut Textures,
        context: Option<&Context<'_>>,
        report: &mut Report,
    ) -> Material {
        let alpha = if self.alpha.is_finite() { self.alpha.clamp(0.0, 1.0) } else { 1.0 };
        let level = |level: f32| srgb_to_linear(finite(level).clamp(0.0, 1.0));
        let [red, green, blue] = if self.texture.is_some() { [1.0; 3] } else { self.color.map(level) };
        let mut out = Material {
            name: self.name.clone(),
            base_color: [red, green, blue, alpha],
            alpha: if alpha < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque },
            ..Material::default()
        };
        if let (Some(name), Some(context)) = (&self.texture, context) {
            // The alpha of an image is ignored in an opaque material anyway, so the file is used unchanged.
            let keying = if alpha < 1.0 { Keying::Solid } else { Keying::Alpha };
            let how = (keying, Sampler::default());
            let texture = textures.get(scene, context, (name, &self.field), how, report);
            out.base_color_texture = Some(TextureRef::new(texture.texture));
            if texture.alpha != Alpha::Opaque {
                let message = format!("the alpha of \"{name:.80}\" is ignored, like in the game");
                report.warn(&warning::TEXTURE_ALPHA, message).in_field(self.field.as_str());
            }
        }
        out
    }
}
