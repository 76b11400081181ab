//! Making an image fit for glTF, which holds PNG and JPEG only.

use super::{
    Alpha, Encoded, Format, ImageKind, Indexed8, Integrity, Limits, Rgba8, alpha_use, decode,
    encode::{encode_indexed_png, encode_with, with_used_colors},
    jpeg, png,
    shrink::encode_fine_jpeg,
    sniff,
};
use crate::Error;
use crate::error::unknown_image;

/// Makes an image file fit for glTF.
///
/// PNG and JPEG keep their picture data as it is; only side chunks go (color profiles, gamma, EXIF, comments): these
/// games do not look at them, and viewers disagree on them. Everything else, and JPEGs in print colors, is decoded and
/// written as PNG.
///
/// PNGs are checked chunk by chunk with their checksums, JPEGs marker by marker; picture data is not decoded for that.
///
/// # Errors
/// When the bytes are no image of a known format, damaged or of a kind that is not read, or a `Limit` beyond the
/// default [`Limits`].
pub fn for_gltf(bytes: &[u8]) -> Result<Encoded, Error> {
    let limits = Limits::default();
    match sniff(bytes).ok_or_else(|| unknown_image(bytes))? {
        Format::Png => {
            let png::Stripped { header, bytes, alpha } = png::strip(bytes)?;
            let (width, height) = (header.width, header.height);
            limits.check(Format::Png, width, height)?;
            Ok(Encoded {
                kind: ImageKind::Png,
                bytes: bytes.into(),
                width,
                height,
                alpha,
                integrity: Integrity::Complete,
            })
        }
        Format::Jpeg => {
            let jpeg::Stripped { frame, bytes: stripped, integrity } = jpeg::strip(bytes)?;
            let (width, height) = (frame.width, frame.height);
            limits.check(Format::Jpeg, width, height)?;
            // Print colors (CMYK, YCCK): viewers do not know them.
            if frame.components.len() == 4 {
                return Ok(Encoded { integrity, ..png_for_gltf(&decode(bytes, &limits)?) });
            }
            let bytes = stripped.into();
            Ok(Encoded { kind: ImageKind::Jpeg, bytes, width, height, alpha: Alpha::Opaque, integrity })
        }
        Format::Bmp | Format::Tga | Format::Gif | Format::Dds => Ok(png_for_gltf(&decode(bytes, &limits)?)),
    }
}

/// Encodes pixels as PNG for glTF; its alpha is known exactly.
pub fn png_for_gltf(picture: &Rgba8) -> Encoded {
    let alpha = alpha_use(picture);
    Encoded {
        kind: ImageKind::Png,
        bytes: encode_with(picture, alpha).into(),
        width: picture.width(),
        height: picture.height(),
        alpha,
        integrity: Integrity::Complete,
    }
}

/// Encodes a picture with a palette as PNG for glTF: to the same bytes as [`png_for_gltf`] of its pixels, and faster.
pub fn indexed_for_gltf(picture: &Indexed8) -> Encoded {
    let alpha = picture.alpha_use();
    match with_used_colors(picture, alpha) {
        Some(used) => Encoded {
            kind: ImageKind::Png,
            bytes: encode_indexed_png(&used).into(),
            width: used.width(),
            height: used.height(),
            alpha,
            integrity: Integrity::Complete,
        },
        None => png_for_gltf(&picture.to_rgba8()),
    }
}

/// Encodes the colors of a picture as JPEG for glTF, with a quality from 1 to 100. Alpha is left out. Below 90 pixels share their tint
/// with three neighbors, as in most JPEG files, unless many are dark and tinted. Tints are kept finer than in most.
///
/// # Errors
/// `Unsupported` when a side has more than 65535 pixels.
pub fn jpeg_for_gltf(picture: &Rgba8, quality: u8) -> Result<Encoded, Error> {
    Ok(Encoded {
        kind: ImageKind::Jpeg,
        bytes: encode_fine_jpeg(picture, quality)?.into(),
        width: picture.width(),
        height: picture.height(),
        alpha: Alpha::Opaque,
        integrity: Integrity::Complete,
    })
}
