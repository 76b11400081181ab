//! The contents of an archive besides the files: header and table.
//!
//! Little-endian, packed. All offsets are counted from the end of the header. Sources: GRF Editor, zgrf, the grfio of the rAthena
//! family, roBrowserLegacy, RagLite; public test archives of 0x102, 0x103 and 0x200.

use record::{Bytes, Record};

use super::cipher;
use super::version::Version;

/// How long the header is.
pub(super) const HEADER: u64 = 46;

/// How archives begin.
pub(super) const MAGIC: &[u8; 16] = b"Master of Magic\0";

/// Another beginning, which a public reader takes.
pub(super) const OTHER_MAGIC: &[u8; 16] = b"Event Horizon\0\0\0";

/// The first 46 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
#[record(ahead = NarrowHeader)]
pub enum Header {
    /// Of every version.
    Narrow(NarrowHeader),
    /// Of 0x300. An offset below 4 GB and a seed below 256 look the same; then it is assumed to be a wide header.
    #[record(when = Version(ahead.version).is_wide() && ahead.seed < 0x100)]
    Wide(WideHeader),
}

/// A header with an offset of 32 bits.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
pub struct NarrowHeader {
    /// `Master of Magic`, sometimes `Event Horizon`.
    pub magic: [u8; 16],
    /// 1 to 14, or all 0: a mark that files may be enciphered. Not a key; both are read alike.
    pub mark: [u8; 14],
    /// The offset of the table.
    pub table_offset: u32,
    /// Added to the count, as if to hide it.
    pub seed: u32,
    /// The number of entries, the seed and 7 added up.
    pub count: u32,
    /// 0x102, 0x103, 0x200 or 0x300.
    pub version: u32,
}

/// A header with an offset of 64 bits.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
pub struct WideHeader {
    /// As in [`NarrowHeader`].
    pub magic: [u8; 16],
    /// As in [`NarrowHeader`].
    pub mark: [u8; 14],
    /// The offset of the table.
    pub table_offset: i64,
    /// The number of entries.
    pub count: i32,
    /// 0x300.
    pub version: u32,
}

impl Header {
    /// The version, known or not.
    #[must_use]
    pub fn version(&self) -> Version {
        Version(match self {
            Self::Narrow(header) => header.version,
            Self::Wide(header) => header.version,
        })
    }

    /// How the archive begins.
    #[must_use]
    pub fn magic(&self) -> &[u8; 16] {
        match self {
            Self::Narrow(header) => &header.magic,
            Self::Wide(header) => &header.magic,
        }
    }

    /// Where the table is in the file; `None` when it is no place at all.
    #[must_use]
    pub fn table_offset(&self) -> Option<u64> {
        let stored = match self {
            Self::Narrow(header) => u64::from(header.table_offset),
            Self::Wide(header) => u64::try_from(header.table_offset).ok()?,
        };
        stored.checked_add(HEADER)
    }

    /// How many entries there are said to be, folders included. Negative when the numbers make no sense.
    #[must_use]
    pub fn count(&self) -> i64 {
        match self {
            Self::Narrow(header) => {
                i64::from(header.count).saturating_sub(i64::from(header.seed)).saturating_sub(7)
            }
            Self::Wide(header) => i64::from(header.count),
        }
    }
}

/// In front of a packed table.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
#[record(context = Version)]
pub(super) struct TableHead {
    /// 0. Since 0x300.
    #[record(when = context.is_wide())]
    pub unknown: Option<u32>,
    /// How many bytes the packed table has.
    pub packed: u32,
    /// How many it has once unpacked.
    pub size: u32,
}

/// An entry of the table since 0x200.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
#[record(context = Version)]
pub(super) struct PlainEntry {
    /// In cp949, with backslashes.
    pub name: TerminatedName,
    /// How many bytes the packed file has.
    pub packed: u32,
    /// The same, filled up to whole blocks of 8 where the file is enciphered.
    pub aligned: u32,
    /// How many bytes the file has.
    pub size: u32,
    /// What it is and how it is enciphered.
    pub flags: u8,
    /// Its offset.
    #[record(with = context)]
    pub offset: Offset,
}

/// An entry of the table before 0x200.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub(super) struct ScrambledEntry {
    /// In cp949, with backslashes, scrambled.
    pub name: ScrambledName,
    /// The packed size, the size and 715 added up.
    pub packed: u32,
    /// The aligned size and 37579 added up.
    pub aligned: u32,
    /// How many bytes the file has.
    pub size: u32,
    /// What it is. How it is enciphered its name says.
    pub flags: u8,
    /// Its offset.
    pub offset: u32,
}

/// A name that ends with a NUL.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub(super) struct TerminatedName(#[record(terminator = b"\0", show = super::name::decode)] pub(super) Bytes);

/// A scrambled name with the fields around it.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub(super) struct ScrambledName {
    /// 0.
    #[record(begin(length: u32))]
    pub before: [u8; 2],
    /// The name as it is in the file: whole blocks of 8.
    #[record(leave = 4, limit = Self::MAX_NAME_LENGTH, show = unscrambled)]
    pub scrambled: Bytes,
    /// 0.
    pub after: [u8; 4],
}

impl ScrambledName {
    /// No longer name is read: names are paths, and none is nearly as long.
    pub(super) const MAX_NAME_LENGTH: usize = 4096;

    /// The name, up to its first NUL.
    #[must_use]
    pub(super) fn unscrambled(&self) -> Vec<u8> {
        up_to_nul(&self.scrambled)
    }
}

fn unscrambled(bytes: &[u8]) -> String {
    super::name::decode(&up_to_nul(bytes)).into_owned()
}

fn up_to_nul(scrambled: &[u8]) -> Vec<u8> {
    let mut name = cipher::unscramble(scrambled);
    let length = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
    name.truncate(length);
    name
}

/// The offset of a file from the end of the header: 32 bits, 64 since 0x300.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
#[record(context = Version)]
pub(super) struct Offset(#[record(by = offset(context), min = 4)] pub(super) i64);

mod offset {
    use record::{Error, Reader, Record, Result, Writer};

    use super::Version;

    pub(super) fn read(reader: &mut Reader<'_>, version: Version) -> Result<i64> {
        if version.is_wide() { i64::read(reader, ()) } else { u32::read(reader, ()).map(i64::from) }
    }

    pub(super) fn write(offset: &i64, writer: &mut Writer, version: Version) -> Result<()> {
        if version.is_wide() {
            return offset.write(writer, ());
        }
        let message = || format!("archives of version {version} are limited to 4 GB");
        u32::try_from(*offset).map_err(|_| Error::usage(message()))?.write(writer, ())
    }
}
