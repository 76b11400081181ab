//! Conversion of faces to a primitive of a scene.

use std::collections::HashMap;

use ::scene::Primitive;
use glam::DVec3;
use json::Map;

use super::normal::Shade;
use super::single::finite;
use super::{Face, Mesh, Rsm, check};
use crate::axes::Axes;

/// The visible side of a mesh's triangles, without the transform of its node.
///
/// The game culls by the posed triangle. A glTF viewer culls by the stored one, and reverses the winding order of a mesh that its nodes
/// mirror. Triangles and normals of a mirrored mesh are therefore reversed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VisibleSide {
    Front,
    Back,
}

/// Key of a vertex: position index, texture coordinates, normal, color, and the number of earlier faces on the same three vertices. Some
/// models have two faces on the same vertices to make them two-sided. Importers keep only one face for each set of vertices, so the second
/// face needs separate vertices.
type Corner = (u16, [u32; 2], [u32; 3], [u8; 4], u32);

/// A primitive being built.
pub(super) struct PrimitiveBuilder<'a> {
    axes: &'a Axes,
    side: VisibleSide,
    mesh: &'a Mesh,
    vertices: HashMap<Corner, u32>,
    /// Number of faces on each set of vertices. The vertices of a set are in ascending order.
    faces: HashMap<[u16; 3], u32>,
    primitive: Primitive,
    normals: Option<Vec<[f32; 3]>>,
    uvs: Vec<[f32; 2]>,
    /// One color for each vertex, as hexadecimal digits. Present if the mesh has any color other than zero and white.
    colors: Option<String>,
}

impl<'a> PrimitiveBuilder<'a> {
    pub(super) fn new(rsm: &Rsm, (axes, side): (&'a Axes, VisibleSide), mesh: &'a Mesh) -> Self {
        let has_normals = Shade::of(rsm) != Shade::None;
        Self {
            axes,
            side,
            mesh,
            vertices: HashMap::new(),
            faces: HashMap::new(),
            primitive: Primitive::default(),
            normals: has_normals.then(Vec::new),
            uvs: Vec::new(),
            colors: check::has_colors(mesh).then(String::new),
        }
    }

    pub(super) fn add(&mut self, face: &Face, normals: [DVec3; 3]) {
        let mut sorted = face.vertices;
        sorted.sort_unstable();
        let count = self.faces.entry(sorted).or_default();
        let earlier = *count;
        *count = count.saturating_add(1);
        let corners = [0, 1, 2].map(|corner: usize| {
            let pick = |numbers: [u16; 3]| numbers.get(corner).copied().unwrap_or_default();
            let normal = normals.get(corner).copied().unwrap_or_default();
            self.vertex(pick(face.vertices), pick(face.texture_vertices), normal, earlier)
        });
        let [a, b, c] = self.axes.winding(corners);
        self.primitive.indices.extend(match self.side {
            VisibleSide::Front => [a, b, c],
            VisibleSide::Back => [a, c, b],
        });
    }

    /// Returns the vertex of a corner: an existing one with the same key, or a new one.
    fn vertex(&mut self, position: u16, texture_vertex: u16, normal: DVec3, earlier: u32) -> u32 {
        let texture_vertex =
            self.mesh.texture_vertices.get(usize::from(texture_vertex)).copied().unwrap_or_default();
        let uv = texture_vertex.uv.map(|number| if number.is_finite() { number } else { 0.0 });
        let normal = match self.side {
            VisibleSide::Front => normal,
            VisibleSide::Back => -normal,
        };
        let normal = match &self.normals {
            Some(_) => finite(self.axes.direction(normal)).unwrap_or_default().to_array(),
            None => [0.0; 3],
        };
        let color = match &self.colors {
            Some(_) => texture_vertex.color.unwrap_or_default(),
            None => [0; 4],
        };
        let next = u32::try_from(self.primitive.positions.len()).unwrap_or(u32::MAX);
        let key = (position, uv.map(f32::to_bits), normal.map(f32::to_bits), color, earlier);
        let vertex = *self.vertices.entry(key).or_insert(next);
        if vertex == next {
            let position = self.mesh.vertices.get(usize::from(position)).copied().unwrap_or_default();
            let position = self.axes.position(DVec3::from(position.map(f64::from)));
            self.primitive.positions.push(finite(position).unwrap_or_default().to_array());
            self.uvs.push(uv);
            if let Some(normals) = &mut self.normals {
                normals.push(normal);
            }
            if let Some(colors) = &mut self.colors {
                color.iter().for_each(|byte| colors.push_str(&format!("{byte:02x}")));
            }
        }
        vertex
    }

    pub(super) fn finish(self) -> Primitive {
        let mut extras = Map::new();
        if let Some(colors) = self.colors {
            extras.insert("colors".into(), colors.into());
        }
        Primitive { normals: self.normals, uvs: vec![self.uvs], extras, ..self.primitive }
    }
}
