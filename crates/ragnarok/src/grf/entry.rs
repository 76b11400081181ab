//! Entries of the table: their kinds and byte ranges.

use std::ops::Range;

use asset::archive::{self, Content};
use record::Error;
use serde::Serialize;

use super::cipher::Cipher;
use super::flag::{FILE, GRAVITY, PASSWORD, REMOVED};
use super::layout::{HEADER, PlainEntry, ScrambledEntry};
use super::name;
use super::version::Version;

/// Marks a folder: the packed size, the aligned size, the size and the offset together.
const FOLDER: (u32, u32, u32, i64) = (0x449, 0x714, 0x55c, 0x58a);

/// Constant added to the packed size in old versions, in addition to the size.
const PACKED_BIAS: u32 = 715;
/// Constant added to the aligned size in old versions.
const ALIGNED_BIAS: u32 = 37579;

/// An entry of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Name, as bytes in cp949.
    pub name: Box<[u8]>,
    /// Size of the packed file in bytes.
    pub packed: u32,
    /// Size of the stored data in the archive, in bytes.
    pub aligned: u32,
    /// Size of the unpacked file in bytes.
    pub size: u32,
    /// Flags of the table: kind and encryption.
    pub flags: u8,
    /// Offset of the data from the end of the header.
    pub offset: i64,
    /// Kind of the entry.
    pub kind: Kind,
    /// Encryption of the data.
    pub cipher: Cipher,
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A file compressed with zlib.
    File,
    /// An uncompressed file. There is no flag for it: an entry without flags that has bytes and a dot in its name is assumed to be one.
    Stored,
    /// A file encrypted with Gravity's encryption of 2026, whose key is unknown.
    GravityCipher,
    /// A file encrypted by GRF Editor with a password.
    PasswordCipher,
    /// A folder.
    Folder,
    /// An entry of a patch that marks a file as removed.
    Removed,
}

impl Kind {
    /// The format-independent kind of content.
    #[must_use]
    pub const fn content(self) -> Content {
        match self {
            Self::File | Self::Stored => Content::File,
            Self::GravityCipher | Self::PasswordCipher => Content::Unreadable,
            Self::Folder => Content::Folder,
            Self::Removed => Content::Removed,
        }
    }
}

impl Entry {
    /// Converts an entry of a table since 0x200.
    pub(super) fn plain(entry: PlainEntry, version: Version) -> Self {
        let numbers = (entry.packed, entry.aligned, entry.size, entry.offset.0);
        let is_folder = numbers == FOLDER;
        Self::new(entry.name.0.0.into(), numbers, entry.flags, is_folder, version)
    }

    /// Converts an entry of a table before 0x200.
    pub(super) fn scrambled(entry: &ScrambledEntry, version: Version) -> Self {
        let offset = i64::from(entry.offset);
        let as_stored = (entry.packed, entry.aligned, entry.size, offset);
        // Wraps around: invalid numbers become a size that exceeds any archive.
        let packed = entry.packed.wrapping_sub(entry.size).wrapping_sub(PACKED_BIAS);
        let aligned = entry.aligned.wrapping_sub(ALIGNED_BIAS);
        // The numbers of a folder have no constants added.
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

    /// The name as text.
    #[must_use]
    pub fn text(&self) -> String {
        name::decode(&self.name).into_owned()
    }

    /// Offset of the first byte in the archive. `None` if the stored offset is invalid.
    pub(super) fn start(&self) -> Option<u64> {
        let header = i64::try_from(HEADER).ok()?;
        u64::try_from(self.offset.checked_add(header)?).ok()
    }

    /// Byte range in an archive with `length` bytes.
    pub(super) fn range(&self, length: u64) -> Result<Range<u64>, Error> {
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

    /// The entry as displayed in a list of files.
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

    /// Size of the unpacked file in bytes.
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
