//! Converts skins: the weights of frames.
//!
//! The game shows meshes of this format without their skins; other programs wrote the skins for animation. A skin is converted
//! unless a single static frame influences the entire mesh, because then it has no effect. Vertices without weights are attached to
//! the frame of the mesh.

use std::collections::BTreeMap;

use asset::Report;
use glam::Affine3A;
use scene::{Influences, Node, NodeId, Scene, Skin};

use super::Frames;
use crate::axes;
use crate::x::layout::{Mesh, SkinWeights};
use crate::x::warning;
use asset::counted;

/// Tolerance of the sum of the weights of a vertex.
const SUM_TOLERANCE: f64 = 0.01;

/// The joints of a mesh, and their influences on vertices.
#[derive(Default)]
pub(super) struct Rig {
    joints: Vec<NodeId>,
    inverse_bind: Vec<Affine3A>,
    /// Index of each joint.
    joint_indices: BTreeMap<NodeId, u16>,
    /// Joints and weights of each vertex of the file.
    influences: Vec<([u16; 4], [f32; 4])>,
}

/// Weight of a joint at a vertex.
#[derive(Debug, Clone, Copy)]
struct VertexWeight {
    vertex: usize,
    joint: u16,
    weight: f32,
}

/// Problems found in the weights of a mesh.
#[derive(Debug, Default)]
struct Defects {
    beyond: usize,
    invalid: usize,
    sums: usize,
    many: usize,
}

impl Rig {
    /// Returns the skin of a mesh in the space of a node; `None` if it has none, or none with an effect.
    pub(super) fn new(
        scene: &mut Scene,
        mesh: &Mesh,
        own: NodeId,
        frames: &Frames<'_>,
        field: &str,
        report: &mut Report,
    ) -> Option<Self> {
        if mesh.skin_weights.is_empty() {
            return None;
        }
        let mut rig = Self::default();
        let mut defects = Defects::default();
        let vertex_weights = rig.vertex_weights(mesh, frames, &mut defects, field, report);
        let by_vertex = strongest(&vertex_weights, mesh.vertices.len(), &mut defects);
        defects.warn(mesh.vertices.len(), field, report);
        if rig.is_static(&by_vertex, own, frames) {
            let name = mesh.name.as_deref().unwrap_or_default();
            let message =
                format!("the skin of the mesh \"{name:.80}\" is left out: it has a single, static bone");
            report.warn(&warning::OWN_POSE, message).in_field(field);
            return None;
        }
        let mut rest_joint = None;
        for influence_of_vertex in &by_vertex {
            let influence = match influence_of_vertex {
                Some(influence) => *influence,
                None => {
                    let joint = *rest_joint.get_or_insert_with(|| rig.own_joint(scene, own));
                    ([joint, 0, 0, 0], [1.0, 0.0, 0.0, 0.0])
                }
            };
            rig.influences.push(influence);
        }
        Some(rig)
    }

    /// Returns all valid weights, by vertex and joint.
    fn vertex_weights(
        &mut self,
        mesh: &Mesh,
        frames: &Frames<'_>,
        defects: &mut Defects,
        field: &str,
        report: &mut Report,
    ) -> Vec<VertexWeight> {
        let mut vertex_weights = Vec::new();
        for (number, weights) in mesh.skin_weights.iter().enumerate() {
            let field = format!("{field}.skin_weights[{number}]");
            let Some(joint) = self.joint(weights, frames, &field, report) else { continue };
            for (vertex, weight) in weights.vertices.iter().zip(&weights.weights) {
                let vertex = usize::try_from(*vertex).unwrap_or(usize::MAX);
                if vertex >= mesh.vertices.len() {
                    defects.beyond = defects.beyond.saturating_add(1);
                } else if !weight.is_finite() || *weight < 0.0 {
                    defects.invalid = defects.invalid.saturating_add(1);
                } else if *weight > 0.0 {
                    vertex_weights.push(VertexWeight { vertex, joint, weight: *weight });
                }
            }
        }
        vertex_weights.sort_by_key(|vertex_weight| (vertex_weight.vertex, vertex_weight.joint));
        vertex_weights
    }

    /// Returns the joint index for a list of weights.
    fn joint(
        &mut self,
        weights: &SkinWeights,
        frames: &Frames<'_>,
        field: &str,
        report: &mut Report,
    ) -> Option<u16> {
        let name = weights.bone.as_str();
        let Some(node) = frames.find(name, report) else {
            let message = format!("the frame \"{name:.80}\" of a skin is not in the file");
            report.warn(&warning::BONE, message).in_field(field);
            return None;
        };
        let mut matrix = axes::matrix(weights.offset);
        matrix.translation *= frames.scale;
        if !matrix.is_finite() {
            let message = "the matrix is not finite; using the identity";
            report.warn(&warning::NOT_FINITE, message).in_field(field);
            matrix = Affine3A::IDENTITY;
        }
        if let Some(index) = self.joint_indices.get(&node).copied() {
            if self.inverse_bind.get(usize::from(index)) != Some(&matrix) {
                let message = format!(
                    "the frame \"{name:.80}\" is bound twice with different matrices; the first is used"
                );
                report.warn(&warning::BONE, message).in_field(field);
            }
            return Some(index);
        }
        self.add(node, matrix)
    }

