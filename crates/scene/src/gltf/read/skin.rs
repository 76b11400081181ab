//! Reading of skins: joints, bind matrices, and vertex weights.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Affine3A, Mat4};

use super::{Reader, bad, extras, out_of_range};
use crate::error::count;
use crate::{Error, Influences, Mesh, MeshId, NodeId, Primitive, Skin, SkinId};

/// Maximum number of sets of joints; further ones are skipped.
const MAX_JOINT_SETS: usize = 8;

/// Number of joints per vertex in a scene.
const SLOTS: usize = 4;

/// Parses an attribute of joints (0) or weights (1) and the index of its set.
pub(super) fn attribute(name: &str) -> Option<(usize, usize)> {
    let kinds = ["JOINTS_", "WEIGHTS_"].into_iter().enumerate();
    let (kind, set) = kinds.filter_map(|(kind, prefix)| Some((kind, name.strip_prefix(prefix)?))).next()?;
    let set = set.parse().ok().filter(|set| *set < MAX_JOINT_SETS)?;
    Some((kind, set))
}

/// The four strongest joints of a vertex, as they are collected.
#[derive(Debug, Clone, Copy, Default)]
struct Strongest {
    slots: [(u16, f32); SLOTS],
    left_out: usize,
}

impl Strongest {
    fn add(&mut self, joint: u16, weight: f32) {
        if weight <= 0.0 {
            return;
        }
        if let Some(known) = self.slots.iter_mut().find(|(known, held)| *known == joint && *held > 0.0) {
            known.1 += weight;
            return;
        }
        let mut weakest = &mut (joint, f32::INFINITY);
        for slot in &mut self.slots {
            if slot.1 < weakest.1 {
                weakest = slot;
            }
        }
        self.left_out = self.left_out.saturating_add(usize::from(weakest.1 > 0.0));
        if weight > weakest.1 {
            *weakest = (joint, weight);
        }
    }

    /// Returns the joints with weights that sum to 1. A vertex without weights is bound to the first joint.
    fn normalized(mut self) -> ([u16; SLOTS], [f32; SLOTS]) {
        let sum: f32 = self.slots.iter().map(|(_, weight)| weight).sum();
        if sum <= 0.0 || !sum.is_finite() {
            return ([0; SLOTS], [1.0, 0.0, 0.0, 0.0]);
        }
        // Weights that are already normalized keep their bits.
        if (sum - 1.0).abs() > 1e-5 {
            self.slots.iter_mut().for_each(|(_, weight)| *weight /= sum);
        }
        (self.slots.map(|(joint, _)| joint), self.slots.map(|(_, weight)| weight))
    }
}

