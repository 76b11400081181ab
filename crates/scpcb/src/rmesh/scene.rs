//! A room as a scene: one mesh with a primitive for each surface in file order, and nodes for all that stands in it.

use std::sync::Arc;

use asset::{Choice, Context, FormatOption, Report, Target, Words};
use scene::{Mesh, Node, NodeId, Primitive, Scene};
use serde_json::{Map, Value, json};

use super::bake::Baker;
use super::keep;
use super::layout::{InvisibleSurface, Surface, TextureSlot, Vertex};
use super::material::{Blend, Look, Materials};
use super::node;
use super::texture::{Source, Textures, Use};
use super::{RMesh, warning};
use crate::axes;
use crate::ini::rooms;
use asset::counted;

/// How surfaces with a lightmap are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lightmaps {
    /// Texture and lightmap apart.
    Split,
    /// Both in one texture.
    Bake,
}

/// `--lightmaps`.
const LIGHTMAPS: Choice<Lightmaps> = Choice::new(
    "lightmaps",
    "How surfaces with a lightmap are written.",
    &[
        (
            "split",
            "texture and lightmap apart, as in the game; few viewers know the MOZ_lightmap that joins them",
        ),
        ("bake", "both in one unlit texture for each surface, right in any viewer"),
    ],
    &[Lightmaps::Split, Lightmaps::Bake],
);

/// `--with`.
const WITH: Words = Words::new(
    "with",
    "Adds what is not seen in the game, as nodes whose names end in -colonly.",
    &[
        ("collision", "invisible surfaces that stop the player"),
        ("triggers", "boxes that start an event when the player is in them"),
    ],
);

pub(super) const OPTIONS: &[FormatOption] = &[LIGHTMAPS.option(), WITH.option()];

/// The room with the images it names. What cannot be shown is reported.
pub(super) fn to_scene(
    room: &RMesh,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Scene {
    let scale = target.factor();
    let mut scene = Scene::new(target.stem);
    let mesh = mesh(room, &mut scene, context, target.stem, scale, report);
    let mesh = (!mesh.primitives.is_empty()).then(|| scene.add_mesh(mesh));
    if mesh.is_none() {
        report.warn(&warning::NO_SHAPE, "the room has no triangles that can be shown");
    }
    let root = scene.add_root(Node {
        name: target.stem.to_owned(),
        mesh,
        extras: extras(room, context, scale),
        ..Node::default()
    });
    node::add_entities(&mut scene, room, root, context, scale, report);
    add_invisible(&mut scene, room, root, context, scale, report);
    scene
}

/// What concerns the whole room.
fn extras(room: &RMesh, context: &Context<'_>, scale: f32) -> Map<String, Value> {
    let mut extras = Map::new();
    if let Some(entry) = rooms::of_room(context) {
        extras.insert("room".into(), Value::Object(entry));
    }
    extras.extend(keep::of_room(room, scale));
    extras
}

/// A surface with something to see, and the images it shows.
#[derive(Debug)]
pub(super) struct Seen<'a> {
    pub(super) surface: &'a Surface,
    pub(super) index: usize,
    /// Three for each triangle, turned over for glTF.
    pub(super) indices: Vec<u32>,
    pub(super) texture: Option<Arc<Source>>,
    pub(super) lightmap: Option<Arc<Source>>,
    pub(super) blend: Blend,
}

impl Seen<'_> {
    /// `surfaces[2]`.
    pub(super) fn field(&self) -> String {
        format!("surfaces[{}]", self.index)
    }
}

