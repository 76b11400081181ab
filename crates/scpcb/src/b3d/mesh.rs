//! Converts the triangles of a mesh to one primitive per brush.

use std::collections::BTreeMap;

use asset::Report;
use scene::{Influences, Primitive};

use super::chunk::{Chunk, Mesh};
use super::layout::{Triangles, Vertex, VertexForm, Vertices};
use super::material::MaterialBinding;
use super::skin::SkinWeights;
use super::warning;
use crate::axes;
use crate::model::normal;
use asset::counted;

/// A mesh with all its vertices in one list.
#[derive(Debug)]
pub(super) struct MeshGeometry<'a> {
    pub(super) vertices: Vec<Corner<'a>>,
    /// Triangles by brush, in the order in which the brushes first occur.
    pub(super) parts: Vec<(i32, Vec<&'a Triangles>)>,
    /// Whether the engine uses the file's normals. The last vertex chunk decides.
    pub(super) has_normals: bool,
}

/// A vertex, and the number of components of its texture coordinate sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner<'a> {
    pub(super) vertex: &'a Vertex,
    set_size: usize,
}

impl<'a> MeshGeometry<'a> {
    pub(super) fn of(mesh: &'a Mesh) -> Self {
        let mut geometry = Self { vertices: Vec::new(), parts: Vec::new(), has_normals: false };
        let mut by_brush: BTreeMap<i32, usize> = BTreeMap::new();
        for chunk in &mesh.chunks {
            match chunk {
                Chunk::Vertices(chunk) => {
                    let Vertices { flags, coordinate_size, vertices, .. } = &**chunk;
                    let set_size = usize::try_from(*coordinate_size).unwrap_or_default();
                    geometry.vertices.extend(vertices.iter().map(|vertex| Corner { vertex, set_size }));
                    geometry.has_normals = flags & VertexForm::NORMALS != 0;
                }
                Chunk::Triangles(triangles) => {
                    let next = geometry.parts.len();
                    let index = *by_brush.entry(triangles.brush).or_insert(next);
                    match geometry.parts.get_mut(index) {
                        Some((_, part)) => part.push(triangles),
                        None => geometry.parts.push((triangles.brush, vec![triangles])),
                    }
                }
                _ => {}
            }
        }
        geometry
    }

    /// Iterates over all triangles.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.parts.iter().flat_map(|(_, part)| part).flat_map(|part| part.triangles.iter().copied())
    }

    pub(super) fn at(&self, corner: u32) -> Option<Corner<'a>> {
        usize::try_from(corner).ok().and_then(|corner| self.vertices.get(corner)).copied()
    }
}

/// Maps vertex indices of the mesh to vertex indices of the primitive being built. Reused for all primitives, so that many brushes
/// in a large mesh cost no more than its triangles.
#[derive(Debug)]
pub(super) struct VertexMap {
    round: u32,
    vertex_map: Vec<(u32, u32)>,
}

impl VertexMap {
    pub(super) fn new(vertices: usize) -> Self {
        Self { round: 0, vertex_map: vec![(0, 0); vertices] }
    }

    /// Clears the map.
    pub(super) fn start(&mut self) {
        self.round = self.round.saturating_add(1);
    }

    /// Returns the index of a vertex, or assigns `next` if it has none yet.
    pub(super) fn of(&mut self, vertex: u32, next: u32) -> u32 {
        let index = usize::try_from(vertex).ok().and_then(|vertex| self.vertex_map.get_mut(vertex));
        let Some((round, index)) = index else { return next };
        if *round != self.round {
            (*round, *index) = (self.round, next);
        }
        *index
    }
}

/// Problems in the triangles of a mesh.
#[derive(Debug, Default)]
pub(super) struct Defects {
    index_out_of_range: usize,
    not_finite: usize,
    not_finite_attributes: usize,
    colors: usize,
    coordinates: usize,
}

