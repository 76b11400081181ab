//! `antiquary find`: finds names and texts in a game.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use antiquary::operation::{FindResult, schema};
use antiquary::{Outcome, Query};
use clap::Args;

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::{counted, thousands};
use crate::outcome::{print_report, report_failure};
use crate::run::{GameArguments, JobsArguments, Reporter, inputs, or_json, print_json, session};
use crate::style::{DIMMED, TITLE};
use crate::terminal::{self, Output, Verbosity};

/// Find names and texts in a game
///
/// WHAT is either a text to search for in all names and texts, or KIND:NAME. KIND is actor, attribute, flag, function, item, label, map,
/// material, model, node, palette, room, sound, text, texture, track or world. NAME is a complete name; folders and the extension are
/// optional. Worlds and tracks of music are found by number, or by the name of their map. * matches any characters, ? matches one character.
/// Case is ignored.
///
/// Searches maps with their scripts, settings, dialogue, rooms, models, archives and the names of files. Each match is shown with its
/// offset, its kind, its path for `antiquary set`, and the name.
///
/// The exit code is 1 if nothing is found or a file cannot be read. Damaged parts of files are not searched; `antiquary check` reports
/// them.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Find a text in an entire game" => "find games/redguard 'lighthouse'",
    "Find the uses of a model" => "find games/{game} model:lantern",
    "Find an actor in all maps" => "find games/redguard/maps actor:cyrus",
    "Find the uses of a world" => "find games/redguard world:27",
    "Find the uses of a texture" => "find data.{archive} 'texture:prontera*'",
    "Print JSON" => "find games/{game} item:compass --json",
))]
pub(crate) struct Arguments {
    /// A game folder, any other folder, an archive or a file
    #[arg(value_name = "GAME")]
    game: PathBuf,
    /// A text, or KIND:NAME
    #[arg(value_name = "WHAT")]
    what: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    jobs: JobsArguments,
}

pub(super) fn run(arguments: Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let json = arguments.json;
    or_json(json, schema::FIND, find(arguments, verbosity))
}

fn find(arguments: Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let query = Query::parse(&arguments.what)?;
    let out = Mutex::new(terminal::output());
    let reporter = Reporter::new(verbosity, arguments.json, |outcome| match arguments.json {
        true => Ok(()),
        false => report(&mut out.lock().unwrap_or_else(PoisonError::into_inner), outcome),
    });
    let session = arguments.games.apply(arguments.jobs.apply(session())).progress(&reporter);
    let run = session.find(&inputs(&[arguments.game])?, &query);
    reporter.finish();
    let run = run?;
    let result = FindResult::new(&run);
    if arguments.json {
        return print_json(&result);
    }
    out.lock().unwrap_or_else(PoisonError::into_inner).flush()?;
    if verbosity > Verbosity::Quiet {
        terminal::message(|out| {
            let searched = counted(result.files, "file", "files");
            match result.summary.places {
                0 => writeln!(out, "not found in {searched}"),
                places => {
                    let places = counted(places, "place", "places");
                    let files = counted(result.summary.files, "file", "files");
                    writeln!(out, "{places} in {files}; {searched} searched")
                }
            }
        });
    }
    Ok(Verdict::failed_if(!result.is_ok))
}

fn report(out: &mut Output, outcome: &Outcome) -> io::Result<()> {
    if report_failure(out, outcome)? {
        return Ok(());
    }
    print_report(&outcome.warnings);
    let Some(found) = &outcome.names else { return Ok(()) };
    writeln!(out, "{TITLE}{}{TITLE:#}", Escaped(&outcome.input))?;
    for name in &found.names {
        let offset = name.offset.map_or_else(|| " ".repeat(10), |offset| format!("{offset:#010x}"));
        let path = if name.path.is_empty() { "the file itself" } else { &name.path };
        writeln!(
            out,
            "  {DIMMED}{offset}{DIMMED:#}  {:9}  {}  {}",
            name.kind.name(),
            Escaped(path),
            Escaped(&name.text)
        )?;
    }
    if found.more > 0 {
        writeln!(out, "  {DIMMED}... {} more{DIMMED:#}", thousands(found.more))?;
    }
    out.flush()
}
