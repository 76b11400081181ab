//! Faces and frames as the parts of a model file.

use std::collections::HashMap;

use asset::{Report, counted};
use record::Result;

use super::super::exact::{Exact, FLAT, computed, digest};
use super::super::glide::{Face, Frame, Glide, NormalRef, Pose, SINGLE};
use super::super::layout::{Corner, Normals, Places, Triple};
use super::super::{Version, normal, warning};
use super::frames::Frames;
use super::shape::{Polygon, Shape};
use super::{Form, Importer, Part};
use crate::model::reading::Deltas;

/// A model that was made.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) model: Glide,
    /// Whether its shape is that of the model which was converted.
    pub(crate) is_untouched: bool,
    /// Whether the first colour of the palette is seen through somewhere.
    pub(crate) is_keyed: bool,
}

/// How corners come to their normals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shading {
    /// As the extras say, or not at all.
    Stored,
    /// By a table.
    Table,
    /// By their vertex, of which there are several where corners differ.
    Vertex,
}

impl Importer<'_> {
    /// Makes a model of some parts.
    pub(crate) fn model(&mut self, parts: &[Part], form: Form, report: &mut Report) -> Result<Made> {
        let frames = Frames::of(self.scene, parts)?;
        let shape = Shape::of(self, parts, &frames, report)?;
        if shape.is_keyed && form != Form::Segment {
            self.lose("materials that are seen through in places", 1);
        }
        let exact = match parts {
            [part] => self.scene.meshes.get(part.mesh.0).and_then(|mesh| Exact::of(&mesh.extras)),
            _ => None,
        };
        let asked = self.version(parts);
        let version = match (form, asked) {
            (Form::Moving, _) => Version::V4_0,
            (_, Some(asked)) => asked,
            (_, None) if frames.count > 1 => Version::V4_0,
            (_, None) => Version::V5_0,
        };
        if form == Form::Still && frames.count > 1 {
            let message = format!(
                "models with {} are .3DC files in the game",
                counted(frames.count, "frame", "frames")
            );
            report.warn(&warning::MOVES, message);
        }
        if shape.polygons.is_empty() {
            report.warn(&warning::NO_SHAPE, "the scene shows no face");
        }
        let usual_kind = if form == Form::Moving { SINGLE } else { 0 };
        let making =
            Making { shape: &shape, count: frames.count, version, usual_kind, exact: exact.as_ref() };
        let (mut model, normals) = making.build(Shading::Stored, report);
        let is_same = |exact: &&Exact| {
            let frames = (0..making.count).map(|frame| model.places(frame, Deltas::default()));
            exact.digest == digest(frames, model.faces.iter().map(|face| face.corners.as_slice()))
        };
        let untouched = exact.as_ref().filter(is_same);
        let is_restored = untouched.is_some_and(|exact| exact.restore(&mut model, &normals));
        if !is_restored {
            let has_table = match &exact {
                Some(exact) if exact.knows_normals() => exact.table.is_some(),
                _ => form != Form::Moving && frames.count == 1,
            };
            let shading = if has_table { Shading::Table } else { Shading::Vertex };
            (model, _) = making.build(shading, &mut Report::new());
            if let Some(exact) = untouched {
                exact.restore_faces(&mut model);
            }
        }
        model.header.radius =
            untouched.and_then(|exact| exact.radius).unwrap_or_else(|| radius(&model.vertices));
        if let Some(exact) = &exact {
            keep_nodes(&mut model, exact, untouched.is_some(), form, report);
        }
        Ok(Made { is_untouched: untouched.is_some(), is_keyed: shape.is_keyed, model })
    }
}

/// Keeps the spheres for collisions where they fit.
fn keep_nodes(model: &mut Glide, exact: &Exact, is_untouched: bool, form: Form, report: &mut Report) {
    if exact.nodes.is_empty() {
        return;
    }
    let has_extents = model.header.version.has_extents();
    let mut nodes = exact.nodes.clone();
    if !has_extents {
        nodes.iter_mut().for_each(|node| node.extents = None);
    }
    if is_untouched && form != Form::Moving && nodes.iter().all(|node| node.extents.is_some() == has_extents)
    {
        model.nodes = nodes;
        return;
    }
    let message = format!(
        "{} left out",
        counted(exact.nodes.len(), "sphere for collisions is", "spheres for collisions are")
    );
    report.warn(&warning::COLLISION_LOST, message);
}

/// How far the furthest vertex is from the origin.
fn radius(vertices: &[Triple]) -> u32 {
    let square =
        |place: &Triple| place.iter().map(|number| f64::from(*number) * f64::from(*number)).sum::<f64>();
    let most = vertices.iter().map(square).fold(0.0, f64::max).sqrt().floor();
    u32::try_from(normal::rounded(most)).unwrap_or_default()
}

