//! Files added to a container, removed from it and renamed in it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::archive::{Archive, Change, Compression, Content, EditMode, Entry};
use asset::container::Container;
use asset::name::composed;
use asset::sink::{Output, WriteMode};
use asset::{Charset, Error, FolderSink, Format, GamePath, Overwrite, Report, Source, disk};
use serde::Serialize;

use super::assemble::path_in_game;
use super::destination::ends_in_slash;
use super::extract::refuse_idle;
use super::pattern::Patterns;
use super::replace::find;
use super::{Inputs, Job};
use crate::run::Outcome;

/// What is to become of the files in a container.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ArchiveEdit {
    /// Files, and all files in folders, are put into it, under a folder; one that is there already is replaced.
    Add {
        /// Files and folders on disk.
        files: Vec<PathBuf>,
        /// The folder in the container; may be empty.
        folder: String,
    },
    /// What these patterns choose is removed.
    Remove(Patterns),
    /// Files and folders get other names. A new name that ends with a slash is a folder, in which they keep their own names.
    Rename(Vec<(String, String)>),
    /// All files of other containers are put into it, one container after another, with the bytes that they have there. Files that a patch marks
    /// as removed are removed.
    Merge(Vec<PathBuf>),
}

/// Where a container is written that was edited.
#[derive(Debug, Clone)]
pub enum ArchiveOutput {
    /// To a file, or under its own name into a folder.
    File(PathBuf),
    /// In its own place.
    InPlace,
}

/// A container that was edited.
#[derive(Debug)]
#[non_exhaustive]
pub struct EditedArchive {
    /// What became of its files.
    pub changes: Vec<EntryChange>,
    /// What came of it all.
    pub outcome: Outcome,
}

/// What became of one file in a container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryChange {
    /// Its name; of a renamed one the old.
    pub name: String,
    /// What became of it.
    #[serde(flatten)]
    pub what: EntryFate,
}

/// What became of a file in a container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum EntryFate {
    /// It was not there before.
    Added,
    /// It has other content.
    Replaced,
    /// It is gone.
    Removed,
    /// It has another name.
    Renamed {
        /// The new name.
        to: String,
    },
}

impl EditedArchive {
    /// The result for a container that could not be edited at all.
    #[must_use]
    pub const fn failed(outcome: Outcome) -> Self {
        Self { changes: Vec::new(), outcome }
    }
}

/// What is to be done, and what to tell of it.
struct Edit {
    changes: Vec<Change>,
    told: Vec<EntryChange>,
    /// The files that it is made of.
    inputs: Vec<PathBuf>,
}

