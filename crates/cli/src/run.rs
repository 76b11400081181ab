//! Runs over many files: shared arguments, progress bar, results, summary, JSON.

use std::io::{self, Write as _};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use antiquary::asset::Links;
use antiquary::asset::game::Root;
use antiquary::files::sink::WriteMode;
use antiquary::operation::{FailureResult, OperationResult};
use antiquary::scene::Compression;
use antiquary::{
    CATALOG, Input, Inputs, OnFailure, Outcome, Overwrite, Progress, Run, Session, Severity, Source,
    Strictness,
};
use clap::{ArgMatches, Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::escape::Escaped;
use crate::fault::{Fault, Verdict};
use crate::number::{counted, size, thousands};
use crate::outcome::{write_hint, write_hints};
use crate::style::{NOTE, WARNING};
use crate::terminal::{self, Verbosity};

/// Standard input or output on the command line.
pub(crate) const DASH: &str = "-";

/// Name of the input from standard input.
const STANDARD_INPUT: &str = "stdin";

/// Set by `--follow-links`.
static FOLLOW_LINKS: AtomicBool = AtomicBool::new(false);

/// Makes all commands follow all symbolic links.
pub(crate) fn follow_links() {
    FOLLOW_LINKS.store(true, Ordering::Relaxed);
}

/// The symbolic links to follow.
pub(crate) fn links() -> Links {
    if FOLLOW_LINKS.load(Ordering::Relaxed) { Links::All } else { Links::Inside }
}

/// A session with the options of all commands. No command overwrites a file that it has opened, even in several steps.
pub(crate) fn session() -> Session<'static> {
    Session::default().links(links()).protect_opened_files()
}

/// Whether outputs may replace existing files.
pub(crate) const fn overwrite(force: bool) -> Overwrite {
    if force { Overwrite::Allow } else { Overwrite::Refuse }
}

/// Whether files are written.
pub(crate) const fn writing(dry_run: bool) -> WriteMode {
    if dry_run { WriteMode::DryRun } else { WriteMode::Write }
}

/// Options for processing several files.
#[derive(Debug, Args)]
pub(crate) struct JobsArguments {
    /// Number of files to process in parallel, at most 4 per processor; 0 for one per processor
    #[arg(short, long, value_name = "N", default_value_t = 0, display_order = 800)]
    jobs: usize,
    /// Stop at the first file that fails
    #[arg(long, display_order = 801)]
    fail_fast: bool,
}

/// Id of the argument for game folders.
const GAMES: &str = "games";

/// Options for resolving references.
#[derive(Debug, Clone, Args)]
pub(crate) struct GameArguments {
    /// Look up referenced files in this game folder or archive; can be repeated (earlier ones take precedence)
    ///
    /// By default, the game that contains each file is detected by its layout.
    #[arg(id = GAMES, long = "game", value_name = "DIR", value_parser = existing, display_order = 400)]
    games: Vec<PathBuf>,
}

/// The compression level.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct CompressionArguments {
    /// Compression level for files that are added to an archive
    #[arg(long = "compress", value_name = "LEVEL", value_enum, default_value_t, display_order = 802)]
    level: CompressionLevel,
}

/// A compression level.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum CompressionLevel {
    /// Fastest; larger files
    Fast,
    /// Similar to that of other programs
    #[default]
    Usual,
    /// Usually a few percent smaller, but several times slower
    Best,
}

impl CompressionArguments {
    /// The compression level.
    pub(crate) const fn compression(self) -> Compression {
        self.level.compression()
    }
}

impl CompressionLevel {
    /// The level of the library.
    pub(crate) const fn compression(self) -> Compression {
        match self {
            Self::Fast => Compression::Fast,
            Self::Usual => Compression::Usual,
            Self::Best => Compression::Best,
        }
    }
}

/// Options for a dry run.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct DryRunArguments {
    /// Do everything except writing: show the files that would be written and the errors that would occur
    #[arg(long, display_order = 803)]
    pub(crate) dry_run: bool,
}

impl DryRunArguments {
    /// Sets whether files are written.
    pub(crate) fn apply<'p>(self, session: Session<'p>) -> Session<'p> {
        session.writing(writing(self.dry_run))
    }

    /// The summary's label for files that succeeded.
    pub(crate) const fn label(self, done: &'static str, would: &'static str) -> &'static str {
        if self.dry_run { would } else { done }
    }

    /// Prints the files that would be written for an input, one per line.
    pub(crate) fn print(self, outcome: &Outcome) -> io::Result<()> {
        if !self.dry_run || outcome.outputs.is_empty() {
            return Ok(());
        }
        let mut out = terminal::output();
        for path in &outcome.outputs {
            writeln!(out, "{} -> {}", Escaped(&outcome.input), Escaped(path))?;
        }
        out.flush()
    }
}

