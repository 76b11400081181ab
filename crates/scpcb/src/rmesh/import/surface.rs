//! Surfaces from primitives.

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
use crate::import::uv::transformed;

/// A primitive with its transform.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedPrimitive<'a> {
    pub(super) primitive: &'a Primitive,
    pub(super) transform: Transform,
    pub(super) solidity: Solidity,
}

/// The key that identifies a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    solidity: Solidity,
    source: Source,
}

/// The part of the key that identifies a surface among the solid or the render-only ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// The original index, and the material.
    Numbered(u64, Option<usize>),
    /// The original index of a surface with several baked textures.
    Pieces(u64),
    /// The material; the first one if several belong to the pieces of one surface.
    Unnumbered(Option<usize>),
}

impl Key {
    fn of(placed: &PlacedPrimitive<'_>, first_of_pieces: &[usize]) -> Self {
        let PlacedPrimitive { primitive, solidity, .. } = placed;
        let material = primitive.material.map(|material| material.0);
        let number = |name: &str| primitive.extras.get(name).and_then(Value::as_u64);
        let render_only = number("render_surface");
        let solidity = if render_only.is_some() { Solidity::RenderOnly } else { *solidity };
        let source = match render_only.or_else(|| number("surface")) {
            Some(number) if is_piece(primitive) => Source::Pieces(number),
            Some(number) => Source::Numbered(number, material),
            None => {
                let first = |material| first_of_pieces.get(material).copied().unwrap_or(material);
                Source::Unnumbered(material.map(first))
            }
        };
        Self { solidity, source }
    }
}

/// For each material, the first one of the same baked surface. A surface with several baked textures has one material for each, and other
/// programs drop the numbers of its pieces.
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

