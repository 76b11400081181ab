//! Prints the outcome for one file.

use std::io::{self, Write};

use antiquary::{Error, Hint, Kind, Outcome, Report, Severity};

use crate::escape::Escaped;
use crate::number::{counted, thousands};
use crate::style::{self, DIMMED, ERROR, NOTE, TITLE};
use crate::terminal::{self, Output, Verbosity};

/// Message of the library for a file that must not be overwritten.
const EXISTS: &str = "already exists";

/// Writes `path: room, 14 surfaces`, or `path: error: message`.
pub(crate) fn write_headline(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    write!(out, "{TITLE}{}{TITLE:#}", Escaped(&outcome.input))?;
    if let Some(failure) = &outcome.error {
        return writeln!(
            out,
            ": {ERROR}error{ERROR:#}: {}",
            Escaped(&without_input(failure, &outcome.input))
        );
    }
    match &outcome.description {
        Some(description) => writeln!(out, ": {}", Escaped(&description.summary)),
        None => writeln!(out),
    }
}

/// Writes `path -> output`, or `path: error: message`.
pub(crate) fn write_conversion(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    let outputs = outcome.outputs.split_first().filter(|_| outcome.error.is_none());
    let Some((first, others)) = outputs else { return write_headline(out, outcome) };
    write!(out, "{TITLE}{}{TITLE:#} -> {}", Escaped(&outcome.input), Escaped(first))?;
    match others.len() {
        0 => writeln!(out),
        more => writeln!(out, " and {}", counted(more, "other file", "other files")),
    }
}

/// Writes the warnings, one per line, below the file.
pub(crate) fn write_findings(
    out: &mut dyn Write,
    outcome: &Outcome,
    min_severity: Severity,
) -> io::Result<()> {
    write_report(out, &outcome.warnings, min_severity)
}

/// Prints the warnings about a folder to standard error.
pub(crate) fn print_report(report: &Report) {
    terminal::message(|out| write_report(out, report, Severity::Warning));
}

/// Writes warnings, one per line.
pub(crate) fn write_report(out: &mut dyn Write, report: &Report, min_severity: Severity) -> io::Result<()> {
    for warning in report.iter().filter(|warning| warning.code.severity >= min_severity) {
        let color = style::of(warning.code.severity);
        write!(out, "  {color}{} {}{color:#}: ", warning.code.severity, warning.code.id)?;
        if !warning.path.is_empty() {
            write!(out, "{DIMMED}{}:{DIMMED:#} ", Escaped(&warning.path))?;
        }
        write!(out, "{}", Escaped(&warning.message))?;
        match warning.offset {
            Some(offset) => writeln!(out, "{DIMMED}, at offset {offset:#x}{DIMMED:#}")?,
            None => writeln!(out)?,
        }
    }
    for (code, more) in report.more().filter(|(code, _)| code.severity >= min_severity) {
        let color = style::of(code.severity);
        writeln!(out, "  {color}{} {}{color:#}: and {} more", code.severity, code.id, thousands(more))?;
    }
    Ok(())
}

/// Writes one line per code below the file: the number of occurrences, and the first one.
pub(crate) fn write_condensed(
    out: &mut dyn Write,
    outcome: &Outcome,
    min_severity: Severity,
) -> io::Result<()> {
    for (code, count) in outcome.warnings.tallies().filter(|(code, _)| code.severity >= min_severity) {
        let color = style::of(code.severity);
        write!(out, "  {color}{} {}{color:#}", code.severity, code.id)?;
        if count > 1 {
            write!(out, " ({} times)", thousands(count))?;
        }
        write!(out, ": ")?;
        match outcome.warnings.iter().find(|warning| warning.code.id == code.id) {
            Some(first) => {
                if !first.path.is_empty() {
                    write!(out, "{DIMMED}{}:{DIMMED:#} ", Escaped(&first.path))?;
                }
                write!(out, "{}", Escaped(&first.message))?;
                if let Some(offset) = first.offset {
                    write!(out, "{DIMMED}, at offset {offset:#x}{DIMMED:#}")?;
                }
                writeln!(out, "{}", if count > 1 { ", ..." } else { "" })?;
            }
            None => writeln!(out, "{}", code.title)?,
        }
    }
    Ok(())
}

