//! The list of glyphs that people edit beside the sheet: for each code where its picture stands and how it is drawn.

use record::{Error, Result, json};
use serde::{Deserialize, Serialize};

use super::drawn::{FIRST_CODE, character_of, code_of};
use super::layout::Glyph;
use super::sheet::{Grid, Rectangle};

/// The code behind the last that is listed even when there is no glyph.
const LISTED: u32 = 256;

/// The code behind the last that a file can count.
const MOST: u32 = FIRST_CODE + 0xffff;

/// The whole list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GlyphTable {
    pub(super) glyphs: Vec<Row>,
}

/// A glyph, or a place for one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) code: u32,
    /// For the reader; it counts for nothing.
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

/// What there is of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// It is drawn.
    On,
    /// It has a picture and is not drawn.
    Off,
    /// It has no picture.
    None,
}

impl Row {
    fn new(code: u32, glyph: Option<&Glyph>, grid: Grid) -> Self {
        let (x, y) = grid.place(code);
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

    /// Where its picture stands.
    pub(super) fn place(&self) -> Rectangle {
        Rectangle { x: self.x, y: self.y, width: self.width, height: self.height }
    }
}

impl GlyphTable {
    /// The glyphs in the cells of a sheet, and every other code that texts can name.
    pub(super) fn new(glyphs: &[Glyph], grid: Grid) -> Self {
        let there = glyphs.iter().enumerate().map(|(index, glyph)| (code_of(index), Some(glyph)));
        let missing = (code_of(glyphs.len())..LISTED).map(|code| (code, None));
        let rows = there.chain(missing);
        Self { glyphs: rows.map(|(code, glyph)| Row::new(code, glyph, grid)).collect() }
    }

    /// As a file, a line for each glyph.
    pub(super) fn to_json(&self) -> Result<Vec<u8>> {
        json::to_vec(self)
    }

    /// Reads an edited list. The glyphs stand in the order of their codes then.
    pub(super) fn from_json(bytes: &[u8]) -> Result<Self> {
        let mut table: Self = json::from_slice(bytes)?;
        for (index, row) in table.glyphs.iter().enumerate() {
            if !(FIRST_CODE..MOST).contains(&row.code) {
                let message = format!("{} is no code of a glyph: they start at {FIRST_CODE}", row.code);
                return Err(Error::malformed(message).in_field("code").in_item(index).in_field("glyphs"));
            }
        }
        table.glyphs.sort_by_key(|row| row.code);
        let twice = table.glyphs.iter().zip(table.glyphs.iter().skip(1)).find(|(a, b)| a.code == b.code);
        match twice {
            Some((row, _)) => {
                Err(Error::malformed(format!("code {} is listed twice", row.code)).in_field("glyphs"))
            }
            None => Ok(table),
        }
    }

    /// The rows that have a picture.
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.glyphs.iter().filter(|row| row.state != State::None)
    }
}
