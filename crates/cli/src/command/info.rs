//! `antiquary info`: what files hold.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use antiquary::{Detail, Job, Outcome, Severity};
use clap::Args;
use serde_json::Map;

use crate::fault::{Fault, Verdict};
use crate::number::{counted, thousands};
use crate::outcome::{write_findings, write_headline, write_verdict};
use crate::run::{CrewArguments, Teller, inputs, or_json, print_json};
use crate::shown::Shown;
use crate::table::Table;
use crate::terminal::{self, Loudness, Output};
use crate::tree::{self, Extent};

const SCHEMA: &str = "antiquary/info/1";

/// Show what files hold
///
/// Says of each file what it is, its version or dialect, what can be counted in it, and its most telling fields. With --full every field is
/// shown, under the names that the format's documentation has.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "What is this file?" => "info example.{extension}",
    "Every field of it, for a script" => "info --full --json example.{extension}",
    "Several files, and those in a folder" => "info one.{extension} two.{extension} more/",
    "A file that comes through a pipe" => "info - < example.{extension}",
))]
pub(crate) struct Arguments {
    /// Files; a folder stands for the files in it, - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Show every field
    #[arg(long)]
    full: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    crew: CrewArguments,
}

pub(super) fn run(arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, info(arguments, loudness))
}

fn info(arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    let (detail, extent) = match arguments.full {
        true => (Detail::Full, Extent::Everything),
        false => (Detail::Brief, Extent::Extract),
    };
    let job = arguments.crew.apply(Job::default());
    let out = Mutex::new(terminal::output());
    let teller = Teller::new(loudness, arguments.json, |outcome| match arguments.json {
        true => Ok(()),
        false => {
            let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
            tell(&mut out, outcome, extent, loudness)
        }
    });
    let run = job.describe(&inputs(&arguments.files)?, detail, &teller);
    teller.finish();
    let run = run?;
    if arguments.json {
        return print_json(SCHEMA, &run, Map::new());
    }
    if run.outcomes.is_empty() && loudness > Loudness::Quiet {
        terminal::message(|out| {
            writeln!(out, "no file of a known format; `antiquary scan DIR` shows what else is there")
        });
    }
    Ok(Verdict::unless(run.failed() > 0))
}

fn tell(out: &mut Output, outcome: &Outcome, extent: Extent, loudness: Loudness) -> io::Result<()> {
    if outcome.error.is_some() {
        // Flushed first, so that what is told of one file stays together where both go to one place.
        out.flush()?;
        terminal::message(|out| {
            write_headline(out, outcome)?;
            write_verdict(out, outcome)
        });
        return Ok(());
    }
    write_headline(out, outcome)?;
    write_description(out, outcome, extent)?;
    out.flush()?;
    if loudness > Loudness::Quiet {
        terminal::message(|out| write_findings(out, outcome, Severity::Note));
    }
    Ok(())
}

fn write_description(out: &mut dyn Write, outcome: &Outcome, extent: Extent) -> io::Result<()> {
    let mut table = Table::untitled();
    let format = outcome.format.and_then(|id| antiquary::formats().find(|format| format.id == id));
    if let Some(format) = format {
        table.row(["format".into(), format!("{} ({})", format.id, format.name)]);
    }
    if let Some(length) = outcome.length {
        table.row(["size".into(), counted(length, "byte", "bytes")]);
    }
    let Some(description) = &outcome.description else { return table.write(out, 2) };
    if !description.dialect.is_empty() {
        table.row(["version".into(), Shown(&description.dialect).to_string()]);
    }
    for (name, count) in description.counts.iter() {
        table.row([Shown(name).to_string(), thousands(count)]);
    }
    table.write(out, 2)?;
    if !description.fields.is_null() {
        tree::write(out, &description.fields, 2, extent)?;
    }
    Ok(())
}
