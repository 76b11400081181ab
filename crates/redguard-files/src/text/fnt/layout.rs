//! The layout of a `.FNT` file: a header, then chunks with big-endian lengths, and an `END ` tag without a length.
//!
//! Numbers within a chunk are little-endian. Sources: redguard-preservation's documentation of the format and its authors'
//! findings in the game's executables; UESP, "Mod:Font Files".

use crate::picture::pixels;
use record::{Bytes, Declared, Error, Order, Reader, Record, Result, Writer, by_hand};
use serde::{Deserialize, Serialize};

use asset::FixedText;
use media::picture::Colors;

/// A font file.
#[derive(Declared, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Font {
    /// The header.
    #[record(by = chunks)]
    pub header: Header,
    /// The chunks, in file order.
    pub sections: Vec<Section>,
    /// Whether the file ends with `END `.
    pub end: bool,
    /// Bytes after the end tag: four zeros in ARIALVS.FNT, otherwise empty.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// The chunk FNHD, 56 bytes. Its field `character_count` stores the number of glyphs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The name of the authoring tool: `GXlib font conversion`, or empty.
    pub description: FixedText<32>,
    /// 0, 1 or 3. Not read by the game.
    pub unknown_24: u16,
    /// 1 if there is an RDAT chunk. Not read by the game.
    pub has_rdat: u16,
    /// 0.
    pub reserved_28: u16,
    /// 0.
    pub reserved_2a: u16,
    /// 0.
    pub reserved_2c: u16,
    /// The width of the widest glyph. The game replaces it with the width of `W`.
    pub max_width: u16,
    /// The line height in pixels.
    pub line_height: u16,
    /// The code of the first glyph: 32, which the game assumes.
    pub character_start: u16,
    /// 0.
    pub reserved_36: u16,
    /// 0.
    pub reserved_38: u16,
    /// Nonzero if there is a palette; if 0, the game does not read one.
    pub has_palette: u16,
}

/// A chunk after the header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Section {
    /// 256 colors with 6 bits per channel. The first is transparent.
    #[serde(rename = "BPAL")]
    Bpal(Colors),
    /// The same palette under another tag, in ARIALVS.FNT.
    #[serde(rename = "FPAL")]
    Fpal(Colors),
    /// The glyphs.
    #[serde(rename = "FBMP")]
    Fbmp(Fbmp),
    /// Metadata about the source of the font.
    #[serde(rename = "RDAT")]
    Rdat(Rdat),
    /// A chunk that is unknown, a duplicate, or has an unexpected length.
    #[serde(rename = "other")]
    Other {
        /// The tag of the chunk.
        tag: FixedText<4>,
        /// The content of the chunk.
        data: Bytes,
    },
}

/// The chunk FBMP: the glyphs, starting with code 32.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fbmp {
    /// The glyphs.
    pub glyphs: Vec<Glyph>,
    /// Bytes after the last glyph; empty in valid files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// A glyph: a header of 10 bytes, then its pixels.
#[derive(Record, Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Glyph {
    /// Whether the character is drawn. If 0, the character is not drawn and takes no space.
    pub enabled: u16,
    /// Horizontal offset from the pen position in pixels.
    pub offset_left: i16,
    /// Vertical offset from the top of the line in pixels.
    pub offset_top: i16,
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
    /// A palette index per pixel, rows from the top; 0 is transparent.
    #[record(by = pixels(width, height))]
    pub pixels: Bytes,
}

/// The chunk RDAT, 173 bytes: metadata about the source of the font. Not read by the game.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rdat {
    /// The name of the source file.
    pub source_name: FixedText<136>,
    /// Nonzero.
    pub unknown_90: u32,
    /// Nonzero.
    pub unknown_94: u32,
    /// 0.
    pub unknown_98: u32,
    /// 0, but 2 in ARIALBG.FNT.
    pub unknown_9c: u32,
    /// Related to the widest glyph.
    pub unknown_a0: u32,
    /// Related to the line height.
    pub unknown_a4: u32,
    /// 1 to 3.
    pub unknown_a8: u32,
    /// 1 or 2.
    pub unknown_ac: u32,
    /// 0.
    pub unknown_b0: u32,
    /// 0.
    pub unknown_b4: u8,
}

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

