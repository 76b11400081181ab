//! Parallel processing of many files, which are described, checked or converted. One failing file never stops the others.

#[cfg(feature = "fs")]
mod archive;
#[cfg(feature = "fs")]
mod archive_output;
mod archive_path;
mod assemble;
mod base;
mod build;
mod companion;
mod container;
mod convert;
mod destination;
mod diff;
mod edit_check;
mod edit_plan;
mod everything;
mod extract;
mod field_edit;
mod fields;
mod find;
mod fix;
mod import;
mod input;
mod inputs;
mod installs;
mod memory;
mod options;
mod pack;
mod pattern;
mod plan;
mod progress;
mod replace;
mod runner;
mod scan;
#[cfg(feature = "scripts")]
mod script;
mod set;
mod skipped;
mod typed;
mod work;
mod workers;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::game::Root;
use asset::typed_view::WithViews;
use asset::{
    Asset, Code, Context, Description, Detail, Error, Fix, Format, Guard, Install, Links, OpenedFiles,
    Overwrite, Report, Severity, Source, Target,
};
use files::disk;
use files::sink::WriteMode;

#[cfg(feature = "fs")]
pub use archive::{ArchiveEdit, ArchiveOutput, EditedArchive, EntryChange, EntryChangeKind};
pub use build::BuiltFile;
pub use destination::Destination;
pub use diff::{Comparison, Pair, Status};
pub use field_edit::FieldEdit;
pub use find::Query;
pub use fix::Fixes;
pub use input::Input;
pub use inputs::Inputs;
#[cfg(feature = "scripts")]
pub use options::ScriptOptions;
pub use options::{
    ArchiveContents, ArchiveOptions, BuildOptions, CheckOptions, ConvertOptions, DescribeOptions,
    DiffOptions, Extent, ExtractOptions, ExtractedPictures, Overview, PackOptions, UnpackOptions,
};
pub use pattern::{Pattern, Patterns};
pub use progress::Progress;
pub use replace::Replaced;
pub use scan::{FormatScan, Malformed, Scan};
#[cfg(feature = "scripts")]
pub use script::{
    Assembled, FormattedText, GraphEdge, GraphNode, GraphStatement, RanScripts, RunEnd, RunRequest,
    ScriptGraph, ScriptRun, ScriptTests, TestFailure, TestProblem, TestedScript, TextPosition,
    UnpackedEditor, WrittenRun,
};
pub use set::Edited;

use json::{Document, Edits, Step, Value};

use crate::catalog::Catalog;
use crate::run::{Outcome, Run, Strictness};
use container::Keep;
use installs::Installs;
use plan::output_of;
pub(crate) use runner::caught;
use skipped::SkippedFiles;
use work::{Sorted, Work};
pub(crate) use workers::Workers;

/// Reaction to a file that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OnFailure {
    /// Continue with the other files.
    #[default]
    KeepGoing,
    /// Start no further files. The run ends with the first failed file in input order.
    Stop,
}

/// Settings for processing files: known games, lookup of references, the threshold for failures, and restrictions on
/// writing. Each operation takes its own options in addition.
///
/// # Examples
///
/// ```no_run
/// use antiquary::{CheckOptions, Inputs, Session, Strictness};
///
/// let session = Session::default().game("Redguard").strictness(Strictness::Strict);
/// let run = session.check(&Inputs::collect(&["mod".into()]), &CheckOptions::default())?;
/// assert!(run.is_success());
/// # Ok::<(), antiquary::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Session<'p> {
    /// Formats to recognize.
    pub catalog: Catalog,
    /// Folders in which referenced files are looked up; earlier ones take precedence. If empty, the game around each input
    /// is detected by its layout.
    pub games: Vec<PathBuf>,
    /// Game in which referenced files are looked up, regardless of `games`: for example one in
    /// [memory](files::layer::MemoryLayer), or one shared by several sessions.
    pub install: Option<Arc<Install>>,
    /// Number of files processed at the same time; 0 means one per processor.
    pub threads: usize,
    /// Reaction to a file that fails.
    pub on_failure: OnFailure,
    /// Threshold for a failure.
    pub strictness: Strictness,
    /// Whether outputs may replace files that are not inputs.
    pub overwrite: Overwrite,
    /// Whether files are written, or only reported (dry run).
    pub writing: WriteMode,
    /// Files that were opened, which are never overwritten. If `None`, each run has its own list; otherwise all runs share
    /// this one.
    pub opened_files: Option<OpenedFiles>,
    /// Symbolic links in folders that are followed.
    pub links: Links,
    /// Receives events, and can cancel a run.
    pub progress: &'p dyn Progress,
}

