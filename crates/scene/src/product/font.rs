//! Fonts as products, and the files of a font.

use json::{Map, Value, json};

use super::files::{Files, Loss, Naming};
use super::{Data, ProductKind};
use crate::Result;
use crate::font::{Atlas, PixelFont, write_bmfont, write_ttf};
use crate::image::{Indexed8, encode_indexed_png};

/// A font and what font files cannot hold of it.
#[derive(Debug, Clone, PartialEq)]
pub struct FontProduct {
    /// The font.
    pub font: PixelFont,
    /// What is to be known of the whole font, under the format's own names.
    pub facts: Map<String, Value>,
    /// The same for each glyph, in their order.
    pub glyph_facts: Vec<Map<String, Value>>,
}

impl FontProduct {
    /// All glyphs on one sheet.
    ///
    /// # Errors
    /// When the sheet would be too large.
    pub fn sheet(&self) -> Result<(Atlas, Indexed8)> {
        let atlas = Atlas::new(&self.font.glyphs)?;
        let sheet = atlas.paint(&self.font)?;
        Ok((atlas, sheet))
    }

    /// What is to be known of the font, and where each glyph stands on the sheet. `page` is the sheet's file, where there is one.
    fn to_data(&self, atlas: &Atlas, page: Option<&str>) -> Data<'static> {
        let mut facts = self.facts.clone();
        let mut sheet = Map::new();
        sheet.insert("width".to_owned(), atlas.width.into());
        sheet.insert("height".to_owned(), atlas.height.into());
        if let Some(page) = page {
            sheet.insert("file".to_owned(), page.into());
        }
        facts.insert("sheet".to_owned(), sheet.into());
        let glyphs = self.glyph_facts.iter().zip(&atlas.places).map(|(facts, (x, y))| {
            let mut facts = facts.clone();
            facts.insert("x".to_owned(), json!(x));
            facts.insert("y".to_owned(), json!(y));
            Value::from(facts)
        });
        facts.insert("glyphs".to_owned(), glyphs.collect());
        Data::new(Value::from(facts))
    }
}

/// The sheet with everything that says where each glyph stands, and a TrueType font.
pub(super) fn write_all(font: &FontProduct, naming: &Naming<'_>, files: &mut dyn Files) -> Result<()> {
    let (atlas, sheet) = font.sheet()?;
    let page = naming.main("png");
    files.put(&page, ProductKind::Image, &encode_indexed_png(&sheet))?;
    files.put(&apart(naming), ProductKind::Data, write_bmfont(&font.font, &atlas, &page).as_bytes())?;
    files.put(&naming.main("json"), ProductKind::Data, &font.to_data(&atlas, Some(&page)).to_json()?)?;
    match write_ttf(&font.font) {
        Ok(bytes) => files.put(&naming.main("ttf"), ProductKind::Font, &bytes)?,
        Err(error) => {
            files.lose(Loss { file: naming.main("ttf"), reason: error.message().to_owned() });
        }
    }
    Ok(())
}

/// A TrueType font.
pub(super) fn write_true_type(font: &FontProduct, naming: &Naming<'_>, files: &mut dyn Files) -> Result<()> {
    files.put(&naming.main("ttf"), ProductKind::Font, &write_ttf(&font.font)?)
}

/// BMFont and its sheet.
pub(super) fn write_bm_font(font: &FontProduct, naming: &Naming<'_>, files: &mut dyn Files) -> Result<()> {
    let (atlas, sheet) = font.sheet()?;
    let page = naming.main("png");
    let main = naming.main("fnt");
    let name = if naming.is_taken(&main) { apart(naming) } else { main };
    files.put(&page, ProductKind::Image, &encode_indexed_png(&sheet))?;
    files.put(&name, ProductKind::Data, write_bmfont(&font.font, &atlas, &page).as_bytes())
}

/// The numbers of every glyph.
pub(super) fn write_numbers(font: &FontProduct, naming: &Naming<'_>, files: &mut dyn Files) -> Result<()> {
    let atlas = Atlas::new(&font.font.glyphs)?;
    files.put(&naming.main("json"), ProductKind::Data, &font.to_data(&atlas, None).to_json()?)
}

/// The name of BMFont's file where it must not be mistaken for a game's own `.fnt`.
fn apart(naming: &Naming<'_>) -> String {
    naming.main("bmfont.fnt")
}
