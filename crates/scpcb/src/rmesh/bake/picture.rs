//! Source images for baking, with mipmaps.
//!
//! All numbers are display values, because the game blends those. Positions in a picture are in pixels from the top
//! left, with the center of the first pixel at 0.5; beyond its edges the picture repeats.

use asset::Result;
use glam::{DVec2, Vec4};
use scene::image::{Limits, Rgba8, decode};

use crate::number::{byte, index, single, truncate};

/// Size limit of source images: 4096 x 4096 pixels.
const LIMITS: Limits = Limits { max_pixels: 16 << 20 };

/// An image with its mipmap levels, each half as wide and high as the previous one.
#[derive(Debug, Clone)]
pub(in super::super) struct Picture {
    pub(super) levels: Vec<Level>,
}

/// One mipmap level.
#[derive(Debug, Clone)]
pub(super) struct Level {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Red, green, blue and alpha, rows from the top.
    pub(super) pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// Decodes an image file.
    ///
    /// # Errors
    /// If the file is damaged, has an unknown format or is too large.
    pub(in super::super) fn decode(bytes: &[u8]) -> Result<Self> {
        decode(bytes, &LIMITS).map(|picture| Self::new(&picture))
    }

    pub(super) fn new(picture: &Rgba8) -> Self {
        let (pixels, _) = picture.pixels().as_chunks::<4>();
        Self::of(Level { width: picture.width(), height: picture.height(), pixels: pixels.to_vec() })
    }

    /// One white pixel, for a surface without a texture.
    pub(in super::super) fn white() -> Self {
        Self::of(Level { width: 1, height: 1, pixels: vec![[255; 4]] })
    }

    fn of(level: Level) -> Self {
        let mut levels = vec![level];
        while let Some(last) = levels.last().filter(|last| last.width > 1 || last.height > 1) {
            levels.push(last.half());
        }
        Self { levels }
    }

    /// Width and height in pixels.
    pub(super) fn size(&self) -> DVec2 {
        self.levels.first().map_or(DVec2::ONE, |level| DVec2::new(level.width.into(), level.height.into()))
    }

    /// The mean color of all pixels: red, green and blue, 0 to 255.
    pub(in super::super) fn mean_color(&self) -> [u8; 3] {
        let last = self.levels.last().and_then(|level| level.pixels.first());
        last.map_or([255; 3], |[red, green, blue, _]| [*red, *green, *blue])
    }

    /// The pixels in rows from the top left (red, green, blue and alpha), and the width of a row.
    pub(in super::super) fn rows(&self) -> (&[[u8; 4]], u32) {
        self.levels.first().map_or((&[], 0), |level| (level.pixels.as_slice(), level.width))
    }

    /// Memory used, in bytes.
    pub(in super::super) fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.pixels.len().saturating_mul(4)).sum()
    }

    /// The picture in another size, averaged when it gets smaller.
    pub(in super::super) fn resized(&self, width: u32, height: u32) -> Self {
        let fits = |level: &&Level| level.width >= width && level.height >= height;
        // The smallest level that is still large enough.
        let from = self.levels.iter().rfind(fits).or(self.levels.first());
        from.map_or_else(Self::white, |level| Self::of(level.resized(width, height)))
    }
}

impl Level {
    /// The next level, half as wide and high.
    fn half(&self) -> Self {
        let (width, height) = ((self.width >> 1).max(1), (self.height >> 1).max(1));
        if self.width & 1 == 1 || self.height & 1 == 1 {
            return self.resized(width, height);
        }
        let mut pixels = Vec::with_capacity(index(width).saturating_mul(index(height)));
        for rows in self.pixels.chunks_exact(index(self.width).saturating_mul(2)) {
            let (above, below) = rows.split_at(index(self.width));
            let (above, _) = above.as_chunks::<2>();
            let (below, _) = below.as_chunks::<2>();
            pixels.extend(above.iter().zip(below).map(|([a, b], [c, d])| mean([*a, *b, *c, *d])));
        }
        Self { width, height, pixels }
    }

    /// Resizes the level; each new pixel is the average of the pixels it covers.
    fn resized(&self, width: u32, height: u32) -> Self {
        if (width, height) == (self.width, self.height) {
            return self.clone();
        }
        let (columns, rows) = (shares(self.width, width), shares(self.height, height));
        let mut pixels = Vec::with_capacity(index(width).saturating_mul(index(height)));
        for (first_row, down) in &rows {
            let mut line = vec![Vec4::ZERO; index(self.width)];
            let above = self.pixels.chunks_exact(index(self.width)).skip(*first_row);
            for (row, share) in above.zip(down) {
                for (sum, pixel) in line.iter_mut().zip(row) {
                    *sum += Vec4::from_array(pixel.map(f32::from)) * *share;
                }
            }
            for (first, across) in &columns {
                let covered = line.iter().skip(*first).zip(across);
                let sum = covered.fold(Vec4::ZERO, |sum, (pixel, share)| sum + *pixel * *share);
                pixels.push(sum.to_array().map(byte));
            }
        }
        Self { width, height, pixels }
    }
}

/// For each of `new` pixels, the first of the `old` pixels that it covers and the weight of each covered pixel.
fn shares(old: u32, new: u32) -> Vec<(usize, Vec<f32>)> {
    let step = f64::from(old) / f64::from(new);
    let cover = |pixel: u32| {
        let (start, end) = (f64::from(pixel) * step, (f64::from(pixel) + 1.0) * step);
        let first = start.floor().min(f64::from(old) - 1.0);
        let mut counts = Vec::new();
        let mut at = first;
        while at < end - 1e-9 {
            counts.push(single(((at + 1.0).min(end) - at.max(start)) / step));
            at += 1.0;
        }
        (index(truncate(first)), counts)
    };
    (0..new).map(cover).collect()
}

/// The rounded mean of four pixels.
pub(super) fn mean(pixels: [[u8; 4]; 4]) -> [u8; 4] {
    // Two channels at a time, 16 bits apart.
    let two = |shift: u32| {
        let sum = pixels.iter().fold(0x0002_0002_u32, |sum, pixel| {
            sum.wrapping_add(u32::from_le_bytes(*pixel).wrapping_shr(shift) & 0x00ff_00ff)
        });
        (sum >> 2) & 0x00ff_00ff
    };
    (two(0) | two(8).wrapping_shl(8)).to_le_bytes()
}
