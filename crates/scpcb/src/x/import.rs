//! Imports a scene as a model: an earlier conversion, possibly edited in another program, or any other scene.
//!
//! - An unedited conversion becomes [the original file](super::kept), byte for byte.
//! - Otherwise nodes become frames, meshes are in the frames of their nodes, and materials in the lists of their meshes. Skins keep
//!   their matrices.
//! - Each clip becomes an animation set with 4800 ticks per second. Step and spline interpolation is sampled 60 times per second.
//! - Invalid characters in names are replaced by underscores, and duplicate frame names get a number.
//!
//! `.x` is text; `xbin` selects binary tokens, whatever the name of the file.

use std::collections::{BTreeMap, BTreeSet};

use asset::Report;
use glam::{DAffine3, Quat, Vec3};
use record::{Error, Result};
use scene::gltf::Read;
use scene::{
    AlphaMode, Interpolation, MaterialId, Mesh, NodeId, Primitive, Scene, Shading, Sidedness, Target,
};

use super::header::{Encoding, FloatSize, Header};
use super::kept::Kept;
use super::layout::{self, Animation, AnimationKeys, AnimationOptions, AnimationSet, Frame, KeyKind};
use super::layout::{MaterialList, Normals, SkinHeader, SkinWeights, VertexColor};
use super::model_reader::Class;
use super::{MAX_DEPTH, MAX_OBJECTS, XFile, warning};
use crate::axes;
use crate::import::color::display;
use crate::import::curve::{Curve, unit};
use crate::import::flat::with_normals;
use crate::import::name::{PLACEHOLDER_PREFIX, image_name};
use crate::import::tree::{Tree, local, product};
use crate::import::uv::transformed;

/// Extension that selects binary files.
pub(super) const BINARY: &str = "xbin";

/// Maximum nesting depth of objects within a frame: mesh, list, material, texture.
const INNER_LEVELS: usize = 5;

/// Ticks per second.
const TICKS: u32 = 4800;

/// Sampling rate of step and spline interpolation, per second.
const SAMPLES: f64 = 60.0;

/// Maximum number of keys.
const MAX_KEYS: usize = 1 << 22;

/// Maximum number of vertices of a surface in the engine.
const MAX_VERTICES: usize = 65_535;

/// Maximum number of vertices and indices, unless the meshes of the scene themselves have more.
const MAX_CORNERS: usize = 1 << 20;

/// Converts a scene file to a model file.
pub(super) fn import(read: &Read, extension: &str, report: &mut Report) -> Result<Vec<u8>> {
    let encoding = if extension == BINARY { Encoding::Binary } else { Encoding::Text };
    let kept = Kept::find(&read.scene);
    if let Some((bytes, file)) = kept.as_ref().and_then(|kept| kept.unedited(&read.scene))
        && (encoding == Encoding::Text || file.header.encoding.is_binary())
    {
        return Ok(bytes.to_vec());
    }
    let mut model = XFile::from_scene(&read.scene, report)?;
    model.header.encoding = encoding;
    for left_out in read.left_out.iter().cloned().chain(read.deformations()) {
        if left_out.what != "skins" {
            warning::unsupported(report, &left_out.what, left_out.count);
        }
    }
    model.write()
}

