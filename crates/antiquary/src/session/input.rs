//! An input file, and the source of its bytes.

use files::disk;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use asset::archive::Archive;
use asset::container::Container;
use asset::game::Root;
use asset::{Error, Format, GameInfo, Location, Report, Source};
use files::name::safe_name;

use crate::catalog::{Catalog, Detected, unknown};
use crate::opened::Opened;

/// An input file.
#[derive(Debug, Clone)]
pub struct Input {
    /// Path as given, or as found in a given folder.
    path: PathBuf,
    /// The given folder that contains the file.
    root: Option<PathBuf>,
    /// Path of its outputs, relative to the output folder.
    relative: PathBuf,
    origin: Origin,
    /// Report of a container whose files are inputs themselves.
    report: Option<Arc<Report>>,
}

/// Source of an input's bytes.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// The file on disk at the input's path.
    Disk,
    /// Memory: standard input, or bytes given by the caller.
    Memory(Source),
    /// The install that was given to the session.
    Install(Source, Location),
    /// An entry of a container.
    Entry(Member),
    /// The bytes cannot be read.
    Unreadable(Error),
}

/// A file in a container.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) container: Arc<Container>,
    /// Path of the container.
    pub(super) path: Arc<Path>,
    /// Format of the container.
    pub(super) format: &'static Format,
    /// Length of the container in bytes.
    pub(super) archive_length: u64,
    /// Index of the entry.
    pub(super) index: usize,
}

impl Member {
    /// Returns the name of the entry.
    pub(super) fn name(&self) -> Cow<'_, str> {
        self.container.entry(self.index).map_or(Cow::Borrowed(""), |entry| entry.name)
    }
}

impl Input {
    /// Creates an input from a file on disk.
    #[must_use]
    pub fn file(path: &Path) -> Self {
        Self::on_disk(path, None, path.file_name().map(PathBuf::from).unwrap_or_default())
    }

    /// Creates an input from memory. The name is used for display and for format detection.
    #[must_use]
    pub fn of_source(name: &str, source: Source) -> Self {
        Self { origin: Origin::Memory(source), ..Self::file(Path::new(name)) }
    }

    /// Creates an input from a file of the install that was given to the session.
    pub(super) fn of_install(path: &Path, source: Source, location: Location) -> Self {
        Self { origin: Origin::Install(source, location), ..Self::file(path) }
    }

    /// Creates an input from a file on disk: its path, the given folder that contains it, and the path of its outputs.
    pub(super) fn on_disk(path: &Path, root: Option<&Path>, relative: PathBuf) -> Self {
        Self {
            path: path.to_path_buf(),
            root: root.map(Path::to_path_buf),
            relative,
            origin: Origin::Disk,
            report: None,
        }
    }

    /// Creates an input from a file in a container.
    pub(super) fn of_member(path: PathBuf, root: Option<PathBuf>, relative: PathBuf, member: Member) -> Self {
        Self { path, root, relative, origin: Origin::Entry(member), report: None }
    }

