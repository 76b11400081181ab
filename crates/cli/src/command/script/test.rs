//! `antiquary script test`: runs tests of scripts.

use std::io::Write;
use std::path::PathBuf;

use antiquary::json::{Value, json};
use antiquary::operation::OperationResult;
use antiquary::session::{ScriptTests, TestFailure, TestedScript};
use clap::Args;

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::counted;
use crate::run::{or_json, print_json, session};
use crate::style::{ERROR, NOTE, TITLE};
use crate::terminal::{self, Output, Verbosity};

const SCHEMA: &str = "antiquary/script-test/1";

/// Run tests of scripts
///
/// A test file (.souptest.toml) specifies for each test the initial state (map, actor, flags, results of functions) and the expected lines
/// of dialogue, calls, flags and values, each with an update or a deadline. Paths are relative to the file. A test also fails if a script
/// stops with a fault. For each failure, its location in the file, the expected event and the actual events are shown.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Run the tests of a mod" => "script test my-mod/tests/",
    "Run the tests whose names contain a word" => "script test my-mod/tests/ --filter greets",
    "Print JSON" => "script test keeper.souptest.toml --json",
))]
pub(super) struct Arguments {
    /// Test files, or folders with files named *.souptest.toml
    #[arg(value_name = "FILE|DIR", required = true)]
    paths: Vec<PathBuf>,
    /// Run only tests with this text in their names, ignoring case
    #[arg(long, value_name = "NAME")]
    filter: Option<String>,
    /// Number of tests to run in parallel, at most 4 per processor; 0 for one per processor
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    jobs: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, go(arguments, verbosity))
}

fn go(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let done =
        session().threads(arguments.jobs).test_scripts(&arguments.paths, arguments.filter.as_deref())?;
    if let Some(filter) =
        arguments.filter.as_deref().filter(|_| done.tests.is_empty() && done.problems.is_empty())
    {
        return Err(Fault::usage(format!("no test has \"{filter}\" in its name ({} tests)", done.left_out)));
    }
    let failed = done.tests.iter().filter(|test| !test.failures.is_empty()).count();
    let is_failed = failed > 0 || !done.problems.is_empty();
    if arguments.json {
        return print_results(&done, failed);
    }
    let mut out = terminal::output();
    for test in &done.tests {
        write_test(&mut out, test, verbosity)?;
    }
    out.flush()?;
    terminal::message(|out| {
        for it in &done.problems {
            let file = it.file.display().to_string();
            let (line, column) = (it.position.line, it.position.column);
            writeln!(
                out,
                "{ERROR}error{ERROR:#}: {}:{line}:{column}: {}",
                Escaped(&file),
                Escaped(&it.message)
            )?;
        }
        Ok(())
    });
    if verbosity > Verbosity::Quiet || is_failed {
        terminal::message(|out| writeln!(out, "{}", summary(&done, failed)));
    }
    Ok(Verdict::failed_if(is_failed))
}

/// Writes a line for a test, and its failures.
fn write_test(out: &mut Output, test: &TestedScript, verbosity: Verbosity) -> Result<(), Fault> {
    let file = test.file.display().to_string();
    let (file, name) = (Escaped(&file), Escaped(&test.name));
    if test.failures.is_empty() {
        if verbosity > Verbosity::Quiet {
            writeln!(out, "{NOTE}ok{NOTE:#}      {TITLE}{file}{TITLE:#}: {name}")?;
        }
        return Ok(());
    }
    writeln!(out, "{ERROR}FAILED{ERROR:#}  {TITLE}{file}{TITLE:#}: {name}")?;
    for it in &test.failures {
        let TestFailure { position, message, instead, .. } = it;
        writeln!(out, "  {file}:{}:{}: {}", position.line, position.column, Escaped(message))?;
        for line in instead {
            writeln!(out, "      {}", Escaped(line))?;
        }
    }
    Ok(())
}

fn summary(done: &ScriptTests, failed: usize) -> String {
    let passed = done.tests.len().saturating_sub(failed);
    let mut out = format!("{}: {passed} passed, {failed} failed", counted(done.tests.len(), "test", "tests"));
    if done.left_out > 0 {
        out.push_str(&format!(", {} filtered out", done.left_out));
    }
    if !done.problems.is_empty() {
        let problems = counted(done.problems.len(), "error", "errors");
        out.push_str(&format!("; {problems} in test files"));
    }
    out
}

fn print_results(done: &ScriptTests, failed: usize) -> Result<Verdict, Fault> {
    let problems = done.problems.iter().map(|it| {
        let file = it.file.display().to_string();
        json!({ "file": file, "line": it.position.line, "column": it.position.column, "message": it.message })
    });
    let is_ok = failed == 0 && done.problems.is_empty();
    let problems: Vec<_> = problems.collect();
    let summary = json!({ "ok": is_ok, "failed": failed, "left_out": done.left_out, "problems": problems });
    let results: Vec<_> = done.tests.iter().map(result).collect();
    print_json(&OperationResult::of(SCHEMA, results, summary, is_ok))
}

fn result(test: &TestedScript) -> Value {
    let failures = test.failures.iter().map(|it| {
        json!({
            "line": it.position.line,
            "column": it.position.column,
            "message": it.message,
            "instead": it.instead,
        })
    });
    json!({
        "file": test.file.display().to_string(),
        "line": test.line,
        "name": test.name,
        "ok": test.failures.is_empty(),
        "updates": test.updates,
        "failures": failures.collect::<Vec<_>>(),
    })
}
