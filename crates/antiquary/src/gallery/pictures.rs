//! Pictures and fonts on the pages, each stored once.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use asset::{Error, FolderSink, Guard, Sink};
use render::{Framing, RenderOptions, Subject, Textures};
use scene::Scene;
use scene::image::Rgba8;
use twox_hash::XxHash3_128;

use super::FOLDER;
use super::escape::data;
use crate::thumbnail::{jpeg, shrunk};

/// Maximum size of pictures in pixels. Large galleries have more pictures, which are smaller.
const WIDE: u32 = 320;
const HIGH: u32 = 240;
const WIDE_OF_MANY: u32 = 200;
const HIGH_OF_MANY: u32 = 150;
/// Minimum number of inputs of a large gallery.
const MANY: usize = 500;
/// Maximum length in bytes of a picture file that is shown unchanged.
const SMALL: usize = 24 << 10;

/// Renders pictures and stores them. As long as they are few, they are kept in memory and embedded in the pages; beyond
/// that, each is written to a file immediately.
#[derive(Debug)]
pub(super) struct Pictures {
    textures: Textures,
    width: u32,
    height: u32,
    made: Mutex<HashMap<u128, Slot>>,
    store: Mutex<Store>,
}

/// Initialized by the first request; `None` if nothing is visible.
type Slot = Arc<OnceLock<Option<Made>>>;

/// Properties of a picture whose bytes may already be written.
#[derive(Debug, Clone, Copy)]
struct Made {
    bytes: usize,
    width: u32,
    height: u32,
}

/// A small picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Picture {
    /// Key in the store.
    key: u128,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Whether the picture was rendered from a scene; otherwise the written file is a picture too.
    pub(super) drawn: bool,
    /// Whether the written file is animated, but the picture on the page is not.
    pub(super) moves: bool,
}

/// Store of the bytes.
#[derive(Debug)]
struct Store {
    storage: Storage,
    /// Number of bytes that may still be embedded in the pages.
    budget: usize,
    error: Option<Error>,
}

#[derive(Debug)]
enum Storage {
    /// Embedded in the pages.
    Pages { items: BTreeMap<u128, Item>, folder: PathBuf, guard: Arc<Guard> },
    /// In files next to the pages, by these names.
    Files { names: HashMap<u128, String>, sink: Box<FolderSink> },
}

/// An embedded file.
#[derive(Debug)]
struct Item {
    mime: &'static str,
    bytes: Vec<u8>,
    /// Whether the written file shows the same content.
    is_own: bool,
}

impl Pictures {
    /// Creates a store for this many inputs, of which at most `budget` bytes are embedded in the pages.
    pub(super) fn new(folder: PathBuf, guard: Arc<Guard>, inputs: usize, budget: usize) -> Self {
        let (width, height) = if inputs >= MANY { (WIDE_OF_MANY, HIGH_OF_MANY) } else { (WIDE, HIGH) };
        let storage = Storage::Pages { items: BTreeMap::new(), folder, guard };
        let store = Mutex::new(Store { storage, budget, error: None });
        Self { textures: Textures::new(), width, height, made: Mutex::default(), store }
    }

    /// Returns the picture of a scene, rendered unless an equal one exists.
    pub(super) fn of_scene(&self, scene: &Scene) -> Option<Picture> {
        let options = RenderOptions {
            width: self.width,
            height: self.height,
            framing: Framing::Shared,
            ..RenderOptions::default()
        };
        let subject = Subject::new(scene, options);
        let key = subject.key();
        let made = self.made(key, || {
            let drawn = subject.draw(&self.textures)?;
            let bytes = jpeg(&drawn)?;
            Some((drawn.width(), drawn.height(), Item { mime: "image/jpeg", bytes, is_own: false }))
        })?;
        Some(Picture { key, width: made.width, height: made.height, drawn: true, moves: false })
    }

    /// Returns the small picture of an image that was written as these bytes.
    pub(super) fn of_image(&self, image: &Rgba8, moves: bool, bytes: &[u8]) -> Option<Picture> {
        let is_small = bytes.len() <= SMALL && image.width() <= WIDE && image.height() <= HIGH;
        let shown = shown_by_browsers(bytes).filter(|_| is_small);
        let key = key(bytes);
        let made = self.made(key, || {
            if let Some(mime) = shown {
                let item = Item { mime, bytes: bytes.to_vec(), is_own: true };
                return Some((image.width(), image.height(), item));
            }
            let (small, mime, bytes) = shrunk(image, self.width, self.height);
            Some((small.width(), small.height(), Item { mime, bytes, is_own: false }))
        })?;
        let moves = moves && shown.is_none();
        Some(Picture { key, width: made.width, height: made.height, drawn: false, moves })
    }

