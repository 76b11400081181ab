//! Normals and tangents for normal textures.
//!
//! Tangents are computed with Mikkelsen's algorithm (MikkTSpace), which glTF requires and for which normal textures
//! are created. The crate `bevy_mikktspace` implements it in safe Rust without dependencies, maintained by the Bevy
//! project.

use std::collections::BTreeMap;

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::Vec3;

use crate::{Primitive, Topology};

impl Primitive {
    /// Adds vertex normals: the average of the normals of the adjacent triangles, weighted by area. Edges between
    /// vertices at the same position that are not shared stay sharp. A vertex without a non-degenerate triangle gets
    /// (0, 0, 0), which is written as up.
    pub fn add_normals(&mut self) {
        let mut sums = vec![Vec3::ZERO; self.positions.len()];
        let (triangles, _) = self.indices.as_chunks::<3>();
        for triangle in triangles.iter().filter(|_| self.topology == Topology::Triangles) {
            let corners = triangle.map(|corner| self.at(corner, &self.positions).map(Vec3::from));
            let [Some(a), Some(b), Some(c)] = corners else { continue };
            let direction = (b - a).cross(c - a);
            for corner in triangle {
                if let Some(sum) = usize::try_from(*corner).ok().and_then(|corner| sums.get_mut(corner)) {
                    *sum += direction;
                }
            }
        }
        self.normals = Some(sums.into_iter().map(|sum| sum.normalize_or_zero().to_array()).collect());
    }

    /// Adds tangents for a set of texture coordinates, and normals if there are none.
    ///
    /// A vertex at which texture coordinates with different directions meet, such as at the seam of a mirrored
    /// texture, is split. In this case the method returns the original index of each vertex; original vertices keep
    /// their indices.
    ///
    /// Does nothing if the set does not exist, or if the primitive has joints or morph targets.
    pub fn add_tangents(&mut self, uv_set: usize) -> Option<Vec<u32>> {
        let has_more = self.influences.is_some() || !self.targets.is_empty();
        if has_more || self.topology != Topology::Triangles || self.uvs.get(uv_set).is_none() {
            return None;
        }
        if self.normals.is_none() {
            self.add_normals();
        }
        let mut corners = Corners {
            primitive: self,
            normals: self.normals.as_deref().unwrap_or_default(),
            uvs: self.uvs.get(uv_set).map(Vec::as_slice).unwrap_or_default(),
            tangents: vec![None; self.indices.len()],
        };
        // It cannot fail.
        let _ = generate_tangents(&mut corners);
        let tangents = corners.tangents;
        self.assign_tangents(&tangents)
    }

    /// Assigns the tangents of the corners to the vertices, and splits vertices with several.
    fn assign_tangents(&mut self, tangents: &[Option<[f32; 4]>]) -> Option<Vec<u32>> {
        let count = self.positions.len();
        let mut of_vertex: Vec<Option<[f32; 4]>> = vec![None; count];
        // The original index of each vertex, including the vertices that were split off.
        let mut sources: Vec<u32> = (0..u32::try_from(count).ok()?).collect();
        let mut splits: BTreeMap<(u32, [u32; 4]), u32> = BTreeMap::new();
        for (index, tangent) in self.indices.iter_mut().zip(tangents) {
            let (Some(tangent), Some(slot)) =
                (tangent, usize::try_from(*index).ok().and_then(|index| of_vertex.get_mut(index)))
            else {
                continue;
            };
            let known = *slot.get_or_insert(*tangent);
            if is_near(known, *tangent) {
                continue;
            }
            let key = (*index, tangent.map(|number| (number * 64.0).round().to_bits()));
            let next = u32::try_from(of_vertex.len()).ok()?;
            let split = *splits.entry(key).or_insert(next);
            if split == next {
                of_vertex.push(Some(*tangent));
                sources.push(*index);
            }
            *index = split;
        }
        self.repeat_vertices(sources.get(count..).unwrap_or_default());
        let normals = self.normals.as_deref().unwrap_or_default();
        let tangents = of_vertex.into_iter().zip(normals);
        self.tangents =
            Some(tangents.map(|(tangent, normal)| tangent.unwrap_or_else(|| any_tangent(*normal))).collect());
        (sources.len() > count).then_some(sources)
    }

