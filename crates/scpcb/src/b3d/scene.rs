//! A model as a scene: its nodes with their meshes, skins and movements.

use asset::{Context, Report};
use glam::{DAffine3, DQuat, Quat, Vec3};
use scene::{Mesh, Node, NodeId, Scene, Skin};

use super::animation;
use super::brush::BrushTable;
use super::chunk::Chunk;
use super::layout::{self, Bone};
use super::material::Materials;
use super::mesh::{Defects, MeshGeometry, PrimitiveBuilder, VertexMap};
use super::skin::{self, SkinWeights};
use super::{B3d, name, warning};
use crate::axes;
use crate::model::played::PlayedRanges;
use crate::model::{mirror, origin};
use asset::counted;

/// The nodes of models with more of them do not say which field they were made of: the paths of nodes deep in others are long.
const MOST_NAMED: usize = 4096;

/// Limit of surfaces: a surface is the triangles of a mesh with one brush.
const MAX_SURFACES: usize = 1 << 13;

/// How many surfaces a skin counts as, by its memory use.
const SKIN_COST: usize = 7;

/// A node of the model and its scene node.
#[derive(Debug)]
pub(super) struct NodeEntry<'a> {
    pub(super) node: &'a layout::Node,
    /// The node of the scene; an invalid id until it is added.
    pub(super) id: NodeId,
    /// The index of its parent.
    pub(super) parent: Option<usize>,
    /// Its index in the chunks of its parent.
    index: usize,
    pub(super) mesh: Option<&'a layout::Mesh>,
    pub(super) bone: Option<&'a Bone>,
    /// The index of the node whose mesh it is a bone of.
    pub(super) mesh_node: Option<usize>,
    /// To the space of its parent.
    matrix: DAffine3,
}

