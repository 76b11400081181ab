//! `antiquary info`: describes files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use antiquary::field::FieldPath;
use antiquary::operation::{RunResult, schema};
use antiquary::{DescribeOptions, Detail, Input, Outcome, Run, Session, Severity};
use clap::Args;

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::{counted, thousands};
use crate::outcome::{report_failure, write_findings, write_headline};
use crate::run::{
    GameArguments, JobsArguments, Reporter, input, inputs, is_dash, or_json, print_json, session,
};
use crate::table::Table;
use crate::terminal::{self, Output, Verbosity};
use crate::tree::{self, Extent};

/// Describe files
///
/// Shows the format of each file, its version or dialect, counts of its contents, and its most important fields. With --full, shows every
/// field under its documented name. After a single file, each PATH selects fields to show, such as surfaces[0].texture or
/// entities[*].position.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Describe a file" => "info example.{extension}",
    "Print every field as JSON" => "info --full --json example.{extension}",
    "Show some fields" => "info example.{extension} 'surfaces[0].texture' 'entities[*].position'",
    "Show details at a corner of a terrain" => "info maps/ISLAND.WLD --at 128,128",
    "Describe several files and a folder" => "info one.{extension} two.{extension} more/",
    "Read from a pipe" => "info - < example.{extension}",
))]
pub(crate) struct Arguments {
    /// Files and folders, or one file and the paths of fields; - is standard input
    #[arg(value_name = "FILE|PATH", required = true)]
    files: Vec<PathBuf>,
    /// Show every field
    #[arg(long)]
    full: bool,
    /// Show details at a position, which is a terrain corner (column, row) or a point in world units; can be repeated
    #[arg(long, value_name = "X,Y[,Z]", value_parser = position, allow_hyphen_values = true)]
    at: Vec<Position>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    jobs: JobsArguments,
}

/// Coordinates of a position.
#[derive(Debug, Clone)]
struct Position(Vec<f64>);

/// Parses coordinates.
fn position(text: &str) -> Result<Position, String> {
    let number = |part: &str| part.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    let numbers = numbers.filter(|numbers| (2..=3).contains(&numbers.len()));
    numbers.map(Position).ok_or_else(|| "expected two or three numbers, like 128,128".to_owned())
}

pub(super) fn run(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    or_json(arguments.json, schema::INFO, info(arguments, verbosity))
}

fn info(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let (detail, extent) = match arguments.full {
        true => (Detail::Full, Extent::Full),
        false => (Detail::Brief, Extent::Brief),
    };
    let session = arguments.games.clone().apply(arguments.jobs.apply(session()));
    if let Some((file, paths)) = file_and_paths(&arguments.files) {
        return fields(&session, file, &paths, arguments.json, verbosity);
    }
    let out = Mutex::new(terminal::output());
    let reporter = Reporter::new(verbosity, arguments.json, |outcome| match arguments.json {
        true => Ok(()),
        false => {
            let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
            report(&mut out, outcome, extent, verbosity)
        }
    });
    let mut options = DescribeOptions::default().detail(detail);
    options.positions = arguments.at.iter().map(|Position(numbers)| numbers.clone()).collect();
    let session = session.progress(&reporter);
    let run = session.describe(&inputs(&arguments.files)?, &options);
    reporter.finish();
    let run = run?;
    if arguments.json {
        return print_json(&RunResult::new(schema::INFO, &run, session.writing));
    }
    if run.outcomes.is_empty() && verbosity > Verbosity::Quiet {
        terminal::message(|out| {
            writeln!(out, "no files of a known format; run `antiquary scan GAME` to see all files")
        });
    }
    Ok(Verdict::failed_if(run.failed() > 0))
}

/// A single file and paths of its fields. An argument that exists is a file.
fn file_and_paths(files: &[PathBuf]) -> Option<(&Path, Vec<FieldPath>)> {
    let (file, paths) = files.split_first()?;
    let is_file = is_dash(file) || file.is_file() || Input::is_in_file(file);
    let is_field = |path: &&Path| !path.exists() && !Input::is_in_file(path);
    let paths = paths.iter().map(PathBuf::as_path);
    let paths = paths.map(|path| FieldPath::parse(Some(path).filter(is_field)?.to_str()?).ok());
    let paths: Vec<_> = paths.collect::<Option<_>>()?;
    (is_file && !paths.is_empty()).then_some((file, paths))
}

/// Shows selected fields of a file.
fn fields(
    session: &Session<'_>,
    file: &Path,
    paths: &[FieldPath],
    json: bool,
    verbosity: Verbosity,
) -> Result<Verdict, Fault> {
    let run = Run::from(session.fields(&input(file)?, paths)?);
    if json {
        return print_json(&RunResult::new(schema::INFO, &run, session.writing));
    }
    let mut out = terminal::output();
    for outcome in &run.outcomes {
        let fields = outcome.description.as_ref().map(|description| description.fields.root());
        match (&outcome.error, fields) {
            (None, Some(fields)) => tree::write(&mut out, fields, 0, Extent::Full)?,
            _ => report(&mut out, outcome, Extent::Full, verbosity)?,
        }
    }
    out.flush()?;
    Ok(Verdict::failed_if(run.failed() > 0))
}

fn report(out: &mut Output, outcome: &Outcome, extent: Extent, verbosity: Verbosity) -> io::Result<()> {
    if report_failure(out, outcome)? {
        return Ok(());
    }
    write_headline(out, outcome)?;
    write_description(out, outcome, extent)?;
    out.flush()?;
    if verbosity > Verbosity::Quiet {
        terminal::message(|out| write_findings(out, outcome, Severity::Note));
    }
    Ok(())
}

fn write_description(out: &mut dyn Write, outcome: &Outcome, extent: Extent) -> io::Result<()> {
    let mut table = Table::untitled();
    let format = outcome.format.and_then(|id| antiquary::formats().find(|format| format.id == id));
    if let Some(format) = format {
        table.row(["format".into(), format!("{} ({})", format.id, format.name)]);
    }
    if let Some(length) = outcome.length {
        table.row(["size".into(), counted(length, "byte", "bytes")]);
    }
    let Some(description) = &outcome.description else { return table.write(out, 2) };
    if !description.dialect.is_empty() {
        table.row(["version".into(), Escaped(&description.dialect).to_string()]);
    }
    for (name, count) in description.counts.iter() {
        table.row([Escaped(name).to_string(), thousands(count)]);
    }
    table.write(out, 2)?;
    if !description.fields.is_null() {
        tree::write(out, description.fields.root(), 2, extent)?;
    }
    if description.derived == ["*"] {
        writeln!(out, "  none of these fields can be set")?;
    } else if !description.derived.is_empty() {
        writeln!(out, "  derived from other fields, cannot be set: {}", description.derived.join(", "))?;
    }
    Ok(())
}
