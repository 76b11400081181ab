//! Work on many files at once: described, checked or converted in parallel, one bad file never stopping the rest.

#[cfg(feature = "fs")]
mod archive;
#[cfg(feature = "fs")]
mod archive_output;
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
mod inside;
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
pub use archive::{ArchiveEdit, ArchiveOutput, EditedArchive, EntryChange, EntryFate};
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
    DiffOptions, ExtractOptions, ExtractedPictures, Overview, PackOptions, UnpackOptions,
};
pub use pattern::{Pattern, Patterns};
pub use progress::Progress;
pub use replace::Replaced;
pub use scan::{FormatScan, Malformed, Scan};
#[cfg(feature = "scripts")]
pub use script::{
    Assembled, FormattedText, GraphEdge, GraphNode, GraphPlace, ScriptGraph, ScriptTests, TestFailure,
    TestProblem, TestedScript, TextPosition, UnpackedEditor,
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

/// What to do when a file fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OnFailure {
    /// Go on with the others.
    #[default]
    KeepGoing,
    /// Begin no more. The run ends with the first file, in order, that failed.
    Stop,
}

/// How files are worked on: what is known of games, where references are looked up, what counts as a failure, what may be written. Each kind of
/// work takes options of its own.
///
/// ```no_run
/// use antiquary::{CheckOptions, Inputs, Session, Strictness};
///
/// let session = Session::default().game("Redguard").strictness(Strictness::Strict);
/// let run = session.check(&Inputs::gather(&["mod".into()]), &CheckOptions::default())?;
/// assert!(run.is_success());
/// # Ok::<(), antiquary::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Session<'p> {
    /// The formats to recognize.
    pub catalog: Catalog,
    /// Folders in which referenced files are looked up; earlier ones take precedence. If there are none, the game around each input is found by
    /// its layout.
    pub games: Vec<PathBuf>,
    /// The game in which referenced files are looked up, whatever `games` says: one in [memory](files::layer::MemoryLayer), or one that several
    /// sessions share.
    pub install: Option<Arc<Install>>,
    /// How many files are worked on at once; 0 is one for each processor.
    pub threads: usize,
    /// What to do when a file fails.
    pub on_failure: OnFailure,
    /// What counts as a failure.
    pub strictness: Strictness,
    /// Whether outputs may replace files that are no inputs.
    pub overwrite: Overwrite,
    /// Whether files are written, or only what would be is reported.
    pub writing: WriteMode,
    /// The files that were opened, which are never overwritten. Without a list each run has one of its own; with one, all runs share it.
    pub opened_files: Option<OpenedFiles>,
    /// Which symbolic links in folders are followed.
    pub links: Links,
    /// Receives what happens, and can cancel.
    pub progress: &'p dyn Progress,
}

