//! Thumbnails, for overviews of many files.

use render::{RenderOptions, Subject, Textures};
use scene::Scene;
use scene::image::{Alpha, Rgba8, alpha_use, encode_jpeg, encode_png, shrink};

/// Images with alpha whose PNG exceeds this size (in bytes) are scaled down further.
const LARGE: usize = 40 << 10;
/// JPEG quality of images without alpha, up to 100.
const QUALITY: u8 = 82;

/// Renders a scene at the given size in pixels. Returns the media type and the encoded bytes, or `None` if nothing is
/// visible.
#[must_use]
pub fn of_scene(
    scene: &Scene,
    width: u32,
    height: u32,
    textures: &Textures,
) -> Option<(&'static str, Vec<u8>)> {
    let look = RenderOptions { width, height, ..RenderOptions::default() };
    let drawn = Subject::new(scene, look).draw(textures)?;
    Some(("image/jpeg", jpeg(&drawn)?))
}

/// Scales an image down to fit into the given size in pixels. Returns the media type and the encoded bytes.
#[must_use]
pub fn of_image(image: &Rgba8, width: u32, height: u32) -> (&'static str, Vec<u8>) {
    let (_, media_type, bytes) = shrunk(image, width, height);
    (media_type, bytes)
}

/// Like [`of_image`], but also returns the pixels.
pub(crate) fn shrunk(image: &Rgba8, width: u32, height: u32) -> (Rgba8, &'static str, Vec<u8>) {
    let mut small = shrink(image, width, height);
    if alpha_use(&small) == Alpha::Opaque
        && let Some(bytes) = jpeg(&small)
    {
        return (small, "image/jpeg", bytes);
    }
    let mut bytes = encode_png(&small);
    if bytes.len() > LARGE {
        small = shrink(&small, width >> 1, height >> 1);
        bytes = encode_png(&small);
    }
    (small, "image/png", bytes)
}

/// Encodes an image without alpha as JPEG. Returns `None` if it is too large for the format.
pub(crate) fn jpeg(picture: &Rgba8) -> Option<Vec<u8>> {
    encode_jpeg(picture, QUALITY).ok()
}
