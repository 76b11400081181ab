//! Skins: which frames influence which vertices.
//!
//! The game shows meshes of this format without their skins; other programs made them to be bent. A skin is converted unless a single frame that
//! nothing moves holds the whole mesh: then it says nothing. Vertices without weights are attached to the frame the mesh is in.

use std::collections::BTreeMap;

use asset::Report;
use glam::Affine3A;
use scene::{Influences, Node, NodeId, Scene, Skin};

use super::Frames;
use crate::axes;
use crate::x::layout::{Mesh, SkinWeights};
use crate::x::warning;
use asset::counted;

/// How far from 1 the weights of a vertex may sum up without a word.
const LOOSE: f64 = 0.01;

/// The joints of a mesh, and which of them influence which vertex.
#[derive(Default)]
pub(super) struct Rig {
    joints: Vec<NodeId>,
    inverse_bind: Vec<Affine3A>,
    /// The index of each joint.
    places: BTreeMap<NodeId, u16>,
    /// For each vertex of the file.
    influences: Vec<([u16; 4], [f32; 4])>,
}

/// The weight of a joint at a vertex.
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
    wrong: usize,
    sums: usize,
    many: usize,
}

impl Rig {
    /// The skin of a mesh that is in the space of a node; `None` for one without a skin that says something.
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
        let mut non_finite = None;
        for pulled in &by_vertex {
            let influence = match pulled {
                Some(influence) => *influence,
                None => {
                    let joint = *non_finite.get_or_insert_with(|| rig.own_joint(scene, own));
                    ([joint, 0, 0, 0], [1.0, 0.0, 0.0, 0.0])
                }
            };
            rig.influences.push(influence);
        }
        Some(rig)
    }

    /// All weights that can be taken, by vertex and joint.
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
                    defects.wrong = defects.wrong.saturating_add(1);
                } else if *weight > 0.0 {
                    vertex_weights.push(VertexWeight { vertex, joint, weight: *weight });
                }
            }
        }
        vertex_weights.sort_by_key(|vertex_weight| (vertex_weight.vertex, vertex_weight.joint));
        vertex_weights
    }

    /// The number of the joint that a list of weights is for.
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
        if let Some(place) = self.places.get(&node).copied() {
            if self.inverse_bind.get(usize::from(place)) != Some(&matrix) {
                let message = format!(
                    "the frame \"{name:.80}\" is bound twice with different matrices; the first is used"
                );
                report.warn(&warning::BONE, message).in_field(field);
            }
            return Some(place);
        }
        self.add(node, matrix)
    }

    fn add(&mut self, node: NodeId, matrix: Affine3A) -> Option<u16> {
        let place = u16::try_from(self.joints.len()).ok()?;
        self.joints.push(node);
        self.inverse_bind.push(matrix);
        self.places.insert(node, place);
        Some(place)
    }

    /// Whether a single frame that nothing moves holds all vertices, or the mesh's own frame does.
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
        let Some(place) = only.map(usize::from) else { return true };
        let (Some(joint), Some(matrix)) = (self.joints.get(place), self.inverse_bind.get(place)) else {
            return true;
        };
        !frames.is_animated(*joint) || (*joint == own && matrix.abs_diff_eq(Affine3A::IDENTITY, 1e-6))
    }

    /// A joint with no transform of its own, at the node of the mesh.
    fn own_joint(&mut self, scene: &mut Scene, own: NodeId) -> u16 {
        if let Some(place) = self.places.get(&own).copied() {
            if self.inverse_bind.get(usize::from(place)) == Some(&Affine3A::IDENTITY) {
                return place;
            }
            let name = scene.nodes.get(own.0).map(|node| node.name.clone()).unwrap_or_default();
            let still = scene.add_child(own, Node::named(format!("{name} unbent")));
            return self.add(still, Affine3A::IDENTITY).unwrap_or_default();
        }
        self.add(own, Affine3A::IDENTITY).unwrap_or_default()
    }

    /// What influences the vertices that come from these of the file.
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

    /// The skin without its weights.
    pub(super) fn into_skin(self, name: &str) -> Skin {
        let Self { joints, inverse_bind, .. } = self;
        Skin { name: name.to_owned(), joints, inverse_bind, ..Skin::default() }
    }
}

/// The four joints that most influence each vertex; `None` for a vertex at which none does. The weights are ordered by vertex.
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
        defects.sums = defects.sums.saturating_add(usize::from((sum - 1.0).abs() > LOOSE));
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
        if self.wrong > 0 {
            let weights = counted(self.wrong, "weight is", "weights are");
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