fn mesh(
    room: &RMesh,
    scene: &mut Scene,
    context: &Context<'_>,
    name: &str,
    scale: f32,
    report: &mut Report,
) -> Mesh {
    let (mut textures, mut materials) = (Textures::default(), Materials::default());
    let seen = see_all(room, &mut textures, context, report);
    let mut baker = is_baking(context).then(|| Baker::new(&seen, context));
    if baker.is_none() && seen.iter().any(|seen| seen.blend == Blend::Lightmapped) {
        let message = "few viewers show MOZ_lightmap; --lightmaps bake looks right in any viewer";
        report.warn(&warning::SPLIT, message);
    }
    let mut primitives = Vec::with_capacity(seen.len());
    for seen in seen {
        let vertices = &seen.surface.vertices;
        let mut extras = Map::new();
        extras.insert("surface".into(), json!(seen.index));
        let mut uvs = vec![
            vertices.iter().map(|vertex| sound_uv(vertex.texture_uv)).collect(),
            vertices.iter().map(|vertex| sound_uv(vertex.lightmap_uv)).collect(),
        ];
        let (material, colors) = match &mut baker {
            Some(baker) if seen.blend == Blend::Lightmapped => {
                let (material, baked_uvs) = baker.bake(&seen, scene, report);
                uvs.insert(0, baked_uvs);
                extras.insert("texcoords".into(), json!(["baked", "texture", "lightmap"]));
                (material, None)
            }
            _ => {
                let mut texture = |source: &Source| textures.of_source(scene, source);
                let look = Look {
                    blend: seen.blend,
                    texture: seen.texture.as_deref().map(&mut texture),
                    lightmap: seen.lightmap.as_deref().map(&mut texture),
                };
                (materials.get(scene, context, seen.surface, look), look.colors(vertices))
            }
        };
        extras.extend(keep::of_surface(seen.surface, seen.blend));
        primitives.push(Primitive {
            positions: vertices.iter().map(|vertex| sound_position(vertex.position, scale)).collect(),
            uvs,
            colors,
            indices: seen.indices,
            material: Some(material),
            extras,
            ..Primitive::default()
        });
    }
    if let Some(baker) = baker {
        baker.tell(report);
    }
    Mesh { name: name.to_owned(), primitives, ..Mesh::default() }
}

fn is_baking(context: &Context<'_>) -> bool {
    context.options.choice(&LIGHTMAPS) == Lightmaps::Bake
}

/// What there is to see of the room's surfaces.
pub(super) fn see_all<'a>(
    room: &'a RMesh,
    textures: &mut Textures,
    context: &Context<'_>,
    report: &mut Report,
) -> Vec<Seen<'a>> {
    let surfaces = room.surfaces.iter().enumerate();
    surfaces.filter_map(|(index, surface)| see(surface, index, textures, context, report)).collect()
}

/// What there is to see of a surface; nothing when no triangle of it is sound.
fn see<'a>(
    surface: &'a Surface,
    index: usize,
    textures: &mut Textures,
    context: &Context<'_>,
    report: &mut Report,
) -> Option<Seen<'a>> {
    let field = format!("surfaces[{index}]");
    let indices = sound_triangles(surface, &field, report);
    if indices.is_empty() {
        return None;
    }
    let mut images = |with_pixels: bool, report: &mut Report| {
        let mut get = |slot: &TextureSlot, use_, field: &str| {
            let name = slot.named()?;
            if with_pixels {
                textures.decodable(context, name, use_, field, report)
            } else {
                textures.source(context, name, use_, field, report)
            }
        };
        let texture = get(&surface.texture, Use::Texture, &format!("{field}.texture"));
        let lightmap = get(&surface.lightmap, Use::Lightmap, &format!("{field}.lightmap"));
        let found = texture.as_ref().is_some_and(|texture| !texture.is_stand_in());
        let blend = Blend::of(surface, found, lightmap.is_some());
        (texture, lightmap.filter(|_| blend == Blend::Lightmapped), blend)
    };
    let (mut texture, mut lightmap, mut blend) = images(false, report);
    if blend == Blend::Lightmapped && is_baking(context) {
        (texture, lightmap, blend) = images(true, report);
    }
    if blend == Blend::Lightmapped && surface.vertices.iter().any(|vertex| vertex.color != [255; 3]) {
        let message = "vertex colours under a lightmap are not shown";
        report.warn(&warning::UNUSED_LIGHT, message).in_field(field);
    }
    Some(Seen { surface, index, indices, texture, lightmap, blend })
}

/// The corners of the triangles that can be shown, turned over for glTF. Tells how many cannot.
fn sound_triangles(surface: &Surface, field: &str, report: &mut Report) -> Vec<u32> {
    let Surface { vertices, triangles, .. } = surface;
    let at = |corner: u32| usize::try_from(corner).ok().and_then(|corner| vertices.get(corner));
    let mut indices = Vec::with_capacity(triangles.len().saturating_mul(3));
    let (mut without_corner, mut not_finite) = (0_usize, 0_usize);
    for triangle in triangles {
        match triangle.map(at) {
            [Some(a), Some(b), Some(c)] => {
                if [a, b, c].iter().all(|vertex| is_finite(&vertex.position)) {
                    indices.extend(axes::winding(*triangle));
                } else {
                    not_finite = not_finite.saturating_add(1);
                }
            }
            _ => without_corner = without_corner.saturating_add(1),
        }
    }
    if without_corner > 0 {
        let triangles = counted(without_corner, "triangle names", "triangles name");
        let message =
            format!("{triangles} vertices beyond the {} there are, and are left out", vertices.len());
        report.warn(&warning::BAD_INDEX, message).in_field(field);
    }
    if not_finite > 0 {
        let triangles = counted(not_finite, "triangle has a corner", "triangles have a corner");
        let message = format!("{triangles} at a place that is not finite, and are left out");
        report.warn(&warning::NOT_FINITE, message).in_field(field);
    }
    let loose_uvs = vertices.iter().filter(|vertex| !has_finite_uvs(vertex)).count();
    if loose_uvs > 0 {
        let vertices = counted(loose_uvs, "vertex has", "vertices have");
        let message = format!("{vertices} texture coordinates that are not finite, and become 0");
        report.warn(&warning::NOT_FINITE, message).in_field(field);
    }
    indices
}

