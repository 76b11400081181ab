//! DirectDraw surfaces: the header, and the pixels of the largest mipmap level.
//!
//! Little-endian: `DDS `, a header of 124 bytes, 20 more bytes if the header contains the four characters `DX10`,
//! then the mipmap levels of the first face, starting with the largest. Each level consists of rows from the top, or
//! of blocks of 4 x 4 pixels.
//!
//! Source: Microsoft's programming guide for DDS. The blocks are decoded by `bcdec_rs`.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use super::{Format, Limits, Rgba8};
use crate::Error;
use crate::error::to_offset;

/// Length of the signature and the header.
const HEADER: usize = 128;

/// Length of the `DX10` extension.
const EXTENSION: usize = 20;

/// Maximum number of faces, slices or elements of a file; further ones are not counted.
const MAX_SURFACES: u64 = 1 << 16;

/// Flags of the pixel format.
mod flag {
    pub(super) const ALPHA: u32 = 1;
    pub(super) const ALPHA_ONLY: u32 = 2;
    pub(super) const FOUR_CC: u32 = 4;
    pub(super) const RGB: u32 = 0x40;
    pub(super) const LUMINANCE: u32 = 0x2_0000;
}

/// The validated header of a DDS image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dds {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Number of mipmap levels, including the image itself; at least 1.
    pub mipmaps: u32,
    /// Number of images of this size: 6 faces of a cube, slices of a volume, or elements of an array; usually 1.
    pub surfaces: u64,
    /// The encoding of the pixels.
    pub encoding: DdsEncoding,
    /// Offset of the pixels in bytes.
    pub pixels_at: usize,
}

/// The encoding of the pixels of a DDS image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DdsEncoding {
    /// Blocks of 8 bytes: colors and one bit of alpha (DXT1).
    Bc1,
    /// Blocks of 16 bytes: colors and four bits of alpha (DXT3).
    Bc2,
    /// Blocks of 16 bytes: colors and interpolated alpha (DXT5).
    Bc3,
    /// Blocks of 8 bytes: one channel (ATI1).
    Bc4,
    /// Blocks of 16 bytes: two channels, usually of a normal map (ATI2).
    Bc5,
    /// Blocks of 16 bytes in one of eight modes.
    Bc7,
    /// Uncompressed.
    Masks(DdsMasks),
}

/// The channels of an uncompressed pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DdsMasks {
    /// Bytes per pixel: 1 to 4.
    pub bytes: u8,
    /// Bit masks of red, green and blue; all three are equal in a grayscale image.
    pub color: [u32; 3],
    /// Bit mask of alpha; 0 if there is none.
    pub alpha: u32,
}

impl DdsEncoding {
    /// Returns the name of the format: `BC1 (DXT1)`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Bc1 => "BC1 (DXT1)".into(),
            Self::Bc2 => "BC2 (DXT3)".into(),
            Self::Bc3 => "BC3 (DXT5)".into(),
            Self::Bc4 => "BC4".into(),
            Self::Bc5 => "BC5".into(),
            Self::Bc7 => "BC7".into(),
            Self::Masks(masks) => format!("{} bits per pixel", u32::from(masks.bytes).saturating_mul(8)),
        }
    }

    /// Returns the length of a level of this size in bytes.
    fn length(&self, width: u32, height: u32) -> u64 {
        let (width, height) = (u64::from(width), u64::from(height));
        match self {
            Self::Masks(masks) => width.saturating_mul(height).saturating_mul(masks.bytes.into()),
            _ => width.div_ceil(4).saturating_mul(height.div_ceil(4)).saturating_mul(self.block_length()),
        }
    }

    fn block_length(&self) -> u64 {
        match self {
            Self::Bc1 | Self::Bc4 => 8,
            _ => 16,
        }
    }
}

