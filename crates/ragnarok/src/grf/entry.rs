//! An entry of the table: its kind, and the extent of its bytes.

use std::ops::Range;

use asset::archive::{self, Content};
use record::Error;
use serde::Serialize;

use super::cipher::Cipher;
use super::flag::{FILE, GRAVITY, PASSWORD, REMOVED};
use super::layout::{HEADER, PlainEntry, ScrambledEntry};
use super::name;
use super::version::Version;

/// Stands for the packed size, the aligned size, the size and the offset of a folder: all four together.
const FOLDER: (u32, u32, u32, i64) = (0x449, 0x714, 0x55c, 0x58a);

/// What the packed size is hidden behind in old versions, besides the size.
const HIDDEN_PACKED: u32 = 715;
/// What the aligned size is hidden behind in old versions.
const HIDDEN_ALIGNED: u32 = 37579;

/// What is known of one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The bytes of its name.
    pub name: Box<[u8]>,
    /// How many bytes the packed file has.
    pub packed: u32,
    /// How many bytes it takes in the archive.
    pub aligned: u32,
    /// How many bytes the file has.
    pub size: u32,
    /// What it is and how it is enciphered, as the table says.
    pub flags: u8,
    /// Where it is, counted from the end of the header.
    pub offset: i64,
    /// What it is.
    pub kind: Kind,
    /// How it is enciphered.
    pub cipher: Cipher,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A file, packed with zlib.
    File,
    /// A file that is stored as it is. No flag says so: an entry without flags that has bytes and a dot in its name is assumed to be one.
    Stored,
    /// A file encrypted with Gravity's encryption of 2026, whose key is unknown.
    GravityCipher,
    /// A file in GRF Editor's cipher with a password.
    PasswordCipher,
    /// A folder.
    Folder,
    /// The mark of a patch that a file is gone.
    Removed,
}

impl Kind {
    /// What it is to those who do not care for the format.
    #[must_use]
    pub const fn content(self) -> Content {
        match self {
            Self::File | Self::Stored => Content::File,
            Self::GravityCipher | Self::PasswordCipher => Content::Sealed,
            Self::Folder => Content::Folder,
            Self::Removed => Content::Removed,
        }
    }
}

impl Entry {
    /// An entry of a table since 0x200.
    pub(super) fn plain(entry: PlainEntry, version: Version) -> Self {
        let numbers = (entry.packed, entry.aligned, entry.size, entry.offset.0);
        let is_folder = numbers == FOLDER;
        Self::new(entry.name.0.0.into(), numbers, entry.flags, is_folder, version)
    }

    /// An entry of a table before 0x200.
    pub(super) fn scrambled(entry: &ScrambledEntry, version: Version) -> Self {
        let offset = i64::from(entry.offset);
        let as_stored = (entry.packed, entry.aligned, entry.size, offset);
        // Wraps round: what makes no sense becomes a size that no archive has room for.
        let packed = entry.packed.wrapping_sub(entry.size).wrapping_sub(HIDDEN_PACKED);
        let aligned = entry.aligned.wrapping_sub(HIDDEN_ALIGNED);
        // The numbers of a folder are not hidden.
        let is_folder = as_stored == FOLDER;
        let numbers = if is_folder { as_stored } else { (packed, aligned, entry.size, offset) };
        let is_folder = is_folder || numbers == FOLDER;
        Self::new(entry.name.unscrambled().into(), numbers, entry.flags, is_folder, version)
    }

    fn new(
        name: Box<[u8]>,
        (packed, aligned, size, offset): (u32, u32, u32, i64),
        flags: u8,
        is_folder: bool,
        version: Version,
    ) -> Self {
        let kind = if is_folder { Kind::Folder } else { kind_of(flags, packed, &name) };
        let cipher = match kind {
            Kind::File => Cipher::of(version, &name, flags),
            _ => Cipher::None,
        };
        Self { name, packed, aligned, size, flags, offset, kind, cipher }
    }

    /// Its name as text.
    #[must_use]
    pub fn text(&self) -> String {
        name::decode(&self.name).into_owned()
    }

    /// Where its first byte is in the archive; `None` when that is no place at all.
    pub(super) fn start(&self) -> Option<u64> {
        let header = i64::try_from(HEADER).ok()?;
        u64::try_from(self.offset.checked_add(header)?).ok()
    }

    /// Which bytes of an archive of this length it takes.
    pub(super) fn place(&self, length: u64) -> Result<Range<u64>, Error> {
        if self.aligned < self.packed {
            return Err(Error::malformed(format!(
                "the packed size ({}) is larger than the allocated size ({})",
                self.packed, self.aligned
            )));
        }
        let start = self.start();
        let end = start.and_then(|start| start.checked_add(self.aligned.into()));
        match (start, end) {
            (Some(start), Some(end)) if end <= length => Ok(start..end),
            (Some(start), _) if start <= length => Err(Error::malformed(format!(
                "{} bytes at {start:#x} extend beyond the end of the archive ({length})",
                self.aligned
            ))
            .at(start)),
            _ => Err(Error::malformed(format!(
                "its offset is {}, but the archive has {length} bytes",
                match start {
                    Some(start) => format!("{start:#x}"),
                    None => format!("{} after the header", self.offset),
                }
            ))),
        }
    }

    /// The entry as a list of files shows it.
    pub(super) fn listed(&self) -> archive::Entry<'_> {
        let note = match self.kind {
            Kind::File => self.cipher.name(),
            Kind::Stored => "not packed",
            Kind::GravityCipher => "encrypted with Gravity's encryption of 2026",
            Kind::PasswordCipher => "encrypted by GRF Editor with a password",
            Kind::Folder | Kind::Removed => "",
        };
        let is_file = self.kind.content().is_file();
        archive::Entry {
            name: self.text().into(),
            length: if is_file { self.length() } else { 0 },
            stored: if is_file { self.aligned.into() } else { 0 },
            content: self.kind.content(),
            note: note.into(),
        }
    }

    /// How many bytes the file has.
    pub(super) fn length(&self) -> u64 {
        match self.kind {
            Kind::Stored => self.packed.into(),
            _ => self.size.into(),
        }
    }
}

fn kind_of(flags: u8, packed: u32, name: &[u8]) -> Kind {
    let has = |flag: u8| flags & flag != 0;
    let last = name.rsplit(|byte| [b'/', b'\\'].contains(byte)).next().unwrap_or_default();
    match () {
        () if has(REMOVED) => Kind::Removed,
        () if has(GRAVITY) => Kind::GravityCipher,
        () if flags == 0 && packed > 0 && last.contains(&b'.') => Kind::Stored,
        () if !has(FILE) => Kind::Folder,
        () if has(PASSWORD) => Kind::PasswordCipher,
        () => Kind::File,
    }
}
