//! LBM: a Deluxe Paint picture in the PBM variant.

mod layout;
mod pixel;
#[cfg(test)]
mod tests;
mod warning;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, NameKind, Names, Offered, Parts, Probe, ProductKind,
    Products, Report, Score, Target, Unpacked, ViewSource,
};
use json::{Document, Map, Step, Value, json, pointer};
use record::{Result, Source, read_whole, write_whole};

pub use layout::{Chunk, Content, Cycle, Header, Lbm, masking};
pub use warning::CODES;

use crate::picture::single::{self, View};
use crate::picture::{Edited, Index0};

/// Deluxe Paint pictures.
pub static FORMAT: Format = Format::new("paint.lbm", "Deluxe Paint picture", open)
    .extensions(&["lbm"])
    .probe(probe)
    .pack(pack)
    .products(&[
        Offered { kind: ProductKind::Image, about: "the picture" },
        Offered { kind: ProductKind::Data, about: "size, position and color cycles" },
    ])
    .record::<Lbm>()
    .names(Names::of_file(NameKind::Texture))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Lbm::read(&source.read_all()?)?))
}

fn probe(file: &Probe<'_>) -> Option<Score> {
    if !file.starts_with(b"FORM") {
        return None;
    }
    [b"PBM ", b"ILBM"].into_iter().any(|kind| file.has_at(8, kind)).then_some(Score::CERTAIN)
}

impl Lbm {
    /// Reads a picture.
    ///
    /// # Errors
    /// When the file is truncated or is not such a picture, or, with [`Kind::Unsupported`](record::Kind::Unsupported), has bit planes.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the picture. If it is unchanged, the bytes are identical to the input.
    ///
    /// # Errors
    /// When a chunk has an invalid pad byte.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// Returns the palette with transparency.
    fn shown_palette(&self) -> Vec<[u8; 4]> {
        let mut palette = Index0::Opaque.apply(&self.palette());
        let keyed = self.header().filter(|header| header.masking == masking::INDEX);
        let color = keyed.and_then(|header| palette.get_mut(usize::from(header.transparent)));
        if let Some([.., alpha]) = color {
            *alpha = 0;
        }
        palette
    }

    /// Reports color features that conversions do not support.
    fn check_colors(&self, report: &mut Report) {
        if let Some(header) = self.header()
            && !matches!(header.masking, masking::NONE | masking::INDEX)
        {
            report
                .warn(
                    &warning::MASKING,
                    format!("masking {} is not supported; the picture is opaque", header.masking),
                )
                .in_field("masking");
        }
        if !self.chunks.iter().any(|chunk| matches!(chunk.content, Content::Palette(_))) {
            let of_tag = |chunk: &&Chunk| chunk.content.tag() == *b"CMAP";
            let count = self.chunks.iter().find(of_tag).map_or(0, |chunk| chunk.content.len());
            let message =
                format!("the palette has {} colors instead of 256", count.checked_div(3).unwrap_or_default());
            report.warn(&warning::PALETTE, message).in_field("chunks");
        }
    }

    /// Returns metadata that image files cannot store.
    fn facts(&self) -> Map<String, Value> {
        let header = self.header();
        let other = |chunk: &Chunk| match &chunk.content {
            Content::Other { tag, data } => Some(json!({ "tag": tag, "bytes": data.len() })),
            _ => None,
        };
        let facts = json!({
            "width": header.map(|header| header.width),
            "height": header.map(|header| header.height),
            "transparent": header.filter(|header| header.masking == masking::INDEX).map(|header| header.transparent),
            "compression": header.map(|header| header.compression),
            "color_cycles": self.cycles().collect::<Vec<_>>(),
            "other_chunks": self.chunks.iter().filter_map(other).collect::<Vec<_>>(),
        });
        facts.as_object().cloned().unwrap_or_default()
    }

    fn edited(&self) -> Result<Edited> {
        let (header, rows) = self.rows()?;
        let indices = rows.lines.without_padding(header.width.into());
        Ok(Edited { width: header.width.into(), height: header.height.into(), indices })
    }
}

impl Asset for Lbm {
    fn describe(&self, detail: Detail) -> Description {
        let size = self.header().map(|header| format!("{} x {}", header.width, header.height));
        let cycles = self.cycles().count();
        let plural = if cycles == 1 { "color cycle" } else { "color cycles" };
        Description {
            summary: format!("picture, {}, {cycles} {plural}", size.unwrap_or_else(|| "unknown size".into())),
            dialect: "PBM".into(),
            counts: Counts::new().with("chunks", self.chunks.len()).with("color cycles", cycles),
            fields: match detail {
                Detail::Brief => Value::from(self.facts()).into(),
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        if self.missing > 0 {
            let message = format!("{} bytes are missing at the end", self.missing);
            report.warn(&warning::LENGTH, message).in_field("form.length");
        }
        for (bytes, field, what) in
            [(&self.tail, "tail", "the last chunk"), (&self.rest, "rest", "the picture")]
        {
            if !bytes.is_empty() {
                let message = format!("{} unexpected bytes after {what}", bytes.len());
                report.warn(&warning::LEFT_OVER, message).in_field(field);
            }
        }
        self.check_colors(report);
        match self.rows() {
            Err(error) => drop(report.warn_error(&warning::DAMAGED, &error)),
            Ok((_, rows)) => {
                let body = self.body().map_or(0, |(index, ..)| index);
                let field = format!("chunks[{body}].data");
                if rows.left > 0 {
                    let message = format!("{} unexpected bytes after the compressed pixels", rows.left);
                    report.warn(&warning::LEFT_OVER, message).in_field(field.as_str());
                }
                if rows.crossing > 0 {
                    let message = format!("{} runs cross into the next row", rows.crossing);
                    report.warn(&warning::CROSSING, message).in_field(field);
                }
            }
        }
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let image = single::image(|report| {
            self.check_colors(report);
            Ok((self.edited()?, self.shown_palette()))
        });
        let image = image.with_facts(self.facts());
        Ok(Products::new(context, target).with(image).with_index(crate::picture::index(Map::new())))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        let body = self.body().map(|(index, ..)| format!("/chunks/{index}/content/Body"));
        let is_body = |path: &[Step<'_>]| body.as_ref().is_some_and(|body| pointer(path) == *body);
        let blobs =
            parts.typed_with_blobs(self, &mut |path, _| is_body(path).then(|| "body.bin".to_owned()))?;
        let Some(body) = body.as_ref().and_then(|body| blobs.get(body)) else { return Ok(()) };
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
            shows: vec![ViewSource::Blob(body)],
        });
        single::unpack(view, parts)
    }
}

fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut lbm: Lbm = folder.typed()?;
    if let Some(picture) = single::edited(folder, || lbm.edited(), &warning::INEXACT, report)? {
        lbm.set(&picture)?;
    }
    lbm.write()
}
