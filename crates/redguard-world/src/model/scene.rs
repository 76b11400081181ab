//! Converts models to scenes: a mesh with a primitive per texture or color, and a morph target per frame after the first.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use asset::{Report, Target, counted};
use json::json;
use record::{Error, Result};
use scene::{
    Animation, Interpolation, Mesh, MeshId, MorphTarget, Node, NodeId, NormalPrecision, Primitive,
    Quantization, Scene, Track, color,
};

pub(crate) use super::material::{DrawStyle, Materials, Sampling};

use super::options::MeshOptions;
use super::original;
use super::runs::write_runs;
use super::{Face, FaceTexture, Model, warning};
use crate::axes::{Axes, UNITS_PER_METER};

/// The frame rate of the animation: one frame per tick of the game's clock. The real duration of a frame is stored in the maps.
const FRAMES_PER_SECOND: f32 = 12.14;

/// File units per meter.
const STEPS: f32 = 256.0 * UNITS_PER_METER;

/// The most corners over all frames of a model, and the most weights of an animation.
pub(super) const MOST: usize = 8 << 20;

/// Converts a model with its textures to a scene with one root.
pub(crate) fn of_model(
    model: &Model,
    target: &Target<'_>,
    options: MeshOptions,
    materials: &mut Materials<'_>,
    report: &mut Report,
) -> Result<Scene> {
    super::check::check_parts(model, report);
    let mut scene = Scene::new(target.name);
    let mesh = options
        .mesh(model, target.name, &mut scene, materials, report)
        .map_err(|error| error.in_field("header.num_frames"))?;
    let mut node = Node { mesh, ..Node::named(target.name) };
    node.extras = extras(model);
    let node = scene.add_root(node);
    animate(model, mesh, node, target.name, &mut scene);
    Ok(scene)
}

/// The extras of a model's node.
pub(crate) fn extras(model: &Model) -> scene::Extras {
    let mut extras = scene::Extras::new();
    extras.insert("version".into(), model.version().text().into());
    extras.insert("frames".into(), json!(model.frame_count()));
    extras
}

/// Adds an animation that shows the frames of a model one after another.
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
            also: Vec::new(),
            // The game does not interpolate between frames.
            interpolation: Interpolation::Step,
            times,
            values,
        }],
        ..Animation::default()
    });
}

/// A corner of a face of the first frame, as light falls on it, with the game's axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CornerLight {
    /// Its position in world units, in the model.
    pub(crate) vertex: [f32; 3],
    /// Its normal as it is stored, about a unit long.
    pub(crate) normal: [f32; 3],
    /// The byte of its face that is added to the light.
    pub(crate) brightness: u8,
    /// What its face shows.
    pub(crate) texture: FaceTexture,
}

/// The light of a corner: what its texture is multiplied with in display colors, or its color where it has no texture; 0 to 255.
pub(crate) type CornerLighting<'l> = &'l dyn Fn(&CornerLight) -> [u8; 3];

/// Whether viewers can work out the normals of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Smoothness {
    /// Some faces are smooth or bent: each corner has a normal.
    Smooth,
    /// Each face is flat. Meshes without normals are shown so, and corners of different faces can be one vertex.
    Flat,
}

impl Smoothness {
    fn of(model: &Model, faces: &[Face], options: MeshOptions) -> Self {
        let has_normal = |face: &Face| face.corners.iter().any(|corner| corner.normal.is_some());
        let is_flat = |frame: usize| {
            let positions = options.positions(model, frame);
            let normals = model.face_normals(frame).into_iter();
            let directions = normals.map(|normal| options.axes.direction(normal));
            let mut corners = Vec::new();
            faces.iter().zip(directions).all(|(face, normal)| {
                let place = |corner: &super::FaceCorner| positions.get(corner.vertex?).copied();
                corners.clear();
                corners.extend(face.corners.iter().filter_map(place));
                is_flat(&corners, normal)
            })
        };
        let is_smooth = faces.iter().any(has_normal) || !(0..options.frame_count(model)).all(is_flat);
        if is_smooth { Self::Smooth } else { Self::Flat }
    }
}

