//! Collision geometry in the scenes of models, and imports of these scenes.

use asset::Report;
use proof::{exported, single_warning};
use scene::engine::Engine;
use scene::gltf::Read;

use super::*;
use crate::model::import::ImportTarget;
use crate::model::rob::{Payload, Rob};
use crate::model::solid::{Solid, SolidCorner, SolidFace};
use crate::model::{FaceRef, FaceTexture, Version, warning};
use crate::world::model::FORMAT;

/// A crate with six square faces.
fn crate_of_sides() -> Solid {
    let mut vertices = Vec::new();
    for y in [-16.0, 0.0] {
        vertices.extend([[-8.0, y, -8.0], [8.0, y, -8.0], [8.0, y, 8.0], [-8.0, y, 8.0]]);
    }
    let side = |side: [u32; 4]| SolidFace {
        corners: side.map(|vertex| SolidCorner { vertex, uv: [0; 2], normal: [0.0; 3] }).to_vec(),
        texture: FaceTexture::Color(7),
    };
    let sides = [[0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0], [3, 0, 1, 2], [4, 7, 6, 5]];
    Solid { frames: vec![vertices], faces: sides.map(side).to_vec() }
}

/// A model whose nodes list these faces.
fn listing(version: Version, lists: &[&[u16]]) -> Model {
    let mut model = crate_of_sides().glide(version);
    let first = model.nodes[0].clone();
    let reference = |face: &u16| FaceRef { face_times_4: face * 4, offset: None };
    let node =
        |list: &&[u16]| crate::model::Node { faces: list.iter().map(reference).collect(), ..first.clone() };
    model.nodes = lists.iter().map(node).collect();
    Model::read(&Model::Glide(model).write().unwrap()).unwrap()
}

fn read(bytes: &[u8]) -> Read {
    scene::gltf::read(bytes, &mut |_| None).unwrap()
}

/// Converts a model with its collision geometry.
fn converted(model: &Model) -> (Read, Report) {
    let (sink, report) = exported(&FORMAT, model, "glb", &[("with", "collision")]);
    (read(sink.get("out.glb").unwrap()), report)
}

fn find<'s>(scene: &'s Scene, name: &str) -> Option<&'s Node> {
    scene.nodes.iter().find(|node| node.name == name)
}

fn mesh_of<'s>(scene: &'s Scene, node: &Node) -> &'s Mesh {
    &scene.meshes[node.mesh.unwrap().0]
}

#[test]
fn each_listed_face_is_shown_once_in_the_order_of_its_first_reference() {
    let model = listing(Version::V5_0, &[&[4, 0], &[0, 99, 2, 4]]);
    assert_eq!(model.collision_faces(), [4, 0, 2]);
    assert_eq!(Model::Software(crate_of_sides().software()).collision_faces(), [0; 0]);
    let (read, report) = converted(&model);
    assert_eq!(report.count_of(&warning::PASSABLE), 0);
    let node = find(&read.scene, "C_out-colonly").unwrap();
    assert_eq!((&node.extras["layer"], &node.extras["collides_as"]), (&"collision".into(), &"faces".into()));
    let [primitive] = &mesh_of(&read.scene, node).primitives[..] else { panic!() };
    assert_eq!((primitive.indices.len(), primitive.positions.len()), (3 * 2 * 3, 8));
    // The first listed face is the top, which faces up.
    let corner = |index: u32| glam::Vec3::from(primitive.positions[usize::try_from(index).unwrap()]);
    let [a, b, c] = [0, 1, 2].map(|at| corner(primitive.indices[at]));
    assert!((b - a).cross(c - a).normalize().distance(glam::Vec3::Y) < 1e-5, "{a} {b} {c}");
    assert!((a.y - 0.8).abs() < 1e-5);
    // Only on request.
    let (sink, _) = exported(&FORMAT, &model, "glb", &[]);
    assert_eq!(read_scene_names(sink.get("out.glb").unwrap()), ["out"]);
}

fn read_scene_names(bytes: &[u8]) -> Vec<String> {
    read(bytes).scene.nodes.into_iter().map(|node| node.name).collect()
}

#[test]
fn nodes_that_the_game_does_not_load_are_not_solid() {
    let (read, report) = converted(&listing(Version::V4_0, &[&[0, 1]]));
    let message = single_warning(&report, &warning::PASSABLE);
    assert!(message.contains("the game does not load the collision nodes of v4.0 models"), "{message}");
    let node = find(&read.scene, "C_out").unwrap();
    assert_eq!((&node.extras["loaded_by_game"], node.mesh.is_some()), (&false.into(), true));
    for model in [listing(Version::V5_0, &[]), Model::Software(crate_of_sides().software())] {
        let (read, report) = converted(&model);
        let message = single_warning(&report, &warning::PASSABLE);
        assert!(message.contains("the model has no collision faces"), "{message}");
        assert_eq!(read.scene.nodes.len(), 1);
    }
}

