//! What a path leads to.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use antiquary::asset::archive::Archive;
use antiquary::asset::container::{ArchiveLayer, Container};
use antiquary::asset::layer::{EntryKind, Layer, LayerEntry};
use antiquary::asset::{Can, GamePath, Location, disk};
use antiquary::{Error, Format, Report, Source};
use twox_hash::XxHash3_128;

use crate::root::Root;
use crate::{Explorer, Fault};

/// What an archive takes that is kept open, for each of its entries.
const ENTRY: u64 = 256;

/// A folder or a file in a root.
#[derive(Clone)]
pub(crate) struct Place<'a> {
    pub(crate) root: &'a Root,
    /// The whole path, as requests have it.
    pub(crate) full: String,
    /// What it stands in: the root, or an archive in it.
    pub(crate) layer: Arc<dyn Layer>,
    /// Where it stands in the layer.
    pub(crate) path: GamePath,
    pub(crate) kind: EntryKind,
    /// The archive on disk that it stands in.
    archive: Option<PathBuf>,
    /// Whether it stands in an archive within that one: such files are part of no game.
    is_nested: bool,
    /// The same while its file on disk is the same.
    stamp: String,
}

impl Place<'_> {
    /// Its name, without folders.
    pub(crate) fn name(&self) -> &str {
        self.full.rsplit('/').next().unwrap_or_default()
    }

    /// Its bytes.
    pub(crate) fn source(&self) -> Result<Source, Error> {
        self.layer.open(&self.path).map_err(|error| error.in_file(&self.full))
    }

    /// What tells it apart from all other files, and from itself before it was changed.
    pub(crate) fn key(&self) -> String {
        format!("{}\0{}", self.full, self.stamp)
    }

    /// Changes when its file on disk does.
    pub(crate) fn tag(&self) -> String {
        format!("{:032x}", XxHash3_128::oneshot(self.key().as_bytes()))
    }

    /// Where it stands in the game, for what it names.
    pub(crate) fn location(&self) -> Option<Location> {
        match &self.archive {
            Some(_) if self.is_nested => None,
            Some(archive) => self.root.install.location_in(archive, self.path.as_str()),
            None => match self.layer.file(&self.path) {
                Some(file) => self.root.install.location_of(&file),
                None => self.root.install.find(self.path.as_str()).found().map(|found| found.location),
            },
        }
    }

    /// The files and folders in it, in the order of their names, folders first.
    pub(crate) fn list(&self) -> Result<Vec<LayerEntry>, Error> {
        let mut entries = self.layer.list(&self.path)?;
        entries.sort_by_cached_key(|entry| {
            (entry.kind == EntryKind::File, entry.name.to_lowercase(), entry.name.clone())
        });
        Ok(entries)
    }

    /// Something in it.
    pub(crate) fn child(&self, entry: &LayerEntry) -> Result<Self, Fault> {
        let path = self.path.join(&entry.name).map_err(|error| Fault::missing(error.to_string()))?;
        let stamp = match self.layer.file(&path) {
            Some(file) => stamp_of(&file),
            None => self.stamp.clone(),
        };
        let full = format!("{}/{}", self.full, entry.name);
        Ok(Self { full, path, stamp, kind: entry.kind, ..self.clone() })
    }
}

impl Explorer {
    /// What a path leads to.
    pub(crate) fn place(&self, path: &str) -> Result<Place<'_>, Fault> {
        let mut names = path.split('/').filter(|name| !name.is_empty());
        let first = names.next().unwrap_or_default();
        let root = self.roots.iter().find(|root| root.name == first);
        let root = root.ok_or_else(|| Fault::missing(format!("no folder or archive \"{first}\" is open")))?;
        let mut place = self.root_place(root);
        for name in names {
            if place.kind == EntryKind::File {
                place = self.inside(&place)?;
            }
            let entries = place.layer.list(&place.path)?;
            let entry = entries.iter().find(|entry| entry.name == name);
            let missing = || Fault::missing(format!("\"{path}\" was not found"));
            place = place.child(entry.ok_or_else(missing)?)?;
        }
        Ok(place)
    }

    /// A root as a folder.
    pub(crate) fn root_place<'a>(&self, root: &'a Root) -> Place<'a> {
        Place {
            root,
            full: root.name.clone(),
            layer: Arc::clone(&root.layer),
            path: GamePath::root(),
            kind: EntryKind::Folder,
            archive: root.is_archive.then(|| root.path.clone()),
            is_nested: false,
            stamp: stamp_of(&root.path),
        }
    }

    /// The format of a file, if it is of a known one.
    pub(crate) fn format_of(&self, place: &Place<'_>) -> Option<&'static Format> {
        let source = place.source().ok()?;
        let found = self.catalog.detect(&source, Some(place.name())).ok()?;
        found.map(|found| found.format)
    }

    /// What a file holds, where it is an archive.
    pub(crate) fn inside<'a>(&self, place: &Place<'a>) -> Result<Place<'a>, Fault> {
        let laid = self.cache.get(format!("inside\0{}", place.key()), || {
            let source = place.source()?;
            let format = self.catalog.recognize(&source, Some(place.name()))?;
            if !format.can(Can::List) {
                return Err(Fault::missing(format!("\"{}\" is a file, not a folder", place.full)));
            }
            let container = Container::open(format, &source, &mut Report::new())?;
            let entries = u64::try_from(container.count()).unwrap_or(u64::MAX);
            let archive: Arc<dyn Archive> = Arc::new(container);
            let layer: Arc<dyn Layer> = Arc::new(ArchiveLayer::new(place.name(), archive));
            Ok((layer, entries.saturating_mul(ENTRY).saturating_add(source.len())))
        })?;
        let is_nested = place.archive.is_some();
        let archive = place.archive.clone().or_else(|| place.layer.file(&place.path));
        let layer = Arc::clone(&*laid);
        let path = GamePath::root();
        Ok(Place { layer, path, kind: EntryKind::Folder, archive, is_nested, ..place.clone() })
    }
}

/// Says whether a file on disk was changed.
fn stamp_of(path: &Path) -> String {
    let Ok(metadata) = disk::metadata(path) else { return String::new() };
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{:x}-{:x}", metadata.len(), changed.unwrap_or_default().as_nanos())
}
