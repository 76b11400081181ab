//! Files that were written, but have no final names yet.

use std::io::ErrorKind;
use std::path::PathBuf;

use record::Error;

use super::unfinished::Completed;

/// A file that was written, but has no final name yet.
#[derive(Debug)]
pub(super) struct Staged {
    /// `None` in a dry run.
    pub(super) temporary: Option<Completed>,
    pub(super) target: PathBuf,
}

impl Staged {
    /// Renames the file to its final name, unless a file of that name exists.
    pub(super) fn create(self) -> Result<(), Error> {
        let renamed = self.temporary.map_or(Ok(()), |temporary| temporary.keep_new(&self.target));
        renamed.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => Error::usage("already exists").in_file(&self.target),
            _ => Error::from(error).in_file(&self.target),
        })
    }

    /// Renames the file to its final name, replacing an existing file.
    pub(super) fn replace(self) -> Result<(), Error> {
        let renamed = self.temporary.map_or(Ok(()), |temporary| temporary.keep(&self.target));
        renamed.map_err(|error| Error::from(error).in_file(&self.target))
    }
}
