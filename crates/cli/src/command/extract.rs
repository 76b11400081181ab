//! `antiquary extract`: extracts files from an archive.

use std::path::PathBuf;
use std::time::Instant;

use antiquary::operation::{RunResult, schema};
use antiquary::session::{ExtractedPictures, Patterns};
use antiquary::{ExtractOptions, Severity};
use clap::Args;

use crate::fault::{Fault, Verdict};
use crate::outcome::report_written;
use crate::run::{
    DryRunArguments, JobsArguments, Reporter, StrictArguments, SummaryLabels, is_dash, or_json, overwrite,
    print_json, print_summary, session,
};
use crate::terminal::Verbosity;

/// Extract files from an archive
///
/// Writes all files, or those matching a PATTERN, to DIR, keeping their paths in the archive. Names that are not valid on every file
/// system are changed, with a note; files whose path leads outside of DIR are refused. Encrypted files that cannot be opened are reported
/// and skipped. Unfinished files have a temporary name.
///
/// PATTERN works as in `antiquary list`, which shows what would be extracted.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Extract everything" => "extract data.{archive} -o extracted/",
    "Extract all bitmaps, and the textures in one folder" => "extract data.{archive} -o extracted/ '*.bmp' data/texture/effect",
    "Extract textures as PNG" => "extract data.{archive} -o textures/ --png data/texture",
    "Overwrite existing files" => "extract data.{archive} -o extracted/ --force",
    "After extracting and editing, create a patch" => "pack extracted/ -o patch.{archive}",
))]
pub(crate) struct Arguments {
    /// An archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// Files to extract [default: all]
    #[arg(value_name = "PATTERN")]
    patterns: Vec<String>,
    /// Output folder, created if necessary
    #[arg(short, long = "output", value_name = "DIR")]
    out: PathBuf,
    /// Write bitmaps as PNG, with magenta transparent as in the game
    #[arg(long)]
    png: bool,
    /// Overwrite existing files
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
    jobs: JobsArguments,
}

pub(super) fn run(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    or_json(arguments.json, schema::EXTRACT, extract(arguments, verbosity))
}

fn extract(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let started = Instant::now();
    let Arguments { archive, patterns, out, png, force, json, dry, strict, jobs } = arguments;
    if is_dash(archive) || is_dash(out) {
        return Err(Fault::usage(
            "- is not supported here: the archive must be a file and the output a folder",
        ));
    }
    let pictures = if *png { ExtractedPictures::Png } else { ExtractedPictures::AsStored };
    let options = ExtractOptions::default().pictures(pictures).patterns(Patterns::parse(patterns)?);
    let reporter = Reporter::new(verbosity, *json, |outcome| {
        if !json {
            dry.print(outcome)?;
            report_written(outcome, dry.dry_run, (verbosity, Severity::Note));
        }
        Ok(())
    });
    let session =
        dry.apply(strict.apply(jobs.apply(session()))).overwrite(overwrite(*force)).progress(&reporter);
    let run = session.extract(archive, out, &options);
    reporter.finish();
    let run = run?;
    if *json {
        return print_json(&RunResult::new(schema::EXTRACT, &run, session.writing));
    }
    if verbosity > Verbosity::Quiet {
        print_summary(
            &run,
            &session,
            SummaryLabels { done: dry.label("extracted", "to be extracted"), shown: Severity::Note },
            started,
        );
    }
    Ok(Verdict::failed_if(run.failed() > 0))
}
