//! Builds a model from planned faces.

mod frames;
mod spheres;
mod vertices;

use std::collections::HashMap;

use asset::{Report, counted};

use self::vertices::VertexTable;
use super::super::glide::{Face, Glide, NormalRef};
use super::super::layout::{Corner, Triple};
use super::super::normal::{self, FLAT};
use super::super::warning;
use super::plan::{Plan, PlannedFace, PlannedNormal};

/// Inputs from which a model is built.
pub(super) struct ModelBuilder<'a> {
    /// The original; an empty model if there is none.
    pub(super) base: &'a Glide,
    /// Positions of the original's vertices in all frames.
    pub(super) vertices: &'a [Box<[Triple]>],
    pub(super) plan: &'a Plan,
    /// Number of frames.
    pub(super) count: usize,
    /// Frame kind of a model with one frame.
    pub(super) default_kind: u32,
    /// Whether corners have normals from a table instead of their vertices' normals.
    pub(super) has_table: bool,
}

impl ModelBuilder<'_> {
    /// Builds the model. Remaining vertices and faces of the original keep their indices.
    pub(super) fn build(&self, report: &mut Report) -> Glide {
        let table = VertexTable::of(self);
        let mut model = self.base.clone();
        model.faces = self.faces(&table, report);
        model.vertices = frame_of(&table.positions, 0);
        if self.has_table {
            let mut normals = NormalTable::of(self.base);
            let corners = self.plan.faces.iter().flat_map(|face| &face.corners);
            let indices = corners.map(|corner| normals.reference(self.base, corner.normal)).collect();
            (model.normal_indices, model.vertex_normals) = (Some(indices), normals.normals);
        } else {
            (model.normal_indices, model.vertex_normals) = (None, table.normals);
        }
        let corners = model.faces.iter().map(|face| face.corners.len()).fold(0, usize::saturating_add);
        let before = self.base.faces.iter().map(|face| face.corners.len()).fold(0, usize::saturating_add);
        if corners != before {
            let corners = u32::try_from(corners).unwrap_or(u32::MAX);
            (model.header.total_face_vertices, model.header.total_face_vertices_dup) = (corners, corners);
        }
        self.add_normals(&mut model);
        self.add_frames(&mut model, &table.positions);
        let (before, now) = (radius(&self.base.vertices), radius(&model.vertices));
        if before != now || self.base.vertices.is_empty() {
            model.header.radius = now;
        }
        self.fit_spheres(&mut model, report);
        model
    }

    fn faces(&self, table: &VertexTable, report: &mut Report) -> Vec<Face> {
        let mut overflowing = 0_usize;
        let mut numbers = table.numbers.iter().copied();
        let build = |face: &PlannedFace| {
            let base = face.original.and_then(|number| self.base.faces.get(number));
            let mut uvs = UvDeltas::new(face);
            let corner = |(index, corner): (usize, &super::plan::PlannedCorner)| {
                let kept = base.filter(|_| face.keeps_uvs).and_then(|base| base.corners.get(index));
                let [u_delta, v_delta] =
                    kept.map_or_else(|| uvs.step(corner.uv), |kept| [kept.u_delta, kept.v_delta]);
                Corner { vertex: numbers.next().unwrap_or(u32::MAX), u_delta, v_delta }
            };
            let corners: Vec<Corner> = face.corners.iter().enumerate().map(corner).collect();
            overflowing = overflowing.saturating_add(usize::from(uvs.overflows));
            Face {
                corner_count: u8::try_from(corners.len()).unwrap_or(u8::MAX),
                brightness: face.brightness,
                texture: face.word,
                unused: base.map_or(0, |base| base.unused),
                corners,
            }
        };
        let faces = self.plan.faces.iter().map(build).collect();
        if overflowing > 0 {
            let faces = counted(overflowing, "face spans", "faces span");
            let message = format!(
                "{faces} more than 2048 texels between two corners, the limit of texture coordinates"
            );
            report.warn(&warning::UV_OVERFLOW, message);
        }
        faces
    }
}

/// Positions of all vertices in a frame.
fn frame_of(positions: &[Box<[Triple]>], frame: usize) -> Vec<Triple> {
    positions.iter().map(|positions| positions.get(frame).copied().unwrap_or_default()).collect()
}

/// Distance of the farthest vertex from the origin.
fn radius(vertices: &[Triple]) -> u32 {
    let square = |position: &Triple| {
        position.iter().map(|number| f64::from(*number) * f64::from(*number)).sum::<f64>()
    };
    let farthest = vertices.iter().map(square).fold(0.0, f64::max).sqrt().floor();
    u32::try_from(normal::rounded(farthest)).unwrap_or_default()
}

/// Resolution at which directions are considered equal: steps per unit.
const NEAR: f32 = 512.0;

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is intended")]
fn quantized(normal: [f32; 3]) -> [i32; 3] {
    normal.map(|number| (number * NEAR).round() as i32)
}

/// A table of corner normals: first the normals of the original, then new ones without duplicates.
struct NormalTable {
    normals: Vec<[f32; 3]>,
    indices: HashMap<Option<[i32; 3]>, u32>,
}

impl NormalTable {
    fn of(base: &Glide) -> Self {
        let normals = if base.normal_indices.is_some() { base.vertex_normals.clone() } else { Vec::new() };
        Self { normals, indices: HashMap::new() }
    }

    /// Returns the normal reference of a corner.
    fn reference(&mut self, base: &Glide, normal: PlannedNormal) -> NormalRef {
        let own = match normal {
            PlannedNormal::Original(corner) => {
                let kept = base.normal_indices.as_ref().and_then(|table| table.get(corner));
                if let Some(kept) = kept {
                    return *kept;
                }
                None
            }
            PlannedNormal::Flat => None,
            PlannedNormal::Own(normal) | PlannedNormal::Rotated(normal) => Some(normal),
        };
        let next = u32::try_from(self.normals.len()).unwrap_or(u32::MAX);
        let index = *self.indices.entry(own.map(quantized)).or_insert(next);
        if index == next {
            self.normals.push(own.unwrap_or(FLAT));
        }
        NormalRef::Number(index)
    }
}

/// Encodes texture coordinates as deltas between consecutive corners.
struct UvDeltas {
    last: [i32; 2],
    shift: [i32; 2],
    overflows: bool,
}

impl UvDeltas {
    fn new(face: &PlannedFace) -> Self {
        let first = face.corners.first().map_or([0; 2], |corner| corner.uv);
        let mut shift = [0; 2];
        for ((shift, first), repeat) in shift.iter_mut().zip(first).zip(face.repeat) {
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
            let exact = now.saturating_sub(shift).saturating_sub(*last);
            let clamped = exact.clamp(i16::MIN.into(), i16::MAX.into());
            self.overflows |= clamped != exact;
            *last = last.saturating_add(clamped);
            *step = i16::try_from(clamped).unwrap_or_default();
        }
        out
    }
}