impl Job {
    /// Writes a container with changes to its files. What is written is opened again before it gets its name. In its own place new bytes are
    /// appended, and what makes them count is written last; should anything fail, the container is as it was. With `compact`, no bytes are
    /// written that belong to no file, and in its own place the container is written anew and replaced at once.
    ///
    /// # Errors
    /// When there are no such files, two of them would have one name, or when the container cannot be read or written.
    pub fn edit_archive(
        &self,
        archive: &Path,
        edit: &ArchiveEdit,
        output: &ArchiveOutput,
        compact: bool,
    ) -> Result<EditedArchive, Error> {
        let mut outcome = Outcome::new(archive.display().to_string(), None);
        let in_archive = |error: Error| error.in_file(archive);
        let (format, container, length) = self.container(archive, &mut Report::new()).map_err(in_archive)?;
        outcome.format = Some(format.id);
        let edit = self.planned(format, &container, edit).map_err(in_archive)?;
        let check = Check { format, before: &container, edit: &edit };
        let report = &mut outcome.warnings;
        let mode = if compact { EditMode::Compact } else { EditMode::Keep };
        let target = match output {
            ArchiveOutput::InPlace if !compact => {
                outcome.length = match self.writing {
                    WriteMode::DryRun => None,
                    WriteMode::Write => Some(append(archive, length, &container, &check, report)?),
                };
                outcome.outputs = vec![archive.display().to_string()];
                outcome.ok = true;
                return Ok(EditedArchive { changes: edit.told, outcome });
            }
            ArchiveOutput::InPlace => disk::canonical(archive).map_err(|error| in_archive(error.into()))?,
            ArchiveOutput::File(out) if disk::is_folder(out) || ends_in_slash(out) => {
                out.join(archive.file_name().unwrap_or_default())
            }
            ArchiveOutput::File(out) => out.clone(),
        };
        let own = matches!(output, ArchiveOutput::InPlace);
        let job = if own { Self { overwrite: Overwrite::Allow, ..self.clone() } } else { self.clone() };
        let opened = job.opened();
        let guard = job.guard(&opened);
        let protected = edit.inputs.iter().map(PathBuf::as_path).chain((!own).then_some(archive));
        protected.for_each(|input| guard.protect(input));
        let guard = Arc::new(guard);
        let mut sink = FolderSink::for_file(&target, "archive", Arc::clone(&guard)).like(archive);
        sink.put_with("archive", |out| {
            container.edit(&edit.changes, mode, out, report).map_err(in_archive)?;
            outcome.length = Some(out.seek(SeekFrom::End(0))?);
            Ok(())
        })?;
        sink.waiting().try_for_each(|written| check.written(written))?;
        let paths: Vec<PathBuf> = sink.finish()?;
        if let Some((_, error)) = guard.finish().into_iter().next() {
            return Err(error);
        }
        outcome.outputs = paths.iter().map(|path| path.display().to_string()).collect();
        outcome.ok = true;
        Ok(EditedArchive { changes: edit.told, outcome })
    }

    fn planned(&self, format: &Format, container: &Container, edit: &ArchiveEdit) -> Result<Edit, Error> {
        let (known, charset) = (Known::new(container), self.charset_of(format));
        match edit {
            ArchiveEdit::Add { files, folder } => added(&known, files, folder, (charset, self.compression)),
            ArchiveEdit::Remove(patterns) => removed(container, patterns),
            ArchiveEdit::Rename(pairs) => renamed(container, pairs),
            ArchiveEdit::Merge(archives) => self.merged(&known, container, archives),
        }
    }

    /// What other containers bring, one after another.
    fn merged(&self, known: &Known, base: &Container, archives: &[PathBuf]) -> Result<Edit, Error> {
        let is_mark = |entry: &Entry<'_>| entry.content == Content::Removed;
        let archive: &dyn Archive = base;
        // A patch keeps the marks of other patches, for it is laid over files that it does not hold.
        let keeps_marks = archive.entries().any(|entry| is_mark(&entry));
        let mut merged: BTreeMap<String, (String, Option<Change>)> = BTreeMap::new();
        for path in archives {
            let (_, other, _) =
                self.container(path, &mut Report::new()).map_err(|error| error.in_file(path))?;
            let other = Arc::new(other);
            let (entries, mut seen): (&dyn Archive, _) = (&*other, HashSet::new());
            for (index, entry) in (0..).zip(entries.entries()) {
                let folded = folded(&entry.name);
                let drops = is_mark(&entry) && !keeps_marks;
                let is_known_folder = entry.content == Content::Folder && known.find(&folded).is_some();
                // Of two with one name in a container the first counts.
                if is_known_folder || !seen.insert(folded.clone()) {
                    continue;
                }
                let take = (!drops).then(|| Change::Take { from: other.clone(), index });
                merged.insert(folded, (entry.name.into_owned(), take));
            }
        }
        let mut out = Edit { changes: Vec::new(), told: Vec::new(), inputs: archives.to_vec() };
        for (folded, (name, take)) in merged {
            let place = known.find(&folded);
            let what = match (&take, place) {
                (Some(_), Some(_)) => EntryFate::Replaced,
                (Some(_), None) => EntryFate::Added,
                (None, Some(_)) => EntryFate::Removed,
                (None, None) => continue,
            };
            out.changes.extend(take.or_else(|| place.map(Change::Remove)));
            out.told.push(EntryChange { name, what });
        }
        Ok(out)
    }
}

