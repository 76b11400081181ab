//! Writing of skins: joints, inverse bind matrices, and weights as glTF requires them.

use super::{
    binary::Bounds,
    check::{all_finite, called, count, forbidden, in_range, name},
    draft::Draft,
    piece::Piece,
    schema::Skin as SkinJson,
};
use crate::{Error, Influences, NodeId, Skin};

impl Draft<'_> {
    /// Writes all skins.
    pub(super) fn skins(&mut self) -> Result<(), Error> {
        for (index, skin) in self.scene.skins.iter().enumerate() {
            let place = called("skin", index, &skin.name);
            self.check_joints(skin, &place)?;
            let inverse_bind_matrices = self.inverse_bind(skin, &place)?;
            self.document.skins.push(SkinJson {
                name: name(&skin.name, "skin", index),
                inverse_bind_matrices,
                skeleton: skin.skeleton.map(|node| node.0),
                joints: skin.joints.iter().map(|joint| joint.0).collect(),
                extras: &skin.extras,
            });
        }
        Ok(())
    }

    /// Checks that all joints exist, are distinct, and have a common root, and that the skeleton root is an ancestor
    /// of them.
    fn check_joints(&self, skin: &Skin, place: &str) -> Result<(), Error> {
        let nodes = self.scene.nodes.len();
        let mut joints: Vec<NodeId> = skin.joints.clone();
        joints.sort_unstable();
        joints.dedup();
        if joints.is_empty() || joints.len() != skin.joints.len() {
            return Err(forbidden(place, "it has no joints, or a duplicate joint"));
        }
        for joint in &joints {
            in_range(joint.0, nodes, || format!("{place}, joints"))?;
        }
        let mut tops = joints.iter().map(|joint| self.tree.top(joint.0));
        let first = tops.next();
        if tops.any(|top| Some(top) != first) {
            return Err(forbidden(place, "its joints have no common root"));
        }
        if let Some(skeleton) = skin.skeleton {
            in_range(skeleton.0, nodes, || format!("{place}, skeleton"))?;
            if !joints.iter().all(|joint| self.tree.is_above(skeleton.0, joint.0)) {
                return Err(forbidden(place, "its skeleton root is not an ancestor of all joints"));
            }
        }
        Ok(())
    }

    fn inverse_bind(&mut self, skin: &Skin, place: &str) -> Result<Option<usize>, Error> {
        if skin.inverse_bind.is_empty() {
            return Ok(None);
        }
        count(skin.inverse_bind.len(), skin.joints.len(), || format!("{place}, inverse_bind"))?;
        let matrices: Vec<[f32; 16]> =
            skin.inverse_bind.iter().map(|matrix| glam::Mat4::from(*matrix).to_cols_array()).collect();
        all_finite(&matrices, || format!("{place}, inverse_bind"))?;
        Ok(Some(self.binary.accessor(Piece::Matrices(matrices), None, Bounds::default())))
    }
}

/// Normalizes joints and weights as glTF requires: weights sum to 1, a joint occurs once, and joints without weight
/// have index 0.
pub(super) fn normalize(influences: &Influences, place: &str) -> Result<Influences, Error> {
    let mut normalized = Influences::default();
    for (vertex, (joints, weights)) in influences.joints.iter().zip(&influences.weights).enumerate() {
        let sum: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
        if weights.iter().any(|weight| *weight < 0.0) || sum <= 0.0 {
            let problem = format!("the weights {weights:?} are negative or all zero");
            return Err(forbidden(format!("{place}, weights[{vertex}]"), problem));
        }
        let mut slots = [(0_u16, 0.0_f64); 4];
        for (joint, weight) in joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            // There are as many slots as joints, so one is always free.
            if let Some(slot) = slots.iter_mut().find(|(taken, sum)| taken == joint || *sum == 0.0) {
                *slot = (*joint, slot.1 + f64::from(*weight) / sum);
            }
        }
        let slots = slots.map(|(joint, weight)| (joint, narrow(weight)));
        normalized.joints.push(slots.map(|(joint, weight)| if weight > 0.0 { joint } else { 0 }));
        normalized.weights.push(slots.map(|(_, weight)| weight));
    }
    Ok(normalized)
}

fn narrow(number: f64) -> f32 {
    number as f32
}
