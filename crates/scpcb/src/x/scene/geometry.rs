//! Triangulates a mesh: one part per material, with only the vertices that the part uses.
//!
//! A corner is a pair of a vertex and a normal. Corners with equal pairs share a vertex of the scene.

use std::collections::BTreeMap;

use asset::Report;
use glam::Vec3;
use scene::color::srgb_to_linear;
use scene::{MaterialId, Primitive};

use super::decl::VertexData;
use crate::axes;
use crate::model::normal;
use crate::x::layout::{Faces, MaterialList, Mesh, Normals, VertexColor};
use crate::x::warning;
use asset::counted;

/// A triangulated mesh.
#[derive(Debug)]
pub(super) struct MeshGeometry {
    pub(super) parts: Vec<Part>,
}

/// The triangles of one material.
#[derive(Debug)]
pub(super) struct Part {
    /// Index into [`XFile::materials`](crate::x::XFile::materials).
    pub(super) material: Option<usize>,
    pub(super) primitive: Primitive,
    /// Source vertex in the file of each vertex.
    pub(super) sources: Vec<u32>,
}

impl Part {
    /// Returns the primitive with its material. A textured primitive needs texture coordinates; if there are none, the game uses
    /// the image's corner.
    pub(super) fn into_primitive(mut self, material: MaterialId, materials: &[scene::Material]) -> Primitive {
        let textured =
            materials.get(material.0).is_some_and(|material| material.base_color_texture.is_some());
        if textured && self.primitive.uvs.is_empty() {
            self.primitive.uvs.push(vec![[0.0; 2]; self.primitive.positions.len()]);
        }
        Primitive { material: Some(material), ..self.primitive }
    }
}

/// A corner being built: a vertex index, and a normal index or [`SMOOTH`].
type Corner = (u32, u32);

/// The average normal of the faces around a vertex.
const SMOOTH: u32 = u32::MAX;

/// Minimum cosine between a face's normal and the average of its corner normals.
const MIN_COSINE: f32 = 0.7;

/// The corners of one material being built.
#[derive(Debug, Default)]
struct Group {
    numbers: BTreeMap<Corner, u32>,
    corners: Vec<Corner>,
    indices: Vec<u32>,
}

impl Group {
    fn number(&mut self, corner: Corner) -> u32 {
        let next = u32::try_from(self.corners.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(corner).or_insert(next);
        if number == next {
            self.corners.push(corner);
        }
        number
    }
}

/// Problems found in the faces of a mesh.
#[derive(Debug, Default)]
struct Defects {
    bad_index: usize,
    not_finite: usize,
    few_corners: usize,
    no_normal: usize,
    no_direction: usize,
}

impl MeshGeometry {
    pub(super) fn new(mesh: &Mesh, scale: f32, field: &str, report: &mut Report) -> Self {
        let data = VertexData::of(mesh, field, report);
        let positions: Vec<[f32; 3]> =
            mesh.vertices.iter().map(|vertex| (axes::position(*vertex) * scale).to_array()).collect();
        let directions = Directions::of(mesh, &data, field, report);
        let materials = FaceMaterials::of(mesh, field, report);
        // Faces of one material are grouped, however often the list contains it. Faces without a material are first.
        let mut groups: BTreeMap<Option<usize>, Group> = BTreeMap::new();
        let mut defects = Defects::default();
        let mut triangles = Vec::new();
        for (face, corners) in mesh.faces.iter().enumerate() {
            if corners.len() < 3 {
                defects.few_corners = defects.few_corners.saturating_add(1);
                continue;
            }
            match check_corners(corners, &positions) {
                Validity::BadIndex => defects.bad_index = defects.bad_index.saturating_add(1),
                Validity::NotFinite => defects.not_finite = defects.not_finite.saturating_add(1),
                Validity::Valid => {
                    let group = groups.entry(materials.get(face)).or_default();
                    let mut number = |index: usize, corner: u32| {
                        let direction = directions.of_corner(face, index, corner);
                        match direction {
                            Direction::Number(number) => return group.number((corner, number)),
                            Direction::Zero => defects.no_direction = defects.no_direction.saturating_add(1),
                            Direction::Missing => defects.no_normal = defects.no_normal.saturating_add(1),
                        }
                        group.number((corner, SMOOTH))
                    };
                    let numbers: Vec<u32> =
                        corners.iter().enumerate().map(|(index, corner)| number(index, *corner)).collect();
                    for triangle in fan(&numbers) {
                        group.indices.extend(axes::winding(triangle));
                    }
                    triangles.extend(fan(corners).map(axes::winding));
                }
            }
        }
        let is_smooth = defects.no_normal > 0 || defects.no_direction > 0;
        let smooth = if is_smooth { normal::smooth(&positions, &triangles) } else { Vec::new() };
        defects.warn(mesh, directions.has_normals(), field, report);
        let vertices = Vertices {
            positions,
            smooth,
            directions,
            uvs: uv_sets(mesh, &data, field, report),
            colors: colors(mesh, &data, field, report),
        };
        Self { parts: groups.into_iter().map(|(material, group)| vertices.part(material, group)).collect() }
    }
}

/// Vertex attributes of a mesh.
struct Vertices<'a> {
    positions: Vec<[f32; 3]>,
    smooth: Vec<[f32; 3]>,
    directions: Directions<'a>,
    uvs: Vec<Vec<[f32; 2]>>,
    colors: Option<Vec<[f32; 4]>>,
}

