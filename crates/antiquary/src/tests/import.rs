//! Packing scenes into files: given directly, or as the edited view of an unpacked room.

use std::fs;
use std::path::{Path, PathBuf};

use asset::{Kind, Overwrite, Severity};
use scene::gltf::{read, write_glb, write_gltf};
use scene::{Mesh, Node, Primitive, Scene};

use super::{Folder, convert, messages, session};
use crate::run::Strictness;
use crate::session::{PackOptions, Session, UnpackOptions};

/// Creates a scene with a triangle that is moved by one meter.
fn triangle(name: &str) -> Scene {
    let mut scene = Scene::new(name);
    let mesh = scene.add_mesh(Mesh {
        primitives: vec![Primitive {
            positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            indices: vec![0, 1, 2],
            ..Primitive::default()
        }],
        ..Mesh::default()
    });
    scene.add_root(Node { translation: [0.0, 0.0, 1.0].into(), mesh: Some(mesh), ..Node::default() });
    scene
}

fn refusal(session: &Session<'_>, from: &Path, to: &Path) -> String {
    session.pack(from, to, &PackOptions::default()).unwrap_err().message().to_owned()
}

#[test]
fn a_scene_is_packed_into_the_format_of_the_output_extension() {
    let folder = Folder::new();
    let glb = folder.put("a.glb", &write_glb(&triangle("words")).unwrap());
    let outcome = session().pack(&glb, &folder.path("a.box"), &PackOptions::default()).unwrap();
    assert_eq!((outcome.ok, outcome.format), (true, Some("test.box")));
    assert_eq!(folder.short(&outcome.outputs[0]), "a.box");
    assert!(folder.text("a.box").ends_with("words, 1 meshes"));
    assert_eq!(messages(&outcome), ["warning BOX-W001: pictures of scenes have no place in a box"]);

    session().pack(&glb, &folder.path("out/"), &PackOptions::default()).unwrap();
    assert_eq!(folder.files("out"), ["a.box"], "scenes can be packed into only one format");
    session().pack(&glb, &folder.path("some.thing"), &PackOptions::default().to("BOX")).unwrap();
    assert!(folder.text("some.thing").starts_with("TEXTBOX"));
    assert_eq!(
        session().pack_to_memory(&glb, &PackOptions::default()).unwrap().1,
        fs::read(folder.path("a.box")).unwrap()
    );
}

#[test]
fn a_gltf_scene_reads_only_sibling_files() {
    let folder = Folder::new();
    let files = write_gltf(&triangle("words"), "a").unwrap();
    for (name, bytes) in &files {
        folder.put(&format!("in/{name}"), bytes);
    }
    let gltf = folder.path("in/a.gltf");
    session().pack(&gltf, &folder.path("a.box"), &PackOptions::default()).unwrap();
    let over = session().overwrite(Overwrite::Allow);
    assert!(
        refusal(&over, &gltf, &folder.path("in/a.bin"))
            .starts_with("a scene cannot be packed into a .bin file")
    );

    let text = folder.text("in/a.gltf");
    folder.put("a.bin", &files[1].1);
    let outside = folder.path("a.bin").to_str().unwrap().to_owned();
    for path in ["../a.bin", &outside, "..%2Fa.bin", "sub/../../a.bin"] {
        fs::write(&gltf, text.replace("a.bin", path)).unwrap();
        let message = refusal(&session(), &gltf, &folder.path("b.box"));
        assert!(message.ends_with("was not found"), "{message}");
    }
}

#[test]
fn an_unsupported_import_is_reported() {
    let folder = Folder::new();
    let glb = folder.put("a.glb", &write_glb(&triangle("words")).unwrap());
    let message = |out: &str| refusal(&session(), &glb, &folder.path(out));
    assert_eq!(message("a.note"), "a scene cannot be packed into a .note file (available: box)");
    assert_eq!(message("a"), "has no extension to determine the format to build");
    assert_eq!(message("a.glb"), "a scene cannot be packed into a .glb file (available: box)");
    let broken = folder.put("b.glb", b"glTF\x02\0\0\0");
    let error = session().pack(&broken, &folder.path("b.box"), &PackOptions::default()).unwrap_err();
    assert_eq!((error.kind(), error.file()), (Kind::Malformed, Some(broken.as_path())));
    assert!(
        session().pack(&folder.path("none.glb"), &folder.path("c.box"), &PackOptions::default()).is_err()
    );
    assert_eq!(folder.files(""), ["a.glb", "b.glb"]);
}

