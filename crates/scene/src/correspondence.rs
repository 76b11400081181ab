//! Matching of a mesh's triangles with their originals after another program edited the mesh.
//!
//! Other programs renumber vertices, split them, and drop data they do not support. Most triangles are unchanged,
//! though, and most of the others still have an edge or texture coordinates that identify the original. [`find`]
//! compares triangles by their content, from the strictest key to the loosest.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// A corner of a triangle. Two corners with the same number are equal in that property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Corner {
    /// Number of the position in the first frame.
    pub position: u32,
    /// Number of the positions in all frames.
    pub motion: u32,
    /// Number of the texture coordinates.
    pub uv: u32,
}

/// A triangle with its material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Triangle {
    /// Number of the material or texture.
    pub material: u32,
    /// The corners in order.
    pub corners: [Corner; 3],
}

/// The original of a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// Index of the original.
    pub original: usize,
    /// Corner `i` of the triangle is corner `(i + rotation) % 3` of the original.
    pub rotation: usize,
}

impl Match {
    /// Returns the corner of the original that corresponds to a corner of the triangle.
    #[must_use]
    pub const fn corner(self, corner: usize) -> usize {
        corner.saturating_add(self.rotation) % 3
    }
}

/// Finds the original of each triangle. An original is matched at most once; `None` marks a new triangle.
#[must_use]
pub fn find(originals: &[Triangle], triangles: &[Triangle]) -> Vec<Option<Match>> {
    let mut search = Search {
        originals,
        triangles,
        found: vec![None; triangles.len()],
        is_found: vec![false; originals.len()],
    };
    search.match_all_corners(|triangle, corner| (triangle.material, corner.motion, corner.uv));
    search.match_all_corners(|triangle, corner| (triangle.material, corner.position, corner.uv));
    search.match_all_corners(|_, corner| (corner.position, corner.uv));
    search.match_all_corners(|triangle, corner| (triangle.material, corner.position));
    search.match_all_corners(|_, corner| corner.position);
    // A moved vertex leaves the opposite edge unchanged.
    search.match_features(|triangle, [first, second, third]| {
        Some((triangle.material, first, second, third.uv))
    });
    search.match_features(|triangle, [first, second, _]| Some((triangle.material, first, second)));
    search.match_features(|triangle, [first, second, third]| {
        Some((triangle.material, first, second.uv, third.uv))
    });
    search.match_features(|triangle, [first, second, third]| {
        // Triangles of a single color have the same coordinates everywhere, so these identify nothing.
        let differ = first.uv != second.uv && second.uv != third.uv && third.uv != first.uv;
        differ.then_some((triangle.material, first.uv, second.uv, third.uv))
    });
    search.match_in_order();
    search.found
}

struct Search<'a> {
    originals: &'a [Triangle],
    triangles: &'a [Triangle],
    found: Vec<Option<Match>>,
    is_found: Vec<bool>,
}

