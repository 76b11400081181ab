//! Encoding of pixels as PNG. The same pixels produce the same bytes.

use super::{Alpha, Indexed8, Rgba8, alpha_use, deflate};
use crate::compression::Compression;

/// Encodes an image as an 8-bit PNG, with alpha only if a pixel is not opaque.
pub fn encode_png(picture: &Rgba8) -> Vec<u8> {
    encode_png_with(picture, Compression::Usual)
}

/// Encodes an image like [`encode_png`], with the given compression level.
pub fn encode_png_with(picture: &Rgba8, compression: Compression) -> Vec<u8> {
    encode_with(picture, alpha_use(picture), compression)
}

/// Encodes an image whose use of alpha is known.
pub(super) fn encode_with(picture: &Rgba8, alpha: Alpha, compression: Compression) -> Vec<u8> {
    let (width, height) = (picture.width(), picture.height());
    if let Some(few) = with_few_colors(picture, alpha) {
        return encode_indexed_png(&few, compression);
    }
    if alpha != Alpha::Opaque {
        return write(width, height, Pixels::Rgba(picture.pixels()), compression);
    }
    let (pixels, _) = picture.pixels().as_chunks::<4>();
    let solid: Vec<u8> = pixels.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    write(width, height, Pixels::Rgb(&solid), compression)
}

/// Encodes an image as an 8-bit PNG with a palette. The palette's order is kept; alpha values are written up to the
/// last one that is not opaque.
pub fn encode_indexed_png(picture: &Indexed8, compression: Compression) -> Vec<u8> {
    let palette = picture.palette();
    let solid = palette.iter().rev().take_while(|[.., alpha]| *alpha == 255).count();
    let colors: Vec<u8> = palette.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    let alphas = palette.iter().take(palette.len() - solid).map(|[.., alpha]| *alpha).collect();
    let pixels = Pixels::Indexed { indices: picture.indices(), colors, alphas };
    write(picture.width(), picture.height(), pixels, compression)
}

/// Bytes per palette color, including alpha.
const COLOR_LENGTH: usize = 4;

/// Converts an image to one with a palette of its colors, in the order they occur, if it has so few that this makes it
/// smaller.
fn with_few_colors(picture: &Rgba8, alpha: Alpha) -> Option<Indexed8> {
    let (pixels, _) = picture.pixels().as_chunks::<4>();
    let mut colors = Colors::new();
    let mut indices = Vec::with_capacity(pixels.len());
    let mut last = None;
    for [red, green, blue, own] in pixels {
        let color = [*red, *green, *blue, if alpha == Alpha::Opaque { u8::MAX } else { *own }];
        // Most pixels equal the previous one.
        let index = match last {
            Some((before, index)) if before == color => index,
            _ => colors.index_of(color)?,
        };
        last = Some((color, index));
        indices.push(index);
    }
    smaller(picture.width(), picture.height(), indices, colors, alpha)
}

/// Reduces the palette of an image to the colors in use, with the same result as [`with_few_colors`] on its pixels.
pub(super) fn with_used_colors(picture: &Indexed8, alpha: Alpha) -> Option<Indexed8> {
    let mut colors = Colors::new();
    let mut new_indices: [Option<u8>; 256] = [None; 256];
    let mut indices = Vec::with_capacity(picture.indices().len());
    for index in picture.indices() {
        let known = new_indices.get_mut(usize::from(*index))?;
        let new_index = match *known {
            Some(new_index) => new_index,
            None => *known.insert(colors.index_of(*picture.palette().get(usize::from(*index))?)?),
        };
        indices.push(new_index);
    }
    smaller(picture.width(), picture.height(), indices, colors, alpha)
}

/// Returns the image with these colors, unless it is smaller without a palette.
fn smaller(width: u32, height: u32, indices: Vec<u8>, colors: Colors, alpha: Alpha) -> Option<Indexed8> {
    let channels: usize = if alpha == Alpha::Opaque { 3 } else { 4 };
    let saved = indices.len() * (channels - 1);
    let is_smaller = colors.palette.len() * COLOR_LENGTH < saved;
    is_smaller.then(|| Indexed8::new(width, height, indices, colors.palette).ok()).flatten()
}

/// A hash table of up to 256 colors and their palette indices.
struct Colors {
    palette: Vec<[u8; 4]>,
    /// Palette indices by the hash of the color; collisions use the next free slot.
    slots: [Option<u8>; Self::SLOTS],
}

impl Colors {
    /// Four times the maximum number of colors, so that collisions are rare.
    const SLOTS: usize = 1 << Self::BITS;
    const BITS: u32 = 10;

    const fn new() -> Self {
        Self { palette: Vec::new(), slots: [None; Self::SLOTS] }
    }

    /// Returns the index of a color, which is appended if it is new; `None` if the palette is full.
    fn index_of(&mut self, color: [u8; 4]) -> Option<u8> {
        /// Multiplicative hash constant: 2^32 divided by the golden ratio.
        const MULTIPLIER: u32 = 0x9e37_79b1;
        let hash = u32::from_le_bytes(color).wrapping_mul(MULTIPLIER) >> (u32::BITS - Self::BITS);
        let mut at = usize::try_from(hash).ok()?;
        loop {
            let slot = self.slots.get_mut(at)?;
            match *slot {
                Some(index) if self.palette.get(usize::from(index)) == Some(&color) => return Some(index),
                Some(_) => at = at.wrapping_add(1) % Self::SLOTS,
                None => {
                    let index = u8::try_from(self.palette.len()).ok()?;
                    *slot = Some(index);
                    self.palette.push(color);
                    return Some(index);
                }
            }
        }
    }
}

enum Pixels<'a> {
    Rgb(&'a [u8]),
    Rgba(&'a [u8]),
    Indexed { indices: &'a [u8], colors: Vec<u8>, alphas: Vec<u8> },
}

fn write(width: u32, height: u32, pixels: Pixels<'_>, compression: Compression) -> Vec<u8> {
    let row_length = |channels: usize| usize::try_from(width).unwrap_or(usize::MAX).saturating_mul(channels);
    let mut out = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut out, width, height);
    encoder.set_depth(::png::BitDepth::Eight);
    let data = match pixels {
        Pixels::Rgb(data) => {
            encoder.set_color(::png::ColorType::Rgb);
            deflate::pixels(data, row_length(3), 3, compression)
        }
        Pixels::Rgba(data) => {
            encoder.set_color(::png::ColorType::Rgba);
            deflate::pixels(data, row_length(4), 4, compression)
        }
        Pixels::Indexed { indices, colors, alphas } => {
            encoder.set_color(::png::ColorType::Indexed);
            encoder.set_palette(colors);
            if !alphas.is_empty() {
                encoder.set_trns(alphas);
            }
            deflate::indices(indices, row_length(1), compression)
        }
    };
    write_chunks(encoder, [(::png::chunk::IDAT, data)]);
    out
}

/// Writes the header of a PNG, the given chunks, and the end of the file.
#[expect(clippy::expect_used, reason = "sizes are not zero, and writing to memory does not fail")]
pub(super) fn write_chunks(
    encoder: ::png::Encoder<'_, &mut Vec<u8>>,
    chunks: impl IntoIterator<Item = (::png::chunk::ChunkType, Vec<u8>)>,
) {
    let mut writer = encoder.write_header().expect("a size that is not zero");
    for (kind, data) in chunks {
        writer.write_chunk(kind, &data).expect("writing to memory does not fail");
    }
    writer.finish().expect("writing to memory does not fail");
}
