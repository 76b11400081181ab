//! Decoding of images to pixels, within limits.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader};

use super::{Format, Limits, Rgba8, bmp, dds, jpeg, png, sniff, tga};
use crate::Error;
use crate::error::unknown_image;

/// Decodes a PNG (any depth), JPEG, BMP, TGA, or the largest level of a DDS. Depths above 8 bits are reduced to 8;
/// color profiles and orientation are ignored.
///
/// No memory is allocated for a size that exceeds the limits or that the file is too short for.
///
/// # Errors
/// `Unsupported` for unknown formats and unsupported kinds, `Malformed`, or `Limit`.
pub fn decode(bytes: &[u8], limits: &Limits) -> Result<Rgba8, Error> {
    match sniff(bytes).ok_or_else(|| unknown_image(bytes))? {
        Format::Png => {
            let stripped = png::strip(bytes)?;
            limits.check(Format::Png, stripped.header.width, stripped.header.height)?;
            decode_png(&stripped.bytes, *limits)
        }
        Format::Jpeg => {
            let stripped = jpeg::strip(bytes)?;
            limits.check(Format::Jpeg, stripped.frame.width, stripped.frame.height)?;
            decode_other(&stripped.bytes, Format::Jpeg, ImageFormat::Jpeg, *limits)
        }
        Format::Bmp => {
            let header = bmp::read_header(bytes)?;
            limits.check(Format::Bmp, header.width, header.height)?;
            decode_other(bytes, Format::Bmp, ImageFormat::Bmp, *limits)
        }
        Format::Tga => {
            let header = tga::read_header(bytes)?;
            limits.check(Format::Tga, header.width, header.height)?;
            decode_other(bytes, Format::Tga, ImageFormat::Tga, *limits)
        }
        Format::Dds => dds::decode(bytes, *limits),
        Format::Gif => Err(Format::Gif.unsupported("decoding it")),
    }
}

/// Reads a PNG up to its first row.
pub(super) fn png_reader(
    bytes: Cursor<&[u8]>,
    limits: Limits,
    transformations: ::png::Transformations,
) -> Result<::png::Reader<Cursor<&[u8]>>, Error> {
    let limits = ::png::Limits { bytes: usize::try_from(limits.bytes()).unwrap_or(usize::MAX) };
    let mut decoder = ::png::Decoder::new_with_limits(bytes, limits);
    decoder.set_transformations(transformations);
    decoder.read_info().map_err(|error| Format::Png.bad(0, error.to_string()))
}

/// Decodes a PNG whose chunks are valid.
pub(super) fn decode_png(bytes: &[u8], limits: Limits) -> Result<Rgba8, Error> {
    let bad = |error: ::png::DecodingError| Format::Png.bad(0, error.to_string());
    let transformations = ::png::Transformations::normalize_to_color8() | ::png::Transformations::ALPHA;
    let mut reader = png_reader(Cursor::new(bytes), limits, transformations)?;
    let length =
        reader.output_buffer_size().ok_or_else(|| Format::Png.bad(0, "the image is too large for memory"))?;
    let mut pixels = vec![0; length];
    let info = reader.next_frame(&mut pixels).map_err(bad)?;
    pixels.truncate(info.buffer_size());
    let pixels = match info.color_type {
        ::png::ColorType::Rgba => pixels,
        ::png::ColorType::GrayscaleAlpha => {
            let (pairs, _) = pixels.as_chunks::<2>();
            pairs.iter().flat_map(|[gray, alpha]| [*gray, *gray, *gray, *alpha]).collect()
        }
        other => return Err(Format::Png.unsupported(format!("color type {other:?}"))),
    };
    Rgba8::new(info.width, info.height, pixels)
}

fn decode_other(bytes: &[u8], format: Format, kind: ImageFormat, limits: Limits) -> Result<Rgba8, Error> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), kind);
    let mut allowed = image::Limits::default();
    allowed.max_alloc = Some(limits.bytes());
    reader.limits(allowed);
    let picture: DynamicImage = reader.decode().map_err(|error| match error {
        image::ImageError::Unsupported(what) => format.unsupported(what.to_string()),
        error => format.bad(0, error.to_string()),
    })?;
    let picture = picture.into_rgba8();
    Rgba8::new(picture.width(), picture.height(), picture.into_raw())
}
