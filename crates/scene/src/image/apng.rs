//! APNG: a PNG whose frames follow one another. Viewers that do not know it show the first.

use super::encode::LEVEL;
use super::{IndexedAnimation, encode_indexed_png};

/// Encodes a film as an animated PNG with a palette, repeated for ever. The palette's order is kept, alpha is written as far as it is
/// used. A film of one frame is a plain PNG. The same film gives the same bytes.
pub fn encode_apng(film: &IndexedAnimation) -> Vec<u8> {
    match (film.frames(), film.still(0)) {
        ([_], Some(still)) => encode_indexed_png(&still),
        _ => write(film),
    }
}

#[expect(
    clippy::expect_used,
    reason = "the frames were checked against the size, and writing to memory does not fail"
)]
fn write(film: &IndexedAnimation) -> Vec<u8> {
    let palette = film.palette();
    let solid = palette.iter().rev().take_while(|[.., alpha]| *alpha == 255).count();
    let colors: Vec<u8> = palette.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    let alphas: Vec<u8> =
        palette.iter().take(palette.len().saturating_sub(solid)).map(|[.., alpha]| *alpha).collect();
    let count = u32::try_from(film.frames().len()).expect("fewer frames than pixels in memory");
    let mut out = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut out, film.width(), film.height());
    encoder.set_color(::png::ColorType::Indexed);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_deflate_compression(::png::DeflateCompression::Level(LEVEL));
    // Differences between palette places mean nothing.
    encoder.set_filter(::png::Filter::NoFilter);
    encoder.set_palette(colors);
    if !alphas.is_empty() {
        encoder.set_trns(alphas);
    }
    encoder.set_animated(count, 0).expect("a film has frames");
    encoder.set_frame_delay(film.delay().numerator, film.delay().denominator).expect("it is animated");
    // Every frame is whole and takes the place of the one before, what is clear in it too.
    encoder.set_dispose_op(::png::DisposeOp::None).expect("it is animated");
    encoder.set_blend_op(::png::BlendOp::Source).expect("it is animated");
    let mut writer = encoder.write_header().expect("a size that is not zero");
    for frame in film.frames() {
        writer.write_image_data(frame).expect("as many bytes as the size says");
    }
    writer.finish().expect("all frames are written");
    out
}
