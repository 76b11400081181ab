//! Scenes that lost data in another program, packed with their original files as a base.

use std::fs;
use std::path::{Path, PathBuf};

use antiquary::{CATALOG, ConvertOptions, Inputs, Outcome, PackOptions, Report, Session, UnpackOptions};
use asset::{FolderSink, Guard, Overwrite};
use ragnarok::rsm::Rsm;
use scene::Scene;
use scene::gltf::{read, write_glb};
use scpcb::rmesh::RMesh;

/// Sample games in a folder.
struct Games(tempfile::TempDir);

impl Games {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut sink = FolderSink::new(folder.path(), Guard::new(Overwrite::Refuse).into());
        antiquary::sample::write(CATALOG, &mut sink).unwrap();
        sink.finish().unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Converts a file to a scene.
    fn scene(&self, file: &str, options: &[(&str, &str)]) -> Scene {
        let options: Vec<_> =
            options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let options = ConvertOptions::default().to("glb").options(&options);
        let (outcome, sink) =
            Session::default().convert_to_memory(&Inputs::collect(&[self.path(file)]), &options).unwrap();
        assert!(outcome.ok, "{outcome:?}");
        read(&sink.files()[0].1, &mut |_| None).unwrap().scene
    }

    /// Packs a scene with a base. Returns the names of the written files, and the outcome.
    fn pack(&self, scene: &Scene, base: Option<&str>, out: &str, keep: &str) -> (Vec<String>, Outcome) {
        let file = self.path("scene.glb");
        fs::write(&file, write_glb(scene).unwrap()).unwrap();
        let options = match keep {
            "" => Vec::new(),
            keep => vec![("keep".to_owned(), keep.to_owned())],
        };
        let mut options = PackOptions::default().options(&options);
        options.base = base.map(|base| self.path(base));
        let session = Session::default().overwrite(Overwrite::Allow);
        let outcome = session.pack(&file, &self.path(out), &options).unwrap();
        assert!(outcome.ok, "{outcome:?}");
        let name = |path: &String| Path::new(path).file_name().unwrap().to_string_lossy().into_owned();
        (outcome.outputs.iter().map(name).collect(), outcome)
    }
}

fn messages(outcome: &Outcome, code: &str) -> Vec<String> {
    let warnings = outcome.warnings.iter().filter(|warning| warning.code.id == code);
    warnings.map(|warning| warning.message.clone()).collect()
}

/// Removes the data that Blender drops by default, and that glTF exporters of other programs do not support.
fn forget(scene: &mut Scene) {
    scene.nodes.iter_mut().for_each(|node| node.extras.clear());
    scene.materials.iter_mut().for_each(|material| material.extras.clear());
    scene.animations.iter_mut().for_each(|clip| clip.extras.clear());
    scene.extras.clear();
    for mesh in &mut scene.meshes {
        mesh.extras.clear();
        mesh.primitives.iter_mut().for_each(|primitive| primitive.extras.clear());
    }
}

const HALL: &str = "scpcb/GFX/map/hall_opt.rmesh";
const ROOM_OPTIONS: [(&str, &str); 2] = [("with", "collision,triggers"), ("lightmaps", "layers")];

#[test]
fn restores_the_extras_of_models_from_their_base() {
    let games = Games::new();
    for file in [
        "scpcb/GFX/map/Props/plant.b3d",
        "scpcb/GFX/map/Props/lampshade.x",
        "ragnarok/data/model/antiquary/vane.rsm",
    ] {
        let mut scene = games.scene(file, &[]);
        let out = format!("out/{}", file.rsplit('/').next().unwrap());
        let (_, outcome) = games.pack(&scene, None, &out, "");
        assert!(outcome.warnings.is_empty(), "{file}: {:?}", outcome.warnings);
        let expected = fs::read(games.path(&out)).unwrap();
        forget(&mut scene);
        let (written, outcome) = games.pack(&scene, Some(file), &out, "");
        assert_eq!(written.len(), 1, "the game has the images: {written:?}");
        assert!(outcome.warnings.is_empty(), "{file}: {:?}", outcome.warnings);
        assert!(fs::read(games.path(&out)).unwrap() == expected, "{file}");
    }
}

#[test]
fn a_room_of_another_dialect_has_the_surfaces_of_its_base() {
    let games = Games::new();
    let (_, outcome) = games.pack(&games.scene(HALL, &ROOM_OPTIONS), Some(HALL), "out/hall.rm", "");
    assert_eq!(messages(&outcome, "PACK-W007"), [""; 0], "{:?}", outcome.warnings);
}

#[test]
fn segments_of_a_map_keep_their_attributes_and_external_models() {
    let games = Games::new();
    let island = "redguard/fxart/ISLAND.ROB";
    let mut scene = games.scene(island, &[]);
    for node in &mut scene.nodes {
        node.extras.clear();
    }
    let (_, outcome) = games.pack(&scene, Some(island), "out/ISLAND.ROB", "");
    assert_eq!(messages(&outcome, "PACK-W007"), [""; 0], "{:?}", outcome.warnings);
    assert!(fs::read(games.path("out/ISLAND.ROB")).unwrap() == fs::read(games.path(island)).unwrap());
}

