//! Standard input and output, colors, and closed pipes.

use std::io::Read;
use std::process::Stdio;

use crate::setup::{ROOM, Sandbox, room_with_vertices, run_command};

#[test]
fn reads_files_from_standard_input() {
    let sandbox = Sandbox::new();
    assert!(sandbox.feed(ROOM, &["info", "-"]).exits_with(0).text().starts_with("stdin: room, 0 surfaces"));
    assert!(sandbox.feed(ROOM, &["check", "-"]).exits_with(0).text().starts_with("stdin: room, 0 surfaces"));
    assert!(sandbox.feed(ROOM, &["hex", "-"]).exits_with(0).text().starts_with("00000000  08 00 00 00"));
    let output = sandbox.feed(b"", &["check", "-"]).exits_with(1);
    assert_eq!(output.text(), "stdin: error: the file is empty, at offset 0x0\n");
    sandbox.feed(ROOM, &["convert", "-", "-o", "out/", "--to", "json"]).exits_with(0);
    assert!(sandbox.has("out/stdin.json"));
}

#[test]
fn standard_input_must_be_the_only_input() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    let output = sandbox.feed(ROOM, &["check", "-", "a.rmesh"]).exits_with(2);
    assert!(output.err.contains("cannot be combined with other inputs"), "{output:?}");
    let output = sandbox.feed(ROOM, &["unpack", "-", "-o", "out"]).exits_with(2);
    assert!(output.err.contains("cannot be unpacked"), "{output:?}");
}

#[test]
fn writes_an_output_to_standard_output() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    sandbox.run(&["convert", "a.rmesh", "-o", "a.json"]).exits_with(0);
    let output = sandbox.feed(ROOM, &["convert", "-", "-o", "-", "--to", "json"]).exits_with(0);
    assert_eq!(output.out, sandbox.read("a.json"));
    let (sandbox, file) = Sandbox::with_sample();
    assert_eq!(&sandbox.run(&["convert", &file, "-o", "-"]).exits_with(0).out[..4], b"glTF");
    let output = sandbox.run(&["convert", &file, "-o", "-", "--to", "gltf"]).exits_with(2);
    assert!(
        output.out.is_empty() && output.err.contains("only one can be written to standard output"),
        "{output:?}"
    );
    let output = sandbox.run(&["convert", &file, "game", "-o", "-"]).exits_with(2);
    assert!(output.err.contains("only one file"), "{output:?}");
}

#[test]
fn a_failed_conversion_writes_nothing_to_standard_output() {
    let output = Sandbox::new().feed(&ROOM[..14], &["convert", "-", "-o", "-"]).exits_with(1);
    assert!(output.out.is_empty() && output.err.starts_with("stdin: error: "), "{output:?}");
}

#[test]
fn writes_a_packed_file_to_standard_output() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    sandbox.run(&["unpack", "a.rmesh", "-o", "a"]).exits_with(0);
    let output = sandbox.run(&["pack", "a", "-o", "-"]).exits_with(0);
    assert_eq!((output.out.as_slice(), output.err.as_str()), (ROOM, ""));
    assert!(!sandbox.has("-"));
}

#[test]
fn uses_colors_only_on_terminals_or_if_forced() {
    let sandbox = Sandbox::with(&[("a.rmesh", b"")]);
    let run = |variables: &[(&str, &str)]| {
        let mut command = sandbox.command(&["check", "a.rmesh"]);
        command.envs(variables.iter().copied());
        run_command(command).exits_with(1).text().contains('\u{1b}')
    };
    assert!(!run(&[]));
    assert!(run(&[("CLICOLOR_FORCE", "1")]));
    assert!(!run(&[("NO_COLOR", "1")]));
    assert!(!run(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "0")]));
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    // The output for this number of vertices does not fit into a pipe.
    let sandbox = Sandbox::with(&[("a.rmesh", &room_with_vertices(20_000))]);
    for arguments in [
        &["hex", "a.rmesh"][..],
        &["hex", "a.rmesh", "--json"],
        &["info", "a.rmesh", "--full"],
        &["info", "a.rmesh", "--full", "--json"],
        &["convert", "a.rmesh", "-o", "-", "--to", "json"],
    ] {
        let mut command = sandbox.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        // The code that shells report for a program stopped by SIGPIPE.
        assert_eq!(child.wait().unwrap().code(), Some(141), "{arguments:?}: {err}");
        assert!(!err.contains("panicked") && !err.contains("roken pipe"), "{err}");
    }
}

#[test]
fn draws_no_progress_bar_without_a_terminal() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM), ("b.rmesh", ROOM)]);
    let output = sandbox.run(&["convert", "a.rmesh", "b.rmesh", "-o", "out", "--to", "json"]).exits_with(0);
    assert_eq!(output.err.lines().count(), 1, "{output:?}");
    assert!(!output.err.contains(['\r', '\u{1b}']), "{output:?}");
}

#[test]
fn a_companion_that_repeats_the_output_is_not_streamed() {
    let sandbox = Sandbox::with_games();
    let palette = "redguard/fxart/ISLAND.COL";
    let streamed = sandbox.run(&["convert", palette, "-o", "-", "--to", "json"]).exits_with(0);
    sandbox.run(&["convert", palette, "-o", "island.json"]).exits_with(0);
    assert!(sandbox.has("island.png"));
    let colors =
        |json: &[u8]| antiquary::json::from_slice::<antiquary::json::Value>(json).unwrap()["colors"].clone();
    assert_eq!(colors(&streamed.out), colors(&sandbox.read("island.json")));
}
