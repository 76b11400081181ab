//! `antiquary list`: lists the files in archives.

use std::io::{self, Write};
use std::path::PathBuf;

use antiquary::asset::archive::{Content, Entry};
use antiquary::operation::{RunResult, schema};
use antiquary::run::Listed;
use antiquary::session::Patterns;
use antiquary::{Outcome, Severity};
use clap::Args;

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::{counted, thousands};
use crate::outcome::{write_findings, write_headline, write_hints};
use crate::run::{or_json, print_json, session};
use crate::style::{DIMMED, TITLE};
use crate::table::Table;
use crate::terminal::{self, Output, Verbosity};

/// List the files in archives
///
/// Shows the number, size, stored size, name and notes of each file. Only the directory of the archive is read.
///
/// PATTERN selects files: * matches any characters, ? matches one character, ** matches any folders. Case and the kind of slash are
/// ignored. A pattern without a slash matches any component of a path; a pattern with a slash matches from the start. A pattern that
/// matches a folder selects all files in it.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "List an archive" => "list data.{archive}",
    "List all bitmaps" => "list data.{archive} '*.bmp'",
    "List a folder in two archives" => "list data.{archive} patch.{archive} data/texture/effect",
    "Search names and notes" => "list data.{archive} --grep enciphered",
    "Print JSON" => "list data.{archive} --json",
))]
pub(crate) struct Arguments {
    /// Archives, followed by patterns
    #[arg(value_name = "ARCHIVE|PATTERN", required = true)]
    words: Vec<String>,
    /// List only entries with this text in their name or notes (for dialogue: the spoken text), ignoring case
    #[arg(long, value_name = "TEXT")]
    grep: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    or_json(arguments.json, schema::LIST, list(arguments, verbosity))
}

fn list(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let (archives, patterns) = archives_and_patterns(&arguments.words)?;
    let patterns = match &arguments.grep {
        Some(text) => patterns.with_text(text)?,
        None => patterns,
    };
    let session = session();
    let run = session.list(&archives, &patterns);
    let found = run.outcomes.iter().flat_map(|outcome| &outcome.entries).any(|entries| !entries.is_empty());
    let no_match = arguments.grep.is_some() && !found;
    if arguments.json {
        return Ok(match print_json(&RunResult::new(schema::LIST, &run, session.writing))? {
            Verdict::Success => Verdict::failed_if(no_match),
            failed => failed,
        });
    }
    let mut out = terminal::output();
    let several = run.outcomes.len() > 1;
    for outcome in &run.outcomes {
        report(&mut out, outcome, several, verbosity)?;
    }
    Ok(Verdict::failed_if(run.failed() > 0 || no_match))
}

/// Splits the arguments: the first is an archive, and so are all others that name existing files.
fn archives_and_patterns(words: &[String]) -> Result<(Vec<PathBuf>, Patterns), Fault> {
    let (mut archives, mut patterns) = (Vec::new(), Vec::new());
    for word in words {
        match archives.is_empty() || PathBuf::from(word).is_file() {
            true => archives.push(PathBuf::from(word)),
            false => patterns.push(word.clone()),
        }
    }
    Ok((archives, Patterns::parse(&patterns)?))
}

fn report(out: &mut Output, outcome: &Outcome, several: bool, verbosity: Verbosity) -> io::Result<()> {
    let Some(entries) = &outcome.entries else {
        out.flush()?;
        terminal::message(|out| {
            write_headline(out, outcome)?;
            write_hints(out, std::slice::from_ref(outcome))
        });
        return Ok(());
    };
    if several {
        writeln!(out, "{TITLE}{}{TITLE:#}", Escaped(&outcome.input))?;
    }
    write_entries(out, entries)?;
    out.flush()?;
    if verbosity > Verbosity::Quiet {
        terminal::message(|out| {
            if outcome.warnings.worst().is_some() {
                write_headline(out, outcome)?;
                write_findings(out, outcome, Severity::Note)?;
            }
            writeln!(out, "{}", total(entries))
        });
    }
    Ok(())
}

fn write_entries(out: &mut dyn Write, entries: &[Listed]) -> io::Result<()> {
    let size = |entry: &Listed| match entry.content.is_file() {
        true => thousands(entry.length),
        false => String::new(),
    };
    let stored = |entry: &Listed| match entry.content.is_file() {
        true => thousands(entry.stored),
        false => String::new(),
    };
    let width =
        |cell: &dyn Fn(&Listed) -> String| entries.iter().map(|entry| cell(entry).len()).max().unwrap_or(0);
    let (wide, wide_stored) = (width(&size).max(5), width(&stored).max(6));
    let widest = entries.iter().map(|entry| entry.number.to_string().len()).max().unwrap_or(0).max(2);
    let mut table = Table::new(&["NO", "BYTES", "STORED", "NAME"]);
    for entry in entries {
        let name = Escaped(&entry.name);
        table.row([
            format!("{:>widest$}", entry.number),
            format!("{:>wide$}", size(entry)),
            format!("{:>wide_stored$}", stored(entry)),
            match note(entry) {
                note if note.is_empty() => name.to_string(),
                note => format!("{name}  {DIMMED}({note}){DIMMED:#}"),
            },
        ]);
    }
    table.write(out, 0)
}

/// The kind of an entry, unless it is a file, and its note.
fn note(entry: &Entry<'_>) -> String {
    let what = match entry.content {
        Content::File => "",
        other => other.name(),
    };
    let parts: Vec<_> = [what, &*entry.note].into_iter().filter(|part| !part.is_empty()).collect();
    Escaped(&parts.join(", ")).to_string()
}

/// `12 files, 3 others, 1,234 bytes, 567 in the archive`.
fn total(entries: &[Listed]) -> String {
    let files = || entries.iter().filter(|entry| entry.content.is_file());
    let others = entries.len() - files().count();
    let sum =
        |size: &dyn Fn(&Listed) -> u64| files().fold(0_u64, |sum, entry| sum.saturating_add(size(entry)));
    let mut parts = vec![counted(files().count(), "file", "files")];
    if others > 0 {
        parts.push(counted(others, "folder or marker", "folders and markers"));
    }
    parts.push(counted(sum(&|entry| entry.length), "byte", "bytes"));
    parts.push(format!("{} in the archive", thousands(sum(&|entry| entry.stored))));
    parts.join(", ")
}
