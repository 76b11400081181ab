//! What may not be written: inputs, files that stand there already, and what the same run has written for another input.

use std::collections::HashSet;
use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use record::Error;

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
    inputs: HashSet<PathBuf>,
    identities: HashSet<Identity>,
    claimed: Mutex<HashSet<PathBuf>>,
}

/// What two names of one file share.
type Identity = (u64, u64);

impl Guard {
    /// No inputs known yet.
    #[must_use]
    pub fn new(overwrite: Overwrite) -> Self {
        Self { overwrite, ..Self::default() }
    }

    /// The same, whose sinks write files or nothing.
    #[must_use]
    pub fn with(self, writing: WriteMode) -> Self {
        Self { writing, ..self }
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
    pub fn protect(&mut self, input: &Path) {
        if let Ok(path) = disk::canonical(input) {
            self.inputs.insert(path);
        }
        if let Ok(about) = disk::metadata(input) {
            self.identities.extend(identity(&about));
        }
    }

    /// Whether a file is one of the protected ones.
    #[must_use]
    pub fn protects(&self, path: &Path) -> bool {
        let known = |path: PathBuf| self.inputs.contains(&path);
        let same = |about: Metadata| identity(&about).is_some_and(|it| self.identities.contains(&it));
        disk::canonical(path).is_ok_and(known) || disk::metadata(path).is_ok_and(same)
    }

    /// Whether a file may be written here; its folder need not exist yet.
    pub(super) fn check(&self, target: &Path) -> Result<(), Error> {
        let refuse = |why: &str| Err(Error::usage(why).in_file(target));
        match disk::link_metadata(target) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(Error::from(error).in_file(target)),
            Ok(_) if self.protects(target) => refuse("is an input, and inputs are never overwritten"),
            Ok(about) if about.is_dir() => refuse("is a folder"),
            Ok(_) if self.overwrite == Overwrite::Refuse => refuse("already exists"),
            Ok(_) => Ok(()),
        }
    }

    /// Takes a name for this run; a second taker is refused.
    pub(super) fn claim(&self, target: &Path) -> Result<(), Error> {
        let folder = target.parent().map(place_of).unwrap_or_default();
        let name = target.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let mut claimed = self.claimed.lock().unwrap_or_else(PoisonError::into_inner);
        if claimed.insert(folder.join(name)) {
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

#[cfg(unix)]
fn identity(about: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some((about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<Identity> {
    None
}
