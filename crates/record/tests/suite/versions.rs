//! A synthetic format with versioned fields: a sprite with a thumbnail since version 2 and a checksum before version 3.

use crate::mini::{check_damaged, span_values};
use antiquary_record::{Bytes, Kind, Record, read_whole, write_whole};

#[derive(Record, Debug, Clone, PartialEq)]
#[record(magic = b"SPRT")]
struct File {
    version: u16,
    #[record(with = version)]
    sprite: Sprite,
}

#[derive(Record, Debug, Clone, PartialEq)]
#[record(context = u16)]
struct Sprite {
    size: [u16; 2],
    /// Before version 3.
    #[record(when = context < 3)]
    checksum: Option<u32>,
    /// Since version 2, if the sprite is not empty.
    #[record(when = context >= 2 && size[0] > 0)]
    thumbnail: Option<Bytes4>,
    #[record(count = u8, with = context)]
    frames: Vec<Frame>,
    /// One for each frame.
    #[record(count = frames.len() as u64)]
    delays: Vec<f32>,
}

#[derive(Record, Debug, Clone, Copy, PartialEq)]
struct Bytes4([u8; 4]);

#[derive(Record, Debug, Clone, PartialEq)]
#[record(context = u16)]
struct Frame {
    at: [i16; 2],
    #[record(when = context >= 2)]
    layer: Option<u8>,
    #[record(count = u16, limit = 1000)]
    pixels: Bytes,
}

fn file(version: u16) -> File {
    let frame = |number: u8| Frame {
        at: [i16::from(number), -3],
        layer: (version >= 2).then_some(number),
        pixels: Bytes(vec![number; usize::from(number)]),
    };
    File {
        version,
        sprite: Sprite {
            size: [640, 480],
            checksum: (version < 3).then_some(0xdead_beef),
            thumbnail: (version >= 2).then_some(Bytes4([1, 2, 3, 4])),
            frames: vec![frame(0), frame(5)],
            delays: vec![0.1, f32::NAN],
        },
    }
}

fn bytes(version: u16) -> Vec<u8> {
    write_whole(&file(version), ()).unwrap()
}

#[test]
fn writes_the_layout_of_each_version() {
    let mut two: Vec<u8> = b"SPRT\x02\0\x80\x02\xe0\x01\xef\xbe\xad\xde\x01\x02\x03\x04\x02".to_vec();
    two.extend(b"\0\0\xfd\xff\0\0\0");
    two.extend(b"\x05\0\xfd\xff\x05\x05\0\x05\x05\x05\x05\x05");
    two.extend(0.1_f32.to_le_bytes());
    two.extend(f32::NAN.to_le_bytes());
    assert_eq!(bytes(2), two);
    assert_eq!(bytes(1).len(), two.len() - 4 - 2);
    assert_eq!(bytes(3).len(), two.len() - 4);
}

#[test]
fn writes_what_it_reads_in_each_version() {
    for version in 1..=3 {
        let read: File = read_whole(&bytes(version), ()).unwrap();
        assert_eq!(read.sprite.frames, file(version).sprite.frames);
        assert_eq!(write_whole(&read, ()).unwrap(), bytes(version));
    }
}

#[test]
fn an_edit_changes_the_field_and_its_length_prefix() {
    let mut read: File = read_whole(&bytes(3), ()).unwrap();
    read.sprite.frames[0].pixels = Bytes(vec![9, 9]);
    let edited = write_whole(&read, ()).unwrap();
    let before = bytes(3);
    let at = 4 + 2 + 4 + 4 + 1 + 4 + 1;
    assert_eq!(edited[..at], before[..at]);
    assert_eq!(edited[at..at + 4], [2, 0, 9, 9]);
    assert_eq!(edited[at + 4..], before[at + 2..]);
}

#[test]
fn refuses_to_write_a_value_unsupported_by_the_version() {
    let mut old = file(1);
    old.sprite.frames[1].layer = Some(7);
    let error = write_whole(&old, ()).unwrap_err();
    assert_eq!(error.kind(), Kind::Usage);
    assert_eq!(error.to_string(), "sprite.frames[1].layer: not supported by this version of the format");

    let mut new = file(3);
    new.sprite.thumbnail = None;
    let error = write_whole(&new, ()).unwrap_err();
    assert_eq!(error.to_string(), "sprite.thumbnail: missing, but this version of the format requires it");

    let mut short = file(3);
    short.sprite.delays.pop();
    let error = write_whole(&short, ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "sprite.delays: expected 2 items, as given by the fields it depends on, found 1"
    );
}

#[test]
fn spans_cover_every_byte() {
    for version in 1..=3 {
        let spans = span_values::<File>(&bytes(version));
        assert!(spans.iter().any(|(path, value)| path == "sprite.frames[1].at[0]" && value == "5"));
        assert_eq!(spans.iter().any(|(path, _)| path == "sprite.checksum"), version < 3);
    }
}

#[test]
fn refuses_invalid_values_with_their_offset() {
    let valid = bytes(3);
    check_damaged::<File>(&valid);
    let with = |at: usize, value: &[u8]| {
        let mut bytes = valid.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        read_whole::<File>(&bytes, ()).unwrap_err().to_string()
    };
    assert_eq!(
        with(0, b"x"),
        "magic: expected 53 50 52 54 \"SPRT\", found 78 50 52 54 \"xPRT\", at offset 0x0"
    );
    assert_eq!(
        with(14, &[255]),
        "sprite.frames: expected 255 items of at least 7 bytes each, but only 27 bytes are left, at offset 0xe"
    );
    assert_eq!(
        with(20, &[0xff, 0xff]),
        "sprite.frames[0].pixels: expected 65535 bytes, but only 20 are left, at offset 0x14"
    );
    let mut long = file(3);
    long.sprite.frames[0].pixels = Bytes(vec![0; 1001]);
    let error = read_whole::<File>(&write_whole(&long, ()).unwrap(), ()).unwrap_err();
    assert_eq!(error.kind(), Kind::Limit);
}
