//! The attributes of an enum and of its variants.

#[path = "../round_trip.rs"]
mod round_trip;

use antiquary_record::{Bytes, Error, Record};
use round_trip::{read_error, round_trip};

/// A tag alone.
#[derive(Record, Debug, PartialEq, Clone, Copy)]
#[record(tag = u8, unknown = unknown_kind)]
enum Kind {
    #[record(tag = 1)]
    Closed,
    #[record(tag = 2)]
    Open,
}

fn unknown_kind(found: &u8) -> Error {
    Error::unsupported(format!("kind is {found}, expected 1 or 2"))
}

/// A tag, the length of the body, and the body.
#[derive(Record, Debug, PartialEq)]
#[record(tag = [u8; 4], length = u16, length_order = big, body = "body", context = u8)]
enum Section {
    #[record(tag = *b"NAME")]
    Name(Bytes),
    #[record(tag = *b"SIZE", when = length == 2)]
    Small(u16),
    #[record(tag = *b"SIZE", with = context)]
    Large(Size),
    #[record(unknown)]
    Other([u8; 4], Bytes),
}

#[derive(Record, Debug, PartialEq)]
#[record(context = u8)]
struct Size {
    width: u32,
    #[record(when = context > 1)]
    depth: Option<u8>,
}

#[derive(Record, Debug, PartialEq)]
#[record(context = u8)]
struct Sections {
    #[record(until = end, with = context)]
    sections: Vec<Section>,
}

/// Selected by the number that both variants start with.
#[derive(Record, Debug, PartialEq)]
#[record(ahead = u16)]
enum Model {
    #[record(when = *ahead >= 2 && rest.len() > 3)]
    New {
        version: u16,
        frames: [u8; 2],
    },
    Old {
        version: u16,
    },
}

/// Selected by the context.
#[derive(Record, Debug, PartialEq)]
#[record(context = Kind, unknown = unsupported_door)]
enum Door {
    #[record(when = context == Kind::Closed)]
    Closed { key: u8 },
}

fn unsupported_door(kind: &Kind) -> Error {
    Error::unsupported(format!("no layout for {kind:?} doors"))
}

fn main() {
    assert_eq!(round_trip::<[Kind; 2]>(&[2, 1], ()).0, [Kind::Open, Kind::Closed]);
    assert_eq!(read_error::<Kind>(&[3], ()), "kind is 3, expected 1 or 2, at offset 0x0");

    let bytes = b"NAME\0\x02hiSIZE\0\x02\x07\0SIZE\0\x05\x07\0\0\0\x09????\0\x01!";
    let (sections, spans) = round_trip::<Sections>(bytes, 2);
    assert_eq!(
        sections.sections,
        [
            Section::Name(Bytes(b"hi".to_vec())),
            Section::Small(7),
            Section::Large(Size { width: 7, depth: Some(9) }),
            Section::Other(*b"????", Bytes(b"!".to_vec())),
        ]
    );
    assert!(spans.contains(&"sections[0].length = 2".to_string()), "{spans:#?}");
    assert!(spans.contains(&"sections[2].body.width = 7".to_string()), "{spans:#?}");
    assert_eq!(
        read_error::<Sections>(b"NAME\0\x09hi", 2),
        "sections[0].length: expected 9 bytes, but only 2 are left, at offset 0x4"
    );

    assert_eq!(round_trip::<Model>(&[2, 0, 5, 6], ()).0, Model::New { version: 2, frames: [5, 6] });
    assert_eq!(round_trip::<Model>(&[1, 0], ()).0, Model::Old { version: 1 });

    assert_eq!(round_trip::<Door>(&[4], Kind::Closed).0, Door::Closed { key: 4 });
    assert_eq!(read_error::<Door>(&[4], Kind::Open), "no layout for Open doors, at offset 0x0");
}
