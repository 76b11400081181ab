//! What may not be written: inputs, files that stand there already, and what the same run has written for another input.

use std::collections::{BTreeSet, HashSet};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use record::Error;

use super::shared::{Known, SharedFiles};
use super::staged::Staged;
use super::unfinished::{PREFIX, SUFFIX, Unfinished, is_begun};
use crate::OpenedFiles;
use crate::disk;

/// Whether files that stand there already may be replaced. Inputs never are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Overwrite {
    /// They stay, and writing fails.
    #[default]
    Refuse,
    /// They are replaced.
    Allow,
}

/// Whether files are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WriteMode {
    /// Files are written.
    #[default]
    Write,
    /// Nothing is written, but conflicts are refused as usual, and the files that would be written are reported.
    DryRun,
}

/// Watches over what the sinks of one run write.
#[derive(Debug, Default)]
pub struct Guard {
    pub(super) overwrite: Overwrite,
    pub(super) writing: WriteMode,
    opened: OpenedFiles,
    claimed: Mutex<HashSet<PathBuf>>,
    /// The folders that were written into, and the unfinished files of other runs in them.
    leftovers: Mutex<Leftovers>,
    /// Files that are to replace others once the run has opened all that it opens.
    waiting: Option<Mutex<Vec<Staged>>>,
    pub(super) shared: Option<SharedFiles>,
}

#[derive(Debug, Default)]
struct Leftovers {
    folders: HashSet<PathBuf>,
    found: BTreeSet<PathBuf>,
}

impl Guard {
    /// Whether files are replaced; no inputs are known yet.
    #[must_use]
    pub fn new(overwrite: Overwrite) -> Self {
        Self { overwrite, ..Self::default() }
    }

    /// The same, whose sinks write files or nothing.
    #[must_use]
    pub fn with(self, writing: WriteMode) -> Self {
        Self { writing, ..self }
    }

    /// The same for a run that opens these files, now or later.
    #[must_use]
    pub fn with_opened(self, opened: OpenedFiles) -> Self {
        Self { opened, ..self }
    }

    /// The same, but files that stand there already are replaced only by [`Guard::finish`]: a run that goes on reading may still open them.
    #[must_use]
    pub fn replacing_last(self) -> Self {
        Self { waiting: Some(Mutex::default()), ..self }
    }

    /// The same for a run whose outputs may share files.
    #[must_use]
    pub fn with_shared(self, shared: Option<SharedFiles>) -> Self {
        Self { shared, ..self }
    }

    /// The files that the outputs of the run share.
    #[must_use]
    pub const fn shared(&self) -> Option<&SharedFiles> {
        self.shared.as_ref()
    }

    /// Replaces the files that waited for the end of the run. Returns the error for each that cannot be replaced, with its path.
    pub fn finish(&self) -> Vec<(PathBuf, Error)> {
        let waiting = self.waiting.as_ref().map(|waiting| std::mem::take(&mut *lock(waiting)));
        let replaced = waiting.into_iter().flatten().map(|staged| {
            let target = staged.target.clone();
            self.replace(staged).map_err(|error| (target, error))
        });
        let refused = replaced.filter_map(Result::err).collect();
        self.shared.iter().for_each(SharedFiles::finish);
        refused
    }

    /// The unfinished files that other runs, which were killed or are not done yet, have left where this one has written.
    #[must_use]
    pub fn leftovers(&self) -> Vec<PathBuf> {
        lock(&self.leftovers).found.iter().cloned().collect()
    }

