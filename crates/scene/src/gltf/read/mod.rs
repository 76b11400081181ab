//! Reading of glTF 2.0: a GLB file, or a `.gltf` file with the files it refers to.
//!
//! Everything a [`Scene`] supports is read except normal textures and tangents; skipped content is listed in
//! [`Read::left_out`]. Triangle strips and fans become triangle lists, primitives without indices get indices,
//! numbers of all component types become single-precision floats, [`Scene::quantize`] is undone, and a matrix becomes
//! one or two nodes as in [`node::from_affine`](crate::node::from_affine).
//!
//! Input is never trusted. Each offset and count is compared with the available data before memory is allocated, and
//! the total size of everything unpacked from buffers is limited to [`BASE_BUDGET`] bytes plus [`BUDGET_RATIO`] times
//! the size of all buffers: many accessors may refer to the same bytes, so a small file could otherwise require any
//! amount of memory.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

mod accessor;
mod animation;
mod container;
mod document;
mod image;
mod left_out;
mod material;
mod mesh;
mod node;
mod skin;
#[cfg(test)]
mod tests;
mod uri;

use std::collections::{BTreeMap, BTreeSet};

use json::Value;

pub use self::left_out::Omission;
use self::{
    container::{Buffers, Container},
    document::Document,
    left_out::Tally,
};
use super::tree::Tree;
use crate::error::{bad_gltf as bad, gltf_too_large, out_of_range, unsupported_gltf};
use crate::{Error, Extras, Scene};

/// Number of bytes that may be unpacked regardless of the size of the buffers.
pub const BASE_BUDGET: u64 = 16 << 20;

/// Number of bytes that may be unpacked per byte of the buffers.
pub const BUDGET_RATIO: u64 = 16;

/// Maximum number of JSON values in the document: objects, numbers and strings, in arrays or as members.
pub const MAX_VALUES: usize = 1 << 21;

/// A scene that was read, and the skipped content.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Read {
    /// The supported content of the file.
    pub scene: Scene,
    /// The skipped content.
    pub left_out: Vec<Omission>,
}

/// Reads a GLB file or the JSON of a `.gltf` file.
///
/// `files` returns the bytes of a file that the document refers to, given its relative path as written (with escapes
/// such as `%20` decoded). It is called once for each name. It should search only the directory of the document,
/// because the path may be absolute or contain `..`. A missing image is replaced with a placeholder and listed; a
/// missing buffer is an error.
///
/// # Errors
/// `Malformed` if the file violates the format, with the invalid object, or if the nodes do not form a tree;
/// `Unsupported` for an older version, or an extension that is required to read the file; `Limit` beyond the limits
/// above.
pub fn read(bytes: &[u8], files: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Result<Read, Error> {
    let container = Container::open(bytes)?;
    check_size(container.json)?;
    let mut document: Document =
        json::from_slice(container.json).map_err(|error| bad("JSON", error.to_string()))?;
    check_version(&document)?;
    let mut tally = Tally::default();
    check_extensions(&document, &mut tally)?;
    let buffers = Buffers::load(&document, container.binary, files)?;
    // Each mesh is dropped after it has been read, because there may be many.
    let meshes = std::mem::take(&mut document.meshes);
    let mut reader = Reader {
        budget: BASE_BUDGET.saturating_add(buffers.total().saturating_mul(BUDGET_RATIO)),
        document: &document,
        buffers,
        scene: Scene::default(),
        tally,
        textures: Vec::new(),
        lights: Vec::new(),
        innermost: BTreeMap::new(),
        skins: Vec::new(),
    };
    reader.images(files)?;
    reader.textures()?;
    reader.materials()?;
    reader.meshes(meshes)?;
    reader.lights()?;
    reader.nodes()?;
    reader.skins()?;
    reader.animations()?;
    reader.scene()?;
    Tree::new(&reader.scene)?;
    reader.scene.dequantize();
    reader.count_rest();
    Ok(Read { scene: reader.scene, left_out: reader.tally.into_list() })
}

/// The state of the scene being read.
struct Reader<'a> {
    document: &'a Document,
    buffers: Buffers,
    /// Number of bytes that may still be unpacked.
    budget: u64,
    scene: Scene,
    tally: Tally,
    /// The new index of each texture of the document; `None` if its image is not supported.
    textures: Vec<Option<crate::TextureId>>,
    /// The new index of each light of the document.
    lights: Vec<Option<crate::LightId>>,
    /// The inner nodes of sheared nodes.
    innermost: BTreeMap<crate::NodeId, crate::NodeId>,
    /// The new index of each skin of the document; `None` if it is invalid.
    skins: Vec<Option<crate::SkinId>>,
}

