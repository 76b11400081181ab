//! Models as scenes: a mesh with a primitive for each texture or colour, and a morph target for each frame behind the first.

use std::collections::BTreeMap;

use asset::{Context, FormatOption, Report, Target, counted};
use record::{Error, Result};
use scene::{Animation, Interpolation, Mesh, MeshId, MorphTarget, Node, NodeId, Primitive, Scene, Track};
use serde_json::json;

pub(crate) use super::material::Materials;

use super::reading::{DELTA_SIGN, Reading, UV};
use super::{Face, Model, Paint, warning};
use crate::axes::{AXES, Axes};
use crate::picture::INDEX_0;
use crate::picture::palette::{GLIDE_COLORS, PALETTE, PALETTE_SOURCE};

/// What can be asked of models.
pub(crate) const OPTIONS: &[FormatOption] = &[
    PALETTE.option(),
    PALETTE_SOURCE.option(),
    GLIDE_COLORS.option(),
    INDEX_0.option(),
    AXES.option(),
    DELTA_SIGN.option(),
    UV.option(),
];

/// How many frames a clip shows in a second: one for each step of the game's clock. The maps say how many steps a frame really lasts.
const FRAMES_PER_SECOND: f32 = 12.14;

/// The most corners that all frames of a model may have together, and the most weights a clip may hold.
const MOST: usize = 8 << 20;

/// Where the header says how many frames there are.
const FRAME_COUNT: u64 = 0x10;

/// A model as a scene with the images it names.
pub(super) fn of_model(
    model: &Model,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Result<Scene> {
    super::check::check_parts(model, report);
    let mut scene = Scene::new(target.stem);
    let mut materials = Materials::new(context, model.version())?;
    let shape = Shape::asked(context, target);
    let mesh = shape
        .mesh(model, target.stem, &mut scene, &mut materials, report)
        .map_err(|error| error.at(FRAME_COUNT).in_field("header.num_frames"))?;
    materials.tell(report);
    let mut node = Node { mesh, ..Node::named(target.stem) };
    node.extras = extras(model);
    let node = scene.add_root(node);
    animate(model, mesh, node, target.stem, &mut scene);
    Ok(scene)
}

/// What a node says of its model.
pub(crate) fn extras(model: &Model) -> scene::Extras {
    let mut extras = scene::Extras::new();
    extras.insert("version".into(), model.version().text().into());
    extras.insert("frames".into(), json!(model.frame_count()));
    extras
}

/// Adds the clip of a model's frames, one after another.
pub(crate) fn animate(model: &Model, mesh: Option<MeshId>, node: NodeId, name: &str, scene: &mut Scene) {
    let targets = model.frame_count().saturating_sub(1);
    if mesh.is_none() || targets == 0 {
        return;
    }
    let (mut times, mut values) = (Vec::new(), Vec::new());
    let mut time = 0.0;
    for frame in 0..=targets {
        times.push(time / FRAMES_PER_SECOND);
        time += 1.0;
        values.extend((1..=targets).map(|target| if target == frame { 1.0 } else { 0.0 }));
    }
    scene.add_animation(Animation {
        name: format!("{name} frames"),
        tracks: vec![Track {
            target: scene::Target::Weights(node),
            // The game shows one frame after the other, with nothing between.
            interpolation: Interpolation::Step,
            times,
            values,
        }],
        ..Animation::default()
    });
}

/// How models become meshes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// Metres are multiplied by this.
    pub(crate) scale: f32,
    /// Whether the first colour of the palette is seen through.
    pub(crate) keyed: bool,
    /// How places and directions are turned.
    pub(crate) axes: Axes,
    /// How the model is read.
    pub(crate) reading: Reading,
}

/// A corner that becomes a vertex: those that are the same in all that glTF keeps are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    source: Source,
    uv: [u32; 2],
    normal: [u32; 3],
}

/// What a vertex moves with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Source {
    vertex: usize,
    /// The face, where the normal is the face's own and turns with it.
    face: Option<usize>,
}

/// A primitive while it grows.
#[derive(Default)]
struct Growing {
    primitive: Primitive,
    vertices: BTreeMap<Key, u32>,
    /// Where each vertex of the primitive comes from.
    sources: Vec<Source>,
    /// What triangles cannot say of each face: its number, how many corners it has, and its brightness; `-` where its corners run the
    /// other way in the file, and its texture word where another would say the same.
    faces: Vec<String>,
    /// Texels across and down that make 1 in texture coordinates.
    texels: [f32; 2],
}

impl Shape {
    /// As it was asked for.
    pub(crate) fn asked(context: &Context<'_>, target: &Target<'_>) -> Self {
        Self {
            scale: target.factor(),
            keyed: false,
            axes: context.options.choice(&AXES),
            reading: Reading::asked(context.options),
        }
    }

