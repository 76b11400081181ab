//! Grayscale images with 16 bits per pixel, such as heightmaps.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use std::io::Cursor;

use super::{Format, Limits, Rgba8};
use crate::Error;
use crate::compression::Compression;

/// A grayscale image with values from 0 to 65535; rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gray16 {
    width: u32,
    height: u32,
    samples: Vec<u16>,
}

impl Gray16 {
    /// Creates an image of this size.
    ///
    /// # Errors
    /// If a side is zero, or the number of samples does not match the size.
    pub fn new(width: u32, height: u32, samples: Vec<u16>) -> Result<Self, Error> {
        let count = u64::from(width).saturating_mul(height.into());
        if count == 0 || u64::try_from(samples.len()) != Ok(count) {
            return Err(Error::usage(format!(
                "found {} samples, but an image of {width} x {height} pixels needs {count}",
                samples.len()
            )));
        }
        Ok(Self { width, height, samples })
    }

    /// Width in pixels.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Returns the samples, one per pixel.
    #[must_use]
    pub fn samples(&self) -> &[u16] {
        &self.samples
    }

    /// Converts the image to 8 bits per channel.
    #[expect(clippy::expect_used, reason = "the samples were checked against the size")]
    #[must_use]
    pub fn to_rgba8(&self) -> Rgba8 {
        let pixel = |sample: &u16| {
            let [_, high] = sample.to_le_bytes();
            [high, high, high, 255]
        };
        let pixels = self.samples.iter().flat_map(pixel).collect();
        Rgba8::new(self.width, self.height, pixels).expect("four bytes for each pixel")
    }
}

/// Encodes the image as a 16-bit PNG. The same samples produce the same bytes.
#[expect(
    clippy::expect_used,
    reason = "the samples were checked against the size, and writing to memory does not fail"
)]
#[must_use]
pub fn encode_gray16_png(picture: &Gray16, compression: Compression) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut out, picture.width, picture.height);
    encoder.set_depth(::png::BitDepth::Sixteen);
    encoder.set_color(::png::ColorType::Grayscale);
    encoder.set_compression(match compression {
        Compression::Fast => ::png::Compression::Fast,
        Compression::Usual => ::png::Compression::Balanced,
        Compression::Best => ::png::Compression::High,
    });
    encoder.set_filter(::png::Filter::Adaptive);
    let bytes: Vec<u8> = picture.samples.iter().flat_map(|sample| sample.to_be_bytes()).collect();
    let mut writer = encoder.write_header().expect("a size that is not zero");
    writer.write_image_data(&bytes).expect("the length matches the size");
    writer.finish().expect("the picture is complete");
    out
}

/// Decodes a PNG without colors as grayscale: 16-bit values are unchanged, fewer bits are scaled to the full range.
/// Alpha is ignored.
///
/// # Errors
/// If the file is not a PNG, has colors, is damaged, or exceeds the limits.
pub fn decode_gray16(bytes: &[u8], limits: &Limits) -> Result<Gray16, Error> {
    let bad = |error: ::png::DecodingError| Format::Png.bad(0, error.to_string());
    let stripped = super::png::strip(bytes)?;
    limits.check(Format::Png, stripped.header.width, stripped.header.height)?;
    let max = ::png::Limits { bytes: usize::try_from(limits.bytes()).unwrap_or(usize::MAX) };
    let mut decoder = ::png::Decoder::new_with_limits(Cursor::new(&*stripped.bytes), max);
    decoder.set_transformations(::png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(bad)?;
    let length =
        reader.output_buffer_size().ok_or_else(|| Format::Png.bad(0, "it is too large".to_owned()))?;
    let mut pixels = vec![0; length];
    let frame = reader.next_frame(&mut pixels).map_err(bad)?;
    let pixels = pixels.get(..frame.buffer_size()).unwrap_or_default();
    let samples: Vec<u16> = match frame.bit_depth {
        ::png::BitDepth::Sixteen => {
            pixels.as_chunks::<2>().0.iter().map(|sample| u16::from_be_bytes(*sample)).collect()
        }
        _ => pixels.iter().map(|sample| u16::from(*sample).saturating_mul(257)).collect(),
    };
    let gray = match frame.color_type.samples() {
        1 => samples,
        2 => samples.as_chunks::<2>().0.iter().map(|[gray, _]| *gray).collect(),
        channels => {
            let pixels = samples.chunks_exact(channels);
            let gray = pixels.map(|pixel| match pixel {
                [red, green, blue, ..] if red == green && green == blue => Ok(*red),
                _ => Err(Error::usage("the image has colors; save it as grayscale with 16 bits")),
            });
            gray.collect::<Result<_, _>>()?
        }
    };
    Gray16::new(frame.width, frame.height, gray)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::encode_png;

    #[test]
    fn round_trips_gray_values() {
        let picture = Gray16::new(3, 2, vec![0, 1, 255, 256, 40_000, 65_535]).unwrap();
        let bytes = encode_gray16_png(&picture, Compression::Usual);
        assert_eq!(decode_gray16(&bytes, &Limits::default()).unwrap(), picture);
        assert_eq!(picture.to_rgba8().get(1, 1), Some([156, 156, 156, 255]));
        assert!(decode_gray16(&bytes, &Limits { max_pixels: 5 }).is_err());
        assert!(decode_gray16(&bytes[..40], &Limits::default()).is_err());
    }

    #[test]
    fn scales_8_bit_values_and_refuses_colors() {
        let eight = Rgba8::new(2, 1, vec![0, 0, 0, 255, 128, 128, 128, 9]).unwrap();
        let gray = decode_gray16(&encode_png(&eight), &Limits::default()).unwrap();
        assert_eq!(gray.samples(), [0, 128 * 257]);
        let colored = Rgba8::new(1, 1, vec![1, 2, 3, 255]).unwrap();
        let error = decode_gray16(&encode_png(&colored), &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("grayscale"), "{error}");
        assert!(Gray16::new(2, 2, vec![0; 3]).is_err() && Gray16::new(0, 2, vec![]).is_err());
    }
}
