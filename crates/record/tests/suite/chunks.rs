//! A synthetic format of sections: byte lengths that are big-endian in a little-endian file, computed numbers, and an end marker.

use crate::mini::{check_damaged, span_values};
use antiquary_record::{Bytes, Error, Kind, Reader, Record, Result, read_whole, write_whole};
use serde::{Deserialize, Serialize};

/// A bank of sounds.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Bank {
    #[record(begin(name = "header", tag = b"BKHD", size: u32, order = big))]
    #[record(after(sound_count: u16 = sounds.len()))]
    title: [u8; 4],
    #[record(end)]
    header_rest: Bytes,
    #[record(begin(name = "body", tag = b"BODY", size: u32, order = big), count = sound_count)]
    sounds: Vec<Sound>,
    #[record(end)]
    body_rest: Bytes,
    /// All sections up to the end marker.
    #[record(until = b"END ")]
    extras: Vec<Extra>,
    #[record(present = b"END ")]
    end: bool,
}

#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Sound {
    #[record(before(length: u8 = samples.len()))]
    volume: u8,
    #[record(count = length)]
    samples: Bytes,
}

/// Sections whose length has a different byte order than their body, and whose variant depends on the length.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(tag = [u8; 4], length = u32, length_order = big, body = "content")]
enum Extra {
    #[record(tag = *b"RATE", when = length == 2)]
    Rate(u16),
    #[record(tag = *b"NAME", when = rest.starts_with(b"v1"))]
    Name(Bytes),
    #[record(tag = *b"LOOP")]
    Loop { from: u16, to: u16 },
    #[record(unknown)]
    Other {
        #[record(check = refuse_end_tag)]
        tag: [u8; 4],
        data: Bytes,
    },
}

fn refuse_end_tag(tag: &[u8; 4]) -> Result<()> {
    if tag == b"END " { Err(Error::malformed("a section cannot be called END")) } else { Ok(()) }
}

const FILE: &[u8] = b"BKHD\0\0\0\x07demo\x02\0?BODY\0\0\0\x08\x02\x40ab\x01\x50c\
    !RATE\0\0\0\x02\x11\x22NAME\0\0\0\x04v1okRATE\0\0\0\x03abcLOOP\0\0\0\x04\x01\0\x02\0END ";

fn bank() -> Bank {
    read_whole(FILE, ()).unwrap()
}

#[test]
fn sections_and_lists_end_at_their_lengths_and_markers() {
    let bank = bank();
    assert_eq!((&bank.title, &*bank.header_rest, &*bank.body_rest), (b"demo", &b"?"[..], &b"!"[..]));
    assert_eq!(bank.sounds[0], Sound { volume: 0x40, samples: Bytes(b"ab".to_vec()) });
    assert_eq!(bank.sounds[1], Sound { volume: 0x50, samples: Bytes(b"c".to_vec()) });
    assert_eq!(
        bank.extras,
        [
            Extra::Rate(0x2211),
            Extra::Name(Bytes(b"v1ok".to_vec())),
            Extra::Other { tag: *b"RATE", data: Bytes(b"abc".to_vec()) },
            Extra::Loop { from: 1, to: 2 },
        ]
    );
    assert!(bank.end);
}

#[test]
fn writes_what_it_reads() {
    assert_eq!(write_whole(&bank(), ()).unwrap(), FILE);
    let json = serde_json::to_vec(&bank()).unwrap();
    assert_eq!(write_whole(&serde_json::from_slice::<Bank>(&json).unwrap(), ()).unwrap(), FILE);
}

#[test]
fn an_edit_updates_dependent_lengths_and_counts() {
    let mut bank = bank();
    bank.sounds.push(Sound { volume: 1, samples: Bytes(b"defg".to_vec()) });
    let written = write_whole(&bank, ()).unwrap();
    assert_eq!(&written[12..14], b"\x03\0");
    assert_eq!(&written[15..23], b"BODY\0\0\0\x0e");
    assert_eq!(read_whole::<Bank>(&written, ()).unwrap(), bank);

    bank.extras.push(Extra::Other { tag: *b"END ", data: Bytes::default() });
    let error = write_whole(&bank, ()).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string()),
        (Kind::Usage, "extras[4].tag: a section cannot be called END".into())
    );
}

