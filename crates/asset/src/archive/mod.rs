//! Archives: files that contain other files.

mod parts;

use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::sync::Arc;

use files::sink::Output;
use record::{Error, Source};
use scene::Compression;
use serde::Serialize;

pub use parts::{EditParts, PartChanges, put_new_views, stem_and_extension};

use crate::asset::Asset;
use crate::context::Context;
use crate::report::{Code, Report, Severity};

/// Returns the maximum number of bytes of unpacked entries in memory, given the length of the archive: 8 MB more than that.
#[must_use]
pub const fn unpacked_at_once(archive_length: u64) -> u64 {
    archive_length.saturating_add(8 << 20)
}

/// An archive of entries.
pub trait Archive: Send + Sync {
    /// Returns the number of entries.
    fn count(&self) -> usize;

    /// Returns an entry by its zero-based index, in stored order.
    fn entry(&self, index: usize) -> Option<Entry<'_>>;

    /// Opens an entry.
    ///
    /// # Errors
    /// When the entry does not exist or cannot be unpacked.
    fn open(&self, index: usize) -> Result<Source, Error>;

    /// Writes the archive with other content for one entry; everything that does not depend on it is unchanged. `content` is a
    /// file as returned by [`Archive::open`], or a file of another type that the archive can convert (WAV, PNG). `name` is the
    /// name of the file with the content.
    ///
    /// # Errors
    /// When the archive cannot be written, the entry cannot store the content, or `out` fails.
    fn replace(
        &self,
        context: &Context<'_>,
        index: usize,
        name: &str,
        content: &Source,
        out: &mut dyn Write,
        report: &mut Report,
    ) -> Result<(), Error> {
        let _ = (context, index, name, content, out, report);
        Err(Error::unsupported("this format does not support replacing entries"))
    }

    /// Writes the archive with changes to its entries, and returns the change of each affected entry. `mode` determines how much
    /// of the old archive is written; archives of [parts](Editing::Parts) are always written completely.
    ///
    /// # Errors
    /// When entries cannot be changed, a file cannot be stored as an entry, two entries would have the same name, or `out` fails.
    fn edit(
        &self,
        context: &Context<'_>,
        changes: &[Change],
        mode: EditMode,
        out: &mut dyn Output,
        report: &mut Report,
    ) -> Result<Vec<EntryChange>, Error> {
        let _ = (context, changes, mode, out, report);
        Err(Error::unsupported("this format does not support adding, removing or renaming entries"))
    }
}

/// An opened archive.
pub trait OpenContainer: fmt::Debug + Send + Sync {
    /// The archive as a file of its format.
    fn asset(&self) -> &dyn Asset;
}

/// The supported changes of the entries of an archive, in addition to replacing their content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Editing {
    /// None: the number of entries is fixed.
    Fixed,
    /// Entries are files in folders and keep their bytes and names. New entries can be appended to the archive in place.
    Files,
    /// Entries are parts of the archive, such as sounds or models. A file is converted to an entry, and its name becomes a name
    /// in the archive if entries have names. New files in the folder of an unpacked archive become entries, too.
    Parts,
}

/// A change of one entry of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryChange {
    /// Name of the entry; for a renamed entry, the old name.
    pub name: String,
    /// The kind of change.
    #[serde(flatten)]
    pub what: EntryChangeKind,
}

/// The kind of change of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum EntryChangeKind {
    /// The entry is new.
    Added,
    /// The content was replaced.
    Replaced,
    /// The entry was removed.
    Removed,
    /// The content was removed, but not the entry: other entries are identified by their indices, which would change.
    Emptied,
    /// The entry has another name.
    Renamed {
        /// The new name.
        to: String,
    },
}

/// A change to an archive.
#[derive(Debug, Clone)]
pub enum Change {
    /// Stores a file under a name: replaces the first entry of that name, or adds a new entry.
    Put {
        /// Name of the entry, with either slash.
        name: String,
        /// Content of the entry.
        content: Source,
        /// Compression level.
        compression: Compression,
    },
    /// Copies an entry from another archive of the same format, with its name and its packed bytes: replaces the first entry of
    /// that name, or adds a new entry.
    Take {
        /// The other archive.
        from: Arc<dyn OpenContainer>,
        /// Index of the entry in it.
        index: usize,
    },
    /// Removes an entry.
    Remove(usize),
    /// Renames an entry.
    Rename(usize, String),
}

/// The extent to which an archive is written when its entries change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditMode {
    /// Writes all bytes at their offsets; removed entries leave holes. The output must be empty.
    Keep,
    /// Writes only the bytes of entries. The output must be empty.
    Compact,
    /// Appends to the archive in the output. New bytes are written at its end; the bytes that refer to them are written last.
    Append,
}

impl dyn Archive + '_ {
    /// Iterates over the entries in stored order.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        (0..self.count()).filter_map(|index| self.entry(index))
    }
}

/// An entry of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry<'a> {
    /// Name as stored in the archive, decoded. It may include folders, with either slash.
    pub name: Cow<'a, str>,
    /// Unpacked size in bytes.
    pub length: u64,
    /// Size in the archive in bytes.
    pub stored: u64,
    /// The kind of content.
    pub content: Content,
    /// Short additional information: compression, encryption, kind.
    pub note: Cow<'a, str>,
}

impl Entry<'_> {
    /// Converts the entry to one that does not borrow from the archive.
    #[must_use]
    pub fn into_owned(self) -> Entry<'static> {
        let Self { name, length, stored, content, note } = self;
        let (name, note) = (Cow::Owned(name.into_owned()), Cow::Owned(note.into_owned()));
        Entry { name, length, stored, content, note }
    }
}

/// The kind of content of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Content {
    /// A file that can be opened.
    File,
    /// A file that cannot be opened: encrypted, or compressed with an unknown method.
    #[serde(rename = "sealed")]
    Unreadable,
    /// A folder.
    Folder,
    /// A patch's marker for a removed file.
    Removed,
}

impl Content {
    /// The word shown in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Unreadable => "sealed",
            Self::Folder => "folder",
            Self::Removed => "removed",
        }
    }

    /// Whether it is a file, readable or not.
    #[must_use]
    pub const fn is_file(self) -> bool {
        matches!(self, Self::File | Self::Unreadable)
    }
}

/// A file was extracted under a different name.
pub static RENAMED: Code = Code {
    id: "EXTRACT-N001",
    severity: Severity::Note,
    title: "extracted under a different name",
    about: "The name of a file in an archive is not a valid file name on all systems, or differs from another name only in letter case. \
            It was written under a safe name. Example: `\"data\\con.txt\" is written as \"data/con_.txt\"`.",
};

/// The name of a file is lost when it is extracted.
pub static NAME_LOST: Code = Code {
    id: "EXTRACT-W002",
    severity: Severity::Warning,
    title: "name not decodable",
    about: "A name in an archive has bytes that are not valid in the game's character set. Each is replaced by U+FFFD in the name of the \
            extracted file, so the file cannot be added to the archive under its original name. Example: `\"data\\\u{fffd}.txt\" has \
            bytes that cannot be decoded in the game's character set`.",
};

/// The warnings that extracting from any archive can raise.
pub static CODES: &[Code] = &[RENAMED, NAME_LOST];
