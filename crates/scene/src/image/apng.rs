//! APNG: animated PNG files. Viewers without support show the first frame.

use super::encode::write_chunks;
use super::{IndexedAnimation, deflate, encode_indexed_png};
use crate::compression::Compression;

/// Encodes an animation as an animated PNG with a palette, repeated forever. The palette's order is kept; alpha
/// values are written up to the last one that is not opaque. An animation of one frame becomes a plain PNG. The same
/// animation produces the same bytes.
pub fn encode_apng(animation: &IndexedAnimation, compression: Compression) -> Vec<u8> {
    match (animation.frames(), animation.still(0)) {
        ([_], Some(still)) => encode_indexed_png(&still, compression),
        _ => write(animation, compression),
    }
}

#[expect(
    clippy::expect_used,
    reason = "the frames were checked against the size, and writing to memory does not fail"
)]
fn write(animation: &IndexedAnimation, compression: Compression) -> Vec<u8> {
    let palette = animation.palette();
    let solid = palette.iter().rev().take_while(|[.., alpha]| *alpha == 255).count();
    let colors: Vec<u8> = palette.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    let alphas: Vec<u8> = palette.iter().take(palette.len() - solid).map(|[.., alpha]| *alpha).collect();
    let count = u32::try_from(animation.frames().len()).expect("fewer frames than pixels in memory");
    let mut out = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut out, animation.width(), animation.height());
    encoder.set_color(::png::ColorType::Indexed);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_palette(colors);
    if !alphas.is_empty() {
        encoder.set_trns(alphas);
    }
    encoder.set_animated(count, 0).expect("an animation has frames");
    let row_length = usize::try_from(animation.width()).unwrap_or(usize::MAX);
    let mut sequence = 0_u32..;
    let mut next = || sequence.next().unwrap_or_default().to_be_bytes();
    let frames = animation.frames().iter().zip([true].into_iter().chain(std::iter::repeat(false)));
    let chunks = frames.flat_map(|(frame, is_first)| {
        let control = (::png::chunk::fcTL, control_of(animation, next()));
        let data = deflate::indices(frame, row_length, compression);
        let data = match is_first {
            true => (::png::chunk::IDAT, data),
            false => (::png::chunk::fdAT, [&next()[..], &data].concat()),
        };
        [control, data]
    });
    write_chunks(encoder, chunks);
    out
}

/// Returns the control chunk of a frame: sequence number, size, position and delay. Every frame is complete and
/// replaces the previous one, including transparent pixels.
fn control_of(animation: &IndexedAnimation, number: [u8; 4]) -> Vec<u8> {
    let [width, height] = [animation.width(), animation.height()].map(u32::to_be_bytes);
    let delay = [animation.delay().numerator, animation.delay().denominator].map(u16::to_be_bytes);
    let position = [0; 8];
    let (dispose, blend) = (0, 0);
    let mut out = [number, width, height].concat();
    out.extend(position);
    out.extend(delay.as_flattened());
    out.extend([dispose, blend]);
    out
}
