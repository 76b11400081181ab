//! DDS: a DirectDraw surface, the texture format of many mods. The pixels are only read for conversions.

#[cfg(test)]
mod tests;
mod warning;

use std::ops::Range;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, NameKind, Names, Offer, Offered, ProductKind,
    Products, Report, Score, Target, counted,
};
use json::{Map, Value, json};
use record::{Error, Kind, Result, Source};
use scene::image::{Dds, Limits};

pub use warning::CODES;

/// DirectDraw surfaces.
pub static FORMAT: Format = Format::new("paint.dds", "DirectDraw surface", open)
    .extensions(&["dds"])
    .probe(|file| file.starts_with(b"DDS ").then_some(Score::CERTAIN))
    .products(&[
        Offered { kind: ProductKind::Image, about: "the picture in its full size" },
        Offered { kind: ProductKind::Data, about: "size, encoding and mipmaps" },
    ])
    .names(Names::of_file(NameKind::Texture))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Surface::read(source)?))
}

/// Maximum length of the header.
const HEADER: u64 = 148;

/// A DDS image.
#[derive(Debug, Clone)]
pub struct Surface {
    /// Contents of the header.
    pub header: Dds,
    source: Source,
}

impl Surface {
    /// Reads the header.
    ///
    /// # Errors
    /// When the header is truncated or invalid, the encoding is not supported, or the file is too short for the picture.
    pub fn read(source: &Source) -> Result<Self> {
        let header = Dds::read(&source.head(HEADER)?, source.len())?;
        Ok(Self { header, source: source.clone() })
    }

    /// Range of the header and the full-size picture in the file.
    fn picture(&self) -> Range<u64> {
        0..self.header.picture_end()
    }

    /// Returns a message if the picture is too large to be decoded.
    fn limit(&self) -> Option<String> {
        let Dds { width, height, .. } = self.header;
        let most = Limits::default().max_pixels;
        let is_over = u64::from(width).saturating_mul(height.into()) > most;
        is_over.then(|| format!("{width} x {height} pixels are more than the limit of {most}"))
    }

    fn check_surfaces(&self, report: &mut Report) {
        if self.header.surfaces > 1 {
            let message =
                format!("the first of {} is converted", counted(self.header.surfaces, "surface", "surfaces"));
            report.warn(&warning::SURFACES, message);
        }
    }

    fn facts(&self) -> Map<String, Value> {
        let Dds { width, height, mipmaps, surfaces, encoding, .. } = self.header;
        let facts = json!({
            "width": width,
            "height": height,
            "encoding": encoding.name(),
            "mipmaps": mipmaps,
            "surfaces": surfaces,
        });
        facts.as_object().cloned().unwrap_or_default()
    }
}

impl Asset for Surface {
    fn describe(&self, _detail: Detail) -> Description {
        let Dds { width, height, mipmaps, encoding, .. } = self.header;
        let levels = counted(mipmaps, "mipmap", "mipmaps");
        Description {
            summary: format!("picture, {width} x {height}, {}, {levels}", encoding.name()),
            dialect: encoding.name(),
            counts: Counts::new().with("pictures", 1),
            fields: Value::from(self.facts()).into(),
            ..Description::default()
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        if let Some(message) = self.limit() {
            report.warn_error(&warning::TOO_LARGE, &Error::new(Kind::Limit, message));
        }
        self.check_surfaces(report);
        let (needed, length) = (self.header.full_length(), self.source.len());
        if needed > length {
            let message = format!("all mipmaps need {needed} bytes, but the file has {length}");
            report.warn(&warning::CUT, message).at(length);
        } else if needed < length {
            let message = format!("{} unexpected bytes after the last mipmap", length.saturating_sub(needed));
            report.warn(&warning::LEFT_OVER, message).at(needed);
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let image = Offer::new(ProductKind::Image, |making| {
            if let Some(message) = self.limit() {
                return Err(Error::limit(message));
            }
            self.check_surfaces(making.report);
            let bytes = self.source.read(self.picture())?;
            scene::image::decode(&bytes, &Limits::default()).map(Some)
        });
        let image = image.with_facts(self.facts());
        Ok(Products::new(context, target).with(image).with_index(crate::picture::index(Map::new())))
    }
}
