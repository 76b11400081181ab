//! The nodes of a model and the corresponding scene nodes.

use asset::Report;
use glam::{DAffine3, DQuat, Quat, Vec3};
use scene::{Node, NodeId, Scene};

use super::brush::BrushTable;
use super::chunk::{self, Chunk};
use super::layout::Bone;
use super::{B3d, name, warning};
use crate::axes;
use crate::model::origin;

/// Maximum number of nodes for which the origin field is recorded: the paths of deeply nested nodes are long.
const MAX_NAMED: usize = 4096;

/// A node of the model with its scene node.
#[derive(Debug)]
pub(super) struct NodeEntry<'a> {
    pub(super) node: &'a chunk::Node,
    /// The scene node; an invalid ID until it is added.
    pub(super) id: NodeId,
    /// Index of its parent.
    pub(super) parent: Option<usize>,
    /// Index in the chunks of its parent.
    index: usize,
    pub(super) mesh: Option<&'a chunk::Mesh>,
    pub(super) bone: Option<&'a Bone>,
    /// Index of the node whose mesh it is a bone of.
    pub(super) mesh_node: Option<usize>,
    /// Transform to the parent's space.
    pub(super) matrix: DAffine3,
}

/// All nodes of the model, parents first.
#[derive(Debug, Default)]
pub(super) struct Nodes<'a> {
    entries: Vec<NodeEntry<'a>>,
    /// Indices of the bones of each node that has a mesh.
    bones: Vec<Vec<usize>>,
}

impl<'a> Nodes<'a> {
    pub(super) fn of(file: &'a B3d) -> Self {
        let mut nodes = Self::default();
        nodes.add(&file.chunks, None, None);
        nodes.bones = vec![Vec::new(); nodes.entries.len()];
        for (index, entry) in nodes.entries.iter().enumerate().filter(|(_, entry)| entry.bone.is_some()) {
            if let Some(bones) = entry.mesh_node.and_then(|mesh| nodes.bones.get_mut(mesh)) {
                bones.push(index);
            }
        }
        nodes
    }

    fn add(&mut self, chunks: &'a [Chunk], parent: Option<usize>, mesh_node: Option<usize>) {
        for (index, chunk) in chunks.iter().enumerate() {
            let Chunk::Node(node) = chunk else { continue };
            let number = self.entries.len();
            let (mesh, bone) = roles(node);
            let (id, matrix) = (NodeId(usize::MAX), DAffine3::IDENTITY);
            self.entries.push(NodeEntry { node, id, parent, index, mesh, bone, mesh_node, matrix });
            let mesh_node = if mesh.is_some() { Some(number) } else { mesh_node };
            self.add(&node.chunks, Some(number), mesh_node);
        }
    }

