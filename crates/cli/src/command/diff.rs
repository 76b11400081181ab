//! `antiquary diff`: how files differ, field by field.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use antiquary::asset::{counted, thousands};
use antiquary::job::{Comparison, Pair, Status};
use antiquary::{Input, Job};
use clap::Args;

use crate::change::write_change;
use crate::document::{Document, members};
use crate::fault::{Fault, Verdict};
use crate::run::{DASH, input, is_dash, or_json};
use crate::shown::Shown;
use crate::style::{ERROR, TITLE};
use crate::terminal::{self, Loudness, Output};

const SCHEMA: &str = "antiquary/diff/1";

/// Show how two files differ, field by field
///
/// Compares two files of one format by their fields, under the names that `antiquary info --full` shows. What was put into a list or taken
/// out of it does not make everything behind it differ. Of runs of bytes it tells the lengths and where they begin to differ. Files of
/// different formats, or of none that is known, are compared by their bytes.
///
/// Two folders are compared file by file, two archives too; letter case in names does not matter.
///
/// The exit code is 0 when all is equal, 1 when something differs or cannot be read (the error goes to standard error), 2 when the command
/// line is wrong.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "What did the mod change?" => "diff original.{extension} modded.{extension}",
    "... in the whole game?" => "diff games/{game} games/modded",
    "... in an archive?" => "diff data.{archive} patched.{archive}",
    "Everything, for a script" => "diff original.{extension} modded.{extension} --limit 0 --json",
    "Only whether they are equal" => "diff --quiet original.{extension} modded.{extension}",
))]
pub(crate) struct Arguments {
    /// A file or folder; - is standard input
    #[arg(value_name = "A")]
    first: PathBuf,
    /// The file or folder to compare it with; - is standard input
    #[arg(value_name = "B")]
    second: PathBuf,
    /// Show so many fields; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, diff(arguments, loudness))
}

fn diff(arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    let Arguments { first, second, limit, json } = arguments;
    let limit = if *limit == 0 { usize::MAX } else { *limit };
    let job = Job::default();
    let comparison = match (is_dash(first), is_dash(second)) {
        (true, true) => {
            return Err(Fault::usage("standard input (-) can only stand for one of the two files"));
        }
        (false, false) => job.diff(first, second, limit)?,
        _ => job.diff_inputs(&file(first)?, &file(second)?, limit),
    };
    let verdict = Verdict::unless(!comparison.is_equal());
    if *json {
        print_json(&comparison)?;
    } else if loudness > Loudness::Quiet {
        let mut out = terminal::output();
        print(&mut out, &comparison)?;
        out.flush()?;
    }
    tell_errors(&comparison);
    Ok(verdict)
}

/// Standard input, or a file that is compared with it.
fn file(path: &Path) -> Result<Input, Fault> {
    let input = input(path)?;
    if path.is_dir() {
        return Err(Fault::usage(format!(
            "{} is a folder, but standard input ({DASH}) is a file",
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
        0 if comparison.is_equal() => writeln!(out, "there is nothing to compare: both folders are empty"),
        0 => Ok(()),
        equal => writeln!(out, "{} equal", counted(equal, "file is", "files are")),
    }
}

fn write_pair(out: &mut Output, pair: &Pair) -> io::Result<()> {
    let (first, second) = match (&pair.first, &pair.second) {
        (Some(first), Some(second)) => (first, second),
        (Some(only), None) => return writeln!(out, "{TITLE}{}{TITLE:#}: only in the first", Shown(only)),
        (None, Some(only)) => return writeln!(out, "{TITLE}{}{TITLE:#}: only in the second", Shown(only)),
        (None, None) => return Ok(()),
    };
    write!(out, "{TITLE}{}{TITLE:#} and {TITLE}{}{TITLE:#}", Shown(first), Shown(second))?;
    match pair.status {
        Status::Unreadable => writeln!(out, ": cannot be compared"),
        Status::Formats => {
            let [first, second] = pair.formats.map(|format| format.unwrap_or("none that is known"));
            writeln!(out, ": different formats, {first} and {second}")
        }
        Status::Fields => {
            let shown = u64::try_from(pair.changes.len()).unwrap_or(u64::MAX);
            match shown.saturating_add(pair.more) {
                0 => writeln!(out, ": files in them differ")?,
                count => writeln!(out, ": {}", counted(count, "difference", "differences"))?,
            }
            pair.changes.iter().try_for_each(|change| write_change(out, change, 2))?;
            match pair.more {
                0 => Ok(()),
                more => writeln!(out, "  ... and {} more; --limit 0 shows all", thousands(more)),
            }
        }
        _ => write_bytes(out, pair),
    }
}

/// Files in which only bytes differ.
fn write_bytes(out: &mut Output, pair: &Pair) -> io::Result<()> {
    let what = match (&pair.error, pair.formats) {
        (None, [Some(_), Some(_)]) => "the same content in different bytes",
        _ => "different bytes",
    };
    let [first, second] = pair.lengths.map(Option::unwrap_or_default);
    let lengths = match first == second {
        true => format!("{} each", counted(first, "byte", "bytes")),
        false => format!("{} and {}", counted(first, "byte", "bytes"), thousands(second)),
    };
    let offset = pair.first_difference.unwrap_or_default();
    writeln!(out, ": {what}, the first at {offset:#x} ({lengths})")
}

/// Why files could not be compared by fields.
fn tell_errors(comparison: &Comparison) {
    for (pair, failure) in comparison.pairs.iter().filter_map(|pair| Some((pair, pair.error.as_ref()?))) {
        let more = if pair.status == Status::Bytes { "; so only bytes were compared" } else { "" };
        terminal::message(|out| writeln!(out, "{ERROR}error{ERROR:#}: {}{more}", Shown(&failure.sentence)));
    }
}

fn print_json(comparison: &Comparison) -> io::Result<()> {
    let mut document = Document::new(terminal::raw_output(), SCHEMA);
    comparison.pairs.iter().try_for_each(|pair| document.result(pair))?;
    document.finish(&members([
        ("ok", comparison.is_equal().into()),
        ("equal", comparison.equal.into()),
        ("different", comparison.pairs.len().into()),
    ]))
}
