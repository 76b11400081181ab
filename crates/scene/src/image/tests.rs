//! Images are recognized, validated, decoded and prepared for glTF; damaged ones are refused.

mod dds;
mod hostile;
mod samples;

use self::samples::{bmp, cmyk_jpeg, gray_jpeg, jpeg, png_chunk, png_with, segment, tga};
use super::*;

/// Two by two pixels: red, green, blue, and half-transparent white.
fn four_pixels() -> Rgba8 {
    let pixels = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 128]];
    Rgba8::new(2, 2, pixels.concat()).unwrap()
}

fn solid(picture: &Rgba8) -> Rgba8 {
    let mut picture = picture.clone();
    picture.pixels_mut().iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = 255);
    picture
}

fn decoded(bytes: &[u8]) -> Rgba8 {
    decode(bytes, &Limits::default()).unwrap()
}

#[test]
fn recognizes_images_by_content_and_reads_their_size() {
    let mut gif = b"GIF89a\x07\0\x05\0".to_vec();
    gif.extend([0; 16]);
    let table: [(Vec<u8>, Format, (u32, u32)); 7] = [
        (encode_png(&four_pixels()), Format::Png, (2, 2)),
        (jpeg(7, 5), Format::Jpeg, (7, 5)),
        (bmp(&four_pixels()), Format::Bmp, (2, 2)),
        (tga(&four_pixels()), Format::Tga, (2, 2)),
        (gif, Format::Gif, (7, 5)),
        (samples::dds((7, 5), &samples::four_cc(b"DXT1"), &[0; 32]), Format::Dds, (7, 5)),
        (cmyk_jpeg(), Format::Jpeg, (8, 8)),
    ];
    for (bytes, format, expected) in table {
        assert_eq!(sniff(&bytes), Some(format));
        assert_eq!(size(&bytes).unwrap(), expected, "{format}");
    }
}

#[test]
fn other_files_are_not_images() {
    let others: [&[u8]; 7] =
        [b"", b"BM", b"RoomMesh", b"\x08\0\0\0RoomMesh.....", b"RIFF\0\0\0\0WAVEfmt ", &[0; 64], &[2; 64]];
    for other in others {
        assert_eq!(sniff(other), None, "{}", other.escape_ascii());
        assert_eq!(
            for_gltf(other).unwrap_err().message(),
            "not an image of a known format (PNG, JPEG, BMP, TGA, DDS)"
        );
    }
}

#[test]
fn round_trips_pixels_through_png_bmp_and_tga() {
    let picture = four_pixels();
    assert_eq!(decoded(&encode_png(&picture)), picture);
    assert_eq!(decoded(&bmp(&picture)), solid(&picture));
    assert_eq!(decoded(&tga(&picture)), picture);
}

#[test]
fn writes_an_opaque_image_without_alpha() {
    let opaque = solid(&four_pixels());
    let encoded = png_for_gltf(&opaque);
    assert_eq!(encoded.alpha, Alpha::Opaque);
    // The color type in IHDR: RGB.
    assert_eq!(encoded.bytes[25], 2);
    assert_eq!(decoded(&encoded.bytes), opaque);
    assert_eq!(png_for_gltf(&four_pixels()).bytes[25], 6);
}

#[test]
fn writes_a_palette_for_few_colors() {
    /// The color types in IHDR: palette, RGB, and RGB with alpha.
    const PALETTE: u8 = 3;
    const RGB: u8 = 2;
    const RGBA: u8 = 6;
    let many = |colors: u32, alpha: u8| {
        let pixel = |at: u32| {
            let [low, high, ..] = (at % colors).to_le_bytes();
            [low, high, 7, if at == 0 { alpha } else { 255 }]
        };
        Rgba8::new(64, 64, (0..64 * 64).flat_map(pixel).collect()).unwrap()
    };
    for (colors, alpha, kind) in
        [(256, 255, PALETTE), (257, 255, RGB), (255, 0, PALETTE), (256, 9, RGBA), (1000, 9, RGBA)]
    {
        let picture = many(colors, alpha);
        let bytes = encode_png(&picture);
        assert_eq!(bytes[25], kind, "{colors} colors");
        assert_eq!(decoded(&bytes), picture, "{colors} colors");
    }
    // A palette would be larger than the savings.
    assert_eq!(encode_png(&solid(&four_pixels()))[25], RGB);
}

