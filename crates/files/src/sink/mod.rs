//! Destinations of output files.

mod folder;
mod guard;
mod shared;
mod staged;
#[cfg(test)]
mod tests;
mod unfinished;

use std::io::{self, Seek, Write};

use record::{Error, Source};

pub use folder::FolderSink;
pub use guard::{Guard, Overwrite, WriteMode};
pub use shared::SharedFiles;
pub use unfinished::abandon;

/// A destination of files. Names are relative, with `/` between folders.
pub trait Sink {
    /// Writes a file.
    ///
    /// # Errors
    /// When the name leads out of the sink or was used before, or the file cannot be written.
    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error>;

    /// Writes a file that need not be in memory.
    ///
    /// # Errors
    /// The same as [`Sink::put`], and when the source cannot be read.
    fn put_source(&mut self, name: &str, source: &Source) -> Result<(), Error> {
        self.put(name, &source.read_all()?)
    }

    /// Writes a file piece by piece.
    ///
    /// # Errors
    /// The same as [`Sink::put`], and the errors of `write`.
    fn put_stream(
        &mut self,
        name: &str,
        write: &mut dyn FnMut(&mut dyn Write) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        self.put(name, &bytes)
    }

    /// Returns the folder of files that several outputs of a run refer to, as a URI relative to a folder of this sink, with a
    /// trailing slash. Returns `None` if each output is self-contained.
    fn shared_folder(&self, _folder: &str) -> Option<String> {
        None
    }

    /// Writes a file to that folder, unless the run has already written it. Files of the same name have the same content.
    ///
    /// # Errors
    /// The same as [`Sink::put`].
    fn put_shared(&mut self, name: &str, bytes: &mut dyn FnMut() -> Vec<u8>) -> Result<(), Error> {
        self.put(name, &bytes())
    }
}

/// A writable file that need not be in memory.
pub trait Output: Write + Seek {
    /// Flushes all data to persistent storage.
    ///
    /// # Errors
    /// When the data cannot be written.
    fn sync(&mut self) -> io::Result<()> {
        self.flush()
    }
}

impl Output for io::Cursor<Vec<u8>> {}

/// A sink that keeps files in memory, in the order of writing.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct MemorySink {
    files: Vec<(String, Vec<u8>)>,
}

impl MemorySink {
    /// Creates an empty sink.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the contents of a file.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.files.iter().find(|(known, _)| known == name).map(|(_, bytes)| bytes.as_slice())
    }

    /// Returns the files in the order of writing.
    #[must_use]
    pub fn files(&self) -> &[(String, Vec<u8>)] {
        &self.files
    }

    /// Converts the sink to its files.
    #[must_use]
    pub fn into_files(self) -> Vec<(String, Vec<u8>)> {
        self.files
    }
}

impl Sink for MemorySink {
    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        if self.get(name).is_some() {
            return Err(used_before(name));
        }
        self.files.push((name.to_owned(), bytes.to_vec()));
        Ok(())
    }
}

/// A sink that writes to a folder of another sink.
pub struct Subfolder<'a> {
    sink: &'a mut dyn Sink,
    folder: &'a str,
}

impl<'a> Subfolder<'a> {
    /// Creates a sink that writes to `folder` of `sink`.
    pub fn new(sink: &'a mut dyn Sink, folder: &'a str) -> Self {
        Self { sink, folder }
    }
}

impl Sink for Subfolder<'_> {
    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.sink.put(&format!("{}/{name}", self.folder), bytes)
    }

    fn put_source(&mut self, name: &str, source: &Source) -> Result<(), Error> {
        self.sink.put_source(&format!("{}/{name}", self.folder), source)
    }

    fn shared_folder(&self, folder: &str) -> Option<String> {
        let all = [self.folder, folder].map(|part| part.split('/').filter(|part| !part.is_empty()));
        let folder: Vec<&str> = all.into_iter().flatten().collect();
        self.sink.shared_folder(&folder.join("/"))
    }

    fn put_shared(&mut self, name: &str, bytes: &mut dyn FnMut() -> Vec<u8>) -> Result<(), Error> {
        self.sink.put_shared(name, bytes)
    }
}

impl std::fmt::Debug for Subfolder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Subfolder({})", self.folder)
    }
}

fn used_before(name: &str) -> Error {
    Error::usage("another output of this run has the same name").in_file(name)
}
