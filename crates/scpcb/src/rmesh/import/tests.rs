//! Tests of the import with conversions of rooms, edited ones, and scenes created from scratch.

mod any_room;
mod dialect;
mod edited;
mod new_room;
mod other_programs;

use std::sync::LazyLock;

use asset::{Code, Context, Install, Options, Report, Severity, Target};
use scene::gltf::{read, write_glb};
use scene::{Node, Scene};

use super::super::class::{self, Model, PlayerStart, Screen, SoundEmitter, Spotlight, Waypoint};
use super::super::layout::{Entity, InvisibleSurface, Surface, TextureKind, TextureSlot, TriggerBox, Vertex};
use super::super::{FORMAT, scene as room_scene, warning};
use super::*;

/// The scene of a room after a round trip through a GLB, with collision and triggers if requested, without images.
fn scene_with(room: &RMesh, options: &[(&str, &str)], scale: f64) -> Scene {
    let given: Vec<_> =
        options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options::parse(FORMAT.options, &given).unwrap();
    let install = Install::empty();
    let context = Context { install: &install, location: None, options: &options };
    let target = Target::new("room", scale);
    let scene = room_scene::to_scene(room, &context, &target, &mut Report::new());
    let read = read(&write_glb(&scene).unwrap(), &mut |_| None).unwrap();
    assert!(read.left_out.is_empty());
    read.scene
}

/// The sample room, built once.
fn sample() -> RMesh {
    static SAMPLE: LazyLock<RMesh> = LazyLock::new(crate::sample::room);
    SAMPLE.clone()
}

fn scene_of(room: &RMesh) -> Scene {
    scene_with(room, &[("with", "collision,triggers")], 1.0)
}

fn room_of(scene: &Scene) -> (RMesh, Report) {
    let mut report = Report::new();
    let room = RMesh::from_scene(scene, None, &mut report).unwrap();
    (room, report)
}

/// Imports a scene with options.
fn pack(read: &Read, extension: &str, given: &[(&str, &str)]) -> Result<(Imported, Report)> {
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options::parse(ImportOptions::DECLARED, &given)?;
    let name = format!("new.{extension}");
    let mut report = Report::new();
    let imported =
        import(&SceneFile { read, extension, name: &name, options: &options, base: None }, &mut report)?;
    Ok((imported, report))
}

fn single_warning(report: &Report, code: &Code) -> Vec<String> {
    report.iter().filter(|found| found.code.id == code.id).map(|found| found.message.clone()).collect()
}

fn slot(kind: TextureKind, name: &str) -> TextureSlot {
    TextureSlot { kind, name: Some(name.into()) }
}

fn vertex(x: f32, color: u8) -> Vertex {
    Vertex { position: [x, 0.5, -2.0], texture_uv: [x, 2.0], lightmap_uv: [0.5, x], color: [color; 3] }
}

/// A triangle with the given vertex colors.
fn surface(texture: TextureSlot, lightmap: TextureSlot, colors: [u8; 3]) -> Surface {
    let vertices = [(0.0, colors[0]), (1.0, colors[1]), (3.5, colors[2])].map(|(x, color)| vertex(x, color));
    Surface { lightmap, texture, vertices: vertices.to_vec(), triangles: vec![[0, 1, 2]] }
}

fn room_with(surfaces: Vec<Surface>, entities: Vec<Entity>) -> RMesh {
    RMesh { surfaces, entities: Some(entities), ..RMesh::new() }
}

#[test]
fn the_sample_round_trips_identically() {
    let room = sample();
    let (again, report) = room_of(&scene_of(&room));
    assert_eq!(again, room);
    assert_eq!(again.write().unwrap(), room.write().unwrap());
    assert_eq!(report.count(Severity::Warning), 0, "{report:?}");
}

