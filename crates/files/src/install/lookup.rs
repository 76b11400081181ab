//! Looking names up, and what comes of it.

use crate::path::{GamePath, PathError};

use super::Install;
use super::listing::{bare, stem_of};
use crate::layer::EntryKind;

/// Where a file stands in an install: a path and the layer that has it. Made by looking something up.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    pub(super) layer: usize,
    pub(super) path: GamePath,
}

impl Location {
    /// Whether both stand in the same folder or archive of those that make up the game.
    #[must_use]
    pub const fn is_in_layer_of(&self, other: &Self) -> bool {
        self.layer == other.layer
    }

    /// The path from the game's root, spelled as on disk.
    #[must_use]
    pub fn path(&self) -> &GamePath {
        &self.path
    }
}

/// What came of looking a name up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// There is such a file.
    Found(Found),
    /// There is none.
    Missing,
    /// The name does not lie within the game, so it was not looked for.
    Rejected(PathError),
}

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// Where it stands.
    pub location: Location,
    /// How it came to be found.
    pub matched: Match,
}

/// How a file came to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Match {
    /// Under the very name.
    Exact,
    /// The name on disk differs in letter case. The game does not mind; other systems may.
    OtherCase,
    /// Without the folders it was written with, beside the file that names it.
    BareName,
    /// With another extension.
    OtherExtension,
}

impl Lookup {
    /// What was found, if anything.
    #[must_use]
    pub fn found(self) -> Option<Found> {
        match self {
            Self::Found(found) => Some(found),
            Self::Missing | Self::Rejected(_) => None,
        }
    }

    /// This, or the other if nothing was found. That a name lies outside is remembered unless the other finds something.
    fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        if matches!(self, Self::Found(_)) {
            return self;
        }
        match other() {
            Self::Missing => self,
            found => found,
        }
    }
}

/// A folder of an install, to look names up in. It need not exist; then nothing is found in it.
#[derive(Debug, Clone)]
pub struct Folder<'a> {
    pub(super) install: &'a Install,
    /// The layer that is asked first.
    pub(super) first: Option<usize>,
    pub(super) path: Result<GamePath, PathError>,
}

impl Folder<'_> {
    /// Looks up a name written in this folder; it may lead into folders below, or beside through `..`.
    #[must_use]
    pub fn find(&self, name: &str) -> Lookup {
        let path = match self.path.as_ref().map_err(|why| *why).and_then(|folder| folder.join(name)) {
            Ok(path) => path,
            Err(why) => return Lookup::Rejected(why),
        };
        if path.is_root() || name.ends_with(['/', '\\']) {
            return Lookup::Missing;
        }
        let found = self.install.in_layers(self.first, |layer| layer.file(&path));
        found.map_or(Lookup::Missing, |place| {
            let how = if place.path == path { Match::Exact } else { Match::OtherCase };
            Lookup::Found(Found { location: place, matched: how })
        })
    }

    /// Looks for a file in this folder with this stem and one of these extensions (without dots), the first extension that
    /// is there. Letter case does not matter.
    #[must_use]
    pub fn find_stem(&self, stem: &str, extensions: &[&str]) -> Lookup {
        let folder = match &self.path {
            Ok(folder) => folder,
            Err(why) => return Lookup::Rejected(*why),
        };
        if stem.is_empty() || stem.contains(['/', '\\', '\0']) {
            return Lookup::Missing;
        }
        let found = self.install.in_layers(self.first, |layer| layer.stem(folder, stem, extensions));
        found.map_or(Lookup::Missing, |place| {
            Lookup::Found(Found { location: place, matched: Match::OtherExtension })
        })
    }

    /// Looks up a name as a file in this folder means it, with the fallbacks of forgiving games, in this order: as written;
    /// in another letter case; without the folders it was written with; with the same stem and one of `extensions`, where it
    /// was written to be and then without folders.
    ///
    /// A name that leads out of the game (`..\..\x.png`, `C:\art\x.png`) is looked for without its folders only.
    #[must_use]
    pub fn reference(&self, name: &str, extensions: &[&str]) -> Lookup {
        let short = bare(name);
        let has_folders = short.len() != name.len();
        let as_bare = |lookup: Lookup| match lookup {
            Lookup::Found(found) => Lookup::Found(Found { matched: Match::BareName, ..found }),
            other => other,
        };
        self.find(name)
            .or_else(|| if has_folders { as_bare(self.find(short)) } else { Lookup::Missing })
            .or_else(|| self.below(name).find_stem(stem_of(name), extensions))
            .or_else(|| if has_folders { self.find_stem(stem_of(name), extensions) } else { Lookup::Missing })
    }

    /// The files in this folder, each once: what a layer above has hides the same name below.
    #[must_use]
    pub fn files(&self) -> Vec<Location> {
        let Ok(folder) = &self.path else { return Vec::new() };
        self.install.entries_in(self.first, folder, EntryKind::File)
    }

    /// The folder in which a name written here would stand.
    fn below(&self, name: &str) -> Self {
        let path = self.path.clone().and_then(|folder| folder.join(name)).map(|path| path.folder());
        Self { path, ..self.clone() }
    }
}
