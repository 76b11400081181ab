//! Procedural images: noise, tiles, letters.

use scene::image::Rgba8;

/// Paints an image from a function of the pixel coordinates: red, green, blue and alpha in 0..1.
#[expect(clippy::expect_used, reason = "the number of pixels matches the size")]
pub(super) fn paint(width: u32, height: u32, color: impl Fn(u32, u32) -> [f32; 4]) -> Rgba8 {
    let pixels =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| color(x, y).map(to_byte));
    Rgba8::new(width, height, pixels.collect()).expect("a pixel for every position")
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped"
)]
fn to_byte(level: f32) -> u8 {
    (level.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// A pseudo-random number in 0..1 for integer coordinates.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "24 bits fit a float")]
pub(super) fn chance(x: u32, y: u32, seed: u32) -> f32 {
    let mut bits = x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca77) ^ seed.wrapping_mul(0xc2b2_ae3d);
    for shift in [15, 13, 16] {
        bits ^= bits >> shift;
        bits = bits.wrapping_mul(0x2c1b_3c6d);
    }
    (bits >> 8) as f32 / (1_u32 << 24) as f32
}

/// Smooth noise in 0..1 that repeats after `size` pixels. `cell` is the width of its spots and divides `size`.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "pixel coordinates are small")]
pub(super) fn noise(x: u32, y: u32, size: u32, cell: u32, seed: u32) -> f32 {
    let cells = (size / cell).max(1);
    let part = |at: u32| (at / cell, (at % cell) as f32 / cell as f32);
    let ((left, u), (top, v)) = (part(x), part(y));
    let corner = |dx: u32, dy: u32| {
        let wrap = |at: u32| at % cells;
        chance(wrap(left.wrapping_add(dx)), wrap(top.wrapping_add(dy)), seed)
    };
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * ease(t);
    mix(mix(corner(0, 0), corner(1, 0), u), mix(corner(0, 1), corner(1, 1), u), v)
}

/// Sum of noise in several sizes.
pub(super) fn clouds(x: u32, y: u32, size: u32, seed: u32) -> f32 {
    let layers = [(64, 0.45), (32, 0.25), (8, 0.2), (2, 0.1)];
    layers.iter().map(|(cell, weight)| weight * noise(x, y, size, *cell, seed.wrapping_add(*cell))).sum()
}

/// Letters of five by seven dots, one byte per row.
const LETTERS: [(char, [u8; 7]); 9] = [
    ('A', [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001]),
    ('N', [0b10001, 0b11001, 0b10101, 0b10011, 0b10001, 0b10001, 0b10001]),
    ('T', [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100]),
    ('I', [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]),
    ('Q', [0b01110, 0b10001, 0b10001, 0b10001, 0b10101, 0b10010, 0b01101]),
    ('U', [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110]),
    ('R', [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001]),
    ('Y', [0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100]),
    (' ', [0; 7]),
];

/// Whether a dot of a line of text is set. A letter takes six columns and seven rows.
pub(super) fn is_ink(text: &str, column: u32, row: u32) -> bool {
    let (letter, dot) = (column / 6, column % 6);
    let letter = usize::try_from(letter).ok().and_then(|index| text.chars().nth(index));
    let rows = LETTERS.iter().find(|(known, _)| Some(*known) == letter).map(|(_, rows)| rows);
    let bits = usize::try_from(row).ok().and_then(|row| rows?.get(row)).copied().unwrap_or(0);
    dot < 5 && (bits >> (4 - dot)) & 1 == 1
}
