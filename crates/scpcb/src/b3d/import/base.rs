//! The model that a scene was made of, and what the scene showed of it.

use std::collections::{BTreeMap, VecDeque};

use asset::{Context, Install, Options, Report};
use glam::Vec3;
use scene::{AlphaMode, Material, MeshId, NodeId, Scene, SkinId};

use super::super::nodes::Nodes;
use super::super::scene::to_scene;
use super::super::{B3d, FORMAT, chunk};
use super::place::Place;
use crate::import::name::{STAND_IN, image_name, stem, without_number};

/// The model and its scene.
pub(super) struct Base<'a> {
    pub(super) model: &'a B3d,
    nodes: Nodes<'a>,
    /// As it was before anybody edited it, without images.
    pub(super) scene: Scene,
    roots: Vec<usize>,
    children: Vec<Vec<usize>>,
    /// The meshes with skins, by the node of the scene that has the mesh in the model.
    skinned: BTreeMap<NodeId, (MeshId, SkinId)>,
}

/// Nodes of the model that a node of the scene may be, by their names.
#[derive(Debug, Default)]
pub(super) struct Candidates(BTreeMap<String, VecDeque<usize>>);

impl Candidates {
    /// Takes the node of a name: of several the first.
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
        let worn = |node: &scene::Node| {
            let (mesh, skin) = (node.mesh?, node.skin?);
            Some((scene.skins.get(skin.0)?.skeleton?, (mesh, skin)))
        };
        let skinned = scene.nodes.iter().filter_map(worn).collect();
        Self { model, nodes, scene, roots, children, skinned }
    }

    /// A node of the model by its number.
    pub(super) fn node(&self, number: usize) -> Option<&'a chunk::Node> {
        self.nodes.get(number).map(|entry| entry.node)
    }

    /// The numbers of the nodes directly below one, or of the roots.
    pub(super) fn children(&self, number: Option<usize>) -> &[usize] {
        match number {
            Some(number) => self.children.get(number).map(Vec::as_slice).unwrap_or_default(),
            None => &self.roots,
        }
    }

    /// The same by their names.
    pub(super) fn candidates(&self, number: Option<usize>) -> Candidates {
        let mut candidates = Candidates::default();
        for child in self.children(number) {
            let name = self.shown(*child).map(|node| node.name.clone()).unwrap_or_default();
            candidates.0.entry(name).or_default().push_back(*child);
        }
        candidates
    }

    /// The node whose mesh a node is a bone of.
    pub(super) fn mesh_node(&self, number: usize) -> Option<usize> {
        self.nodes.get(number)?.mesh_node
    }

    /// Whether a node has a mesh.
    pub(super) fn has_mesh(&self, number: usize) -> bool {
        self.nodes.get(number).is_some_and(|entry| entry.mesh.is_some())
    }

    /// The nodes whose bones influence the mesh of a node.
    pub(super) fn bones_of(&self, mesh_node: usize) -> Vec<usize> {
        self.nodes
            .iter()
            .filter(|(_, entry)| entry.mesh_node == Some(mesh_node) && entry.bone.is_some())
            .map(|(number, _)| number)
            .collect()
    }

    /// The node of the scene that shows a node of the model: the first is the root of the scene.
    fn shown(&self, number: usize) -> Option<&scene::Node> {
        self.scene.nodes.get(number.saturating_add(1))
    }

    /// The number of the node that a node of its scene shows.
    pub(super) fn number(&self, id: NodeId) -> Option<usize> {
        let number = id.0.checked_sub(1)?;
        self.nodes.get(number).map(|_| number)
    }

    /// Where a node stood.
    pub(super) fn place(&self, number: usize) -> Option<Place> {
        self.shown(number).map(Place::of)
    }

    /// The mesh that a node of the model showed: its own, or the one with a skin that is made of it.
    pub(super) fn mesh(&self, number: usize) -> Option<(MeshId, Option<&scene::Skin>)> {
        if let Some(mesh) = self.shown(number)?.mesh {
            return Some((mesh, None));
        }
        let (mesh, skin) = self.skinned.get(&NodeId(number.saturating_add(1)))?;
        Some((*mesh, self.scene.skins.get(skin.0)))
    }
}

/// How far apart two numbers of a size of 1 may be and still be considered equal: other programs round places and turns on the
/// way.
const SAME: f32 = 2e-5;

/// Whether two places are the same but for rounding.
pub(super) fn is_same_place(a: Place, b: Place) -> bool {
    is_same_point(a.translation, b.translation)
        && is_same_point(a.scale, b.scale)
        && is_same_turn(a.rotation, b.rotation)
}

pub(super) fn is_same_point(a: Vec3, b: Vec3) -> bool {
    // A hundredth of a unit of the game is less than a hundred thousandth of a meter.
    (a - b).abs().max_element() <= SAME * a.abs().max_element().max(0.01)
}

pub(super) fn is_same_turn(a: glam::Quat, b: glam::Quat) -> bool {
    let difference = if a.dot(b) < 0.0 { a + b } else { a - b };
    difference.length() <= 10.0 * SAME
}

/// Whether two materials look the same, as far as other programs keep it.
pub(super) fn is_same_material(
    (scene, given): (&Scene, &Material),
    (base_scene, before): (&Scene, &Material),
) -> bool {
    if without_number(&given.name) != without_number(&before.name) {
        return false;
    }
    let is_near = |a: [f32; 4], b: [f32; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 2e-3);
    let picture = |scene: &Scene, material: &Material| {
        material.base_color_texture.map(|texture| image_name(scene, texture.texture))
    };
    let is_same_picture = match (picture(scene, given), picture(base_scene, before)) {
        (Some(given), Some(before)) => {
            let before = before.strip_prefix(STAND_IN).map_or(before.clone(), ToOwned::to_owned);
            given.starts_with(STAND_IN) || stem(&given) == stem(&before)
        }
        (None, None) => true,
        _ => false,
    };
    let is_solid = |material: &Material| material.alpha == AlphaMode::Opaque;
    is_near(given.base_color, before.base_color)
        && given.sidedness == before.sidedness
        && is_solid(given) == is_solid(before)
        && is_same_picture
}
