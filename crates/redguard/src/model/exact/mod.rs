//! What glTF cannot store of a model, in the extras of its mesh, so that an unedited model is restored byte for byte.
//!
//! Everything is stored as strings of numbers, which other programs preserve. A digest of vertices, faces and texture coordinates tells whether it
//! still matches the mesh; whatever would be recomputed identically is left out.

pub(in crate::model) mod runs;
mod text;

use std::collections::BTreeMap;

use serde_json::Value;

use super::glide::{Glide, NormalRef};
use super::interpretation::DeltaSign;
use super::layout::{Corner, Normals, Triple};
use super::{Model, Node, normal};
use crate::axes::Axes;

/// The key in the extras of a mesh.
const NAME: &str = "exact";

/// The extras of a mesh for an exact round trip.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::model) struct ExactExtras {
    pub(in crate::model) digest: u64,
    /// The scale factor of the conversion.
    pub(in crate::model) scale: Option<f64>,
    /// The axes of the conversion.
    pub(in crate::model) axes: Axes,
    pub(in crate::model) radius: Option<u32>,
    /// The frame kind.
    pub(in crate::model) kind: Option<u32>,
    /// Vertices that no face uses: index, and position in each frame.
    pub(in crate::model) unused_vertices: Vec<(usize, Vec<Triple>)>,
    face_normals: Vec<(usize, Triple)>,
    /// For each frame after the first: face index and packed normal.
    packed_normals: Vec<Vec<(usize, u32)>>,
    /// The same for frames with unpacked normals.
    long_normals: Vec<Vec<(usize, Triple)>>,
    normal_count: Option<usize>,
    /// Vertex normals that cannot be recovered from the corners, as float bits.
    vertex_normals: BTreeMap<usize, [u32; 3]>,
    pub(in crate::model) table: Option<Vec<NormalRef>>,
    pub(in crate::model) nodes: Vec<Node>,
}

/// The vertex normal (NaN) that marks flat shading.
pub(in crate::model) const FLAT: [f32; 3] = [f32::from_bits(FLAT_BITS); 3];
const FLAT_BITS: u32 = 0xffc0_0000;

/// A digest of the geometry of a model: vertex positions of all frames, and the corners of all faces.
pub(in crate::model) fn digest<'a>(
    frames: impl IntoIterator<Item = Vec<Triple>>,
    faces: impl IntoIterator<Item = &'a [Corner]>,
) -> u64 {
    // FNV-1a over whole integers.
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let mut sum = START;
    let mut add = |number: i64| sum = (sum ^ u64::from_ne_bytes(number.to_ne_bytes())).wrapping_mul(PRIME);
    for positions in frames {
        positions.iter().flatten().for_each(|number| add(i64::from(*number)));
        add(-1);
    }
    for corners in faces {
        for corner in corners {
            add(i64::from(corner.vertex));
            add(i64::from(corner.u_delta));
            add(i64::from(corner.v_delta));
        }
        add(-2);
    }
    sum
}

impl Model {
    /// The extras for the mesh of the model. `is_ccw` tells for each face whether its corners are in counter-clockwise order.
    pub(in crate::model) fn exact(&self, is_ccw: &[bool], scale: f32, axes: Axes) -> (&'static str, Value) {
        let frames = || (0..self.frame_count()).map(|frame| self.raw_positions(frame));
        let exact = match self {
            Self::Glide(model) => {
                let faces = model.faces.iter().map(|face| face.corners.as_slice());
                ExactExtras { digest: digest(frames(), faces), ..model.exact(is_ccw) }
            }
            Self::Software(model) => {
                let numbered = |corner: &Corner| Corner { vertex: corner.vertex / 12, ..*corner };
                let faces: Vec<Vec<Corner>> =
                    model.planes.iter().map(|plane| plane.corners.iter().map(numbered).collect()).collect();
                let digest = digest(frames(), faces.iter().map(Vec::as_slice));
                ExactExtras { digest, radius: Some(model.header.radius), ..ExactExtras::default() }
            }
        };
        let unused_vertices = self.unused_vertices();
        let scale = Some(f64::from(scale)).filter(|_| scale.to_bits() != 1_f32.to_bits());
        (NAME, ExactExtras { unused_vertices, scale, axes, ..exact }.to_json().into())
    }