    /// Appends copies of the given vertices.
    fn repeat_vertices(&mut self, sources: &[u32]) {
        fn repeat<T: Copy>(list: &mut Vec<T>, sources: &[u32]) {
            let item = |source: &u32| usize::try_from(*source).ok().and_then(|at| list.get(at).copied());
            let more: Vec<T> = sources.iter().filter_map(item).collect();
            list.extend(more);
        }
        repeat(&mut self.positions, sources);
        self.normals.iter_mut().for_each(|list| repeat(list, sources));
        self.uvs.iter_mut().for_each(|list| repeat(list, sources));
        self.colors.iter_mut().for_each(|list| repeat(list, sources));
    }

    fn at<T: Copy>(&self, corner: u32, list: &[T]) -> Option<T> {
        usize::try_from(corner).ok().and_then(|corner| list.get(corner)).copied()
    }
}

/// Whether two tangents of a vertex can be merged: the same sign, and less than 4 degrees apart.
fn is_near([ax, ay, az, aw]: [f32; 4], [bx, by, bz, bw]: [f32; 4]) -> bool {
    aw.to_bits() == bw.to_bits() && Vec3::new(ax, ay, az).dot(Vec3::new(bx, by, bz)) > 0.9976
}

/// Returns an arbitrary tangent, for a vertex whose texture has no direction.
fn any_tangent(normal: [f32; 3]) -> [f32; 4] {
    let normal = Vec3::from(normal).try_normalize().unwrap_or(Vec3::Y);
    let Vec3 { x, y, z } = normal.any_orthonormal_vector();
    [x, y, z, 1.0]
}

/// The corners of a primitive's triangles.
struct Corners<'a> {
    primitive: &'a Primitive,
    normals: &'a [[f32; 3]],
    uvs: &'a [[f32; 2]],
    /// One per index.
    tangents: Vec<Option<[f32; 4]>>,
}

impl Corners<'_> {
    fn index_of(face: usize, vert: usize) -> usize {
        face * 3 + vert
    }

    fn corner<T: Copy + Default>(&self, face: usize, vert: usize, list: &[T]) -> T {
        let corner = self.primitive.indices.get(Self::index_of(face, vert)).copied();
        corner.and_then(|corner| self.primitive.at(corner, list)).unwrap_or_default()
    }
}

