//! `antiquary convert`: files of old games as files of today.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use antiquary::asset::MemorySink;
use antiquary::{Destination, Error, Inputs, Job, Outcome, Overview, Overwrite, Run, Severity};
use clap::Args;
use serde_json::Value;

use crate::command::overview::{write_gallery, write_overview};
use crate::document::members;
use crate::fault::{Fault, Verdict};
use crate::outcome::{has_findings, write_conversion, write_findings, write_headline, write_verdict};
use crate::run::{
    CrewArguments, DryRunArguments, GameArguments, StrictArguments, Teller, Words, containers, inputs,
    is_dash, known, or_json, print_json, summarise, unknown,
};
use crate::terminal::{self, Loudness};

const SCHEMA: &str = "antiquary/convert/1";

/// Convert files, or a whole game, to formats of today
///
/// Textures and whatever else a file names are found in the game around it; --game names another. Whatever is lost on the way is told as a
/// warning. A whole folder becomes a folder of the same shape, with everything in it that can be converted; so does an archive, of which
/// only those files are read. Beside what was converted stands a page, index.html, that shows all of it; --no-gallery leaves it out.
///
/// OUT is a folder if it is one, if it ends in a slash or if there is more than one input; otherwise it is a file, whose extension chooses
/// what is written. Inputs are never overwritten, other files only with --force. Nothing appears under its own name before it is complete.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "One file" => "convert example.{extension} -o example.{output}",
    "A whole game" => "convert games/{game} -o converted/",
    "Everything in an archive that can be converted" => "convert data.{archive} -o converted/",
    "Every field as JSON instead" => "convert games/{game} -o converted/ --to json",
    "A modded file whose textures are those of the game" => "convert my.{extension} -o my.{output} --game games/{game}",
    "Through a pipe" => "convert - -o - --to json < example.{extension} | less",
))]
pub(crate) struct Arguments {
    /// Files and folders; - is standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// A file or a folder; - is standard output
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,
    /// What to write, whatever the extension of OUT; without it, a folder gets what each format becomes first
    #[arg(long, value_name = "EXTENSION", ignore_case = true)]
    to: Option<String>,
    /// Replace files that are there already
    #[arg(short, long)]
    force: bool,
    /// Write no index.html that shows what a whole folder or archive became
    #[arg(long)]
    no_gallery: bool,
    /// Multiply all lengths; without it, units are metres as far as known
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, hide_default_value = true, value_parser = factor)]
    scale: f64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    dry: DryRunArguments,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    strict: StrictArguments,
    #[command(flatten)]
    crew: CrewArguments,
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor > 0.0 && factor.is_finite() => Ok(factor),
        _ => Err("a factor is a number above 0".to_owned()),
    }
}

pub(super) fn run(
    arguments: Arguments,
    options: Vec<(String, String)>,
    loudness: Loudness,
) -> Result<Verdict, Fault> {
    let Arguments { paths, out, to, force, no_gallery, scale, json, dry, games, strict, crew } = arguments;
    let overview = if no_gallery { Overview::None } else { Overview::Gallery };
    let overwrite = if force { Overwrite::Allow } else { Overwrite::Refuse };
    let job = Job { options, overwrite, scale, to, overview, ..Job::default() };
    let job = dry.apply(strict.apply(games.apply(crew.apply(job))));
    if is_dash(&out) && dry.dry_run {
        return Err(Fault::usage("--dry-run tells which files would be written, but -o - writes none"));
    }
    if is_dash(&out) {
        return stream(&job, &paths, json, loudness);
    }
    or_json(json, SCHEMA, convert(&job, &paths, &out, (json, dry), loudness))
}

