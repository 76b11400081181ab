//! The original file in the extras of its scene, and a check whether the scene is unedited.
//!
//! `extras.x` of the root contains `scale` (the factor applied to meters) and `file` (the file as base64 of zlib). It is restored
//! byte for byte if nothing was edited.

use asset::Report;
use json::Map;
use record::Source;
use scene::{Animation, Material, Mesh, Node, NodeId, Scene};

use super::XFile;
use super::scene::without_images;
use crate::import::name::{PLACEHOLDER_PREFIX, image_name, stem};
use crate::model::kept::{self, Facts};

const NAME: &str = "x";

/// Tolerance for equal numbers of magnitude 1.
const TOLERANCE: f32 = 1e-6;

/// Stores a file in the root of its scene.
pub(super) fn keep(scene: &mut Scene, source: Option<&Source>, scale: f32) {
    let file = source.and_then(|source| source.read_all().ok());
    kept::keep(scene, NAME, scale, Map::new(), file.as_deref());
}

/// The data of the original file in the root of a scene.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) root: NodeId,
    /// Factor applied to meters.
    pub(super) scale: f32,
    pub(super) file: Option<Vec<u8>>,
}

impl Kept {
    pub(super) fn find(scene: &Scene) -> Option<Self> {
        let facts = Facts::find(scene, NAME)?;
        Some(Self { root: facts.root, scale: facts.scale(), file: facts.file() })
    }

    /// Returns the file, if the scene is unedited.
    pub(super) fn unedited(&self, scene: &Scene) -> Option<(&[u8], XFile)> {
        let bytes = self.file.as_deref()?;
        let file = XFile::read(bytes, &mut Report::new()).ok()?;
        let before = without_images(&file, self.scale);
        is_same(scene, self.root, &before, &file).then_some((bytes, file))
    }
}

/// Whether a scene equals another one, except for images and the root's own data.
fn is_same(scene: &Scene, root: NodeId, before: &Scene, file: &XFile) -> bool {
    let mut stack: Vec<(NodeId, NodeId)> = Vec::new();
    if scene.roots.len() != before.roots.len() {
        return false;
    }
    stack.extend(scene.roots.iter().copied().zip(before.roots.iter().copied()));
    let mut names = std::collections::BTreeMap::new();
    while let Some((found, known)) = stack.pop() {
        let (Some(node), Some(base)) = (scene.nodes.get(found.0), before.nodes.get(known.0)) else {
            return false;
        };
        let is_same_transform = found == root
            || (node.name == base.name
                && node.translation.abs_diff_eq(
                    base.translation,
                    TOLERANCE * base.translation.abs().max_element().max(1e-3),
                )
                && node.scale.abs_diff_eq(base.scale, TOLERANCE * base.scale.abs().max_element().max(1e-3))
                && node.rotation.normalize().dot(base.rotation.normalize()).abs() >= 1.0 - TOLERANCE);
        if !is_same_transform || node.skin.is_some() != base.skin.is_some() || node.light.is_some() {
            return false;
        }
        let mesh =
            |scene: &'_ Scene, node: &Node| node.mesh.and_then(|mesh| scene.meshes.get(mesh.0).cloned());
        if !match (mesh(scene, node), mesh(before, base)) {
            (Some(found), Some(known)) => is_same_mesh((scene, &found), (before, &known), file),
            (None, None) => true,
            _ => false,
        } {
            return false;
        }
        names.insert(found, known);
        if node.children.len() != base.children.len() {
            return false;
        }
        stack.extend(node.children.iter().copied().zip(base.children.iter().copied()));
    }
    scene.animations.len() == before.animations.len()
        && scene
            .animations
            .iter()
            .zip(&before.animations)
            .all(|(found, known)| is_same_clip(found, known, &names))
}

