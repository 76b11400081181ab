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
    Report, Score, Target, Text, record_spans,
};
use json::{Document, json};
use record::{Bytes, Result, Source, read_whole, write_whole};

pub use layout::{Fbmp, Font, Glyph, Header, Rdat, Section};
pub use metrics::{FIRST_CODE, character_of, code_of};
pub use warning::CODES;

use asset::FixedText;
use media::picture::Colors;

/// `--text`.
const TEXT: Text = Text::new(
    "text",
    "Draw this text like the game instead of a glyph sheet (images only). \\n starts a new line.",
    "TEXT",
);

/// Fonts.
pub static FORMAT: Format = Format::new("redguard.fnt", "Redguard font", open)
    .game("redguard")
    .extensions(&["fnt"])
    .probe(probe)
    .pack(unpack::pack)
    .products(&[
        Offered { kind: ProductKind::Font, about: "the font" },
        Offered { kind: ProductKind::Image, about: "a sheet of all glyphs, or a text drawn with the font" },
    ])
    .spans(record_spans::<Font>)
    .options(FontOptions::DECLARED)
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Font::read(&source.read_all()?)?))
}

asset::format_options! {
    /// How the products of a font are made.
    pub struct FontOptions {
        /// A text to draw with the font, in place of the sheet of its glyphs.
        text: &str = TEXT;
    }
}

/// Identified by the first tag. BMFont files have the same extension, but another format.
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
    /// A font of these glyphs, from code 32 on, and their palette with 6 bits per channel.
    ///
    /// # Errors
    /// When there are too many glyphs.
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
    /// When the file is truncated, has no glyphs, or a length or a size is invalid.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the file; an unchanged one gives the bytes it was read from.
    ///
    /// # Errors
    /// When the pixels of a glyph do not match its size.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// The glyphs, from code 32 on.
    #[must_use]
    pub fn glyphs(&self) -> &[Glyph] {
        let found = self.sections.iter().find_map(|section| match section {
            Section::Fbmp(fbmp) => Some(&*fbmp.glyphs),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// The mutable glyphs; `None` when there is no chunk for them.
    pub fn glyphs_mut(&mut self) -> Option<&mut Vec<Glyph>> {
        self.sections.iter_mut().find_map(|section| match section {
            Section::Fbmp(fbmp) => Some(&mut fbmp.glyphs),
            _ => None,
        })
    }

    /// The stored palette.
    #[must_use]
    pub fn palette(&self) -> Option<&Colors> {
        self.sections.iter().find_map(|section| match section {
            Section::Bpal(colors) | Section::Fpal(colors) => Some(colors),
            _ => None,
        })
    }

    /// The palette with 8 bits per channel; grayscale when there is none.
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
            // They are edited as pictures.
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
