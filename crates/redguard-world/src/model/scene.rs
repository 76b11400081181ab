//! Converts models to scenes: a mesh with one primitive per texture or color, and one morph target per frame after the first.

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

use super::material::Surface;
use super::options::MeshOptions;
use super::original;
use super::runs::write_runs;
use super::{Face, FaceTexture, Model, warning};
use crate::axes::{Axes, UNITS_PER_METER};

/// Frame rate of the animation: one frame per tick of the game's clock. The actual duration of a frame is stored in the maps.
const FRAMES_PER_SECOND: f32 = 12.14;

/// File units per meter.
const FILE_UNITS_PER_METER: f32 = 256.0 * UNITS_PER_METER;

/// Maximum number of corners over all frames of a model, and of weights of an animation.
pub(super) const MAX_CORNERS: usize = 8 << 20;

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

/// Extras of a model's node.
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

/// A corner of a face in the first frame as the input of lighting, in the game's axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CornerLight {
    /// Position in world units, in model space.
    pub(crate) vertex: [f32; 3],
    /// Normal as stored; its length is about 1.
    pub(crate) normal: [f32; 3],
    /// Brightness byte of the face, which is added to the light.
    pub(crate) brightness: u8,
    /// Texture or color of the face.
    pub(crate) texture: FaceTexture,
}

/// Computes the light of a corner (0 to 255 per channel): a factor of its texture in display colors, or its color if it has no texture.
pub(crate) type CornerLighting<'l> = &'l dyn Fn(&CornerLight) -> [u8; 3];

/// Whether viewers can compute the normals of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Smoothness {
    /// Some faces are smooth or bent: each corner has a normal.
    Smooth,
    /// Each face is flat. Viewers shade meshes without normals this way, and corners of different faces can share a vertex.
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
                let position = |corner: &super::FaceCorner| positions.get(corner.vertex?).copied();
                corners.clear();
                corners.extend(face.corners.iter().filter_map(position));
                is_flat(&corners, normal)
            })
        };
        let is_smooth = faces.iter().any(has_normal) || !(0..options.frame_count(model)).all(is_flat);
        if is_smooth { Self::Smooth } else { Self::Flat }
    }
}

/// Whether the normals of all triangles of a face with these corners are parallel to the face normal, in either direction. Degenerate
/// triangles and zero normals always match.
fn is_flat(corners: &[[f32; 3]], normal: [f32; 3]) -> bool {
    /// Cosine of five degrees: the difference is not visible in shading, and normals in files are rounded.
    const FLAT: f32 = 0.996;
    let Some((first, rest)) = corners.split_first() else { return true };
    let normal = unit(normal);
    rest.windows(2).all(|pair| {
        let [second, third] = pair else { return true };
        let own = unit(cross(subtract(*second, *first), subtract(*third, *first)));
        own == [0.0; 3] || normal == [0.0; 3] || dot(own, normal).abs() > FLAT
    })
}

/// Identity of a glTF vertex: corners with equal attributes share a vertex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct VertexKey {
    source: VertexSource,
    uv: [u32; 2],
    normal: Option<[u32; 3]>,
    light: Option<[u8; 3]>,
    /// Number of earlier triangles on the same vertices of the model. Importers keep one triangle per set of vertices, so further triangles
    /// need separate vertices.
    earlier: u32,
}

/// Origin of a glTF vertex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct VertexSource {
    vertex: usize,
    /// The face, if a normal is written that equals the face normal and changes with it.
    face: Option<usize>,
}

/// Builds a primitive.
#[derive(Default)]
struct PrimitiveBuilder {
    primitive: Primitive,
    vertices: BTreeMap<VertexKey, u32>,
    /// Origin of each vertex of the primitive.
    sources: Vec<VertexSource>,
    /// Index and number of corners of each face.
    faces: Vec<(usize, usize)>,
    /// Number of triangles on each set of vertices of the model, in ascending order.
    triangles: HashMap<[usize; 3], u32>,
    /// Image size in texels that corresponds to texture coordinates of 1.
    texels: [f32; 2],
}

impl MeshOptions {
    /// Creates the mesh of a model; `None` if no face is valid.
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

