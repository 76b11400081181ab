//! The sheet that painters edit: a cell for each code, sixteen in a row, so that a character that is added finds its place.

use record::{Error, Result};
use scene::font::MOST_PIXELS;
use serde::{Deserialize, Serialize};

use super::drawn::FIRST_CODE;
use super::layout::Glyph;
use asset::picture::Edited;

/// Cells in a row.
const ROW: u32 = 16;

/// The code behind the last that texts reach: there is a cell for each before it.
const CODES: u32 = 256;

/// Pixels that a cell is wider than the widest glyph.
const ROOM_ACROSS: u32 = 2;

/// Where the cells of a sheet stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Grid {
    /// Pixels across of a cell.
    cell_width: u32,
    /// Pixels down of a cell.
    cell_height: u32,
    /// Rows of cells.
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
    /// Cells that hold every glyph, with room for an accent above.
    pub(super) fn new(glyphs: &[Glyph]) -> Self {
        let most = |side: fn(&Glyph) -> u16| u32::from(glyphs.iter().map(side).max().unwrap_or_default());
        let height = most(|glyph| glyph.height);
        let count = u32::try_from(glyphs.len()).unwrap_or(u32::MAX);
        let codes = CODES.max(FIRST_CODE.saturating_add(count)).saturating_sub(FIRST_CODE);
        Self {
            cell_width: most(|glyph| glyph.width).saturating_add(ROOM_ACROSS),
            cell_height: height.saturating_add((height / 4).max(3)),
            rows: codes.div_ceil(ROW),
        }
    }

    /// Pixels across and down.
    fn size(self) -> (u32, u32) {
        (self.cell_width.saturating_mul(ROW), self.cell_height.saturating_mul(self.rows))
    }

    /// The top left corner of a code's cell.
    pub(super) fn place(self, code: u32) -> (u32, u32) {
        let cell = code.saturating_sub(FIRST_CODE);
        ((cell % ROW).saturating_mul(self.cell_width), (cell / ROW).saturating_mul(self.cell_height))
    }

    /// Whether a glyph of this size stays within its cell.
    pub(super) fn holds(self, width: u16, height: u16) -> bool {
        u32::from(width) <= self.cell_width && u32::from(height) <= self.cell_height
    }

    /// How large a cell is, for messages.
    pub(super) fn cell(self) -> String {
        format!("{} x {}", self.cell_width, self.cell_height)
    }

    /// The glyphs in their cells, as places in the palette.
    ///
    /// # Errors
    /// When the sheet would be too large.
    pub(super) fn draw(self, glyphs: &[Glyph]) -> Result<Edited> {
        let (width, height) = self.size();
        let count = u64::from(width).saturating_mul(height.into());
        if count > MOST_PIXELS {
            let message = format!(
                "a sheet of {width} x {height} pixels would have more than the limit of {MOST_PIXELS}"
            );
            return Err(Error::limit(message));
        }
        let mut indices = vec![0; usize::try_from(count).unwrap_or_default()];
        for (glyph, code) in glyphs.iter().zip(FIRST_CODE..) {
            let (x, y) = self.place(code);
            let rows = glyph.pixels.chunks_exact(usize::from(glyph.width).max(1));
            for (row, line) in rows.zip(y..) {
                let start = u64::from(line).saturating_mul(width.into()).saturating_add(x.into());
                let start = usize::try_from(start).unwrap_or(usize::MAX);
                if let Some(place) = indices.get_mut(start..start.saturating_add(row.len())) {
                    place.copy_from_slice(row);
                }
            }
        }
        Ok(Edited { width, height, indices })
    }
}

/// The pixels within a rectangle, rows from the top; `None` when it does not lie on the sheet.
pub(super) fn cut(sheet: &Edited, place: Rectangle) -> Option<Vec<u8>> {
    let (right, bottom) =
        (place.x.checked_add(place.width.into())?, place.y.checked_add(place.height.into())?);
    if right > sheet.width || bottom > sheet.height {
        return None;
    }
    let (from, to) = (usize::try_from(place.x).ok()?, usize::try_from(right).ok()?);
    let rows = sheet.indices.chunks_exact(usize::try_from(sheet.width).ok()?.max(1));
    let rows = rows.skip(usize::try_from(place.y).ok()?).take(place.height.into());
    Some(rows.flat_map(|row| row.get(from..to).unwrap_or_default()).copied().collect())
}
