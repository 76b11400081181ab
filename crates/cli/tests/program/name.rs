//! Hostile names: they are data, and never reach a terminal as they are.

use crate::setup::{Place, ROOM};

const HOSTILE: &str = "a\u{1b}[2J\nb\u{202e}.rmesh";
const SHOWN: &str = "a\\u{1b}[2J\\nb\\u{202e}.rmesh";

#[cfg(unix)]
#[test]
fn names_of_files_are_shown_without_their_tricks() {
    let place = Place::with(&[(HOSTILE, ROOM)]);
    let safe = |text: &str| !text.contains(['\u{1b}', '\u{202e}']) && text.contains(SHOWN);
    let ran = place.run(&["check", "."]).ended(0);
    assert!(safe(ran.text()), "{ran:?}");
    let ran = place.run(&["info", HOSTILE]).ended(0);
    assert!(safe(ran.text()), "{ran:?}");
    let ran = place.run(&["convert", ".", "-o", "out", "--to", "json", "-v"]).ended(0);
    assert!(safe(&ran.err), "{ran:?}");
    let ran = place.run(&["check", "missing\u{1b}[2J"]).ended(1);
    assert!(ran.text().starts_with("missing\\u{1b}[2J: error: "), "{ran:?}");
    let object = place.run(&["check", "--json", HOSTILE]).ended(0).json();
    assert_eq!(object["results"][0]["input"], HOSTILE);
}

#[cfg(unix)]
#[test]
fn a_wrong_command_line_is_repeated_without_tricks() {
    let ran = Place::new().run(&["check", "--\u{1b}[2Jbogus"]).ended(2);
    assert!(!ran.err.contains('\u{1b}') && ran.err.contains("\\u{1b}[2J"), "{ran:?}");
}

#[test]
fn texts_in_files_are_shown_without_their_tricks() {
    let mut bytes = b"\x08\0\0\0RoomMesh\x01\0\0\0\0\x01\x08\0\0\0\x1b[2J\n.\x07x".to_vec();
    bytes.extend([0; 4 + 4 + 4 + 4]);
    bytes.extend(b"\x03\0\0\0EOF");
    let place = Place::with(&[("a.rmesh", &bytes)]);
    for command in
        [&["check", "a.rmesh"][..], &["info", "a.rmesh"], &["info", "--full", "a.rmesh"], &["hex", "a.rmesh"]]
    {
        let ran = place.run(command).ended(0);
        let shown = format!("{}{}", ran.text(), ran.err);
        assert!(!shown.contains(['\u{1b}', '\u{7}']), "{ran:?}");
        assert!(shown.contains("u{1b}[2J") || shown.contains("u001b[2J"), "{ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_text_is_worked_on_all_the_same() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let name = OsStr::from_bytes(b"\xb0\xa1.rmesh");
    std::fs::write(place.path("").join(name), ROOM).unwrap();
    let ran = place.run(&[OsStr::new("check"), name]).ended(0);
    assert!(ran.text().starts_with("\u{fffd}\u{fffd}.rmesh: room"), "{ran:?}");
    place.run(&["convert", ".", "-o", "out", "--to", "json"]).ended(0);
}
