//! Editing of archives: adding, removing and renaming files. Other files keep their stored bytes, which are copied in chunks or not at all.
//!
//! Archives before 0x200 are converted to 0x200. Encrypted files remain encrypted.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, SeekFrom, Write};
use std::ops::Range;

use asset::archive::{Change, EditMode, OpenContainer};
use files::sink::Output;
use flate2::write::ZlibEncoder;
use record::{Bytes, Error, Record, Result, Source, Writer};
use scene::Compression;

use super::entry::Entry;
use super::flag::FILE;
use super::layout::{HEADER, Header, MAGIC, NarrowHeader, Offset, PlainEntry, TerminatedName};
use super::replace::{
    copy, header_of, packed_table, refuse_damaged, refuse_long, signed, size_of, too_large, written_flags,
};
use super::version::Version;
use super::{Grf, MAX_ENTRIES, max_entries, name};

/// Writes the archive with changes.
pub(super) fn edit(grf: &Grf, changes: &[Change], mode: EditMode, out: &mut dyn Output) -> Result<()> {
    refuse_damaged(grf)?;
    let planned = plan(grf, changes)?;
    let version = match grf.version() {
        version if version.is_scrambled() => Version::V200,
        version => version,
    };
    let mut writer = ArchiveWriter::new(out, version);
    let relocation = match mode {
        EditMode::Append => {
            writer.skip_to(grf.source.len())?;
            Relocation::Kept
        }
        EditMode::Keep => {
            let table = grf.table.offset..grf.table.offset.saturating_add(grf.table.stored);
            // A table at the end is dropped. Any other table is kept, because nothing may move.
            let end = if table.end >= grf.source.len() { table.start } else { grf.source.len() };
            writer.skip_header()?;
            copy(&grf.source, HEADER..end.max(HEADER), &mut writer)?;
            Relocation::Kept
        }
        EditMode::Compact => {
            writer.skip_header()?;
            Relocation::Moved(compact(grf, &planned, &mut writer)?)
        }
    };
    for Planned { name, from } in &planned {
        let entry = match from {
            From::Kept(entry) => kept(entry, name, version, &relocation)?,
            From::Content(content, compression) => writer
                .file(name, content, *compression)
                .map_err(|error| error.in_file(&*name::decode(name)))?,
            From::Other(container, index) => {
                let (other, entry) = entry_of(*container, *index)?;
                writer.stored_file(name, &other.source, entry)?
            }
        };
        writer.list(&entry)?;
    }
    let unknown = super::replace::unknown_before_table(grf, version)?;
    writer.finish(&grf.header, unknown)
}

/// An entry of the new archive.
struct Planned<'a> {
    name: Vec<u8>,
    from: From<'a>,
}

