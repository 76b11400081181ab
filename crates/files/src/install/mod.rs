//! The files of a game: case-insensitive lookup in layered folders and archives.

mod cache;
mod decoded;
mod listing;
mod lookup;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use record::{Error, Source};

pub use decoded::Decoded;
pub use lookup::{Folder, Found, Location, Lookup, Match};

use crate::OpenedFiles;
use crate::charset::Charset;
use crate::disk;
use crate::layer::{EntryKind, Layer, decode_name};
use crate::path::{GamePath, fold};
use crate::walk::VisitedFolders;
use listing::ListedLayer;

/// A game: a folder, or several layers of folders and archives. The first layer that contains a file takes precedence.
///
/// It can be shared between threads. Folders are listed on first access; files that appear later are not found.
#[derive(Debug)]
pub struct Install {
    layers: Vec<ListedLayer>,
    game: Option<&'static str>,
    /// Character set of names that are not UTF-8.
    charset: Charset,
    decoded: Arc<Decoded>,
    opened: OpenedFiles,
    /// Whether a lookup failed.
    has_missed: AtomicBool,
    /// Distinguishes the values of several installs in one cache.
    identity: u64,
}

impl Install {
    /// Creates an install from layers in order of precedence.
    #[must_use]
    pub fn new(layers: Vec<Arc<dyn Layer>>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self {
            layers: layers.into_iter().map(ListedLayer::new).collect(),
            game: None,
            charset: Charset::Windows1252,
            decoded: Arc::default(),
            opened: OpenedFiles::new(),
            has_missed: AtomicBool::new(false),
            identity: NEXT.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Creates an install without files, for data that does not belong to a game.
    #[must_use]
    pub fn empty() -> Self {
        Self::new(Vec::new())
    }

    /// Sets a cache, which several installs can share.
    #[must_use]
    pub fn with_cache(self, decoded: Arc<Decoded>) -> Self {
        Self { decoded, ..self }
    }

    /// Sets a list of opened files, which others may extend as well.
    #[must_use]
    pub fn with_opened(self, opened: OpenedFiles) -> Self {
        opened.add_all(&self.opened);
        Self { opened, ..self }
    }

    /// The files on disk that were opened through this install, including its archives.
    #[must_use]
    pub fn opened(&self) -> &OpenedFiles {
        &self.opened
    }

    /// Opens a file on disk that is not part of the game, such as a palette specified by the user.
    ///
    /// # Errors
    /// When the path is not a regular file, or the file cannot be opened.
    pub fn open_on_disk(&self, path: &Path) -> Result<Source, Error> {
        self.opened.open(path)
    }

    /// Sets the id of the game, and the character set of names that are not UTF-8.
    #[must_use]
    pub fn with_game(self, id: &'static str, charset: Charset) -> Self {
        Self { game: Some(id), charset, ..self }
    }

    /// Id of the game, if its layout was recognized.
    #[must_use]
    pub fn game(&self) -> Option<&'static str> {
        self.game
    }

    /// Whether a lookup has failed so far.
    #[must_use]
    pub fn has_missed(&self) -> bool {
        self.has_missed.load(Ordering::Relaxed)
    }

    /// Character set of names that are not UTF-8.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Adds a folder or an archive below the existing layers, unless it is already present.
    pub fn add_layer(&mut self, layer: Arc<dyn Layer>) {
        let is_same = |known: &ListedLayer| match layer.container() {
            Some(container) => known.layer.container() == Some(container),
            None => layer.disk().is_some() && known.layer.disk() == layer.disk(),
        };
        if let Some(container) = layer.container() {
            self.opened.add(container);
        }
        if !self.layers.iter().any(is_same) {
            self.layers.push(ListedLayer::new(layer));
        }
    }

    /// Returns the layer of an archive on disk, and its index.
    #[must_use]
    pub fn container(&self, path: &Path) -> Option<(usize, &dyn Layer)> {
        let path = disk::canonical(path).ok()?;
        let mut layers = self.layers.iter().map(|listed| &*listed.layer).enumerate();
        layers.find(|(_, layer)| layer.container() == Some(&path))
    }

    /// Returns the location of a file on disk; `None` if the file is outside of the install, or its folder does not exist.
    ///
    /// If the file is a symbolic link, its location is that of the link.
    #[must_use]
    pub fn location_of(&self, file: &Path) -> Option<Location> {
        let name = file.file_name()?;
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = disk::canonical(parent.unwrap_or(Path::new("."))).ok()?;
        // Of nested layers, the innermost one is used.
        let inside = self.layers.iter().enumerate().filter_map(|(index, listed)| {
            let below = folder.strip_prefix(listed.layer.disk()?).ok()?;
            Some((below.components().count(), index, below.to_path_buf()))
        });
        let (_, layer, below) = inside.min()?;
        let segments = below.components().map(|part| decode_name(part.as_os_str(), self.charset));
        let mut path = GamePath::root();
        for segment in segments.chain([decode_name(name, self.charset)]) {
            path = path.join(&segment).ok()?;
        }
        Some(Location { layer, path })
    }

    /// Returns the location of an entry of an archive on disk; `None` if the archive is not part of the install, or the entry's
    /// name leads out of it.
    #[must_use]
    pub fn location_in(&self, container: &Path, entry: &str) -> Option<Location> {
        let path = GamePath::parse(entry).ok().filter(|path| !path.is_root())?;
        let (layer, _) = self.container(container)?;
        Some(Location { layer, path })
    }

    /// Returns the errors of archives: of those that do not exist, and of those that could not be opened or are damaged (as far
    /// as files were looked up in them).
    #[must_use]
    pub fn failures(&self) -> Vec<Error> {
        self.layers.iter().filter_map(|listed| listed.layer.failure()).collect()
    }

    /// The root folder of the game.
    #[must_use]
    pub fn root(&self) -> Folder<'_> {
        Folder { install: self, first: None, path: Ok(GamePath::root()) }
    }

