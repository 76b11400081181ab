//! A room as a scene: one mesh with a primitive per surface in file order, and nodes for its entities.

use asset::preset::PRESET;
use asset::{Choice, Context, Number, Report, Target, Words};
use json::{Map, Value, json};
use scene::{Body, Engine, Layer, Mesh, Node, NodeId, Primitive, Scene};

use super::bake::{self, BakedSurface, BakedTexture};
use super::extras;
use super::layout::{InvisibleSurface, Surface, TextureSlot, Vertex};
use super::material::{Blend, MaterialKey, Materials};
use super::node;
use super::texture::{Source, Textures, Use};
use super::visible::VisibleSurface;
use super::{RMesh, warning};
use crate::axes;
use crate::ini::rooms;
use asset::counted;

/// The conversion of surfaces with a lightmap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lightmaps {
    /// Texture and lightmap combined in one texture.
    Bake,
    /// Texture and lightmap as two layers of a material.
    Layers,
    /// Only the texture.
    None,
}

impl Lightmaps {
    /// The requested conversion. A conversion that is only checked computes no textures.
    fn of(context: &Context<'_>, target: &Target<'_>) -> Self {
        match context.options.choice(&LIGHTMAPS) {
            Self::Bake if target.is_checked_only => Self::Layers,
            chosen => chosen,
        }
    }
}

/// `--lightmaps`.
const LIGHTMAPS: Choice<Lightmaps> = Choice::new(
    "lightmaps",
    "How to write surfaces with a lightmap.",
    &[
        ("bake", "texture and lightmap combined into unlit textures; looks right in any viewer"),
        (
            "layers",
            "separate texture and lightmap, as in the game, for engines; few viewers support the MOZ_lightmap extension that links them",
        ),
        ("none", "only the texture, on a material that is lit by the lights of the viewer or engine"),
    ],
    &[Lightmaps::Bake, Lightmaps::Layers, Lightmaps::None],
)
.with_aliases(&[("split", "layers")])
.in_viewers("layers");

/// Geometry of a room that is invisible in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnseenGeometry {
    /// Invisible surfaces that stop the player.
    Collision,
    /// Boxes that trigger an event while the player is inside.
    Triggers,
}

/// `--with`.
const WITH: Words<UnseenGeometry> = Words::new(
    "with",
    "Geometry to add that is invisible in the game. Without --preset, the names of its nodes end in -colonly.",
    &[
        ("collision", "invisible surfaces that stop the player"),
        ("triggers", "boxes that trigger an event while the player is inside"),
    ],
    &[UnseenGeometry::Collision, UnseenGeometry::Triggers],
)
.with_presets(&[
    (Engine::Godot, "collision,triggers"),
    (Engine::Unity, "collision,triggers"),
    (Engine::Unreal, "collision,triggers"),
    (Engine::Blender, "collision,triggers"),
])
.as_layers();

/// `--density`.
const DENSITY: Number = Number::new(
    "density",
    "Maximum number of pixels per meter of baked textures. 0: by the size of the room, at least 128. Textures are never enlarged.",
    0.0,
    0.0,
    4096.0,
);

/// `--quality`.
const QUALITY: Number =
    Number::new("quality", "JPEG quality of baked textures; 100 for lossless PNG files.", 89.0, 1.0, 100.0);

asset::format_options! {
    /// Options of the conversion from a room to a scene.
    pub struct RoomOptions {
        /// Conversion of surfaces with a lightmap.
        lightmaps: Lightmaps = LIGHTMAPS;
        /// Maximum pixels per meter of baked textures; 0 to choose by the size of the room.
        density: f64 = DENSITY;
        /// JPEG quality of baked textures, from 1 to 100; 100 writes lossless PNG files.
        quality: f64 = QUALITY;
        /// Geometry that is invisible in the game.
        with: &[UnseenGeometry] = WITH;
        /// The target program of the scene; it sets the defaults of other options.
        preset: Option<::scene::Engine> = PRESET;
    }
}

