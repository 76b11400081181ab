//! What surrounds an opened file.

use files::install::{Install, Location, Lookup};

use crate::option::Options;

/// The game around an opened file, where the file is in it, and the options of its format.
#[derive(Debug, Clone)]
pub struct Context<'a> {
    /// The game around it.
    pub install: &'a Install,
    /// Where the file is in the game; `None` when it came from standard input or from memory.
    pub location: Option<Location>,
    /// The options of its format.
    pub options: &'a Options,
}

impl Context<'_> {
    /// Looks a name up as the file means it: relative to the file's own folder, with all the fallbacks of
    /// [`Folder::reference`](files::install::Folder::reference). A file without a location is looked up as if it were in the root of the game.
    #[must_use]
    pub fn reference(&self, name: &str, extensions: &[&str]) -> Lookup {
        match &self.location {
            Some(place) => self.install.beside(place).reference(name, extensions),
            None => self.install.root().reference(name, extensions),
        }
    }
}
