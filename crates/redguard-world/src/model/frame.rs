//! Decoded geometry of a model: vertices and normals of each frame, corners of each face.

use super::interpretation::{DeltaSign, Interpretation, LaterCornerUvs, project_later_uvs};
use super::layout::{Normals, Triple, VertexPositions};
use super::{Face, FaceCorner, FaceTexture, Glide, Model, NormalRef, Software};
use crate::number::single;

/// File units per world unit.
const UNIT: f64 = 256.0;
/// File units per texel.
const TEXEL: f64 = 16.0;

fn scaled(triple: Triple) -> [f32; 3] {
    triple.map(|number| single(f64::from(number) / UNIT))
}

/// Unpacks three signed 10-bit numbers: the first at bit `first`, the second at bit 10, the third at bit `third`.
fn unpacked(word: u32, first: u32, third: u32) -> Triple {
    [first, 10, third].map(|bit| {
        let number = i32::try_from((word >> bit) & 0x3ff).unwrap_or_default();
        if number < 512 { number } else { number.saturating_sub(1024) }
    })
}

impl Model {
    /// Number of vertices per frame.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        match self {
            Self::Glide(model) => model.vertices.len(),
            Self::Software(model) => model.poses.first().map_or(0, |pose| pose.vertices.len()),
        }
    }

    /// Number of faces.
    #[must_use]
    pub fn face_count(&self) -> usize {
        match self {
            Self::Glide(model) => model.faces.len(),
            Self::Software(model) => model.planes.len(),
        }
    }

    /// Number of frames; at least one.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        match self {
            Self::Glide(model) => model.poses.len().saturating_add(1),
            Self::Software(model) => model.poses.len().max(1),
        }
    }

    /// Vertex positions in the first frame, in 256ths of a world unit.
    #[must_use]
    pub(crate) fn first_frame_positions(&self) -> Vec<Triple> {
        self.stored_positions(0)
    }

    /// Vertex positions in a frame, in 256ths of a world unit: X right, Y down, Z forward.
    #[must_use]
    pub fn stored_positions(&self, frame: usize) -> Vec<Triple> {
        match self {
            Self::Glide(model) => model.raw_positions(frame, DeltaSign::default()),
            Self::Software(model) => model.raw_positions(frame, DeltaSign::default()),
        }
    }

    /// Vertex positions in a frame, in world units: X right, Y down, Z forward.
    #[must_use]
    pub fn positions(&self, frame: usize) -> Vec<[f32; 3]> {
        self.positions_with(frame, DeltaSign::default())
    }

    /// Like [`positions`](Self::positions), with another interpretation of the frame deltas.
    #[must_use]
    pub fn positions_with(&self, frame: usize, delta_sign: DeltaSign) -> Vec<[f32; 3]> {
        let positions = match self {
            Self::Glide(model) => model.raw_positions(frame, delta_sign),
            Self::Software(model) => model.raw_positions(frame, delta_sign),
        };
        positions.into_iter().map(scaled).collect()
    }

    /// Outward face normals in a frame; their length is about 1.
    #[must_use]
    pub fn face_normals(&self, frame: usize) -> Vec<[f32; 3]> {
        let normals = match self {
            Self::Glide(model) => match frame.checked_sub(1) {
                None => return model.face_normals.iter().copied().map(scaled).collect(),
                Some(pose) => model.poses.get(pose).map(|pose| (&pose.normals, 0, 20)),
            },
            Self::Software(model) => model.poses.get(frame).map(|pose| (&pose.normals, 20, 0)),
        };
        match normals {
            Some((Normals::Absolute(list), ..)) => list.iter().copied().map(scaled).collect(),
            Some((Normals::Packed(list), first, third)) => {
                list.iter().map(|word| scaled(unpacked(*word, first, third))).collect()
            }
            None => Vec::new(),
        }
    }

    /// The faces with their corners.
    #[must_use]
    pub fn faces(&self) -> Vec<Face> {
        match self {
            Self::Glide(model) => model.as_faces(),
            Self::Software(model) => model.as_faces(),
        }
    }

    /// Like [`faces`](Self::faces), with another interpretation of the texture coordinates after the third corner.
    #[must_use]
    pub fn faces_with(&self, reading: Interpretation) -> Vec<Face> {
        let mut faces = self.faces();
        if matches!(self, Self::Software(_)) && reading.later_corner_uvs == LaterCornerUvs::Plane {
            let positions = self.positions_with(0, reading.delta_sign);
            faces.iter_mut().for_each(|face| project_later_uvs(face, &positions));
        }
        faces
    }
}

/// Accumulates the deltas of texture coordinates.
#[derive(Default)]
struct UvAccumulator(i32, i32);

impl UvAccumulator {
    fn step(&mut self, corner: &super::Corner) -> [f32; 2] {
        self.0 = self.0.saturating_add(corner.u_delta.into());
        self.1 = self.1.saturating_add(corner.v_delta.into());
        [self.0, self.1].map(|sum| single(f64::from(sum) / TEXEL))
    }
}

