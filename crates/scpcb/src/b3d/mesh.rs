//! The triangles of a mesh, a primitive for each brush.

use std::collections::BTreeMap;

use asset::Report;
use scene::{Influences, Primitive};

use super::chunk::Chunk;
use super::layout::{Mesh, Triangles, Vertex, VertexForm, Vertices};
use super::material::Look;
use super::skin::Pulls;
use super::warning;
use crate::axes;
use crate::model::normal;
use asset::counted;

/// A mesh with its vertices in one row.
#[derive(Debug)]
pub(super) struct Shape<'a> {
    pub(super) vertices: Vec<Corner<'a>>,
    /// Triangles by brush, in the order the brushes first occur.
    pub(super) parts: Vec<(i32, Vec<&'a Triangles>)>,
    /// Whether the engine takes the file's normals: the last vertices decide.
    pub(super) has_normals: bool,
}

/// A vertex, and how many numbers make a set of its texture coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner<'a> {
    pub(super) vertex: &'a Vertex,
    set_size: usize,
}

impl<'a> Shape<'a> {
    pub(super) fn of(mesh: &'a Mesh) -> Self {
        let mut shape = Self { vertices: Vec::new(), parts: Vec::new(), has_normals: false };
        let mut by_brush: BTreeMap<i32, usize> = BTreeMap::new();
        for chunk in &mesh.chunks {
            match chunk {
                Chunk::Vertices(chunk) => {
                    let Vertices { flags, coordinate_size, vertices, .. } = &**chunk;
                    let set_size = usize::try_from(*coordinate_size).unwrap_or_default();
                    shape.vertices.extend(vertices.iter().map(|vertex| Corner { vertex, set_size }));
                    shape.has_normals = flags & VertexForm::NORMALS != 0;
                }
                Chunk::Triangles(triangles) => {
                    let next = shape.parts.len();
                    let index = *by_brush.entry(triangles.brush).or_insert(next);
                    match shape.parts.get_mut(index) {
                        Some((_, part)) => part.push(triangles),
                        None => shape.parts.push((triangles.brush, vec![triangles])),
                    }
                }
                _ => {}
            }
        }
        shape
    }

    /// All triangles.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.parts.iter().flat_map(|(_, part)| part).flat_map(|part| part.triangles.iter().copied())
    }

    pub(super) fn at(&self, corner: u32) -> Option<Corner<'a>> {
        usize::try_from(corner).ok().and_then(|corner| self.vertices.get(corner)).copied()
    }
}

/// Where each vertex of the mesh stands in the primitive being made. Kept from one primitive to the next, so that many brushes in a large
/// mesh cost no more than its triangles.
#[derive(Debug)]
pub(super) struct Places {
    round: u32,
    places: Vec<(u32, u32)>,
}

impl Places {
    pub(super) fn new(vertices: usize) -> Self {
        Self { round: 0, places: vec![(0, 0); vertices] }
    }

    /// Forgets all places.
    pub(super) fn start(&mut self) {
        self.round = self.round.saturating_add(1);
    }

    /// The place of a vertex; `next`, if it has none yet.
    pub(super) fn of(&mut self, vertex: u32, next: u32) -> u32 {
        let place = usize::try_from(vertex).ok().and_then(|vertex| self.places.get_mut(vertex));
        let Some((round, place)) = place else { return next };
        if *round != self.round {
            (*round, *place) = (self.round, next);
        }
        *place
    }
}

/// What is amiss with the triangles of a mesh.
#[derive(Debug, Default)]
pub(super) struct Amiss {
    without_corner: usize,
    not_finite: usize,
    loose: usize,
    colors: usize,
    coordinates: usize,
}

