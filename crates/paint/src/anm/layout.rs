//! What stands in an `.ANM` file: a header of 128 bytes, colour cycles, a palette, a table of pages, and the pages, each of 65,536 bytes but the
//! last. Little-endian.
//!
//! Sources: Electronic Arts' description of the files of Deluxe Paint Animation; redguard-preservation's reader of the game's `system/gui.anm` (25
//! frames, 10 a second).

use record::{Bytes, Error, Reader, Record, Result, Writer};
use serde::{Deserialize, Serialize};

use asset::FixedText;
use asset::picture::Colors;
use record::Raw;

/// How many bytes a page takes, but the last one.
pub const PAGE: usize = 1 << 16;

/// How many entries the table of pages has.
pub const MOST_PAGES: usize = 256;

/// How many bytes stand in front of the table of pages where nothing stands between.
pub const HEAD: u16 = 0x500;

/// Bytes in front of the sizes of a page's records.
const PAGE_HEAD: usize = 8;

/// A moving picture of Deluxe Paint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anm {
    /// Size, number of frames, speed.
    pub header: Header,
    /// Parts of the palette that turn.
    pub cycles: [Cycle; 16],
    /// 256 colours, 8 bits a channel, stored blue first.
    pub palette: Colors,
    /// The byte behind each colour: zero, and left out then.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub palette_rest: Bytes,
    /// What stands in front of the table of pages: nothing in usual files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub gap: Bytes,
    /// What the table says of each page, up to the last entry that is not zero.
    pub table: Vec<Descriptor>,
    /// The pages.
    pub pages: Vec<Page>,
    /// What stands behind the last page that is used.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// The first 128 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(magic = b"LPF ")]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// 256.
    pub most_pages: u16,
    /// Pages that are used.
    pub pages: u16,
    /// Records in them, with the one that leads back to the first frame.
    pub records: u32,
    /// The most records of a page: 256.
    pub most_records: u16,
    /// Where the table of pages stands: 0x500.
    pub table_at: u16,
    /// `ANIM`.
    pub content: FixedText<4>,
    /// Pixels across.
    pub width: u16,
    /// Pixels down.
    pub height: u16,
    /// 0.
    pub variant: u8,
    /// 0 or 1: later ones count frames otherwise.
    pub version: u8,
    /// Not 0: the last record turns the last frame into the first.
    pub has_loop: u8,
    /// Not 0: that record fits the frames as they are.
    pub loop_is_valid: u8,
    /// 0: an index of 8 bits.
    pub pixel_type: u8,
    /// 1: runs, skips and copies.
    pub compression: u8,
    /// 0.
    pub other_records: u8,
    /// 1: 320 x 200 pixels; other sizes have it too.
    pub bitmap_type: u8,
    /// Nothing.
    pub record_types: Raw<32>,
    /// Frames, with the record that leads back to the first.
    pub frames: u32,
    /// How many frames are shown in a second.
    pub frames_per_second: u16,
    /// Nothing.
    pub unknown_0x46: Raw<58>,
}

/// A part of the palette that turns: its colours move on by one place.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cycle {
    /// What Deluxe Paint counts in while it turns them.
    pub count: u16,
    /// How fast: 16384 are 60 steps a second in Deluxe Paint.
    pub rate: u16,
    /// Bit 0: it turns; bit 1: the other way round.
    pub flags: u16,
    /// The first colour.
    pub low: u8,
    /// The last colour.
    pub high: u8,
}

/// What is said of a page, in the table and in front of the page: the same twice.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Descriptor {
    /// The number of its first record. Pages stand in any order; this number counts.
    pub first_record: u16,
    /// How many records it has, and two bits: see [`CONTINUED`] and [`CONTINUES`].
    pub records: u16,
    /// How many bytes they take, without their sizes.
    pub bytes: u16,
}

/// In [`Descriptor::records`]: the page starts with the end of the record before.
pub const CONTINUED: u16 = 0x8000;

/// In [`Descriptor::records`]: the last record goes on in the next page.
pub const CONTINUES: u16 = 0x4000;

