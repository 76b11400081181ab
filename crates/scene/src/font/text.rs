//! Rendering of texts as images.

use super::atlas::Canvas;
use super::{Glyph, PixelFont};
use crate::Error;
use crate::error::forbidden;
use crate::image::Indexed8;

/// Draws a text whose lines are separated by `\n`. Characters that are missing in the font are skipped. The image is
/// as wide as the longest line and as high as all lines, and larger if a glyph extends beyond them.
///
/// # Errors
/// `Malformed` if nothing is visible, or if the image would have more than [`MAX_PIXELS`](super::MAX_PIXELS) pixels.
pub fn draw_text(font: &PixelFont, text: &str) -> Result<Indexed8, Error> {
    let mut placed: Vec<(i64, i64, &Glyph)> = Vec::new();
    let (mut left, mut top, mut right, mut bottom) = (0_i64, 0_i64, 0_i64, 0_i64);
    let mut line_top = 0_i64;
    for line in text.split('\n') {
        let mut pen = 0_i64;
        for glyph in line.chars().filter_map(|character| font.glyph(character)) {
            let x = pen + i64::from(glyph.left);
            let y = line_top + i64::from(glyph.top);
            if glyph.width > 0 && glyph.height > 0 {
                left = left.min(x);
                top = top.min(y);
                right = right.max(x + i64::from(glyph.width));
                bottom = bottom.max(y + i64::from(glyph.height));
            }
            placed.push((x, y, glyph));
            pen += i64::from(glyph.advance);
        }
        right = right.max(pen);
        line_top += i64::from(font.line_height);
    }
    bottom = bottom.max(line_top);
    let side = |from: i64, to: i64| u32::try_from(to - from).unwrap_or(u32::MAX);
    let (width, height) = (side(left, right), side(top, bottom));
    if width == 0 || height == 0 {
        return Err(forbidden("text", "none of its characters are in the font"));
    }
    let mut canvas = Canvas::new(width, height, "text")?;
    for (x, y, glyph) in placed {
        canvas.draw(glyph, x - left, y - top);
    }
    canvas.finish(font.palette.clone())
}