    /// The mesh of a model; `None` where nothing can be shown.
    pub(crate) fn mesh(
        self,
        model: &Model,
        name: &str,
        scene: &mut Scene,
        materials: &mut Materials<'_>,
        report: &mut Report,
    ) -> Result<Option<MeshId>> {
        let faces = self.faces(model);
        let frames = model.frame_count();
        let corners: usize = faces.iter().map(|face| face.corners.len()).sum();
        if corners.saturating_mul(frames) > MOST || frames.saturating_mul(frames) > MOST {
            return Err(Error::limit(format!(
                "{} with {} are more than this program converts",
                counted(frames, "frame", "frames"),
                counted(corners, "corner", "corners")
            )));
        }
        let positions = self.positions(model, 0);
        let turned = model.face_normals(0).into_iter().map(|normal| self.axes.direction(normal));
        let outward: Vec<[f32; 3]> = turned.collect();
        let winding = Winding::new(&faces, &positions, &outward);
        if winding.unsure > 0 {
            let message =
                format!("{} tell their front", counted(winding.unsure, "face cannot", "faces cannot"));
            report.warn(&warning::NORMALS_DIFFER, message);
        }
        let mut growing: BTreeMap<Paint, Growing> = BTreeMap::new();
        let mut order: Vec<Paint> = Vec::new();
        for (number, (face, keeps)) in faces.iter().zip(&winding.keeps).enumerate() {
            if face.corners.iter().any(|corner| corner.vertex.is_none()) {
                continue;
            }
            let own = outward.get(number).copied().unwrap_or_default();
            if !growing.contains_key(&face.paint) {
                order.push(face.paint);
            }
            let part = growing.entry(face.paint).or_default();
            let surface = materials.surface(scene, face.paint, self.keyed);
            part.primitive.material = Some(surface.material);
            part.texels = surface.size;
            part.add(face, number, *keeps, own, surface.size, &positions);
            if let (Some(word), Some(said)) = (model.odd_word(number), part.faces.last_mut()) {
                said.push_str(&format!("#{word:x}"));
            }
        }
        let mut sources = Vec::new();
        let mut mesh = Mesh { name: name.to_owned(), ..Mesh::default() };
        for paint in order {
            let Some(mut part) = growing.remove(&paint) else { continue };
            part.primitive.extras.insert("faces".into(), part.faces.join(" ").into());
            let numbers: Vec<String> = part.sources.iter().map(|source| source.vertex.to_string()).collect();
            part.primitive.extras.insert("vertices".into(), numbers.join(" ").into());
            part.primitive.extras.insert("texels".into(), json!(part.texels));
            mesh.primitives.push(part.primitive);
            sources.push(part.sources);
        }
        if mesh.primitives.is_empty() {
            report.warn(&warning::NO_SHAPE, "no face of the model can be shown");
            return Ok(None);
        }
        let (name, exact) = model.exact(&winding.keeps, self.scale, self.axes);
        mesh.extras.insert(name.into(), exact);
        self.bend(model, &faces, &mut mesh, &sources, &positions);
        Ok(Some(scene.add_mesh(mesh)))
    }

    /// Adds a morph target for each frame behind the first.
    fn bend(
        self,
        model: &Model,
        faces: &[Face],
        mesh: &mut Mesh,
        sources: &[Vec<Source>],
        first: &[[f32; 3]],
    ) {
        for frame in 1..model.frame_count() {
            mesh.target_names.push(format!("frame {frame}"));
            let positions = self.positions(model, frame);
            let turned = model.face_normals(frame).into_iter().map(|normal| self.axes.direction(normal));
            let flat: Vec<[f32; 3]> = turned.map(unit).collect();
            let smooth = smoothed(faces, &flat, first.len());
            for (primitive, sources) in mesh.primitives.iter_mut().zip(sources) {
                let base = primitive.normals.as_deref().unwrap_or_default();
                let at = |list: &[[f32; 3]], index: usize| list.get(index).copied().unwrap_or_default();
                let moved = |source: &Source| less(at(&positions, source.vertex), at(first, source.vertex));
                let turned = |(source, base): (&Source, &[f32; 3])| {
                    let normal = match source.face {
                        Some(face) => at(&flat, face),
                        None => at(&smooth, source.vertex),
                    };
                    // A normal that is not known stays as it was.
                    if normal == [0.0; 3] { [0.0; 3] } else { less(normal, unit(*base)) }
                };
                primitive.targets.push(MorphTarget {
                    positions: sources.iter().map(moved).collect(),
                    normals: Some(sources.iter().zip(base).map(turned).collect()),
                });
            }
        }
    }

    /// The faces of a model, their normals in the axes of the scene.
    fn faces(self, model: &Model) -> Vec<Face> {
        let mut faces = model.faces_read(self.reading);
        for corner in faces.iter_mut().flat_map(|face| &mut face.corners) {
            corner.normal = corner.normal.map(|normal| self.axes.direction(normal));
        }
        faces
    }

