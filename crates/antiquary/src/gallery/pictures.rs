//! Pictures and fonts that the pages show, each kept once.

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

/// Pictures fit into this. In large galleries there are more of them, and they are smaller.
const WIDE: u32 = 320;
const HIGH: u32 = 240;
const WIDE_OF_MANY: u32 = 200;
const HIGH_OF_MANY: u32 = 150;
/// From so many inputs on a gallery is large.
const MANY: usize = 500;
/// A picture file of so many bytes at most is shown as it is.
const SMALL: usize = 24 << 10;

/// Draws pictures and keeps them. While they are few, they are kept to stand in the pages; beyond that each is written to a file as soon
/// as it is there.
#[derive(Debug)]
pub(super) struct Pictures {
    textures: Textures,
    width: u32,
    height: u32,
    made: Mutex<HashMap<u128, Slot>>,
    kept: Mutex<Kept>,
}

/// Filled by the first who asks; `None` for what cannot be seen.
type Slot = Arc<OnceLock<Option<Made>>>;

/// What is known of a picture when its bytes are gone.
#[derive(Debug, Clone, Copy)]
struct Made {
    bytes: usize,
    width: u32,
    height: u32,
}

/// A small picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Picture {
    /// By which it is kept.
    key: u128,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Drawn from a scene; otherwise the written file is a picture too.
    pub(super) drawn: bool,
    /// The written file moves, and what is shown here does not.
    pub(super) moves: bool,
}

/// Where the bytes are.
#[derive(Debug)]
struct Kept {
    place: Place,
    /// So many bytes of what is shown may still stand in the pages.
    room: usize,
    error: Option<Error>,
}

#[derive(Debug)]
enum Place {
    /// In the pages.
    Pages { items: BTreeMap<u128, Item>, folder: PathBuf, guard: Arc<Guard> },
    /// In files beside them, called so.
    Files { names: HashMap<u128, String>, sink: Box<FolderSink> },
}

/// What stands in a page.
#[derive(Debug)]
struct Item {
    mime: &'static str,
    bytes: Vec<u8>,
    /// The written file shows the same.
    is_own: bool,
}

impl Pictures {
    /// For so many inputs, of which so many bytes may stand in the pages.
    pub(super) fn new(folder: PathBuf, guard: Arc<Guard>, inputs: usize, room: usize) -> Self {
        let (width, height) = if inputs >= MANY { (WIDE_OF_MANY, HIGH_OF_MANY) } else { (WIDE, HIGH) };
        let place = Place::Pages { items: BTreeMap::new(), folder, guard };
        let kept = Mutex::new(Kept { place, room, error: None });
        Self { textures: Textures::new(), width, height, made: Mutex::default(), kept }
    }

    /// The picture of a scene, drawn unless an equal one was.
    pub(super) fn of_scene(&self, scene: &Scene) -> Option<Picture> {
        let look = RenderOptions {
            width: self.width,
            height: self.height,
            framing: Framing::Shared,
            ..RenderOptions::default()
        };
        let subject = Subject::of(scene, look);
        let key = subject.key();
        let made = self.made(key, || {
            let drawn = subject.draw(&self.textures)?;
            let bytes = jpeg(&drawn)?;
            Some((drawn.width(), drawn.height(), Item { mime: "image/jpeg", bytes, is_own: false }))
        })?;
        Some(Picture { key, width: made.width, height: made.height, drawn: true, moves: false })
    }

    /// The small picture of an image that was written as these bytes.
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

    /// Keeps a font.
    pub(super) fn of_font(&self, bytes: &[u8]) -> u128 {
        let key = key(bytes);
        let item = || Item { mime: "font/ttf", bytes: bytes.to_vec(), is_own: true };
        self.made(key, || Some((0, 0, item())));
        key
    }

    /// What is kept by a key; made and kept if there is none yet.
    fn made(&self, key: u128, make: impl FnOnce() -> Option<(u32, u32, Item)>) -> Option<Made> {
        let slot = {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(made.entry(key).or_default())
        };
        let made = *slot.get_or_init(|| {
            let (width, height, item) = make()?;
            let bytes = item.bytes.len();
            self.kept().keep(key, item);
            Some(Made { bytes, width, height })
        });
        if let Some(made) = made {
            self.kept().show(made.bytes);
        }
        made
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was kept, to be shown.
    ///
    /// # Errors
    /// When a file could not be written.
    pub(super) fn into_sources(self) -> Result<Sources, Error> {
        let kept = self.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        match (kept.error, kept.place) {
            (Some(error), _) => Err(error),
            (None, Place::Pages { items, .. }) => Ok(Sources { items, names: HashMap::new() }),
            (None, Place::Files { names, .. }) => Ok(Sources { items: BTreeMap::new(), names }),
        }
    }
}

impl Kept {
    fn keep(&mut self, key: u128, item: Item) {
        match &mut self.place {
            Place::Pages { items, .. } => {
                items.insert(key, item);
            }
            Place::Files { names, sink } => {
                let written = write(key, &item, names, sink);
                self.error = self.error.take().or(written.err());
            }
        }
    }

    /// Takes account of what is shown once more. When there is no room in the pages any more, everything goes to files: what is shown
    /// where does not depend on what was done first.
    fn show(&mut self, bytes: usize) {
        let room = self.room.checked_sub(bytes);
        self.room = room.unwrap_or(0);
        if room.is_some() {
            return;
        }
        let Place::Pages { items, folder, guard } = &mut self.place else { return };
        let mut names = HashMap::new();
        let mut sink = FolderSink::new(std::mem::take(folder), Arc::clone(guard));
        for (key, item) in std::mem::take(items) {
            let written = write(key, &item, &mut names, &mut sink);
            self.error = self.error.take().or(written.err());
        }
        self.place = Place::Files { names, sink: Box::new(sink) };
    }
}

/// Writes what is kept to a file of its own, unless another file shows the same.
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

/// Where pages take pictures and fonts from.
pub(super) struct Sources {
    items: BTreeMap<u128, Item>,
    names: HashMap<u128, String>,
}

impl Sources {
    /// The address of a picture on a page that is `up` from the first. `None` when the written file itself is to be shown.
    pub(super) fn of(&self, picture: &Picture, up: &str) -> Option<String> {
        self.of_key(picture.key, up)
    }

    /// The same for what is kept by a key.
    pub(super) fn of_key(&self, key: u128, up: &str) -> Option<String> {
        match self.items.get(&key) {
            Some(item) => Some(data(item.mime, &item.bytes)),
            None => self.names.get(&key).map(|name| format!("{up}{name}")),
        }
    }

    /// The file that shows a picture, seen from the first page. `None` where it stands in a page, or the written file itself is to be shown.
    pub(super) fn file_of(&self, picture: &Picture) -> Option<&str> {
        self.names.get(&picture.key).map(String::as_str)
    }

    /// Whether pictures stand in the pages.
    pub(super) fn is_inside(&self, picture: &Picture) -> bool {
        self.items.contains_key(&picture.key)
    }
}

fn key(bytes: &[u8]) -> u128 {
    XxHash3_128::oneshot(bytes)
}

/// The media type of an image file that a page can show as it is.
fn shown_by_browsers(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        _ => None,
    }
}
