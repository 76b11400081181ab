//! Collision of statics, from the archive of a map's models.

use scene::engine::Engine;

use super::*;
use crate::model::rob::Rob;

/// Returns the sample in which the collision byte of crates is replaced.
fn with_crates_of(collision: u8) -> Files {
    let mut files = sample();
    change(&mut files, "fxart/ISLAND.ROB", |bytes| {
        let mut rob = Rob::read(&bytes).unwrap();
        let segment = rob.segments.iter_mut().find(|it| it.header.name.text() == "CRATE01").unwrap();
        segment.header.collision = collision;
        rob.write().unwrap()
    });
    files
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