/// The source of an entry's bytes.
enum From<'a> {
    /// The edited archive.
    Kept(&'a Entry),
    /// New content.
    Content(&'a Source, Compression),
    /// An entry of another archive.
    Other(&'a dyn OpenContainer, usize),
}

fn entry_of(container: &dyn OpenContainer, index: usize) -> Result<(&Grf, &Entry)> {
    let grf = container.asset().typed::<Grf>();
    let entry = grf.and_then(|grf| Some((grf, grf.entries.get(index)?)));
    entry.ok_or_else(|| Error::usage("no such entry in an archive of this format"))
}

/// Determines the entries of the new archive: the existing ones in their order, then the new ones.
fn plan<'a>(grf: &'a Grf, changes: &'a [Change]) -> Result<Vec<Planned<'a>>> {
    let mut other: HashMap<usize, Option<&str>> = HashMap::new();
    // In the order of the changes. Of two changes with the same name, the later one is used.
    let mut put: BTreeMap<usize, Planned<'a>> = BTreeMap::new();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for (number, change) in changes.iter().enumerate() {
        let new = match change {
            Change::Remove(index) => {
                check_index(grf, *index)?;
                other.insert(*index, None);
                continue;
            }
            Change::Rename(index, to) => {
                check_index(grf, *index)?;
                other.insert(*index, Some(to));
                continue;
            }
            Change::Put { name, content, compression } => {
                refuse_long(content)?;
                Planned { name: name::encode(name)?, from: From::Content(content, *compression) }
            }
            Change::Take { from, index } => {
                let name = entry_of(&**from, *index)?.1.name.to_vec();
                Planned { name, from: From::Other(&**from, *index) }
            }
        };
        if let Some(before) = by_name.insert(name::folded(&name::decode(&new.name)), number) {
            put.remove(&before);
        }
        put.insert(number, new);
    }
    let mut planned = Vec::with_capacity(grf.entries.len());
    let mut renamed: HashMap<String, &str> = HashMap::new();
    for (index, entry) in grf.entries.iter().enumerate() {
        match other.get(&index) {
            Some(None) => {}
            Some(Some(to)) => {
                let name = name::encode(to)?;
                if renamed.insert(name::folded(&name::decode(&name)), to).is_some() {
                    return Err(Error::usage(format!("two files would have the name \"{to}\"")));
                }
                planned.push(Planned { name, from: From::Kept(entry) });
            }
            None => {
                let folded = name::folded(&entry.text());
                let new = by_name.remove(&folded).and_then(|number| put.remove(&number));
                planned.push(
                    new.unwrap_or_else(|| Planned { name: entry.name.to_vec(), from: From::Kept(entry) }),
                );
            }
        }
    }
    refuse_duplicates(grf, &other, &renamed, &by_name)?;
    planned.extend(put.into_values());
    Ok(planned)
}

fn check_index(grf: &Grf, index: usize) -> Result<&Entry> {
    grf.entries.get(index).ok_or_else(|| Error::usage(format!("no entry with the index {index}")))
}

/// Checks that no new name is the name of a remaining or an added file.
fn refuse_duplicates(
    grf: &Grf,
    other: &HashMap<usize, Option<&str>>,
    renamed: &HashMap<String, &str>,
    put: &HashMap<String, usize>,
) -> Result<()> {
    let taken = |to: &str| Err(Error::usage(format!("a file with the name \"{to}\" already exists")));
    if let Some((_, to)) = renamed.iter().find(|(name, _)| put.contains_key(*name)) {
        return taken(to);
    }
    if renamed.is_empty() {
        return Ok(());
    }
    let mut remaining = grf.entries.iter().enumerate().filter(|(index, _)| !other.contains_key(index));
    match remaining.find_map(|(_, entry)| renamed.get(&name::folded(&entry.text()))) {
        Some(to) => taken(to),
        None => Ok(()),
    }
}

/// The positions of the remaining entries' bytes.
enum Relocation {
    /// Unchanged.
    Kept,
    /// Moved runs of bytes: their old end and their new start, by their old start.
    Moved(BTreeMap<u64, (u64, u64)>),
}

impl Relocation {
    /// The new offset of an entry.
    fn of(&self, entry: &Entry) -> i64 {
        let (Self::Moved(runs), Some(start)) = (self, entry.start()) else { return entry.offset };
        let run = runs.range(..=start).next_back().filter(|(_, (end, _))| start < *end);
        match run.filter(|_| entry.kind.content().is_file()) {
            Some((old, (_, new))) => {
                signed(new.saturating_add(start.saturating_sub(*old)).saturating_sub(HEADER))
            }
            None => entry.offset,
        }
    }
}

/// Writes the bytes of the remaining entries, one run after the other. Bytes that entries share are written once.
fn compact(
    grf: &Grf,
    planned: &[Planned<'_>],
    writer: &mut ArchiveWriter<'_>,
) -> Result<BTreeMap<u64, (u64, u64)>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for planned in planned {
        let From::Kept(entry) = &planned.from else { continue };
        if entry.kind.content().is_file() && entry.aligned > 0 {
            let range = entry.range(grf.source.len());
            ranges.push(range.map_err(|error| {
                let advice = format!("{} is damaged; remove it, or do not compact: ", entry.text());
                Error::unsupported(format!("{advice}{}", error.message()))
            })?);
        }
    }
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut runs: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match runs.last_mut() {
            Some(run) if range.start < run.end => run.end = run.end.max(range.end),
            _ => runs.push(range),
        }
    }
    let mut moved = BTreeMap::new();
    for run in runs {
        moved.insert(run.start, (run.end, writer.at));
        copy(&grf.source, run, writer)?;
    }
    Ok(moved)
}

