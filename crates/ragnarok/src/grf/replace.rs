//! Replacement of one file of an archive. The other files keep their stored bytes, which are copied in chunks.
//!
//! Bytes after the old file move by the difference in length. If this is impossible, because other entries share the old bytes or because
//! the table is before them, the new bytes are appended at the end. Archives before 0x200 are converted to 0x200, where flags replace the
//! file extensions that select the encryption. Encrypted files remain encrypted.

use std::io::Write;
use std::ops::Range;

use asset::Report;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use record::{Bytes, Error, Record, Result, Source, Writer};

use super::cipher::Cipher;
use super::entry::{Entry, Kind};
use super::flag::{FILE, HEADER_ONLY, MIXED};
use super::layout::{HEADER, Header, Offset, PlainEntry, TableHead, TerminatedName};
use super::version::Version;
use super::{Grf, MAX_FILE_SIZE, table, warning};

/// Number of bytes copied at once.
const CHUNK: u64 = 1 << 20;

/// Writes the archive with new content for one entry.
pub(super) fn replace(grf: &Grf, index: usize, content: &Source, out: &mut dyn Write) -> Result<()> {
    let entry = grf.entries.get(index).ok_or_else(|| Error::usage("no such entry"))?;
    match entry.kind {
        Kind::Folder => return Err(Error::usage("the entry is a folder, which has no content to replace")),
        Kind::Removed => return Err(Error::usage("the file was removed by a patch; nothing to replace")),
        Kind::File | Kind::Stored | Kind::GravityCipher | Kind::PasswordCipher => {}
    }
    refuse_damaged(grf)?;
    let packed = deflate(content)?;
    let space = size_of(packed.len())?.checked_next_multiple_of(8).ok_or_else(too_large)?;
    let layout = Layout::new(grf, index, space.into());
    let version = match grf.version() {
        version if version.is_scrambled() => Version::V200,
        version => version,
    };
    let new =
        NewFile { index, packed: size_of(packed.len())?, size: size_of(content.len())?, layout: &layout };
    let table = table_of(grf, version, &new)?;
    out.write_all(&header_of(&grf.header, version, layout.table_at)?)?;
    copy(&grf.source, layout.before.clone(), out)?;
    out.write_all(&packed)?;
    let filled = packed.len().next_multiple_of(8).saturating_sub(packed.len());
    out.write_all(&vec![0; filled])?;
    copy(&grf.source, layout.after.clone(), out)?;
    out.write_all(&table)?;
    copy(&grf.source, layout.rest.clone(), out)
}

/// Refuses an archive with a damaged table, whose unreadable entries would be lost.
pub(super) fn refuse_damaged(grf: &Grf) -> Result<()> {
    let mut report = Report::new();
    table::read(&grf.source, &grf.header, &mut report)?;
    match report.count_of(&warning::TABLE) {
        0 => Ok(()),
        _ => Err(Error::unsupported("its table is damaged; unreadable entries would be lost")),
    }
}

/// The layout of the new archive.
struct Layout {
    /// Bytes of the old archive that are copied before the new file.
    before: Range<u64>,
    /// Bytes of the old archive that are copied after the new file.
    after: Range<u64>,
    /// Bytes of the old archive that are copied after the table.
    rest: Range<u64>,
    /// Offset of the new file.
    new_at: u64,
    /// Offset of the table.
    table_at: u64,
    /// Offset in the old archive from which entries move, and the distance in bytes.
    moved: Option<(u64, i64)>,
}

impl Layout {
    fn new(grf: &Grf, index: usize, space: u64) -> Self {
        let length = grf.source.len();
        let table = grf.table.offset..grf.table.offset.saturating_add(grf.table.stored);
        let ranges = grf.entries.iter().enumerate().filter(|(_, entry)| entry.kind.content().is_file());
        let range = |entry: &Entry| entry.range(length).ok().filter(|range| !range.is_empty());
        let old = grf.entries.get(index).and_then(range);
        let shares = |old: &Range<u64>| {
            let mut others =
                ranges.filter(|(other, _)| *other != index).filter_map(|(_, entry)| range(entry));
            others.any(|other| other.start < old.end && old.start < other.end)
        };
        match old {
            Some(old) if old.start >= HEADER && old.end <= table.start && !shares(&old) => {
                let moved = signed(space).saturating_sub(signed(old.end.saturating_sub(old.start)));
                Self {
                    before: HEADER..old.start,
                    after: old.end..table.start,
                    rest: table.end..length,
                    new_at: old.start,
                    table_at: table.start.saturating_add_signed(moved),
                    moved: Some((old.end, moved)),
                }
            }
            _ => {
                // A table at the end is replaced. Any other table is kept, because nothing else may move.
                let end = if table.end >= length { table.start } else { length };
                Self {
                    before: HEADER..end,
                    after: end..end,
                    rest: length..length,
                    new_at: end,
                    table_at: end.saturating_add(space),
                    moved: None,
                }
            }
        }
    }

