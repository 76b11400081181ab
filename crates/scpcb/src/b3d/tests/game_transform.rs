//! Scale and orientation of characters and items in the game.

use std::fs;

use ::scene::Scene;
use asset::{Context, Options, Report};
use glam::{Quat, Vec3};

use super::{Triangles, Vertex, Vertices, model, node, triangle, with_vertices};
use crate::b3d::{B3d, FORMAT, to_scene};
use crate::model::game_transform;

/// Converts a model with this name in this folder of a game with this table of characters.
fn scene_at(folder: &str, name: &str, table: Option<&str>) -> (Scene, Report) {
    scene_of_at(&model(vec![node("body", vec![triangle(-1)])]), folder, name, table)
}

/// Like [`scene_at`], with a given model.
fn scene_of_at(file: &B3d, folder: &str, name: &str, table: Option<&str>) -> (Scene, Report) {
    let game = tempfile::tempdir().unwrap();
    for folder in ["Data", "GFX/map", folder] {
        fs::create_dir_all(game.path().join(folder)).unwrap();
    }
    if let Some(table) = table {
        fs::write(game.path().join("Data/NPCs.ini"), table).unwrap();
    }
    let path = game.path().join(folder).join(name);
    fs::write(&path, b"").unwrap();
    let install = asset::game::install_around(&path, crate::tests::GAMES).unwrap();
    let options = Options::defaults(FORMAT.options);
    let context = Context { install: &install, location: install.location_of(&path), options: &options };
    let mut report = Report::new();
    let mut scene = to_scene(file, &context, "m", 2.0, &mut report);
    game_transform::apply(&mut scene, &context, 2.0, &mut report);
    (scene, report)
}

fn root_of(scene: &Scene) -> (Vec3, Quat, Option<&str>) {
    let root = &scene.nodes[scene.roots[0].0];
    let from = root.extras.get("game_scale_from").and_then(|it| it.as_str());
    (root.scale, root.rotation, from)
}

#[test]
fn scales_a_character_by_the_table_and_turns_it_upright() {
    let table = "[MTF]\nscale = 0.5\n";
    let (scene, report) = scene_at("GFX/npcs", "MTF2.b3d", Some(table));
    assert!(report.is_empty(), "{report:?}");
    let (scale, rotation, from) = root_of(&scene);
    assert!(scale.abs_diff_eq(Vec3::splat(0.5 / 2.5 * 256.0), 1e-4), "{scale}");
    // The file is Z up: its Z axis becomes Y.
    assert!((rotation * Vec3::NEG_Z).abs_diff_eq(Vec3::Y, 1e-6), "{}", rotation * Vec3::NEG_Z);
    assert_eq!(from, Some("Data/NPCs.ini"));
    for table in [None, Some("[MTF]\nscale = none\n"), Some("[MTF]\nscale = -1\n")] {
        let (scene, _) = scene_at("GFX/npcs", "mtf2.B3D", table);
        assert!(root_of(&scene).0.abs_diff_eq(Vec3::splat(0.29 / 2.5 * 256.0), 1e-4), "{table:?}");
        assert_eq!(root_of(&scene).2, Some("the game's code"));
    }
}

#[test]
fn images_of_characters_of_known_size_share_a_frame() {
    let frame = |folder: &str, name: &str| scene_at(folder, name, None).0.shared_frame;
    // The scale factor is 2.
    assert_eq!(frame("GFX/npcs", "guard.b3d"), Some(4.0));
    assert_eq!((frame("GFX/npcs", "unknown.b3d"), frame("GFX/items", "key.b3d")), (None, None));
}

#[test]
fn scales_by_the_size_of_the_mesh() {
    let (scene, report) = scene_at("GFX/npcs", "classd.b3d", None);
    assert!(report.is_empty(), "{report:?}");
    let positions = &scene.meshes[0].primitives[0].positions;
    let (least, most) = positions.iter().fold((f32::MAX, f32::MIN), |(a, b), [x, ..]| (a.min(*x), b.max(*x)));
    // The scale factor of the scene does not count.
    let wide = (most - least) * root_of(&scene).0.x / 2.0;
    assert!((wide - 0.5).abs() < 1e-5, "{wide}");
}

#[test]
fn recognizes_a_character_outside_of_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("SCP-049.b3d");
    fs::write(&path, b"").unwrap();
    let install = asset::game::install_around(&path, crate::tests::GAMES).unwrap();
    let options = Options::defaults(FORMAT.options);
    let context = Context { install: &install, location: install.location_of(&path), options: &options };
    let (mut scene, mut report) = (Scene::new("m"), Report::new());
    scene.add_root(::scene::Node::named("m"));
    game_transform::apply(&mut scene, &context, 1.0, &mut report);
    assert!(report.is_empty() && root_of(&scene).0.abs_diff_eq(Vec3::splat(1.2 * 256.0), 1e-3));
}

