//! The files that a run has opened, none of which is overwritten.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use record::{Error, Source};

use crate::disk::{self, Identity, identity};

/// The files on disk that a run has opened, by identity. Clones share the same list.
#[derive(Debug, Clone, Default)]
pub struct OpenedFiles(Arc<Mutex<Paths>>);

#[derive(Debug, Default)]
struct Paths {
    /// Paths with symbolic links resolved.
    paths: HashSet<PathBuf>,
    identities: HashSet<Identity>,
}

impl OpenedFiles {
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens a regular file and adds it to the list.
    ///
    /// # Errors
    /// The same as [`disk::open`].
    pub fn open(&self, path: &Path) -> Result<Source, Error> {
        let source = disk::open(path)?;
        self.add(path);
        Ok(source)
    }

    /// Adds a file that is opened elsewhere, now or later.
    pub fn add(&self, path: &Path) {
        let canonical = disk::canonical(path).ok();
        let identity = disk::metadata(path).ok().as_ref().and_then(identity);
        let mut known = self.lock();
        known.paths.extend(canonical);
        known.identities.extend(identity);
    }

    /// Adds all files of another list.
    pub fn add_all(&self, other: &Self) {
        if Arc::ptr_eq(&self.0, &other.0) {
            return;
        }
        let (paths, identities) = {
            let other = other.lock();
            (other.paths.clone(), other.identities.clone())
        };
        let mut known = self.lock();
        known.paths.extend(paths);
        known.identities.extend(identities);
    }

    /// Whether a path leads to one of the files, under any name: symbolic links are resolved, and hard links are detected if the
    /// system supports it.
    #[must_use]
    pub fn contains(&self, path: &Path) -> bool {
        let canonical = disk::canonical(path);
        let about = disk::metadata(path);
        let known = self.lock();
        canonical.is_ok_and(|path| known.paths.contains(&path))
            || about.is_ok_and(|about| identity(&about).is_some_and(|it| known.identities.contains(&it)))
    }

    /// Returns the paths of all files, with symbolic links resolved, in arbitrary order.
    #[must_use]
    pub fn paths(&self) -> Vec<PathBuf> {
        self.lock().paths.iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, Paths> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, feature = "fs"))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn recognizes_a_file_by_all_its_names() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("data.grf");
        fs::write(&path, "bytes").unwrap();
        let opened = OpenedFiles::new();
        assert!(!opened.contains(&path));
        let shared = opened.clone();
        assert_eq!(shared.open(&path).unwrap().len(), 5);
        assert!(opened.contains(&path));
        assert!(opened.contains(&temp.path().join("./data.grf")));
        fs::write(temp.path().join("other"), "bytes").unwrap();
        assert!(!opened.contains(&temp.path().join("other")));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&path, temp.path().join("soft")).unwrap();
            fs::hard_link(&path, temp.path().join("hard")).unwrap();
            assert!(opened.contains(&temp.path().join("soft")));
            assert!(opened.contains(&temp.path().join("hard")));
        }
        let all = OpenedFiles::new();
        all.add_all(&opened);
        assert!(all.contains(&path) && opened.contains(&path));
    }

    #[test]
    #[cfg(unix)]
    fn opens_only_regular_files() {
        let opened = OpenedFiles::new();
        for (path, message) in [("/dev/null", "is not a regular file"), ("/", "is a folder, not a file")] {
            assert_eq!(opened.open(Path::new(path)).unwrap_err().message(), message);
        }
        // Opening a pipe without a writer would block forever.
        let temp = tempfile::tempdir().unwrap();
        let pipe = temp.path().join("pipe");
        if std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
            assert_eq!(opened.open(&pipe).unwrap_err().message(), "is not a regular file");
        }
    }
}
