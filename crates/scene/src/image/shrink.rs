//! Smaller copies of pictures, and pictures without alpha as JPEG: for previews.

use jpeg_encoder::{ColorType, Encoder, EncodingError, QuantizationTableType, SamplingFactor};

use super::chroma::{Averaged, fine_tints, has_dark_tints};
use super::{Alpha, Format, Rgba8, alpha_use};
use crate::Error;

/// The size of a picture that is made to fit into a rectangle; one that fits already keeps its size.
pub fn fitted_size(width: u32, height: u32, most_width: u32, most_height: u32) -> (u32, u32) {
    let (most_width, most_height) = (most_width.max(1), most_height.max(1));
    if width <= most_width && height <= most_height {
        return (width, height);
    }
    let scaled = |side: u32, other: u32, most: u32| {
        let scaled = (u64::from(side) * u64::from(most)).checked_div(u64::from(other));
        u32::try_from(scaled.unwrap_or(1)).unwrap_or(1).max(1)
    };
    // The side that is too long by more decides.
    let wide = u64::from(width) * u64::from(most_height) >= u64::from(height) * u64::from(most_width);
    match wide {
        true => (most_width, scaled(height, width, most_width)),
        false => (scaled(width, height, most_height), most_height),
    }
}

/// A copy that fits into a rectangle; a picture that fits already stays as it is. Each pixel is the mean of those it stands for, in
/// which clear ones do not count.
pub fn shrink(picture: &Rgba8, most_width: u32, most_height: u32) -> Rgba8 {
    let (width, height) = fitted_size(picture.width(), picture.height(), most_width, most_height);
    shrink_to(picture, width, height)
}

/// A copy of a size that is not larger.
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

/// Makes a picture without alpha smaller, row by row, so that the whole of it need not be there at once. Each pixel is the mean of those
/// it stands for.
pub(super) struct Means<const CHANNELS: usize> {
    from: [u32; 2],
    to: [u32; 2],
    /// The sums of the rows of the source that make one row, by channel of each column.
    sums: Vec<u32>,
    /// Of the source and of the copy, the next one.
    row: u32,
    new_row: u32,
    pixels: Vec<u8>,
}

impl<const CHANNELS: usize> Means<CHANNELS> {
    /// `None` when the sizes are too large for this machine.
    pub(super) fn new(from: [u32; 2], to: [u32; 2]) -> Option<Self> {
        let sums = vec![0; index(from[0]).checked_mul(CHANNELS)?];
        let pixels = Vec::with_capacity(index(to[0]).checked_mul(index(to[1]))?.checked_mul(4)?);
        Some(Self { from, to, sums, row: 0, new_row: 0, pixels })
    }

    /// A whole picture at once.
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
        for x in 0..self.to[0] {
            let range = span(x, self.from[0], self.to[0]);
            let count = u64::from(range.end - range.start) * u64::from(rows);
            let columns = columns.get(index(range.start)..index(range.end)).unwrap_or_default();
            let mut sums = [0_u64; CHANNELS];
            for column in columns {
                for (sum, part) in sums.iter_mut().zip(column) {
                    *sum = sum.wrapping_add(u64::from(*part));
                }
            }
            // Most pictures are made smaller by a power of two, and to shift is much faster than to divide.
            let bits = count.is_power_of_two().then(|| count.trailing_zeros());
            let mean = |sum: u64| match bits {
                Some(bits) => {
                    let rounded = sum.wrapping_add(count >> 1).checked_shr(bits).unwrap_or_default();
                    u8::try_from(rounded).unwrap_or(u8::MAX)
                }
                None => rounded_mean(sum, count),
            };
            self.pixels.extend(match sums[..] {
                [grey] => [mean(grey); 3],
                [red, green, blue, ..] => [mean(red), mean(green), mean(blue)],
                _ => [0; 3],
            });
            self.pixels.push(u8::MAX);
        }
        self.sums.fill(0);
        self.new_row += 1;
    }

    /// The copy; `None` unless all rows were there.
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

/// Which pixels of `old` become pixel `at` of `new`, at least one.
fn span(at: u32, old: u32, new: u32) -> std::ops::Range<u32> {
    let place = |at: u32| {
        let scaled = (u64::from(at) * u64::from(old)).checked_div(u64::from(new));
        u32::try_from(scaled.unwrap_or_default()).unwrap_or(u32::MAX)
    };
    let start = place(at).min(old.saturating_sub(1));
    start..place(at + 1).clamp(start + 1, old.max(1))
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

/// Encodes the colors of a picture as a JPEG file, with a quality from 1 to 100. Alpha is left out. The same pixels give the same bytes.
///
/// # Errors
/// `Unsupported` when a side has more than 65535 pixels.
pub fn encode_jpeg(picture: &Rgba8, quality: u8) -> Result<Vec<u8>, Error> {
    let (width, height) = sides(picture)?;
    write_jpeg(quality, SamplingFactor::F_2_2, |encoder| {
        encoder.encode(picture.pixels(), width, height, ColorType::Rgba)
    })
}

/// The same for pictures that are looked at closely: tints are kept finer, and each pixel has its own from a quality of 90 on, or where
/// much of the picture is [dark and tinted](has_dark_tints). Otherwise tints are averages of four pixels.
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