impl Glide {
    pub(super) fn raw_positions(&self, frame: usize, delta_sign: DeltaSign) -> Vec<Triple> {
        let Some(index) = frame.checked_sub(1) else { return self.vertices.clone() };
        let Some(pose) = self.poses.get(index) else { return Vec::new() };
        let shift = if self.frame_encoding().is_some_and(|encoding| encoding.in_world_units) { 8 } else { 0 };
        let subtract = |[x, y, z]: &Triple, step: [i32; 3]| {
            let [dx, dy, dz] = step.map(|step| step.wrapping_shl(shift));
            [(*x, dx), (*y, dy), (*z, dz)]
                .map(|(base, step)| delta_sign.step(base, step, DeltaSign::Subtracted))
        };
        let pairs = self.vertices.iter();
        match &pose.vertices {
            VertexPositions::Absolute(list) => list.clone(),
            VertexPositions::Words(list) => {
                pairs.zip(list).map(|(base, step)| subtract(base, step.map(i32::from))).collect()
            }
            VertexPositions::Bytes(list) => {
                pairs.zip(list).map(|(base, step)| subtract(base, step.map(i32::from))).collect()
            }
        }
    }

    pub(super) fn as_faces(&self) -> Vec<Face> {
        let mut number = 0_usize;
        self.faces
            .iter()
            .map(|face| {
                let mut uv = UvAccumulator::default();
                let corners = face.corners.iter().map(|corner| {
                    let vertex =
                        usize::try_from(corner.vertex).ok().filter(|vertex| *vertex < self.vertices.len());
                    let normal = self.normal(number, vertex);
                    number = number.saturating_add(1);
                    FaceCorner { vertex, uv: uv.step(corner), normal }
                });
                Face {
                    corners: corners.collect(),
                    texture: FaceTexture::of_glide(face.texture),
                    brightness: face.brightness,
                }
            })
            .collect()
    }

    /// Returns the normal of a corner, given its index over all faces.
    fn normal(&self, corner: usize, vertex: Option<usize>) -> Option<[f32; 3]> {
        let index = match &self.normal_indices {
            Some(table) => match table.get(corner)? {
                NormalRef::Number(number) => usize::try_from(*number).ok()?,
                NormalRef::Dangling { .. } => return None,
            },
            None => vertex?,
        };
        let normal = *self.vertex_normals.get(index)?;
        let length: f64 = normal.iter().map(|number| f64::from(*number) * f64::from(*number)).sum();
        (length.is_finite() && length > 1e-12).then_some(normal)
    }
}

impl Software {
    /// Vertex positions in a frame.
    pub(super) fn raw_positions(&self, frame: usize, delta_sign: DeltaSign) -> Vec<Triple> {
        let Some(pose) = self.poses.get(frame) else { return Vec::new() };
        let steps = match &pose.vertices {
            VertexPositions::Absolute(list) => return list.clone(),
            VertexPositions::Words(list) => list.iter().map(|step| step.map(i32::from)).collect::<Vec<_>>(),
            VertexPositions::Bytes(list) => list.iter().map(|step| step.map(i32::from)).collect(),
        };
        let (reference, shift) = self
            .motion
            .as_ref()
            .map_or((0, 0), |motion| (motion.block.reference_frame, motion.block.delta_shift));
        let base = match self.poses.get(usize::from(reference)).map(|pose| &pose.vertices) {
            Some(VertexPositions::Absolute(list)) => list.clone(),
            _ => vec![[0; 3]; steps.len()],
        };
        let add = |([x, y, z], step): (Triple, [i32; 3])| {
            let [dx, dy, dz] = step.map(|step| step.wrapping_shl(u32::from(shift & 31)));
            [(x, dx), (y, dy), (z, dz)].map(|(base, step)| delta_sign.step(base, step, DeltaSign::Added))
        };
        base.into_iter().zip(steps).map(add).collect()
    }

    fn as_faces(&self) -> Vec<Face> {
        /// Size of a vertex in bytes.
        const TRIPLE: u32 = 12;
        let count = self.poses.first().map_or(0, |pose| pose.vertices.len());
        let vertex = |at: u32| {
            let index = at.is_multiple_of(TRIPLE).then_some(at / TRIPLE)?;
            usize::try_from(index).ok().filter(|vertex| *vertex < count)
        };
        self.planes
            .iter()
            .map(|plane| {
                let mut uv = UvAccumulator::default();
                let corners = plane.corners.iter().map(|corner| FaceCorner {
                    vertex: vertex(corner.vertex),
                    uv: uv.step(corner),
                    normal: None,
                });
                Face {
                    corners: corners.collect(),
                    texture: FaceTexture::of_software(plane.texture),
                    brightness: 0,
                }
            })
            .collect()
    }
}
