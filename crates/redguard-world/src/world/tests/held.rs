//! Items held by actors and by single models.

use std::collections::BTreeSet;

use asset::{Context, Install, Options, Report, Target};
use files::layer::MemoryLayer;
use record::{Result, Source};
use scene::{NodeId, Scene};

use super::super::model::{FORMAT, scene};
use super::{Files, MAP, actor, change, named, sample, try_convert};
use crate::map::Map;
use crate::map::assembled::AssembledSection;
use crate::model::Model;

const WALKER: &str = "fxart/WALKER01.3DC";

/// Returns the scene of the model of the sample's villager among these files, and the warnings. With `game`, the files are an install of
/// that game.
fn walker(files: &Files, game: Option<&'static str>, given: &[(&str, &str)]) -> (Result<Scene>, Report) {
    let files = files.iter().map(|(path, bytes)| (path.clone(), Source::from(bytes.clone())));
    let mut install = Install::new(vec![std::sync::Arc::new(MemoryLayer::new("files", files).unwrap())]);
    if let Some(game) = game {
        install = install.with_game(game, asset::Charset::Cp437);
    }
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = Options::parse(FORMAT.options, &given).unwrap();
    let location = install.find(WALKER).found().unwrap().location;
    let model = Model::read(&install.open(&location).unwrap().read_all().unwrap()).unwrap();
    let context = Context { install: &install, location: Some(location), options: &options };
    let mut report = Report::new();
    let made = scene(&model, &context, &Target::new("WALKER01", 1.0), &mut report);
    if let Ok(scene) = &made {
        ::scene::gltf::write_glb(scene).unwrap();
    }
    (made, report)
}

/// Returns the node of the held item.
fn item(scene: &Scene) -> NodeId {
    NodeId(scene.nodes.iter().position(|node| node.extras.contains_key("item")).unwrap())
}

/// Returns the number of distinct positions of an item in a clip.
fn distinct_positions(scene: &Scene, item: NodeId, clip: &str) -> usize {
    let clip = scene.animations.iter().find(|it| it.name == clip).unwrap();
    let moved = clip.tracks.iter().find(|it| it.target == ::scene::Target::Translation(item)).unwrap();
    let bits = |position: &[f32]| position.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
    moved.values.chunks(3).map(bits).collect::<BTreeSet<_>>().len()
}

/// Returns the sample with a second map, in which the villager holds items with other vertices.
fn two_maps() -> Files {
    let mut files = sample();
    let map = files.iter().find(|(path, _)| path == MAP).unwrap().1.clone();
    files.push(("maps/ZOO.RGM".to_owned(), map));
    change(&mut files, "maps/ZOO.RGM", |bytes| {
        let mut assembled = Map::read(&bytes).unwrap().assemble();
        for section in &mut assembled.sections {
            let AssembledSection::Objects(objects) = section else { continue };
            let keeper = objects.records.iter_mut().find(|it| it.name.text() == "KEEPER").unwrap();
            let extra = keeper.extra.as_mut().unwrap();
            (extra.grip0, extra.grip1) = (0, 9);
        }
        assembled.split().unwrap().write().unwrap()
    });
    files
}

#[test]
fn a_held_item_follows_the_hand() {
    let (scene, report) = actor("KEEPER", &[("hold", "ship's lamp")]);
    assert!(report.is_empty(), "{report:?}");
    let scene = scene.unwrap();
    let lamp = item(&scene);
    assert!(scene.nodes[lamp.0].mesh.is_some());
    assert!(distinct_positions(&scene, lamp, "anim_idle1") > 6, "the hand swings");
    let stowed = actor("KEEPER", &[("hold", "1"), ("state", "stowed")]).0.unwrap();
    assert_ne!(named(&stowed, &scene.nodes[lamp.0].name).translation, scene.nodes[lamp.0].translation);
    let (scene, report) = actor("KEEPER", &[("hold", "2")]);
    assert!(scene.is_ok() && report.iter().any(|it| it.code.id == "RGM-W051"), "{report:?}");
    let unknown = actor("KEEPER", &[("hold", "ship's lam")]).0.unwrap_err().to_string();
    assert!(unknown.contains("did you mean \"ship's lamp\"?"), "{unknown}");
    let error = try_convert(&sample(), &[("hold", "1")]).0.unwrap_err().to_string();
    assert!(error.contains("--hold requires --actor"), "{error}");
}

