//! `antiquary replace`: other content for one file in an archive.

use std::path::PathBuf;

use antiquary::asset::sink::Writing;
use antiquary::job::Replaced;
use antiquary::{Job, Overwrite, Severity};
use clap::Args;
use serde_json::Value;

use crate::command::pack::failed;
use crate::document::{Document, members};
use crate::fault::{Fault, Verdict};
use crate::number::counted;
use crate::outcome::{write_findings, write_headline, write_hints, write_verdict};
use crate::run::{GameArguments, StrictArguments, is_dash, or_json};
use crate::shown::Shown;
use crate::style::TITLE;
use crate::terminal::{self, Loudness};

const SCHEMA: &str = "antiquary/replace/1";

/// Replace one file in an archive
///
/// Writes the archive once more with the content of FILE for one of its entries. All other entries keep their bytes. The content is a file as
/// `antiquary extract` gives it; banks of pictures take a picture too, banks of sounds a sound. What was written is opened again before it
/// gets its name.
///
/// ENTRY is the name of an entry, in which letter case and the kind of slash do not matter and the extension may be left out, or its number,
/// as `antiquary list` shows both.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "A texture in an archive" => "replace data.{archive} data/texture/wall.bmp my-wall.bmp -o patched.{archive}",
    "By its number in the list" => "replace data.{archive} 12 my-wall.bmp -o patched.{archive}",
    "Only find out whether it would do" => "replace data.{archive} 12 my-wall.bmp -o patched.{archive} --dry-run",
    "What is in it?" => "list data.{archive}",
))]
pub(crate) struct Arguments {
    /// An archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// The name or the number of one of its entries
    #[arg(value_name = "ENTRY")]
    entry: String,
    /// What the entry is to hold
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A file, or a folder in which the archive gets the same name
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,
    /// Replace the file OUT if it is there already
    #[arg(short, long)]
    force: bool,
    /// Tell what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    strict: StrictArguments,
}

pub(super) fn run(arguments: Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, replace(arguments, loudness))
}

fn replace(arguments: Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    let Arguments { archive, entry, file, out, force, dry_run, json, games, strict } = arguments;
    if [&archive, &file, &out].iter().any(|path| is_dash(path)) {
        return Err(Fault::usage(
            "archives and what is put into them are files on disk: - stands for none of them",
        ));
    }
    let overwrite = if force { Overwrite::Allow } else { Overwrite::Refuse };
    let writing = if dry_run { Writing::Nothing } else { Writing::Files };
    let job = strict.apply(games.apply(Job { overwrite, writing, ..Job::default() }));
    let replaced = job.replace(&archive, &entry, &file, &out);
    let replaced =
        replaced.unwrap_or_else(|error| Replaced { number: None, entry, outcome: failed(&archive, &error) });
    if json {
        print_json(&replaced, dry_run)?;
    } else if loudness > Loudness::Quiet || !replaced.outcome.ok {
        tell(&replaced, dry_run);
    }
    Ok(Verdict::unless(!replaced.outcome.ok))
}

fn print_json(replaced: &Replaced, dry_run: bool) -> Result<(), Fault> {
    let mut result = serde_json::to_value(&replaced.outcome).unwrap_or_default();
    if let Some(result) = result.as_object_mut() {
        result.insert("number".to_owned(), serde_json::to_value(replaced.number).unwrap_or_default());
        result.insert("entry".to_owned(), replaced.entry.as_str().into());
    }
    let mut document = Document::new(terminal::raw_output(), SCHEMA);
    document.result(&result)?;
    Ok(document.finish(&members([("ok", replaced.outcome.ok.into()), ("dry_run", Value::from(dry_run))]))?)
}

fn tell(Replaced { number, entry, outcome }: &Replaced, dry_run: bool) {
    terminal::message(|out| {
        match outcome.outputs.first() {
            Some(path) => {
                let would = if dry_run { "would be written to" } else { "->" };
                let bytes = counted(outcome.length.unwrap_or_default(), "byte", "bytes");
                let path = Shown(path);
                let number = number.unwrap_or_default();
                writeln!(
                    out,
                    "{TITLE}{}{TITLE:#}: [{number}] {} replaced {would} {path} ({bytes})",
                    Shown(&outcome.input),
                    Shown(entry)
                )?;
            }
            None => write_headline(out, outcome)?,
        }
        write_findings(out, outcome, Severity::Note)?;
        write_verdict(out, outcome)?;
        write_hints(out, std::slice::from_ref(outcome))
    });
}
