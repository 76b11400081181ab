//! The model that a scene was converted from, which conversions embed in the extras of the root. Everything unedited is taken from it bit
//! for bit.
//!
//! `extras.rsm` of the root contains `file`, [the embedded file](scene::embedded), and the options that affect the scene, such as
//! `first_key` and `recenter`.

use std::collections::BTreeMap;

use asset::{Context, Install, Options, Report};
use json::{Map, Value};
use record::Result;
use scene::{Scene, embedded};

use super::super::scene::{ModelOptions, to_scene};
use super::super::{Mesh, Name, Rsm, Version};

/// Maximum length of a name that the game reads, in bytes.
const MAX_NAME_LEN: usize = 39;

/// A model, and the scene that it is converted to.
pub(super) struct Original {
    pub(super) model: Rsm,
    pub(super) scene: Scene,
}

impl Original {
    /// Finds the original of a scene, if it has one.
    pub(super) fn find(scene: &Scene) -> Option<Self> {
        let root = scene.nodes.iter().find(|node| node.extras.get("rsm").is_some_and(Value::is_object))?;
        let properties = root.extras.get("rsm")?.as_object()?;
        let bytes = embedded::decode(properties.get("file")?.as_str()?)?;
        let model = Rsm::read(&bytes, &mut Report::new()).ok()?;
        let units =
            root.extras.get("units_per_meter").and_then(Value::as_f64).filter(|units| units.is_normal());
        let options = Options::parse(ModelOptions::DECLARED, &options(properties)).ok()?;
        let install = Install::empty();
        let context = Context { install: &install, location: None, options: &options };
        let scale = 1.0 / units.unwrap_or(1.0);
        let mut scene = to_scene(&model, &context, &root.name, scale, &mut Report::new());
        for node in &mut scene.nodes {
            // As if the extras had been read from a file.
            if let Some(packed) = node.packed_extras.take() {
                node.extras = packed.unpacked();
            }
        }
        Some(Self { model, scene })
    }

    /// Takes all unedited fields of a model from the original. `unedited` is the model imported from the scene of the original.
    pub(super) fn restore(&self, model: &mut Rsm, unedited: &Rsm) {
        if model.version != self.model.version || model.version != unedited.version {
            return;
        }
        let known = &self.model;
        let mut meshes = self.matched(model, unedited);
        let mut textures = known.textures.clone();
        for (mesh, matched) in &mut meshes {
            let names = names(model, mesh);
            let is_kept = matched.as_ref().is_some_and(|matched| {
                has_same_geometry(mesh, matched.unedited) && names == self::names(unedited, matched.unedited)
            });
            if let Some(matched) = matched {
                matched.restore(mesh, is_kept);
            }
            if !is_kept && let Some(all) = &mut textures {
                mesh.texture_indices = Some(names.into_iter().map(|name| index_of(all, name)).collect());
            }
        }
        self.add_hidden(unedited, &mut meshes);
        meshes.sort_by_key(|(_, matched)| matched.as_ref().map_or(usize::MAX, |matched| matched.number));
        model.textures = textures;
        model.meshes = meshes.into_iter().map(|(mesh, _)| mesh).collect();
        keep(&mut model.animation_length, &unedited.animation_length, &known.animation_length);
        keep(&mut model.shade_type, &unedited.shade_type, &known.shade_type);
        keep(&mut model.alpha, &unedited.alpha, &known.alpha);
        keep(&mut model.frames_per_second, &unedited.frames_per_second, &known.frames_per_second);
        // Other programs sort nodes by name.
        if sorted(&model.roots) == sorted(&unedited.roots) {
            model.roots.clone_from(&known.roots);
        }
        keep(&mut model.volume_boxes, &unedited.volume_boxes, &known.volume_boxes);
        model.signature = known.signature;
        model.reserved = known.reserved;
        model.extra_word = known.extra_word;
        model.model_keys.clone_from(&known.model_keys);
        model.trailing.clone_from(&known.trailing);
    }

    /// Returns the meshes of a model, each with its original of the same name and the unedited import of it.
    fn matched<'a>(&'a self, model: &Rsm, unedited: &'a Rsm) -> Vec<(Mesh, Option<Matched<'a>>)> {
        let mut known = by_name(&self.model.meshes);
        let mut plain = by_name(&unedited.meshes);
        let meshes = model.meshes.iter().map(|mesh| {
            let key = key(mesh);
            let matched = plain.get_mut(key).and_then(pop).zip(known.get_mut(key).and_then(pop));
            (
                mesh.clone(),
                matched.map(|((_, unedited), (number, known))| Matched { number, known, unedited }),
            )
        });
        meshes.collect()
    }

    /// Adds the meshes that the scene of the original does not contain.
    fn add_hidden<'a>(&'a self, unedited: &Rsm, meshes: &mut Vec<(Mesh, Option<Matched<'a>>)>) {
        let mut shown = by_name(&unedited.meshes);
        for (number, known) in self.model.meshes.iter().enumerate() {
            if shown.get_mut(key(known)).and_then(pop).is_none() {
                meshes.push((known.clone(), Some(Matched { number, known, unedited: known })));
            }
        }
    }
}