impl Defects {
    pub(super) fn warn(&self, geometry: &MeshGeometry<'_>, field: &str, report: &mut Report) {
        if self.index_out_of_range > 0 {
            let triangles = counted(self.index_out_of_range, "triangle refers", "triangles refer");
            let message = format!(
                "{triangles} to vertices beyond the last of {} and left out",
                geometry.vertices.len()
            );
            report.warn(&warning::BAD_INDEX, message).in_field(field);
        }
        if self.not_finite > 0 {
            let triangles = counted(self.not_finite, "triangle", "triangles");
            let message = format!("{triangles} with a non-finite position left out");
            report.warn(&warning::NOT_FINITE, message).in_field(field);
        }
        if self.not_finite_attributes > 0 {
            let vertices = counted(self.not_finite_attributes, "vertex has", "vertices have");
            let message = format!("{vertices} a non-finite normal or texture coordinates; using 0");
            report.warn(&warning::NOT_FINITE, message).in_field(field);
        }
        if self.colors > 0 {
            let vertices = counted(self.colors, "vertex has a color", "vertices have a color");
            let message = format!("{vertices} that their brush does not enable");
            report.warn(&warning::UNUSED_COLOR, message).in_field(field);
        }
        if self.coordinates > 0 {
            let vertices = counted(self.coordinates, "vertex has", "vertices have");
            let message = format!(
                "{vertices} more than two sets of two texture coordinates; the engine ignores the rest"
            );
            report.warn(&warning::MORE_COORDINATES, message).in_field(field);
        }
    }
}

/// Builds the primitives of a mesh.
pub(super) struct PrimitiveBuilder<'a, 'b> {
    pub(super) geometry: &'b MeshGeometry<'a>,
    pub(super) skin_weights: Option<&'b SkinWeights>,
    pub(super) scale: f32,
    pub(super) defects: Defects,
}