/// How near directions are that are one: a share of 1.
const NEAR: f32 = 512.0;
/// The cosine of the angle between a corner's normal and that of its face where the face is flat.
const LEVEL: f32 = 0.9999;

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturation is meant")]
fn coarse(normal: [f32; 3]) -> [i32; 3] {
    normal.map(|number| (number * NEAR).round() as i32)
}

/// What vertices are told apart by.
#[derive(PartialEq, Eq, Hash)]
struct Key<'a> {
    number: Option<usize>,
    places: &'a [Triple],
    normal: Option<[i32; 3]>,
}

struct Making<'a> {
    shape: &'a Shape,
    count: usize,
    version: Version,
    /// The kind of a model with one frame.
    usual_kind: u32,
    exact: Option<&'a Exact>,
}

/// A vertex: its places in all frames, and its normal.
type Vertex<'a> = (&'a [Triple], Option<[f32; 3]>);

/// The vertices while they are found.
#[derive(Default)]
struct Vertices<'a> {
    list: Vec<Option<Vertex<'a>>>,
    known: HashMap<Key<'a>, usize>,
}

impl<'a> Vertices<'a> {
    fn number(&mut self, key: Key<'a>, normal: Option<[f32; 3]>) -> usize {
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let vertex = Some((key.places, normal));
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

impl<'a> Making<'a> {
    /// Room for the vertices that had numbers, with those in it that no face names; none where numbers are missing.
    fn room(&self) -> Vertices<'a> {
        let corners = || self.shape.polygons.iter().flat_map(|polygon| &polygon.corners);
        let mut numbers: Vec<usize> = corners().filter_map(|corner| corner.number).collect();
        let loose = self.exact.map(|exact| exact.loose.as_slice()).unwrap_or_default();
        let loose = loose.iter().filter(|(_, places)| places.len() == self.count);
        numbers.extend(loose.clone().map(|(number, _)| *number));
        numbers.sort_unstable();
        numbers.dedup();
        let fits = numbers.iter().enumerate().all(|(place, number)| place == *number)
            && corners().all(|corner| corner.number.is_some());
        let mut out = Vertices::default();
        if fits {
            out.list.resize(numbers.len(), None);
            for (number, places) in loose {
                if let Some(slot) = out.list.get_mut(*number) {
                    *slot = Some((places, None));
                }
            }
        }
        out
    }

    /// The model, and the normals of its corners in the scene.
    fn build(&self, shading: Shading, report: &mut Report) -> (Glide, Vec<[f32; 3]>) {
        let mut model = Glide::new(self.version);
        let mut vertices = self.room();
        let mut normals = Vec::new();
        let mut table = Table::default();
        let mut steep = 0_usize;
        for polygon in &self.shape.polygons {
            let is_flat = self.is_flat(polygon);
            let mut uvs = Steps::new(polygon);
            let mut corners = Vec::with_capacity(polygon.corners.len());
            for corner in &polygon.corners {
                let own = (!is_flat).then_some(corner.normal);
                let of_vertex = own.filter(|_| shading == Shading::Vertex);
                let places = self.shape.places.get(corner.place).map(|places| &**places).unwrap_or_default();
                let key = Key { number: corner.number, places, normal: of_vertex.map(coarse) };
                let vertex = vertices.number(key, of_vertex);
                table.add(own);
                normals.push(corner.normal);
                let [u_delta, v_delta] = uvs.step(corner.uv);
                corners.push(Corner { vertex: u32::try_from(vertex).unwrap_or(u32::MAX), u_delta, v_delta });
            }
            steep = steep.saturating_add(usize::from(uvs.is_steep));
            model.faces.push(Face {
                corner_count: u8::try_from(corners.len()).unwrap_or(u8::MAX),
                brightness: polygon.brightness,
                texture: polygon.word,
                unused: 0,
                corners,
            });
        }
        if steep > 0 {
            let faces = counted(steep, "face shows", "faces show");
            let message =
                format!("{faces} more of an image than texture coordinates can say: at most 2048 texels");
            report.warn(&warning::TOO_STEEP, message);
        }
        let list: Vec<Vertex<'_>> = vertices.list.into_iter().flatten().collect();
        model.vertices = frame_of(&list, 0);
        model.vertex_normals = list.iter().map(|(_, normal)| normal.unwrap_or(FLAT)).collect();
        if shading == Shading::Table {
            (model.normal_indices, model.vertex_normals) = (Some(table.indices), table.normals);
        }
        let corners = u32::try_from(normals.len()).unwrap_or(u32::MAX);
        (model.header.total_face_vertices, model.header.total_face_vertices_dup) = (corners, corners);
        model.face_normals = self.face_normals(&model, &model.vertices);
        self.add_poses(&mut model, &list);
        (model, normals)
    }

    /// Whether all corners of a face have its own normal.
    fn is_flat(&self, polygon: &Polygon) -> bool {
        let place = |corner: &super::shape::Corner| self.shape.places.get(corner.place)?.first().copied();
        let own = normal::of_face(&polygon.corners.iter().filter_map(place).collect::<Vec<_>>());
        let sign = if polygon.keeps { 1.0 } else { -1.0 };
        let own = glam::DVec3::from(own.map(f64::from)).normalize_or_zero().as_vec3() * sign;
        polygon.corners.iter().all(|corner| {
            let normal = glam::Vec3::from(corner.normal).normalize_or_zero();
            normal == glam::Vec3::ZERO || own.dot(normal) > LEVEL
        })
    }

    fn face_normals(&self, model: &Glide, places: &[Triple]) -> Vec<Triple> {
        let faces = model.faces.iter().zip(&self.shape.polygons);
        computed(faces.map(|(face, polygon)| (face.corners.as_slice(), polygon.keeps)), places)
    }

    /// Adds the frames behind the first, in the kind that the extras say or the smallest that holds them.
    fn add_poses(&self, model: &mut Glide, list: &[Vertex<'_>]) {
        let said = self.exact.and_then(|exact| exact.kind);
        if self.count == 1 {
            set_kind(model, said.unwrap_or(self.usual_kind));
            return;
        }
        let frames: Vec<Vec<Triple>> = (1..self.count).map(|frame| frame_of(list, frame)).collect();
        let kinds = said.into_iter().chain([WORDS, LONG]);
        for kind in kinds {
            let poses: Option<Vec<Places>> =
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

/// Where all vertices are in a frame.
fn frame_of(list: &[Vertex<'_>], frame: usize) -> Vec<Triple> {
    list.iter().map(|(places, _)| places.get(frame).copied().unwrap_or_default()).collect()
}

/// The kinds of frames: differences in 16 bits, places in 32 bits.
const WORDS: u32 = 2;
const LONG: u32 = 4;

fn set_kind(model: &mut Glide, kind: u32) {
    if let Some(first) = model.frames.first_mut() {
        first.kind = kind;
    }
}

/// The places of a frame in a kind, if they fit.
fn stored(kind: u32, base: &[Triple], frame: &[Triple]) -> Option<Places> {
    let steps = |unit: i32| {
        base.iter().zip(frame).map(move |(base, place)| {
            let [a, b, c] = base;
            let [x, y, z] = place;
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
        0 | LONG => Some(Places::Absolute(frame.to_vec())),
        1 => bytes(256).map(Places::Bytes),
        WORDS => words(1).map(Places::Words),
        0x12 => words(256).map(Places::Words),
        _ => None,
    }
}

/// Normals that corners name, each once.
#[derive(Default)]
struct Table {
    indices: Vec<NormalRef>,
    normals: Vec<[f32; 3]>,
    known: HashMap<Option<[i32; 3]>, u32>,
}

impl Table {
    fn add(&mut self, normal: Option<[f32; 3]>) {
        let next = u32::try_from(self.normals.len()).unwrap_or(u32::MAX);
        let index = *self.known.entry(normal.map(coarse)).or_insert(next);
        if index == next {
            self.normals.push(normal.unwrap_or(FLAT));
        }
        self.indices.push(NormalRef::Number(index));
    }
}

/// Texture coordinates as steps from corner to corner.
struct Steps {
    last: [i32; 2],
    less: [i32; 2],
    is_steep: bool,
}

impl Steps {
    fn new(polygon: &Polygon) -> Self {
        let first = polygon.corners.first().map_or([0; 2], |corner| corner.uv);
        let mut less = [0; 2];
        for ((less, first), repeat) in less.iter_mut().zip(first).zip(polygon.repeat) {
            // An image that comes again looks the same one image further on.
            if i16::try_from(first).is_err() {
                *less = first.div_euclid(repeat.max(1)).saturating_mul(repeat);
            }
        }
        Self { last: [0; 2], less, is_steep: false }
    }

    fn step(&mut self, uv: [i32; 2]) -> [i16; 2] {
        let mut out = [0; 2];
        for (((step, last), now), less) in out.iter_mut().zip(&mut self.last).zip(uv).zip(self.less) {
            let wanted = now.saturating_sub(less).saturating_sub(*last);
            let held = wanted.clamp(i16::MIN.into(), i16::MAX.into());
            self.is_steep |= held != wanted;
            *last = last.saturating_add(held);
            *step = i16::try_from(held).unwrap_or_default();
        }
        out
    }
}
