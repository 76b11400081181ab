//! `check`: findings and exit codes.

use std::collections::BTreeSet;

use crate::setup::{ROOM, Sandbox, room_with_vertices, room_without_its_texture};

#[test]
fn a_valid_file_passes_with_a_summary() {
    let (sandbox, file) = Sandbox::with_sample();
    let output = sandbox.run(&["check", &file]).exits_with(0);
    assert_eq!(output.text().lines().count(), 1, "{output:?}");
    assert!(output.text().starts_with(&format!("{file}: room, ")), "{output:?}");
    assert!(output.err.starts_with("1 file: 1 OK, ") && output.err.ends_with(" s\n"), "{output:?}");
}

#[test]
fn damaged_and_unknown_explicit_files_fail() {
    let files: [(&str, &[u8]); 4] =
        [("cut.rmesh", &ROOM[..14]), ("x.xyz", b"to do"), ("empty.rmesh", b""), ("a.gat", b"GRAT")];
    let sandbox = Sandbox::with(&files);
    let output =
        sandbox.run(&["check", "cut.rmesh", "x.xyz", "empty.rmesh", "missing", "a.gat"]).exits_with(1);
    let lines: Vec<_> = output.text().lines().collect();
    assert!(lines[0].starts_with("cut.rmesh: error: ") && lines[0].contains("at offset 0xc"), "{output:?}");
    assert!(lines[1].starts_with("x.xyz: error: unknown file format"), "{output:?}");
    assert!(lines[2].starts_with("empty.rmesh: error: "), "{output:?}");
    assert!(lines[3].starts_with("missing: error: "), "{output:?}");
    assert!(lines[4].starts_with("a.gat: error: known, but not read: ground of a map"), "{output:?}");
    assert!(output.err.starts_with("5 files: 0 OK, 5 failed, "), "{output:?}");
}

#[test]
fn counts_unknown_files_in_a_folder() {
    let sandbox =
        Sandbox::with(&[("game/a.rmesh", ROOM), ("game/notes.txt", b"to do"), ("game/x.xyz", b"?")]);
    let output = sandbox.run(&["check", "game"]).exits_with(0);
    assert!(output.err.starts_with("1 file: 1 OK, "), "{output:?}");
    assert!(output.err.contains(", 1 known file not read, 1 unknown file, "), "{output:?}");
}

#[test]
fn warnings_are_failures_only_with_strict() {
    let sandbox = Sandbox::with(&[("a.rmesh", &room_without_its_texture())]);
    let output = sandbox.run(&["check", "a.rmesh"]).exits_with(0);
    assert!(output.text().contains("\n  warning FILE-W001: surfaces[0].texture: "), "{output:?}");
    assert!(output.text().contains("was not found, at offset 0x"), "{output:?}");
    sandbox.run(&["check", "a.rmesh", "--strict"]).exits_with(1);
}

#[test]
fn shows_one_line_per_code_and_filters_codes() {
    let sandbox =
        Sandbox::with(&[("game/a.rmesh", &room_without_its_texture()), ("game/rooms.ini", b"[hall]\r\n")]);
    let output = sandbox.run(&["check", "game"]).exits_with(0);
    // Files without findings are only counted.
    assert!(output.text().contains("a.rmesh") && !output.text().contains("rooms.ini"), "{output:?}");
    assert!(sandbox.run(&["check", "game", "-v"]).exits_with(0).text().contains("rooms.ini"));
    let (sample, _) = Sandbox::with_sample();
    for texture in ["sign.png", "tiles.png"] {
        std::fs::remove_file(sample.path(&format!("game/GFX/map/{texture}"))).unwrap();
    }
    let lines = |arguments: &[&str]| {
        let output = sample.run(&[&["check", "game"], arguments].concat()).exits_with(0);
        output.text().lines().filter(|line| line.starts_with("  ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let (brief, all) = (lines(&[]), lines(&["-v"]));
    assert!(brief.len() < all.len() && brief[0].contains(" times): "), "{brief:?} {all:?}");
    assert!(brief.iter().all(|line| !line.starts_with("  note ")), "{brief:?}");
    assert!(lines(&["--code", "rmesh-w010", "-v"]).iter().all(|line| line.contains(" FILE-W001: ")));
    assert!(lines(&["--code", "RSM"]).is_empty());
    // Codes that are filtered out are no failures either.
    sample.run(&["check", "game", "--code", "RSM", "--strict"]).exits_with(0);
    assert!(sample.run(&["check", "game", "--code", "RMESH-W9"]).exits_with(2).err.contains("unknown code"));
}

#[test]
fn quiet_shows_only_failures() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM), ("b.rmesh", b"")]);
    let output = sandbox.run(&["check", "-q", "a.rmesh", "b.rmesh"]).exits_with(1);
    assert_eq!(output.text(), "b.rmesh: error: the file is empty, at offset 0x0\n");
    assert_eq!(output.err, "");
}

#[test]
fn fail_fast_stops_at_the_first_failure() {
    let sandbox = Sandbox::with(&[("a.rmesh", b""), ("b.rmesh", ROOM)]);
    let output = sandbox.run(&["check", "--fail-fast", "-j1", "a.rmesh", "b.rmesh"]).exits_with(1);
    assert!(!output.text().contains("b.rmesh"), "{output:?}");
}

