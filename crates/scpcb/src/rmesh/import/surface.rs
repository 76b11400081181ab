//! Surfaces out of primitives.

use std::collections::{BTreeMap, HashMap};

use asset::{Report, counted};
use json::Value;
use record::Result;
use scene::{AlphaMode, Material, Primitive, Scene, Shading, Sidedness, TextureRef};

use super::super::dialect::{AnySurface, Solidity, normals_of};
use super::super::layout::{InvisibleSurface, MAX_VERTICES, Surface, Vertex};
use super::super::warning;
use super::Import;
use super::bump::has_bumps;
use super::color::{Factor, HALF, stored};
use super::option::ImportDialect;
use super::piece::{Piece, is_piece, join};
use super::settings::Settings;
use super::slot::{Form, Slots, glowing_lightmap, slots};
use super::split;
use super::transform::Transform;
use crate::axes;
use crate::import::name::without_number;
use crate::import::uv::moved;

/// A primitive and its transform.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) primitive: &'a Primitive,
    pub(super) transform: Transform,
    pub(super) solidity: Solidity,
}

/// What identifies a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    solidity: Solidity,
    source: Source,
}

/// What identifies a surface among those that are solid, or those that are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// The number it had, and its material.
    Numbered(u64, Option<usize>),
    /// The number it had: it has several baked textures.
    Pieces(u64),
    /// Its material; of several materials for the pieces of one surface, the first.
    Made(Option<usize>),
}

impl Key {
    fn of(part: &Part<'_>, first_of_pieces: &[usize]) -> Self {
        let Part { primitive, solidity, .. } = part;
        let material = primitive.material.map(|material| material.0);
        let number = |name: &str| primitive.extras.get(name).and_then(Value::as_u64);
        let render_only = number("render_surface");
        let solidity = if render_only.is_some() { Solidity::RenderOnly } else { *solidity };
        let source = match render_only.or_else(|| number("surface")) {
            Some(number) if is_piece(primitive) => Source::Pieces(number),
            Some(number) => Source::Numbered(number, material),
            None => {
                let first = |material| first_of_pieces.get(material).copied().unwrap_or(material);
                Source::Made(material.map(first))
            }
        };
        Self { solidity, source }
    }
}

/// For each material the first of those that the pieces of one surface have: a surface with several baked textures has one for each, and other programs
/// drop the numbers of its pieces.
fn first_of_pieces(scene: &Scene) -> Vec<usize> {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let materials = scene.materials.iter().enumerate();
    let first = |(index, material): (usize, &Material)| {
        if Form::of(material) != Form::Baked {
            return index;
        }
        let extras = serde_json::to_string(&material.extras).unwrap_or_default();
        let name = without_number(&material.name);
        *known.entry(format!("{name} {extras}")).or_insert(index)
    };
    materials.map(first).collect()
}

