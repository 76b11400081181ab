//! Conversion of many files.

use files::disk;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::convert::Observer;
use asset::{
    Asset, Can, Detail, Error, FolderSink, Format, Guard, MemorySink, OutputWriter, Overwrite, Report, Sink,
    Target, counted,
};
use files::sink::{SharedFiles, WriteMode};

use super::container::{Keep, add_warnings};
use super::plan::{Planned, output_in_folder, output_of, plan};
use super::work::{Sorted, Work};
use super::workers::Workers;
use crate::run::{Page, SharedSummary};

use super::destination::refuse_file_name;
use super::{ConvertOptions, Destination, Input, Inputs, Overview, Progress, Session};
use crate::catalog::Catalog;
use crate::gallery::{self, Gallery, GalleryEntry};
use crate::run::{Outcome, Run, Strictness};

impl Session<'_> {
    /// Converts every convertible file. A destination folder mirrors the folder tree of the inputs. Inputs are never
    /// overwritten. The destination folder may be inside a folder of the inputs; outputs of earlier runs in it are not
    /// inputs.
    ///
    /// # Errors
    /// Fails if no format has a requested option or output, if a game folder does not exist, or if the destination is a
    /// folder among the inputs that itself contains inputs. Errors of a single file are in its outcome.
    pub fn convert(
        &self,
        inputs: &Inputs,
        destination: &Destination,
        options: &ConvertOptions,
    ) -> Result<Run, Error> {
        let mut run = self.convert_where(&|_| true, inputs, destination, options)?;
        refuse_without_output(&mut run, inputs, self.progress);
        Ok(run)
    }

    /// Converts only the files for which `wanted` returns true.
    pub(super) fn convert_where(
        &self,
        wanted: &dyn Fn(&Work<'_>) -> bool,
        inputs: &Inputs,
        destination: &Destination,
        options: &ConvertOptions,
    ) -> Result<Run, Error> {
        options.validate()?;
        let (files, inside) = without_outputs(inputs, destination);
        let contents = self.open_containers(&files, Keep::IfDefective);
        let destination = &for_contents(destination, contents.is_some(), self.catalog)?;
        let opened = self.opened();
        let shared = match destination {
            Destination::Folder(folder) => Some(SharedFiles::new(folder)),
            Destination::File(_) => None,
        };
        let guard = self.guard(&opened).replacing_at_end().with_shared(shared);
        files.iter().filter_map(|input| input.on_disk_in()).for_each(|path| guard.protect(path));
        let guard = Arc::new(guard);
        let all = contents.as_ref().map_or(files, |contents| contents.inputs.iter().collect());
        let workers = Workers::new(self.threads);
        let mut sorted = Sorted::of_files(self, &options.options, &all, &opened, &workers)?;
        contents.iter().for_each(|contents| sorted.skipped.add_all(contents.skipped.clone()));
        self.refuse_folder_of_other_game(&sorted.works, destination)?;
        let to = options.to.as_deref();
        let left_out = leave_out(&mut sorted.works, to);
        sorted.works.retain(wanted);
        let plan = plan(&sorted.works, destination, to)?;
        self.refuse_inputs_inside(&inside, destination, to, &plan)?;
        let gallery = self.gallery(&sorted.works, destination, options.overview, &guard);
        let shown = gallery.as_ref().and_then(|gallery| gallery.as_ref().ok());
        let mut outcomes = workers.work(self, &sorted.works, |index, work, outcome| {
            if let Some(report) = work.input.report() {
                return add_warnings(report, outcome);
            }
            match plan.get(index).and_then(Option::as_ref) {
                Some(planned) => workers.run(|| {
                    let shown = shown.map(|it| (it, index));
                    self.convert_one((work, planned), (options, &workers), &guard, shown, outcome)
                }),
                None => Err(cannot_be_converted(work, to)),
            }
        });
        refuse(&mut outcomes, &guard.finish(), self.progress);
        let names: Vec<_> = sorted.works.iter().map(|work| work.input.shown()).collect();
        let containers = sorted.failures();
        let hints = sorted.hints(&outcomes);
        let (unknown, known) = sorted.skipped.into_counts();
        let mut run = Run { outcomes, unknown, known, left_out, containers, hints, ..Run::default() };
        if let (Some(gallery), Destination::Folder(out)) = (gallery, destination) {
            let written = gallery.and_then(|gallery| gallery.write(&run, &names, self.catalog, &guard));
            let written = written.and_then(|page| match guard.finish().into_iter().next() {
                Some((_, error)) => Err(error),
                None => Ok(page),
            });
            run.gallery = page(out, written);
        }
        self.add_reports(inputs, &mut run);
        run.shared = guard.shared().and_then(SharedSummary::of);
        run.leftovers = guard.leftovers().iter().map(|path| path.display().to_string()).collect();
        Ok(run)
    }

    /// Rejects a destination that contains converted files of another game, unless overwriting is allowed.
    fn refuse_folder_of_other_game(
        &self,
        works: &[Work<'_>],
        destination: &Destination,
    ) -> Result<(), Error> {
        let Destination::Folder(out) = destination else { return Ok(()) };
        let own = works.iter().filter(|work| work.input.root().is_some());
        let own: BTreeSet<_> = own.filter_map(|work| work.format().ok()?.game).collect();
        let there = gallery::games_in(out);
        let is_other = !own.is_empty() && own.iter().all(|game| there.iter().all(|id| id != game));
        let names: Vec<_> =
            self.catalog.games().iter().filter(|game| there.iter().any(|id| id == game.id)).collect();
        if self.overwrite == Overwrite::Allow || !is_other || names.is_empty() {
            return Ok(());
        }
        let names = names.iter().map(|game| game.name).collect::<Vec<_>>().join(", ");
        let message = format!(
            "contains the converted files of another game ({names}); choose another output folder, or use --force to mix them"
        );
        Err(Error::usage(message).in_file(out))
    }

    /// Rejects a destination folder that contains convertible files, unless earlier runs wrote them: they would be left out.
    fn refuse_inputs_inside(
        &self,
        inside: &[&Input],
        destination: &Destination,
        to: Option<&str>,
        plan: &[Option<Planned>],
    ) -> Result<(), Error> {
        let Destination::Folder(out) = destination else { return Ok(()) };
        let planned: HashSet<_> = plan.iter().flatten().map(|planned| planned.name_in(out)).collect();
        let canonical = disk::canonical(out).unwrap_or_default();
        let is_input = |input: &Input| {
            let path = disk::canonical(input.path()).unwrap_or_default();
            let name = path.strip_prefix(&canonical).unwrap_or(&path).to_string_lossy().to_lowercase();
            let found = || input.detect(self.catalog).ok()?.1.map(|detected| detected.format);
            !planned.contains(&name)
                && found().is_some_and(|format| format.can(Can::List) || output_of(format, to).is_some())
        };
        let mut left_out = inside.iter().filter(|input| is_input(input));
        let Some(first) = left_out.next() else { return Ok(()) };
        let files = counted(left_out.count() + 1, "input file", "input files");
        let what = format!("contains {files} (such as {}) that would be left out", first.path().display());
        Err(Error::usage(format!("{what}; choose another output folder")).in_file(out))
    }

    /// Creates the gallery if the conversion has one; the inner result is the error if it cannot be created.
    fn gallery(
        &self,
        works: &[Work<'_>],
        destination: &Destination,
        overview: Overview,
        guard: &Arc<Guard>,
    ) -> Option<Result<Gallery, Error>> {
        let Destination::Folder(out) = destination else { return None };
        let has_folder = works.iter().any(|work| work.input.root().is_some());
        let is_wanted = has_folder && overview.is_gallery();
        is_wanted.then(|| Gallery::new(out, works.len(), self.overwrite, guard))
    }

    /// Converts one file in memory: to [`ConvertOptions::to`], or to the first output of its format.
    ///
    /// # Errors
    /// Fails as [`Session::convert`] does, and if the file cannot be converted.
    pub fn convert_to_memory(
        &self,
        inputs: &Inputs,
        options: &ConvertOptions,
    ) -> Result<(Outcome, MemorySink), Error> {
        options.validate()?;
        let extension = options.to.as_deref();
        let name = PathBuf::from(format!("output.{}", extension.unwrap_or_default()));
        let destination = match extension {
            Some(_) => Destination::File(name),
            None => Destination::Folder(PathBuf::new()),
        };
        let workers = Workers::new(self.threads);
        let sorted = Sorted::new(self, &options.options, inputs, &self.opened(), &workers)?;
        let plan = plan(&sorted.works, &destination, extension)?;
        let sink = std::sync::Mutex::new(MemorySink::new());
        let mut outcomes = workers.work(self, &sorted.works, |index, work, outcome| {
            let planned = plan
                .get(index)
                .and_then(Option::as_ref)
                .ok_or_else(|| cannot_be_converted(work, extension))?;
            let mut locked = sink.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let sink: &mut MemorySink = &mut locked;
            let outputs = std::slice::from_ref(planned.output());
            let job = Job { work, planned, outputs, is_single_file: true };
            workers.run(|| export(&job, (options, &workers), sink, &mut (), outcome))?;
            outcome.outputs = sink.files().iter().map(|(name, _)| name.clone()).collect();
            Ok(())
        });
        let sink = sink.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        match (outcomes.pop(), outcomes.is_empty()) {
            (Some(outcome), true) => Ok((outcome, sink)),
            _ => Err(Error::usage("exactly one file can be converted into memory")),
        }
    }

    fn convert_one(
        &self,
        (work, planned): (&Work<'_>, &Planned),
        (options, workers): (&ConvertOptions, &Workers),
        guard: &Arc<Guard>,
        gallery: Option<(&Gallery, usize)>,
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        let mut sink: FolderSink = planned.sink(guard);
        let mut entry = GalleryEntry::default();
        let outputs: Vec<_> = std::iter::once(planned.output()).chain(planned.further()).cloned().collect();
        let job = Job { work, planned, outputs: &outputs, is_single_file: false };
        if let Some((gallery, _)) = gallery {
            let mut watch = gallery.watch();
            let asset = export(&job, (options, workers), &mut sink, &mut watch, outcome)?;
            entry = watch.into_entry();
            entry.summary = asset.describe(Detail::Brief).summary;
        } else {
            export(&job, (options, workers), &mut sink, &mut (), outcome)?;
        }
        // A failed conversion leaves no output; a file with mere notes, or a damaged file that could be read, is written.
        if self.strictness == Strictness::Strict && outcome.is_refused(self.strictness) {
            return Ok(());
        }
        if self.writing == WriteMode::Write {
            let lengths = sink.pending().filter_map(|path| Some(disk::metadata(path).ok()?.len()));
            outcome.written = Some(lengths.fold(0, u64::saturating_add));
        }
        let written = sink.finish()?;
        outcome.outputs = written.iter().map(|path| path.display().to_string()).collect();
        if let Some((gallery, index)) = gallery {
            gallery.keep(index, entry);
        }
        Ok(())
    }
}

/// A file to convert.
struct Job<'a> {
    work: &'a Work<'a>,
    planned: &'a Planned,
    outputs: &'a [OutputWriter],
    /// Whether only one file can be written.
    is_single_file: bool,
}

/// Opens a file and writes its outputs.
fn export(
    &Job { work, planned, outputs, is_single_file }: &Job<'_>,
    (options, workers): (&ConvertOptions, &Workers),
    sink: &mut dyn Sink,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<Box<dyn Asset>, Error> {
    let (asset, source) = work.open(outcome)?;
    let _reserved = workers.reserve_for_scene(&*asset);
    let around = work.game_context()?;
    let separate_models = work.input.root().is_some();
    let context = around.context();
    let target = Target {
        separate_models,
        vertices: options.vertices,
        compression: options.compression,
        is_single_file,
        ..planned.target(options.scale)
    };
    let format = work.format()?;
    let mut write = |output: &OutputWriter, report: &mut Report| {
        output.write(&*asset, &context, target, sink, observer, report)
    };
    let mut done = Ok(());
    for (index, output) in outputs.iter().enumerate() {
        if index == 0 {
            done = write(output, &mut outcome.warnings);
        } else if done.is_ok() {
            // Several outputs lose the same data.
            let mut report = Report::new();
            done = write(output, &mut report);
            outcome.warnings.append_new_codes(report);
        }
    }
    outcome.warnings.locate(|visitor| format.trace(&*asset, &source, visitor));
    match done {
        Ok(()) => Ok(asset),
        Err(error) => Err(format.locate_error(&*asset, &source, error)),
    }
}

/// Marks a single input as failed if it has no product of the requested kind. Among several inputs, such files are skipped.
fn refuse_without_output(run: &mut Run, inputs: &Inputs, progress: &dyn Progress) {
    let [outcome] = run.outcomes.as_mut_slice() else { return };
    if inputs.is_one_file() && outcome.ok && outcome.outputs.is_empty() && outcome.warnings.is_empty() {
        let error = Error::unsupported("the file contains nothing that can be converted to this format");
        (outcome.error, outcome.ok) = (Some(error), false);
        progress.outcome(outcome);
    }
}

/// Marks inputs as failed if their outputs could not replace existing files, and reports them again.
fn refuse(outcomes: &mut [Outcome], refused: &[(PathBuf, Error)], progress: &dyn Progress) {
    for (path, error) in refused {
        let path = path.display().to_string();
        let Some(outcome) = outcomes.iter_mut().find(|outcome| outcome.outputs.contains(&path)) else {
            continue;
        };
        outcome.outputs.retain(|output| *output != path);
        if outcome.error.is_none() {
            outcome.error = Some(error.clone());
            outcome.ok = false;
            progress.outcome(outcome);
        }
    }
}

/// Returns the gallery's page, or `None` if it had nothing to show.
fn page(out: &Path, written: Result<Option<PathBuf>, Error>) -> Option<Page> {
    let (path, error) = match written {
        Ok(path) => (path?, None),
        Err(error) => (Gallery::page_of(out), Some(error)),
    };
    Some(Page { path: path.display().to_string(), error })
}

/// Returns the reason why an input has no output.
fn cannot_be_converted(work: &Work<'_>, to: Option<&str>) -> Error {
    let of_format = |format: &Format| match to {
        Some(extension) if format.is_convertible() => format.output_for(extension).err(),
        _ => None,
    };
    let why = work.found.as_ref().ok().copied().and_then(of_format);
    why.unwrap_or_else(|| Error::unsupported("this format does not support conversion"))
}

/// Returns the destination for inputs that may include containers, which need a folder.
fn for_contents(
    destination: &Destination,
    has_containers: bool,
    catalog: Catalog,
) -> Result<Destination, Error> {
    match destination {
        Destination::File(path) if has_containers && disk::is_file(path) => {
            let what = "is a file, but the contents of an archive need an output folder";
            Err(Error::usage(what).in_file(path))
        }
        Destination::File(path) if has_containers => {
            refuse_file_name(path, "the contents of an archive need", catalog)?;
            Ok(Destination::Folder(path.clone()))
        }
        other => Ok(other.clone()),
    }
}

/// Splits the inputs into those outside the destination folder and those inside it, if it is within an input folder.
fn without_outputs<'a>(inputs: &'a Inputs, destination: &Destination) -> (Vec<&'a Input>, Vec<&'a Input>) {
    let all = || (inputs.iter().collect(), Vec::new());
    let Destination::Folder(out) = destination else { return all() };
    let Ok(out) = disk::canonical(out) else { return all() };
    let mut inside: BTreeMap<&Path, bool> = BTreeMap::new();
    let mut is_output = |input: &&'a Input| {
        let Some(root) = input.root() else { return false };
        let lies_in_root = *inside
            .entry(root)
            .or_insert_with(|| disk::canonical(root).is_ok_and(|root| out != root && out.starts_with(root)));
        lies_in_root && disk::canonical(input.path()).is_ok_and(|path| path.starts_with(&out))
    };
    inputs.iter().partition(|input| !is_output(input))
}

/// Removes files in folders whose format cannot be converted to the requested output, and counts them by format.
fn leave_out(works: &mut Vec<Work<'_>>, to: Option<&str>) -> BTreeMap<&'static str, u64> {
    let mut left_out = BTreeMap::new();
    works.retain(|work| {
        let Ok(format) = work.found else { return true };
        if work.input.root().is_none()
            || work.input.report().is_some()
            || output_in_folder(work, to).is_some()
        {
            return true;
        }
        let count: &mut u64 = left_out.entry(format.id).or_default();
        *count += 1;
        false
    });
    left_out
}