impl<'a> PrimitiveBuilder<'a, '_> {
    /// Returns the triangles of one brush; `None` if none of them is valid.
    pub(super) fn primitive(
        &mut self,
        part: &[&'a Triangles],
        binding: &MaterialBinding,
        vertex_map: &mut VertexMap,
    ) -> Option<Primitive> {
        vertex_map.start();
        let mut used: Vec<u32> = Vec::new();
        let mut indices = Vec::new();
        for triangle in part.iter().flat_map(|part| part.triangles.iter()) {
            if !self.is_valid(*triangle) {
                continue;
            }
            for corner in axes::winding(*triangle) {
                let next = u32::try_from(used.len()).ok()?;
                let index = if binding.flat_shading { next } else { vertex_map.of(corner, next) };
                if index == next {
                    used.push(corner);
                }
                indices.push(index);
            }
        }
        if indices.is_empty() {
            return None;
        }
        let corners: Vec<Corner<'_>> = used.iter().filter_map(|corner| self.geometry.at(*corner)).collect();
        let positions: Vec<[f32; 3]> = corners
            .iter()
            .map(|corner| finite_or_zero((axes::position(corner.vertex.position) * self.scale).to_array()))
            .collect();
        let normals = self.normals(&corners, &positions, &indices, binding);
        let uvs = self.uvs(&corners, binding);
        let colors = binding.colors.map(|colors| {
            corners
                .iter()
                .map(|corner| colors.color(corner.vertex.color.unwrap_or([1.0; 4])))
                .collect::<Vec<_>>()
        });
        if colors.is_none() {
            let colored =
                corners.iter().filter(|corner| corner.vertex.color.is_some_and(|color| color != [1.0; 4]));
            self.defects.colors = self.defects.colors.saturating_add(colored.count());
        }
        Some(Primitive {
            positions,
            normals: Some(normals),
            uvs,
            colors,
            influences: self.skin_weights.map(|skin_weights| influences(skin_weights, &used)),
            indices,
            material: Some(binding.material),
            ..Primitive::default()
        })
    }

    fn is_valid(&mut self, triangle: [u32; 3]) -> bool {
        let [Some(a), Some(b), Some(c)] = triangle.map(|corner| self.geometry.at(corner)) else {
            self.defects.index_out_of_range = self.defects.index_out_of_range.saturating_add(1);
            return false;
        };
        let is_finite =
            [a, b, c].iter().all(|corner| corner.vertex.position.iter().all(|number| number.is_finite()));
        if !is_finite {
            self.defects.not_finite = self.defects.not_finite.saturating_add(1);
        }
        is_finite
    }

    fn normals(
        &mut self,
        corners: &[Corner<'_>],
        positions: &[[f32; 3]],
        indices: &[u32],
        binding: &MaterialBinding,
    ) -> Vec<[f32; 3]> {
        let (triangles, _) = indices.as_chunks::<3>();
        if binding.flat_shading {
            let mut normals = vec![[0.0; 3]; positions.len()];
            for triangle in triangles {
                let Some((_, normal)) = normal::of_triangle(positions, *triangle) else { continue };
                for corner in triangle {
                    let index = usize::try_from(*corner).ok().and_then(|corner| normals.get_mut(corner));
                    if let Some(index) = index {
                        *index = normal.to_array();
                    }
                }
            }
            return normals;
        }
        if !self.geometry.has_normals {
            return normal::smooth(positions, triangles);
        }
        let mut not_finite_attributes = 0_usize;
        let normals = corners
            .iter()
            .map(|corner| {
                let normal = axes::direction(corner.vertex.normal.unwrap_or_default());
                not_finite_attributes =
                    not_finite_attributes.saturating_add(usize::from(!normal.is_finite()));
                finite_or_zero(normal.to_array())
            })
            .collect();
        self.defects.not_finite_attributes =
            self.defects.not_finite_attributes.saturating_add(not_finite_attributes);
        normals
    }

    /// Returns the sets that the material needs, or the first set of the file if it needs none; also the second set of the file if
    /// it is not empty and not among them.
    fn uvs(&mut self, corners: &[Corner<'_>], binding: &MaterialBinding) -> Vec<Vec<[f32; 2]>> {
        let raw: Vec<[[f32; 2]; 2]> = corners.iter().map(|corner| self.raw_uvs(*corner)).collect();
        let set = |index: usize, change: &dyn Fn([f32; 2]) -> [f32; 2]| -> Vec<[f32; 2]> {
            raw.iter().map(|sets| change(sets.get(index).copied().unwrap_or_default())).collect()
        };
        let mut uvs: Vec<Vec<[f32; 2]>> = binding
            .coordinates
            .iter()
            .map(|transform| set(transform.set, &|uv| transform.apply(uv)))
            .collect();
        let most = corners.iter().map(|corner| corner.vertex.coordinates.len()).max().unwrap_or_default();
        if uvs.is_empty() && most > 0 {
            uvs.push(set(0, &|uv| uv));
        }
        let has_second = raw.iter().any(|[_, second]| *second != [0.0; 2]);
        if uvs.len() == 1 && has_second && !binding.coordinates.iter().any(|transform| transform.set == 1) {
            uvs.push(set(1, &|uv| uv));
        }
        let mut not_finite_attributes = 0_usize;
        for uv in uvs.iter_mut().flatten().filter(|uv| !uv.iter().all(|number| number.is_finite())) {
            *uv = [0.0; 2];
            not_finite_attributes = not_finite_attributes.saturating_add(1);
        }
        self.defects.not_finite_attributes =
            self.defects.not_finite_attributes.saturating_add(not_finite_attributes);
        uvs
    }

    /// Returns the two sets that the engine uses, with two components each and zeros for missing ones.
    fn raw_uvs(&mut self, Corner { vertex, set_size }: Corner<'_>) -> [[f32; 2]; 2] {
        let mut sets = vertex.coordinates.chunks(set_size.max(1));
        if set_size > 2 || sets.len() > 2 {
            self.defects.coordinates = self.defects.coordinates.saturating_add(1);
        }
        [(); 2].map(|()| {
            let set = sets.next().unwrap_or_default();
            [0, 1].map(|index| set.get(index).copied().unwrap_or_default())
        })
    }
}

fn influences(skin_weights: &SkinWeights, used: &[u32]) -> Influences {
    let mut influences = Influences::default();
    for corner in used {
        let (joints, weights) = skin_weights.of(*corner);
        influences.joints.push(joints);
        influences.weights.push(weights);
    }
    influences
}

fn finite_or_zero<const N: usize>(numbers: [f32; N]) -> [f32; N] {
    if numbers.iter().all(|number| number.is_finite()) { numbers } else { [0.0; N] }
}
