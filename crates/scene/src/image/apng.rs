//! APNG: a PNG whose frames follow one another. Viewers that do not know it show the first.

use super::encode::write_chunks;
use super::{IndexedAnimation, deflate, encode_indexed_png};

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
    let alphas: Vec<u8> = palette.iter().take(palette.len() - solid).map(|[.., alpha]| *alpha).collect();
    let count = u32::try_from(film.frames().len()).expect("fewer frames than pixels in memory");
    let mut out = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut out, film.width(), film.height());
    encoder.set_color(::png::ColorType::Indexed);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_palette(colors);
    if !alphas.is_empty() {
        encoder.set_trns(alphas);
    }
    encoder.set_animated(count, 0).expect("a film has frames");
    let row_length = usize::try_from(film.width()).unwrap_or(usize::MAX);
    let mut sequence = 0_u32..;
    let mut next = || sequence.next().unwrap_or_default().to_be_bytes();
    let frames = film.frames().iter().zip([true].into_iter().chain(std::iter::repeat(false)));
    let chunks = frames.flat_map(|(frame, is_first)| {
        let control = (::png::chunk::fcTL, control_of(film, next()));
        let data = deflate::indices(frame, row_length);
        let data = match is_first {
            true => (::png::chunk::IDAT, data),
            false => (::png::chunk::fdAT, [&next()[..], &data].concat()),
        };
        [control, data]
    });
    write_chunks(encoder, chunks);
    out
}

/// What stands before a frame, as numbered: size, place and delay. Every frame is whole and takes the place of the one before, what is
/// clear in it too.
fn control_of(film: &IndexedAnimation, number: [u8; 4]) -> Vec<u8> {
    let [width, height] = [film.width(), film.height()].map(u32::to_be_bytes);
    let delay = [film.delay().numerator, film.delay().denominator].map(u16::to_be_bytes);
    let place = [0; 8];
    let (dispose, blend) = (0, 0);
    let mut out = [number, width, height].concat();
    out.extend(place);
    out.extend(delay.as_flattened());
    out.extend([dispose, blend]);
    out
}