/// The tag of the first chunk, which identifies the format.
pub(super) const FIRST: [u8; 4] = *b"FNHD";

const BPAL: [u8; 4] = *b"BPAL";
const FPAL: [u8; 4] = *b"FPAL";
const FBMP: [u8; 4] = *b"FBMP";
pub(super) const RDAT: [u8; 4] = *b"RDAT";
const END: [u8; 4] = *b"END ";

/// The size in bytes of the header without tag and length.
const HEADER_SIZE: u32 = 56;
const PALETTE_SIZE: u32 = 768;
pub(super) const RDAT_SIZE: u32 = 173;

/// The size in bytes of a chunk's tag and length.
const CHUNK_HEAD: usize = 8;

/// The size of a glyph header in bytes.
const GLYPH_HEAD: usize = 10;

/// The offset of the number of glyphs in the file.
const COUNT_AT: u64 = 0x38;

fn chunk_length(reader: &mut Reader<'_>) -> Result<(u32, u64)> {
    let start = reader.offset();
    let length =
        reader.field("length", |reader| reader.with_order(Order::Big, |reader| u32::read(reader, ())))?;
    Ok((length, start))
}

fn expect_length(length: u32, start: u64, size: u32) -> Result<()> {
    if length == size {
        return Ok(());
    }
    let message = format!("length is {length}, but this chunk always has {size} bytes");
    Err(Error::malformed(message).at(start).in_field("length"))
}

fn tag(reader: &mut Reader<'_>) -> Result<[u8; 4]> {
    reader.field("tag", |reader| FixedText::<4>::read(reader, ())).map(|tag| tag.0)
}

/// Writes a chunk; its length is filled in after the content.
fn write_chunk(
    writer: &mut Writer,
    tag: [u8; 4],
    content: impl FnOnce(&mut Writer) -> Result<()>,
) -> Result<()> {
    writer.put(&tag);
    let reserved = writer.reserve(4);
    let start = writer.offset();
    content(writer)?;
    let length = writer.offset().saturating_sub(start);
    let length = u32::try_from(length).map_err(|_| Error::usage("the chunk is larger than 4 GB"))?;
    // Big-endian, unlike the other fields.
    writer.patch(reserved, &length.swap_bytes(), ())
}

/// Implemented by hand: duplicate chunks are kept as bytes, and the number of glyphs is stored in a different chunk than the
/// glyphs.
#[by_hand(Glyph, Rdat)]
impl Record for Font {
    type Context = ();
    const MIN_SIZE: usize = 64;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let (header, count) = reader.field("header", read_header)?;
        let mut sections = Vec::new();
        while reader.remaining() >= CHUNK_HEAD && !reader.rest().starts_with(&END) {
            let index = sections.len();
            let section = reader.field("sections", |reader| {
                reader.item(index, |reader| read_section(reader, count, &sections))
            });
            sections.push(section?);
        }
        if !sections.iter().any(|section| matches!(section, Section::Fbmp(_))) {
            let message = "the FBMP chunk with the glyphs is missing";
            return Err(Error::malformed(message).at(reader.offset()).in_field("sections"));
        }
        let end = reader.rest().starts_with(&END);
        if end {
            reader.field("end", |reader| FixedText::<4>::read(reader, ()))?;
        }
        let rest = reader.field("rest", |reader| Bytes::read(reader, ()))?;
        Ok(Self { header, sections, end, rest })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        let count: u16 = writer.field("sections", |writer| writer.count(self.glyphs().len()))?;
        write_chunk(writer, FIRST, |writer| self.header.write(writer, count))?;
        for (index, section) in self.sections.iter().enumerate() {
            section.write(writer).map_err(|error| error.in_item(index).in_field("sections"))?;
        }
        if self.end {
            writer.put(&END);
        }
        writer.put(&self.rest);
        Ok(())
    }
}

