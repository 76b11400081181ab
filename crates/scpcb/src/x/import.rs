//! Imports a scene as a model: one of our own conversions, or one made from scratch or in another program.
//!
//! - A conversion that nobody edited is [the file](super::kept) that it was made of, byte for byte.
//! - Otherwise nodes become frames, meshes are in the frames of their nodes, and materials in the lists of their meshes. Skins keep their matrices.
//! - Each clip becomes an animation set of 4800 ticks to the second. Steps and splines are sampled 60 times a second.
//! - Names get an underscore for each sign that they may not have, and a number where several frames would have the same.
//!
//! `.x` is text; `xbin` are binary tokens, in a file of any name.

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
use super::reading::Class;
use super::{MAX_DEPTH, MAX_OBJECTS, XFile, warning};
use crate::axes;
use crate::import::color::display;
use crate::import::curve::{Curve, unit};
use crate::import::flat::with_normals;
use crate::import::name::{STAND_IN, image_name};
use crate::import::tree::{Tree, local, product};
use crate::import::uv::moved;

/// What stands for binary files among the extensions.
pub(super) const BINARY: &str = "xbin";

/// So many objects are in a frame at most: mesh, list, material, texture.
const INNER_LEVELS: usize = 5;

/// Ticks per second.
const TICKS: u32 = 4800;

/// Steps and splines are sampled so often in a second.
const SAMPLES: f64 = 60.0;

/// More keys are refused.
const MOST_KEYS: usize = 1 << 22;

/// More vertices than this the engine cannot name in one surface.
const MAX_VERTICES: usize = 65_535;

/// More corners are refused, unless the meshes of the scene have more themselves.
const MOST_CORNERS: usize = 1 << 20;

/// Makes a model file of a scene file.
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
            warning::lost(report, &left_out.what, left_out.count);
        }
    }
    model.write()
}

impl XFile {
    /// Makes a model of a scene, to be written as text. What a model cannot hold is reported.
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
            taken: BTreeSet::new(),
            numbers: BTreeMap::new(),
            lost: BTreeMap::new(),
            corners_left: own.saturating_mul(4).max(MOST_CORNERS),
            keys_left: MOST_KEYS,
        };
        let count = import.tree.order.len();
        if count > Class::Frame.most() {
            return Err(Error::limit(format!("{count} nodes exceed the limit of {}", Class::Frame.most())));
        }
        import.name_nodes();
        import.frames(kept.as_ref(), report)?;
        import.animations()?;
        let count = objects(&import.file, import.tree.order.len());
        if count > MAX_OBJECTS {
            return Err(Error::limit(format!("{count} objects exceed the limit of {MAX_OBJECTS}")));
        }
        for (what, count) in &import.lost {
            warning::lost(report, what, *count);
        }
        Ok(import.file)
    }
}

/// How many objects a model with so many frames has at most.
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
    /// What the frame of each node is called.
    names: BTreeMap<NodeId, String>,
    taken: BTreeSet<String>,
    /// The last number behind each name that several nodes have.
    numbers: BTreeMap<String, usize>,
    lost: BTreeMap<&'static str, usize>,
    corners_left: usize,
    keys_left: usize,
}

