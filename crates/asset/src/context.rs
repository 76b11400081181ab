//! The game around an opened file, and the options of its format.

use crate::install::{Install, Location, Lookup};
use crate::option::Options;

/// Where an opened file stands and what was asked of its format.
#[derive(Debug, Clone)]
pub struct Context<'a> {
    /// The game around it.
    pub install: &'a Install,
    /// Where it stands in the game; `None` when it came from standard input or from memory.
    pub location: Option<Location>,
    /// What was asked of its format.
    pub options: &'a Options,
}

impl Context<'_> {
    /// Looks a name up as the file means it: relative to the file's own folder, with all the fallbacks of
    /// [`Folder::reference`](crate::install::Folder::reference). A file that stands nowhere is taken to stand in the game's root.
    #[must_use]
    pub fn reference(&self, name: &str, extensions: &[&str]) -> Lookup {
        match &self.location {
            Some(place) => self.install.beside(place).reference(name, extensions),
            None => self.install.root().reference(name, extensions),
        }
    }
}
