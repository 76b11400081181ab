//! Windows bitmaps: reading the header, and writing.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use image::codecs::bmp::BmpEncoder;
use image::{ExtendedColorType, ImageEncoder};

use super::{Format, Rgba8};
use crate::Error;

/// Two bytes encode a run of at most 255 pixels of one color.
const MAX_PIXELS_PER_BYTE: u64 = 256;

/// Length of the file header.
const FILE_HEADER: usize = 14;

/// The header of a bitmap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header {
    pub(super) width: u32,
    pub(super) height: u32,
}

/// Reads the header and checks that the file is long enough for the pixels.
pub(super) fn read_header(bytes: &[u8]) -> Result<Header, Error> {
    let bad = |offset: usize, problem: String| Format::Bmp.bad(offset, problem);
    let cut = || bad(bytes.len(), "the header is cut short".into());
    let u16_at = |offset: usize| array_at(bytes, offset).map(u16::from_le_bytes).ok_or_else(cut);
    let u32_at = |offset: usize| array_at(bytes, offset).map(u32::from_le_bytes).ok_or_else(cut);

    let header_size = u32_at(FILE_HEADER)?;
    let (width, height, depth, compression) = match header_size {
        12 => (i32::from(u16_at(18)?), i32::from(u16_at(20)?), u16_at(24)?, 0),
        40 | 52 | 56 | 64 | 108 | 124 => {
            let signed = |offset: usize| array_at(bytes, offset).map(i32::from_le_bytes).ok_or_else(cut);
            (signed(18)?, signed(22)?, u16_at(28)?, u32_at(30)?)
        }
        _ => return Err(bad(FILE_HEADER, format!("invalid header size {header_size}"))),
    };
    // A negative height means that rows are stored from the top.
    if width <= 0 || height == 0 || height == i32::MIN {
        return Err(bad(18, format!("{width} x {height} is not a valid size")));
    }
    if !matches!(depth, 1 | 2 | 4 | 8 | 16 | 24 | 32) {
        return Err(bad(28, format!("invalid depth of {depth} bits per pixel")));
    }
    let header = Header { width: width.unsigned_abs(), height: height.unsigned_abs() };
    if header.smallest(depth, compression) > u64::try_from(bytes.len()).unwrap_or(u64::MAX) {
        return Err(bad(18, format!("{width} x {height} pixels are too many for {} bytes", bytes.len())));
    }
    Ok(header)
}

/// Encodes the colors of an image as a bitmap of 24 bits per pixel.
///
/// # Errors
/// `Unsupported` for an image that is too large for the format.
pub fn encode_bmp(picture: &Rgba8) -> Result<Vec<u8>, Error> {
    let colors: Vec<u8> =
        picture.pixels().chunks_exact(4).flat_map(|pixel| pixel.iter().take(3).copied()).collect();
    let mut out = Vec::new();
    let encoder = BmpEncoder::new(&mut out);
    let done = encoder.write_image(&colors, picture.width(), picture.height(), ExtendedColorType::Rgb8);
    done.map_err(|error| Format::Bmp.unsupported(error.to_string()))?;
    Ok(out)
}

impl Header {
    /// Returns the minimum length of the pixel data in bytes.
    fn smallest(self, depth: u16, compression: u32) -> u64 {
        let (width, height) = (u64::from(self.width), u64::from(self.height));
        if matches!(compression, 1 | 2) {
            return width.saturating_mul(height).div_ceil(MAX_PIXELS_PER_BYTE);
        }
        width.saturating_mul(u64::from(depth)).div_ceil(32).saturating_mul(4).saturating_mul(height)
    }
}

fn array_at<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..)?.first_chunk::<N>().copied()
}
