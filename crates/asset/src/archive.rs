//! Files that hold other files.

use std::collections::btree_map::{BTreeMap, Entry as Slot};
use std::fmt;
use std::sync::Arc;

use record::{Error, Source};
use serde::Serialize;

use crate::layer::{EntryKind, Layer, LayerEntry};
use crate::path::GamePath;

/// What a container holds.
pub trait Archive: Send + Sync {
    /// The entries in the order they are stored.
    fn entries(&self) -> &[Entry];

    /// The bytes of one entry, by its index in [`Archive::entries`].
    ///
    /// # Errors
    /// When there is no such entry, or it cannot be unpacked.
    fn open(&self, index: usize) -> Result<Source, Error>;
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
    /// Anything else worth telling, in a few words: compression, encryption, kind.
    pub note: String,
}

/// A container laid over a game folder: its entries are found as if they were files.
pub struct ArchiveLayer {
    title: String,
    archive: Arc<dyn Archive>,
    files: BTreeMap<GamePath, usize>,
    folders: BTreeMap<GamePath, Vec<LayerEntry>>,
}

impl ArchiveLayer {
    /// Lays out a container. Entries whose names lead out of it cannot be found; of two with the same name the
    /// first counts.
    #[must_use]
    pub fn new(title: impl Into<String>, archive: Arc<dyn Archive>) -> Self {
        let mut layer =
            Self { title: title.into(), archive, files: BTreeMap::new(), folders: BTreeMap::new() };
        let archive = Arc::clone(&layer.archive);
        for (index, entry) in archive.entries().iter().enumerate() {
            layer.add(&entry.name, index);
        }
        layer
    }

    fn add(&mut self, name: &str, index: usize) {
        let Ok(path) = GamePath::parse(name) else { return };
        if path.is_root() {
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

    fn list(&self, folder: &GamePath) -> Result<Vec<LayerEntry>, Error> {
        Ok(self.folders.get(folder).cloned().unwrap_or_default())
    }

    fn open(&self, path: &GamePath) -> Result<Source, Error> {
        match self.files.get(path) {
            Some(index) => self.archive.open(*index),
            None => Err(Error::usage(format!("{path} is not in {}", self.title))),
        }
    }
}

impl fmt::Debug for ArchiveLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArchiveLayer({}, {} files)", self.title, self.files.len())
    }
}
