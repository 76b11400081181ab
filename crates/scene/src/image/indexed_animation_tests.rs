//! Animations, and images that were edited by other programs.

use std::io::Cursor;

use super::*;
use crate::image::{Delay, IndexedAnimation, encode_apng, encode_gif, encode_indexed_png, encode_png};

const PALETTE: [[u8; 4]; 4] = [[9, 9, 9, 0], [10, 20, 30, 255], [10, 20, 30, 255], [250, 0, 0, 255]];

fn animation() -> IndexedAnimation {
    let frames = vec![vec![0, 1, 2, 3, 3, 3], vec![3, 3, 0, 0, 1, 1], vec![1; 6]];
    IndexedAnimation::new(3, 2, frames, PALETTE.to_vec(), Delay { numerator: 10, denominator: 182 }).unwrap()
}

/// Returns the frames of an APNG: indices, numerator and denominator of the delay.
fn apng_frames(bytes: &[u8]) -> Vec<(Vec<u8>, (u16, u16))> {
    let mut reader = ::png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let count = reader.info().animation_control().unwrap().num_frames;
    let frame = |_| {
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let size = reader.next_frame(&mut pixels).unwrap().buffer_size();
        pixels.truncate(size);
        let control = reader.info().frame_control().unwrap();
        (pixels, (control.delay_num, control.delay_den))
    };
    (0..count).map(frame).collect()
}

#[test]
fn preserves_frames_palette_and_delay_in_an_animated_png() {
    let bytes = encode_apng(&animation(), crate::Compression::Usual);
    let frames = apng_frames(&bytes);
    assert_eq!(frames.len(), 3);
    for ((pixels, delay), frame) in frames.iter().zip(animation().frames()) {
        assert_eq!((pixels, *delay), (frame, (10, 182)));
    }
    // Viewers without APNG support show the first frame.
    let first = decode_indexed(&bytes, &Limits::default()).unwrap().unwrap();
    assert_eq!((first.indices(), first.palette()), (&animation().frames()[0][..], &PALETTE[..]));
    assert_eq!(encode_apng(&animation(), crate::Compression::Usual), bytes);
}

#[test]
fn encodes_a_single_frame_as_a_plain_png() {
    let animation =
        IndexedAnimation::new(1, 1, vec![vec![3]], PALETTE.to_vec(), Delay::milliseconds(5)).unwrap();
    assert_eq!(
        encode_apng(&animation, crate::Compression::Usual),
        encode_indexed_png(&animation.still(0).unwrap(), crate::Compression::Usual)
    );
}

#[test]
fn preserves_frames_and_palette_in_a_gif() {
    let bytes = encode_gif(&animation()).unwrap();
    let mut options = ::gif::DecodeOptions::new();
    options.set_color_output(::gif::ColorOutput::Indexed);
    let mut reader = options.read_info(&bytes[..]).unwrap();
    let colors: Vec<u8> = PALETTE.iter().flat_map(|color| color[..3].to_vec()).collect();
    assert_eq!(reader.global_palette().unwrap(), colors);
    assert_eq!(reader.repeat(), ::gif::Repeat::Infinite);
    let mut delays = Vec::new();
    for frame in animation().frames() {
        let read = reader.read_next_frame().unwrap().unwrap();
        assert_eq!((&*read.buffer, read.transparent), (&frame[..], Some(0)));
        delays.push(read.delay);
    }
    assert!(reader.read_next_frame().unwrap().is_none());
    // 5.49 hundredths each: rounding errors do not add up.
    assert_eq!(delays, [5, 6, 5]);
}

#[test]
fn refuses_colors_and_sizes_that_gif_does_not_support() {
    let mut palette = PALETTE.to_vec();
    palette[1][3] = 100;
    let delay = Delay::milliseconds(10);
    let make = |palette: Vec<[u8; 4]>| {
        encode_gif(&IndexedAnimation::new(2, 1, vec![vec![0, 1]], palette, delay).unwrap())
    };
    let message = |palette| make(palette).unwrap_err().to_string();
    assert_eq!(message(palette.clone()), "GIF image: a partially transparent color is not supported");
    palette[1][3] = 0;
    assert_eq!(message(palette), "GIF image: a second transparent color is not supported");
    let wide = IndexedAnimation::new(70_000, 1, vec![vec![1; 70_000]], PALETTE.to_vec(), delay).unwrap();
    assert_eq!(
        encode_gif(&wide).unwrap_err().to_string(),
        "GIF image: a side of 70000 pixels is not supported"
    );
}

