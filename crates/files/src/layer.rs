//! The layers of an install: folders on disk, files in memory, and archives.

mod folder;
mod memory;

use std::any::Any;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use record::{Error, Source};

use crate::charset::{Charset, korean_of_western};
use crate::path::GamePath;
pub use folder::FolderLayer;
pub use memory::MemoryLayer;

/// A tree of files that can be layered over others. Paths are case-sensitive here; the install ignores letter case.
pub trait Layer: Any + fmt::Debug + Send + Sync {
    /// Returns the name of the layer in messages.
    fn title(&self) -> String;

    /// Returns the direct entries of a folder. Links that lead out of the layer are omitted.
    ///
    /// # Errors
    /// When the folder cannot be read.
    fn list(&self, folder: &GamePath) -> Result<Vec<LayerEntry>, Error>;

    /// Opens a listed file.
    ///
    /// # Errors
    /// When the file cannot be opened.
    fn open(&self, path: &GamePath) -> Result<Source, Error>;

    /// Returns the folder on disk with symbolic links resolved, if the layer is one.
    fn disk(&self) -> Option<&Path> {
        None
    }

    /// Returns the path of a file on disk, if it is a separate file.
    fn file(&self, _path: &GamePath) -> Option<PathBuf> {
        None
    }

    /// Returns the path of the archive on disk, if the layer is one.
    fn container(&self) -> Option<&Path> {
        None
    }

    /// Returns the reason why some or all files cannot be found.
    fn failure(&self) -> Option<Error> {
        None
    }
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerEntry {
    /// Name of the entry, a single path segment.
    pub name: String,
    /// The kind of entry.
    pub kind: EntryKind,
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// Decodes a file name: as UTF-8 if it is valid, otherwise in the game's character set. Korean names that were decoded as western
/// characters are repaired.
#[must_use]
pub fn decode_name(name: &OsStr, charset: Charset) -> String {
    match name.to_str() {
        Some(name) => restored(name, charset).into_owned(),
        None => charset.decode(name.as_encoded_bytes()).into_owned(),
    }
}

/// Repairs a name or path whose Korean characters were decoded as western ones.
#[must_use]
pub fn restored(name: &str, charset: Charset) -> Cow<'_, str> {
    if charset.in_force() != Charset::Cp949 || charset.encode(name).is_some() {
        return Cow::Borrowed(name);
    }
    let segments: Vec<Cow<'_, str>> = name
        .split_inclusive(['/', '\\'])
        .map(|segment| korean_of_western(segment).map_or(Cow::Borrowed(segment), Cow::Owned))
        .collect();
    Cow::Owned(segments.concat())
}
