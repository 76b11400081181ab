//! What came of one file, in text.

use std::io::{self, Write};

use antiquary::{Failure, Outcome, Severity};

use crate::number::{counted, thousands};
use crate::shown::Shown;
use crate::style::{self, ERROR, NOTE, QUIET, TITLE};

/// What the library says of a file that it must not replace.
const EXISTS: &str = "exists already";

/// `path: room, 14 surfaces`, or `path: error: what is wrong`.
pub(crate) fn write_headline(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    write!(out, "{TITLE}{}{TITLE:#}", Shown(&outcome.input))?;
    if let Some(failure) = &outcome.error {
        return writeln!(out, ": {ERROR}error{ERROR:#}: {}", Shown(without_input(failure, &outcome.input)));
    }
    match &outcome.description {
        Some(description) => writeln!(out, ": {}", Shown(&description.summary)),
        None => writeln!(out),
    }
}

/// `path -> where it was written`, or `path: error: what is wrong`.
pub(crate) fn write_conversion(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    let Some((first, others)) = outcome.outputs.split_first() else { return write_headline(out, outcome) };
    write!(out, "{TITLE}{}{TITLE:#} -> {}", Shown(&outcome.input), Shown(first))?;
    match crate::number::count_of(others.len()) {
        0 => writeln!(out),
        more => writeln!(out, " and {}", counted(more, "file beside it", "files beside it")),
    }
}

/// What was found amiss, each on a line of its own below the file.
pub(crate) fn write_findings(out: &mut dyn Write, outcome: &Outcome, least: Severity) -> io::Result<()> {
    for warning in outcome.warnings.iter().filter(|warning| warning.code.severity >= least) {
        let color = style::of(warning.code.severity);
        write!(out, "  {color}{} {}{color:#}: ", warning.code.severity, warning.code.id)?;
        if !warning.path.is_empty() {
            write!(out, "{QUIET}{}:{QUIET:#} ", Shown(&warning.path))?;
        }
        write!(out, "{}", Shown(&warning.message))?;
        match warning.offset {
            Some(offset) => writeln!(out, "{QUIET}, at offset {offset:#x}{QUIET:#}")?,
            None => writeln!(out)?,
        }
    }
    for (code, more) in outcome.warnings.more().filter(|(code, _)| code.severity >= least) {
        let color = style::of(code.severity);
        writeln!(out, "  {color}{} {}{color:#}: and {} more", code.severity, code.id, thousands(more))?;
    }
    Ok(())
}

/// Why a file counts as failed though it could be read.
pub(crate) fn write_verdict(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    if outcome.ok || outcome.error.is_some() {
        return Ok(());
    }
    let why = match outcome.warnings.worst() {
        Some(Severity::Error) => "counts as failed because of the errors above",
        _ => "counts as failed because of the warnings above (--strict)",
    };
    writeln!(out, "  {QUIET}{why}{QUIET:#}")
}

/// What can be done about what failed, each thing once.
pub(crate) fn write_hints(out: &mut dyn Write, outcomes: &[Outcome]) -> io::Result<()> {
    let failures = || outcomes.iter().filter_map(|outcome| outcome.error.as_ref());
    if failures().any(|failure| failure.kind == "usage" && failure.message == EXISTS) {
        writeln!(out, "{NOTE}hint{NOTE:#}: --force replaces files that are there already")?;
    }
    if failures().any(|failure| failure.kind == "internal") {
        let what = "nothing in a file may make the program fail: please report it with the file";
        writeln!(out, "{NOTE}hint{NOTE:#}: {what}")?;
    }
    Ok(())
}

/// Whether anything was found that is at least so bad.
pub(crate) fn has_findings(outcome: &Outcome, least: Severity) -> bool {
    outcome.error.is_some() || outcome.warnings.worst().is_some_and(|worst| worst >= least)
}

/// The sentence of a failure without the file when that is the input, for the input is named before it.
fn without_input<'a>(failure: &'a Failure, input: &str) -> &'a str {
    let rest = failure.sentence.strip_prefix(input).and_then(|rest| rest.strip_prefix(": "));
    rest.unwrap_or(&failure.sentence)
}