#[test]
fn refuses_frames_of_the_wrong_size_or_color() {
    let make = |frames| IndexedAnimation::new(2, 1, frames, PALETTE.to_vec(), Delay::milliseconds(1));
    let refused = |frames| make(frames).unwrap_err().to_string();
    assert_eq!(refused(vec![]), "frames: expected 1 items, found 0");
    let sizes = refused(vec![vec![0; 2], vec![0; 3]]);
    assert_eq!(sizes, "an image of 2 x 1 pixels needs 2 bytes, found 3");
    assert_eq!(refused(vec![vec![0; 2], vec![0, 4]]), "palette: index 4 is out of range (count: 4)");
    assert_eq!(refused(vec![vec![]]), "an image of 2 x 1 pixels needs 2 bytes, found 0");
}

#[test]
fn reads_indices_of_every_depth() {
    for (depth, packed) in [
        (::png::BitDepth::One, vec![0b0110_0000, 0b1000_0000]),
        (::png::BitDepth::Two, vec![0b0001_0100, 0b0100_0000]),
        (::png::BitDepth::Four, vec![0x01, 0x10, 0x10, 0x00]),
    ] {
        let mut png = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut png, 3, 2);
        encoder.set_color(::png::ColorType::Indexed);
        encoder.set_depth(depth);
        encoder.set_palette(vec![1, 2, 3, 4, 5, 6]);
        encoder.write_header().unwrap().write_image_data(&packed).unwrap();
        let read = decode_indexed(&png, &Limits::default()).unwrap().unwrap();
        assert_eq!(read.indices(), [0, 1, 1, 1, 0, 0], "{depth:?}");
        assert_eq!(read.palette(), [[1, 2, 3, 255], [4, 5, 6, 255]]);
    }
    let gray = encode_png(&Rgba8::new(1, 1, vec![1, 2, 3, 255]).unwrap());
    assert_eq!(decode_indexed(&gray, &Limits::default()).unwrap(), None);
    assert_eq!(decode_indexed(b"no picture", &Limits::default()).unwrap(), None);
    let one = encode_indexed_png(&animation().still(0).unwrap(), crate::Compression::Usual);
    assert!(decode_indexed(&one, &Limits { max_pixels: 5 }).is_err());
    for length in 0..one.len() {
        assert!(!matches!(decode_indexed(&one[..length], &Limits::default()), Ok(Some(_))), "{length}");
    }
}

#[test]
fn keeps_indices_of_unchanged_pixels_and_matches_others() {
    let picture = Rgba8::new(
        5,
        1,
        [[10, 20, 30, 255]; 3].into_iter().chain([[1, 2, 3, 0], [252, 1, 2, 255]]).flatten().collect(),
    )
    .unwrap();
    let matched = match_palette(&picture, &PALETTE, Some(&[2, 1, 3, 0, 3]));
    assert_eq!(matched.indices, [2, 1, 1, 0, 3]);
    assert_eq!((matched.inexact, matched.worst), (1, 3.0));
    // Without previous indices: the first of equal colors.
    assert_eq!(match_palette(&picture, &PALETTE, None).indices, [1, 1, 1, 0, 3]);
}

#[test]
fn never_makes_an_opaque_pixel_transparent() {
    let black = Rgba8::new(1, 1, vec![9, 9, 9, 255]).unwrap();
    assert_eq!(match_palette(&black, &PALETTE, Some(&[0])).indices, [1]);
    let opaque = PALETTE.map(|[r, g, b, _]| [r, g, b, 255]);
    assert_eq!(match_palette(&black, &opaque, None).indices, [0]);
    // Without a transparent color, a transparent pixel is matched by its color.
    let clear = Rgba8::new(1, 1, vec![9, 9, 9, 0]).unwrap();
    assert_eq!(match_palette(&clear, &opaque, None), Matched { indices: vec![0], inexact: 0, worst: 0.0 });
}
