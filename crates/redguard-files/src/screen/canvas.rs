//! Drawing of bitmaps and texts on a page or a screen.

use scene::image::Rgba8;

use crate::text::fnt::{Font, Glyph};

/// A rectangle of pixels, palette indices or colors, that is drawn on.
pub(super) struct Canvas<P> {
    width: u16,
    pixels: Vec<P>,
}

/// A bitmap of palette indices at a position.
#[derive(Clone, Copy)]
pub(super) struct Sprite<'a> {
    /// The position of the left side in pixels.
    pub(super) left: i32,
    /// The position of the top in pixels.
    pub(super) top: i32,
    /// The width in pixels.
    pub(super) width: u16,
    /// The pixels, rows from the top.
    pub(super) indices: &'a [u8],
}

/// Returns the number of pixels cut off at the start of an axis, and the position of the first one that remains.
fn cut(start: i32) -> (usize, usize) {
    let start = i64::from(start);
    let positive = |number: i64| usize::try_from(number).unwrap_or_default();
    (positive(start.saturating_neg()), positive(start))
}

impl<P: Copy> Canvas<P> {
    /// Creates a canvas of one color.
    pub(super) fn new(width: u16, height: u16, color: P) -> Self {
        Self { width, pixels: vec![color; usize::from(width).saturating_mul(height.into())] }
    }

    /// Draws a bitmap. `change` returns the new value of a pixel, from the bitmap's index and the present value. Pixels outside the
    /// canvas are skipped.
    pub(super) fn draw(&mut self, sprite: Sprite<'_>, change: impl Fn(u8, P) -> P) {
        let ((above, top), (left_of, left)) = (cut(sprite.top), cut(sprite.left));
        let rows = sprite.indices.chunks_exact(usize::from(sprite.width).max(1)).skip(above);
        let lines = self.pixels.chunks_exact_mut(usize::from(self.width).max(1)).skip(top);
        for (row, line) in rows.zip(lines) {
            let indices = row.get(left_of..).unwrap_or_default();
            let pixels = line.get_mut(left..).unwrap_or_default();
            for (index, pixel) in indices.iter().zip(pixels) {
                *pixel = change(*index, *pixel);
            }
        }
    }

    /// Draws the visible pixels of a bitmap: those whose index is not 0.
    pub(super) fn draw_visible(&mut self, sprite: Sprite<'_>, change: impl Fn(u8, P) -> P) {
        self.draw(sprite, |index, present| if index == 0 { present } else { change(index, present) });
    }

    /// Draws a line of text with its top left corner at a position, up to the first glyph that starts at `end` or later.
    pub(super) fn draw_text(
        &mut self,
        font: &Font,
        line: &str,
        [x, y]: [i32; 2],
        end: i32,
        change: impl Fn(u8, P) -> P,
    ) {
        for (pen, glyph) in glyphs(font, line, x).take_while(|(pen, _)| *pen < end) {
            let sprite = Sprite {
                left: pen.saturating_add(glyph.offset_left.into()),
                top: y.saturating_add(glyph.offset_top.into()),
                width: glyph.width,
                indices: &glyph.pixels,
            };
            self.draw_visible(sprite, &change);
        }
    }

    /// Returns the pixels, rows from the top.
    pub(super) fn into_pixels(self) -> Vec<P> {
        self.pixels
    }
}

/// Returns the enabled glyphs of a line of text, each with the position of the pen.
fn glyphs<'f>(font: &'f Font, line: &str, start: i32) -> impl Iterator<Item = (i32, &'f Glyph)> {
    let known = line.chars().filter_map(|character| {
        let index = font.index_of(character)?;
        Some((font.advance(index), font.glyphs().get(index)?))
    });
    known
        .scan(start, |next, (advance, glyph)| {
            let pen = *next;
            *next = pen.saturating_add_unsigned(advance);
            Some((pen, glyph))
        })
        .filter(|(_, glyph)| glyph.is_enabled())
}

/// Returns the width of a line of text in pixels.
pub(super) fn width(font: &Font, line: &str) -> i32 {
    i32::try_from(font.text_width(line)).unwrap_or(i32::MAX)
}

/// Composes a color over another one; neither is premultiplied.
pub(super) fn over([red, green, blue, alpha]: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    let top = u32::from(alpha);
    let bottom = u32::from(below[3]).wrapping_mul(255_u32.wrapping_sub(top)) / 255;
    let sum = top.wrapping_add(bottom);
    let mixed = |above: u8, below: u8| {
        let weighted = u32::from(above).wrapping_mul(top).wrapping_add(u32::from(below).wrapping_mul(bottom));
        u8::try_from(weighted.checked_div(sum).unwrap_or_default()).unwrap_or(u8::MAX)
    };
    let [red_below, green_below, blue_below, _] = below;
    let alpha = u8::try_from(sum).unwrap_or(u8::MAX);
    [mixed(red, red_below), mixed(green, green_below), mixed(blue, blue_below), alpha]
}

/// Converts a canvas of colors to an image.
pub(super) fn image(canvas: Canvas<[u8; 4]>, width: u16, height: u16) -> record::Result<Rgba8> {
    Rgba8::new(width.into(), height.into(), canvas.into_pixels().into_flattened())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitmaps_are_clipped_at_all_sides() {
        let indices = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        let drawn = |left, top| {
            let mut canvas = Canvas::new(2, 2, 0);
            canvas.draw_visible(Sprite { left, top, width: 3, indices: &indices }, |index, _| index);
            canvas.into_pixels()
        };
        assert_eq!(drawn(0, 0), [1, 2, 4, 5]);
        assert_eq!(drawn(-1, -2), [8, 9, 0, 0]);
        assert_eq!(drawn(1, 1), [0, 0, 0, 1]);
        assert_eq!([drawn(2, 0), drawn(0, -3), drawn(i32::MIN, i32::MAX)].concat(), [0; 12]);
    }

    #[test]
    fn colors_are_composed_by_their_opacity() {
        let black = [0, 0, 0, 255];
        assert_eq!(over([9, 8, 7, 255], black), [9, 8, 7, 255]);
        assert_eq!(over([9, 8, 7, 0], [1, 2, 3, 4]), [1, 2, 3, 4]);
        assert_eq!(over([200, 100, 50, 128], [0; 4]), [200, 100, 50, 128]);
        assert_eq!(over([255, 255, 255, 51], black), [51, 51, 51, 255]);
        assert_eq!(over([0; 4], [0; 4]), [0; 4]);
    }
}