/// Whether all triangles of a face with these corners look where its normal points, or away from there. Those without a direction may look anywhere.
fn is_flat(corners: &[[f32; 3]], normal: [f32; 3]) -> bool {
    /// The cosine of five degrees: nobody sees that in light, and normals in files are rounded.
    const FLAT: f32 = 0.996;
    let Some((first, rest)) = corners.split_first() else { return true };
    let normal = unit(normal);
    rest.windows(2).all(|pair| {
        let [second, third] = pair else { return true };
        let own = unit(cross(subtract(*second, *first), subtract(*third, *first)));
        own == [0.0; 3] || normal == [0.0; 3] || dot(own, normal).abs() > FLAT
    })
}

/// The identity of a glTF vertex: corners with equal attributes share one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct VertexKey {
    source: VertexSource,
    uv: [u32; 2],
    normal: Option<[u32; 3]>,
    light: Option<[u8; 3]>,
    /// The number of earlier triangles on the same vertices of the model. Importers keep one triangle for each set of vertices, so others need
    /// vertices of their own.
    earlier: u32,
}

/// Where a glTF vertex comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct VertexSource {
    vertex: usize,
    /// The face, if the normal is written, is the face normal, and changes with it.
    face: Option<usize>,
}

/// Builds a primitive.
#[derive(Default)]
struct PrimitiveBuilder {
    primitive: Primitive,
    vertices: BTreeMap<VertexKey, u32>,
    /// The source of each vertex of the primitive.
    sources: Vec<VertexSource>,
    /// The number of each face, and how many corners it has.
    faces: Vec<(usize, usize)>,
    /// How many triangles are on each set of vertices of the model, in ascending order.
    triangles: HashMap<[usize; 3], u32>,
    /// The image size in texels that corresponds to texture coordinates of 1.
    texels: [f32; 2],
}

impl MeshOptions {
    /// The mesh of a model; `None` if no face is valid.
    pub(crate) fn mesh(
        self,
        model: &Model,
        name: &str,
        scene: &mut Scene,
        materials: &mut Materials<'_>,
        report: &mut Report,
    ) -> Result<Option<MeshId>> {
        self.lit_mesh(model, name, scene, materials, report, None)
    }

    /// The same with light in the colors of its vertices.
    pub(crate) fn lit_mesh(
        self,
        model: &Model,
        name: &str,
        scene: &mut Scene,
        materials: &mut Materials<'_>,
        report: &mut Report,
        light: Option<CornerLighting<'_>>,
    ) -> Result<Option<MeshId>> {
        let faces = self.faces(model);
        let frames = self.frame_count(model);
        let corners: usize = faces.iter().map(|face| face.corners.len()).sum();
        if corners.saturating_mul(frames) > MOST || frames.saturating_mul(frames) > MOST {
            return Err(Error::limit(format!(
                "the model is too large to convert: {}, {}",
                counted(frames, "frame", "frames"),
                counted(corners, "corner", "corners")
            )));
        }
        let positions = self.positions(model, 0);
        let light = light.map(|of| FaceLight {
            of,
            axes: self.axes,
            vertices: model.positions_with(0, self.interpretation.delta_sign),
        });
        let converted = model.face_normals(0).into_iter().map(|normal| self.axes.direction(normal));
        let outward: Vec<[f32; 3]> = converted.collect();
        let winding = Winding::new(&faces, &positions, &outward);
        let smoothness = Smoothness::of(model, &faces, self);
        if winding.ambiguous > 0 {
            let message =
                format!("the front side of {} ambiguous", counted(winding.ambiguous, "face is", "faces is"));
            report.warn(&warning::NORMALS_DIFFER, message);
        }
        let mut builders: BTreeMap<FaceTexture, PrimitiveBuilder> = BTreeMap::new();
        let mut order: Vec<FaceTexture> = Vec::new();
        for (number, (face, is_ccw)) in faces.iter().zip(&winding.is_ccw).enumerate() {
            if face.corners.iter().any(|corner| corner.vertex.is_none()) {
                continue;
            }
            let own = outward.get(number).copied().unwrap_or_default();
            if !builders.contains_key(&face.texture) {
                order.push(face.texture);
            }
            let part = builders.entry(face.texture).or_default();
            let surface = materials.surface(scene, face.texture, self.style);
            part.primitive.material = Some(surface.material);
            part.texels = surface.size;
            let looks = FaceLooks {
                number,
                is_ccw: *is_ccw,
                normal: own,
                size: surface.size,
                smoothness,
                light: light.as_ref(),
            };
            part.add(face, &positions, &looks);
            if self.is_restorable {
                part.faces.push((number, face.corners.len()));
            }
        }
        let mut sources = Vec::new();
        // Another scene may show it too, but not in the same light.
        let source = light.is_none().then(|| name.to_owned());
        let quantization = Quantization { steps: STEPS / self.scale, normals: NormalPrecision::Rounded };
        let mut mesh =
            Mesh { name: name.to_owned(), source, quantization: Some(quantization), ..Mesh::default() };
        for texture in order {
            let Some(mut part) = builders.remove(&texture) else { continue };
            if self.is_restorable {
                let faces = write_runs(part.faces, |out, corners| out.push_str(&format!("/{corners}")));
                part.primitive.extras.insert("faces".into(), faces.into());
            }
            part.primitive.extras.insert("texels".into(), json!(part.texels));
            mesh.primitives.push(part.primitive);
            sources.push(part.sources);
        }
        if mesh.primitives.is_empty() {
            report.warn(&warning::NO_FACES, "the model has no valid faces");
            return Ok(None);
        }
        if self.is_restorable {
            original::embed(model, self, &mut mesh);
        }
        self.add_morph_targets(model, &faces, &mut mesh, &sources, &positions);
        Ok(Some(scene.add_mesh(mesh)))
    }

