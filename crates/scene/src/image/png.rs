//! PNG: checking its chunks, and dropping those that only change how viewers show it (W3C PNG, third edition).

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use super::encoded::PNG_SIGNATURE;
use super::{Alpha, Format};
use crate::Error;

/// Deflate cannot do better than this many bytes out of one.
const MAX_DEFLATE_RATIO: u64 = 1032;

/// What IHDR says.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header {
    pub(super) width: u32,
    pub(super) height: u32,
    bit_depth: u8,
    color_type: ColorType,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColorType {
    Grey,
    Rgb,
    Palette,
    GreyAlpha,
    RgbAlpha,
}

impl Header {
    /// Bytes of all unpacked rows, each with its filter byte; an interlaced picture takes a little more.
    fn raw_length(self) -> u64 {
        let channels = match self.color_type {
            ColorType::Grey | ColorType::Palette => 1,
            ColorType::GreyAlpha => 2,
            ColorType::Rgb => 3,
            ColorType::RgbAlpha => 4,
        };
        let bits = u64::from(self.width).saturating_mul(channels).saturating_mul(u64::from(self.bit_depth));
        bits.div_ceil(8).saturating_add(1).saturating_mul(u64::from(self.height))
    }
}

/// One chunk of a file, its checksum already compared.
struct Chunk<'a> {
    offset: usize,
    kind: [u8; 4],
    data: &'a [u8],
    /// Length, kind, data and checksum.
    whole: &'a [u8],
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
        (0, 1 | 2 | 4 | 8 | 16) => ColorType::Grey,
        (2, 8 | 16) => ColorType::Rgb,
        (3, 1 | 2 | 4 | 8) => ColorType::Palette,
        (4, 8 | 16) => ColorType::GreyAlpha,
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

/// A PNG whose chunks are sound, without its side chunks.
pub(super) struct Stripped {
    pub(super) header: Header,
    pub(super) bytes: Vec<u8>,
    pub(super) alpha: Alpha,
}

/// Checks every chunk and keeps IHDR, PLTE, tRNS, IDAT and IEND. What follows IEND is dropped.
pub(super) fn strip(bytes: &[u8]) -> Result<Stripped, Error> {
    let header = read_header(bytes)?;
    let mut kept = Vec::with_capacity(bytes.len());
    kept.extend_from_slice(&PNG_SIGNATURE);
    let mut order = Order { header, palette: None, transparency: false, data: Data::Before, packed: 0 };
    let mut offset = PNG_SIGNATURE.len();
    loop {
        let chunk = next_chunk(bytes, offset)?;
        offset = offset.saturating_add(chunk.whole.len());
        if order.accept(&chunk)? == Keep::Yes {
            kept.extend_from_slice(chunk.whole);
        }
        if chunk.kind == *b"IEND" {
            break;
        }
    }
    let alpha = match header.color_type {
        ColorType::GreyAlpha | ColorType::RgbAlpha => Alpha::Possible,
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
    let whole = length.checked_add(12).and_then(|length| rest.get(..length)).ok_or_else(cut)?;
    Ok(Chunk { offset, kind: *kind, data, whole })
}

/// The CRC-32 of a chunk's name and data.
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

/// The rules of which chunk may follow which.
struct Order {
    header: Header,
    /// How many colors.
    palette: Option<usize>,
    transparency: bool,
    data: Data,
    /// Bytes of all IDAT chunks.
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
            ColorType::Grey | ColorType::GreyAlpha => bad("a PLTE chunk in a grayscale image"),
            ColorType::Palette if colors.len() > 1_usize << self.header.bit_depth => {
                bad("the palette is too long")
            }
            _ if colors.len() > 256 => bad("the palette is too long"),
            color_type => {
                self.palette = Some(colors.len());
                // Elsewhere it is only a suggestion for poor displays.
                Ok(if color_type == ColorType::Palette { Keep::Yes } else { Keep::No })
            }
        }
    }

    fn accept_transparency(&mut self, chunk: &Chunk<'_>) -> Result<Keep, Error> {
        let length = chunk.data.len();
        let fits = match self.header.color_type {
            ColorType::Grey => length == 2,
            ColorType::Rgb => length == 6,
            ColorType::Palette => self.palette.is_some_and(|colors| length <= colors),
            ColorType::GreyAlpha | ColorType::RgbAlpha => false,
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
