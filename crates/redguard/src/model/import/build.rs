//! Builds a model file from faces and frames.

use std::collections::HashMap;

use asset::{Report, counted};
use record::Result;

use super::super::exact::{ExactExtras, FLAT, computed, digest};
use super::super::glide::{Face, Frame, Glide, NormalRef, Pose, SINGLE};
use super::super::layout::{Corner, Normals, Triple, VertexPositions};
use super::super::{Version, normal, warning};
use super::frames::Frames;
use super::polygon::{Polygon, PolygonMesh};
use super::{ImportTarget, Importer, MeshInstance};
use crate::model::interpretation::DeltaSign;

/// An imported model.
#[derive(Debug)]
pub(crate) struct ImportedModel {
    pub(crate) model: Glide,
    /// Whether its geometry is that of the originally converted model.
    pub(crate) is_unedited: bool,
    /// Whether palette color 0 is transparent on some face.
    pub(crate) is_keyed: bool,
}

/// How corners get their normals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shading {
    /// From the extras, if at all.
    Stored,
    /// From a normal table.
    NormalTable,
    /// From their vertex, which is duplicated where corners differ.
    Vertex,
}

impl Importer<'_> {
    /// Builds a model from mesh instances.
    pub(crate) fn model(
        &mut self,
        instances: &[MeshInstance],
        target: ImportTarget,
        report: &mut Report,
    ) -> Result<ImportedModel> {
        let frames = Frames::of(self.scene, instances, report)?;
        let mesh = PolygonMesh::of(self, instances, &frames, report)?;
        if mesh.is_keyed && target != ImportTarget::Segment {
            self.count_lost("alpha-masked materials", 1);
        }
        let exact = match instances {
            [instance] => {
                self.scene.meshes.get(instance.mesh.0).and_then(|mesh| ExactExtras::of(&mesh.extras))
            }
            _ => None,
        };
        let requested = self.version(instances);
        let version = match (target, requested) {
            (ImportTarget::Animated, _) => Version::V4_0,
            (_, Some(requested)) => requested,
            (_, None) if frames.count > 1 => Version::V4_0,
            (_, None) => Version::V5_0,
        };
        if target == ImportTarget::Static && frames.count > 1 {
            let message = format!(
                "the model has {}; the game expects animated models in .3DC files",
                counted(frames.count, "frame", "frames")
            );
            report.warn(&warning::MOVES, message);
        }
        if mesh.polygons.is_empty() {
            report.warn(&warning::NO_FACES, "the scene has no visible faces");
        }
        let usual_kind = if target == ImportTarget::Animated { SINGLE } else { 0 };
        let builder =
            ModelBuilder { mesh: &mesh, count: frames.count, version, usual_kind, exact: exact.as_ref() };
        let (mut model, normals) = builder.build(Shading::Stored, report);
        let is_same = |exact: &&ExactExtras| {
            let frames = (0..builder.count).map(|frame| model.raw_positions(frame, DeltaSign::default()));
            exact.digest == digest(frames, model.faces.iter().map(|face| face.corners.as_slice()))
        };
        let unedited = exact.as_ref().filter(is_same);
        let is_restored = unedited.is_some_and(|exact| exact.restore(&mut model, &normals));
        if !is_restored {
            let has_table = match &exact {
                Some(exact) if exact.has_vertex_normals() => exact.table.is_some(),
                _ => target != ImportTarget::Animated && frames.count == 1,
            };
            let shading = if has_table { Shading::NormalTable } else { Shading::Vertex };
            (model, _) = builder.build(shading, &mut Report::new());
            if let Some(exact) = unedited {
                exact.restore_faces(&mut model);
            }
        }
        model.header.radius =
            unedited.and_then(|exact| exact.radius).unwrap_or_else(|| radius(&model.vertices));
        if let Some(exact) = &exact {
            keep_nodes(&mut model, exact, unedited.is_some(), target, report);
        }
        Ok(ImportedModel { is_unedited: unedited.is_some(), is_keyed: mesh.is_keyed, model })
    }
}

