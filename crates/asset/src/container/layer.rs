//! An archive as a layer over a game folder.

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

/// Maximum depth of folders, because each folder takes memory. Games have a handful. Deeper entries cannot be found.
const DEEPEST: usize = 16;

/// Maximum length of names in bytes. Entries with longer names cannot be found.
const LONGEST: usize = 512;

/// Maximum number of folders. Games have a few thousand.
const MOST_FOLDERS: usize = 1 << 16;

/// An archive as a layer over a game folder: its entries are found like files.
pub struct ArchiveLayer {
    title: String,
    /// The path of the archive and its format, if it is opened on the first lookup.
    file: Option<(PathBuf, &'static Format)>,
    tree: OnceLock<Result<EntryTree, Error>>,
}

/// The entries of an archive as a tree of folders.
struct EntryTree {
    archive: Arc<dyn Archive>,
    files: BTreeMap<GamePath, usize>,
    folders: BTreeMap<GamePath, Vec<LayerEntry>>,
    /// A defect that did not prevent the archive from being opened.
    damage: Option<Error>,
}

impl ArchiveLayer {
    /// Creates a layer from an archive. Entries whose names lead out of it, are longer than 512 bytes or more than 16 folders
    /// deep cannot be found. If several entries have the same name, the first one is used.
    #[must_use]
    pub fn new(title: impl Into<String>, archive: Arc<dyn Archive>) -> Self {
        let tree = OnceLock::from(Ok(EntryTree::new(archive)));
        Self { title: title.into(), file: None, tree }
    }

    /// Creates a layer from an archive on disk, which is opened on the first lookup. If that fails, no files are found in it, and
    /// [`failure`](Layer::failure) returns the error.
    #[must_use]
    pub fn on_disk(path: &Path, format: &'static Format) -> Self {
        let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self { title, file: Some((path.to_path_buf(), format)), tree: OnceLock::new() }
    }

    /// Creates a layer from an archive that must not be opened: no files are found in it, and [`failure`](Layer::failure) returns
    /// the error.
    #[must_use]
    pub fn broken(path: &Path, error: Error) -> Self {
        let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self { title, file: None, tree: OnceLock::from(Err(error.in_file(path))) }
    }

    /// Uses an archive that is already open, unless the layer has opened it before.
    pub fn share(&self, archive: Arc<dyn Archive>) {
        if self.tree.get().is_none() {
            // Another thread may set an equivalent value first.
            let _ = self.tree.set(Ok(EntryTree::new(archive)));
        }
    }

    fn tree(&self) -> Result<&EntryTree, Error> {
        let tree = self.tree.get_or_init(|| match &self.file {
            Some((path, format)) => open(path, format).map_err(|error| error.in_file(path)),
            None => Err(Error::usage("the archive has no path")),
        });
        tree.as_ref().map_err(Clone::clone)
    }
}

fn open(path: &Path, format: &Format) -> Result<EntryTree, Error> {
    let mut report = Report::new();
    let archive = Container::open(format, &disk::open(path)?, &mut report)?;
    let mut tree = EntryTree::new(Arc::new(archive));
    let damage = report.iter().find(|warning| warning.code.severity == Severity::Error);
    let damage = damage.map(|warning| {
        let error = Error::malformed(warning.message.clone());
        match warning.offset {
            Some(offset) => error.at(offset),
            None => error,
        }
    });
    tree.damage = damage.or(tree.damage).map(|error| error.in_file(path));
    Ok(tree)
}

impl EntryTree {
    fn new(archive: Arc<dyn Archive>) -> Self {
        let mut tree = Self { archive, files: BTreeMap::new(), folders: BTreeMap::new(), damage: None };
        let archive = Arc::clone(&tree.archive);
        for (index, entry) in archive.entries().enumerate() {
            if entry.content.is_file() {
                tree.add(&entry.name, index);
            }
        }
        tree
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

    /// Before the first lookup, only a missing file is reported.
    fn failure(&self) -> Option<Error> {
        match (self.tree.get(), &self.file) {
            (_, Some((path, _))) if !disk::exists(path) => Some(Error::usage("was not found").in_file(path)),
            (Some(Ok(tree)), _) => tree.damage.clone(),
            (Some(Err(error)), _) => Some(error.clone()),
            (None, _) => None,
        }
    }

    fn list(&self, folder: &GamePath) -> Result<Vec<LayerEntry>, Error> {
        Ok(self.tree()?.folders.get(folder).cloned().unwrap_or_default())
    }

    fn open(&self, path: &GamePath) -> Result<Source, Error> {
        let tree = self.tree()?;
        match tree.files.get(path) {
            Some(index) => tree.archive.open(*index),
            None => Err(Error::usage(format!("{path} is not in {}", self.title))),
        }
    }
}

impl fmt::Debug for ArchiveLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tree.get() {
            Some(Ok(tree)) => write!(f, "ArchiveLayer({}, {} files)", self.title, tree.files.len()),
            Some(Err(error)) => write!(f, "ArchiveLayer({}, {error})", self.title),
            None => write!(f, "ArchiveLayer({}, not opened)", self.title),
        }
    }
}

/// Passes an open archive to the layer of an install that would otherwise open it again.
pub fn share(install: &Install, container: &Path, archive: Arc<dyn Archive>) {
    let layer = install.container(container).map(|(_, layer)| -> &dyn Any { layer });
    if let Some(layer) = layer.and_then(<dyn Any>::downcast_ref::<ArchiveLayer>) {
        layer.share(archive);
    }
}