#[test]
fn scales_items_and_warns_about_unknown_ones() {
    let (scene, report) = scene_at("GFX/items", "NVG.b3d", None);
    assert!(report.is_empty() && root_of(&scene).0.abs_diff_eq(Vec3::splat(0.02 * 256.0), 1e-4));
    let (scene, report) = scene_at("GFX/items", "bird.b3d", None);
    assert_eq!((report.count_of(&crate::model::warning::UNKNOWN_SIZE), root_of(&scene).0), (1, Vec3::ONE));
    // Models in rooms use the unit of rooms, whatever their names.
    let (scene, report) = scene_at("GFX/map/Props", "NVG.b3d", None);
    assert!(report.is_empty() && root_of(&scene).0 == Vec3::ONE);
}

/// Returns a model whose mesh has these extents (units of the file) and number of triangles, in a node with this name.
fn model_with_extents(extents: [f32; 3], triangles: usize, name: &str) -> B3d {
    let [x, _, z] = extents;
    let corners = [[0.0; 3], extents, [x, 0.0, z]];
    let vertices = corners.map(|position| Vertex { position, ..Vertex::default() }).to_vec();
    let vertices = Vertices { vertices, ..Vertices::default() };
    let triangles = Triangles { brush: -1, triangles: vec![[0, 1, 2]; triangles], ..Triangles::default() };
    model(vec![node(name, vec![with_vertices(-1, vertices, vec![triangles])])])
}

#[test]
fn recognizes_a_renamed_character_by_its_contents() {
    let scale = |file: &B3d| {
        let (scene, report) = scene_of_at(file, "GFX/npcs", "renamed.b3d", None);
        (report.count_of(&crate::model::warning::UNKNOWN_SIZE), root_of(&scene).0.x / 256.0)
    };
    // The arm of SCP-682, also with a few more triangles.
    for triangles in [342, 350] {
        let (count, found) = scale(&model_with_extents([63.455, 7.804, 8.718], triangles, "ROOT"));
        assert!(count == 0 && (found - 0.15).abs() < 1e-5, "{triangles}: {found}");
    }
    // A unique node name identifies SCP-966 in spite of another shape.
    let (count, found) = scale(&model_with_extents([110.0, 26.0, 89.0], 5000, "966_LP"));
    assert!(count == 0 && (found - 0.5 / 40.0).abs() < 1e-5, "{found}");
    // A different size or triangle count means a different model.
    for other in [
        model_with_extents([634.55, 78.04, 87.18], 342, "ROOT"),
        model_with_extents([63.455, 7.804, 8.718], 500, "ROOT"),
        model_with_extents([1.1, 0.26, 0.89], 5000, "966_lp"),
    ] {
        assert_eq!(scale(&other), (1, 1.0 / 256.0));
    }
}

#[test]
fn warns_about_an_unknown_size_in_meters() {
    let (_, report) =
        scene_of_at(&model_with_extents([256.0, 2.56, 1280.0], 1, "x"), "GFX/npcs", "scp_650.b3d", None);
    let found = report.iter().find(|found| found.code.id == "MODEL-W006").unwrap();
    assert_eq!(report.count_of(&crate::model::warning::UNKNOWN_SIZE), 1);
    // The scale factor is 2.
    assert!(found.message.ends_with(": 2.0 m wide, 0.020 m high and 10.0 m deep"), "{}", found.message);
    for folder in ["GFX/map/Props", "GFX", "GFX/npcs2"] {
        let (scene, report) =
            scene_of_at(&model_with_extents([256.0; 3], 1, "x"), folder, "scp_650.b3d", None);
        assert!(report.is_empty() && root_of(&scene).0 == Vec3::ONE, "{folder}");
    }
}

#[test]
fn recognizes_characters_of_ultimate_edition_by_name_and_table() {
    let scale = |name: &str, table| {
        let (scene, report) = scene_at("GFX/NPCs", name, table);
        assert!(report.is_empty(), "{name}: {report:?}");
        root_of(&scene).0.x / 256.0
    };
    assert!((scale("scp106.b3d", None) - 0.25 / 2.2).abs() < 1e-6);
    assert!((scale("scp_1048_a.b3d", None) - 0.05).abs() < 1e-6);
    assert!((scale("scp_205_demon(3).b3d", None) - 0.05).abs() < 1e-6);
    assert!((scale("scp_860_2.b3d", Some("[SCP-860-2]\nScale = 0.8\n")) - 0.04).abs() < 1e-6);
}

#[test]
fn recognizes_items_in_subfolders() {
    let (scene, report) = scene_at("GFX/items/Syringe", "syringe.b3d", None);
    assert!(report.is_empty() && root_of(&scene).0.abs_diff_eq(Vec3::splat(0.005 * 256.0), 1e-4));
    assert_eq!(
        scene_at("GFX/items/Bird", "bird.b3d", None).1.count_of(&crate::model::warning::UNKNOWN_SIZE),
        1
    );
}
