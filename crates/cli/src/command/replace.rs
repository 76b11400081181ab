//! `antiquary replace`: replaces one file in an archive.

use std::path::PathBuf;

use antiquary::operation::{ReplaceResult, schema};
use antiquary::session::Replaced;
use antiquary::{ArchiveOptions, Outcome};
use clap::Args;

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::counted;
use crate::outcome::{write_details, write_headline};
use crate::run::{EditArguments, GameArguments, is_dash, or_json, overwrite, print_json, session, writing};
use crate::style::TITLE;
use crate::terminal::{self, Verbosity};

/// Replace one file in an archive
///
/// Writes a copy of the archive in which one entry has the content of FILE. All other entries keep their bytes. FILE has the format that
/// `antiquary extract` produces; texture banks also accept images, and archives of sounds also accept sounds. The result is verified by
/// reading it back before anything is overwritten. The colors of an image are matched to the palette given with --palette, or to that of
/// the game given with --game or of the game that contains the archive.
///
/// ENTRY is the name or the number of an entry, as shown by `antiquary list`. In names, case and the kind of slash are ignored, and the
/// extension is optional.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Replace a texture in an archive" => "replace data.{archive} data/texture/wall.bmp my-wall.bmp -o patched.{archive}",
    "Select the entry by its number" => "replace data.{archive} 12 my-wall.bmp -o patched.{archive}",
    "Check without writing anything" => "replace data.{archive} 12 my-wall.bmp -o patched.{archive} --dry-run",
    "List the entries" => "list data.{archive}",
))]
pub(crate) struct Arguments {
    /// An archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// Name or number of the entry to replace
    #[arg(value_name = "ENTRY")]
    entry: String,
    /// File with the new content
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Output file, or a folder to keep the name of the archive
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,
    /// Overwrite OUT if it exists
    #[arg(short, long)]
    force: bool,
    /// Show what would be written without writing it
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    strict: EditArguments,
}

pub(super) fn run(
    arguments: Arguments,
    options: &[(String, String)],
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    or_json(arguments.json, schema::REPLACE, replace(arguments, options, verbosity))
}

fn replace(
    arguments: Arguments,
    options: &[(String, String)],
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    let Arguments { archive, entry, file, out, force, dry_run, json, games, strict } = arguments;
    if [&archive, &file, &out].iter().any(|path| is_dash(path)) {
        return Err(Fault::usage(
            "- is not supported here: the archive, the new content and the output must be files",
        ));
    }
    let session = strict.apply(games.apply(session())).overwrite(overwrite(force)).writing(writing(dry_run));
    let options = ArchiveOptions::default().options(options);
    let replaced = session.replace(&archive, &entry, &file, &out, &options);
    let replaced =
        replaced.unwrap_or_else(|error| Replaced::failed(entry, Outcome::failed(&archive, &error)));
    if json {
        print_json(&ReplaceResult::new(&replaced, session.writing))?;
    } else if verbosity > Verbosity::Quiet || !replaced.outcome.ok {
        report(&replaced, dry_run);
    }
    Ok(Verdict::failed_if(!replaced.outcome.ok))
}

fn report(Replaced { number, entry, outcome, .. }: &Replaced, dry_run: bool) {
    terminal::message(|out| {
        match outcome.outputs.first() {
            Some(path) => {
                let would = if dry_run { "would be written to" } else { "->" };
                let bytes = counted(outcome.length.unwrap_or_default(), "byte", "bytes");
                let path = Escaped(path);
                let number = number.unwrap_or_default();
                writeln!(
                    out,
                    "{TITLE}{}{TITLE:#}: [{number}] {} replaced {would} {path} ({bytes})",
                    Escaped(&outcome.input),
                    Escaped(entry)
                )?;
            }
            None => write_headline(out, outcome)?,
        }
        write_details(out, outcome)
    });
}
