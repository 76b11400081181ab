//! `antiquary check`: checks files for damage and missing references.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use antiquary::diff::MAX_CHANGES;
use antiquary::operation::{CheckResult, FixSummary, schema};
use antiquary::session::{ArchiveContents, Edited, Fixes};
use antiquary::{CheckOptions, Inputs, Outcome, Session, Severity};
use clap::Args;

use super::set;
use crate::fault::{Fault, Verdict};
use crate::number::counted;
use crate::outcome::{has_findings, write_condensed, write_findings, write_headline, write_verdict};
use crate::run::{
    GameArguments, JobsArguments, Reporter, StrictArguments, SummaryLabels, inputs, or_json, overwrite,
    print_json, print_summary, session, writing,
};
use crate::terminal::{self, Output, Verbosity};

/// Check files for damage and missing references
///
/// Reads each file completely and looks up everything it references, such as textures, models and sounds. Below each file with findings,
/// prints one line per code with the number of occurrences and the first one. With -v, prints every finding, including notes, and also
/// lists files without findings.
///
/// A damaged or unrecognized file is a failure; a missing reference is a warning, or a failure with --strict. In folders, files of unknown
/// formats are only counted. All files in an archive are unpacked; with --inside, those of known formats are checked as well.
///
/// With --fix, writes fixed copies of the files that can be fixed to OUT: references get the spelling and extension of the file on disk,
/// missing end tags are added, and flags get their usual form. Only lossless fixes are made; use --code to select fixes and --dry-run to
/// preview them.
///
/// The exit code is 0 if nothing failed, and 1 otherwise. Without --fix, nothing is written.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Check a file" => "check example.{extension}",
    "Check an entire game and show only failures" => "check games/{game} -q",
    "Show only missing textures, with the location of each" => "check games/{game} --code FILE-W001 -v",
    "Check a mod that uses the game's textures" => "check my-mod/ --game games/{game}",
    "Write fixed copies of a game's files" => "check games/{game} --fix -o fixed/ -q",
    "Print JSON" => "check games/{game} --json",
))]
pub(crate) struct Arguments {
    /// Files and folders; - is standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Also check the files inside archives
    #[arg(long)]
    inside: bool,
    /// Show only this code, such as FILE-W001, or the codes with this prefix, such as RMESH; can be repeated. Unreadable files are always
    /// reported
    #[arg(long = "code", value_name = "CODE", value_parser = known_code)]
    codes: Vec<String>,
    /// Write fixed copies of files to OUT
    #[arg(long, requires = "out", conflicts_with = "inside")]
    fix: bool,
    /// With --fix: output folder, or output file for a single input file
    #[arg(short, long = "output", value_name = "OUT", requires = "fix")]
    out: Option<PathBuf>,
    /// With --fix: overwrite existing files
    #[arg(short, long, requires = "fix")]
    force: bool,
    /// With --fix: show what would change without writing it
    #[arg(long, requires = "fix")]
    dry_run: bool,
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
    options: &[(String, String)],
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    or_json(arguments.json, schema::CHECK, check(arguments, options, verbosity))
}

