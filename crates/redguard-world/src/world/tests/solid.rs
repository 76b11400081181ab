//! Collision of statics, from the archive of a map's models.

use scene::Body;
use scene::engine::Engine;

use super::*;
use crate::map::warning;
use crate::model::Model;
use crate::model::rob::{Payload, Rob, SegmentHeader};
use proof::single_warning;

/// Returns the sample in which the models of crates are changed.
fn with_crates(edit: impl FnOnce(&mut SegmentHeader, &mut Payload)) -> Files {
    let mut files = sample();
    change(&mut files, "fxart/ISLAND.ROB", |bytes| {
        let mut rob = Rob::read(&bytes).unwrap();
        let segment = rob.segments.iter_mut().find(|it| it.header.name.text() == "CRATE01").unwrap();
        edit(&mut segment.header, &mut segment.payload);
        rob.write().unwrap()
    });
    files
}

/// Returns the sample in which the collision byte of crates is replaced.
fn with_crates_of(collision: u8) -> Files {
    with_crates(|header, _| header.collision = collision)
}

/// Returns the nodes of the collision shapes of statics.
fn shapes(scene: &Scene) -> Vec<&Node> {
    records(scene, "collision").into_iter().filter(|node| extras(node)["of"] == "statics").collect()
}

#[test]
fn statics_without_collision_are_never_solid_in_godot() {
    for (collision, name, collides_as) in [
        (0, "S000_CRATE01-col", Value::Null),
        (1, "S000_CRATE01-col", "actor".into()),
        (2, "S000_CRATE01", "none".into()),
        (3, "S000_CRATE01", "none".into()),
    ] {
        let mut scene = try_convert(&with_crates_of(collision), &[]).0.unwrap();
        scene.adapt_to(Engine::Godot);
        let node = named(&scene, name);
        assert!(node.mesh.is_some());
        assert_eq!(extras(node)["collides_as"], collides_as, "{collision}");
        // The other statics remain solid.
        assert!(scene.nodes.iter().any(|node| node.name.starts_with('S') && node.name.ends_with("-col")));
    }
}

#[test]
fn each_solid_static_has_a_collision_shape_at_its_position() {
    let scene = convert(&[("with", "collision")]);
    let statics = records(&scene, "statics");
    let shapes = shapes(&scene);
    assert_eq!(shapes.len(), statics.len());
    for (shape, shown) in shapes.iter().zip(&statics) {
        assert_eq!(shape.name, format!("C_{}-colonly", shown.name));
        assert_eq!(shape.to_parent(), shown.to_parent());
        assert_eq!(extras(shape)["index"], extras(shown)["index"]);
        assert_eq!((shape.body, shown.body), (Some(Body::Barrier), None), "only the shape is solid");
    }
    // The sample lists all faces of its models, and instances share a mesh.
    let triangles = |node: &Node| {
        let mesh = &scene.meshes[node.mesh.unwrap().0];
        mesh.primitives.iter().map(|primitive| primitive.indices.len()).sum::<usize>()
    };
    assert!(shapes.iter().zip(&statics).all(|(shape, shown)| triangles(shape) == triangles(shown)));
    let of_crates: Vec<_> = shapes.iter().filter(|it| it.name.contains("CRATE01")).collect();
    assert!(of_crates.len() > 1 && of_crates.iter().all(|it| it.mesh == of_crates[0].mesh));
    let alone = convert(&[("with", "collision"), ("without", "statics,objects")]);
    assert_eq!(self::shapes(&alone).len(), shapes.len());
}

#[test]
fn a_static_that_collides_like_an_actor_has_spheres_and_one_without_collision_has_no_shape() {
    let converted = |collision| try_convert(&with_crates_of(collision), &[("with", "collision")]).0.unwrap();
    let scene = converted(1);
    let shape = named(&scene, "C_S000_CRATE01");
    assert_eq!((extras(shape)["collides_as"].clone(), shape.mesh), ("actor".into(), None));
    let spheres = children(&scene, shape);
    assert!(!spheres.is_empty() && spheres.iter().all(|it| it.body == Some(Body::Barrier)));
    // The crate is 16 world units wide: its spheres have a radius of 8.
    assert!(spheres.iter().all(|it| (it.scale.x - 0.4).abs() < 1e-5), "{:?}", spheres[0].scale);
    let scene = converted(2);
    assert!(shapes(&scene).iter().all(|node| !node.name.contains("CRATE01")));
}

#[test]
fn statics_without_collision_faces_are_reported() {
    let without_nodes = with_crates(|_, payload| {
        let Payload::Model(model) = payload else { panic!() };
        let Model::Glide(model) = &mut **model else { panic!() };
        model.nodes.clear();
        (model.header.offset_section4, model.header.section4_count) = (0, 0);
    });
    let (scene, report) = try_convert(&without_nodes, &[("with", "collision")]);
    let message = single_warning(&report, &warning::PASSABLE);
    assert!(message.contains("statics have models without collision faces: CRATE01"), "{message}");
    assert!(shapes(&scene.unwrap()).iter().all(|node| !node.name.contains("CRATE01")));
    let (_, report) = try_convert(&without_nodes, &[]);
    assert!(report.is_empty(), "{report:?}");
}
