//! Smoothing groups out of normals.
//!
//! Faces that have the same normals at both ends of an edge are in one group, and so are those that meet in a vertex with the same normal
//! that is not their own: only a sum can have made it.

use std::collections::HashMap;

/// A corner of a face: which vertex, and its normal in steps of a few thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Corner {
    pub(super) vertex: u16,
    pub(super) normal: [i16; 3],
    /// Whether that is not the normal of the face.
    pub(super) is_rounded: bool,
}

impl Corner {
    pub(super) fn new(vertex: u16, normal: [f32; 3], is_rounded: bool) -> Self {
        Self { vertex, normal: normal.map(stepped), is_rounded }
    }

    fn plain(self) -> Self {
        Self { is_rounded: false, ..self }
    }
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "clamped before")]
fn stepped(number: f32) -> i16 {
    (number.clamp(-1.0, 1.0) * 500.0).round() as i16
}

/// The group of each face, numbered in the order of the faces.
pub(super) fn groups(faces: &[[Corner; 3]]) -> Vec<i32> {
    let mut joined = Joined((0..faces.len()).collect());
    let mut edges: HashMap<[Corner; 2], usize> = HashMap::new();
    let mut rounded: HashMap<Corner, usize> = HashMap::new();
    for (face, corners) in faces.iter().enumerate() {
        for corner in corners.iter().filter(|corner| corner.is_rounded) {
            let first = *rounded.entry(*corner).or_insert(face);
            joined.join(first, face);
        }
        let [a, b, c] = corners.map(Corner::plain);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let edge = if from <= to { [from, to] } else { [to, from] };
            let first = *edges.entry(edge).or_insert(face);
            joined.join(first, face);
        }
    }
    let mut numbers: HashMap<usize, i32> = HashMap::new();
    let number = |face: usize| {
        let first = joined.first(face);
        let next = i32::try_from(numbers.len()).unwrap_or(i32::MAX);
        *numbers.entry(first).or_insert(next)
    };
    (0..faces.len()).map(number).collect()
}

/// For each face one that it is joined with, or itself.
struct Joined(Vec<usize>);

impl Joined {
    fn first(&mut self, mut face: usize) -> usize {
        while let Some(next) = self.0.get(face).copied().filter(|next| *next != face) {
            // Halves the way for the next time.
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
    fn an_edge_with_the_same_normals_joins_and_a_sharp_one_does_not() {
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
    fn a_vertex_joins_faces_only_by_a_normal_that_neither_has() {
        let slant = [0.6, 0.8, 0.0];
        let at = |vertex, is_rounded| Corner::new(vertex, slant, is_rounded);
        let fan = |is_rounded| {
            [[at(0, is_rounded), at(1, false), at(2, false)], [at(0, is_rounded), at(3, false), at(4, false)]]
        };
        assert_eq!(groups(&fan(true)), [0, 0]);
        assert_eq!(groups(&fan(false)), [0, 1]);
    }
}