/// Returns the new entry of a file whose bytes remain in the archive.
fn kept(entry: &Entry, name: &[u8], version: Version, relocation: &Relocation) -> Result<PlainEntry> {
    Ok(PlainEntry {
        name: TerminatedName(Bytes::from(name)),
        packed: entry.packed,
        aligned: entry.aligned,
        size: entry.size,
        flags: written_flags(entry, version),
        offset: Offset(relocation.of(entry)),
    })
}

/// The compression level of zlib.
fn level(compression: Compression) -> flate2::Compression {
    match compression {
        Compression::Fast => flate2::Compression::fast(),
        Compression::Usual => flate2::Compression::default(),
        Compression::Best => flate2::Compression::best(),
    }
}

/// Writes an archive in order: the files, the table, and finally the header.
pub(super) struct ArchiveWriter<'a> {
    out: &'a mut dyn Output,
    version: Version,
    /// The offset of the next byte.
    at: u64,
    table: Writer,
    count: usize,
}

impl<'a> ArchiveWriter<'a> {
    pub(super) fn new(out: &'a mut dyn Output, version: Version) -> Self {
        Self { out, version, at: 0, table: Writer::new(), count: 0 }
    }

    /// Reserves space for the header.
    pub(super) fn skip_header(&mut self) -> Result<()> {
        let header = vec![0; usize::try_from(HEADER).unwrap_or_default()];
        Ok(self.write_all(&header)?)
    }

    /// Continues after the existing bytes.
    fn skip_to(&mut self, at: u64) -> Result<()> {
        self.out.seek(SeekFrom::Start(at))?;
        self.at = at;
        Ok(())
    }

    /// Writes a file, compressed and padded to a multiple of 8 bytes.
    pub(super) fn file(
        &mut self,
        name: &[u8],
        content: &Source,
        compression: Compression,
    ) -> Result<PlainEntry> {
        refuse_long(content)?;
        let start = self.at;
        let mut encoder = ZlibEncoder::new(&mut *self, level(compression));
        copy(content, 0..content.len(), &mut encoder)?;
        encoder.finish()?;
        let packed = size_of(self.at.saturating_sub(start))?;
        let aligned = self.fill(packed)?;
        Ok(PlainEntry {
            name: TerminatedName(Bytes::from(name)),
            packed,
            aligned,
            size: size_of(content.len())?,
            flags: FILE,
            offset: Offset(signed(start.saturating_sub(HEADER))),
        })
    }

    /// Writes a file with its packed bytes from another archive.
    fn stored_file(&mut self, name: &[u8], source: &Source, entry: &Entry) -> Result<PlainEntry> {
        let mut offset = entry.offset;
        if entry.kind.content().is_file() {
            offset = signed(self.at.saturating_sub(HEADER));
            let range = entry.range(source.len()).map_err(|error| error.in_file(entry.text()))?;
            copy(source, range, self)?;
        }
        Ok(PlainEntry {
            name: TerminatedName(Bytes::from(name)),
            packed: entry.packed,
            aligned: entry.aligned,
            size: entry.size,
            flags: written_flags(entry, self.version),
            offset: Offset(offset),
        })
    }

