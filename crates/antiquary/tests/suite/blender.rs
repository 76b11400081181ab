//! Rooms of SCP - Containment Breach, converted with all settings, through Blender and back: every loss is reported, and
//! textures keep the names used by the game. The test is skipped, with a message, if Python with the module `bpy` is
//! missing.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use antiquary::{CATALOG, ConvertOptions, Destination, Inputs, Outcome, PackOptions, Report, Session};
use asset::{FolderSink, Guard, Overwrite, Severity};
use proof::blender::Blender;
use scpcb::rmesh::RMesh;

/// Imports each scene of a list and exports it twice: with Blender's defaults, and with custom properties and lights.
const SCRIPT: &str = "
import sys, bpy
for line in open(sys.argv[1], encoding='utf-8'):
    source, plain, full = line.rstrip('\\n').split('\\t')
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=source)
    bpy.ops.export_scene.gltf(filepath=plain, export_format='GLB')
    bpy.ops.export_scene.gltf(filepath=full, export_format='GLB', export_extras=True, export_lights=True)
";

/// Settings for converting a room: their name, the options, and the extension of the scene.
type Way = (&'static str, &'static [(&'static str, &'static str)], &'static str);

/// The settings for converting a room. Scenes of type `gltf` have their images in a shared folder.
const WAYS: [Way; 8] = [
    ("bake", &[("with", "collision,triggers")], "glb"),
    ("layers", &[("with", "collision,triggers"), ("lightmaps", "layers")], "glb"),
    ("none", &[("with", "collision,triggers"), ("lightmaps", "none")], "glb"),
    ("godot", &[("preset", "godot")], "glb"),
    ("unity", &[("preset", "unity")], "glb"),
    ("unreal", &[("preset", "unreal")], "glb"),
    ("blender", &[("preset", "blender")], "glb"),
    ("shared", &[("with", "collision,triggers"), ("lightmaps", "layers")], "gltf"),
];

/// Rooms of the corpus: with bump maps, with lightmaps as bitmaps, with screens and sounds, with surfaces that have several
/// baked textures.
const OF_CORPUS: [&str; 4] = ["room2_opt", "4tunnels", "room012_opt", "pocketdimension1_opt"];

/// A room converted with one setting, before and after Blender.
struct Scenes {
    room: PathBuf,
    way: &'static str,
    before: PathBuf,
    plain: PathBuf,
    full: PathBuf,
}

/// Converts a room with every setting.
fn converted(room: &Path, folder: &Path) -> Vec<Scenes> {
    let stem = room.file_stem().unwrap().to_string_lossy();
    let convert = |(way, options, extension): Way| {
        let own = folder.join(format!("{stem}-{way}"));
        fs::create_dir_all(&own).unwrap();
        let options: Vec<_> =
            options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let options = ConvertOptions::default().options(&options).to(extension);
        let inputs = Inputs::collect(&[room.to_path_buf()]);
        let run = Session::default().convert(&inputs, &Destination::Folder(own.clone()), &options);
        let run = run.unwrap();
        assert!(run.outcomes[0].ok, "{:?}", run.outcomes);
        let before = own.join(format!("{}.{extension}", room.file_name().unwrap().to_string_lossy()));
        let [plain, full] = ["plain.glb", "full.glb"].map(|name| own.join(name));
        Scenes { room: room.to_path_buf(), way, before, plain, full }
    };
    WAYS.into_iter().map(convert).collect()
}

fn through_blender(blender: &Blender, scenes: &[Scenes], folder: &Path) {
    let list = folder.join("list.txt");
    let mut lines = String::new();
    for Scenes { before, plain, full, .. } in scenes {
        writeln!(lines, "{}\t{}\t{}", before.display(), plain.display(), full.display()).unwrap();
    }
    fs::write(&list, lines).unwrap();
    blender.run(SCRIPT, &[&list]);
}

/// Packs a scene. Returns the room, the outcome, and the names of the written images.
fn packed(scene: &Path, base: Option<&Path>, keep: &str) -> (RMesh, Outcome, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("room.rmesh");
    let options = match keep {
        "" => Vec::new(),
        keep => vec![("keep".to_owned(), keep.to_owned())],
    };
    let mut options = PackOptions::default().options(&options);
    options.base = base.map(Path::to_path_buf);
    let outcome = Session::default().pack(scene, &out, &options).unwrap();
    let room = room_of(&out);
    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let names = names.filter(|name| name != "room.rmesh").collect();
    (room, outcome, names)
}

fn room_of(path: &Path) -> RMesh {
    RMesh::read(&fs::read(path).unwrap(), &mut Report::new()).unwrap()
}

/// Returns the textures and lightmaps of the surfaces.
fn images(room: &RMesh) -> BTreeSet<[Option<String>; 2]> {
    let name = |slot: &scpcb::rmesh::TextureSlot| {
        slot.name.as_ref().map(ToString::to_string).filter(|name| !name.is_empty())
    };
    room.surfaces.iter().map(|surface| [name(&surface.texture), name(&surface.lightmap)]).collect()
}

/// Returns the number of surfaces, triangles, entities, trigger boxes and collision surfaces.
fn sizes(room: &RMesh) -> [usize; 5] {
    let surfaces = images(room).len();
    [surfaces, room.triangle_count(), room.entities().len(), room.triggers().len(), room.collision().len()]
}

fn warnings(outcome: &Outcome) -> Vec<String> {
    let warnings = outcome.warnings.iter().filter(|warning| warning.code.severity > Severity::Note);
    warnings.map(|warning| format!("{}: {}", warning.code.id, warning.message)).collect()
}

fn check(scenes: &Scenes, blender: &Blender) {
    let Scenes { room, way, plain, full, .. } = scenes;
    let at = format!("{} as {way} through Blender {}", room.display(), blender.version);
    let before = room_of(room);

    let (made, outcome, written) = packed(full, None, "");
    assert_eq!(warnings(&outcome), [""; 0], "{at}");
    assert_eq!((images(&made), sizes(&made)), (images(&before), sizes(&before)), "{at}");
    assert_eq!(made.surfaces.len(), images(&made).len(), "{at}: surfaces are in pieces");
    // Outside of a game, images are written under the names that the room has for them.
    let named: BTreeSet<String> = images(&made).into_iter().flatten().flatten().collect();
    assert!(written.iter().all(|name| named.contains(name)), "{at}: {written:?}");

    let (made, outcome, written) = packed(full, Some(room), "");
    assert_eq!((warnings(&outcome), written), (Vec::new(), Vec::new()), "{at}");
    assert_eq!((images(&made), sizes(&made)), (images(&before), sizes(&before)), "{at}");

    let keep = "lights,entities,triggers,collision";
    let (made, outcome, written) = packed(plain, Some(room), keep);
    assert_eq!((warnings(&outcome), written), (Vec::new(), Vec::new()), "{at}");
    assert_eq!((images(&made), sizes(&made)), (images(&before), sizes(&before)), "{at}");
    assert_eq!(made.entities(), before.entities(), "{at}");

    let (made, outcome, _) = packed(plain, None, "");
    let reported = warnings(&outcome);
    assert!(
        reported[0].starts_with("RMESH-W073: the custom properties of the room are missing"),
        "{at}: {reported:?}"
    );
    let is_loss =
        |reported: &String| ["RMESH-W073", "RMESH-W074"].iter().any(|code| reported.starts_with(code));
    assert!(reported.iter().all(is_loss), "{at}: {reported:?}");
    assert_eq!(images(&made), images(&before), "{at}");
    assert_eq!(made.collision().len(), before.collision().len(), "{at}");
}

#[test]
fn rooms_keep_their_textures_and_report_what_blender_drops() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    let mut sink = FolderSink::new(&games, Guard::new(Overwrite::Refuse).into());
    antiquary::sample::write(CATALOG, &mut sink).unwrap();
    sink.finish().unwrap();
    let mut rooms = vec![games.join("scpcb/GFX/map/hall_opt.rmesh")];
    let corpus = corpus::folder("scpcb").map(|corpus| corpus.join("GFX/map"));
    rooms.extend(corpus.iter().flat_map(|maps| OF_CORPUS.map(|room| maps.join(format!("{room}.rmesh")))));
    let scenes: Vec<Scenes> = rooms.iter().flat_map(|room| converted(room, folder.path())).collect();
    for blender in Blender::all() {
        through_blender(&blender, &scenes, folder.path());
        scenes.iter().for_each(|scenes| check(scenes, &blender));
        let count = scenes.len().saturating_mul(2);
        println!("{count} scenes of {} rooms passed through Blender {}", rooms.len(), blender.version);
    }
}