    fn add(&mut self, node: NodeId, matrix: Affine3A) -> Option<u16> {
        let index = u16::try_from(self.joints.len()).ok()?;
        self.joints.push(node);
        self.inverse_bind.push(matrix);
        self.joint_indices.insert(node, index);
        Some(index)
    }

    /// Whether all vertices are influenced by a single static frame, or only by the mesh's own frame.
    fn is_static(
        &self,
        by_vertex: &[Option<([u16; 4], [f32; 4])>],
        own: NodeId,
        frames: &Frames<'_>,
    ) -> bool {
        let mut only: Option<u16> = None;
        for influence in by_vertex {
            let Some(([joint, ..], [_, second, ..])) = influence else { return false };
            if *second > 0.0 || only.is_some_and(|only| only != *joint) {
                return false;
            }
            only = Some(*joint);
        }
        let Some(index) = only.map(usize::from) else { return true };
        let (Some(joint), Some(matrix)) = (self.joints.get(index), self.inverse_bind.get(index)) else {
            return true;
        };
        !frames.is_animated(*joint) || (*joint == own && matrix.abs_diff_eq(Affine3A::IDENTITY, 1e-6))
    }

    /// Returns a joint with the transform of the mesh's node.
    fn own_joint(&mut self, scene: &mut Scene, own: NodeId) -> u16 {
        if let Some(index) = self.joint_indices.get(&own).copied() {
            if self.inverse_bind.get(usize::from(index)) == Some(&Affine3A::IDENTITY) {
                return index;
            }
            let name = scene.nodes.get(own.0).map(|node| node.name.clone()).unwrap_or_default();
            let static_node = scene.add_child(own, Node::named(format!("{name} unbent")));
            return self.add(static_node, Affine3A::IDENTITY).unwrap_or_default();
        }
        self.add(own, Affine3A::IDENTITY).unwrap_or_default()
    }

    /// Returns the influences of vertices with these source vertices.
    pub(super) fn influences(&self, sources: &[u32]) -> Influences {
        let mut out = Influences::default();
        for source in sources {
            let found = usize::try_from(*source).ok().and_then(|source| self.influences.get(source));
            let (joints, weights) = found.copied().unwrap_or(([0; 4], [1.0, 0.0, 0.0, 0.0]));
            out.joints.push(joints);
            out.weights.push(weights);
        }
        out
    }

    /// Returns the skin without its weights.
    pub(super) fn into_skin(self, name: &str) -> Skin {
        let Self { joints, inverse_bind, .. } = self;
        Skin { name: name.to_owned(), joints, inverse_bind, ..Skin::default() }
    }
}

/// Returns the four joints with the largest weights of each vertex; `None` for a vertex without weights. The weights are ordered by
/// vertex.
fn strongest(
    vertex_weights: &[VertexWeight],
    vertices: usize,
    defects: &mut Defects,
) -> Vec<Option<([u16; 4], [f32; 4])>> {
    let mut out = vec![None; vertices];
    for of_vertex in vertex_weights.chunk_by(|a, b| a.vertex == b.vertex) {
        let mut joints: BTreeMap<u16, f32> = BTreeMap::new();
        for vertex_weight in of_vertex {
            *joints.entry(vertex_weight.joint).or_default() += vertex_weight.weight;
        }
        let sum: f64 = joints.values().map(|weight| f64::from(*weight)).sum();
        defects.sums = defects.sums.saturating_add(usize::from((sum - 1.0).abs() > SUM_TOLERANCE));
        defects.many = defects.many.saturating_add(usize::from(joints.len() > 4));
        let mut joints: Vec<(u16, f32)> = joints.into_iter().collect();
        joints.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let (mut numbers, mut weights) = ([0; 4], [0.0; 4]);
        for ((joint, weight), (number, slot)) in joints.iter().zip(numbers.iter_mut().zip(&mut weights)) {
            (*number, *slot) = (*joint, weight.min(f32::MAX));
        }
        let vertex = of_vertex.first().map_or(usize::MAX, |vertex_weight| vertex_weight.vertex);
        if let Some(slot) = out.get_mut(vertex) {
            *slot = Some((numbers, weights));
        }
    }
    out
}

impl Defects {
    fn warn(&self, vertices: usize, field: &str, report: &mut Report) {
        if self.beyond > 0 {
            let weights = counted(self.beyond, "weight is", "weights are");
            let message = format!("{weights} for vertices beyond the last of {vertices} and left out");
            report.warn(&warning::WEIGHT, message).in_field(field);
        }
        if self.invalid > 0 {
            let weights = counted(self.invalid, "weight is", "weights are");
            let message = format!("{weights} negative or not finite and left out");
            report.warn(&warning::WEIGHT, message).in_field(field);
        }
        if self.sums > 0 {
            let vertices = counted(self.sums, "vertex has weights", "vertices have weights");
            let message = format!("{vertices} that do not add up to 1; normalized");
            report.warn(&warning::WEIGHT, message).in_field(field);
        }
        if self.many > 0 {
            let vertices = counted(self.many, "vertex has", "vertices have");
            let message = format!("{vertices} more than four weights; the four largest are used");
            report.warn(&warning::MANY_WEIGHTS, message).in_field(field);
        }
    }
}