impl Search<'_> {
    /// Matches triangles whose corners are all equal, in any rotation.
    fn match_all_corners<K: Hash + Ord + Copy>(&mut self, key: impl Fn(&Triangle, Corner) -> K) {
        let keys = |triangle: &Triangle| {
            let [a, b, c] = triangle.corners.map(|corner| key(triangle, corner));
            let rotations = [([a, b, c], 0), ([b, c, a], 1), ([c, a, b], 2)];
            rotations.into_iter().min().into_iter().collect()
        };
        self.match_by_keys(keys);
    }

    /// Matches triangles that share a feature. The key function receives the corners in each of the three rotations.
    fn match_features<K: Hash + Eq>(&mut self, key: impl Fn(&Triangle, [Corner; 3]) -> Option<K>) {
        let keys = |triangle: &Triangle| {
            let [a, b, c] = triangle.corners;
            let rotations = [([a, b, c], 0), ([b, c, a], 1), ([c, a, b], 2)];
            rotations
                .into_iter()
                .filter_map(|(corners, rotation)| Some((key(triangle, corners)?, rotation)))
                .collect()
        };
        self.match_by_keys(keys);
    }

    /// Matches triangles by keys, each paired with the corner it starts from.
    fn match_by_keys<K: Hash + Eq>(&mut self, keys: impl Fn(&Triangle) -> Vec<(K, usize)>) {
        let mut known: HashMap<K, VecDeque<(usize, usize)>> = HashMap::new();
        for (index, (original, is_found)) in self.originals.iter().zip(&self.is_found).enumerate() {
            if !is_found {
                for (key, start) in keys(original) {
                    known.entry(key).or_default().push_back((index, start));
                }
            }
        }
        if known.is_empty() {
            return;
        }
        for (triangle, found) in self.triangles.iter().zip(&mut self.found) {
            if found.is_some() {
                continue;
            }
            for (key, start) in keys(triangle) {
                let Some(list) = known.get_mut(&key) else { continue };
                let free = std::iter::from_fn(|| list.pop_front())
                    .find(|(index, _)| self.is_found.get(*index).is_some_and(|is_found| !is_found));
                let Some((original, original_start)) = free else { continue };
                if let Some(is_found) = self.is_found.get_mut(original) {
                    *is_found = true;
                }
                let rotation = original_start.saturating_add(3).saturating_sub(start) % 3;
                *found = Some(Match { original, rotation });
                break;
            }
        }
    }

    /// Matches the remaining triangles of a material in order if both sides have the same number of them: programs
    /// that keep triangles keep their order.
    fn match_in_order(&mut self) {
        let mut left: HashMap<u32, [Vec<usize>; 2]> = HashMap::new();
        for (index, (original, is_found)) in self.originals.iter().zip(&self.is_found).enumerate() {
            if !is_found {
                let [originals, _] = left.entry(original.material).or_default();
                originals.push(index);
            }
        }
        for (index, (triangle, found)) in self.triangles.iter().zip(&self.found).enumerate() {
            if found.is_none() {
                let [_, triangles] = left.entry(triangle.material).or_default();
                triangles.push(index);
            }
        }
        for [originals, triangles] in left.into_values() {
            if originals.len() == triangles.len() {
                for (original, triangle) in originals.into_iter().zip(triangles) {
                    if let Some(found) = self.found.get_mut(triangle) {
                        *found = Some(Match { original, rotation: 0 });
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle with these positions. Its texture coordinates default to the same numbers.
    fn triangle(material: u32, positions: [u32; 3], uvs: Option<[u32; 3]>) -> Triangle {
        let uvs = uvs.unwrap_or(positions);
        let corner = |at: usize| Corner { position: positions[at], motion: positions[at], uv: uvs[at] };
        Triangle { material, corners: [corner(0), corner(1), corner(2)] }
    }

    fn pairs(originals: &[Triangle], triangles: &[Triangle]) -> Vec<Option<(usize, usize)>> {
        find(originals, triangles)
            .into_iter()
            .map(|found| found.map(|found| (found.original, found.rotation)))
            .collect()
    }

    #[test]
    fn finds_triangles_in_any_order_and_rotation() {
        let originals =
            [triangle(0, [1, 2, 3], None), triangle(0, [3, 2, 4], None), triangle(1, [1, 2, 3], None)];
        let edited =
            [triangle(1, [2, 3, 1], None), triangle(0, [4, 3, 2], None), triangle(0, [1, 2, 3], None)];
        assert_eq!(pairs(&originals, &edited), [Some((2, 1)), Some((1, 2)), Some((0, 0))]);
    }

    #[test]
    fn maps_corners_to_the_original() {
        let (original, edited) = (triangle(0, [7, 8, 9], None), triangle(0, [9, 7, 8], None));
        let found = find(&[original], &[edited])[0].unwrap();
        for corner in 0..3 {
            assert_eq!(edited.corners[corner], original.corners[found.corner(corner)]);
        }
    }

    #[test]
    fn finds_a_triangle_with_a_moved_vertex_by_the_opposite_edge() {
        let uvs = Some([1, 2, 3]);
        let originals =
            [triangle(0, [1, 2, 3], uvs), triangle(0, [3, 2, 4], uvs), triangle(0, [4, 2, 5], uvs)];
        // Vertex 3 moved to 30, and the last triangle was deleted.
        let edited = [triangle(0, [30, 2, 4], uvs), triangle(0, [1, 2, 30], uvs)];
        assert_eq!(pairs(&originals, &edited), [Some((1, 0)), Some((0, 0))]);
    }

    #[test]
    fn finds_a_moved_mesh_by_texture_coordinates_or_order() {
        let originals = [triangle(0, [1, 2, 3], None), triangle(0, [4, 5, 6], None)];
        let edited = [triangle(0, [50, 60, 40], Some([5, 6, 4])), triangle(0, [10, 20, 30], Some([1, 2, 3]))];
        assert_eq!(pairs(&originals, &edited), [Some((1, 1)), Some((0, 0))]);
        let plain = |positions| triangle(0, positions, Some([0; 3]));
        let originals = [plain([1, 2, 3]), plain([4, 5, 6])];
        assert_eq!(
            pairs(&originals, &[plain([10, 20, 30]), plain([40, 50, 60])]),
            [Some((0, 0)), Some((1, 0))]
        );
        assert_eq!(pairs(&originals, &[plain([10, 20, 30])]), [None]);
    }

    #[test]
    fn finds_a_triangle_with_another_material_or_new_texture_coordinates() {
        let originals = [triangle(0, [1, 2, 3], None), triangle(0, [4, 5, 6], None)];
        let edited = [
            triangle(9, [1, 2, 3], None),
            triangle(0, [4, 5, 6], Some([7, 7, 7])),
            triangle(0, [7, 8, 9], None),
        ];
        assert_eq!(pairs(&originals, &edited), [Some((0, 0)), Some((1, 0)), None]);
    }

    #[test]
    fn matches_an_original_only_once() {
        let one = triangle(0, [1, 2, 3], None);
        assert_eq!(pairs(&[one], &[one, one]), [Some((0, 0)), None]);
        assert_eq!(pairs(&[one, one], &[one]), [Some((0, 0))]);
    }
}
