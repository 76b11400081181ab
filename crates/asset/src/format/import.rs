//! Files that are built from scenes.

use std::fmt;

use record::Error;

use crate::asset::Asset;
use crate::option::{FormatOption, Options};
use crate::report::Report;

/// The import of scenes that were read from glTF files into one format.
#[derive(Debug, Clone, Copy)]
pub struct Import {
    /// Extensions of the files that can be built, a subset of those of the format; the first one is the default. Extensions may
    /// denote versions of the format.
    pub extensions: &'static [&'static str],
    /// Available options.
    pub options: &'static [FormatOption],
    /// Builds the file with one of these extensions. Data that it cannot store is reported.
    pub make: ImportScene,
}

/// Builds a file from a scene.
pub type ImportScene = fn(&SceneFile<'_>, &mut Report) -> Result<Imported, Error>;

/// A scene file, and the file to build from it.
#[derive(Clone, Copy)]
pub struct SceneFile<'a> {
    /// The contents of the scene file.
    pub read: &'a scene::gltf::Read,
    /// Extension of the file to build, in lowercase.
    pub extension: &'a str,
    /// Name of the file to build.
    pub name: &'a str,
    /// Values of [`Import::options`].
    pub options: &'a Options,
    /// The file that the scene was converted from, if available. It provides data that scenes cannot store or that was lost in
    /// the conversion.
    pub base: Option<&'a dyn Asset>,
}

impl fmt::Debug for SceneFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { extension, name, options, .. } = self;
        f.debug_struct("SceneFile")
            .field("extension", extension)
            .field("name", name)
            .field("options", options)
            .finish_non_exhaustive()
    }
}

/// A file built from a scene.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Contents of the file.
    pub bytes: Vec<u8>,
    /// Files that it refers to; they are written next to it unless the game already has them.
    pub companions: Vec<Companion>,
}

/// A file that another file refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Companion {
    /// Path below the folder that `place` selects, with `/` between folders.
    pub name: String,
    /// The destination folder.
    pub place: CompanionPlace,
    /// Contents of the file.
    pub bytes: Vec<u8>,
}

/// The destination of a [`Companion`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompanionPlace {
    /// The folder of the file. The companion is not written if it exists in one of these folders next to the file.
    SameFolder {
        /// Paths with `/` between folders.
        also_in: &'static [&'static str],
        /// Folders of the game that may already contain the companion, by their paths from the game's root.
        in_game: &'static [&'static str],
    },
    /// A folder of the game around the file, or next to a file outside a game.
    InGame {
        /// Folder of all files of this kind, by which the game's root is found: `data/model` in `mod/data/model/a/b.obj`.
        files: &'static str,
        /// Destination of the companion: `data/texture`.
        folder: &'static str,
    },
}

impl From<Vec<u8>> for Imported {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, companions: Vec::new() }
    }
}
