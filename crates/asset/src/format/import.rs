//! Files made of scenes.

use std::fmt;

use record::Error;

use crate::asset::Asset;
use crate::option::{FormatOption, Options};
use crate::report::Report;

/// How a file of one format is made of a scene that was read from a glTF file.
#[derive(Debug, Clone, Copy)]
pub struct Import {
    /// The extensions of files that can be made, some of those of the format; the first is the default. They may stand for versions
    /// of the format.
    pub extensions: &'static [&'static str],
    /// What can be chosen.
    pub options: &'static [FormatOption],
    /// Makes the file that has one of these extensions. What it cannot hold goes into the report.
    pub make: ImportScene,
}

/// Makes a file of a scene.
pub type ImportScene = fn(&SceneFile<'_>, &mut Report) -> Result<Imported, Error>;

/// A scene file, and what is to become of it.
#[derive(Clone, Copy)]
pub struct SceneFile<'a> {
    /// What was read.
    pub read: &'a scene::gltf::Read,
    /// The extension of the file to make, in lower case.
    pub extension: &'a str,
    /// The name of the file to make.
    pub name: &'a str,
    /// What was chosen of [`Import::options`].
    pub options: &'a Options,
    /// The file that the scene was made from, where it is at hand: it has what scenes cannot hold, and what was lost on the way.
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

/// A file made of a scene.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// The file.
    pub bytes: Vec<u8>,
    /// Files that it names, to be written along with it where the game has none.
    pub beside: Vec<Companion>,
}

/// A file that another one names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Companion {
    /// Its path below the folder of its place, with `/` between folders.
    pub name: String,
    /// Where it goes.
    pub place: CompanionPlace,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The folder that a [`Companion`] goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompanionPlace {
    /// The folder of the file. It is not written if it is in one of these folders next to the file.
    SameFolder {
        /// Paths with `/` between folders.
        also_in: &'static [&'static str],
        /// Folders of the game that hold such files, by their paths from its root.
        in_game: &'static [&'static str],
    },
    /// A folder of the game around the file, or next to a file outside a game.
    InGame {
        /// The folder that has all files of this kind, by which the game is found: `data/model` of `mod/data/model/a/b.obj`.
        files: &'static str,
        /// The folder that the companion goes to: `data/texture`.
        folder: &'static str,
    },
}

impl From<Vec<u8>> for Imported {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, beside: Vec::new() }
    }
}