    /// The new offset of an entry.
    fn offset(&self, entry: &Entry) -> i64 {
        match (self.moved, entry.start()) {
            (Some((from, by)), Some(start)) if start >= from && entry.kind.content().is_file() => {
                entry.offset.saturating_add(by)
            }
            _ => entry.offset,
        }
    }
}

/// The new content of an entry.
struct NewFile<'a> {
    index: usize,
    packed: u32,
    size: u32,
    layout: &'a Layout,
}

impl NewFile<'_> {
    fn entry(&self, entry: &Entry) -> Result<PlainEntry> {
        let offset = Offset(signed(self.layout.new_at.saturating_sub(HEADER)));
        let aligned = self.packed.checked_next_multiple_of(8).ok_or_else(too_large)?;
        let name = TerminatedName(Bytes::from(&*entry.name));
        Ok(PlainEntry { name, packed: self.packed, aligned, size: self.size, flags: FILE, offset })
    }
}

/// Returns the table as stored in the archive, with the fields before it.
fn table_of(grf: &Grf, version: Version, new: &NewFile<'_>) -> Result<Vec<u8>> {
    let mut bytes = Writer::new();
    for (index, entry) in grf.entries.iter().enumerate() {
        let plain = if index == new.index { new.entry(entry)? } else { kept(entry, version, new.layout)? };
        plain.write(&mut bytes, version)?;
    }
    packed_table(bytes.into_bytes(), version, unknown_before_table(grf, version)?)
}

/// Compresses a table and adds the fields before it.
pub(super) fn packed_table(bytes: Vec<u8>, version: Version, unknown: Option<u32>) -> Result<Vec<u8>> {
    let size = size_of(bytes.len())?;
    let packed = deflate(&Source::from(bytes))?;
    let head = TableHead { unknown, packed: size_of(packed.len())?, size };
    let mut out = Writer::new();
    head.write(&mut out, version)?;
    out.put(&packed);
    Ok(out.into_bytes())
}

/// The unknown field before the table, since 0x300.
pub(super) fn unknown_before_table(grf: &Grf, version: Version) -> Result<Option<u32>> {
    match version.is_wide() {
        true => Ok(table::packed_extent(&grf.source, version, grf.table.offset)?.0.unknown.or(Some(0))),
        false => Ok(None),
    }
}

/// Returns the new entry of an unchanged file.
fn kept(entry: &Entry, version: Version, layout: &Layout) -> Result<PlainEntry> {
    Ok(PlainEntry {
        name: TerminatedName(Bytes::from(&*entry.name)),
        packed: entry.packed,
        aligned: entry.aligned,
        size: entry.size,
        flags: written_flags(entry, version),
        offset: Offset(layout.offset(entry)),
    })
}

/// The flags of an entry in an archive of another version, which may store the encryption in the flags.
pub(super) fn written_flags(entry: &Entry, version: Version) -> u8 {
    if entry.kind != Kind::File || Cipher::of(version, &entry.name, entry.flags) == entry.cipher {
        return entry.flags;
    }
    let flags = entry.flags & !(MIXED | HEADER_ONLY);
    match entry.cipher {
        Cipher::None => flags,
        Cipher::Header => flags | HEADER_ONLY,
        Cipher::Mixed => flags | MIXED,
    }
}

pub(super) fn header_of(header: &Header, version: Version, table_at: u64) -> Result<Vec<u8>> {
    let offset = table_at.saturating_sub(HEADER);
    let header = match header {
        Header::Narrow(narrow) => {
            let mut narrow = *narrow;
            (narrow.table_offset, narrow.version) =
                (u32::try_from(offset).map_err(|_| too_large())?, version.0);
            Header::Narrow(narrow)
        }
        Header::Wide(wide) => {
            let mut wide = *wide;
            wide.table_offset = signed(offset);
            Header::Wide(wide)
        }
    };
    let mut writer = Writer::new();
    header.write(&mut writer, ())?;
    Ok(writer.into_bytes())
}

pub(super) fn copy(source: &Source, range: Range<u64>, out: &mut dyn Write) -> Result<()> {
    let mut at = range.start;
    while at < range.end {
        let end = at.saturating_add(CHUNK).min(range.end);
        out.write_all(&source.read(at..end)?)?;
        at = end;
    }
    Ok(())
}

/// Refuses files that are too large to be read again.
pub(super) fn refuse_long(content: &Source) -> Result<()> {
    if content.len() > MAX_FILE_SIZE {
        let message = format!("{} bytes exceed the limit of {MAX_FILE_SIZE}", content.len());
        return Err(Error::limit(message));
    }
    Ok(())
}

fn deflate(content: &Source) -> Result<Vec<u8>> {
    refuse_long(content)?;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    copy(content, 0..content.len(), &mut encoder)?;
    Ok(encoder.finish()?)
}

pub(super) fn size_of<T>(length: T) -> Result<u32>
where
    u32: TryFrom<T>,
{
    u32::try_from(length).map_err(|_| too_large())
}

pub(super) fn too_large() -> Error {
    Error::limit("too much data for an archive of this version".to_owned())
}

pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use asset::archive::Archive;
    use asset::{Context, Install, Options, Report};

    use super::super::tests::{ALL, File, archive, file, messages, read};
    use super::*;

    fn replaced(bytes: &[u8], index: usize, content: &[u8]) -> Result<Vec<u8>> {
        let (install, options) = (Install::empty(), Options::default());
        let context = Context { install: &install, location: None, options: &options };
        let (mut out, mut report) = (Vec::new(), Report::new());
        let grf = read(bytes).0.unwrap();
        grf.replace(&context, index, "x", &Source::from(content.to_vec()), &mut out, &mut report)?;
        assert!(report.is_empty());
        Ok(out)
    }

    fn noise(length: u32) -> Vec<u8> {
        (0..length).map(|at| (at.wrapping_mul(at).wrapping_mul(2_654_435_761) >> 24) as u8).collect()
    }

    fn files() -> Vec<File> {
        vec![
            file(b"data\\small.txt", b"hello", 1),
            file(b"data\\Header.GND", &noise(9000), 5),
            file(b"data\\mixed.rsm", &noise(5000), 3),
            file(b"data\\empty.txt", b"", 1),
            file(b"\xc0\xaf\xc0\xfa\\x", &[0; 1000], 1),
        ]
    }

    #[test]
    fn replaces_one_file_and_keeps_the_others() {
        for version in ALL {
            let old = archive(version, &files());
            let before = read(&old).0.unwrap();
            for index in 0..files().len() {
                for content in [&b""[..], b"x", &noise(20_000), &files()[index].bytes] {
                    let new = replaced(&old, index, content).unwrap();
                    let (after, report) = read(&new);
                    let after = after.unwrap();
                    assert!(report.is_empty(), "{version}: {:?}", messages(&report));
                    assert!(after.version() >= Version::V200);
                    for (number, file) in files().iter().enumerate() {
                        let wanted = if number == index { content } else { &file.bytes };
                        assert!(after.bytes(number).unwrap() == wanted, "{version}: {number} after {index}");
                        let (was, is) = (&before.typed_entries()[number], &after.typed_entries()[number]);
                        assert_eq!(was.name, is.name);
                        if number != index {
                            let stored = |grf: &Grf, entry: &Entry| {
                                let range = entry.range(grf.source.len()).unwrap();
                                grf.source.read(range).unwrap().into_owned()
                            };
                            assert!(stored(&before, was) == stored(&after, is), "{version}: {number}");
                            assert_eq!((was.cipher, was.kind), (is.cipher, is.kind));
                        }
                    }
                    // The space of the old file is not left unused.
                    let ranges =
                        after.typed_entries().iter().map(|entry| u64::from(entry.aligned)).sum::<u64>();
                    let empty = if files()[index].bytes.is_empty() { 8 } else { 0 };
                    assert!(after.table().offset <= HEADER + ranges + empty, "{version} {index}");
                }
            }
        }
    }

    #[test]
    fn keeps_shared_bytes_and_bytes_after_the_table() {
        let old = super::super::write(&[("a", &noise(100)), ("b", &noise(200)), ("c", &noise(300))]).unwrap();
        // The second entry gets the range of the first.
        let (grf, mut table) = (read(&old).0.unwrap(), Writer::new());
        for (number, entry) in grf.typed_entries().iter().enumerate() {
            let twin = if number == 1 { &grf.typed_entries()[0] } else { entry };
            let plain = PlainEntry {
                name: TerminatedName(Bytes::from(&*entry.name)),
                packed: twin.packed,
                aligned: twin.aligned,
                size: twin.size,
                flags: FILE,
                offset: Offset(twin.offset),
            };
            plain.write(&mut table, Version::V200).unwrap();
        }
        let table = table.into_bytes();
        let packed = deflate(&Source::from(table.clone())).unwrap();
        let head = TableHead { unknown: None, packed: packed.len() as u32, size: table.len() as u32 };
        let mut writer = Writer::new();
        head.write(&mut writer, Version::V200).unwrap();
        let at = usize::try_from(grf.table().offset).unwrap();
        let twins = [&old[..at], &writer.into_bytes(), &packed, b"behind"].concat();
        let new = replaced(&twins, 0, b"new").unwrap();
        let after = read(&new).0.unwrap();
        assert_eq!(after.bytes(0).unwrap(), b"new");
        assert_eq!((after.bytes(1).unwrap(), after.bytes(2).unwrap()), (noise(100), noise(300)));
        // The bytes after the old table are kept before the new one.
        assert!(new.windows(6).any(|window| window == b"behind"));
    }

    #[test]
    fn refuses_folders_and_damaged_archives() {
        let folders = archive(Version::V200, &[file(b"data\\gone.txt", b"x", 0x11), file(b"b.txt", b"b", 1)]);
        assert!(replaced(&folders, 0, b"x").unwrap_err().message().contains("removed by a patch"));
        assert!(replaced(&folders, 9, b"x").is_err());
        let cut = archive(Version::V102, &files());
        let cut = &cut[..cut.len() - 3];
        assert!(replaced(cut, 0, b"x").unwrap_err().message().contains("its table is damaged"));
    }
}