/// Converts the room with the images it refers to. Reports what cannot be converted.
pub(super) fn to_scene(
    room: &RMesh,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Scene {
    to_scene_with(room, room.surfaces.len(), context, target, report)
}

/// Like [`to_scene`], for a room in which only the first `solid_surfaces` surfaces stop the player.
pub(super) fn to_scene_with(
    room: &RMesh,
    solid_surfaces: usize,
    context: &Context<'_>,
    target: &Target<'_>,
    report: &mut Report,
) -> Scene {
    let scale = target.factor();
    let mut scene = Scene::new(target.name);
    let shown = primitives(room, solid_surfaces, &mut scene, (context, target), report);
    if shown.is_empty() {
        report.warn(&warning::NO_GEOMETRY, "the room has no triangles to convert");
    }
    let root = scene.add_root(Node { extras: extras(room, context, scale), ..Node::named(target.name) });
    add_shown(&mut scene, root, target.name, shown, context);
    node::add_entities(&mut scene, room, root, context, scale, report);
    add_invisible(&mut scene, room, root, context, scale, report);
    scene
}

/// The extras of the room.
fn extras(room: &RMesh, context: &Context<'_>, scale: f32) -> Map<String, Value> {
    let mut extras = Map::new();
    if let Some(entry) = rooms::of_room(context) {
        extras.insert("room".into(), Value::Object(entry));
    }
    extras.extend(extras::of_room(room, scale));
    extras
}

/// A visible primitive of the room, and whether it stops the player.
struct ShownPrimitive {
    primitive: Primitive,
    is_solid: bool,
}

/// Adds the visible primitives to the room's node; for a game engine, to one node for solid and one for passable primitives.
fn add_shown(scene: &mut Scene, root: NodeId, name: &str, shown: Vec<ShownPrimitive>, context: &Context<'_>) {
    let add = |scene: &mut Scene, node: NodeId, name: &str, primitives: Vec<Primitive>| {
        let mesh = Mesh { name: name.to_owned(), primitives, ..Mesh::default() };
        let mesh = (!mesh.primitives.is_empty()).then(|| scene.add_mesh(mesh));
        if let Some(node) = scene.nodes.get_mut(node.0) {
            node.mesh = mesh;
        }
    };
    if context.options.engine().is_none() {
        add(scene, root, name, shown.into_iter().map(|shown| shown.primitive).collect());
        return;
    }
    let (solid, passable): (Vec<_>, Vec<_>) = shown.into_iter().partition(|shown| shown.is_solid);
    for (shown, what, body) in [(solid, "solid", Some(Body::Solid)), (passable, "passable", None)] {
        if !shown.is_empty() {
            let name = format!("{name}_{what}");
            let node = scene.add_child(root, Node { body, ..Node::named(name.as_str()) });
            add(scene, node, &name, shown.into_iter().map(|shown| shown.primitive).collect());
        }
    }
}

fn primitives(
    room: &RMesh,
    solid_surfaces: usize,
    scene: &mut Scene,
    (context, target): (&Context<'_>, &Target<'_>),
    report: &mut Report,
) -> Vec<ShownPrimitive> {
    let scale = target.factor();
    let lightmaps = Lightmaps::of(context, target);
    let (mut textures, mut materials) = (Textures::default(), Materials::default());
    let visible = visible_surfaces(room, &mut textures, lightmaps, context, report);
    let has_layers = lightmaps == Lightmaps::Layers && !target.is_checked_only;
    if has_layers && visible.iter().any(|visible| visible.blend == Blend::Lightmapped) {
        let message =
            "few viewers support MOZ_lightmap; without --lightmaps layers, the result looks right everywhere";
        report.warn(&warning::LAYERS, message);
    }
    let baked = match lightmaps {
        Lightmaps::Bake => bake::bake(&visible, settings(context), context, scene, report),
        Lightmaps::Layers | Lightmaps::None => Vec::new(),
    };
    let mut baked = baked.into_iter();
    let mut primitives = Vec::with_capacity(visible.len());
    for visible in visible {
        // The game creates collision from opaque surfaces.
        let is_solid = visible.blend != Blend::Transparent && visible.index < solid_surfaces;
        if let Some(BakedSurface { textures }) = baked.next().flatten() {
            let is_complete = matches!(textures.as_slice(), [one] if one.subset.is_complete());
            primitives.extend(textures.into_iter().map(|texture| {
                let primitive = baked_primitive(&visible, texture, is_complete, scale);
                ShownPrimitive { primitive, is_solid }
            }));
            continue;
        }
        let mut texture = |source: &Source| textures.of_source(scene, source);
        let material_key = MaterialKey {
            blend: visible.blend,
            texture: visible.texture.as_deref().map(&mut texture),
            lightmap: match lightmaps {
                Lightmaps::None => None,
                Lightmaps::Bake | Lightmaps::Layers => visible.lightmap.as_deref().map(&mut texture),
            },
        };
        let field = visible.field();
        let material = materials.get(scene, context, (visible.surface, &field), material_key, report);
        let has_bumps = scene.materials.get(material.0).is_some_and(|it| it.normal_texture.is_some());
        let vertices = &visible.surface.vertices;
        let mut primitive = Primitive {
            positions: vertices.iter().map(|vertex| finite_position(vertex.position, scale)).collect(),
            uvs: uvs(vertices).into(),
            colors: material_key.colors(vertices),
            indices: visible.indices,
            material: Some(material),
            ..Primitive::default()
        };
        primitive.extras.insert("surface".into(), json!(visible.index));
        let split = if has_bumps { primitive.add_tangents(0) } else { None };
        primitive.extras.extend(match split {
            Some(numbers) => extras::of_split_vertices(vertices, visible.blend, &numbers, &primitive),
            None => extras::of_vertices(vertices, visible.blend),
        });
        primitives.push(ShownPrimitive { primitive, is_solid });
    }
    primitives
}

/// The texture coordinates of texture and lightmap.
fn uvs(vertices: &[Vertex]) -> [Vec<[f32; 2]>; 2] {
    [
        vertices.iter().map(|vertex| finite_uv(vertex.texture_uv)).collect(),
        vertices.iter().map(|vertex| finite_uv(vertex.lightmap_uv)).collect(),
    ]
}

/// The subset of a surface in a baked texture, as a primitive. If it is not the entire surface, the numbers of its vertices and triangles
/// are in the extras.
fn baked_primitive(
    visible: &VisibleSurface<'_>,
    BakedTexture { material, subset }: BakedTexture,
    is_complete: bool,
    scale: f32,
) -> Primitive {
    let all = &visible.surface.vertices;
    let vertex = |number: &u32| usize::try_from(*number).ok().and_then(|number| all.get(number)).copied();
    let vertices: Vec<Vertex> =
        subset.vertices.iter().map(|number| vertex(number).unwrap_or_default()).collect();
    let mut extras = Map::new();
    extras.insert("surface".into(), json!(visible.index));
    extras.insert("texcoords".into(), json!(["baked", "texture", "lightmap"]));
    if !is_complete {
        extras.insert("vertices".into(), json!(subset.vertices));
        extras.insert("triangles".into(), json!(subset.triangles));
    }
    extras.extend(extras::of_vertices(&vertices, visible.blend));
    let [texture_uvs, lightmap_uvs] = uvs(&vertices);
    Primitive {
        positions: vertices.iter().map(|vertex| finite_position(vertex.position, scale)).collect(),
        uvs: vec![subset.uvs, texture_uvs, lightmap_uvs],
        indices: subset.indices,
        material: Some(material),
        extras,
        ..Primitive::default()
    }
}

/// The settings for baking.
fn settings(context: &Context<'_>) -> bake::Settings {
    let per_meter = context.options.number(&DENSITY);
    bake::Settings::new(per_meter, context.options.number(&QUALITY))
}

/// The visible surfaces of the room.
pub(super) fn visible_surfaces<'a>(
    room: &'a RMesh,
    textures: &mut Textures,
    lightmaps: Lightmaps,
    context: &Context<'_>,
    report: &mut Report,
) -> Vec<VisibleSurface<'a>> {
    let surfaces = room.surfaces.iter().enumerate();
    surfaces
        .filter_map(|(index, surface)| {
            visible_surface((surface, index), textures, lightmaps, context, report)
        })
        .collect()
}

