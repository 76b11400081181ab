//! Pixels as a JPEG encoder takes them when four share a tint: the tint is their average.

use jpeg_encoder::{ImageBuffer, JpegColorType};

use super::Rgba8;

/// A picture whose tints are averages of two by two pixels. Made for sampling by two in both directions, which takes the tint of the
/// first of four pixels; the others have none.
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
        luma.extend(above.iter().map(|pixel| brightness(*pixel)));
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
        for ([a, b], [c, d]) in above.iter().zip(below) {
            let [to_blue, to_red] = tint([*a, *b, *c, *d]);
            blue.extend([to_blue; 2]);
            red.extend([to_red; 2]);
        }
        if let ([a], [c]) = (end, end_below) {
            let [to_blue, to_red] = tint([*a, *a, *c, *c]);
            blue.push(to_blue);
            red.push(to_red);
        }
    }
}

/// `0.299 red + 0.587 green + 0.114 blue`.
fn brightness([red, green, blue, _]: [u8; 4]) -> u8 {
    let part = |channel: u8, weight: u16| u16::from(channel).wrapping_mul(weight);
    let sum = part(red, 77).wrapping_add(part(green, 150)).wrapping_add(part(blue, 29));
    let [_, rounded] = sum.wrapping_add(128).to_le_bytes();
    rounded
}

/// The tints of the average, towards blue and towards red; 128 is gray.
fn tint(pixels: [[u8; 4]; 4]) -> [u8; 2] {
    let mut sums = [0_i32; 3];
    for [red, green, blue, _] in pixels {
        for (sum, channel) in sums.iter_mut().zip([red, green, blue]) {
            *sum = sum.wrapping_add(channel.into());
        }
    }
    let weighed = |weights: [i32; 3]| {
        let sum = sums
            .iter()
            .zip(weights)
            .fold(0_i32, |all, (sum, weight)| all.wrapping_add(sum.wrapping_mul(weight)));
        // Sums of four, and weights that are 2^14 for one half.
        let rounded = sum.wrapping_add(1 << 16).wrapping_shr(17).wrapping_add(128);
        u8::try_from(rounded.clamp(0, 255)).unwrap_or(u8::MAX)
    };
    [weighed([-5529, -10855, 16384]), weighed([16384, -13720, -2664])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Limits, decode, jpeg_for_gltf};

    #[test]
    fn brightness_and_tint_are_those_of_jpeg() {
        for color in [[0, 0, 0], [255; 3], [255, 0, 0], [0, 255, 0], [0, 0, 255], [13, 200, 77]] {
            let [red, green, blue] = color;
            let (luma, to_blue, to_red) = jpeg_encoder::rgb_to_ycbcr(red, green, blue);
            let pixel = [red, green, blue, 255];
            assert!(brightness(pixel).abs_diff(luma) <= 1, "{color:?}");
            let [of_blue, of_red] = tint([pixel; 4]);
            // A full tint is half a step beyond the last number.
            assert!(of_blue.abs_diff(to_blue) <= 1 || color == [0, 0, 255], "{color:?}");
            assert!(of_red.abs_diff(to_red) <= 1 || color == [255, 0, 0], "{color:?}");
        }
    }

    #[test]
    fn a_picture_of_odd_size_keeps_its_colors_to_the_edge() {
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
