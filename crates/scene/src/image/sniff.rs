//! Recognition of images by their content, and of their size by the header.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use super::{Dds, Format, ImageKind, bmp, jpeg, png, tga};
use crate::Error;
use crate::error::{to_offset, unknown_image};

/// Returns the format of an image by its content alone; `None` if it is unknown.
///
/// TGA has no signature: all fields of its header must be valid, and the pixels must fit into the file.
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    if ImageKind::Png.begins(bytes) {
        Some(Format::Png)
    } else if ImageKind::Jpeg.begins(bytes) {
        Some(Format::Jpeg)
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        Some(Format::Gif)
    } else if bytes.starts_with(b"DDS ") {
        Some(Format::Dds)
    } else if bytes.starts_with(b"BM") && bmp::read_header(bytes).is_ok() {
        Some(Format::Bmp)
    } else if tga::read_header(bytes).is_ok() {
        Some(Format::Tga)
    } else {
        None
    }
}

/// Returns the width and height in pixels, from the header alone.
///
/// # Errors
/// `Unsupported` for unknown formats, `Malformed` for a damaged header.
pub fn size(bytes: &[u8]) -> Result<(u32, u32), Error> {
    match sniff(bytes).ok_or_else(|| unknown_image(bytes))? {
        Format::Png => png::read_header(bytes).map(|header| (header.width, header.height)),
        Format::Jpeg => jpeg::read_frame(bytes).map(|frame| (frame.width, frame.height)),
        Format::Bmp => bmp::read_header(bytes).map(|header| (header.width, header.height)),
        Format::Tga => tga::read_header(bytes).map(|header| (header.width, header.height)),
        Format::Gif => pair(bytes, Format::Gif, 6, |bytes: [u8; 2]| u32::from(u16::from_le_bytes(bytes))),
        Format::Dds => Dds::read(bytes, to_offset(bytes.len())).map(|dds| (dds.width, dds.height)),
    }
}

fn pair<const N: usize>(
    bytes: &[u8],
    format: Format,
    offset: usize,
    number: impl Fn([u8; N]) -> u32,
) -> Result<(u32, u32), Error> {
    let cut = || format.bad(offset, "the header is cut short");
    let rest = bytes.get(offset..).ok_or_else(cut)?;
    let (first, rest) = rest.split_first_chunk::<N>().ok_or_else(cut)?;
    let (second, _) = rest.split_first_chunk::<N>().ok_or_else(cut)?;
    Ok((number(*first), number(*second)))
}
