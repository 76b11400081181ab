//! Files that have no name of their own yet. They are gone when they are dropped before they get one.

#[cfg(not(feature = "fs"))]
pub(super) use nowhere::{Named, Unfinished};
#[cfg(feature = "fs")]
pub(super) use on_disk::{Named, Unfinished};

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::disk;

/// What the names of unfinished files begin and end with.
pub(super) const PREFIX: &str = ".antiquary-";
pub(super) const SUFFIX: &str = ".part";

/// The unfinished files and new folders of the whole program.
static UNFINISHED: Mutex<Begun> = Mutex::new(Begun { paths: BTreeSet::new(), is_abandoned: false });

struct Begun {
    paths: BTreeSet<PathBuf>,
    is_abandoned: bool,
}

fn begun() -> MutexGuard<'static, Begun> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all files that have no names of their own yet, and the folders that were created for them; from now on none can be begun. For a
/// program that is about to end because it was interrupted.
pub fn abandon() {
    let mut begun = begun();
    begun.is_abandoned = true;
    // What is in a folder comes behind it.
    for path in begun.paths.iter().rev() {
        // What has got its name meanwhile is no longer there; a folder with files in it stays.
        let _ = disk::remove_file(path).or_else(|_| disk::remove_folder(path));
    }
}

/// Whether a file is being written by this program. Their names are random, so these are enough; paths may be absolute here and relative there.
pub(super) fn is_begun(path: &Path) -> bool {
    path.file_name().is_some() && begun().paths.iter().any(|it| it.file_name() == path.file_name())
}

/// A path that is removed should the program be interrupted.
#[derive(Debug)]
pub(super) struct Begin(PathBuf);

impl Begin {
    pub(super) fn new(path: &Path) -> Self {
        begun().paths.insert(path.to_path_buf());
        Self(path.to_path_buf())
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Begin {
    fn drop(&mut self) {
        begun().paths.remove(&self.0);
    }
}

#[cfg(feature = "fs")]
mod on_disk {
    use std::io::{Error, ErrorKind, Result, Seek, SeekFrom, Write};
    use std::path::Path;

    use tempfile::{NamedTempFile, TempPath};

    use super::{Begin, begun};
    use crate::disk;

    /// A file that is being written.
    #[derive(Debug)]
    pub(in super::super) struct Unfinished(NamedTempFile, Begin);

    /// A file that was written and waits for its name.
    #[derive(Debug)]
    pub(in super::super) struct Named {
        path: TempPath,
        /// Until it has its name.
        _begin: Begin,
    }

    /// The error without the temporary path, which means nothing to the user.
    fn bare(error: Error) -> Error {
        if error.raw_os_error().is_some() { error } else { error.kind().into() }
    }

    impl Unfinished {
        /// A new file in a folder, with the permissions that new files have.
        pub(in super::super) fn new(folder: &Path) -> Result<Self> {
            let mut builder = tempfile::Builder::new();
            builder.prefix(super::PREFIX).suffix(super::SUFFIX);
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                builder.permissions(std::fs::Permissions::from_mode(0o666));
            }
            let mut all = begun();
            if all.is_abandoned {
                return Err(Error::from(ErrorKind::Interrupted));
            }
            let file = builder.tempfile_in(folder).map_err(bare)?;
            all.paths.insert(file.path().to_path_buf());
            let begin = Begin(file.path().to_path_buf());
            Ok(Self(file, begin))
        }

        /// Lets nobody read or write it who may not do so with another file.
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

        pub(in super::super) fn close(self) -> Named {
            Named { path: self.0.into_temp_path(), _begin: self.1 }
        }
    }

    impl Write for Unfinished {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            // The errors of the file itself do not name the temporary path.
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

    impl Named {
        pub(in super::super) fn path(&self) -> &Path {
            &self.path
        }

        /// Gives a file its name in place of the file that has it, whose permissions it takes over.
        pub(in super::super) fn keep(self, target: &Path) -> Result<()> {
            if let Ok(replaced) = disk::metadata(target) {
                std::fs::set_permissions(&self.path, replaced.permissions())?;
            }
            self.path.persist(target).map_err(|failure| failure.error)
        }

        /// Gives a file its name unless another has it.
        pub(in super::super) fn keep_new(self, target: &Path) -> Result<()> {
            let Err(failure) = self.path.persist_noclobber(target) else { return Ok(()) };
            let is_free = disk::link_metadata(target).is_err_and(|error| error.kind() == ErrorKind::NotFound);
            if failure.error.kind() == ErrorKind::AlreadyExists || !is_free {
                return Err(failure.error);
            }
            // Some file systems know neither renaming with care nor hard links; what is left is to look first.
            failure.path.persist(target).map_err(|failure| failure.error)
        }
    }
}

/// Without a file system there is no such file, so nothing can be done with one.
#[cfg(not(feature = "fs"))]
mod nowhere {
    use std::convert::Infallible;
    use std::io::{Error, ErrorKind, Result, Seek, SeekFrom, Write};
    use std::path::Path;

    #[derive(Debug)]
    pub(in super::super) struct Unfinished(Infallible);

    #[derive(Debug)]
    pub(in super::super) struct Named(Infallible);

    impl Unfinished {
        pub(in super::super) fn new(_folder: &Path) -> Result<Self> {
            Err(Error::new(ErrorKind::Unsupported, "file system access requires the feature `fs`"))
        }

        pub(in super::super) fn restrict(&self, _original: &Path) -> Result<()> {
            match self.0 {}
        }

        pub(in super::super) fn close(self) -> Named {
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

    impl Named {
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
    fn a_file_is_known_however_its_folder_is_named() {
        let file = Begin::new(Path::new("/home/me/out/.antiquary-x1y2.part"));
        assert!(is_begun(Path::new("out/.antiquary-x1y2.part")));
        assert!(!is_begun(Path::new("out/.antiquary-z3.part")));
        drop(file);
        assert!(!is_begun(Path::new("out/.antiquary-x1y2.part")));
    }
}
