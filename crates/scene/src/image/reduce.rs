//! Decoding to a small copy for previews, if possible without decoding the full image.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::as_conversions)]

use std::io::Cursor;

use super::decode::{decode_png, png_reader};
use super::shrink::{Means, shrink_to};
use super::{Format, Limits, Rgba8, decode, fitted_size, jpeg, png, shrink, sniff};
use crate::Error;

/// Decodes an image to a copy that fits into a rectangle, like [`decode`] and [`shrink`], but much faster: a JPEG is
/// decoded at half, a quarter or an eighth of its size, and of a progressive one only the visible part.
///
/// # Errors
/// Like [`decode`].
pub fn decode_reduced(
    bytes: &[u8],
    limits: &Limits,
    max_width: u32,
    max_height: u32,
) -> Result<Rgba8, Error> {
    let reduced = match sniff(bytes) {
        Some(Format::Jpeg) => jpeg_reduced(bytes, limits, max_width, max_height)?,
        Some(Format::Png) => return png_reduced(bytes, limits, max_width, max_height),
        _ => None,
    };
    match reduced {
        Some(reduced) => Ok(reduced),
        None => Ok(shrink(&decode(bytes, limits)?, max_width, max_height)),
    }
}

/// The last coefficient, in the order of the file, that is needed for an eighth, a quarter and half of the size.
const COEFFICIENTS: [(u32, u8); 3] = [(8, 0), (4, 4), (2, 24)];

/// Decodes a JPEG at the smallest easily decoded size that is not below the target size, and shrinks it. `None` if
/// only the full size is large enough, or if the kind of JPEG is rare.
fn jpeg_reduced(
    bytes: &[u8],
    limits: &Limits,
    max_width: u32,
    max_height: u32,
) -> Result<Option<Rgba8>, Error> {
    let stripped = jpeg::strip(bytes)?;
    let (width, height) = (stripped.frame.width, stripped.frame.height);
    limits.check(Format::Jpeg, width, height)?;
    let (new_width, new_height) = fitted_size(width, height, max_width, max_height);
    let suffices = |part: u32| width.div_ceil(part) >= new_width && height.div_ceil(part) >= new_height;
    let Some((part, last)) = COEFFICIENTS.into_iter().find(|(part, _)| suffices(*part)) else {
        return Ok(None);
    };
    let needed = jpeg::first_scans(&stripped.bytes, last);
    let mut decoder = jpeg_decoder::Decoder::new(&*needed);
    decoder.set_max_decoding_buffer_size(usize::try_from(limits.bytes()).unwrap_or(usize::MAX));
    let side = |side: u32| u16::try_from(side.div_ceil(part)).unwrap_or(u16::MAX);
    let decoded = decoder.scale(side(width), side(height)).and_then(|size| Ok((size, decoder.decode()?)));
    // If this decoder fails, the other one is used, which reports errors more precisely.
    let (Ok(((width, height), pixels)), Some(info)) = (decoded, decoder.info()) else { return Ok(None) };
    let pixels = match info.pixel_format {
        jpeg_decoder::PixelFormat::L8 => pixels.iter().flat_map(|gray| [*gray, *gray, *gray, 255]).collect(),
        jpeg_decoder::PixelFormat::RGB24 => {
            let (pixels, _) = pixels.as_chunks::<3>();
            pixels.iter().flat_map(|[red, green, blue]| [*red, *green, *blue, 255]).collect()
        }
        _ => return Ok(None),
    };
    let decoded = Rgba8::new(width.into(), height.into(), pixels)?;
    Ok(Some(shrink_to(&decoded, new_width, new_height)))
}

/// Decodes a PNG, row by row if it has no alpha.
fn png_reduced(bytes: &[u8], limits: &Limits, max_width: u32, max_height: u32) -> Result<Rgba8, Error> {
    let stripped = png::strip(bytes)?;
    let (width, height) = (stripped.header.width, stripped.header.height);
    limits.check(Format::Png, width, height)?;
    let (new_width, new_height) = fitted_size(width, height, max_width, max_height);
    if (new_width, new_height) != (width, height) {
        let sizes = ([width, height], [new_width, new_height]);
        if let Some(picture) = png_means(&stripped.bytes, *limits, sizes)? {
            return Ok(picture);
        }
    }
    Ok(shrink(&decode_png(&stripped.bytes, *limits)?, max_width, max_height))
}

/// Returns `None` if the image has alpha or is interlaced.
fn png_means(bytes: &[u8], limits: Limits, (from, to): ([u32; 2], [u32; 2])) -> Result<Option<Rgba8>, Error> {
    let mut reader = png_reader(Cursor::new(bytes), limits, ::png::Transformations::normalize_to_color8())?;
    if reader.info().interlaced {
        return Ok(None);
    }
    match reader.output_color_type().0 {
        ::png::ColorType::Grayscale => png_rows(&mut reader, Means::<1>::new(from, to)),
        ::png::ColorType::Rgb => png_rows(&mut reader, Means::<3>::new(from, to)),
        _ => Ok(None),
    }
}

