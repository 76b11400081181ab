//! The files to work on: those that were named, and those in the folders that were named.

use asset::disk;
use std::borrow::Cow;
use std::collections::HashSet;
#[cfg(feature = "fs")]
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(feature = "fs")]
use asset::Kind;
use asset::archive::Archive;
use asset::container::Container;
use asset::name::safe_name;
use asset::{Error, Format, Install, Place, Report, Source};

use crate::catalogue::{Catalogue, Detected, Opened, unknown};
#[cfg(feature = "fs")]
use walkdir::WalkDir;

#[cfg(feature = "fs")]
/// Begins the names of files that are still being written.
const UNFINISHED: &str = ".antiquary-";

/// One file to work on.
#[derive(Debug, Clone)]
pub struct Input {
    /// As it was named, or as it was found below a folder that was named.
    path: PathBuf,
    /// The folder that was named and in which it was found.
    root: Option<PathBuf>,
    /// Where its outputs belong, seen from the output folder.
    relative: PathBuf,
    origin: Origin,
    /// What was found when a container was opened whose files are inputs themselves.
    told: Option<Arc<Report>>,
}

/// Where the bytes of a file are.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// In the file on disk that the input's path names.
    Disk,
    /// In memory: from standard input, or given by the caller.
    Memory(Source),
    /// In the install that the job is given.
    Install(Source, Place),
    /// In a container.
    Entry(Held),
    /// They cannot be read.
    Unreadable(Error),
}

/// Where a file stands in a container.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) container: Arc<Container>,
    /// Where the container stands on disk.
    pub(super) path: Arc<Path>,
    /// The format of the container.
    pub(super) format: &'static Format,
    /// Which of its entries it is.
    pub(super) index: usize,
}

impl Held {
    /// The entry's name, as the container has it.
    pub(super) fn name(&self) -> Cow<'_, str> {
        self.container.entry(self.index).map_or(Cow::Borrowed(""), |entry| entry.name)
    }
}

impl Input {
    /// A file on disk that was named.
    #[must_use]
    pub fn file(path: &Path) -> Self {
        Self::on_disk(path, None, path.file_name().map(PathBuf::from).unwrap_or_default())
    }

    /// Bytes from anywhere, under a name that is shown and that helps to recognise them.
    #[must_use]
    pub fn of_source(name: &str, source: Source) -> Self {
        Self { origin: Origin::Memory(source), ..Self::file(Path::new(name)) }
    }

    /// A file on disk: as it was named or found, in which folder, and where its outputs belong.
    fn on_disk(path: &Path, root: Option<&Path>, relative: PathBuf) -> Self {
        Self {
            path: path.to_path_buf(),
            root: root.map(Path::to_path_buf),
            relative,
            origin: Origin::Disk,
            told: None,
        }
    }

    /// A file in a container that was named or found as this input; its outputs belong below `folder`.
    pub(super) fn in_container(&self, held: Held, folder: &Path) -> Self {
        let name = held.name();
        let segments = name.split(['/', '\\']).filter(|segment| !["", ".", ".."].contains(segment));
        let safe: Vec<_> = segments.map(safe_name).collect();
        let relative = folder.join(safe.join("/"));
        // Only shown: the container and the name as it has it, whatever that is.
        let mut path = self.path.clone().into_os_string();
        path.push("/");
        path.push(name.replace('\\', "/"));
        let path = PathBuf::from(path);
        let root = Some(self.root.clone().unwrap_or_else(|| self.path.clone()));
        drop(name);
        Self { path, root, relative, origin: Origin::Entry(held), told: None }
    }

    /// The same container, of which only what was amiss on opening is still to be told.
    pub(super) fn told(&self, report: Report) -> Self {
        Self { told: Some(Arc::new(report)), ..self.clone() }
    }

    /// The same, which cannot be read.
    pub(super) fn broken(&self, error: Error) -> Self {
        Self { origin: Origin::Unreadable(error), ..self.clone() }
    }

    /// What was amiss with a container whose files are inputs themselves.
    pub(super) fn report(&self) -> Option<&Report> {
        self.told.as_deref()
    }

    /// Where it stands in the install that the job is given.
    pub(super) fn place(&self) -> Option<&Place> {
        match &self.origin {
            Origin::Install(_, place) => Some(place),
            _ => None,
        }
    }

    /// The container it stands in.
    pub(super) fn held(&self) -> Option<&Held> {
        match &self.origin {
            Origin::Entry(held) => Some(held),
            _ => None,
        }
    }

    /// As it was named, or as it was found below a folder that was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder that was named and in which it was found; `None` for a file that was named itself.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Its path below that folder; its bare name if it was named itself.
    #[must_use]
    pub fn relative(&self) -> &Path {
        &self.relative
    }

