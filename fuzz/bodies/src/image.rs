//! Whatever a picture's bytes are, it is recognized, measured, decoded and made fit for glTF, or refused.

use antiquary::scene::image::{Limits, decode, encode_png, for_gltf, size, sniff};

/// Larger pictures are read no differently, only slower.
const MOST_PIXELS: u64 = 1 << 18;

pub(crate) fn run(bytes: &[u8]) {
    let _ = sniff(bytes);
    let _ = size(bytes);
    let Ok(picture) = decode(bytes, &Limits { max_pixels: MOST_PIXELS }) else { return };
    let fit = for_gltf(bytes).expect("what can be decoded is fit for glTF");
    assert_eq!((fit.width, fit.height), (picture.width(), picture.height()));
    let back = decode(&fit.bytes, &Limits::default()).expect("what is fit for glTF can be decoded");
    assert!(back == picture, "made fit for glTF, it is another picture");
    let again = decode(&encode_png(&picture), &Limits::default()).expect("our own PNG");
    assert!(again == picture, "written as PNG, it is another picture");
}
