//! `antiquary set`: changes fields of a file.

use std::io::Write;
use std::path::PathBuf;

use antiquary::asset::sink::WriteMode;
use antiquary::job::{Assignment, Edited};
use antiquary::{Job, Outcome, Overwrite, Severity};
use clap::Args;
use serde_json::Value;

use crate::change::write_change;
use crate::document::{Document, members};
use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::thousands;
use crate::outcome::{write_conversion, write_findings, write_headline, write_hints, write_verdict};
use crate::run::{StrictArguments, input, is_dash, or_json};
use crate::terminal::{self, Verbosity};

const SCHEMA: &str = "antiquary/set/1";

/// Change fields of a file
///
/// Writes a copy of the file with the given fields changed, along with the lengths and offsets that depend on them. PATH is the path of a
/// field as shown by `antiquary info --full` and `antiquary diff`, like surfaces[0].texture.name; list indices start at 0. VALUE is JSON;
/// quotes around a string are optional.
///
/// A value that does not fit the field is an error. Images, sounds and other binary data cannot be set: use `antiquary unpack` instead.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Change a texture" => "set example.{extension} surfaces[0].texture.name=wall.png -o edited.{extension}",
    "Change several fields" => "set example.{extension} 'surfaces[0].vertices[0].position=[0, 2.5, 0]' surfaces[0].texture.kind=3 -o edited.{extension}",
    "Show what would change" => "set example.{extension} surfaces[0].texture.name=wall.png -o edited.{extension} --dry-run",
    "List the fields" => "info --full example.{extension}",
))]
pub(crate) struct Arguments {
    /// A file; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Fields and their new values
    #[arg(value_name = "PATH=VALUE", required = true)]
    fields: Vec<String>,
    /// The output file, or a folder to keep the file name; - is standard output
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,
    /// Overwrite an existing file
    #[arg(short, long)]
    force: bool,
    /// Show what would change without writing it
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    strict: StrictArguments,
}

/// Maximum number of changes shown.
const LIMIT: usize = 100;

pub(super) fn run(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, set(arguments, verbosity))
}

fn set(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let Arguments { file, fields, out, force, dry_run, json, strict } = arguments;
    let assignments = fields.iter().map(|text| Assignment::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let overwrite = if *force { Overwrite::Allow } else { Overwrite::Refuse };
    let writing = if *dry_run { WriteMode::DryRun } else { WriteMode::Write };
    let job = strict.apply(Job { overwrite, writing, ..Job::default() });
    let streams = is_dash(out);
    if streams && *json && !*dry_run {
        return Err(Fault::usage("--json and -o - cannot be combined: both write to standard output"));
    }
    if streams && !*dry_run && terminal::output_is_terminal() {
        return Err(Fault::usage(
            "the output is a binary file; redirect it with > FILE instead of printing it to the terminal",
        ));
    }
    let edited = job.set(&input(file)?, &assignments, LIMIT);
    let edited = match streams {
        true => edited,
        false => edited.and_then(|edited| job.write_edited(edited, out)),
    };
    let edited = edited.unwrap_or_else(|error| Edited::failed(Outcome::failed(file, &error)));
    if streams && !*dry_run && edited.outcome.ok {
        let mut out = terminal::raw_output();
        out.write_all(&edited.bytes)?;
        out.flush()?;
    }
    let verdict = Verdict::failed_if(!edited.outcome.ok);
    match json {
        true => print_json(&edited, *dry_run)?,
        false => report(&edited, *dry_run, verbosity)?,
    }
    Ok(verdict)
}

fn print_json(edited: &Edited, dry_run: bool) -> Result<(), Fault> {
    let mut result = serde_json::to_value(&edited.outcome).unwrap_or_default();
    if let Some(result) = result.as_object_mut() {
        result.insert("changes".to_owned(), serde_json::to_value(&edited.changes).unwrap_or_default());
        result.insert("more".to_owned(), edited.more.into());
    }
    let mut document = Document::new(terminal::raw_output(), SCHEMA);
    document.result(&result)?;
    Ok(document.finish(&members([("ok", edited.outcome.ok.into()), ("dry_run", Value::from(dry_run))]))?)
}

/// With `--dry-run` the changes are data for standard output; otherwise they are a message.
fn report(edited: &Edited, dry_run: bool, verbosity: Verbosity) -> Result<(), Fault> {
    if dry_run && edited.outcome.ok {
        let mut out = terminal::output();
        write_changes(&mut out, edited)?;
        out.flush()?;
    }
    let outcome = &edited.outcome;
    if outcome.ok && verbosity == Verbosity::Quiet {
        return Ok(());
    }
    terminal::message(|out| {
        match (outcome.ok, dry_run) {
            (true, false) if !outcome.outputs.is_empty() => write_conversion(out, outcome)?,
            (true, true) => match outcome.outputs.first() {
                Some(path) => writeln!(out, "would be written to {} (dry run)", Escaped(path))?,
                None => writeln!(out, "nothing written (dry run)")?,
            },
            (true, false) => {}
            (false, _) => write_headline(out, outcome)?,
        }
        if outcome.ok && !dry_run && (verbosity == Verbosity::Verbose || edited.changes.is_empty()) {
            write_changes(out, edited)?;
        }
        write_findings(out, outcome, Severity::Note)?;
        write_verdict(out, outcome)?;
        write_hints(out, std::slice::from_ref(outcome))
    });
    Ok(())
}

fn write_changes(out: &mut dyn Write, edited: &Edited) -> std::io::Result<()> {
    edited.changes.iter().try_for_each(|change| write_change(out, change, 2))?;
    match (edited.changes.len(), edited.more) {
        (0, 0) => writeln!(out, "  no changes: the file already has these values"),
        (_, 0) => Ok(()),
        (_, more) => writeln!(out, "  ... and {} more", thousands(more)),
    }
}
