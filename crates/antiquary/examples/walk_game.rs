//! Walks a game folder and prints its contents.
//!
//! ```console
//! $ cargo run --example walk_game -- "SCP - Containment Breach"
//! ```
#![allow(clippy::print_stdout, reason = "prints its result")]
#![allow(unreachable_pub, reason = "tests call it")]

use std::fmt::Write;
use std::path::Path;

use antiquary::{DescribeOptions, Error, Inputs, Session};

/// Returns one line for each file of a known format, and the number of other files.
pub fn walk(folder: &Path) -> Result<String, Error> {
    let inputs = Inputs::collect(&[folder.to_path_buf()]);
    let run = Session::default().describe(&inputs, &DescribeOptions::default())?;
    let mut out = String::new();
    // Outcomes are in the order of the files, regardless of the number of threads.
    for outcome in &run.outcomes {
        let name = Path::new(&outcome.input).strip_prefix(folder).unwrap_or(outcome.input.as_ref()).display();
        let what = match (&outcome.description, &outcome.error) {
            (_, Some(error)) => format!("error: {}", error.message()),
            (Some(description), None) => description.summary.clone(),
            (None, None) => String::new(),
        };
        let _ = writeln!(out, "{name}: {what}");
    }
    let others = run.unknown_files().saturating_add(run.known_files());
    let _ = writeln!(out, "{} files, and {others} of other formats", run.outcomes.len());
    Ok(out)
}

#[allow(dead_code, reason = "tests call what it calls")]
fn main() -> Result<(), Error> {
    let folder =
        std::env::args_os().nth(1).ok_or_else(|| Error::usage("expected one argument: a game folder"))?;
    print!("{}", walk(folder.as_ref())?);
    Ok(())
}
