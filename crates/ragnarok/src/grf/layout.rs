//! Records of an archive: the header and the table.
//!
//! Little-endian, without padding. All offsets are counted from the end of the header. Sources: GRF Editor, zgrf, the grfio of the rAthena
//! family, roBrowserLegacy, RagLite; public test archives of 0x102, 0x103 and 0x200.

use record::schema::{ByHand, Field, Schema, TypeDoc};
use record::{Bytes, Record};

use super::cipher;
use super::version::Version;

/// Length of the header in bytes.
pub(super) const HEADER: u64 = 46;

/// The usual signature.
pub(super) const MAGIC: &[u8; 16] = b"Master of Magic\0";

/// Another signature, which a public reader accepts.
pub(super) const OTHER_MAGIC: &[u8; 16] = b"Event Horizon\0\0\0";

/// The archive: only the header has a fixed location.
pub(super) const SCHEMA: Schema = Schema::ByHand(
    const {
        &ByHand {
            doc: TypeDoc {
                path: || "grf::Archive",
                about: "An archive. Offsets are counted from the end of the header.",
            },
            context: None,
            reason: "the table is compressed, located by an offset in the header, and differs between versions; files are compressed \
                     and may be encrypted",
            fields: &[Field::plain("header", "Header", Header::schema)],
            parts: &[TableHead::schema, PlainEntry::schema, ScrambledEntry::schema],
        }
    },
);

/// The first 46 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
#[record(ahead = NarrowHeader)]
pub enum Header {
    /// Header of every version.
    Narrow(NarrowHeader),
    /// Header of 0x300. A narrow header (with an offset below 4 GB) whose seed is below 256 looks the same; it is assumed to be wide.
    #[record(when = ahead.version >= Version::V300.0 && ahead.seed < 0x100)]
    Wide(WideHeader),
}

/// A header with a 32-bit offset.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
pub struct NarrowHeader {
    /// `Master of Magic`, sometimes `Event Horizon`.
    pub magic: [u8; 16],
    /// 1 to 14, or all 0: a mark that files may be encrypted. It is not a key, and both are read in the same way.
    pub mark: [u8; 14],
    /// Offset of the table from the end of the header.
    pub table_offset: u32,
    /// Number that is added to the count, apparently to obfuscate it.
    pub seed: u32,
    /// Sum of the number of entries, the seed and 7.
    pub count: u32,
    /// 0x102, 0x103, 0x200 or 0x300.
    pub version: u32,
}

/// A header with a 64-bit offset.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
pub struct WideHeader {
    /// Same as in [`NarrowHeader`].
    pub magic: [u8; 16],
    /// Same as in [`NarrowHeader`].
    pub mark: [u8; 14],
    /// Offset of the table from the end of the header.
    pub table_offset: i64,
    /// Number of entries.
    pub count: i32,
    /// 0x300.
    pub version: u32,
}

impl Header {
    /// The version, which may be unsupported.
    #[must_use]
    pub fn version(&self) -> Version {
        Version(match self {
            Self::Narrow(header) => header.version,
            Self::Wide(header) => header.version,
        })
    }

    /// The signature.
    #[must_use]
    pub fn magic(&self) -> &[u8; 16] {
        match self {
            Self::Narrow(header) => &header.magic,
            Self::Wide(header) => &header.magic,
        }
    }

    /// Offset of the table from the start of the file. `None` if the stored offset is invalid.
    #[must_use]
    pub fn table_offset(&self) -> Option<u64> {
        let stored = match self {
            Self::Narrow(header) => u64::from(header.table_offset),
            Self::Wide(header) => u64::try_from(header.table_offset).ok()?,
        };
        stored.checked_add(HEADER)
    }

    /// Declared number of entries, including folders. Negative if the stored numbers are invalid.
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

/// The fields before a compressed table.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq)]
#[record(context = Version)]
pub(super) struct TableHead {
    /// 0. Since 0x300.
    #[record(when = context >= Version::V300)]
    pub unknown: Option<u32>,
    /// Size of the compressed table in bytes.
    pub packed: u32,
    /// Size of the decompressed table in bytes.
    pub size: u32,
}

/// An entry of the table since 0x200.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
#[record(context = Version)]
pub(super) struct PlainEntry {
    /// Path in cp949, with backslashes.
    pub name: TerminatedName,
    /// Size of the packed file in bytes.
    pub packed: u32,
    /// Size of the packed file, padded to a multiple of 8 bytes if the file is encrypted.
    pub aligned: u32,
    /// Size of the unpacked file in bytes.
    pub size: u32,
    /// Flags: kind and encryption.
    pub flags: u8,
    /// Offset of the data from the end of the header.
    #[record(with = context)]
    pub offset: Offset,
}

/// An entry of the table before 0x200.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub(super) struct ScrambledEntry {
    /// Scrambled path in cp949, with backslashes.
    pub name: ScrambledName,
    /// Sum of the packed size, the size and 715.
    pub packed: u32,
    /// Sum of the aligned size and 37579.
    pub aligned: u32,
    /// Size of the unpacked file in bytes.
    pub size: u32,
    /// Flags: kind. The encryption depends on the name.
    pub flags: u8,
    /// Offset of the data from the end of the header.
    pub offset: u32,
}

/// A NUL-terminated name.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub(super) struct TerminatedName(#[record(terminator = b"\0", show = super::name::decode)] pub(super) Bytes);

/// A scrambled name with the fields around it.
#[derive(Record, Debug, Clone, PartialEq, Eq)]
pub(super) struct ScrambledName {
    /// 0.
    #[record(begin(length: u32))]
    pub before: [u8; 2],
    /// The scrambled name, whose length is a multiple of 8 bytes.
    #[record(leave = 4, limit = Self::MAX_NAME_LENGTH, show = unscrambled)]
    pub scrambled: Bytes,
    /// 0.
    pub after: [u8; 4],
}

impl ScrambledName {
    /// Maximum length of a name in bytes. Names are paths, and none is nearly as long.
    pub(super) const MAX_NAME_LENGTH: usize = 4096;

    /// Unscrambles the name, up to its first NUL.
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

/// Offset of a file from the end of the header: 32 bits, 64 bits since 0x300.
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