#[test]
fn encodes_an_indexed_image_like_its_pixels() {
    // Unused, duplicate and transparent colors.
    let color = |at: u8| [at / 2, at / 2, 7, if at == 9 { 0 } else { 255 }];
    let palette: Vec<_> = (0..=255).map(color).collect();
    for (side, min, max) in [(32, 20, 99), (32, 0, 255), (32, 5, 5), (2, 0, 255), (1, 9, 9)] {
        let index = |at: u32| u8::try_from(min + at % (max - min + 1)).unwrap();
        let picture =
            Indexed8::new(side, side, (0..side * side).map(index).collect(), palette.clone()).unwrap();
        assert_eq!(indexed_for_gltf(&picture), png_for_gltf(&picture.to_rgba8()), "{side} {min} {max}");
    }
}

#[test]
fn alpha_use_depends_on_the_pixels() {
    let with_alphas =
        |alphas: [u8; 2]| Rgba8::new(2, 1, vec![1, 2, 3, alphas[0], 4, 5, 6, alphas[1]]).unwrap();
    assert_eq!(alpha_use(&with_alphas([255, 255])), Alpha::Opaque);
    assert_eq!(alpha_use(&with_alphas([255, 0])), Alpha::Binary);
    assert_eq!(alpha_use(&with_alphas([0, 1])), Alpha::Blended);
}

#[test]
fn preserves_the_order_and_alpha_of_a_palette() {
    let palette = vec![[0, 0, 0, 0], [10, 20, 30, 255], [40, 50, 60, 255]];
    let picture = Indexed8::new(3, 1, vec![2, 0, 1], palette).unwrap();
    let png = encode_indexed_png(&picture, crate::Compression::Usual);
    assert_eq!(decoded(&png), picture.to_rgba8());
    assert_eq!(picture.to_rgba8().get(0, 0), Some([40, 50, 60, 255]));
    assert_eq!(picture.alpha_use(), Alpha::Binary);
    // One byte of alpha, because the last colors of the palette are opaque.
    assert!(png.windows(9).any(|bytes| bytes == b"\0\0\0\x01tRNS\0"));
    let encoded = for_gltf(&png).unwrap();
    assert_eq!((&*encoded.bytes, encoded.alpha), (&*png, Alpha::Possible));
}

#[test]
fn refuses_pixels_of_the_wrong_length_or_color() {
    let refused = |width, height, length| Rgba8::new(width, height, vec![0; length]).unwrap_err().to_string();
    assert_eq!(refused(2, 2, 15), "an image of 2 x 2 pixels needs 16 bytes, found 15");
    assert_eq!(refused(0, 2, 0), "an image of 0 x 2 pixels needs 0 bytes, found 0");
    assert!(refused(u32::MAX, u32::MAX, 0).ends_with(" bytes, found 0"));
    let error = Indexed8::new(1, 1, vec![1], vec![[0; 4]]).unwrap_err();
    assert_eq!(error.to_string(), "palette: index 1 is out of range (count: 1)");
}

#[test]
fn keeps_the_pixels_and_removes_the_metadata_of_a_png() {
    let plain = encode_png(&four_pixels());
    let side = [
        png_chunk(b"gAMA", &[0, 0, 177, 143]),
        png_chunk(b"tEXt", b"Comment\0made by"),
        png_chunk(b"iCCP", b"junk"),
    ];
    let full = [&plain[..33], &side.concat(), &plain[33..], b"trailing"].concat();
    let encoded = for_gltf(&full).unwrap();
    assert_eq!(&*encoded.bytes, plain);
    assert_eq!((encoded.kind, encoded.width, encoded.height), (ImageKind::Png, 2, 2));
    assert_eq!((encoded.alpha, encoded.integrity), (Alpha::Possible, Integrity::Complete));
}

