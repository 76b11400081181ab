//! What an install is made of: folders on disk, files in memory, and containers that stand for folders.

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

/// A tree of files that can be laid over others. Paths are exact here; letter case is the install's business.
pub trait Layer: Any + fmt::Debug + Send + Sync {
    /// What it is called in messages.
    fn title(&self) -> String;

    /// What stands directly in a folder. Files that lead out of the layer are left out.
    ///
    /// # Errors
    /// When the folder cannot be read.
    fn list(&self, folder: &GamePath) -> Result<Vec<LayerEntry>, Error>;

    /// The bytes of a file that was listed.
    ///
    /// # Errors
    /// When it cannot be opened.
    fn open(&self, path: &GamePath) -> Result<Source, Error>;

    /// The folder on disk it stands for, if it is one, with symbolic links resolved.
    fn disk(&self) -> Option<&Path> {
        None
    }

    /// Where a file of it stands on disk, if it stands there as a file of its own.
    fn file(&self, _path: &GamePath) -> Option<PathBuf> {
        None
    }

    /// The container on disk whose entries it has, if it is one.
    fn container(&self) -> Option<&Path> {
        None
    }

    /// Why nothing, or not everything, is found in it.
    fn failure(&self) -> Option<Error> {
        None
    }
}

/// Something in a folder of a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerEntry {
    /// Its name: one segment of a path.
    pub name: String,
    /// Whether it holds bytes or other entries.
    pub kind: EntryKind,
}

/// Whether an entry holds bytes or other entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// It holds bytes.
    File,
    /// It holds other entries.
    Folder,
}

/// A file's name as text: UTF-8 if it is that, else in the game's character set. A Korean name that was taken for western letters is Korean again.
#[must_use]
pub fn decode_name(name: &OsStr, charset: Charset) -> String {
    match name.to_str() {
        Some(name) => restored(name, charset).into_owned(),
        None => charset.decode(name.as_encoded_bytes()).into_owned(),
    }
}

/// A name or path as the game has it, where a program took its Korean letters for western ones.
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
