//! Reading glTF 2.0: a GLB file, or a `.gltf` with the files it names.
//!
//! Everything a [`Scene`] holds is read except normal textures and tangents; what is passed over is listed in [`Read::left_out`]. Triangle strips and fans become triangle lists, primitives without indices get some, numbers of all
//! component types become single floats, what [`Scene::quantize`] did is undone, a matrix becomes one or two nodes as in
//! [`node::from_affine`](crate::node::from_affine).
//!
//! Bytes from outside are never trusted. Each offset and count is compared with what is there before memory is taken, and all
//! that is unpacked from buffers stays within [`SPARE`] bytes and [`RATIO`] times the buffers together: many accessors may show the
//! same bytes, so a small file could ask for any amount.

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

/// Bytes that may be unpacked whatever the size of the buffers.
pub const SPARE: u64 = 16 << 20;

/// How many bytes may be unpacked for each byte of the buffers.
pub const RATIO: u64 = 16;

/// How many values the document may have: things, numbers and texts, in lists or with names.
pub const MOST_VALUES: usize = 1 << 21;

/// A scene that was read, and what was passed over.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Read {
    /// What the file holds.
    pub scene: Scene,
    /// What it holds beyond that.
    pub left_out: Vec<Omission>,
}

/// Reads a GLB file or the JSON of a `.gltf`.
///
/// `files` gives the bytes of a file that is named in the document, by its relative path as it stands there (with `%20` and the
/// like undone). It is asked once for each name. It should look nowhere but beside the file: the path may be absolute, or lead
/// upwards. An image that is not there becomes a stand-in and is listed; a buffer that is not there is an error.
///
/// # Errors
/// `Malformed` for what does not follow the format, with the thing in the document, and for nodes that are no tree; `Unsupported`
/// for an older version or an extension without which the file cannot be read; `Limit` beyond the limits above.
pub fn read(bytes: &[u8], files: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Result<Read, Error> {
    let container = Container::open(bytes)?;
    check_size(container.json)?;
    let mut document: Document =
        json::from_slice(container.json).map_err(|error| bad("JSON", error.to_string()))?;
    check_version(&document)?;
    let mut tally = Tally::default();
    check_extensions(&document, &mut tally)?;
    let buffers = Buffers::load(&document, container.binary, files)?;
    // Each is dropped when it has been read: there may be very many.
    let meshes = std::mem::take(&mut document.meshes);
    let mut reader = Reader {
        budget: SPARE.saturating_add(buffers.total().saturating_mul(RATIO)),
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

/// What is read so far.
struct Reader<'a> {
    document: &'a Document,
    buffers: Buffers,
    /// Bytes that may still be unpacked.
    budget: u64,
    scene: Scene,
    tally: Tally,
    /// Where each texture of the document went; `None` for one whose image is of no known kind.
    textures: Vec<Option<crate::TextureId>>,
    /// The same for lights.
    lights: Vec<Option<crate::LightId>>,
    /// The inner nodes of sheared nodes.
    innermost: BTreeMap<crate::NodeId, crate::NodeId>,
    /// Where each skin of the document went; `None` for one that is invalid.
    skins: Vec<Option<crate::SkinId>>,
}

impl Reader<'_> {
    /// Takes from what may be unpacked.
    fn charge(&mut self, count: usize, size: usize, place: &str) -> Result<(), Error> {
        let bytes = u64::try_from(count.saturating_mul(size)).unwrap_or(u64::MAX);
        self.budget = self.budget.checked_sub(bytes).ok_or_else(|| {
            let problem = format!("{count} items are too many for the size of the file");
            gltf_too_large(place, problem)
        })?;
        Ok(())
    }

    /// The scene that is to be shown: its roots, its name and its extras.
    fn scene(&mut self) -> Result<(), Error> {
        let scenes = &self.document.scenes;
        let chosen = self.document.scene.unwrap_or_default();
        self.scene.copyright.clone_from(&self.document.asset.copyright);
        let Some(scene) = scenes.get(chosen) else {
            if self.document.scene.is_some() && !scenes.is_empty() {
                return Err(out_of_range("scene", chosen, scenes.len()));
            }
            // Without scenes, whoever has no parent stands in it.
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
            // No scene comes before the others: all of them are parts of one.
            let mut met: BTreeSet<usize> = roots.iter().copied().collect();
            roots.extend(others.flat_map(|scene| &scene.nodes).filter(|node| met.insert(**node)));
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

/// Refuses a document with too many values. Each begins with one of these characters or follows one; some stand in texts, which only
/// makes the count higher.
fn check_size(json: &[u8]) -> Result<(), Error> {
    let values = json.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    if values <= MOST_VALUES {
        return Ok(());
    }
    let problem = format!("it has about {values} values, but the limit is {MOST_VALUES}");
    Err(gltf_too_large("JSON", problem))
}

fn check_version(document: &Document) -> Result<(), Error> {
    match document.asset.version.as_str() {
        "" => Err(bad("asset", "it has no version")),
        version if version.starts_with("2.") => Ok(()),
        version => Err(unsupported_gltf(format!("unsupported version {version:.20} (supported: 2.0)"))),
    }
}

/// Extensions that are read in full.
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

/// Refuses a file that cannot be understood without an extension that is not read. One that only tells more of materials can.
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

/// Extras as a scene keeps them. glTF allows any value, but an object is what everybody writes.
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

/// Refuses numbers beyond what a single float can hold.
fn finite(numbers: &[f32], place: impl FnOnce() -> String) -> Result<(), Error> {
    if numbers.iter().all(|number| number.is_finite()) {
        return Ok(());
    }
    Err(bad(place(), "it has a non-finite number"))
}
