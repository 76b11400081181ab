//! Bones: skin weights and bind matrices.
//!
//! The engine keeps the four largest weights of a vertex and normalizes their sum to 1. A vertex without bones moves with the
//! mesh's own node. Bones move vertices relative to their pose when the model was loaded, in the space of the mesh node's parent.
//! So the transform of the mesh node has no effect at rest.
//!
//! Source: the engine's `meshloader.cpp`, `meshmodel.cpp` and `surface.cpp`.

use crate::number::single;
use asset::Report;
use glam::{Affine3A, DAffine3};

use super::layout::Bone;
use super::warning;
use asset::counted;

/// Maximum number of bones that influence a vertex.
const MAX_INFLUENCES: usize = 4;

/// The bones of a vertex, in order of decreasing weight.
#[derive(Debug, Clone, Copy, Default)]
struct VertexWeights {
    count: u8,
    joints: [u16; MAX_INFLUENCES],
    weights: [f32; MAX_INFLUENCES],
}

impl VertexWeights {
    /// Adds a bone as the engine does: before all bones with a smaller weight. Returns false if a bone is dropped.
    fn add(&mut self, joint: u16, weight: f32) -> bool {
        let count = usize::from(self.count);
        let mut held = self.weights.iter().take(count);
        let at = held.position(|held| weight > *held).unwrap_or(count);
        let (Some(joints), Some(weights)) = (self.joints.get_mut(at..), self.weights.get_mut(at..)) else {
            return false;
        };
        let (Some(last_joint), Some(last_weight)) = (joints.last_mut(), weights.last_mut()) else {
            return false;
        };
        (*last_joint, *last_weight) = (joint, weight);
        joints.rotate_right(1);
        weights.rotate_right(1);
        let fits = count < MAX_INFLUENCES;
        self.count = self.count.saturating_add(u8::from(fits));
        fits
    }
}

/// The bones of all vertices of a mesh.
#[derive(Debug)]
pub(super) struct SkinWeights {
    skin_weights: Vec<VertexWeights>,
    /// Joint for vertices without bones.
    free: u16,
}

impl SkinWeights {
    /// Collects the weights of the bones of a mesh. The joint after the last bone is for vertices without bones. Reports defects
    /// under the field of the mesh.
    pub(super) fn collect(vertices: usize, bones: &[&Bone], field: &str, report: &mut Report) -> Self {
        let mut skin_weights =
            Self { skin_weights: Vec::new(), free: u16::try_from(bones.len()).unwrap_or(u16::MAX) };
        if bones.iter().all(|bone| bone.weights.is_empty()) {
            return skin_weights;
        }
        skin_weights.skin_weights = vec![VertexWeights::default(); vertices];
        let (mut outside, mut invalid, mut dropped) = (0_usize, 0_usize, 0_usize);
        for (joint, bone) in bones.iter().enumerate() {
            let Ok(joint) = u16::try_from(joint) else { break };
            for weight in &bone.weights {
                let at = usize::try_from(weight.vertex)
                    .ok()
                    .and_then(|vertex| skin_weights.skin_weights.get_mut(vertex));
                let Some(vertex_weights) = at else {
                    outside = outside.saturating_add(1);
                    continue;
                };
                if !weight.weight.is_finite() || weight.weight < 0.0 {
                    invalid = invalid.saturating_add(1);
                } else if !vertex_weights.add(joint, weight.weight) {
                    dropped = dropped.saturating_add(1);
                }
            }
        }
        for (count, code, what) in [
            (outside, &warning::BAD_WEIGHT, "of nonexistent vertices"),
            (invalid, &warning::BAD_WEIGHT, "that are negative or not finite"),
            (dropped, &warning::MORE_WEIGHTS, "beyond the four largest of their vertices"),
        ] {
            if count > 0 {
                let message = format!("{} {what} left out", counted(count, "weight", "weights"));
                report.warn(code, message).in_field(field);
            }
        }
        skin_weights
    }

    /// Whether no bone influences any vertex.
    pub(super) fn is_empty(&self) -> bool {
        self.skin_weights.iter().all(|vertex_weights| vertex_weights.count == 0)
    }

    /// Whether some of the vertices have no bone.
    pub(super) fn has_free(&self) -> bool {
        self.skin_weights.is_empty()
            || self.skin_weights.iter().any(|vertex_weights| vertex_weights.count == 0)
    }

    /// Returns the joints of a vertex and their weights, which sum to 1.
    pub(super) fn of(&self, vertex: u32) -> ([u16; MAX_INFLUENCES], [f32; MAX_INFLUENCES]) {
        let vertex_weights = usize::try_from(vertex)
            .ok()
            .and_then(|vertex| self.skin_weights.get(vertex))
            .copied()
            .unwrap_or_default();
        let sum: f32 = vertex_weights.weights.iter().sum();
        match vertex_weights.count {
            0 => ([self.free, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]),
            // A single bone fully determines the vertex, whatever its weight.
            1 => (vertex_weights.joints, [1.0, 0.0, 0.0, 0.0]),
            _ if sum > 0.0 && sum.is_finite() => {
                (vertex_weights.joints, vertex_weights.weights.map(|weight| weight / sum))
            }
            _ => (vertex_weights.joints, [1.0, 0.0, 0.0, 0.0]),
        }
    }
}

/// Returns the inverse bind matrix of a joint with this matrix, relative to the parent of the mesh's node; `None` if the joint has
/// zero scale, so that the matrix is not invertible.
pub(super) fn inverse_bind(matrix: DAffine3) -> Option<Affine3A> {
    let inverse = matrix.inverse();
    let columns = inverse.to_cols_array().map(single);
    columns.iter().all(|number| number.is_finite()).then(|| Affine3A::from_cols_array(&columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_four_largest_weights_and_the_first_of_equal_ones() {
        let mut vertex_weights = VertexWeights::default();
        let fits: Vec<bool> = [(0, 0.1), (1, 0.5), (2, 0.5), (3, 0.2), (4, 0.3), (5, 0.1)]
            .map(|(joint, weight)| vertex_weights.add(joint, weight))
            .to_vec();
        assert_eq!(fits, [true, true, true, true, false, false]);
        assert_eq!((vertex_weights.joints, vertex_weights.weights), ([1, 2, 4, 3], [0.5, 0.5, 0.3, 0.2]));
        let skin_weights = SkinWeights { skin_weights: vec![vertex_weights], free: 9 };
        let (joints, weights) = skin_weights.of(0);
        assert_eq!(joints, [1, 2, 4, 3]);
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(skin_weights.of(7), ([9, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
    }
}