#[test]
fn colors_too_bright_for_color_0_are_restored_from_the_extras() {
    let (texture, none) = (slot(TextureKind::OPAQUE, "a.jpg"), slot(TextureKind::OPAQUE, ""));
    let lightmap = slot(TextureKind::LIGHTMAP, "lm.png");
    let surfaces = vec![
        surface(texture.clone(), none.clone(), [3, 130, 254]),
        surface(texture.clone(), none.clone(), [3, 7, 127]),
        surface(texture.clone(), none, [255; 3]),
        surface(texture, lightmap, [9, 99, 199]),
    ];
    let room = room_with(surfaces, Vec::new());
    let scene = scene_of(&room);
    let primitives = &scene.meshes[0].primitives;
    assert_eq!(primitives[0].extras["colors"], "030303828282fefefe");
    assert_eq!(
        [1, 2].map(|index: usize| primitives[index].extras.get("colors")),
        [None; 2],
        "they are not needed"
    );
    assert_eq!(room_of(&scene).0, room);
}

#[test]
fn surfaces_with_missing_images_keep_their_different_names() {
    let named = |lightmap| {
        surface(slot(TextureKind::TRANSPARENT, "glass.png"), slot(TextureKind::OPAQUE, lightmap), [255; 3])
    };
    let room = room_with(vec![named("a_lm1.png"), named("a_lm2.png"), named("")], Vec::new());
    let mut scene = scene_of(&room);
    assert_eq!(room_of(&scene).0, room);
    // Other programs drop the extras of primitives.
    scene.meshes[0].primitives.iter_mut().for_each(|primitive| primitive.extras.clear());
    assert_eq!(room_of(&scene).0, room);
}

#[test]
fn a_scaled_scene_is_converted_back_to_game_units() {
    let mut room = sample();
    room.entities = Some(vec![Entity::Model(Model {
        file: "lamp.x".into(),
        position: [256.0, 128.0, -64.0],
        rotation: [0.0, 90.0, 0.0],
        scale: [35.0, 52.0, 50.0],
    })]);
    let scene = scene_with(&room, &[("with", "collision,triggers")], 4.0);
    assert_eq!(scene.nodes[0].extras["scale"], 4.0);
    assert_eq!(room_of(&scene).0, room);
}

#[test]
fn unread_bytes_are_kept_unless_the_scene_has_more_items() {
    let mut room = sample();
    (room.triggers, room.entities, room.rest) = (None, None, Bytes::from(vec![1, 2, 3]));
    let mut scene = scene_of(&room);
    let (again, report) = room_of(&scene);
    assert_eq!((&again, report.count(Severity::Warning)), (&room, 0));

    let root = scene.roots[0];
    scene.add_child(root, Node::named("waypoint_0"));
    let (again, report) = room_of(&scene);
    assert_eq!((again.entities().len(), &*again.rest), (1, TRAILER));
    assert_eq!(
        single_warning(&report, &warning::IMPORT_LOST),
        ["3 unread bytes discarded: the scene has more items now"]
    );
}

#[test]
fn a_truncated_room_keeps_its_declared_entity_count() {
    let room = RMesh { unread_entities: 4, rest: Bytes::from(vec![9]), ..RMesh::new() };
    assert_eq!(room_of(&scene_of(&room)).0, room);
}

#[test]
fn classes_of_other_editors_keep_their_bytes() {
    let custom = Entity::Custom("elevator".into(), Bytes::from(vec![0, 255, 7]));
    let room = room_with(Vec::new(), vec![custom]);
    let mut scene = scene_of(&room);
    assert_eq!(room_of(&scene).0, room);

    let fields = json::json!({ "class": "door", "angle": 90.0 });
    scene.nodes[1].extras.insert("entity".into(), fields);
    let (again, report) = room_of(&scene);
    assert!(again.entities().is_empty());
    assert_eq!(
        single_warning(&report, &warning::NO_FIELDS),
        ["the node \"elevator_0\" has no fields of the class door and is left out"]
    );
}

