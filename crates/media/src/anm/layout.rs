//! The layout of an `.ANM` file: a header of 128 bytes, color cycles, a palette, a page table, and the pages, each of 65,536
//! bytes except the last. Little-endian.
//!
//! Sources: Electronic Arts' description of the files of Deluxe Paint Animation; the reader of a preservation project for the
//! menu of a game (25 frames, 10 per second).

use record::{Bytes, Declared, Error, Reader, Record, Result, Writer, by_hand};
use serde::{Deserialize, Serialize};

use crate::picture::Colors;
use asset::FixedText;
use record::Raw;

/// The size of every page except the last, in bytes.
pub const PAGE: usize = 1 << 16;

/// The number of entries in the page table.
pub const MOST_PAGES: usize = 256;

/// The usual offset of the page table: right after the palette.
pub const HEAD: u16 = 0x500;

/// The bytes before the record sizes of a page.
const PAGE_HEAD: usize = 8;

/// A Deluxe Paint animation.
#[derive(Declared, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anm {
    /// Size, number of frames, frame rate.
    pub header: Header,
    /// Color cycles.
    pub cycles: [Cycle; 16],
    /// 256 colors, 8 bits per channel, stored blue first.
    #[record(by = palette_and_pages)]
    pub palette: Colors,
    /// The fourth byte of each color; omitted if all are zero.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub palette_rest: Bytes,
    /// Bytes between palette and page table; usually none.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub gap: Bytes,
    /// The page table up to the last entry that is not zero.
    pub table: Vec<Descriptor>,
    /// The pages.
    pub pages: Vec<Page>,
    /// Bytes after the last used page.
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
    /// Number of used pages.
    pub pages: u16,
    /// Number of records, including the one that restores the first frame.
    pub records: u32,
    /// Maximum number of records of a page: 256.
    pub most_records: u16,
    /// Offset of the page table: 0x500.
    pub table_at: u16,
    /// `ANIM`.
    pub content: FixedText<4>,
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
    /// 0.
    pub variant: u8,
    /// 0 or 1; later versions count frames differently.
    pub version: u8,
    /// Not 0: the last record changes the last frame back to the first.
    pub has_loop: u8,
    /// Not 0: that record matches the current frames.
    pub loop_is_valid: u8,
    /// 0: 8-bit palette indices.
    pub pixel_type: u8,
    /// 1: runs, skips and copies.
    pub compression: u8,
    /// 0.
    pub other_records: u8,
    /// 1: 320 x 200 pixels; other sizes use it too.
    pub bitmap_type: u8,
    /// Unused.
    pub record_types: Raw<32>,
    /// Number of frames, including the record that restores the first.
    pub frames: u32,
    /// Frame rate.
    pub frames_per_second: u16,
    /// Unused.
    pub unknown_0x46: Raw<58>,
}

/// A color cycle: a range of the palette that is rotated by one entry per step.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cycle {
    /// Step counter that Deluxe Paint uses while cycling.
    pub count: u16,
    /// Speed: 16384 is 60 steps per second in Deluxe Paint.
    pub rate: u16,
    /// Bit 0: active; bit 1: reversed.
    pub flags: u16,
    /// First palette index.
    pub low: u8,
    /// Last palette index.
    pub high: u8,
}

/// The descriptor of a page; stored both in the page table and at the start of the page.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Descriptor {
    /// Number of its first record. Pages may be stored in any order; the order of the records follows from these numbers.
    pub first_record: u16,
    /// Number of records, and two flag bits: see [`CONTINUED`] and [`CONTINUES`].
    pub records: u16,
    /// Size of the records in bytes, without the list of their sizes.
    pub bytes: u16,
}

/// In [`Descriptor::records`]: the page starts with the end of the previous page's last record.
pub const CONTINUED: u16 = 0x8000;

/// In [`Descriptor::records`]: the last record continues in the next page.
pub const CONTINUES: u16 = 0x4000;

