//! Listing and extracting the contents of containers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use asset::archive::{Archive, Content, Entry, NAME_LOST, RENAMED};
use asset::container::Container;
use asset::game::MakePicture;
use asset::{Error, FolderSink, Format, Guard, PathError, Report, Sink};
use files::name::Namer;

use super::container::add_warnings;
use super::input::Member;
use super::pattern::Patterns;
use super::work::Sorted;
use super::workers::Workers;
use super::{ExtractOptions, ExtractedPictures, Input, Session};
use crate::run::{Listed, Outcome, Run};

impl Session<'_> {
    /// Lists the entries of containers that match the patterns, in container order.
    #[must_use]
    pub fn list(&self, containers: &[PathBuf], patterns: &Patterns) -> Run {
        let outcomes = containers.iter().map(|path| {
            let mut outcome = Outcome::new(path.display().to_string(), None);
            let result = self.list_one(path, patterns, &mut outcome);
            outcome.error = result.err().map(|error| error.in_file(path));
            outcome.ok = outcome.error.is_none() && !outcome.is_refused(self.strictness);
            outcome
        });
        Run { outcomes: outcomes.collect(), ..Run::default() }
    }

    fn list_one(&self, path: &Path, patterns: &Patterns, outcome: &mut Outcome) -> Result<(), Error> {
        let (format, container, length) = self.container(path, &mut outcome.warnings)?;
        (outcome.format, outcome.length) = (Some(format.id), Some(length));
        let archive = container.archive()?;
        refuse_unmatched(patterns, archive.entries())?;
        let numbered = (0_usize..).zip(archive.entries()).filter(|(_, entry)| patterns.choose(entry));
        let chosen = numbered.map(|(number, entry)| Listed { number, entry: entry.into_owned() });
        outcome.entries = Some(chosen.collect());
        Ok(())
    }

    /// Extracts the files of a container that match the patterns into a folder, each under its own path. Names are made safe
    /// for every file system. Files whose path leads out of the folder are rejected; files that cannot be opened are
    /// reported.
    ///
    /// # Errors
    /// Fails if the file is not a container that can be opened, or if a pattern has no match. Errors of a single file are in
    /// its outcome.
    pub fn extract(&self, container: &Path, folder: &Path, options: &ExtractOptions) -> Result<Run, Error> {
        let patterns = &options.patterns;
        let mut report = Report::new();
        let in_file = |error: Error| error.in_file(container);
        let (format, opened, length) = self.container(container, &mut report).map_err(in_file)?;
        let files = opened.archive().map_err(in_file)?.entries().filter(|entry| entry.content.is_file());
        refuse_unmatched(patterns, files).map_err(in_file)?;
        let inputs = self.chosen(container, (format, opened, length), patterns, report);
        let opened_files = self.opened();
        let guard = self.guard(&opened_files);
        guard.protect(container);
        let picture = self.picture_maker(format, options.pictures);
        let (guard, names) = (Arc::new(guard), names(&inputs, picture.is_some()));
        // Entries that share bytes could fill any disk.
        let left = AtomicU64::new(max_content(length));
        let workers = Workers::new(self.threads);
        let sorted = Sorted::unparsed(self, &inputs, format, &opened_files)?;
        let outcomes = workers.work(self, &sorted.works, |index, work, outcome| {
            if let Some(report) = work.input.report() {
                return add_warnings(report, outcome);
            }
            let name = match names.get(index) {
                Some(Some(Ok(name))) => name,
                Some(Some(Err(why))) => return Err(Error::usage(format!("{why}, so it is not extracted"))),
                _ => return Err(Error::usage("the entry has no name")),
            };
            extract_one((work.input, name, picture), folder, &guard, &left, outcome)
        });
        Ok(Run { outcomes, ..Run::default() })
    }

    /// Returns the function that converts images to PNG, if requested and supported.
    fn picture_maker(&self, format: &Format, pictures: ExtractedPictures) -> Option<MakePicture> {
        let archives = self.catalog.games().iter().filter_map(|game| game.archives);
        let mut own = archives.filter(|archives| archives.format.id == format.id);
        own.next()?.picture.filter(|_| pictures == ExtractedPictures::Png)
    }

    /// Returns the files to extract, preceded by the container if opening it raised warnings.
    fn chosen(
        &self,
        path: &Path,
        (format, container, archive_length): (&'static Format, Container, u64),
        patterns: &Patterns,
        report: Report,
    ) -> Vec<Input> {
        let container_input = Input::file(path);
        let (container, path) = (Arc::new(container), Arc::<Path>::from(path));
        let archive: &dyn Archive = &*container;
        let entries = (0_usize..).zip(archive.entries());
        let chosen = entries.filter(|(_, entry)| entry.content == Content::File && patterns.choose(entry));
        let members = chosen.map(|(index, _)| {
            let (container, path) = (Arc::clone(&container), Arc::clone(&path));
            let member = Member { container, path, format, archive_length, index };
            container_input.in_container(member, Path::new(""))
        });
        let report = (!report.is_empty()).then(|| container_input.report_only(report));
        report.into_iter().chain(members).collect()
    }
}

