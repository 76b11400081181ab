//! Resolving paths to folders, files and archives.

use std::path::PathBuf;
use std::sync::Arc;

use antiquary::asset::archive::Archive;
use antiquary::asset::container::{ArchiveLayer, Container};
use antiquary::asset::{Can, GamePath, Location};
use antiquary::files::disk;
use antiquary::files::layer::{EntryKind, Layer, LayerEntry};
use antiquary::{Error, Format, Install, Report, Source};
use twox_hash::XxHash3_128;

use crate::root::Root;
use crate::stamp::stamp_of;
use crate::{Explorer, Fault};

/// Memory in bytes per entry of an archive that is kept open.
const ENTRY: u64 = 256;

/// A folder or a file in a root.
#[derive(Clone)]
pub(crate) struct Entry<'a> {
    pub(crate) root: &'a Root,
    /// Full path, as used in requests.
    pub(crate) full: String,
    /// Layer that contains the entry: the root, or an archive in it.
    pub(crate) layer: Arc<dyn Layer>,
    /// Path in the layer.
    pub(crate) path: GamePath,
    pub(crate) kind: EntryKind,
    /// The archive on disk that contains the entry.
    archive: Option<PathBuf>,
    /// Whether the entry is in an archive inside that archive; such files do not belong to a game.
    is_nested: bool,
}

impl Entry<'_> {
    /// Returns the name, without folders.
    pub(crate) fn name(&self) -> &str {
        self.full.rsplit('/').next().unwrap_or_default()
    }

    /// Opens the bytes.
    pub(crate) fn source(&self) -> Result<Source, Error> {
        // Cached data must not keep the file open, because a page requests hundreds of files.
        let source = match self.layer.file(&self.path) {
            Some(file) => disk::open_for_each_read(&file),
            None => self.layer.open(&self.path),
        };
        source.map_err(|error| error.in_file(&self.full))
    }

    /// Returns a key that differs between files, and changes when the file changes.
    pub(crate) fn key(&self) -> String {
        let file = self.archive.clone().or_else(|| self.layer.file(&self.path));
        format!("{}\0{}", self.full, file.map(|file| stamp_of(&file)).unwrap_or_default())
    }

    /// Returns a tag that changes when the file on disk does.
    pub(crate) fn tag(&self) -> String {
        format!("{:032x}", XxHash3_128::oneshot(self.key().as_bytes()))
    }

    /// Returns the location in the game around the root, for resolving references.
    pub(crate) fn location(&self, install: &Install) -> Option<Location> {
        match &self.archive {
            Some(_) if self.is_nested => None,
            Some(archive) => install.location_in(archive, self.path.as_str()),
            None => match self.layer.file(&self.path) {
                Some(file) => install.location_of(&file),
                None => install.find(self.path.as_str()).found().map(|found| found.location),
            },
        }
    }

    /// Lists the files and folders in this folder, sorted by name, folders first.
    pub(crate) fn list(&self) -> Result<Vec<LayerEntry>, Error> {
        let mut entries = self.layer.list(&self.path)?;
        entries.sort_by_cached_key(|entry| {
            (entry.kind == EntryKind::File, entry.name.to_lowercase(), entry.name.clone())
        });
        Ok(entries)
    }

    /// Returns a child of this folder.
    pub(crate) fn child(&self, entry: &LayerEntry) -> Result<Self, Fault> {
        let path = self.path.join(&entry.name).map_err(|error| Fault::missing(error.to_string()))?;
        let full = format!("{}/{}", self.full, entry.name);
        Ok(Self { full, path, kind: entry.kind, ..self.clone() })
    }
}

impl Explorer {
    /// Resolves a path.
    pub(crate) fn entry(&self, path: &str) -> Result<Entry<'_>, Fault> {
        let mut names = path.split('/').filter(|name| !name.is_empty());
        let first = names.next().unwrap_or_default();
        let root = self.roots.iter().find(|root| root.name == first);
        let root = root.ok_or_else(|| Fault::missing(format!("no folder or archive \"{first}\" is open")))?;
        let mut found = self.root_entry(root);
        for name in names {
            if found.kind == EntryKind::File {
                found = self.inside(&found)?;
            }
            let entries = found.layer.list(&found.path)?;
            let entry = entries.iter().find(|entry| entry.name == name);
            let missing = || Fault::missing(format!("\"{path}\" was not found"));
            found = found.child(entry.ok_or_else(missing)?)?;
        }
        Ok(found)
    }

    /// Returns a root as a folder.
    pub(crate) fn root_entry<'a>(&self, root: &'a Root) -> Entry<'a> {
        Entry {
            root,
            full: root.name.clone(),
            layer: Arc::clone(&root.layer),
            path: GamePath::root(),
            kind: EntryKind::Folder,
            archive: root.is_archive.then(|| root.path.clone()),
            is_nested: false,
        }
    }

    /// Returns the format of a file, if known.
    pub(crate) fn format_of(&self, entry: &Entry<'_>) -> Option<&'static Format> {
        let source = entry.source().ok()?;
        let found = self.catalog.detect_in(&source, Some(entry.name()), entry.root.game).ok()?;
        found.map(|found| found.format)
    }

    /// Returns the contents of an archive as a folder.
    pub(crate) fn inside<'a>(&self, entry: &Entry<'a>) -> Result<Entry<'a>, Fault> {
        let cached = self.cache.get(format!("inside\0{}", entry.key()), || {
            let source = entry.source()?;
            let format = self.catalog.recognize_in(&source, Some(entry.name()), entry.root.game)?;
            if !format.can(Can::List) {
                return Err(Fault::missing(format!("\"{}\" is a file, not a folder", entry.full)));
            }
            let container = Container::open(format, &source, &mut Report::new())?;
            let entries = container.count() as u64;
            let archive: Arc<dyn Archive> = Arc::new(container);
            let layer: Arc<dyn Layer> = Arc::new(ArchiveLayer::new(entry.name(), archive));
            Ok((layer, entries * ENTRY))
        })?;
        let is_nested = entry.archive.is_some();
        let archive = entry.archive.clone().or_else(|| entry.layer.file(&entry.path));
        let layer = Arc::clone(&*cached);
        let path = GamePath::root();
        Ok(Entry { layer, path, kind: EntryKind::Folder, archive, is_nested, ..entry.clone() })
    }
}