    /// Pads to a multiple of 8 bytes. Returns the padded length.
    fn fill(&mut self, packed: u32) -> Result<u32> {
        let aligned = packed.checked_next_multiple_of(8).ok_or_else(too_large)?;
        let missing = usize::try_from(aligned.saturating_sub(packed)).unwrap_or_default();
        self.write_all(&vec![0; missing])?;
        Ok(aligned)
    }

    /// Adds an entry to the table.
    pub(super) fn list(&mut self, entry: &PlainEntry) -> Result<()> {
        if self.count >= MAX_ENTRIES {
            return Err(Error::limit(format!("more than {MAX_ENTRIES} files")));
        }
        self.count = self.count.saturating_add(1);
        entry.write(&mut self.table, self.version)
    }

    /// Writes the table, then, after the table is on disk, the header.
    pub(super) fn finish(mut self, header: &Header, unknown: Option<u32>) -> Result<()> {
        let table = std::mem::replace(&mut self.table, Writer::new()).into_bytes();
        let table = packed_table(table, self.version, unknown)?;
        let (at, length) = (self.at, self.at.saturating_add(u64::try_from(table.len()).unwrap_or(u64::MAX)));
        if self.count > max_entries(length) {
            let message = format!("{} files are too many for an archive of {length} bytes", self.count);
            return Err(Error::limit(message));
        }
        self.write_all(&table)?;
        let header = header_of(&with_count(header, self.count), self.version, at)?;
        // If writing is interrupted, either the old or the new table is complete.
        self.out.sync()?;
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&header)?;
        Ok(self.out.sync()?)
    }
}

impl Write for ArchiveWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.at = self.at.saturating_add(u64::try_from(written).unwrap_or(u64::MAX));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The header of a new archive.
pub(super) const fn new_header() -> Header {
    Header::Narrow(NarrowHeader {
        magic: *MAGIC,
        mark: [0; 14],
        table_offset: 0,
        seed: 0,
        count: 7,
        version: Version::V200.0,
    })
}