impl XFile {
    /// Converts a scene to a model in text encoding. Reports features that models do not support.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) for numbers that single precision cannot hold in units of the game;
    /// [`Kind::Limit`](record::Kind::Limit) for too many frames, meshes, vertices or keys.
    pub fn from_scene(scene: &Scene, report: &mut Report) -> Result<Self> {
        let kept = Kept::find(scene);
        let header = Header { major: 3, minor: 3, encoding: Encoding::Text, float_size: FloatSize::Single };
        let own = scene.meshes.iter().map(corners).fold(0, usize::saturating_add);
        let mut import = Import {
            scene,
            tree: Tree::of(scene)?,
            scale: kept.as_ref().map_or(1.0, |kept| kept.scale),
            file: Self::new(header),
            names: BTreeMap::new(),
            used_names: BTreeSet::new(),
            suffixes: BTreeMap::new(),
            unsupported: BTreeMap::new(),
            corners_left: own.saturating_mul(4).max(MAX_CORNERS),
            keys_left: MAX_KEYS,
        };
        let count = import.tree.order.len();
        if count > Class::Frame.limit() {
            return Err(Error::limit(format!("{count} nodes exceed the limit of {}", Class::Frame.limit())));
        }
        import.name_nodes();
        import.frames(kept.as_ref(), report)?;
        import.animations()?;
        let count = objects(&import.file, import.tree.order.len());
        if count > MAX_OBJECTS {
            return Err(Error::limit(format!("{count} objects exceed the limit of {MAX_OBJECTS}")));
        }
        for (what, count) in &import.unsupported {
            warning::unsupported(report, what, *count);
        }
        Ok(import.file)
    }
}

/// Returns the maximum number of objects of a model with this number of frames.
fn objects(file: &XFile, frames: usize) -> usize {
    let weights = file.meshes.iter().map(|mesh| mesh.skin_weights.len().saturating_add(7));
    let animations = file.animation_sets.iter().flat_map(|set| &set.animations);
    let keys = animations.map(|animation| animation.keys.len().saturating_add(3));
    let sizes = weights.chain(keys).chain([
        frames.saturating_mul(2),
        file.materials.len().saturating_mul(2),
        file.animation_sets.len(),
        1,
    ]);
    sizes.fold(0, usize::saturating_add)
}

fn corners(mesh: &Mesh) -> usize {
    let sizes = mesh.primitives.iter().flat_map(|part| [part.positions.len(), part.indices.len()]);
    sizes.fold(0, usize::saturating_add)
}

struct Import<'a> {
    scene: &'a Scene,
    tree: Tree,
    scale: f32,
    file: XFile,
    /// Name of the frame of each node.
    names: BTreeMap<NodeId, String>,
    used_names: BTreeSet<String>,
    /// Last number appended to each duplicate name.
    suffixes: BTreeMap<String, usize>,
    unsupported: BTreeMap<&'static str, usize>,
    corners_left: usize,
    keys_left: usize,
}

