//! Conversion of images for games that draw with a palette: by the indices of an indexed PNG, or by the nearest
//! colors.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use std::collections::HashMap;
use std::io::Cursor;

use super::{Format, Indexed8, Limits, Rgba8, png, sniff};
use crate::Error;

/// Decodes a PNG with a palette of any depth to its indices; `None` for all other images. Of an animated PNG, only
/// the first frame is read.
///
/// # Errors
/// `Malformed`, or `Limit` beyond the given limits.
pub fn decode_indexed(bytes: &[u8], limits: &Limits) -> Result<Option<Indexed8>, Error> {
    if sniff(bytes) != Some(Format::Png) {
        return Ok(None);
    }
    let stripped = png::strip(bytes)?;
    limits.check(Format::Png, stripped.header.width, stripped.header.height)?;
    let bad = |error: ::png::DecodingError| Format::Png.bad(0, error.to_string());
    let room = limits.max_pixels.saturating_mul(2).saturating_add(1 << 20);
    let allowed = ::png::Limits { bytes: usize::try_from(room).unwrap_or(usize::MAX) };
    let mut decoder = ::png::Decoder::new_with_limits(Cursor::new(&stripped.bytes), allowed);
    decoder.set_transformations(::png::Transformations::IDENTITY);
    let mut reader = decoder.read_info().map_err(bad)?;
    let info = reader.info();
    if info.color_type != ::png::ColorType::Indexed {
        return Ok(None);
    }
    let alphas = info.trns.as_deref().unwrap_or_default();
    let (colors, _) = info.palette.as_deref().unwrap_or_default().as_chunks::<3>();
    let alphas = alphas.iter().copied().chain(std::iter::repeat(255));
    let palette = colors.iter().zip(alphas).map(|([r, g, b], alpha)| [*r, *g, *b, alpha]).collect();
    let length =
        reader.output_buffer_size().ok_or_else(|| Format::Png.bad(0, "the image is too large for memory"))?;
    let mut packed = vec![0; length];
    let frame = reader.next_frame(&mut packed).map_err(bad)?;
    let indices = unpack_indices(&packed, &frame);
    Indexed8::new(frame.width, frame.height, indices, palette).map(Some)
}

/// Unpacks rows of packed pixels to one byte per pixel.
fn unpack_indices(packed: &[u8], frame: &::png::OutputInfo) -> Vec<u8> {
    let width = usize::try_from(frame.width).unwrap_or(usize::MAX);
    let (bits, mask) = match frame.bit_depth {
        ::png::BitDepth::One => (1_usize, 1_u8),
        ::png::BitDepth::Two => (2, 3),
        ::png::BitDepth::Four => (4, 15),
        ::png::BitDepth::Eight | ::png::BitDepth::Sixteen => (8, 255),
    };
    let shifts = (0..8_usize).step_by(bits).rev();
    let row = |row: &[u8]| -> Vec<u8> {
        row.iter()
            .flat_map(|byte| shifts.clone().map(move |shift| (byte >> shift) & mask))
            .take(width)
            .collect()
    };
    packed.chunks(frame.line_size.max(1)).flat_map(row).collect()
}

/// An image that was converted to the colors of a palette.
#[derive(Debug, Clone, PartialEq)]
pub struct Matched {
    /// One index per pixel.
    pub indices: Vec<u8>,
    /// Number of pixels whose color changed.
    pub inexact: usize,
    /// The largest color difference: the square root of the sum of the squares of the differences of red, green and
    /// blue; 0 to 441.
    pub worst: f64,
}

/// Finds a palette index for every pixel of an image.
///
/// Of several equal colors, the index that `old` has for the pixel is preferred, so that unchanged pixels keep their
/// indices; otherwise the first. A transparent pixel (alpha below 128) gets the first transparent color; an opaque
/// pixel never does, unless there is no other. If the palette has no transparent color, alpha is ignored.
pub fn match_palette(picture: &Rgba8, palette: &[[u8; 4]], old: Option<&[u8]>) -> Matched {
    let mut matcher = Matcher {
        palette,
        known: HashMap::new(),
        has_transparency: palette.iter().any(|color| is_transparent(*color)),
    };
    let (pixels, _) = picture.pixels().as_chunks::<4>();
    let mut out = Matched { indices: Vec::with_capacity(pixels.len()), inexact: 0, worst: 0.0 };
    for (at, pixel) in pixels.iter().enumerate() {
        let before = old.and_then(|old| old.get(at)).copied();
        let kept = before.filter(|index| matcher.is_same(*index, *pixel));
        let (index, distance) = kept.map_or_else(|| matcher.nearest(*pixel), |index| (index, 0));
        if distance > 0 {
            out.inexact = out.inexact.saturating_add(1);
            out.worst = out.worst.max(f64::from(distance).sqrt());
        }
        out.indices.push(index);
    }
    out
}

struct Matcher<'a> {
    palette: &'a [[u8; 4]],
    known: HashMap<[u8; 4], (u8, u32)>,
    /// Whether a color of the palette is transparent.
    has_transparency: bool,
}

fn is_transparent([.., alpha]: [u8; 4]) -> bool {
    alpha < 128
}

impl Matcher<'_> {
    /// Whether a palette color looks the same as a pixel.
    fn is_same(&self, index: u8, pixel: [u8; 4]) -> bool {
        let Some(color) = self.palette.get(usize::from(index)) else { return false };
        if self.has_transparency && (is_transparent(*color) || is_transparent(pixel)) {
            return is_transparent(*color) && is_transparent(pixel);
        }
        color[..3] == pixel[..3]
    }

    /// Returns the index of the nearest color, and the square of the difference.
    fn nearest(&mut self, pixel: [u8; 4]) -> (u8, u32) {
        if let Some(found) = self.known.get(&pixel) {
            return *found;
        }
        let is_transparent_pixel = self.has_transparency && is_transparent(pixel);
        let places = || (0_u8..=255).zip(self.palette);
        let wanted =
            |color: &[u8; 4]| !self.has_transparency || is_transparent(*color) == is_transparent_pixel;
        let rank = |(index, color): (u8, &[u8; 4])| {
            let distance =
                if is_transparent_pixel && is_transparent(*color) { 0 } else { distance(*color, pixel) };
            (distance, index)
        };
        let best = places()
            .filter(|(_, color)| wanted(color))
            .map(rank)
            .min()
            .or_else(|| places().map(rank).min())
            .unwrap_or_default();
        let found = (best.1, best.0);
        self.known.insert(pixel, found);
        found
    }
}

/// Returns the sum of the squares of the differences of red, green and blue.
fn distance(a: [u8; 4], b: [u8; 4]) -> u32 {
    let square = |(a, b): (u8, u8)| u32::from(a.abs_diff(b)).saturating_pow(2);
    a.into_iter().zip(b).take(3).map(square).fold(0, u32::saturating_add)
}

#[cfg(test)]
#[path = "indexed_animation_tests.rs"]
mod tests;