    /// Looks for unfinished files in a folder before the first one is written there.
    pub(super) fn look_for_leftovers(&self, folder: &Path) {
        if !lock(&self.leftovers).folders.insert(folder.to_path_buf()) {
            return;
        }
        let entries = disk::entries(folder).into_iter().flatten().filter_map(Result::ok);
        let found = entries.filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with(PREFIX) && name.ends_with(SUFFIX)
        });
        // Those of this run are no leftovers: they are begun, or have their own names since the folder was listed.
        let is_left = |path: &PathBuf| !is_begun(path) && disk::link_metadata(path).is_ok();
        let found: Vec<_> = found.map(|entry| entry.path()).filter(is_left).collect();
        lock(&self.leftovers).found.extend(found);
    }

    /// Takes a file that replaces another, unless it is to do so at once.
    pub(super) fn wait(&self, staged: Staged) -> Result<(), Error> {
        match &self.waiting {
            Some(waiting) => lock(waiting).push(staged),
            None => self.replace(staged)?,
        }
        Ok(())
    }

    /// Gives a file its name in place of the file that has it; never in place of an input.
    fn replace(&self, staged: Staged) -> Result<(), Error> {
        self.check(&staged.target)?;
        staged.replace()
    }

    /// Checks that a file may be written, without writing it, and takes its name for this run.
    ///
    /// # Errors
    /// As when it was written.
    pub fn pretend(&self, target: &Path) -> Result<(), Error> {
        self.check(target)?;
        self.claim(target)
    }

    /// Never lets this file be overwritten, by whatever name (through symbolic links and, where the system tells, hard links).
    pub fn protect(&self, input: &Path) {
        self.opened.add(input);
    }

    /// Whether a file is one of the protected ones.
    #[must_use]
    pub fn protects(&self, path: &Path) -> bool {
        self.opened.contains(path)
    }

    /// Whether a file may be written here; its folder need not exist yet.
    pub(super) fn check(&self, target: &Path) -> Result<(), Error> {
        let refuse = |why: &str| Err(Error::usage(why).in_file(target));
        match disk::link_metadata(target) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(Error::from(error).in_file(target)),
            Ok(_) if self.protects(target) => refuse("is an input, and inputs are never overwritten"),
            Ok(about) if about.is_dir() => refuse("is a folder"),
            Ok(_) if is_special(target) => refuse("is not a regular file"),
            Ok(_) if self.overwrite == Overwrite::Refuse => refuse("already exists"),
            Ok(_) => Ok(()),
        }
    }

    /// Writes a shared file, unless the run has it.
    pub(super) fn put_shared(
        &self,
        shared: &SharedFiles,
        name: &str,
        bytes: &mut dyn FnMut() -> Vec<u8>,
    ) -> Result<(), Error> {
        let file = shared.known(name);
        let mut known = lock(&file);
        if known.is_some() {
            return Ok(());
        }
        let bytes = bytes();
        let is_new = match self.writing {
            WriteMode::DryRun => false,
            WriteMode::Write => {
                shared.note_new_folder();
                self.write_shared(&shared.folder().join(name), &bytes)?
            }
        };
        *known = Some(Known::unnamed(u64::try_from(bytes.len()).unwrap_or(u64::MAX), is_new));
        Ok(())
    }

    /// Writes a file under its name, and returns whether it is new: one with the same bytes may be there already.
    fn write_shared(&self, path: &Path, bytes: &[u8]) -> Result<bool, Error> {
        let fail = |error: std::io::Error| Error::from(error).in_file(path);
        if disk::is_file(path)
            && disk::open(path).and_then(|found| Ok(*found.read_all()? == *bytes)).unwrap_or(false)
        {
            return Ok(false);
        }
        self.check(path)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        disk::create_folder(folder).map_err(fail)?;
        self.look_for_leftovers(folder);
        let mut file = Unfinished::new(folder).map_err(fail)?;
        file.write_all(bytes).map_err(fail)?;
        file.close().keep(path).map_err(fail)?;
        Ok(true)
    }

    /// Takes a name for this run; a second taker is refused.
    pub(super) fn claim(&self, target: &Path) -> Result<(), Error> {
        let folder = target.parent().map(place_of).unwrap_or_default();
        let name = target.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if lock(&self.claimed).insert(folder.join(name)) {
            return Ok(());
        }
        Err(Error::usage("was already written for another input of this run").in_file(target))
    }
}

/// Where a folder stands, or would stand if it was made.
fn place_of(folder: &Path) -> PathBuf {
    let known = folder.ancestors().find_map(|above| Some((above, disk::canonical(above).ok()?)));
    match known.and_then(|(above, place)| Some(place.join(folder.strip_prefix(above).ok()?))) {
        Some(place) => place,
        None => folder.to_path_buf(),
    }
}

/// Whether a path leads to a folder, a pipe or a device.
fn is_special(path: &Path) -> bool {
    disk::metadata(path).is_ok_and(|about| !about.is_file())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