/// Keeps the collision spheres if they still match.
fn keep_nodes(
    model: &mut Glide,
    exact: &ExactExtras,
    is_unedited: bool,
    target: ImportTarget,
    report: &mut Report,
) {
    if exact.nodes.is_empty() {
        return;
    }
    let has_extents = model.header.version.has_extents();
    let mut nodes = exact.nodes.clone();
    if !has_extents {
        nodes.iter_mut().for_each(|node| node.extents = None);
    }
    if is_unedited
        && target != ImportTarget::Animated
        && nodes.iter().all(|node| node.extents.is_some() == has_extents)
    {
        model.nodes = nodes;
        return;
    }
    let message =
        format!("{} dropped", counted(exact.nodes.len(), "collision sphere was", "collision spheres were"));
    report.warn(&warning::COLLISION_LOST, message);
}

/// The distance of the farthest vertex from the origin.
fn radius(vertices: &[Triple]) -> u32 {
    let square = |position: &Triple| {
        position.iter().map(|number| f64::from(*number) * f64::from(*number)).sum::<f64>()
    };
    let most = vertices.iter().map(square).fold(0.0, f64::max).sqrt().floor();
    u32::try_from(normal::rounded(most)).unwrap_or_default()
}

/// The resolution at which directions are considered equal: steps per unit.
const NEAR: f32 = 512.0;
/// The minimal cosine of the angle between corner normals and the face normal of a flat-shaded face.
const LEVEL: f32 = 0.9999;

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is intended")]
fn quantized(normal: [f32; 3]) -> [i32; 3] {
    normal.map(|number| (number * NEAR).round() as i32)
}

/// The identity of a vertex.
#[derive(PartialEq, Eq, Hash)]
struct VertexKey<'a> {
    number: Option<usize>,
    positions: &'a [Triple],
    normal: Option<[i32; 3]>,
}

struct ModelBuilder<'a> {
    mesh: &'a PolygonMesh,
    count: usize,
    version: Version,
    /// The frame kind of a model with one frame.
    usual_kind: u32,
    exact: Option<&'a ExactExtras>,
}

/// A vertex: its positions in all frames, and its normal.
type Vertex<'a> = (&'a [Triple], Option<[f32; 3]>);

/// The vertices collected so far.
#[derive(Default)]
struct VertexTable<'a> {
    list: Vec<Option<Vertex<'a>>>,
    known: HashMap<VertexKey<'a>, usize>,
}

impl<'a> VertexTable<'a> {
    fn number(&mut self, key: VertexKey<'a>, normal: Option<[f32; 3]>) -> usize {
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let vertex = Some((key.positions, normal));
        let free = key.number.filter(|number| self.list.get(*number).is_some_and(Option::is_none));
        let number = free.unwrap_or(self.list.len());
        match self.list.get_mut(number) {
            Some(slot) => *slot = vertex,
            None => self.list.push(vertex),
        }
        self.known.insert(key, number);
        number
    }
}

