//! Surfaces out of primitives.

use std::collections::{BTreeMap, HashMap};

use asset::Report;
use record::Result;
use scene::{AlphaMode, Material, Primitive, Shading, TextureRef};
use serde_json::Value;

use super::super::layout::{InvisibleSurface, Surface, Vertex};
use super::super::warning;
use super::bump::has_bumps;
use super::color::{Factor, HALF, stored};
use super::piece::{Piece, is_piece, join};
use super::slot::{Form, Slots, glowing_lightmap, slots};
use super::transform::Transform;
use super::{Import, Settings};
use crate::axes;
use crate::import::uv::moved;

/// A primitive and its transform.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) primitive: &'a Primitive,
    pub(super) transform: Transform,
}

/// More vertices than this Blitz3D cannot name in one surface.
const MAX_VERTICES: usize = 65_535;

/// What identifies a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// The number it had, and its material.
    Numbered(u64, Option<usize>),
    /// The number it had: it has several baked textures.
    Pieces(u64),
    /// Its material.
    Made(Option<usize>),
}

impl Key {
    fn of(primitive: &Primitive) -> Self {
        let material = primitive.material.map(|material| material.0);
        match primitive.extras.get("surface").and_then(Value::as_u64) {
            Some(number) if is_piece(primitive) => Self::Pieces(number),
            Some(number) => Self::Numbered(number, material),
            None => Self::Made(material),
        }
    }
}