impl<'a> Import<'a> {
    fn count_unsupported(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let unsupported = self.unsupported.entry(what).or_default();
            *unsupported = unsupported.saturating_add(count);
        }
    }

    /// Assigns a unique name to each node: skins and animations refer to frames by name.
    fn name_nodes(&mut self) {
        for id in self.tree.order.clone() {
            let Some(node) = self.scene.nodes.get(id.0) else { continue };
            let own = object_name(&node.name, "node");
            let mut name = own.clone();
            while !self.used_names.insert(name.clone()) {
                let number = self.suffixes.entry(own.clone()).or_insert(1);
                *number = number.saturating_add(1);
                name = format!("{own}_{number}");
            }
            self.names.insert(id, name);
        }
    }

    fn frames(&mut self, kept: Option<&Kept>, report: &mut Report) -> Result<()> {
        let scene = self.scene;
        let roots: Vec<NodeId> = match kept {
            Some(kept) => {
                let root = scene.nodes.get(kept.root.0);
                let own = root.map(|root| root.children.clone()).unwrap_or_default();
                let others = scene.roots.iter().copied().filter(|other| !self.is_ancestor(*other, kept.root));
                own.into_iter().chain(others).collect()
            }
            None => scene.roots.clone(),
        };
        let root = kept.map_or(DAffine3::IDENTITY, |kept| self.tree.matrix(kept.root));
        let inverse = if root.matrix3.determinant() == 0.0 { DAffine3::IDENTITY } else { root.inverse() };
        for id in roots {
            let is_own = kept.is_none() || self.tree.parent(id).is_some();
            let mut frame = self.frame(id, 1, report)?;
            if !is_own {
                frame.matrix = Some(self.rows(product(inverse, self.tree.matrix(id)), id)?);
            }
            self.file.frames.push(frame);
        }
        Ok(())
    }

    fn is_ancestor(&self, upper: NodeId, lower: NodeId) -> bool {
        let mut next = Some(lower);
        while let Some(here) = next {
            if here == upper {
                return true;
            }
            next = self.tree.parent(here);
        }
        false
    }

    fn frame(&mut self, id: NodeId, level: usize, report: &mut Report) -> Result<Frame> {
        if level.saturating_add(INNER_LEVELS) > MAX_DEPTH {
            return Err(Error::limit(format!("frames would be nested more than {MAX_DEPTH} levels deep")));
        }
        let scene = self.scene;
        let Some(node) = scene.nodes.get(id.0) else { return Ok(Frame::default()) };
        let mut frame = Frame { name: self.names.get(&id).cloned(), ..Frame::default() };
        self.count_unsupported("lights", usize::from(node.light.is_some()));
        // Joints transform a skinned mesh; its node does not.
        let skin = node.skin.and_then(|skin| scene.skins.get(skin.0));
        let matrix = local(node);
        if (skin.is_none() || !node.children.is_empty()) && matrix != DAffine3::IDENTITY {
            frame.matrix = Some(self.rows(matrix, id)?);
        }
        if let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh.0)) {
            let mesh = self.mesh(id, mesh, skin, report)?;
            if let Some(mesh) = mesh {
                frame.meshes.push(self.file.meshes.len());
                self.file.meshes.push(mesh);
                if self.file.meshes.len() > Class::Mesh.limit() {
                    return Err(Error::limit(format!("more than {} meshes", Class::Mesh.limit())));
                }
            }
        }
        for child in &node.children {
            frame.frames.push(self.frame(*child, level.saturating_add(1), report)?);
        }
        Ok(frame)
    }

    /// Converts a matrix to the layout of files.
    fn rows(&self, matrix: DAffine3, id: NodeId) -> Result<[[f32; 4]; 4]> {
        let scale = f64::from(self.scale);
        let row = |axis: glam::DVec3, sign: f64| {
            let [x, y, z] = (axis * sign).as_vec3().to_array();
            [x, y, -z, 0.0]
        };
        let axes = matrix.matrix3;
        let [x, y, z] = axes::game_position((matrix.translation / scale).as_vec3());
        let rows = [row(axes.x_axis, 1.0), row(axes.y_axis, 1.0), row(axes.z_axis, -1.0), [x, y, z, 1.0]];
        self.finite(rows.as_flattened(), id)?;
        Ok(rows)
    }

    fn finite(&self, numbers: &[f32], id: NodeId) -> Result<()> {
        if numbers.iter().all(|number| number.is_finite()) {
            return Ok(());
        }
        let name = self.scene.nodes.get(id.0).map_or("", |node| &node.name);
        Err(Error::usage(format!("node \"{name:.80}\": a position is too large for a model")))
    }

    fn mesh(
        &mut self,
        id: NodeId,
        mesh: &'a Mesh,
        skin: Option<&scene::Skin>,
        report: &mut Report,
    ) -> Result<Option<layout::Mesh>> {
        self.corners_left = self.corners_left.checked_sub(corners(mesh)).ok_or_else(|| {
            Error::limit("the scene has so many mesh instances that the model would be too large")
        })?;
        // glTF flips the triangles of a mirrored mesh, but the game does not.
        let is_mirrored = skin.is_none() && self.tree.is_mirrored(id);
        let mut out = layout::Mesh { name: Some(object_name(&mesh.name, "mesh")), ..layout::Mesh::default() };
        let (mut normals, mut coords, mut colors) = (Vec::new(), Vec::new(), Vec::new());
        let mut list = MaterialList::default();
        let mut material_indices: BTreeMap<Option<MaterialId>, u32> = BTreeMap::new();
        let mut weights: BTreeMap<usize, (Vec<u32>, Vec<f32>)> = BTreeMap::new();
        let primitives: Vec<Primitive> =
            mesh.primitives.iter().filter(|part| !part.is_empty()).map(with_normals).collect();
        let has_colors = primitives.iter().any(|part| part.colors.is_some());
        for part in &primitives {
            let first = u32::try_from(out.vertices.len()).unwrap_or(u32::MAX);
            let material = part.material.and_then(|id| self.scene.materials.get(id.0));
            let layer = material.and_then(|material| material.base_color_texture);
            self.count_unsupported(
                "texture coordinate sets after the first",
                part.uvs.len().saturating_sub(1),
            );
            if part.positions.len() > MAX_VERTICES {
                let message = format!(
                    "the mesh \"{:.80}\" has {} vertices of one material, but the engine can index only {MAX_VERTICES}",
                    mesh.name,
                    part.positions.len()
                );
                report.warn(&warning::MANY_VERTICES, message);
            }
            for (vertex, position) in part.positions.iter().enumerate() {
                let number = u32::try_from(out.vertices.len()).unwrap_or(u32::MAX);
                let position = axes::game_position(Vec3::from(*position) / self.scale);
                self.finite(&position, id)?;
                out.vertices.push(position);
                let normal = part.normals.as_ref().and_then(|normals| normals.get(vertex)).copied();
                let normal = axes::direction(normal.unwrap_or([0.0, 1.0, 0.0])).to_array();
                normals.push(if is_mirrored { normal.map(|number| -number) } else { normal });
                let set = layer.map_or(0, |layer| layer.uv_set);
                let uv = part.uvs.get(set).and_then(|set| set.get(vertex)).copied().unwrap_or_default();
                coords.push(transformed(uv, layer.and_then(|layer| layer.transform)));
                if has_colors {
                    let [red, green, blue, alpha] = part
                        .colors
                        .as_ref()
                        .and_then(|colors| colors.get(vertex))
                        .copied()
                        .unwrap_or([1.0; 4]);
                    let [red, green, blue] = [red, green, blue].map(display);
                    colors.push(VertexColor {
                        vertex: number,
                        color: [red, green, blue, alpha.clamp(0.0, 1.0)],
                    });
                }
                let influences = part.influences.as_ref().filter(|_| skin.is_some());
                let joints = influences.and_then(|influences| {
                    Some((influences.joints.get(vertex)?, influences.weights.get(vertex)?))
                });
                if let Some((joints, shares)) = joints {
                    for (joint, share) in joints.iter().zip(shares).filter(|(_, share)| **share > 0.0) {
                        let (vertices, list) = weights.entry(usize::from(*joint)).or_default();
                        vertices.push(number);
                        list.push(*share);
                    }
                }
            }
            let next = u32::try_from(material_indices.len()).unwrap_or(u32::MAX);
            let index = *material_indices.entry(part.material).or_insert(next);
            if index == next {
                let material = self.material(material);
                list.materials.push(Some(self.file.materials.len()));
                self.file.materials.push(material);
                if self.file.materials.len() > Class::Material.limit() {
                    return Err(Error::limit(format!("more than {} materials", Class::Material.limit())));
                }
            }
            let (triangles, _) = part.indices.as_chunks::<3>();
            for triangle in triangles {
                let corners = if is_mirrored { *triangle } else { axes::winding(*triangle) };
                let pushed = out.faces.push(corners.map(|corner| corner.saturating_add(first)));
                pushed.ok_or_else(|| Error::limit("too many triangles"))?;
                list.face_indexes.push(index);
            }
        }
        if out.vertices.is_empty() {
            return Ok(None);
        }
        list.count = u32::try_from(list.materials.len()).unwrap_or(u32::MAX);
        out.normals = Some(Normals { directions: normals, faces: out.faces.clone() });
        out.texture_coords = primitives.iter().any(|part| !part.uvs.is_empty()).then_some(coords);
        out.vertex_colors = has_colors.then_some(colors);
        out.material_list = Some(list);
        if let Some(skin) = skin {
            self.skin(&mut out, skin, weights, id)?;
        }
        Ok(Some(out))
    }

    fn skin(
        &mut self,
        out: &mut layout::Mesh,
        skin: &scene::Skin,
        weights: BTreeMap<usize, (Vec<u32>, Vec<f32>)>,
        id: NodeId,
    ) -> Result<()> {
        let bones = u32::try_from(weights.len()).unwrap_or(u32::MAX);
        out.skin_header = Some(SkinHeader { max_weights_per_vertex: 4, max_weights_per_face: 12, bones });
        for (joint, (vertices, weights)) in weights {
            let bone = skin.joints.get(joint).and_then(|joint| self.names.get(joint)).cloned();
            let matrix = skin.inverse_bind.get(joint).map_or(DAffine3::IDENTITY, |matrix| {
                DAffine3::from_cols_array(&matrix.to_cols_array().map(f64::from))
            });
            let offset = self.rows(matrix, id)?;
            let Some(bone) = bone else {
                self.count_unsupported("joints outside of the scene", 1);
                continue;
            };
            out.skin_weights.push(SkinWeights { bone, vertices, weights, offset });
        }
        Ok(())
    }

    fn material(&mut self, material: Option<&scene::Material>) -> layout::Material {
        let Some(material) = material else {
            return layout::Material {
                name: Some("default".to_owned()),
                face_color: [1.0; 4],
                ..layout::Material::default()
            };
        };
        // Properties that the game ignores are restored from the extras.
        let stored = material.extras.get("material");
        let number = |name: &str| stored.and_then(|stored| json::from_value(stored.get(name)?.clone()).ok());
        let color = |name: &str| stored.and_then(|stored| json::from_value(stored.get(name)?.clone()).ok());
        let image = material.base_color_texture.map(|texture| image_name(self.scene, texture.texture));
        let image =
            image.map(|name| name.strip_prefix(PLACEHOLDER_PREFIX).map_or(name.clone(), ToOwned::to_owned));
        let is_blended = material.alpha == AlphaMode::Blend;
        self.count_unsupported("alpha cutoffs", usize::from(matches!(material.alpha, AlphaMode::Mask(_))));
        self.count_unsupported(
            "double-sided materials",
            usize::from(material.sidedness == Sidedness::Double),
        );
        self.count_unsupported("unlit materials", usize::from(material.shading == Shading::Unlit));
        self.count_unsupported("emissive materials", usize::from(material.emissive != [0.0; 3]));
        self.count_unsupported("metallic materials", usize::from(material.metallic > 0.0));
        self.count_unsupported("lightmaps", usize::from(material.lightmap.is_some()));
        self.count_unsupported("images", usize::from(image.is_some()));
        let [red, green, blue, alpha] = material.base_color;
        let [red, green, blue] = [red, green, blue].map(display);
        if image.is_some() && [red, green, blue].iter().any(|level| *level < 0.999) {
            self.count_unsupported("colors of textured materials (white in the game)", 1);
        }
        let quoted = |name: String| name.replace(['"', '\n', '\r', '\0'], "_");
        layout::Material {
            name: Some(object_name(&material.name, "material")),
            face_color: [red, green, blue, if is_blended { alpha.clamp(0.0, 1.0) } else { 1.0 }],
            power: number("power").unwrap_or_default(),
            specular_color: color("specular_color").unwrap_or_default(),
            emissive_color: color("emissive_color").unwrap_or_default(),
            texture: image.map(quoted),
        }
    }

    fn animations(&mut self) -> Result<()> {
        for (number, clip) in self.scene.animations.iter().enumerate() {
            let mut by_node: BTreeMap<NodeId, Vec<AnimationKeys>> = BTreeMap::new();
            for track in &clip.tracks {
                let Some(curve) = Curve::of(track) else { continue };
                for target in track.targets() {
                    let (node, kind) = match target {
                        Target::Translation(node) => (node, KeyKind::Position),
                        Target::Rotation(node) => (node, KeyKind::Rotation),
                        Target::Scale(node) => (node, KeyKind::Scale),
                        _ => continue,
                    };
                    let keys = self.keys(&curve, kind, &clip.name)?;
                    self.finite(&keys.values, node)?;
                    by_node.entry(node).or_default().push(keys);
                }
            }
            if by_node.is_empty() {
                continue;
            }
            let options = Some(AnimationOptions { open_closed: 0, position_quality: 1 });
            let animations = by_node.into_iter().filter_map(|(node, keys)| {
                Some(Animation { name: None, frame: Some(self.names.get(&node)?.clone()), keys, options })
            });
            let set = AnimationSet {
                name: Some(object_name(&clip.name, &format!("animation_{number}"))),
                animations: animations.collect(),
            };
            self.file.animation_sets.push(set);
        }
        if !self.file.animation_sets.is_empty() {
            self.file.ticks_per_second = Some(TICKS);
        }
        Ok(())
    }

    fn keys(&mut self, curve: &Curve<'_>, kind: KeyKind, clip: &str) -> Result<AnimationKeys> {
        let mut found: BTreeMap<i32, [f32; 4]> = BTreeMap::new();
        let too_many =
            || Error::limit(format!("the animation \"{clip:.80}\" is too long or has too many keys"));
        let left = self.keys_left;
        let mut before: Option<(f64, i32)> = None;
        for (key, time) in curve.times().iter().enumerate() {
            let time = f64::from(*time);
            let ticks = ticks(time).ok_or_else(too_many)?;
            match (curve.interpolation(), before) {
                (Interpolation::Step, Some((start, earlier))) => {
                    if let Some(hold) = ticks.checked_sub(1).filter(|hold| *hold > earlier) {
                        found.insert(hold, curve.at(start));
                    }
                }
                (Interpolation::CubicSpline, Some((start, _))) => {
                    let mut next = start + SAMPLES.recip();
                    while next < time {
                        found.insert(self::ticks(next).ok_or_else(too_many)?, curve.at(next));
                        next += SAMPLES.recip();
                        if found.len() > left {
                            return Err(too_many());
                        }
                    }
                }
                _ => {}
            }
            found.insert(ticks, curve.key(key));
            before = Some((time, ticks));
        }
        self.keys_left = left.checked_sub(found.len()).ok_or_else(too_many)?;
        let mut keys = AnimationKeys { kind, times: Vec::new(), values: Vec::new() };
        for (time, value) in found {
            keys.times.push(time);
            let [x, y, z, _] = value;
            match kind {
                KeyKind::Rotation => {
                    let [x, y, z, w] = unit(Quat::from_array(value)).to_array();
                    keys.values.extend([w, x, y, -z]);
                }
                KeyKind::Position => keys.values.extend(axes::game_position(Vec3::new(x, y, z) / self.scale)),
                KeyKind::Scale | KeyKind::Matrix => keys.values.extend([x, y, z]),
            }
        }
        Ok(keys)
    }
}

/// Converts seconds to ticks.
fn ticks(seconds: f64) -> Option<i32> {
    let ticks = (seconds * f64::from(TICKS)).round();
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "integer and within bounds")]
    let integer = (0.0..=2e9).contains(&ticks).then_some(ticks as i32);
    integer
}

/// Returns a valid object name.
fn object_name(name: &str, fallback: &str) -> String {
    let valid: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || "_-.".contains(letter) { letter } else { '_' })
        .take(200)
        .collect();
    match valid.as_str() {
        "" => fallback.to_owned(),
        word if word.eq_ignore_ascii_case("template") => format!("_{valid}"),
        _ => valid,
    }
}
