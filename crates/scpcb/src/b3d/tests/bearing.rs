//! How large characters and items stand in the game, and which way up.

use std::fs;

use ::scene::Scene;
use asset::{Context, Install, Options, Report};
use glam::{Quat, Vec3};

use super::{model, node, triangle};
use crate::b3d::{FORMAT, to_scene, warning};
use crate::model::bearing;

/// A model of this name in this folder of a game, whose table of characters is this.
fn standing(folder: &str, name: &str, table: Option<&str>) -> (Scene, Report) {
    let game = tempfile::tempdir().unwrap();
    for folder in ["Data", "GFX/map", folder] {
        fs::create_dir_all(game.path().join(folder)).unwrap();
    }
    if let Some(table) = table {
        fs::write(game.path().join("Data/NPCs.ini"), table).unwrap();
    }
    let path = game.path().join(folder).join(name);
    fs::write(&path, b"").unwrap();
    let install = Install::around(&path, crate::tests::GAMES).unwrap();
    let options = Options::defaults(FORMAT.options);
    let context = Context { install: &install, location: install.location_of(&path), options: &options };
    let mut report = Report::new();
    let file = model(vec![node("body", vec![triangle(-1)])]);
    let mut scene = to_scene(&file, &context, "m", 2.0, &mut report);
    bearing::apply(&mut scene, &context, 2.0, &warning::UNKNOWN_SIZE, &mut report);
    (scene, report)
}

fn root_of(scene: &Scene) -> (Vec3, Quat, Option<&str>) {
    let root = &scene.nodes[scene.roots[0].0];
    let from = root.extras.get("game_scale_from").and_then(|it| it.as_str());
    (root.scale, root.rotation, from)
}

#[test]
fn a_character_is_scaled_by_the_table_and_stands() {
    let table = "[MTF]\nscale = 0.5\n";
    let (scene, report) = standing("GFX/npcs", "MTF2.b3d", Some(table));
    assert!(report.is_empty(), "{report:?}");
    let (scale, turn, from) = root_of(&scene);
    assert!(scale.abs_diff_eq(Vec3::splat(0.5 / 2.5 * 256.0), 1e-4), "{scale}");
    // What lies along Z in the file, in which Z is up, stands along Y.
    assert!((turn * Vec3::NEG_Z).abs_diff_eq(Vec3::Y, 1e-6), "{}", turn * Vec3::NEG_Z);
    assert_eq!(from, Some("Data/NPCs.ini"));
    for table in [None, Some("[MTF]\nscale = none\n"), Some("[MTF]\nscale = -1\n")] {
        let (scene, _) = standing("GFX/npcs", "mtf2.B3D", table);
        assert!(root_of(&scene).0.abs_diff_eq(Vec3::splat(0.29 / 2.5 * 256.0), 1e-4), "{table:?}");
        assert_eq!(root_of(&scene).2, Some("the game's code"));
    }
}

#[test]
fn pictures_of_characters_share_a_frame_as_far_as_their_sizes_are_known() {
    let frame = |folder: &str, name: &str| standing(folder, name, None).0.shared_frame;
    // Lengths are doubled.
    assert_eq!(frame("GFX/npcs", "guard.b3d"), Some(4.0));
    assert_eq!((frame("GFX/npcs", "stranger.b3d"), frame("GFX/items", "key.b3d")), (None, None));
}

#[test]
fn a_size_may_depend_on_that_of_the_mesh() {
    let (scene, report) = standing("GFX/npcs", "classd.b3d", None);
    assert!(report.is_empty(), "{report:?}");
    let places = &scene.meshes[0].primitives[0].positions;
    let (least, most) = places.iter().fold((f32::MAX, f32::MIN), |(a, b), [x, ..]| (a.min(*x), b.max(*x)));
    // The scale of the scene is not part of it.
    let wide = (most - least) * root_of(&scene).0.x / 2.0;
    assert!((wide - 0.5).abs() < 1e-5, "{wide}");
}

#[test]
fn a_character_is_known_without_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("SCP-049.b3d");
    fs::write(&path, b"").unwrap();
    let install = Install::around(&path, crate::tests::GAMES).unwrap();
    let options = Options::defaults(FORMAT.options);
    let context = Context { install: &install, location: install.location_of(&path), options: &options };
    let (mut scene, mut report) = (Scene::new("m"), Report::new());
    scene.add_root(::scene::Node::named("m"));
    bearing::apply(&mut scene, &context, 1.0, &warning::UNKNOWN_SIZE, &mut report);
    assert!(report.is_empty() && root_of(&scene).0.abs_diff_eq(Vec3::splat(1.2 * 256.0), 1e-3));
}

#[test]
fn items_and_what_is_not_known() {
    let (scene, report) = standing("GFX/items", "NVG.b3d", None);
    assert!(report.is_empty() && root_of(&scene).0.abs_diff_eq(Vec3::splat(0.02 * 256.0), 1e-4));
    let (scene, report) = standing("GFX/items", "bird.b3d", None);
    assert_eq!((report.count_of(&warning::UNKNOWN_SIZE), root_of(&scene).0), (1, Vec3::ONE));
    // What stands in rooms has their unit, whatever it is called.
    let (scene, report) = standing("GFX/map/Props", "NVG.b3d", None);
    assert!(report.is_empty() && root_of(&scene).0 == Vec3::ONE);
}
