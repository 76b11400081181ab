//! Procedural images in integer arithmetic: indices into a palette of sixteen ramps of sixteen shades.

use media::picture::Colors;

/// Width and height of an image, in pixels.
pub(super) const SIDE: u32 = 64;

/// Number of frames of an animation.
const FRAMES: u32 = 8;

/// Number of shades per ramp.
const SHADES: u32 = 16;

/// A row of the palette, from dark to bright. The first index of the first ramp is black.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ramp {
    Stone,
    Green,
    Sand,
    Blue,
    Fire,
    Cloth,
    Wood,
}

/// Brightest color of each ramp.
const BRIGHTEST: [[u32; 3]; 16] = [
    [220, 216, 208],
    [120, 190, 70],
    [232, 208, 150],
    [90, 150, 230],
    [255, 210, 90],
    [200, 90, 60],
    [170, 120, 80],
    [150, 100, 190],
    [90, 200, 190],
    [240, 240, 255],
    [200, 60, 110],
    [110, 130, 150],
    [240, 160, 170],
    [190, 190, 90],
    [70, 110, 90],
    [255, 255, 255],
];

/// Returns the palette index of a color. The shade is clamped to the ramp.
pub(super) fn index(ramp: Ramp, shade: i64) -> u8 {
    let shade = u32::try_from(shade.max(1)).unwrap_or(1).min(SHADES - 1);
    let row = match ramp {
        Ramp::Stone => 0,
        Ramp::Green => 1,
        Ramp::Sand => 2,
        Ramp::Blue => 3,
        Ramp::Fire => 4,
        Ramp::Cloth => 5,
        Ramp::Wood => 6_u32,
    };
    u8::try_from(row * SHADES + shade).unwrap_or(u8::MAX)
}

/// The palette, with 8 bits per channel.
pub(super) fn palette() -> Colors {
    let mut out = Colors::default();
    let rows = out.0.chunks_exact_mut(16).zip(BRIGHTEST);
    for (row, brightest) in rows {
        for (shade, color) in (0_u32..).zip(row) {
            *color = brightest.map(|channel| {
                let level = channel * shade / (SHADES - 1);
                u8::try_from(level).unwrap_or(u8::MAX)
            });
        }
    }
    out
}

/// The palette with 6 bits per channel, as embedded in images.
pub(super) fn six_bit() -> Colors {
    let mut out = palette();
    out.0.as_flattened_mut().iter_mut().for_each(|channel| *channel >>= 2);
    out
}

/// Computes an image from a function.
pub(super) fn picture(color: impl Fn(u32, u32) -> u8) -> Vec<u8> {
    let color = &color;
    (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| color(x, y))).collect()
}

/// Pseudorandom noise (0 to 255) at a position.
pub(super) fn noise(x: u32, y: u32, seed: u32) -> u32 {
    let mut bits = x.wrapping_mul(0x9e37_79b1)
        ^ y.wrapping_mul(0x85eb_ca77)
        ^ seed.wrapping_mul(0xc2b2_ae3d)
        ^ 0x1234_5678;
    for shift in [15, 13, 16] {
        bits ^= bits >> shift;
        bits = bits.wrapping_mul(0x2c1b_3c6d);
    }
    bits >> 24
}

/// Tileable value noise (0 to 255) with cells of `cell` pixels.
fn value_noise(x: u32, y: u32, cell: u32, seed: u32) -> u32 {
    let (cells, offset) = (SIDE / cell.max(1), |at: u32| at % cell.max(1));
    let corner = |dx: u32, dy: u32| {
        let at = |pixel: u32, step: u32| ((pixel / cell.max(1)) + step) % cells.max(1);
        noise(at(x, dx), at(y, dy), seed)
    };
    let mix = |a: u32, b: u32, offset: u32| {
        let sum = a * (cell - offset) + b * offset;
        sum / cell.max(1)
    };
    let (top, bottom) =
        (mix(corner(0, 0), corner(1, 0), offset(x)), mix(corner(0, 1), corner(1, 1), offset(x)));
    mix(top, bottom, offset(y))
}

