//! `antiquary diff`: compares files field by field.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use antiquary::asset::{counted, thousands};
use antiquary::diff::MAX_CHANGES;
use antiquary::operation::{DiffResult, schema};
use antiquary::session::{Comparison, Pair, Status};
use antiquary::{DiffOptions, Input};
use clap::Args;

use crate::change::write_change;
use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::outcome::print_report;
use crate::run::{DASH, input, is_dash, or_json, print_json, session};
use crate::style::{ERROR, TITLE};
use crate::terminal::{self, Output, Verbosity};

/// Compare two files field by field
///
/// Compares two files of the same format, using the field names shown by `antiquary info --full`. Items added to or removed from a list are
/// reported as such, so the items after them still match. For binary data, the lengths and the offset of the first difference are shown.
/// Files of different or unknown formats are compared byte by byte. Scripts are compared line by line; labels that differ only in their
/// numbers count as equal.
///
/// Folders and archives are compared file by file; the case of names is ignored.
///
/// The exit code is 0 if everything is equal, 1 if something differs or cannot be read (the error goes to standard error), and 2 if the
/// command line is invalid.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "See what a mod changed in a file" => "diff original.{extension} modded.{extension}",
    "See what a mod changed in a game" => "diff games/{game} games/modded",
    "See what a mod changed in an archive" => "diff data.{archive} patched.{archive}",
    "Ignore small differences between numbers" => "diff original.{extension} modded.{extension} --tolerance 0.001",
    "Print all differences as JSON" => "diff original.{extension} modded.{extension} --limit 0 --json",
    "Print nothing and only set the exit code" => "diff --quiet original.{extension} modded.{extension}",
))]
pub(crate) struct Arguments {
    /// A file, folder or archive; - is standard input
    #[arg(value_name = "A")]
    first: PathBuf,
    /// The file, folder or archive to compare it with; - is standard input
    #[arg(value_name = "B")]
    second: PathBuf,
    /// Maximum number of differences to show per file; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = MAX_CHANGES)]
    limit: usize,
    /// Treat numbers that differ by no more than N as equal
    #[arg(long, value_name = "N", default_value_t = 0.0, value_parser = tolerance, hide_default_value = true)]
    tolerance: f64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("\"{text}\" is not a number"))?;
    if number.is_finite() && number >= 0.0 {
        Ok(number)
    } else {
        Err("expected a number of 0 or more".to_owned())
    }
}

pub(super) fn run(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    or_json(arguments.json, schema::DIFF, diff(arguments, verbosity))
}

fn diff(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let Arguments { first, second, limit, tolerance, json } = arguments;
    let limit = if *limit == 0 { usize::MAX } else { *limit };
    let options = DiffOptions::default().tolerance(*tolerance).limit(limit);
    let comparison = match (is_dash(first), is_dash(second)) {
        (true, true) => {
            return Err(Fault::usage("only one of the two files can be standard input (-)"));
        }
        (false, false) => session().diff(first, second, &options)?,
        _ => session().diff_inputs(&file(first)?, &file(second)?, &options),
    };
    let verdict = Verdict::failed_if(!comparison.is_equal());
    if *json {
        print_json(&DiffResult::new(&comparison))?;
    } else if verbosity > Verbosity::Quiet {
        let mut out = terminal::output();
        print(&mut out, &comparison)?;
        out.flush()?;
        print_report(&comparison.warnings);
    }
    report_errors(&comparison);
    Ok(verdict)
}

/// Standard input, or a file that is compared with it.
fn file(path: &Path) -> Result<Input, Fault> {
    let input = input(path)?;
    if path.is_dir() {
        return Err(Fault::usage(format!(
            "{} is a folder and cannot be compared with standard input ({DASH})",
            path.display()
        )));
    }
    if !is_dash(path) {
        input.source()?;
    }
    Ok(input)
}

fn print(out: &mut Output, comparison: &Comparison) -> io::Result<()> {
    comparison.pairs.iter().try_for_each(|pair| write_pair(out, pair))?;
    match comparison.equal {
        1 if comparison.is_equal() => writeln!(out, "the files are equal"),
        0 if comparison.is_equal() => writeln!(out, "nothing to compare: both folders are empty"),
        0 => Ok(()),
        equal => writeln!(out, "{} equal", counted(equal, "file is", "files are")),
    }
}

fn write_pair(out: &mut Output, pair: &Pair) -> io::Result<()> {
    let (first, second) = match (&pair.first, &pair.second) {
        (Some(first), Some(second)) => (first, second),
        (Some(only), None) => return writeln!(out, "{TITLE}{}{TITLE:#}: only in the first", Escaped(only)),
        (None, Some(only)) => return writeln!(out, "{TITLE}{}{TITLE:#}: only in the second", Escaped(only)),
        (None, None) => return Ok(()),
    };
    write!(out, "{TITLE}{}{TITLE:#} and {TITLE}{}{TITLE:#}", Escaped(first), Escaped(second))?;
    match pair.status {
        Status::Unreadable => writeln!(out, ": cannot be compared"),
        Status::Formats => {
            let [first, second] = pair.formats.map(|format| format.unwrap_or("unknown"));
            writeln!(out, ": different formats: {first} and {second}")
        }
        Status::Fields => {
            match pair.changes.len() as u64 + pair.more {
                0 => writeln!(out, ": files inside them differ")?,
                count => writeln!(out, ": {}", counted(count, "difference", "differences"))?,
            }
            pair.changes.iter().try_for_each(|change| write_change(out, change, 2))?;
            match pair.more {
                0 => Ok(()),
                more => writeln!(out, "  ... and {} more (use --limit 0 to show all)", thousands(more)),
            }
        }
        _ => write_bytes(out, pair),
    }
}

/// Writes a pair that was compared by bytes, or whose fields are equal.
fn write_bytes(out: &mut Output, pair: &Pair) -> io::Result<()> {
    let what = match (&pair.error, pair.formats) {
        (None, [Some(_), Some(_)]) => "same content, different bytes",
        _ => "different bytes",
    };
    let [first, second] = pair.lengths.map(Option::unwrap_or_default);
    let lengths = match first == second {
        true => format!("{} each", counted(first, "byte", "bytes")),
        false => format!("{} and {}", counted(first, "byte", "bytes"), thousands(second)),
    };
    let offset = pair.first_difference.unwrap_or_default();
    writeln!(out, ": {what}, first difference at {offset:#x} ({lengths})")
}

/// Reports why files could not be compared by fields.
fn report_errors(comparison: &Comparison) {
    for (pair, failure) in comparison.pairs.iter().filter_map(|pair| Some((pair, pair.error.as_ref()?))) {
        let more = if pair.status == Status::Bytes { "; compared byte by byte instead" } else { "" };
        terminal::message(|out| {
            writeln!(out, "{ERROR}error{ERROR:#}: {}{more}", Escaped(&failure.to_string()))
        });
    }
}
