//! Reconstruction of smoothing groups from normals.
//!
//! Faces with the same normals at both ends of a shared edge are in one group. So are faces that share a vertex with the same normal, if it
//! differs from their face normals, because it can only be the result of a sum.

use std::collections::HashMap;

/// A corner of a face: the vertex and its quantized normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Corner {
    pub(super) vertex: u16,
    pub(super) normal: [i16; 3],
    /// Whether the normal differs from the face normal.
    pub(super) is_rounded: bool,
}

impl Corner {
    pub(super) fn new(vertex: u16, normal: [f32; 3], is_rounded: bool) -> Self {
        Self { vertex, normal: normal.map(quantized), is_rounded }
    }

    fn plain(self) -> Self {
        Self { is_rounded: false, ..self }
    }
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "the number is clamped")]
fn quantized(number: f32) -> i16 {
    (number.clamp(-1.0, 1.0) * 500.0).round() as i16
}

/// Returns the group of each face. Groups are numbered in the order of the faces.
pub(super) fn groups(faces: &[[Corner; 3]]) -> Vec<i32> {
    let mut sets = DisjointSets((0..faces.len()).collect());
    let mut edges: HashMap<[Corner; 2], usize> = HashMap::new();
    let mut rounded: HashMap<Corner, usize> = HashMap::new();
    for (face, corners) in faces.iter().enumerate() {
        for corner in corners.iter().filter(|corner| corner.is_rounded) {
            let first = *rounded.entry(*corner).or_insert(face);
            sets.join(first, face);
        }
        let [a, b, c] = corners.map(Corner::plain);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let edge = if from <= to { [from, to] } else { [to, from] };
            let first = *edges.entry(edge).or_insert(face);
            sets.join(first, face);
        }
    }
    let mut numbers: HashMap<usize, i32> = HashMap::new();
    let number = |face: usize| {
        let first = sets.first(face);
        let next = i32::try_from(numbers.len()).unwrap_or(i32::MAX);
        *numbers.entry(first).or_insert(next)
    };
    (0..faces.len()).map(number).collect()
}

/// Union-find structure: for each face another face of its set, or itself.
struct DisjointSets(Vec<usize>);

impl DisjointSets {
    fn first(&mut self, mut face: usize) -> usize {
        while let Some(next) = self.0.get(face).copied().filter(|next| *next != face) {
            // Path halving.
            let further = self.0.get(next).copied().unwrap_or(next);
            if let Some(slot) = self.0.get_mut(face) {
                *slot = further;
            }
            face = further;
        }
        face
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        if let Some(slot) = self.0.get_mut(a.max(b)) {
            *slot = a.min(b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_edges_join_faces_and_sharp_edges_do_not() {
        let (up, side) = ([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]);
        let face = |vertices: [u16; 3], normal| vertices.map(|vertex| Corner::new(vertex, normal, false));
        let faces = [
            face([0, 1, 2], up),
            face([1, 0, 3], side),
            face([3, 2, 1], up),
            face([2, 1, 5], up),
            face([0, 7, 8], up),
        ];
        assert_eq!(groups(&faces), [0, 1, 0, 0, 2]);
    }

    #[test]
    fn shared_normals_join_faces_only_if_they_differ_from_the_face_normals() {
        let slant = [0.6, 0.8, 0.0];
        let at = |vertex, is_rounded| Corner::new(vertex, slant, is_rounded);
        let fan = |is_rounded| {
            [[at(0, is_rounded), at(1, false), at(2, false)], [at(0, is_rounded), at(3, false), at(4, false)]]
        };
        assert_eq!(groups(&fan(true)), [0, 0]);
        assert_eq!(groups(&fan(false)), [0, 1]);
    }
}
