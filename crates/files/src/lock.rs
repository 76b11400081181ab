//! Keeps two runs of the program from changing a file at once.

use std::fs::{File, Metadata, TryLockError};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use record::{Error, Kind};

use crate::disk;

/// How long to wait for another run.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long to wait until the next try.
const PAUSE: Duration = Duration::from_millis(50);

/// A lock on a file that is to be changed or replaced, as long as this lives. It is advisory: other programs may ignore it, so
/// [`FileLock::check`] fails if one has changed the file.
#[derive(Debug)]
pub struct FileLock {
    /// Holds the lock.
    _file: File,
    state: State,
}

/// What changes when a file does.
#[derive(Debug, PartialEq, Eq)]
struct State {
    identity: Option<disk::Identity>,
    length: u64,
    modified: Option<SystemTime>,
}

impl State {
    fn of(about: &Metadata) -> Self {
        Self { identity: disk::identity(about), length: about.len(), modified: about.modified().ok() }
    }
}

impl FileLock {
    /// Locks a file, and waits some time for a run that has locked it.
    ///
    /// # Errors
    /// When it cannot be opened, or another run does not end.
    pub fn acquire(path: &Path) -> Result<Self, Error> {
        Self::acquire_within(path, PATIENCE)
    }

    fn acquire_within(path: &Path, patience: Duration) -> Result<Self, Error> {
        let in_file = |error: Error| error.in_file(path);
        let began = Instant::now();
        loop {
            let file = lock_file(path)?;
            match file.try_lock() {
                Ok(()) => {
                    let state = State::of(&disk::metadata(path).map_err(|error| in_file(error.into()))?);
                    // Another run may have put a new file in its place.
                    if is_locked_by(&file, &state) {
                        return Ok(Self { _file: file, state });
                    }
                }
                Err(TryLockError::Error(error)) => return Err(in_file(error.into())),
                Err(TryLockError::WouldBlock) if began.elapsed() >= patience => {
                    let message = "another run is changing this file; try again when it is done";
                    return Err(in_file(Error::new(Kind::Io, message)));
                }
                Err(TryLockError::WouldBlock) => sleep(PAUSE),
            }
        }
    }

    /// Whether the file is as it was when it was locked.
    ///
    /// # Errors
    /// When another program has changed, replaced or removed it.
    pub fn check(&self, path: &Path) -> Result<(), Error> {
        let now = disk::metadata(path).map(|about| State::of(&about));
        if now.is_ok_and(|now| now == self.state) {
            return Ok(());
        }
        let message = "was changed by another program meanwhile, so nothing was written; try again";
        Err(Error::new(Kind::Io, message).in_file(path))
    }
}

/// The file that is locked for another one: itself.
#[cfg(unix)]
fn lock_file(path: &Path) -> Result<File, Error> {
    disk::edit(path)
}

#[cfg(unix)]
fn is_locked_by(file: &File, state: &State) -> bool {
    file.metadata().is_ok_and(|about| disk::identity(&about) == state.identity)
}

/// The file that is locked for another one. What is locked itself could not be read here, so it is one in the folder for temporary files.
#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "the file stays empty")]
fn lock_file(path: &Path) -> Result<File, Error> {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    disk::canonical(path).map_err(|error| Error::from(error).in_file(path))?.hash(&mut hasher);
    let lock = std::env::temp_dir().join(format!("antiquary-{:016x}.lock", hasher.finish()));
    let opened = std::fs::OpenOptions::new().create(true).truncate(false).write(true).open(&lock);
    opened.map_err(|error| Error::from(error).in_file(&lock))
}

#[cfg(not(unix))]
fn is_locked_by(_: &File, _: &State) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_locked_once_and_its_changes_are_noticed() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("data.grf");
        fs::write(&path, "bytes").unwrap();
        let lock = FileLock::acquire(&path).unwrap();
        let error = FileLock::acquire_within(&path, Duration::from_millis(60)).unwrap_err();
        assert_eq!(error.message(), "another run is changing this file; try again when it is done");
        lock.check(&path).unwrap();
        fs::write(&path, "more bytes").unwrap();
        assert!(lock.check(&path).unwrap_err().message().starts_with("was changed by another program"));
        drop(lock);
        let lock = FileLock::acquire(&path).unwrap();
        fs::write(temp.path().join("new"), "more bytes").unwrap();
        fs::rename(temp.path().join("new"), &path).unwrap();
        lock.check(&path).unwrap_err();
        fs::remove_file(&path).unwrap();
        lock.check(&path).unwrap_err();
    }
}
