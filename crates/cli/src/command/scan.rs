//! `antiquary scan`: what is in a game folder.

use std::io::{self, Write};
use std::path::PathBuf;

use antiquary::job::FormatScan;
use antiquary::run::KnownFiles;
use antiquary::{GAMES, Job, Scan};
use clap::Args;

use crate::document::{Document, members};
use crate::fault::{Fault, Verdict};
use crate::number::{counted, thousands};
use crate::run::{Teller, or_json};
use crate::shown::Shown;
use crate::style::{ERROR, QUIET, TITLE};
use crate::table::Table;
use crate::terminal::{self, Loudness};

const SCHEMA: &str = "antiquary/scan/1";

/// Show what is in a game folder or an archive
///
/// Opens every file of a known format and adds up what they hold: how many files of each format, which versions or dialects, how many
/// models, triangles, sounds. Files in archives count too. Files that are empty or damaged are listed. Files that are known but not read are
/// named as what they are, those of unknown formats are counted by their extension.
///
/// Damaged files are findings, not failures: the exit code is 0. It is 1 only when a file cannot be read at all; `antiquary check` is for
/// judging.
#[derive(Debug, Args)]
#[command(after_long_help = examples!(
    "What is in this game?" => "scan games/{game}",
    "What is in this archive?" => "scan data.{archive}",
    "The same for a script" => "scan games/{game} --json",
    "Using one processor only" => "scan games/{game} --jobs 1",
))]
pub(crate) struct Arguments {
    /// A folder, with everything in it, or an archive
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Work on so many files at once; 0 is one for each processor
    #[arg(short, long, value_name = "N", default_value_t = 0, display_order = 800)]
    jobs: usize,
}

pub(super) fn run(arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    or_json(arguments.json, SCHEMA, scan(arguments, loudness))
}

fn scan(arguments: &Arguments, loudness: Loudness) -> Result<Verdict, Fault> {
    let job = Job { threads: arguments.jobs, ..Job::default() };
    let teller = Teller::new(loudness, arguments.json, |_| Ok(()));
    let scan = job.scan(&arguments.folder, &teller);
    teller.finish();
    let scan = scan?;
    let verdict = Verdict::unless(!scan.unreadable.is_empty());
    if arguments.json {
        let mut document = Document::new(terminal::raw_output(), SCHEMA);
        document.result(&scan)?;
        document.finish(&members([("ok", (verdict == Verdict::Well).into())]))?;
        return Ok(verdict);
    }
    let mut out = terminal::output();
    write_scan(&mut out, &scan, loudness)?;
    out.flush()?;
    Ok(verdict)
}

/// Writes what is in a folder.
pub(super) fn write_scan(out: &mut dyn Write, scan: &Scan, loudness: Loudness) -> io::Result<()> {
    let game = scan.game.and_then(|id| GAMES.iter().find(|game| game.id == id));
    let game = game.map_or("no game that is known by its layout", |game| game.name);
    writeln!(
        out,
        "{TITLE}{}{TITLE:#}: {game}, {}",
        Shown(&scan.folder),
        counted(scan.files, "file", "files")
    )?;
    if !scan.formats.is_empty() {
        writeln!(out)?;
        write_formats(out, &scan.formats)?;
    }
    for format in &scan.formats {
        write_holdings(out, format, loudness)?;
    }
    for file in &scan.unreadable {
        writeln!(out, "  {}: {ERROR}error{ERROR:#}: {}", Shown(&file.path), Shown(&file.error.message))?;
    }
    write_known(out, &scan.known)?;
    write_unknown(out, scan)
}

/// Writes which files are known and not read.
pub(super) fn write_known(out: &mut dyn Write, known: &[KnownFiles]) -> io::Result<()> {
    if known.is_empty() {
        return Ok(());
    }
    let total = known.iter().fold(0_u64, |sum, known| sum.saturating_add(known.files));
    writeln!(out, "\n{TITLE}known, not read{TITLE:#}, {}", counted(total, "file", "files"))?;
    let mut table = Table::untitled();
    for known in known {
        table.row([known.pattern.into(), thousands(known.files), known.about.into()]);
    }
    table.write(out, 2)
}

fn write_formats(out: &mut dyn Write, formats: &[FormatScan]) -> io::Result<()> {
    let mut table = Table::new(&["FORMAT", "FILES", "BYTES", "EMPTY", "DAMAGED", "WARNINGS"]);
    for format in formats {
        let number = |number: usize| thousands(crate::number::count_of(number));
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

/// How many damaged files of a format are listed unless more is asked for.
const LISTED: usize = 20;

fn write_holdings(out: &mut dyn Write, format: &FormatScan, loudness: Loudness) -> io::Result<()> {
    writeln!(out, "\n{TITLE}{}{TITLE:#}, {}", format.format, format.name)?;
    let mut table = Table::untitled();
    for (name, count) in format.counts.iter().filter(|(_, count)| *count > 0) {
        table.row([Shown(name).to_string(), thousands(count)]);
    }
    for (dialect, count) in &format.dialects {
        table.row([Shown(dialect).to_string(), counted(*count, "file", "files")]);
    }
    table.write(out, 2)?;
    let empty = format.empty.iter().map(|path| (path, "the file is empty"));
    let damaged = format.malformed.iter().map(|file| (&file.path, file.error.message.as_str()));
    let listed = if loudness == Loudness::Verbose { usize::MAX } else { LISTED };
    for (path, message) in empty.chain(damaged).take(listed) {
        writeln!(out, "  {}: {ERROR}error{ERROR:#}: {}", Shown(path), Shown(message))?;
    }
    let more = format.empty.len().saturating_add(format.malformed.len()).saturating_sub(listed);
    if more > 0 {
        writeln!(out, "  {QUIET}... {more} more; -v lists them all{QUIET:#}")?;
    }
    Ok(())
}

fn write_unknown(out: &mut dyn Write, scan: &Scan) -> io::Result<()> {
    if scan.unknown.is_empty() {
        return Ok(());
    }
    let mut unknown: Vec<_> = scan.unknown.iter().collect();
    unknown.sort_by_key(|(extension, count)| (std::cmp::Reverse(**count), *extension));
    let total = unknown.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(**count));
    writeln!(out, "\n{TITLE}unknown{TITLE:#}, {}", counted(total, "file", "files"))?;
    let named = |extension: &str| match extension {
        "" => "no extension".to_owned(),
        extension => format!(".{}", Shown(extension)),
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
