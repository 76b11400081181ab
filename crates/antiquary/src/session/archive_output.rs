//! Writes an edited container, to a file or in place.

use std::collections::HashMap;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::archive::{Archive, Change, EditMode, Editing, EntryChange, EntryChangeKind};
use asset::container::Container;
use asset::{Context, Error, FolderSink, Format, Install, Options, Overwrite, Report};
use files::disk;
use files::lock::FileLock;
use files::sink::{Output, WriteMode};

use super::destination::ends_in_slash;
use super::edit_check::EditedFile;
use super::installs::Installs;
use super::replace::folded;
use super::{Input, Session};
use crate::run::Outcome;

/// Destination of an edited container.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ArchiveOutput {
    /// A file, or a folder in which the container keeps its name.
    File(PathBuf),
    /// In place.
    InPlace,
}

/// The changes to make.
pub(super) struct Edit {
    pub(super) changes: Vec<Change>,
    /// Input files of the changes.
    pub(super) inputs: Vec<PathBuf>,
}

/// A container that is being edited.
pub(super) struct EditedContainer<'a> {
    pub(super) session: &'a Session<'a>,
    /// Path of the container.
    pub(super) archive: &'a Path,
    pub(super) format: &'static Format,
    /// Lock on the container if it is changed in place.
    pub(super) lock: Option<&'a FileLock>,
    pub(super) before: &'a Container,
    pub(super) edit: &'a Edit,
    /// Options of the container's format.
    pub(super) options: &'a [(String, String)],
}

impl EditedContainer<'_> {
    /// Writes the container to a file, or replaces it atomically.
    pub(super) fn write(
        &self,
        output: &ArchiveOutput,
        mode: EditMode,
        outcome: &mut Outcome,
    ) -> Result<Vec<EntryChange>, Error> {
        let target = self.target(output)?;
        let is_in_place = matches!(output, ArchiveOutput::InPlace);
        let session = match is_in_place {
            true => self.session.clone().overwrite(Overwrite::Allow),
            false => self.session.clone(),
        };
        let opened = session.opened();
        let guard = session.guard(&opened);
        let inputs = self.edit.inputs.iter().map(PathBuf::as_path);
        inputs.chain((!is_in_place).then_some(self.archive)).for_each(|input| guard.protect(input));
        let guard = Arc::new(guard);
        let mut sink =
            FolderSink::for_file(&target, "archive", Arc::clone(&guard)).with_permissions_of(self.archive);
        let report = &mut outcome.warnings;
        let mut changes = Vec::new();
        sink.put_with("archive", |out| {
            changes = self.make(mode, out, report)?;
            outcome.length = Some(out.seek(SeekFrom::End(0))?);
            Ok(())
        })?;
        if session.writing == WriteMode::DryRun {
            changes = self.make(mode, &mut Discarded::default(), report)?;
        }
        for written in sink.pending() {
            self.check(written, &changes)?;
            if self.format.editing() == Editing::Parts {
                let (original, edited) = (Input::file(self.archive).source()?, disk::open(written)?);
                let (format, around) = (self.format, Input::file(self.archive));
                let (name, original) = (&*self.archive.to_string_lossy(), Some(&original));
                let file = EditedFile { format, name, original, edited: &edited, around: &around };
                session.check_edit(&file, report)?;
            }
        }
        outcome.ok = !outcome.is_refused(session.strictness);
        if outcome.ok {
            self.check_unchanged()?;
            let paths: Vec<PathBuf> = sink.finish()?;
            if let Some((_, error)) = guard.finish().into_iter().next() {
                outcome.ok = false;
                return Err(error);
            }
            outcome.outputs = paths.iter().map(|path| path.display().to_string()).collect();
        }
        Ok(changes)
    }

    /// Appends the changes to the container in place.
    pub(super) fn append(&self, length: u64, outcome: &mut Outcome) -> Result<Vec<EntryChange>, Error> {
        let report = &mut outcome.warnings;
        let changes = match self.session.writing {
            WriteMode::DryRun => self.make(EditMode::Append, &mut Discarded::default(), report)?,
            WriteMode::Write => {
                let (changes, length) = self.append_to_file(length, report)?;
                outcome.length = Some(length);
                changes
            }
        };
        outcome.outputs = vec![self.archive.display().to_string()];
        outcome.ok = true;
        Ok(changes)
    }

    /// Returns the changes and the new length of the file.
    fn append_to_file(&self, length: u64, report: &mut Report) -> Result<(Vec<EntryChange>, u64), Error> {
        let in_file = |error: Error| error.in_file(self.archive);
        self.check_unchanged()?;
        let mut file = InPlace::open(self.archive).map_err(in_file)?;
        let done = self.make(EditMode::Append, &mut file, report).and_then(|changes| {
            self.check(self.archive, &changes)?;
            Ok(changes)
        });
        match done {
            Ok(changes) => {
                let length = disk::metadata(self.archive).map_err(Error::from).map_err(in_file)?.len();
                Ok((changes, length))
            }
            Err(error) => {
                file.restore(length).map_err(|failed| {
                    let what = format!("could not be restored ({failed}) after: {error}");
                    in_file(Error::new(asset::Kind::Io, what))
                })?;
                Err(error)
            }
        }
    }

    /// Fails if another program has changed the container since it was read.
    fn check_unchanged(&self) -> Result<(), Error> {
        self.lock.map_or(Ok(()), |lock| lock.check(self.archive))
    }

    fn target(&self, output: &ArchiveOutput) -> Result<PathBuf, Error> {
        Ok(match output {
            ArchiveOutput::InPlace => {
                disk::canonical(self.archive).map_err(|error| Error::from(error).in_file(self.archive))?
            }
            ArchiveOutput::File(out) if disk::is_folder(out) || ends_in_slash(out) => {
                out.join(self.archive.file_name().unwrap_or_default())
            }
            ArchiveOutput::File(out) => out.clone(),
        })
    }

    /// Applies the changes. Parts may need the game around the container, because they are matched with its palettes.
    fn make(
        &self,
        mode: EditMode,
        out: &mut dyn Output,
        report: &mut Report,
    ) -> Result<Vec<EntryChange>, Error> {
        let options = Options::parse(self.format.options, self.options)?;
        let mut edit = |context: &Context<'_>| {
            let made = self.before.edit(context, &self.edit.changes, mode, out, report);
            made.map_err(|error| error.in_file(self.archive))
        };
        if self.format.editing() != Editing::Parts {
            let install = Install::empty();
            return edit(&Context { install: &install, location: None, options: &options });
        }
        let opened = self.session.opened();
        let (installs, input) = (Installs::new(self.session, &opened)?, Input::file(self.archive));
        let install = installs.of(&input)?;
        let location = installs.location(&input, &install);
        edit(&Context { install: &install, location, options: &options })
    }

    /// Checks that the written container can be opened, has the expected number of entries, and contains the new entries
    /// with their content.
    fn check(&self, written: &Path, changes: &[EntryChange]) -> Result<(), Error> {
        let wrong = |why: &str| {
            Error::unsupported(format!(
                "the written archive is invalid ({why}) and was discarded; this is a bug in antiquary"
            ))
        };
        let again = Container::open(self.format, &disk::open(written)?, &mut Report::new());
        let again = again.map_err(|error| wrong(error.message()))?;
        let count = |fate: &EntryChangeKind| changes.iter().filter(|change| change.what == *fate).count();
        let expected = self.before.count() + count(&EntryChangeKind::Added);
        if again.count() != expected.saturating_sub(count(&EntryChangeKind::Removed)) {
            return Err(wrong("the number of entries differs"));
        }
        let known = EntryIndex::new(&again);
        let find = |name: &str| known.find(&folded(name)).ok_or_else(|| wrong("an entry is missing"));
        if self.format.editing() == Editing::Parts {
            let is_put =
                |what: &EntryChangeKind| matches!(what, EntryChangeKind::Added | EntryChangeKind::Replaced);
            return changes
                .iter()
                .filter(|change| is_put(&change.what))
                .try_for_each(|change| find(&change.name).map(drop));
        }
        for change in &self.edit.changes {
            let Change::Put { name, content, .. } = change else { continue };
            let new = again.open(find(name)?).map_err(|error| wrong(error.message()))?;
            if new.len() != content.len() {
                return Err(wrong("a file has another length"));
            }
        }
        Ok(())
    }
}

