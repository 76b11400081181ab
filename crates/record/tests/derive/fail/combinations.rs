//! Attributes that exclude or require each other.

use antiquary_record::{Bytes, Record};

#[derive(Record)]
struct CountAndUntil {
    /// The comment is not part of the error.
    #[record(count = u8, until = end)]
    list: Vec<u8>,
}

#[derive(Record)]
struct TerminatorAndBy {
    #[record(terminator = b"\0")]
    #[record(by = module)]
    name: Bytes,
}

#[derive(Record)]
struct LimitWithoutList {
    #[record(limit = 16)]
    size: u32,
}

#[derive(Record)]
struct LimitOfTerminated {
    #[record(terminator = b"\0", limit = 16)]
    name: Bytes,
}

#[derive(Record)]
#[record(from = u16, order = big)]
struct FromAndOrder(u16);

#[derive(Record)]
#[record(tag = u8, from = u8)]
enum FromAndTag {
    One,
}

#[derive(Record)]
#[record(tag = u8, length_order = big)]
enum LengthOrderWithoutLength {
    #[record(tag = 1)]
    One(Bytes),
}

#[derive(Record)]
#[record(flat, magic = b"FLAT")]
struct FlatWithMagic {
    size: u32,
}

#[derive(Record)]
#[record(flat)]
struct FlatWithList {
    #[record(count = u8)]
    list: Vec<u8>,
}

#[derive(Record)]
struct WhenWithoutOption {
    version: u8,
    #[record(when = version > 1)]
    size: u32,
}

#[derive(Record)]
struct WhenOfList {
    version: u8,
    #[record(when = version > 1, count = u8)]
    sizes: Vec<u32>,
}

fn main() {}