impl Dds {
    /// Reads the header from the first bytes of a file whose total length is `length`.
    ///
    /// # Errors
    /// If the signature is wrong, the header is truncated or invalid, the encoding of the pixels is not supported, or
    /// the file is too short for the image.
    pub fn read(head: &[u8], length: u64) -> Result<Self, Error> {
        let bad = |offset: usize, problem: String| Format::Dds.bad(offset, problem);
        let Some(header) = head.get(..HEADER) else {
            return Err(bad(head.len(), "the header is cut short".into()));
        };
        let at = |offset: usize| u32_at(header, offset).unwrap_or_default();
        if !head.starts_with(b"DDS ") {
            return Err(bad(0, "the signature is missing".into()));
        }
        for (offset, what, expected) in [(4, "header", 124), (76, "pixel format", 32)] {
            if at(offset) != expected {
                return Err(bad(offset, format!("invalid {what} size {} (expected {expected})", at(offset))));
            }
        }
        let (height, width) = (at(12), at(16));
        if width == 0 || height == 0 {
            return Err(bad(12, format!("{width} x {height} is not a valid size")));
        }
        let is_extended = at(80) & flag::FOUR_CC != 0 && at(84) == four_cc(*b"DX10");
        let extension = |offset: usize| {
            let found = is_extended.then(|| u32_at(head, HEADER.saturating_add(offset)));
            found
                .map(|found| found.ok_or_else(|| bad(head.len(), "the header is cut short".into())))
                .transpose()
        };
        let encoding = match extension(0)? {
            Some(number) => {
                of_dxgi(number).ok_or_else(|| unsupported(format!("DXGI format {number}"), HEADER))?
            }
            None => of_pixel_format(header)?,
        };
        // Some of the six faces of a cube may be missing.
        let faces = u64::from((at(112) >> 10 & 0x3f).count_ones()).max(1);
        let slices = if at(112) & 0x20_0000 == 0 { 1 } else { u64::from(at(24)).max(1) };
        let elements = u64::from(extension(12)?.unwrap_or(1)).max(1);
        let is_cube = extension(8)?.is_some_and(|flags| flags & 4 != 0);
        let faces = if is_cube { 6 } else { faces };
        let surfaces = faces.saturating_mul(slices).saturating_mul(elements).min(MAX_SURFACES);
        // The smallest level has one pixel.
        let max_mipmaps = u32::BITS.saturating_sub(width.max(height).leading_zeros());
        let mipmaps = at(28).clamp(1, max_mipmaps);
        let pixels_at = if is_extended { HEADER.saturating_add(EXTENSION) } else { HEADER };
        let out = Self { width, height, mipmaps, surfaces, encoding, pixels_at };
        if out.picture_end() > length {
            return Err(bad(12, format!("{width} x {height} pixels are too many for {length} bytes")));
        }
        Ok(out)
    }

    /// Returns the end of the largest level of the first face, in bytes from the start of the file.
    #[must_use]
    pub fn picture_end(&self) -> u64 {
        to_offset(self.pixels_at).saturating_add(self.encoding.length(self.width, self.height))
    }

    /// Returns the length in bytes of a file that contains all levels.
    #[must_use]
    pub fn full_length(&self) -> u64 {
        let level = |level: u32| {
            let side = |side: u32| side.checked_shr(level).unwrap_or_default().max(1);
            self.encoding.length(side(self.width), side(self.height))
        };
        let one = (0..self.mipmaps).map(level).fold(0, u64::saturating_add);
        to_offset(self.pixels_at).saturating_add(one.saturating_mul(self.surfaces))
    }
}

/// Decodes the largest level of the first face.
pub(super) fn decode(bytes: &[u8], limits: Limits) -> Result<Rgba8, Error> {
    let dds = Dds::read(bytes, to_offset(bytes.len()))?;
    limits.check(Format::Dds, dds.width, dds.height)?;
    let length = usize::try_from(dds.encoding.length(dds.width, dds.height)).unwrap_or(usize::MAX);
    let data = bytes.get(dds.pixels_at..).and_then(|rest| rest.get(..length)).unwrap_or_default();
    let pixels = match dds.encoding {
        DdsEncoding::Masks(masks) => masks.decode(data),
        encoding => blocks(encoding, data, dds.width, dds.height),
    };
    Rgba8::new(dds.width, dds.height, pixels)
}

