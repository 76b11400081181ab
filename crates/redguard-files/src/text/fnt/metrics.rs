//! The metrics of a font as used by the game: characters of glyphs, advance widths, baseline.

use std::collections::BTreeMap;

use asset::Charset;
use scene::font::{Glyph as PixelGlyph, PixelFont};

use super::layout::{Font, Glyph};

/// The code of the first glyph, regardless of the header.
pub const FIRST_CODE: u32 = 32;

/// Returns the code of the glyph with this index.
#[must_use]
pub fn code_of(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_add(FIRST_CODE)
}

/// Code 127 and its graphic character, which is a control character in Unicode.
const HOUSE: (u8, char) = (127, '\u{2302}');

/// Returns the character of a code: code page 437 with its graphic characters, so 127 is `⌂`. `None` above 255.
#[must_use]
pub fn character_of(code: u32) -> Option<char> {
    let byte = u8::try_from(code).ok().filter(|byte| u32::from(*byte) >= FIRST_CODE)?;
    if byte == HOUSE.0 {
        return Some(HOUSE.1);
    }
    Charset::Cp437.decode(&[byte]).chars().next()
}

/// Returns the code of a character in code page 437, the inverse of [`character_of`]; `None` if it has none.
#[must_use]
pub fn code_of_character(character: char) -> Option<u32> {
    if character == HOUSE.1 {
        return Some(HOUSE.0.into());
    }
    let mut buffer = [0; 4];
    let bytes = Charset::Cp437.encode(character.encode_utf8(&mut buffer))?;
    let code = bytes.first().copied().filter(|code| *code != HOUSE.0)?;
    Some(code.into())
}

impl Glyph {
    /// Whether the game draws the glyph.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.enabled != 0
    }
}

impl Font {
    /// Returns the advance width of a glyph: its width plus one pixel; for a space, also the width of `!`. A disabled glyph has
    /// an advance width of 0.
    #[must_use]
    pub fn advance(&self, index: usize) -> u32 {
        let Some(glyph) = self.glyphs().get(index).filter(|glyph| glyph.is_enabled()) else { return 0 };
        let next = if index == 0 { self.glyphs().get(1).map_or(0, |next| next.width) } else { 0 };
        u32::from(glyph.width).saturating_add(1).saturating_add(next.into())
    }

    /// Returns the index of the glyph of a character; `None` if the font has no such glyph. The glyph may be disabled.
    #[must_use]
    pub fn index_of(&self, character: char) -> Option<usize> {
        let index = usize::try_from(code_of_character(character)?.checked_sub(FIRST_CODE)?).ok()?;
        (index < self.glyphs().len()).then_some(index)
    }

    /// Returns the width of a line of text in pixels: the sum of the advance widths of its characters.
    #[must_use]
    pub fn text_width(&self, line: &str) -> u32 {
        let advance = |character| self.index_of(character).map_or(0, |index| self.advance(index));
        line.chars().map(advance).fold(0, u32::saturating_add)
    }

    /// Returns the baseline, measured from the top of a line: the most frequent bottom edge of capital letters, or of all glyphs
    /// if there are none. The file does not store the baseline.
    #[must_use]
    pub fn baseline(&self) -> u16 {
        let bottoms = |capitals: bool| {
            let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
            let glyphs = self.glyphs().iter().enumerate().filter(|(_, glyph)| glyph.is_enabled());
            for (index, glyph) in glyphs {
                let is_capital = (u32::from(b'A')..=u32::from(b'Z')).contains(&code_of(index));
                if capitals == is_capital {
                    let bottom = i32::from(glyph.offset_top).saturating_add(glyph.height.into());
                    let count = counts.entry(bottom).or_default();
                    *count = count.saturating_add(1);
                }
            }
            counts.into_iter().max_by_key(|(bottom, count)| (*count, *bottom)).map(|(bottom, _)| bottom)
        };
        let line = self.header.line_height;
        let bottom = bottoms(true).or_else(|| bottoms(false)).unwrap_or(line.into());
        u16::try_from(bottom).unwrap_or_default().clamp(u16::from(line > 0), line)
    }

    /// Returns the font for export. Disabled glyphs and those above code 255 have no character.
    #[must_use]
    pub fn pixel_font(&self, name: &str, palette: Vec<[u8; 4]>) -> PixelFont {
        let glyph = |(index, glyph): (usize, &Glyph)| PixelGlyph {
            character: character_of(code_of(index)).filter(|_| glyph.is_enabled()),
            width: glyph.width,
            height: glyph.height,
            left: glyph.offset_left,
            top: glyph.offset_top,
            advance: self.advance(index),
            pixels: glyph.pixels.to_vec(),
        };
        PixelFont {
            name: name.to_owned(),
            line_height: self.header.line_height,
            baseline: self.baseline(),
            palette,
            glyphs: self.glyphs().iter().enumerate().map(glyph).collect(),
        }
    }
}