fn convert(
    job: &Job,
    paths: &[PathBuf],
    out: &std::path::Path,
    (json, dry): (bool, DryRunArguments),
    loudness: Loudness,
) -> Result<Verdict, Fault> {
    let started = Instant::now();
    let inputs = inputs(paths)?;
    let destination = Destination::new(out, &inputs)?;
    let teller = Teller::new(loudness, json, |outcome| {
        if !json {
            dry.print(outcome)?;
            tell(outcome, dry, loudness);
        }
        Ok(())
    });
    let run = job.convert(&inputs, &destination, &teller);
    teller.finish();
    let run = run?;
    if json {
        let mut rest = members([
            ("formats", serde_json::to_value(run.by_format(job.catalogue)).unwrap_or_default()),
            ("unknown", unknown(&run)),
            ("known", known(&run.known)),
            ("left_out", left_out(&run)),
            ("containers", containers(&run)),
            ("gallery", serde_json::to_value(&run.gallery).unwrap_or_default()),
        ]);
        rest.extend(dry.member());
        return print_json(SCHEMA, &run, rest);
    }
    let is_whole =
        matches!(destination, Destination::Folder(_)) && (inputs.has_folders() || run.gallery.is_some());
    if loudness > Loudness::Quiet && is_whole {
        write_overview(&run, job.catalogue);
    }
    write_gallery(&run, dry, loudness);
    if loudness > Loudness::Quiet {
        summarise(
            &run,
            job,
            Words { done: dry.words("converted", "to be converted"), shown: least(loudness) },
            started,
        );
        if run.outcomes.is_empty() {
            terminal::message(|out| writeln!(out, "{}", nothing_to_do(&inputs)));
        }
    }
    Ok(Verdict::unless(!run.is_well()))
}

fn nothing_to_do(inputs: &Inputs) -> &'static str {
    match inputs.is_empty() {
        true => "there are no files in the folder",
        false => "none of the files can be converted; `antiquary scan DIR` shows what they are",
    }
}

/// The least severity that is shown: notes are for those who ask.
fn least(loudness: Loudness) -> Severity {
    if loudness == Loudness::Verbose { Severity::Note } else { Severity::Warning }
}

/// Tells of a file what the user should know: that it failed, or what was lost.
fn tell(outcome: &Outcome, dry: DryRunArguments, loudness: Loudness) {
    let least = least(loudness);
    let amiss = !outcome.ok || has_findings(outcome, least);
    if (loudness == Loudness::Verbose && !dry.dry_run) || !outcome.ok || (amiss && loudness > Loudness::Quiet)
    {
        terminal::message(|out| {
            match dry.dry_run {
                true => write_headline(out, outcome)?,
                false => write_conversion(out, outcome)?,
            }
            if loudness > Loudness::Quiet || outcome.error.is_none() {
                write_findings(out, outcome, least)?;
            }
            write_verdict(out, outcome)
        });
    }
}

fn left_out(run: &Run) -> Value {
    run.left_out.iter().map(|(format, count)| ((*format).to_owned(), Value::from(*count))).collect()
}

/// Converts one file to standard output.
fn stream(job: &Job, paths: &[PathBuf], json: bool, loudness: Loudness) -> Result<Verdict, Fault> {
    if json {
        return Err(Fault::usage(
            "--json and -o - both write to standard output: choose a file for one of them",
        ));
    }
    let inputs = inputs(paths)?;
    if !inputs.is_one_file() {
        return Err(Fault::usage("only one file can be converted to standard output; several need a folder"));
    }
    let (outcome, sink) = job.convert_to_memory(&inputs, job.to.as_deref())?;
    if outcome.ok {
        write_only_file(&sink)?;
    }
    if !outcome.ok || loudness > Loudness::Quiet {
        terminal::message(|out| {
            if has_findings(&outcome, least(loudness)) {
                write_headline(out, &outcome)?;
            }
            write_findings(out, &outcome, least(loudness))?;
            write_verdict(out, &outcome)
        });
    }
    Ok(Verdict::unless(!outcome.ok))
}

fn write_only_file(sink: &MemorySink) -> Result<(), Fault> {
    let [(name, bytes)] = sink.files() else {
        let names: Vec<_> = sink.files().iter().map(|(name, _)| name.as_str()).collect();
        let message = format!(
            "this becomes {} files ({}), but only one fits into standard output: choose a folder, or something else with --to",
            names.len(),
            names.join(", ")
        );
        return Err(Error::usage(message).into());
    };
    if terminal::output_is_seen() && std::str::from_utf8(bytes).is_err() {
        let message =
            format!("{name} is not text, and a terminal shows text only: send it to a file with > FILE");
        return Err(Fault::usage(message));
    }
    let mut out = terminal::raw_output();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}