#[test]
fn names_what_a_model_lost() {
    let games = Games::new();
    let gone = |file: &str, out: &str, edit: &dyn Fn(&mut Scene)| {
        let mut scene = games.scene(file, &[]);
        edit(&mut scene);
        messages(&games.pack(&scene, Some(file), out, "").1, "PACK-W007")
    };
    let leave_out = |name: &'static str| {
        move |scene: &mut Scene| {
            let at = scene.nodes.iter().position(|node| node.name == name).unwrap();
            scene.nodes[at].mesh = None;
            scene.nodes.iter_mut().for_each(|node| node.children.retain(|child| child.0 != at));
            scene.roots.retain(|root| root.0 != at);
        }
    };
    let found = gone("redguard/fxart/ISLAND.ROB", "out/I.ROB", &leave_out("HUT01"));
    assert!(found.iter().any(|message| message.starts_with("segments: \"HUT01\" is gone; ")), "{found:?}");
    assert!(found.iter().any(|message| message.contains("HUT01: sphere 0 is gone")), "{found:?}");

    let found = gone("redguard/fxart/WALKER01.3DC", "out/W.3DC", &|scene| {
        for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
            primitive.targets.pop();
        }
        scene.meshes.iter_mut().for_each(|mesh| {
            mesh.target_names.pop();
            mesh.weights.pop();
        });
        scene.animations.clear();
    });
    assert!(found.iter().any(|message| message.starts_with("frames: \"frame ")), "{found:?}");

    let found = gone("scpcb/GFX/map/Props/plant.b3d", "out/p.b3d", &|scene| {
        let clip = scene.animations.iter().position(|clip| clip.name == "rustle").unwrap();
        scene.animations.remove(clip);
        scene.nodes.iter_mut().for_each(|node| {
            node.extras.shift_remove("b3d");
        });
        let root = scene.roots[0].0;
        scene.nodes[root].extras.insert("b3d".into(), json::json!({}));
    });
    assert!(found.contains(&"sequences: \"rustle\" is gone; 1 of 2 are left".to_owned()), "{found:?}");
}

#[test]
fn restores_fields_specific_to_ragnarok_models_from_the_base() {
    let games = Games::new();
    let file = "ragnarok/data/model/antiquary/vane.rsm";
    let mut model = Rsm::read(&fs::read(games.path(file)).unwrap(), &mut Report::new()).unwrap();
    (model.alpha, model.reserved) = (Some(77), Some([9; 16]));
    (model.extra_word, model.trailing) = (None, b"the end"[..].into());
    model.volume_boxes.get_or_insert_default();
    fs::write(games.path(file), model.write().unwrap()).unwrap();
    let mut scene = games.scene(file, &[]);
    forget(&mut scene);
    let read_again = |base: Option<&str>| {
        games.pack(&scene, base, "out/vane.rsm", "");
        Rsm::read(&fs::read(games.path("out/vane.rsm")).unwrap(), &mut Report::new()).unwrap()
    };
    assert_ne!(read_again(None).alpha, Some(77));
    let made = read_again(Some(file));
    assert_eq!((made.alpha, made.reserved, made.shade_type), (Some(77), Some([9; 16]), model.shade_type));
    assert_eq!((made.volume_boxes, made.trailing), (model.volume_boxes, model.trailing));
}

#[test]
fn a_room_writes_no_image_that_its_game_has() {
    let games = Games::new();
    let mut scene = games.scene(HALL, &ROOM_OPTIONS);
    let others = games.pack(&scene, None, "elsewhere/hall_opt.rmesh", "").0;
    assert!(others.len() > 1, "outside of a game, images are written too: {others:?}");
    let (written, outcome) = games.pack(&scene, Some(HALL), "out/hall_opt.rmesh", "");
    assert_eq!(written, ["hall_opt.rmesh"]);
    assert!(outcome.warnings.is_empty(), "{:?}", outcome.warnings);
    let (written, _) = games.pack(&scene, None, "scpcb/GFX/map/new_hall.rmesh", "");
    assert_eq!(written, ["new_hall.rmesh"]);

    // The game has the same pixels in another encoding under that name.
    let tiles = games.path("scpcb/GFX/map/tiles.png");
    let pixels = scene::image::decode(&fs::read(&tiles).unwrap(), &scene::image::Limits::default());
    let pixels = pixels.unwrap();
    fs::write(&tiles, scene::image::encode_tga(&pixels).unwrap()).unwrap();
    let (written, outcome) = games.pack(&scene, None, "scpcb/GFX/map/new_hall.rmesh", "");
    assert_eq!((written.len(), messages(&outcome, "PACK-N004").len()), (1, 0));

    // A repainted image is new; in the game's own folder it never replaces the game's image.
    let painted = scene.images.iter().position(|image| image.name.starts_with("tiles")).unwrap();
    let other = scene::image::placeholder(scene.images[painted].name.clone());
    scene.images[painted].encoded = other.encoded;
    let (written, _) = games.pack(&scene, Some(HALL), "out/hall_opt.rmesh", "");
    assert_eq!(written, ["hall_opt.rmesh", "tiles.png"]);
    let (written, outcome) = games.pack(&scene, Some(HALL), "scpcb/GFX/map/new_hall.rmesh", "");
    assert_eq!((written.len(), messages(&outcome, "PACK-N004").len()), (1, 1));
}

