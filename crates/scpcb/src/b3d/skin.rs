//! Bones: which of them pull at a vertex, and from where.
//!
//! The engine keeps the four strongest bones of a vertex and lets their weights sum to 1. A vertex of no bone moves with the mesh's own
//! node. What a bone does is measured from where it stood when the model was loaded, seen from outside the mesh's node: so at rest, the
//! mesh's own place does not count.
//!
//! Source: the engine's `meshloader.cpp`, `meshmodel.cpp` and `surface.cpp`.

use asset::Report;
use glam::{Affine3A, DAffine3};

use super::layout::Bone;
use super::warning;
use asset::counted;

/// How many bones pull at a vertex.
const MOST: usize = 4;

/// The bones of a vertex, the strongest first.
#[derive(Debug, Clone, Copy, Default)]
struct Pull {
    count: u8,
    joints: [u16; MOST],
    weights: [f32; MOST],
}

impl Pull {
    /// Adds a bone as the engine does: in front of all weaker ones. False when one is lost by that.
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
        let fits = count < MOST;
        self.count = self.count.saturating_add(u8::from(fits));
        fits
    }
}

/// The bones of all vertices of a mesh.
#[derive(Debug)]
pub(super) struct Pulls {
    pulls: Vec<Pull>,
    /// The joint for vertices of no bone.
    free: u16,
}

impl Pulls {
    /// Gathers what the bones of a mesh pull at. `free` is the joint of vertices that none pulls at. What cannot be is told under the
    /// field of the mesh.
    pub(super) fn gather(vertices: usize, bones: &[&Bone], field: &str, report: &mut Report) -> Self {
        let mut pulls = Self { pulls: Vec::new(), free: u16::try_from(bones.len()).unwrap_or(u16::MAX) };
        if bones.iter().all(|bone| bone.weights.is_empty()) {
            return pulls;
        }
        pulls.pulls = vec![Pull::default(); vertices];
        let (mut outside, mut not_sound, mut lost) = (0_usize, 0_usize, 0_usize);
        for (joint, bone) in bones.iter().enumerate() {
            let Ok(joint) = u16::try_from(joint) else { break };
            for weight in &bone.weights {
                let at = usize::try_from(weight.vertex).ok().and_then(|vertex| pulls.pulls.get_mut(vertex));
                let Some(pull) = at else {
                    outside = outside.saturating_add(1);
                    continue;
                };
                if !weight.weight.is_finite() || weight.weight < 0.0 {
                    not_sound = not_sound.saturating_add(1);
                } else if !pull.add(joint, weight.weight) {
                    lost = lost.saturating_add(1);
                }
            }
        }
        for (count, code, what) in [
            (outside, &warning::BAD_WEIGHT, "of vertices that are not there"),
            (not_sound, &warning::BAD_WEIGHT, "that are negative or not finite"),
            (lost, &warning::MORE_WEIGHTS, "beyond the four strongest of their vertices"),
        ] {
            if count > 0 {
                let message = format!("{} {what}, and are left out", counted(count, "weight", "weights"));
                report.warn(code, message).in_field(field);
            }
        }
        pulls
    }

    /// Whether any bone pulls at any vertex.
    pub(super) fn is_idle(&self) -> bool {
        self.pulls.iter().all(|pull| pull.count == 0)
    }

    /// Whether some of the vertices have no bone.
    pub(super) fn has_free(&self) -> bool {
        self.pulls.is_empty() || self.pulls.iter().any(|pull| pull.count == 0)
    }

    /// The joints of a vertex, and their weights with a sum of 1.
    pub(super) fn of(&self, vertex: u32) -> ([u16; MOST], [f32; MOST]) {
        let pull = usize::try_from(vertex)
            .ok()
            .and_then(|vertex| self.pulls.get(vertex))
            .copied()
            .unwrap_or_default();
        let sum: f32 = pull.weights.iter().sum();
        match pull.count {
            0 => ([self.free, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]),
            // One bone alone takes the vertex along whatever it weighs.
            1 => (pull.joints, [1.0, 0.0, 0.0, 0.0]),
            _ if sum > 0.0 && sum.is_finite() => (pull.joints, pull.weights.map(|weight| weight / sum)),
            _ => (pull.joints, [1.0, 0.0, 0.0, 0.0]),
        }
    }
}

/// What brings a mesh into the space of a joint that stands here, seen from outside the mesh's node. A joint without any size has no
/// such thing; then it is the identity.
pub(super) fn inverse_bind(place: DAffine3) -> Option<Affine3A> {
    let inverse = place.inverse();
    let columns = inverse.to_cols_array().map(narrow);
    columns.iter().all(|number| number.is_finite()).then(|| Affine3A::from_cols_array(&columns))
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "rounding to single precision is meant"
)]
fn narrow(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_strongest_stay_and_of_equals_the_first() {
        let mut pull = Pull::default();
        let fits: Vec<bool> = [(0, 0.1), (1, 0.5), (2, 0.5), (3, 0.2), (4, 0.3), (5, 0.1)]
            .map(|(joint, weight)| pull.add(joint, weight))
            .to_vec();
        assert_eq!(fits, [true, true, true, true, false, false]);
        assert_eq!((pull.joints, pull.weights), ([1, 2, 4, 3], [0.5, 0.5, 0.3, 0.2]));
        let pulls = Pulls { pulls: vec![pull], free: 9 };
        let (joints, weights) = pulls.of(0);
        assert_eq!(joints, [1, 2, 4, 3]);
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(pulls.of(7), ([9, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
    }
}