/// Reads the header and the number of glyphs.
fn read_header(reader: &mut Reader<'_>) -> Result<(Header, u16)> {
    let start = reader.offset();
    let found = tag(reader)?;
    if found != FIRST {
        let message = format!("expected the chunk \"FNHD\", found \"{}\"", found.escape_ascii());
        return Err(Error::malformed(message).at(start).in_field("tag"));
    }
    let (length, start) = chunk_length(reader)?;
    expect_length(length, start, HEADER_SIZE)?;
    let description = reader.field("description", |reader| FixedText::read(reader, ()))?;
    let mut word = |name| reader.field(name, |reader| u16::read(reader, ()));
    let header = Header {
        description,
        unknown_24: word("unknown_24")?,
        has_rdat: word("has_rdat")?,
        reserved_28: word("reserved_28")?,
        reserved_2a: word("reserved_2a")?,
        reserved_2c: word("reserved_2c")?,
        max_width: word("max_width")?,
        line_height: word("line_height")?,
        character_start: word("character_start")?,
        ..Header::default()
    };
    let count = word("character_count")?;
    let header = Header {
        reserved_36: word("reserved_36")?,
        reserved_38: word("reserved_38")?,
        has_palette: word("has_palette")?,
        ..header
    };
    Ok((header, count))
}

impl Header {
    fn write(&self, writer: &mut Writer, count: u16) -> Result<()> {
        self.description.write(writer, ())?;
        let words = [
            self.unknown_24,
            self.has_rdat,
            self.reserved_28,
            self.reserved_2a,
            self.reserved_2c,
            self.max_width,
            self.line_height,
            self.character_start,
            count,
            self.reserved_36,
            self.reserved_38,
            self.has_palette,
        ];
        words.write(writer, ())
    }
}

/// Reads a chunk. Duplicate chunks, and metadata of unexpected length, are kept as bytes.
fn read_section(reader: &mut Reader<'_>, count: u16, before: &[Section]) -> Result<Section> {
    let tag = tag(reader)?;
    let (length, start) = chunk_length(reader)?;
    if usize::try_from(length).map_or(true, |length| length > reader.remaining()) {
        let message = format!("length is {length}, but only {} bytes are left", reader.remaining());
        return Err(Error::malformed(message).at(start).in_field("length"));
    }
    let is_new = |kind: fn(&Section) -> bool| !before.iter().any(kind);
    match tag {
        BPAL | FPAL if is_new(|section| matches!(section, Section::Bpal(_) | Section::Fpal(_))) => {
            expect_length(length, start, PALETTE_SIZE)?;
            let colors = Colors::read(reader, ())?;
            Ok(if tag == BPAL { Section::Bpal(colors) } else { Section::Fpal(colors) })
        }
        FBMP if is_new(|section| matches!(section, Section::Fbmp(_))) => {
            reader.within(length, |reader| read_glyphs(reader, count)).map(Section::Fbmp)
        }
        RDAT if length == RDAT_SIZE && is_new(|section| matches!(section, Section::Rdat(_))) => {
            reader.section(length, |reader| Rdat::read(reader, ())).map(Section::Rdat)
        }
        _ => {
            let data =
                reader.field("data", |reader| reader.within(length, |reader| Bytes::read(reader, ())))?;
            Ok(Section::Other { tag: FixedText(tag), data })
        }
    }
}

fn read_glyphs(reader: &mut Reader<'_>, count: u16) -> Result<Fbmp> {
    let glyphs = reader.field("glyphs", |reader| {
        let count = reader.check_count(count, GLYPH_HEAD, COUNT_AT)?;
        Glyph::read_list(reader, count, ())
    })?;
    let rest = reader.field("rest", |reader| Bytes::read(reader, ()))?;
    Ok(Fbmp { glyphs, rest })
}

impl Section {
    fn write(&self, writer: &mut Writer) -> Result<()> {
        match self {
            Self::Bpal(colors) => write_chunk(writer, BPAL, |writer| colors.write(writer, ())),
            Self::Fpal(colors) => write_chunk(writer, FPAL, |writer| colors.write(writer, ())),
            Self::Fbmp(fbmp) => write_chunk(writer, FBMP, |writer| {
                writer.field("glyphs", |writer| Glyph::write_list(&fbmp.glyphs, writer, ()))?;
                writer.put(&fbmp.rest);
                Ok(())
            }),
            Self::Rdat(rdat) => write_chunk(writer, RDAT, |writer| rdat.write(writer, ())),
            Self::Other { tag, data } => write_chunk(writer, tag.0, |writer| {
                writer.put(data);
                Ok(())
            }),
        }
    }
}
