//! DDS images built byte by byte: each encoding, and invalid headers.

use super::samples::{dds, four_cc};
use crate::image::{Alpha, Dds, DdsEncoding, Format, ImageKind, Limits, Rgba8, decode, for_gltf};

fn decoded(bytes: &[u8]) -> Rgba8 {
    decode(bytes, &Limits::default()).unwrap()
}

/// A file with the `DX10` extension of the header.
fn extended(size: (u32, u32), [number, flags, elements]: [u32; 3], data: &[u8]) -> Vec<u8> {
    let extension = [number, 3, flags, elements, 0].into_iter().flat_map(u32::to_le_bytes);
    dds(size, &four_cc(b"DX10"), &extension.chain(data.iter().copied()).collect::<Vec<_>>())
}

fn with(bytes: &[u8], offset: usize, value: u32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
    bytes
}

fn read(bytes: &[u8]) -> Result<Dds, String> {
    Dds::read(bytes, bytes.len() as u64).map_err(|error| error.to_string())
}

/// A red block whose first pixel is blue.
const COLORS: [u8; 8] = [0, 0xf8, 0x1f, 0, 1, 0, 0, 0];

#[test]
fn decodes_blocks_with_colors_and_alpha() {
    let dxt1 = decoded(&dds((4, 4), &four_cc(b"DXT1"), &COLORS));
    assert_eq!([dxt1.get(0, 0), dxt1.get(1, 0)], [[0, 0, 255, 255], [255, 0, 0, 255]].map(Some));
    // If the first color is not the larger one, the last index is transparent.
    let clear = [0x1f, 0, 0, 0xf8, 3, 0, 0, 0];
    let dxt1 = decoded(&dds((4, 4), &four_cc(b"DXT1"), &clear));
    assert_eq!([dxt1.get(0, 0), dxt1.get(1, 0)], [[0, 0, 0, 0], [0, 0, 255, 255]].map(Some));
    let dxt3 = [&[0x0f, 0, 0, 0, 0, 0, 0, 0x80][..], &COLORS].concat();
    let dxt3 = decoded(&dds((4, 4), &four_cc(b"DXT3"), &dxt3));
    assert_eq!(
        [dxt3.get(0, 0), dxt3.get(1, 0), dxt3.get(3, 3)],
        [[0, 0, 255, 255], [255, 0, 0, 0], [255, 0, 0, 136]].map(Some)
    );
    let dxt5 = [&[200, 100, 1, 0, 0, 0, 0, 0][..], &COLORS].concat();
    let dxt5 = decoded(&dds((4, 4), &four_cc(b"DXT5"), &dxt5));
    assert_eq!([dxt5.get(0, 0), dxt5.get(1, 0)], [[0, 0, 255, 100], [255, 0, 0, 200]].map(Some));
    let one = decoded(&dds((4, 4), &four_cc(b"ATI1"), &[9, 7, 1, 0, 0, 0, 0, 0]));
    assert_eq!([one.get(0, 0), one.get(1, 0)], [[7, 7, 7, 255], [9, 9, 9, 255]].map(Some));
    let two = decoded(&dds((4, 4), &four_cc(b"ATI2"), &[9, 7, 0, 0, 0, 0, 0, 0, 5, 3, 0, 0, 0, 0, 0, 0]));
    assert_eq!(two.get(3, 3), Some([9, 5, 0, 255]));
}

#[test]
fn clips_blocks_at_the_edges() {
    let picture = decoded(&dds((6, 5), &four_cc(b"DXT1"), &COLORS.repeat(4)));
    assert_eq!((picture.width(), picture.height()), (6, 5));
    for (x, y) in [(0, 0), (4, 0), (0, 4), (4, 4)] {
        assert_eq!(picture.get(x, y), Some([0, 0, 255, 255]), "{x} {y}");
    }
    assert_eq!(picture.get(5, 4), Some([255, 0, 0, 255]));
}