#[test]
fn a_single_model_uses_the_vertices_of_the_first_actor_with_it() {
    let (scene, report) = walker(&sample(), Some("redguard"), &[("hold", "1")]);
    assert!(!report.iter().any(|it| it.code.id.starts_with("RGM-")), "{report:?}");
    let scene = scene.unwrap();
    let lamp = item(&scene);
    assert_eq!(scene.nodes[scene.roots[0].0].children, [lamp]);
    assert!(distinct_positions(&scene, lamp, "WALKER01 frames") > 6, "the hand swings");
    let of_actor = actor("KEEPER", &[("hold", "1")]).0.unwrap();
    let same = &of_actor.nodes[item(&of_actor).0];
    assert_eq!(
        (scene.nodes[lamp.0].translation, scene.nodes[lamp.0].rotation),
        (same.translation, same.rotation)
    );
    let stowed = walker(&sample(), Some("redguard"), &[("hold", "1"), ("state", "stowed")]).0.unwrap();
    let of_actor = actor("KEEPER", &[("hold", "1"), ("state", "stowed")]).0.unwrap();
    assert_eq!(stowed.nodes[item(&stowed).0].translation, of_actor.nodes[item(&of_actor).0].translation);
}

#[test]
fn reports_maps_with_different_vertices_and_the_option_that_selects_them() {
    let files = two_maps();
    let (scene, report) = walker(&files, Some("redguard"), &[("hold", "1")]);
    let message = report.iter().find(|it| it.code.id == "RGM-W052").unwrap().message.clone();
    assert!(
        message.contains("(KEEPER in ISLAND.RGM); others for --grip: 0,9 (KEEPER in ZOO.RGM)"),
        "{message}"
    );
    let first = walker(&sample(), Some("redguard"), &[("hold", "1")]).0.unwrap();
    let position = |scene: &Scene| scene.nodes[item(scene).0].translation;
    assert_eq!(position(&scene.unwrap()), position(&first));
    let (chosen, report) = walker(&files, Some("redguard"), &[("hold", "1"), ("grip", "0,9")]);
    assert!(!report.iter().any(|it| it.code.id == "RGM-W052"), "{report:?}");
    assert_ne!(position(&chosen.unwrap()), position(&first));
}

#[test]
fn without_a_game_a_model_holds_a_model_file_at_given_vertices() {
    let is_needed = |path: &str| path == WALKER || path == "fxart/BARREL01.3D";
    let files: Files = sample().into_iter().filter(|(path, _)| is_needed(path)).collect();
    assert_eq!(files.len(), 2);
    let error = |given: &[(&str, &str)]| walker(&files, None, given).0.unwrap_err().to_string();
    let scene = walker(&files, None, &[("hold", "barrel01.3d"), ("grip", "0, 1")]).0.unwrap();
    assert_eq!(scene.nodes[item(&scene).0].extras["item"], "barrel01.3d");
    assert!(scene.nodes[item(&scene).0].mesh.is_some());
    let unknown = error(&[("hold", "BARREL01.3D")]);
    assert!(unknown.contains("no game was found; pass its folder (--game DIR)"), "{unknown}");
    let no_items = error(&[("hold", "1"), ("grip", "0,1")]);
    assert!(no_items.contains("ITEM.INI was not found; --hold also accepts a model file"), "{no_items}");
    let no_vertex = error(&[("hold", "BARREL01.3D"), ("grip", "0,9999")]);
    assert!(no_vertex.contains("--grip 0,9999 names a vertex that WALKER01 does not have"), "{no_vertex}");
    for invalid in ["", "1", "1,x", "1,-1", "1,2,3"] {
        let message = error(&[("hold", "BARREL01.3D"), ("grip", invalid)]);
        assert!(message.contains("expected two vertex indices"), "{message}");
    }
    let (scene, report) = walker(&files, None, &[("hold", "NONE.3D"), ("grip", "0,1")]);
    assert!(scene.unwrap().nodes.len() == 1);
    assert!(report.iter().any(|it| it.message == "the model NONE.3D was not found"), "{report:?}");
}

#[test]
fn refuses_a_model_that_no_actor_uses_to_hold_items() {
    let mut files = sample();
    files.retain(|(path, _)| path != MAP);
    let error = walker(&files, Some("redguard"), &[("hold", "1")]).0.unwrap_err().to_string();
    assert!(error.contains("no actor in the maps holds items with the model WALKER01"), "{error}");
    // An unreadable map is ignored.
    files.push((MAP.to_owned(), b"RAHD".to_vec()));
    assert!(walker(&files, Some("redguard"), &[("hold", "1")]).0.is_err());
}
