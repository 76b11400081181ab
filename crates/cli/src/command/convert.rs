//! `antiquary convert`: converts files to modern formats.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use antiquary::asset::MemorySink;
use antiquary::operation::{ConvertResult, schema};
use antiquary::{ConvertOptions, Error, Extent, Inputs, Overview, Session, Severity, Vertices};
use clap::Args;

use crate::command::overview::{write_gallery, write_overview, write_shared};
use crate::fault::{Fault, Verdict};
use crate::outcome::{has_findings, report_written, write_findings, write_headline, write_verdict};
use crate::run::{
    CompressionLevel, DryRunArguments, GameArguments, JobsArguments, Reporter, StrictArguments,
    SummaryLabels, inputs, is_dash, or_json, overwrite, print_json, print_summary, session,
};
use crate::terminal::{self, Verbosity};

/// Convert files, or an entire game, to modern formats
///
/// Textures and other referenced files are looked up in the game that contains the input, or in the game given with --game. Lost data is
/// reported as a warning. A folder or an archive is converted to a folder with the same structure; files that cannot be converted are
/// skipped. The output folder also gets a gallery page, index.html, unless --no-gallery is given. A .glb file is always self-contained; to
/// write images and large models only once, into the folder `shared`, use --to gltf.
///
/// OUT is a folder if it exists as one, if it ends with a slash, or if there may be several inputs; otherwise it is a file, and its
/// extension selects the output format. Inputs are never overwritten, and other files only with --force. Unfinished files have a temporary
/// name.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Convert one file" => "convert example.{extension} -o example.{output}",
    "Convert an entire game" => "convert games/{game} -o converted/",
    "Convert all supported files in an archive" => "convert data.{archive} -o converted/",
    "Preserve all content of a game" => "convert games/{game} -o preserved/ --everything",
    "Convert a mod that uses the game's textures" => "convert my.{extension} -o my.{output} --game games/{game}",
    "Use a pipe" => "convert - -o - --to json < example.{extension} | less",
))]
pub(crate) struct Arguments {
    /// Files and folders; - is standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Output file or folder; - is standard output
    #[arg(short, long = "output", value_name = "OUT")]
    out: PathBuf,
    /// Output format, overriding the extension of OUT; in a folder, the default is the first output of each format, and further ones of
    /// some formats, as listed by `antiquary formats ID`
    #[arg(long, value_name = "EXTENSION", ignore_case = true)]
    to: Option<String>,
    /// Write everything: the default output, JSON, tables, scripts as text, and the speaker and location of each line of dialogue
    /// (lines.csv)
    #[arg(long, conflicts_with_all = ["to", "dry_run"])]
    everything: bool,
    /// Overwrite existing files
    #[arg(short, long)]
    force: bool,
    /// Do not write the gallery page index.html
    #[arg(long)]
    no_gallery: bool,
    /// Removed; the error names the replacement
    #[arg(long, hide = true)]
    share: bool,
    /// Removed; the error names the replacement
    #[arg(long, hide = true)]
    self_contained: bool,
    /// Store vertices as integers where the game does. The files are smaller; Blender, three.js, Unity and Unreal can open them, but Godot
    /// cannot
    #[arg(long)]
    quantize: bool,
    /// Compression level of PNG files. Images in scenes always have the usual one, so that `pack` recognizes unedited images
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t)]
    compress: CompressionLevel,
    /// Multiply all lengths by this factor; without it, the unit is meters where it is known
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
    jobs: JobsArguments,
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor > 0.0 && factor.is_finite() => Ok(factor),
        _ => Err("expected a number greater than 0".to_owned()),
    }
}