/// Options that define a failure.
#[derive(Debug, Args)]
pub(crate) struct StrictArguments {
    /// Count warnings as failures
    #[arg(long, display_order = 802)]
    strict: bool,
}

/// Options that define a failure of an edit.
#[derive(Debug, Args)]
pub(crate) struct EditArguments {
    /// Count warnings as failures
    #[arg(long, display_order = 802)]
    strict: bool,
    /// Write the file even if the edit damages it
    ///
    /// By default, nothing is written if the file could not be read again, or if a check finds errors that the original does not have.
    #[arg(long, display_order = 803, conflicts_with = "strict")]
    allow_damaged: bool,
}

impl JobsArguments {
    /// Sets the number of threads and the behavior after a failure.
    pub(crate) fn apply<'p>(&self, session: Session<'p>) -> Session<'p> {
        let on_failure = if self.fail_fast { OnFailure::Stop } else { OnFailure::KeepGoing };
        session.threads(self.jobs).on_failure(on_failure)
    }
}

impl GameArguments {
    /// Sets the game folders.
    pub(crate) fn apply<'p>(self, session: Session<'p>) -> Session<'p> {
        self.games.into_iter().fold(session, Session::game)
    }
}

/// Warns about game folders on the command line that contain no known game, because no references can be resolved there.
pub(crate) fn check_games(matches: &ArgMatches) {
    let own = matches.try_get_many::<PathBuf>(GAMES).ok().flatten().into_iter().flatten();
    for folder in own {
        let is_game = |path: &Path| Root::at(path, CATALOG.games()).is_ok_and(|root| root.game.is_some());
        if !folder.is_dir() || is_game(folder) {
            continue;
        }
        let around = Root::around(folder, CATALOG.games()).ok().filter(|root| root.game.is_some());
        let advice = match around {
            Some(root) => format!("it is part of the game in {}", root.folder.display()),
            None => "use the folder that contains the game's folders".to_owned(),
        };
        let message = format!("--game {}: this folder is not a game: {advice}", folder.display());
        terminal::message(|out| writeln!(out, "{NOTE}hint{NOTE:#}: {}", Escaped(&message)));
    }
    if let Some((_, matches)) = matches.subcommand() {
        check_games(matches);
    }
}

impl StrictArguments {
    /// Sets the strictness.
    pub(crate) fn apply<'p>(&self, session: Session<'p>) -> Session<'p> {
        let strictness = if self.strict { Strictness::Strict } else { Strictness::Lenient };
        session.strictness(strictness)
    }
}

impl EditArguments {
    /// Sets the strictness.
    pub(crate) fn apply<'p>(&self, session: Session<'p>) -> Session<'p> {
        let strictness = if self.allow_damaged { Strictness::AllowDamaged } else { Strictness::Lenient };
        let strictness = if self.strict { Strictness::Strict } else { strictness };
        session.strictness(strictness)
    }
}

fn existing(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.exists() {
        true => Ok(path),
        false => Err("no such folder or archive".to_owned()),
    }
}

/// The files at these paths; `-` alone is standard input.
pub(crate) fn inputs(paths: &[PathBuf]) -> Result<Inputs, Fault> {
    match paths {
        [only] if is_dash(only) => Ok(Inputs::from(input(only)?)),
        several if several.iter().any(|path| is_dash(path)) => {
            Err(Fault::usage("standard input (-) cannot be combined with other inputs"))
        }
        paths => Ok(session().find_inputs(paths)),
    }
}

/// One file; `-` is standard input.
pub(crate) fn input(path: &Path) -> Result<Input, Fault> {
    match is_dash(path) {
        true => Ok(Input::of_source(STANDARD_INPUT, standard_input()?)),
        false => Ok(Input::find(CATALOG, path)),
    }
}

/// Reads all of standard input.
fn standard_input() -> Result<Source, Fault> {
    let mut bytes = Vec::new();
    let read = io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes);
    read.map_err(|error| antiquary::Error::from(error).in_file(STANDARD_INPUT))?;
    Ok(Source::from(bytes))
}

/// Whether a path denotes standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == DASH
}

/// Shows a progress bar and reports each file in order.
pub(crate) struct Reporter<F> {
    bar: ProgressBar,
    visible: bool,
    /// Number of bytes written so far.
    written: AtomicU64,
    report: F,
}

