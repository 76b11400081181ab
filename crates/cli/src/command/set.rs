//! `antiquary set`: fields of a file set to other values.

use std::io::Write;
use std::path::PathBuf;

use antiquary::asset::sink::Writing;
use antiquary::job::{Assignment, Edited};
use antiquary::{Job, Overwrite, Severity};
use clap::Args;
use serde_json::Value;

use crate::change::write_change;
use crate::command::pack::failed;
use crate::document::{Document, members};
use crate::fault::{Fault, Verdict};
use crate::number::thousands;
use crate::outcome::{write_conversion, write_findings, write_headline, write_hints, write_verdict};
use crate::run::{StrictArguments, input, is_dash, or_json};
use crate::shown::Shown;
use crate::terminal::{self, Loudness};

const SCHEMA: &str = "antiquary/set/1";

/// Set fields of a file to other values
///
/// Writes the file once more with other values in some of its fields; nothing else changes but the lengths and offsets that follow. PATH is
/// the path of a field as `antiquary info --full` and `antiquary diff` show it: members are joined by dots, items of lists are counted from 0
/// in brackets. VALUE is JSON; where the field is a text, the text itself will do.
///
/// A value that a field cannot hold is refused. Pictures, sounds and other runs of bytes are no fields: `antiquary unpack` makes files of them.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Another texture" => "set example.{extension} surfaces[0].texture.name=wall.png -o edited.{extension}",
    "Several fields at once" => "set example.{extension} 'surfaces[0].vertices[0].position=[0, 2.5, 0]' surfaces[0].texture.kind=3 -o edited.{extension}",
    "Only show what would change" => "set example.{extension} surfaces[0].texture.name=wall.png -o edited.{extension} --dry-run",
    "What are the fields called?" => "info --full example.{extension}",
))]
pub(crate) struct Arguments {
    /// A file; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Fields and what they are set to
    #[arg(value_name = "PATH=VALUE", required = true)]
    fields: Vec<String>,
    /// A file, or a folder in which the file gets the same name; - is standard output
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,
    /// Replace the file if it is there already
    #[arg(short, long)]
    force: bool,
    /// Show what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    strict: StrictArguments,
}

/// So many changes are shown.
const SHOWN: usize = 100;

pub(super) fn run(arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, set(arguments, loudness))
}

fn set(arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    let Arguments { file, fields, out, force, dry_run, json, strict } = arguments;
    let assignments = fields.iter().map(|text| Assignment::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let overwrite = if *force { Overwrite::Allow } else { Overwrite::Refuse };
    let writing = if *dry_run { Writing::Nothing } else { Writing::Files };
    let job = strict.apply(Job { overwrite, writing, ..Job::default() });
    let streams = is_dash(out);
    if streams && *json && !*dry_run {
        return Err(Fault::usage(
            "--json and -o - both write to standard output: choose a file for one of them",
        ));
    }
    if streams && !*dry_run && terminal::output_is_seen() {
        return Err(Fault::usage(
            "what is packed is not text, and a terminal shows text only: send it to a file with > FILE",
        ));
    }
    let edited = job.set(&input(file)?, &assignments, SHOWN);
    let edited = match streams {
        true => edited,
        false => edited.and_then(|edited| job.write_edited(edited, out)),
    };
    let edited = edited.unwrap_or_else(|error| Edited {
        bytes: Vec::new(),
        changes: Vec::new(),
        more: 0,
        outcome: failed(file, &error),
    });
    if streams && !*dry_run && edited.outcome.ok {
        let mut out = terminal::raw_output();
        out.write_all(&edited.bytes)?;
        out.flush()?;
    }
    let verdict = Verdict::unless(!edited.outcome.ok);
    match json {
        true => print_json(&edited, *dry_run)?,
        false => tell(&edited, *dry_run, loudness)?,
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

/// What is asked for with `--dry-run` is data; otherwise it is told.
fn tell(edited: &Edited, dry_run: bool, loudness: Loudness) -> Result<(), Fault> {
    if dry_run && edited.outcome.ok {
        let mut out = terminal::output();
        write_changes(&mut out, edited)?;
        out.flush()?;
    }
    let outcome = &edited.outcome;
    if outcome.ok && loudness == Loudness::Quiet {
        return Ok(());
    }
    terminal::message(|out| {
        match (outcome.ok, dry_run) {
            (true, false) if !outcome.outputs.is_empty() => write_conversion(out, outcome)?,
            (true, true) => match outcome.outputs.first() {
                Some(path) => writeln!(out, "would be written to {}; nothing is", Shown(path))?,
                None => writeln!(out, "nothing is written")?,
            },
            (true, false) => {}
            (false, _) => write_headline(out, outcome)?,
        }
        if outcome.ok && !dry_run && (loudness == Loudness::Verbose || edited.changes.is_empty()) {
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
        (0, 0) => writeln!(out, "  nothing changes: the file has these values already"),
        (_, 0) => Ok(()),
        (_, more) => writeln!(out, "  ... and {} more", thousands(more)),
    }
}