/// A visible surface; `None` if none of its triangles is valid.
fn visible_surface<'a>(
    (surface, index): (&'a Surface, usize),
    textures: &mut Textures,
    lightmaps: Lightmaps,
    context: &Context<'_>,
    report: &mut Report,
) -> Option<VisibleSurface<'a>> {
    let field = format!("surfaces[{index}]");
    let indices = valid_triangles(surface, &field, report);
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
        let found = texture.as_ref().is_some_and(|texture| !texture.is_placeholder());
        let blend = Blend::of(surface, found, lightmap.is_some());
        (texture, lightmap.filter(|_| blend == Blend::Lightmapped), blend)
    };
    let (mut texture, mut lightmap, mut blend) = images(false, report);
    if blend == Blend::Lightmapped && lightmaps == Lightmaps::Bake {
        (texture, lightmap, blend) = images(true, report);
    }
    if blend == Blend::Lightmapped && surface.vertices.iter().any(|vertex| vertex.color != [255; 3]) {
        let message = "vertex colors are ignored on surfaces with a lightmap";
        report.warn(&warning::UNUSED_LIGHT, message).in_field(field);
    }
    Some(VisibleSurface { surface, index, indices, texture, lightmap, blend })
}

/// The vertex indices of the valid triangles, in glTF's winding order. Reports the invalid ones.
fn valid_triangles(surface: &Surface, field: &str, report: &mut Report) -> Vec<u32> {
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
        let triangles = counted(without_corner, "triangle refers", "triangles refer");
        let message = format!("{triangles} to vertices beyond the last of {} and left out", vertices.len());
        report.warn(&warning::BAD_INDEX, message).in_field(field);
    }
    if not_finite > 0 {
        let triangles = counted(not_finite, "triangle", "triangles");
        let message = format!("{triangles} with a non-finite position left out");
        report.warn(&warning::NOT_FINITE, message).in_field(field);
    }
    let invalid_uvs = vertices.iter().filter(|vertex| !has_finite_uvs(vertex)).count();
    if invalid_uvs > 0 {
        let vertices = counted(invalid_uvs, "vertex has", "vertices have");
        let message = format!("{vertices} non-finite texture coordinates; using 0");
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

/// Replaces non-finite positions, which unused vertices may have, because glTF requires finite numbers.
fn finite_position(position: [f32; 3], scale: f32) -> [f32; 3] {
    let mapped = axes::position(position) * scale;
    if mapped.is_finite() { mapped.to_array() } else { [0.0; 3] }
}

fn finite_uv(uv: [f32; 2]) -> [f32; 2] {
    uv.map(|number| if number.is_finite() { number } else { 0.0 })
}

/// Adds collision surfaces and trigger boxes, if requested.
fn add_invisible(
    scene: &mut Scene,
    room: &RMesh,
    root: NodeId,
    context: &Context<'_>,
    scale: f32,
    report: &mut Report,
) {
    let mut left_out = Vec::new();
    if context.options.has(&WITH, &UnseenGeometry::Collision) {
        for (index, surface) in room.collision().iter().enumerate() {
            let mut extras = Map::new();
            extras.insert("collision".into(), json!(index));
            let field = format!("collision[{index}]");
            let primitives: Vec<_> = invisible(surface, scale, &field, report).into_iter().collect();
            add_unseen(scene, root, ("collision", index, Body::Barrier), primitives, extras);
        }
    } else if !room.collision().is_empty() {
        left_out.push(counted(room.collision().len(), "collision surface", "collision surfaces"));
    }
    if context.options.has(&WITH, &UnseenGeometry::Triggers) {
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
            add_unseen(scene, root, ("trigger", index, Body::Trigger), primitives, extras);
        }
    } else if !room.triggers().is_empty() {
        left_out.push(counted(room.triggers().len(), "trigger box", "trigger boxes"));
    }
    if !left_out.is_empty() {
        let message =
            format!("left out: {}; use --with collision,triggers to include them", left_out.join(" and "));
        report.warn(&warning::LEFT_OUT, message);
    }
}

