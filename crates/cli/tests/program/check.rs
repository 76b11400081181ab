//! `check`: what it finds, and what its exit code says.

use crate::setup::{Place, ROOM, room_with_corners, room_without_its_texture};

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
    assert!(ran.text().contains("\n  warning FILE-W001: surfaces[0].texture: "), "{ran:?}");
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
    assert!(lines(&["--code", "rmesh-w010", "-v"]).iter().all(|line| line.contains(" FILE-W001: ")));
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

#[test]
fn names_are_fixed_in_copies_wherever_they_stand() {
    let (place, _) = Place::with_sample();
    std::fs::rename(place.path("game/GFX/map/sign.png"), place.path("game/GFX/map/Sign.png")).unwrap();
    let found = |folder: &str| {
        let ran = place.run(&["check", folder, "--code", "RMESH-N011", "-v"]).ended(0);
        ran.text().lines().filter(|line| line.starts_with("  note FILE-N003: ")).count()
    };
    assert!(found("game") > 0);
    let before = std::fs::read(place.path("game/GFX/map/hall_opt.rmesh")).unwrap();
    let ran = place.run(&["check", "game", "--fix", "-o", "mod/", "--dry-run"]).ended(0);
    assert!(ran.text().contains("texture.name: \"sign.png\" -> \"Sign.png\""), "{ran:?}");
    assert!(ran.err.ends_with("1 file would be mended (dry run), 0 failed\n"), "{ran:?}");
    assert!(!place.path("mod").exists());
    let ran = place.run(&["check", "game", "--fix", "-o", "mod/"]).ended(0);
    assert!(ran.err.ends_with("1 file mended, 0 failed\n"), "{ran:?}");
    let mended: Vec<_> = place.files().into_iter().filter(|file| file.starts_with("mod/")).collect();
    assert_eq!(mended, ["mod/GFX/map/hall_opt.rmesh"]);
    assert_eq!(std::fs::read(place.path("game/GFX/map/hall_opt.rmesh")).unwrap(), before);
    // The mended room finds its textures.
    std::fs::copy(place.path("mod/GFX/map/hall_opt.rmesh"), place.path("game/GFX/map/hall_opt.rmesh"))
        .unwrap();
    assert_eq!(found("game"), 0);
    let ran = place.run(&["check", "game", "--fix", "-o", "again/", "--json"]).ended(0).json();
    assert_eq!((&ran["fixed"], &ran["dry_run"]), (&antiquary::json::json!([]), &false.into()));
}

#[test]
fn a_single_file_is_fixed_to_the_output_and_only_what_is_asked_for() {
    let (place, _) = Place::with_sample();
    std::fs::rename(place.path("game/GFX/map/sign.png"), place.path("game/GFX/map/Sign.png")).unwrap();
    let room = "game/GFX/map/hall_opt.rmesh";
    place.run(&["check", room, "--fix", "-o", "none.rmesh", "--code", "FILE-N004"]).ended(0);
    assert!(!place.path("none.rmesh").exists());
    let ran = place.run(&["check", room, "--fix", "-o", "hall.rmesh", "--json"]).ended(0).json();
    assert_eq!(ran["fixed"][0]["outputs"], antiquary::json::json!(["hall.rmesh"]));
    assert!(place.path("hall.rmesh").is_file());
    assert!(place.run(&["check", room, "--fix", "-o", "hall.rmesh"]).ended(1).err.contains("already exists"));
    place.run(&["check", room, "--fix", "-o", room, "--force"]).ended(1);
    place.run(&["check", room, "--fix"]).ended(2);
    place.run(&["check", room, "-o", "x"]).ended(2);
}

#[test]
fn sounds_of_emitters_are_looked_up() {
    let (place, room) = Place::with_sample();
    let found = |path: &str| {
        let ran = place.run(&["check", path, "--json"]).ended(0).json();
        let warnings = ran["results"][0]["warnings"].as_array().unwrap().clone();
        let is_about_sound = |it: &antiquary::json::Value| it["message"].as_str().unwrap().contains("sound ");
        let about = warnings.into_iter().filter(is_about_sound);
        about.map(|it| it["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let table = place.path("game/Data/rooms.ini");
    assert!(found(&room).is_empty());
    std::fs::remove_file(place.path("game/SFX/Ambient/hum.wav")).unwrap();
    assert_eq!(
        (found(&room), found("game/Data/rooms.ini")),
        (vec!["RMESH-W019".to_owned()], vec!["ROOMS-W005".to_owned()])
    );
    let text = std::fs::read_to_string(&table).unwrap();
    std::fs::write(&table, text.replace("ambience1", "ambience7")).unwrap();
    assert_eq!(found(&room), ["RMESH-W034"]);
}

#[test]
fn what_a_conversion_tells_is_found_too() {
    let (place, _) = Place::with_sample();
    let codes = |arguments: &[&str]| {
        let ran = place.run(&[arguments, &["--json"]].concat()).ended(0).json();
        let results = ran["results"].as_array().unwrap().clone();
        let of = |result: &antiquary::json::Value| {
            let warnings = result["warnings"].as_array().unwrap().clone();
            let input = result["input"].as_str().unwrap().to_owned();
            warnings.into_iter().map(move |it| (input.clone(), it["code"].as_str().unwrap().to_owned()))
        };
        results.iter().flat_map(of).collect::<std::collections::BTreeSet<_>>()
    };
    let (checked, converted) =
        (codes(&["check", "game"]), codes(&["convert", "game", "-o", "out/", "--no-gallery"]));
    assert!(!converted.is_empty());
    let lost: Vec<_> = converted.difference(&checked).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn the_scene_of_a_large_file_is_not_made_and_that_is_told() {
    let found = |corners| {
        let place = Place::with(&[("a.rmesh", &room_with_corners(corners))]);
        let ran = place.run(&["check", "a.rmesh", "--code", "CONVERT", "-v"]).ended(0);
        ran.text().contains("note CONVERT-N003: the file is larger than 5 MB; convert --dry-run tells")
    };
    assert!(found(200_000) && !found(20));
}
