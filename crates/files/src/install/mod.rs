//! A game on disk: finding its files whatever their letter case, in folders and archives laid over one another.

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

/// A game: a folder, or several folders and archives laid over one another. The first layer that has a file counts.
///
/// Shared freely between threads. Folders are listed when first asked for; a file that appears later is not seen.
#[derive(Debug)]
pub struct Install {
    layers: Vec<ListedLayer>,
    game: Option<&'static str>,
    /// How names are encoded that are not UTF-8.
    charset: Charset,
    decoded: Arc<Decoded>,
    opened: OpenedFiles,
    /// Whether a file was looked for and not found.
    has_missed: AtomicBool,
    /// Keeps apart what several installs keep in one cache.
    identity: u64,
}

impl Install {
    /// These layers, the first laid over the others.
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

    /// No files at all: for bytes that stand nowhere.
    #[must_use]
    pub fn empty() -> Self {
        Self::new(Vec::new())
    }

    /// The same with a cache that several installs share.
    #[must_use]
    pub fn with_cache(self, decoded: Arc<Decoded>) -> Self {
        Self { decoded, ..self }
    }

    /// The same with a list of opened files that others add to as well.
    #[must_use]
    pub fn with_opened(self, opened: OpenedFiles) -> Self {
        opened.add_all(&self.opened);
        Self { opened, ..self }
    }

    /// The files on disk that were opened for it. The containers laid into it count as opened.
    #[must_use]
    pub fn opened(&self) -> &OpenedFiles {
        &self.opened
    }

    /// Opens a file on disk that is not part of the game, like a palette that the user names.
    ///
    /// # Errors
    /// When it is not a regular file, or cannot be opened.
    pub fn open_on_disk(&self, path: &Path) -> Result<Source, Error> {
        self.opened.open(path)
    }

    /// The same as the install of a game, by its id; names that are not UTF-8 are in its character set.
    #[must_use]
    pub fn with_game(self, id: &'static str, charset: Charset) -> Self {
        Self { game: Some(id), charset, ..self }
    }

