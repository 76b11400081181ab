//! SHADE and HAZE: colormaps of the software renderer for light levels and for distance. WORLD.INI selects the file
//! (`world_shade`, `world_haze`).

mod layout;
#[cfg(test)]
mod tests;
mod warning;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, Offer, Offered, Parts, Probe, ProductKind, Products,
    Report, Score, Target, Unpacked, ViewSource,
};
use json::{Document, Map, Number, Value, json};
use record::{Error, Result, Source, read_whole, write_whole};
use scene::image::Indexed8;
use scene::product::{Cell, Table};

pub use layout::{FILE_SIZE, LEVELS, ShadeTable};
pub use warning::CODES;

use crate::fixed_size::check_length;
use crate::picture::Renderer;
use crate::picture::palette::{
    ChosenPalette, GLIDE_COLORS, PALETTE, PALETTE_SOURCE, PaletteChoices, PaletteOrigin,
};
use media::picture::single::{self, View};
use media::picture::{Edited, Index0};
use record::Raw;

/// The subject of the message about a wrong file size.
const SIZE_SUBJECT: &str = "a shade table has";

/// The shade table format.
pub static FORMAT: Format = Format::new("redguard.shade", "Redguard shade table", open)
    .game("redguard")
    .extensions(&["###"])
    .probe(probe)
    .pack(pack)
    .products(&[
        Offered { kind: ProductKind::Image, about: "a row of 256 colors for each of the 64 levels" },
        Offered { kind: ProductKind::Table, about: "64 rows of 256 indices" },
    ])
    .record::<ShadeTable>()
    .options(ShadeOptions::DECLARED)
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    check_length(source.len(), FILE_SIZE, SIZE_SUBJECT)?;
    Ok(Box::new(ShadeTable::read(&source.read_all()?)?))
}

asset::format_options! {
    /// Options for converting shade tables.
    pub struct ShadeOptions {
        /// Palette for images: a file on disk or in the game, such as `ISLAND.COL`.
        palette: &str = PALETTE;
        /// The palette that takes precedence.
        palette_source: crate::picture::palette::PalettePrecedence = PALETTE_SOURCE;
        /// Whether the palette is used as in the Glide renderer: 6 bits per channel, color 0 black.
        glide_colors: bool = GLIDE_COLORS;
    }
}

/// Recognizes tables by name and length, because the file has no signature.
fn probe(file: &Probe<'_>) -> Option<Score> {
    let (stem, number) = file.name.rsplit_once('.')?;
    let is_number = number.len() == 3 && number.bytes().all(|digit| digit.is_ascii_digit());
    if !is_number || !matches!(stem, "shade" | "haze") {
        return None;
    }
    let fits = usize::try_from(file.length) == Ok(FILE_SIZE);
    Some(if fits { Score::LIKELY } else { Score::POSSIBLE })
}

impl ShadeTable {
    /// Reads a table.
    ///
    /// # Errors
    /// Returns an error if the file is not 16,384 bytes long.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        check_length(u64::try_from(bytes.len()).unwrap_or(u64::MAX), FILE_SIZE, SIZE_SUBJECT)?;
        read_whole(bytes, ())
    }

    /// Writes the table. An unchanged table is written byte for byte as it was read.
    ///
    /// # Errors
    /// Returns an error if there are not 64 rows.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    fn edited(&self) -> Edited {
        Edited { width: 256, height: 64, indices: self.bytes() }
    }

    /// Returns the indices of rows that do not change any color.
    fn unchanged(&self) -> Vec<usize> {
        let is_identity = |row: &Raw<256>| (0_u8..=255).zip(row.0).all(|(index, mapped)| index == mapped);
        self.rows.iter().enumerate().filter(|(_, row)| is_identity(row)).map(|(level, _)| level).collect()
    }

    fn to_table(&self) -> Table<'_> {
        let row = |row: &Raw<256>| row.0.iter().map(|index| Cell::from(Number::from(*index))).collect();
        Table::new([""; 0], self.rows.iter().map(row))
    }
}

/// Returns the palette to convert a table with, and warns if there is none.
fn choose(context: &Context<'_>, report: &mut Report) -> Result<ChosenPalette> {
    let palettes = PaletteChoices::new(context, Renderer::Software)?;
    let chosen = palettes.choose(None);
    if chosen.origin == PaletteOrigin::Grey && !palettes.is_gray_requested() {
        report.warn(&warning::NO_PALETTE, "converted to grayscale; choose a palette with --palette");
    }
    Ok(chosen)
}

impl Asset for ShadeTable {
    fn describe(&self, detail: Detail) -> Description {
        Description {
            summary: "shade table, 64 levels of 256 colors".into(),
            counts: Counts::new().with("levels", LEVELS),
            fields: match detail {
                Detail::Brief => json!({ "levels_that_change_nothing": self.unchanged() }).into(),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let game_context = context.clone();
        let image = Offer::new(ProductKind::Image, move |making| {
            let chosen = choose(&game_context, making.report)?;
            making.facts.insert("palette".to_owned(), Value::from(chosen.origin.name()));
            making.facts.insert("levels_that_change_nothing".to_owned(), json!(self.unchanged()));
            let Edited { width, height, indices } = self.edited();
            let palette = Index0::Opaque.apply(&chosen.colors);
            Indexed8::new(width, height, indices, palette).map(Some)
        });
        let table = Offer::new(ProductKind::Table, |_| Ok(Some(self.to_table())));
        Ok(Products::new(context, target)
            .with(image.with_facts(Map::new()))
            .with(table)
            .with_index(media::picture::index(Map::new())))
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        parts.typed(self)?;
        let chosen = choose(context, report)?;
        let view = View {
            picture: self.edited(),
            palette: Index0::Opaque.apply(&chosen.colors),
            source: chosen.origin.name(),
            shows: vec![ViewSource::Record("/rows")],
        };
        single::unpack(Some(view), parts)
    }
}

fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let table: ShadeTable = folder.typed()?;
    let painted = single::edited(folder, || Ok(table.edited()), &warning::INEXACT, report)?;
    match painted {
        None => table.write(),
        Some(picture) if (picture.width, picture.height) == (256, 64) => Ok(picture.indices),
        Some(Edited { width, height, .. }) => {
            Err(Error::usage(format!("a shade table must be 256 x 64 pixels, not {width} x {height}")))
        }
    }
}