impl Descriptor {
    /// How many records the page has.
    #[must_use]
    pub fn count(self) -> u16 {
        self.records & !(CONTINUED | CONTINUES)
    }
}

/// A page: records, each the difference of a frame from the one before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// As in the table.
    pub descriptor: Descriptor,
    /// The end of the last record of the page before: nothing in known files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub continued: Bytes,
    /// The records.
    pub records: Vec<Bytes>,
    /// What stands behind them in the page.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

impl Page {
    /// How many bytes it takes in the file without what stands behind its records.
    #[must_use]
    pub fn used(&self) -> usize {
        let records = self.records.iter().map(|record| record.len().saturating_add(2));
        records.fold(PAGE_HEAD.saturating_add(self.continued.len()), usize::saturating_add)
    }

    /// Where a record's bytes start, counted from the start of the page.
    #[must_use]
    pub fn start_of(&self, record: usize) -> usize {
        let before = self.records.iter().take(record).map(|record| record.len());
        let sizes = self.records.len().saturating_mul(2);
        before
            .fold(PAGE_HEAD.saturating_add(sizes).saturating_add(self.continued.len()), usize::saturating_add)
    }
}

/// By hand: the sizes of all records stand in front of the first.
impl Record for Page {
    type Context = ();
    const MIN_SIZE: usize = PAGE_HEAD;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let descriptor = reader.field("descriptor", |reader| Descriptor::read(reader, ()))?;
        let continued_at = reader.offset();
        let continued = reader.field("continued_bytes", |reader| u16::read(reader, ()))?;
        let sizes: Vec<u16> =
            reader.field("record_sizes", |reader| reader.list::<u16, u16>(descriptor.count(), ()))?;
        let continued = reader.field("continued", |reader| {
            let count = reader.check_count(continued, 1, continued_at)?;
            u8::read_list(reader, count, ()).map(Bytes)
        })?;
        let records = reader.field("records", |reader| {
            let mut sizes = sizes.iter();
            reader.items(sizes.len(), |reader| {
                let (start, size) = (reader.offset(), sizes.next().copied().unwrap_or_default());
                let bytes = Bytes::from(reader.take(size.into())?);
                reader.leaf(start, &bytes);
                Ok(bytes)
            })
        })?;
        let rest = reader.field("rest", |reader| Bytes::read(reader, ()))?;
        Ok(Self { descriptor, continued, records, rest })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        if usize::from(self.descriptor.count()) != self.records.len() {
            let message = format!(
                "the descriptor says {} records, the page has {}",
                self.descriptor.count(),
                self.records.len()
            );
            return Err(Error::usage(message).in_field("descriptor"));
        }
        self.descriptor.write(writer, ())?;
        writer.count::<u16>(self.continued.len())?.write(writer, ())?;
        for (index, record) in self.records.iter().enumerate() {
            let size: u16 =
                writer.count(record.len()).map_err(|error| error.in_item(index).in_field("records"))?;
            size.write(writer, ())?;
        }
        writer.put(&self.continued);
        self.records.iter().for_each(|record| writer.put(record));
        writer.put(&self.rest);
        Ok(())
    }
}

impl Anm {
    /// Where the first page starts.
    #[must_use]
    pub fn pages_at(&self) -> u64 {
        u64::from(self.header.table_at).saturating_add(1536)
    }

    /// Where a page starts.
    #[must_use]
    pub fn page_at(&self, page: usize) -> u64 {
        let pages = u64::try_from(page).unwrap_or(u64::MAX).saturating_mul(1 << 16);
        self.pages_at().saturating_add(pages)
    }
}

