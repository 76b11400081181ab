//! Chrominance of JPEG images for close viewing: its quantization, and its subsampling by averages of four pixels.
//!
//! The standard table quantizes chrominance three times as coarsely as brightness, which is invisible in daylight. In
//! a dark room, the tint of a lamp is most of what is visible, and a few steps are a large part of it.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use jpeg_encoder::{ImageBuffer, JpegColorType};

use super::Rgba8;

/// An image whose chrominance is averaged over two by two pixels. It is intended for subsampling by two in both
/// directions, which takes the chrominance of the first of four pixels; the others have none.
pub(super) struct Averaged<'a> {
    pub(super) picture: &'a Rgba8,
    pub(super) width: u16,
    pub(super) height: u16,
}

impl Averaged<'_> {
    fn row(&self, y: u16) -> &[[u8; 4]] {
        let width = usize::from(self.width);
        let first = width.saturating_mul(y.into());
        let (pixels, _) = self.picture.pixels().as_chunks::<4>();
        pixels.get(first..first.saturating_add(width)).unwrap_or_default()
    }
}

impl ImageBuffer for Averaged<'_> {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        JpegColorType::Ycbcr
    }

    fn width(&self) -> u16 {
        self.width
    }

    fn height(&self) -> u16 {
        self.height
    }

    fn fill_buffers(&self, y: u16, [luma, blue, red, _]: &mut [Vec<u8>; 4]) {
        let above = self.row(y);
        let (groups, rest) = above.as_chunks::<16>();
        for group in groups {
            luma.extend_from_slice(&group.map(brightness));
        }
        luma.extend(rest.iter().map(|pixel| brightness(*pixel)));
        if y & 1 == 1 {
            blue.resize(luma.len(), 0);
            red.resize(luma.len(), 0);
            return;
        }
        let below = match self.row(y.saturating_add(1)) {
            [] => above,
            below => below,
        };
        let ((above, end), (below, end_below)) = (above.as_chunks::<2>(), below.as_chunks::<2>());
        let (blue_pairs, red_pairs) = (pairs(blue, above.len()), pairs(red, above.len()));
        for ((([a, b], [c, d]), blue), red) in above.iter().zip(below).zip(blue_pairs).zip(red_pairs) {
            let [to_blue, to_red] = tint([*a, *b, *c, *d]);
            (*blue, *red) = ([to_blue; 2], [to_red; 2]);
        }
        if let ([a], [c]) = (end, end_below) {
            let [to_blue, to_red] = tint([*a, *a, *c, *c]);
            blue.push(to_blue);
            red.push(to_red);
        }
    }
}

/// Appends the given number of pairs.
fn pairs(bytes: &mut Vec<u8>, count: usize) -> &mut [[u8; 2]] {
    let start = bytes.len();
    bytes.resize(start.saturating_add(count.saturating_mul(2)), 0);
    let (pairs, _) = bytes.get_mut(start..).unwrap_or_default().as_chunks_mut::<2>();
    pairs
}

/// Quantization steps of the chrominance at quality 50, row by row from low to high frequencies: half of the standard
/// table (ITU-T T.81, annex K), with at most 27 where the standard has 50 or more.
#[rustfmt::skip]
const TINTS: [u16; 64] = [
     9,  9, 12, 24, 27, 27, 27, 27,
     9, 11, 13, 27, 27, 27, 27, 27,
    12, 13, 27, 27, 27, 27, 27, 27,
    24, 27, 27, 27, 27, 27, 27, 27,
    27, 27, 27, 27, 27, 27, 27, 27,
    27, 27, 27, 27, 27, 27, 27, 27,
    27, 27, 27, 27, 27, 27, 27, 27,
    27, 27, 27, 27, 27, 27, 27, 27,
];

/// Returns the quantization steps of the chrominance at a quality from 1 to 100, scaled as usual.
pub(super) fn fine_tints(quality: u8) -> [u16; 64] {
    let quality = u16::from(quality.clamp(1, 100));
    let percent = match quality {
        ..50 => 5000_u16.checked_div(quality).unwrap_or(5000),
        _ => 200_u16.saturating_sub(quality.saturating_mul(2)),
    };
    TINTS.map(|step| {
        let scaled = u32::from(step).saturating_mul(percent.into()).saturating_add(50).checked_div(100);
        u16::try_from(scaled.unwrap_or_default()).unwrap_or(u16::MAX).clamp(1, 255)
    })
}

/// Maximum value of the channels of a dark pixel.
const DARK: u8 = 64;

/// Minimum difference between the channels of a tinted pixel.
const TINTED: u8 = 12;

/// Only every n-th row is examined.
const ROWS: usize = 8;

/// Whether at least one in 64 pixels is dark and tinted. If four such pixels share their chrominance, single ones may
/// lose most of their brightness.
pub(super) fn has_dark_tints(picture: &Rgba8) -> bool {
    let (pixels, _) = picture.pixels().as_chunks::<4>();
    let width = usize::try_from(picture.width()).unwrap_or(usize::MAX).max(1);
    let (mut found, mut seen) = (0_usize, 0_usize);
    for row in pixels.chunks(width).step_by(ROWS) {
        let is_dark_tint = |[red, green, blue, _]: &[u8; 4]| {
            let (low, high) = ((*red).min(*green).min(*blue), (*red).max(*green).max(*blue));
            high <= DARK && high.saturating_sub(low) >= TINTED
        };
        found = found.saturating_add(row.iter().filter(|pixel| is_dark_tint(pixel)).count());
        seen = seen.saturating_add(row.len());
    }
    found.saturating_mul(64) >= seen
}