fn png_rows<const CHANNELS: usize>(
    reader: &mut ::png::Reader<Cursor<&[u8]>>,
    means: Option<Means<CHANNELS>>,
) -> Result<Option<Rgba8>, Error> {
    let Some(mut means) = means else { return Ok(None) };
    let bad = |error: ::png::DecodingError| Format::Png.bad(0, error.to_string());
    while let Some(row) = reader.next_row().map_err(bad)? {
        means.add(row.data());
    }
    Ok(means.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::encode_png;

    /// Smooth waves with a little noise, similar to textures.
    fn picture(width: u32, height: u32, alpha: u8) -> Rgba8 {
        let mut state = 1_u32;
        let mut pixel = |x: u32, y: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let noise = state >> 28;
            let wave = |at: u32| (at & 127).wrapping_add(noise);
            [wave(x), wave(y), wave(x.wrapping_add(y))].map(|it| u8::try_from(it).unwrap())
        };
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixels = pixels.flat_map(|(x, y)| {
            let [red, green, blue] = pixel(x, y);
            [red, green, blue, alpha]
        });
        Rgba8::new(width, height, pixels.collect()).unwrap()
    }

    fn jpeg_of(picture: &Rgba8, is_progressive: bool, sampling: jpeg_encoder::SamplingFactor) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = jpeg_encoder::Encoder::new(&mut out, 92);
        encoder.set_progressive(is_progressive);
        encoder.set_sampling_factor(sampling);
        let [width, height] = [picture.width(), picture.height()].map(|side| u16::try_from(side).unwrap());
        encoder.encode(picture.pixels(), width, height, jpeg_encoder::ColorType::Rgba).unwrap();
        out
    }

    /// Returns the mean and the maximum difference of two images of the same size.
    fn difference(one: &Rgba8, other: &Rgba8) -> (f64, u8) {
        assert_eq!((one.width(), one.height()), (other.width(), other.height()));
        let all = || one.pixels().iter().zip(other.pixels()).map(|(a, b)| a.abs_diff(*b));
        let count = u32::try_from(one.pixels().len()).unwrap();
        (all().map(f64::from).sum::<f64>() / f64::from(count), all().max().unwrap())
    }

    #[test]
    fn reduces_a_png_to_the_same_pixels_as_decoding_and_shrinking() {
        let limits = Limits::default();
        for (width, height) in [(64, 64), (61, 37), (7, 90), (16, 16), (1, 1)] {
            for alpha in [255, 200] {
                let bytes = encode_png(&picture(width, height, alpha));
                let expected = shrink(&decode(&bytes, &limits).unwrap(), 16, 16);
                assert!(decode_reduced(&bytes, &limits, 16, 16).unwrap() == expected, "{width} x {height}");
            }
        }
    }

    #[test]
    fn reduces_a_jpeg_to_almost_the_same_pixels_as_decoding_and_shrinking() {
        use jpeg_encoder::SamplingFactor::{F_1_1, F_2_2};
        let limits = Limits::default();
        for (width, height) in [(256, 256), (250, 131), (90, 256)] {
            let picture = picture(width, height, 255);
            for (is_progressive, sampling) in [(false, F_1_1), (false, F_2_2), (true, F_1_1), (true, F_2_2)] {
                let bytes = jpeg_of(&picture, is_progressive, sampling);
                for max in [8, 32, 64, 100, 128, 256] {
                    let reduced = decode_reduced(&bytes, &limits, max, max).unwrap();
                    let expected = shrink(&decode(&bytes, &limits).unwrap(), max, max);
                    let (mean, _) = difference(&reduced, &expected);
                    assert!(mean < 4.0, "{width} x {height} to {max}: {mean}");
                }
            }
        }
    }

    #[test]
    fn reports_limits_and_damage_like_decoding() {
        let limits = Limits { max_pixels: 1000 };
        let picture = picture(64, 64, 255);
        for bytes in [encode_png(&picture), jpeg_of(&picture, true, jpeg_encoder::SamplingFactor::F_1_1)] {
            let expected = decode(&bytes, &limits).unwrap_err().to_string();
            assert_eq!(decode_reduced(&bytes, &limits, 8, 8).unwrap_err().to_string(), expected);
            for length in 0..bytes.len() {
                let cut = bytes.get(..length).unwrap();
                let decoded = decode(cut, &Limits::default());
                let reduced = decode_reduced(cut, &Limits::default(), 8, 8);
                assert!(reduced.is_ok() || decoded.is_err(), "{length}");
            }
        }
        assert!(decode_reduced(b"no image", &limits, 8, 8).is_err());
    }
}
