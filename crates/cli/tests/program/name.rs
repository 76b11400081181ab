//! Hostile names: they are data and never reach a terminal unescaped.

use crate::setup::{ROOM, Sandbox};

const HOSTILE: &str = "a\u{1b}[2J\nb\u{202e}.rmesh";
const SHOWN: &str = "a\\u{1b}[2J\\nb\\u{202e}.rmesh";

#[cfg(unix)]
#[test]
fn escapes_file_names() {
    let sandbox = Sandbox::with(&[(HOSTILE, ROOM)]);
    let safe = |text: &str| !text.contains(['\u{1b}', '\u{202e}']) && text.contains(SHOWN);
    let output = sandbox.run(&["check", "."]).exits_with(0);
    assert!(safe(output.text()), "{output:?}");
    let output = sandbox.run(&["info", HOSTILE]).exits_with(0);
    assert!(safe(output.text()), "{output:?}");
    let output = sandbox.run(&["convert", ".", "-o", "out", "--to", "json", "-v"]).exits_with(0);
    assert!(safe(&output.err), "{output:?}");
    let output = sandbox.run(&["check", "missing\u{1b}[2J"]).exits_with(1);
    assert!(output.text().starts_with("missing\\u{1b}[2J: error: "), "{output:?}");
    let object = sandbox.run(&["check", "--json", HOSTILE]).exits_with(0).json();
    assert_eq!(object["results"][0]["input"], HOSTILE);
}

#[cfg(unix)]
#[test]
fn escapes_invalid_command_lines() {
    let output = Sandbox::new().run(&["check", "--\u{1b}[2Jbogus"]).exits_with(2);
    assert!(!output.err.contains('\u{1b}') && output.err.contains("\\u{1b}[2J"), "{output:?}");
}

#[test]
fn escapes_texts_from_files() {
    let mut bytes = b"\x08\0\0\0RoomMesh\x01\0\0\0\0\x01\x08\0\0\0\x1b[2J\n.\x07x".to_vec();
    bytes.extend([0; 4 + 4 + 4 + 4]);
    bytes.extend(b"\x03\0\0\0EOF");
    let sandbox = Sandbox::with(&[("a.rmesh", &bytes)]);
    for command in
        [&["check", "a.rmesh"][..], &["info", "a.rmesh"], &["info", "--full", "a.rmesh"], &["hex", "a.rmesh"]]
    {
        let output = sandbox.run(command).exits_with(0);
        let shown = format!("{}{}", output.text(), output.err);
        assert!(!shown.contains(['\u{1b}', '\u{7}']), "{output:?}");
        assert!(shown.contains("u{1b}[2J") || shown.contains("u001b[2J"), "{output:?}");
    }
}

#[cfg(unix)]
#[test]
fn accepts_file_names_that_are_not_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let sandbox = Sandbox::new();
    let name = OsStr::from_bytes(b"\xb0\xa1.rmesh");
    std::fs::write(sandbox.path("").join(name), ROOM).unwrap();
    let output = sandbox.run(&[OsStr::new("check"), name]).exits_with(0);
    assert!(output.text().starts_with("\u{fffd}\u{fffd}.rmesh: room"), "{output:?}");
    sandbox.run(&["convert", ".", "-o", "out", "--to", "json"]).exits_with(0);
}