pub(super) fn is_finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}

pub(super) fn has_finite_uvs(vertex: &Vertex) -> bool {
    is_finite(&vertex.texture_uv) && is_finite(&vertex.lightmap_uv)
}

/// A place no triangle uses may be anything; glTF wants a number there too.
fn sound_position(position: [f32; 3], scale: f32) -> [f32; 3] {
    let mapped = axes::position(position) * scale;
    if mapped.is_finite() { mapped.to_array() } else { [0.0; 3] }
}

fn sound_uv(uv: [f32; 2]) -> [f32; 2] {
    uv.map(|number| if number.is_finite() { number } else { 0.0 })
}

/// Collision surfaces and trigger boxes, where asked for.
fn add_invisible(
    scene: &mut Scene,
    room: &RMesh,
    root: NodeId,
    context: &Context<'_>,
    scale: f32,
    report: &mut Report,
) {
    let mut left_out = Vec::new();
    if context.options.has_word(&WITH, "collision") {
        for (index, surface) in room.collision().iter().enumerate() {
            let mut extras = Map::new();
            extras.insert("collision".into(), json!(index));
            let field = format!("collision[{index}]");
            let primitives: Vec<_> = invisible(surface, scale, &field, report).into_iter().collect();
            add_colonly(scene, root, format!("collision_{index}-colonly"), primitives, extras);
        }
    } else if !room.collision().is_empty() {
        left_out.push(counted(room.collision().len(), "collision surface", "collision surfaces"));
    }
    if context.options.has_word(&WITH, "triggers") {
        for (index, trigger) in room.triggers().iter().enumerate() {
            let mut extras = Map::new();
            extras.insert("trigger".into(), json!({ "name": trigger.name }));
            let primitives = trigger
                .surfaces
                .iter()
                .enumerate()
                .filter_map(|(side, surface)| {
                    invisible(surface, scale, &format!("triggers[{index}].surfaces[{side}]"), report)
                })
                .collect();
            add_colonly(scene, root, format!("trigger_{index}-colonly"), primitives, extras);
        }
    } else if !room.triggers().is_empty() {
        left_out.push(counted(room.triggers().len(), "trigger box", "trigger boxes"));
    }
    if !left_out.is_empty() {
        let message = format!("left out: {}; --with collision,triggers adds them", left_out.join(" and "));
        report.warn(&warning::LEFT_OUT, message);
    }
}

fn add_colonly(
    scene: &mut Scene,
    root: NodeId,
    name: String,
    primitives: Vec<Primitive>,
    extras: Map<String, Value>,
) {
    let mesh = (!primitives.is_empty())
        .then(|| scene.add_mesh(Mesh { name: name.clone(), primitives, ..Mesh::default() }));
    scene.add_child(root, Node { name, mesh, extras, ..Node::default() });
}

/// An invisible surface as a primitive without a material; nothing when no triangle of it is sound.
fn invisible(surface: &InvisibleSurface, scale: f32, field: &str, report: &mut Report) -> Option<Primitive> {
    let as_seen = Surface {
        lightmap: TextureSlot::NONE,
        texture: TextureSlot::NONE,
        vertices: surface
            .vertices
            .iter()
            .map(|position| Vertex { position: *position, ..Vertex::default() })
            .collect(),
        triangles: surface.triangles.clone(),
    };
    let indices = sound_triangles(&as_seen, field, report);
    let positions = surface.vertices.iter().map(|position| sound_position(*position, scale)).collect();
    (!indices.is_empty()).then(|| Primitive { positions, indices, ..Primitive::default() })
}
