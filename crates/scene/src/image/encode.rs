//! Encoding pixels as PNG. The same pixels give the same bytes.

use std::collections::HashMap;

use super::{Alpha, Indexed8, Rgba8, alpha_use};

/// Three times as fast as zlib's usual 6, and a twelfth larger, measured on game textures.
const LEVEL: u8 = 2;

/// Encodes a picture as an 8-bit PNG: with alpha where a pixel is not solid, without it otherwise.
pub fn encode_png(picture: &Rgba8) -> Vec<u8> {
    encode_with(picture, alpha_use(picture))
}

/// Encodes a picture whose alpha was looked at already.
pub(super) fn encode_with(picture: &Rgba8, alpha: Alpha) -> Vec<u8> {
    let (width, height) = (picture.width(), picture.height());
    if let Some(few) = with_few_colors(picture, alpha) {
        return encode_indexed_png(&few);
    }
    if alpha != Alpha::Opaque {
        return write(width, height, Pixels::Rgba(picture.pixels()));
    }
    let (pixels, _) = picture.pixels().as_chunks::<4>();
    let solid: Vec<u8> = pixels.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    write(width, height, Pixels::Rgb(&solid))
}

/// Encodes a picture as an 8-bit PNG with a palette. The palette's order is kept; alpha is written as far as it is used.
pub fn encode_indexed_png(picture: &Indexed8) -> Vec<u8> {
    let palette = picture.palette();
    let solid = palette.iter().rev().take_while(|[.., alpha]| *alpha == 255).count();
    let colors: Vec<u8> = palette.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    let alphas = palette.iter().take(palette.len().saturating_sub(solid)).map(|[.., alpha]| *alpha).collect();
    write(picture.width(), picture.height(), Pixels::Indexed { indices: picture.indices(), colors, alphas })
}

/// The same picture with a palette of its colors, in the order in which they come, where it has so few that this makes it smaller.
fn with_few_colors(picture: &Rgba8, alpha: Alpha) -> Option<Indexed8> {
    /// What a color in the palette takes, with alpha.
    const COLOR: usize = 4;
    let (pixels, _) = picture.pixels().as_chunks::<4>();
    let mut known: HashMap<[u8; 4], u8> = HashMap::new();
    let mut palette: Vec<[u8; 4]> = Vec::new();
    let mut indices = Vec::with_capacity(pixels.len());
    let mut last = None;
    for [red, green, blue, own] in pixels {
        let color = [*red, *green, *blue, if alpha == Alpha::Opaque { u8::MAX } else { *own }];
        // Most pixels are like the one before.
        let index = match last {
            Some((before, index)) if before == color => index,
            _ => match known.get(&color) {
                Some(index) => *index,
                None => {
                    let index = u8::try_from(palette.len()).ok()?;
                    palette.push(color);
                    known.insert(color, index);
                    index
                }
            },
        };
        last = Some((color, index));
        indices.push(index);
    }
    let channels: usize = if alpha == Alpha::Opaque { 3 } else { 4 };
    let saved = pixels.len().saturating_mul(channels.saturating_sub(1));
    let is_smaller = palette.len().saturating_mul(COLOR) < saved;
    is_smaller.then(|| Indexed8::new(picture.width(), picture.height(), indices, palette).ok()).flatten()
}

enum Pixels<'a> {
    Rgb(&'a [u8]),
    Rgba(&'a [u8]),
    Indexed { indices: &'a [u8], colors: Vec<u8>, alphas: Vec<u8> },
}

#[expect(
    clippy::expect_used,
    reason = "the pixels were checked against the size, and writing to memory does not fail"
)]
fn write(width: u32, height: u32, pixels: Pixels<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut out, width, height);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_deflate_compression(::png::DeflateCompression::Level(LEVEL));
    encoder.set_filter(::png::Filter::Adaptive);
    let data = match pixels {
        Pixels::Rgb(data) => {
            encoder.set_color(::png::ColorType::Rgb);
            data
        }
        Pixels::Rgba(data) => {
            encoder.set_color(::png::ColorType::Rgba);
            data
        }
        Pixels::Indexed { indices, colors, alphas } => {
            encoder.set_color(::png::ColorType::Indexed);
            // Differences between palette places mean nothing.
            encoder.set_filter(::png::Filter::NoFilter);
            encoder.set_palette(colors);
            if !alphas.is_empty() {
                encoder.set_trns(alphas);
            }
            indices
        }
    };
    let mut writer = encoder.write_header().expect("a size that is not zero");
    writer.write_image_data(data).expect("as many bytes as the size says");
    writer.finish().expect("the picture is complete");
    out
}
