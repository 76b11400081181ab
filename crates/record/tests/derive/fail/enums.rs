//! Enums whose variants cannot be distinguished, and types that cannot be records.

use antiquary_record::{Bytes, Record};

#[derive(Record)]
union Union {
    number: u32,
    bytes: [u8; 4],
}

#[derive(Record)]
enum NoTag {
    One(u8),
    Two(u16),
}

#[derive(Record)]
#[record(tag = u8)]
enum VariantWithoutTag {
    #[record(tag = 1)]
    One(u8),
    Two(u16),
}

#[derive(Record)]
#[record(context = u8)]
enum TagOfVariantAlone {
    #[record(when = context == 1)]
    One(u8),
    #[record(tag = 2)]
    Two(u16),
}

#[derive(Record)]
#[record(tag = u8)]
enum UnknownWithOneField {
    #[record(unknown)]
    Other(Bytes),
}

#[derive(Record)]
#[record(tag = u8)]
enum UnknownWithTag {
    #[record(tag = 1, unknown)]
    Other(u8, Bytes),
}

#[derive(Record)]
#[record(tag = u8)]
enum TwoUnknown {
    #[record(unknown)]
    First(u8, Bytes),
    #[record(unknown)]
    Second(u8, Bytes),
}

#[derive(Record)]
#[record(context = u8)]
enum TwoOthers {
    #[record(when = context == 1)]
    One(u8),
    Two(u16),
    Three(u32),
}

#[derive(Record)]
#[record(tag = u8)]
enum WrongFieldOfVariant {
    #[record(tag = 1)]
    One {
        #[record(tag = 2)]
        size: u8,
    },
}

fn main() {}
