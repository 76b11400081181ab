//! Corner normals, computed from the shade type and the smoothing groups.
//!
//! Files contain no normals. Flat shading uses the face normal. Smooth shading uses the sum of the unit normals of all faces of the mesh
//! that are in the same smoothing group and use the same vertex. Any number is a valid group, including negative ones. A face with several
//! groups contributes to the sums of all of them, and its own normals are those of the first.
//! Sources: Tokei, "RSM2 file format!"; other readers for the terms of the sums.

use std::collections::HashMap;

use glam::DVec3;

use super::{Face, Mesh, Rsm};

/// The shading of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shade {
    /// Unlit.
    None,
    /// Each face has one normal. Also used for unknown types.
    Flat,
    /// Smooth within smoothing groups.
    Smooth,
}

impl Shade {
    pub(crate) fn of(model: &Rsm) -> Self {
        match model.shade_type {
            0 => Self::None,
            2 => Self::Smooth,
            _ => Self::Flat,
        }
    }
}

/// The normal that the game uses for unlit models.
const UNLIT: DVec3 = DVec3::NEG_ONE;

/// Minimum length of a sum with a direction.
const MIN_LENGTH: f64 = 1e-9;

/// Computes the normals of each face's corners, in the mesh's space. `None` for a face with an invalid vertex index. A normal without a
/// direction is zero.
#[must_use]
pub fn corner_normals(model: &Rsm, mesh: &Mesh) -> Vec<Option<[DVec3; 3]>> {
    let flat = mesh.faces.iter().map(|face| face_normal(mesh, face));
    match Shade::of(model) {
        Shade::None => flat.map(|normal| normal.map(|_| [UNLIT; 3])).collect(),
        Shade::Flat => flat.map(|normal| normal.map(|normal| [normal; 3])).collect(),
        Shade::Smooth => smooth(mesh, &flat.collect::<Vec<_>>()),
    }
}

fn smooth(mesh: &Mesh, flat: &[Option<DVec3>]) -> Vec<Option<[DVec3; 3]>> {
    let mut sums: HashMap<(i32, u16), DVec3> = HashMap::new();
    for (face, normal) in mesh.faces.iter().zip(flat) {
        let Some(normal) = normal else { continue };
        let mut groups: Vec<i32> = face.groups.iter().collect();
        groups.sort_unstable();
        groups.dedup();
        if groups.is_empty() {
            groups.push(face.groups.shading());
        }
        for group in groups {
            for vertex in face.vertices {
                *sums.entry((group, vertex)).or_default() += *normal;
            }
        }
    }
    let corner = |group: i32, vertex: u16| {
        let sum = sums.get(&(group, vertex)).copied().unwrap_or_default();
        let length = sum.length();
        if length > MIN_LENGTH { sum / length } else { DVec3::ZERO }
    };
    let corners = |face: &Face| face.vertices.map(|vertex| corner(face.groups.shading(), vertex));
    mesh.faces.iter().zip(flat).map(|(face, normal)| normal.map(|_| corners(face))).collect()
}

/// Returns the positions of a face's corners. `None` if one does not exist.
pub(crate) fn corners(mesh: &Mesh, face: &Face) -> Option<[DVec3; 3]> {
    let at = |vertex: u16| {
        mesh.vertices.get(usize::from(vertex)).map(|position| DVec3::from(position.map(f64::from)))
    };
    let [a, b, c] = face.vertices;
    Some([at(a)?, at(b)?, at(c)?])
}

/// Returns the normal of a face. Zero for a face without area.
fn face_normal(mesh: &Mesh, face: &Face) -> Option<DVec3> {
    let [a, b, c] = corners(mesh, face)?;
    let normal = (b - a).cross(c - a);
    let length = normal.length();
    Some(if length > 0.0 { normal / length } else { DVec3::ZERO })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rsm::Version;

    /// Two triangles that share an edge along Y at a right angle, facing +Z and +X.
    fn corner(shade_type: i32, groups: [&[i32]; 2]) -> Vec<Option<[DVec3; 3]>> {
        let face = |vertices: [u16; 3], groups: &[i32]| Face {
            vertices,
            groups: groups.to_vec().into(),
            ..Face::default()
        };
        let mesh = Mesh {
            vertices: vec![[0.0; 3], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
            faces: vec![face([0, 1, 2], groups[0]), face([0, 3, 1], groups[1])],
            ..Mesh::default()
        };
        corner_normals(&Rsm { shade_type, ..Rsm::new(Version::V2_3) }, &mesh)
    }

    #[test]
    fn normals_depend_on_the_shade_type() {
        let none = corner(0, [&[1], &[1]]);
        assert!(none.iter().flatten().flatten().all(|normal| *normal == DVec3::NEG_ONE));
        assert_eq!(corner(1, [&[1], &[1]]), [Some([DVec3::Z; 3]), Some([DVec3::X; 3])]);
        let both = (DVec3::X + DVec3::Z).normalize();
        for group in [0, 1, 31, 32, -1, i32::MIN] {
            let smooth = corner(2, [&[group], &[group]]);
            assert_eq!(smooth, [Some([both, both, DVec3::Z]), Some([both, DVec3::X, both])], "group {group}");
        }
        assert_eq!(corner(2, [&[1], &[2]]), corner(1, [&[1], &[2]]));
        // The second face contributes to the sums of group 1, but its own normals are those of group 2.
        assert_eq!(corner(2, [&[1], &[2, 1]]), [Some([both, both, DVec3::Z]), Some([DVec3::X; 3])]);
    }

    #[test]
    fn invalid_faces_have_no_normals_and_degenerate_faces_have_zero_normals() {
        let face = |vertices: [u16; 3]| Face { vertices, groups: vec![1].into(), ..Face::default() };
        let mesh = Mesh {
            vertices: vec![[0.0; 3], [1.0; 3]],
            faces: vec![face([0, 1, 9]), face([0, 1, 1])],
            ..Mesh::default()
        };
        assert_eq!(corner_normals(&Rsm::new(Version::V1_4), &mesh), [None, Some([DVec3::ZERO; 3])]);
    }
}