impl Vertices<'_> {
    fn part(&self, material: Option<usize>, group: Group) -> Part {
        let Group { corners, indices, .. } = group;
        let normals = corners.iter().map(|(vertex, direction)| {
            if *direction == SMOOTH { at(&self.smooth, *vertex) } else { self.directions.get(*direction) }
        });
        let primitive = Primitive {
            positions: corners.iter().map(|(vertex, _)| at(&self.positions, *vertex)).collect(),
            normals: Some(normals.collect()),
            uvs: self
                .uvs
                .iter()
                .map(|set| corners.iter().map(|(vertex, _)| at(set, *vertex)).collect())
                .collect(),
            colors: self
                .colors
                .as_ref()
                .map(|colors| corners.iter().map(|(vertex, _)| at(colors, *vertex)).collect()),
            indices,
            ..Primitive::default()
        };
        Part { material, primitive, sources: corners.into_iter().map(|(vertex, _)| vertex).collect() }
    }
}

fn at<T: Copy + Default>(list: &[T], number: u32) -> T {
    usize::try_from(number).ok().and_then(|number| list.get(number)).copied().unwrap_or_default()
}

/// Returns the triangle fan of a face.
fn fan(corners: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let first = corners.first().copied().unwrap_or_default();
    corners.iter().skip(1).zip(corners.iter().skip(2)).map(move |(b, c)| [first, *b, *c])
}

enum Validity {
    Valid,
    BadIndex,
    NotFinite,
}

fn check_corners(corners: &[u32], positions: &[[f32; 3]]) -> Validity {
    let mut validity = Validity::Valid;
    for corner in corners {
        match usize::try_from(*corner).ok().and_then(|corner| positions.get(corner)) {
            None => return Validity::BadIndex,
            Some(position) if !position.iter().all(|number| number.is_finite()) => {
                validity = Validity::NotFinite;
            }
            Some(_) => {}
        }
    }
    validity
}

impl Defects {
    fn warn(&self, mesh: &Mesh, has_normals: bool, field: &str, report: &mut Report) {
        let mut warn = |code, count: usize, one: &str, many: &str| {
            if count > 0 {
                let message = if count == 1 { one.to_owned() } else { format!("{count} {many}") };
                report.warn(code, message).in_field(field);
            }
        };
        let vertices = mesh.vertices.len();
        warn(
            &warning::BAD_INDEX,
            self.bad_index,
            &format!("a face refers to a vertex beyond the last of {vertices} and is left out"),
            &format!("faces refer to vertices beyond the last of {vertices} and are left out"),
        );
        warn(
            &warning::NOT_FINITE,
            self.not_finite,
            "a face has a corner with a non-finite position and is left out",
            "faces have a corner with a non-finite position and are left out",
        );
        warn(
            &crate::model::warning::FEW_CORNERS,
            self.few_corners,
            "a face has fewer than three corners",
            "faces have fewer than three corners",
        );
        if has_normals {
            warn(
                &warning::NO_DIRECTION,
                self.no_direction,
                "a corner has a zero-length normal",
                "corners have a zero-length normal",
            );
            warn(&warning::NORMALS, self.no_normal, "a corner has no normal", "corners have no normal");
        }
    }
}

/// The normal of a corner.
enum Direction {
    /// The normal with this index.
    Number(u32),
    /// The normal has zero length.
    Zero,
    /// The normal is missing or not finite.
    Missing,
}

/// Assignment of normals to corners.
enum Directions<'a> {
    /// No normals.
    None,
    /// One normal for each vertex.
    OfVertices(&'a [[f32; 3]]),
    /// Normal indices for each corner.
    OfCorners(&'a [[f32; 3]], &'a Faces),
}

