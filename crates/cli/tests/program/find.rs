//! `find`: where something is named.

use crate::setup::{Place, ROOM};

#[test]
fn places_are_shown_with_offset_kind_path_and_name() {
    let (place, _) = Place::with_sample();
    let ran = place.run(&["find", "game", "texture:*"]).ended(0);
    let line = ran.text().lines().find(|line| line.contains(".texture.name")).unwrap();
    assert!(line.trim_start().starts_with("0x") && line.contains("  texture "), "{ran:?}");
    assert!(ran.err.contains(" files searched"), "{ran:?}");
    let places = place.run(&["find", "game", "texture:*", "--json"]).ended(0).json();
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

/// The path that is shown is the one that `set` takes.
#[test]
fn what_was_found_can_be_set() {
    let (place, _) = Place::with_sample();
    let places = place.run(&["find", "game", "texture:*", "--json"]).ended(0).json();
    let found = places["results"].as_array().unwrap().iter();
    let found: Vec<_> =
        found.filter(|place| place["format"] == "scpcb.rmesh" && place["path"] != "").collect();
    assert!(!found.is_empty());
    for name in found {
        let edit = format!("{}=other.png", name["path"].as_str().unwrap());
        let out = ["-o", "edited.rmesh", "--force"];
        place.run(&[&["set", name["input"].as_str().unwrap(), &edit][..], &out].concat()).ended(0);
        let again = place.run(&["find", "edited.rmesh", "texture:other", "--json"]).ended(0).json();
        assert!(again["results"].as_array().unwrap().iter().any(|other| other["path"] == name["path"]));
    }
}

#[test]
fn nothing_found_and_files_that_cannot_be_read_are_failures() {
    let place = Place::with(&[("game/a.rmesh", ROOM), ("game/cut.rmesh", &ROOM[..14])]);
    let ran = place.run(&["find", "game", "actor:nobody"]).ended(1);
    assert!(ran.err.contains("cut.rmesh: error") && ran.err.contains("not found in 2 files"), "{ran:?}");
    // What was found is shown all the same.
    let ran = place.run(&["find", "game", "room:a"]).ended(1);
    assert!(ran.text().contains("the file itself"), "{ran:?}");
    let ran = place.run(&["find", "game", "modle:a"]).ended(2);
    assert!(ran.err.contains("did you mean \"model\"?"), "{ran:?}");
}
