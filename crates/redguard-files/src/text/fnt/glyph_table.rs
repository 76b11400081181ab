//! The editable glyph list that accompanies the sheet: location and metrics of each code.

use record::{Error, Result};
use serde::{Deserialize, Serialize};

use super::layout::Glyph;
use super::metrics::{FIRST_CODE, character_of, code_of};
use super::sheet::{Grid, Rectangle};

/// The end (exclusive) of the codes that are always listed, even without a glyph.
const LISTED: u32 = 256;

/// The maximum code that a file can store.
const MAX_CODE: u32 = FIRST_CODE + 0xffff;

/// The complete list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GlyphTable {
    pub(super) glyphs: Vec<Row>,
}

/// A glyph, or an empty slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) code: u32,
    /// Informational; ignored when reading.
    #[serde(default)]
    character: Option<String>,
    pub(super) state: State,
    x: u32,
    y: u32,
    width: u16,
    height: u16,
    pub(super) offset_left: i16,
    pub(super) offset_top: i16,
}

/// The state of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// Enabled.
    On,
    /// Disabled, but with an image.
    Off,
    /// No glyph.
    None,
}

impl Row {
    fn new(code: u32, glyph: Option<&Glyph>, grid: Grid) -> Self {
        let (x, y) = grid.origin(code);
        let state = match glyph {
            Some(glyph) if glyph.is_enabled() => State::On,
            Some(_) => State::Off,
            None => State::None,
        };
        let empty = Glyph::default();
        let glyph = glyph.unwrap_or(&empty);
        Self {
            code,
            character: character_of(code).map(String::from),
            state,
            x,
            y,
            width: glyph.width,
            height: glyph.height,
            offset_left: glyph.offset_left,
            offset_top: glyph.offset_top,
        }
    }

    /// Returns the rectangle of the glyph on the sheet.
    pub(super) fn rectangle(&self) -> Rectangle {
        Rectangle { x: self.x, y: self.y, width: self.width, height: self.height }
    }
}

impl GlyphTable {
    /// Creates the list of the glyphs in the cells of a sheet, including all other codes that texts can use.
    pub(super) fn new(glyphs: &[Glyph], grid: Grid) -> Self {
        let there = glyphs.iter().enumerate().map(|(index, glyph)| (code_of(index), Some(glyph)));
        let missing = (code_of(glyphs.len())..LISTED).map(|code| (code, None));
        let rows = there.chain(missing);
        Self { glyphs: rows.map(|(code, glyph)| Row::new(code, glyph, grid)).collect() }
    }

    /// Sorts an edited list by code.
    pub(super) fn sorted(mut self) -> Result<Self> {
        for (index, row) in self.glyphs.iter().enumerate() {
            if !(FIRST_CODE..MAX_CODE).contains(&row.code) {
                let message = format!("{} is not a valid glyph code (minimum: {FIRST_CODE})", row.code);
                return Err(Error::malformed(message).in_field("code").in_item(index).in_field("glyphs"));
            }
        }
        self.glyphs.sort_by_key(|row| row.code);
        let twice = self.glyphs.iter().zip(self.glyphs.iter().skip(1)).find(|(a, b)| a.code == b.code);
        match twice {
            Some((row, _)) => {
                Err(Error::malformed(format!("code {} is listed twice", row.code)).in_field("glyphs"))
            }
            None => Ok(self),
        }
    }

    /// Returns the rows with an image.
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.glyphs.iter().filter(|row| row.state != State::None)
    }
}
