//! FNT: bitmap fonts of menus, subtitles and the log book, with their palettes.

mod check;
mod glyph_table;
mod layout;
mod metrics;
mod product;
mod sheet;
#[cfg(test)]
mod tests;
mod unpack;
mod warning;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, Offered, Parts, Probe, ProductKind, Products,
    Report, Score, Target, Text,
};
use json::{Document, json};
use record::{Bytes, Result, Source, read_whole, write_whole};

pub use layout::{Fbmp, Font, Glyph, Header, Rdat, Section};
pub use metrics::{FIRST_CODE, character_of, code_of, code_of_character};
pub use warning::CODES;

use asset::FixedText;
use media::picture::Colors;

/// The option `--text`.
const TEXT: Text = Text::new(
    "text",
    "Text to draw as the game does, instead of the glyph sheet (images only); \\n starts a new line.",
    "TEXT",
);

/// The font format.
pub static FORMAT: Format = Format::new("redguard.fnt", "Redguard font", open)
    .game("redguard")
    .extensions(&["fnt"])
    .probe(probe)
    .pack(unpack::pack)
    .products(&[
        Offered { kind: ProductKind::Font, about: "the font" },
        Offered { kind: ProductKind::Image, about: "a sheet of all glyphs, or a text drawn with the font" },
    ])
    .record::<Font>()
    .options(FontOptions::DECLARED)
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Font::read(&source.read_all()?)?))
}

asset::format_options! {
    /// Options for converting fonts.
    pub struct FontOptions {
        /// Text to draw with the font instead of the glyph sheet.
        text: &str = TEXT;
    }
}

/// Recognizes fonts by the first tag. BMFont files have the same extension but a different format.
fn probe(file: &Probe<'_>) -> Option<Score> {
    let is_bmfont = [&b"info "[..], b"common ", b"BMF\x03", b"<?xml", b"<font"];
    if file.starts_with(&layout::FIRST) {
        return Some(if file.has_at(4, &[0, 0, 0, 56]) { Score::CERTAIN } else { Score::LIKELY });
    }
    is_bmfont.iter().any(|start| file.starts_with(start)).then_some(Score::NEVER)
}

/// The description in most headers.
const DESCRIPTION: &str = "GXlib font conversion";

impl Font {
    /// Creates a font with these glyphs, starting at code 32, and a palette with 6 bits per channel.
    ///
    /// # Errors
    /// Returns an error if there are too many glyphs.
    pub fn new(line_height: u16, palette: Colors, glyphs: Vec<Glyph>) -> Result<Self> {
        let header = Header {
            description: FixedText::new(DESCRIPTION)?,
            max_width: glyphs.iter().map(|glyph| glyph.width).max().unwrap_or_default(),
            line_height,
            character_start: u16::try_from(FIRST_CODE).unwrap_or_default(),
            has_palette: 1,
            ..Header::default()
        };
        let sections = vec![Section::Bpal(palette), Section::Fbmp(Fbmp { glyphs, rest: Bytes::default() })];
        let font = Self { header, sections, end: true, rest: Bytes::default() };
        font.write().map(|_| font)
    }

    /// Reads a font.
    ///
    /// # Errors
    /// Returns an error if the file is truncated, has no glyphs, or a length or a size is invalid.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the file. An unchanged font is written byte for byte as it was read.
    ///
    /// # Errors
    /// Returns an error if the pixels of a glyph do not match its size.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Returns the glyphs, starting at code 32.
    #[must_use]
    pub fn glyphs(&self) -> &[Glyph] {
        let found = self.sections.iter().find_map(|section| match section {
            Section::Fbmp(fbmp) => Some(&*fbmp.glyphs),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// Returns the glyphs for editing; `None` if the font has no glyph chunk.
    pub fn glyphs_mut(&mut self) -> Option<&mut Vec<Glyph>> {
        self.sections.iter_mut().find_map(|section| match section {
            Section::Fbmp(fbmp) => Some(&mut fbmp.glyphs),
            _ => None,
        })
    }

    /// Returns the palette as stored in the file.
    #[must_use]
    pub fn palette(&self) -> Option<&Colors> {
        self.sections.iter().find_map(|section| match section {
            Section::Bpal(colors) | Section::Fpal(colors) => Some(colors),
            _ => None,
        })
    }

    /// Returns the palette with 8 bits per channel; grayscale if the font has none.
    #[must_use]
    pub fn colors(&self) -> Colors {
        self.palette().map_or_else(Colors::grey, Colors::expanded)
    }
}

impl Asset for Font {
    fn describe(&self, detail: Detail) -> Description {
        let enabled = self.glyphs().iter().filter(|glyph| glyph.is_enabled()).count();
        let line = self.header.line_height;
        Description {
            summary: format!("font, {enabled} characters, line height {line}"),
            dialect: String::new(),
            counts: Counts::new().with("glyphs", self.glyphs().len()).with("characters", enabled),
            fields: match detail {
                Detail::Brief => json!({ "header": self.header, "baseline": self.baseline() }).into(),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            // Pixels are edited as images.
            derived: &["sections[*].FBMP.glyphs[*].pixels"],
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        check::check(self, report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        Ok(product::products(self, context, target))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        unpack::unpack(self, parts, report)
    }
}