impl Session<'static> {
    /// A session that recognizes these formats.
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
    /// Adds a folder in which referenced files are looked up, after those that were added before.
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

    /// Sets how many threads work at once, on several files or within one; 0 is one for each processor.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Runs work on the threads of the session. What can be divided, such as baking the textures of a room, is done by all of them; elsewhere it
    /// is done by the calling thread.
    ///
    /// ```no_run
    /// let room = antiquary::open("room2_opt.rmesh")?;
    /// let scene = antiquary::Session::default().run(|| room.scene())?;
    /// # Ok::<(), antiquary::Error>(())
    /// ```
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        Workers::new(self.threads).run(work)
    }

    /// Sets what to do when a file fails.
    #[must_use]
    pub fn on_failure(self, on_failure: OnFailure) -> Self {
        Self { on_failure, ..self }
    }

    /// Sets what counts as a failure.
    #[must_use]
    pub fn strictness(self, strictness: Strictness) -> Self {
        Self { strictness, ..self }
    }

    /// Sets whether outputs may replace files that are no inputs.
    #[must_use]
    pub fn overwrite(self, overwrite: Overwrite) -> Self {
        Self { overwrite, ..self }
    }

    /// Sets whether files are written, or only what would be is reported.
    #[must_use]
    pub fn writing(self, writing: WriteMode) -> Self {
        Self { writing, ..self }
    }

    /// Sets which symbolic links in folders are followed.
    #[must_use]
    pub fn links(self, links: Links) -> Self {
        Self { links, ..self }
    }

    /// Sets what receives what happens.
    #[must_use]
    pub fn progress<'q>(self, progress: &'q dyn Progress) -> Session<'q>
    where
        'p: 'q,
    {
        Session { progress, ..self }
    }

    /// Keeps one list of all files that are opened from now on, so that no run overwrites what another has opened.
    #[must_use]
    pub fn protect_opened_files(self) -> Self {
        Self { opened_files: Some(self.opened()), ..self }
    }

    /// As [`Inputs::find`], with the links of the session.
    #[must_use]
    pub fn find_inputs(&self, paths: &[PathBuf]) -> Inputs {
        Inputs::find_with(self.catalog, paths, self.links)
    }

    /// As [`Inputs::gather`], with the links of the session. Ends early, with the files found so far, when the work is canceled.
    #[must_use]
    pub fn gather(&self, paths: &[PathBuf]) -> Inputs {
        Inputs::gather_with(paths, self.links, self.progress)
    }

    /// The files that one run opens.
    fn opened(&self) -> OpenedFiles {
        let of_install = || self.install.as_ref().map(|install| install.opened().clone());
        self.opened_files.clone().or_else(of_install).unwrap_or_default()
    }

    /// Watches over what one run writes, which opens these files.
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
    /// When a game folder does not exist. What is wrong with a file is in its outcome.
    pub fn describe(&self, inputs: &Inputs, options: &DescribeOptions) -> Result<Run, Error> {
        self.each(inputs, &[], describe(options.detail, &options.places))
    }

    /// Describes every file briefly and checks it. With [`ArchiveContents::Check`] the files in containers are checked too.
    ///
    /// # Errors
    /// When no format has an option, or a game folder does not exist. What is wrong with a file is in its outcome.
    pub fn check(&self, inputs: &Inputs, options: &CheckOptions) -> Result<Run, Error> {
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

    /// What is to be said of the games that were given as folders.
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
            keep_codes(codes, Code::is_meant, &mut report);
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

    /// Does the same with every file that is of a known format.
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

    /// Adds the outcomes for the folders themselves.
    fn add_reports(&self, inputs: &Inputs, run: &mut Run) {
        for report in inputs.reports() {
            let outcome = Outcome { ok: !report.is_refused(self.strictness), ..report.clone() };
            self.progress.outcome(&outcome);
            run.outcomes.push(outcome);
        }
    }

    /// The same with containers and the files in them; tells too how many files there are, known and unknown.
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

    /// The same where files in containers were counted already, in a run that opens these files.
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

/// Checks one file: reports what its format finds, and what its conversion would warn of. Collects findings in `found`, and returns the fixes among them.
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
    rehearse(format, (&*asset, source.len()), &around.context(), target, &mut found);
    let is_damaged = [&found, &outcome.warnings].iter().any(|it| it.worst() == Some(Severity::Error));
    let is_meant = |code: &Code, by: &str| format.is_meant(code, by);
    keep_codes(codes, is_meant, &mut found);
    let mut fixes = found.take_fixes();
    if is_damaged {
        // What is whole again on the outside would hide what is missing within.
        fixes.clear();
    }
    outcome.warnings.append(found);
    outcome.warnings.locate(|visitor| format.trace(&*asset, &source, visitor));
    keep_codes(codes, is_meant, &mut outcome.warnings);
    Ok(fixes)
}

/// Drops what is of no code that is asked for.
fn keep_codes(codes: &[String], is_meant: impl Fn(&Code, &str) -> bool, report: &mut Report) {
    if !codes.is_empty() {
        report.retain(|code| codes.iter().any(|asked| is_meant(code, asked)));
    }
}

/// The typed file that is unpacked.
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

/// Adds the warnings that converting a file of `length` bytes would raise, apart from codes that are reported already.
fn rehearse(
    format: &Format,
    (asset, length): (&dyn Asset, u64),
    context: &Context<'_>,
    target: Target<'_>,
    report: &mut Report,
) {
    if let Some(output) = output_of(format, None) {
        let mut lost = Report::new();
        output.rehearse((asset, length), context, target, &mut lost);
        report.append_new_codes(lost);
    }
}

/// Describes one file.
fn describe<'p>(
    detail: Detail,
    places: &'p [Vec<f64>],
) -> impl Fn(&Work<'_>, &mut Outcome) -> Result<(), Error> + use<'p> {
    move |work, outcome| {
        let (asset, _, mut description) = described(work, outcome, detail)?;
        let fields = asset.unit_fields();
        if detail == Detail::Full && !fields.is_empty() {
            description.fields = Document::of(&WithViews { record: description.fields, fields })?;
        }
        if !places.is_empty() {
            let found = at_places(work, &*asset, places)?;
            description.fields = with_places(&description.fields, found)?;
        }
        outcome.description = Some(description);
        Ok(())
    }
}

/// What is known of places in a file.
fn at_places(work: &Work<'_>, asset: &dyn Asset, places: &[Vec<f64>]) -> Result<Value, Error> {
    let around = work.game_context()?;
    let format = work.format()?;
    let at = |place: &Vec<f64>| {
        let found = asset.at(&around.context(), place)?;
        found.ok_or_else(|| Error::usage(format!("there are no places in `{}` files", format.id)))
    };
    places.iter().map(at).collect()
}

/// Fields with what is known of places among what they mean; only that, where the fields are not those of the whole file.
fn with_places(fields: &Document, found: Value) -> Result<Document, Error> {
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

/// Opens a file, and describes it.
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
