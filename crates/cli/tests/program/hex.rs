//! `hex`: an annotated dump of every byte.

use crate::setup::{ROOM, Sandbox, room_without_its_texture};

#[test]
fn every_byte_belongs_to_a_field() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    let output = sandbox.run(&["hex", "a.rmesh"]).exits_with(0);
    let expected = "\
00000000  08 00 00 00              header.count                          8
00000004  52 6f 6f 6d 4d 65 73 68  header                                \"RoomMesh\"
0000000c  00 00 00 00              surfaces.count                        0
00000010  00 00 00 00              collision.count                       0
00000014  00 00 00 00              entities.count                        0
00000018  03 00 00 00 45 4f 46     rest                                  03 00 00 00 45 4f 46
";
    assert_eq!(output.text(), expected);
}

#[test]
fn shows_a_requested_byte_with_context() {
    let sandbox = Sandbox::with(&[("a.rmesh", &room_without_its_texture())]);
    for offset in ["0x27", "39"] {
        let output = sandbox.run(&["hex", "a.rmesh", "--at", offset]).exits_with(0);
        let lines: Vec<_> = output.text().lines().collect();
        assert_eq!(lines.len(), 7, "{output:?}");
        let asked = "00000026  00 00 00 00              surfaces[0].vertices[0].position[1]   0";
        assert_eq!(lines[3].trim_end(), asked, "{output:?}");
    }
    let output = sandbox.run(&["hex", "a.rmesh", "--at", "0"]).exits_with(0);
    assert!(output.text().starts_with("00000000  08 00 00 00"), "{output:?}");
}

#[test]
fn refuses_an_offset_past_the_end() {
    let sandbox = Sandbox::with(&[("a.rmesh", ROOM)]);
    let output = sandbox.run(&["hex", "a.rmesh", "--at", "31"]).exits_with(2);
    assert_eq!(
        output.err,
        "error: a.rmesh: offset 0x1f is past the end of the file, which has 31 bytes (0x1f)\n"
    );
    let output = sandbox.run(&["hex", "a.rmesh", "--at", "1g"]).exits_with(2);
    assert!(output.err.contains("expected a number like 0x1f40 or 8000"), "{output:?}");
}

#[test]
fn truncates_long_fields_unless_full_is_given() {
    let mut bytes = ROOM[..24].to_vec();
    bytes.extend([7; 1000]);
    let sandbox = Sandbox::with(&[("a.rmesh", &bytes)]);
    let output = sandbox.run(&["hex", "a.rmesh"]).exits_with(0);
    assert!(output.text().ends_with("          ... 992 more bytes\n"), "{output:?}");
    let output = sandbox.run(&["hex", "a.rmesh", "--full"]).exits_with(0);
    assert_eq!(output.text().lines().count(), 5 + 125);
}

#[test]
fn reports_the_offset_of_an_error() {
    let sandbox = Sandbox::with(&[("a.rmesh", &ROOM[..14])]);
    let output = sandbox.run(&["hex", "a.rmesh"]).exits_with(1);
    assert!(
        output.err.starts_with("error: a.rmesh: surfaces: ") && output.err.contains("at offset 0xc"),
        "{output:?}"
    );
}