fn check(arguments: Arguments, options: &[(String, String)], verbosity: Verbosity) -> Result<Verdict, Fault> {
    let started = Instant::now();
    let Arguments { paths, inside, codes, fix: _, out: to, force, dry_run, json, games, strict, jobs } =
        arguments;
    let inside = if inside { ArchiveContents::Check } else { ArchiveContents::Skip };
    let has_codes = !codes.is_empty();
    let mut options = CheckOptions::default().options(options).inside(inside);
    options.codes = codes;
    let inputs = inputs(&paths)?;
    let shown = match verbosity {
        Verbosity::Quiet => Shown::Failures,
        Verbosity::Verbose if has_codes => Shown::EveryFinding,
        Verbosity::Verbose => Shown::Everything,
        // A single file is always shown, even without findings.
        _ if inputs.is_one_file() => Shown::Files,
        _ => Shown::Findings,
    };
    let out = Mutex::new(terminal::output());
    let reporter = Reporter::new(verbosity, json, |outcome| match json {
        true => Ok(()),
        false => report(&mut out.lock().unwrap_or_else(PoisonError::into_inner), outcome, shown),
    });
    let session = strict.apply(games.apply(jobs.apply(session())));
    let session = session.overwrite(overwrite(force)).writing(writing(dry_run)).progress(&reporter);
    let checked = match &to {
        Some(_) => session.check_for_fixes(&inputs, &options),
        None => session.check(&inputs, &options).map(|run| (run, Fixes::default())),
    };
    reporter.finish();
    let (run, fixes) = checked?;
    let mut fixed = Fixed { all: Vec::new(), failed: 0 };
    if let Some(to) = &to {
        fixed = write_fixes(&session, (&inputs, &fixes), to, (json, dry_run), verbosity)?;
    }
    if json {
        let result = CheckResult::new(&run);
        return print_json(&match to {
            Some(_) => result.with_fixes(FixSummary::new(fixed.all, session.writing)),
            None => result,
        });
    }
    if verbosity > Verbosity::Quiet {
        print_summary(&run, &session, SummaryLabels { done: "OK", shown: min_severity(shown) }, started);
    }
    if to.is_some() && verbosity > Verbosity::Quiet {
        let count = fixes.files().saturating_sub(fixed.failed);
        let files = counted(count, "file", "files");
        let done = if dry_run { "would be fixed (dry run)" } else { "fixed" };
        terminal::message(|out| writeln!(out, "{files} {done}, {} failed", fixed.failed));
    }
    Ok(Verdict::failed_if(run.failed() > 0 || fixed.failed > 0))
}

/// Results of fixing files.
struct Fixed {
    /// Results for the JSON object.
    all: Vec<Edited>,
    failed: usize,
}

/// Writes the fixed files and reports each.
fn write_fixes(
    session: &Session<'_>,
    (inputs, fixes): (&Inputs, &Fixes),
    to: &Path,
    (json, dry_run): (bool, bool),
    verbosity: Verbosity,
) -> Result<Fixed, Fault> {
    if !inputs.is_one_file() && to.is_file() {
        return Err(Fault::usage("several files need an output folder: write -o DIR/"));
    }
    let mut fixed = Fixed { all: Vec::new(), failed: 0 };
    session.write_fixes(inputs, fixes, (to, MAX_CHANGES), &mut |edited| {
        fixed.failed += usize::from(!edited.outcome.ok);
        if json {
            fixed.all.push(edited.without_bytes());
            return Ok(());
        }
        set::report_one_of_several(edited, dry_run, verbosity)
    })?;
    Ok(fixed)
}

/// Selects which files and findings are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Failures,
    /// Files with findings, one line per code.
    Findings,
    /// All files, one line per code.
    Files,
    /// Files with findings, and every finding.
    EveryFinding,
    /// All files and every finding.
    Everything,
}

/// The minimum severity that is shown.
fn min_severity(shown: Shown) -> Severity {
    if matches!(shown, Shown::Everything | Shown::EveryFinding) { Severity::Note } else { Severity::Warning }
}

/// Refuses codes that do not exist.
fn known_code(text: &str) -> Result<String, String> {
    match antiquary::CATALOG.has_code(text) {
        true => Ok(text.to_owned()),
        false => Err("unknown code; the chapter Warnings of the book lists all codes".to_owned()),
    }
}

/// Writes the findings to standard output: they are the data of this command.
fn report(out: &mut Output, outcome: &Outcome, shown: Shown) -> io::Result<()> {
    let is_shown = match shown {
        Shown::Failures => !outcome.ok,
        Shown::Findings => !outcome.ok || has_findings(outcome, Severity::Warning),
        Shown::EveryFinding => !outcome.ok || has_findings(outcome, Severity::Note),
        Shown::Files | Shown::Everything => true,
    };
    if !is_shown {
        return Ok(());
    }
    write_headline(out, outcome)?;
    match shown {
        Shown::Everything | Shown::EveryFinding => write_findings(out, outcome, Severity::Note)?,
        _ => write_condensed(out, outcome, Severity::Warning)?,
    }
    write_verdict(out, outcome)?;
    out.flush()
}
