//! `info`: descriptions of files.

use crate::setup::{ROOM, Sandbox, room_without_its_texture};

#[test]
fn shows_the_format_and_counts_of_a_file() {
    let sandbox = Sandbox::with(&[("a.rmesh", &room_without_its_texture())]);
    let output = sandbox.run(&["info", "a.rmesh"]).exits_with(0);
    let lines: Vec<_> = output.text().lines().collect();
    assert_eq!(lines[0], "a.rmesh: room, 1 surface, 1 triangle, 0 entities");
    assert!(
        lines.iter().any(|line| line.starts_with("  format ") && line.contains("scpcb.rmesh")),
        "{output:?}"
    );
    assert!(lines.contains(&"  size                158 bytes"), "{output:?}");
    assert!(!output.text().contains("vertices[0]"), "{output:?}");
}

#[test]
fn read_is_an_alias() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    assert_eq!(sandbox.run(&["read", "a.rmesh"]).out, sandbox.run(&["info", "a.rmesh"]).out);
}

#[test]
fn full_shows_every_field() {
    let sandbox = Sandbox::with(&[("a.rmesh", &room_without_its_texture())]);
    let output = sandbox.run(&["info", "--full", "a.rmesh"]).exits_with(0);
    assert!(output.text().contains("position: [256.0, 0.0, 0.0]"), "{output:?}");
}

#[test]
fn shows_fields_selected_by_path() {
    let (sandbox, file) = Sandbox::with_sample();
    let output = sandbox.run(&["info", &file, "surfaces[0].texture.name", "header"]).exits_with(0);
    assert_eq!(
        output.text(),
        "surfaces[0].texture.name: \"tiles.png\"\nheader: \"RoomMesh.HasTriggerBox\"\n"
    );
    let output = sandbox.run(&["info", &file, "surfaces[*].texture.kind", "--json"]).exits_with(0);
    let fields = &output.json()["results"][0]["fields"];
    assert!(
        fields.as_object().unwrap().len() > 3 && fields["surfaces[1].texture.kind"].is_u64(),
        "{output:?}"
    );
    let output = sandbox.run(&["info", &file, "surface[0]"]).exits_with(1);
    assert!(output.err.contains("has no field \"surface\"; did you mean \"surfaces\"?"), "{output:?}");
    // An argument that is not a field path is a missing file.
    let output = sandbox.run(&["info", &file, "a/b.."]).exits_with(1);
    assert!(output.err.contains("a/b..: "), "{output:?}");
    let fed = sandbox.feed(ROOM, &["info", "-", "header"]).exits_with(0);
    assert!(fed.text().starts_with("header: "), "{fed:?}");
}

#[test]
fn describes_all_files_of_a_folder_despite_errors() {
    let sandbox = Sandbox::with(&[("game/a.rmesh", b""), ("game/b.rmesh", ROOM)]);
    let output = sandbox.run(&["info", "game"]).exits_with(1);
    assert!(output.err.contains("error: the file is empty"), "{output:?}");
    assert!(output.text().contains("b.rmesh: room"), "{output:?}");
}