    /// The vertices that no face uses.
    fn unused_vertices(&self) -> Vec<(usize, Vec<Triple>)> {
        let mut is_used = vec![false; self.vertex_count()];
        for vertex in self.faces().iter().flat_map(|face| &face.corners).filter_map(|corner| corner.vertex) {
            if let Some(is_used) = is_used.get_mut(vertex) {
                *is_used = true;
            }
        }
        let numbers = is_used.iter().enumerate().filter(|(_, is_used)| !**is_used);
        let mut unused_vertices: Vec<(usize, Vec<Triple>)> =
            numbers.map(|(number, _)| (number, Vec::new())).collect();
        if !unused_vertices.is_empty() {
            for frame in 0..self.frame_count() {
                let positions = self.raw_positions(frame);
                for (number, own) in &mut unused_vertices {
                    own.push(positions.get(*number).copied().unwrap_or_default());
                }
            }
        }
        unused_vertices
    }

    fn raw_positions(&self, frame: usize) -> Vec<Triple> {
        match self {
            Self::Glide(model) => model.raw_positions(frame, DeltaSign::default()),
            Self::Software(model) => model.raw_positions(frame, DeltaSign::default()),
        }
    }
}

/// Computes the face normals of a frame.
pub(in crate::model) fn computed<'a>(
    faces: impl IntoIterator<Item = (&'a [Corner], bool)>,
    positions: &[Triple],
) -> Vec<Triple> {
    let position = |corner: &Corner| {
        let number = usize::try_from(corner.vertex).unwrap_or(usize::MAX);
        positions.get(number).copied().unwrap_or_default()
    };
    // One list for all faces: there may be hundreds of thousands.
    let mut places: Vec<Triple> = Vec::new();
    let normal = |(corners, is_ccw): (&[Corner], bool)| {
        places.clear();
        places.extend(corners.iter().map(position));
        let found = normal::of_face(&places);
        if is_ccw { found } else { found.map(i32::wrapping_neg) }
    };
    faces.into_iter().map(normal).collect()
}

/// The values that differ from the computed ones, with their indices.
fn differing<T: PartialEq + Copy>(found: &[T], computed: impl IntoIterator<Item = T>) -> Vec<(usize, T)> {
    let pairs = found.iter().copied().zip(computed).enumerate();
    pairs
        .filter(|(_, (found, computed))| found != computed)
        .map(|(number, (found, _))| (number, found))
        .collect()
}

/// Whether the exact bits of a normal survive glTF, which requires unit length.
fn survives_gltf(normal: [f32; 3]) -> bool {
    let square: f64 = normal.iter().map(|number| f64::from(*number) * f64::from(*number)).sum();
    (square - 1.0).abs() <= 1e-6
}

impl Glide {
    fn exact(&self, is_ccw: &[bool]) -> ExactExtras {
        let faces = || self.faces.iter().zip(is_ccw).map(|(face, is_ccw)| (face.corners.as_slice(), *is_ccw));
        let mut packed_normals = Vec::new();
        let mut long_normals = Vec::new();
        for (index, pose) in self.poses.iter().enumerate() {
            let found = computed(faces(), &self.raw_positions(index.saturating_add(1), DeltaSign::default()));
            match &pose.normals {
                Normals::Packed(list) => {
                    packed_normals.push(differing(list, found.into_iter().map(normal::packed)));
                }
                Normals::Absolute(list) => long_normals.push(differing(list, found)),
            }
        }
        let mut is_covered = vec![false; self.vertex_normals.len()];
        for number in self.normal_numbers().into_iter().flatten() {
            if let Some(is_covered) = is_covered.get_mut(number) {
                *is_covered = true;
            }
        }
        let missing = self.vertex_normals.iter().zip(is_covered).enumerate();
        let missing = missing.filter(|(_, (normal, is_covered))| !is_covered || !survives_gltf(**normal));
        ExactExtras {
            radius: Some(self.header.radius),
            kind: self.frames.first().map(|frame| frame.kind),
            face_normals: differing(&self.face_normals, computed(faces(), &self.vertices)),
            packed_normals,
            long_normals,
            normal_count: Some(self.vertex_normals.len()),
            vertex_normals: missing.map(|(number, (normal, _))| (number, normal.map(f32::to_bits))).collect(),
            table: self.normal_indices.clone(),
            nodes: self.nodes.clone(),
            ..ExactExtras::default()
        }
    }

