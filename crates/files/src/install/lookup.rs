//! Lookup of names, and its results.

use crate::path::{GamePath, PathError};

use super::Install;
use super::listing::{bare, stem_of};
use crate::layer::EntryKind;

/// The location of a file in an install: a path and the layer that contains it. Returned by lookups.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    pub(super) layer: usize,
    pub(super) path: GamePath,
}

impl Location {
    /// Whether both files are in the same layer of the game.
    #[must_use]
    pub const fn is_in_layer_of(&self, other: &Self) -> bool {
        self.layer == other.layer
    }

    /// Returns the path from the game's root, spelled as on disk.
    #[must_use]
    pub fn path(&self) -> &GamePath {
        &self.path
    }
}

/// The result of a lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// The file was found.
    Found(Found),
    /// The file was not found.
    Missing,
    /// The path leads out of the game, so no file was looked up.
    Rejected(PathError),
}

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// Location of the file.
    pub location: Location,
    /// Kind of match.
    pub matched: Match,
}

/// The kind of match between a name and a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Match {
    /// The names are equal.
    Exact,
    /// The name on disk differs in letter case. The game ignores that; other systems may not.
    OtherCase,
    /// Only the bare name matches; the file is in the folder of the referencing file.
    BareName,
    /// The file has another extension.
    OtherExtension,
}

impl Lookup {
    /// Returns the file, if it was found.
    #[must_use]
    pub fn found(self) -> Option<Found> {
        match self {
            Self::Found(found) => Some(found),
            Self::Missing | Self::Rejected(_) => None,
        }
    }

    /// Returns this result, or the other one if no file was found. A rejection is kept unless the other lookup finds a file.
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

/// A folder of an install, for lookups. The folder need not exist; lookups in it fail then.
#[derive(Debug, Clone)]
pub struct Folder<'a> {
    pub(super) install: &'a Install,
    /// The layer that is searched first.
    pub(super) first: Option<usize>,
    pub(super) path: Result<GamePath, PathError>,
}

impl Folder<'_> {
    /// Finds a file by its name relative to this folder. The name may contain folders and `..`.
    #[must_use]
    pub fn find(&self, name: &str) -> Lookup {
        let path = match self.path.as_ref().map_err(|reason| *reason).and_then(|folder| folder.join(name)) {
            Ok(path) => path,
            Err(reason) => return Lookup::Rejected(reason),
        };
        if path.is_root() || name.ends_with(['/', '\\']) {
            return Lookup::Missing;
        }
        let found = self.install.in_layers(self.first, |layer| layer.file(&path));
        found.map_or(Lookup::Missing, |location| {
            let matched = if location.path == path { Match::Exact } else { Match::OtherCase };
            Lookup::Found(Found { location, matched })
        })
    }

    /// Finds a file in this folder by its stem and one of these extensions (without dots), in the order of the extensions. Letter
    /// case is ignored.
    #[must_use]
    pub fn find_stem(&self, stem: &str, extensions: &[&str]) -> Lookup {
        let folder = match &self.path {
            Ok(folder) => folder,
            Err(reason) => return Lookup::Rejected(*reason),
        };
        if stem.is_empty() || stem.contains(['/', '\\', '\0']) {
            return Lookup::Missing;
        }
        let found = self.install.in_layers(self.first, |layer| layer.stem(folder, stem, extensions));
        found.map_or(Lookup::Missing, |location| {
            Lookup::Found(Found { location, matched: Match::OtherExtension })
        })
    }

    /// Resolves a reference in a file of this folder, with the fallbacks that lenient games use, in this order: the exact name; a
    /// name with other letter case; the bare name without folders; the same stem with one of `extensions`, in the referenced
    /// folder and then without folders.
    ///
    /// A name that leads out of the game (`..\..\x.png`, `C:\art\x.png`) is only looked up without its folders.
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

    /// Returns the files in this folder, each name once. Upper layers hide files of the same name in lower ones.
    #[must_use]
    pub fn files(&self) -> Vec<Location> {
        let Ok(folder) = &self.path else { return Vec::new() };
        self.install.entries_in(self.first, folder, EntryKind::File)
    }

    /// Returns the folder that a relative name refers to.
    fn below(&self, name: &str) -> Self {
        let path = self.path.clone().and_then(|folder| folder.join(name)).map(|path| path.folder());
        Self { path, ..self.clone() }
    }
}
