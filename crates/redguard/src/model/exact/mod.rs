//! What glTF cannot say of a model, in the extras of its mesh: a model that nobody touched comes back as it was.
//!
//! All of it stands in texts of numbers, which other programs keep. A digest of vertices, faces and texture coordinates says whether it
//! still belongs to the shape; what would be worked out alike is left out.

mod text;

use std::collections::BTreeMap;

use serde_json::Value;

use super::glide::{Glide, NormalRef};
use super::layout::{Corner, Normals, Triple};
use super::reading::Deltas;
use super::{Model, Node, normal};
use crate::axes::Axes;

/// The name among the extras of a mesh.
const NAME: &str = "exact";

/// What the extras of a mesh say.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::model) struct Exact {
    pub(in crate::model) digest: u64,
    /// Metres were multiplied by this.
    pub(in crate::model) scale: Option<f64>,
    /// How the game's axes were turned.
    pub(in crate::model) axes: Axes,
    pub(in crate::model) radius: Option<u32>,
    /// The kind of frames.
    pub(in crate::model) kind: Option<u32>,
    /// Vertices that no face names: number, and place in each frame.
    pub(in crate::model) loose: Vec<(usize, Vec<Triple>)>,
    face_normals: Vec<(usize, Triple)>,
    /// For each frame behind the first: face and word.
    words: Vec<Vec<(usize, u32)>>,
    /// The same where frames have long normals.
    triples: Vec<Vec<(usize, Triple)>>,
    normal_count: Option<usize>,
    /// Vertex normals whose bits corners do not say.
    vertex_normals: BTreeMap<usize, [u32; 3]>,
    pub(in crate::model) table: Option<Vec<NormalRef>>,
    pub(in crate::model) nodes: Vec<Node>,
}

/// How a vertex normal looks that leaves faces flat.
pub(in crate::model) const FLAT: [f32; 3] = [f32::from_bits(FLAT_BITS); 3];
const FLAT_BITS: u32 = 0xffc0_0000;

