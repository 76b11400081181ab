//! Files that hold other files.

mod layer;

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use record::{Error, Source};
use serde::Serialize;

pub use layer::ArchiveLayer;

use crate::asset::{Asset, Context};
use crate::format::{Can, Format, Game, Probe, Score};
use crate::report::{Code, Report, Severity};

/// What a container holds.
pub trait Archive: Send + Sync {
    /// The entries in the order they are stored.
    fn entries(&self) -> &[Entry];

    /// The bytes of one entry, by its index in [`Archive::entries`].
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
        Err(Error::unsupported("entries of this format cannot be replaced"))
    }
}

/// One file in a container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name as the container has it, decoded; may hold folders, with either slash.
    pub name: String,
    /// How many bytes it has once unpacked.
    pub length: u64,
    /// How many bytes it takes in the container.
    pub stored: u64,
    /// What it is.
    pub content: Content,
    /// Anything else worth telling, in a few words: compression, encryption, kind.
    pub note: String,
}

/// What an entry of a container is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
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

/// How a game keeps its files in containers that lie over its folder.
#[derive(Debug)]
pub struct Archives {
    /// The format of the containers.
    pub format: &'static Format,
    /// The containers of a game folder, the first laid over the others, all of them below the folder's own files. They may
    /// turn out not to be there.
    pub find: fn(&Path) -> Vec<PathBuf>,
    /// Makes a container of files, each under its name as the container is to have it, with `/` or `\`.
    pub write: WriteArchive,
}

/// Makes a container of files. What the container cannot hold is an error; what may not be meant so goes into the report.
pub type WriteArchive = fn(&[(String, Source)], &mut Report) -> Result<Vec<u8>, Error>;

/// A file that was extracted under another name.
pub static RENAMED: Code = Code {
    id: "EXTRACT-N001",
    severity: Severity::Note,
    title: "extracted under another name",
    about: "The name of a file in a container cannot be a file name everywhere, or another file has it already where letter case does not \
            matter. It was written under a safe one. Example: `\"data\\con.txt\" is written as \"data/con_.txt\"`.",
};

/// The notes that extracting from any container can raise.
pub static CODES: &[Code] = &[RENAMED];

/// A container that was opened and is kept open.
pub struct Container(Box<dyn Asset>);

impl Container {
    /// Opens a container of a format.
    ///
    /// # Errors
    /// When it cannot be read, is not sound, or holds no files.
    pub fn open(format: &Format, source: &Source, report: &mut Report) -> Result<Self, Error> {
        if source.is_empty() {
            return Err(Error::malformed("the file is empty").at(0));
        }
        let asset = (format.open)(source, report)?;
        if asset.archive().is_none() {
            return Err(Error::unsupported(format!("a {} holds no other files", format.name)));
        }
        Ok(Self(asset))
    }

    /// The container as a file of its format.
    #[must_use]
    pub fn asset(&self) -> &dyn Asset {
        &*self.0
    }
}

impl Archive for Container {
    fn entries(&self) -> &[Entry] {
        self.0.archive().map(Archive::entries).unwrap_or_default()
    }

    fn open(&self, index: usize) -> Result<Source, Error> {
        match self.0.archive() {
            Some(archive) => archive.open(index),
            None => Err(Error::usage("it holds no files")),
        }
    }

    fn replace(
        &self,
        context: &Context<'_>,
        index: usize,
        name: &str,
        content: &Source,
        out: &mut dyn Write,
        report: &mut Report,
    ) -> Result<(), Error> {
        match self.0.archive() {
            Some(archive) => archive.replace(context, index, name, content, out, report),
            None => Err(Error::usage("it holds no files")),
        }
    }
}

impl fmt::Debug for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Container({} entries)", self.entries().len())
    }
}

/// The format of a container, of those that these games have; `None` when it is none of them. Content counts before the name.
///
/// # Errors
/// When the file cannot be read.
pub fn detect(
    source: &Source,
    name: Option<&str>,
    games: &[&'static Game],
) -> Result<Option<(&'static Game, &'static Format)>, Error> {
    let head = source.head(Probe::HEAD)?;
    let probe = Probe::new(&head, source.len(), name);
    let mut best: Option<(Score, &'static Game, &'static Format)> = None;
    for game in games {
        for format in game.formats.iter().filter(|format| format.can(Can::List)) {
            let named = probe.has_extension(format.extensions).then_some(Score::POSSIBLE);
            let Some(score) = (format.probe)(&probe).or(named) else { continue };
            if score > Score::NEVER && best.is_none_or(|(known, ..)| score > known) {
                best = Some((score, game, format));
            }
        }
    }
    Ok(best.map(|(_, game, format)| (game, format)))
}