impl Amiss {
    pub(super) fn tell(&self, shape: &Shape<'_>, field: &str, report: &mut Report) {
        if self.without_corner > 0 {
            let triangles = counted(self.without_corner, "triangle names", "triangles name");
            let message = format!(
                "{triangles} vertices beyond the {} there are, and are left out",
                shape.vertices.len()
            );
            report.warn(&warning::BAD_INDEX, message).in_field(field);
        }
        if self.not_finite > 0 {
            let triangles = counted(self.not_finite, "triangle has a corner", "triangles have a corner");
            let message = format!("{triangles} at a place that is not finite, and are left out");
            report.warn(&warning::NOT_FINITE, message).in_field(field);
        }
        if self.loose > 0 {
            let vertices = counted(self.loose, "vertex has", "vertices have");
            let message =
                format!("{vertices} a normal or texture coordinates that are not finite, and become 0");
            report.warn(&warning::NOT_FINITE, message).in_field(field);
        }
        if self.colors > 0 {
            let vertices = counted(self.colors, "vertex has a colour", "vertices have a colour");
            let message = format!("{vertices} that the brush does not show");
            report.warn(&warning::UNUSED_COLOR, message).in_field(field);
        }
        if self.coordinates > 0 {
            let vertices = counted(self.coordinates, "vertex has", "vertices have");
            let message = format!(
                "{vertices} more texture coordinates than two sets of two, which the engine passes over"
            );
            report.warn(&warning::MORE_COORDINATES, message).in_field(field);
        }
    }
}

/// Makes the primitives of a mesh.
pub(super) struct Maker<'a, 'b> {
    pub(super) shape: &'b Shape<'a>,
    pub(super) pulls: Option<&'b Pulls>,
    pub(super) scale: f32,
    pub(super) amiss: Amiss,
}