impl Reader<'_> {
    /// Reads the joints and weights of a primitive's vertices from all its sets. A set needs both.
    pub(super) fn influences(
        &mut self,
        sets: &BTreeMap<usize, [Option<usize>; 2]>,
        vertices: usize,
        place: &str,
    ) -> Result<Option<Influences>, Error> {
        let mut collected: Vec<Strongest> = Vec::new();
        for (set, accessors) in sets {
            let [Some(joints), Some(weights)] = *accessors else {
                self.tally.add("joints without weights, or weights without joints", 1);
                continue;
            };
            self.charge(vertices, size_of::<Strongest>(), place)?;
            let joints_place = format!("{place}, JOINTS_{set}");
            let joints = self.floats::<SLOTS>(joints, &joints_place)?;
            let weights = self.floats::<SLOTS>(weights, &format!("{place}, WEIGHTS_{set}"))?;
            collected.resize(vertices, Strongest::default());
            for ((strongest, joints), weights) in collected.iter_mut().zip(joints).zip(weights) {
                for (joint, weight) in joints.into_iter().zip(weights) {
                    let joint = joint_number(joint).ok_or_else(|| {
                        bad(joints_place.as_str(), format!("{joint} is not a valid joint index"))
                    })?;
                    strongest.add(joint, weight);
                }
            }
        }
        if collected.is_empty() {
            return Ok(None);
        }
        let left_out = collected.iter().map(|strongest| strongest.left_out).fold(0, usize::saturating_add);
        self.tally.add("weights beyond the four largest of their vertices", left_out);
        let (joints, weights) = collected.into_iter().map(Strongest::normalized).unzip();
        Ok(Some(Influences { joints, weights }))
    }

    /// Reads all skins and assigns them to the nodes. Nodes must have been read before.
    pub(super) fn skins(&mut self) -> Result<(), Error> {
        for index in 0..self.document.skins.len() {
            let skin = self.skin(index)?;
            let skin = skin.map(|skin| self.scene.add_skin(skin));
            self.skins.push(skin);
        }
        self.assign_skins()
    }

    /// Reads a skin; `None` if it has no joints or a duplicate joint.
    fn skin(&mut self, index: usize) -> Result<Option<Skin>, Error> {
        let Some(json) = self.document.skins.get(index) else { return Ok(None) };
        let place = format!("skin {index}");
        let nodes = self.document.nodes.len();
        if let Some(missing) = json.joints.iter().chain(&json.skeleton).find(|joint| **joint >= nodes) {
            return Err(out_of_range(format!("{place}, joints"), *missing, nodes));
        }
        let unique: BTreeSet<usize> = json.joints.iter().copied().collect();
        if unique.is_empty() || unique.len() != json.joints.len() {
            self.tally.add("skins without joints or with a duplicate joint", 1);
            return Ok(None);
        }
        let inverse_bind = match json.inverse_bind_matrices {
            Some(accessor) => {
                let matrices = self.floats::<16>(accessor, &format!("{place}, inverse bind matrices"))?;
                // The accessor may contain more matrices than needed.
                if matrices.len() < json.joints.len() {
                    let place = format!("{place}, inverse bind matrices");
                    return Err(count(place, matrices.len(), json.joints.len()));
                }
                let matrices = matrices.iter().take(json.joints.len());
                matrices.map(|matrix| Affine3A::from_mat4(Mat4::from_cols_array(matrix))).collect()
            }
            None => Vec::new(),
        };
        let extras = extras(&json.extras, &mut self.tally);
        Ok(Some(Skin {
            name: json.name.clone(),
            joints: json.joints.iter().map(|joint| self.innermost_of(NodeId(*joint))).collect(),
            inverse_bind,
            skeleton: json.skeleton.map(NodeId),
            extras,
        }))
    }

    /// Returns the node whose space is the document node's own.
    fn innermost_of(&self, id: NodeId) -> NodeId {
        self.innermost.get(&id).copied().unwrap_or(id)
    }

    /// Assigns the skins to the nodes. A mesh is skinned only if its node has a skin and all its primitives have
    /// weights.
    fn assign_skins(&mut self) -> Result<(), Error> {
        let mut unweighted: BTreeMap<MeshId, MeshId> = BTreeMap::new();
        let mut skinned: BTreeSet<MeshId> = BTreeSet::new();
        let mut plain: Vec<(NodeId, MeshId)> = Vec::new();
        for (index, json) in self.document.nodes.iter().enumerate() {
            let id = self.innermost_of(NodeId(index));
            let mesh = self.scene.nodes.get(id.0).and_then(|node| node.mesh);
            let place = format!("node {index}, skin");
            let skin = match json.skin {
                Some(skin) => *self
                    .skins
                    .get(skin)
                    .ok_or_else(|| out_of_range(place.as_str(), skin, self.skins.len()))?,
                None => None,
            };
            let shown = mesh.and_then(|mesh| self.scene.meshes.get(mesh.0));
            let fits = shown.is_some_and(is_weighted);
            self.tally
                .add("skins of nodes without a mesh that has weights", usize::from(skin.is_some() && !fits));
            match (skin.filter(|_| fits), mesh) {
                (Some(skin), Some(mesh)) => {
                    self.check_joints(skin, mesh, &place)?;
                    skinned.insert(mesh);
                    if let Some(node) = self.scene.nodes.get_mut(id.0) {
                        node.skin = Some(skin);
                    }
                }
                (_, Some(mesh)) => plain.push((id, mesh)),
                (_, None) => {}
            }
        }
        for (id, mesh) in plain {
            let has_weights = |primitive: &Primitive| primitive.influences.is_some();
            if !self.scene.meshes.get(mesh.0).is_some_and(|mesh| mesh.primitives.iter().any(has_weights)) {
                continue;
            }
            let mesh = match unweighted.get(&mesh) {
                Some(known) => *known,
                None => {
                    let copy = self.without_weights(mesh, skinned.contains(&mesh))?;
                    unweighted.insert(mesh, copy);
                    copy
                }
            };
            if let Some(node) = self.scene.nodes.get_mut(id.0) {
                node.mesh = Some(mesh);
            }
        }
        Ok(())
    }

    /// Removes the weights of a mesh, or of a copy if the mesh is also used with a skin.
    fn without_weights(&mut self, id: MeshId, is_skinned: bool) -> Result<MeshId, Error> {
        self.tally.add("weights of meshes without a skin", 1);
        let id = if is_skinned {
            let copy = self.scene.meshes.get(id.0).cloned().unwrap_or_default();
            let vertices = copy.primitives.iter().map(|primitive| primitive.positions.len());
            // The size of positions, normals, colors, indices and texture coordinates.
            self.charge(vertices.fold(0, usize::saturating_add), 128, "copied meshes")?;
            self.scene.add_mesh(copy)
        } else {
            id
        };
        if let Some(mesh) = self.scene.meshes.get_mut(id.0) {
            mesh.primitives.iter_mut().for_each(|primitive| primitive.influences = None);
        }
        Ok(id)
    }

    /// Checks that a skin has all joints that a mesh refers to.
    fn check_joints(&self, skin: SkinId, mesh: MeshId, place: &str) -> Result<(), Error> {
        let joints = self.scene.skins.get(skin.0).map_or(0, |skin| skin.joints.len());
        let primitives = self.scene.meshes.get(mesh.0).into_iter().flat_map(|mesh| &mesh.primitives);
        let named = primitives.filter_map(|primitive| primitive.influences.as_ref());
        let largest = named
            .flat_map(|named| named.joints.as_flattened())
            .max()
            .map_or(0, |highest| usize::from(*highest));
        if largest >= joints {
            return Err(out_of_range(format!("{place}, joints"), largest, joints));
        }
        Ok(())
    }
}

/// Whether all non-empty primitives have weights.
fn is_weighted(mesh: &Mesh) -> bool {
    let mut drawn = mesh.primitives.iter().filter(|primitive| !primitive.is_empty()).peekable();
    drawn.peek().is_some() && drawn.all(|primitive| primitive.influences.is_some())
}

/// Converts a joint index that was read as a float, which represents all 16-bit numbers exactly.
fn joint_number(number: f32) -> Option<u16> {
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an integer within 16 bits"
    )]
    let index = (number.fract() == 0.0 && (0.0..=65535.0).contains(&number)).then_some(number as u16);
    index
}
