//! Round trips of real rooms through scenes.

use crate::conversion;
use std::path::{Path, PathBuf};

use antiquary_scpcb::rmesh::{FORMAT, RMesh};
use asset::{Report, Severity};
use rayon::prelude::*;

/// Number of rooms in the public corpus, one of them empty.
const ROOMS: usize = 69;

fn rooms() -> Vec<(PathBuf, Vec<u8>)> {
    let Some(folder) = corpus::folder("scpcb") else { return Vec::new() };
    let files = corpus::files(&folder, "rmesh", ROOMS);
    let read = |path: PathBuf| (path.clone(), std::fs::read(path).unwrap());
    files.into_iter().map(read).filter(|(_, bytes)| !bytes.is_empty()).collect()
}

/// Returns the room as a GLB with everything in it.
fn converted(path: &Path, room: &RMesh, lightmaps: &str, scale: f64) -> Vec<u8> {
    converted_for(path, room, "none", lightmaps, scale)
}

/// Returns the room as a GLB for an engine.
fn converted_for(path: &Path, room: &RMesh, preset: &str, lightmaps: &str, scale: f64) -> Vec<u8> {
    let given = [("with", "collision,triggers"), ("lightmaps", lightmaps), ("preset", preset)];
    conversion::glb(&FORMAT, room, path, &given, scale)
}

fn imported(glb: &[u8]) -> (RMesh, Report) {
    let read = scene::gltf::read(glb, &mut |_| None).unwrap();
    // Bump maps are in the table of materials, not in a room.
    let of_bump_maps = ["normal textures", "attributes TANGENT"];
    let others: Vec<_> =
        read.left_out.iter().filter(|it| !of_bump_maps.contains(&it.what.as_str())).collect();
    assert!(others.is_empty(), "{others:?}");
    let mut report = Report::new();
    let room = RMesh::from_scene(&read.scene, None, &mut report).unwrap();
    (room, report)
}

#[test]
fn scene_of_every_room_round_trips() {
    let rooms = rooms();
    let identical = rooms.par_iter().map(|(path, bytes)| {
        let room = RMesh::read(bytes, &mut Report::new()).unwrap();
        let (again, report) = imported(&converted(path, &room, "layers", 1.0));
        assert_same(&room, &again, &path.display().to_string());
        assert_eq!(report.count(Severity::Warning), 0, "{}: {report:?}", path.display());
        usize::from(again.write().unwrap() == *bytes)
    });
    let identical: usize = identical.sum();
    println!("{identical} of {} rooms are identical", rooms.len());
    assert!(rooms.is_empty() || identical >= ROOMS - 1, "only {identical} rooms");
}

/// Asserts equality field by field, so that the message contains the location of a difference.
fn assert_same(expected: &RMesh, found: &RMesh, at: &str) {
    assert_eq!(expected.header, found.header, "{at}");
    assert_eq!(expected.surfaces.len(), found.surfaces.len(), "{at}");
    for (index, (expected, found)) in expected.surfaces.iter().zip(&found.surfaces).enumerate() {
        let at = format!("{at} surfaces[{index}]");
        assert_eq!((&expected.texture, &expected.lightmap), (&found.texture, &found.lightmap), "{at}");
        assert_eq!(expected.triangles, found.triangles, "{at}");
        assert_eq!(expected.vertices.len(), found.vertices.len(), "{at}");
        for (number, (expected, found)) in expected.vertices.iter().zip(&found.vertices).enumerate() {
            assert_eq!(expected, found, "{at}.vertices[{number}]");
        }
    }
    assert_eq!(expected.collision, found.collision, "{at}");
    assert_eq!(expected.triggers, found.triggers, "{at}");
    for (index, (expected, found)) in expected.entities().iter().zip(found.entities()).enumerate() {
        assert_eq!(expected, found, "{at} entities[{index}]");
    }
    assert_eq!(expected.entities().len(), found.entities().len(), "{at}");
    assert_eq!(expected.rest, found.rest, "{at}");
}

#[test]
fn rooms_for_engines_round_trip() {
    let presets = ["godot", "unity", "unreal", "blender"];
    let rooms = rooms();
    let one_each = if corpus::is_full() { 1 } else { 4 };
    rooms.par_iter().enumerate().for_each(|(index, (path, bytes))| {
        let room = RMesh::read(bytes, &mut Report::new()).unwrap();
        for (number, preset) in
            presets.iter().enumerate().filter(|(number, _)| (index + number) % one_each == 0)
        {
            let at = format!("{} for {preset}", path.display());
            // Baking takes a while.
            let lightmaps = if (index + number) % 24 == 0 { "bake" } else { "layers" };
            let (again, report) = imported(&converted_for(path, &room, preset, lightmaps, 1.0));
            assert_same(&room, &again, &at);
            assert_eq!(report.count(Severity::Warning), 0, "{at}: {report:?}");
            assert!(again.write().unwrap() == *bytes, "{at}");
        }
    });
}

#[test]
fn rooms_with_baked_light_round_trip() {
    // Baking takes a while: a few are enough.
    for (path, bytes) in rooms().iter().step_by(if corpus::is_full() { 1 } else { 22 }) {
        let room = RMesh::read(bytes, &mut Report::new()).unwrap();
        let (again, _) = imported(&converted(path, &room, "bake", 1.0));
        assert_same(&room, &again, &path.display().to_string());
        assert!(again.write().unwrap() == *bytes, "{}", path.display());
    }
}

#[test]
fn rooms_in_another_unit_round_trip() {
    for (path, bytes) in rooms().iter().step_by(9) {
        let room = RMesh::read(bytes, &mut Report::new()).unwrap();
        // A power of two is exact.
        assert_same(&room, &imported(&converted(path, &room, "layers", 0.25)).0, &path.display().to_string());
        let (tenfold, _) = imported(&converted(path, &room, "layers", 10.0));
        for (expected, found) in room.surfaces.iter().zip(&tenfold.surfaces) {
            for (expected, found) in expected.vertices.iter().zip(&found.vertices) {
                let is_near = |(expected, found): (&f32, &f32)| {
                    (expected - found).abs() <= 1e-6 * expected.abs().max(1.0)
                };
                assert!(expected.position.iter().zip(&found.position).all(is_near), "{}", path.display());
            }
        }
    }
}
