//! Fonts as products, and the files of a font.

use json::{Map, Value, json};

use super::files::{EncodeOptions, Files, SkippedFile};
use super::{Data, ProductKind};
use crate::Result;
use crate::font::{Atlas, PixelFont, write_bmfont, write_ttf};
use crate::image::{Indexed8, encode_indexed_png};

/// A font, with metadata that font files cannot store.
#[derive(Debug, Clone, PartialEq)]
pub struct FontProduct {
    /// The font.
    pub font: PixelFont,
    /// Metadata of the font, under the format's own names.
    pub metadata: Map<String, Value>,
    /// Metadata of each glyph, in the order of the glyphs.
    pub glyph_metadata: Vec<Map<String, Value>>,
}

impl FontProduct {
    /// Draws all glyphs on one sheet.
    ///
    /// # Errors
    /// If the sheet would be too large.
    pub fn sheet(&self) -> Result<(Atlas, Indexed8)> {
        let atlas = Atlas::new(&self.font.glyphs)?;
        let sheet = atlas.paint(&self.font)?;
        Ok((atlas, sheet))
    }

    /// Returns the metadata of the font and the position of each glyph on the sheet. `page` is the sheet's file name,
    /// if any.
    fn to_data(&self, atlas: &Atlas, page: Option<&str>) -> Data<'static> {
        let mut metadata = self.metadata.clone();
        let mut sheet = Map::new();
        sheet.insert("width".to_owned(), atlas.width.into());
        sheet.insert("height".to_owned(), atlas.height.into());
        if let Some(page) = page {
            sheet.insert("file".to_owned(), page.into());
        }
        metadata.insert("sheet".to_owned(), sheet.into());
        let glyphs = self.glyph_metadata.iter().zip(&atlas.positions).map(|(metadata, (x, y))| {
            let mut metadata = metadata.clone();
            metadata.insert("x".to_owned(), json!(x));
            metadata.insert("y".to_owned(), json!(y));
            Value::from(metadata)
        });
        metadata.insert("glyphs".to_owned(), glyphs.collect());
        Data::new(Value::from(metadata))
    }
}

/// Writes the sheet with all descriptions of the glyphs' positions, and a TrueType font.
pub(super) fn write_all(
    font: &FontProduct,
    options: &EncodeOptions<'_>,
    files: &mut dyn Files,
) -> Result<()> {
    let (atlas, sheet) = font.sheet()?;
    let page = options.main("png");
    files.put(&page, ProductKind::Image, &encode_indexed_png(&sheet, options.compression))?;
    files.put(
        &distinct_name(options),
        ProductKind::Data,
        write_bmfont(&font.font, &atlas, &page).as_bytes(),
    )?;
    files.put(&options.main("json"), ProductKind::Data, &font.to_data(&atlas, Some(&page)).to_json()?)?;
    match write_ttf(&font.font) {
        Ok(bytes) => files.put(&options.main("ttf"), ProductKind::Font, &bytes)?,
        Err(error) => {
            files.report_skipped(SkippedFile {
                file: options.main("ttf"),
                reason: error.message().to_owned(),
            });
        }
    }
    Ok(())
}

/// Writes a TrueType font.
pub(super) fn write_true_type(
    font: &FontProduct,
    options: &EncodeOptions<'_>,
    files: &mut dyn Files,
) -> Result<()> {
    files.put(&options.main("ttf"), ProductKind::Font, &write_ttf(&font.font)?)
}

/// Writes a BMFont description and its sheet.
pub(super) fn write_bm_font(
    font: &FontProduct,
    options: &EncodeOptions<'_>,
    files: &mut dyn Files,
) -> Result<()> {
    let (atlas, sheet) = font.sheet()?;
    let page = options.main("png");
    let main = options.main("fnt");
    let name = if options.is_taken(&main) { distinct_name(options) } else { main };
    files.put(&page, ProductKind::Image, &encode_indexed_png(&sheet, options.compression))?;
    files.put(&name, ProductKind::Data, write_bmfont(&font.font, &atlas, &page).as_bytes())
}

/// Writes the metrics of every glyph.
pub(super) fn write_metrics(
    font: &FontProduct,
    options: &EncodeOptions<'_>,
    files: &mut dyn Files,
) -> Result<()> {
    let atlas = Atlas::new(&font.font.glyphs)?;
    files.put(&options.main("json"), ProductKind::Data, &font.to_data(&atlas, None).to_json()?)
}

/// Returns the name of the BMFont file if `.fnt` could be mistaken for a game's own format.
fn distinct_name(options: &EncodeOptions<'_>) -> String {
    options.main("bmfont.fnt")
}
