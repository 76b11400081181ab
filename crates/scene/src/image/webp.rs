//! Lossless WebP encoding.

use image_webp::{ColorType, WebPEncoder};

use super::{Alpha, Rgba8, alpha_use};
use crate::{Error, Result};

/// Maximum width and height in the WebP format.
const MAX_SIDE: u32 = 16_384;

/// Encodes an image as lossless WebP, with alpha if it is used. The same image produces the same bytes.
///
/// # Errors
/// [`Kind::Limit`](record::Kind::Limit) for an image wider or higher than 16,384 pixels.
pub fn encode_webp(picture: &Rgba8) -> Result<Vec<u8>> {
    let (width, height) = (picture.width(), picture.height());
    if width.max(height) > MAX_SIDE {
        return Err(Error::limit(format!(
            "{width} x {height} pixels are too large for WebP (limit: {MAX_SIDE} per side)"
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
