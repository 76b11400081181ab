//! Standard input and output, colors, and readers that go away.

use std::io::Read;
use std::process::Stdio;

use crate::setup::{Place, ROOM, ran, room_with_corners};

#[test]
fn files_come_from_standard_input() {
    let place = Place::new();
    assert!(place.feed(ROOM, &["info", "-"]).ended(0).text().starts_with("stdin: room, 0 surfaces"));
    assert!(place.feed(ROOM, &["check", "-"]).ended(0).text().starts_with("stdin: room, 0 surfaces"));
    assert!(place.feed(ROOM, &["hex", "-"]).ended(0).text().starts_with("00000000  08 00 00 00"));
    let ran = place.feed(b"", &["check", "-"]).ended(1);
    assert_eq!(ran.text(), "stdin: error: the file is empty, at offset 0x0\n");
    place.feed(ROOM, &["convert", "-", "-o", "out/", "--to", "json"]).ended(0);
    assert!(place.has("out/stdin.json"));
}

#[test]
fn standard_input_is_read_alone() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    let ran = place.feed(ROOM, &["check", "-", "a.rmesh"]).ended(2);
    assert!(ran.err.contains("cannot be combined with other inputs"), "{ran:?}");
    let ran = place.feed(ROOM, &["unpack", "-", "-o", "out"]).ended(2);
    assert!(ran.err.contains("cannot be unpacked"), "{ran:?}");
}

#[test]
fn an_output_goes_to_standard_output() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    place.run(&["convert", "a.rmesh", "-o", "a.json"]).ended(0);
    let ran = place.feed(ROOM, &["convert", "-", "-o", "-", "--to", "json"]).ended(0);
    assert_eq!(ran.out, place.read("a.json"));
    let (place, file) = Place::with_sample();
    assert_eq!(&place.run(&["convert", &file, "-o", "-"]).ended(0).out[..4], b"glTF");
    let ran = place.run(&["convert", &file, "-o", "-", "--to", "gltf"]).ended(2);
    assert!(ran.out.is_empty() && ran.err.contains("only one can be written to standard output"), "{ran:?}");
    let ran = place.run(&["convert", &file, "game", "-o", "-"]).ended(2);
    assert!(ran.err.contains("only one file"), "{ran:?}");
}

#[test]
fn a_failed_conversion_writes_nothing_to_standard_output() {
    let ran = Place::new().feed(&ROOM[..14], &["convert", "-", "-o", "-"]).ended(1);
    assert!(ran.out.is_empty() && ran.err.starts_with("stdin: error: "), "{ran:?}");
}

#[test]
fn a_packed_file_goes_to_standard_output() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    place.run(&["unpack", "a.rmesh", "-o", "a"]).ended(0);
    let ran = place.run(&["pack", "a", "-o", "-"]).ended(0);
    assert_eq!((ran.out.as_slice(), ran.err.as_str()), (ROOM, ""));
    assert!(!place.has("-"));
}

#[test]
fn colours_are_for_terminals_and_those_who_ask() {
    let place = Place::with(&[("a.rmesh", b"")]);
    let run = |variables: &[(&str, &str)]| {
        let mut command = place.command(&["check", "a.rmesh"]);
        command.envs(variables.iter().copied());
        ran(command).ended(1).text().contains('\u{1b}')
    };
    assert!(!run(&[]));
    assert!(run(&[("CLICOLOR_FORCE", "1")]));
    assert!(!run(&[("NO_COLOR", "1")]));
    assert!(!run(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "0")]));
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    // What is shown of so many corners does not fit into a pipe.
    let place = Place::with(&[("a.rmesh", &room_with_corners(20_000))]);
    for arguments in [
        &["hex", "a.rmesh"][..],
        &["hex", "a.rmesh", "--json"],
        &["info", "a.rmesh", "--full"],
        &["info", "a.rmesh", "--full", "--json"],
        &["convert", "a.rmesh", "-o", "-", "--to", "json"],
    ] {
        let mut command = place.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        // What a shell shows for a program that was stopped by SIGPIPE.
        assert_eq!(child.wait().unwrap().code(), Some(141), "{arguments:?}: {err}");
        assert!(!err.contains("panicked") && !err.contains("roken pipe"), "{err}");
    }
}

#[test]
fn no_progress_bar_is_drawn_where_nobody_looks() {
    let place = Place::with(&[("a.rmesh", ROOM), ("b.rmesh", ROOM)]);
    let ran = place.run(&["convert", "a.rmesh", "b.rmesh", "-o", "out", "--to", "json"]).ended(0);
    assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
    assert!(!ran.err.contains(['\r', '\u{1b}']), "{ran:?}");
}