#[test]
fn faces_with_missing_vertices_are_left_out() {
    let mut model = crate_of_sides().glide(Version::V5_0);
    model.faces[1].corners[0].vertex = 1000;
    let model = Model::read(&Model::Glide(model).write().unwrap()).unwrap();
    let (read, _) = converted(&model);
    let node = find(&read.scene, "C_out-colonly").unwrap();
    assert_eq!(mesh_of(&read.scene, node).primitives[0].indices.len(), 5 * 6);
}

#[test]
fn an_unedited_scene_with_collision_geometry_is_the_original_again() {
    for version in [Version::V4_0, Version::V5_0] {
        let model = listing(version, &[&[4, 0], &[2]]);
        let (read, _) = converted(&model);
        let mut report = Report::new();
        let back = Model::from_scene(&read, ImportTarget::Static, None, &mut report).unwrap();
        assert!(report.is_empty() && back.write().unwrap() == model.write().unwrap(), "{report:?}");
    }
}

#[test]
fn collision_shapes_of_other_programs_are_dropped_with_a_warning() {
    let (mut read, _) = converted(&listing(Version::V5_0, &[&[0]]));
    let node = read.scene.nodes.iter_mut().find(|node| node.name == "C_out-colonly").unwrap();
    node.extras.clear();
    node.name.push_str(".001");
    let mut report = Report::new();
    let back = Model::from_scene(&read, ImportTarget::Static, None, &mut report).unwrap();
    assert_eq!(back.face_count(), 6);
    let message = single_warning(&report, &warning::IMPORT_LOST);
    assert!(message.contains("collision shapes (1 dropped)"), "{message}");
}

/// The archive of the sample in which the crate has this collision byte.
fn archive(collision: u8) -> Rob {
    let files = {
        let mut sink = asset::MemorySink::new();
        crate::sample::write(&mut sink).unwrap();
        sink
    };
    let mut rob = Rob::read(files.get("fxart/ISLAND.ROB").unwrap()).unwrap();
    rob.segments.retain(|segment| matches!(segment.payload, Payload::Model(_)));
    let segment = rob.segments.iter_mut().find(|it| it.header.name.text() == "CRATE01").unwrap();
    segment.header.collision = collision;
    Rob::read(&rob.write().unwrap()).unwrap()
}

#[test]
fn models_of_an_archive_collide_by_their_collision_byte() {
    for (collision, shape) in [(0, Some("C_CRATE01-colonly")), (1, Some("C_CRATE01_0-colonly")), (2, None)] {
        let rob = archive(collision);
        let (sink, _) = exported(&crate::model::rob::FORMAT, &rob, "glb", &[("with", "collision")]);
        let read = read(sink.get("out.glb").unwrap());
        let of_crate: Vec<&str> = read
            .scene
            .nodes
            .iter()
            .map(|node| node.name.as_str())
            .filter(|name| name.starts_with("C_CRATE01") && name.ends_with(SUFFIX))
            .collect();
        assert_eq!(of_crate.first().copied(), shape, "{of_crate:?}");
        let mut report = Report::new();
        let back = Rob::from_scene(&read, None, &mut report).unwrap();
        assert!(back.write().unwrap() == rob.write().unwrap(), "{report:?}");
        let (sink, _) = exported(
            &crate::model::rob::FORMAT,
            &rob,
            "glb",
            &[("with", "collision"), ("segments", "apart")],
        );
        let names = read_scene_names(sink.get("out/CRATE01.glb").unwrap());
        assert!(shape.is_none_or(|shape| names.iter().any(|name| name == shape)), "{names:?}");
    }
}

#[test]
fn blender_gets_a_collection_of_collision_geometry() {
    let mut scene = Scene::new("out");
    let root = scene.add_root(Node::named("out"));
    let model = listing(Version::V5_0, &[&[0]]);
    let options = MeshOptions {
        scale: 1.0,
        style: crate::model::scene::DrawStyle::default(),
        axes: crate::axes::Axes::default(),
        interpretation: crate::model::Interpretation::default(),
        bank: None,
        is_restorable: false,
        is_still: false,
    };
    assert!(CollisionMeshes::default().add_to_model(&mut scene, (root, "out"), &model, options));
    scene.adapt_to(Engine::Blender);
    let names: Vec<&str> = scene.collections.iter().map(|collection| collection.name.as_str()).collect();
    assert!(names.contains(&"collision"), "{names:?}");
    assert!(find(&scene, "C_out").is_some());
}
