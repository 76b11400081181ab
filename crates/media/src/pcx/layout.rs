//! The layout of a `.PCX` file: a header of 128 bytes, run-length encoded rows, and the palette at the end. Little-endian.
//!
//! Sources: ZSoft's technical reference; the reader of a preservation project for a picture of a game (512 x 512).

use record::{Bytes, Error, Record, Result};
use serde::{Deserialize, Serialize};

use crate::picture::Colors;
use record::Raw;

/// A PC Paintbrush picture with 8 bits per pixel.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pcx {
    /// Size and encoding.
    pub header: Header,
    /// The stored rows.
    #[record(by = body)]
    pub body: Bytes,
    /// 256 colors at the end of the file, 8 bits per channel.
    #[record(by = palette)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub palette: Option<Colors>,
}

/// The first 128 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// 10.
    #[record(check = only::<10>)]
    pub manufacturer: u8,
    /// 5: with a 256-color palette.
    pub version: u8,
    /// 0: uncompressed; 1: run lengths.
    pub encoding: u8,
    /// Bits per pixel and plane: 8.
    #[record(check = only::<8>)]
    pub bits: u8,
    /// Column of the leftmost pixel.
    pub x_min: u16,
    /// Row of the topmost pixel.
    pub y_min: u16,
    /// Column of the rightmost pixel.
    pub x_max: u16,
    /// Row of the bottom pixel.
    pub y_max: u16,
    /// Horizontal and vertical resolution in dots per inch.
    pub dpi: [u16; 2],
    /// The 16-color palette of pictures with fewer bits.
    pub colors_16: Raw<48>,
    /// 0.
    pub unknown_0x40: u8,
    /// Number of color planes: 1.
    #[record(check = only::<1>)]
    pub planes: u8,
    /// Bytes per row: an even number.
    pub bytes_per_line: u16,
    /// 1 for color, 2 for grayscale; ignored.
    pub palette_kind: u16,
    /// Screen size in pixels.
    pub screen: [u16; 2],
    /// Unused.
    pub unknown_0x4a: Raw<54>,
}

impl Header {
    /// Size in bytes.
    pub const SIZE: u64 = 128;

    /// Width and height in pixels; `None` if the right edge is left of the left one, or the bottom edge is above the top one.
    #[must_use]
    pub fn size(&self) -> Option<(u32, u32)> {
        let side =
            |least: u16, most: u16| most.checked_sub(least).map(|side| u32::from(side).saturating_add(1));
        Some((side(self.x_min, self.x_max)?, side(self.y_min, self.y_max)?))
    }
}

/// The marker byte before the palette.
const PALETTE: u8 = 0x0c;

/// Size of the palette in bytes, including its marker.
const PALETTE_SIZE: usize = 769;

/// Offset of the palette marker; `None` if there is no palette.
fn palette_at(rest: &[u8]) -> Option<usize> {
    rest.len().checked_sub(PALETTE_SIZE).filter(|at| rest.get(*at) == Some(&PALETTE))
}

/// The bytes up to the palette.
mod body {
    use record::{Bytes, Reader, Record, Result, Writer};

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Bytes> {
        let rest = reader.rest();
        let length = super::palette_at(rest).unwrap_or(rest.len());
        reader.within(u64::try_from(length).unwrap_or(u64::MAX), |reader| Bytes::read(reader, ()))
    }

    pub(super) fn write(body: &Bytes, writer: &mut Writer) -> Result<()> {
        body.write(writer, ())
    }
}

/// The optional palette, including its marker.
mod palette {
    use record::{Reader, Record, Result, Writer};

    use super::{Colors, palette_at};

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Option<Colors>> {
        match palette_at(reader.rest()) {
            Some(_) => {
                reader.field("marker", |reader| u8::read(reader, ()))?;
                Colors::read(reader, ()).map(Some)
            }
            None => Ok(None),
        }
    }

    pub(super) fn write(colors: &Option<Colors>, writer: &mut Writer) -> Result<()> {
        colors.iter().try_for_each(|colors| {
            writer.put(&[super::PALETTE]);
            colors.write(writer, ())
        })
    }
}

/// Refuses pictures of other programs or pixel formats.
fn only<const KNOWN: u8>(found: &u8) -> Result<()> {
    if *found == KNOWN {
        return Ok(());
    }
    let message = format!("{found} is not supported, only {KNOWN} (a picture of 8 bits in one plane)");
    Err(Error::unsupported(message))
}
