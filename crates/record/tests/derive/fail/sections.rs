//! Sections and stored numbers that are misused.

use antiquary_record::{Bytes, Record};

#[derive(Record)]
struct BeginWithoutEnd {
    #[record(begin(head_size: u16))]
    head: u8,
    #[record(begin(body_size: u16))]
    body: Bytes,
}

#[derive(Record)]
struct EndWithoutBegin {
    #[record(end)]
    body: Bytes,
}

#[derive(Record)]
struct UnknownEntry {
    #[record(begin(label = "head", size: u16))]
    head: u8,
}

#[derive(Record)]
struct EntryWithoutValue {
    #[record(begin(tag))]
    head: u8,
}

#[derive(Record)]
struct EntryWithWrongOrder {
    #[record(begin(size: u16, order = middle))]
    head: u8,
}

#[derive(Record)]
struct NameAsIdentifier {
    #[record(begin(name = head))]
    head: u8,
}

#[derive(Record)]
struct BeginWithoutParentheses {
    #[record(begin = u16)]
    head: u8,
}

#[derive(Record)]
struct EndWithValue {
    #[record(begin(size: u16), end = true)]
    head: u8,
}

#[derive(Record)]
struct BeforeWithoutType {
    #[record(before(count = items.len()))]
    items: Vec<u8>,
}

#[derive(Record)]
struct AfterWithoutValue {
    #[record(after(checksum: u32))]
    items: u8,
}

#[derive(Record)]
struct BeforeWithTwo {
    #[record(before(first: u8 = 1_u8, second: u8 = 2_u8))]
    items: u8,
}

#[derive(Record)]
struct BeforeWithoutParentheses {
    #[record(before)]
    items: u8,
}

fn main() {}