    /// The vertices of a frame in the axes of the scene.
    pub(crate) fn positions(self, model: &Model, frame: usize) -> Vec<[f32; 3]> {
        let placed = |place| self.axes.position(place).map(|number| number * self.scale);
        model.positions_read(frame, self.reading.deltas).into_iter().map(placed).collect()
    }
}

impl Growing {
    /// Adds a face as a fan of triangles.
    fn add(
        &mut self,
        face: &Face,
        number: usize,
        keeps: bool,
        own: [f32; 3],
        size: [f32; 2],
        positions: &[[f32; 3]],
    ) {
        let [width, height] = size;
        let mut indices = Vec::with_capacity(face.corners.len());
        for corner in &face.corners {
            let Some(vertex) = corner.vertex else { return };
            let [u, v] = corner.uv;
            let uv = [u / width, v / height];
            let normal = corner.normal.unwrap_or(own);
            let source = Source { vertex, face: corner.normal.is_none().then_some(number) };
            let key = Key { source, uv: uv.map(f32::to_bits), normal: normal.map(f32::to_bits) };
            let next = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
            let index = *self.vertices.entry(key).or_insert(next);
            if index == next {
                self.sources.push(source);
                self.primitive.positions.push(positions.get(vertex).copied().unwrap_or_default());
                self.primitive.normals.get_or_insert_default().push(normal);
                match self.primitive.uvs.first_mut() {
                    Some(uvs) => uvs.push(uv),
                    None => self.primitive.uvs.push(vec![uv]),
                }
            }
            indices.push(index);
        }
        let Some((first, rest)) = indices.split_first() else { return };
        for pair in rest.windows(2) {
            if let [second, third] = pair {
                let corners = if keeps { [*first, *second, *third] } else { [*first, *third, *second] };
                self.primitive.indices.extend(corners);
            }
        }
        let turned = if keeps { "" } else { "-" };
        self.faces.push(format!("{number}/{}/{}{turned}", face.corners.len(), face.brightness));
    }
}

/// Which way round the corners of each face run.
struct Winding {
    /// Whether the corners of the file are counter-clockwise seen from where the normal points to.
    keeps: Vec<bool>,
    /// How many faces had to follow the others.
    unsure: usize,
}

impl Winding {
    /// The stored normals, in the axes of the positions, point outwards and decide. Where a face has no area or no normal, most of the others decide.
    fn new(faces: &[Face], positions: &[[f32; 3]], normals: &[[f32; 3]]) -> Self {
        /// Less than this is neither one way nor the other.
        const SURE: f32 = 0.2;
        let place =
            |corner: &super::FaceCorner| corner.vertex.and_then(|vertex| positions.get(vertex)).copied();
        let sign = |(number, face): (usize, &Face)| -> f32 {
            let corners: Vec<[f32; 3]> = face.corners.iter().filter_map(place).collect();
            let Some((first, rest)) = corners.split_first() else { return 0.0 };
            let mut sum = [0.0; 3];
            for pair in rest.windows(2) {
                if let [second, third] = pair {
                    sum = plus(sum, cross(less(*second, *first), less(*third, *first)));
                }
            }
            let normal = normals.get(number).copied().unwrap_or_default();
            let agree = dot(unit(sum), unit(normal));
            if agree.abs() > SURE { agree.signum() } else { 0.0 }
        };
        let signs: Vec<f32> = faces.iter().enumerate().map(sign).collect();
        let most: f32 = signs.iter().sum();
        let vote = most >= 0.0;
        Self {
            keeps: signs.iter().map(|sign| if *sign == 0.0 { vote } else { *sign > 0.0 }).collect(),
            unsure: signs.iter().filter(|sign| **sign == 0.0).count(),
        }
    }
}

/// The normals of vertices as the middle of the faces around them.
fn smoothed(faces: &[Face], flat: &[[f32; 3]], count: usize) -> Vec<[f32; 3]> {
    let mut out = vec![[0.0; 3]; count];
    for (face, normal) in faces.iter().zip(flat) {
        for corner in &face.corners {
            if let Some(sum) = corner.vertex.and_then(|vertex| out.get_mut(vertex)) {
                *sum = plus(*sum, *normal);
            }
        }
    }
    out.into_iter().map(unit).collect()
}

fn plus([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [a + x, b + y, c + z]
}

fn less([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [a - x, b - y, c - z]
}

fn dot([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> f32 {
    a * x + b * y + c * z
}

fn cross([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

/// A direction with the length 1; zero where there is none.
fn unit(direction: [f32; 3]) -> [f32; 3] {
    let length = dot(direction, direction).sqrt();
    if length.is_finite() && length > 1e-9 { direction.map(|number| number / length) } else { [0.0; 3] }
}
