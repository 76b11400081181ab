//! Measures how long the program takes to start.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;
use crate::step::{Verdict, passed_with};

/// The number of starts.
const STARTS: usize = 50;

/// Compares the median time of starts with that of the smallest program.
pub(super) fn measure(program: &Path) -> Result<Verdict> {
    let (of_program, of_true) = (median(program, &["--version"])?, median(Path::new("true"), &[])?);
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    passed_with(format!(
        "{:.2} ms, `true` {:.2} ms (median of {STARTS})",
        milliseconds(of_program),
        milliseconds(of_true)
    ))
}

fn median(program: &Path, arguments: &[&str]) -> Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let start = Instant::now();
        let status =
            Command::new(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).status()?;
        times.push(start.elapsed());
        if !status.success() {
            return Err(format!("{} ended with {status}", program.display()).into());
        }
    }
    times.sort();
    Ok(times[STARTS / 2])
}
