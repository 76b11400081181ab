//! Attributes that do not exist, that belong on another item, or that are repeated.

use antiquary_record::{Bytes, Record};

#[derive(Record)]
#[record(colour = big)]
struct UnknownOnStruct(u8);

#[derive(Record)]
#[record(tag = u8)]
struct TagOnStruct(u8);

#[derive(Record)]
#[record(tag = u8, magic = b"ENUM")]
enum MagicOnEnum {
    #[record(tag = 1)]
    One,
}

#[derive(Record)]
#[record(tag = u8)]
enum ContextOnVariant {
    #[record(tag = 1, context = u8)]
    One(u8),
}

#[derive(Record)]
struct UnknownOnField {
    #[record(lenght = u8)]
    list: Vec<u8>,
}

#[derive(Record)]
struct PathOnField {
    #[record(std::count = u8)]
    list: Vec<u8>,
}

#[derive(Record)]
struct MagicOnField {
    #[record(magic = b"PIC!")]
    rest: Bytes,
}

#[derive(Record)]
#[record(order = big, order = little)]
struct RepeatedOnStruct {
    size: u16,
}

#[derive(Record)]
struct RepeatedOnField {
    #[record(count = u8)]
    #[record(count = u16)]
    list: Vec<u8>,
}

fn main() {}
