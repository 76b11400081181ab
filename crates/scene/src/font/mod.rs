//! Bitmap fonts, and the files they can be converted to: a sheet with a BMFont description, a TrueType font, or a
//! picture of a text.
//!
//! All distances are in pixels of the font. The origin of a line is its top left corner; x points right, y points
//! down.

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
    atlas::{Atlas, MAX_PIXELS},
    bmfont::write_bmfont,
    text::draw_text,
    ttf::write_ttf,
};

/// A bitmap font whose glyphs share one palette. Palette index 0 is transparent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PixelFont {
    /// Name of the font.
    pub name: String,
    /// Distance from the top of a line to the top of the next.
    pub line_height: u16,
    /// Distance from the top of a line to the baseline.
    pub baseline: u16,
    /// At most 256 RGBA colors.
    pub palette: Vec<[u8; 4]>,
    /// The glyphs of the characters.
    pub glyphs: Vec<Glyph>,
}

/// The image of one character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glyph {
    /// The character; `None` for an image that no text uses: it only appears on the sheet. No character has two
    /// glyphs.
    pub character: Option<char>,
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
    /// Horizontal distance from the pen to the left side of the image.
    pub left: i16,
    /// Distance from the top of the line to the top of the image.
    pub top: i16,
    /// Distance by which the pen advances.
    pub advance: u32,
    /// A palette index per pixel, rows from the top.
    pub pixels: Vec<u8>,
}

impl Glyph {
    /// Returns the palette index of a pixel; 0 outside the image.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> u8 {
        if x >= self.width.into() {
            return 0;
        }
        let index = u64::from(y).saturating_mul(self.width.into()).saturating_add(x.into());
        usize::try_from(index).ok().and_then(|index| self.pixels.get(index)).copied().unwrap_or_default()
    }

    /// Returns the rows of pixels.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.pixels.chunks_exact(usize::from(self.width).max(1))
    }
}

impl PixelFont {
    /// Returns the glyphs that have a character, each with its character.
    pub fn characters(&self) -> impl Iterator<Item = (char, &Glyph)> {
        self.glyphs.iter().filter_map(|glyph| Some((glyph.character?, glyph)))
    }

    /// Returns the glyph of a character.
    #[must_use]
    pub fn glyph(&self, character: char) -> Option<&Glyph> {
        self.glyphs.iter().find(|glyph| glyph.character == Some(character))
    }
}