/// Luminance: `0.299 red + 0.587 green + 0.114 blue`.
fn brightness(pixel: [u8; 4]) -> u8 {
    // The pixel is processed as one number, so that the compiler can vectorize the loop.
    let pixel = u32::from_le_bytes(pixel);
    let part = |shift: u32, weight: u32| (pixel.wrapping_shr(shift) & 0xff).wrapping_mul(weight);
    let sum = part(0, 77).wrapping_add(part(8, 150)).wrapping_add(part(16, 29));
    let [_, rounded, ..] = sum.wrapping_add(128).to_le_bytes();
    rounded
}

/// Returns the chrominance of the average, blue and red difference; 128 is gray.
fn tint(pixels: [[u8; 4]; 4]) -> [u8; 2] {
    // Sums of red and blue, 16 bits apart.
    let (mut outer, mut green) = (0_u32, 0_u32);
    for pixel in pixels.map(u32::from_le_bytes) {
        outer = outer.wrapping_add(pixel & 0x00ff_00ff);
        green = green.wrapping_add(pixel.wrapping_shr(8) & 0xff);
    }
    let sums = [outer & 0xffff, green, outer.wrapping_shr(16)].map(u32::cast_signed);
    let weighed = |weights: [i32; 3]| {
        let parts = sums.iter().zip(weights).map(|(sum, weight)| sum.wrapping_mul(weight));
        let sum = parts.fold(0_i32, i32::wrapping_add);
        // The sums are of four pixels, and 2^14 represents a weight of one half.
        let rounded = sum.wrapping_add(1 << 16).wrapping_shr(17).wrapping_add(128);
        let [byte, ..] = rounded.clamp(0, 255).to_le_bytes();
        byte
    };
    [weighed([-5529, -10855, 16384]), weighed([16384, -13720, -2664])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Limits, decode, jpeg_for_gltf};

    #[test]
    fn computes_brightness_and_chrominance_like_jpeg() {
        for color in [[0, 0, 0], [255; 3], [255, 0, 0], [0, 255, 0], [0, 0, 255], [13, 200, 77]] {
            let [red, green, blue] = color;
            let (luma, to_blue, to_red) = jpeg_encoder::rgb_to_ycbcr(red, green, blue);
            let pixel = [red, green, blue, 255];
            assert!(brightness(pixel).abs_diff(luma) <= 1, "{color:?}");
            let [of_blue, of_red] = tint([pixel; 4]);
            // The maximum difference is half a step beyond the largest number.
            assert!(of_blue.abs_diff(to_blue) <= 1 || color == [0, 0, 255], "{color:?}");
            assert!(of_red.abs_diff(to_red) <= 1 || color == [255, 0, 0], "{color:?}");
        }
    }

    #[test]
    fn quantizes_chrominance_more_finely_at_any_quality() {
        assert_eq!(fine_tints(50), TINTS);
        assert_eq!(fine_tints(89)[..4], [2, 2, 3, 5]);
        assert_eq!(fine_tints(100), [1; 64]);
        assert_eq!(fine_tints(1), [255; 64]);
        assert_eq!(fine_tints(0), fine_tints(1));
    }

    #[test]
    fn keeps_the_chrominance_of_each_pixel_of_a_dark_image() {
        let pixels = |bright: u8| [[bright, 0, 0, 255], [0, bright / 2, 0, 255]].concat().repeat(32 * 16);
        let picture = |bright: u8| Rgba8::new(32, 32, pixels(bright)).unwrap();
        assert!(has_dark_tints(&picture(60)));
        assert!(!has_dark_tints(&picture(160)));
        assert!(!has_dark_tints(&Rgba8::new(32, 32, [10, 10, 14, 255].repeat(1024)).unwrap()));
        let shown = decode(&jpeg_for_gltf(&picture(60), 89).unwrap().bytes, &Limits::default()).unwrap();
        for (found, want) in shown.pixels().iter().zip(picture(60).pixels()) {
            assert!(found.abs_diff(*want) <= 12, "{found} and {want}");
        }
    }

    #[test]
    fn keeps_the_colors_at_the_edges_of_an_odd_sized_image() {
        let (width, height) = (37, 21);
        let byte = |number: u32| u8::try_from(number).unwrap();
        let pixels = (0..width * height)
            .flat_map(|at| [byte(40 + 4 * (at % width)), byte(30 + 8 * (at / width)), 90, 255]);
        let picture = Rgba8::new(width, height, pixels.collect()).unwrap();
        let shown = decode(&jpeg_for_gltf(&picture, 85).unwrap().bytes, &Limits::default()).unwrap();
        for (found, want) in shown.pixels().iter().zip(picture.pixels()) {
            assert!(found.abs_diff(*want) <= 12, "{found} and {want}");
        }
    }
}
