//! Converts a model to a scene: frames become nodes, with meshes, skins and animations.
//!
//! Everything is below one root. Frames are nodes with translation, rotation and scale; a sheared matrix becomes two nodes. Lengths
//! are in meters, 256 units each, as in rooms. Mirrored geometry is inside out, as in the game.

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

/// Maximum number of mesh instances: a short file can refer to a mesh very often.
const MAX_INSTANCES: usize = 1 << 15;

/// Maximum length of the axes of a matrix. Longer ones would overflow in the decomposition.
const MAX_AXIS_LENGTH: f32 = 1e37;

/// Converts the model with the images it refers to, below one root of this name. Meters are multiplied by `scale`.
///
/// A skinned mesh is a separate root, as glTF requires.
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

/// Reports all defects of a model's geometry and animations, without its images.
pub(super) fn check_conversion(file: &XFile, report: &mut Report) {
    drop(build(file, None, "", 1.0, report));
}

/// Converts a model without images and without reports.
pub(super) fn without_images(file: &XFile, scale: f32) -> Scene {
    build(file, None, "", scale, &mut Report::new())
}

/// Converts a model; without images if there is no context.
fn build(file: &XFile, context: Option<&Context<'_>>, name: &str, scale: f32, report: &mut Report) -> Scene {
    let mut scene = Scene::new(name);
    let root = scene.add_root(Node::named(name));
    let mut frames = Frames::new(file, scale);
    for (number, frame) in file.frames.iter().enumerate() {
        frames.add(&mut scene, root, frame, &format!("frames[{number}]"), report);
    }
    frames.instances.extend(file.top_meshes.iter().map(|mesh| MeshInstance { mesh: *mesh, node: root }));
    frames.warn(report);
    add_meshes(&mut scene, file, context, &frames, report);
    mirror::flip_mirrored_meshes(&mut scene);
    clip::add(&mut scene, file, &frames, report);
    scene
}

/// A mesh instance: a mesh, and the node in whose space it is.
#[derive(Debug, Clone, Copy)]
struct MeshInstance {
    mesh: usize,
    node: NodeId,
}

/// The frames of a model as nodes.
struct Frames<'a> {
    /// Node for the contents of each frame, by name. Of several frames with one name, the last one is used, as in the game.
    nodes: BTreeMap<&'a str, NodeId>,
    /// Number of frames with each name.
    same_names: BTreeMap<&'a str, usize>,
    /// Duplicate names that were reported.
    reported: RefCell<BTreeSet<&'a str>>,
    /// Nodes that are animated, directly or by an ancestor.
    moved: BTreeSet<NodeId>,
    /// Names of animated frames.
    animated: BTreeSet<&'a str>,
    instances: Vec<MeshInstance>,
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
            instances: Vec::new(),
            too_many: false,
            scale,
        }
    }

    /// Adds a frame with its descendants. They are nested no deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
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
            if self.instances.len() < MAX_INSTANCES {
                self.instances.push(MeshInstance { mesh: *mesh, node });
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
        if matrix.is_finite() && sizes.iter().all(|axis| axis.length() < MAX_AXIS_LENGTH) {
            return matrix;
        }
        report.warn(&warning::NOT_FINITE, "the matrix is not finite; using the identity").in_field(field);
        Affine3A::IDENTITY
    }

    /// Returns the node for the contents of the frame with this name.
    fn find(&self, name: &str, report: &mut Report) -> Option<NodeId> {
        let (name, count) = self.same_names.get_key_value(name)?;
        if *count > 1 && self.reported.borrow_mut().insert(name) {
            let message = format!("{count} frames are named \"{name:.80}\"; the last one is used");
            report.warn(&warning::SAME_NAME, message);
        }
        self.nodes.get(name).copied()
    }

    /// Whether a node is animated, directly or by an ancestor.
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
    Empty,
    /// Can be instantiated anywhere.
    Plain(MeshId),
    /// Instantiated once, with its skin.
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
    for MeshInstance { mesh: number, node } in &frames.instances {
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
            Some(Built::Plain(id)) => attach(scene, *node, *id),
            Some(Built::Empty) => {}
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
    if built.values().all(|built| matches!(built, Built::Empty)) {
        report.warn(&warning::NO_GEOMETRY, "the model has no triangles to convert");
    }
}

/// Adds the first instance of a mesh. A skinned mesh is a root, because only its joints transform it.
fn show(
    scene: &mut Scene,
    mesh: &layout::Mesh,
    primitives: Vec<Primitive>,
    rig: Option<Rig>,
    node: NodeId,
) -> Built {
    if primitives.is_empty() {
        return Built::Empty;
    }
    let frame_name = || scene.nodes.get(node.0).map(|node| node.name.clone()).unwrap_or_default();
    let name = mesh.name.clone().unwrap_or_else(frame_name);
    let id = scene.add_mesh(Mesh { name: name.clone(), primitives, ..Mesh::default() });
    let Some(rig) = rig else {
        attach(scene, node, id);
        return Built::Plain(id);
    };
    let skin = scene.add_skin(rig.into_skin(&name));
    scene.add_root(Node { mesh: Some(id), skin: Some(skin), ..Node::named(name) });
    Built::Skinned
}

/// Attaches a mesh to a node, or to a child of it if the node already has a mesh or is the model's root.
fn attach(scene: &mut Scene, node: NodeId, mesh: MeshId) {
    let is_root = scene.roots.contains(&node);
    match scene.nodes.get_mut(node.0) {
        Some(frame) if frame.mesh.is_none() && !is_root => frame.mesh = Some(mesh),
        _ => {
            let name = scene.meshes.get(mesh.0).map(|mesh| mesh.name.clone()).unwrap_or_default();
            scene.add_child(node, Node { mesh: Some(mesh), ..Node::named(name) });
        }
    }
}

/// Reports objects that only help modeling programs.
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