fn is_same_mesh((scene, found): (&Scene, &Mesh), (before, known): (&Scene, &Mesh), file: &XFile) -> bool {
    let is_near = |a: &[f32], b: &[f32]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= TOLERANCE * b.abs().max(1.0))
    };
    // Normals have unit length in files, and colors have few bits.
    let is_close =
        |a: &[f32], b: &[f32]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-3);
    found.primitives.len() == known.primitives.len()
        && found.primitives.iter().zip(&known.primitives).all(|(a, b)| {
            let materials = (
                a.material.and_then(|id| scene.materials.get(id.0)),
                b.material.and_then(|id| before.materials.get(id.0)),
            );
            let is_same_material = match materials {
                (Some(a), Some(b)) => is_same_material(scene, a, b, file),
                (None, None) => true,
                _ => false,
            };
            let unit = |list: &[[f32; 3]]| -> Vec<f32> {
                list.iter()
                    .flat_map(|normal| {
                        glam::Vec3::from(*normal).try_normalize().unwrap_or(glam::Vec3::Y).to_array()
                    })
                    .collect()
            };
            let is_same_list = |a: Option<&Vec<[f32; 3]>>, b: Option<&Vec<[f32; 3]>>| match (a, b) {
                (Some(a), Some(b)) => is_close(&unit(a), &unit(b)),
                (None, None) => true,
                _ => false,
            };
            let is_same_weights = match (&a.influences, &b.influences) {
                (Some(a), Some(b)) => is_close(a.weights.as_flattened(), b.weights.as_flattened()),
                (None, None) => true,
                _ => false,
            };
            // Textured primitives have coordinates even if their file has none.
            let sets = a.uvs.iter().zip(&b.uvs).all(|(a, b)| is_near(a.as_flattened(), b.as_flattened()));
            is_same_material
                && is_same_weights
                && sets
                && a.indices == b.indices
                && is_near(a.positions.as_flattened(), b.positions.as_flattened())
                && is_same_list(a.normals.as_ref(), b.normals.as_ref())
                && match (&a.colors, &b.colors) {
                    (Some(a), Some(b)) => is_close(a.as_flattened(), b.as_flattened()),
                    (None, None) => true,
                    _ => false,
                }
        })
}

fn is_same_material(scene: &Scene, found: &Material, known: &Material, file: &XFile) -> bool {
    let stored = known.extras.get("material");
    let texture =
        file.materials.iter().find(|material| stored == Some(&super::scene::material_extras(material)));
    let texture = texture.and_then(|material| material.texture_name());
    let image = found.base_color_texture.map(|texture| image_name(scene, texture.texture));
    let is_same_image = match (&image, texture) {
        (Some(image), Some(name)) => image.starts_with(PLACEHOLDER_PREFIX) || stem(image) == stem(name),
        (None, None) => true,
        _ => false,
    };
    found.name == known.name
        && is_same_image
        && found.alpha == known.alpha
        && found.sidedness == known.sidedness
        && found.base_color.iter().zip(known.base_color).all(|(a, b)| (a - b).abs() <= 1e-3)
}

fn is_same_clip(
    found: &Animation,
    known: &Animation,
    names: &std::collections::BTreeMap<NodeId, NodeId>,
) -> bool {
    let target = |target: scene::Target| {
        let node = |id: NodeId| names.get(&id).copied().unwrap_or(NodeId(usize::MAX));
        match target {
            scene::Target::Translation(id) => scene::Target::Translation(node(id)),
            scene::Target::Rotation(id) => scene::Target::Rotation(node(id)),
            scene::Target::Scale(id) => scene::Target::Scale(node(id)),
            other => other,
        }
    };
    let is_near = |a: &[f32], b: &[f32]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= TOLERANCE * b.abs().max(1.0))
    };
    let known_tracks: Vec<_> = known.tracks.iter().filter(|track| !track.times.is_empty()).collect();
    found.name == known.name
        && found.tracks.len() == known_tracks.len()
        && found.tracks.iter().zip(known_tracks).all(|(a, b)| {
            target(a.target) == b.target
                && a.interpolation == b.interpolation
                && is_near(&a.times, &b.times)
                && is_near(&a.values, &b.values)
        })
}
