//! Converts a model to a scene: its nodes with their meshes, skins and animation.

use asset::{Context, Report};
use glam::DAffine3;
use scene::{Mesh, Node, NodeId, Scene, Skin};

use super::animation;
use super::brush::BrushTable;
use super::chunk::{self, Chunk};
use super::material::Materials;
use super::mesh::{Defects, MeshGeometry, PrimitiveBuilder, VertexMap};
use super::nodes::Nodes;
use super::skin::{self, SkinWeights};
use super::{B3d, warning};
use crate::model::played::PlayedRanges;
use crate::model::{mirror, origin};
use asset::counted;

/// Maximum number of surfaces. A surface consists of the triangles of a mesh with one brush.
const MAX_SURFACES: usize = 1 << 13;

/// Cost of a skin in surfaces, by its memory use.
const SKIN_COST: usize = 7;

/// Converts the model with the images it refers to. Reports features that cannot be converted.
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
    mirror::flip_mirrored_meshes(&mut scene);
    scene
}

/// Converts a mesh of a node.
struct MeshBuilder<'a, 'b> {
    nodes: &'b Nodes<'a>,
    node: usize,
    mesh: &'a chunk::Mesh,
    scale: f32,
    /// Number of further surfaces allowed.
    budget: usize,
}

impl MeshBuilder<'_, '_> {
    /// Adds the mesh to its node, or to a separate node if it has a skin. Returns its cost in surfaces.
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

    /// Returns the skin weights; `None` if the mesh is rigidly attached to its node.
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
        let skin_weights = SkinWeights::collect(geometry.vertices.len(), &bones, field, report);
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