    /// Adds a morph target for each frame after the first.
    fn add_morph_targets(
        self,
        model: &Model,
        faces: &[Face],
        mesh: &mut Mesh,
        sources: &[Vec<VertexSource>],
        first: &[[f32; 3]],
    ) {
        let is_flat = mesh.primitives.iter().all(|primitive| primitive.normals.is_none());
        let is_smooth = sources.iter().flatten().any(|source| source.face.is_none());
        let at = |list: &[[f32; 3]], index: usize| list.get(index).copied().unwrap_or_default();
        for frame in 1..self.frame_count(model) {
            mesh.target_names.push(format!("frame {frame}"));
            let positions = self.positions(model, frame);
            let position_delta =
                |source: &VertexSource| subtract(at(&positions, source.vertex), at(first, source.vertex));
            let (mut flat, mut smooth) = (Vec::new(), Vec::new());
            if !is_flat {
                let converted =
                    model.face_normals(frame).into_iter().map(|normal| self.axes.direction(normal));
                flat = converted.map(unit).collect();
                if is_smooth {
                    smooth = vertex_normals(faces, &flat, first.len());
                }
            }
            let normal_delta = |(source, base): (&VertexSource, &[f32; 3])| {
                let normal = match source.face {
                    Some(face) => at(&flat, face),
                    None => at(&smooth, source.vertex),
                };
                // An unknown normal is left unchanged.
                if normal == [0.0; 3] { [0.0; 3] } else { subtract(normal, unit(*base)) }
            };
            for (primitive, sources) in mesh.primitives.iter_mut().zip(sources) {
                let base = primitive.normals.iter().flatten();
                let deltas = sources.iter().zip(base).map(normal_delta);
                let is_turned = deltas.clone().any(|delta| delta != [0.0; 3]);
                let target = MorphTarget {
                    positions: sources.iter().map(position_delta).collect(),
                    normals: is_turned.then(|| deltas.collect()),
                };
                primitive.targets.push(target);
            }
        }
        for primitive in &mut mesh.primitives {
            // All of them say something about normals, or none.
            if primitive.targets.iter().any(|target| target.normals.is_some()) {
                let unturned = vec![[0.0; 3]; primitive.positions.len()];
                for target in &mut primitive.targets {
                    target.normals.get_or_insert_with(|| unturned.clone());
                }
            }
        }
    }

