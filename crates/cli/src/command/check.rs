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
use crate::outcome::{has_findings, write_condensed, write_findings, write_headline, write_verdict};
use crate::run::{
    GameArguments, JobsArguments, Reporter, StrictArguments, SummaryLabels, containers, inputs, known,
    or_json, print_json, print_summary, unknown,
};
use crate::terminal::{self, Output, Verbosity};

const SCHEMA: &str = "antiquary/check/1";

/// Check files for damage and missing references
///
/// Reads each file completely and looks up everything it references: textures, models, sounds. Below each file with findings stands one line
/// for each code: how often it was found, and the first place. -v shows every finding, notes too, and files without findings.
///
/// A damaged or unrecognized file is a failure; a missing reference is a warning, or a failure with --strict. In folders, files of unknown
/// formats are only counted. All files in an archive are unpacked; with --inside, those of known formats are checked as well.
///
/// The exit code is 0 if nothing failed, and 1 otherwise. Nothing is written.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Check a file" => "check example.{extension}",
    "Check a whole game and show only failures" => "check games/{game} -q",
    "Show only missing textures of rooms, and where each is" => "check games/{game} --code RMESH-W010 -v",
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
    /// Tell only of this code, like RMESH-W010, or of those of a format, like RMESH; can be repeated. Unreadable files are told in any case
    #[arg(long = "code", value_name = "CODE", value_parser = known_code)]
    codes: Vec<String>,
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
    let Arguments { paths, inside, codes, json, games, strict, jobs } = arguments;
    let inside = if inside { ArchiveContents::Check } else { ArchiveContents::Skip };
    let job = strict.apply(games.apply(jobs.apply(Job { options, inside, codes, ..Job::default() })));
    let inputs = inputs(&paths)?;
    let shown = match verbosity {
        Verbosity::Quiet => Shown::Failures,
        Verbosity::Verbose => Shown::Everything,
        // Of a single file it is told that it was looked at.
        _ if inputs.is_one_file() => Shown::Files,
        _ => Shown::Findings,
    };
    let out = Mutex::new(terminal::output());
    let reporter = Reporter::new(verbosity, json, |outcome| match json {
        true => Ok(()),
        false => report(&mut out.lock().unwrap_or_else(PoisonError::into_inner), outcome, shown),
    });
    let run = job.check(&inputs, &reporter);
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
        print_summary(&run, &job, SummaryLabels { done: "OK", shown: least(shown) }, started);
    }
    Ok(Verdict::failed_if(run.failed() > 0))
}

/// What is shown of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Failures,
    /// Files with findings, a line for each code.
    Findings,
    /// All files, a line for each code.
    Files,
    /// All files and every finding.
    Everything,
}

/// The least severity that is shown.
fn least(shown: Shown) -> Severity {
    if shown == Shown::Everything { Severity::Note } else { Severity::Warning }
}

/// Refuses codes that no file can have.
fn known_code(text: &str) -> Result<String, String> {
    match antiquary::CATALOG.codes().into_iter().any(|code| code.is_meant(text)) {
        true => Ok(text.to_owned()),
        false => Err("no such code; the book lists all under Warnings".to_owned()),
    }
}

/// Findings are the output of this command, so they go to standard output.
fn report(out: &mut Output, outcome: &Outcome, shown: Shown) -> io::Result<()> {
    let is_shown = match shown {
        Shown::Failures => !outcome.ok,
        Shown::Findings => !outcome.ok || has_findings(outcome, Severity::Warning),
        Shown::Files | Shown::Everything => true,
    };
    if !is_shown {
        return Ok(());
    }
    write_headline(out, outcome)?;
    match shown {
        Shown::Everything => write_findings(out, outcome, Severity::Note)?,
        _ => write_condensed(out, outcome, Severity::Warning)?,
    }
    write_verdict(out, outcome)?;
    out.flush()
}