impl<'a> ModelBuilder<'a> {
    /// Slots for the vertices with known indices, the unused ones filled in; empty when indices are missing.
    fn vertex_slots(&self) -> VertexTable<'a> {
        let corners = || self.mesh.polygons.iter().flat_map(|polygon| &polygon.corners);
        let mut numbers: Vec<usize> = corners().filter_map(|corner| corner.number).collect();
        let unused_vertices = self.exact.map(|exact| exact.unused_vertices.as_slice()).unwrap_or_default();
        let unused_vertices = unused_vertices.iter().filter(|(_, positions)| positions.len() == self.count);
        numbers.extend(unused_vertices.clone().map(|(number, _)| *number));
        numbers.sort_unstable();
        numbers.dedup();
        let fits = numbers.iter().enumerate().all(|(position, number)| position == *number)
            && corners().all(|corner| corner.number.is_some());
        let mut out = VertexTable::default();
        if fits {
            out.list.resize(numbers.len(), None);
            for (number, positions) in unused_vertices {
                if let Some(slot) = out.list.get_mut(*number) {
                    *slot = Some((positions, None));
                }
            }
        }
        out
    }

    /// The model, and the corner normals of the scene.
    fn build(&self, shading: Shading, report: &mut Report) -> (Glide, Vec<[f32; 3]>) {
        let mut model = Glide::new(self.version);
        let mut vertices = self.vertex_slots();
        let mut normals = Vec::new();
        let mut table = NormalTable::default();
        let mut overflowing = 0_usize;
        for polygon in &self.mesh.polygons {
            let is_flat = self.is_flat(polygon);
            let mut uvs = UvDeltas::new(polygon);
            let mut corners = Vec::with_capacity(polygon.corners.len());
            for corner in &polygon.corners {
                let own = (!is_flat).then_some(corner.normal);
                let of_vertex = own.filter(|_| shading == Shading::Vertex);
                let positions = self
                    .mesh
                    .positions
                    .get(corner.position)
                    .map(|positions| &**positions)
                    .unwrap_or_default();
                let key = VertexKey { number: corner.number, positions, normal: of_vertex.map(quantized) };
                let vertex = vertices.number(key, of_vertex);
                table.add(own);
                normals.push(corner.normal);
                let [u_delta, v_delta] = uvs.step(corner.uv);
                corners.push(Corner { vertex: u32::try_from(vertex).unwrap_or(u32::MAX), u_delta, v_delta });
            }
            overflowing = overflowing.saturating_add(usize::from(uvs.overflows));
            model.faces.push(Face {
                corner_count: u8::try_from(corners.len()).unwrap_or(u8::MAX),
                brightness: polygon.brightness,
                texture: polygon.word,
                unused: 0,
                corners,
            });
        }
        if overflowing > 0 {
            let faces = counted(overflowing, "face spans", "faces span");
            let message = format!(
                "{faces} more than 2048 texels between two corners, the limit of texture coordinates"
            );
            report.warn(&warning::UV_OVERFLOW, message);
        }
        let list: Vec<Vertex<'_>> = vertices.list.into_iter().flatten().collect();
        model.vertices = frame_of(&list, 0);
        model.vertex_normals = list.iter().map(|(_, normal)| normal.unwrap_or(FLAT)).collect();
        if shading == Shading::NormalTable {
            (model.normal_indices, model.vertex_normals) = (Some(table.indices), table.normals);
        }
        let corners = u32::try_from(normals.len()).unwrap_or(u32::MAX);
        (model.header.total_face_vertices, model.header.total_face_vertices_dup) = (corners, corners);
        model.face_normals = self.face_normals(&model, &model.vertices);
        self.add_poses(&mut model, &list);
        (model, normals)
    }

    /// Whether all corners of a face have the face normal.
    fn is_flat(&self, polygon: &Polygon) -> bool {
        let position =
            |corner: &super::polygon::Corner| self.mesh.positions.get(corner.position)?.first().copied();
        let own = normal::of_face(&polygon.corners.iter().filter_map(position).collect::<Vec<_>>());
        let sign = if polygon.is_ccw { 1.0 } else { -1.0 };
        let own = glam::DVec3::from(own.map(f64::from)).normalize_or_zero().as_vec3() * sign;
        polygon.corners.iter().all(|corner| {
            let normal = glam::Vec3::from(corner.normal).normalize_or_zero();
            normal == glam::Vec3::ZERO || own.dot(normal) > LEVEL
        })
    }

    fn face_normals(&self, model: &Glide, positions: &[Triple]) -> Vec<Triple> {
        let faces = model.faces.iter().zip(&self.mesh.polygons);
        computed(faces.map(|(face, polygon)| (face.corners.as_slice(), polygon.is_ccw)), positions)
    }

    /// Adds the frames after the first, with the frame kind of the extras or the smallest that can represent them.
    fn add_poses(&self, model: &mut Glide, list: &[Vertex<'_>]) {
        let stored_kind = self.exact.and_then(|exact| exact.kind);
        if self.count == 1 {
            set_kind(model, stored_kind.unwrap_or(self.usual_kind));
            return;
        }
        let frames: Vec<Vec<Triple>> = (1..self.count).map(|frame| frame_of(list, frame)).collect();
        let kinds = stored_kind.into_iter().chain([WORDS, LONG]);
        for kind in kinds {
            let poses: Option<Vec<VertexPositions>> =
                frames.iter().map(|frame| stored(kind, &model.vertices, frame)).collect();
            let Some(poses) = poses else { continue };
            set_kind(model, kind);
            let row = Frame { offset_vertices: 0, offset_normals: 0, reserved: 0, kind: 0 };
            model.frames.resize(self.count, row);
            for (vertices, frame) in poses.into_iter().zip(&frames) {
                let found = self.face_normals(model, frame);
                let normals = match kind {
                    0 => Normals::Absolute(found),
                    _ => Normals::Packed(found.into_iter().map(normal::packed).collect()),
                };
                model.poses.push(Pose { vertices, normals });
            }
            return;
        }
    }
}

