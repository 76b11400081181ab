//! Attributes with a missing or wrong value.

use antiquary_record::{Bytes, Record};

#[derive(Record)]
#[record]
struct NoList(u16);

#[derive(Record)]
#[record = "big"]
struct TextForList(u16);

#[derive(Record)]
#[record(order = middle)]
struct WrongOrder(u16);

#[derive(Record)]
#[record(order = "big")]
struct OrderAsText(u16);

#[derive(Record)]
#[record(magic)]
struct NoMagic(u16);

#[derive(Record)]
#[record(crate = "record")]
struct CrateAsText(u16);

#[derive(Record)]
#[record(context = 5)]
struct NumberAsContext(u16);

#[derive(Record)]
#[record(flat = true)]
struct FlatWithValue(u16);

#[derive(Record)]
#[record(from = 16)]
struct NumberAsFrom(u16);

#[derive(Record)]
#[record(tag = 5)]
enum NumberAsTagType {
    #[record(tag = 5)]
    Five,
}

#[derive(Record)]
#[record(tag = u8, body = body)]
enum NameAsBody {
    #[record(tag = 5)]
    Five,
}

#[derive(Record)]
#[record(tag = u8, unknown)]
enum UnknownWithoutFunction {
    #[record(tag = 5)]
    Five,
}

#[derive(Record)]
#[record(tag = u8)]
enum UnknownWithFunction {
    #[record(unknown = function)]
    Other(u8, Bytes),
}

#[derive(Record)]
struct NoCount {
    #[record(count)]
    list: Vec<u8>,
}

#[derive(Record)]
struct InlineWithValue {
    #[record(inline = true)]
    size: u16,
}

#[derive(Record)]
struct WrongFieldOrder {
    #[record(order = network)]
    size: u16,
}

#[derive(Record)]
struct NoSeparator {
    #[record(order = big inline)]
    size: u16,
}

fn main() {}
