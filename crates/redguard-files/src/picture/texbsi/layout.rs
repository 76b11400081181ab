//! The layout of a `TEXBSI.###` bank and of a `.BSI` file.
//!
//! A bank is a sequence of named images, terminated by nine zero bytes. An image is a sequence of tagged sections with big-endian
//! lengths, terminated by `END `; numbers within a section are little-endian. A `.BSI` file is one image without a name.
//!
//! Sources: UESP, "Mod:TEXBSI File Format"; redguard-preservation's documentation of the format and its disassembly of RGFX.EXE;
//! third-party counts of a complete game: 415 banks, 5,602 images, 55 of them animated.

use record::{Bytes, Error, Record, Result};
use serde::{Deserialize, Serialize};

use asset::FixedText;
use media::picture::Colors;

/// The maximum number of images in a bank and of sections in an image. The largest banks of the game have a few hundred images.
const MAX_ITEMS: usize = 1 << 16;

/// A texture bank.
#[derive(Record, Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bank {
    /// The images in file order. Models refer to them by the number in their names.
    #[record(until = SENTINEL, limit = MAX_ITEMS, after(sentinel: [u8; 9] = SENTINEL))]
    pub entries: Vec<Entry>,
    /// Bytes after the nine zero bytes; empty in valid files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// An image of a bank: an entry header of 13 bytes, then the image.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name: a letter and two digits for the bank, three digits for the image. `D02031` is image 31 of TEXBSI.302.
    #[record(check = has_name)]
    pub name: ImageName,
    /// The image.
    #[record(begin(subrecord_bytes: u32))]
    pub image: Image,
    /// Bytes after the end of the image, within its length; empty in valid files.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub rest: Bytes,
}

/// The name of an image.
pub type ImageName = FixedText<9>;

/// An image: the content of a `.BSI` file.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Image {
    /// Marker, header, optional palette, and pixels, in this order.
    #[record(until = END, limit = MAX_ITEMS)]
    pub sections: Vec<Section>,
    /// The terminator.
    #[record(by = end, show = end_tag)]
    pub end: End,
}

/// The terminator of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum End {
    /// `END ` and four zero bytes.
    WithLength,
    /// Only `END `, as in some `.BSI` files.
    TagOnly,
}

/// A section of an image.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[record(tag = [u8; 4], length = u32, order = big)]
pub enum Section {
    /// The marker of a static image; empty.
    #[record(tag = *b"BSIF")]
    Static(Bytes),
    /// The marker of an animated image: a 1, then 43 zero bytes. Skies also have it, although they are static.
    #[record(tag = *b"IFHD")]
    Animated(Bytes),
    /// Size and timing.
    #[record(tag = *b"BHDR")]
    Header(Header),
    /// A palette with 6 bits per channel. The game reads it, but never uses it.
    #[record(tag = *b"CMAP")]
    Palette(Colors),
    /// The pixels.
    #[record(tag = *b"DATA")]
    Data(Bytes),
    /// Any other section: tag and content.
    #[record(unknown)]
    Unknown([u8; 4], Bytes),
}

/// Size and timing of an image: 26 bytes.
#[derive(Record, Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[record(order = little)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Horizontal offset in pixels on a larger canvas.
    pub x_offset: i16,
    /// Vertical offset in pixels on a larger canvas.
    pub y_offset: i16,
    /// Width in pixels.
    pub width: i16,
    /// Height in pixels.
    pub height: i16,
    /// 1 if a palette section follows; not read by the game.
    pub has_cmap: u8,
    /// 0, 1 or 9; not read by the game.
    pub export_flags: u8,
    /// Zero.
    pub unknown_0x0a: [u8; 4],
    /// 1 for a static image; otherwise the pixels start with a row table.
    pub frame_count: i16,
    /// The frame duration in milliseconds.
    pub anim_delay: i16,
    /// Zero.
    pub unknown_0x12: [u8; 4],
    /// The scale of a sprite or the sun, in 256ths; 0 means 256. Ignored for models.
    pub tex_scale: u16,
    /// 0 for plain pixels, 4 for a row table.
    pub data_encoding: i16,
}

/// The end tag of an image.
const END: [u8; 4] = *b"END ";

/// The zero bytes that terminate a bank.
const SENTINEL: [u8; 9] = [0; 9];

fn is_empty(bytes: &Bytes) -> bool {
    bytes.is_empty()
}