impl<'a> Maker<'a, '_> {
    /// The triangles of one brush; nothing when none can be shown.
    pub(super) fn primitive(
        &mut self,
        part: &[&'a Triangles],
        look: &Look,
        places: &mut Places,
    ) -> Option<Primitive> {
        places.start();
        let mut used: Vec<u32> = Vec::new();
        let mut indices = Vec::new();
        for triangle in part.iter().flat_map(|part| part.triangles.iter()) {
            if !self.is_sound(*triangle) {
                continue;
            }
            for corner in axes::winding(*triangle) {
                let next = u32::try_from(used.len()).ok()?;
                let place = if look.is_flat { next } else { places.of(corner, next) };
                if place == next {
                    used.push(corner);
                }
                indices.push(place);
            }
        }
        if indices.is_empty() {
            return None;
        }
        let corners: Vec<Corner<'_>> = used.iter().filter_map(|corner| self.shape.at(*corner)).collect();
        let positions: Vec<[f32; 3]> = corners
            .iter()
            .map(|corner| sound((axes::position(corner.vertex.position) * self.scale).to_array()))
            .collect();
        let normals = self.normals(&corners, &positions, &indices, look);
        let uvs = self.uvs(&corners, look);
        let colors = look.colors.map(|colors| {
            corners
                .iter()
                .map(|corner| colors.color(corner.vertex.color.unwrap_or([1.0; 4])))
                .collect::<Vec<_>>()
        });
        if colors.is_none() {
            let colored =
                corners.iter().filter(|corner| corner.vertex.color.is_some_and(|color| color != [1.0; 4]));
            self.amiss.colors = self.amiss.colors.saturating_add(colored.count());
        }
        Some(Primitive {
            positions,
            normals: Some(normals),
            uvs,
            colors,
            influences: self.pulls.map(|pulls| influences(pulls, &used)),
            indices,
            material: Some(look.material),
            ..Primitive::default()
        })
    }

    fn is_sound(&mut self, triangle: [u32; 3]) -> bool {
        let [Some(a), Some(b), Some(c)] = triangle.map(|corner| self.shape.at(corner)) else {
            self.amiss.without_corner = self.amiss.without_corner.saturating_add(1);
            return false;
        };
        let is_finite =
            [a, b, c].iter().all(|corner| corner.vertex.position.iter().all(|number| number.is_finite()));
        if !is_finite {
            self.amiss.not_finite = self.amiss.not_finite.saturating_add(1);
        }
        is_finite
    }

    fn normals(
        &mut self,
        corners: &[Corner<'_>],
        positions: &[[f32; 3]],
        indices: &[u32],
        look: &Look,
    ) -> Vec<[f32; 3]> {
        let (triangles, _) = indices.as_chunks::<3>();
        if look.is_flat {
            let mut normals = vec![[0.0; 3]; positions.len()];
            for triangle in triangles {
                let Some((_, normal)) = normal::of_triangle(positions, *triangle) else { continue };
                for corner in triangle {
                    let place = usize::try_from(*corner).ok().and_then(|corner| normals.get_mut(corner));
                    if let Some(place) = place {
                        *place = normal.to_array();
                    }
                }
            }
            return normals;
        }
        if !self.shape.has_normals {
            return normal::smooth(positions, triangles);
        }
        let mut loose = 0_usize;
        let normals = corners
            .iter()
            .map(|corner| {
                let normal = axes::direction(corner.vertex.normal.unwrap_or_default());
                loose = loose.saturating_add(usize::from(!normal.is_finite()));
                sound(normal.to_array())
            })
            .collect();
        self.amiss.loose = self.amiss.loose.saturating_add(loose);
        normals
    }

    /// The sets that the material needs, or the file's first where it needs none; then the file's second, if nothing of it is among them.
    fn uvs(&mut self, corners: &[Corner<'_>], look: &Look) -> Vec<Vec<[f32; 2]>> {
        let raw: Vec<[[f32; 2]; 2]> = corners.iter().map(|corner| self.raw_uvs(*corner)).collect();
        let set = |index: usize, change: &dyn Fn([f32; 2]) -> [f32; 2]| -> Vec<[f32; 2]> {
            raw.iter().map(|sets| change(sets.get(index).copied().unwrap_or_default())).collect()
        };
        let mut uvs: Vec<Vec<[f32; 2]>> =
            look.coordinates.iter().map(|laid| set(laid.set, &|uv| laid.apply(uv))).collect();
        let most = corners.iter().map(|corner| corner.vertex.coordinates.len()).max().unwrap_or_default();
        if uvs.is_empty() && most > 0 {
            uvs.push(set(0, &|uv| uv));
        }
        let has_second = raw.iter().any(|[_, second]| *second != [0.0; 2]);
        if uvs.len() == 1 && has_second && !look.coordinates.iter().any(|laid| laid.set == 1) {
            uvs.push(set(1, &|uv| uv));
        }
        let mut loose = 0_usize;
        for uv in uvs.iter_mut().flatten().filter(|uv| !uv.iter().all(|number| number.is_finite())) {
            *uv = [0.0; 2];
            loose = loose.saturating_add(1);
        }
        self.amiss.loose = self.amiss.loose.saturating_add(loose);
        uvs
    }

    /// The two sets the engine takes: two numbers each, zeros where the file has less.
    fn raw_uvs(&mut self, Corner { vertex, set_size }: Corner<'_>) -> [[f32; 2]; 2] {
        let mut sets = vertex.coordinates.chunks(set_size.max(1));
        if set_size > 2 || sets.len() > 2 {
            self.amiss.coordinates = self.amiss.coordinates.saturating_add(1);
        }
        [(); 2].map(|()| {
            let set = sets.next().unwrap_or_default();
            [0, 1].map(|index| set.get(index).copied().unwrap_or_default())
        })
    }
}

fn influences(pulls: &Pulls, used: &[u32]) -> Influences {
    let mut influences = Influences::default();
    for corner in used {
        let (joints, weights) = pulls.of(*corner);
        influences.joints.push(joints);
        influences.weights.push(weights);
    }
    influences
}

fn sound<const N: usize>(numbers: [f32; N]) -> [f32; N] {
    if numbers.iter().all(|number| number.is_finite()) { numbers } else { [0.0; N] }
}
