//! `info`: what a file holds.

use crate::setup::{Place, ROOM, room_without_its_texture};

#[test]
fn it_says_what_a_file_is_and_what_can_be_counted() {
    let place = Place::with(&[("a.rmesh", &room_without_its_texture())]);
    let ran = place.run(&["info", "a.rmesh"]).ended(0);
    let lines: Vec<_> = ran.text().lines().collect();
    assert_eq!(lines[0], "a.rmesh: room, 1 surface, 1 triangle, 0 entities");
    assert!(
        lines.iter().any(|line| line.starts_with("  format ") && line.contains("scpcb.rmesh")),
        "{ran:?}"
    );
    assert!(lines.contains(&"  size                158 bytes"), "{ran:?}");
    assert!(!ran.text().contains("vertices[0]"), "{ran:?}");
}

#[test]
fn read_is_another_name_for_it() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    assert_eq!(place.run(&["read", "a.rmesh"]).out, place.run(&["info", "a.rmesh"]).out);
}

#[test]
fn everything_is_shown_when_that_is_asked_for() {
    let place = Place::with(&[("a.rmesh", &room_without_its_texture())]);
    let ran = place.run(&["info", "--full", "a.rmesh"]).ended(0);
    assert!(ran.text().contains("position: [256.0, 0.0, 0.0]"), "{ran:?}");
}

#[test]
fn single_fields_are_shown_by_their_paths() {
    let (place, file) = Place::with_sample();
    let ran = place.run(&["info", &file, "surfaces[0].texture.name", "header"]).ended(0);
    assert_eq!(ran.text(), "surfaces[0].texture.name: \"tiles.png\"\nheader: \"RoomMesh.HasTriggerBox\"\n");
    let ran = place.run(&["info", &file, "surfaces[*].texture.kind", "--json"]).ended(0);
    let fields = &ran.json()["results"][0]["fields"];
    assert!(fields.as_object().unwrap().len() > 3 && fields["surfaces[1].texture.kind"].is_u64(), "{ran:?}");
    let ran = place.run(&["info", &file, "surface[0]"]).ended(1);
    assert!(ran.err.contains("has no field \"surface\"; did you mean \"surfaces\"?"), "{ran:?}");
    // What is no path is a file that is not there.
    let ran = place.run(&["info", &file, "a/b.."]).ended(1);
    assert!(ran.err.contains("a/b..: "), "{ran:?}");
    let fed = place.feed(ROOM, &["info", "-", "header"]).ended(0);
    assert!(fed.text().starts_with("header: "), "{fed:?}");
}

#[test]
fn a_folder_stands_for_its_files_and_a_bad_one_stops_nothing() {
    let place = Place::with(&[("game/a.rmesh", b""), ("game/b.rmesh", ROOM)]);
    let ran = place.run(&["info", "game"]).ended(1);
    assert!(ran.err.contains("error: the file is empty"), "{ran:?}");
    assert!(ran.text().contains("b.rmesh: room"), "{ran:?}");
}
