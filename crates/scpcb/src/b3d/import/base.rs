//! The original model of a scene, and its unedited scene.

use std::collections::{BTreeMap, VecDeque};

use asset::{Context, Install, Options, Report};
use glam::Vec3;
use scene::{AlphaMode, Material, MeshId, NodeId, Scene, SkinId};

use super::super::nodes::Nodes;
use super::super::scene::to_scene;
use super::super::{B3d, FORMAT, chunk};
use super::transform::Transform;
use crate::import::name::{PLACEHOLDER_PREFIX, image_name, stem, without_number};

/// The original model and its scene.
pub(super) struct Base<'a> {
    pub(super) model: &'a B3d,
    nodes: Nodes<'a>,
    /// The unedited scene, without images.
    pub(super) scene: Scene,
    roots: Vec<usize>,
    children: Vec<Vec<usize>>,
    /// Skinned meshes by the scene node of the model node that has the mesh.
    skinned: BTreeMap<NodeId, (MeshId, SkinId)>,
}

/// Nodes of the model that may correspond to a node of the scene, by name.
#[derive(Debug, Default)]
pub(super) struct Candidates(BTreeMap<String, VecDeque<usize>>);

impl Candidates {
    /// Removes and returns the first node with a name.
    pub(super) fn take(&mut self, name: &str) -> Option<usize> {
        let known = if self.0.contains_key(name) { name } else { without_number(name) };
        let same = self.0.get_mut(known)?;
        let number = same.pop_front();
        if same.is_empty() {
            self.0.remove(known);
        }
        number
    }
}

impl<'a> Base<'a> {
    pub(super) fn of(model: &'a B3d, scale: f32) -> Self {
        let (install, options) = (Install::empty(), Options::defaults(FORMAT.options));
        let context = Context { install: &install, location: None, options: &options };
        let scene = to_scene(model, &context, "", scale, &mut Report::new());
        let nodes = Nodes::of(model);
        let mut children = vec![Vec::new(); nodes.iter().count()];
        let mut roots = Vec::new();
        for (number, entry) in nodes.iter() {
            match entry.parent.and_then(|parent| children.get_mut(parent)) {
                Some(siblings) => siblings.push(number),
                None => roots.push(number),
            }
        }
        let skinned_mesh = |node: &scene::Node| {
            let (mesh, skin) = (node.mesh?, node.skin?);
            Some((scene.skins.get(skin.0)?.skeleton?, (mesh, skin)))
        };
        let skinned = scene.nodes.iter().filter_map(skinned_mesh).collect();
        Self { model, nodes, scene, roots, children, skinned }
    }

    /// Returns a node of the model by index.
    pub(super) fn node(&self, number: usize) -> Option<&'a chunk::Node> {
        self.nodes.get(number).map(|entry| entry.node)
    }

    /// Returns the indices of the children of a node, or of the roots.
    pub(super) fn children(&self, number: Option<usize>) -> &[usize] {
        match number {
            Some(number) => self.children.get(number).map(Vec::as_slice).unwrap_or_default(),
            None => &self.roots,
        }
    }

    /// Returns the children of a node, or the roots, by name.
    pub(super) fn candidates(&self, number: Option<usize>) -> Candidates {
        let mut candidates = Candidates::default();
        for child in self.children(number) {
            let name = self.shown(*child).map(|node| node.name.clone()).unwrap_or_default();
            candidates.0.entry(name).or_default().push_back(*child);
        }
        candidates
    }

    /// Returns the node whose mesh a node is a bone of.
    pub(super) fn mesh_node(&self, number: usize) -> Option<usize> {
        self.nodes.get(number)?.mesh_node
    }

    /// Whether a node has a mesh.
    pub(super) fn has_mesh(&self, number: usize) -> bool {
        self.nodes.get(number).is_some_and(|entry| entry.mesh.is_some())
    }

    /// Returns the bones of the mesh of a node.
    pub(super) fn bones_of(&self, mesh_node: usize) -> Vec<usize> {
        self.nodes
            .iter()
            .filter(|(_, entry)| entry.mesh_node == Some(mesh_node) && entry.bone.is_some())
            .map(|(number, _)| number)
            .collect()
    }

    /// Returns the scene node of a node of the model. The first scene node is the root of the scene.
    fn shown(&self, number: usize) -> Option<&scene::Node> {
        self.scene.nodes.get(number.saturating_add(1))
    }

    /// Returns the index of the node that a node of its scene shows.
    pub(super) fn number(&self, id: NodeId) -> Option<usize> {
        let number = id.0.checked_sub(1)?;
        self.nodes.get(number).map(|_| number)
    }

    /// Returns the original transform of a node.
    pub(super) fn transform(&self, number: usize) -> Option<Transform> {
        self.shown(number).map(Transform::of)
    }

    /// Returns the scene mesh of a node of the model: its own, or the skinned one converted from it.
    pub(super) fn mesh(&self, number: usize) -> Option<(MeshId, Option<&scene::Skin>)> {
        if let Some(mesh) = self.shown(number)?.mesh {
            return Some((mesh, None));
        }
        let (mesh, skin) = self.skinned.get(&NodeId(number.saturating_add(1)))?;
        Some((*mesh, self.scene.skins.get(skin.0)))
    }
}

/// Tolerance for equal numbers of magnitude 1: other programs round positions and rotations.
const TOLERANCE: f32 = 2e-5;

/// Whether two transforms are equal except for rounding.
pub(super) fn is_same_transform(a: Transform, b: Transform) -> bool {
    is_same_point(a.translation, b.translation)
        && is_same_point(a.scale, b.scale)
        && is_same_rotation(a.rotation, b.rotation)
}

pub(super) fn is_same_point(a: Vec3, b: Vec3) -> bool {
    // A hundredth of a unit of the game is less than a hundred thousandth of a meter.
    (a - b).abs().max_element() <= TOLERANCE * a.abs().max_element().max(0.01)
}

pub(super) fn is_same_rotation(a: glam::Quat, b: glam::Quat) -> bool {
    let difference = if a.dot(b) < 0.0 { a + b } else { a - b };
    difference.length() <= 10.0 * TOLERANCE
}

/// Whether two materials look the same, as far as other programs preserve them.
pub(super) fn is_same_material(
    (scene, given): (&Scene, &Material),
    (base_scene, before): (&Scene, &Material),
) -> bool {
    if without_number(&given.name) != without_number(&before.name) {
        return false;
    }
    let is_near = |a: [f32; 4], b: [f32; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 2e-3);
    let image = |scene: &Scene, material: &Material| {
        material.base_color_texture.map(|texture| image_name(scene, texture.texture))
    };
    let is_same_image = match (image(scene, given), image(base_scene, before)) {
        (Some(given), Some(before)) => {
            let before = before.strip_prefix(PLACEHOLDER_PREFIX).map_or(before.clone(), ToOwned::to_owned);
            given.starts_with(PLACEHOLDER_PREFIX) || stem(&given) == stem(&before)
        }
        (None, None) => true,
        _ => false,
    };
    let is_solid = |material: &Material| material.alpha == AlphaMode::Opaque;
    is_near(given.base_color, before.base_color)
        && given.sidedness == before.sidedness
        && is_solid(given) == is_solid(before)
        && is_same_image
}