#[test]
fn strict_mode_does_not_write_a_lossy_import() {
    let folder = Folder::new();
    let glb = folder.put("a.glb", &write_glb(&triangle("words")).unwrap());
    let strict = session().strictness(Strictness::Strict);
    let outcome = strict.pack(&glb, &folder.path("a.box"), &PackOptions::default()).unwrap();
    assert!(!outcome.ok && outcome.outputs.is_empty());
    assert_eq!(folder.files(""), ["a.glb"]);
}

/// Writes and unpacks the sample room.
fn unpacked(folder: &Folder) -> (PathBuf, PathBuf) {
    let mut sink = asset::FolderSink::new(folder.path("game"), std::sync::Arc::default());
    (scpcb::GAME.sample)(&mut sink).unwrap();
    sink.finish().unwrap();
    let room = folder.path("game").join(scpcb::sample::ROOM);
    let run = Session::default().unpack(&room, &folder.path("room"), &UnpackOptions::default()).unwrap();
    assert!(run.outcomes[0].ok, "{:?}", run.outcomes[0].error);
    assert_eq!(run.outcomes[0].warnings.count(Severity::Warning), 0, "{:?}", run.outcomes[0].warnings);
    (room, folder.path("room"))
}

/// Edits the view of an unpacked room.
fn edit(room: &Path, edit: impl FnOnce(&mut Scene)) {
    let view = room.join("views/room.glb");
    let mut scene = read(&fs::read(&view).unwrap(), &mut |_| None).unwrap().scene;
    edit(&mut scene);
    fs::write(view, write_glb(&scene).unwrap()).unwrap();
}

#[test]
fn an_edited_view_of_a_room_changes_only_the_edits() {
    let folder = Folder::new();
    let (room, unpacked) = unpacked(&folder);
    edit(&unpacked, |scene| {
        let node = scene.nodes.iter_mut().find(|node| node.name.starts_with("waypoint_")).unwrap();
        node.translation.y += 1.0;
    });
    let out = folder.path("edited.rmesh");
    let outcome = Session::default().pack(&unpacked, &out, &PackOptions::default()).unwrap();
    assert!(outcome.ok && outcome.warnings.count(Severity::Warning) == 0, "{:?}", outcome.warnings);
    let (before, after) = (fs::read(room).unwrap(), fs::read(out).unwrap());
    let differ: Vec<_> = (0..before.len()).filter(|at| before[*at] != after[*at]).collect();
    assert_eq!(before.len(), after.len());
    assert!(
        !differ.is_empty() && differ.len() <= 4 && differ[differ.len() - 1] - differ[0] < 4,
        "{differ:?}"
    );
}

#[test]
fn editing_a_view_and_the_record_is_refused() {
    let folder = Folder::new();
    let (_, unpacked) = unpacked(&folder);
    edit(&unpacked, |scene| scene.nodes[0].translation.y = 1.0);
    let record = fs::read_to_string(unpacked.join("record.json")).unwrap();
    fs::write(unpacked.join("record.json"), record.replace("\"RoomMesh", "\"Room")).unwrap();
    let error = Session::default()
        .pack(&unpacked, &folder.path("edited.rmesh"), &PackOptions::default())
        .unwrap_err();
    assert!(error.to_string().contains("views/room.glb and record.json"), "{error}");
}

/// For every format that scenes can be packed into: a file packed from a scene is converted to a scene that is packed into
/// the same file.
#[test]
fn samples_round_trip_through_scenes() {
    let folder = Folder::new();
    let mut found = 0;
    for game in crate::GAMES {
        let mut sink = asset::FolderSink::new(folder.path(game.id), std::sync::Arc::default());
        (game.sample)(&mut sink).unwrap();
        sink.finish().unwrap();
        let imports: Vec<_> = game.formats.iter().filter_map(|format| format.import).collect();
        for name in folder.files(game.id) {
            let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_lowercase();
            if !imports.iter().any(|import| import.extensions.contains(&extension.as_str())) {
                continue;
            }
            found += 1;
            let round = |from: &Path, step: &str| {
                let scene = folder.path(&format!("out/{found}/{step}.glb"));
                let run = convert(&Session::default(), &[from.to_path_buf()], &scene);
                assert!(run.outcomes[0].ok, "{name}: {:?}", run.outcomes[0].error);
                let made = folder.path(&format!("out/{found}/{step}.{extension}"));
                let outcome = Session::default().pack(&scene, &made, &PackOptions::default()).unwrap();
                assert!(outcome.ok && outcome.warnings.count(Severity::Error) == 0, "{name}: {outcome:?}");
                made
            };
            let first = round(&folder.path(game.id).join(&name), "first");
            let second = round(&first, "second");
            assert!(fs::read(first).unwrap() == fs::read(second).unwrap(), "{name}");
        }
    }
    assert!(found >= 6, "{found} files");
}