/// Where the files of a container are, by their names.
struct Known(HashMap<String, usize>);

impl Known {
    fn new(archive: &dyn Archive) -> Self {
        let mut places = HashMap::new();
        for (index, entry) in (0..).zip(archive.entries()) {
            places.entry(folded(&entry.name)).or_insert(index);
        }
        Self(places)
    }

    fn find(&self, folded: &str) -> Option<usize> {
        self.0.get(folded).copied()
    }
}

/// The form in which names in containers are compared.
fn folded(name: &str) -> String {
    composed(name).replace('\\', "/").to_lowercase()
}

fn added(
    known: &Known,
    files: &[PathBuf],
    folder: &str,
    (charset, compression): (Charset, Compression),
) -> Result<Edit, Error> {
    let mut out = Edit { changes: Vec::new(), told: Vec::new(), inputs: Vec::new() };
    let mut seen: HashMap<String, PathBuf> = HashMap::new();
    for input in &Inputs::gather(files) {
        let in_input = |error: Error| error.in_file(input.path());
        let own = path_in_game(input.relative(), charset);
        let joined = if folder.is_empty() { own } else { format!("{folder}/{own}") };
        let name = GamePath::parse(&joined).map_err(|why| in_input(Error::usage(why.to_string())))?;
        let name = name.as_str().to_owned();
        if let Some(other) = seen.insert(folded(&name), input.path().to_path_buf()) {
            let what = format!("would be \"{name}\" in the archive, as would {}", other.display());
            return Err(in_input(Error::usage(what)));
        }
        let content: Source = input.source_for_each_read().map_err(in_input)?;
        let what = match known.find(&folded(&name)) {
            Some(_) => EntryFate::Replaced,
            None => EntryFate::Added,
        };
        out.told.push(EntryChange { name: name.clone(), what });
        out.changes.push(Change::Put { name, content, compression });
        out.inputs.push(input.path().to_path_buf());
    }
    if out.changes.is_empty() {
        return Err(Error::usage("there are no files to add"));
    }
    Ok(out)
}

fn removed(archive: &dyn Archive, patterns: &Patterns) -> Result<Edit, Error> {
    refuse_idle(patterns, archive.entries())?;
    let mut out = Edit { changes: Vec::new(), told: Vec::new(), inputs: Vec::new() };
    for (index, entry) in (0..).zip(archive.entries()).filter(|(_, entry)| patterns.choose(entry)) {
        out.changes.push(Change::Remove(index));
        out.told.push(EntryChange { name: entry.name.into_owned(), what: EntryFate::Removed });
    }
    Ok(out)
}

fn renamed(archive: &dyn Archive, pairs: &[(String, String)]) -> Result<Edit, Error> {
    let mut out = Edit { changes: Vec::new(), told: Vec::new(), inputs: Vec::new() };
    let mut rename = |index: usize, name: &str, to: String| {
        out.told.push(EntryChange { name: name.to_owned(), what: EntryFate::Renamed { to: to.clone() } });
        out.changes.push(Change::Rename(index, to));
    };
    for (from, to) in pairs {
        let old = folded(from.trim_end_matches(['/', '\\']));
        let is_into = to.ends_with(['/', '\\']);
        let own = old.rsplit('/').next().unwrap_or_default().chars().count();
        let new = |name: &str| match is_into {
            // Its own name, as the archive spells it.
            true => format!("{to}{}", last(name, own)),
            false => to.clone(),
        };
        let below = format!("{old}/");
        let mut moved = false;
        for (index, entry) in (0..).zip(archive.entries()) {
            let name = folded(&entry.name);
            if let Some(rest) = name.strip_prefix(&below) {
                let kept = last(&entry.name, rest.chars().count());
                let folder: String = entry.name.chars().take(old.chars().count()).collect();
                rename(index, &entry.name, format!("{}/{kept}", new(&folder)));
                moved = true;
            }
        }
        if !moved {
            let index = find(archive, from)?;
            let name = archive.entry(index).map(|entry| entry.name.into_owned()).unwrap_or_default();
            let own = name.replace('\\', "/").rsplit('/').next().unwrap_or_default().chars().count();
            let to = if is_into { format!("{to}{}", last(&name, own)) } else { to.clone() };
            rename(index, &name, to);
        }
    }
    Ok(out)
}