/// Pixels per side of a block.
const SIDE: usize = 4;

/// Bytes per pixel.
const PIXEL: usize = 4;

/// Bytes per row of a block.
const LINE: usize = 16;

/// Decodes blocks, one strip of four rows after another.
fn blocks(encoding: DdsEncoding, data: &[u8], width: u32, height: u32) -> Vec<u8> {
    let row = usize::try_from(width).unwrap_or(usize::MAX).saturating_mul(PIXEL);
    let block = usize::try_from(encoding.block_length()).unwrap_or(16);
    let strip_of_blocks = row.div_ceil(LINE).saturating_mul(block);
    let mut pixels = vec![0; row.saturating_mul(usize::try_from(height).unwrap_or(usize::MAX))];
    let strips = pixels.chunks_mut(row.saturating_mul(SIDE)).zip(data.chunks_exact(strip_of_blocks));
    for (strip, stored) in strips {
        for (column, block) in stored.chunks_exact(block).enumerate() {
            let tile = tile(encoding, block);
            let first = column.saturating_mul(LINE);
            for (line, colors) in strip.chunks_mut(row).zip(tile.chunks_exact(LINE)) {
                let line = line.get_mut(first..).unwrap_or_default();
                line.iter_mut().zip(colors).for_each(|(to, from)| *to = *from);
            }
        }
    }
    pixels
}

/// Decodes the 4 x 4 pixels of a block.
fn tile(encoding: DdsEncoding, block: &[u8]) -> [u8; 64] {
    let mut out = [0; 64];
    match encoding {
        DdsEncoding::Bc1 => bcdec_rs::bc1(block, &mut out, 16),
        DdsEncoding::Bc2 => bcdec_rs::bc2(block, &mut out, 16),
        DdsEncoding::Bc3 => bcdec_rs::bc3(block, &mut out, 16),
        DdsEncoding::Bc7 => bcdec_rs::bc7(block, &mut out, 16),
        DdsEncoding::Bc4 => {
            let mut gray = [0; 16];
            bcdec_rs::bc4(block, &mut gray, 4, false);
            let (pixels, _) = out.as_chunks_mut::<4>();
            pixels.iter_mut().zip(gray).for_each(|(pixel, gray)| *pixel = [gray, gray, gray, 255]);
        }
        DdsEncoding::Bc5 => {
            let mut pairs = [0; 32];
            bcdec_rs::bc5(block, &mut pairs, 8, false);
            let (pixels, _) = out.as_chunks_mut::<4>();
            let (pairs, _) = pairs.as_chunks::<2>();
            pixels.iter_mut().zip(pairs).for_each(|(pixel, [red, green])| *pixel = [*red, *green, 0, 255]);
        }
        DdsEncoding::Masks(_) => {}
    }
    out
}

impl DdsMasks {
    fn decode(&self, data: &[u8]) -> Vec<u8> {
        let channels = self.color.map(Channel::of);
        let alpha = Channel::of(self.alpha);
        let pixels = data.chunks_exact(usize::from(self.bytes).max(1));
        pixels
            .flat_map(|bytes| {
                let value = bytes.iter().rev().fold(0_u32, |value, byte| value << 8 | u32::from(*byte));
                let [red, green, blue] = channels.map(|channel| channel.of_pixel(value));
                [red, green, blue, if self.alpha == 0 { 255 } else { alpha.of_pixel(value) }]
            })
            .collect()
    }
}

/// A channel of a pixel.
#[derive(Debug, Clone, Copy)]
struct Channel {
    shift: u32,
    /// The largest value.
    max: u32,
}

impl Channel {
    fn of(mask: u32) -> Self {
        let shift = mask.trailing_zeros() & 31;
        Self { shift, max: mask >> shift }
    }

