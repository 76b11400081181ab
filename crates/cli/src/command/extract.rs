//! `antiquary extract`: files out of an archive.

use std::path::PathBuf;
use std::time::Instant;

use antiquary::job::Patterns;
use antiquary::{Job, Outcome, Overwrite, Severity};
use clap::Args;

use crate::fault::{Fault, Verdict};
use crate::outcome::{has_findings, write_conversion, write_findings, write_headline, write_verdict};
use crate::run::{
    CrewArguments, DryRunArguments, StrictArguments, Teller, Words, is_dash, or_json, print_json, summarise,
};
use crate::terminal::{self, Loudness};

const SCHEMA: &str = "antiquary/extract/1";

/// Extract files from an archive
///
/// Writes every file, or those that a PATTERN chooses, into DIR, under the path that it has in the archive. Names that some file system does
/// not take are changed, and the change is told; files whose names lead out of DIR are refused. Files that nobody can open are told and left
/// out. Nothing appears under its own name before it is complete.
///
/// PATTERN chooses files as with `antiquary list`, which shows what would be chosen.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Everything" => "extract data.{archive} -o extracted/",
    "All pictures, and the textures of one folder" => "extract data.{archive} -o extracted/ '*.bmp' data/texture/effect",
    "Once more, over what is there" => "extract data.{archive} -o extracted/ --force",
    "Extract, edit, and make a patch of it" => "pack extracted/ -o patch.{archive}",
))]
pub(crate) struct Arguments {
    /// An archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// Which files; all of them without it
    #[arg(value_name = "PATTERN")]
    patterns: Vec<String>,
    /// The folder, which is made if it is not there
    #[arg(short, long = "output", value_name = "DIR")]
    out: PathBuf,
    /// Replace files that are there already
    #[arg(short, long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    dry: DryRunArguments,
    #[command(flatten)]
    strict: StrictArguments,
    #[command(flatten)]
    crew: CrewArguments,
}

pub(super) fn run(arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, extract(arguments, loudness))
}

fn extract(arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    let started = Instant::now();
    let Arguments { archive, patterns, out, force, json, dry, strict, crew } = arguments;
    if is_dash(archive) || is_dash(out) {
        return Err(Fault::usage(
            "an archive is a file on disk and its files go into a folder: - stands for neither",
        ));
    }
    let overwrite = if *force { Overwrite::Allow } else { Overwrite::Refuse };
    let job = dry.apply(strict.apply(crew.apply(Job { overwrite, ..Job::default() })));
    let patterns = Patterns::parse(patterns)?;
    let teller = Teller::new(loudness, *json, |outcome| {
        if !json {
            dry.print(outcome)?;
            tell(outcome, *dry, loudness);
        }
        Ok(())
    });
    let run = job.extract(archive, &patterns, out, &teller);
    teller.finish();
    let run = run?;
    if *json {
        return print_json(SCHEMA, &run, dry.member());
    }
    if loudness > Loudness::Quiet {
        summarise(
            &run,
            &job,
            Words { done: dry.words("extracted", "to be extracted"), shown: Severity::Note },
            started,
        );
    }
    Ok(Verdict::unless(run.failed() > 0))
}

/// Tells of a file that was not extracted, or not under its own name.
fn tell(outcome: &Outcome, dry: DryRunArguments, loudness: Loudness) {
    let amiss = !outcome.ok || has_findings(outcome, Severity::Note);
    if (loudness == Loudness::Verbose && !dry.dry_run) || !outcome.ok || (amiss && loudness > Loudness::Quiet)
    {
        terminal::message(|out| {
            match dry.dry_run {
                true => write_headline(out, outcome)?,
                false => write_conversion(out, outcome)?,
            }
            write_findings(out, outcome, Severity::Note)?;
            write_verdict(out, outcome)
        });
    }
}
