//! The examples, run over the sample game.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../examples/change_field.rs"]
mod change_field;
#[path = "../examples/room_in_memory.rs"]
mod room_in_memory;
#[path = "../examples/walk_game.rs"]
mod walk_game;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use antiquary::asset::MemorySink;
use antiquary::{CATALOG, Destination, Inputs, Job, Report, Source, scpcb};

const ROOM: &str = scpcb::sample::ROOM;

fn sample_of_scpcb() -> Vec<(String, Vec<u8>)> {
    static FILES: LazyLock<MemorySink> = LazyLock::new(|| {
        let mut files = MemorySink::new();
        scpcb::sample::write(&mut files).unwrap();
        files
    });
    FILES.files().to_vec()
}

/// The sample game on disk.
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
    let inputs = Inputs::gather(&[room]);
    let run = Job::default().convert(&inputs, &Destination::File(out.clone()), &()).unwrap();
    assert_eq!(run.failed(), 0);
    let glb = room_in_memory::convert(sample_of_scpcb(), "gfx\\map\\HALL_OPT.rmesh").unwrap();
    assert!(glb == fs::read(out).unwrap());
}

#[test]
fn without_its_textures_a_room_in_memory_has_none() {
    let all = sample_of_scpcb();
    let alone: Vec<_> = all.iter().filter(|(name, _)| name == ROOM).cloned().collect();
    let whole = room_in_memory::convert(all, ROOM).unwrap();
    let bare = room_in_memory::convert(alone, ROOM).unwrap();
    assert!(bare.starts_with(b"glTF") && bare.len() < whole.len());
    assert!(room_in_memory::convert(Vec::new(), ROOM).unwrap_err().to_string().contains("no such file"));
}

#[test]
fn a_walk_names_every_file_of_a_known_format() {
    let folder = tempfile::tempdir().unwrap();
    write_sample(folder.path());
    let text = walk_game::walk(folder.path()).unwrap();
    let room = text.lines().find(|line| line.replace('\\', "/").starts_with(ROOM)).unwrap();
    assert!(room.contains(": room, "), "{room}");
    assert!(text.lines().last().unwrap().ends_with(" of other formats"), "{text}");
}

#[test]
fn one_field_is_changed_and_nothing_else() {
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
