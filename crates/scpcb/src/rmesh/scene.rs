//! A room as a scene: one mesh with a primitive for each surface in file order, and nodes for all that stands in it.

use asset::{Context, FormatOption, OptionValue, OutputKind, Report, Sink, Target};
use record::Result;
use scene::{Mesh, Node, NodeId, Primitive, Scene};
use serde_json::{Map, Value, json};

use super::RMesh;
use super::describe::counted;
use super::layout::{InvisibleSurface, Surface, Vertex};
use super::material::{Look, Materials};
use super::node;
use super::texture::{Textures, Use};
use super::warning;
use crate::axes;
use crate::ini::rooms;

pub(super) const OPTIONS: &[FormatOption] = &[FormatOption {
    name: "with",
    about: "Adds what is not seen in the game, as nodes whose names end in -colonly.",
    value: OptionValue::Words {
        values: &[
            ("collision", "invisible surfaces that stop the player"),
            ("triggers", "boxes that start an event when the player is in them"),
        ],
    },
}];

/// Writes the room in the form that was asked for.
pub(super) fn export(
    room: &RMesh,
    context: &Context<'_>,
    target: &Target<'_>,
    sink: &mut dyn Sink,
    report: &mut Report,
) -> Result<()> {
    let wrong = |error: scene::Error| asset::from_scene(&error);
    match (target.output.kind, target.output.extension) {
        (OutputKind::Data, _) => sink.put(&target.main_name(), &record::json::to_vec(room)?),
        (_, "gltf") => {
            let scene = to_scene(room, context, target, report);
            for (name, bytes) in scene::gltf::write_gltf(&scene, target.stem).map_err(wrong)? {
                sink.put(&name, &bytes)?;
            }
            Ok(())
        }
        _ => {
            let scene = to_scene(room, context, target, report);
            sink.put(&target.main_name(), &scene::gltf::write_glb(&scene).map_err(wrong)?)
        }
    }
}

/// The room with the images it names. What cannot be shown is reported.
fn to_scene(room: &RMesh, context: &Context<'_>, target: &Target<'_>, report: &mut Report) -> Scene {
    #[expect(clippy::as_conversions, reason = "a factor for lengths: single precision is what they have")]
    let scale = target.scale as f32;
    let mut scene = Scene::new(target.stem);
    let mesh = mesh(room, &mut scene, context, target.stem, scale, report);
    let mesh = (!mesh.primitives.is_empty()).then(|| scene.add_mesh(mesh));
    if mesh.is_none() {
        report.warn(&warning::NO_SHAPE, "the room has no triangles that can be shown");
    }
    let root = scene.add_root(Node {
        name: target.stem.to_owned(),
        mesh,
        extras: extras(room, context),
        ..Node::default()
    });
    node::add_entities(&mut scene, room, root, context, scale, report);
    add_invisible(&mut scene, room, root, context, scale, report);
    scene
}

/// What concerns the whole room.
fn extras(room: &RMesh, context: &Context<'_>) -> Map<String, Value> {
    let mut extras = Map::new();
    if let Some(entry) = rooms::of_room(context) {
        extras.insert("room".into(), Value::Object(entry));
    }
    extras.insert("header".into(), room.header.text().into());
    extras.insert("rest".into(), serde_json::to_value(&room.rest).unwrap_or_default());
    extras
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
    let mut primitives = Vec::with_capacity(room.surfaces.len());
    for (index, surface) in room.surfaces.iter().enumerate() {
        let field = format!("surfaces[{index}]");
        let indices = sound_triangles(surface, &field, report);
        if indices.is_empty() {
            continue;
        }
        let look = look(surface, &mut textures, scene, context, &field, report);
        let material = materials.get(scene, context, surface, look);
        let vertices = &surface.vertices;
        if look.lightmap.is_some() && vertices.iter().any(|vertex| vertex.color != [255; 3]) {
            let message = "vertex colours under a lightmap are not shown";
            report.warn(&warning::UNUSED_LIGHT, message).in_field(field.as_str());
        }
        let mut extras = Map::new();
        extras.insert("surface".into(), json!(index));
        primitives.push(Primitive {
            positions: vertices.iter().map(|vertex| sound_position(vertex.position, scale)).collect(),
            uvs: vec![
                vertices.iter().map(|vertex| sound_uv(vertex.texture_uv)).collect(),
                vertices.iter().map(|vertex| sound_uv(vertex.lightmap_uv)).collect(),
            ],
            colors: look.colors(vertices),
            indices,
            material: Some(material),
            extras,
            ..Primitive::default()
        });
    }
    Mesh { name: name.to_owned(), primitives, ..Mesh::default() }
}

fn look(
    surface: &Surface,
    textures: &mut Textures,
    scene: &mut Scene,
    context: &Context<'_>,
    field: &str,
    report: &mut Report,
) -> Look {
    let mut get = |slot: &super::TextureSlot, use_, field: &str| {
        let name = slot.named()?;
        textures.get(scene, context, name, use_, field, report)
    };
    let texture = get(&surface.texture, Use::Texture, &format!("{field}.texture"));
    let lightmap = get(&surface.lightmap, Use::Lightmap, &format!("{field}.lightmap"));
    let found = texture.is_some_and(|texture| !textures.is_stand_in(texture));
    Look::new(surface, texture, found, lightmap)
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
    if context.options.has_word("with", "collision") {
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
    if context.options.has_word("with", "triggers") {
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
        lightmap: super::TextureSlot::NONE,
        texture: super::TextureSlot::NONE,
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
