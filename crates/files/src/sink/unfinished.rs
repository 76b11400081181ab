//! Files with temporary names. They are removed when they are dropped before they get their final names.

#[cfg(feature = "fs")]
pub(super) use on_disk::{Completed, Unfinished};
#[cfg(not(feature = "fs"))]
pub(super) use unsupported::{Completed, Unfinished};

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::disk;

/// Prefix and suffix of temporary names.
pub(super) const PREFIX: &str = ".antiquary-";
pub(super) const SUFFIX: &str = ".part";

/// The unfinished files and new folders of the process.
static UNFINISHED: Mutex<PendingPaths> =
    Mutex::new(PendingPaths { paths: BTreeSet::new(), is_abandoned: false });

struct PendingPaths {
    paths: BTreeSet<PathBuf>,
    is_abandoned: bool,
}

fn pending() -> MutexGuard<'static, PendingPaths> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all unfinished files, and the folders that were created for them. No more files can be created afterwards. Call it
/// before a program exits because it was interrupted.
pub fn abandon() {
    let mut pending = pending();
    pending.is_abandoned = true;
    // In reverse order, the contents of a folder precede the folder.
    for path in pending.paths.iter().rev() {
        // Files that were renamed in the meantime no longer exist, and folders that are not empty are kept.
        let _ = disk::remove_file(path).or_else(|_| disk::remove_folder(path));
    }
}

/// Whether a file is being written by this process. Only the random names are compared, because paths may be absolute or
/// relative.
pub(super) fn is_pending(path: &Path) -> bool {
    path.file_name().is_some() && pending().paths.iter().any(|it| it.file_name() == path.file_name())
}

/// A path that is removed if the program is interrupted.
#[derive(Debug)]
pub(super) struct PendingPath(PathBuf);

impl PendingPath {
    pub(super) fn new(path: &Path) -> Self {
        pending().paths.insert(path.to_path_buf());
        Self(path.to_path_buf())
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for PendingPath {
    fn drop(&mut self) {
        pending().paths.remove(&self.0);
    }
}

#[cfg(feature = "fs")]
mod on_disk {
    use std::io::{Error, ErrorKind, Result, Seek, SeekFrom, Write};
    use std::path::Path;

    use tempfile::{NamedTempFile, TempPath};

    use super::{PendingPath, pending};
    use crate::disk;

    /// A file that is being written.
    #[derive(Debug)]
    pub(in super::super) struct Unfinished(NamedTempFile, PendingPath);

    /// A file that was written, but has no final name yet.
    #[derive(Debug)]
    pub(in super::super) struct Completed {
        path: TempPath,
        /// Kept until the file has its final name.
        _pending: PendingPath,
    }

    /// Removes the temporary path from an error, because it means nothing to the user.
    fn bare(error: Error) -> Error {
        if error.raw_os_error().is_some() { error } else { error.kind().into() }
    }

    impl Unfinished {
        /// Creates a file in a folder, with the default permissions.
        pub(in super::super) fn new(folder: &Path) -> Result<Self> {
            let mut builder = tempfile::Builder::new();
            builder.prefix(super::PREFIX).suffix(super::SUFFIX);
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                builder.permissions(std::fs::Permissions::from_mode(0o666));
            }
            let mut all = pending();
            if all.is_abandoned {
                return Err(Error::from(ErrorKind::Interrupted));
            }
            let file = builder.tempfile_in(folder).map_err(bare)?;
            all.paths.insert(file.path().to_path_buf());
            let pending = PendingPath(file.path().to_path_buf());
            Ok(Self(file, pending))
        }

        /// Limits the permissions to those of another file.
        pub(in super::super) fn restrict(&self, original: &Path) -> Result<()> {
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let (own, of_original) = (self.0.as_file().metadata()?, disk::metadata(original)?);
                let mode = own.permissions().mode() & of_original.permissions().mode();
                self.0.as_file().set_permissions(std::fs::Permissions::from_mode(mode & 0o777))?;
            }
            #[cfg(not(unix))]
            let _ = original;
            Ok(())
        }

        pub(in super::super) fn close(self) -> Completed {
            Completed { path: self.0.into_temp_path(), _pending: self.1 }
        }
    }

    impl Write for Unfinished {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            // The errors of the file itself do not contain the temporary path.
            self.0.as_file_mut().write(bytes)
        }

        fn flush(&mut self) -> Result<()> {
            self.0.as_file_mut().flush()
        }
    }

    impl Seek for Unfinished {
        fn seek(&mut self, to: SeekFrom) -> Result<u64> {
            self.0.as_file_mut().seek(to)
        }
    }

    impl Completed {
        pub(in super::super) fn path(&self) -> &Path {
            &self.path
        }

        /// Renames the file to its final name. If it replaces a file, it takes over its permissions.
        pub(in super::super) fn keep(self, target: &Path) -> Result<()> {
            if let Ok(replaced) = disk::metadata(target) {
                std::fs::set_permissions(&self.path, replaced.permissions())?;
            }
            self.path.persist(target).map_err(|failure| failure.error)
        }

        /// Renames the file to its final name, unless a file of that name exists.
        pub(in super::super) fn keep_new(self, target: &Path) -> Result<()> {
            let Err(failure) = self.path.persist_noclobber(target) else { return Ok(()) };
            let is_free = disk::link_metadata(target).is_err_and(|error| error.kind() == ErrorKind::NotFound);
            if failure.error.kind() == ErrorKind::AlreadyExists || !is_free {
                return Err(failure.error);
            }
            // Some file systems support neither atomic renaming nor hard links, so existence is checked first.
            failure.path.persist(target).map_err(|failure| failure.error)
        }
    }
}

/// Without a file system, no unfinished file can exist.
#[cfg(not(feature = "fs"))]
mod unsupported {
    use std::convert::Infallible;
    use std::io::{Error, ErrorKind, Result, Seek, SeekFrom, Write};
    use std::path::Path;

    #[derive(Debug)]
    pub(in super::super) struct Unfinished(Infallible);

    #[derive(Debug)]
    pub(in super::super) struct Completed(Infallible);

    impl Unfinished {
        pub(in super::super) fn new(_folder: &Path) -> Result<Self> {
            Err(Error::new(ErrorKind::Unsupported, "file system access requires the feature `fs`"))
        }

        pub(in super::super) fn restrict(&self, _original: &Path) -> Result<()> {
            match self.0 {}
        }

        pub(in super::super) fn close(self) -> Completed {
            match self.0 {}
        }
    }

    impl Write for Unfinished {
        fn write(&mut self, _bytes: &[u8]) -> Result<usize> {
            match self.0 {}
        }

        fn flush(&mut self) -> Result<()> {
            match self.0 {}
        }
    }

    impl Seek for Unfinished {
        fn seek(&mut self, _to: SeekFrom) -> Result<u64> {
            match self.0 {}
        }
    }

    impl Completed {
        pub(in super::super) fn path(&self) -> &Path {
            match self.0 {}
        }

        pub(in super::super) fn keep(self, _target: &Path) -> Result<()> {
            match self.0 {}
        }

        pub(in super::super) fn keep_new(self, _target: &Path) -> Result<()> {
            match self.0 {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_a_pending_file_by_its_name() {
        let file = PendingPath::new(Path::new("/home/me/out/.antiquary-x1y2.part"));
        assert!(is_pending(Path::new("out/.antiquary-x1y2.part")));
        assert!(!is_pending(Path::new("out/.antiquary-z3.part")));
        drop(file);
        assert!(!is_pending(Path::new("out/.antiquary-x1y2.part")));
    }
}
