//! Sections, and numbers in the file that are not fields.

#[path = "../round_trip.rs"]
mod round_trip;

use antiquary_record::{Bytes, Record, write_whole};
use round_trip::{read_error, round_trip};

#[derive(Record, Debug, PartialEq)]
struct File {
    #[record(begin(tag = b"HEAD", size: u16, order = big, name = "head"))]
    version: u8,
    #[record(end)]
    extra: Bytes,
    #[record(before(item_count: u8 = items.len()), before(zero: u8 = 0_u8), count = item_count)]
    items: Vec<u16>,
    #[record(after(last: u8 = tail))]
    tail: u8,
    #[record(begin(body_size: u8))]
    body: [u8; 2],
}

fn main() {
    let bytes = b"HEAD\0\x03\x01xy\x02\0\x05\0\x06\0\x07\x07\x02\x08\x09";
    let (mut file, spans) = round_trip::<File>(bytes, ());
    assert_eq!(
        file,
        File { version: 1, extra: Bytes(b"xy".to_vec()), items: vec![5, 6], tail: 7, body: [8, 9] }
    );
    for span in ["head.size = 3", "item_count = 2", "zero = 0", "last = 7", "body_size = 2"] {
        assert!(spans.contains(&span.to_string()), "{span}: {spans:#?}");
    }

    file.extra = Bytes::default();
    file.items.clear();
    assert_eq!(write_whole(&file, ()).unwrap(), b"HEAD\0\x01\x01\0\0\x07\x07\x02\x08\x09");

    assert_eq!(
        read_error::<File>(b"HEAD\0\x09\x01", ()),
        "head.size: expected 9 bytes, but only 1 are left, at offset 0x4"
    );
    let too_long = b"HEAD\0\x01\x01\0\0\x07\x07\x03\x08\x09\x0a";
    assert_eq!(read_error::<File>(too_long, ()), "1 extra bytes at the end of the section, at offset 0xe");
}
