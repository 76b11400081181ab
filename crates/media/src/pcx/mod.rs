//! PCX: a PC Paintbrush picture with 8 bits per pixel.

mod layout;
mod pixel;
#[cfg(test)]
mod tests;
mod warning;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, NameKind, Names, Offered, Parts, Probe, ProductKind,
    Products, Report, Score, Target, Unpacked, ViewSource,
};
use json::{Document, Map, Step, Value, json};
use record::{Result, Source, read_whole, write_whole};

pub use layout::{Header, Pcx};
pub use warning::CODES;

use crate::picture::Colors;
use crate::picture::Index0;
use crate::picture::single::{self, View};

/// PC Paintbrush pictures.
pub static FORMAT: Format = Format::new("paint.pcx", "PC Paintbrush picture", open)
    .extensions(&["pcx"])
    .probe(probe)
    .pack(pack)
    .products(&[
        Offered { kind: ProductKind::Image, about: "the picture" },
        Offered { kind: ProductKind::Data, about: "size, position and encoding" },
    ])
    .record::<Pcx>()
    .names(Names::of_file(NameKind::Texture))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Pcx::read(&source.read_all()?)?))
}

/// Checks more of the header, because the first two bytes are weak evidence.
fn probe(file: &Probe<'_>) -> Option<Score> {
    let head = file.head.get(..68)?;
    let byte = |at: usize| head.get(at).copied().unwrap_or_default();
    let number = |at: usize| u16::from_le_bytes([byte(at), byte(at.saturating_add(1))]);
    let is_pcx = byte(0) == 10
        && byte(1) == 5
        && byte(2) <= 1
        && matches!(byte(3), 1 | 2 | 4 | 8)
        && matches!(byte(65), 1..=4)
        && number(4) <= number(8)
        && number(6) <= number(10)
        && number(66) > 0;
    is_pcx.then_some(Score::LIKELY)
}

impl Pcx {
    /// Reads a picture.
    ///
    /// # Errors
    /// When the file is truncated or does not have 8 bits in one plane.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the picture. If it is unchanged, the bytes are identical to the input.
    ///
    /// # Errors
    /// Never fails for pictures.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    fn shown_palette(&self) -> Vec<[u8; 4]> {
        Index0::Opaque.apply(&self.palette.clone().unwrap_or_else(Colors::grey))
    }

    /// Reports a missing palette.
    fn check_palette(&self, report: &mut Report) {
        if self.palette.is_none() {
            report.warn(&warning::NO_PALETTE, "no palette at the end of the file");
        }
    }

    /// Returns metadata that image files cannot store.
    fn facts(&self) -> Map<String, Value> {
        let (width, height) = self.header.size().unzip();
        let facts = json!({
            "width": width,
            "height": height,
            "x": self.header.x_min,
            "y": self.header.y_min,
            "dpi": self.header.dpi,
            "encoding": self.header.encoding,
        });
        facts.as_object().cloned().unwrap_or_default()
    }
}

impl Asset for Pcx {
    fn describe(&self, detail: Detail) -> Description {
        let size = self.header.size().map(|(width, height)| format!("{width} x {height}"));
        Description {
            summary: format!("picture, {}", size.unwrap_or_else(|| "unknown size".into())),
            dialect: format!("version {}", self.header.version),
            counts: Counts::new().with("pictures", 1),
            fields: match detail {
                Detail::Brief => Value::from(self.facts()).into(),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        self.check_palette(report);
        match self.rows() {
            Err(error) => drop(report.warn_error(&warning::DAMAGED, &error)),
            Ok((_, rows)) => {
                if rows.left > 0 {
                    let message = format!("{} unexpected bytes after the compressed pixels", rows.left);
                    report.warn(&warning::LEFT_OVER, message).in_field("body");
                }
                if rows.crossing > 0 {
                    let message = format!("{} runs cross into the next row", rows.crossing);
                    report.warn(&warning::CROSSING, message).in_field("body");
                }
            }
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let image = single::image(|report| {
            self.check_palette(report);
            Ok((self.edited()?, self.shown_palette()))
        });
        let image = image.with_facts(self.facts());
        Ok(Products::new(context, target).with(image).with_index(crate::picture::index(Map::new())))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        let blobs = parts.typed_with_blobs(self, &mut |path, _| {
            (path == [Step::Member("body")]).then(|| "body.bin".to_owned())
        })?;
        let picture = self
            .edited()
            .inspect_err(|error| {
                report.warn_error(&warning::DAMAGED, error);
            })
            .ok();
        let view = picture.map(|picture| View {
            picture,
            palette: self.shown_palette(),
            source: "the file's",
            shows: blobs.get("/body").map(ViewSource::Blob).into_iter().collect(),
        });
        single::unpack(view, parts)
    }
}

fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut pcx: Pcx = folder.typed()?;
    if let Some(picture) = single::edited(folder, || pcx.edited(), &warning::INEXACT, report)? {
        pcx.set(&picture)?;
    }
    pcx.write()
}
