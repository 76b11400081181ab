//! Fills the pixels that no triangle covers, so that neither interpolation nor mipmaps show them.
//!
//! Each empty pixel takes the average of the drawn pixels in the smallest block of 2, 4, 8 ... pixels per side that has any. A mipmap
//! pixel is the average of such a block, so it has only colors of drawn pixels. [Slots](super::atlas) start and
//! end at multiples of twice their margin, so blocks up to that size are within one slot.

use super::picture::mean;
use crate::number::index;

/// Minimum alpha of a drawn pixel.
pub(super) const DRAWN: u8 = 128;

/// The bit of a pixel's alpha that is set if the pixel was drawn.
const DRAWN_BIT: u32 = u32::from_le_bytes([0, 0, 0, DRAWN]);

/// The alpha of opaque pixels.
const SOLID: u32 = u32::from_le_bytes([0, 0, 0, u8::MAX]);

/// Number of blocks that are averaged at once.
const GROUP: usize = 8;

/// A rectangle of pixels.
struct Block {
    width: usize,
    pixels: Vec<[u8; 4]>,
}

/// Fills the empty pixels of a rectangle and makes all of them opaque. `width` is the rectangle's width; all rows are complete.
pub(super) fn fill(width: u32, pixels: &mut Vec<[u8; 4]>) {
    let mut levels = vec![Block { width: index(width).max(1), pixels: std::mem::take(pixels) }];
    while let Some(last) = levels.last().filter(|last| last.pixels.len() > 1 && last.has_gaps()) {
        levels.push(last.half());
    }
    let Some(mut coarse) = levels.pop() else { return };
    coarse.pixels.iter_mut().for_each(|pixel| *pixel = solid(*pixel, [0; 4]));
    while let Some(mut level) = levels.pop() {
        level.close(&coarse);
        coarse = level;
    }
    *pixels = coarse.pixels;
}

impl Block {
    fn has_gaps(&self) -> bool {
        self.pixels.iter().any(|[.., alpha]| *alpha < DRAWN)
    }

    /// Half the width and height, rounded up; each pixel is the average of the drawn ones of four.
    fn half(&self) -> Self {
        let width = self.width.div_ceil(2);
        let height = self.pixels.len().div_ceil(self.width).div_ceil(2);
        let mut pixels = Vec::with_capacity(width.saturating_mul(height));
        for rows in self.pixels.chunks(self.width.saturating_mul(2)) {
            let (above, below) = rows.split_at(self.width.min(rows.len()));
            // There is no row below an odd last row.
            let below = if below.is_empty() { &vec![[0; 4]; self.width] } else { below };
            let ((above, end), (below, end_below)) = (above.as_chunks::<2>(), below.as_chunks::<2>());
            for (above, below) in above.chunks(GROUP).zip(below.chunks(GROUP)) {
                // In most blocks all pixels are drawn; the compiler vectorizes the plain mean.
                let blocks = above.iter().zip(below).map(|([a, b], [c, d])| [*a, *b, *c, *d]);
                match all_drawn(above) && all_drawn(below) {
                    true => pixels.extend(blocks.map(mean)),
                    false => pixels.extend(blocks.map(average)),
                }
            }
            if let ([a], [c]) = (end, end_below) {
                pixels.push(average([*a, *c, [0; 4], [0; 4]]));
            }
        }
        Self { width, pixels }
    }

    /// Fills gaps from the next coarser block, and makes all pixels opaque.
    fn close(&mut self, coarse: &Self) {
        let rows = self.pixels.chunks_mut(self.width.saturating_mul(2));
        for (rows, coarse) in rows.zip(coarse.pixels.chunks(coarse.width)) {
            for row in rows.chunks_mut(self.width) {
                let (pairs, end) = row.as_chunks_mut::<2>();
                for ([a, b], coarse) in pairs.iter_mut().zip(coarse) {
                    (*a, *b) = (solid(*a, *coarse), solid(*b, *coarse));
                }
                if let ([last], [.., coarse]) = (end, coarse) {
                    *last = solid(*last, *coarse);
                }
            }
        }
    }
}

fn all_drawn(pairs: &[[[u8; 4]; 2]]) -> bool {
    let all = pairs.as_flattened().iter().fold(DRAWN_BIT, |all, pixel| all & u32::from_le_bytes(*pixel));
    all != 0
}

/// The pixel if it was drawn, otherwise `other`; opaque.
fn solid(pixel: [u8; 4], other: [u8; 4]) -> [u8; 4] {
    let (pixel, other) = (u32::from_le_bytes(pixel), u32::from_le_bytes(other));
    let color = if pixel & DRAWN_BIT == 0 { other } else { pixel };
    (color | SOLID).to_le_bytes()
}

/// The average of the drawn pixels; empty if none was drawn.
fn average(pixels: [[u8; 4]; 4]) -> [u8; 4] {
    let [a, b, c, d] = pixels.map(u32::from_le_bytes);
    if a & b & c & d & DRAWN_BIT != 0 {
        let [red, green, blue, _] = mean(pixels);
        return [red, green, blue, u8::MAX];
    }
    if (a | b | c | d) & DRAWN_BIT == 0 {
        return [0; 4];
    }
    let (mut sums, mut count) = ([0_u32; 3], 0_u32);
    for [red, green, blue, _] in pixels.into_iter().filter(|[.., alpha]| *alpha >= DRAWN) {
        count = count.wrapping_add(1);
        for (sum, channel) in sums.iter_mut().zip([red, green, blue]) {
            *sum = sum.wrapping_add(channel.into());
        }
    }
    let channel = |sum: u32| {
        let rounded = sum.wrapping_add(count >> 1).checked_div(count);
        u8::try_from(rounded.unwrap_or_default()).unwrap_or(u8::MAX)
    };
    let [red, green, blue] = sums.map(channel);
    [red, green, blue, u8::MAX]
}
