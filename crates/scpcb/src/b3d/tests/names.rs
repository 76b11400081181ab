//! Names of nodes and clips, and textures that the game's code replaces.

use std::sync::Arc;

use ::scene::Scene;
use asset::{Context, Install, Options, Report, Source};
use files::layer::MemoryLayer;

use super::*;

/// Runs a closure with the context of a file at this path of a game.
fn with_file_at<T>(path: &str, work: impl FnOnce(&Context<'_>) -> T) -> T {
    let layer = MemoryLayer::new("memory", [(path, Source::from(vec![0]))]).unwrap();
    let install = Install::new(vec![Arc::new(layer)]);
    let location = install.find(path).found().map(|found| found.location);
    let options = Options::defaults(FORMAT.options);
    work(&Context { install: &install, location, options: &options })
}

/// Returns a model whose only node moves all the time, with these sequences.
fn animated_model(length: i32, sequences: &[(&str, i32, i32)]) -> B3d {
    let keys = (0..=length).step_by(10).map(|frame| (frame, [frame as f32, 0.0, 0.0])).collect::<Vec<_>>();
    let mut chunks = vec![triangle(-1), animation(length, 20.0), moves(&keys)];
    chunks.extend(sequences.iter().map(|(name, first, last)| sequence(name, *first, *last)));
    model(vec![node("body", chunks)])
}

fn clips(path: &str, file: &B3d) -> Vec<(String, [i64; 2], Option<String>)> {
    let scene: Scene = with_file_at(path, |context| to_scene(file, context, "m", 1.0, &mut Report::new()));
    ::scene::gltf::write_glb(&scene).unwrap();
    let frames = |extras: &::scene::Extras| [0, 1].map(|at| extras["frames"][at].as_i64().unwrap());
    scene
        .animations
        .iter()
        .map(|clip| {
            let own = clip.extras.get("sequence").map(|own| own.as_str().unwrap().to_owned());
            (clip.name.clone(), frames(&clip.extras), own)
        })
        .collect()
}

#[test]
fn names_sequences_and_adds_clips_by_their_use_in_the_game() {
    let file = animated_model(622, &[("relaxed walk", 1, 38), ("bow", 500, 600)]);
    let found = clips("GFX/npcs/guard.b3d", &file);
    let name = |name: &str| name.to_owned();
    assert_eq!(
        found[..4],
        [
            (name("animation"), [0, 622], None),
            (name("walk"), [1, 38], Some(name("relaxed walk"))),
            (name("bow"), [500, 600], None),
            (name("combat walk"), [39, 76], None),
        ]
    );
    assert_eq!(found.len(), 3 + 6);
}

#[test]
fn only_the_original_character_gets_the_names_of_the_game() {
    let own = |path: &str, length: i32| clips(path, &animated_model(length, &[("sequence", 1, 38)])).len();
    assert_eq!(own("guard.b3d", 622), 2 + 6);
    // A different animation, folder or model.
    assert_eq!(own("GFX/npcs/guard.b3d", 700), 2);
    assert_eq!(own("GFX/map/Props/guard.b3d", 622), 2);
    assert_eq!(own("GFX/npcs/guard2.b3d", 622), 2);
}

/// Returns the name of the only node below the root, and its name in the file.
fn named(node_name: &str, brush_name: &str, texture: Option<&str>) -> (String, Option<String>) {
    let brush = Brush { name: brush_name.into(), textures: vec![0], ..plain_brush() };
    let chunks = vec![
        textures(texture.into_iter().map(plain_texture).collect()),
        brushes(vec![brush]),
        node(node_name, vec![triangle(0)]),
    ];
    let (scene, _) = scene_of(&model(chunks));
    let root = &scene.nodes[scene.roots[0].0];
    let node = &scene.nodes[root.children[0].0];
    (node.name.clone(), node.extras.get("name").map(|name| name.as_str().unwrap().to_owned()))
}

#[test]
fn names_a_generic_node_after_its_brush() {
    let pair = |name: &str, own: Option<&str>| (name.to_owned(), own.map(str::to_owned));
    assert_eq!(named("model_7", "monitor", None), pair("model_7 monitor", Some("model_7")));
    assert_eq!(named("", "monitor", None), pair("node 0 monitor", None));
    assert_eq!(named("ROOT", "02 - Default", Some("art\\Screen.jpg")), pair("ROOT Screen", Some("ROOT")));
    let level = "classname=mesh\nfile=a.3ds";
    assert_eq!(named(level, "tray.jpg", None), pair("mesh tray", Some(level)));
    // A descriptive name is kept. Without any descriptive name, nothing is invented.
    assert_eq!(named("monitor_stand", "steel", None), pair("monitor_stand", None));
    assert_eq!(named("Mesh 3", "Material #1", None), pair("Mesh 3", None));
    assert_eq!(named("", "", None), pair("node 0", None));
}

#[test]
fn reports_textures_that_the_code_replaces() {
    let reported = |path: &str| {
        let mut report = Report::new();
        with_file_at(path, |context| {
            replaced::report_textures(context, &warning::GIVEN_TEXTURES, &mut report);
        });
        report.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let all = reported("GFX/npcs/ClassD.b3d");
    assert!(all.len() == 1 && all[0].contains("B3D-N061") && all[0].contains("janitor.jpg"), "{all:?}");
    assert!(reported("GFX/map/classd.b3d").is_empty() && reported("GFX/npcs/guard.b3d").is_empty());
}
