//! GRF: the archives that contain nearly all files of the game.
//!
//! Only the header and the table are read when an archive is opened. A file is read, decrypted and decompressed on request. None of the
//! numbers in an archive is trusted: a file that is outside the archive, or unpacks to more bytes than declared, is refused, and the
//! others remain readable.

mod check;
mod cipher;
mod des;
mod describe;
mod edit;
mod entry;
mod entry_change;
mod flag;
mod install;
mod layout;
mod name;
mod replace;
mod span;
mod stored;
mod table;
#[cfg(test)]
mod tests;
mod unpacked;
mod version;
mod warning;
mod write;

use std::fmt;
use std::io::Write;
use std::sync::Arc;

use asset::archive::{self, Archive, Editing};
use asset::game::Archives;
use asset::{
    Asset, Context, Description, Detail, Entries, Format, NameKind, Named, Names, Probe, Report, Score,
};
use record::{Error, Reader, Record, Result, Source};

pub use cipher::Cipher;
pub use entry::{Entry, Kind};
pub use layout::{Header, NarrowHeader, WideHeader};
pub use table::Table;
pub use version::Version;
pub use warning::CODES;
pub use write::write;

use layout::{MAGIC, OTHER_MAGIC};
use stored::{Stored, inflate, is_possible};
use unpacked::Unpacked;

/// The archive format.
pub static FORMAT: Format = Format::new("ragnarok.grf", "Ragnarok Online archive", open)
    .game("ragnarok")
    .extensions(&["grf", "gpf"])
    .probe(probe)
    .schema(|| layout::SCHEMA)
    .spans(|asset, source, visitor| match asset.typed::<Grf>() {
        Some(grf) => span::trace(grf, source, visitor),
        None => Err(Error::usage("not an archive of the game")),
    })
    .archive(Entries::of::<Grf>(Editing::Files))
    .names(Names::NONE.reported(|asset, _, visit| {
        for (number, entry) in asset.typed::<Grf>().iter().flat_map(|grf| grf.entries.iter().enumerate()) {
            // Files of other kinds are opened and report their own names.
            let text = &*entry.text();
            let kind = NameKind::of_media(text);
            let is_opaque = |kind: &NameKind| matches!(kind, NameKind::Texture | NameKind::Sound);
            if let Some(kind) = kind.filter(is_opaque) {
                visit(Named::new(kind, text, format_args!("entries[{number}].name")));
            }
        }
        Ok(())
    }))
    .codes(CODES);

fn open(source: &Source, report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Grf::read(source, report)?))
}

/// The archives of the game. `DATA.INI` lists them; files in the game folder take precedence.
pub static ARCHIVES: Archives = Archives {
    format: &FORMAT,
    find: install::find,
    write: write::write_sources,
    picture: Some(crate::rsm::texture_as_png),
};

/// Maximum number of entries. For a small archive, it is [lower](max_entries). The largest archives of the game have a few hundred
/// thousand.
pub const MAX_ENTRIES: usize = 1 << 20;

/// Maximum number of entries of an archive with `length` bytes: 32,768, plus one for each 256 bytes. Names compress so well that a table of
/// a million entries may be tiny.
#[must_use]
pub fn max_entries(length: u64) -> usize {
    let by_length = usize::try_from(length / 256).unwrap_or(usize::MAX);
    by_length.saturating_add(1 << 15).min(MAX_ENTRIES)
}

/// Maximum size of an unpacked file in bytes.
pub const MAX_FILE_SIZE: u64 = 1 << 29;

/// Maximum size of a file that is unpacked without being verified first, in bytes.
const MAX_UNVERIFIED_SIZE: u64 = 4 << 20;

/// An open archive. The contents of its files are not loaded.
pub struct Grf {
    header: Header,
    table: Table,
    entries: Vec<Entry>,
    source: Source,
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    let has_magic = file.starts_with(MAGIC) || file.starts_with(OTHER_MAGIC);
    has_magic.then_some(Score::CERTAIN)
}

impl Grf {
    /// Reads the header and the table. Reports a table that is damaged after its first entry, a wrong entry count, and files that cannot be
    /// decrypted.
    ///
    /// # Errors
    /// If the source is not an archive, has an unknown version, or if its table cannot be read.
    pub fn read(source: &Source, report: &mut Report) -> Result<Self> {
        let header = read_header(source)?;
        let (table, entries) = table::read(source, &header, report)?;
        for (index, entry) in (0_usize..).zip(&entries) {
            if entry.kind.content() == archive::Content::Unreadable {
                let message = format!("{} is {}", entry.text(), entry.listed().note);
                report.warn(&warning::SEALED, message).in_field(format!("entries[{index}]"));
            }
        }
        Ok(Self { header, table, entries, source: source.clone() })
    }

    /// The header: the first 46 bytes.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The position of the table.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The version of the archive.
    #[must_use]
    pub fn version(&self) -> Version {
        self.header.version()
    }

    /// All entries, in the order of the table.
    #[must_use]
    pub fn typed_entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Unpacks a file and discards its bytes.
    ///
    /// # Errors
    /// If the entry cannot be unpacked, or is not a file.
    pub fn verify(&self, index: usize) -> Result<()> {
        self.unpack(index, &mut |_| ()).map_err(|error| self.of_entry(&error, index))
    }

    /// Returns the bytes of a file.
    ///
    /// # Errors
    /// If the entry cannot be unpacked, is not a file, or is larger than [`MAX_FILE_SIZE`].
    pub fn bytes(&self, index: usize) -> Result<Vec<u8>> {
        self.read_bytes(index).map_err(|error| self.of_entry(&error, index))
    }

