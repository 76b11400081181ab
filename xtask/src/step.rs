//! The steps of a chore: each is announced, timed and listed in the summary.

use std::fmt::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::Result;

/// The outcome of a step that did not fail.
pub(crate) enum Verdict {
    Passed {
        /// A short note for the summary.
        note: String,
        /// The tests of the step that did not run, each with the reason.
        skipped: Vec<String>,
    },
    /// The step did not run; the reason.
    Skipped(String),
}

/// A step that passed.
pub(crate) fn passed() -> Result<Verdict> {
    passed_with("")
}

/// A step that passed, with a short note for the summary.
pub(crate) fn passed_with(note: impl Into<String>) -> Result<Verdict> {
    passed_except(note, [])
}

/// A step that passed except for some tests that did not run, each with the reason.
pub(crate) fn passed_except(
    note: impl Into<String>,
    skipped: impl IntoIterator<Item = String>,
) -> Result<Verdict> {
    Ok(Verdict::Passed { note: note.into(), skipped: skipped.into_iter().collect() })
}

/// A step that did not run, and the reason.
pub(crate) fn skipped(why: impl Into<String>) -> Result<Verdict> {
    Ok(Verdict::Skipped(why.into()))
}

/// Runs steps one after the other. A failed step does not stop the others.
pub(crate) struct Steps {
    rows: Vec<Row>,
    start: Instant,
}

struct Row {
    name: String,
    end: End,
    time: Duration,
}

enum End {
    Passed { note: String, skipped: Vec<String> },
    Skipped(String),
    Failed(String),
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self { rows: Vec::new(), start: Instant::now() }
    }

    /// Runs a step. Returns `false` if it failed.
    pub(crate) fn run(&mut self, name: &str, step: impl FnOnce() -> Result<Verdict>) -> bool {
        println!("\n=== {name}");
        let start = Instant::now();
        let end = match step() {
            Ok(Verdict::Passed { note, skipped }) => End::Passed { note, skipped },
            Ok(Verdict::Skipped(why)) => End::Skipped(why),
            Err(error) => End::Failed(error.to_string()),
        };
        let time = start.elapsed();
        println!("{}", end.line(name, time));
        let succeeded = !matches!(end, End::Failed(_));
        self.rows.push(Row { name: name.to_owned(), end, time });
        succeeded
    }

    /// Prints the outcome of every step. The last line has the format of test runners.
    pub(crate) fn finish(self) -> ExitCode {
        print!("{}", self.summary());
        if self.count(|end| matches!(end, End::Failed(_))) == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }

    fn summary(&self) -> String {
        let width = self.rows.iter().map(|row| row.name.len()).max().unwrap_or_default();
        let mut out = format!("\n=== summary ({})\n", seconds(self.start.elapsed()));
        for row in &self.rows {
            let (word, note) = match &row.end {
                End::Passed { note, .. } => ("passed", note.as_str()),
                End::Skipped(_) => ("SKIPPED", ""),
                End::Failed(_) => ("FAILED", ""),
            };
            let line = format!("{:width$}  {word:7}  {:>9}  {note}", row.name, seconds(row.time));
            let _ = writeln!(out, "{}", line.trim_end());
        }
        for row in &self.rows {
            match &row.end {
                End::Passed { skipped, .. } => {
                    for test in skipped {
                        let _ = writeln!(out, "SKIPPED: {}: {test}", row.name);
                    }
                }
                end => _ = writeln!(out, "{}", end.line(&row.name, row.time)),
            }
        }
        let passed = self.count(|end| matches!(end, End::Passed { .. }));
        let failed = self.count(|end| matches!(end, End::Failed(_)));
        let skipped: usize = self.rows.iter().map(|row| row.end.skipped()).sum();
        let _ = writeln!(out, "{passed} passed, {failed} failed, {skipped} skipped");
        out
    }

    fn count(&self, wanted: impl Fn(&End) -> bool) -> usize {
        self.rows.iter().filter(|row| wanted(&row.end)).count()
    }
}

impl End {
    /// The number of steps and tests that did not run.
    fn skipped(&self) -> usize {
        match self {
            Self::Passed { skipped, .. } => skipped.len(),
            Self::Skipped(_) => 1,
            Self::Failed(_) => 0,
        }
    }

    fn line(&self, name: &str, time: Duration) -> String {
        match self {
            Self::Passed { note, .. } if note.is_empty() => {
                format!("--- {name}: passed in {}", seconds(time))
            }
            Self::Passed { note, .. } => format!("--- {name}: passed in {}: {note}", seconds(time)),
            Self::Skipped(why) => format!("SKIPPED: {name}: {why}"),
            Self::Failed(why) => format!("FAILED: {name}: {why}"),
        }
    }
}

/// A duration in a readable form.
fn seconds(time: Duration) -> String {
    let total = time.as_secs();
    match total.checked_div(60).unwrap_or_default() {
        0 => format!("{:.1} s", time.as_secs_f64()),
        minutes => format!("{minutes} min {:02} s", total.checked_rem(60).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_does_not_stop_the_others_and_is_repeated_at_the_end() {
        let mut steps = Steps::new();
        assert!(steps.run("one", passed));
        assert!(!steps.run("two", || Err("it broke".into())));
        assert!(steps.run("three", || skipped("no such tool")));
        assert!(
            steps.run("four", || passed_except("", ["a: needs a browser".into(), "b: needs a disk".into()]))
        );
        let summary = steps.summary();
        assert!(summary.contains("FAILED: two: it broke\n"), "{summary}");
        assert!(summary.contains("SKIPPED: three: no such tool\n"), "{summary}");
        assert!(
            summary.contains("SKIPPED: four: a: needs a browser\nSKIPPED: four: b: needs a disk\n"),
            "{summary}"
        );
        assert!(summary.ends_with("2 passed, 1 failed, 3 skipped\n"), "{summary}");
        assert_eq!(steps.finish(), ExitCode::FAILURE);
    }

    #[test]
    fn times_are_short() {
        assert_eq!(seconds(Duration::from_millis(1250)), "1.2 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 05 s");
    }
}
