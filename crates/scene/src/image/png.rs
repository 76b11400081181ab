//! PNG: validation of chunks, and removal of those that only affect how viewers show the image (W3C PNG, third
//! edition).

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use super::encoded::PNG_SIGNATURE;
use super::{Alpha, Format};
use crate::Error;

/// Maximum compression ratio of deflate.
const MAX_DEFLATE_RATIO: u64 = 1032;

/// The IHDR chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header {
    pub(super) width: u32,
    pub(super) height: u32,
    bit_depth: u8,
    color_type: ColorType,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColorType {
    Gray,
    Rgb,
    Palette,
    GrayAlpha,
    RgbAlpha,
}

impl Header {
    /// Returns the number of bytes of all decompressed rows, each with its filter byte; interlaced images need
    /// slightly more.
    fn raw_length(self) -> u64 {
        let channels = match self.color_type {
            ColorType::Gray | ColorType::Palette => 1,
            ColorType::GrayAlpha => 2,
            ColorType::Rgb => 3,
            ColorType::RgbAlpha => 4,
        };
        let bits = u64::from(self.width).saturating_mul(channels).saturating_mul(u64::from(self.bit_depth));
        bits.div_ceil(8).saturating_add(1).saturating_mul(u64::from(self.height))
    }
}

/// A chunk of a file whose checksum was verified.
struct Chunk<'a> {
    offset: usize,
    kind: [u8; 4],
    data: &'a [u8],
    /// Length, type, data and checksum.
    bytes: &'a [u8],
}

/// Reads the header, which is always the first chunk.
pub(super) fn read_header(bytes: &[u8]) -> Result<Header, Error> {
    let first = next_chunk(bytes, PNG_SIGNATURE.len())?;
    if first.kind != *b"IHDR" {
        return Err(Format::Png.bad(first.offset, "the first chunk is not IHDR"));
    }
    parse_header(&first)
}

fn parse_header(chunk: &Chunk<'_>) -> Result<Header, Error> {
    let bad = |problem: String| Format::Png.bad(chunk.offset, problem);
    let &[w0, w1, w2, w3, h0, h1, h2, h3, bit_depth, color_type, compression, filter, interlace] = chunk.data
    else {
        return Err(bad(format!("IHDR is {} bytes long instead of 13", chunk.data.len())));
    };
    let (width, height) = (u32::from_be_bytes([w0, w1, w2, w3]), u32::from_be_bytes([h0, h1, h2, h3]));
    if width == 0 || height == 0 || width > 0x7fff_ffff || height > 0x7fff_ffff {
        return Err(bad(format!("{width} x {height} is not a valid size")));
    }
    let color_type = match (color_type, bit_depth) {
        (0, 1 | 2 | 4 | 8 | 16) => ColorType::Gray,
        (2, 8 | 16) => ColorType::Rgb,
        (3, 1 | 2 | 4 | 8) => ColorType::Palette,
        (4, 8 | 16) => ColorType::GrayAlpha,
        (6, 8 | 16) => ColorType::RgbAlpha,
        _ => return Err(bad(format!("invalid color type {color_type} with {bit_depth} bits"))),
    };
    if compression != 0 || filter != 0 || interlace > 1 {
        return Err(bad(format!(
            "unknown compression {compression}, filter {filter} or interlace {interlace} method"
        )));
    }
    Ok(Header { width, height, bit_depth, color_type })
}

/// A PNG whose chunks are valid, without its metadata.
pub(super) struct Stripped {
    pub(super) header: Header,
    pub(super) bytes: Vec<u8>,
    pub(super) alpha: Alpha,
}

/// Checks every chunk and keeps IHDR, PLTE, tRNS, IDAT and IEND. Data after IEND is removed.
pub(super) fn strip(bytes: &[u8]) -> Result<Stripped, Error> {
    let header = read_header(bytes)?;
    let mut kept = Vec::with_capacity(bytes.len());
    kept.extend_from_slice(&PNG_SIGNATURE);
    let mut order = Order { header, palette: None, transparency: false, data: Data::Before, packed: 0 };
    let mut offset = PNG_SIGNATURE.len();
    loop {
        let chunk = next_chunk(bytes, offset)?;
        offset = offset.saturating_add(chunk.bytes.len());
        if order.accept(&chunk)? == Keep::Yes {
            kept.extend_from_slice(chunk.bytes);
        }
        if chunk.kind == *b"IEND" {
            break;
        }
    }
    let alpha = match header.color_type {
        ColorType::GrayAlpha | ColorType::RgbAlpha => Alpha::Possible,
        _ if order.transparency => Alpha::Possible,
        _ => Alpha::Opaque,
    };
    kept.shrink_to_fit();
    Ok(Stripped { header, bytes: kept, alpha })
}

