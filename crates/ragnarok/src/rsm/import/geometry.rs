//! Conversion of the geometry of a part to the vertices, texture vertices and faces of a mesh.

use std::collections::HashMap;

use glam::DVec3;
use json::Value;
use record::{Error, Result};
use scene::{Primitive, UvTransform};

use super::super::animation::single;
use super::super::normal::Shade;
use super::super::{Face, Groups, Mesh, TextureTrack, TextureVertex};
use super::Import;
use super::group::{Corner, groups};
use super::material::{TextureUse, TextureUses};
use super::part::Part;
use crate::affine::Affine;
use crate::rsm::Name;

/// Cosine of the angle between a normal and the face normal above which a corner is flat.
const FLAT_COSINE: f64 = 0.9999;

/// Maximum number of faces.
const MAX_FACES: usize = 1 << 20;

/// A texture of a mesh with its animation. Faces refer to it by its index in the list of slots.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Slot {
    pub(super) texture: Name,
    pub(super) motion: Vec<TextureTrack>,
}

/// The vertices and faces of a mesh being built.
#[derive(Debug, Default)]
pub(super) struct Geometry {
    pub(super) vertices: Vec<[f32; 3]>,
    pub(super) texture_vertices: Vec<TextureVertex>,
    pub(super) faces: Vec<Face>,
    pub(super) slots: Vec<Slot>,
    corners: Vec<[Corner; 3]>,
    slot_indices: HashMap<usize, u16>,
    vertex_indices: HashMap<[u32; 3], u16>,
    texture_vertex_indices: HashMap<([u32; 2], [u8; 4]), u16>,
    has_lit: bool,
    has_unlit: bool,
    is_smooth: bool,
}

/// Returns the shading of all geometries.
pub(super) fn shade(geometries: &[Geometry]) -> Shade {
    let any = |of: fn(&Geometry) -> bool| geometries.iter().any(of);
    match (
        any(|geometry| geometry.has_lit),
        any(|geometry| geometry.has_unlit),
        any(|geometry| geometry.is_smooth),
    ) {
        (false, true, _) => Shade::None,
        (_, _, true) | (false, false, _) => Shade::Smooth,
        _ => Shade::Flat,
    }
}

/// Checks the number of faces, because a mesh may be used by any number of nodes.
pub(super) fn check_count(import: &Import<'_>, parts: &[Part]) -> Result<()> {
    let mut indices = 0_usize;
    for (mesh, _) in parts.iter().flat_map(|part| &part.geometries) {
        let primitives = import.scene.meshes.get(mesh.0).into_iter().flat_map(|mesh| &mesh.primitives);
        indices = primitives.fold(indices, |sum, primitive| sum.saturating_add(primitive.indices.len()));
    }
    let faces = indices.checked_div(3).unwrap_or_default();
    if faces <= MAX_FACES {
        return Ok(());
    }
    Err(Error::limit(format!("the scene has {faces} faces, more than a model may have ({MAX_FACES})")))
}

/// Whether some geometries are lit and others are unlit.
pub(super) fn has_mixed_shading(geometries: &[Geometry]) -> bool {
    geometries.iter().any(|geometry| geometry.has_lit) && geometries.iter().any(|geometry| geometry.has_unlit)
}

impl Geometry {
    /// Converts the geometry of a part.
    ///
    /// `is_mirrored` is whether the nodes mirror the part. A glTF viewer reverses the winding order of mirrored meshes. The game does not,
    /// so the triangles are reversed.
    pub(super) fn of(
        import: &mut Import<'_>,
        part: &Part,
        is_mirrored: bool,
        texture_uses: &mut TextureUses,
    ) -> Result<Self> {
        let mut geometry = Self::default();
        let scene = import.scene;
        for (mesh, map) in &part.geometries {
            let primitives = scene.meshes.get(mesh.0).map(|mesh| &mesh.primitives);
            for primitive in primitives.into_iter().flatten() {
                let texture_use = texture_uses.get(primitive.material);
                geometry
                    .add(import, primitive, (map, is_mirrored), texture_use)
                    .map_err(|error| Error::usage(format!("node \"{}\": {error}", part.node_name)))?;
            }
        }
        for (face, group) in geometry.faces.iter_mut().zip(groups(&geometry.corners)) {
            face.groups = Groups::one(group);
        }
        geometry.free_temporaries();
        Ok(geometry)
    }

    /// Frees memory that is only needed for building, because a scene may have many geometries.
    fn free_temporaries(&mut self) {
        (self.corners, self.vertex_indices, self.texture_vertex_indices, self.slot_indices) =
            Default::default();
        self.vertices.shrink_to_fit();
        self.texture_vertices.shrink_to_fit();
        self.faces.shrink_to_fit();
        self.slots.shrink_to_fit();
    }

