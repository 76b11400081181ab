//! Files that hold other files.

mod parts;

use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::sync::Arc;

use files::sink::Output;
use record::{Error, Source};
use serde::Serialize;

pub use parts::{EditParts, PartChanges, put_new_views, stem_and_extension};

use crate::asset::Asset;
use crate::context::Context;
use crate::report::{Code, Report, Severity};

/// How many bytes of the entries of an archive that has so many bytes itself may be unpacked at once: 8 MB more than it has.
#[must_use]
pub const fn unpacked_at_once(archive_length: u64) -> u64 {
    archive_length.saturating_add(8 << 20)
}

/// What a container holds.
pub trait Archive: Send + Sync {
    /// How many entries it has.
    fn count(&self) -> usize;

    /// One entry, counted from 0 in the order they are stored.
    fn entry(&self, index: usize) -> Option<Entry<'_>>;

    /// The bytes of one entry.
    ///
    /// # Errors
    /// When there is no such entry, or it cannot be unpacked.
    fn open(&self, index: usize) -> Result<Source, Error>;

    /// Writes the whole container with other content for one entry, and nothing else changed but what follows from that. The
    /// content is a file as [`Archive::open`] gives it, or one of another kind that the container knows how to take (a WAV, a
    /// PNG): `name` is what the file with the content is called.
    ///
    /// # Errors
    /// When the container cannot be written, the entry cannot hold the content, or `out` fails.
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

    /// Writes the container with changes to its entries, and returns what becomes of each of them. How much of the old one is written says
    /// `mode`; containers of [parts](Editing::Parts) are always written from start to end.
    ///
    /// # Errors
    /// When entries cannot be changed, a file cannot become an entry, two entries would have one name, or `out` fails.
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

/// A container that is open.
pub trait OpenContainer: fmt::Debug + Send + Sync {
    /// The container as a file of its format.
    fn asset(&self) -> &dyn Asset;
}

/// Which changes the containers of a format support, apart from new content for an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Editing {
    /// None: entries are never added or removed.
    Fixed,
    /// Entries are files in folders, which keep their bytes and names. New ones can be appended to the container where it is.
    Files,
    /// Entries are parts of the container, such as sounds or models. A file becomes one, and its name becomes a name of the container, as far as
    /// entries have names. New files in the folder of an unpacked container are new entries too.
    Parts,
}

/// What became of one entry of a container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryChange {
    /// Its name; of a renamed one the old.
    pub name: String,
    /// What became of it.
    #[serde(flatten)]
    pub what: EntryFate,
}

/// What became of an entry of a container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum EntryFate {
    /// It was not there before.
    Added,
    /// It has other content.
    Replaced,
    /// It is gone.
    Removed,
    /// It has no content any more, but is still there: others are known by their numbers, which removing it would change.
    Emptied,
    /// It has another name.
    Renamed {
        /// The new name.
        to: String,
    },
}

/// What is to be another in a container.
#[derive(Debug, Clone)]
pub enum Change {
    /// There is a file of this name with this content: in the place of the first that has the name already, or as a new one.
    Put {
        /// The name, with either slash.
        name: String,
        /// The content.
        content: Source,
        /// How hard it is compressed.
        compression: Compression,
    },
    /// There is an entry of another container of the same format, with its name and its packed bytes: in the place of the first that has the
    /// name already, or as a new one.
    Take {
        /// The other container.
        from: Arc<dyn OpenContainer>,
        /// The number of the entry in it.
        index: usize,
    },
    /// An entry is gone.
    Remove(usize),
    /// An entry has another name.
    Rename(usize, String),
}

/// How much of a container is written when its entries change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditMode {
    /// All of it, so that no byte of a file moves; what was removed leaves a hole. The output is empty.
    Keep,
    /// Only what belongs to an entry. The output is empty.
    Compact,
    /// Nothing: the output holds the container. New bytes are written behind it; what makes them count is written last of all.
    Append,
}

/// How hard files are compressed that are put into a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    /// In little time.
    Fast,
    /// As other programs do.
    #[default]
    Usual,
    /// To few bytes, in several times the time.
    Best,
}

impl dyn Archive + '_ {
    /// The entries in the order they are stored.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        (0..self.count()).filter_map(|index| self.entry(index))
    }
}

/// One file in a container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry<'a> {
    /// Its name as the container has it, decoded; may hold folders, with either slash.
    pub name: Cow<'a, str>,
    /// How many bytes it has once unpacked.
    pub length: u64,
    /// How many bytes it takes in the container.
    pub stored: u64,
    /// What it is.
    pub content: Content,
    /// Anything else worth knowing, in a few words: compression, encryption, kind.
    pub note: Cow<'a, str>,
}

impl Entry<'_> {
    /// The same without its container.
    #[must_use]
    pub fn into_owned(self) -> Entry<'static> {
        let Self { name, length, stored, content, note } = self;
        let (name, note) = (Cow::Owned(name.into_owned()), Cow::Owned(note.into_owned()));
        Entry { name, length, stored, content, note }
    }
}

/// What an entry of a container is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Content {
    /// A file that can be opened.
    File,
    /// A file that nobody can open: enciphered, or packed in an unknown way.
    Sealed,
    /// A folder.
    Folder,
    /// The mark of a patch that a file is gone.
    Removed,
}

impl Content {
    /// The word shown in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Sealed => "sealed",
            Self::Folder => "folder",
            Self::Removed => "removed",
        }
    }

    /// Whether it stands for a file, be it one that can be opened or not.
    #[must_use]
    pub const fn is_file(self) -> bool {
        matches!(self, Self::File | Self::Sealed)
    }
}

/// A file that was extracted under a different name.
pub static RENAMED: Code = Code {
    id: "EXTRACT-N001",
    severity: Severity::Note,
    title: "extracted under a different name",
    about: "The name of a file in a container is not a valid file name everywhere, or another file has it already where letter case does not \
            matter. It was written under a safe one. Example: `\"data\\con.txt\" is written as \"data/con_.txt\"`.",
};

/// A file whose name is lost when it is extracted.
pub static NAME_LOST: Code = Code {
    id: "EXTRACT-W002",
    severity: Severity::Warning,
    title: "name not decodable",
    about: "A name in a container has bytes that are not text in the game's character set. Each becomes U+FFFD in the name of the extracted file, so the file \
            cannot be put back under its own name. Example: `\"data\\\u{fffd}.txt\" has bytes that cannot be decoded in the game's character set`.",
};

/// What extracting from any container can report.
pub static CODES: &[Code] = &[RENAMED, NAME_LOST];