    fn read_bytes(&self, index: usize) -> Result<Vec<u8>> {
        let length = self.checked_length(index)?;
        if length > MAX_UNVERIFIED_SIZE {
            self.unpack(index, &mut |_| ())?;
        }
        let mut bytes = Vec::new();
        let mut reserved = false;
        self.unpack(index, &mut |piece| {
            if !std::mem::replace(&mut reserved, true) {
                bytes.reserve_exact(usize::try_from(length).unwrap_or_default());
            }
            bytes.extend_from_slice(piece);
        })?;
        Ok(bytes)
    }

    fn checked_length(&self, index: usize) -> Result<u64> {
        let length = self.entries.get(index).map_or(0, Entry::length);
        if length <= MAX_FILE_SIZE {
            return Ok(length);
        }
        // A wrong size gets a more specific error.
        self.unpack(index, &mut |_| ())?;
        Err(Error::limit(format!("the file has {length} bytes, which exceeds the limit of {MAX_FILE_SIZE}")))
    }

    /// Opens a file as a source. A file that is too large to be [unpacked at once](archive::unpacked_at_once) is verified, but not kept in
    /// memory.
    fn open_file(&self, index: usize) -> Result<Source> {
        let length = self.checked_length(index)?;
        let limit = archive::unpacked_at_once(self.source.len());
        let packed = self.entries.get(index).filter(|entry| entry.kind == Kind::File && length > limit);
        let Some(entry) = packed else { return Ok(Source::from(self.read_bytes(index)?)) };
        self.unpack(index, &mut |_| ())?;
        let range = entry.range(self.source.len())?;
        let stored = Stored::new(&self.source, range, entry.packed, entry.cipher);
        let file = Unpacked::new(stored, length, limit, entry.text());
        Ok(Source::on_demand(Arc::new(file), length))
    }

    fn unpack(&self, index: usize, sink: &mut dyn FnMut(&[u8])) -> Result<()> {
        let entry = self.entries.get(index).ok_or_else(|| Error::usage("no such entry"))?;
        match entry.kind {
            Kind::File | Kind::Stored => {}
            Kind::Folder => return Err(Error::usage("the entry is a folder")),
            Kind::Removed => return Err(Error::usage("the file was removed by a patch")),
            Kind::GravityCipher | Kind::PasswordCipher => {
                return Err(Error::unsupported(format!("the file is {}", entry.listed().note)));
            }
        }
        if entry.length() == 0 {
            return Ok(());
        }
        let range = entry.range(self.source.len()).map_err(|error| error.at(self.table.offset))?;
        let start = range.start;
        let mut stored = Stored::new(&self.source, range, entry.packed, entry.cipher);
        if entry.kind == Kind::Stored {
            while let Some(piece) = stored.next()? {
                sink(&piece);
            }
            return Ok(());
        }
        if !is_possible(entry.packed.into(), entry.size.into()) {
            let message = format!("{} packed bytes cannot unpack to {} bytes", entry.packed, entry.size);
            return Err(Error::malformed(message).at(start));
        }
        inflate(stored, entry.size.into(), sink)
    }

    /// Adds the name and index of an entry to an error.
    fn of_entry(&self, error: &Error, index: usize) -> Error {
        let name = self.entries.get(index).map(Entry::text).unwrap_or_default();
        let located = Error::new(error.kind(), format!("{name}: {}", error.message()));
        let located = match error.offset() {
            Some(offset) => located.at(offset),
            None => located,
        };
        located.in_item(index).in_field("entries")
    }
}

fn read_header(source: &Source) -> Result<Header> {
    let bytes = source.head(layout::HEADER)?;
    let in_header = |error: Error| error.in_field("header");
    let is_known = bytes.starts_with(MAGIC) || bytes.starts_with(OTHER_MAGIC);
    if !is_known && bytes.len() >= MAGIC.len() {
        let message = "expected the signature \"Master of Magic\"";
        return Err(in_header(Error::malformed(message).at(0).in_field("magic")));
    }
    let header = Header::read(&mut Reader::new(&bytes), ()).map_err(in_header)?;
    if !header.version().is_known() {
        let message = format!("unknown version {} (known: 0x102, 0x103, 0x200, 0x300)", header.version());
        return Err(in_header(Error::unsupported(message).at(42).in_field("version")));
    }
    Ok(header)
}

impl Archive for Grf {
    fn count(&self) -> usize {
        self.entries.len()
    }

    fn entry(&self, index: usize) -> Option<archive::Entry<'_>> {
        self.entries.get(index).map(Entry::listed)
    }

    fn open(&self, index: usize) -> Result<Source> {
        self.open_file(index).map_err(|error| self.of_entry(&error, index))
    }

    fn replace(
        &self,
        _context: &Context<'_>,
        index: usize,
        _name: &str,
        content: &Source,
        out: &mut dyn Write,
        _report: &mut Report,
    ) -> Result<()> {
        replace::replace(self, index, content, out).map_err(|error| self.of_entry(&error, index))
    }

    fn edit(
        &self,
        _context: &Context<'_>,
        changes: &[archive::Change],
        mode: archive::EditMode,
        out: &mut dyn files::sink::Output,
        _report: &mut Report,
    ) -> Result<Vec<archive::EntryChange>> {
        edit::edit(self, changes, mode, out)?;
        Ok(entry_change::entry_changes(self, changes))
    }
}

impl Asset for Grf {
    fn describe(&self, detail: Detail) -> Description {
        describe::describe(self, detail)
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        check::check(self, report);
    }
}

impl fmt::Debug for Grf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grf({}, {} entries)", self.version(), self.entries.len())
    }
}