    /// The faces of a model with normals in the axes of the scene.
    pub(super) fn faces(self, model: &Model) -> Vec<Face> {
        let mut faces = model.faces_with(self.interpretation);
        for face in &mut faces {
            // Colors keep their own.
            if let (Some(other), FaceTexture::Image { bank, .. }) = (self.bank, &mut face.texture)
                && *bank > 1
            {
                *bank = other;
            }
        }
        for corner in faces.iter_mut().flat_map(|face| &mut face.corners) {
            corner.normal = corner.normal.map(|normal| self.axes.direction(normal));
        }
        faces
    }

    /// How many frames are shown.
    fn frame_count(self, model: &Model) -> usize {
        if self.is_still { model.frame_count().min(1) } else { model.frame_count() }
    }

    /// The vertices of a frame in the axes of the scene.
    pub(crate) fn positions(self, model: &Model, frame: usize) -> Vec<[f32; 3]> {
        let to_scene = |place| self.axes.position(place).map(|number| number * self.scale);
        model.positions_with(frame, self.interpretation.delta_sign).into_iter().map(to_scene).collect()
    }
}

/// What lights the faces of a model.
struct FaceLight<'l> {
    of: CornerLighting<'l>,
    axes: Axes,
    /// The vertices in world units, with the game's axes.
    vertices: Vec<[f32; 3]>,
}

impl FaceLight<'_> {
    /// The light of a corner from its normal in the axes of the scene.
    fn corner(&self, face: &Face, vertex: usize, normal: [f32; 3]) -> [u8; 3] {
        (self.of)(&CornerLight {
            vertex: self.vertices.get(vertex).copied().unwrap_or_default(),
            // Its own inverse.
            normal: self.axes.direction(normal),
            brightness: face.brightness,
            texture: face.texture,
        })
    }
}

/// A light of 0 to 255 as a vertex color.
fn vertex_color(light: [u8; 3], texture: FaceTexture) -> [f32; 4] {
    match texture {
        FaceTexture::Image { .. } => textured_color(light),
        FaceTexture::Color(_) | FaceTexture::Unknown(_) => {
            let [red, green, blue] = light;
            color::rgba8_to_linear([red, green, blue, 255])
        }
    }
}

/// A light of 0 to 255 as a vertex color that multiplies a texture. The game multiplies display colors with `(light + 1) / 256`, glTF amounts of
/// light; display colors are nearly powers of these, and of powers products are products.
pub(crate) fn textured_color(light: [u8; 3]) -> [f32; 4] {
    static FACTORS: LazyLock<Vec<f32>> = LazyLock::new(|| {
        (1..=256_u16).map(|light| color::srgb_to_linear(f32::from(light) / 256.0)).collect()
    });
    let [red, green, blue] =
        light.map(|channel| FACTORS.get(usize::from(channel)).copied().unwrap_or_default());
    [red, green, blue, 1.0]
}

/// How a face is shown.
struct FaceLooks<'l> {
    /// Its number in the model.
    number: usize,
    /// Whether its corners are counter-clockwise seen from the side it shows.
    is_ccw: bool,
    /// Its own normal.
    normal: [f32; 3],
    /// The image size in texels that corresponds to texture coordinates of 1.
    size: [f32; 2],
    smoothness: Smoothness,
    light: Option<&'l FaceLight<'l>>,
}

impl PrimitiveBuilder {
    /// The most triangles so far on the same vertices as one of a face, whose triangles are counted.
    fn earlier(&mut self, face: &Face) -> u32 {
        let vertices: Vec<usize> = face.corners.iter().filter_map(|corner| corner.vertex).collect();
        let Some((first, rest)) = vertices.split_first() else { return 0 };
        let mut most = 0;
        for pair in rest.windows(2) {
            let [second, third] = pair else { continue };
            let mut places = [*first, *second, *third];
            places.sort_unstable();
            let count = self.triangles.entry(places).or_default();
            most = most.max(*count);
            *count = count.saturating_add(1);
        }
        most
    }