#[test]
fn restores_a_room_that_lost_everything_with_its_base() {
    let games = Games::new();
    for engine in ["none", "godot", "unity", "unreal", "blender"] {
        let mut options = ROOM_OPTIONS.to_vec();
        if engine != "none" {
            options = vec![("preset", engine)];
        }
        let mut scene = games.scene(HALL, &options);
        forget(&mut scene);
        scene.lights.clear();
        scene.nodes.iter_mut().for_each(|node| node.light = None);
        let lamps = |node: &scene::Node| node.name.contains("light_");
        let gone: Vec<usize> = (0..scene.nodes.len()).filter(|index| lamps(&scene.nodes[*index])).collect();
        scene.nodes.iter_mut().for_each(|node| node.children.retain(|child| !gone.contains(&child.0)));

        let (_, outcome) = games.pack(&scene, None, "out/hall_opt.rmesh", "");
        let found = messages(&outcome, "RMESH-W073");
        assert!(found[0].starts_with("the custom properties of the room are missing: "), "{found:?}");

        let (_, outcome) = games.pack(&scene, Some(HALL), "out/hall_opt.rmesh", "");
        let found = messages(&outcome, "RMESH-W073");
        let expected = "4 items of the original room are missing: light_0, light_1, light_2, spotlight_3; --keep lights keeps them";
        assert_eq!(found, [expected], "{engine}");
        assert_eq!(outcome.warnings.iter().count(), 1, "{:?}", outcome.warnings);

        let (_, outcome) = games.pack(&scene, Some(HALL), "out/hall_opt.rmesh", "lights");
        assert!(outcome.warnings.is_empty(), "{engine}: {:?}", outcome.warnings);
        let room =
            |path: &str| RMesh::read(&fs::read(games.path(path)).unwrap(), &mut Report::new()).unwrap();
        let (before, after) = (room(HALL), room("out/hall_opt.rmesh"));
        assert_eq!(before.entities(), after.entities(), "{engine}");
        assert_eq!((before.triggers(), before.collision()), (after.triggers(), after.collision()));
    }
}

#[test]
fn an_unpacked_room_keeps_items_missing_from_its_view() {
    let games = Games::new();
    let folder = games.path("unpacked");
    let run = Session::default().unpack(&games.path(HALL), &folder, &UnpackOptions::default()).unwrap();
    assert!(run.outcomes[0].ok);
    let view = folder.join("views/room.glb");
    let mut scene = read(&fs::read(&view).unwrap(), &mut |_| None).unwrap().scene;
    let waypoint = scene.nodes.iter().position(|node| node.name.starts_with("waypoint_")).unwrap();
    let name = scene.nodes[waypoint].name.clone();
    scene.nodes.iter_mut().for_each(|node| node.children.retain(|child| child.0 != waypoint));
    fs::write(&view, write_glb(&scene).unwrap()).unwrap();
    let pack = |options: Vec<(String, String)>| {
        let session = Session::default().overwrite(Overwrite::Allow);
        session.pack(&folder, &games.path("packed.rmesh"), &PackOptions::default().options(&options))
    };
    let found = messages(&pack(Vec::new()).unwrap(), "RMESH-W073");
    let expected = format!("1 item of the original room is missing: {name}; --keep entities keeps them");
    assert_eq!(found, [expected]);
    let outcome = pack(vec![("keep".into(), "entities".into())]).unwrap();
    assert_eq!(messages(&outcome, "RMESH-W073"), [""; 0]);
    assert!(fs::read(games.path("packed.rmesh")).unwrap() == fs::read(games.path(HALL)).unwrap());
    let refused = pack(vec![("images".into(), "none".into())]).unwrap_err();
    assert!(refused.to_string().contains("--images applies only to scenes"), "{refused}");
}

#[test]
fn refuses_options_that_the_format_of_a_folder_lacks() {
    let games = Games::new();
    let folder = games.path("unpacked");
    Session::default()
        .unpack(&games.path("redguard/fxart/WALKER01.3DC"), &folder, &UnpackOptions::default())
        .unwrap();
    let options = PackOptions::default().options(&vec![("keep".into(), "lights".into())]);
    assert!(Session::default().pack(&folder, &games.path("packed.3DC"), &options).is_err());
}
