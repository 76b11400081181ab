//! Files that have no name of their own yet. They are gone when they are dropped before they get one.

#[cfg(not(feature = "fs"))]
pub(super) use nowhere::{Named, Unfinished};
#[cfg(feature = "fs")]
pub(super) use on_disk::{Named, Unfinished};

#[cfg(feature = "fs")]
mod on_disk {
    use std::io::{ErrorKind, Result, Write};
    use std::path::Path;

    use tempfile::{NamedTempFile, TempPath};

    use crate::disk;

    /// A file that is being written.
    #[derive(Debug)]
    pub(in super::super) struct Unfinished(NamedTempFile);

    /// A file that was written and waits for its name.
    #[derive(Debug)]
    pub(in super::super) struct Named(TempPath);

    impl Unfinished {
        /// A new file in a folder, with the permissions that new files have.
        pub(in super::super) fn new(folder: &Path) -> Result<Self> {
            let mut builder = tempfile::Builder::new();
            builder.prefix(".antiquary-").suffix(".part");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                builder.permissions(std::fs::Permissions::from_mode(0o666));
            }
            builder.tempfile_in(folder).map(Self)
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
            Named(self.0.into_temp_path())
        }
    }

    impl Write for Unfinished {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            self.0.write(bytes)
        }

        fn flush(&mut self) -> Result<()> {
            self.0.flush()
        }
    }

    impl Named {
        pub(in super::super) fn path(&self) -> &Path {
            &self.0
        }

        /// Gives a file its name in place of the file that has it, whose permissions it takes over.
        pub(in super::super) fn keep(self, target: &Path) -> Result<()> {
            if let Ok(replaced) = disk::metadata(target) {
                std::fs::set_permissions(&self.0, replaced.permissions())?;
            }
            self.0.persist(target).map_err(|failure| failure.error)
        }

        /// Gives a file its name unless another has it.
        pub(in super::super) fn keep_new(self, target: &Path) -> Result<()> {
            let Err(failure) = self.0.persist_noclobber(target) else { return Ok(()) };
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
    use std::io::{Error, ErrorKind, Result, Write};
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
