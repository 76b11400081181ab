//! Image files built byte by byte if no encoder can write them.

use crate::image::Rgba8;

/// Returns a chunk with its checksum.
pub(super) fn png_chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u32).to_be_bytes();
    let checksum = crc32fast::hash(&[&kind[..], data].concat()).to_be_bytes();
    [&length[..], kind, data, &checksum].concat()
}

/// Returns a PNG with these chunks.
pub(super) fn png_with(chunks: &[Vec<u8>]) -> Vec<u8> {
    [&b"\x89PNG\r\n\x1a\n"[..], &chunks.concat()].concat()
}

/// Returns a color gradient.
pub(super) fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut file = Vec::new();
    let pixels: Vec<u8> =
        (0..height).flat_map(|y| (0..width).flat_map(move |x| [x as u8 * 3, y as u8 * 3, 90])).collect();
    image::codecs::jpeg::JpegEncoder::new(&mut file)
        .encode(&pixels, width.into(), height.into(), image::ExtendedColorType::Rgb8)
        .unwrap();
    file
}

/// Returns a marker with its data.
pub(super) fn segment(marker: u8, data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u16 + 2).to_be_bytes();
    [&[0xff, marker], &length[..], data].concat()
}

/// Tables in which code 0 means "no change" (DC) and "end of block" (AC), so that a block consists of two zero bits.
fn tables() -> Vec<u8> {
    let mut codes = vec![0_u8; 18];
    codes[1] = 1;
    let dc = segment(0xc4, &codes);
    codes[0] = 0x10;
    let ac = segment(0xc4, &codes);
    let quantization = segment(0xdb, &[&[0][..], &[1; 64]].concat());
    [quantization, dc, ac].concat()
}

/// Returns a solid gray image of 8 x 8 pixels without metadata. Its scan data is one byte.
pub(super) fn gray_jpeg() -> Vec<u8> {
    let frame = segment(0xc0, &[8, 0, 8, 0, 8, 1, 1, 0x11, 0]);
    let scan = segment(0xda, &[1, 1, 0, 0, 63, 0]);
    [&b"\xff\xd8"[..], &tables(), &frame, &scan, &[0x3f], b"\xff\xd9"].concat()
}

/// Returns an image of 8 x 8 pixels with half of each ink, as Adobe's programs store it.
pub(super) fn cmyk_jpeg() -> Vec<u8> {
    let adobe = segment(0xee, b"Adobe\0\x64\0\0\0\0\0");
    let frame = segment(0xc0, &[8, 0, 8, 0, 8, 4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0]);
    let scan = segment(0xda, &[4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0]);
    [&b"\xff\xd8"[..], &adobe, &tables(), &frame, &scan, &[0], b"\xff\xd9"].concat()
}

/// 24 bits per pixel, rows from the bottom.
pub(super) fn bmp(picture: &Rgba8) -> Vec<u8> {
    let (width, height) = (picture.width(), picture.height());
    let mut rows = Vec::new();
    for y in (0..height).rev() {
        for x in 0..width {
            let [red, green, blue, _] = picture.get(x, y).unwrap();
            rows.extend([blue, green, red]);
        }
        rows.resize(rows.len().next_multiple_of(4), 0);
    }
    let mut file = b"BM".to_vec();
    file.extend((54 + rows.len() as u32).to_le_bytes());
    file.extend([0; 4]);
    file.extend(
        [54_u32, 40, width, height, 1 | 24 << 16, 0, rows.len() as u32, 0, 0, 0, 0]
            .map(u32::to_le_bytes)
            .concat(),
    );
    file.extend(rows);
    file
}

/// 32 bits per pixel, rows from the top.
pub(super) fn tga(picture: &Rgba8) -> Vec<u8> {
    let (width, height) = (picture.width() as u16, picture.height() as u16);
    let mut file = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend([width, height].map(u16::to_le_bytes).concat());
    file.extend([32, 0x28]);
    file.extend(picture.pixels().chunks(4).flat_map(|pixel| [pixel[2], pixel[1], pixel[0], pixel[3]]));
    file
}

/// Returns the pixel format of a DDS image with these four characters.
pub(super) fn four_cc(name: &[u8; 4]) -> [u32; 8] {
    [32, 4, u32::from_le_bytes(*name), 0, 0, 0, 0, 0]
}

/// Returns a DDS image with one mipmap level.
pub(super) fn dds((width, height): (u32, u32), pixel_format: &[u32; 8], data: &[u8]) -> Vec<u8> {
    let head = [u32::from_le_bytes(*b"DDS "), 124, 0x1007, height, width, 0, 0, 1];
    let numbers = [&head[..], &[0; 11], pixel_format, &[0x1000, 0, 0, 0, 0]].concat();
    [&numbers.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<_>>(), data].concat()
}