impl Reader<'_> {
    /// Subtracts the size of items from the budget.
    fn charge(&mut self, count: usize, size: usize, place: &str) -> Result<(), Error> {
        let bytes = u64::try_from(count.saturating_mul(size)).unwrap_or(u64::MAX);
        self.budget = self.budget.checked_sub(bytes).ok_or_else(|| {
            let problem = format!("{count} items are too many for the size of the file");
            gltf_too_large(place, problem)
        })?;
        Ok(())
    }

    /// Reads the default scene: its roots, name and extras.
    fn scene(&mut self) -> Result<(), Error> {
        let scenes = &self.document.scenes;
        let chosen = self.document.scene.unwrap_or_default();
        self.scene.copyright.clone_from(&self.document.asset.copyright);
        let Some(scene) = scenes.get(chosen) else {
            if self.document.scene.is_some() && !scenes.is_empty() {
                return Err(out_of_range("scene", chosen, scenes.len()));
            }
            // Without scenes, all nodes without a parent are roots.
            let mut is_child = vec![false; self.scene.nodes.len()];
            for child in self.scene.nodes.iter().flat_map(|node| &node.children) {
                if let Some(is_child) = is_child.get_mut(child.0) {
                    *is_child = true;
                }
            }
            let roots = is_child.iter().enumerate().filter(|(_, is_child)| !**is_child);
            self.scene.roots = roots.map(|(index, _)| crate::NodeId(index)).collect();
            return Ok(());
        };
        self.scene.name.clone_from(&scene.name);
        let mut roots: Vec<usize> = scene.nodes.clone();
        self.scene.extras = extras(&scene.extras, &mut self.tally);
        let others = scenes.iter().enumerate().filter(|(index, _)| *index != chosen).map(|(_, scene)| scene);
        if self.document.scene.is_none() {
            // There is no default scene, so all scenes are parts of one.
            let mut seen: BTreeSet<usize> = roots.iter().copied().collect();
            roots.extend(others.flat_map(|scene| &scene.nodes).filter(|node| seen.insert(**node)));
        } else {
            self.tally.add("other scenes", others.filter(|scene| !scene.nodes.is_empty()).count());
        }
        self.scene.roots = roots.into_iter().map(crate::NodeId).collect();
        Ok(())
    }

    fn count_rest(&mut self) {
        self.tally.add("cameras", self.document.cameras.len());
    }
}

/// Refuses a document with too many values. Each value starts with one of these characters or follows one; those
/// within strings only increase the estimate.
fn check_size(json: &[u8]) -> Result<(), Error> {
    let values = json.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    if values <= MAX_VALUES {
        return Ok(());
    }
    let problem = format!("it has about {values} values, but the limit is {MAX_VALUES}");
    Err(gltf_too_large("JSON", problem))
}

fn check_version(document: &Document) -> Result<(), Error> {
    match document.asset.version.as_str() {
        "" => Err(bad("asset", "it has no version")),
        version if version.starts_with("2.") => Ok(()),
        version => Err(unsupported_gltf(format!("unsupported version {version:.20} (supported: 2.0)"))),
    }
}

/// Fully supported extensions.
const KNOWN: &[&str] = &[
    "KHR_lights_punctual",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "MOZ_lightmap",
    "KHR_animation_pointer",
    "OMI_physics_body",
    "OMI_physics_shape",
];

/// Refuses a file that requires an unsupported extension. Extensions that only add material properties can be ignored.
fn check_extensions(document: &Document, tally: &mut Tally) -> Result<(), Error> {
    let is_known = |name: &String| KNOWN.contains(&name.as_str());
    for name in document.extensions_required.iter().filter(|name| !is_known(name)) {
        if !name.starts_with("KHR_materials_") {
            let problem = format!("it requires the unknown extension {name:.60}");
            return Err(unsupported_gltf(problem));
        }
    }
    for name in document.extensions_used.iter().filter(|name| !is_known(name)) {
        tally.add(format!("the extension {name:.60}"), 1);
    }
    Ok(())
}

/// Returns extras in the format of a scene. glTF allows any value, but in practice they are objects.
fn extras(value: &Value, tally: &mut Tally) -> Extras {
    match value {
        Value::Object(members) => members.clone(),
        Value::Null => Extras::new(),
        _ => {
            tally.add("extras that are not an object", 1);
            Extras::new()
        }
    }
}

/// Refuses numbers that exceed the range of single-precision floats.
fn finite(numbers: &[f32], place: impl FnOnce() -> String) -> Result<(), Error> {
    if numbers.iter().all(|number| number.is_finite()) {
        return Ok(());
    }
    Err(bad(place(), "it has a non-finite number"))
}
