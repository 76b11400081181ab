//! See `bodies`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bodies::run("explorer", bytes));
