//! COL: a palette of 256 colors, and the selection of the palette for an image.

mod choice;
pub mod interchange;
mod layout;
pub mod swatch;
#[cfg(test)]
mod tests;
mod unpack;
mod warning;

use json::Document;
use std::collections::HashSet;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, NameKind, Names, Offer, Offered, Parts, Probe,
    ProductKind, Products, Report, Score, Target,
};
use media::picture::Colors;
use record::{Result, Source, read_whole, write_whole};

pub use choice::{
    ChosenPalette, GLIDE_COLORS, PALETTE, PALETTE_SOURCE, PaletteChoices, PaletteOrigin, PalettePrecedence,
    requested_name,
};
pub use layout::{FILE_SIZE, MAGIC, Palette, as_displayed_by_glide};
pub use warning::CODES;

/// The palette format.
pub static FORMAT: Format = Format::new("redguard.col", "Redguard palette", open)
    .game("redguard")
    .extensions(&["col"])
    .probe(probe)
    .pack(unpack::pack)
    .products(&[
        Offered { kind: ProductKind::Image, about: "16 by 16 squares of color" },
        Offered { kind: ProductKind::Data, about: "every color as numbers and as #rrggbb" },
    ])
    .record::<Palette>()
    .options(PaletteOptions::DECLARED)
    .names(Names::of_file(NameKind::Palette))
    .codes(CODES);

fn open(source: &Source, report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Palette::read(&source.read_all()?, report)?))
}

asset::format_options! {
    /// Options for converting palettes.
    pub struct PaletteOptions {
        /// Whether the palette is used as in the Glide renderer: 6 bits per channel, color 0 black.
        glide_colors: bool = GLIDE_COLORS;
    }
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    let [size, magic] = [FILE_SIZE, MAGIC].map(u32::to_le_bytes);
    if file.starts_with(&size) && file.has_at(4, &magic) {
        return Some(Score::CERTAIN);
    }
    (file.has_at(4, &magic) && file.length >= 768).then_some(Score::LIKELY)
}

impl Palette {
    /// Reads a palette. A wrong length field is reported.
    ///
    /// # Errors
    /// Returns an error if the file is truncated or the signature is wrong.
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        let palette: Self = read_whole(bytes, ())?;
        if let Some(error) = palette.not_a_palette() {
            return Err(error);
        }
        let length = bytes.len();
        if palette.file_size != FILE_SIZE {
            let message = format!(
                "file_size is {}, but the file has {length} bytes (expected: {FILE_SIZE})",
                palette.file_size
            );
            report.warn(&warning::SIZE, message).in_field("file_size");
        }
        if !palette.rest.is_empty() {
            let message = match palette.rest.len() {
                1 => "1 unexpected byte after the colors".to_owned(),
                count => format!("{count} unexpected bytes after the colors"),
            };
            report.warn(&warning::LEFT_OVER, message).in_field("rest");
        }
        Ok(palette)
    }

    /// Writes the palette. An unchanged palette is written byte for byte as it was read.
    ///
    /// # Errors
    /// Never fails for palettes.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Returns the number of distinct colors.
    fn distinct(&self) -> usize {
        self.colors.0.iter().collect::<HashSet<_>>().len()
    }
}

impl Asset for Palette {
    fn describe(&self, detail: Detail) -> Description {
        let different = self.distinct();
        Description {
            summary: format!("palette, 256 colors, {different} distinct"),
            counts: Counts::new().with("colors", self.colors.0.len()).with("different colors", different),
            fields: match detail {
                Detail::Brief => Document::default(),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        if self.colors.is_six_bit() {
            report.warn(&warning::SIX_BIT, "all values are below 64").in_field("colors");
        }
        let first = self.colors.get(0);
        if first != [0; 3] {
            let message = format!("the first color is {}, not black", media::picture::hex(first));
            report.warn(&warning::NOT_BLACK, message).in_field("colors[0]");
        }
        let duplicates = self.colors.0.len().saturating_sub(self.distinct());
        if duplicates > 0 {
            let message = format!("{duplicates} entries repeat an earlier color");
            report.warn(&warning::SAME_COLOR, message).in_field("colors");
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let glide = context.options.flag(&GLIDE_COLORS);
        let colors = if glide { as_displayed_by_glide(&self.colors) } else { self.colors.clone() };
        let picture =
            |colors: Colors| Offer::new(ProductKind::Image, move |_| swatch::picture(&colors).map(Some));
        let image = picture(colors.clone());
        // A conversion to either the image or the data writes both.
        let image_of_data = picture(colors.clone()).companion().fallback_for(ProductKind::Image);
        let data =
            Offer::new(ProductKind::Data, move |_| Ok(Some(interchange::to_data(&colors, target.name))));
        let repeated = (!target.is_single_file).then_some(image_of_data);
        Ok(Products::new(context, target).with(image).with(data.companion()).with_all(repeated))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        unpack::unpack(self, parts)
    }
}