/// Adds invisible geometry, with a name suffix of Godot, which other engines replace.
fn add_unseen(
    scene: &mut Scene,
    root: NodeId,
    (noun, index, body): (&str, usize, Body),
    primitives: Vec<Primitive>,
    extras: Map<String, Value>,
) {
    let name = format!("{noun}_{index}-colonly");
    let mesh = (!primitives.is_empty())
        .then(|| scene.add_mesh(Mesh { name: name.clone(), primitives, ..Mesh::default() }));
    let layer = if body == Body::Trigger { "triggers" } else { "collision" };
    let (body, layer) = (Some(body), Some(Layer::Member(layer.into())));
    scene.add_child(root, Node { name, mesh, body, layer, extras, ..Node::default() });
}

/// Converts an invisible surface to a primitive without a material; `None` if none of its triangles is valid.
fn invisible(surface: &InvisibleSurface, scale: f32, field: &str, report: &mut Report) -> Option<Primitive> {
    let surface_with_slots = Surface {
        lightmap: TextureSlot::NONE,
        texture: TextureSlot::NONE,
        vertices: surface
            .vertices
            .iter()
            .map(|position| Vertex { position: *position, ..Vertex::default() })
            .collect(),
        triangles: surface.triangles.clone(),
    };
    let indices = valid_triangles(&surface_with_slots, field, report);
    let positions = surface.vertices.iter().map(|position| finite_position(*position, scale)).collect();
    (!indices.is_empty()).then(|| Primitive { positions, indices, ..Primitive::default() })
}