    /// Like [`mesh`](Self::mesh), with light in the vertex colors.
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
        if corners.saturating_mul(frames) > MAX_CORNERS || frames.saturating_mul(frames) > MAX_CORNERS {
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
            let builder = builders.entry(face.texture).or_insert_with(|| {
                order.push(face.texture);
                PrimitiveBuilder::new(materials.surface(scene, face.texture, self.style))
            });
            let attributes = FaceAttributes {
                number,
                is_ccw: *is_ccw,
                normal: own,
                size: builder.texels,
                smoothness,
                light: light.as_ref(),
            };
            builder.add(face, &positions, &attributes);
            if self.is_restorable {
                builder.faces.push((number, face.corners.len()));
            }
        }
        let mut sources = Vec::new();
        // Another scene may contain the same mesh, but not with the same light.
        let source = light.is_none().then(|| name.to_owned());
        let quantization = Some(self.quantization());
        let mut mesh = Mesh { name: name.to_owned(), source, quantization, ..Mesh::default() };
        for texture in order {
            let Some(mut builder) = builders.remove(&texture) else { continue };
            if self.is_restorable {
                let faces = write_runs(builder.faces, |out, corners| out.push_str(&format!("/{corners}")));
                builder.primitive.extras.insert("faces".into(), faces.into());
            }
            builder.primitive.extras.insert("texels".into(), json!(builder.texels));
            mesh.primitives.push(builder.primitive);
            sources.push(builder.sources);
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
                let is_rotated = deltas.clone().any(|delta| delta != [0.0; 3]);
                let target = MorphTarget {
                    positions: sources.iter().map(position_delta).collect(),
                    normals: is_rotated.then(|| deltas.collect()),
                };
                primitive.targets.push(target);
            }
        }
        for primitive in &mut mesh.primitives {
            // Either all targets have normals, or none has.
            if primitive.targets.iter().any(|target| target.normals.is_some()) {
                let unchanged = vec![[0.0; 3]; primitive.positions.len()];
                for target in &mut primitive.targets {
                    target.normals.get_or_insert_with(|| unchanged.clone());
                }
            }
        }
    }

    /// The faces of a model with normals in the axes of the scene.
    pub(super) fn faces(self, model: &Model) -> Vec<Face> {
        let mut faces = model.faces_with(self.interpretation);
        for face in &mut faces {
            // Colors are not replaced.
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

    /// The settings for writing vertices as the integers of the file.
    pub(super) fn quantization(self) -> Quantization {
        Quantization { steps: FILE_UNITS_PER_METER / self.scale, normals: NormalPrecision::Rounded }
    }

    /// Number of converted frames.
    fn frame_count(self, model: &Model) -> usize {
        if self.is_still { model.frame_count().min(1) } else { model.frame_count() }
    }

    /// Vertex positions of a frame in the axes of the scene.
    pub(crate) fn positions(self, model: &Model, frame: usize) -> Vec<[f32; 3]> {
        let to_scene = |position| self.axes.position(position).map(|number| number * self.scale);
        model.positions_with(frame, self.interpretation.delta_sign).into_iter().map(to_scene).collect()
    }
}

/// Lighting of the faces of a model.
struct FaceLight<'l> {
    of: CornerLighting<'l>,
    axes: Axes,
    /// Vertex positions in world units, in the game's axes.
    vertices: Vec<[f32; 3]>,
}

impl FaceLight<'_> {
    /// Computes the light of a corner from its normal in the axes of the scene.
    fn corner(&self, face: &Face, vertex: usize, normal: [f32; 3]) -> [u8; 3] {
        (self.of)(&CornerLight {
            vertex: self.vertices.get(vertex).copied().unwrap_or_default(),
            // The conversion of axes is its own inverse.
            normal: self.axes.direction(normal),
            brightness: face.brightness,
            texture: face.texture,
        })
    }
}

/// Converts a light (0 to 255 per channel) to a vertex color.
fn vertex_color(light: [u8; 3], texture: FaceTexture) -> [f32; 4] {
    match texture {
        FaceTexture::Image { .. } => textured_color(light),
        FaceTexture::Color(_) | FaceTexture::Unknown(_) => {
            let [red, green, blue] = light;
            color::rgba8_to_linear([red, green, blue, 255])
        }
    }
}

/// Converts a light (0 to 255 per channel) to a vertex color that multiplies a texture. The game multiplies display colors by `(light + 1)
/// / 256`, whereas glTF multiplies linear amounts of light. Display colors are approximately a power of these, and a power of a product is
/// the product of the powers.
pub(crate) fn textured_color(light: [u8; 3]) -> [f32; 4] {
    static FACTORS: LazyLock<Vec<f32>> = LazyLock::new(|| {
        (1..=256_u16).map(|light| color::srgb_to_linear(f32::from(light) / 256.0)).collect()
    });
    let [red, green, blue] =
        light.map(|channel| FACTORS.get(usize::from(channel)).copied().unwrap_or_default());
    [red, green, blue, 1.0]
}

/// Attributes of a face for its conversion.
struct FaceAttributes<'l> {
    /// Index of the face in the model.
    number: usize,
    /// Whether the corners are counter-clockwise seen from the visible side.
    is_ccw: bool,
    /// Face normal.
    normal: [f32; 3],
    /// Image size in texels that corresponds to texture coordinates of 1.
    size: [f32; 2],
    smoothness: Smoothness,
    light: Option<&'l FaceLight<'l>>,
}

