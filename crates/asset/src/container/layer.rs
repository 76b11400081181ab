//! A container laid over a game folder: its entries are found as if they were files.

use std::any::Any;
use std::collections::btree_map::{BTreeMap, Entry as Slot};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use files::GamePath;
use files::disk;
use files::install::Install;
use files::layer::{EntryKind, Layer, LayerEntry};
use record::{Error, Source};

use super::Container;
use crate::archive::Archive;
use crate::format::Format;
use crate::report::{Report, Severity};

/// Entries that stand deeper in folders are not found: each folder takes memory. Games have a handful.
const DEEPEST: usize = 16;

/// Entries with longer names are not found.
const LONGEST: usize = 512;

/// No more folders are laid out. Games have a few thousand.
const MOST_FOLDERS: usize = 1 << 16;

/// A container laid over a game folder: its entries are found as if they were files.
pub struct ArchiveLayer {
    title: String,
    /// The container on disk and its format, when it is opened only once something is looked for in it.
    file: Option<(PathBuf, &'static Format)>,
    laid: OnceLock<Result<Laid, Error>>,
}

/// The entries of a container as a tree of folders.
struct Laid {
    archive: Arc<dyn Archive>,
    files: BTreeMap<GamePath, usize>,
    folders: BTreeMap<GamePath, Vec<LayerEntry>>,
    /// What was wrong with it, though it could be opened.
    damage: Option<Error>,
}

impl ArchiveLayer {
    /// Lays out a container. Entries whose names lead out of it, are longer than 512 bytes or more than 16 folders deep cannot be found;
    /// of two with the same name the first counts.
    #[must_use]
    pub fn new(title: impl Into<String>, archive: Arc<dyn Archive>) -> Self {
        let laid = OnceLock::from(Ok(Laid::new(archive)));
        Self { title: title.into(), file: None, laid }
    }

    /// A container on disk. It is opened when something is looked for in it; if that fails, nothing is found in it, and
    /// [`failure`](Layer::failure) says why.
    #[must_use]
    pub fn on_disk(path: &Path, format: &'static Format) -> Self {
        let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self { title, file: Some((path.to_path_buf(), format)), laid: OnceLock::new() }
    }

    /// A container that must not be opened: nothing is found in it, and [`failure`](Layer::failure) says why.
    #[must_use]
    pub fn broken(path: &Path, error: Error) -> Self {
        let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self { title, file: None, laid: OnceLock::from(Err(error.in_file(path))) }
    }

    /// Takes the container as it is open already, unless it was opened before.
    pub fn share(&self, archive: Arc<dyn Archive>) {
        if self.laid.get().is_none() {
            // Should another thread be first, that is as good.
            let _ = self.laid.set(Ok(Laid::new(archive)));
        }
    }

    fn laid(&self) -> Result<&Laid, Error> {
        let laid = self.laid.get_or_init(|| match &self.file {
            Some((path, format)) => open(path, format).map_err(|error| error.in_file(path)),
            None => Err(Error::usage("the archive has no path")),
        });
        laid.as_ref().map_err(Clone::clone)
    }
}

fn open(path: &Path, format: &Format) -> Result<Laid, Error> {
    let mut report = Report::new();
    let archive = Container::open(format, &disk::open(path)?, &mut report)?;
    let mut laid = Laid::new(Arc::new(archive));
    let damage = report.iter().find(|warning| warning.code.severity == Severity::Error);
    let damage = damage.map(|warning| {
        let error = Error::malformed(warning.message.clone());
        match warning.offset {
            Some(offset) => error.at(offset),
            None => error,
        }
    });
    laid.damage = damage.or(laid.damage).map(|error| error.in_file(path));
    Ok(laid)
}

impl Laid {
    fn new(archive: Arc<dyn Archive>) -> Self {
        let mut laid = Self { archive, files: BTreeMap::new(), folders: BTreeMap::new(), damage: None };
        let archive = Arc::clone(&laid.archive);
        for (index, entry) in archive.entries().enumerate() {
            if entry.content.is_file() {
                laid.add(&entry.name, index);
            }
        }
        laid
    }

    fn add(&mut self, name: &str, index: usize) {
        let Ok(path) = GamePath::parse(name) else { return };
        if path.is_root() || path.segments().count() > DEEPEST || path.as_str().len() > LONGEST {
            return;
        }
        if self.folders.len() >= MOST_FOLDERS && !self.folders.contains_key(&path.folder()) {
            let what =
                format!("it has more than {MOST_FOLDERS} folders; files in the others cannot be found");
            self.damage.get_or_insert_with(|| Error::limit(what));
            return;
        }
        let Slot::Vacant(slot) = self.files.entry(path.clone()) else { return };
        slot.insert(index);
        let (mut child, mut kind) = (path, EntryKind::File);
        while !child.is_root() {
            let folder = child.folder();
            let known = self.folders.contains_key(&folder);
            self.folders
                .entry(folder.clone())
                .or_default()
                .push(LayerEntry { name: child.name().to_owned(), kind });
            if known {
                break;
            }
            (child, kind) = (folder, EntryKind::Folder);
        }
    }
}

impl Layer for ArchiveLayer {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn container(&self) -> Option<&Path> {
        self.file.as_ref().map(|(path, _)| path.as_path())
    }

    /// As long as nothing was looked for in it, only that it is not there at all.
    fn failure(&self) -> Option<Error> {
        match (self.laid.get(), &self.file) {
            (_, Some((path, _))) if !disk::exists(path) => Some(Error::usage("was not found").in_file(path)),
            (Some(Ok(laid)), _) => laid.damage.clone(),
            (Some(Err(error)), _) => Some(error.clone()),
            (None, _) => None,
        }
    }

    fn list(&self, folder: &GamePath) -> Result<Vec<LayerEntry>, Error> {
        Ok(self.laid()?.folders.get(folder).cloned().unwrap_or_default())
    }

    fn open(&self, path: &GamePath) -> Result<Source, Error> {
        let laid = self.laid()?;
        match laid.files.get(path) {
            Some(index) => laid.archive.open(*index),
            None => Err(Error::usage(format!("{path} is not in {}", self.title))),
        }
    }
}

impl fmt::Debug for ArchiveLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.laid.get() {
            Some(Ok(laid)) => write!(f, "ArchiveLayer({}, {} files)", self.title, laid.files.len()),
            Some(Err(error)) => write!(f, "ArchiveLayer({}, {error})", self.title),
            None => write!(f, "ArchiveLayer({}, not opened)", self.title),
        }
    }
}

/// Gives an install a container that is open already, where it is part of the install, so that it is not opened again.
pub fn share(install: &Install, container: &Path, archive: Arc<dyn Archive>) {
    let layer = install.container(container).map(|(_, layer)| -> &dyn Any { layer });
    if let Some(layer) = layer.and_then(<dyn Any>::downcast_ref::<ArchiveLayer>) {
        layer.share(archive);
    }
}