    /// Stores a font.
    pub(super) fn of_font(&self, bytes: &[u8]) -> u128 {
        let key = key(bytes);
        let item = || Item { mime: "font/ttf", bytes: bytes.to_vec(), is_own: true };
        self.made(key, || Some((0, 0, item())));
        key
    }

    /// Returns the stored item of a key, creating it if needed.
    fn made(&self, key: u128, make: impl FnOnce() -> Option<(u32, u32, Item)>) -> Option<Made> {
        let slot = {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(made.entry(key).or_default())
        };
        let made = *slot.get_or_init(|| {
            let (width, height, item) = make()?;
            let bytes = item.bytes.len();
            self.store().keep(key, item);
            Some(Made { bytes, width, height })
        });
        if let Some(made) = made {
            self.store().show(made.bytes);
        }
        made
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the stored items for the pages.
    ///
    /// # Errors
    /// Fails if a file could not be written.
    pub(super) fn into_sources(self) -> Result<Sources, Error> {
        let store = self.store.into_inner().unwrap_or_else(PoisonError::into_inner);
        match (store.error, store.storage) {
            (Some(error), _) => Err(error),
            (None, Storage::Pages { items, .. }) => Ok(Sources { items, names: HashMap::new() }),
            (None, Storage::Files { names, .. }) => Ok(Sources { items: BTreeMap::new(), names }),
        }
    }
}

impl Store {
    fn keep(&mut self, key: u128, item: Item) {
        match &mut self.storage {
            Storage::Pages { items, .. } => {
                items.insert(key, item);
            }
            Storage::Files { names, sink } => {
                let written = write(key, &item, names, sink);
                self.error = self.error.take().or(written.err());
            }
        }
    }

    /// Records that an item is shown once more. When the pages exceed their size limit, all items move to files, so that the
    /// result does not depend on the order of work.
    fn show(&mut self, bytes: usize) {
        let budget = self.budget.checked_sub(bytes);
        self.budget = budget.unwrap_or(0);
        if budget.is_some() {
            return;
        }
        let Storage::Pages { items, folder, guard } = &mut self.storage else { return };
        let mut names = HashMap::new();
        let mut sink = FolderSink::new(std::mem::take(folder), Arc::clone(guard));
        for (key, item) in std::mem::take(items) {
            let written = write(key, &item, &mut names, &mut sink);
            self.error = self.error.take().or(written.err());
        }
        self.storage = Storage::Files { names, sink: Box::new(sink) };
    }
}

/// Writes an item to a separate file, unless another file shows the same content.
fn write(
    key: u128,
    item: &Item,
    names: &mut HashMap<u128, String>,
    sink: &mut FolderSink,
) -> Result<(), Error> {
    if item.is_own {
        return Ok(());
    }
    let extension = item.mime.rsplit('/').next().unwrap_or_default().replace("jpeg", "jpg");
    let name = format!("{FOLDER}/pictures/{key:032x}.{extension}");
    sink.put(&name, &item.bytes)?;
    sink.finish()?;
    names.insert(key, name);
    Ok(())
}

/// Sources of the pictures and fonts on the pages.
pub(super) struct Sources {
    items: BTreeMap<u128, Item>,
    names: HashMap<u128, String>,
}

impl Sources {
    /// Returns the URL of a picture on a page whose path to the first page is `up`; `None` if the written file itself is
    /// shown.
    pub(super) fn of(&self, picture: &Picture, up: &str) -> Option<String> {
        self.of_key(picture.key, up)
    }

    /// Like [`Sources::of`], by key.
    pub(super) fn of_key(&self, key: u128, up: &str) -> Option<String> {
        match self.items.get(&key) {
            Some(item) => Some(data(item.mime, &item.bytes)),
            None => self.names.get(&key).map(|name| format!("{up}{name}")),
        }
    }

    /// Returns the file of a picture, relative to the first page; `None` if it is embedded, or if the written file itself is
    /// shown.
    pub(super) fn file_of(&self, picture: &Picture) -> Option<&str> {
        self.names.get(&picture.key).map(String::as_str)
    }

    /// Whether a picture is embedded in the pages.
    pub(super) fn is_inside(&self, picture: &Picture) -> bool {
        self.items.contains_key(&picture.key)
    }
}

fn key(bytes: &[u8]) -> u128 {
    XxHash3_128::oneshot(bytes)
}

/// Returns the media type of an image file that browsers can show unchanged.
fn shown_by_browsers(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        _ => None,
    }
}
