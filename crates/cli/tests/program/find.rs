//! `find`: searching for names and texts.

use crate::setup::{ROOM, Sandbox};

#[test]
fn shows_matches_with_offset_kind_path_and_name() {
    let (sandbox, _) = Sandbox::with_sample();
    let output = sandbox.run(&["find", "game", "texture:*"]).exits_with(0);
    let line = output.text().lines().find(|line| line.contains(".texture.name")).unwrap();
    assert!(line.trim_start().starts_with("0x") && line.contains("  texture "), "{output:?}");
    assert!(output.err.contains(" files searched"), "{output:?}");
    let places = sandbox.run(&["find", "game", "texture:*", "--json"]).exits_with(0).json();
    let count = places["results"].as_array().unwrap().len();
    assert_eq!(places["places"], count);
    assert_eq!(places["left_out"], 0);
    let first = &places["results"][0];
    assert_eq!(first["kind"], "texture", "{first}");
    assert!(
        ["input", "format", "text", "path", "offset"].iter().all(|name| first.get(name).is_some()),
        "{first}"
    );
}

/// The shown path is accepted by `set`.
#[test]
fn found_names_can_be_set() {
    let (sandbox, _) = Sandbox::with_sample();
    let places = sandbox.run(&["find", "game", "texture:*", "--json"]).exits_with(0).json();
    let found = places["results"].as_array().unwrap().iter();
    let found: Vec<_> = found.filter(|name| name["format"] == "scpcb.rmesh" && name["path"] != "").collect();
    assert!(!found.is_empty());
    for name in found {
        let edit = format!("{}=other.png", name["path"].as_str().unwrap());
        let out = ["-o", "edited.rmesh", "--force"];
        sandbox.run(&[&["set", name["input"].as_str().unwrap(), &edit][..], &out].concat()).exits_with(0);
        let again = sandbox.run(&["find", "edited.rmesh", "texture:other", "--json"]).exits_with(0).json();
        assert!(again["results"].as_array().unwrap().iter().any(|other| other["path"] == name["path"]));
    }
}

#[test]
fn no_match_and_unreadable_files_are_failures() {
    let sandbox = Sandbox::with(&[("game/a.rmesh", ROOM), ("game/cut.rmesh", &ROOM[..14])]);
    let output = sandbox.run(&["find", "game", "actor:unknown"]).exits_with(1);
    assert!(
        output.err.contains("cut.rmesh: error") && output.err.contains("not found in 2 files"),
        "{output:?}"
    );
    // Matches are shown anyway.
    let output = sandbox.run(&["find", "game", "room:a"]).exits_with(1);
    assert!(output.text().contains("the file itself"), "{output:?}");
    let output = sandbox.run(&["find", "game", "modle:a"]).exits_with(2);
    assert!(output.err.contains("did you mean \"model\"?"), "{output:?}");
}
