//! The shapes of a model as the game shows them: vertices and normals of each frame, corners of each face.

use super::layout::{Normals, Places, Triple};
use super::reading::{Deltas, LaterCorners, Reading, of_the_plane};
use super::{Glide, Model, NormalRef, Paint, Software};

/// How many of the files' units make a world unit.
const UNIT: f64 = 256.0;
/// How many of the files' units make a texel.
const TEXEL: f64 = 16.0;

/// A face.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Its corners in the order of the file.
    pub corners: Vec<FaceCorner>,
    /// What it is painted with.
    pub paint: Paint,
    /// From v4.0 on: four times this is added to the light that falls on it.
    pub brightness: u8,
}

/// A corner of a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaceCorner {
    /// The number of its vertex; `None` when there is no such vertex.
    pub vertex: Option<usize>,
    /// Texels from the top left of the image.
    pub uv: [f32; 2],
    /// Its own normal or that of its vertex; `None` where the face is flat.
    pub normal: Option<[f32; 3]>,
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounding is meant")]
const fn single(number: f64) -> f32 {
    number as f32
}

fn scaled(triple: Triple) -> [f32; 3] {
    triple.map(|number| single(f64::from(number) / UNIT))
}

/// Three numbers of ten bits with a sign, the first at `first` bits, the second at 10, the third at `third`.
fn unpacked(word: u32, first: u32, third: u32) -> Triple {
    [first, 10, third].map(|bit| {
        let number = i32::try_from((word >> bit) & 0x3ff).unwrap_or_default();
        if number < 512 { number } else { number.saturating_sub(1024) }
    })
}

impl Model {
    /// How many vertices each frame has.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        match self {
            Self::Glide(model) => model.vertices.len(),
            Self::Software(model) => model.poses.first().map_or(0, |pose| pose.vertices.len()),
        }
    }

    /// How many faces there are.
    #[must_use]
    pub fn face_count(&self) -> usize {
        match self {
            Self::Glide(model) => model.faces.len(),
            Self::Software(model) => model.planes.len(),
        }
    }

    /// How many frames there are; at least one.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        match self {
            Self::Glide(model) => model.poses.len().saturating_add(1),
            Self::Software(model) => model.poses.len().max(1),
        }
    }

    /// The vertices of the first frame, in 256ths of a world unit.
    #[must_use]
    pub(crate) fn rest_places(&self) -> Vec<Triple> {
        match self {
            Self::Glide(model) => model.places(0, Deltas::default()),
            Self::Software(model) => model.places(0, Deltas::default()),
        }
    }

    /// The vertices of a frame in world units: X right, Y down, Z forward.
    #[must_use]
    pub fn positions(&self, frame: usize) -> Vec<[f32; 3]> {
        self.positions_read(frame, Deltas::default())
    }

    /// The same with another sign for the differences that frames are stored as.
    #[must_use]
    pub fn positions_read(&self, frame: usize, deltas: Deltas) -> Vec<[f32; 3]> {
        let places = match self {
            Self::Glide(model) => model.places(frame, deltas),
            Self::Software(model) => model.places(frame, deltas),
        };
        places.into_iter().map(scaled).collect()
    }

    /// The outward normals of the faces in a frame; their length is about 1.
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

    /// The texture word of a face, where others would say the same.
    pub(super) fn odd_word(&self, face: usize) -> Option<u32> {
        let Self::Glide(model) = self else { return None };
        let word = model.faces.get(face)?.texture;
        Some(word).filter(|word| Paint::of_glide(*word).to_glide() != Some(*word))
    }

    /// The faces with their corners.
    #[must_use]
    pub fn faces(&self) -> Vec<Face> {
        match self {
            Self::Glide(model) => model.as_faces(),
            Self::Software(model) => model.as_faces(),
        }
    }

    /// The same with another meaning of the texture coordinates behind the third corner.
    #[must_use]
    pub fn faces_read(&self, reading: Reading) -> Vec<Face> {
        let mut faces = self.faces();
        if matches!(self, Self::Software(_)) && reading.later_corners == LaterCorners::OfThePlane {
            let positions = self.positions_read(0, reading.deltas);
            faces.iter_mut().for_each(|face| of_the_plane(face, &positions));
        }
        faces
    }
}

/// Adds up the steps of texture coordinates.
#[derive(Default)]
struct Uv(i32, i32);

impl Uv {
    fn step(&mut self, corner: &super::Corner) -> [f32; 2] {
        self.0 = self.0.saturating_add(corner.u_delta.into());
        self.1 = self.1.saturating_add(corner.v_delta.into());
        [self.0, self.1].map(|sum| single(f64::from(sum) / TEXEL))
    }
}