/// Returns the header with another number of entries.
fn with_count(header: &Header, count: usize) -> Header {
    // Bounded by MAX_ENTRIES.
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    match *header {
        Header::Narrow(narrow) => {
            Header::Narrow(NarrowHeader { count: count.wrapping_add(narrow.seed).wrapping_add(7), ..narrow })
        }
        Header::Wide(wide) => {
            let count = i32::try_from(count).unwrap_or(i32::MAX);
            Header::Wide(super::WideHeader { count, ..wide })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Seek};
    use std::sync::Arc;

    use asset::Report;
    use asset::container::Container;

    use super::super::tests::{ALL, File, archive, file, messages, read};
    use super::super::{FORMAT, Version};
    use super::*;

    fn files() -> Vec<File> {
        vec![
            file(b"data\\small.txt", b"hello", 1),
            file(b"data\\Header.GND", &[7; 9000], 5),
            file(b"data\\mixed.rsm", &(0..5000_u32).map(|at| ((at * at) >> 7) as u8).collect::<Vec<_>>(), 3),
            file(b"\xc0\xaf\xc0\xfa\\x", &[0; 1000], 1),
        ]
    }

    fn put(name: &str, content: &[u8]) -> Change {
        let compression = Compression::Usual;
        Change::Put { name: name.to_owned(), content: Source::from(content.to_vec()), compression }
    }

    fn edited(old: &[u8], changes: &[Change], mode: EditMode) -> Result<Vec<u8>> {
        let grf = read(old).0.unwrap();
        let start = if mode == EditMode::Append { old.to_vec() } else { Vec::new() };
        let mut out = Cursor::new(start);
        edit(&grf, changes, mode, &mut out)?;
        Ok(out.into_inner())
    }

    #[test]
    fn compresses_new_files_at_the_requested_level() {
        let content: Vec<u8> = (0..40_000_u32).map(|at| ((at * at) >> 9) as u8 & 31).collect();
        let sizes = [Compression::Fast, Compression::Usual, Compression::Best].map(|compression| {
            let new = Source::from(content.clone());
            let change = Change::Put { name: "new.bin".to_owned(), content: new, compression };
            let made = edited(&archive(Version::V200, &files()), &[change], EditMode::Compact).unwrap();
            assert!(contents(&made).contains(&("new.bin".to_owned(), content.clone())));
            made.len()
        });
        assert!(sizes[0] > sizes[1] && sizes[1] >= sizes[2], "{sizes:?}");
    }

    /// The names and contents of all files.
    fn contents(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
        let (grf, report) = read(bytes);
        let grf = grf.unwrap();
        assert!(report.is_empty(), "{:?}", messages(&report));
        let one = |(index, entry): (usize, &Entry)| (entry.text(), grf.bytes(index).unwrap());
        grf.typed_entries().iter().enumerate().map(one).collect()
    }

    #[test]
    fn adds_replaces_removes_and_renames_files_and_keeps_the_others() {
        let changes = [
            put("data/new/유저.txt", b"added"),
            put("DATA/small.TXT", b"replaced"),
            Change::Remove(3),
            Change::Rename(1, "data/renamed.gnd".to_owned()),
            put("data/twice.txt", b"first"),
            put("data/Twice.txt", b"second"),
        ];
        let wanted = [
            ("DATA\\small.TXT".to_owned(), b"replaced".to_vec()),
            ("data\\renamed.gnd".to_owned(), files()[1].bytes.clone()),
            ("data\\mixed.rsm".to_owned(), files()[2].bytes.clone()),
            ("data\\new\\유저.txt".to_owned(), b"added".to_vec()),
            ("data\\Twice.txt".to_owned(), b"second".to_vec()),
        ];
        for version in ALL {
            let old = archive(version, &files());
            for mode in [EditMode::Keep, EditMode::Compact, EditMode::Append] {
                let new = edited(&old, &changes, mode).unwrap();
                assert_eq!(contents(&new), wanted, "{version} {mode:?}");
                let grf = read(&new).0.unwrap();
                assert!(grf.version() >= Version::V200);
                // Encrypted files remain encrypted.
                let ciphers =
                    |grf: &Grf| grf.typed_entries().iter().map(|entry| entry.cipher).collect::<Vec<_>>();
                assert_eq!(ciphers(&grf)[1..3], ciphers(&read(&old).0.unwrap())[1..3], "{version}");
            }
        }
    }

    #[test]
    fn compaction_removes_holes_and_keeps_shared_bytes_shared() {
        let old = archive(Version::V200, &files());
        let holes = edited(&old, &[Change::Remove(1), put("a", b"a")], EditMode::Append).unwrap();
        let compact = edited(&holes, &[], EditMode::Compact).unwrap();
        assert_eq!(contents(&compact), contents(&holes));
        let grf = read(&compact).0.unwrap();
        let taken: u64 = grf.typed_entries().iter().map(|entry| u64::from(entry.aligned)).sum();
        assert_eq!(grf.table().offset, HEADER + taken);
        assert!(compact.len() < holes.len() && holes.starts_with(&old[..30]));
        assert_eq!(
            edited(&compact, &[], EditMode::Compact).unwrap(),
            compact,
            "compaction is not idempotent"
        );
    }

    /// An output that accepts a limited number of bytes.
    struct Full {
        inner: Cursor<Vec<u8>>,
        left: usize,
    }

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.left);
            if taken == 0 && !bytes.is_empty() {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.left -= taken;
            self.inner.write(&bytes[..taken])
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for Full {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.inner.seek(to)
        }
    }

    impl Output for Full {}

    #[test]
    fn an_interrupted_append_leaves_the_old_or_the_new_archive() {
        for version in ALL {
            let old = archive(version, &files());
            let changes = [put("data/new.txt", &[1; 300]), Change::Remove(0)];
            let (before, after) =
                (contents(&old), contents(&edited(&old, &changes, EditMode::Append).unwrap()));
            let appended = edited(&old, &changes, EditMode::Append).unwrap().len() - old.len();
            let header = usize::try_from(HEADER).unwrap();
            // The header is written at once: its 46 bytes are assumed to reach the disk together.
            for left in 0..=appended {
                let mut out = Full { inner: Cursor::new(old.clone()), left };
                edit(&read(&old).0.unwrap(), &changes, EditMode::Append, &mut out).unwrap_err();
                assert_eq!(contents(&out.inner.into_inner()), before, "{version}, after {left} bytes");
            }
            let mut out = Full { inner: Cursor::new(old.clone()), left: appended + header };
            edit(&read(&old).0.unwrap(), &changes, EditMode::Append, &mut out).unwrap();
            assert_eq!(contents(&out.inner.into_inner()), after);
        }
    }

    #[test]
    fn entries_of_another_archive_keep_their_packed_bytes() {
        let base = archive(Version::V200, &files());
        let patch = archive(
            Version::V102,
            &[file(b"data\\SMALL.txt", b"patched", 1), file(b"new.act", &[3; 4000], 1)],
        );
        let source = Source::from(patch.clone());
        let other = Arc::new(Container::open(&FORMAT, &source, &mut Report::new()).unwrap());
        let take = |index| Change::Take { from: other.clone(), index };
        let new = edited(&base, &[take(0), take(1)], EditMode::Compact).unwrap();
        let (grf, was) = (read(&new).0.unwrap(), read(&patch).0.unwrap());
        assert_eq!((grf.bytes(0).unwrap(), grf.bytes(4).unwrap()), (b"patched".to_vec(), vec![3; 4000]));
        let stored = |grf: &Grf, index: usize| {
            let range = grf.typed_entries()[index].range(grf.source.len()).unwrap();
            grf.source.read(range).unwrap().into_owned()
        };
        assert_eq!(stored(&grf, 4), stored(&was, 1));
        assert_eq!(grf.typed_entries()[4].cipher, was.typed_entries()[1].cipher);
        let wrong = Change::Take { from: other, index: 9 };
        assert!(edited(&base, &[wrong], EditMode::Keep).is_err());
    }

    #[test]
    fn refuses_duplicate_and_invalid_names() {
        let old = archive(Version::V200, &files());
        let refused =
            |changes: &[Change]| edited(&old, changes, EditMode::Keep).unwrap_err().message().to_owned();
        let rename = |index, to: &str| Change::Rename(index, to.to_owned());
        assert_eq!(
            refused(&[rename(0, "DATA/mixed.RSM")]),
            "a file with the name \"DATA/mixed.RSM\" already exists"
        );
        assert_eq!(refused(&[rename(0, "x"), put("X", b"")]), "a file with the name \"x\" already exists");
        assert_eq!(refused(&[rename(0, "x"), rename(1, "x")]), "two files would have the name \"x\"");
        assert!(refused(&[rename(0, "../x")]).contains("../x"));
        assert!(refused(&[put("a\u{1f600}", b"")]).contains("cp949"));
        assert_eq!(refused(&[Change::Remove(4)]), "no entry with the index 4");
        // A file may take the name of a removed file, and may change the case of its own name.
        edited(&old, &[rename(0, "data/mixed.rsm"), Change::Remove(2)], EditMode::Keep).unwrap();
        edited(&old, &[rename(0, "data/SMALL.txt")], EditMode::Keep).unwrap();
        let cut = archive(Version::V102, &files());
        let grf = read(&cut[..cut.len() - 3]).0.unwrap();
        let mut out = Cursor::new(Vec::new());
        let error = edit(&grf, &[], EditMode::Keep, &mut out).unwrap_err();
        assert!(error.message().contains("its table is damaged"));
    }
}
