//! Values and functions of the wrong type.

use antiquary_record::{Bytes, Record, Result, read_whole};

#[derive(Record)]
#[record(context = u16)]
struct Versioned {
    #[record(when = context > 1)]
    size: Option<u32>,
}

#[derive(Record)]
struct NoContext {
    versioned: Versioned,
}

#[derive(Record)]
struct WrongContext {
    #[record(with = "1")]
    versioned: Versioned,
}

#[derive(Record)]
#[record(tag = u8)]
enum NoContextInVariant {
    #[record(tag = 1)]
    One(Versioned),
}

fn wrong_context_for_reading(bytes: &[u8]) -> Result<Versioned> {
    read_whole(bytes, ())
}

struct Plain;

#[derive(Record)]
struct NotARecord {
    plain: Plain,
}

#[derive(Record)]
struct NotAList {
    #[record(count = u8)]
    list: u32,
}

#[derive(Record)]
struct CountByText {
    #[record(count = "2")]
    list: Vec<u8>,
}

#[derive(Record)]
struct LimitByText {
    #[record(count = u8, limit = "2")]
    list: Vec<u8>,
}

#[derive(Record)]
struct PresentOfNumber {
    #[record(present = b"END ")]
    end: u32,
}

#[derive(Record)]
struct TerminatorAsNumber {
    #[record(terminator = 0)]
    name: Bytes,
}

#[derive(Record)]
struct UntilNumber {
    #[record(until = 0)]
    list: Vec<u8>,
}

#[derive(Record)]
struct UntilOtherFunction {
    #[record(until = is_short)]
    list: Vec<u8>,
}

#[derive(Record)]
struct WhenNumber {
    #[record(when = 1)]
    size: Option<u32>,
}

#[derive(Record)]
struct CheckOfOtherType {
    #[record(check = is_short)]
    size: u32,
}

fn is_short(_text: &Bytes) -> Result<()> {
    Ok(())
}

#[derive(Record)]
#[record(magic = "PIC!")]
struct MagicAsText(u8);

#[derive(Record, PartialEq)]
struct Tag([u8; 4]);

impl From<u32> for Tag {
    fn from(number: u32) -> Self {
        Self(number.to_le_bytes())
    }
}

#[derive(Record)]
#[record(tag = Tag)]
enum WrongTag {
    #[record(tag = "one")]
    One,
}

#[derive(Record)]
#[record(from = Versioned)]
struct FromWithoutConversion(u32);

mod halves {
    use antiquary_record::{Reader, Result, Writer};

    pub(crate) fn read(_reader: &mut Reader<'_>) -> Result<u16> {
        Ok(0)
    }

    pub(crate) fn write(_value: &u16, _writer: &mut Writer) -> Result<()> {
        Ok(())
    }
}

#[derive(Record)]
struct ByModuleOfOtherType {
    #[record(by = halves)]
    size: u32,
}

fn main() {}