impl Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.primitive.indices.len() / 3
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, vert: usize) -> [f32; 3] {
        self.corner(face, vert, &self.primitive.positions)
    }

    fn normal(&self, face: usize, vert: usize) -> [f32; 3] {
        self.corner(face, vert, self.normals)
    }

    fn tex_coord(&self, face: usize, vert: usize) -> [f32; 2] {
        self.corner(face, vert, self.uvs)
    }

    fn set_tangent(&mut self, tangent: Option<TangentSpace>, face: usize, vert: usize) {
        // The crate's texture coordinates run upwards, glTF's run downwards, so the bitangent has the opposite sign.
        let flipped = |[x, y, z, side]: [f32; 4]| [x, y, z, -side];
        let encoded = tangent.map(|tangent| flipped(tangent.tangent_encoded()));
        let is_unit = |[x, y, z, _]: &[f32; 4]| {
            let length = Vec3::new(*x, *y, *z).length();
            (length - 1.0).abs() < 1e-3
        };
        if let Some(slot) = self.tangents.get_mut(Self::index_of(face, vert)) {
            *slot = encoded.filter(is_unit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square that faces +Z, with an upright image.
    fn square() -> Primitive {
        Primitive {
            positions: vec![[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]],
            uvs: vec![vec![[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]],
            indices: vec![0, 1, 2, 0, 2, 3],
            ..Primitive::default()
        }
    }

    #[test]
    fn points_tangents_to_the_right_of_the_image_and_bitangents_up() {
        let mut it = square();
        assert_eq!(it.add_tangents(0), None);
        assert_eq!(it.normals.as_deref().unwrap(), [[0.0, 0.0, 1.0]; 4]);
        assert_eq!(it.tangents.as_deref().unwrap(), [[1.0, 0.0, 0.0, 1.0]; 4]);
        let up = Vec3::Z.cross(Vec3::X) * 1.0;
        assert_eq!(up, Vec3::Y);

        let mut mirrored = square();
        mirrored.uvs[0].iter_mut().for_each(|[u, _]| *u = 1.0 - *u);
        mirrored.add_tangents(0);
        assert_eq!(mirrored.tangents.as_deref().unwrap(), [[-1.0, 0.0, 0.0, -1.0]; 4]);
    }

    #[test]
    fn splits_a_vertex_at_the_seam_of_a_mirrored_image() {
        // Two adjacent squares that share two vertices, from which the image runs in both directions.
        let mut it = Primitive {
            positions: vec![
                [0.0, 1.0, 0.0],
                [0.0, 0.0, 0.0],
                [1.0, 0.0, 0.0],
                [1.0, 1.0, 0.0],
                [2.0, 0.0, 0.0],
                [2.0, 1.0, 0.0],
            ],
            uvs: vec![vec![[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]],
            colors: Some(vec![[0.5; 4]; 6]),
            indices: vec![0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5],
            ..Primitive::default()
        };
        let corners: Vec<[f32; 3]> = it.indices.iter().map(|at| it.positions[*at as usize]).collect();
        let sources = it.add_tangents(0).expect("two vertices are split");
        assert_eq!(sources.len(), 8);
        assert_eq!(sources[..6], [0, 1, 2, 3, 4, 5]);
        assert_eq!([sources[6], sources[7]].iter().max(), Some(&3));
        assert!(it.indices.iter().all(|at| (*at as usize) < 8));
        let now: Vec<[f32; 3]> = it.indices.iter().map(|at| it.positions[*at as usize]).collect();
        assert_eq!(now, corners, "triangles must not move");
        let lists =
            [it.positions.len(), it.uvs[0].len(), it.colors.unwrap().len(), it.normals.unwrap().len()];
        assert_eq!(lists, [8; 4]);
        let tangents = it.tangents.unwrap();
        let of = |corner: usize| tangents[it.indices[corner] as usize];
        assert!((0..6).all(|corner| of(corner) == [1.0, 0.0, 0.0, 1.0]));
        assert!((6..12).all(|corner| of(corner) == [-1.0, 0.0, 0.0, -1.0]));
    }

    #[test]
    fn adds_a_unit_tangent_where_the_texture_has_no_direction() {
        // No texture coordinates differ, one triangle has no area, and one vertex has no triangle.
        let mut it = Primitive { uvs: vec![vec![[0.5; 2]; 4]], indices: vec![0, 0, 1, 0, 1, 2], ..square() };
        it.add_tangents(0);
        for [x, y, z, side] in it.tangents.unwrap() {
            assert!((Vec3::new(x, y, z).length() - 1.0).abs() < 1e-5 && side.abs() == 1.0);
        }
        let mut broken = Primitive { indices: vec![0, 1, 99], ..square() };
        broken.add_tangents(0);
        assert_eq!(broken.tangents.unwrap().len(), 4);
        assert_eq!(square().add_tangents(1), None, "set 1 does not exist");
    }

    #[test]
    fn keeps_edges_between_unshared_vertices_sharp() {
        let mut it = Primitive {
            positions: vec![
                [0.0; 3],
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0; 3],
                [0.0, 0.0, 1.0],
                [1.0, 0.0, 0.0],
            ],
            indices: vec![0, 1, 2, 3, 4, 5],
            ..Primitive::default()
        };
        it.add_normals();
        assert_eq!(it.normals.unwrap(), [[[0.0, 0.0, 1.0]; 3], [[0.0, 1.0, 0.0]; 3]].concat());
    }
}