impl Descriptor {
    /// Number of records of the page.
    #[must_use]
    pub fn count(self) -> u16 {
        self.records & !(CONTINUED | CONTINUES)
    }
}

/// A page of records, each the difference of a frame from the previous one.
#[derive(Declared, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// The same descriptor as in the table.
    pub descriptor: Descriptor,
    /// The end of the previous page's last record; empty in known files.
    #[serde(default, skip_serializing_if = "is_empty")]
    #[record(by = continued_and_records)]
    pub continued: Bytes,
    /// The records.
    pub records: Vec<Bytes>,
    /// Bytes after the records in the page.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

impl Page {
    /// Size in the file in bytes, without the bytes after its records.
    #[must_use]
    pub fn used(&self) -> usize {
        let records = self.records.iter().map(|record| record.len().saturating_add(2));
        records.fold(PAGE_HEAD.saturating_add(self.continued.len()), usize::saturating_add)
    }

    /// Offset of a record's bytes from the start of the page.
    #[must_use]
    pub fn start_of(&self, record: usize) -> usize {
        let before = self.records.iter().take(record).map(|record| record.len());
        let sizes = self.records.len().saturating_mul(2);
        before
            .fold(PAGE_HEAD.saturating_add(sizes).saturating_add(self.continued.len()), usize::saturating_add)
    }
}

/// Implemented by hand: the sizes of all records precede the first one.
#[by_hand]
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
                "descriptor.records is {}, but the page has {} records",
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
    /// Offset of the first page.
    #[must_use]
    pub fn pages_at(&self) -> u64 {
        u64::from(self.header.table_at).saturating_add(1536)
    }

    /// Offset of a page.
    #[must_use]
    pub fn page_at(&self, page: usize) -> u64 {
        let pages = u64::try_from(page).unwrap_or(u64::MAX).saturating_mul(1 << 16);
        self.pages_at().saturating_add(pages)
    }
}

/// Implemented by hand: pages are padded to a fixed size, the table to a fixed number of entries, and the palette is
/// stored blue first.
#[by_hand(Descriptor, Page)]
impl Record for Anm {
    type Context = ();
    const MIN_SIZE: usize = 2816;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let header = reader.field("header", |reader| Header::read(reader, ()))?;
        let at = |offset: u64, field: &'static str, message: String| {
            Err(Error::malformed(message).at(offset).in_field(field).in_field("header"))
        };
        if header.content.bytes() != b"ANIM" {
            return at(16, "content", format!("expected \"ANIM\", found \"{}\"", header.content));
        }
        let Some(gap) = header.table_at.checked_sub(HEAD) else {
            return at(
                14,
                "table_at",
                format!("the page table at {:#x} overlaps the palette", header.table_at),
            );
        };
        if usize::from(header.pages) > MOST_PAGES {
            return at(6, "pages", format!("pages is {} (limit: {MOST_PAGES})", header.pages));
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
                format!("header.pages is {}, but there are {} pages", self.header.pages, self.pages.len());
            return usage(message, "pages");
        }
        if self.table.len() > MOST_PAGES {
            return usage(
                format!("the table has {} entries (limit: {MOST_PAGES})", self.table.len()),
                "table",
            );
        }
        if usize::from(HEAD).saturating_add(self.gap.len()) != usize::from(self.header.table_at) {
            return usage(format!("header.table_at does not match a gap of {} bytes", self.gap.len()), "gap");
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
            let full = u64::try_from(PAGE).unwrap_or(u64::MAX);
            if size > full || (size < full && !is_last) {
                let message = format!(
                    "the page has {size} bytes; every page but the last must have {PAGE}, and the last at most that"
                );
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
        return Err(Error::usage(format!("palette_rest has {} bytes instead of 256", rest.len()))
            .in_field("palette_rest"));
    }
    for (index, [red, green, blue]) in colors.0.iter().enumerate() {
        writer.put(&[*blue, *green, *red, rest.get(index).copied().unwrap_or_default()]);
    }
    Ok(())
}
