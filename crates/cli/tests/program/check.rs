//! `check`: what it finds, and what its exit code says.

use crate::setup::{Place, ROOM, room_without_its_texture};

#[test]
fn a_valid_file_passes_with_a_summary() {
    let (place, file) = Place::with_sample();
    let ran = place.run(&["check", &file]).ended(0);
    assert_eq!(ran.text().lines().count(), 1, "{ran:?}");
    assert!(ran.text().starts_with(&format!("{file}: room, ")), "{ran:?}");
    assert!(ran.err.starts_with("1 file: 1 OK, ") && ran.err.ends_with(" s\n"), "{ran:?}");
}

#[test]
fn damaged_and_unknown_explicit_files_fail() {
    let files: [(&str, &[u8]); 4] =
        [("cut.rmesh", &ROOM[..14]), ("x.stranger", b"to do"), ("empty.rmesh", b""), ("a.gat", b"GRAT")];
    let place = Place::with(&files);
    let ran = place.run(&["check", "cut.rmesh", "x.stranger", "empty.rmesh", "missing", "a.gat"]).ended(1);
    let lines: Vec<_> = ran.text().lines().collect();
    assert!(lines[0].starts_with("cut.rmesh: error: ") && lines[0].contains("at offset 0xc"), "{ran:?}");
    assert!(lines[1].starts_with("x.stranger: error: unknown file format"), "{ran:?}");
    assert!(lines[2].starts_with("empty.rmesh: error: "), "{ran:?}");
    assert!(lines[3].starts_with("missing: error: "), "{ran:?}");
    assert!(lines[4].starts_with("a.gat: error: known, but not read: ground of a map"), "{ran:?}");
    assert!(ran.err.starts_with("5 files: 0 OK, 5 failed, "), "{ran:?}");
}

#[test]
fn unknown_files_in_a_folder_are_counted() {
    let place =
        Place::with(&[("game/a.rmesh", ROOM), ("game/notes.txt", b"to do"), ("game/x.stranger", b"?")]);
    let ran = place.run(&["check", "game"]).ended(0);
    assert!(ran.err.starts_with("1 file: 1 OK, "), "{ran:?}");
    assert!(ran.err.contains(", 1 known file not read, 1 unknown file, "), "{ran:?}");
}

#[test]
fn warnings_fail_only_when_that_is_asked_for() {
    let place = Place::with(&[("a.rmesh", &room_without_its_texture())]);
    let ran = place.run(&["check", "a.rmesh"]).ended(0);
    assert!(ran.text().contains("\n  warning RMESH-W010: surfaces[0].texture: "), "{ran:?}");
    assert!(ran.text().contains("was not found, at offset 0x"), "{ran:?}");
    place.run(&["check", "a.rmesh", "--strict"]).ended(1);
}

#[test]
fn each_code_takes_one_line_and_can_be_chosen() {
    let place =
        Place::with(&[("game/a.rmesh", &room_without_its_texture()), ("game/rooms.ini", b"[hall]\r\n")]);
    let ran = place.run(&["check", "game"]).ended(0);
    // Files without findings are only counted.
    assert!(ran.text().contains("a.rmesh") && !ran.text().contains("rooms.ini"), "{ran:?}");
    assert!(place.run(&["check", "game", "-v"]).ended(0).text().contains("rooms.ini"));
    let (sample, _) = Place::with_sample();
    for texture in ["sign.png", "tiles.png"] {
        std::fs::remove_file(sample.path(&format!("game/GFX/map/{texture}"))).unwrap();
    }
    let lines = |arguments: &[&str]| {
        let ran = sample.run(&[&["check", "game"], arguments].concat()).ended(0);
        ran.text().lines().filter(|line| line.starts_with("  ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let (brief, all) = (lines(&[]), lines(&["-v"]));
    assert!(brief.len() < all.len() && brief[0].contains(" times): "), "{brief:?} {all:?}");
    assert!(brief.iter().all(|line| !line.starts_with("  note ")), "{brief:?}");
    assert!(lines(&["--code", "rmesh-w010", "-v"]).iter().all(|line| line.contains(" RMESH-W010: ")));
    assert!(lines(&["--code", "RSM"]).is_empty());
    // What is not asked for is no failure either.
    sample.run(&["check", "game", "--code", "RSM", "--strict"]).ended(0);
    assert!(sample.run(&["check", "game", "--code", "RMESH-W9"]).ended(2).err.contains("no such code"));
}

#[test]
fn quiet_shows_only_what_failed() {
    let place = Place::with(&[("a.rmesh", ROOM), ("b.rmesh", b"")]);
    let ran = place.run(&["check", "-q", "a.rmesh", "b.rmesh"]).ended(1);
    assert_eq!(ran.text(), "b.rmesh: error: the file is empty, at offset 0x0\n");
    assert_eq!(ran.err, "");
}

#[test]
fn the_first_failure_ends_it_when_that_is_asked_for() {
    let place = Place::with(&[("a.rmesh", b""), ("b.rmesh", ROOM)]);
    let ran = place.run(&["check", "--fail-fast", "-j1", "a.rmesh", "b.rmesh"]).ended(1);
    assert!(!ran.text().contains("b.rmesh"), "{ran:?}");
}