/// Reading and writing of the terminator.
mod end {
    use record::{Reader, Result, Writer};

    use super::{END, End};

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<End> {
        reader.take(END.len())?;
        let has_length = reader.rest().starts_with(&[0; 4]);
        reader.take(if has_length { 4 } else { 0 })?;
        Ok(if has_length { End::WithLength } else { End::TagOnly })
    }

    pub(super) fn write(end: &End, writer: &mut Writer) -> Result<()> {
        writer.put(&END);
        writer.put(if *end == End::WithLength { &[0; 4] } else { &[] });
        Ok(())
    }
}

fn end_tag(_end: &End) -> &'static str {
    "END"
}

fn has_name(name: &ImageName) -> Result<()> {
    if name.is_zero() {
        return Err(Error::usage("an image needs a name, because an empty name terminates the bank"));
    }
    Ok(())
}

/// The size of a section header in bytes.
const SECTION_HEAD: u64 = 8;

/// The size of an entry header in bytes.
const ENTRY_HEAD: u64 = 13;

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

impl Section {
    /// Returns the size in bytes.
    fn size(&self) -> u64 {
        let body = match self {
            Self::Static(bytes) | Self::Animated(bytes) | Self::Data(bytes) | Self::Unknown(_, bytes) => {
                length(bytes)
            }
            Self::Header(_) => 26,
            Self::Palette(_) => 768,
        };
        SECTION_HEAD.saturating_add(body)
    }
}

impl Image {
    /// Returns the first section of a kind, and the offset of its content in the image.
    fn find<'a, T>(&'a self, pick: impl Fn(&'a Section) -> Option<T>) -> Option<(u64, T)> {
        let mut at = 0_u64;
        for section in &self.sections {
            if let Some(found) = pick(section) {
                return Some((at.saturating_add(SECTION_HEAD), found));
            }
            at = at.saturating_add(section.size());
        }
        None
    }

    /// Returns the index of the first section of a kind; 0 if there is none.
    pub(super) fn section_of(&self, kind: fn(&Section) -> bool) -> usize {
        self.sections.iter().position(kind).unwrap_or_default()
    }

    /// Returns the header and its offset in the image.
    #[must_use]
    pub fn header(&self) -> Option<(u64, &Header)> {
        self.find(|section| match section {
            Section::Header(header) => Some(header),
            _ => None,
        })
    }

    /// Returns the stored palette, with 6 bits per channel.
    #[must_use]
    pub fn palette(&self) -> Option<&Colors> {
        let found = self.find(|section| match section {
            Section::Palette(colors) => Some(colors),
            _ => None,
        });
        found.map(|(_, colors)| colors)
    }

    /// Returns the stored pixels and their offset in the image.
    #[must_use]
    pub fn data(&self) -> Option<(u64, &[u8])> {
        self.find(|section| match section {
            Section::Data(data) => Some(&data[..]),
            _ => None,
        })
    }

    pub(super) fn header_mut(&mut self) -> Option<&mut Header> {
        self.sections.iter_mut().find_map(|section| match section {
            Section::Header(header) => Some(header),
            _ => None,
        })
    }

    pub(super) fn data_mut(&mut self) -> Option<&mut Bytes> {
        self.sections.iter_mut().find_map(|section| match section {
            Section::Data(data) => Some(data),
            _ => None,
        })
    }

    /// Returns the size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        let end = match self.end {
            End::WithLength => 8,
            End::TagOnly => 4,
        };
        self.sections.iter().fold(end, |sum, section| sum.saturating_add(section.size()))
    }

    /// Checks that the image has a header and pixels. `base` is its offset in the file.
    ///
    /// # Errors
    /// Returns an error if a section is missing.
    pub fn check_complete(&self, base: u64) -> Result<()> {
        let missing = |tag: &str| {
            Error::malformed(format!("the {tag} section is missing")).at(base).in_field("sections")
        };
        self.header().ok_or_else(|| missing("BHDR"))?;
        self.data().ok_or_else(|| missing("DATA"))?;
        Ok(())
    }
}

impl Bank {
    /// Returns the entries, each with the offset of its image in the file.
    pub fn located(&self) -> impl Iterator<Item = (u64, &Entry)> {
        let mut at = 0_u64;
        self.entries.iter().map(move |entry| {
            let start = at.saturating_add(ENTRY_HEAD);
            at = start.saturating_add(entry.image.size()).saturating_add(length(&entry.rest));
            (start, entry)
        })
    }
}