/// Vertices of a primitive, with their normals if the dialect has normals.
#[derive(Debug, Default)]
struct Corners {
    vertices: Vec<Vertex>,
    normals: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Import<'_> {
    /// All surfaces: numbered ones in their order, then the others in the order of the scene.
    pub(super) fn surfaces(&mut self, report: &mut Report) -> Result<Vec<AnySurface>> {
        let primitives = std::mem::take(&mut self.found.primitives);
        let first_of_pieces = first_of_pieces(self.scene);
        let mut groups: BTreeMap<Key, usize> = BTreeMap::new();
        let mut lists: Vec<(Key, Vec<PlacedPrimitive<'_>>)> = Vec::new();
        for placed in primitives {
            let key = Key::of(&placed, &first_of_pieces);
            let number = *groups.entry(key).or_insert(lists.len());
            match lists.get_mut(number) {
                Some((_, list)) => list.push(placed),
                None => lists.push((key, vec![placed])),
            }
        }
        lists.sort_by_key(|(key, _)| match key.source {
            Source::Numbered(number, _) | Source::Pieces(number) => (key.solidity, 0, number),
            Source::Unnumbered(_) => (key.solidity, 1, 0),
        });
        self.count_unsupported(lists.iter().flat_map(|(_, primitives)| primitives));
        let mut surfaces: Vec<AnySurface> = Vec::with_capacity(lists.len());
        for (key, primitives) in lists {
            let mut surface = self.surface(key, &primitives, report)?;
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

    fn surface(
        &mut self,
        key: Key,
        primitives: &[PlacedPrimitive<'_>],
        report: &mut Report,
    ) -> Result<AnySurface> {
        let first = primitives.first().map(|placed| placed.primitive);
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
        for placed in primitives {
            let sets = Sets::of(placed.primitive, material);
            let colors = self.colors(placed.primitive, material, &out.surface);
            let vertices: Vec<Vertex> = (placed.primitive.positions.iter().enumerate())
                .map(|(at, position)| Vertex {
                    position: self.settings.game_position(placed.transform.point(*position)),
                    texture_uv: sets.texture.at(placed.primitive, at),
                    lightmap_uv: sets.lightmap.at(placed.primitive, at),
                    color: colors.get(at).copied().unwrap_or([255; 3]),
                })
                .collect();
            match key.source {
                Source::Pieces(_) => pieces.push(Piece::new(placed.primitive, vertices, triangles(placed))),
                _ => {
                    let normals = self.normals(placed, vertices.len());
                    add(&mut out, Corners { vertices, normals, triangles: triangles(placed) }, key.source);
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

    /// The normals of a primitive in the game's axes, if the dialect has normals: its own, or normals computed from its triangles.
    fn normals(&self, placed: &PlacedPrimitive<'_>, count: usize) -> Vec<[f32; 3]> {
        if self.dialect != ImportDialect::RoomMesh2 {
            return Vec::new();
        }
        let Some(own) = placed.primitive.normals.as_deref().filter(|own| own.len() == count) else {
            let positions = placed.primitive.positions.iter();
            let position = |position: &[f32; 3]| Vertex {
                position: self.settings.game_position(placed.transform.point(*position)),
                ..Vertex::default()
            };
            let vertices = positions.map(position).collect();
            let empty = Slots::empty();
            return normals_of(&Surface {
                lightmap: empty.lightmap,
                texture: empty.texture,
                vertices,
                triangles: triangles(placed),
            });
        };
        own.iter()
            .map(|normal| axes::direction(placed.transform.normal(*normal).to_array()).to_array())
            .collect()
    }

    /// The vertex colors: white if the game does not show them and none are stored.
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
                self.add_loss(
                    "bright vertex colors",
                    colors.iter().filter(|color| color.contains(&HALF)).count(),
                );
            }
            return colors;
        };
        light.iter().zip(stored).map(|(light, stored)| factor.color(*light, Some(stored))).collect()
    }

    /// Counts features that rooms do not support.
    fn count_unsupported<'p>(&mut self, primitives: impl Iterator<Item = &'p PlacedPrimitive<'p>>) {
        let mut materials: BTreeMap<usize, &Material> = BTreeMap::new();
        let (mut normals, mut sets, mut without_uvs) = (0_usize, 0_usize, 0_usize);
        // Other programs give all primitives of a mesh the same number of sets.
        let is_baked = self.scene.materials.iter().any(|material| Form::of(material) == Form::Baked);
        let used = if is_baked { 3 } else { 2 };
        for PlacedPrimitive { primitive, .. } in primitives {
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
            self.add_loss(what, count);
        }
    }
}

/// Whether the game shows less of a material than other programs: it draws back faces of transparent surfaces only.
fn has_opaque_back(material: &Material) -> bool {
    material.sidedness == Sidedness::Double && material.alpha == AlphaMode::Opaque
}

/// Whether a surface is lit by a lightmap: its material has one, or had one.
fn is_lightmapped(material: Option<&Material>, surface: &Surface) -> bool {
    let shows = |material: &Material| material.lightmap.is_some() || Form::of(material) == Form::Baked;
    match material {
        Some(material) if material.shading == Shading::Unlit => shows(material),
        _ => surface.lightmap.named().is_some(),
    }
}

/// Position and both texture coordinates of a corner, its color, and its normal if used.
type CornerBits = ([u32; 7], [u8; 3], Option<[u32; 3]>);

/// Adds a primitive. One from another program has a vertex for each corner and normal; vertices that are equal in everything that a
/// room stores are merged.
fn add(out: &mut AnySurface, placed: Corners, source: Source) {
    let AnySurface { surface, normals, .. } = out;
    let Corners { vertices, normals: own, triangles } = placed;
    let start = count(&surface.vertices);
    if matches!(source, Source::Numbered(..)) {
        surface.vertices.extend(vertices);
        normals.extend(own);
        let shifted = triangles.into_iter().map(|corners| corners.map(|corner| corner.saturating_add(start)));
        surface.triangles.extend(shifted);
        return;
    }
    let mut known: HashMap<CornerBits, u32> = HashMap::with_capacity(vertices.len());
    let mut indices = Vec::with_capacity(vertices.len());
    for (at, vertex) in vertices.into_iter().enumerate() {
        let Vertex { position: [x, y, z], texture_uv: [u, v], lightmap_uv: [s, t], color } = vertex;
        let normal = own.get(at).copied();
        let key =
            ([x, y, z, u, v, s, t].map(f32::to_bits), color, normal.map(|normal| normal.map(f32::to_bits)));
        let index = *known.entry(key).or_insert_with(|| {
            let index = count(&surface.vertices);
            surface.vertices.push(vertex);
            normals.extend(normal);
            index
        });
        indices.push(index);
    }
    let joined = |corner: u32| {
        usize::try_from(corner).ok().and_then(|corner| indices.get(corner)).copied().unwrap_or_default()
    };
    surface.triangles.extend(triangles.into_iter().map(|corners| corners.map(joined)));
}

/// Drops triangles with positions that overflowed, for a node with an extreme scale.
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

fn triangles(placed: &PlacedPrimitive<'_>) -> Vec<[u32; 3]> {
    wound(placed.primitive, placed.transform)
}

/// The triangles of a primitive in the game's winding order, reversed again if the transform mirrors.
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

/// A texture coordinate set and its transform.
#[derive(Debug, Clone, Copy)]
struct Uvs {
    set: usize,
    moved: Option<scene::UvTransform>,
}

impl Sets {
    fn of(primitive: &Primitive, material: Option<&Material>) -> Self {
        let untransformed = |set| Uvs { set, moved: None };
        if let Some(names) = primitive.extras.get("texcoords").and_then(Value::as_array) {
            let find = |name: &str, usual| names.iter().position(|known| known == name).unwrap_or(usual);
            return Self {
                texture: untransformed(find("texture", 0)),
                lightmap: untransformed(find("lightmap", 1)),
            };
        }
        if Self::is_baked(primitive, material) {
            return Self { texture: untransformed(1), lightmap: untransformed(2) };
        }
        let of = |texture: Option<TextureRef>, usual| {
            texture
                .map_or(untransformed(usual), |texture| Uvs { set: texture.uv_set, moved: texture.transform })
        };
        let texture = of(material.and_then(|material| material.base_color_texture), 0);
        let lightmap = material.and_then(|material| {
            material.lightmap.map(|lightmap| lightmap.texture).or_else(|| glowing_lightmap(material))
        });
        Self { texture, lightmap: of(lightmap, 1) }
    }

    /// Whether the first set is for a texture with a baked lightmap.
    fn is_baked(primitive: &Primitive, material: Option<&Material>) -> bool {
        primitive.uvs.len() >= 3 && material.is_some_and(|material| Form::of(material) == Form::Baked)
    }
}

impl Uvs {
    /// The coordinates of a vertex; 0 if there are none.
    fn at(self, primitive: &Primitive, at: usize) -> [f32; 2] {
        let uv = primitive.uvs.get(self.set).and_then(|uvs| uvs.get(at)).copied().unwrap_or_default();
        transformed(uv, self.moved)
    }
}