impl Import<'_> {
    /// All surfaces: those with a number in their order, then the others in the order they are met.
    pub(super) fn surfaces(&mut self, report: &mut Report) -> Result<Vec<Surface>> {
        let parts = std::mem::take(&mut self.found.parts);
        let mut groups: BTreeMap<Key, usize> = BTreeMap::new();
        let mut lists: Vec<(Key, Vec<Part<'_>>)> = Vec::new();
        for part in parts {
            let key = Key::of(part.primitive);
            let transform = *groups.entry(key).or_insert(lists.len());
            match lists.get_mut(transform) {
                Some((_, list)) => list.push(part),
                None => lists.push((key, vec![part])),
            }
        }
        lists.sort_by_key(|(key, _)| match key {
            Key::Numbered(number, _) | Key::Pieces(number) => (0, *number),
            Key::Made(_) => (1, 0),
        });
        self.count_lost(lists.iter().flat_map(|(_, parts)| parts));
        let mut surfaces = Vec::with_capacity(lists.len());
        for (key, parts) in lists {
            let surface = self.surface(key, &parts, report)?;
            if surface.vertices.len() > MAX_VERTICES {
                let message = format!(
                    "{} vertices, but the game can index only {MAX_VERTICES}",
                    surface.vertices.len()
                );
                report
                    .warn(&warning::MANY_VERTICES, message)
                    .in_field(format!("surfaces[{}]", surfaces.len()));
            }
            surfaces.push(surface);
        }
        Ok(surfaces)
    }

    fn surface(&mut self, key: Key, parts: &[Part<'_>], report: &mut Report) -> Result<Surface> {
        let first = parts.first().map(|part| part.primitive);
        let material = first.and_then(|primitive| self.scene.materials.get(primitive.material?.0));
        let Slots { texture, lightmap } = match (material, first) {
            (Some(material), Some(primitive)) => slots(self.scene, material, &primitive.extras, report)?,
            _ => Slots::empty(),
        };
        let mut out = Surface { lightmap, texture, vertices: Vec::new(), triangles: Vec::new() };
        let mut pieces = Vec::new();
        for part in parts {
            let sets = Sets::of(part.primitive, material);
            let colors = self.colors(part.primitive, material, &out);
            let vertices: Vec<Vertex> = (part.primitive.positions.iter().enumerate())
                .map(|(at, position)| Vertex {
                    position: self.settings.game_position(part.transform.point(*position)),
                    texture_uv: sets.texture.at(part.primitive, at),
                    lightmap_uv: sets.lightmap.at(part.primitive, at),
                    color: colors.get(at).copied().unwrap_or([255; 3]),
                })
                .collect();
            match key {
                Key::Pieces(_) => pieces.push(Piece::new(part.primitive, vertices, triangles(part))),
                _ => add(&mut out, vertices, triangles(part), key),
            }
        }
        if let Some((vertices, triangles)) = join(&pieces).filter(|_| !pieces.is_empty()) {
            (out.vertices, out.triangles) = (vertices, triangles);
            return Ok(out);
        }
        for piece in pieces {
            add(&mut out, piece.vertices, piece.triangles, key);
        }
        Ok(out)
    }

    /// The vertex colors: white where the game does not show them and none are stored.
    fn colors(
        &mut self,
        primitive: &Primitive,
        material: Option<&Material>,
        surface: &Surface,
    ) -> Vec<[u8; 3]> {
        let stored = stored(primitive.extras.get("colors"), primitive.positions.len());
        let is_clear = material.is_some_and(|material| material.alpha != AlphaMode::Opaque);
        let under_lightmap = !is_clear && is_lightmapped(material, surface);
        let Some(light) = primitive.colors.as_deref().filter(|_| !under_lightmap) else {
            return stored.unwrap_or_default();
        };
        let factor = if is_clear { Factor::One } else { Factor::of_lit(light) };
        let Some(stored) = stored else {
            let colors: Vec<_> = light.iter().map(|light| factor.color(*light, None)).collect();
            if factor == (Factor::Two { bright: HALF }) {
                self.lose(
                    "bright vertex colors",
                    colors.iter().filter(|color| color.contains(&HALF)).count(),
                );
            }
            return colors;
        };
        light.iter().zip(stored).map(|(light, stored)| factor.color(*light, Some(stored))).collect()
    }

    /// Counts what a room has no place for.
    fn count_lost<'p>(&mut self, parts: impl Iterator<Item = &'p Part<'p>>) {
        let mut materials: BTreeMap<usize, &Material> = BTreeMap::new();
        let (mut normals, mut sets) = (0_usize, 0_usize);
        // Other programs give all parts of a mesh as many sets as one of them has.
        let is_baked = self.scene.materials.iter().any(|material| Form::of(material) == Form::Baked);
        let used = if is_baked { 3 } else { 2 };
        for Part { primitive, .. } in parts {
            let material = primitive.material.map(|material| material.0);
            let material = material.and_then(|id| Some((id, self.scene.materials.get(id)?)));
            let has_own = primitive.normals.is_some() && !has_bumps(primitive, self.scene);
            normals = normals.saturating_add(usize::from(has_own));
            sets = sets.saturating_add(primitive.uvs.len().saturating_sub(used));
            materials.extend(material);
        }
        let count = |is: fn(&Material) -> bool| materials.values().filter(|material| is(material)).count();
        let lost = [
            ("lists of normals", normals),
            ("texture coordinate sets after the second", sets),
            ("base colors of materials", count(|material| material.base_color != [1.0; 4])),
            (
                "emission of materials",
                count(|material| {
                    let glows = material.emissive != [0.0; 3] && material.shading == Shading::Lit;
                    glows && glowing_lightmap(material).is_none()
                }),
            ),
            ("metals", count(|material| material.metallic > 0.0)),
            ("images", self.scene.images.len()),
        ];
        for (what, count) in lost {
            self.lose(what, count);
        }
    }
}

/// Whether a surface gets its light from a lightmap: the material shows one, or once did.
fn is_lightmapped(material: Option<&Material>, surface: &Surface) -> bool {
    let shows = |material: &Material| material.lightmap.is_some() || Form::of(material) == Form::Baked;
    match material {
        Some(material) if material.shading == Shading::Unlit => shows(material),
        _ => surface.lightmap.named().is_some(),
    }
}