impl PrimitiveBuilder {
    fn new(surface: Surface) -> Self {
        let primitive = Primitive { material: Some(surface.material), ..Primitive::default() };
        Self { primitive, texels: surface.size, ..Self::default() }
    }

    /// Counts the triangles of a face, and returns the maximum number of earlier triangles on the same vertices as one of them.
    fn earlier(&mut self, face: &Face) -> u32 {
        let vertices: Vec<usize> = face.corners.iter().filter_map(|corner| corner.vertex).collect();
        let Some((first, rest)) = vertices.split_first() else { return 0 };
        let mut max_count = 0;
        for pair in rest.windows(2) {
            let [second, third] = pair else { continue };
            let mut key = [*first, *second, *third];
            key.sort_unstable();
            let count = self.triangles.entry(key).or_default();
            max_count = max_count.max(*count);
            *count = count.saturating_add(1);
        }
        max_count
    }

    /// Adds a face as a triangle fan.
    fn add(&mut self, face: &Face, positions: &[[f32; 3]], attributes: &FaceAttributes<'_>) {
        let [width, height] = attributes.size;
        let number = attributes.number;
        let earlier = self.earlier(face);
        let mut indices = Vec::with_capacity(face.corners.len());
        for corner in &face.corners {
            let Some(vertex) = corner.vertex else { return };
            let [u, v] = corner.uv;
            let uv = [u / width, v / height];
            let own = corner.normal.unwrap_or(attributes.normal);
            let (normal, source) = match attributes.smoothness {
                Smoothness::Flat => (None, VertexSource { vertex, face: None }),
                Smoothness::Smooth => {
                    let source = VertexSource { vertex, face: corner.normal.is_none().then_some(number) };
                    (Some(own), source)
                }
            };
            let light = attributes.light.map(|light| light.corner(face, vertex, own));
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
        add_fan(&indices, attributes.is_ccw, &mut self.primitive.indices);
    }
}

/// Adds the triangle fan of a face to a list of indices, counter-clockwise.
pub(super) fn add_fan(corners: &[u32], is_ccw: bool, indices: &mut Vec<u32>) {
    let Some((first, rest)) = corners.split_first() else { return };
    for pair in rest.windows(2) {
        if let [second, third] = pair {
            indices.extend(if is_ccw { [*first, *second, *third] } else { [*first, *third, *second] });
        }
    }
}

/// Winding of each face.
pub(super) struct Winding {
    /// Whether the stored corners are counter-clockwise seen from the side that the normal points to.
    pub(super) is_ccw: Vec<bool>,
    /// Number of faces that use the winding of the majority.
    ambiguous: usize,
}

impl Winding {
    /// The stored normals point outward and determine the winding. A face without area or normal gets the winding of the majority.
    pub(super) fn new(faces: &[Face], positions: &[[f32; 3]], normals: &[[f32; 3]]) -> Self {
        /// Minimum absolute cosine that is considered conclusive.
        const CONCLUSIVE: f32 = 0.2;
        let position =
            |corner: &super::FaceCorner| corner.vertex.and_then(|vertex| positions.get(vertex)).copied();
        let sign = |(number, face): (usize, &Face)| -> f32 {
            let corners: Vec<[f32; 3]> = face.corners.iter().filter_map(position).collect();
            let Some((first, rest)) = corners.split_first() else { return 0.0 };
            let mut sum = [0.0; 3];
            for pair in rest.windows(2) {
                if let [second, third] = pair {
                    sum = add_vectors(sum, cross(subtract(*second, *first), subtract(*third, *first)));
                }
            }
            let normal = normals.get(number).copied().unwrap_or_default();
            let agree = dot(unit(sum), unit(normal));
            if agree.abs() > CONCLUSIVE { agree.signum() } else { 0.0 }
        };
        let signs: Vec<f32> = faces.iter().enumerate().map(sign).collect();
        let sum: f32 = signs.iter().sum();
        let majority = sum >= 0.0;
        Self {
            is_ccw: signs.iter().map(|sign| if *sign == 0.0 { majority } else { *sign > 0.0 }).collect(),
            ambiguous: signs.iter().filter(|sign| **sign == 0.0).count(),
        }
    }
}

/// Computes vertex normals as the average of the adjacent face normals.
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

/// Normalizes a vector; zero if it has no direction.
fn unit(direction: [f32; 3]) -> [f32; 3] {
    let length = dot(direction, direction).sqrt();
    if length.is_finite() && length > 1e-9 { direction.map(|number| number / length) } else { [0.0; 3] }
}