/// The positions of all vertices in a frame.
fn frame_of(list: &[Vertex<'_>], frame: usize) -> Vec<Triple> {
    list.iter().map(|(positions, _)| positions.get(frame).copied().unwrap_or_default()).collect()
}

/// The frame kinds: 16-bit deltas, 32-bit positions.
const WORDS: u32 = 2;
const LONG: u32 = 4;

fn set_kind(model: &mut Glide, kind: u32) {
    if let Some(first) = model.frames.first_mut() {
        first.kind = kind;
    }
}

/// Encodes the positions of a frame, if the frame kind can represent them.
fn stored(kind: u32, base: &[Triple], frame: &[Triple]) -> Option<VertexPositions> {
    let steps = |unit: i32| {
        base.iter().zip(frame).map(move |(base, position)| {
            let [a, b, c] = base;
            let [x, y, z] = position;
            let step = |from: i32, to: i32| {
                let step = i64::from(from).checked_sub(i64::from(to))?;
                let steps = step.checked_div(unit.into())?;
                Some(steps).filter(|steps| steps.checked_mul(unit.into()) == Some(step))
            };
            Some([step(*a, *x)?, step(*b, *y)?, step(*c, *z)?])
        })
    };
    let words = |unit: i32| -> Option<Vec<[i16; 3]>> {
        let word = |step: i64| i16::try_from(step).ok();
        steps(unit).map(|step| step.and_then(|[x, y, z]| Some([word(x)?, word(y)?, word(z)?]))).collect()
    };
    let bytes = |unit: i32| -> Option<Vec<[i8; 3]>> {
        let byte = |step: i64| i8::try_from(step).ok();
        steps(unit).map(|step| step.and_then(|[x, y, z]| Some([byte(x)?, byte(y)?, byte(z)?]))).collect()
    };
    match kind {
        0 | LONG => Some(VertexPositions::Absolute(frame.to_vec())),
        1 => bytes(256).map(VertexPositions::Bytes),
        WORDS => words(1).map(VertexPositions::Words),
        0x12 => words(256).map(VertexPositions::Words),
        _ => None,
    }
}

/// A deduplicated table of corner normals.
#[derive(Default)]
struct NormalTable {
    indices: Vec<NormalRef>,
    normals: Vec<[f32; 3]>,
    known: HashMap<Option<[i32; 3]>, u32>,
}

impl NormalTable {
    fn add(&mut self, normal: Option<[f32; 3]>) {
        let next = u32::try_from(self.normals.len()).unwrap_or(u32::MAX);
        let index = *self.known.entry(normal.map(quantized)).or_insert(next);
        if index == next {
            self.normals.push(normal.unwrap_or(FLAT));
        }
        self.indices.push(NormalRef::Number(index));
    }
}

/// Encodes texture coordinates as deltas from corner to corner.
struct UvDeltas {
    last: [i32; 2],
    shift: [i32; 2],
    overflows: bool,
}

impl UvDeltas {
    fn new(polygon: &Polygon) -> Self {
        let first = polygon.corners.first().map_or([0; 2], |corner| corner.uv);
        let mut shift = [0; 2];
        for ((shift, first), repeat) in shift.iter_mut().zip(first).zip(polygon.repeat) {
            // A repeating image looks the same after a shift by its size.
            if i16::try_from(first).is_err() {
                *shift = first.div_euclid(repeat.max(1)).saturating_mul(repeat);
            }
        }
        Self { last: [0; 2], shift, overflows: false }
    }

    fn step(&mut self, uv: [i32; 2]) -> [i16; 2] {
        let mut out = [0; 2];
        for (((step, last), now), shift) in out.iter_mut().zip(&mut self.last).zip(uv).zip(self.shift) {
            let wanted = now.saturating_sub(shift).saturating_sub(*last);
            let held = wanted.clamp(i16::MIN.into(), i16::MAX.into());
            self.overflows |= held != wanted;
            *last = last.saturating_add(held);
            *step = i16::try_from(held).unwrap_or_default();
        }
        out
    }
}