/// Returns the conversion options stored in the root.
fn options(properties: &Map<String, Value>) -> Vec<(String, String)> {
    let mut out = Vec::new();
    if let Some(first_key) = properties.get("first_key").and_then(Value::as_str) {
        out.push(("first-key".to_owned(), first_key.to_owned()));
    }
    if properties.get("recenter").and_then(Value::as_bool).unwrap_or_default() {
        out.push(("recenter".to_owned(), "true".to_owned()));
    }
    if properties.contains_key("ticks_per_second") {
        out.push(("time-unit".to_owned(), "tick".to_owned()));
    }
    // Meshes that are otherwise not converted may be in the scene.
    if properties.get("orphans").and_then(Value::as_bool).unwrap_or_default() {
        out.push(("orphans".to_owned(), "true".to_owned()));
    }
    out
}

/// Returns the part of a name that the game reads. Longer names are shortened.
fn key(mesh: &Mesh) -> &[u8] {
    let bytes = mesh.name.bytes();
    bytes.get(..MAX_NAME_LEN).unwrap_or(bytes)
}

/// Meshes by name, in order.
type ByName<'a> = BTreeMap<&'a [u8], std::collections::VecDeque<(usize, &'a Mesh)>>;

fn by_name(meshes: &[Mesh]) -> ByName<'_> {
    let mut out = ByName::new();
    for (number, mesh) in meshes.iter().enumerate() {
        out.entry(key(mesh)).or_default().push_back((number, mesh));
    }
    out
}

fn pop<T>(list: &mut std::collections::VecDeque<T>) -> Option<T> {
    list.pop_front()
}

/// The original of a mesh, and its unedited import.
struct Matched<'a> {
    number: usize,
    known: &'a Mesh,
    unedited: &'a Mesh,
}

impl Matched<'_> {
    /// Takes all unedited fields from the original. `is_kept` is whether the geometry with its textures is unedited.
    fn restore(&self, mesh: &mut Mesh, is_kept: bool) {
        let Self { known, unedited, .. } = self;
        if is_kept {
            mesh.vertices.clone_from(&known.vertices);
            mesh.texture_vertices.clone_from(&known.texture_vertices);
            mesh.faces.clone_from(&known.faces);
            mesh.texture_indices.clone_from(&known.texture_indices);
            mesh.textures.clone_from(&known.textures);
            keep(&mut mesh.texture_animations, &unedited.texture_animations, &known.texture_animations);
        }
        let transform = |mesh: &Mesh| {
            (mesh.matrix, mesh.offset, mesh.position, mesh.rotation_angle, mesh.rotation_axis, mesh.scale)
        };
        if transform(mesh) == transform(unedited) {
            (mesh.matrix, mesh.offset, mesh.position, mesh.rotation_angle, mesh.rotation_axis, mesh.scale) =
                transform(known);
        }
        mesh.name.clone_from(&known.name);
        keep(&mut mesh.parent, &unedited.parent, &known.parent);
        keep(&mut mesh.scale_keys, &unedited.scale_keys, &known.scale_keys);
        keep(&mut mesh.rotation_keys, &unedited.rotation_keys, &known.rotation_keys);
        keep(&mut mesh.position_keys, &unedited.position_keys, &known.position_keys);
    }
}

fn sorted(names: &[Name]) -> Vec<&[u8]> {
    let mut names: Vec<_> = names.iter().map(Name::bytes).collect();
    names.sort_unstable();
    names
}

/// Takes a value from the original if it is unedited.
fn keep<T: Clone + PartialEq>(value: &mut T, unedited: &T, known: &T) {
    if value == unedited {
        value.clone_from(known);
    }
}

fn has_same_geometry(a: &Mesh, b: &Mesh) -> bool {
    a.vertices == b.vertices && a.texture_vertices == b.texture_vertices && a.faces == b.faces
}

/// Returns the textures of a mesh.
fn names(model: &Rsm, mesh: &Mesh) -> Vec<Name> {
    model.textures_of(mesh).map(|name| name.cloned().unwrap_or_default()).collect()
}

/// Returns the index of a name in a list, to which it is added if it is missing.
fn index_of(list: &mut Vec<Name>, name: Name) -> i32 {
    let at = list.iter().position(|other| other.bytes() == name.bytes()).unwrap_or_else(|| {
        list.push(name);
        list.len().saturating_sub(1)
    });
    i32::try_from(at).unwrap_or(i32::MAX)
}

/// Imports a scene as a model of the given version.
pub(super) fn built(
    scene: &Scene,
    version: Version,
    build: impl Fn(&Scene, &mut Report) -> Result<Rsm>,
) -> Option<Rsm> {
    let report = &mut Report::new();
    let mut model = build(scene, report).ok()?.to_version(version, report);
    model.shorten_names(report);
    Some(model)
}
