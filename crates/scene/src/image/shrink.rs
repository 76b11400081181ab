//! Reduced copies of images, and JPEG encoding of images without alpha, for previews.

use std::ops::Range;

use jpeg_encoder::{ColorType, Encoder, EncodingError, QuantizationTableType, SamplingFactor};

use super::chroma::{Averaged, fine_tints, has_dark_tints};
use super::{Alpha, Format, Rgba8, alpha_use};
use crate::Error;

/// Returns the size of an image after it is fitted into a rectangle; an image that already fits keeps its size.
pub fn fitted_size(width: u32, height: u32, max_width: u32, max_height: u32) -> (u32, u32) {
    let (max_width, max_height) = (max_width.max(1), max_height.max(1));
    if width <= max_width && height <= max_height {
        return (width, height);
    }
    let scaled = |side: u32, other: u32, max: u32| {
        let scaled = (u64::from(side) * u64::from(max)).checked_div(u64::from(other));
        u32::try_from(scaled.unwrap_or(1)).unwrap_or(1).max(1)
    };
    // The side that exceeds the limit by the larger factor determines the scale.
    let wide = u64::from(width) * u64::from(max_height) >= u64::from(height) * u64::from(max_width);
    match wide {
        true => (max_width, scaled(height, width, max_width)),
        false => (scaled(width, height, max_height), max_height),
    }
}

/// Returns a copy that fits into a rectangle; an image that already fits is unchanged. Each pixel is the average of
/// the pixels it replaces, excluding transparent ones.
pub fn shrink(picture: &Rgba8, max_width: u32, max_height: u32) -> Rgba8 {
    let (width, height) = fitted_size(picture.width(), picture.height(), max_width, max_height);
    shrink_to(picture, width, height)
}

/// Returns a copy of a size that is not larger.
pub(super) fn shrink_to(picture: &Rgba8, width: u32, height: u32) -> Rgba8 {
    if (width, height) == (picture.width(), picture.height()) {
        return picture.clone();
    }
    let small = match alpha_use(picture) {
        Alpha::Opaque => Means::<4>::new([picture.width(), picture.height()], [width, height])
            .and_then(|means| means.of(picture.pixels())),
        _ => resample(picture, width, height),
    };
    small.unwrap_or_else(|| picture.clone())
}

/// Shrinks an image without alpha row by row, so that it need not be in memory completely. Each pixel is the average
/// of the pixels it replaces.
pub(super) struct Means<const CHANNELS: usize> {
    from: [u32; 2],
    to: [u32; 2],
    /// Source columns of each column of the copy.
    columns: Vec<Range<usize>>,
    /// Sums of the current source rows, per channel of each column.
    sums: Vec<u32>,
    /// Indices of the next row of the source and of the copy.
    row: u32,
    new_row: u32,
    pixels: Vec<u8>,
}

impl<const CHANNELS: usize> Means<CHANNELS> {
    /// Returns `None` if the sizes are too large for this machine.
    pub(super) fn new(from: [u32; 2], to: [u32; 2]) -> Option<Self> {
        let sums = vec![0; index(from[0]).checked_mul(CHANNELS)?];
        let pixels = Vec::with_capacity(index(to[0]).checked_mul(index(to[1]))?.checked_mul(4)?);
        Some(Self { from, to, columns: columns_of(from[0], to[0]), sums, row: 0, new_row: 0, pixels })
    }

    /// Processes a complete image.
    fn of(mut self, bytes: &[u8]) -> Option<Rgba8> {
        bytes.chunks_exact(self.sums.len().max(1)).for_each(|row| self.add(row));
        self.finish()
    }

