//! The surroundings of an opened file.

use files::install::{Install, Location, Lookup};

use crate::option::Options;

/// The surroundings of an opened file: the game's files, its location in the game, and the options of its format.
#[derive(Debug, Clone)]
pub struct Context<'a> {
    /// The game's files.
    pub install: &'a Install,
    /// Location of the file in the game; `None` if it was read from standard input or from memory.
    pub location: Option<Location>,
    /// The options of its format.
    pub options: &'a Options,
}

impl Context<'_> {
    /// Resolves a name relative to the file's folder, with all the fallbacks of
    /// [`Folder::reference`](files::install::Folder::reference). For a file without a location, the name is resolved from the
    /// root of the game.
    #[must_use]
    pub fn reference(&self, name: &str, extensions: &[&str]) -> Lookup {
        match &self.location {
            Some(location) => self.install.folder_of(location).reference(name, extensions),
            None => self.install.root().reference(name, extensions),
        }
    }
}