#[test]
fn missing_items_of_the_scene_are_reported() {
    let room = sample();
    let (again, report) = room_of(&scene_with(&room, &[], 1.0));
    assert!(again.collision().is_empty() && again.triggers().is_empty());
    let found = single_warning(&report, &warning::MISSING);
    assert!(
        found[0].ends_with("the scene has 0; convert with --with collision,triggers to keep them"),
        "{found:?}"
    );
    assert_eq!(found.len(), 2);

    let mut scene = scene_of(&room);
    scene.nodes.iter_mut().for_each(|node| node.children.retain(|child| child.0 % 2 == 0));
    assert!(!single_warning(&room_of(&scene).1, &warning::MISSING).is_empty());
}

#[test]
fn triangles_that_gltf_does_not_support_are_lost() {
    let mut broken = surface(slot(TextureKind::OPAQUE, "a.jpg"), TextureSlot::NONE, [255; 3]);
    broken.triangles.push([0, 1, 7]);
    broken.vertices.push(Vertex { position: [f32::NAN; 3], color: [255; 3], ..Vertex::default() });
    let room = room_with(vec![broken.clone()], Vec::new());
    broken.triangles.pop();
    broken.vertices[3].position = [0.0, 0.0, -0.0];
    assert_eq!(room_of(&scene_of(&room)).0.surfaces, [broken]);
}

/// A room with a floor so long that its baked texture is cut, with unordered vertices.
fn long_room() -> RMesh {
    let mut vertices = Vec::new();
    for column in 0..=40_u8 {
        for side in [0.0, 1.0] {
            let along = f32::from(column);
            vertices.push(Vertex {
                position: [along * 256.0, 0.0, side * 256.0],
                texture_uv: [along * 4.0, side],
                lightmap_uv: [along / 41.0, side],
                color: [column, 7, 9],
            });
        }
    }
    // A vertex without triangles.
    vertices.insert(5, Vertex::default());
    let at = |number: u32| if number < 5 { number } else { number + 1 };
    let triangles = (0..40).rev().flat_map(|column| {
        let first = column * 2;
        [[0, 1, 3], [0, 3, 2]].map(|corners| corners.map(|corner| at(first + corner)))
    });
    let lightmap = slot(TextureKind::LIGHTMAP, "hall_lm1.png");
    let surface = Surface {
        lightmap,
        texture: slot(TextureKind::OPAQUE, "tiles.png"),
        vertices,
        triangles: triangles.collect(),
    };
    let other = Surface { triangles: surface.triangles[..2].to_vec(), ..surface.clone() };
    room_with(vec![surface, other], Vec::new())
}

fn baked_scene_of(room: &RMesh) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let mut sink = asset::MemorySink::new();
    crate::sample::write(&mut sink).unwrap();
    for (path, bytes) in sink.into_files() {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let path = folder.path().join(crate::sample::ROOM);
    static GAMES: &[&asset::GameInfo] = &[&crate::GAME];
    let install = asset::game::install_around(&path, GAMES).unwrap();
    let given =
        [("lightmaps", "bake"), ("density", "4096")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let options = Options::parse(FORMAT.options, &given).unwrap();
    let context = Context { install: &install, location: install.location_of(&path), options: &options };
    let scene = room_scene::to_scene(room, &context, &Target::new("room", 1.0), &mut Report::new());
    read(&write_glb(&scene).unwrap(), &mut |_| None).unwrap().scene
}

#[test]
fn a_surface_with_several_baked_textures_is_reassembled() {
    let room = long_room();
    let scene = baked_scene_of(&room);
    assert!(scene.meshes[0].primitives.len() > 2, "nothing was cut");
    assert_eq!(room_of(&scene).0.surfaces, room.surfaces);
}

#[test]
fn edited_pieces_still_become_one_surface() {
    let mut scene = baked_scene_of(&long_room());
    scene.meshes[0].primitives[0].indices.truncate(30);
    let (room, _) = room_of(&scene);
    assert_eq!(room.surfaces.len(), 2);
    assert!(room.surfaces[0].triangles.len() < 80 && room.surfaces[0].triangles.len() > 20);
}
