//! `antiquary check`: whether files are sound.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use antiquary::job::Inside;
use antiquary::{Job, Outcome, Severity};
use clap::Args;

use crate::document::members;
use crate::fault::{Fault, Verdict};
use crate::outcome::{write_findings, write_headline, write_verdict};
use crate::run::{
    CrewArguments, GameArguments, StrictArguments, Teller, Words, containers, inputs, known, or_json,
    print_json, summarise, unknown,
};
use crate::terminal::{self, Loudness, Output};

const SCHEMA: &str = "antiquary/check/1";

/// Find out whether files are sound and what they name is there
///
/// Reads every file to its end and looks up what it names: textures, models, sounds. What is found stands below the file. A file that is
/// damaged or not recognised is a failure; a name that cannot be found is a warning, and a failure with --strict. Files of unknown formats
/// in a folder are counted. Of an archive every file is unpacked; with --inside those of known formats are also checked as what they are.
///
/// The exit code is 0 when nothing failed, 1 when something did. Nothing is ever written.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Is this file sound?" => "check example.{extension}",
    "Is the whole game? Only what fails is shown" => "check games/{game} -q",
    "Warnings count as failures, for a build that must not break" => "check my-mod/ --strict",
    "A modded file whose textures are those of the game" => "check my-mod/ --game games/{game}",
    "An archive, and the files in it" => "check data.{archive} --inside",
    "For a script" => "check games/{game} --json",
))]
pub(crate) struct Arguments {
    /// Files and folders; - is standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Check the files in archives as well, each as what it is
    #[arg(long)]
    inside: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    strict: StrictArguments,
    #[command(flatten)]
    crew: CrewArguments,
}

pub(super) fn run(
    arguments: Arguments,
    options: Vec<(String, String)>,
    loudness: Loudness,
) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, check(arguments, options, loudness))
}

fn check(arguments: Arguments, options: Vec<(String, String)>, loudness: Loudness) -> Result<Verdict, Fault> {
    let started = Instant::now();
    let Arguments { paths, inside, json, games, strict, crew } = arguments;
    let inside = if inside { Inside::Opened } else { Inside::Closed };
    let job = strict.apply(games.apply(crew.apply(Job { options, inside, ..Job::default() })));
    let out = Mutex::new(terminal::output());
    let teller = Teller::new(loudness, json, |outcome| match json {
        true => Ok(()),
        false => tell(&mut out.lock().unwrap_or_else(PoisonError::into_inner), outcome, loudness),
    });
    let run = job.check(&inputs(&paths)?, &teller);
    teller.finish();
    let run = run?;
    if json {
        return print_json(
            SCHEMA,
            &run,
            members([
                ("unknown", unknown(&run)),
                ("known", known(&run.known)),
                ("containers", containers(&run)),
            ]),
        );
    }
    if loudness > Loudness::Quiet {
        summarise(&run, &job, Words { done: "sound", shown: Severity::Note }, started);
    }
    Ok(Verdict::unless(run.failed() > 0))
}

/// What was found is what was asked for, so it goes to standard output.
fn tell(out: &mut Output, outcome: &Outcome, loudness: Loudness) -> io::Result<()> {
    if loudness == Loudness::Quiet && outcome.ok {
        return Ok(());
    }
    write_headline(out, outcome)?;
    write_findings(out, outcome, Severity::Note)?;
    write_verdict(out, outcome)?;
    out.flush()
}
