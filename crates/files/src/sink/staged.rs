//! A file that waits for its name.

use std::io::ErrorKind;
use std::path::PathBuf;

use record::Error;

use super::unfinished::Named;

/// A file that was written and waits for its name.
#[derive(Debug)]
pub(super) struct Staged {
    /// There is none where nothing is written.
    pub(super) temporary: Option<Named>,
    pub(super) target: PathBuf,
}

impl Staged {
    /// Gives the file its name, unless another has it.
    pub(super) fn name_new(self) -> Result<(), Error> {
        let named = self.temporary.map_or(Ok(()), |temporary| temporary.keep_new(&self.target));
        named.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => Error::usage("already exists").in_file(&self.target),
            _ => Error::from(error).in_file(&self.target),
        })
    }

    /// Gives the file its name in place of the file that has it.
    pub(super) fn replace(self) -> Result<(), Error> {
        let named = self.temporary.map_or(Ok(()), |temporary| temporary.keep(&self.target));
        named.map_err(|error| Error::from(error).in_file(&self.target))
    }
}
