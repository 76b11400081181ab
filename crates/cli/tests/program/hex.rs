//! `hex`: every byte with its field.

use crate::setup::{Place, ROOM, room_without_its_texture};

#[test]
fn every_byte_stands_in_a_field() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    let ran = place.run(&["hex", "a.rmesh"]).ended(0);
    let expected = "\
00000000  08 00 00 00              header.count                          8
00000004  52 6f 6f 6d 4d 65 73 68  header                                \"RoomMesh\"
0000000c  00 00 00 00              surfaces.count                        0
00000010  00 00 00 00              collision.count                       0
00000014  00 00 00 00              entities.count                        0
00000018  03 00 00 00 45 4f 46     rest                                  03 00 00 00 45 4f 46
";
    assert_eq!(ran.text(), expected);
}

#[test]
fn a_byte_can_be_asked_for_and_is_shown_with_its_neighbours() {
    let place = Place::with(&[("a.rmesh", &room_without_its_texture())]);
    for offset in ["0x27", "39"] {
        let ran = place.run(&["hex", "a.rmesh", "--at", offset]).ended(0);
        let lines: Vec<_> = ran.text().lines().collect();
        assert_eq!(lines.len(), 7, "{ran:?}");
        let asked = "00000026  00 00 00 00              surfaces[0].vertices[0].position[1]   0";
        assert_eq!(lines[3].trim_end(), asked, "{ran:?}");
    }
    let ran = place.run(&["hex", "a.rmesh", "--at", "0"]).ended(0);
    assert!(ran.text().starts_with("00000000  08 00 00 00"), "{ran:?}");
}

#[test]
fn an_offset_past_the_end_is_refused() {
    let place = Place::with(&[("a.rmesh", ROOM)]);
    let ran = place.run(&["hex", "a.rmesh", "--at", "31"]).ended(2);
    assert_eq!(
        ran.err,
        "error: a.rmesh: offset 0x1f is past the end of the file, which has 31 bytes (0x1f)\n"
    );
    let ran = place.run(&["hex", "a.rmesh", "--at", "1g"]).ended(2);
    assert!(ran.err.contains("expected a number like 0x1f40 or 8000"), "{ran:?}");
}

#[test]
fn long_fields_are_shortened_unless_everything_is_asked_for() {
    let mut bytes = ROOM[..24].to_vec();
    bytes.extend([7; 1000]);
    let place = Place::with(&[("a.rmesh", &bytes)]);
    let ran = place.run(&["hex", "a.rmesh"]).ended(0);
    assert!(ran.text().ends_with("          ... 992 more bytes\n"), "{ran:?}");
    let ran = place.run(&["hex", "a.rmesh", "--full"]).ended(0);
    assert_eq!(ran.text().lines().count(), 5 + 125);
}

#[test]
fn what_cannot_be_read_is_an_error_with_its_place() {
    let place = Place::with(&[("a.rmesh", &ROOM[..14])]);
    let ran = place.run(&["hex", "a.rmesh"]).ended(1);
    assert!(
        ran.err.starts_with("error: a.rmesh: surfaces: ") && ran.err.contains("at offset 0xc"),
        "{ran:?}"
    );
}
