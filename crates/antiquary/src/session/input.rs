//! An input file, and where its bytes are.

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
    /// The path as given, or as found in a given folder.
    path: PathBuf,
    /// The given folder that it was found in.
    root: Option<PathBuf>,
    /// Where its outputs go, relative to the output folder.
    relative: PathBuf,
    origin: Origin,
    /// The report of a container whose files are inputs themselves.
    report: Option<Arc<Report>>,
}

/// Where the bytes of a file are.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// In the file on disk that the input's path names.
    Disk,
    /// In memory: from standard input, or given by the caller.
    Memory(Source),
    /// In the install that the session is given.
    Install(Source, Location),
    /// In a container.
    Entry(Member),
    /// They cannot be read.
    Unreadable(Error),
}

/// A file in a container.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) container: Arc<Container>,
    /// The path of the container.
    pub(super) path: Arc<Path>,
    /// The format of the container.
    pub(super) format: &'static Format,
    /// How many bytes the container has.
    pub(super) archive_length: u64,
    /// The index of the entry.
    pub(super) index: usize,
}

impl Member {
    /// The name of the entry.
    pub(super) fn name(&self) -> Cow<'_, str> {
        self.container.entry(self.index).map_or(Cow::Borrowed(""), |entry| entry.name)
    }
}

impl Input {
    /// A file on disk.
    #[must_use]
    pub fn file(path: &Path) -> Self {
        Self::on_disk(path, None, path.file_name().map(PathBuf::from).unwrap_or_default())
    }

    /// An input from memory. The name is shown and used for format detection.
    #[must_use]
    pub fn of_source(name: &str, source: Source) -> Self {
        Self { origin: Origin::Memory(source), ..Self::file(Path::new(name)) }
    }

    /// A file of the install that the session is given.
    pub(super) fn of_install(path: &Path, source: Source, location: Location) -> Self {
        Self { origin: Origin::Install(source, location), ..Self::file(path) }
    }

    /// A file on disk: its path, the given folder that it is in, and where its outputs go.
    pub(super) fn on_disk(path: &Path, root: Option<&Path>, relative: PathBuf) -> Self {
        Self {
            path: path.to_path_buf(),
            root: root.map(Path::to_path_buf),
            relative,
            origin: Origin::Disk,
            report: None,
        }
    }

    /// A file in a container.
    pub(super) fn of_member(path: PathBuf, root: Option<PathBuf>, relative: PathBuf, member: Member) -> Self {
        Self { path, root, relative, origin: Origin::Entry(member), report: None }
    }

    /// The file on disk that its bytes are in, if it is there.
    pub(super) fn on_disk_in(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Disk | Origin::Unreadable(_) => Some(&self.path),
            Origin::Entry(member) => Some(&member.path),
            Origin::Memory(_) | Origin::Install(..) => None,
        }
    }

    /// A file in the container that is this input; its outputs go into `folder`.
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

    /// The same container as an input that only reports what was found on opening it.
    pub(super) fn report_only(&self, report: Report) -> Self {
        Self { report: Some(Arc::new(report)), ..self.clone() }
    }

    /// The same input with an error that is reported when it is read.
    pub(super) fn broken(&self, error: Error) -> Self {
        Self { origin: Origin::Unreadable(error), ..self.clone() }
    }

    /// The report of a container whose files are inputs themselves.
    pub(super) fn report(&self) -> Option<&Report> {
        self.report.as_deref()
    }

    /// Its location in the install that the session was given.
    pub(super) fn place(&self) -> Option<&Location> {
        match &self.origin {
            Origin::Install(_, place) => Some(place),
            _ => None,
        }
    }

    /// Its entry in a container.
    pub(super) fn member(&self) -> Option<&Member> {
        match &self.origin {
            Origin::Entry(member) => Some(member),
            _ => None,
        }
    }

    /// The path as given, or as found in a given folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The given folder that it was found in; `None` for a file that was given directly.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Its path relative to that folder; its file name if it was given directly.
    #[must_use]
    pub fn relative(&self) -> &Path {
        &self.relative
    }

    /// The relative path with `/` as separator.
    pub(super) fn shown(&self) -> String {
        let parts = self.relative.components().map(|part| part.as_os_str().to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    }

    /// Whether it is a file on disk, readable or not.
    pub(super) fn is_on_disk(&self) -> bool {
        matches!(self.origin, Origin::Disk | Origin::Unreadable(_))
    }

    /// Its bytes.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn source(&self) -> Result<Source, Error> {
        match &self.origin {
            Origin::Disk => disk::open(&self.path),
            Origin::Memory(source) | Origin::Install(source, _) => Ok(source.clone()),
            Origin::Entry(member) => member.container.open(member.index),
            Origin::Unreadable(error) => Err(error.clone()),
        }
    }

    /// Its bytes, when it is one of thousands of files that are read later.
    pub(super) fn source_for_each_read(&self) -> Result<Source, Error> {
        match &self.origin {
            Origin::Disk => disk::open_for_each_read(&self.path),
            _ => self.source(),
        }
    }

    /// What it is, and its bytes; `None` when it is of no known format.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn detect(&self, catalog: Catalog) -> Result<(Source, Option<Detected>), Error> {
        self.detect_in(catalog, self.game(catalog))
    }

    /// As [`Input::detect`], where the game around the file is known.
    pub(super) fn detect_in(
        &self,
        catalog: Catalog,
        game: Option<&GameInfo>,
    ) -> Result<(Source, Option<Detected>), Error> {
        let source = self.source()?;
        let detected = catalog.detect_in(&source, Some(&self.path.to_string_lossy()), game)?;
        Ok((source, detected))
    }

    /// The game that the file is in: by the folders around it, or by the container that it is in.
    pub(super) fn game(&self, catalog: Catalog) -> Option<&'static GameInfo> {
        let games = catalog.games();
        match &self.origin {
            Origin::Disk | Origin::Unreadable(_) => Root::around(&self.path, games).ok()?.game,
            Origin::Entry(member) => games.iter().copied().find(|it| Some(it.id) == member.format.game),
            Origin::Memory(_) | Origin::Install(..) => None,
        }
    }

    /// What it is, and its bytes.
    ///
    /// # Errors
    /// When it cannot be read, is empty, or of no known format.
    pub(super) fn recognize(&self, catalog: Catalog) -> Result<(Source, &'static Format), Error> {
        let source = self.source()?;
        let name = self.path.to_string_lossy();
        let format = catalog.recognize_in(&source, Some(&name), self.game(catalog))?;
        Ok((source, format))
    }

    /// Why the file, which is of no known format, cannot be opened.
    pub(super) fn unknown(&self, catalog: Catalog, source: &Source) -> Error {
        unknown(catalog, source, Some(&self.path.to_string_lossy()), self.game(catalog))
    }

    /// Opens it as what it is recognized as.
    ///
    /// # Errors
    /// When it cannot be read, is empty, of no known format, or malformed.
    pub fn open(&self, catalog: Catalog) -> Result<Opened, Error> {
        let name = self.path.to_string_lossy();
        self.source()
            .and_then(|source| catalog.open_in(source, Some(&name), self.game(catalog)))
            .map(|opened| if self.is_on_disk() { opened.on_disk(&self.path) } else { opened })
            .map_err(|error| error.in_file(&self.path))
    }
}

/// The path of an entry as it is shown: that of the container and the name, whatever that is. It need not be below the container's.
pub(super) fn path_of_entry(container: &Path, name: &str) -> PathBuf {
    let mut path = container.as_os_str().to_owned();
    path.push("/");
    path.push(name.replace('\\', "/"));
    PathBuf::from(path)
}
