//! Preparation of images for glTF, which only supports PNG and JPEG.

use super::{
    Alpha, Encoded, Format, ImageKind, Indexed8, Integrity, Limits, Rgba8, alpha_use, decode,
    encode::{encode_indexed_png, encode_with, with_used_colors},
    jpeg, png,
    shrink::encode_fine_jpeg,
    sniff,
};
use crate::Error;
use crate::compression::Compression;
use crate::error::unknown_image;

/// Converts an image file to a format that glTF supports.
///
/// The image data of PNG and JPEG files is unchanged; only metadata is removed (color profiles, gamma, EXIF,
/// comments), because these games ignore it and viewers treat it differently. All other formats, and JPEGs with print
/// colors, are decoded and written as PNG.
///
/// All chunks of PNGs are validated with their checksums, and all markers of JPEGs; image data is not decoded for
/// that.
///
/// # Errors
/// If the image is damaged, has an unknown format or unsupported kind, or `Limit` beyond the default [`Limits`].
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
            // Viewers do not support print colors (CMYK, YCCK).
            if frame.components.len() == 4 {
                return Ok(Encoded { integrity, ..png_for_gltf(&decode(bytes, &limits)?) });
            }
            let bytes = stripped.into();
            Ok(Encoded { kind: ImageKind::Jpeg, bytes, width, height, alpha: Alpha::Opaque, integrity })
        }
        Format::Bmp | Format::Tga | Format::Gif | Format::Dds => Ok(png_for_gltf(&decode(bytes, &limits)?)),
    }
}

/// Encodes pixels as PNG for glTF; the use of alpha is determined exactly.
pub fn png_for_gltf(picture: &Rgba8) -> Encoded {
    let alpha = alpha_use(picture);
    Encoded {
        kind: ImageKind::Png,
        bytes: encode_with(picture, alpha, Compression::Usual).into(),
        width: picture.width(),
        height: picture.height(),
        alpha,
        integrity: Integrity::Complete,
    }
}

/// Encodes an image with a palette as PNG for glTF, with the same bytes as [`png_for_gltf`] for its pixels, but
/// faster.
pub fn indexed_for_gltf(picture: &Indexed8) -> Encoded {
    let alpha = picture.alpha_use();
    match with_used_colors(picture, alpha) {
        Some(used) => Encoded {
            kind: ImageKind::Png,
            bytes: encode_indexed_png(&used, Compression::Usual).into(),
            width: used.width(),
            height: used.height(),
            alpha,
            integrity: Integrity::Complete,
        },
        None => png_for_gltf(&picture.to_rgba8()),
    }
}

/// Encodes the colors of an image as JPEG for glTF, with a quality from 1 to 100. Alpha is ignored. Below 90,
/// chrominance is subsampled by two in both directions, as in most JPEG files, unless many pixels are dark and
/// tinted. Chrominance is quantized more finely than usual.
///
/// # Errors
/// `Unsupported` if a side has more than 65535 pixels.
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
