//! Targa (Truevision TGA file format, version 2.0): reading of the header, and writing.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use super::{Format, Rgba8};
use crate::Error;

/// A run encodes at most 128 pixels with at least two bytes.
const MAX_PIXELS_PER_BYTE: u64 = 64;

/// The header of an image.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header {
    pub(super) width: u32,
    pub(super) height: u32,
}

/// Encodes an image as an uncompressed Targa of 32 bits per pixel with the bottom row first, which old games can read.
///
/// # Errors
/// `Unsupported` for an image with more than 65535 pixels on a side.
pub fn encode_tga(picture: &Rgba8) -> Result<Vec<u8>, Error> {
    let side = |length: u32| {
        u16::try_from(length).map_err(|_| Format::Tga.unsupported(format!("{length} pixels on a side")))
    };
    let (width, height) = (side(picture.width())?, side(picture.height())?);
    let mut out = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    out.extend(width.to_le_bytes());
    out.extend(height.to_le_bytes());
    // 32 bits per pixel, of which 8 are alpha.
    out.extend([32, 8]);
    let row = usize::from(width).saturating_mul(4).max(1);
    for row in picture.pixels().chunks_exact(row).rev() {
        out.extend(row.chunks_exact(4).flat_map(|pixel| match pixel {
            [red, green, blue, alpha] => [*blue, *green, *red, *alpha],
            _ => [0; 4],
        }));
    }
    Ok(out)
}

/// Reads the header. There is no signature, so every field must be valid and the pixels must fit into the file.
pub(super) fn read_header(bytes: &[u8]) -> Result<Header, Error> {
    let bad = |offset: usize, problem: String| Format::Tga.bad(offset, problem);
    let Some((header, rest)) = bytes.split_first_chunk::<18>() else {
        return Err(bad(0, "the header is cut short".into()));
    };
    let &[
        id_length,
        map_type,
        kind,
        _,
        _,
        map_0,
        map_1,
        map_depth,
        _,
        _,
        _,
        _,
        w0,
        w1,
        h0,
        h1,
        depth,
        descriptor,
    ] = header;
    let map_length = u64::from(u16::from_le_bytes([map_0, map_1]));
    let (width, height) = (u32::from(u16::from_le_bytes([w0, w1])), u32::from(u16::from_le_bytes([h0, h1])));

    let (mapped, depths): (bool, &[u8]) = match kind {
        1 | 9 => (true, &[8, 16]),
        2 | 10 => (false, &[15, 16, 24, 32]),
        3 | 11 => (false, &[8, 16]),
        _ => return Err(bad(2, format!("invalid image type {kind}"))),
    };
    match (map_type, mapped) {
        (0 | 1, false) => {}
        (1, true) if map_length > 0 => {}
        _ => return Err(bad(1, format!("color map type {map_type} is invalid for image type {kind}"))),
    }
    if map_type == 1 && !matches!(map_depth, 15 | 16 | 24 | 32) {
        return Err(bad(7, format!("invalid color map depth of {map_depth} bits")));
    }
    if width == 0 || height == 0 {
        return Err(bad(12, format!("{width} x {height} is not a valid size")));
    }
    if !depths.contains(&depth) {
        return Err(bad(16, format!("{depth} bits per pixel are invalid for image type {kind}")));
    }
    if descriptor & 0b1100_0000 != 0 || !matches!(descriptor & 15, 0 | 1 | 8) {
        return Err(bad(17, format!("invalid image descriptor {descriptor:#04x}")));
    }

    let map_bytes =
        if map_type == 1 { map_length.saturating_mul(u64::from(map_depth.div_ceil(8))) } else { 0 };
    let pixels = u64::from(width).saturating_mul(u64::from(height));
    let pixel_bytes = match kind {
        9..=11 => pixels.div_ceil(MAX_PIXELS_PER_BYTE),
        _ => pixels.saturating_mul(u64::from(depth.div_ceil(8))),
    };
    let needed = u64::from(id_length).saturating_add(map_bytes).saturating_add(pixel_bytes);
    if needed > u64::try_from(rest.len()).unwrap_or(u64::MAX) {
        return Err(bad(12, format!("{width} x {height} pixels are too many for {} bytes", bytes.len())));
    }
    Ok(Header { width, height })
}
