//! A model as a scene: its frames as nodes, its meshes on them, its skins and its animations.
//!
//! Everything is below one root. Frames are nodes with translation, rotation and scale; a sheared matrix becomes two of them. Lengths are
//! in meters, 256 units each, as in rooms. What is mirrored is inside out, like in the game.

mod clip;
mod decl;
mod geometry;
mod material;
mod skin;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use asset::{Context, Report};
use glam::Affine3A;
use scene::node::from_affine;
use scene::{Mesh, MeshId, Node, NodeId, Primitive, Scene};

pub(super) use self::material::extras as material_extras;

use self::geometry::MeshGeometry;
use self::material::Materials;
use self::skin::Rig;
use super::layout::{self, Frame};
use super::{XFile, warning};
use crate::axes;
use crate::model::{mirror, origin};

/// The most places where meshes are shown: a short file can name one very often.
const MAX_INSTANCES: usize = 1 << 15;

/// Axes of a matrix that are longer would overflow when it is decomposed.
const LONGEST: f32 = 1e37;

/// The model with the images it refers to, as one root of this name. Meters are multiplied by `scale`.
///
/// A mesh that is bent by frames is a root of its own, as glTF wants it.
pub(crate) fn to_scene(
    file: &XFile,
    context: &Context<'_>,
    name: &str,
    scale: f32,
    report: &mut Report,
) -> Scene {
    let scene = build(file, Some(context), name, scale, report);
    warn_not_converted(file, report);
    scene
}

/// Reports all that is wrong with a model's shapes and movements, without its images.
pub(super) fn rehearse(file: &XFile, report: &mut Report) {
    drop(build(file, None, "", 1.0, report));
}

/// The model as a scene without images and without a word of what is wrong with it.
pub(super) fn without_images(file: &XFile, scale: f32) -> Scene {
    build(file, None, "", scale, &mut Report::new())
}

/// The model as a scene; without its images where there is no context to find them in.
fn build(file: &XFile, context: Option<&Context<'_>>, name: &str, scale: f32, report: &mut Report) -> Scene {
    let mut scene = Scene::new(name);
    let root = scene.add_root(Node::named(name));
    let mut frames = Frames::new(file, scale);
    for (number, frame) in file.frames.iter().enumerate() {
        frames.add(&mut scene, root, frame, &format!("frames[{number}]"), report);
    }
    frames.uses.extend(file.top_meshes.iter().map(|mesh| Use { mesh: *mesh, node: root }));
    frames.warn(report);
    add_meshes(&mut scene, file, context, &frames, report);
    mirror::keep(&mut scene);
    clip::add(&mut scene, file, &frames, report);
    scene
}

/// A mesh, and the node in whose space it is.
#[derive(Debug, Clone, Copy)]
struct Use {
    mesh: usize,
    node: NodeId,
}

/// The frames of a model as nodes.
struct Frames<'a> {
    /// Of each name the node for the content of the frame. Of several frames with one name the last counts, like in the game.
    nodes: BTreeMap<&'a str, NodeId>,
    /// How many frames have each name.
    same_names: BTreeMap<&'a str, usize>,
    /// Names that several frames have and that were reported.
    reported: RefCell<BTreeSet<&'a str>>,
    /// Nodes that something moves, be it a frame around them.
    moved: BTreeSet<NodeId>,
    /// Names of frames that something moves.
    animated: BTreeSet<&'a str>,
    uses: Vec<Use>,
    too_many: bool,
    scale: f32,
}

impl<'a> Frames<'a> {
    fn new(file: &'a XFile, scale: f32) -> Self {
        let animations = file.animation_sets.iter().flat_map(|set| &set.animations);
        let animated = animations
            .filter(|animation| animation.keys.iter().any(|keys| !keys.times.is_empty()))
            .filter_map(|animation| animation.frame.as_deref())
            .collect();
        Self {
            nodes: BTreeMap::new(),
            same_names: BTreeMap::new(),
            reported: RefCell::default(),
            moved: BTreeSet::new(),
            animated,
            uses: Vec::new(),
            too_many: false,
            scale,
        }
    }

    /// Adds a frame and those in it. They are nested no deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
    fn add(&mut self, scene: &mut Scene, parent: NodeId, frame: &'a Frame, field: &str, report: &mut Report) {
        let name = frame.name.as_deref().unwrap_or_default();
        let matrix = self.matrix(frame, field, report);
        let mut nested = from_affine(name, matrix);
        nested.outer.extras = origin::of_field(field.to_owned());
        if self.animated.contains(name)
            && let Some(inner) = nested.inner.take()
        {
            nested.outer.rotation *= inner.rotation;
            let message = format!("the matrix of the animated frame \"{name:.80}\" is sheared");
            report.warn(&warning::SHEARED, message).in_field(field);
        }
        let (_, node) = scene.add_nested(Some(parent), nested);
        if self.moved.contains(&parent) || self.animated.contains(name) {
            self.moved.insert(node);
        }
        if !name.is_empty() {
            self.nodes.insert(name, node);
            let count = self.same_names.entry(name).or_default();
            *count = count.saturating_add(1);
        }
        for mesh in &frame.meshes {
            if self.uses.len() < MAX_INSTANCES {
                self.uses.push(Use { mesh: *mesh, node });
            } else {
                self.too_many = true;
            }
        }
        for (number, inner) in frame.frames.iter().enumerate() {
            self.add(scene, node, inner, &format!("{field}.frames[{number}]"), report);
        }
    }