/// All nodes of the model, parents first.
#[derive(Debug, Default)]
pub(super) struct Nodes<'a> {
    entries: Vec<NodeEntry<'a>>,
    /// The bones of each node that has a mesh.
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
    fn add_to_scene(
        &mut self,
        scene: &mut Scene,
        root: NodeId,
        (brushes, scale): (&BrushTable<'_>, f32),
        report: &mut Report,
    ) {
        // There may be many: doubling would take twice as much.
        scene.nodes.reserve_exact(self.entries.len());
        for number in 0..self.entries.len() {
            let Some(entry) = self.entries.get(number) else { continue };
            let parent =
                entry.parent.and_then(|parent| self.entries.get(parent)).map_or(root, |parent| parent.id);
            let ConvertedNode { mut node, is_valid } = scene_node(entry, number, brushes, scale);
            if self.entries.len() <= MOST_NAMED {
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

    /// The bones of a mesh.
    pub(super) fn bones(&self, mesh: usize) -> Vec<&'a Bone> {
        self.bone_indices(mesh)
            .iter()
            .filter_map(|bone| self.get(*bone).and_then(|entry| entry.bone))
            .collect()
    }

    fn bone_indices(&self, mesh: usize) -> &[usize] {
        self.bones.get(mesh).map(Vec::as_slice).unwrap_or_default()
    }

    /// Warns about bones with weights that are not below a mesh.
    pub(super) fn warn_bones_without_mesh(&self, report: &mut Report) {
        for (index, entry) in self.iter().filter(|(_, entry)| entry.mesh_node.is_none()) {
            if entry.bone.is_some_and(|bone| !bone.weights.is_empty()) {
                let message = "the bone is not below a mesh; its weights are left out";
                report.warn(&warning::BONE_WITHOUT_MESH, message).in_field(self.field(index));
            }
        }
    }

    /// The field path of a node, like `chunks[2].chunks[0]`.
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

    /// The matrix from the space of a bone to that of the parent of the mesh's node.
    #[expect(clippy::arithmetic_side_effects, reason = "matrices of floats cannot overflow")]
    fn matrix_outside(&self, bone: usize, mesh: usize) -> DAffine3 {
        let mut matrix = DAffine3::IDENTITY;
        let mut next = Some(bone);
        while let Some((index, entry)) = next.and_then(|index| Some((index, self.get(index)?))) {
            matrix = entry.matrix * matrix;
            next = entry.parent.filter(|_| index != mesh);
        }
        matrix
    }
}

/// Converts the model with the images it refers to. What cannot be converted is reported.
pub(crate) fn to_scene(
    file: &B3d,
    context: &Context<'_>,
    name: &str,
    scale: f32,
    report: &mut Report,
) -> Scene {
    let mut scene = Scene::new(name);
    let root = scene.add_root(Node::named(name));
    let brush_table = BrushTable::of(file);
    let mut nodes = Nodes::of(file);
    nodes.add_to_scene(&mut scene, root, (&brush_table, scale), report);
    nodes.warn_bones_without_mesh(report);
    let mut materials = Materials::new(&brush_table);
    let mut budget = MAX_SURFACES;
    for (index, entry) in nodes.iter() {
        let Some(mesh) = entry.mesh else { continue };
        let builder = MeshBuilder { nodes: &nodes, node: index, mesh, scale, budget };
        budget = budget.saturating_sub(builder.add(&mut scene, &mut materials, context, report));
    }
    if budget == 0 {
        let message = format!("surfaces after the first {MAX_SURFACES} are left out");
        report.warn(&warning::MANY_SURFACES, message);
    }
    if budget == MAX_SURFACES {
        report.warn(&warning::NO_GEOMETRY, "the model has no triangles to convert");
    }
    animation::add(&mut scene, &nodes, scale, PlayedRanges::of(context), report);
    mirror::keep(&mut scene);
    scene
}

/// The mesh and bone of a node; of several, the engine uses the last.
fn roles(node: &layout::Node) -> (Option<&layout::Mesh>, Option<&Bone>) {
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

/// A rotation that can be written: one with tiny components may have underflowed to zero length.
fn finite_rotation(rotation: Quat) -> Quat {
    if rotation.is_finite() && rotation.length_squared() > 0.5 { rotation } else { Quat::IDENTITY }
}

fn matrix(node: &Node) -> DAffine3 {
    let rotation: DQuat = node.rotation.as_dquat().normalize();
    DAffine3::from_scale_rotation_translation(node.scale.as_dvec3(), rotation, node.translation.as_dvec3())
}

/// Converts a mesh.
struct MeshBuilder<'a, 'b> {
    nodes: &'b Nodes<'a>,
    node: usize,
    mesh: &'a layout::Mesh,
    scale: f32,
    /// How many more surfaces are allowed.
    budget: usize,
}

impl MeshBuilder<'_, '_> {
    /// Adds the mesh to its node, or to a separate node if it has a skin. Returns how many surfaces it counts as.
    fn add(
        &self,
        scene: &mut Scene,
        materials: &mut Materials<'_>,
        context: &Context<'_>,
        report: &mut Report,
    ) -> usize {
        let geometry = MeshGeometry::of(self.mesh);
        let field = self.nodes.field(self.node);
        let skin_weights = self.skin_weights(&geometry, &field, report);
        let mut primitive_builder = PrimitiveBuilder {
            geometry: &geometry,
            skin_weights: skin_weights.as_ref(),
            scale: self.scale,
            defects: Defects::default(),
        };
        let mut vertex_map = VertexMap::new(geometry.vertices.len());
        let mut primitives = Vec::new();
        for (brush, part) in geometry.parts.iter().take(self.budget) {
            let binding = materials.get(scene, context, (*brush, self.mesh.brush), report);
            primitives.extend(primitive_builder.primitive(part, &binding, &mut vertex_map));
        }
        primitive_builder.defects.warn(&geometry, &field, report);
        let Some((id, name)) = self.node(scene) else { return 0 };
        if primitives.is_empty() {
            return 0;
        }
        let mut cost = primitives.len();
        let mesh = scene.add_mesh(Mesh { name: name.clone(), primitives, ..Mesh::default() });
        match skin_weights {
            None => {
                if let Some(node) = scene.nodes.get_mut(id.0) {
                    node.mesh = Some(mesh);
                }
            }
            Some(skin_weights) => {
                cost = cost.saturating_add(SKIN_COST);
                let skin = self.skin(id, &name, &skin_weights, &field, report);
                let skin = scene.add_skin(skin);
                let name = format!("{name} (skin)");
                let extras = origin::of_field(field);
                scene.add_root(Node { name, mesh: Some(mesh), skin: Some(skin), extras, ..Node::default() });
            }
        }
        cost
    }

    fn node(&self, scene: &Scene) -> Option<(NodeId, String)> {
        let id = self.nodes.get(self.node)?.id;
        Some((id, scene.nodes.get(id.0)?.name.clone()))
    }

    /// The skin weights; `None` if the mesh is rigidly attached to its node.
    fn skin_weights(
        &self,
        geometry: &MeshGeometry<'_>,
        field: &str,
        report: &mut Report,
    ) -> Option<SkinWeights> {
        let bones = self.nodes.bones(self.node);
        if bones.is_empty() {
            return None;
        }
        if u16::try_from(bones.len()).is_err() {
            let message =
                format!("{} bones are too many for a glTF mesh; converted without a skin", bones.len());
            report.warn(&warning::MANY_BONES, message).in_field(field);
            return None;
        }
        let skin_weights = SkinWeights::gather(geometry.vertices.len(), &bones, field, report);
        let entry = self.nodes.get(self.node)?;
        let is_at_rest = entry.matrix == DAffine3::IDENTITY
            && !entry.node.chunks.iter().any(|chunk| matches!(chunk, Chunk::Keys(_)));
        // Bones without weights leave the mesh in its node, unless that node has a transform, which bones override.
        (!(skin_weights.is_empty() && is_at_rest)).then_some(skin_weights)
    }

    fn skin(
        &self,
        id: NodeId,
        name: &str,
        skin_weights: &SkinWeights,
        field: &str,
        report: &mut Report,
    ) -> Skin {
        let free = skin_weights.has_free().then_some(self.node);
        let (mut joints, mut inverse_bind, mut singular) = (Vec::new(), Vec::new(), 0_usize);
        for joint in self.nodes.bone_indices(self.node).iter().copied().chain(free) {
            let Some(entry) = self.nodes.get(joint) else { continue };
            joints.push(entry.id);
            let inverse = skin::inverse_bind(self.nodes.matrix_outside(joint, self.node));
            singular = singular.saturating_add(usize::from(inverse.is_none()));
            inverse_bind.push(inverse.unwrap_or_default());
        }
        if singular > 0 {
            let bones = counted(singular, "bone has", "bones have");
            let message = format!("{bones} zero scale, so their vertices are displaced");
            report.warn(&warning::SINGULAR_BONE, message).in_field(field);
        }
        Skin { name: name.to_owned(), joints, inverse_bind, skeleton: Some(id), ..Skin::default() }
    }
}
