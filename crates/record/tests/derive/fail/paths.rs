//! Names in expressions that do not exist.

use antiquary_record::{Bytes, Record};

#[derive(Record)]
struct CountOfLaterField {
    #[record(count = count)]
    list: Vec<u8>,
    count: u8,
}

#[derive(Record)]
struct WhenWithoutContext {
    #[record(when = version > 1)]
    size: Option<u32>,
}

#[derive(Record)]
struct ByMissingModule {
    #[record(by = missing_module)]
    size: u32,
}

#[derive(Record)]
#[record(check = missing_function)]
struct CheckByMissingFunction(u32);

#[derive(Record)]
#[record(crate = missing_crate)]
struct MissingCrate(u32);

#[derive(Record)]
struct UntilMissingConstant {
    #[record(until = END)]
    list: Bytes,
}

fn main() {}