    fn matrix(&self, frame: &Frame, field: &str, report: &mut Report) -> Affine3A {
        let Some(rows) = frame.matrix else { return Affine3A::IDENTITY };
        let mut matrix = axes::matrix(rows);
        matrix.translation *= self.scale;
        let sizes = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
        if matrix.is_finite() && sizes.iter().all(|axis| axis.length() < LONGEST) {
            return matrix;
        }
        report.warn(&warning::NOT_FINITE, "the matrix is not finite; using the identity").in_field(field);
        Affine3A::IDENTITY
    }

    /// The node for the content of the frame of this name.
    fn find(&self, name: &str, report: &mut Report) -> Option<NodeId> {
        let (name, count) = self.same_names.get_key_value(name)?;
        if *count > 1 && self.reported.borrow_mut().insert(name) {
            let message = format!("{count} frames are named \"{name:.80}\"; the last one is used");
            report.warn(&warning::SAME_NAME, message);
        }
        self.nodes.get(name).copied()
    }

    /// Whether an animation moves a node.
    fn is_animated(&self, node: NodeId) -> bool {
        self.moved.contains(&node)
    }

    fn warn(&self, report: &mut Report) {
        if self.too_many {
            let message = format!("only the first {MAX_INSTANCES} mesh instances are converted");
            report.warn(&warning::MANY_NODES, message);
        }
    }
}

/// The state of a mesh.
#[derive(Debug, Clone, Copy)]
enum Built {
    Nothing,
    /// It can be shown anywhere.
    Plain(MeshId),
    /// It is shown once, with its skin.
    Skinned,
}

/// Adds the meshes to their frames.
fn add_meshes(
    scene: &mut Scene,
    file: &XFile,
    context: Option<&Context<'_>>,
    frames: &Frames<'_>,
    report: &mut Report,
) {
    let mut materials = Materials::new();
    let mut built: BTreeMap<usize, Built> = BTreeMap::new();
    for Use { mesh: number, node } in &frames.uses {
        let Some(mesh) = file.meshes.get(*number) else { continue };
        let field = format!("meshes[{number}]");
        match built.get(number) {
            None => {
                let rig = Rig::new(scene, mesh, *node, frames, &field, report);
                let geometry = MeshGeometry::new(mesh, frames.scale, &field, report);
                let mut primitives = Vec::with_capacity(geometry.parts.len());
                for part in geometry.parts {
                    let material = materials.get(scene, file, context, part.material, report);
                    let influences = rig.as_ref().map(|rig| rig.influences(&part.sources));
                    let primitive = part.into_primitive(material, &scene.materials);
                    let extras = origin::of_field(field.clone());
                    primitives.push(Primitive { influences, extras, ..primitive });
                }
                let now = show(scene, mesh, primitives, rig, *node);
                built.insert(*number, now);
            }
            Some(Built::Plain(id)) => place(scene, *node, *id),
            Some(Built::Nothing) => {}
            Some(Built::Skinned) => {
                let name = mesh.name.as_deref().unwrap_or_default();
                let message = format!(
                    "the skinned mesh \"{name:.80}\" is used several times; only the first use is converted"
                );
                report.warn(&warning::SKIN_AGAIN, message).in_field(field);
            }
        }
    }
    for (number, mesh) in file.meshes.iter().enumerate() {
        if !built.contains_key(&number) {
            let name = mesh.name.as_deref().unwrap_or_default();
            let message = format!("the mesh \"{name:.80}\" is not used by any frame and is left out");
            report.warn(&warning::UNUSED_MESH, message).in_field(format!("meshes[{number}]"));
        }
    }
    if built.values().all(|built| matches!(built, Built::Nothing)) {
        report.warn(&warning::NO_GEOMETRY, "the model has no triangles to convert");
    }
}

/// Adds a mesh where it is first. One with a skin is a root: its joints alone say where it is.
fn show(
    scene: &mut Scene,
    mesh: &layout::Mesh,
    primitives: Vec<Primitive>,
    rig: Option<Rig>,
    node: NodeId,
) -> Built {
    if primitives.is_empty() {
        return Built::Nothing;
    }
    let of_frame = || scene.nodes.get(node.0).map(|node| node.name.clone()).unwrap_or_default();
    let name = mesh.name.clone().unwrap_or_else(of_frame);
    let id = scene.add_mesh(Mesh { name: name.clone(), primitives, ..Mesh::default() });
    let Some(rig) = rig else {
        place(scene, node, id);
        return Built::Plain(id);
    };
    let skin = scene.add_skin(rig.into_skin(&name));
    scene.add_root(Node { mesh: Some(id), skin: Some(skin), ..Node::named(name) });
    Built::Skinned
}

/// Shows a mesh in a node's space: on the node itself, or below it where another is shown already or where it is the model's root.
fn place(scene: &mut Scene, node: NodeId, mesh: MeshId) {
    let is_root = scene.roots.contains(&node);
    match scene.nodes.get_mut(node.0) {
        Some(frame) if frame.mesh.is_none() && !is_root => frame.mesh = Some(mesh),
        _ => {
            let name = scene.meshes.get(mesh.0).map(|mesh| mesh.name.clone()).unwrap_or_default();
            scene.add_child(node, Node { mesh: Some(mesh), ..Node::named(name) });
        }
    }
}

/// What only helps programs that make models.
fn warn_not_converted(file: &XFile, report: &mut Report) {
    let has = |is: fn(&layout::Mesh) -> bool| file.meshes.iter().filter(|mesh| is(mesh)).count();
    let counts = [
        (usize::from(file.file_header.is_some()), "Header"),
        (has(|mesh| mesh.vertex_duplication.is_some()), "VertexDuplicationIndices"),
        (has(|mesh| mesh.skin_header.is_some()), "XSkinMeshHeader"),
    ];
    let words: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, class)| format!("{count} {class}"))
        .collect();
    if !words.is_empty() {
        report.warn(&warning::NOT_NEEDED, format!("not converted: {}", words.join(", ")));
    }
}