    /// The vertex normal index of each corner.
    fn normal_numbers(&self) -> Vec<Option<usize>> {
        let number = |number: u32| usize::try_from(number).ok();
        match &self.normal_indices {
            Some(table) => {
                let of = |index: &NormalRef| match index {
                    NormalRef::Number(index) => number(*index),
                    NormalRef::Dangling { .. } => None,
                };
                table.iter().map(of).collect()
            }
            None => {
                self.faces.iter().flat_map(|face| &face.corners).map(|corner| number(corner.vertex)).collect()
            }
        }
    }
}

impl ExactExtras {
    /// Whether the converted model was one of the Glide renderer, which have vertex normals.
    pub(in crate::model) const fn has_vertex_normals(&self) -> bool {
        self.normal_count.is_some()
    }

    /// Restores everything that the geometry does not determine. `normals` are the corner normals of the scene; returns whether they
    /// still match the converted model.
    pub(in crate::model) fn restore(&self, model: &mut Glide, normals: &[[f32; 3]]) -> bool {
        self.restore_faces(model);
        self.restore_normals(model, normals)
    }

    /// Restores the face normals.
    pub(in crate::model) fn restore_faces(&self, model: &mut Glide) {
        replace(&mut model.face_normals, &self.face_normals);
        for (index, pose) in model.poses.iter_mut().enumerate() {
            match &mut pose.normals {
                Normals::Packed(list) => {
                    replace(list, self.packed_normals.get(index).map_or(&[], Vec::as_slice));
                }
                Normals::Absolute(list) => {
                    replace(list, self.long_normals.get(index).map_or(&[], Vec::as_slice));
                }
            }
        }
    }

    /// Restores the vertex normals unless those of the scene were edited.
    fn restore_normals(&self, model: &mut Glide, normals: &[[f32; 3]]) -> bool {
        let Some(count) = self.normal_count else { return false };
        let has_table = self.table.is_some();
        let corners: usize = model.faces.iter().map(|face| face.corners.len()).sum();
        let is_known = |normal: &NormalRef| match normal {
            NormalRef::Number(number) => usize::try_from(*number).is_ok_and(|number| number < count),
            NormalRef::Dangling { .. } => true,
        };
        let fits = |table: &Vec<NormalRef>| table.len() == corners && table.iter().all(is_known);
        if count > corners.saturating_add(model.vertices.len()).saturating_add(self.vertex_normals.len())
            || !self.table.as_ref().is_none_or(fits)
            || (!has_table && count != model.vertices.len())
        {
            return false;
        }
        let mut restored = Glide {
            normal_indices: self.table.clone(),
            vertex_normals: vec![FLAT; count],
            faces: model.faces.clone(),
            ..Glide::new(model.header.version)
        };
        for (number, normal) in restored.normal_numbers().into_iter().zip(normals) {
            let slot = number.and_then(|number| restored.vertex_normals.get_mut(number));
            if let Some(slot) = slot {
                *slot = *normal;
            }
        }
        for (number, bits) in &self.vertex_normals {
            if let Some(slot) = restored.vertex_normals.get_mut(*number) {
                *slot = bits.map(f32::from_bits);
            }
        }
        let own = model.faces.iter().zip(&model.face_normals);
        let own = own.flat_map(|(face, normal)| face.corners.iter().map(move |_| *normal));
        let agrees = |((number, seen), own): ((Option<usize>, &[f32; 3]), Triple)| {
            let stored = number.and_then(|number| restored.vertex_normals.get(number)).copied();
            let stored = stored.map(|normal| normal.map(f64::from)).filter(|normal| is_direction(*normal));
            agree(stored.unwrap_or_else(|| own.map(f64::from)), seen.map(f64::from))
        };
        let is_same = restored.normal_numbers().into_iter().zip(normals).zip(own).all(agrees);
        if is_same {
            model.normal_indices = restored.normal_indices;
            model.vertex_normals = restored.vertex_normals;
        }
        is_same
    }
}

/// Overwrites items of a list by index.
fn replace<T: Copy>(list: &mut [T], items: &[(usize, T)]) {
    for (number, item) in items {
        if let Some(slot) = list.get_mut(*number) {
            *slot = *item;
        }
    }
}

fn square(normal: [f64; 3]) -> f64 {
    normal.iter().map(|number| number * number).sum()
}

fn is_direction(normal: [f64; 3]) -> bool {
    let square = square(normal);
    square.is_finite() && square > 1e-12
}

/// Whether two directions are nearly the same. A zero vector matches any direction.
fn agree(a: [f64; 3], b: [f64; 3]) -> bool {
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    !is_direction(a) || !is_direction(b) || dot > 0.999 * (square(a) * square(b)).sqrt()
}
