//! Small pictures, for overviews of many files.

use render::{RenderOptions, Subject, Textures};
use scene::Scene;
use scene::image::{Alpha, Rgba8, alpha_use, encode_jpeg, encode_png, shrink};

/// A picture with alpha that takes more than this is made smaller still.
const LARGE: usize = 40 << 10;
/// How good pictures without alpha are; 100 is best.
const QUALITY: u8 = 82;

/// A scene drawn into so many pixels: the media type and the bytes. `None` when there is nothing to see.
#[must_use]
pub fn of_scene(
    scene: &Scene,
    width: u32,
    height: u32,
    textures: &Textures,
) -> Option<(&'static str, Vec<u8>)> {
    let look = RenderOptions { width, height, ..RenderOptions::default() };
    let drawn = Subject::of(scene, look).draw(textures)?;
    Some(("image/jpeg", jpeg(&drawn)?))
}

/// An image made so small that it fits into so many pixels: the media type and the bytes.
#[must_use]
pub fn of_image(image: &Rgba8, width: u32, height: u32) -> (&'static str, Vec<u8>) {
    let (_, media_type, bytes) = shrunk(image, width, height);
    (media_type, bytes)
}

/// The same with its pixels.
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

/// A picture without alpha as a file. `None` when it is too large for one.
pub(crate) fn jpeg(picture: &Rgba8) -> Option<Vec<u8>> {
    encode_jpeg(picture, QUALITY).ok()
}