    /// What it is called where its outputs stand: its path below the folder that was named, with `/`.
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
            Origin::Disk => crate::catalogue::open_file(&self.path),
            Origin::Memory(source) | Origin::Install(source, _) => Ok(source.clone()),
            Origin::Entry(held) => held.container.open(held.index),
            Origin::Unreadable(error) => Err(error.clone()),
        }
    }

    /// What it is, and its bytes; `None` when it is of no known format.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn detect(&self, catalogue: Catalogue) -> Result<(Source, Option<Detected>), Error> {
        let source = self.source()?;
        let detected = catalogue.detect(&source, Some(&self.path.to_string_lossy()))?;
        Ok((source, detected))
    }

    /// What it is, and its bytes.
    ///
    /// # Errors
    /// When it cannot be read, is empty, or of no known format.
    pub(super) fn recognise(&self, catalogue: Catalogue) -> Result<(Source, &'static Format), Error> {
        let (source, detected) = self.detect(catalogue)?;
        match detected {
            Some(detected) => Ok((source, detected.format)),
            None => Err(unknown(&source)),
        }
    }

    /// Opens it as what it is recognised as.
    ///
    /// # Errors
    /// When it cannot be read, is empty, of no known format, or malformed.
    pub fn open(&self, catalogue: Catalogue) -> Result<Opened, Error> {
        let name = self.path.to_string_lossy();
        self.source()
            .and_then(|source| catalogue.open_source(source, Some(&name)))
            .map_err(|error| error.in_file(&self.path))
    }
}

/// Files to work on, each once, in the order they were named; those of a folder in the order of their names.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    files: Vec<Input>,
    named: usize,
    folders: usize,
}

impl Inputs {
    /// The files that these paths name, and all files in the folders among them. A path that there is not, or a folder that cannot
    /// be read, becomes an input that fails. Symbolic links are followed, but never in a circle.
    #[must_use]
    pub fn gather(paths: &[PathBuf]) -> Self {
        let folders = paths.iter().filter(|path| disk::is_folder(path)).count();
        let mut out = Self { files: Vec::new(), named: paths.len(), folders };
        let mut seen = Seen((paths.len() > 1).then(HashSet::new));
        for path in paths {
            if disk::is_folder(path) {
                #[cfg(feature = "fs")]
                out.walk(path, folders > 1, &mut seen);
            } else if seen.is_new(path) {
                out.files.push(Input::file(path));
            }
        }
        out
    }

    /// Bytes from anywhere, under a name that is shown and that helps to recognise them.
    #[must_use]
    pub fn of_source(name: &str, source: Source) -> Self {
        Input::of_source(name, source).into()
    }

    /// One file of an install, by its path from the root; letter case does not matter. Give the install to the [`Job`](super::Job) too,
    /// so that what the file names is found.
    ///
    /// # Errors
    /// When there is no such file.
    pub fn of_install(install: &Install, path: &str) -> Result<Self, Error> {
        let found = install.find(path).found().ok_or_else(|| Error::usage("no such file").in_file(path))?;
        let source = install.open(&found.place)?;
        let path = Path::new(found.place.path().as_str());
        let input = Input { origin: Origin::Install(source, found.place.clone()), ..Input::file(path) };
        Ok(input.into())
    }

    /// The files in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Input> {
        self.files.iter()
    }

    /// How many files there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Whether folders are among what was named.
    #[must_use]
    pub fn has_folders(&self) -> bool {
        self.folders > 0
    }

    /// Whether one file was named, and nothing else.
    #[must_use]
    pub fn is_one_file(&self) -> bool {
        self.named == 1 && self.folders == 0
    }

    #[cfg(feature = "fs")]
    fn walk(&mut self, root: &Path, several: bool, seen: &mut Seen) {
        let prefix = if several { name_of(root) } else { PathBuf::new() };
        for entry in WalkDir::new(root).follow_links(true).sort_by_file_name() {
            let input = |path: &Path| {
                let relative = prefix.join(path.strip_prefix(root).unwrap_or(path));
                Input::on_disk(path, Some(root), relative)
            };
            match entry {
                Ok(entry) if !entry.file_type().is_file() => {}
                Ok(entry) if is_unfinished(entry.file_name()) => {}
                Ok(entry) => {
                    if seen.is_new(entry.path()) {
                        self.files.push(input(entry.path()));
                    }
                }
                // A link to a folder above it leads to nothing new.
                Err(error) if error.loop_ancestor().is_some() => {}
                // A link that leads nowhere is no file.
                Err(error) if is_dangling(&error) => {}
                Err(error) => {
                    let path = error.path().unwrap_or(root).to_path_buf();
                    let message = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    let error = Error::new(Kind::Io, message).in_file(&path);
                    self.files.push(input(&path).broken(error));
                }
            }
        }
    }
}

impl From<Input> for Inputs {
    /// A file that was named, and nothing else.
    fn from(input: Input) -> Self {
        Self { files: vec![input], named: 1, folders: 0 }
    }
}

impl<'a> IntoIterator for &'a Inputs {
    type Item = &'a Input;
    type IntoIter = std::slice::Iter<'a, Input>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The files that came before; `None` when a single path was named, which has each file once.
struct Seen(Option<HashSet<PathBuf>>);

impl Seen {
    fn is_new(&mut self, path: &Path) -> bool {
        self.0.as_mut().is_none_or(|seen| seen.insert(identity(path)))
    }
}

/// The same for two names of one file, unless one is a symbolic link.
fn identity(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (disk::canonical(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

#[cfg(feature = "fs")]
/// The last part of a folder's path; of `.` and `..` what they stand for.
fn name_of(folder: &Path) -> PathBuf {
    let canonical = disk::canonical(folder).unwrap_or_default();
    canonical.file_name().map(PathBuf::from).unwrap_or_default()
}

#[cfg(feature = "fs")]
fn is_unfinished(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(UNFINISHED))
}

#[cfg(feature = "fs")]
fn is_dangling(error: &walkdir::Error) -> bool {
    error.path().is_some_and(Path::is_symlink)
        && error.io_error().is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}
