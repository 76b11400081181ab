//! Atlases: all glyphs of a font on one sheet.

use super::{Glyph, PixelFont};
use crate::Error;
use crate::error::forbidden;
use crate::image::Indexed8;

/// Maximum number of pixels of a sheet and of a picture of a text.
pub const MAX_PIXELS: u64 = 16 << 20;

/// Transparent pixels between glyphs, so that a sheet can be drawn with smoothing.
const GAP: u32 = 1;

/// The positions of a font's glyphs on a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atlas {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The top left corner of each glyph.
    pub positions: Vec<(u32, u32)>,
}

impl Atlas {
    /// Arranges glyphs in rows, in their order, on a roughly square sheet.
    ///
    /// # Errors
    /// `Malformed` if the sheet would have more than [`MAX_PIXELS`] pixels.
    pub fn new(glyphs: &[Glyph]) -> Result<Self, Error> {
        let room = |side: u16| u32::from(side) + GAP;
        let area = glyphs
            .iter()
            .map(|glyph| u64::from(room(glyph.width)) * u64::from(room(glyph.height)))
            .fold(0_u64, u64::saturating_add);
        let widest = glyphs.iter().map(|glyph| room(glyph.width)).max().unwrap_or(GAP);
        let row = widest.max(u32::try_from(area.isqrt()).unwrap_or(u32::MAX).next_power_of_two());
        let (mut x, mut y, mut row_height) = (0_u32, 0_u32, 0_u32);
        let mut atlas = Self { width: 1, height: 1, positions: Vec::with_capacity(glyphs.len()) };
        for glyph in glyphs {
            let (width, height) = (room(glyph.width), room(glyph.height));
            if x > 0 && x.saturating_add(width) > row {
                (x, y, row_height) = (0, y.saturating_add(row_height), 0);
            }
            atlas.positions.push((x, y));
            atlas.width = atlas.width.max(x.saturating_add(glyph.width.into()));
            atlas.height = atlas.height.max(y.saturating_add(glyph.height.into()));
            x = x.saturating_add(width);
            row_height = row_height.max(height);
        }
        check_size(atlas.width, atlas.height, "sheet")?;
        Ok(atlas)
    }

    /// Draws the glyphs of the font on the sheet, in the font's palette. Pixels without a glyph have palette index 0.
    ///
    /// # Errors
    /// If a glyph is not on the sheet, or a pixel has no color.
    pub fn paint(&self, font: &PixelFont) -> Result<Indexed8, Error> {
        let mut canvas = Canvas::new(self.width, self.height, "sheet")?;
        for (glyph, (x, y)) in font.glyphs.iter().zip(&self.positions) {
            canvas.draw(glyph, (*x).into(), (*y).into());
        }
        canvas.finish(font.palette.clone())
    }
}

fn check_size(width: u32, height: u32, what: &str) -> Result<(), Error> {
    if u64::from(width) * u64::from(height) <= MAX_PIXELS {
        return Ok(());
    }
    Err(Error::limit(format!(
        "{what}: it would have {width} x {height} pixels, but the limit is {MAX_PIXELS}"
    )))
}

/// A pixel buffer that glyphs are drawn on.
pub(super) struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Canvas {
    /// Creates a transparent canvas.
    pub(super) fn new(width: u32, height: u32, what: &str) -> Result<Self, Error> {
        check_size(width, height, what)?;
        let count = u64::from(width) * u64::from(height);
        let count = usize::try_from(count).map_err(|_| forbidden(what, "it is too large for memory"))?;
        Ok(Self { width, height, pixels: vec![0; count] })
    }

    /// Draws a glyph with its top left corner at a position. Transparent pixels and pixels outside the canvas are
    /// skipped.
    pub(super) fn draw(&mut self, glyph: &Glyph, x: i64, y: i64) {
        let width = i64::from(self.width);
        for (row, down) in glyph.rows().zip(0_i64..) {
            let line = y + down;
            if !(0..i64::from(self.height)).contains(&line) {
                continue;
            }
            for (index, across) in row.iter().zip(0_i64..) {
                let column = x + across;
                if *index == 0 || !(0..width).contains(&column) {
                    continue;
                }
                self.pixels[(line * width + column) as usize] = *index;
            }
        }
    }

    /// Returns the image with this palette.
    pub(super) fn finish(self, palette: Vec<[u8; 4]>) -> Result<Indexed8, Error> {
        Indexed8::new(self.width, self.height, self.pixels, palette)
    }
}