/// Returns the maximum total length of an archive's files if no two entries share bytes: deflate compresses at most 1,032
/// bytes into one.
const fn max_content(length: u64) -> u64 {
    length.saturating_mul(1032)
}

/// Returns a safe name for each input, in order; `None` if it is not an entry.
fn names(inputs: &[Input], as_png: bool) -> Vec<Option<Result<String, PathError>>> {
    let mut namer = Namer::new();
    let mut name = |member: &Member| namer.file(&target_name(&member.name(), as_png));
    inputs.iter().map(|input| input.member().map(&mut name)).collect()
}

/// Returns the output name of a file: bitmaps that are converted to PNG get another extension.
fn target_name(name: &str, as_png: bool) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) if as_png && extension.eq_ignore_ascii_case("bmp") => format!("{stem}.png"),
        _ => name.to_owned(),
    }
}

fn extract_one(
    (input, name, picture): (&Input, &str, Option<MakePicture>),
    folder: &Path,
    guard: &Arc<Guard>,
    left: &AtomicU64,
    outcome: &mut Outcome,
) -> Result<(), Error> {
    let source = input.source()?;
    outcome.length = Some(source.len());
    let take = |left: u64| left.checked_sub(source.len());
    if left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err() {
        return Err(Error::limit(
            "the files of this archive have more bytes than it can contain: entries share the same bytes; extract those that you need by name",
        ));
    }
    let original = input.member().map(Member::name).unwrap_or_default();
    let made = match picture {
        Some(make) => make(&original, &source).map_err(|error| {
            let message = format!("{}; extract it without --png to get it as it is", error.message());
            Error::new(error.kind(), message)
        })?,
        None => None,
    };
    let mut sink = FolderSink::new(folder, Arc::clone(guard));
    match made {
        Some(png) => sink.put(name, &png)?,
        None => sink.put_source(name, &source)?,
    }
    let written = sink.finish()?;
    outcome.outputs = written.iter().map(|path| path.display().to_string()).collect();
    if original.contains(char::REPLACEMENT_CHARACTER) {
        let message = format!("\"{original}\" has bytes that cannot be decoded in the game's character set");
        outcome.warnings.warn(&NAME_LOST, message);
    }
    let target = target_name(&original, picture.is_some());
    let plain = asset::GamePath::parse(&target).is_ok_and(|path| path.as_str() == name);
    if !plain {
        outcome.warnings.warn(&RENAMED, format!("\"{original}\" is written as \"{name}\""));
    }
    Ok(())
}

/// Rejects patterns without matches, which are most likely mistakes.
pub(super) fn refuse_unmatched<'a>(
    patterns: &Patterns,
    entries: impl Iterator<Item = Entry<'a>>,
) -> Result<(), Error> {
    let names: Vec<_> = entries.map(|entry| entry.name).collect();
    let unmatched = patterns.unmatched(&names.iter().map(AsRef::as_ref).collect::<Vec<_>>());
    if unmatched.is_empty() {
        return Ok(());
    }
    let quoted: Vec<_> = unmatched.iter().map(|text| format!("\"{text}\"")).collect();
    Err(Error::usage(format!("no entry matches {}", quoted.join(", "))))
}
