//! `antiquary scan`: summarizes a game folder.

use std::io::{self, Write};
use std::path::PathBuf;

use antiquary::operation::{ScanResult, schema};
use antiquary::run::KnownFiles;
use antiquary::session::FormatScan;
use antiquary::{GAMES, Scan};
use clap::Args;

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::{counted, thousands};
use crate::outcome::print_report;
use crate::run::{Reporter, or_json, print_json, session};
use crate::style::{DIMMED, ERROR, TITLE};
use crate::table::Table;
use crate::terminal::{self, Verbosity};

/// Summarize a game folder or an archive
///
/// Opens every file of a known format, including files in archives, and shows totals by format: the number of files, their versions or
/// dialects, and their contents, such as models, triangles and sounds. Empty and damaged files are listed. Known files that the program
/// does not read are listed with a description, and files of unknown formats are counted by extension.
///
/// The exit code is 0 even if files are damaged, and 1 only if a file cannot be read at all. Use `antiquary check` to fail on damage.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "Summarize a game" => "scan games/{game}",
    "Summarize an archive" => "scan data.{archive}",
    "Print JSON" => "scan games/{game} --json",
    "Use a single thread" => "scan games/{game} --jobs 1",
))]
pub(crate) struct Arguments {
    /// A game folder, any other folder, or an archive
    #[arg(value_name = "GAME")]
    folder: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Number of files to process in parallel, at most 4 per processor; 0 for one per processor
    #[arg(short, long, value_name = "N", default_value_t = 0, display_order = 800)]
    jobs: usize,
}

pub(super) fn run(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    or_json(arguments.json, schema::SCAN, scan(arguments, verbosity))
}

fn scan(arguments: &Arguments, verbosity: Verbosity) -> Result<Verdict, Fault> {
    let reporter = Reporter::new(verbosity, arguments.json, |_| Ok(()));
    let scan = session().threads(arguments.jobs).progress(&reporter).scan(&arguments.folder);
    reporter.finish();
    let scan = scan?;
    if arguments.json {
        return print_json(&ScanResult::new(&scan));
    }
    let mut out = terminal::output();
    write_scan(&mut out, &scan, verbosity)?;
    out.flush()?;
    if verbosity > Verbosity::Quiet {
        print_report(&scan.warnings);
    }
    Ok(Verdict::failed_if(!scan.unreadable.is_empty()))
}

/// Writes the summary of a folder.
pub(super) fn write_scan(out: &mut dyn Write, scan: &Scan, verbosity: Verbosity) -> io::Result<()> {
    let game = scan.game.and_then(|id| GAMES.iter().find(|game| game.id == id));
    let game = game.map_or("not a known game", |game| game.name);
    writeln!(
        out,
        "{TITLE}{}{TITLE:#}: {game}, {}",
        Escaped(&scan.folder),
        counted(scan.files, "file", "files")
    )?;
    if !scan.formats.is_empty() {
        writeln!(out)?;
        write_formats(out, &scan.formats)?;
    }
    for format in &scan.formats {
        write_format_contents(out, format, verbosity)?;
    }
    for file in &scan.unreadable {
        writeln!(out, "  {}: {ERROR}error{ERROR:#}: {}", Escaped(&file.path), Escaped(file.error.message()))?;
    }
    write_known(out, &scan.known)?;
    write_unknown(out, scan)
}

/// Writes the known files that are not read.
pub(super) fn write_known(out: &mut dyn Write, known: &[KnownFiles]) -> io::Result<()> {
    if known.is_empty() {
        return Ok(());
    }
    let total: u64 = known.iter().map(|known| known.files).sum();
    writeln!(out, "\n{TITLE}known, not read{TITLE:#}, {}", counted(total, "file", "files"))?;
    let mut table = Table::untitled();
    for known in known {
        table.row([Escaped(&known.pattern).to_string(), thousands(known.files), known.about.into()]);
    }
    table.write(out, 2)
}

fn write_formats(out: &mut dyn Write, formats: &[FormatScan]) -> io::Result<()> {
    let mut table = Table::new(&["FORMAT", "FILES", "BYTES", "EMPTY", "DAMAGED", "WARNINGS"]);
    for format in formats {
        let number = |number: usize| thousands(number as u64);
        table.row([
            format.format.into(),
            thousands(format.files),
            thousands(format.bytes),
            number(format.empty.len()),
            number(format.malformed.len()),
            thousands(format.warnings),
        ]);
    }
    table.write(out, 0)
}

/// Maximum number of damaged files listed per format without --verbose.
const LISTED: usize = 20;

fn write_format_contents(out: &mut dyn Write, format: &FormatScan, verbosity: Verbosity) -> io::Result<()> {
    writeln!(out, "\n{TITLE}{}{TITLE:#}, {}", format.format, format.name)?;
    let mut table = Table::untitled();
    for (name, count) in format.counts.iter().filter(|(_, count)| *count > 0) {
        table.row([Escaped(name).to_string(), thousands(count)]);
    }
    for (dialect, count) in &format.dialects {
        table.row([Escaped(dialect).to_string(), counted(*count, "file", "files")]);
    }
    table.write(out, 2)?;
    let empty = format.empty.iter().map(|path| (path, "the file is empty"));
    let damaged = format.malformed.iter().map(|file| (&file.path, file.error.message()));
    let listed = if verbosity == Verbosity::Verbose { usize::MAX } else { LISTED };
    for (path, message) in empty.chain(damaged).take(listed) {
        writeln!(out, "  {}: {ERROR}error{ERROR:#}: {}", Escaped(path), Escaped(message))?;
    }
    let more = (format.empty.len() + format.malformed.len()).saturating_sub(listed);
    if more > 0 {
        writeln!(out, "  {DIMMED}... {more} more (use -v to list all){DIMMED:#}")?;
    }
    Ok(())
}

fn write_unknown(out: &mut dyn Write, scan: &Scan) -> io::Result<()> {
    if scan.unknown.is_empty() {
        return Ok(());
    }
    let mut unknown: Vec<_> = scan.unknown.iter().collect();
    unknown.sort_by_key(|(extension, count)| (std::cmp::Reverse(**count), *extension));
    let total: u64 = unknown.iter().map(|(_, count)| **count).sum();
    writeln!(out, "\n{TITLE}unknown{TITLE:#}, {}", counted(total, "file", "files"))?;
    let named = |extension: &str| match extension {
        "" => "no extension".to_owned(),
        extension => format!(".{}", Escaped(extension)),
    };
    let listed: Vec<_> = unknown
        .iter()
        .map(|(extension, count)| format!("{} {}", named(extension), thousands(**count)))
        .collect();
    for line in listed.chunks(10) {
        writeln!(out, "  {}", line.join(", "))?;
    }
    Ok(())
}
