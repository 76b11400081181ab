//! The attributes of lists and byte strings.

#[path = "../round_trip.rs"]
mod round_trip;

use antiquary_record::{Bytes, Reader, Record, Result};
use round_trip::{read_error, round_trip};

#[derive(Record, Debug, PartialEq)]
struct Counted {
    count: u8,
    #[record(count = u16, limit = 2)]
    prefixed: Vec<u8>,
    #[record(count = count)]
    linked: Box<[u16]>,
}

#[derive(Record, Debug, PartialEq)]
struct Ended {
    #[record(terminator = b"\0")]
    name: Bytes,
    #[record(until = b"END")]
    pairs: Vec<[u8; 2]>,
    #[record(present = b"END")]
    has_end: bool,
    stop: u8,
    #[record(until = next_is(stop))]
    low: Vec<Low>,
    #[record(leave = 2)]
    body: Vec<u16>,
    #[record(until = end)]
    rest: Vec<u8>,
}

#[derive(Record, Debug, PartialEq)]
struct Low(u8);

fn next_is(reader: &Reader<'_>, byte: u8) -> Result<bool> {
    Ok(reader.rest().first() == Some(&byte))
}

fn main() {
    let (counted, _) = round_trip::<Counted>(&[1, 2, 0, 8, 9, 0xff, 1], ());
    assert_eq!(counted, Counted { count: 1, prefixed: vec![8, 9], linked: Box::new([0x1ff]) });
    assert_eq!(
        read_error::<Counted>(&[0, 3, 0, 1, 2, 3], ()),
        "prefixed: the count is 3, but the limit is 2, at offset 0x1"
    );

    let (ended, _) = round_trip::<Ended>(b"box\0abcdEND\x09\x01\x02\x09\x00\x01\x00\x02\x03", ());
    assert_eq!(
        ended,
        Ended {
            name: Bytes(b"box".to_vec()),
            pairs: vec![*b"ab", *b"cd"],
            has_end: true,
            stop: 9,
            low: vec![Low(1), Low(2)],
            body: vec![9, 1],
            rest: vec![2, 3],
        }
    );
    assert_eq!(read_error::<Ended>(b"box", ()), "name: no zero byte in the remaining 3 bytes, at offset 0x0");
}
