//! Handles: keys of a table that owns all objects. A key is never used twice, so a handle that was freed is always recognized.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use crate::failure::Failure;
use crate::status::Status;

/// An object of the table.
type Object = Arc<dyn Any + Send + Sync>;

/// All live objects, by the ids of their handles.
static OBJECTS: RwLock<BTreeMap<u64, Object>> = RwLock::new(BTreeMap::new());

/// The number of the next object.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Number of bits of an id that hold the number of its object; the bits above hold the kind.
const NUMBER_BITS: u32 = 56;

/// A key of the table for one kind of object. The id 0 is no object.
pub(crate) trait Key: Copy {
    /// The kind in ids: different for each type.
    const KIND: u8;
    /// The name of the kind in messages, with its article.
    const NAME: &'static str;
    /// The key that refers to no object.
    const NONE: Self;

    /// Creates a key from its id.
    fn new(id: u64) -> Self;

    /// Returns the id.
    fn id(self) -> u64;
}

/// A key with the type of its object, whose module implements this.
pub(crate) trait Handle: Key {
    /// The object.
    type Object: Any + Send + Sync;
}

/// The names of all kinds, by their numbers.
const NAMES: [(u8, &str); 10] = [
    (ErrorHandle::KIND, ErrorHandle::NAME),
    (GameHandle::KIND, GameHandle::NAME),
    (FileHandle::KIND, FileHandle::NAME),
    (SceneHandle::KIND, SceneHandle::NAME),
    (ImageHandle::KIND, ImageHandle::NAME),
    (SoundHandle::KIND, SoundHandle::NAME),
    (TableHandle::KIND, TableHandle::NAME),
    (BuffersHandle::KIND, BuffersHandle::NAME),
    (ReportHandle::KIND, ReportHandle::NAME),
    (ArchiveHandle::KIND, ArchiveHandle::NAME),
];

macro_rules! key {
    ($name:ident, $kind:literal, $label:literal) => {
        impl Key for $name {
            const KIND: u8 = $kind;
            const NAME: &'static str = $label;
            const NONE: Self = Self { id: 0 };

            fn new(id: u64) -> Self {
                Self { id }
            }

            fn id(self) -> u64 {
                self.id
            }
        }
    };
}

/// An error value. Free it with `antiquary_error_free`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorHandle {
    /// The key of the object; 0 for none.
    pub id: u64,
}
key!(ErrorHandle, 1, "an error");

/// A game. Free it with `antiquary_game_free`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameHandle {
    /// The key of the object; 0 for none.
    pub id: u64,
}
key!(GameHandle, 2, "a game");

/// An opened file. Free it with `antiquary_file_free`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileHandle {
    /// The key of the object; 0 for none.
    pub id: u64,
}
key!(FileHandle, 3, "a file");

/// A scene: meshes, materials, textures, images, lights, nodes, skins and animations. Free it with `antiquary_scene_free`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneHandle {
    /// The key of the object; 0 for none.
    pub id: u64,
}
key!(SceneHandle, 4, "a scene");

/// A decoded image. Free it with `antiquary_image_free`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageHandle {
    /// The key of the object; 0 for none.
    pub id: u64,
}
key!(ImageHandle, 5, "an image");

/// A decoded sound. Free it with `antiquary_sound_free`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoundHandle {
    /// The key of the object; 0 for none.
    pub id: u64,
}
key!(SoundHandle, 6, "a sound");

/// A table of texts and numbers. Free it with `antiquary_table_free`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableHandle {
    /// The key of the object; 0 for none.
    pub id: u64,
}
key!(TableHandle, 7, "a table");

/// A list of named byte buffers. Free it with `antiquary_buffers_free`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuffersHandle {
    /// The key of the object; 0 for none.
    pub id: u64,
}
key!(BuffersHandle, 8, "a list of buffers");

/// The report of an operation. Free it with `antiquary_report_free`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportHandle {
    /// The key of the object; 0 for none.
    pub id: u64,
}
key!(ReportHandle, 9, "a report");

/// An opened archive. Free it with `antiquary_archive_free`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchiveHandle {
    /// The key of the object; 0 for none.
    pub id: u64,
}
key!(ArchiveHandle, 10, "an archive");

/// Adds an object to the table.
pub(crate) fn insert<H: Handle>(object: H::Object) -> H {
    let id = u64::from(H::KIND) << NUMBER_BITS | NEXT.fetch_add(1, Ordering::Relaxed);
    let object: Object = Arc::new(object);
    OBJECTS.write().unwrap_or_else(PoisonError::into_inner).insert(id, object);
    H::new(id)
}

/// Returns the object of a handle. Its memory does not move until it is removed.
pub(crate) fn get<H: Handle>(handle: H) -> Result<Arc<H::Object>, Failure> {
    let found = OBJECTS.read().unwrap_or_else(PoisonError::into_inner).get(&handle.id()).cloned();
    found.and_then(|object| object.downcast().ok()).ok_or_else(|| invalid(handle))
}

/// Removes the object of a handle; does nothing for no object. The object is dropped by the last function that uses it.
pub(crate) fn remove<H: Handle>(handle: H) -> Result<(), Failure> {
    if handle.id() == 0 {
        return Ok(());
    }
    get(handle)?;
    let removed = OBJECTS.write().unwrap_or_else(PoisonError::into_inner).remove(&handle.id());
    // Dropped here, without the lock.
    removed.map(drop).ok_or_else(|| invalid(handle))
}

/// Returns the number of live objects.
pub(crate) fn count() -> usize {
    OBJECTS.read().unwrap_or_else(PoisonError::into_inner).len()
}

fn invalid<K: Key>(handle: K) -> Failure {
    let kind = u8::try_from(handle.id() >> NUMBER_BITS).unwrap_or_default();
    let expected = K::NAME;
    let message = match NAMES.iter().find(|(known, _)| *known == kind) {
        _ if handle.id() == 0 => format!("the handle is 0; expected {expected}"),
        Some((_, name)) if kind == K::KIND => format!("the handle of {name} was already freed"),
        Some((_, name)) => format!("the handle is of {name}; expected {expected}"),
        None => format!("the handle was not created by this library; expected {expected}"),
    };
    Failure::new(Status::InvalidHandle, message)
}
