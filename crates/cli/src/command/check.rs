//! `antiquary check`: checks files for damage and missing references.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use antiquary::job::ArchiveContents;
use antiquary::{Job, Outcome, Severity};
use clap::Args;

use crate::document::members;
use crate::fault::{Fault, Verdict};
use crate::outcome::{write_findings, write_headline, write_verdict};
use crate::run::{
    GameArguments, JobsArguments, Reporter, StrictArguments, SummaryLabels, containers, inputs, known,
    or_json, print_json, print_summary, unknown,
};
use crate::terminal::{self, Output, Verbosity};

const SCHEMA: &str = "antiquary/check/1";

/// Check files for damage and missing references
///
/// Reads each file completely and looks up everything it references: textures, models, sounds. Findings are listed below each file. A
/// damaged or unrecognized file is a failure; a missing reference is a warning, or a failure with --strict. In folders, files of unknown
/// formats are only counted. All files in an archive are unpacked; with --inside, those of known formats are checked as well.
///
/// The exit code is 0 if nothing failed, and 1 otherwise. Nothing is written.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Check a file" => "check example.{extension}",
    "Check a whole game and show only failures" => "check games/{game} -q",
    "Treat warnings as failures, for a build" => "check my-mod/ --strict",
    "Check a mod that uses the game's textures" => "check my-mod/ --game games/{game}",
    "Check an archive and the files in it" => "check data.{archive} --inside",
    "Print JSON for a script" => "check games/{game} --json",
))]
pub(crate) struct Arguments {
    /// Files and folders; - is standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Also check the files inside archives
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
    jobs: JobsArguments,
}

pub(super) fn run(
    arguments: Arguments,
    options: Vec<(String, String)>,
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, check(arguments, options, verbosity))
}

fn check(
    arguments: Arguments,
    options: Vec<(String, String)>,
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    let started = Instant::now();
    let Arguments { paths, inside, json, games, strict, jobs } = arguments;
    let inside = if inside { ArchiveContents::Check } else { ArchiveContents::Skip };
    let job = strict.apply(games.apply(jobs.apply(Job { options, inside, ..Job::default() })));
    let out = Mutex::new(terminal::output());
    let reporter = Reporter::new(verbosity, json, |outcome| match json {
        true => Ok(()),
        false => report(&mut out.lock().unwrap_or_else(PoisonError::into_inner), outcome, verbosity),
    });
    let run = job.check(&inputs(&paths)?, &reporter);
    reporter.finish();
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
    if verbosity > Verbosity::Quiet {
        print_summary(&run, &job, SummaryLabels { done: "OK", shown: Severity::Note }, started);
    }
    Ok(Verdict::failed_if(run.failed() > 0))
}

/// Findings are the output of this command, so they go to standard output.
fn report(out: &mut Output, outcome: &Outcome, verbosity: Verbosity) -> io::Result<()> {
    if verbosity == Verbosity::Quiet && outcome.ok {
        return Ok(());
    }
    write_headline(out, outcome)?;
    write_findings(out, outcome, Severity::Note)?;
    write_verdict(out, outcome)?;
    out.flush()
}