    fn of_pixel(self, pixel: u32) -> u8 {
        let value = u64::from(pixel >> self.shift & self.max);
        let scaled = value.saturating_mul(255).saturating_add(u64::from(self.max / 2));
        u8::try_from(scaled.checked_div(self.max.into()).unwrap_or_default()).unwrap_or(u8::MAX)
    }
}

/// Returns the encoding that the pixel format in the header specifies.
fn of_pixel_format(header: &[u8]) -> Result<DdsEncoding, Error> {
    let at = |offset: usize| u32_at(header, offset).unwrap_or_default();
    let flags = at(80);
    if flags & flag::FOUR_CC != 0 {
        let code = at(84).to_le_bytes();
        return Ok(match &code {
            b"DXT1" => DdsEncoding::Bc1,
            b"DXT3" => DdsEncoding::Bc2,
            b"DXT5" => DdsEncoding::Bc3,
            b"ATI1" | b"BC4U" => DdsEncoding::Bc4,
            b"ATI2" | b"BC5U" => DdsEncoding::Bc5,
            b"DXT2" | b"DXT4" => return Err(unsupported("premultiplied alpha".into(), 84)),
            _ => return Err(unsupported(format!("pixel format \"{}\"", code.escape_ascii()), 84)),
        });
    }
    let alpha = if flags & (flag::ALPHA | flag::ALPHA_ONLY) == 0 { 0 } else { at(104) };
    let color = if flags & flag::RGB != 0 {
        [at(92), at(96), at(100)]
    } else if flags & flag::LUMINANCE != 0 {
        [at(92); 3]
    } else if flags & flag::ALPHA_ONLY != 0 {
        [0; 3]
    } else {
        return Err(unsupported(format!("pixel format with the flags {flags:#x}"), 80));
    };
    let bits = at(88);
    let bytes = u8::try_from(bits / 8).unwrap_or_default();
    if !matches!(bits, 8 | 16 | 24 | 32) {
        return Err(unsupported(format!("a depth of {bits} bits per pixel"), 88));
    }
    let largest = if bits == 32 { u32::MAX } else { 1_u32.wrapping_shl(bits).wrapping_sub(1) };
    let is_run = |mask: u32| {
        let run = mask >> (mask.trailing_zeros() & 31);
        run & run.wrapping_add(1) == 0 && mask <= largest
    };
    if !color.into_iter().chain([alpha]).all(is_run) {
        return Err(Format::Dds.bad(92, "the masks of the channels are invalid"));
    }
    Ok(DdsEncoding::Masks(DdsMasks { bytes, color, alpha }))
}

/// Returns the encoding of a DXGI format number.
fn of_dxgi(number: u32) -> Option<DdsEncoding> {
    let masks = |bytes, color, alpha| Some(DdsEncoding::Masks(DdsMasks { bytes, color, alpha }));
    match number {
        27..=29 => masks(4, [0xff, 0xff00, 0xff_0000], 0xff00_0000),
        61 => masks(1, [0xff; 3], 0),
        70..=72 => Some(DdsEncoding::Bc1),
        73..=75 => Some(DdsEncoding::Bc2),
        76..=78 => Some(DdsEncoding::Bc3),
        79 | 80 => Some(DdsEncoding::Bc4),
        82 | 83 => Some(DdsEncoding::Bc5),
        85 => masks(2, [0xf800, 0x7e0, 0x1f], 0),
        86 => masks(2, [0x7c00, 0x3e0, 0x1f], 0x8000),
        87 | 90 | 91 => masks(4, [0xff_0000, 0xff00, 0xff], 0xff00_0000),
        88 | 92 | 93 => masks(4, [0xff_0000, 0xff00, 0xff], 0),
        97..=99 => Some(DdsEncoding::Bc7),
        _ => None,
    }
}

fn unsupported(what: String, offset: usize) -> Error {
    Format::Dds.unsupported(what).at(to_offset(offset))
}

const fn four_cc(name: [u8; 4]) -> u32 {
    u32::from_le_bytes(name)
}

fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    bytes.get(offset..)?.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes))
}
