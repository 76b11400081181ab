//! Fonts drawn pixel by pixel, and the files they become: a sheet with a BMFont description, a TrueType font, a picture of a text.
//!
//! Everything is measured in pixels of the font. A line starts at its top left; x grows to the right, y downwards.

mod atlas;
mod bmfont;
#[cfg(feature = "font")]
mod metrics;
#[cfg(feature = "font")]
mod names;
#[cfg(feature = "font")]
mod outline;
#[cfg(all(test, feature = "font"))]
mod tests;
mod text;
#[cfg_attr(not(feature = "font"), path = "no_ttf.rs")]
mod ttf;

pub use self::{
    atlas::{Atlas, MOST_PIXELS},
    bmfont::write_bmfont,
    text::draw_text,
    ttf::write_ttf,
};

/// A font whose characters are small pictures in one palette. Palette place 0 is not drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PixelFont {
    /// What the font is called.
    pub name: String,
    /// From the top of a line to the top of the next.
    pub line_height: u16,
    /// From the top of a line to the line that letters stand on.
    pub baseline: u16,
    /// At most 256 colors of red, green, blue and alpha.
    pub palette: Vec<[u8; 4]>,
    /// The pictures of the characters.
    pub glyphs: Vec<Glyph>,
}

/// The picture of one character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glyph {
    /// The character it shows; `None` for a picture that no text uses: it stands on the sheet only. No character has two glyphs.
    pub character: Option<char>,
    /// Pixels across.
    pub width: u16,
    /// Pixels down.
    pub height: u16,
    /// From the pen to the left side of the picture.
    pub left: i16,
    /// From the top of the line to the top of the picture.
    pub top: i16,
    /// How far the pen moves on.
    pub advance: u32,
    /// A place in the palette for each pixel, rows from the top.
    pub pixels: Vec<u8>,
}

impl Glyph {
    /// The color of a pixel as a place in the palette; 0 outside the picture.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> u8 {
        if x >= self.width.into() {
            return 0;
        }
        let place = u64::from(y).saturating_mul(self.width.into()).saturating_add(x.into());
        usize::try_from(place).ok().and_then(|place| self.pixels.get(place)).copied().unwrap_or_default()
    }

    /// The rows of pixels.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.pixels.chunks_exact(usize::from(self.width).max(1))
    }
}

impl PixelFont {
    /// The glyphs that texts use, each with its character.
    pub fn characters(&self) -> impl Iterator<Item = (char, &Glyph)> {
        self.glyphs.iter().filter_map(|glyph| Some((glyph.character?, glyph)))
    }

    /// The glyph of a character.
    #[must_use]
    pub fn glyph(&self, character: char) -> Option<&Glyph> {
        self.glyphs.iter().find(|glyph| glyph.character == Some(character))
    }
}
