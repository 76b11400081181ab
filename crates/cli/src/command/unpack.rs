//! `antiquary unpack`: unpacks a file into an editable folder.

use std::path::PathBuf;

use antiquary::operation::{RunResult, schema};
use antiquary::{Severity, UnpackOptions};
use clap::Args;

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::counted;
use crate::outcome::{write_conversion, write_findings, write_headline, write_hints};
use crate::run::{DryRunArguments, GameArguments, is_dash, or_json, overwrite, print_json, session};
use crate::terminal::{self, Verbosity};

/// Unpack a file into a folder for editing
///
/// The folder contains the entire file in editable form: record.json has every field under its documented name, views/ has images, sounds
/// and texts, and blobs/ has the remaining binary data. `antiquary pack` builds the file again: without edits, it is identical, byte for
/// byte; otherwise, only the edited parts differ.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Unpack a file for editing" => "unpack example.{extension} -o example/",
    "Pack it again after editing" => "pack example/ -o edited.{extension}",
    "Overwrite an existing folder" => "unpack example.{extension} -o example/ --force",
))]
pub(crate) struct Arguments {
    /// A file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Output folder, created if necessary
    #[arg(short, long = "output", value_name = "DIR")]
    out: PathBuf,
    /// Overwrite existing files
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
    options: &[(String, String)],
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    or_json(arguments.json, schema::UNPACK, unpack(arguments, options, verbosity))
}

fn unpack(
    arguments: Arguments,
    options: &[(String, String)],
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    let Arguments { file, out: folder, force, json, dry, games } = arguments;
    if is_dash(&file) {
        return Err(Fault::usage(
            "standard input (-) cannot be unpacked, because the file name is needed for packing",
        ));
    }
    let session = dry.apply(games.apply(session())).overwrite(overwrite(force));
    let run = session.unpack(&file, &folder, &UnpackOptions::default().options(options))?;
    if json {
        return print_json(&RunResult::new(schema::UNPACK, &run, session.writing));
    }
    run.outcomes.iter().try_for_each(|outcome| dry.print(outcome))?;
    for outcome in run.outcomes.iter().filter(|outcome| !outcome.ok || verbosity > Verbosity::Quiet) {
        terminal::message(|out| {
            match (outcome.ok, verbosity) {
                (true, _) if dry.dry_run => {
                    let files = counted(outcome.outputs.len(), "file", "files");
                    writeln!(out, "{files} would be written (dry run)")?;
                }
                (true, Verbosity::Verbose) => write_conversion(out, outcome)?,
                (true, _) => {
                    let files = counted(outcome.outputs.len(), "file", "files");
                    let folder = folder.to_string_lossy();
                    writeln!(
                        out,
                        "{}: unpacked into {} ({files})",
                        Escaped(&outcome.input),
                        Escaped(&folder)
                    )?;
                }
                (false, _) => write_headline(out, outcome)?,
            }
            write_findings(out, outcome, Severity::Note)?;
            write_hints(out, std::slice::from_ref(outcome))
        });
    }
    Ok(Verdict::failed_if(run.failed() > 0))
}
