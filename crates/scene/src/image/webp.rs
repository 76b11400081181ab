//! WebP, without loss.

use image_webp::{ColorType, WebPEncoder};

use super::{Alpha, Rgba8, alpha_use};
use crate::{Error, Result};

/// The longest side that a WebP file can say.
const LONGEST_SIDE: u32 = 16_384;

/// Encodes a picture as lossless WebP, with alpha where it is used. The same picture gives the same bytes.
///
/// # Errors
/// [`Kind::Limit`](record::Kind::Limit) for a picture wider or higher than 16,384 pixels.
pub fn encode_webp(picture: &Rgba8) -> Result<Vec<u8>> {
    let (width, height) = (picture.width(), picture.height());
    if width.max(height) > LONGEST_SIDE {
        return Err(Error::limit(format!(
            "{width} x {height} pixels are too large for WebP (limit: {LONGEST_SIDE} per side)"
        )));
    }
    let solid: Vec<u8>;
    let (pixels, color) = match alpha_use(picture) {
        Alpha::Opaque => {
            let (channels, _) = picture.pixels().as_chunks::<4>();
            solid = channels.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
            (&*solid, ColorType::Rgb8)
        }
        _ => (picture.pixels(), ColorType::Rgba8),
    };
    let mut out = Vec::new();
    WebPEncoder::new(&mut out)
        .encode(pixels, width, height, color)
        .map_err(|error| Error::usage(format!("WebP: {error}")))?;
    Ok(out)
}