impl<'a> Directions<'a> {
    fn of(mesh: &'a Mesh, data: &'a VertexData, field: &str, report: &mut Report) -> Self {
        let Some(Normals { directions, faces }) = &mesh.normals else {
            return data.normals.as_deref().map_or(Self::None, Self::OfVertices);
        };
        if faces.len() == mesh.faces.len() {
            let given = Self::OfCorners(directions, faces);
            if directions.len() == mesh.vertices.len() || given.match_faces(mesh) {
                return given;
            }
            let message = "the normals do not match the faces; recomputed, like in the game";
            report.warn(&warning::NORMALS_RECOMPUTED, message).in_field(field);
            return Self::None;
        }
        if directions.len() == mesh.vertices.len() {
            // This is what the game always does.
            return Self::OfVertices(directions);
        }
        let message = format!("normals for {} faces of {}; recomputed", faces.len(), mesh.faces.len());
        report.warn(&warning::NORMALS, message).in_field(field);
        Self::None
    }

    /// Whether most faces match the normals of their corners. One program writes the axes of normals in a different order than
    /// those of positions; the game is not affected, because it computes normals itself unless there is one for each vertex.
    fn match_faces(&self, mesh: &Mesh) -> bool {
        let (mut matching, mut mismatched) = (0_usize, 0_usize);
        for (face, corners) in mesh.faces.iter().enumerate() {
            let [a, b, c, ..] = *corners else { continue };
            let Some((_, facing)) = normal::of_triangle(&mesh.vertices, [a, b, c]) else { continue };
            let mut corner_normal = Vec3::ZERO;
            for (index, corner) in corners.iter().enumerate() {
                if let Direction::Number(number) = self.of_corner(face, index, *corner) {
                    corner_normal += self.find(number).unwrap_or_default();
                }
            }
            let Some(corner_normal) = corner_normal.try_normalize() else { continue };
            if corner_normal.dot(facing) < MIN_COSINE {
                mismatched = mismatched.saturating_add(1);
            } else {
                matching = matching.saturating_add(1);
            }
        }
        mismatched.saturating_mul(3) <= matching
    }

    fn has_normals(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// Returns the normal of a corner.
    fn of_corner(&self, face: usize, index: usize, vertex: u32) -> Direction {
        let number = match self {
            Self::None => None,
            Self::OfVertices(_) => Some(vertex),
            Self::OfCorners(_, faces) => faces.get(face).and_then(|corners| corners.get(index)).copied(),
        };
        match number.and_then(|number| Some((number, self.find(number)?))) {
            Some((_, Vec3::ZERO)) => Direction::Zero,
            Some((number, direction)) if direction.is_finite() => Direction::Number(number),
            _ => Direction::Missing,
        }
    }

    fn find(&self, number: u32) -> Option<Vec3> {
        let list = match self {
            Self::None => return None,
            Self::OfVertices(list) | Self::OfCorners(list, _) => list,
        };
        list.get(usize::try_from(number).ok()?).copied().map(Vec3::from)
    }

    fn get(&self, number: u32) -> [f32; 3] {
        axes::direction(self.find(number).unwrap_or_default().to_array()).to_array()
    }
}

/// Materials of the faces of a mesh.
struct FaceMaterials<'a> {
    list: Option<&'a MaterialList>,
}

impl<'a> FaceMaterials<'a> {
    fn of(mesh: &'a Mesh, field: &str, report: &mut Report) -> Self {
        let materials = Self { list: mesh.material_list.as_ref() };
        let Some(list) = materials.list else { return materials };
        if usize::try_from(list.count).ok() != Some(list.materials.len()) {
            let message =
                format!("the list declares {} materials, but has {}", list.count, list.materials.len());
            report.warn(&warning::MATERIALS, message).in_field(field);
        }
        let (faces, indexes) = (mesh.faces.len(), list.face_indexes.len());
        if indexes > faces {
            let message = format!("materials for {indexes} faces of {faces}");
            report.warn(&warning::MATERIALS, message).in_field(field);
        }
        let beyond = list.face_indexes.iter().filter(|index| materials.slot(**index).is_none()).count();
        if beyond > 0 {
            let faces = counted(beyond, "face refers to a material", "faces refer to materials");
            let message = format!("{faces} beyond the last of {}", list.materials.len());
            report.warn(&warning::MATERIALS, message).in_field(field);
        }
        materials
    }

    /// Returns the index of a face's material in the file's list. If there are too few indices, the last one applies to the
    /// remaining faces.
    fn get(&self, face: usize) -> Option<usize> {
        let indexes = self.list.map(|list| list.face_indexes.as_slice()).unwrap_or_default();
        self.slot(indexes.get(face).or(indexes.last()).copied().unwrap_or_default()).flatten()
    }

