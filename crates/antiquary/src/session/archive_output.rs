//! Writes a container that was edited, to a file or in its own place.

use std::collections::HashMap;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::archive::{Archive, Change, EditMode, Editing, EntryChange, EntryFate};
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

/// Where a container is written that was edited.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ArchiveOutput {
    /// To a file, or under its own name into a folder.
    File(PathBuf),
    /// In its own place.
    InPlace,
}

/// What is to be done.
pub(super) struct Edit {
    pub(super) changes: Vec<Change>,
    /// The files that it is made of.
    pub(super) inputs: Vec<PathBuf>,
}

/// A container that is edited.
pub(super) struct EditedContainer<'a> {
    pub(super) session: &'a Session<'a>,
    /// Where it is.
    pub(super) archive: &'a Path,
    pub(super) format: &'static Format,
    /// Where it is to be changed itself.
    pub(super) lock: Option<&'a FileLock>,
    pub(super) before: &'a Container,
    pub(super) edit: &'a Edit,
    /// Options of its format.
    pub(super) options: &'a [(String, String)],
}

impl EditedContainer<'_> {
    /// Writes it to a file, or over itself at once.
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
        let mut sink = FolderSink::for_file(&target, "archive", Arc::clone(&guard)).like(self.archive);
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
        for written in sink.waiting() {
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

    /// Appends the changes to it where it is.
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

    /// Also returns the new length of the file.
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

    /// Whether no other program has changed it since it was read.
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

    /// Makes the changes. Parts may need the game around the container, whose palettes they are matched with.
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

    /// Whether what was written can be opened, has as many entries as it should, and new entries can be found and have their content.
    fn check(&self, written: &Path, changes: &[EntryChange]) -> Result<(), Error> {
        let wrong = |why: &str| {
            Error::unsupported(format!(
                "the written archive is invalid ({why}) and was discarded; this is a bug in antiquary"
            ))
        };
        let again = Container::open(self.format, &disk::open(written)?, &mut Report::new());
        let again = again.map_err(|error| wrong(error.message()))?;
        let count = |fate: &EntryFate| changes.iter().filter(|change| change.what == *fate).count();
        let expected = self.before.count() + count(&EntryFate::Added);
        if again.count() != expected.saturating_sub(count(&EntryFate::Removed)) {
            return Err(wrong("the number of entries differs"));
        }
        let known = KnownEntries::new(&again);
        let find = |name: &str| known.find(&folded(name)).ok_or_else(|| wrong("an entry is missing"));
        if self.format.editing() == Editing::Parts {
            let is_put = |what: &EntryFate| matches!(what, EntryFate::Added | EntryFate::Replaced);
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

/// Takes what is written in a dry run.
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

/// So many bytes at the start of a container may say where everything else is.
const HEAD: u64 = 64;

/// A container that is edited in place.
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

/// Where the files of a container are, by their names.
pub(super) struct KnownEntries(HashMap<String, usize>);

impl KnownEntries {
    pub(super) fn new(archive: &dyn Archive) -> Self {
        let mut places = HashMap::new();
        for (index, entry) in (0..).zip(archive.entries()) {
            places.entry(folded(&entry.name)).or_insert(index);
        }
        Self(places)
    }

    pub(super) fn find(&self, folded: &str) -> Option<usize> {
        self.0.get(folded).copied()
    }
}