#[test]
fn fixes_names_in_copies() {
    let (sandbox, _) = Sandbox::with_sample();
    std::fs::rename(sandbox.path("game/GFX/map/sign.png"), sandbox.path("game/GFX/map/Sign.png")).unwrap();
    let found = |folder: &str| {
        let output = sandbox.run(&["check", folder, "--code", "RMESH-N011", "-v"]).exits_with(0);
        output.text().lines().filter(|line| line.starts_with("  note FILE-N003: ")).count()
    };
    assert!(found("game") > 0);
    let before = std::fs::read(sandbox.path("game/GFX/map/hall_opt.rmesh")).unwrap();
    let output = sandbox.run(&["check", "game", "--fix", "-o", "mod/", "--dry-run"]).exits_with(0);
    assert!(output.text().contains("texture.name: \"sign.png\" -> \"Sign.png\""), "{output:?}");
    assert!(output.err.ends_with("1 file would be fixed (dry run), 0 failed\n"), "{output:?}");
    assert!(!sandbox.path("mod").exists());
    let output = sandbox.run(&["check", "game", "--fix", "-o", "mod/"]).exits_with(0);
    assert!(output.err.ends_with("1 file fixed, 0 failed\n"), "{output:?}");
    let fixed: Vec<_> = sandbox.files().into_iter().filter(|file| file.starts_with("mod/")).collect();
    assert_eq!(fixed, ["mod/GFX/map/hall_opt.rmesh"]);
    assert_eq!(std::fs::read(sandbox.path("game/GFX/map/hall_opt.rmesh")).unwrap(), before);
    // The fixed room finds its textures.
    std::fs::copy(sandbox.path("mod/GFX/map/hall_opt.rmesh"), sandbox.path("game/GFX/map/hall_opt.rmesh"))
        .unwrap();
    assert_eq!(found("game"), 0);
    let output = sandbox.run(&["check", "game", "--fix", "-o", "again/", "--json"]).exits_with(0).json();
    assert_eq!((&output["fixed"], &output["dry_run"]), (&antiquary::json::json!([]), &false.into()));
}

#[test]
fn fixes_a_single_file_and_only_the_requested_codes() {
    let (sandbox, _) = Sandbox::with_sample();
    std::fs::rename(sandbox.path("game/GFX/map/sign.png"), sandbox.path("game/GFX/map/Sign.png")).unwrap();
    let room = "game/GFX/map/hall_opt.rmesh";
    sandbox.run(&["check", room, "--fix", "-o", "none.rmesh", "--code", "FILE-N004"]).exits_with(0);
    assert!(!sandbox.path("none.rmesh").exists());
    let output = sandbox.run(&["check", room, "--fix", "-o", "hall.rmesh", "--json"]).exits_with(0).json();
    assert_eq!(output["fixed"][0]["outputs"], antiquary::json::json!(["hall.rmesh"]));
    assert!(sandbox.path("hall.rmesh").is_file());
    assert!(
        sandbox
            .run(&["check", room, "--fix", "-o", "hall.rmesh"])
            .exits_with(1)
            .err
            .contains("already exists")
    );
    sandbox.run(&["check", room, "--fix", "-o", room, "--force"]).exits_with(1);
    sandbox.run(&["check", room, "--fix"]).exits_with(2);
    sandbox.run(&["check", room, "-o", "x"]).exits_with(2);
}

#[test]
fn looks_up_sounds_of_emitters() {
    let (sandbox, room) = Sandbox::with_sample();
    let found = |path: &str| {
        let output = sandbox.run(&["check", path, "--json"]).exits_with(0).json();
        let warnings = output["results"][0]["warnings"].as_array().unwrap().clone();
        let is_about_sound = |it: &antiquary::json::Value| it["message"].as_str().unwrap().contains("sound ");
        let about = warnings.into_iter().filter(is_about_sound);
        about.map(|it| it["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let table = sandbox.path("game/Data/rooms.ini");
    assert!(found(&room).is_empty());
    std::fs::remove_file(sandbox.path("game/SFX/Ambient/hum.wav")).unwrap();
    assert_eq!(
        (found(&room), found("game/Data/rooms.ini")),
        (vec!["RMESH-W019".to_owned()], vec!["ROOMS-W005".to_owned()])
    );
    let text = std::fs::read_to_string(&table).unwrap();
    std::fs::write(&table, text.replace("ambience1", "ambience7")).unwrap();
    assert_eq!(found(&room), ["RMESH-W034"]);
}

#[test]
fn finds_all_warnings_of_a_conversion() {
    let (sandbox, _) = Sandbox::with_sample();
    let codes = |arguments: &[&str]| {
        let output = sandbox.run(&[arguments, &["--json"]].concat()).exits_with(0).json();
        let results = output["results"].as_array().unwrap().clone();
        let of = |result: &antiquary::json::Value| {
            let warnings = result["warnings"].as_array().unwrap().clone();
            let input = result["input"].as_str().unwrap().to_owned();
            warnings.into_iter().map(move |it| (input.clone(), it["code"].as_str().unwrap().to_owned()))
        };
        results.iter().flat_map(of).collect::<BTreeSet<_>>()
    };
    let (checked, converted) =
        (codes(&["check", "game"]), codes(&["convert", "game", "-o", "out/", "--no-gallery"]));
    assert!(!converted.is_empty());
    // The conversion decides how many pixels baked surfaces have.
    let of_the_file = |it: &&(String, String)| it.1 != "RMESH-N054";
    let lost: Vec<_> = converted.difference(&checked).filter(of_the_file).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn skips_the_conversion_of_a_large_file_with_a_note() {
    let found = |corners| {
        let sandbox = Sandbox::with(&[("a.rmesh", &room_with_vertices(corners))]);
        let output = sandbox.run(&["check", "a.rmesh", "--code", "CONVERT", "-v"]).exits_with(0);
        output.text().contains("note CONVERT-N003: the file is larger than 5 MB; use convert --dry-run")
    };
    assert!(found(200_000) && !found(20));
}