/// By hand: pages are padded to a fixed size, the table to a fixed number of entries, and the palette stands the other way round.
impl Record for Anm {
    type Context = ();
    const MIN_SIZE: usize = 2816;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let header = reader.field("header", |reader| Header::read(reader, ()))?;
        let at = |offset: u64, field: &'static str, message: String| {
            Err(Error::malformed(message).at(offset).in_field(field).in_field("header"))
        };
        if header.content.bytes() != b"ANIM" {
            return at(16, "content", format!("\"{}\" stands where \"ANIM\" must", header.content));
        }
        let Some(gap) = header.table_at.checked_sub(HEAD) else {
            return at(
                14,
                "table_at",
                format!("the table of pages at {:#x} lies in the palette", header.table_at),
            );
        };
        if usize::from(header.pages) > MOST_PAGES {
            return at(6, "pages", format!("{} pages, where {MOST_PAGES} are the most", header.pages));
        }
        let cycles = reader.field("cycles", |reader| <[Cycle; 16]>::read(reader, ()))?;
        let (palette, palette_rest) = reader.field("palette", read_palette)?;
        let gap = reader.field("gap", |reader| reader.list::<u16, u8>(gap, ()).map(Bytes))?;
        let mut table = reader.field("table", |reader| reader.list::<u16, Descriptor>(256, ()))?;
        let used = table.iter().rposition(|entry| *entry != Descriptor::default());
        table.truncate(used.map_or(0, |last| last.saturating_add(1)));
        let pages = reader.field("pages", |reader| {
            reader.items(header.pages.into(), |reader| {
                let size = u32::try_from(reader.remaining().min(PAGE)).unwrap_or(u32::MAX);
                reader.within(size, |reader| Page::read(reader, ()))
            })
        })?;
        let rest = reader.field("rest", |reader| Bytes::read(reader, ()))?;
        Ok(Self { header, cycles, palette, palette_rest, gap, table, pages, rest })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        let usage = |message: String, field: &'static str| Err(Error::usage(message).in_field(field));
        if usize::from(self.header.pages) != self.pages.len() {
            let message =
                format!("header.pages is {}, but there are {}", self.header.pages, self.pages.len());
            return usage(message, "pages");
        }
        if self.table.len() > MOST_PAGES {
            return usage(format!("{} entries, where {MOST_PAGES} are the most", self.table.len()), "table");
        }
        if usize::from(HEAD).saturating_add(self.gap.len()) != usize::from(self.header.table_at) {
            return usage(format!("{} bytes do not lead to header.table_at", self.gap.len()), "gap");
        }
        self.header.write(writer, ())?;
        self.cycles.write(writer, ())?;
        write_palette(&self.palette, &self.palette_rest, writer)?;
        writer.put(&self.gap);
        Descriptor::write_list(&self.table, writer, ())?;
        for _ in self.table.len()..MOST_PAGES {
            Descriptor::default().write(writer, ())?;
        }
        for (index, page) in self.pages.iter().enumerate() {
            let start = writer.offset();
            page.write(writer, ()).map_err(|error| error.in_item(index).in_field("pages"))?;
            let size = writer.offset().saturating_sub(start);
            let is_last = index.saturating_add(1) == self.pages.len() && self.rest.is_empty();
            let whole = u64::try_from(PAGE).unwrap_or(u64::MAX);
            if size > whole || (size < whole && !is_last) {
                let message =
                    format!("the page has {size} bytes; all but the last have {PAGE}, which has no more");
                return Err(Error::usage(message).in_item(index).in_field("pages"));
            }
        }
        writer.put(&self.rest);
        Ok(())
    }
}

fn read_palette(reader: &mut Reader<'_>) -> Result<(Colors, Bytes)> {
    let stored = <[[u8; 4]; 256]>::read(reader, ())?;
    let mut colors = Colors::default();
    for (color, [blue, green, red, _]) in colors.0.iter_mut().zip(stored) {
        *color = [red, green, blue];
    }
    let rest: Vec<u8> = stored.iter().map(|[.., rest]| *rest).collect();
    let is_zero = rest.iter().all(|byte| *byte == 0);
    Ok((colors, if is_zero { Bytes::default() } else { Bytes(rest) }))
}

fn write_palette(colors: &Colors, rest: &Bytes, writer: &mut Writer) -> Result<()> {
    if !matches!(rest.len(), 0 | 256) {
        return Err(Error::usage(format!("{} bytes where 256 stand", rest.len())).in_field("palette_rest"));
    }
    for (index, [red, green, blue]) in colors.0.iter().enumerate() {
        writer.put(&[*blue, *green, *red, rest.get(index).copied().unwrap_or_default()]);
    }
    Ok(())
}