fn next_chunk(bytes: &[u8], offset: usize) -> Result<Chunk<'_>, Error> {
    let cut = || Format::Png.bad(offset, "the file ends before its IEND chunk");
    let rest = bytes.get(offset..).ok_or_else(cut)?;
    let (length, body) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
    let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| cut())?;
    let (kind, body) = body.split_first_chunk::<4>().ok_or_else(cut)?;
    if !kind.iter().all(u8::is_ascii_alphabetic) {
        return Err(Format::Png.bad(offset, "invalid chunk name"));
    }
    let (data, body) = body.split_at_checked(length).ok_or_else(|| {
        Format::Png.bad(
            offset,
            format!("chunk {} of {length} bytes runs past the end of the file", kind.escape_ascii()),
        )
    })?;
    let (checksum, _) = body.split_first_chunk::<4>().ok_or_else(cut)?;
    if u32::from_be_bytes(*checksum) != checksum_of(kind, data) {
        return Err(
            Format::Png.bad(offset, format!("the checksum of chunk {} is wrong", kind.escape_ascii()))
        );
    }
    let bytes = length.checked_add(12).and_then(|length| rest.get(..length)).ok_or_else(cut)?;
    Ok(Chunk { offset, kind: *kind, data, bytes })
}

/// Returns the CRC-32 of a chunk's type and data.
fn checksum_of(kind: &[u8; 4], data: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(kind);
    crc.update(data);
    crc.finalize()
}

#[derive(PartialEq, Eq)]
enum Keep {
    Yes,
    No,
}

/// The state for checking the order of chunks.
struct Order {
    header: Header,
    /// Number of colors.
    palette: Option<usize>,
    transparency: bool,
    data: Data,
    /// Total length of all IDAT chunks in bytes.
    packed: u64,
}

#[derive(PartialEq, Eq)]
enum Data {
    Before,
    Within,
    After,
}

impl Order {
    fn accept(&mut self, chunk: &Chunk<'_>) -> Result<Keep, Error> {
        let bad = |problem: &str| Err(Format::Png.bad(chunk.offset, problem));
        if chunk.kind != *b"IDAT" && self.data == Data::Within {
            self.data = Data::After;
        }
        match &chunk.kind {
            b"IHDR" if chunk.offset == PNG_SIGNATURE.len() => Ok(Keep::Yes),
            b"IHDR" => bad("a second IHDR chunk"),
            b"PLTE" => self.accept_palette(chunk),
            b"tRNS" => self.accept_transparency(chunk),
            b"IDAT" => match self.data {
                Data::After => bad("IDAT chunks are not consecutive"),
                _ if self.header.color_type == ColorType::Palette && self.palette.is_none() => {
                    bad("the palette is missing")
                }
                _ => {
                    self.data = Data::Within;
                    self.packed =
                        self.packed.saturating_add(u64::try_from(chunk.data.len()).unwrap_or(u64::MAX));
                    Ok(Keep::Yes)
                }
            },
            b"IEND" => self.finish(chunk).map(|()| Keep::Yes),
            [first, ..] if first.is_ascii_uppercase() => {
                bad(&format!("unknown critical chunk {}", chunk.kind.escape_ascii()))
            }
            _ => Ok(Keep::No),
        }
    }

    fn accept_palette(&mut self, chunk: &Chunk<'_>) -> Result<Keep, Error> {
        let bad = |problem: &str| Err(Format::Png.bad(chunk.offset, problem));
        let (colors, rest) = chunk.data.as_chunks::<3>();
        match self.header.color_type {
            _ if self.palette.is_some() => bad("a second PLTE chunk"),
            _ if self.transparency || self.data != Data::Before => bad("the PLTE chunk is out of order"),
            _ if colors.is_empty() || !rest.is_empty() => bad("the PLTE chunk has an invalid length"),
            ColorType::Gray | ColorType::GrayAlpha => bad("a PLTE chunk in a grayscale image"),
            ColorType::Palette if colors.len() > 1_usize << self.header.bit_depth => {
                bad("the palette is too long")
            }
            _ if colors.len() > 256 => bad("the palette is too long"),
            color_type => {
                self.palette = Some(colors.len());
                // In other images it is only a suggestion for displays with few colors.
                Ok(if color_type == ColorType::Palette { Keep::Yes } else { Keep::No })
            }
        }
    }

    fn accept_transparency(&mut self, chunk: &Chunk<'_>) -> Result<Keep, Error> {
        let length = chunk.data.len();
        let fits = match self.header.color_type {
            ColorType::Gray => length == 2,
            ColorType::Rgb => length == 6,
            ColorType::Palette => self.palette.is_some_and(|colors| length <= colors),
            ColorType::GrayAlpha | ColorType::RgbAlpha => false,
        };
        if !fits || self.transparency || self.data != Data::Before {
            return Err(Format::Png.bad(chunk.offset, "an invalid tRNS chunk"));
        }
        self.transparency = true;
        Ok(Keep::Yes)
    }

    fn finish(&self, chunk: &Chunk<'_>) -> Result<(), Error> {
        if self.data == Data::Before {
            return Err(Format::Png.bad(chunk.offset, "there is no IDAT chunk"));
        }
        if self.header.raw_length() > self.packed.saturating_mul(MAX_DEFLATE_RATIO) {
            let Header { width, height, .. } = self.header;
            let problem =
                format!("{width} x {height} pixels are too many for {} compressed bytes", self.packed);
            return Err(Format::Png.bad(chunk.offset, problem));
        }
        Ok(())
    }
}
