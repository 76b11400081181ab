//! Truncated, modified or arbitrary files: nothing panics, and no memory is allocated that the file cannot fill.

use proptest::prelude::*;

use super::samples::{bmp, cmyk_jpeg, dds, four_cc, gray_jpeg, jpeg, tga};
use record::Kind;

use crate::{
    Error,
    image::{Format, Indexed8, Limits, Rgba8, decode, encode_indexed_png, encode_png, for_gltf, size, sniff},
};

fn picture() -> Rgba8 {
    Rgba8::new(5, 3, (0..60).collect()).unwrap()
}

/// A small file of each kind.
fn samples() -> Vec<Vec<u8>> {
    let indexed = Indexed8::new(3, 1, vec![2, 0, 1], vec![[1; 4], [2; 4], [3; 4]]).unwrap();
    let mut packed = tga(&picture());
    packed[2] = 10;
    packed.truncate(18);
    // Fifteen pixels of one color.
    packed.extend([0x8e, 1, 2, 3, 4]);
    vec![
        encode_png(&picture()),
        encode_indexed_png(&indexed, crate::Compression::Usual),
        jpeg(19, 9),
        gray_jpeg(),
        cmyk_jpeg(),
        bmp(&picture()),
        tga(&picture()),
        packed,
        dds((5, 3), &four_cc(b"DXT5"), &[0x5a; 32]),
        dds((5, 3), &[32, 0x41, 0, 32, 0xff_0000, 0xff00, 0xff, 0xff00_0000], &[7; 60]),
    ]
}

/// Calls everything that reads an image.
fn read(bytes: &[u8]) -> Result<Rgba8, Error> {
    let limits = Limits { max_pixels: 1 << 20 };
    let (decoded, prepared, sized) = (decode(bytes, &limits), for_gltf(bytes), size(bytes));
    if let (Ok(decoded), Ok(sized)) = (&decoded, &sized) {
        assert_eq!((decoded.width(), decoded.height()), *sized);
    }
    if let Ok(prepared) = &prepared {
        assert_eq!(
            for_gltf(&prepared.bytes).unwrap().bytes,
            prepared.bytes,
            "preparing twice changes nothing"
        );
    }
    decoded
}

#[test]
fn reads_all_samples() {
    for sample in samples() {
        assert!(read(&sample).is_ok(), "{:?}", sniff(&sample));
    }
}

#[test]
fn truncated_samples_do_not_panic() {
    for sample in samples() {
        let complete = read(&sample).unwrap();
        for length in 0..sample.len() {
            // A JPEG may lose its end; all other truncated files are refused.
            if let Ok(cut) = read(&sample[..length]) {
                assert_eq!(sniff(&sample), Some(Format::Jpeg), "cut at {length} of {}", sample.len());
                assert_eq!(cut.width(), complete.width());
            }
        }
    }
}

#[test]
fn corrupted_samples_do_not_panic() {
    for sample in samples() {
        for at in 0..sample.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut changed = sample.clone();
                changed[at] ^= change;
                let _ = read(&changed);
            }
        }
    }
}

#[test]
fn refuses_a_size_larger_than_the_file_by_its_header() {
    let huge = 0xffff_u16.to_le_bytes();
    let mut large_tga = tga(&picture());
    large_tga[12..16].copy_from_slice(&[huge, huge].concat());
    assert_eq!(sniff(&large_tga), None);
    let mut large_bmp = bmp(&picture());
    large_bmp[18..26].copy_from_slice(&[0xff, 0xff, 0, 0, 0xff, 0xff, 0, 0]);
    assert_eq!(sniff(&large_bmp), None);
    let mut packed_bmp = large_bmp;
    packed_bmp[28] = 8;
    packed_bmp[30] = 1;
    assert_eq!(sniff(&packed_bmp), None);
}

#[test]
fn refuses_an_image_beyond_the_limit_in_every_format() {
    for sample in samples() {
        let error = decode(&sample, &Limits { max_pixels: 2 }).unwrap_err();
        assert_eq!(error.kind(), Kind::Limit, "{error}");
        assert!(error.message().ends_with("pixels are more than the limit of 2"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn any_bytes_do_not_panic(kind in 0_usize..8, keep in 0_usize..40, noise in prop::collection::vec(any::<u8>(), 0..200)) {
        let sample = &samples()[kind];
        let start = &sample[..keep.min(sample.len())];
        let _ = read(&[start, &noise].concat());
    }

    #[test]
    fn round_trips_any_pixels_through_png(width in 1_u32..9, height in 1_u32..9, seed in prop::collection::vec(any::<u8>(), 256)) {
        let picture = Rgba8::new(width, height, seed[..(width * height * 4) as usize].to_vec()).unwrap();
        prop_assert_eq!(decode(&encode_png(&picture), &Limits::default()).unwrap(), picture);
    }
}