/// The last characters of a name.
fn last(name: &str, count: usize) -> String {
    name.chars().skip(name.chars().count().saturating_sub(count)).collect()
}

/// Appends changes to a container where it stands. Gives its new length.
fn append(
    path: &Path,
    length: u64,
    container: &Container,
    check: &Check<'_>,
    report: &mut Report,
) -> Result<u64, Error> {
    let in_file = |error: Error| error.in_file(path);
    let mut file = InPlace::open(path).map_err(in_file)?;
    let done = container
        .edit(&check.edit.changes, EditMode::Append, &mut file, report)
        .and_then(|()| check.written(path));
    match done {
        Ok(()) => Ok(disk::metadata(path).map_err(Error::from).map_err(in_file)?.len()),
        Err(error) => {
            file.restore(length).map_err(|failed| {
                let what = format!("could not be restored ({failed}) after: {error}");
                in_file(Error::new(asset::Kind::Io, what))
            })?;
            Err(in_file(error))
        }
    }
}

/// So many bytes at the start of a container may say where everything else is.
const HEAD: u64 = 64;

/// A container that is edited where it stands.
struct InPlace {
    file: BufWriter<std::fs::File>,
    /// How it began before.
    head: Vec<u8>,
}

impl InPlace {
    fn open(path: &Path) -> Result<Self, Error> {
        let mut file = disk::edit(path)?;
        let mut head = Vec::new();
        Read::by_ref(&mut file).take(HEAD).read_to_end(&mut head)?;
        Ok(Self { file: BufWriter::new(file), head })
    }

    /// Makes it what it was.
    fn restore(&mut self, length: u64) -> io::Result<()> {
        // What is still to be written counts no more.
        let _ = self.file.flush();
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&self.head)?;
        file.sync_data()?;
        file.set_len(length)?;
        file.sync_data()
    }
}

impl Write for InPlace {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for InPlace {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Output for InPlace {
    fn settle(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_data()
    }
}

/// Looks at what was written.
struct Check<'a> {
    format: &'static Format,
    before: &'a Container,
    edit: &'a Edit,
}

impl Check<'_> {
    /// Whether what was written can be opened, has as many entries as it should, and new files have their content.
    fn written(&self, written: &Path) -> Result<(), Error> {
        let wrong = |why: &str| {
            Error::unsupported(format!(
                "the written archive is invalid ({why}) and was discarded; this is a bug in antiquary"
            ))
        };
        let again = Container::open(self.format, &disk::open(written)?, &mut Report::new());
        let again = again.map_err(|error| wrong(error.message()))?;
        let count = |fate: &EntryFate| self.edit.told.iter().filter(|change| change.what == *fate).count();
        let expected = self.before.count().saturating_add(count(&EntryFate::Added));
        if again.count() != expected.saturating_sub(count(&EntryFate::Removed)) {
            return Err(wrong("the number of entries differs"));
        }
        let known = Known::new(&again);
        for change in &self.edit.changes {
            let Change::Put { name, content, .. } = change else { continue };
            let index = known.find(&folded(name)).ok_or_else(|| wrong("a file is missing"))?;
            let new = again.open(index).map_err(|error| wrong(error.message()))?;
            if new.len() != content.len() {
                return Err(wrong("a file has another length"));
            }
        }
        Ok(())
    }
}