    /// Adds the next row.
    pub(super) fn add(&mut self, row: &[u8]) {
        let rows = span(self.new_row, self.from[1], self.to[1]);
        if !rows.contains(&self.row) {
            return;
        }
        for (sum, byte) in self.sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(u32::from(*byte));
        }
        self.row += 1;
        if self.row == rows.end {
            self.finish_row(rows.end - rows.start);
        }
    }

    fn finish_row(&mut self, rows: u32) {
        let (columns, _) = self.sums.as_chunks::<CHANNELS>();
        for range in &self.columns {
            let count = range.len() as u64 * u64::from(rows);
            let columns = columns.get(range.clone()).unwrap_or_default();
            let mut sums = [0_u64; CHANNELS];
            for column in columns {
                for (sum, part) in sums.iter_mut().zip(column) {
                    *sum = sum.wrapping_add(u64::from(*part));
                }
            }
            // Most images are reduced by a power of two, and shifts are much faster than divisions.
            let bits = count.is_power_of_two().then(|| count.trailing_zeros());
            let mean = |sum: u64| match bits {
                Some(bits) => {
                    let rounded = sum.wrapping_add(count >> 1).checked_shr(bits).unwrap_or_default();
                    u8::try_from(rounded).unwrap_or(u8::MAX)
                }
                None => rounded_mean(sum, count),
            };
            self.pixels.extend(match sums[..] {
                [gray] => [mean(gray); 3],
                [red, green, blue, ..] => [mean(red), mean(green), mean(blue)],
                _ => [0; 3],
            });
            self.pixels.push(u8::MAX);
        }
        self.sums.fill(0);
        self.new_row += 1;
    }

    /// Returns the copy; `None` unless all rows were added.
    pub(super) fn finish(self) -> Option<Rgba8> {
        Rgba8::new(self.to[0], self.to[1], self.pixels).ok()
    }
}

fn rounded_mean(sum: u64, over: u64) -> u8 {
    let rounded = (sum + (over >> 1)).checked_div(over).unwrap_or_default();
    u8::try_from(rounded).unwrap_or(u8::MAX)
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Returns the range of source pixels for pixel `at` of the copy, at least one.
fn span(at: u32, old: u32, new: u32) -> Range<u32> {
    let boundary = |at: u32| {
        let scaled = (u64::from(at) * u64::from(old)).checked_div(u64::from(new));
        u32::try_from(scaled.unwrap_or_default()).unwrap_or(u32::MAX)
    };
    let start = boundary(at).min(old.saturating_sub(1));
    start..boundary(at + 1).clamp(start + 1, old.max(1))
}

/// Returns the source columns of each column of the copy.
fn columns_of(old: u32, new: u32) -> Vec<Range<usize>> {
    let columns = (0..new).map(|x| span(x, old, new));
    columns.map(|range| index(range.start)..index(range.end)).collect()
}

/// Maximum number of pixels whose weighted sums stay below 2^32.
const MAX_WEIGHTED_PIXELS: usize = 1 << 16;

/// Returns the sums of the colors of at most [`MAX_WEIGHTED_PIXELS`] pixels, weighted with alpha, and of the alphas.
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
    let row_length = index(picture.width()).checked_mul(4)?;
    let mut pixels = Vec::with_capacity(index(width).checked_mul(index(height))?.checked_mul(4)?);
    let columns = columns_of(picture.width(), width);
    for y in 0..height {
        let rows = span(y, picture.height(), height);
        let rows = picture.pixels().chunks_exact(row_length).skip(index(rows.start)).take(rows.len());
        for columns in &columns {
            let bytes = columns.start.checked_mul(4)?..columns.end.checked_mul(4)?;
            let (mut sum, mut alphas, mut count) = ([0_u64; 3], 0_u64, 0_u64);
            for row in rows.clone() {
                let (here, _) = row.get(bytes.clone())?.as_chunks::<4>();
                for here in here.chunks(MAX_WEIGHTED_PIXELS) {
                    let weighed = weighed(here);
                    for (sum, part) in sum.iter_mut().zip(weighed) {
                        *sum += u64::from(part);
                    }
                    alphas += u64::from(weighed[3]);
                    count += here.len() as u64;
                }
            }
            pixels.extend(sum.map(|sum| rounded_mean(sum, alphas)));
            pixels.push(rounded_mean(alphas, count));
        }
    }
    Rgba8::new(width, height, pixels).ok()
}

