//! Smaller copies of pictures, and pictures without alpha as JPEG: for previews.

use super::{Format, Rgba8};
use crate::Error;

/// A copy that fits into a rectangle; a picture that fits already stays as it is. Each pixel is the mean of those it stands for, in
/// which clear ones do not count.
pub fn shrink(picture: &Rgba8, most_width: u32, most_height: u32) -> Rgba8 {
    let (width, height) = (picture.width(), picture.height());
    let (most_width, most_height) = (most_width.max(1), most_height.max(1));
    if width <= most_width && height <= most_height {
        return picture.clone();
    }
    let scaled = |side: u32, other: u32, most: u32| {
        let scaled = u64::from(side).saturating_mul(u64::from(most)).checked_div(u64::from(other));
        u32::try_from(scaled.unwrap_or(1)).unwrap_or(1).max(1)
    };
    // The side that is too long by more decides.
    let wide = u64::from(width).saturating_mul(u64::from(most_height))
        >= u64::from(height).saturating_mul(u64::from(most_width));
    let (new_width, new_height) = match wide {
        true => (most_width, scaled(height, width, most_width)),
        false => (scaled(width, height, most_height), most_height),
    };
    resample(picture, new_width, new_height).unwrap_or_else(|| picture.clone())
}

/// Which pixels of `old` become pixel `at` of `new`, at least one.
fn span(at: u32, old: u32, new: u32) -> std::ops::Range<u32> {
    let place = |at: u32| {
        let scaled = u64::from(at).saturating_mul(u64::from(old)).checked_div(u64::from(new));
        u32::try_from(scaled.unwrap_or_default()).unwrap_or(u32::MAX)
    };
    let start = place(at).min(old.saturating_sub(1));
    start..place(at.saturating_add(1)).clamp(start.saturating_add(1), old.max(1))
}

/// The sums of so many weighed colors are below 2^32.
const FEW: usize = 1 << 16;

/// The sums of the colors of at most [`FEW`] pixels, weighed with alpha, and of the alphas.
fn weighed(pixels: &[[u8; 4]]) -> [u32; 4] {
    let mut sums = [0_u32; 4];
    for [red, green, blue, alpha] in pixels {
        let alpha = u32::from(*alpha);
        let parts = [*red, *green, *blue].map(|part| u32::from(part).wrapping_mul(alpha));
        for (sum, part) in sums.iter_mut().zip([parts[0], parts[1], parts[2], alpha]) {
            *sum = sum.wrapping_add(part);
        }
    }
    sums
}

fn resample(picture: &Rgba8, width: u32, height: u32) -> Option<Rgba8> {
    let index = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let row_length = index(picture.width()).checked_mul(4)?;
    let mut pixels = Vec::with_capacity(index(width).checked_mul(index(height))?.checked_mul(4)?);
    for y in 0..height {
        let rows = span(y, picture.height(), height);
        let rows = picture.pixels().chunks_exact(row_length).skip(index(rows.start)).take(rows.len());
        for x in 0..width {
            let columns = span(x, picture.width(), width);
            let bytes = index(columns.start).checked_mul(4)?..index(columns.end).checked_mul(4)?;
            let (mut sum, mut alphas, mut count) = ([0_u64; 3], 0_u64, 0_u64);
            for row in rows.clone() {
                let (here, _) = row.get(bytes.clone())?.as_chunks::<4>();
                for here in here.chunks(FEW) {
                    let weighed = weighed(here);
                    for (sum, part) in sum.iter_mut().zip(weighed) {
                        *sum = sum.saturating_add(u64::from(part));
                    }
                    alphas = alphas.saturating_add(u64::from(weighed[3]));
                    count = count.saturating_add(u64::try_from(here.len()).unwrap_or(u64::MAX));
                }
            }
            let mean = |sum: u64, over: u64| {
                let rounded = sum.saturating_add(over >> 1).checked_div(over).unwrap_or_default();
                u8::try_from(rounded).unwrap_or(u8::MAX)
            };
            pixels.extend(sum.map(|sum| mean(sum, alphas)));
            pixels.push(mean(alphas, count));
        }
    }
    Rgba8::new(width, height, pixels).ok()
}

/// Encodes the colors of a picture as a JPEG file, with a quality from 1 to 100. Alpha is left out. The same pixels give the same bytes.
///
/// # Errors
/// `Unsupported` when a side has more than 65535 pixels.
pub fn encode_jpeg(picture: &Rgba8, quality: u8) -> Result<Vec<u8>, Error> {
    let (pixels, _) = picture.pixels().as_chunks::<4>();
    let solid: Vec<u8> = pixels.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    let mut out = Vec::new();
    image::codecs::jpeg::JpegEncoder::new_with_quality(&mut out, quality.clamp(1, 100))
        .encode(&solid, picture.width(), picture.height(), image::ExtendedColorType::Rgb8)
        .map_err(|error| Format::Jpeg.unsupported(error.to_string()))?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Limits, decode};

    #[test]
    fn an_image_keeps_its_aspect_ratio_and_a_small_one_is_unchanged() {
        let picture = |width: u32, height: u32| {
            let count = usize::try_from(width * height * 4).unwrap();
            Rgba8::new(width, height, vec![7; count]).unwrap()
        };
        let size = |width, height| {
            let small = shrink(&picture(width, height), 32, 24);
            (small.width(), small.height())
        };
        assert_eq!(size(64, 24), (32, 12));
        assert_eq!(size(64, 480), (3, 24));
        assert_eq!(size(1000, 1), (32, 1));
        assert_eq!(size(1, 1000), (1, 24));
        assert_eq!(shrink(&picture(32, 24), 32, 24), picture(32, 24));
    }

    #[test]
    fn a_pixel_is_the_mean_of_the_visible_ones() {
        let pixels = [[100, 0, 0, 255], [200, 0, 0, 255], [0, 255, 0, 0], [10, 20, 30, 255]];
        let picture = Rgba8::new(4, 1, pixels.concat()).unwrap();
        assert_eq!(shrink(&picture, 2, 1).pixels(), [150, 0, 0, 255, 10, 20, 30, 128]);
        assert_eq!(shrink(&picture, 1, 1).get(0, 0).unwrap()[3], 191);
    }

    #[test]
    fn a_jpeg_has_about_the_same_color() {
        let picture = Rgba8::new(16, 16, [200, 100, 50, 255].repeat(256)).unwrap();
        let shown = decode(&encode_jpeg(&picture, 90).unwrap(), &Limits::default()).unwrap();
        let [red, green, blue, _] = shown.get(8, 8).unwrap();
        assert!(red.abs_diff(200) < 4 && green.abs_diff(100) < 4 && blue.abs_diff(50) < 4);
    }
}
