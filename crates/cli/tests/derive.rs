//! A crate that depends on `antiquary` alone, like this one, can derive records.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use antiquary::Record;
use antiquary::record::{read_whole, write_whole};

/// A record of a synthetic game.
#[derive(Record, Debug, PartialEq)]
#[record(magic = b"PIC!")]
struct Picture {
    version: u16,
    #[record(when = version >= 2)]
    author: Option<u32>,
    #[record(count = u8)]
    palette: Vec<[u8; 3]>,
}

#[test]
fn derives_a_record_through_the_library() {
    let bytes = b"PIC!\x02\0\x07\0\0\0\x01abc";
    let picture: Picture = read_whole(bytes, ()).unwrap();
    assert_eq!(picture, Picture { version: 2, author: Some(7), palette: vec![*b"abc"] });
    assert_eq!(write_whole(&picture, ()).unwrap(), bytes);
}