/// A number for the shape of a model: the places of all vertices in all frames, and the corners of all faces.
pub(in crate::model) fn digest<'a>(
    frames: impl IntoIterator<Item = Vec<Triple>>,
    faces: impl IntoIterator<Item = &'a [Corner]>,
) -> u64 {
    // FNV-1a, over whole words.
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let mut sum = START;
    let mut add = |number: i64| sum = (sum ^ u64::from_ne_bytes(number.to_ne_bytes())).wrapping_mul(PRIME);
    for places in frames {
        places.iter().flatten().for_each(|number| add(i64::from(*number)));
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
    /// The extras of a mesh that shows the model. `keeps` says of each face whether its corners run counter-clockwise.
    pub(in crate::model) fn exact(&self, keeps: &[bool], scale: f32, axes: Axes) -> (&'static str, Value) {
        let frames = || (0..self.frame_count()).map(|frame| self.places(frame));
        let exact = match self {
            Self::Glide(model) => {
                let faces = model.faces.iter().map(|face| face.corners.as_slice());
                Exact { digest: digest(frames(), faces), ..model.exact(keeps) }
            }
            Self::Software(model) => {
                let numbered = |corner: &Corner| Corner { vertex: corner.vertex / 12, ..*corner };
                let faces: Vec<Vec<Corner>> =
                    model.planes.iter().map(|plane| plane.corners.iter().map(numbered).collect()).collect();
                let digest = digest(frames(), faces.iter().map(Vec::as_slice));
                Exact { digest, radius: Some(model.header.radius), ..Exact::default() }
            }
        };
        let loose = self.loose();
        let scale = Some(f64::from(scale)).filter(|_| scale.to_bits() != 1_f32.to_bits());
        (NAME, Exact { loose, scale, axes, ..exact }.to_json().into())
    }

    /// Vertices that no face names.
    fn loose(&self) -> Vec<(usize, Vec<Triple>)> {
        let mut is_used = vec![false; self.vertex_count()];
        for vertex in self.faces().iter().flat_map(|face| &face.corners).filter_map(|corner| corner.vertex) {
            if let Some(is_used) = is_used.get_mut(vertex) {
                *is_used = true;
            }
        }
        let numbers = is_used.iter().enumerate().filter(|(_, is_used)| !**is_used);
        let mut loose: Vec<(usize, Vec<Triple>)> = numbers.map(|(number, _)| (number, Vec::new())).collect();
        if !loose.is_empty() {
            for frame in 0..self.frame_count() {
                let places = self.places(frame);
                for (number, own) in &mut loose {
                    own.push(places.get(*number).copied().unwrap_or_default());
                }
            }
        }
        loose
    }

    fn places(&self, frame: usize) -> Vec<Triple> {
        match self {
            Self::Glide(model) => model.places(frame, Deltas::default()),
            Self::Software(model) => model.places(frame, Deltas::default()),
        }
    }
}

/// The normals of faces in a frame, worked out.
pub(in crate::model) fn computed<'a>(
    faces: impl IntoIterator<Item = (&'a [Corner], bool)>,
    places: &[Triple],
) -> Vec<Triple> {
    let place = |corner: &Corner| {
        let number = usize::try_from(corner.vertex).unwrap_or(usize::MAX);
        places.get(number).copied().unwrap_or_default()
    };
    let normal = |(corners, keeps): (&[Corner], bool)| {
        let corners: Vec<Triple> = corners.iter().map(place).collect();
        let found = normal::of_face(&corners);
        if keeps { found } else { found.map(i32::wrapping_neg) }
    };
    faces.into_iter().map(normal).collect()
}

/// What differs from what would be worked out, with its number.
fn differing<T: PartialEq + Copy>(found: &[T], computed: impl IntoIterator<Item = T>) -> Vec<(usize, T)> {
    let pairs = found.iter().copied().zip(computed).enumerate();
    pairs
        .filter(|(_, (found, computed))| found != computed)
        .map(|(number, (found, _))| (number, found))
        .collect()
}

/// Whether the bits of a normal go through glTF, which has unit lengths only.
fn goes_through(normal: [f32; 3]) -> bool {
    let square: f64 = normal.iter().map(|number| f64::from(*number) * f64::from(*number)).sum();
    (square - 1.0).abs() <= 1e-6
}

impl Glide {
    fn exact(&self, keeps: &[bool]) -> Exact {
        let faces = || self.faces.iter().zip(keeps).map(|(face, keeps)| (face.corners.as_slice(), *keeps));
        let mut words = Vec::new();
        let mut triples = Vec::new();
        for (index, pose) in self.poses.iter().enumerate() {
            let found = computed(faces(), &self.places(index.saturating_add(1), Deltas::default()));
            match &pose.normals {
                Normals::Packed(list) => words.push(differing(list, found.into_iter().map(normal::packed))),
                Normals::Absolute(list) => triples.push(differing(list, found)),
            }
        }
        let mut said = vec![false; self.vertex_normals.len()];
        for number in self.normal_numbers().into_iter().flatten() {
            if let Some(said) = said.get_mut(number) {
                *said = true;
            }
        }
        let unsaid = self.vertex_normals.iter().zip(said).enumerate();
        let unsaid = unsaid.filter(|(_, (normal, said))| !said || !goes_through(**normal));
        Exact {
            radius: Some(self.header.radius),
            kind: self.frames.first().map(|frame| frame.kind),
            face_normals: differing(&self.face_normals, computed(faces(), &self.vertices)),
            words,
            triples,
            normal_count: Some(self.vertex_normals.len()),
            vertex_normals: unsaid.map(|(number, (normal, _))| (number, normal.map(f32::to_bits))).collect(),
            table: self.normal_indices.clone(),
            nodes: self.nodes.clone(),
            ..Exact::default()
        }
    }

    /// The number of the vertex normal of each corner.
    fn normal_numbers(&self) -> Vec<Option<usize>> {
        let number = |number: u32| usize::try_from(number).ok();
        match &self.normal_indices {
            Some(table) => {
                let of = |index: &NormalRef| match index {
                    NormalRef::Number(index) => number(*index),
                    NormalRef::Stray { .. } => None,
                };
                table.iter().map(of).collect()
            }
            None => {
                self.faces.iter().flat_map(|face| &face.corners).map(|corner| number(corner.vertex)).collect()
            }
        }
    }
}

impl Exact {
    /// Whether a model of the Glide renderer was converted, which has normals of vertices.
    pub(in crate::model) const fn knows_normals(&self) -> bool {
        self.normal_count.is_some()
    }

    /// Gives a model of the same shape what the shape does not say. `normals` are those of the corners in the scene. Says whether they
    /// are still those of the model that was converted.
    pub(in crate::model) fn restore(&self, model: &mut Glide, normals: &[[f32; 3]]) -> bool {
        self.restore_faces(model);
        self.restore_normals(model, normals)
    }

    /// The normals of faces.
    pub(in crate::model) fn restore_faces(&self, model: &mut Glide) {
        replace(&mut model.face_normals, &self.face_normals);
        for (index, pose) in model.poses.iter_mut().enumerate() {
            match &mut pose.normals {
                Normals::Packed(list) => replace(list, self.words.get(index).map_or(&[], Vec::as_slice)),
                Normals::Absolute(list) => replace(list, self.triples.get(index).map_or(&[], Vec::as_slice)),
            }
        }
    }

    /// Vertex normals, unless those of the scene are others now.
    fn restore_normals(&self, model: &mut Glide, normals: &[[f32; 3]]) -> bool {
        let Some(count) = self.normal_count else { return false };
        let has_table = self.table.is_some();
        let corners: usize = model.faces.iter().map(|face| face.corners.len()).sum();
        let fits = |table: &Vec<NormalRef>| table.len() == corners;
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

/// Puts items into a list by their numbers.
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

/// Whether two directions are nearly the same; one that is none agrees with all.
fn agree(a: [f64; 3], b: [f64; 3]) -> bool {
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    !is_direction(a) || !is_direction(b) || dot > 0.999 * (square(a) * square(b)).sqrt()
}