    /// Returns an item of the mesh's own list; `None` beyond its end.
    fn slot(&self, index: u32) -> Option<Option<usize>> {
        let index = usize::try_from(index).ok()?;
        self.list?.materials.get(index).copied()
    }
}

/// Returns the texture coordinate sets of each vertex. Numbers that are not finite become 0.
fn uv_sets(mesh: &Mesh, data: &VertexData, field: &str, report: &mut Report) -> Vec<Vec<[f32; 2]>> {
    let vertices = mesh.vertices.len();
    let own = mesh.texture_coords.as_ref().filter(|coords| {
        let fits = coords.len() == vertices;
        if !fits {
            let message = format!("{} texture coordinates for {vertices} vertices", coords.len());
            report.warn(&warning::UV_COUNT, message).in_field(field);
        }
        fits
    });
    if own.is_some() && data.uvs.contains_key(&0) {
        let message = "the vertex data repeats texture coordinates 0; the second set is left out";
        report.warn(&warning::VERTEX_DATA, message).in_field(field);
    }
    let others = data.uvs.iter().filter(|(number, _)| own.is_none() || **number != 0).map(|(_, set)| set);
    let mut non_finite = 0_usize;
    let sets: Vec<Vec<[f32; 2]>> = own
        .into_iter()
        .chain(others)
        .map(|set| {
            set.iter()
                .map(|uv| {
                    let finite = uv.map(|number| if number.is_finite() { number } else { 0.0 });
                    non_finite =
                        non_finite.saturating_add(usize::from(!uv.iter().all(|number| number.is_finite())));
                    finite
                })
                .collect()
        })
        .collect();
    if non_finite > 0 {
        let vertices = counted(non_finite, "vertex has", "vertices have");
        let message = format!("{vertices} non-finite texture coordinates; using 0");
        report.warn(&warning::NOT_FINITE, message).in_field(field);
    }
    sets
}

/// Returns the linear colors of the vertices; white if the file does not specify any. Alpha is 1, as in the game.
fn colors(mesh: &Mesh, data: &VertexData, field: &str, report: &mut Report) -> Option<Vec<[f32; 4]>> {
    let given = match &mesh.vertex_colors {
        Some(colors) => colors_by_vertex(colors, mesh.vertices.len(), field, report),
        None => data.colors.clone()?,
    };
    let (mut non_finite, mut translucent) = (0_usize, 0_usize);
    let level = |level: f32| if level.is_finite() { srgb_to_linear(level.clamp(0.0, 1.0)) } else { 0.0 };
    let colors = given
        .into_iter()
        .map(|color| {
            let [red, green, blue, alpha] = color;
            non_finite = non_finite.saturating_add(usize::from(!color.iter().all(|level| level.is_finite())));
            translucent = translucent.saturating_add(usize::from(alpha < 1.0));
            [level(red), level(green), level(blue), 1.0]
        })
        .collect();
    if non_finite > 0 {
        let message =
            format!("{} not finite; using 0", counted(non_finite, "vertex color is", "vertex colors are"));
        report.warn(&warning::NOT_FINITE, message).in_field(field);
    }
    if translucent > 0 {
        let message = format!(
            "{} alpha, which the game ignores",
            counted(translucent, "vertex color has", "vertex colors have")
        );
        report.warn(&warning::COLOR_ALPHA, message).in_field(field);
    }
    Some(colors)
}

/// Returns the color of each vertex.
fn colors_by_vertex(
    colors: &[VertexColor],
    vertices: usize,
    field: &str,
    report: &mut Report,
) -> Vec<[f32; 4]> {
    let mut out: Vec<Option<[f32; 4]>> = vec![None; vertices];
    let (mut beyond, mut repeated) = (0_usize, 0_usize);
    for VertexColor { vertex, color } in colors {
        match usize::try_from(*vertex).ok().and_then(|vertex| out.get_mut(vertex)) {
            Some(slot) => {
                repeated = repeated.saturating_add(usize::from(slot.is_some()));
                *slot = Some(*color);
            }
            None => beyond = beyond.saturating_add(1),
        }
    }
    let without = out.iter().filter(|color| color.is_none()).count();
    if beyond > 0 || repeated > 0 || without > 0 {
        let message = format!(
            "of {}, {beyond} for vertices beyond the last of {vertices} and {repeated} repeated; {without} vertices without a color are white",
            counted(colors.len(), "color", "colors")
        );
        report.warn(&warning::COLORS, message).in_field(field);
    }
    out.into_iter().map(|color| color.unwrap_or([1.0; 4])).collect()
}
