//! Locks that prevent two runs of the program from changing the same file.

use std::fs::{File, Metadata, TryLockError};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use record::{Error, Kind};

use crate::disk;

/// Maximum time to wait for another run.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(50);

/// A lock on a file that is to be changed or replaced; it is released on drop. The lock is advisory: other programs may ignore
/// it, so [`FileLock::check`] fails if one of them has changed the file.
#[derive(Debug)]
pub struct FileLock {
    /// Holds the lock.
    _file: File,
    state: State,
}

/// The properties by which a changed file is detected.
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
    /// Locks a file. Waits for some time if another run has locked it.
    ///
    /// # Errors
    /// When the file cannot be opened, or another run does not end in time.
    pub fn acquire(path: &Path) -> Result<Self, Error> {
        Self::acquire_within(path, TIMEOUT)
    }

    fn acquire_within(path: &Path, timeout: Duration) -> Result<Self, Error> {
        let in_file = |error: Error| error.in_file(path);
        let began = Instant::now();
        loop {
            let file = lock_file(path)?;
            match file.try_lock() {
                Ok(()) => {
                    let state = State::of(&disk::metadata(path).map_err(|error| in_file(error.into()))?);
                    // Another run may have replaced the file.
                    if is_locked_by(&file, &state) {
                        return Ok(Self { _file: file, state });
                    }
                }
                Err(TryLockError::Error(error)) => return Err(in_file(error.into())),
                Err(TryLockError::WouldBlock) if began.elapsed() >= timeout => {
                    let message = "another run is changing this file; try again when it has finished";
                    return Err(in_file(Error::new(Kind::Io, message)));
                }
                Err(TryLockError::WouldBlock) => sleep(PAUSE),
            }
        }
    }

    /// Checks that the file has not changed since it was locked.
    ///
    /// # Errors
    /// When another program has changed, replaced or removed it.
    pub fn check(&self, path: &Path) -> Result<(), Error> {
        let now = disk::metadata(path).map(|about| State::of(&about));
        if now.is_ok_and(|now| now == self.state) {
            return Ok(());
        }
        let message = "was changed by another program in the meantime, so nothing was written; try again";
        Err(Error::new(Kind::Io, message).in_file(path))
    }
}

/// Opens the file to lock for a path: the file itself.
#[cfg(unix)]
fn lock_file(path: &Path) -> Result<File, Error> {
    disk::edit(path)
}

#[cfg(unix)]
fn is_locked_by(file: &File, state: &State) -> bool {
    file.metadata().is_ok_and(|about| disk::identity(&about) == state.identity)
}

/// Opens the file to lock for a path: a file in the folder for temporary files, because a locked file could not be read.
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
    fn locks_a_file_once_and_detects_changes() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("data.grf");
        fs::write(&path, "bytes").unwrap();
        let lock = FileLock::acquire(&path).unwrap();
        let error = FileLock::acquire_within(&path, Duration::from_millis(60)).unwrap_err();
        assert_eq!(error.message(), "another run is changing this file; try again when it has finished");
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
