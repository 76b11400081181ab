//! What stands in a `.PCX` file: a header of 128 bytes, rows as run lengths, and the palette at the end. Little-endian.
//!
//! Sources: ZSoft's technical reference; redguard-preservation's reader of the game's `system/SKY_61.PCX` (512 x 512).

use record::{Bytes, Error, Reader, Record, Result, Writer};
use serde::{Deserialize, Serialize};

use crate::palette::Colors;
use crate::raw::Raw;

/// A picture of PC Paintbrush, of 8 bits a pixel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pcx {
    /// Size and packing.
    pub header: Header,
    /// The rows as they are stored.
    pub body: Bytes,
    /// 256 colours at the end of the file, 8 bits a channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub palette: Option<Colors>,
}

/// The first 128 bytes.
#[derive(Record, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// 10.
    pub manufacturer: u8,
    /// 5: with a palette at the end.
    pub version: u8,
    /// 0: as they are; 1: run lengths.
    pub encoding: u8,
    /// Bits of a pixel: 8.
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

impl Record for Pcx {
    type Context = ();
    const MIN_SIZE: usize = 128;

    fn read(reader: &mut Reader<'_>, _context: ()) -> Result<Self> {
        let header = reader.field("header", |reader| Header::read(reader, ()))?;
        let known = [
            (0, "manufacturer", header.manufacturer, 10),
            (3, "bits", header.bits, 8),
            (65, "planes", header.planes, 1),
        ];
        if let Some((at, field, found, known)) = known.into_iter().find(|(_, _, found, known)| found != known)
        {
            let message = format!("{found} is not read, only {known}: a picture of 8 bits in one plane");
            return Err(Error::unsupported(message).at(at).in_field(field).in_field("header"));
        }
        let rest = reader.rest();
        let body = rest.len().checked_sub(PALETTE_SIZE).filter(|at| rest.get(*at) == Some(&PALETTE));
        let length = u32::try_from(body.unwrap_or(rest.len())).unwrap_or(u32::MAX);
        let bytes = reader.field("body", |reader| reader.within(length, |reader| Bytes::read(reader, ())))?;
        let palette = match body {
            None => None,
            Some(_) => Some(reader.field("palette", |reader| {
                reader.field("marker", |reader| u8::read(reader, ()))?;
                reader.field("colors", |reader| Colors::read(reader, ()))
            })?),
        };
        Ok(Self { header, body: bytes, palette })
    }

    fn write(&self, writer: &mut Writer, _context: ()) -> Result<()> {
        self.header.write(writer, ())?;
        writer.put(&self.body);
        if let Some(colors) = &self.palette {
            writer.put(&[PALETTE]);
            colors.write(writer, ())?;
        }
        Ok(())
    }
}