impl<'a> Import<'a> {
    fn lose(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let lost = self.lost.entry(what).or_default();
            *lost = lost.saturating_add(count);
        }
    }

    /// Gives each node a name of its own: skins and animations go by names.
    fn name_nodes(&mut self) {
        for id in self.tree.order.clone() {
            let Some(node) = self.scene.nodes.get(id.0) else { continue };
            let own = plain(&node.name, "node");
            let mut name = own.clone();
            while !self.taken.insert(name.clone()) {
                let number = self.numbers.entry(own.clone()).or_insert(1);
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
                let others = scene.roots.iter().copied().filter(|other| !self.is_above(*other, kept.root));
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

    fn is_above(&self, upper: NodeId, lower: NodeId) -> bool {
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
        self.lose("lights", usize::from(node.light.is_some()));
        // Joints place a mesh with a skin, and its node does not.
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
                if self.file.meshes.len() > Class::Mesh.most() {
                    return Err(Error::limit(format!("more than {} meshes", Class::Mesh.most())));
                }
            }
        }
        for child in &node.children {
            frame.frames.push(self.frame(*child, level.saturating_add(1), report)?);
        }
        Ok(frame)
    }

    /// A matrix as files have it.
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
            Error::limit("the meshes of the scene are shown so often that the model would be too large")
        })?;
        // The game does not turn a mirrored mesh back, as glTF does.
        let is_mirrored = skin.is_none() && self.tree.is_mirrored(id);
        let mut out = layout::Mesh { name: Some(plain(&mesh.name, "mesh")), ..layout::Mesh::default() };
        let (mut normals, mut coords, mut colors) = (Vec::new(), Vec::new(), Vec::new());
        let mut list = MaterialList::default();
        let mut places: BTreeMap<Option<MaterialId>, u32> = BTreeMap::new();
        let mut weights: BTreeMap<usize, (Vec<u32>, Vec<f32>)> = BTreeMap::new();
        let drawn: Vec<Primitive> =
            mesh.primitives.iter().filter(|part| !part.is_empty()).map(with_normals).collect();
        let has_colors = drawn.iter().any(|part| part.colors.is_some());
        for part in &drawn {
            let first = u32::try_from(out.vertices.len()).unwrap_or(u32::MAX);
            let material = part.material.and_then(|id| self.scene.materials.get(id.0));
            let layer = material.and_then(|material| material.base_color_texture);
            self.lose("texture coordinate sets after the first", part.uvs.len().saturating_sub(1));
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
                let place = axes::game_position(Vec3::from(*position) / self.scale);
                self.finite(&place, id)?;
                out.vertices.push(place);
                let normal = part.normals.as_ref().and_then(|normals| normals.get(vertex)).copied();
                let normal = axes::direction(normal.unwrap_or([0.0, 1.0, 0.0])).to_array();
                normals.push(if is_mirrored { normal.map(|number| -number) } else { normal });
                let set = layer.map_or(0, |layer| layer.uv_set);
                let uv = part.uvs.get(set).and_then(|set| set.get(vertex)).copied().unwrap_or_default();
                coords.push(moved(uv, layer.and_then(|layer| layer.transform)));
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
            let next = u32::try_from(places.len()).unwrap_or(u32::MAX);
            let place = *places.entry(part.material).or_insert(next);
            if place == next {
                let material = self.material(material);
                list.materials.push(Some(self.file.materials.len()));
                self.file.materials.push(material);
                if self.file.materials.len() > Class::Material.most() {
                    return Err(Error::limit(format!("more than {} materials", Class::Material.most())));
                }
            }
            let (triangles, _) = part.indices.as_chunks::<3>();
            for triangle in triangles {
                let corners = if is_mirrored { *triangle } else { axes::winding(*triangle) };
                let pushed = out.faces.push(corners.map(|corner| corner.saturating_add(first)));
                pushed.ok_or_else(|| Error::limit("too many triangles"))?;
                list.face_indexes.push(place);
            }
        }
        if out.vertices.is_empty() {
            return Ok(None);
        }
        list.count = u32::try_from(list.materials.len()).unwrap_or(u32::MAX);
        out.normals = Some(Normals { directions: normals, faces: out.faces.clone() });
        out.texture_coords = drawn.iter().any(|part| !part.uvs.is_empty()).then_some(coords);
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
                self.lose("joints that do not stand in the scene", 1);
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
        // What the game does not take comes back from the extras.
        let stored = material.extras.get("material");
        let number = |name: &str| stored.and_then(|stored| json::from_value(stored.get(name)?.clone()).ok());
        let color = |name: &str| stored.and_then(|stored| json::from_value(stored.get(name)?.clone()).ok());
        let image = material.base_color_texture.map(|texture| image_name(self.scene, texture.texture));
        let image = image.map(|name| name.strip_prefix(STAND_IN).map_or(name.clone(), ToOwned::to_owned));
        let is_blended = material.alpha == AlphaMode::Blend;
        self.lose("alpha cutoffs", usize::from(matches!(material.alpha, AlphaMode::Mask(_))));
        self.lose("double-sided materials", usize::from(material.sidedness == Sidedness::Double));
        self.lose("materials without light", usize::from(material.shading == Shading::Unlit));
        self.lose("emission of materials", usize::from(material.emissive != [0.0; 3]));
        self.lose("metals", usize::from(material.metallic > 0.0));
        self.lose("lightmaps", usize::from(material.lightmap.is_some()));
        self.lose("images", usize::from(image.is_some()));
        let [red, green, blue, alpha] = material.base_color;
        let [red, green, blue] = [red, green, blue].map(display);
        if image.is_some() && [red, green, blue].iter().any(|level| *level < 0.999) {
            self.lose("colors of materials with a texture, which the game shows white", 1);
        }
        let quoted = |name: String| name.replace(['"', '\n', '\r', '\0'], "_");
        layout::Material {
            name: Some(plain(&material.name, "material")),
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
                name: Some(plain(&clip.name, &format!("animation_{number}"))),
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

/// A time in ticks.
fn ticks(seconds: f64) -> Option<i32> {
    let ticks = (seconds * f64::from(TICKS)).round();
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "whole and within bounds")]
    let whole = (0.0..=2e9).contains(&ticks).then_some(ticks as i32);
    whole
}

/// A name as objects may have it.
fn plain(name: &str, otherwise: &str) -> String {
    let plain: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || "_-.".contains(letter) { letter } else { '_' })
        .take(200)
        .collect();
    match plain.as_str() {
        "" => otherwise.to_owned(),
        word if word.eq_ignore_ascii_case("template") => format!("_{plain}"),
        _ => plain,
    }
}