    /// Adds a face as a triangle fan.
    fn add(&mut self, face: &Face, positions: &[[f32; 3]], looks: &FaceLooks<'_>) {
        let [width, height] = looks.size;
        let number = looks.number;
        let earlier = self.earlier(face);
        let mut indices = Vec::with_capacity(face.corners.len());
        for corner in &face.corners {
            let Some(vertex) = corner.vertex else { return };
            let [u, v] = corner.uv;
            let uv = [u / width, v / height];
            let own = corner.normal.unwrap_or(looks.normal);
            let (normal, source) = match looks.smoothness {
                Smoothness::Flat => (None, VertexSource { vertex, face: None }),
                Smoothness::Smooth => {
                    let source = VertexSource { vertex, face: corner.normal.is_none().then_some(number) };
                    (Some(own), source)
                }
            };
            let light = looks.light.map(|light| light.corner(face, vertex, own));
            let bits = normal.map(|normal| normal.map(f32::to_bits));
            let key = VertexKey { source, uv: uv.map(f32::to_bits), normal: bits, light, earlier };
            let next = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
            let index = *self.vertices.entry(key).or_insert(next);
            if index == next {
                self.sources.push(source);
                self.primitive.positions.push(positions.get(vertex).copied().unwrap_or_default());
                if let Some(normal) = normal {
                    self.primitive.normals.get_or_insert_default().push(normal);
                }
                if let Some(light) = light {
                    self.primitive.colors.get_or_insert_default().push(vertex_color(light, face.texture));
                }
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
                let corners =
                    if looks.is_ccw { [*first, *second, *third] } else { [*first, *third, *second] };
                self.primitive.indices.extend(corners);
            }
        }
    }
}

/// The winding of each face.
pub(super) struct Winding {
    /// Whether the stored corners are counter-clockwise seen from the side the normal points to.
    pub(super) is_ccw: Vec<bool>,
    /// The number of faces whose winding is that of the majority.
    ambiguous: usize,
}

impl Winding {
    /// The stored normals point outwards and determine the winding. A face without area or normal gets the winding of the majority.
    pub(super) fn new(faces: &[Face], positions: &[[f32; 3]], normals: &[[f32; 3]]) -> Self {
        /// The smallest cosine that is considered conclusive.
        const SURE: f32 = 0.2;
        let place =
            |corner: &super::FaceCorner| corner.vertex.and_then(|vertex| positions.get(vertex)).copied();
        let sign = |(number, face): (usize, &Face)| -> f32 {
            let corners: Vec<[f32; 3]> = face.corners.iter().filter_map(place).collect();
            let Some((first, rest)) = corners.split_first() else { return 0.0 };
            let mut sum = [0.0; 3];
            for pair in rest.windows(2) {
                if let [second, third] = pair {
                    sum = add_vectors(sum, cross(subtract(*second, *first), subtract(*third, *first)));
                }
            }
            let normal = normals.get(number).copied().unwrap_or_default();
            let agree = dot(unit(sum), unit(normal));
            if agree.abs() > SURE { agree.signum() } else { 0.0 }
        };
        let signs: Vec<f32> = faces.iter().enumerate().map(sign).collect();
        let most: f32 = signs.iter().sum();
        let majority = most >= 0.0;
        Self {
            is_ccw: signs.iter().map(|sign| if *sign == 0.0 { majority } else { *sign > 0.0 }).collect(),
            ambiguous: signs.iter().filter(|sign| **sign == 0.0).count(),
        }
    }
}

/// Vertex normals as the average of the adjacent face normals.
fn vertex_normals(faces: &[Face], flat: &[[f32; 3]], count: usize) -> Vec<[f32; 3]> {
    let mut out = vec![[0.0; 3]; count];
    for (face, normal) in faces.iter().zip(flat) {
        for corner in &face.corners {
            if let Some(sum) = corner.vertex.and_then(|vertex| out.get_mut(vertex)) {
                *sum = add_vectors(*sum, *normal);
            }
        }
    }
    out.into_iter().map(unit).collect()
}

fn add_vectors([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [a + x, b + y, c + z]
}

fn subtract([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [a - x, b - y, c - z]
}

fn dot([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> f32 {
    a * x + b * y + c * z
}

fn cross([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> [f32; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

/// The normalized vector; zero if it has no direction.
fn unit(direction: [f32; 3]) -> [f32; 3] {
    let length = dot(direction, direction).sqrt();
    if length.is_finite() && length > 1e-9 { direction.map(|number| number / length) } else { [0.0; 3] }
}