/// Output that discards what is written, for dry runs.
#[derive(Default)]
struct Discarded(u64);

impl Write for Discarded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Discarded {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if let SeekFrom::Start(at) = to {
            self.0 = at;
        }
        Ok(self.0)
    }
}

impl Output for Discarded {}

/// Maximum number of bytes at the start of a container that may contain offsets of other data.
const HEAD: u64 = 64;

/// A container that is edited in place.
struct InPlace {
    file: BufWriter<std::fs::File>,
    /// Original start of the file.
    head: Vec<u8>,
}

impl InPlace {
    fn open(path: &Path) -> Result<Self, Error> {
        let mut file = disk::edit(path)?;
        let mut head = Vec::new();
        Read::by_ref(&mut file).take(HEAD).read_to_end(&mut head)?;
        Ok(Self { file: BufWriter::new(file), head })
    }

    /// Restores the original state.
    fn restore(&mut self, length: u64) -> io::Result<()> {
        // Unwritten data is no longer needed.
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
    fn sync(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_data()
    }
}

/// Index of a container's entries by name.
pub(super) struct EntryIndex(HashMap<String, usize>);

impl EntryIndex {
    pub(super) fn new(archive: &dyn Archive) -> Self {
        let mut indices = HashMap::new();
        for (index, entry) in (0..).zip(archive.entries()) {
            indices.entry(folded(&entry.name)).or_insert(index);
        }
        Self(indices)
    }

    pub(super) fn find(&self, folded: &str) -> Option<usize> {
        self.0.get(folded).copied()
    }
}