    /// Returns the path of the file on disk that contains the bytes, if any.
    pub(super) fn on_disk_in(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Disk | Origin::Unreadable(_) => Some(&self.path),
            Origin::Entry(member) => Some(&member.path),
            Origin::Memory(_) | Origin::Install(..) => None,
        }
    }

    /// Creates an input from an entry of this container; its outputs go into `folder`.
    pub(super) fn in_container(&self, member: Member, folder: &Path) -> Self {
        let name = member.name();
        let segments = name.split(['/', '\\']).filter(|segment| !["", ".", ".."].contains(segment));
        let safe: Vec<_> = segments.map(safe_name).collect();
        let relative = folder.join(safe.join("/"));
        let path = path_of_entry(&self.path, &name);
        let root = Some(self.root.clone().unwrap_or_else(|| self.path.clone()));
        drop(name);
        Self { path, root, relative, origin: Origin::Entry(member), report: None }
    }

    /// Converts this container into an input that only reports the defects found while opening it.
    pub(super) fn report_only(&self, report: Report) -> Self {
        Self { report: Some(Arc::new(report)), ..self.clone() }
    }

    /// Converts this input into one that fails with the given error when it is read.
    pub(super) fn broken(&self, error: Error) -> Self {
        Self { origin: Origin::Unreadable(error), ..self.clone() }
    }

    /// Returns the report of a container whose files are inputs themselves.
    pub(super) fn report(&self) -> Option<&Report> {
        self.report.as_deref()
    }

    /// Returns the location in the install that was given to the session.
    pub(super) fn location(&self) -> Option<&Location> {
        match &self.origin {
            Origin::Install(_, location) => Some(location),
            _ => None,
        }
    }

    /// Returns the entry, if the input is in a container.
    pub(super) fn member(&self) -> Option<&Member> {
        match &self.origin {
            Origin::Entry(member) => Some(member),
            _ => None,
        }
    }

    /// Returns the path as given, or as found in a given folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the given folder that contains the file; `None` for a file that was given directly.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Returns the path relative to that folder, or the file name if the file was given directly.
    #[must_use]
    pub fn relative(&self) -> &Path {
        &self.relative
    }

    /// Returns the relative path with `/` as separator.
    pub(super) fn shown(&self) -> String {
        let parts = self.relative.components().map(|part| part.as_os_str().to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    }

    /// Whether the input is a file on disk, readable or not.
    pub(super) fn is_on_disk(&self) -> bool {
        matches!(self.origin, Origin::Disk | Origin::Unreadable(_))
    }

    /// Opens the bytes.
    ///
    /// # Errors
    /// Fails if they cannot be read.
    pub fn source(&self) -> Result<Source, Error> {
        match &self.origin {
            Origin::Disk => disk::open(&self.path),
            Origin::Memory(source) | Origin::Install(source, _) => Ok(source.clone()),
            Origin::Entry(member) => member.container.open(member.index),
            Origin::Unreadable(error) => Err(error.clone()),
        }
    }

    /// Opens the bytes of one of many files that are read later, without keeping the file open.
    pub(super) fn source_for_each_read(&self) -> Result<Source, Error> {
        match &self.origin {
            Origin::Disk => disk::open_for_each_read(&self.path),
            _ => self.source(),
        }
    }

    /// Opens the bytes and detects their format; the format is `None` if no known format matches.
    ///
    /// # Errors
    /// Fails if the bytes cannot be read.
    pub fn detect(&self, catalog: Catalog) -> Result<(Source, Option<Detected>), Error> {
        self.detect_in(catalog, self.game(catalog))
    }

    /// Like [`Input::detect`], for a file whose game is known.
    pub(super) fn detect_in(
        &self,
        catalog: Catalog,
        game: Option<&GameInfo>,
    ) -> Result<(Source, Option<Detected>), Error> {
        let source = self.source()?;
        let detected = catalog.detect_in(&source, Some(&self.path.to_string_lossy()), game)?;
        Ok((source, detected))
    }

    /// Returns the game that contains the file, based on the surrounding folders or on the format of its container.
    pub(super) fn game(&self, catalog: Catalog) -> Option<&'static GameInfo> {
        let games = catalog.games();
        match &self.origin {
            Origin::Disk | Origin::Unreadable(_) => Root::around(&self.path, games).ok()?.game,
            Origin::Entry(member) => games.iter().copied().find(|it| Some(it.id) == member.format.game),
            Origin::Memory(_) | Origin::Install(..) => None,
        }
    }

    /// Opens the bytes and detects their format.
    ///
    /// # Errors
    /// Fails if the bytes cannot be read, are empty, or have no known format.
    pub(super) fn recognize(&self, catalog: Catalog) -> Result<(Source, &'static Format), Error> {
        let source = self.source()?;
        let name = self.path.to_string_lossy();
        let format = catalog.recognize_in(&source, Some(&name), self.game(catalog))?;
        Ok((source, format))
    }

    /// Returns the reason why a file without a known format cannot be opened.
    pub(super) fn unknown(&self, catalog: Catalog, source: &Source) -> Error {
        unknown(catalog, source, Some(&self.path.to_string_lossy()), self.game(catalog))
    }

    /// Opens the file in its detected format.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is empty, has no known format, or is malformed.
    pub fn open(&self, catalog: Catalog) -> Result<Opened, Error> {
        let name = self.path.to_string_lossy();
        self.source()
            .and_then(|source| catalog.open_in(source, Some(&name), self.game(catalog)))
            .map(|opened| if self.is_on_disk() { opened.on_disk(&self.path) } else { opened })
            .map_err(|error| error.in_file(&self.path))
    }
}

/// Returns the display path of an entry: the container's path and the unmodified name, which may lead out of the container.
pub(super) fn path_of_entry(container: &Path, name: &str) -> PathBuf {
    let mut path = container.as_os_str().to_owned();
    path.push("/");
    path.push(name.replace('\\', "/"));
    PathBuf::from(path)
}