/// Vertices of a part, with their normals if those count.
#[derive(Debug, Default)]
struct Corners {
    vertices: Vec<Vertex>,
    normals: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Import<'_> {
    /// All surfaces: those with a number in their order, then the others in the order they are met.
    pub(super) fn surfaces(&mut self, report: &mut Report) -> Result<Vec<AnySurface>> {
        let parts = std::mem::take(&mut self.found.parts);
        let first_of_pieces = first_of_pieces(self.scene);
        let mut groups: BTreeMap<Key, usize> = BTreeMap::new();
        let mut lists: Vec<(Key, Vec<Part<'_>>)> = Vec::new();
        for part in parts {
            let key = Key::of(&part, &first_of_pieces);
            let transform = *groups.entry(key).or_insert(lists.len());
            match lists.get_mut(transform) {
                Some((_, list)) => list.push(part),
                None => lists.push((key, vec![part])),
            }
        }
        lists.sort_by_key(|(key, _)| match key.source {
            Source::Numbered(number, _) | Source::Pieces(number) => (key.solidity, 0, number),
            Source::Made(_) => (key.solidity, 1, 0),
        });
        self.count_lost(lists.iter().flat_map(|(_, parts)| parts));
        let mut surfaces: Vec<AnySurface> = Vec::with_capacity(lists.len());
        for (key, parts) in lists {
            let mut surface = self.surface(key, &parts, report)?;
            let field = format!("surfaces[{}]", surfaces.len());
            drop_not_finite(&mut surface, &field, report);
            let vertices = surface.surface.vertices.len();
            let pieces = split::surface(surface);
            if vertices > MAX_VERTICES {
                let how = match pieces.len() {
                    1 => "those that no triangle uses are left out".to_owned(),
                    count => format!("divided into {count} surfaces"),
                };
                let message =
                    format!("{vertices} vertices, but the game can index only {MAX_VERTICES}: {how}");
                report.warn(&warning::SURFACE_DIVIDED, message).in_field(field);
            }
            surfaces.extend(pieces);
        }
        Ok(surfaces)
    }

    fn surface(&mut self, key: Key, parts: &[Part<'_>], report: &mut Report) -> Result<AnySurface> {
        let first = parts.first().map(|part| part.primitive);
        let material = first.and_then(|primitive| self.scene.materials.get(primitive.material?.0));
        let Slots { texture, lightmap } = match (material, first) {
            (Some(material), Some(primitive)) => {
                slots(self.scene, material, &primitive.extras, &mut self.pictures, report)?
            }
            _ => Slots::empty(),
        };
        let surface = Surface { lightmap, texture, vertices: Vec::new(), triangles: Vec::new() };
        let mut out = AnySurface { surface, normals: Vec::new(), solidity: key.solidity };
        let mut pieces = Vec::new();
        for part in parts {
            let sets = Sets::of(part.primitive, material);
            let colors = self.colors(part.primitive, material, &out.surface);
            let vertices: Vec<Vertex> = (part.primitive.positions.iter().enumerate())
                .map(|(at, position)| Vertex {
                    position: self.settings.game_position(part.transform.point(*position)),
                    texture_uv: sets.texture.at(part.primitive, at),
                    lightmap_uv: sets.lightmap.at(part.primitive, at),
                    color: colors.get(at).copied().unwrap_or([255; 3]),
                })
                .collect();
            match key.source {
                Source::Pieces(_) => pieces.push(Piece::new(part.primitive, vertices, triangles(part))),
                _ => {
                    let normals = self.normals(part, vertices.len());
                    add(&mut out, Corners { vertices, normals, triangles: triangles(part) }, key.source);
                }
            }
        }
        if let Some((vertices, triangles)) = join(&pieces).filter(|_| !pieces.is_empty()) {
            (out.surface.vertices, out.surface.triangles) = (vertices, triangles);
            return Ok(out);
        }
        for Piece { vertices, triangles, .. } in pieces {
            add(&mut out, Corners { vertices, normals: Vec::new(), triangles }, key.source);
        }
        Ok(out)
    }

    /// The normals of a part in the axes of the game, where the dialect has normals: its own, or those of its triangles.
    fn normals(&self, part: &Part<'_>, count: usize) -> Vec<[f32; 3]> {
        if self.dialect != ImportDialect::RoomMesh2 {
            return Vec::new();
        }
        let Some(own) = part.primitive.normals.as_deref().filter(|own| own.len() == count) else {
            let positions = part.primitive.positions.iter();
            let position = |position: &[f32; 3]| Vertex {
                position: self.settings.game_position(part.transform.point(*position)),
                ..Vertex::default()
            };
            let vertices = positions.map(position).collect();
            let empty = Slots::empty();
            return normals_of(&Surface {
                lightmap: empty.lightmap,
                texture: empty.texture,
                vertices,
                triangles: triangles(part),
            });
        };
        own.iter()
            .map(|normal| axes::direction(part.transform.normal(*normal).to_array()).to_array())
            .collect()
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
        let (mut normals, mut sets, mut without_uvs) = (0_usize, 0_usize, 0_usize);
        // Other programs give all parts of a mesh as many sets as one of them has.
        let is_baked = self.scene.materials.iter().any(|material| Form::of(material) == Form::Baked);
        let used = if is_baked { 3 } else { 2 };
        for Part { primitive, .. } in parts {
            let material = primitive.material.map(|material| material.0);
            let material = material.and_then(|id| Some((id, self.scene.materials.get(id)?)));
            let is_unused = primitive.normals.is_some()
                && self.dialect != ImportDialect::RoomMesh2
                && !has_bumps(primitive, self.scene);
            normals = normals.saturating_add(usize::from(is_unused));
            let has_texture = material.is_some_and(|(_, material)| material.base_color_texture.is_some());
            without_uvs = without_uvs.saturating_add(usize::from(has_texture && primitive.uvs.is_empty()));
            sets = sets.saturating_add(primitive.uvs.len().saturating_sub(used));
            materials.extend(material);
        }
        let count = |is: fn(&Material) -> bool| materials.values().filter(|material| is(material)).count();
        let is_foreign = self.settings.origin.is_none();
        let lost = [
            ("lists of normals", normals),
            ("texture coordinate sets after the second", sets),
            ("primitives without texture coordinates", without_uvs),
            (
                "base colors of materials",
                count(|material| material.base_color != [1.0; 4] && material.base_color_texture.is_some()),
            ),
            ("back faces of materials", if is_foreign { count(has_opaque_back) } else { 0 }),
            (
                "emission of materials",
                count(|material| {
                    let glows = material.emissive != [0.0; 3] && material.shading == Shading::Lit;
                    glows && glowing_lightmap(material).is_none()
                }),
            ),
            ("metals", count(|material| material.metallic > 0.0)),
        ];
        for (what, count) in lost {
            self.lose(what, count);
        }
    }
}

/// Whether the game shows less of a material than another program: it draws the backs of transparent surfaces only.
fn has_opaque_back(material: &Material) -> bool {
    material.sidedness == Sidedness::Double && material.alpha == AlphaMode::Opaque
}

/// Whether a surface gets its light from a lightmap: the material shows one, or once did.
fn is_lightmapped(material: Option<&Material>, surface: &Surface) -> bool {
    let shows = |material: &Material| material.lightmap.is_some() || Form::of(material) == Form::Baked;
    match material {
        Some(material) if material.shading == Shading::Unlit => shows(material),
        _ => surface.lightmap.named().is_some(),
    }
}

/// Position and both texture coordinates of a corner, its color, and its normal if that counts.
type CornerBits = ([u32; 7], [u8; 3], Option<[u32; 3]>);

/// Adds a part. One that comes from another program has a vertex for each corner and normal; vertices that are the same without what
/// the room does not have are joined.
fn add(out: &mut AnySurface, part: Corners, source: Source) {
    let AnySurface { surface, normals, .. } = out;
    let Corners { vertices, normals: own, triangles } = part;
    let start = count(&surface.vertices);
    if matches!(source, Source::Numbered(..)) {
        surface.vertices.extend(vertices);
        normals.extend(own);
        let shifted = triangles.into_iter().map(|corners| corners.map(|corner| corner.saturating_add(start)));
        surface.triangles.extend(shifted);
        return;
    }
    let mut known: HashMap<CornerBits, u32> = HashMap::with_capacity(vertices.len());
    let mut places = Vec::with_capacity(vertices.len());
    for (at, vertex) in vertices.into_iter().enumerate() {
        let Vertex { position: [x, y, z], texture_uv: [u, v], lightmap_uv: [s, t], color } = vertex;
        let normal = own.get(at).copied();
        let key =
            ([x, y, z, u, v, s, t].map(f32::to_bits), color, normal.map(|normal| normal.map(f32::to_bits)));
        let place = *known.entry(key).or_insert_with(|| {
            let place = count(&surface.vertices);
            surface.vertices.push(vertex);
            normals.extend(normal);
            place
        });
        places.push(place);
    }
    let joined = |corner: u32| {
        usize::try_from(corner).ok().and_then(|corner| places.get(corner)).copied().unwrap_or_default()
    };
    surface.triangles.extend(triangles.into_iter().map(|corners| corners.map(joined)));
}

/// Leaves out triangles at positions that are no numbers any more, for a node that is scaled beyond all measure.
fn drop_not_finite(surface: &mut AnySurface, field: &str, report: &mut Report) {
    let Surface { vertices, triangles, .. } = &mut surface.surface;
    let is_finite = |position: &[f32; 3]| position.iter().all(|number| number.is_finite());
    if vertices.iter().all(|vertex| is_finite(&vertex.position)) {
        return;
    }
    let before = triangles.len();
    let at = |corner: &u32| usize::try_from(*corner).ok().and_then(|corner| vertices.get(corner));
    triangles.retain(|corners| {
        corners.iter().all(|corner| at(corner).is_some_and(|vertex| is_finite(&vertex.position)))
    });
    let dropped = before.saturating_sub(triangles.len());
    for vertex in vertices.iter_mut().filter(|vertex| !is_finite(&vertex.position)) {
        vertex.position = [0.0; 3];
    }
    let triangles = counted(dropped, "triangle", "triangles");
    let message = format!("{triangles} with a non-finite position left out");
    report.warn(&warning::NOT_FINITE, message).in_field(field);
}

fn count(vertices: &[Vertex]) -> u32 {
    u32::try_from(vertices.len()).unwrap_or(u32::MAX)
}

fn triangles(part: &Part<'_>) -> Vec<[u32; 3]> {
    wound(part.primitive, part.transform)
}

/// The triangles of a primitive, with the winding order of the game; once more where its place swaps left and right.
fn wound(primitive: &Primitive, transform: Transform) -> Vec<[u32; 3]> {
    let (triangles, _) = primitive.indices.as_chunks::<3>();
    let mirrored = transform.is_mirrored();
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
    InvisibleSurface { vertices: vertices.collect(), triangles: wound(primitive, transform) }
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
