//! Placeholders for textures that were not found.

use super::{Encoded, Image, Rgba8, png_for_gltf};

/// Pixels along each side.
const SIDE: u32 = 16;

/// Pixels along each side of a square.
const SQUARE: u32 = 4;

/// Returns a checkered image of magenta and dark squares, with the name of the missing texture. Its bytes are always
/// the same.
pub fn placeholder(name: impl Into<String>) -> Image {
    Image { name: name.into(), encoded: checker() }
}

#[expect(clippy::expect_used, reason = "small constants")]
fn checker() -> Encoded {
    let color = |x: u32, y: u32| {
        if (x / SQUARE + y / SQUARE).is_multiple_of(2) { [255, 0, 255, 255] } else { [32, 0, 32, 255] }
    };
    let pixels = (0..SIDE).flat_map(|y| (0..SIDE).flat_map(move |x| color(x, y))).collect();
    png_for_gltf(&Rgba8::new(SIDE, SIDE, pixels).expect("SIDE by SIDE pixels"))
}