impl Glide {
    pub(super) fn places(&self, frame: usize, deltas: Deltas) -> Vec<Triple> {
        let Some(index) = frame.checked_sub(1) else { return self.vertices.clone() };
        let Some(pose) = self.poses.get(index) else { return Vec::new() };
        let shift = if self.kind().is_some_and(|kind| kind.whole) { 8 } else { 0 };
        let less = |[x, y, z]: &Triple, step: [i32; 3]| {
            let [dx, dy, dz] = step.map(|step| step.wrapping_shl(shift));
            [(*x, dx), (*y, dy), (*z, dz)].map(|(base, step)| deltas.step(base, step, Deltas::Subtracted))
        };
        let pairs = self.vertices.iter();
        match &pose.vertices {
            Places::Absolute(list) => list.clone(),
            Places::Words(list) => {
                pairs.zip(list).map(|(base, step)| less(base, step.map(i32::from))).collect()
            }
            Places::Bytes(list) => {
                pairs.zip(list).map(|(base, step)| less(base, step.map(i32::from))).collect()
            }
        }
    }

    fn as_faces(&self) -> Vec<Face> {
        let mut number = 0_usize;
        self.faces
            .iter()
            .map(|face| {
                let mut uv = Uv::default();
                let corners = face.corners.iter().map(|corner| {
                    let vertex =
                        usize::try_from(corner.vertex).ok().filter(|vertex| *vertex < self.vertices.len());
                    let normal = self.normal(number, vertex);
                    number = number.saturating_add(1);
                    FaceCorner { vertex, uv: uv.step(corner), normal }
                });
                Face {
                    corners: corners.collect(),
                    paint: Paint::of_glide(face.texture),
                    brightness: face.brightness,
                }
            })
            .collect()
    }

    /// The normal of a corner, counted over all faces.
    fn normal(&self, corner: usize, vertex: Option<usize>) -> Option<[f32; 3]> {
        let index = match &self.normal_indices {
            Some(table) => match table.get(corner)? {
                NormalRef::Number(number) => usize::try_from(*number).ok()?,
                NormalRef::Stray { .. } => return None,
            },
            None => vertex?,
        };
        let normal = *self.vertex_normals.get(index)?;
        let length: f64 = normal.iter().map(|number| f64::from(*number) * f64::from(*number)).sum();
        (length.is_finite() && length > 1e-12).then_some(normal)
    }
}

impl Software {
    /// The vertices of a frame.
    pub(super) fn places(&self, frame: usize, deltas: Deltas) -> Vec<Triple> {
        let Some(pose) = self.poses.get(frame) else { return Vec::new() };
        let steps = match &pose.vertices {
            Places::Absolute(list) => return list.clone(),
            Places::Words(list) => list.iter().map(|step| step.map(i32::from)).collect::<Vec<_>>(),
            Places::Bytes(list) => list.iter().map(|step| step.map(i32::from)).collect(),
        };
        let (reference, shift) = self
            .motion
            .as_ref()
            .map_or((0, 0), |motion| (motion.block.reference_frame, motion.block.delta_shift));
        let base = match self.poses.get(usize::from(reference)).map(|pose| &pose.vertices) {
            Some(Places::Absolute(list)) => list.clone(),
            _ => vec![[0; 3]; steps.len()],
        };
        let more = |([x, y, z], step): (Triple, [i32; 3])| {
            let [dx, dy, dz] = step.map(|step| step.wrapping_shl(u32::from(shift & 31)));
            [(x, dx), (y, dy), (z, dz)].map(|(base, step)| deltas.step(base, step, Deltas::Added))
        };
        base.into_iter().zip(steps).map(more).collect()
    }

    fn as_faces(&self) -> Vec<Face> {
        /// The bytes of a vertex.
        const TRIPLE: u32 = 12;
        let count = self.poses.first().map_or(0, |pose| pose.vertices.len());
        let vertex = |at: u32| {
            let whole = at.is_multiple_of(TRIPLE).then_some(at / TRIPLE)?;
            usize::try_from(whole).ok().filter(|vertex| *vertex < count)
        };
        self.planes
            .iter()
            .map(|plane| {
                let mut uv = Uv::default();
                let corners = plane.corners.iter().map(|corner| FaceCorner {
                    vertex: vertex(corner.vertex),
                    uv: uv.step(corner),
                    normal: None,
                });
                Face { corners: corners.collect(), paint: Paint::of_software(plane.texture), brightness: 0 }
            })
            .collect()
    }
}
