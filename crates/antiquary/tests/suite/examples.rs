//! The examples, run on the sample games.

#[path = "../../examples/change_field.rs"]
mod change_field;
#[path = "../../examples/change_model.rs"]
mod change_model;
#[path = "../../examples/every_image.rs"]
mod every_image;
#[path = "../../examples/map_with_light.rs"]
mod map_with_light;
#[path = "../../examples/room_in_memory.rs"]
mod room_in_memory;
#[path = "../../examples/scene_values.rs"]
mod scene_values;
#[path = "../../examples/walk_game.rs"]
mod walk_game;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use antiquary::asset::MemorySink;
use antiquary::{
    CATALOG, ConvertOptions, Destination, GAMES, Game, Inputs, Report, Session, Source, ragnarok, scpcb,
};

const ROOM: &str = scpcb::sample::ROOM;

fn sample_of_scpcb() -> Vec<(String, Vec<u8>)> {
    static FILES: LazyLock<MemorySink> = LazyLock::new(|| {
        let mut files = MemorySink::new();
        scpcb::sample::write(&mut files).unwrap();
        files
    });
    FILES.files().to_vec()
}

/// Writes the sample game to disk.
fn write_sample(folder: &Path) {
    for (name, bytes) in sample_of_scpcb() {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn a_room_in_memory_converts_like_one_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    write_sample(folder.path());
    let (room, out) = (folder.path().join(ROOM), folder.path().join("output.glb"));
    let inputs = Inputs::collect(&[room]);
    let run = Session::default()
        .convert(&inputs, &Destination::File(out.clone()), &ConvertOptions::default())
        .unwrap();
    assert_eq!(run.failed(), 0);
    let glb = room_in_memory::convert(sample_of_scpcb(), "gfx\\map\\HALL_OPT.rmesh").unwrap();
    assert!(glb == fs::read(out).unwrap());
}

#[test]
fn a_room_in_memory_without_texture_files_has_no_textures() {
    let all = sample_of_scpcb();
    let alone: Vec<_> = all.iter().filter(|(name, _)| name == ROOM).cloned().collect();
    let complete = room_in_memory::convert(all, ROOM).unwrap();
    let bare = room_in_memory::convert(alone, ROOM).unwrap();
    assert!(bare.starts_with(b"glTF") && bare.len() < complete.len());
    assert!(room_in_memory::convert(Vec::new(), ROOM).unwrap_err().to_string().contains("no such file"));
}

#[test]
fn walk_game_lists_every_file_of_a_known_format() {
    let folder = tempfile::tempdir().unwrap();
    write_sample(folder.path());
    let text = walk_game::walk(folder.path()).unwrap();
    let room = text.lines().find(|line| line.replace('\\', "/").starts_with(ROOM)).unwrap();
    assert!(room.contains(": room, "), "{room}");
    assert!(text.lines().last().unwrap().ends_with(" of other formats"), "{text}");
}

#[test]
fn changes_only_one_field() {
    let (_, bytes) = sample_of_scpcb().into_iter().find(|(name, _)| name == ROOM).unwrap();
    let opened = CATALOG.open_source(Source::from(bytes.clone()), Some(ROOM)).unwrap();
    let changed = change_field::change_texture(&opened, "other.png").unwrap();
    let read = |bytes: &[u8]| scpcb::rmesh::RMesh::read(bytes, &mut Report::new()).unwrap();
    let (mut before, after) = (read(&bytes), read(&changed));
    assert_ne!(before, after);
    let first = before.surfaces.iter_mut().find_map(|surface| surface.texture.name.as_mut()).unwrap();
    *first = "other.png".into();
    assert_eq!(before, after);
}

/// Writes the sample of a game to disk.
fn sample_of(game: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let game = GAMES.iter().find(|known| known.id == game).unwrap();
    let mut files = MemorySink::new();
    (game.sample)(&mut files).unwrap();
    for (name, bytes) in files.into_files() {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

#[test]
fn scenes_are_values() {
    let folder = sample_of("scpcb");
    let summary = scene_values::summary(folder.path(), &ROOM.to_uppercase()).unwrap();
    assert!(summary.contains(" meshes with ") && !summary.starts_with("0 "), "{summary}");
    assert!(!summary.contains(" 0 images") && !summary.contains(" 0 lights"), "{summary}");
}

#[test]
fn decodes_every_image_of_every_game_despite_a_damaged_one() {
    for game in GAMES {
        let folder = sample_of(game.id);
        let intact = every_image::lines(folder.path()).unwrap();
        assert!(!intact.is_empty(), "{}", game.id);
        assert!(intact.iter().all(|line| line.ends_with(" bytes")), "{intact:#?}");
        // The path of the file, followed by the name in it if it has several images.
        let files: Vec<_> = Game::open(folder.path()).unwrap().files().collect();
        for line in &intact {
            let name = line.rsplit_once(": ").unwrap().0;
            assert!(files.iter().any(|file| name == file || name.starts_with(&format!("{file}/"))), "{line}");
        }
        fs::write(folder.path().join("damaged.png"), b"\x89PNG\r\n\x1a\n and no more").unwrap();
        let damaged = every_image::lines(folder.path()).unwrap();
        assert_eq!(damaged.len(), intact.len() + 1, "{}", game.id);
        let errors: Vec<_> = damaged.iter().filter(|line| !line.ends_with(" bytes")).collect();
        assert!(matches!(errors.as_slice(), [line] if line.contains("damaged.png")), "{errors:?}");
    }
}

#[test]
fn changes_only_one_value_of_a_model() {
    let folder = sample_of("ragnarok");
    let model = Game::open(folder.path()).unwrap().files().find(|file| file.ends_with(".rsm")).unwrap();
    let path = folder.path().join(&model);
    let bytes = fs::read(&path).unwrap();
    assert_eq!(change_model::raise(&path, 0.0).unwrap(), bytes, "an unchanged model is byte-identical");
    let read = |bytes: &[u8]| ragnarok::rsm::Rsm::read(bytes, &mut Report::new()).unwrap();
    let mut expected = read(&bytes);
    expected.meshes[0].position[1] -= 2.5;
    assert_eq!(read(&change_model::raise(&path, 2.5).unwrap()), expected);
}

#[test]
fn converts_a_map_in_memory_like_the_program_with_the_same_options() {
    let folder = sample_of("redguard");
    let map = Game::open(folder.path()).unwrap().files().find(|file| file.ends_with(".RGM")).unwrap();
    let glb = map_with_light::glb(folder.path(), &map.to_lowercase()).unwrap();
    let out = folder.path().join("out.glb");
    let options = [("light", "baked"), ("with", "sky")];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let options = ConvertOptions::default().options(&options);
    let inputs = Inputs::collect(&[folder.path().join(&map)]);
    let run = Session::default().convert(&inputs, &Destination::File(out.clone()), &options).unwrap();
    assert_eq!(run.failed(), 0);
    assert!(glb == fs::read(out).unwrap());
    let room = sample_of("scpcb");
    let error = map_with_light::glb(room.path(), ROOM).unwrap_err().to_string();
    assert!(error.contains("unknown option --light"), "{error}");
}

#[test]
fn bad_input_causes_a_helpful_error() {
    let scpcb = sample_of("scpcb");
    let nothing = tempfile::tempdir().unwrap();
    let missing = nothing.path().join("missing");
    let room = scpcb.path().join(ROOM);
    let damaged = nothing.path().join("damaged.rsm");
    fs::write(&damaged, b"GRSM\x01\x04").unwrap();
    let text = |result: Result<String, antiquary::Error>| result.unwrap_err().to_string();
    for (message, expected) in [
        (text(scene_values::summary(&missing, ROOM)), "missing"),
        (text(scene_values::summary(nothing.path(), ROOM)), "no game was recognized in this folder"),
        (
            text(scene_values::summary(scpcb.path(), "GFX/map/hal_opt.rmesh")),
            "did you mean \"hall_opt.rmesh\"",
        ),
        (text(scene_values::summary(scpcb.path(), "../../etc/passwd")), "no such file in the game"),
        (text(scene_values::summary(scpcb.path(), "Data/rooms.ini")), "has no scene; it has data"),
        (text(every_image::lines(&missing).map(|lines| lines.concat())), "missing"),
        (text(every_image::lines(nothing.path()).map(|lines| lines.concat())), "no game was recognized"),
        (text(every_image::lines(&room).map(|lines| lines.concat())), "neither a folder nor an archive"),
        (text(map_with_light::glb(&missing, "x.rgm").map(|_| String::new())), "missing"),
        (text(map_with_light::glb(nothing.path(), "x.rgm").map(|_| String::new())), "no game was recognized"),
        (text(change_model::raise(&missing, 1.0).map(|_| String::new())), "missing"),
        (text(change_model::raise(&damaged, 1.0).map(|_| String::new())), "damaged.rsm"),
        (text(change_model::raise(&room, 1.0).map(|_| String::new())), "is a "),
        (text(room_in_memory::convert(Vec::new(), ROOM).map(|_| String::new())), "no such file in the game"),
    ] {
        assert!(message.contains(expected), "{message:?} does not contain {expected:?}");
    }
}