/// Adds a part. One that comes from another program has a vertex for each corner and normal; rooms have no normals, so vertices
/// that are the same without them are joined.
fn add(surface: &mut Surface, vertices: Vec<Vertex>, triangles: Vec<[u32; 3]>, key: Key) {
    let start = count(&surface.vertices);
    if matches!(key, Key::Numbered(..)) {
        surface.vertices.extend(vertices);
        let shifted = triangles.into_iter().map(|corners| corners.map(|corner| corner.saturating_add(start)));
        surface.triangles.extend(shifted);
        return;
    }
    let mut known: HashMap<([u32; 7], [u8; 3]), u32> = HashMap::with_capacity(vertices.len());
    let mut places = Vec::with_capacity(vertices.len());
    for vertex in vertices {
        let Vertex { position: [x, y, z], texture_uv: [u, v], lightmap_uv: [s, t], color } = vertex;
        let transform = *known.entry(([x, y, z, u, v, s, t].map(f32::to_bits), color)).or_insert_with(|| {
            let transform = count(&surface.vertices);
            surface.vertices.push(vertex);
            transform
        });
        places.push(transform);
    }
    let joined = |corner: u32| {
        usize::try_from(corner).ok().and_then(|corner| places.get(corner)).copied().unwrap_or_default()
    };
    surface.triangles.extend(triangles.into_iter().map(|corners| corners.map(joined)));
}

fn count(vertices: &[Vertex]) -> u32 {
    u32::try_from(vertices.len()).unwrap_or(u32::MAX)
}

/// The triangles of a part, with the winding order of the game; once more where its place swaps left and right.
fn triangles(part: &Part<'_>) -> Vec<[u32; 3]> {
    let (triangles, _) = part.primitive.indices.as_chunks::<3>();
    let mirrored = part.transform.is_mirrored();
    triangles.iter().map(|corners| if mirrored { *corners } else { axes::winding(*corners) }).collect()
}

/// An invisible surface.
pub(super) fn invisible(
    primitive: &Primitive,
    transform: Transform,
    settings: &Settings,
) -> InvisibleSurface {
    let vertices =
        primitive.positions.iter().map(|position| settings.game_position(transform.point(*position)));
    InvisibleSurface { vertices: vertices.collect(), triangles: triangles(&Part { primitive, transform }) }
}

/// The texture coordinate sets of a primitive.
#[derive(Debug, Clone, Copy)]
struct Sets {
    texture: Uvs,
    lightmap: Uvs,
}

/// A set of texture coordinates, and how it is moved.
#[derive(Debug, Clone, Copy)]
struct Uvs {
    set: usize,
    moved: Option<scene::UvTransform>,
}

impl Sets {
    fn of(primitive: &Primitive, material: Option<&Material>) -> Self {
        let still = |set| Uvs { set, moved: None };
        if let Some(names) = primitive.extras.get("texcoords").and_then(Value::as_array) {
            let find = |name: &str, usual| names.iter().position(|known| known == name).unwrap_or(usual);
            return Self { texture: still(find("texture", 0)), lightmap: still(find("lightmap", 1)) };
        }
        if Self::is_baked(primitive, material) {
            return Self { texture: still(1), lightmap: still(2) };
        }
        let of = |texture: Option<TextureRef>, usual| {
            texture.map_or(still(usual), |texture| Uvs { set: texture.uv_set, moved: texture.transform })
        };
        let texture = of(material.and_then(|material| material.base_color_texture), 0);
        let lightmap = material.and_then(|material| {
            material.lightmap.map(|lightmap| lightmap.texture).or_else(|| glowing_lightmap(material))
        });
        Self { texture, lightmap: of(lightmap, 1) }
    }

    /// Whether the first set is that of a texture with its lightmap baked in.
    fn is_baked(primitive: &Primitive, material: Option<&Material>) -> bool {
        primitive.uvs.len() >= 3 && material.is_some_and(|material| Form::of(material) == Form::Baked)
    }
}

impl Uvs {
    /// The coordinates of a vertex; none are 0.
    fn at(self, primitive: &Primitive, at: usize) -> [f32; 2] {
        let uv = primitive.uvs.get(self.set).and_then(|uvs| uvs.get(at)).copied().unwrap_or_default();
        moved(uv, self.moved)
    }
}