/// Writes everything below the line of a single file: all warnings, the reason of a failure, and hints.
pub(crate) fn write_details(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    write_findings(out, outcome, Severity::Note)?;
    write_verdict(out, outcome)?;
    write_hints(out, std::slice::from_ref(outcome))
}

/// Reports one of several files that are written: a failure, lost data, or with --verbose, its output.
pub(crate) fn report_written(
    outcome: &Outcome,
    is_dry_run: bool,
    (verbosity, min_severity): (Verbosity, Severity),
) {
    let has_problems = has_findings(outcome, min_severity) && verbosity > Verbosity::Quiet;
    if outcome.ok && !has_problems && (verbosity < Verbosity::Verbose || is_dry_run) {
        return;
    }
    terminal::message(|out| {
        match is_dry_run {
            true => write_headline(out, outcome)?,
            false => write_conversion(out, outcome)?,
        }
        if verbosity > Verbosity::Quiet || outcome.error.is_none() {
            write_findings(out, outcome, min_severity)?;
        }
        write_verdict(out, outcome)
    });
}

/// Explains the failure of a readable file.
pub(crate) fn write_verdict(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    if outcome.ok || outcome.error.is_some() {
        return Ok(());
    }
    let why = match outcome.warnings.worst() {
        Some(Severity::Error) => "failed because of the errors above",
        _ => "failed because of the warnings above (--strict)",
    };
    writeln!(out, "  {DIMMED}{why}{DIMMED:#}")
}

/// Prints the error of a file to standard error, after the text on standard output. Returns whether there is an error.
pub(crate) fn report_failure(out: &mut Output, outcome: &Outcome) -> io::Result<bool> {
    if outcome.error.is_none() {
        return Ok(false);
    }
    // Flush first, because standard output and standard error may both go to the same terminal.
    out.flush()?;
    terminal::message(|out| {
        write_headline(out, outcome)?;
        write_verdict(out, outcome)
    });
    Ok(true)
}

/// Writes hints for resolving failures, each once.
pub(crate) fn write_hints(out: &mut dyn Write, outcomes: &[Outcome]) -> io::Result<()> {
    let failures = || outcomes.iter().filter_map(|outcome| outcome.error.as_ref());
    if failures().any(|failure| failure.kind() == Kind::Usage && failure.message() == EXISTS) {
        writeln!(out, "{NOTE}hint{NOTE:#}: use --force to overwrite existing files")?;
    }
    if failures().any(|failure| failure.kind() == Kind::Internal) {
        let what = "this is a bug: please report it and attach the file";
        writeln!(out, "{NOTE}hint{NOTE:#}: {what}")?;
    }
    Ok(())
}

/// Writes a hint.
pub(crate) fn write_hint(out: &mut dyn Write, hint: &Hint) -> io::Result<()> {
    writeln!(out, "{NOTE}hint{NOTE:#}: {}", Escaped(&hint.to_string()))
}

/// Whether there is an error, or a warning of at min_severity this severity.
pub(crate) fn has_findings(outcome: &Outcome, min_severity: Severity) -> bool {
    outcome.error.is_some() || outcome.warnings.worst().is_some_and(|worst| worst >= min_severity)
}

/// The error message without the file name if that is the input, which is already on the line.
fn without_input(error: &Error, input: &str) -> String {
    let sentence = error.to_string();
    let rest = sentence.strip_prefix(input).and_then(|rest| rest.strip_prefix(": "));
    rest.map_or_else(|| sentence.clone(), str::to_owned)
}