#[test]
fn refuses_a_list_without_its_end_marker() {
    let mut bank = bank();
    (bank.end, bank.extras) = (false, Vec::new());
    let written = write_whole(&bank, ()).unwrap();
    let error = read_whole::<Bank>(&written, ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "extras: expected 45 4e 44 20 \"END \" at the end of the list, found end of data, at offset 0x1f"
    );
}

#[test]
fn spans_cover_every_byte() {
    let spans = span_values::<Bank>(FILE);
    for (path, value) in [
        ("header.magic", "42 4b 48 44 \"BKHD\""),
        ("header.size", "7"),
        ("sound_count", "2"),
        ("body.size", "8"),
        ("sounds[1].length", "1"),
        ("extras[3].content.to", "2"),
        ("end", "45 4e 44 20 \"END \""),
    ] {
        assert!(spans.contains(&(path.into(), value.into())), "{path} {value}: {spans:#?}");
    }
}

#[test]
fn refuses_invalid_values_with_their_offset() {
    check_damaged::<Bank>(FILE);
    let with = |at: usize, value: &[u8]| {
        let mut bytes = FILE.to_vec();
        bytes[at..at + value.len()].copy_from_slice(value);
        read_whole::<Bank>(&bytes, ()).unwrap_err().to_string()
    };
    assert_eq!(
        with(16, b"0"),
        "body.magic: expected 42 4f 44 59 \"BODY\", found 42 30 44 59 \"B0DY\", at offset 0xf"
    );
    assert_eq!(
        with(12, &[0xff, 0xff]),
        "sounds: expected 65535 items of at least 2 bytes each, but only 8 bytes are left, at offset 0xc"
    );
    assert_eq!(
        with(4, &[0x7f]),
        "header.size: expected 2130706439 bytes, but only 72 are left, at offset 0x4"
    );
}

/// A list whose end is determined by a function.
#[derive(Record, Debug, PartialEq)]
struct Sizes {
    #[record(until = below_two_bytes)]
    sizes: Vec<u16>,
    rest: Bytes,
}

fn below_two_bytes(reader: &Reader<'_>) -> Result<bool> {
    Ok(reader.remaining() < 2)
}

/// A list before the last bytes.
#[derive(Record, Debug, PartialEq)]
struct Inventory {
    #[record(leave = 2)]
    items: Vec<[u8; 2]>,
    selected: u16,
}

/// A list of zero-sized items, which would never end.
#[derive(Record, Debug, PartialEq)]
struct EmptyItems {
    #[record(until = b"!")]
    items: Vec<EmptyItem>,
    rest: Bytes,
}

#[derive(Record, Debug, PartialEq)]
struct EmptyItem {}

#[derive(Record, Debug, PartialEq)]
struct Rows {
    #[record(until = end)]
    rows: Vec<[u8; 2]>,
}

#[test]
fn a_list_ends_at_its_end_condition() {
    let sizes: Sizes = read_whole(&[1, 0, 2, 0, 3], ()).unwrap();
    assert_eq!(sizes, Sizes { sizes: vec![1, 2], rest: Bytes(vec![3]) });
    assert_eq!(read_whole::<Rows>(b"abcd", ()).unwrap().rows, [*b"ab", *b"cd"]);
    let error = read_whole::<Rows>(b"abc", ()).unwrap_err();
    assert_eq!(error.to_string(), "rows[1]: expected 2 bytes, but only 1 are left, at offset 0x2");
    let inventory: Inventory = read_whole(b"aabb\x01\0", ()).unwrap();
    assert_eq!(inventory, Inventory { items: vec![*b"aa", *b"bb"], selected: 1 });
    assert_eq!(write_whole(&inventory, ()).unwrap(), b"aabb\x01\0");
    let error = read_whole::<Inventory>(b"a", ()).unwrap_err();
    assert_eq!(error.to_string(), "items: expected 2 bytes at the end, but only 1 are left, at offset 0x0");
    let error = read_whole::<EmptyItems>(b"abc", ()).unwrap_err();
    assert_eq!(error.to_string(), "items[0]: zero-sized item: the list would never end, at offset 0x0");
}
