//! Any image is detected, measured, decoded and converted for glTF, or refused.

use antiquary::scene::image::{Limits, decode, encode_png, for_gltf, size, sniff};

/// Maximum number of pixels. Larger images are only slower.
const MAX_PIXELS: u64 = 1 << 18;

pub(crate) fn run(bytes: &[u8]) {
    let _ = sniff(bytes);
    let _ = size(bytes);
    let Ok(picture) = decode(bytes, &Limits { max_pixels: MAX_PIXELS }) else { return };
    let fit = for_gltf(bytes).expect("a decoded image can be converted for glTF");
    assert_eq!((fit.width, fit.height), (picture.width(), picture.height()));
    let back = decode(&fit.bytes, &Limits::default()).expect("an image for glTF can be decoded");
    assert!(back == picture, "converting the image for glTF changed its pixels");
    let again = decode(&encode_png(&picture), &Limits::default()).expect("the written PNG can be decoded");
    assert!(again == picture, "writing the image as PNG changed its pixels");
}
