//! How the game draws with a font: which character a glyph is, how far the pen moves, where the lines are.

use std::collections::BTreeMap;

use asset::Charset;
use scene::font::{Glyph as PixelGlyph, PixelFont};

use super::layout::{Font, Glyph};

/// The code of the first glyph, whatever the header says.
pub const FIRST_CODE: u32 = 32;

/// The code of the glyph at a place in the list.
#[must_use]
pub fn code_of(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_add(FIRST_CODE)
}

/// The character of a code: code page 437 as its pictures were, so that 127 is a house. `None` beyond one byte.
#[must_use]
pub fn character_of(code: u32) -> Option<char> {
    /// What screens showed for the code that is now a control character.
    const HOUSE: (u8, char) = (127, '\u{2302}');
    let byte = u8::try_from(code).ok().filter(|byte| u32::from(*byte) >= FIRST_CODE)?;
    if byte == HOUSE.0 {
        return Some(HOUSE.1);
    }
    Charset::Cp437.decode(&[byte]).chars().next()
}

impl Glyph {
    /// Whether the game draws it.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.enabled != 0
    }
}

impl Font {
    /// How far the pen moves on behind a glyph: a pixel more than its width, and behind a space as much as `!` is wide besides. A glyph that
    /// is switched off does not move it.
    #[must_use]
    pub fn advance(&self, index: usize) -> u32 {
        let Some(glyph) = self.glyphs().get(index).filter(|glyph| glyph.is_enabled()) else { return 0 };
        let next = if index == 0 { self.glyphs().get(1).map_or(0, |next| next.width) } else { 0 };
        u32::from(glyph.width).saturating_add(1).saturating_add(next.into())
    }

    /// From the top of a line to where letters stand: where most capitals end, or else most glyphs. The file does not say.
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

    /// The font as other programs can have it. Glyphs that are switched off or beyond one byte have no character.
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