    /// Adds the nodes to the scene.
    pub(super) fn add_to_scene(
        &mut self,
        scene: &mut Scene,
        root: NodeId,
        (brushes, scale): (&BrushTable<'_>, f32),
        report: &mut Report,
    ) {
        // Exact, since there may be many nodes: growing by doubling would use up to twice the memory.
        scene.nodes.reserve_exact(self.entries.len());
        for number in 0..self.entries.len() {
            let Some(entry) = self.entries.get(number) else { continue };
            let parent =
                entry.parent.and_then(|parent| self.entries.get(parent)).map_or(root, |parent| parent.id);
            let ConvertedNode { mut node, is_valid } = scene_node(entry, number, brushes, scale);
            if self.entries.len() <= MAX_NAMED {
                node.extras.extend(origin::of_field(self.field(number)));
            }
            let matrix = matrix(&node);
            let id = scene.add_child(parent, node);
            if !is_valid {
                let message = "the position, rotation or scale is not finite; using the default";
                report.warn(&warning::NOT_FINITE, message).in_field(self.field(number));
            }
            if let Some(entry) = self.entries.get_mut(number) {
                (entry.id, entry.matrix) = (id, matrix);
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &NodeEntry<'a>)> {
        self.entries.iter().enumerate()
    }

    pub(super) fn get(&self, index: usize) -> Option<&NodeEntry<'a>> {
        self.entries.get(index)
    }

    /// Returns the bones of a mesh.
    pub(super) fn bones(&self, mesh: usize) -> Vec<&'a Bone> {
        self.bone_indices(mesh)
            .iter()
            .filter_map(|bone| self.get(*bone).and_then(|entry| entry.bone))
            .collect()
    }

    pub(super) fn bone_indices(&self, mesh: usize) -> &[usize] {
        self.bones.get(mesh).map(Vec::as_slice).unwrap_or_default()
    }

    /// Warns about bones with weights that have no mesh among their ancestors.
    pub(super) fn warn_bones_without_mesh(&self, report: &mut Report) {
        for (index, entry) in self.iter().filter(|(_, entry)| entry.mesh_node.is_none()) {
            if entry.bone.is_some_and(|bone| !bone.weights.is_empty()) {
                let message = "the bone is not below a mesh; its weights are left out";
                report.warn(&warning::BONE_WITHOUT_MESH, message).in_field(self.field(index));
            }
        }
    }

    /// Returns the field path of a node, such as `chunks[2].chunks[0]`.
    pub(super) fn field(&self, index: usize) -> String {
        let mut steps = Vec::new();
        let mut next = self.get(index);
        while let Some(entry) = next {
            steps.push(format!("chunks[{}]", entry.index));
            next = entry.parent.and_then(|parent| self.get(parent));
        }
        steps.reverse();
        steps.join(".")
    }

    /// Returns the matrix from the space of a bone to the space of the mesh node's parent.
    #[expect(clippy::arithmetic_side_effects, reason = "matrices of floats cannot overflow")]
    pub(super) fn matrix_outside(&self, bone: usize, mesh: usize) -> DAffine3 {
        let mut matrix = DAffine3::IDENTITY;
        let mut next = Some(bone);
        while let Some((index, entry)) = next.and_then(|index| Some((index, self.get(index)?))) {
            matrix = entry.matrix * matrix;
            next = entry.parent.filter(|_| index != mesh);
        }
        matrix
    }
}

/// Returns the mesh and bone of a node. Of several, the engine uses the last one.
fn roles(node: &chunk::Node) -> (Option<&chunk::Mesh>, Option<&Bone>) {
    let (mut mesh, mut bone) = (None, None);
    for chunk in &node.chunks {
        match chunk {
            Chunk::Mesh(chunk) => mesh = Some(chunk),
            Chunk::Bone(chunk) => bone = Some(chunk),
            _ => {}
        }
    }
    (mesh, bone)
}

struct ConvertedNode {
    node: Node,
    is_valid: bool,
}

fn scene_node(entry: &NodeEntry<'_>, number: usize, brushes: &BrushTable<'_>, scale: f32) -> ConvertedNode {
    let node = entry.node;
    let translation = axes::position(node.position) * scale;
    let size = Vec3::from(node.scale);
    let rotation = node.rotation.iter().all(|number| number.is_finite()) && node.rotation != [0.0; 4];
    let (name, extras) = name::of_node(node, number, entry.mesh, brushes);
    ConvertedNode {
        is_valid: translation.is_finite() && size.is_finite() && rotation,
        node: Node {
            name,
            translation: if translation.is_finite() { translation } else { Vec3::ZERO },
            rotation: finite_rotation(axes::orientation(node.rotation)),
            scale: if size.is_finite() { size } else { Vec3::ONE },
            extras,
            ..Node::default()
        },
    }
}

/// Returns the rotation, or the identity if its length underflowed to zero because its components are tiny.
fn finite_rotation(rotation: Quat) -> Quat {
    if rotation.is_finite() && rotation.length_squared() > 0.5 { rotation } else { Quat::IDENTITY }
}

fn matrix(node: &Node) -> DAffine3 {
    let rotation: DQuat = node.rotation.as_dquat().normalize();
    DAffine3::from_scale_rotation_translation(node.scale.as_dvec3(), rotation, node.translation.as_dvec3())
}
