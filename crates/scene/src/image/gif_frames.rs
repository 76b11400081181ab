//! GIF decoding: complete frames of animations.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use std::io::Cursor;

use ::gif::{ColorOutput, DecodeOptions, DisposalMethod, Frame, MemoryLimit};

use super::{Format, Limits, Rgba8};
use crate::Error;

/// Decodes all frames of a GIF as displayed, and the delay of the first frame in milliseconds. The total number of
/// pixels of all frames is limited.
///
/// # Errors
/// `Malformed`, or `Limit` beyond the given limits.
pub fn decode_gif(bytes: &[u8], limits: &Limits) -> Result<(Vec<Rgba8>, u16), Error> {
    let bad = |error: ::gif::DecodingError| Format::Gif.bad(0, error.to_string());
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let bytes_allowed = limits.max_pixels.saturating_mul(4).max(1);
    if let Some(bytes_allowed) = std::num::NonZeroU64::new(bytes_allowed) {
        options.set_memory_limit(MemoryLimit::Bytes(bytes_allowed));
    }
    let mut decoder = options.read_info(Cursor::new(bytes)).map_err(bad)?;
    let (width, height) = (u32::from(decoder.width()), u32::from(decoder.height()));
    limits.check(Format::Gif, width, height)?;
    let mut canvas = Rgba8::new(width, height, vec![0; pixels_of(width, height).saturating_mul(4)])?;
    let (mut frames, mut delay) = (Vec::new(), 0);
    while let Some(frame) = decoder.read_next_frame().map_err(bad)? {
        let count = u32::try_from(frames.len()).unwrap_or(u32::MAX).saturating_add(1);
        limits.check(Format::Gif, width, height.saturating_mul(count))?;
        if frames.is_empty() {
            delay = frame.delay.saturating_mul(10);
        }
        let before = (frame.dispose == DisposalMethod::Previous).then(|| canvas.clone());
        draw(frame, &mut canvas, Draw::Over);
        frames.push(canvas.clone());
        match (frame.dispose, before) {
            (DisposalMethod::Background, _) => draw(frame, &mut canvas, Draw::Clear),
            (_, Some(before)) => canvas = before,
            _ => {}
        }
    }
    match frames.is_empty() {
        true => Err(Format::Gif.bad(0, "there are no frames".to_owned())),
        false => Ok((frames, delay)),
    }
}

fn pixels_of(width: u32, height: u32) -> usize {
    let side = |length: u32| usize::try_from(length).unwrap_or(usize::MAX);
    side(width).saturating_mul(side(height))
}

/// The operation on the area of a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Draw {
    /// Draws the pixels that are not transparent.
    Over,
    /// Makes all pixels transparent.
    Clear,
}

fn draw(frame: &Frame<'_>, canvas: &mut Rgba8, how: Draw) {
    let stride = usize::try_from(canvas.width()).unwrap_or_default().saturating_mul(4);
    let (left, wide) =
        (usize::from(frame.left).saturating_mul(4), usize::from(frame.width).saturating_mul(4));
    let rows = canvas.pixels_mut().chunks_exact_mut(stride.max(1)).skip(usize::from(frame.top));
    for (row, from) in rows.zip(frame.buffer.chunks_exact(wide.max(1))) {
        let row = row.get_mut(left..).unwrap_or_default();
        for (to, from) in row.chunks_exact_mut(4).zip(from.chunks_exact(4)) {
            match how {
                Draw::Clear => to.fill(0),
                Draw::Over if from.get(3).is_some_and(|alpha| *alpha > 0) => to.copy_from_slice(from),
                Draw::Over => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Delay, IndexedAnimation, encode_gif};

    #[test]
    fn round_trips_the_frames_of_an_animation() {
        let palette = vec![[0, 0, 0, 0], [255, 0, 0, 255], [0, 255, 0, 255]];
        let frames = vec![vec![0, 1, 2, 1, 0, 2], vec![2, 2, 0, 0, 1, 1]];
        let animation = IndexedAnimation::new(3, 2, frames, palette, Delay::milliseconds(70)).unwrap();
        let (read, delay) = decode_gif(&encode_gif(&animation).unwrap(), &Limits::default()).unwrap();
        assert_eq!((read.len(), delay), (2, 70));
        for (number, picture) in read.iter().enumerate() {
            let still = animation.still(number).unwrap().to_rgba8();
            for (found, expected) in picture.pixels().chunks(4).zip(still.pixels().chunks(4)) {
                assert!(found == expected || (found[3] == 0 && expected[3] == 0), "{number}");
            }
        }
    }

    #[test]
    fn refuses_too_many_pixels_and_damaged_files() {
        let animation =
            IndexedAnimation::new(3, 2, vec![vec![0; 6]; 9], vec![[1, 2, 3, 255]], Delay::milliseconds(70))
                .unwrap();
        let bytes = encode_gif(&animation).unwrap();
        assert!(decode_gif(&bytes, &Limits { max_pixels: 53 }).is_err());
        assert!(decode_gif(&bytes, &Limits { max_pixels: 54 }).is_ok());
        for length in 0..bytes.len() {
            let _ = decode_gif(&bytes[..length], &Limits::default());
        }
        assert!(decode_gif(b"GIF89a", &Limits::default()).is_err());
    }
}
