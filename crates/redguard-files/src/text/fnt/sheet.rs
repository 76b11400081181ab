//! The editable glyph sheet: a cell for each code, sixteen per row, including empty cells for new characters.

use record::{Error, Result};
use scene::font::MAX_PIXELS;
use serde::{Deserialize, Serialize};

use super::layout::Glyph;
use super::metrics::FIRST_CODE;
use media::picture::Edited;

/// The number of cells per row.
const ROW: u32 = 16;

/// The end (exclusive) of the codes that texts can use; each has a cell.
const CODES: u32 = 256;

/// The horizontal padding of a cell in pixels.
const CELL_PADDING: u32 = 2;

/// The grid of cells on a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Grid {
    /// The width of a cell in pixels.
    cell_width: u32,
    /// The height of a cell in pixels.
    cell_height: u32,
    /// The number of rows of cells.
    rows: u32,
}

/// A rectangle on the sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rectangle {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u16,
    pub(super) height: u16,
}

impl Grid {
    /// Creates cells that fit every glyph, with space for accents.
    pub(super) fn new(glyphs: &[Glyph]) -> Self {
        let largest = |side: fn(&Glyph) -> u16| u32::from(glyphs.iter().map(side).max().unwrap_or_default());
        let height = largest(|glyph| glyph.height);
        let count = u32::try_from(glyphs.len()).unwrap_or(u32::MAX);
        let codes = CODES.max(FIRST_CODE.saturating_add(count)).saturating_sub(FIRST_CODE);
        Self {
            cell_width: largest(|glyph| glyph.width).saturating_add(CELL_PADDING),
            cell_height: height.saturating_add((height / 4).max(3)),
            rows: codes.div_ceil(ROW),
        }
    }

    /// Returns width and height of the sheet in pixels.
    fn size(self) -> (u32, u32) {
        (self.cell_width.saturating_mul(ROW), self.cell_height.saturating_mul(self.rows))
    }

    /// Returns the top left corner of a code's cell.
    pub(super) fn origin(self, code: u32) -> (u32, u32) {
        let cell = code.saturating_sub(FIRST_CODE);
        ((cell % ROW).saturating_mul(self.cell_width), (cell / ROW).saturating_mul(self.cell_height))
    }

    /// Whether a glyph of this size fits into its cell.
    pub(super) fn fits(self, width: u16, height: u16) -> bool {
        u32::from(width) <= self.cell_width && u32::from(height) <= self.cell_height
    }

    /// Returns the size of a cell, for messages.
    pub(super) fn cell(self) -> String {
        format!("{} x {}", self.cell_width, self.cell_height)
    }

    /// Draws the glyphs into their cells, as palette indices.
    ///
    /// # Errors
    /// Returns an error if the sheet would be too large.
    pub(super) fn draw(self, glyphs: &[Glyph]) -> Result<Edited> {
        let (width, height) = self.size();
        let count = u64::from(width).saturating_mul(height.into());
        if count > MAX_PIXELS {
            let message = format!(
                "the sheet would be {width} x {height} pixels, which exceeds the limit of {MAX_PIXELS} pixels"
            );
            return Err(Error::limit(message));
        }
        let mut indices = vec![0; usize::try_from(count).unwrap_or_default()];
        for (glyph, code) in glyphs.iter().zip(FIRST_CODE..) {
            let (x, y) = self.origin(code);
            let rows = glyph.pixels.chunks_exact(usize::from(glyph.width).max(1));
            for (row, line) in rows.zip(y..) {
                let start = u64::from(line).saturating_mul(width.into()).saturating_add(x.into());
                let start = usize::try_from(start).unwrap_or(usize::MAX);
                if let Some(area) = indices.get_mut(start..start.saturating_add(row.len())) {
                    area.copy_from_slice(row);
                }
            }
        }
        Ok(Edited { width, height, indices })
    }
}

/// Returns the pixels of a rectangle, rows from the top; `None` if it is out of bounds.
pub(super) fn cut(sheet: &Edited, area: Rectangle) -> Option<Vec<u8>> {
    let (right, bottom) = (area.x.checked_add(area.width.into())?, area.y.checked_add(area.height.into())?);
    if right > sheet.width || bottom > sheet.height {
        return None;
    }
    let (from, to) = (usize::try_from(area.x).ok()?, usize::try_from(right).ok()?);
    let rows = sheet.indices.chunks_exact(usize::try_from(sheet.width).ok()?.max(1));
    let rows = rows.skip(usize::try_from(area.y).ok()?).take(area.height.into());
    Some(rows.flat_map(|row| row.get(from..to).unwrap_or_default()).copied().collect())
}