#[test]
fn reports_the_offset_of_an_error_in_a_png() {
    let header = |width: u32, depth: u8, color: u8| {
        png_chunk(
            b"IHDR",
            &[&width.to_be_bytes()[..], &1_u32.to_be_bytes(), &[depth, color, 0, 0, 0]].concat(),
        )
    };
    let (data, end) = (png_chunk(b"IDAT", &[0; 20]), png_chunk(b"IEND", &[]));
    let (good, text) = (header(1, 8, 2), png_chunk(b"tEXt", b"a\0b"));
    let mut wrong_sum = data.clone();
    wrong_sum[10] ^= 1;
    let table: [(Vec<Vec<u8>>, &str); 12] = [
        (vec![text.clone(), good.clone(), end.clone()], "the first chunk is not IHDR, at offset 0x8"),
        (vec![header(0, 8, 2)], "0 x 1 is not a valid size, at offset 0x8"),
        (vec![header(1, 4, 2)], "invalid color type 2 with 4 bits, at offset 0x8"),
        (vec![good.clone(), wrong_sum], "the checksum of chunk IDAT is wrong, at offset 0x21"),
        (vec![good.clone(), end.clone()], "there is no IDAT chunk, at offset 0x21"),
        (vec![good.clone(), data.clone()], "the file ends before its IEND chunk, at offset 0x41"),
        (vec![good.clone(), good.clone()], "a second IHDR chunk, at offset 0x21"),
        (vec![header(1, 8, 3), data.clone()], "the palette is missing, at offset 0x21"),
        (
            vec![good.clone(), data.clone(), text, data.clone()],
            "IDAT chunks are not consecutive, at offset 0x50",
        ),
        (vec![good.clone(), png_chunk(b"CgBI", &[])], "unknown critical chunk CgBI, at offset 0x21"),
        (vec![good, png_chunk(b"tRNS", &[0])], "an invalid tRNS chunk, at offset 0x21"),
        (
            vec![header(1_000_000, 8, 6), data, end],
            "1000000 x 1 pixels are too many for 20 compressed bytes, at offset 0x41",
        ),
    ];
    for (chunks, words) in table {
        let error = for_gltf(&png_with(&chunks)).unwrap_err();
        assert_eq!(error.to_string(), format!("PNG image: {words}"));
    }
}

#[test]
fn keeps_16_bit_channels_and_decodes_them_to_8() {
    let mut png = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut png, 1, 1);
    encoder.set_color(::png::ColorType::Grayscale);
    encoder.set_depth(::png::BitDepth::Sixteen);
    encoder.write_header().unwrap().write_image_data(&[0x80, 0x01]).unwrap();
    assert_eq!(&*for_gltf(&png).unwrap().bytes, png);
    assert_eq!(decoded(&png).pixels(), [128, 128, 128, 255]);
}

#[test]
fn keeps_the_pixels_and_removes_the_metadata_of_a_jpeg() {
    let plain = jpeg(16, 16);
    let stripped = for_gltf(&plain).unwrap();
    let side = [
        segment(0xe1, b"Exif\0\0II*\0"),
        segment(0xe2, b"ICC_PROFILE\0"),
        segment(0xfe, b"a comment"),
        segment(0xee, b"Other"),
    ];
    let full = [&plain[..2], &side.concat(), &plain[2..], b"trailing"].concat();
    let encoded = for_gltf(&full).unwrap();
    assert_eq!(encoded, stripped);
    assert_eq!((encoded.kind, encoded.width, encoded.height), (ImageKind::Jpeg, 16, 16));
    assert_eq!((encoded.alpha, encoded.integrity), (Alpha::Opaque, Integrity::Complete));
    assert_eq!(decoded(&encoded.bytes), decoded(&plain));
}

#[test]
fn keeps_the_adobe_segment_with_the_color_space() {
    let plain = jpeg(16, 16);
    let adobe = segment(0xee, b"Adobe\0\x64\0\0\0\0\0");
    let encoded = for_gltf(&[&plain[..2], &adobe, &plain[2..]].concat()).unwrap();
    assert!(encoded.bytes.windows(adobe.len()).any(|bytes| bytes == adobe));
}

#[test]
fn a_jfif_thumbnail_is_removed() {
    let head = b"JFIF\0\x01\x02\0\0\x01\0\x01";
    let rest = &gray_jpeg()[2..];
    let with = [&b"\xff\xd8"[..], &segment(0xe0, &[&head[..], &[1, 1, 9, 9, 9]].concat()), rest].concat();
    let without = [&b"\xff\xd8"[..], &segment(0xe0, &[&head[..], &[0, 0]].concat()), rest].concat();
    assert_eq!(&*for_gltf(&with).unwrap().bytes, without);
}

#[test]
fn adds_a_missing_end_marker_and_reports_truncation() {
    let complete = jpeg(64, 64);
    let cut = for_gltf(&complete[..complete.len() - 2]).unwrap();
    assert_eq!(cut.integrity, Integrity::Truncated);
    assert_eq!(cut.bytes, for_gltf(&complete).unwrap().bytes);
    // Truncated within the image data.
    let cut = for_gltf(&complete[..complete.len() - 40]).unwrap();
    assert_eq!(cut.integrity, Integrity::Truncated);
    assert!(cut.bytes.ends_with(&[0xff, 0xd9]));
}

