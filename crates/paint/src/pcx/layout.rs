//! What stands in a `.PCX` file: a header of 128 bytes, rows as run lengths, and the palette at the end. Little-endian.
//!
//! Sources: ZSoft's technical reference; redguard-preservation's reader of the game's `system/SKY_61.PCX` (512 x 512).

use record::{Bytes, Error, Record, Result};
use serde::{Deserialize, Serialize};

use asset::picture::Colors;
use record::Raw;

/// A picture of PC Paintbrush, of 8 bits a pixel.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pcx {
    /// Size and packing.
    pub header: Header,
    /// The rows as they are stored.
    #[record(by = body)]
    pub body: Bytes,
    /// 256 colours at the end of the file, 8 bits a channel.
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
    /// 5: with a palette at the end.
    pub version: u8,
    /// 0: as they are; 1: run lengths.
    pub encoding: u8,
    /// Bits of a pixel: 8.
    #[record(check = only::<8>)]
    pub bits: u8,
    /// The column of the leftmost pixel.
    pub x_min: u16,
    /// The row of the uppermost pixel.
    pub y_min: u16,
    /// The column of the rightmost pixel.
    pub x_max: u16,
    /// The row of the lowest pixel.
    pub y_max: u16,
    /// Dots an inch, across and down.
    pub dpi: [u16; 2],
    /// Sixteen colours for fewer bits.
    pub colors_16: Raw<48>,
    /// 0.
    pub unknown_0x40: u8,
    /// Planes of a row: 1.
    #[record(check = only::<1>)]
    pub planes: u8,
    /// Bytes of a row: an even number.
    pub bytes_per_line: u16,
    /// 1 for colours, 2 for greys; without meaning here.
    pub palette_kind: u16,
    /// Pixels of the screen.
    pub screen: [u16; 2],
    /// Nothing.
    pub unknown_0x4a: Raw<54>,
}

impl Header {
    /// How many bytes it takes.
    pub const SIZE: u64 = 128;

    /// Pixels across and down; `None` when the right edge lies left of the left one, or the lower above the upper.
    #[must_use]
    pub fn size(&self) -> Option<(u32, u32)> {
        let side =
            |least: u16, most: u16| most.checked_sub(least).map(|side| u32::from(side).saturating_add(1));
        Some((side(self.x_min, self.x_max)?, side(self.y_min, self.y_max)?))
    }
}

/// What stands in front of the palette.
const PALETTE: u8 = 0x0c;

/// How many bytes the palette takes with that.
const PALETTE_SIZE: usize = 769;

/// How many bytes stand in front of the palette; nothing where there is none.
fn palette_at(rest: &[u8]) -> Option<usize> {
    rest.len().checked_sub(PALETTE_SIZE).filter(|at| rest.get(*at) == Some(&PALETTE))
}

/// Everything up to the palette.
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

/// The palette with what stands in front of it, where there is one.
mod palette {
    use record::{Reader, Record, Result, Writer};

    use super::{Colors, palette_at};

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Option<Colors>> {
        match palette_at(reader.rest()) {
            Some(_) => {
                reader.field("marker", |reader| u8::read(reader, ()))?;
                reader.field("colors", |reader| Colors::read(reader, ())).map(Some)
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

/// Refuses any other number: of another maker, of other pixels.
fn only<const KNOWN: u8>(found: &u8) -> Result<()> {
    if *found == KNOWN {
        return Ok(());
    }
    let message = format!("{found} is not read, only {KNOWN}: a picture of 8 bits in one plane");
    Err(Error::unsupported(message))
}