#[test]
fn reads_channels_according_to_their_masks() {
    let data = [0x10, 0x20, 0x30, 0x40];
    let argb = [32, 0x41, 0, 32, 0xff_0000, 0xff00, 0xff, 0xff00_0000];
    assert_eq!(decoded(&dds((1, 1), &argb, &data)).get(0, 0), Some([0x30, 0x20, 0x10, 0x40]));
    // Alpha is used only if the flag is set.
    let xrgb = [32, 0x40, 0, 32, 0xff_0000, 0xff00, 0xff, 0xff00_0000];
    assert_eq!(decoded(&dds((1, 1), &xrgb, &data)).get(0, 0), Some([0x30, 0x20, 0x10, 255]));
    let rgb = [32, 0x40, 0, 24, 0xff, 0xff00, 0xff_0000, 0];
    assert_eq!(decoded(&dds((1, 1), &rgb, &data)).get(0, 0), Some([0x10, 0x20, 0x30, 255]));
    let r5g6b5 = [32, 0x40, 0, 16, 0xf800, 0x7e0, 0x1f, 0];
    assert_eq!(decoded(&dds((1, 1), &r5g6b5, &[0xff, 0x07])).get(0, 0), Some([0, 255, 255, 255]));
    let gray = [32, 0x2_0001, 0, 16, 0xff, 0, 0, 0xff00];
    assert_eq!(decoded(&dds((1, 1), &gray, &data)).get(0, 0), Some([0x10, 0x10, 0x10, 0x20]));
    let of_dxgi = |number| decoded(&extended((1, 1), [number, 0, 1], &data)).get(0, 0);
    assert_eq!(of_dxgi(28), Some([0x10, 0x20, 0x30, 0x40]));
    assert_eq!(of_dxgi(88), Some([0x30, 0x20, 0x10, 255]));
}

#[test]
fn reads_mipmap_levels_and_faces_from_the_header() {
    let plain = read(&dds((4, 4), &four_cc(b"DXT1"), &COLORS)).unwrap();
    assert_eq!((plain.mipmaps, plain.surfaces, plain.full_length()), (1, 1, 136));
    let bytes = dds((8, 2), &four_cc(b"DXT5"), &[0; 64]);
    let levels = read(&with(&bytes, 28, 4)).unwrap();
    // 8 x 2, 4 x 1, 2 x 1 and 1 x 1 pixels.
    assert_eq!((levels.mipmaps, levels.full_length()), (4, 128 + 32 + 16 + 16 + 16));
    assert_eq!(read(&with(&bytes, 28, u32::MAX)).unwrap().mipmaps, 4);
    let cube = read(&with(&bytes, 112, 0xfe00)).unwrap();
    assert_eq!((cube.surfaces, cube.full_length()), (6, 128 + 6 * 32));
    let array = read(&extended((4, 4), [98, 0, 3], &[0; 16])).unwrap();
    assert_eq!((array.encoding, array.surfaces, array.pixels_at), (DdsEncoding::Bc7, 3, 148));
    assert_eq!(read(&extended((4, 4), [71, 4, 1], &[0; 16])).unwrap().surfaces, 6);
    let huge = read(&extended((4, 4), [71, 4, u32::MAX], &[0; 16])).unwrap();
    assert_eq!(huge.surfaces, 65536);
}

#[test]
fn refuses_a_size_larger_than_the_file_before_allocating() {
    let bytes = dds((4, 4), &four_cc(b"DXT1"), &COLORS);
    let huge = with(&with(&bytes, 12, u32::MAX), 16, u32::MAX);
    let error = decode(&huge, &Limits::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "DDS image: 4294967295 x 4294967295 pixels are too many for 136 bytes, at offset 0xc"
    );
    let limits = Limits { max_pixels: 15 };
    assert_eq!(
        decode(&bytes, &limits).unwrap_err().to_string(),
        "DDS image: 4 x 4 pixels are more than the limit of 15"
    );
    assert!(decode(&bytes[..135], &Limits::default()).is_err());
}

#[test]
fn refuses_invalid_headers() {
    let bytes = dds((4, 4), &four_cc(b"DXT1"), &COLORS);
    let refused = |offset, value| read(&with(&bytes, offset, value)).unwrap_err();
    assert_eq!(refused(4, 100), "DDS image: invalid header size 100 (expected 124), at offset 0x4");
    assert_eq!(refused(12, 0), "DDS image: 4 x 0 is not a valid size, at offset 0xc");
    assert_eq!(
        refused(84, u32::from_le_bytes(*b"YUY2")),
        "DDS image: pixel format \"YUY2\" is not supported, at offset 0x54"
    );
    assert_eq!(refused(80, 0x40), "DDS image: a depth of 0 bits per pixel is not supported, at offset 0x58");
    assert_eq!(
        read(&extended((4, 4), [95, 0, 1], &[0; 16])).unwrap_err(),
        "DDS image: DXGI format 95 is not supported, at offset 0x80"
    );
    let gap = dds((1, 1), &[32, 0x40, 0, 16, 0b101, 0, 0, 0], &[0; 2]);
    assert_eq!(read(&gap).unwrap_err(), "DDS image: the masks of the channels are invalid, at offset 0x5c");
    assert!(read(&bytes[..127]).is_err());
}

#[test]
fn converts_dds_to_png_for_gltf() {
    let encoded = for_gltf(&dds((4, 4), &four_cc(b"DXT1"), &[0x1f, 0, 0, 0xf8, 3, 0, 0, 0])).unwrap();
    assert_eq!((encoded.kind, encoded.alpha), (ImageKind::Png, Alpha::Binary));
    assert!(Format::Dds.is_decoded());
}