    fn add(
        &mut self,
        import: &mut Import<'_>,
        primitive: &Primitive,
        (map, is_mirrored): (&Affine, bool),
        texture_use: &TextureUse,
    ) -> Result<()> {
        import.count_lost("vertex colors", primitive.colors.iter().count());
        let (triangles, _) = primitive.indices.as_chunks::<3>();
        if triangles.is_empty() {
            return Ok(());
        }
        let texture = self.slot(texture_use)?;
        let colors = Colors::of(primitive);
        if texture_use.is_unlit {
            self.has_unlit = true;
        } else {
            self.has_lit = true;
        }
        let is_reversed = is_mirrored != (map.linear.determinant() < 0.0);
        for triangle in triangles {
            let corners = import.axes.winding(*triangle);
            let [a, b, c] = if is_reversed { reversed(corners) } else { corners };
            let mut face = Face { texture, two_sided: texture_use.two_sided, ..Face::default() };
            let flat = face_normal(primitive, *triangle);
            let mut smoothed = face.vertices.map(|vertex| Corner::new(vertex, [0.0; 3], false));
            let parts = face.vertices.iter_mut().zip(&mut face.texture_vertices).zip(&mut smoothed);
            for (((vertex, texture_vertex), smoothed), corner) in parts.zip([a, b, c]) {
                let at = usize::try_from(corner).unwrap_or(usize::MAX);
                *vertex = self.vertex(import, primitive, map, at)?;
                *texture_vertex = self.texture_vertex(primitive, texture_use, colors.at(at), at)?;
                let normal = primitive.normals.as_ref().and_then(|normals| normals.get(at)).copied();
                let normal = normal.unwrap_or(flat);
                let cosine = f64::from(glam::Vec3::from(normal).dot(flat.into()));
                let has_normals = flat != [0.0; 3] && normal != [0.0; 3];
                let is_rounded = has_normals && cosine < FLAT_COSINE;
                self.is_smooth |= is_rounded && !texture_use.is_unlit;
                *smoothed = Corner::new(*vertex, normal, is_rounded);
            }
            self.faces.push(face);
            self.corners.push(smoothed);
        }
        Ok(())
    }

    fn slot(&mut self, texture_use: &TextureUse) -> Result<u16> {
        let slot = Slot { texture: texture_use.texture.clone(), motion: texture_use.motion.clone() };
        number(&mut self.slot_indices, texture_use.number, &mut self.slots, slot, "textures")
    }

    fn vertex(&mut self, import: &Import<'_>, primitive: &Primitive, map: &Affine, at: usize) -> Result<u16> {
        let position = primitive.positions.get(at).copied().unwrap_or_default();
        let position = DVec3::from(position.map(f64::from));
        let position = if *map == Affine::IDENTITY { position } else { map.point(position) };
        let position = import.axes.game_position(position).to_array().map(single);
        if position.iter().any(|number| !number.is_finite()) {
            return Err(Error::usage("a vertex position overflows single precision"));
        }
        number(
            &mut self.vertex_indices,
            position.map(f32::to_bits),
            &mut self.vertices,
            position,
            "positions of vertices",
        )
    }

    fn texture_vertex(
        &mut self,
        primitive: &Primitive,
        texture_use: &TextureUse,
        color: [u8; 4],
        at: usize,
    ) -> Result<u16> {
        let uv =
            primitive.uvs.get(texture_use.uv_set).and_then(|uvs| uvs.get(at)).copied().unwrap_or_default();
        let uv = texture_use.moved.map_or(uv, |moved| transformed(moved, uv));
        let vertex = TextureVertex { color: Some(color), uv };
        let key = (uv.map(f32::to_bits), color);
        number(
            &mut self.texture_vertex_indices,
            key,
            &mut self.texture_vertices,
            vertex,
            "texture coordinates",
        )
    }

    /// Moves the geometry into a mesh. Returns the slots, which contain the texture animations.
    pub(super) fn move_into(self, mesh: &mut Mesh) -> Vec<Slot> {
        mesh.vertices = self.vertices;
        mesh.texture_vertices = self.texture_vertices;
        mesh.faces = self.faces;
        self.slots
    }
}

/// Returns the index of an item in a list, which is added if it is new.
fn number<K: std::hash::Hash + Eq, T>(
    indices: &mut HashMap<K, u16>,
    key: K,
    list: &mut Vec<T>,
    item: T,
    what: &str,
) -> Result<u16> {
    if let Some(number) = indices.get(&key) {
        return Ok(*number);
    }
    let number = u16::try_from(list.len()).map_err(|_| {
        Error::usage(format!(
            "more than 65536 different {what}, which is the limit of a mesh: split the mesh"
        ))
    })?;
    indices.insert(key, number);
    list.push(item);
    Ok(number)
}

fn reversed<T>([a, b, c]: [T; 3]) -> [T; 3] {
    [a, c, b]
}

/// Returns the normal of a triangle. Zero for a triangle without area.
fn face_normal(primitive: &Primitive, corners: [u32; 3]) -> [f32; 3] {
    let [a, b, c] = corners.map(|corner| {
        let at = usize::try_from(corner).unwrap_or(usize::MAX);
        DVec3::from(primitive.positions.get(at).copied().unwrap_or_default().map(f64::from))
    });
    (b - a).cross(c - a).normalize_or_zero().to_array().map(single)
}

fn transformed(moved: UvTransform, uv: [f32; 2]) -> [f32; 2] {
    let [u, v] = uv.map(f64::from);
    let scale = glam::DVec2::from(moved.scale.map(f64::from));
    let rotated = crate::axes::uv_transformed(scale, f64::from(moved.rotation), glam::DVec2::new(u, v));
    (rotated + glam::DVec2::from(moved.offset.map(f64::from))).to_array().map(single)
}

/// The colors of texture coordinates, which conversions keep in the extras.
struct Colors<'a>(&'a str);

impl<'a> Colors<'a> {
    fn of(primitive: &'a Primitive) -> Self {
        let text = primitive.extras.get("colors").and_then(Value::as_str).unwrap_or_default();
        Self(text)
    }

    fn at(&self, vertex: usize) -> [u8; 4] {
        const DIGITS: usize = 8;
        let start = vertex.saturating_mul(DIGITS);
        let digits = self.0.get(start..start.saturating_add(DIGITS));
        digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or_default().to_be_bytes()
    }
}