    /// The id of the game whose layout it has, when one was recognized.
    #[must_use]
    pub fn game(&self) -> Option<&'static str> {
        self.game
    }

    /// Whether a file was looked for and not found so far.
    #[must_use]
    pub fn has_missed(&self) -> bool {
        self.has_missed.load(Ordering::Relaxed)
    }

    /// How names are encoded that are not UTF-8.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Lays a folder or a container below what is there, unless it is there already.
    pub fn lay(&mut self, layer: Arc<dyn Layer>) {
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

    /// The layer of a container on disk, and its number.
    #[must_use]
    pub fn container(&self, path: &Path) -> Option<(usize, &dyn Layer)> {
        let path = disk::canonical(path).ok()?;
        let mut layers = self.layers.iter().map(|listed| &*listed.layer).enumerate();
        layers.find(|(_, layer)| layer.container() == Some(&path))
    }

    /// Where a file on disk stands in this install; `None` when it stands outside, or its folder does not exist.
    ///
    /// The file itself may be a symbolic link: it stands where the link stands.
    #[must_use]
    pub fn location_of(&self, file: &Path) -> Option<Location> {
        let name = file.file_name()?;
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = disk::canonical(parent.unwrap_or(Path::new("."))).ok()?;
        // Of layers within one another the innermost counts.
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

    /// Where an entry of a container on disk stands in this install; `None` when the container is not part of it, or the entry's name
    /// leads out.
    #[must_use]
    pub fn location_in(&self, container: &Path, entry: &str) -> Option<Location> {
        let path = GamePath::parse(entry).ok().filter(|path| !path.is_root())?;
        let (layer, _) = self.container(container)?;
        Some(Location { layer, path })
    }

    /// The containers that are not there, and those that something was looked for in but that could not be opened or are damaged: each
    /// with the reason.
    #[must_use]
    pub fn failures(&self) -> Vec<Error> {
        self.layers.iter().filter_map(|listed| listed.layer.failure()).collect()
    }

    /// The root folder of the game.
    #[must_use]
    pub fn root(&self) -> Folder<'_> {
        Folder { install: self, first: None, path: Ok(GamePath::root()) }
    }

    /// A folder by its path from the root. It need not exist; then nothing is found in it.
    #[must_use]
    pub fn folder(&self, path: &str) -> Folder<'_> {
        Folder { install: self, first: None, path: GamePath::parse(path) }
    }

    /// The folder that a file stands in. The layer that has the file is asked first.
    #[must_use]
    pub fn beside(&self, place: &Location) -> Folder<'_> {
        Folder { install: self, first: Some(place.layer), path: Ok(place.path.folder()) }
    }

    /// Looks a path up from the root.
    #[must_use]
    pub fn find(&self, path: &str) -> Lookup {
        self.root().find(path)
    }

    /// Looks a name up as a file that stands at `place` means it.
    #[must_use]
    pub fn find_sibling(&self, place: &Location, name: &str) -> Lookup {
        self.beside(place).find(name)
    }

    /// The bytes of a file that was found.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(&self, place: &Location) -> Result<Source, Error> {
        let missing = || Error::usage(format!("{} belongs to another install", place.path));
        let listed = self.layers.get(place.layer).ok_or_else(missing)?;
        let source = listed.layer.open(&place.path).map_err(|error| error.in_file(place.path.as_str()))?;
        if let Some(file) = listed.layer.file(&place.path) {
            self.opened.add(&file);
        }
        Ok(source)
    }

    /// Where a file that was found stands on disk, if it stands there as a file of its own.
    #[must_use]
    pub fn on_disk(&self, place: &Location) -> Option<PathBuf> {
        self.layers.get(place.layer)?.layer.file(&place.path)
    }

    /// Something made from a file: as kept, or else made now. `variant` tells apart several things of one type made from
    /// the same file (a texture under two palettes); it is usually empty. The maker also says how many bytes the thing takes.
    ///
    /// Made once even when several threads ask at once; kept within [a number of bytes](Decoded::BUDGET). A maker may ask for
    /// other things, but must not hand work to other threads and wait for them.
    ///
    /// # Errors
    /// What the maker failed with, now or before.
    pub fn decoded<T: Send + Sync + 'static>(
        &self,
        place: &Location,
        variant: &str,
        make: impl FnOnce() -> Result<(T, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        let name = format!("{}:{}\0{variant}", place.layer, place.path);
        let made = self.decoded.get(self.identity, &name, make);
        made.map_err(|error| error.in_file(place.path.as_str()))
    }

    /// Something made from content and not from a file of a certain place: as kept, or else made now. `name` tells it apart from other
    /// things of its type. Otherwise as [`decoded`](Self::decoded).
    ///
    /// # Errors
    /// What the maker failed with, now or before.
    pub fn remembered<T: Send + Sync + 'static>(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<(T, usize), Error>,
    ) -> Result<Arc<T>, Error> {
        self.decoded.get(self.identity, name, make)
    }

    /// Asks the layers in order, `first` before all others.
    fn in_layers(
        &self,
        first: Option<usize>,
        mut ask: impl FnMut(&ListedLayer) -> Option<GamePath>,
    ) -> Option<Location> {
        let found =
            self.order(first).find_map(|layer| Some(Location { layer, path: ask(self.layers.get(layer)?)? }));
        if found.is_none() {
            self.has_missed.store(true, Ordering::Relaxed);
        }
        found
    }

    fn order(&self, first: Option<usize>) -> impl Iterator<Item = usize> {
        let others = 0..self.layers.len();
        first.into_iter().chain(others.filter(move |layer| Some(*layer) != first))
    }

    /// All files, folder by folder, in the order of their names. What a layer above has hides the same name below; a folder that several
    /// symbolic links lead to is visited once.
    pub fn files(&self) -> impl Iterator<Item = Location> {
        let visited = |listed: &ListedLayer| listed.layer.disk().map(VisitedFolders::new);
        let mut visited: Vec<_> = self.layers.iter().map(visited).collect();
        let mut folders = vec![GamePath::root()];
        std::iter::from_fn(move || {
            let folder = folders.pop()?;
            let below = self.entries_in(None, &folder, EntryKind::Folder);
            let is_new = |place: &Location| match (self.on_disk(place), visited.get_mut(place.layer)) {
                (Some(path), Some(Some(visited))) => visited.visit(&path),
                _ => true,
            };
            let below: Vec<_> = below.into_iter().filter(is_new).map(|place| place.path).collect();
            folders.extend(below.into_iter().rev());
            Some(self.entries_in(None, &folder, EntryKind::File))
        })
        .flatten()
    }

    /// The files or folders in a folder, each name once.
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
