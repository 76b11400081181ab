//! Protection of files that must not be written: inputs, existing files, and outputs of the same run for another input.

use std::collections::{BTreeSet, HashSet};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use record::Error;

use super::shared::{SharedFile, SharedFiles};
use super::staged::Staged;
use super::unfinished::{PREFIX, SUFFIX, Unfinished, is_pending};
use crate::OpenedFiles;
use crate::disk;

/// Whether existing files may be replaced. Inputs are never replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Overwrite {
    /// Existing files are kept, and writing fails.
    #[default]
    Refuse,
    /// Existing files are replaced.
    Allow,
}

/// Whether files are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WriteMode {
    /// Files are written.
    #[default]
    Write,
    /// Nothing is written, but conflicts are refused as usual, and the paths of the outputs are reported.
    DryRun,
}

/// The rules for all sinks of a run.
#[derive(Debug, Default)]
pub struct Guard {
    pub(super) overwrite: Overwrite,
    pub(super) writing: WriteMode,
    opened: OpenedFiles,
    claimed: Mutex<HashSet<PathBuf>>,
    /// The folders that were written to, and the unfinished files of other runs in them.
    leftovers: Mutex<Leftovers>,
    /// Files that replace others after the run has opened all its inputs.
    waiting: Option<Mutex<Vec<Staged>>>,
    pub(super) shared: Option<SharedFiles>,
}

#[derive(Debug, Default)]
struct Leftovers {
    folders: HashSet<PathBuf>,
    found: BTreeSet<PathBuf>,
}

impl Guard {
    /// Creates a guard that protects no inputs yet.
    #[must_use]
    pub fn new(overwrite: Overwrite) -> Self {
        Self { overwrite, ..Self::default() }
    }

    /// Sets whether files are written.
    #[must_use]
    pub fn with(self, writing: WriteMode) -> Self {
        Self { writing, ..self }
    }

    /// Sets the list of files that the run opens, now or later.
    #[must_use]
    pub fn with_opened(self, opened: OpenedFiles) -> Self {
        Self { opened, ..self }
    }

    /// Delays the replacement of existing files until [`Guard::finish`], because the run may still open them.
    #[must_use]
    pub fn replacing_at_end(self) -> Self {
        Self { waiting: Some(Mutex::default()), ..self }
    }

    /// Sets the files that outputs of the run share.
    #[must_use]
    pub fn with_shared(self, shared: Option<SharedFiles>) -> Self {
        Self { shared, ..self }
    }

    /// The files that outputs of the run share.
    #[must_use]
    pub const fn shared(&self) -> Option<&SharedFiles> {
        self.shared.as_ref()
    }

    /// Performs the delayed replacements. Returns the errors with the paths of the files that could not be replaced.
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

    /// Returns the unfinished files in output folders that other runs have left, because they were killed or are still running.
    #[must_use]
    pub fn leftovers(&self) -> Vec<PathBuf> {
        lock(&self.leftovers).found.iter().cloned().collect()
    }

    /// Searches a folder for unfinished files before the first file is written to it.
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
        // The files of this run are excluded: they are pending, or were renamed since the folder was listed.
        let is_left = |path: &PathBuf| !is_pending(path) && disk::link_metadata(path).is_ok();
        let found: Vec<_> = found.map(|entry| entry.path()).filter(is_left).collect();
        lock(&self.leftovers).found.extend(found);
    }

    /// Replaces a file with a staged one, now or in [`Guard::finish`].
    pub(super) fn replace_when_allowed(&self, staged: Staged) -> Result<(), Error> {
        match &self.waiting {
            Some(waiting) => lock(waiting).push(staged),
            None => self.replace(staged)?,
        }
        Ok(())
    }

    /// Replaces a file with a staged one, unless it is an input.
    fn replace(&self, staged: Staged) -> Result<(), Error> {
        self.check(&staged.target)?;
        staged.replace()
    }

    /// Checks that a file may be written, and reserves its path for this run, without writing it.
    ///
    /// # Errors
    /// The same as writing the file.
    pub fn reserve(&self, target: &Path) -> Result<(), Error> {
        self.check(target)?;
        self.claim(target)
    }

    /// Protects an input from being overwritten under any name: symbolic links are resolved, and hard links are detected if the
    /// system supports it.
    pub fn protect(&self, input: &Path) {
        self.opened.add(input);
    }

    /// Whether a file is protected.
    #[must_use]
    pub fn protects(&self, path: &Path) -> bool {
        self.opened.contains(path)
    }

    /// Checks whether a file may be written; its folder need not exist yet.
    pub(super) fn check(&self, target: &Path) -> Result<(), Error> {
        let refuse = |reason: &str| Err(Error::usage(reason).in_file(target));
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

    /// Writes a shared file, unless the run has already written it.
    pub(super) fn put_shared(
        &self,
        shared: &SharedFiles,
        name: &str,
        bytes: &mut dyn FnMut() -> Vec<u8>,
    ) -> Result<(), Error> {
        let file = shared.entry(name);
        let mut entry = lock(&file);
        if entry.is_some() {
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
        *entry = Some(SharedFile::unreferenced(u64::try_from(bytes.len()).unwrap_or(u64::MAX), is_new));
        Ok(())
    }

    /// Writes a file, and returns whether it is new. An existing file with the same bytes is kept.
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

    /// Reserves a path for this run; it can be reserved only once.
    pub(super) fn claim(&self, target: &Path) -> Result<(), Error> {
        let folder = target.parent().map(absolute_path).unwrap_or_default();
        let name = target.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if lock(&self.claimed).insert(folder.join(name)) {
            return Ok(());
        }
        Err(Error::usage("was already written for another input of this run").in_file(target))
    }
}

/// Returns the canonical path of a folder, which need not exist.
fn absolute_path(folder: &Path) -> PathBuf {
    let known = folder.ancestors().find_map(|above| Some((above, disk::canonical(above).ok()?)));
    match known.and_then(|(above, path)| Some(path.join(folder.strip_prefix(above).ok()?))) {
        Some(path) => path,
        None => folder.to_path_buf(),
    }
}

/// Whether a path exists, but is not a regular file.
fn is_special(path: &Path) -> bool {
    disk::metadata(path).is_ok_and(|about| !about.is_file())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
