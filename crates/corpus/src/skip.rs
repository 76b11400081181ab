//! Reports tests that cannot run on this machine.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::sync::Mutex;

/// The environment variable that names a file to which a line is appended for each skipped test.
const LIST: &str = "ANTIQUARY_SKIPPED";

/// Lines already reported by this process.
static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Reports that the current test is skipped, and why.
///
/// The line is written to standard error in a way that the test harness does not capture, so that a plain `cargo test` shows it, and is
/// appended to the file that `ANTIQUARY_SKIPPED` names. Each line is reported once.
pub fn skip(reason: &str) {
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let thread = std::thread::current();
    let line = format!("{package}: {}: {reason}", thread.name().unwrap_or("unnamed test"));
    if !REPORTED.lock().expect("the list of skipped tests is not poisoned").insert(line.clone()) {
        return;
    }
    let _ = writeln!(io::stderr(), "SKIPPED: {line}");
    if let Some(path) = std::env::var_os(LIST) {
        let mut list =
            OpenOptions::new().create(true).append(true).open(path).expect("the list can be opened");
        list.write_all(format!("{line}\n").as_bytes()).expect("the list can be written");
    }
}