#[test]
fn reports_the_offset_of_an_error_in_a_jpeg() {
    let gray = gray_jpeg();
    let frame = |marker: u8, components: &[u8]| {
        segment(marker, &[&[8, 0, 8, 0, 8, (components.len() / 3) as u8], components].concat())
    };
    let table: [(Vec<Vec<u8>>, &str); 8] = [
        (vec![b"\xff\xd9".to_vec()], "the file ends before the image data, at offset 0x2"),
        (vec![b"\xff\xe0\0".to_vec()], "the file ends in the middle of a header, at offset 0x2"),
        (
            vec![b"\xff\xdb\x40\0".to_vec()],
            "marker 0xdb of 16384 bytes runs past the end of the file, at offset 0x2",
        ),
        (vec![segment(0xda, &[1, 1, 0, 0, 63, 0])], "a scan before the frame header, at offset 0x2"),
        (vec![frame(0xc0, &[1, 0x11, 0, 2, 0x11, 0])], "2 color components, at offset 0x2"),
        (vec![frame(0xc0, &[1, 0x91, 0])], "invalid component sampling factors, at offset 0x2"),
        (
            vec![frame(0xc0, &[1, 0x11, 0]), frame(0xc0, &[1, 0x11, 0])],
            "a second frame header, at offset 0xf",
        ),
        (vec![frame(0xc0, &[1, 0x11, 0]), b"junk".to_vec()], "there is no marker, at offset 0xf"),
    ];
    for (parts, words) in table {
        let error = for_gltf(&[&b"\xff\xd8"[..], &parts.concat()].concat()).unwrap_err();
        assert_eq!(error.to_string(), format!("JPEG image: {words}"));
    }
    let mut arithmetic = gray.clone();
    let frame = gray.windows(2).position(|bytes| bytes == b"\xff\xc0").unwrap();
    arithmetic[frame + 1] = 0xc9;
    assert_eq!(
        for_gltf(&arithmetic).unwrap_err().to_string(),
        "JPEG image: arithmetic coding is not supported"
    );
    let mut huge = gray;
    huge[frame + 5..frame + 9].fill(0x40);
    let words = "JPEG image: 16448 x 16448 pixels are too many for 1 compressed bytes, at offset 0x";
    assert!(for_gltf(&huge).unwrap_err().to_string().starts_with(words));
}

#[test]
fn converts_a_jpeg_with_print_colors_to_png() {
    let encoded = for_gltf(&cmyk_jpeg()).unwrap();
    assert_eq!((encoded.kind, encoded.width, encoded.height), (ImageKind::Png, 8, 8));
    // Adobe stores ink inverted: half of each ink over white is a quarter of the light.
    let [red, green, blue, alpha] = decoded(&encoded.bytes).get(0, 0).unwrap();
    assert!(
        red.abs_diff(64) <= 2 && green == red && blue == red && alpha == 255,
        "{red} {green} {blue} {alpha}"
    );
}

#[test]
fn converts_bmp_and_tga_to_png() {
    for bytes in [bmp(&four_pixels()), tga(&four_pixels())] {
        let encoded = for_gltf(&bytes).unwrap();
        assert_eq!(encoded.kind, ImageKind::Png);
        assert_eq!(decoded(&encoded.bytes), decoded(&bytes));
        assert_eq!(encoded.alpha, alpha_use(&decoded(&bytes)));
    }
}

#[test]
fn recognizes_gif_without_decoding_it() {
    let error = for_gltf(b"GIF89a\x01\0\x01\0\0\0\0").unwrap_err();
    assert_eq!(error.to_string(), "GIF image: decoding it is not supported");
}

#[test]
fn creates_identical_placeholders() {
    let (first, second) = (placeholder("a"), placeholder("b"));
    assert_eq!((first.name.as_str(), second.name.as_str()), ("a", "b"));
    assert_eq!(first.encoded, second.encoded);
    assert_eq!(decoded(&first.encoded.bytes).get(0, 0), Some([255, 0, 255, 255]));
    assert_eq!(first.encoded.alpha, Alpha::Opaque);
}

#[test]
fn round_trips_bitmaps_and_targas() {
    let pixels: Vec<u8> = (0..5 * 3 * 4).map(|byte| byte * 4).collect();
    let picture = Rgba8::new(5, 3, pixels).unwrap();
    let tga = decode(&encode_tga(&picture).unwrap(), &Limits::default()).unwrap();
    assert_eq!(tga, picture);
    let bmp = decode(&encode_bmp(&picture).unwrap(), &Limits::default()).unwrap();
    for (x, y) in [(0, 0), (4, 0), (2, 1), (4, 2)] {
        let opaque = picture.get(x, y).map(|[red, green, blue, _]| [red, green, blue, 255]);
        assert_eq!(bmp.get(x, y), opaque);
    }
    let wide = Rgba8::new(65_536, 1, vec![0; 65_536 * 4]).unwrap();
    assert!(encode_tga(&wide).is_err());
}