impl<F: Fn(&Outcome) -> io::Result<()> + Sync> Reporter<F> {
    /// Creates a reporter. The bar is shown only on a terminal. If `report` cannot write, the program exits.
    pub(crate) fn new(verbosity: Verbosity, json: bool, report: F) -> Self {
        let visible = verbosity > Verbosity::Quiet && !json && terminal::stderr_is_terminal();
        Self { bar: ProgressBar::hidden(), visible, written: AtomicU64::new(0), report }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl<F: Fn(&Outcome) -> io::Result<()> + Sync> Progress for Reporter<F> {
    fn start(&self, files: usize) {
        if self.visible && files > 1 {
            self.bar.set_length(files as u64);
            if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} files, {msg}{eta} left") {
                self.bar.set_style(style);
            }
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    fn done(&self, written: u64) {
        if written > 0 {
            let all = self.written.fetch_add(written, Ordering::Relaxed).saturating_add(written);
            self.bar.set_message(format!("{} written, ", size(all)));
        }
        self.bar.inc(1);
    }

    fn outcome(&self, outcome: &Outcome) {
        if let Err(error) = self.bar.suspend(|| (self.report)(outcome)) {
            Fault::end(error);
        }
    }
}

/// The label of successful files in the summary, and the severities that were already shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SummaryLabels {
    /// Label of successful files: `converted`, `OK`.
    pub(crate) done: &'static str,
    /// The minimum severity that was shown.
    pub(crate) shown: Severity,
}

/// Prints the last line: `69 files: 68 converted, 1 failed, 12 warnings, 1.2 s`.
pub(crate) fn print_summary(run: &Run, session: &Session<'_>, labels: SummaryLabels, started: Instant) {
    let files = run.files() as u64;
    let failed = run.failed() as u64;
    let mut parts = vec![format!("{} {}", thousands(run.succeeded() as u64), labels.done)];
    if failed > 0 {
        parts.push(format!("{} failed", thousands(failed)));
    }
    if failed > 0 && session.on_failure == OnFailure::Stop {
        parts.push("stopped at the first failure".to_owned());
    }
    let warnings = run.warnings(Severity::Warning) + run.warnings(Severity::Error);
    if warnings > 0 {
        parts.push(counted(warnings, "warning", "warnings"));
    }
    let notes = run.warnings(Severity::Note);
    if notes > 0 {
        let hidden = if labels.shown > Severity::Note { " (use -v to show)" } else { "" };
        parts.push(format!("{}{hidden}", counted(notes, "note", "notes")));
    }
    let left_out: u64 = run.left_out.values().sum();
    if left_out > 0 {
        parts.push(format!("{} skipped", thousands(left_out)));
    }
    if run.known_files() > 0 {
        parts.push(format!("{} not read", counted(run.known_files(), "known file", "known files")));
    }
    if run.unknown_files() > 0 {
        parts.push(counted(run.unknown_files(), "unknown file", "unknown files"));
    }
    let seconds = started.elapsed().as_secs_f64();
    let files = counted(files, "file", "files");
    terminal::message(|out| {
        for failure in &run.containers {
            writeln!(out, "{WARNING}warning{WARNING:#}: archive {}", Escaped(&failure.to_string()))?;
        }
        for path in &run.leftovers {
            let what = "is unfinished: a run was interrupted or is still in progress; delete it if no run is in progress";
            writeln!(out, "{NOTE}note{NOTE:#}: {} {what}", Escaped(path))?;
        }
        writeln!(out, "{files}: {}, {seconds:.1} s", parts.join(", "))?;
        write_hints(out, &run.outcomes)?;
        run.hints.iter().try_for_each(|hint| write_hint(out, hint))
    });
}

/// Prints the JSON object of an operation.
pub(crate) fn print_json<T, R, S>(result: &OperationResult<R, S>) -> Result<Verdict, Fault>
where
    T: Serialize,
    R: Deref<Target = [T]>,
    S: Serialize,
{
    result.write(terminal::raw_output())?;
    Ok(Verdict::failed_if(!result.is_ok))
}

/// With `--json`, prints an object even if the entire run failed, but not if the command line was invalid.
pub(crate) fn or_json(
    json: bool,
    schema: &'static str,
    result: Result<Verdict, Fault>,
) -> Result<Verdict, Fault> {
    if json
        && let Err(fault @ Fault::Failed(error)) = &result
        && !fault.is_usage()
    {
        print_json(&FailureResult::new(schema, error))?;
    }
    result
}
