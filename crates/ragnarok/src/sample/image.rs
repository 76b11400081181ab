//! Textures of the sample: generated pixel by pixel and encoded as in the game.

use record::Result;
use scene::image::Rgba8;

/// Width and height in pixels.
const SIDE: u32 = 32;

/// Encodes a Windows bitmap with 24 bits per pixel, bottom row first.
pub(super) fn bitmap(paint: fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    const HEADERS: u32 = 54;
    let pixels = SIDE * SIDE * 3;
    let mut out = b"BM".to_vec();
    for number in [HEADERS + pixels, 0, HEADERS, 40, SIDE, SIDE] {
        out.extend(number.to_le_bytes());
    }
    for number in [1_u16, 24] {
        out.extend(number.to_le_bytes());
    }
    for number in [0, pixels, 2835, 2835, 0, 0] {
        out.extend(number.to_le_bytes());
    }
    for row in (0..SIDE).rev() {
        for column in 0..SIDE {
            let [red, green, blue] = paint(column, row);
            out.extend([blue, green, red]);
        }
    }
    out
}

/// Encodes a Targa image with 32 bits per pixel, top row first.
pub(super) fn targa(paint: fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
    const TRUE_COLOR: u8 = 2;
    const ALPHA_BITS_AND_FROM_TOP: u8 = 0x28;
    let [low, high, ..] = SIDE.to_le_bytes();
    let mut out = vec![0, 0, TRUE_COLOR, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    out.extend([low, high, low, high, 32, ALPHA_BITS_AND_FROM_TOP]);
    for [red, green, blue, alpha] in rows(paint) {
        out.extend([blue, green, red, alpha]);
    }
    out
}

/// Creates an image without encoding it.
pub(super) fn pixels(paint: fn(u32, u32) -> [u8; 4]) -> Result<Rgba8> {
    Rgba8::new(SIDE, SIDE, rows(paint).flatten().collect())
}

fn rows(paint: fn(u32, u32) -> [u8; 4]) -> impl Iterator<Item = [u8; 4]> {
    (0..SIDE).flat_map(move |row| (0..SIDE).map(move |column| paint(column, row)))
}

/// Bricks with a white letter R.
pub(super) fn brick(x: u32, y: u32) -> [u8; 3] {
    const LETTER: [&[u8; 5]; 7] = [b"####.", b"#...#", b"#...#", b"####.", b"#.#..", b"#..#.", b"#...#"];
    let (column, row) = (x.wrapping_sub(6) / 4, y.wrapping_sub(2) / 4);
    let at = |index: u32| usize::try_from(index).unwrap_or(usize::MAX);
    let inked = LETTER.get(at(row)).and_then(|line| line.get(at(column))) == Some(&b'#');
    if inked {
        return [250, 250, 240];
    }
    let shift = if (y / 8).is_multiple_of(2) { 0 } else { 8 };
    let is_joint = y.is_multiple_of(8) || x.wrapping_add(shift).is_multiple_of(16);
    if is_joint { [120, 110, 100] } else { [170, 80, 60] }
}

/// Cloth with holes: magenta is transparent in bitmaps.
pub(super) fn canvas(x: u32, y: u32) -> [u8; 3] {
    let is_hole = (x / 4).is_multiple_of(4) && (y / 4).is_multiple_of(4);
    if is_hole { [255, 0, 255] } else { [230, 220, 190] }
}

/// Shingles that fade out toward the lower edge.
pub(super) fn roof(x: u32, y: u32) -> [u8; 4] {
    let shift = if (y / 6).is_multiple_of(2) { 0 } else { 4 };
    let is_gap = y % 6 == 5 || x.wrapping_add(shift).is_multiple_of(8);
    let [red, green, blue] = if is_gap { [40, 50, 70] } else { [90, 110, 140] };
    let left = u8::try_from(SIDE - y).unwrap_or(u8::MAX);
    [red, green, blue, left.saturating_mul(64)]
}

/// Arrows toward +u.
pub(super) fn band(x: u32, y: u32) -> [u8; 3] {
    let middle = y.abs_diff(SIDE / 2);
    let is_arrow = x.wrapping_add(middle) % 16 < 5;
    if is_arrow { [240, 200, 40] } else { [60, 60, 70] }
}

/// A single arrow toward +u on a transparent background.
pub(super) fn arrow(x: u32, y: u32) -> [u8; 4] {
    let middle = y.abs_diff(SIDE / 2);
    let is_head = x >= 18 && middle < SIDE - x;
    let is_shaft = x < 18 && middle < 3;
    if is_head || is_shaft { [220, 60, 40, 255] } else { [220, 60, 40, 0] }
}