    /// Returns a folder by its path from the root. The folder need not exist; lookups in it fail then.
    #[must_use]
    pub fn folder(&self, path: &str) -> Folder<'_> {
        Folder { install: self, first: None, path: GamePath::parse(path) }
    }

    /// Returns the folder of a file. The layer that contains the file takes precedence.
    #[must_use]
    pub fn folder_of(&self, location: &Location) -> Folder<'_> {
        Folder { install: self, first: Some(location.layer), path: Ok(location.path.folder()) }
    }

    /// Finds a file by its path from the root.
    #[must_use]
    pub fn find(&self, path: &str) -> Lookup {
        self.root().find(path)
    }

    /// Finds a file by its name relative to the folder of `location`.
    #[must_use]
    pub fn find_sibling(&self, location: &Location, name: &str) -> Lookup {
        self.folder_of(location).find(name)
    }

    /// Opens a file that was found.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn open(&self, location: &Location) -> Result<Source, Error> {
        let missing = || Error::usage(format!("{} belongs to another install", location.path));
        let listed = self.layers.get(location.layer).ok_or_else(missing)?;
        let source =
            listed.layer.open(&location.path).map_err(|error| error.in_file(location.path.as_str()))?;
        if let Some(file) = listed.layer.file(&location.path) {
            self.opened.add(&file);
        }
        Ok(source)
    }

    /// Returns the path on disk of a file that was found, if it is a separate file.
    #[must_use]
    pub fn on_disk(&self, location: &Location) -> Option<PathBuf> {
        self.layers.get(location.layer)?.layer.file(&location.path)
    }

    /// Returns a value decoded from a file, from the cache if possible. `variant` distinguishes several values of one type that
    /// are decoded from the same file (a texture with two palettes); it is usually empty. `make` also returns the size of the
    /// value in bytes.
    ///
    /// The value is computed once, even if several threads request it at the same time. The size of the cache is
    /// [limited](Decoded::BUDGET). `make` may request other values, but must not wait for work that it passed to other threads.
    ///
    /// # Errors
    /// The error of `make`, now or before.
    pub fn decoded<T: Send + Sync + 'static>(
        &self,
        location: &Location,
        variant: &str,
        make: impl FnOnce() -> Result<(T, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        let name = format!("{}:{}\0{variant}", location.layer, location.path);
        let value = self.decoded.get(self.identity, &name, make);
        value.map_err(|error| error.in_file(location.path.as_str()))
    }

    /// Returns a value that does not depend on the location of a file, from the cache if possible. `name` distinguishes it from
    /// other values of its type. Otherwise like [`decoded`](Self::decoded).
    ///
    /// # Errors
    /// The error of `make`, now or before.
    pub fn cached<T: Send + Sync + 'static>(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<(T, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        self.decoded.get(self.identity, name, make)
    }

    /// Returns a result that is computed from decoded files, from the cache if possible. Results have a cache of their own, so that
    /// decoded files do not evict them. `name` identifies everything that the result depends on. Otherwise like
    /// [`decoded`](Self::decoded).
    ///
    /// # Errors
    /// The error of `make`, now or before.
    pub fn result<T: Send + Sync + 'static>(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<(T, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        self.decoded.result(self.identity, name, make)
    }

    /// Searches the layers in order, starting with `first`.
    fn in_layers(
        &self,
        first: Option<usize>,
        mut find: impl FnMut(&ListedLayer) -> Option<GamePath>,
    ) -> Option<Location> {
        let found = self
            .order(first)
            .find_map(|layer| Some(Location { layer, path: find(self.layers.get(layer)?)? }));
        if found.is_none() {
            self.has_missed.store(true, Ordering::Relaxed);
        }
        found
    }

    fn order(&self, first: Option<usize>) -> impl Iterator<Item = usize> {
        let others = 0..self.layers.len();
        first.into_iter().chain(others.filter(move |layer| Some(*layer) != first))
    }

    /// Iterates over all files, folder by folder, in the order of their names. Upper layers hide files of the same name in lower
    /// ones. A folder that several symbolic links lead to is visited once.
    pub fn files(&self) -> impl Iterator<Item = Location> {
        let visited = |listed: &ListedLayer| listed.layer.disk().map(VisitedFolders::new);
        let mut visited: Vec<_> = self.layers.iter().map(visited).collect();
        let mut folders = vec![GamePath::root()];
        std::iter::from_fn(move || {
            let folder = folders.pop()?;
            let below = self.entries_in(None, &folder, EntryKind::Folder);
            let is_new = |location: &Location| match (self.on_disk(location), visited.get_mut(location.layer))
            {
                (Some(path), Some(Some(visited))) => visited.visit(&path),
                _ => true,
            };
            let below: Vec<_> = below.into_iter().filter(is_new).map(|location| location.path).collect();
            folders.extend(below.into_iter().rev());
            Some(self.entries_in(None, &folder, EntryKind::File))
        })
        .flatten()
    }

    /// Returns the files or folders in a folder, each name once.
    fn entries_in(&self, first: Option<usize>, folder: &GamePath, kind: EntryKind) -> Vec<Location> {
        let mut out: BTreeMap<String, Location> = BTreeMap::new();
        for layer in self.order(first) {
            let entries = self.layers.get(layer).map(|listed| listed.entries(folder, kind));
            for path in entries.unwrap_or_default() {
                out.entry(fold(path.name())).or_insert(Location { layer, path });
            }
        }
        out.into_values().collect()
    }
}
