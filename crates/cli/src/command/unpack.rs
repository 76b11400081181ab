//! `antiquary unpack`: a file as a folder that people can edit.

use std::path::PathBuf;

use antiquary::{Job, Overwrite, Severity};
use clap::Args;

use crate::fault::{Fault, Verdict};
use crate::number::{count_of, counted};
use crate::outcome::{write_conversion, write_findings, write_headline, write_hints};
use crate::run::{DryRunArguments, GameArguments, is_dash, or_json, print_json};
use crate::shown::Shown;
use crate::terminal::{self, Loudness};

const SCHEMA: &str = "antiquary/unpack/1";

/// Unpack a file into a folder for editing
///
/// The folder holds the whole file in forms that people edit: record.json has every field under its documented name, views/ has pictures,
/// sounds and texts, blobs/ has the bytes that nobody edits by hand. `antiquary pack` makes the file again: without an edit the very same
/// bytes, with an edit only what was edited.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Unpack a file, edit it, pack it" => "unpack example.{extension} -o example/",
    "... and back, into another file" => "pack example/ -o edited.{extension}",
    "Unpack it again over what is there" => "unpack example.{extension} -o example/ --force",
))]
pub(crate) struct Arguments {
    /// A file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The folder, which is made if it is not there
    #[arg(short, long = "output", value_name = "DIR")]
    out: PathBuf,
    /// Replace files that are there already
    #[arg(short, long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    dry: DryRunArguments,
    #[command(flatten)]
    games: GameArguments,
}

pub(super) fn run(
    arguments: Arguments,
    options: Vec<(String, String)>,
    loudness: Loudness,
) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, unpack(arguments, options, loudness))
}

fn unpack(
    arguments: Arguments,
    options: Vec<(String, String)>,
    loudness: Loudness,
) -> Result<Verdict, Fault> {
    let Arguments { file, out: folder, force, json, dry, games } = arguments;
    if is_dash(&file) {
        return Err(Fault::usage(
            "a file is unpacked from disk, not from standard input (-): its name is kept",
        ));
    }
    let overwrite = if force { Overwrite::Allow } else { Overwrite::Refuse };
    let job = dry.apply(games.apply(Job { options, overwrite, ..Job::default() }));
    let run = job.unpack(&file, &folder)?;
    if json {
        return print_json(SCHEMA, &run, dry.member());
    }
    run.outcomes.iter().try_for_each(|outcome| dry.print(outcome))?;
    for outcome in run.outcomes.iter().filter(|outcome| !outcome.ok || loudness > Loudness::Quiet) {
        terminal::message(|out| {
            match (outcome.ok, loudness) {
                (true, _) if dry.dry_run => {
                    let files = counted(count_of(outcome.outputs.len()), "file", "files");
                    writeln!(out, "{files} would be written; nothing is")?;
                }
                (true, Loudness::Verbose) => write_conversion(out, outcome)?,
                (true, _) => {
                    let files = counted(count_of(outcome.outputs.len()), "file", "files");
                    let folder = folder.to_string_lossy();
                    writeln!(out, "{}: unpacked into {} ({files})", Shown(&outcome.input), Shown(&folder))?;
                }
                (false, _) => write_headline(out, outcome)?,
            }
            write_findings(out, outcome, Severity::Note)?;
            write_hints(out, std::slice::from_ref(outcome))
        });
    }
    Ok(Verdict::unless(run.failed() > 0))
}