pub(super) fn run(
    arguments: Arguments,
    options: &[(String, String)],
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    let Arguments {
        paths,
        out,
        to,
        everything,
        force,
        no_gallery,
        share,
        self_contained,
        quantize,
        compress,
        scale,
        json,
        dry,
        games,
        strict,
        jobs,
    } = arguments;
    if share {
        let message = "--share was removed: to write images and large models once, to the folder shared, convert to a folder with --to gltf";
        return Err(Fault::usage(message));
    }
    if self_contained {
        return Err(Fault::usage("--self-contained was removed: a .glb file is always self-contained"));
    }
    let overview = if no_gallery { Overview::None } else { Overview::Gallery };
    let vertices = if quantize { Vertices::Integers } else { Vertices::Floats };
    let mut options = ConvertOptions::default()
        .options(options)
        .extent(if everything { Extent::Everything } else { Extent::Usual })
        .scale(scale)
        .overview(overview)
        .vertices(vertices)
        .compression(compress.compression());
    options.to = to;
    let session = dry.apply(strict.apply(games.apply(jobs.apply(session())))).overwrite(overwrite(force));
    if is_dash(&out) && dry.dry_run {
        return Err(Fault::usage("--dry-run cannot be combined with -o -, which writes no files"));
    }
    if everything && (is_dash(&out) || paths.iter().any(|path| is_dash(path))) {
        return Err(Fault::usage(
            "--everything writes several files: standard input and output (-) are not supported; use files or folders, and an output folder",
        ));
    }
    if is_dash(&out) {
        return stream(&session, &paths, &options, json, verbosity);
    }
    or_json(json, schema::CONVERT, convert(session, (&paths, &out), &options, (json, dry), verbosity))
}

fn convert(
    session: Session<'_>,
    (paths, out): (&[PathBuf], &Path),
    options: &ConvertOptions,
    (json, dry): (bool, DryRunArguments),
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    let started = Instant::now();
    let inputs = inputs(paths)?;
    let reporter = Reporter::new(verbosity, json, |outcome| {
        if !json {
            dry.print(outcome)?;
            report_written(outcome, dry.dry_run, (verbosity, min_severity(verbosity)));
        }
        Ok(())
    });
    let session = session.progress(&reporter);
    let run = session.convert_to(&inputs, out, options);
    reporter.finish();
    let run = run?;
    if json {
        return print_json(&ConvertResult::new(&run, session.catalog, session.writing));
    }
    if verbosity > Verbosity::Quiet && (inputs.has_folders() || run.gallery.is_some()) {
        write_overview(&run, session.catalog);
    }
    if verbosity > Verbosity::Quiet {
        write_shared(&run);
    }
    write_gallery(&run, dry, verbosity);
    if verbosity > Verbosity::Quiet {
        print_summary(
            &run,
            &session,
            SummaryLabels { done: dry.label("converted", "to be converted"), shown: min_severity(verbosity) },
            started,
        );
        if run.outcomes.is_empty() {
            terminal::message(|out| writeln!(out, "{}", nothing_to_do(&inputs)));
        }
    }
    Ok(Verdict::failed_if(!run.is_success()))
}

fn nothing_to_do(inputs: &Inputs) -> &'static str {
    match inputs.is_empty() {
        true => "the folder contains no files",
        false => "none of the files can be converted; run `antiquary scan GAME` to see what they are",
    }
}

/// The minimum severity that is shown: notes only with --verbose.
fn min_severity(verbosity: Verbosity) -> Severity {
    if verbosity == Verbosity::Verbose { Severity::Note } else { Severity::Warning }
}

/// Converts one file to standard output.
fn stream(
    session: &Session<'_>,
    paths: &[PathBuf],
    options: &ConvertOptions,
    json: bool,
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    if json {
        return Err(Fault::usage("--json and -o - cannot be combined: both write to standard output"));
    }
    let inputs = inputs(paths)?;
    if !inputs.is_one_file() {
        return Err(Fault::usage(
            "only one file can be converted to standard output; use a folder for several",
        ));
    }
    let (outcome, sink) = session.convert_to_memory(&inputs, options)?;
    if outcome.ok {
        write_only_file(&sink)?;
    }
    if !outcome.ok || verbosity > Verbosity::Quiet {
        terminal::message(|out| {
            if has_findings(&outcome, min_severity(verbosity)) {
                write_headline(out, &outcome)?;
            }
            write_findings(out, &outcome, min_severity(verbosity))?;
            write_verdict(out, &outcome)
        });
    }
    Ok(Verdict::failed_if(!outcome.ok))
}

fn write_only_file(sink: &MemorySink) -> Result<(), Fault> {
    let [(name, bytes)] = sink.files() else {
        let names: Vec<_> = sink.files().iter().map(|(name, _)| name.as_str()).collect();
        let message = format!(
            "the output consists of {} files ({}), but only one can be written to standard output: use a folder, or another format with --to",
            names.len(),
            names.join(", ")
        );
        return Err(Error::usage(message).into());
    };
    if terminal::output_is_terminal() && std::str::from_utf8(bytes).is_err() {
        let message = format!(
            "{name} is a binary file; redirect the output with > FILE instead of printing it to the terminal"
        );
        return Err(Fault::usage(message));
    }
    let mut out = terminal::raw_output();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}