impl Session<'static> {
    /// Creates a session that recognizes the formats of a catalog.
    #[must_use]
    pub fn new(catalog: Catalog) -> Self {
        Self {
            catalog,
            games: Vec::new(),
            install: None,
            threads: 0,
            on_failure: OnFailure::default(),
            strictness: Strictness::default(),
            overwrite: Overwrite::default(),
            writing: WriteMode::default(),
            opened_files: None,
            links: Links::default(),
            progress: &(),
        }
    }
}

impl<'p> Session<'p> {
    /// Adds a folder in which referenced files are looked up, after those added before.
    #[must_use]
    pub fn game(mut self, folder: impl Into<PathBuf>) -> Self {
        self.games.push(folder.into());
        self
    }

    /// Sets the game in which referenced files are looked up.
    #[must_use]
    pub fn install(self, install: Arc<Install>) -> Self {
        Self { install: Some(install), ..self }
    }

    /// Sets the number of threads, for several files or within one; 0 means one per processor.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Runs a function on the threads of the session. Operations that can be divided, such as baking the textures of a room,
    /// use all of them; others use the calling thread.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// let room = antiquary::open("room2_opt.rmesh")?;
    /// let scene = antiquary::Session::default().run(|| room.scene())?;
    /// # Ok::<(), antiquary::Error>(())
    /// ```
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        Workers::new(self.threads).run(work)
    }

    /// Sets the reaction to a file that fails.
    #[must_use]
    pub fn on_failure(self, on_failure: OnFailure) -> Self {
        Self { on_failure, ..self }
    }

    /// Sets the threshold for a failure.
    #[must_use]
    pub fn strictness(self, strictness: Strictness) -> Self {
        Self { strictness, ..self }
    }

    /// Sets whether outputs may replace files that are not inputs.
    #[must_use]
    pub fn overwrite(self, overwrite: Overwrite) -> Self {
        Self { overwrite, ..self }
    }

    /// Sets whether files are written, or only reported (dry run).
    #[must_use]
    pub fn writing(self, writing: WriteMode) -> Self {
        Self { writing, ..self }
    }

    /// Sets the symbolic links in folders that are followed.
    #[must_use]
    pub fn links(self, links: Links) -> Self {
        Self { links, ..self }
    }

    /// Sets the receiver of events.
    #[must_use]
    pub fn progress<'q>(self, progress: &'q dyn Progress) -> Session<'q>
    where
        'p: 'q,
    {
        Session { progress, ..self }
    }

    /// Shares one list of opened files between all runs from now on, so that no run overwrites a file that another one has
    /// opened.
    #[must_use]
    pub fn protect_opened_files(self) -> Self {
        Self { opened_files: Some(self.opened()), ..self }
    }

    /// Like [`Inputs::find`], with the link policy of the session.
    #[must_use]
    pub fn find_inputs(&self, paths: &[PathBuf]) -> Inputs {
        Inputs::find_with(self.catalog, paths, self.links)
    }

    /// Like [`Inputs::collect`], with the link policy of the session. Ends early, with the files found so far, if the work
    /// is canceled.
    #[must_use]
    pub fn collect_inputs(&self, paths: &[PathBuf]) -> Inputs {
        Inputs::collect_with(paths, self.links, self.progress)
    }

    /// Returns the list of files that one run opens.
    fn opened(&self) -> OpenedFiles {
        let of_install = || self.install.as_ref().map(|install| install.opened().clone());
        self.opened_files.clone().or_else(of_install).unwrap_or_default()
    }

    /// Creates the guard for the outputs of one run that opens these files.
    fn guard(&self, opened: &OpenedFiles) -> Guard {
        let guard = Guard::new(self.overwrite).with(self.writing).with_opened(opened.clone());
        if let Some(install) = &self.install {
            opened.add_all(install.opened());
        }
        guard
    }

    /// Describes every file.
    ///
    /// # Errors
    /// Fails if a game folder does not exist. Errors of a single file are in its outcome.
    pub fn describe(&self, inputs: &Inputs, options: &DescribeOptions) -> Result<Run, Error> {
        self.each(inputs, &[], describe(options.detail, &options.positions))
    }

    /// Describes every file briefly and checks it. With [`ArchiveContents::Check`], the files in containers are checked too.
    ///
    /// # Errors
    /// Fails if a code is unknown, if no format has a requested option, or if a game folder does not exist. Errors of a
    /// single file are in its outcome.
    pub fn check(&self, inputs: &Inputs, options: &CheckOptions) -> Result<Run, Error> {
        if let Some(unknown) = options.codes.iter().find(|code| !self.catalog.has_code(code)) {
            return Err(Error::usage(format!("unknown code \"{unknown}\"")));
        }
        let check = |work: &Work<'_>, outcome: &mut Outcome| {
            check_one(work, &options.codes, outcome, Report::new())?;
            Ok(())
        };
        let mut run = match options.inside {
            ArchiveContents::Skip => self.each(inputs, &options.options, check)?,
            ArchiveContents::Check => self.each_inside(inputs, &options.options, check)?.0,
        };
        for outcome in self.check_games(inputs, &options.codes)? {
            self.progress.outcome(&outcome);
            run.outcomes.push(outcome);
        }
        Ok(run)
    }

    /// Checks the games that were given as folders.
    fn check_games(&self, inputs: &Inputs, codes: &[String]) -> Result<Vec<Outcome>, Error> {
        let mut seen: Vec<&Path> = Vec::new();
        let mut out = Vec::new();
        for input in inputs {
            let Some(folder) = input.root().filter(|folder| !seen.contains(folder)) else { continue };
            seen.push(folder);
            let found = Root::around(folder, self.catalog.games()).ok();
            let found = found
                .filter(|root| disk::canonical(folder).is_ok_and(|folder| root.folder.starts_with(folder)));
            let Some(check) = found.and_then(|root| root.game?.check) else { continue };
            let install = Installs::new(self, &self.opened())?.of(input)?;
            let mut report = Report::new();
            check(&install, &mut report);
            keep_codes(codes, Code::matches, &mut report);
            if !report.is_empty() {
                let mut outcome = Outcome::new(folder.display().to_string(), None);
                container::add_warnings(&report, &mut outcome)?;
                outcome.ok = true;
                outcome.report_only = true;
                out.push(outcome);
            }
        }
        Ok(out)
    }

    /// Runs a task for every file of a known format.
    fn each(
        &self,
        inputs: &Inputs,
        options: &[(String, String)],
        task: impl Fn(&Work<'_>, &mut Outcome) -> Result<(), Error> + Sync,
    ) -> Result<Run, Error> {
        let files: Vec<_> = inputs.iter().collect();
        let mut run = self.each_of(&files, options, task)?;
        self.add_reports(inputs, &mut run);
        Ok(run)
    }

    /// Adds the outcomes of the folders themselves.
    fn add_reports(&self, inputs: &Inputs, run: &mut Run) {
        for report in inputs.reports() {
            let outcome = Outcome { ok: !report.is_refused(self.strictness), ..report.clone() };
            self.progress.outcome(&outcome);
            run.outcomes.push(outcome);
        }
    }

    /// Like [`Session::each`], including containers and the files in them. Also returns the number of files, known and
    /// unknown.
    fn each_inside(
        &self,
        inputs: &Inputs,
        options: &[(String, String)],
        task: impl Fn(&Work<'_>, &mut Outcome) -> Result<(), Error> + Sync,
    ) -> Result<(Run, u64), Error> {
        let files: Vec<_> = inputs.iter().collect();
        let count = files.len() as u64;
        let Some(contents) = self.open_containers(&files, Keep::Always) else {
            return Ok((self.each(inputs, options, task)?, count));
        };
        let all: Vec<_> = contents.inputs.iter().collect();
        let mut run = self.each_of_all(&all, Some(contents.skipped), &self.opened(), options, task)?;
        self.add_reports(inputs, &mut run);
        Ok((run, count + contents.files))
    }

    fn each_of(
        &self,
        files: &[&Input],
        options: &[(String, String)],
        task: impl Fn(&Work<'_>, &mut Outcome) -> Result<(), Error> + Sync,
    ) -> Result<Run, Error> {
        self.each_of_all(files, None, &self.opened(), options, task)
    }

    /// Like [`Session::each_of`], with files in containers that are already counted, in a run that opens the files in
    /// `opened`.
    fn each_of_all(
        &self,
        files: &[&Input],
        skipped: Option<SkippedFiles>,
        opened: &OpenedFiles,
        options: &[(String, String)],
        task: impl Fn(&Work<'_>, &mut Outcome) -> Result<(), Error> + Sync,
    ) -> Result<Run, Error> {
        let workers = Workers::new(self.threads);
        let mut sorted = Sorted::of_files(self, options, files, opened, &workers)?;
        skipped.into_iter().for_each(|skipped| sorted.skipped.add_all(skipped));
        let outcomes = workers.work(self, &sorted.works, |_, work, outcome| match work.input.report() {
            Some(report) => container::add_warnings(report, outcome),
            None => task(work, outcome),
        });
        let containers = sorted.failures();
        let hints = sorted.hints(&outcomes);
        let (unknown, known) = sorted.skipped.into_counts();
        Ok(Run { outcomes, unknown, known, containers, hints, ..Run::default() })
    }
}

/// Checks one file: reports the findings of its format and the warnings that its conversion would raise. Collects findings
/// in `found`, and returns the fixes among them.
fn check_one(
    work: &Work<'_>,
    codes: &[String],
    outcome: &mut Outcome,
    mut found: Report,
) -> Result<Vec<Fix>, Error> {
    let (asset, source) = work.open(outcome)?;
    outcome.description = Some(asset.describe(Detail::Brief));
    let around = work.game_context()?;
    asset.check(&around.context(), &mut found);
    let format = work.format()?;
    let name = work.input.shown();
    let target = Target::new(name.rsplit('/').next().unwrap_or_default(), 1.0);
    check_conversion(format, (&*asset, source.len()), &around.context(), target, &mut found);
    let is_damaged = [&found, &outcome.warnings].iter().any(|it| it.worst() == Some(Severity::Error));
    let is_meant = |code: &Code, by: &str| format.matches(code, by);
    keep_codes(codes, is_meant, &mut found);
    let mut fixes = found.take_fixes();
    if is_damaged {
        // Repairing outer fields would hide damage inside.
        fixes.clear();
    }
    outcome.warnings.append(found);
    outcome.warnings.locate(|visitor| format.trace(&*asset, &source, visitor));
    keep_codes(codes, is_meant, &mut outcome.warnings);
    Ok(fixes)
}

/// Removes warnings whose codes were not requested.
fn keep_codes(codes: &[String], is_meant: impl Fn(&Code, &str) -> bool, report: &mut Report) {
    if !codes.is_empty() {
        report.retain(|code| codes.iter().any(|asked| is_meant(code, asked)));
    }
}

/// Returns the record that unpacking the typed file writes.
#[cfg(test)]
pub(crate) fn typed_record(
    format: &'static Format,
    asset: &dyn Asset,
    source: &Source,
    name: &str,
) -> Result<Value, Error> {
    let unpacked = typed::Typed::unpack(format, asset, source, name, &mut Report::new())?;
    Ok(typed::root_of(&unpacked)?.to_value())
}

/// Adds the warnings that converting a file of `length` bytes would raise, except codes that are already reported.
fn check_conversion(
    format: &Format,
    (asset, length): (&dyn Asset, u64),
    context: &Context<'_>,
    target: Target<'_>,
    report: &mut Report,
) {
    if let Some(output) = output_of(format, None) {
        let mut lost = Report::new();
        output.check_conversion((asset, length), context, target, &mut lost);
        report.append_new_codes(lost);
    }
}

/// Describes one file.
fn describe<'p>(
    detail: Detail,
    positions: &'p [Vec<f64>],
) -> impl Fn(&Work<'_>, &mut Outcome) -> Result<(), Error> + use<'p> {
    move |work, outcome| {
        let (asset, _, mut description) = described(work, outcome, detail)?;
        let fields = asset.unit_fields();
        if detail == Detail::Full && !fields.is_empty() {
            description.fields = Document::of(&WithViews { record: description.fields, fields })?;
        }
        if !positions.is_empty() {
            let found = at_positions(work, &*asset, positions)?;
            description.fields = with_positions(&description.fields, found)?;
        }
        outcome.description = Some(description);
        Ok(())
    }
}

/// Returns the details at positions in a file.
fn at_positions(work: &Work<'_>, asset: &dyn Asset, positions: &[Vec<f64>]) -> Result<Value, Error> {
    let around = work.game_context()?;
    let format = work.format()?;
    let at = |position: &Vec<f64>| {
        let found = asset.at(&around.context(), position)?;
        found.ok_or_else(|| Error::usage(format!("`{}` files have no positions to describe", format.id)))
    };
    positions.iter().map(at).collect()
}

/// Adds the details at positions to the resolved fields; returns only the details if the fields are not those of the entire
/// file.
fn with_positions(fields: &Document, found: Value) -> Result<Document, Error> {
    const NAME: &str = "at";
    if fields.root().get("resolved").is_none() {
        return Ok(Document::object(|out| {
            out.put(NAME, &found);
        }));
    }
    let mut edits = Edits::default();
    edits.add(&[Step::Member("resolved")], NAME, Arc::new(found));
    fields.edited(&edits)
}

/// Opens a file and describes it.
fn described(
    work: &Work<'_>,
    outcome: &mut Outcome,
    detail: Detail,
) -> Result<(Box<dyn Asset>, Source, Description), Error> {
    let (asset, source) = work.open(outcome)?;
    let format = work.format()?;
    outcome.warnings.locate(|visitor| format.trace(&*asset, &source, visitor));
    let mut description = asset.describe(detail);
    asset.describe_in_game(&work.game_context()?.context(), &mut description);
    description.derived = match detail {
        Detail::Brief => &[],
        Detail::Full if format.pack.is_none() => &["*"],
        Detail::Full => description.derived,
    };
    Ok((asset, source, description))
}