/// A triangle wave between 0 and 16 with a period of 32.
fn wave(at: u32) -> i64 {
    let step = i64::from(at % 32);
    if step < 16 { step } else { 32 - step }
}

/// Grass, sand, rock or clouds: two octaves of noise and some grain.
pub(super) fn ground(ramp: Ramp, seed: u32) -> Vec<u8> {
    picture(|x, y| {
        let large = value_noise(x, y, 16, seed) * 2;
        let small = value_noise(x, y, 4, seed + 50);
        let grain = noise(x, y, seed + 99) / 2;
        let sum = (large + small + grain) / 4;
        index(ramp, i64::from(sum / 16) + 3)
    })
}

fn sea_at(x: u32, y: u32, frame: u32) -> u8 {
    let along = x + frame * 4;
    let across = y * 2 + frame * 8;
    let bent = value_noise(x, y, 16, 7) / 12;
    let height = wave(along + bent) + wave(across + bent);
    index(Ramp::Blue, height / 3 + 4)
}

fn animation(color: impl Fn(u32, u32, u32) -> u8) -> Vec<Vec<u8>> {
    (0..FRAMES).map(|frame| picture(|x, y| color(x, y, frame))).collect()
}

/// Waves, as a seamless loop.
pub(super) fn sea() -> Vec<Vec<u8>> {
    animation(sea_at)
}

/// Sand above, sea below.
pub(super) fn shore() -> Vec<Vec<u8>> {
    let sand = ground(Ramp::Sand, 2);
    let mut frames = sea();
    let half = sand.len() / 2;
    for frame in &mut frames {
        if let (Some(upper), Some(sand)) = (frame.get_mut(..half), sand.get(..half)) {
            upper.copy_from_slice(sand);
        }
    }
    frames
}

/// A flame: hot at the bottom, narrower and darker toward the top.
pub(super) fn flame() -> Vec<Vec<u8>> {
    animation(|x, y, frame| {
        let lick = value_noise(x, (y + frame * 8) % SIDE, 8, 21) / 16;
        let middle = i64::from(x.abs_diff(SIDE / 2)) * 64;
        let width = i64::from(y * 20 + lick * 40);
        let heat = (width - middle) / 60;
        if heat <= 0 { 0 } else { index(Ramp::Fire, heat + 2) }
    })
}

/// A disc with a soft edge: opacities, not colors.
pub(super) fn disc() -> Vec<u8> {
    picture(|x, y| {
        let (across, down) = (i64::from(x) * 2 - 63, i64::from(y) * 2 - 63);
        let away = across * across + down * down;
        u8::try_from((3600 - away).max(0) * 255 / 1800).unwrap_or(u8::MAX)
    })
}

/// A compass needle that points up, right, down and left.
pub(super) fn needles() -> Vec<Vec<u8>> {
    let needle = |direction: u32| {
        picture(move |x, y| {
            let center = i64::from(SIDE / 2);
            let (dx, dy) = (i64::from(x) - center, i64::from(y) - center);
            let (ahead, sideways) = match direction {
                0 => (dy.saturating_neg(), dx),
                1 => (dx, dy),
                2 => (dy, dx),
                _ => (dx.saturating_neg(), dy),
            };
            let distance = dx * dx + dy * dy;
            let thin = sideways.abs() * 6 <= 26 - ahead.abs();
            match distance {
                785..=961 => index(Ramp::Stone, 14),
                _ if thin && ahead > 0 => index(Ramp::Fire, 15),
                _ if thin && ahead > -26 => index(Ramp::Stone, 9),
                0..=784 => index(Ramp::Blue, 3),
                _ => 0,
            }
        })
    };
    (0..4).map(needle).collect()
}