/// Encodes the colors of an image as a JPEG file, with a quality from 1 to 100. Alpha is ignored. The same pixels
/// produce the same bytes.
///
/// # Errors
/// `Unsupported` if a side has more than 65535 pixels.
pub fn encode_jpeg(picture: &Rgba8, quality: u8) -> Result<Vec<u8>, Error> {
    let (width, height) = sides(picture)?;
    write_jpeg(quality, SamplingFactor::F_2_2, |encoder| {
        encoder.encode(picture.pixels(), width, height, ColorType::Rgba)
    })
}

/// Like [`encode_jpeg`], for close viewing: chrominance is quantized more finely, and not subsampled from quality 90
/// on, or if much of the image is [dark and tinted](has_dark_tints). Otherwise chrominance is averaged over four
/// pixels.
pub(super) fn encode_fine_jpeg(picture: &Rgba8, quality: u8) -> Result<Vec<u8>, Error> {
    let (width, height) = sides(picture)?;
    if quality < 90 && !has_dark_tints(picture) {
        let averaged = Averaged { picture, width, height };
        return write_jpeg(quality, SamplingFactor::F_2_2, |mut encoder| {
            set_fine_tints(&mut encoder);
            encoder.encode_image(averaged)
        });
    }
    write_jpeg(quality, SamplingFactor::F_1_1, |mut encoder| {
        set_fine_tints(&mut encoder);
        encoder.encode(picture.pixels(), width, height, ColorType::Rgba)
    })
}

fn set_fine_tints(encoder: &mut Encoder<&mut Vec<u8>>) {
    let tints = QuantizationTableType::Custom(Box::new(fine_tints(encoder.quality())));
    encoder.set_quantization_tables(QuantizationTableType::Default, tints);
}

fn sides(picture: &Rgba8) -> Result<(u16, u16), Error> {
    let too_large = |side: u32| Format::Jpeg.unsupported(format!("{side} pixels on a side"));
    let side = |side: u32| u16::try_from(side).map_err(|_| too_large(side));
    Ok((side(picture.width())?, side(picture.height())?))
}

fn write_jpeg(
    quality: u8,
    sampling: SamplingFactor,
    encode: impl FnOnce(Encoder<&mut Vec<u8>>) -> Result<(), EncodingError>,
) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    let mut encoder = Encoder::new(&mut out, quality.clamp(1, 100));
    encoder.set_sampling_factor(sampling);
    encode(encoder).map_err(|error| Format::Jpeg.unsupported(error.to_string()))?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Limits, decode};

    #[test]
    fn keeps_the_aspect_ratio_and_does_not_enlarge() {
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
    fn averages_the_visible_pixels() {
        let pixels = [[100, 0, 0, 255], [200, 0, 0, 255], [0, 255, 0, 0], [10, 20, 30, 255]];
        let picture = Rgba8::new(4, 1, pixels.concat()).unwrap();
        assert_eq!(shrink(&picture, 2, 1).pixels(), [150, 0, 0, 255, 10, 20, 30, 128]);
        assert_eq!(shrink(&picture, 1, 1).get(0, 0).unwrap()[3], 191);
    }

    #[test]
    fn keeps_colors_approximately_in_a_jpeg() {
        let picture = Rgba8::new(16, 16, [200, 100, 50, 255].repeat(256)).unwrap();
        let shown = decode(&encode_jpeg(&picture, 90).unwrap(), &Limits::default()).unwrap();
        let [red, green, blue, _] = shown.get(8, 8).unwrap();
        assert!(red.abs_diff(200) < 4 && green.abs_diff(100) < 4 && blue.abs_diff(50) < 4);
    }
}
