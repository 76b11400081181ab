//! LBM: a picture of Deluxe Paint, in the dialect PBM. The game's menu has one, `system/gui.lbm`.

mod layout;
mod pixel;
#[cfg(test)]
mod tests;
mod warning;

use asset::{
    Asset, Can, Context, Counts, Description, Detail, Format, Output, OutputKind, Parts, Probe, Report,
    Score, Shows, Sink, Target, Unpacked,
};
use record::{Error, Result, Source, Visitor, read_whole, trace_whole, write_whole};
use serde_json::{Map, Value, json};

pub use layout::{Chunk, Content, Cycle, Header, Lbm, masking};
pub use warning::CODES;

use crate::blob;
use crate::picture::alone::{self, View};
use crate::picture::{Edited, Index0};

/// Pictures of Deluxe Paint.
pub static FORMAT: Format = Format {
    id: "redguard.lbm",
    name: "Deluxe Paint picture",
    game: "redguard",
    extensions: &["lbm"],
    can: &[Can::Read, Can::Write, Can::Check, Can::Image, Can::Pack, Can::Hex],
    probe,
    open: |source, _report| Ok(Box::new(Lbm::read(&source.read_all()?)?)),
    pack: Some(pack),
    import: None,
    outputs: &[
        Output {
            extension: "png",
            kind: OutputKind::Image,
            about: "the picture, and a JSON of what pictures cannot say",
        },
        Output { extension: "json", kind: OutputKind::Data, about: "size, place and colour cycles" },
    ],
    options: &[],
    codes: CODES,
};

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
    /// When it is cut short or no picture of this kind; [unsupported](record::Kind::Unsupported) for bit planes.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the picture; an unchanged one gives the bytes it was read from.
    ///
    /// # Errors
    /// When chunks are not padded as they must be.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    /// The palette with what is seen through.
    fn shown_palette(&self) -> Vec<[u8; 4]> {
        let mut palette = Index0::Opaque.apply(&self.palette());
        let clear = self.header().filter(|header| header.masking == masking::INDEX);
        let place = clear.and_then(|header| palette.get_mut(usize::from(header.transparent)));
        if let Some([.., alpha]) = place {
            *alpha = 0;
        }
        palette
    }

    /// What is not shown as the file has it.
    fn check_colors(&self, report: &mut Report) {
        if let Some(header) = self.header()
            && !matches!(header.masking, masking::NONE | masking::INDEX)
        {
            report.warn(&warning::MASKING, format!("masking is {}", header.masking)).in_field("masking");
        }
        if !self.chunks.iter().any(|chunk| matches!(chunk.content, Content::Palette(_))) {
            let of_tag = |chunk: &&Chunk| chunk.content.tag() == *b"CMAP";
            let count = self.chunks.iter().find(of_tag).map_or(0, |chunk| chunk.content.len());
            let message = format!("the palette has {} colours", count.checked_div(3).unwrap_or_default());
            report.warn(&warning::PALETTE, message).in_field("chunks");
        }
    }

    /// What a picture cannot say.
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
        let indices = rows.lines.cut(header.width.into());
        Ok(Edited { width: header.width.into(), height: header.height.into(), indices })
    }
}

fn damaged(error: &Error, report: &mut Report) {
    let offset = error.offset().unwrap_or_default();
    report.warn(&warning::DAMAGED, error.message()).at(offset).in_field(error.path());
}

impl Asset for Lbm {
    fn describe(&self, detail: Detail) -> Description {
        let size = self.header().map(|header| format!("{} x {}", header.width, header.height));
        let cycles = self.cycles().count();
        let plural = if cycles == 1 { "colour cycle" } else { "colour cycles" };
        Description {
            summary: format!("picture, {}, {cycles} {plural}", size.unwrap_or_else(|| "no size".into())),
            dialect: "PBM".into(),
            counts: Counts::new().with("chunks", self.chunks.len()).with("color cycles", cycles),
            fields: match detail {
                Detail::Brief => self.facts().into(),
                Detail::Full => serde_json::to_value(self).unwrap_or_default(),
            },
        }
    }

    fn check(&self, _context: &Context<'_>, report: &mut Report) {
        if self.missing > 0 {
            let message = format!("{} bytes are missing at the end", self.missing);
            report.warn(&warning::LENGTH, message).at(4).in_field("form.length");
        }
        for (bytes, field, what) in
            [(&self.tail, "tail", "the last chunk"), (&self.rest, "rest", "the picture")]
        {
            if !bytes.is_empty() {
                let message = format!("{} bytes stand behind {what}", bytes.len());
                report.warn(&warning::LEFT_OVER, message).in_field(field);
            }
        }
        self.check_colors(report);
        match self.rows() {
            Err(error) => damaged(&error, report),
            Ok((_, rows)) => {
                let at = self.body().map_or(0, |(_, at, _)| at);
                if rows.left > 0 {
                    let message = format!("{} bytes stand behind the packed pixels", rows.left);
                    report.warn(&warning::LEFT_OVER, message).at(at).in_field("chunks");
                }
                if rows.crossing > 0 {
                    let message = format!("{} runs go on in the next row", rows.crossing);
                    report.warn(&warning::CROSSING, message).at(at).in_field("chunks");
                }
            }
        }
    }

    fn export(
        &self,
        context: &Context<'_>,
        target: &Target<'_>,
        sink: &mut dyn Sink,
        report: &mut Report,
    ) -> Result<()> {
        if target.output.kind == OutputKind::Image {
            self.check_colors(report);
        }
        alone::export((context, target), sink, self.facts(), || Ok((self.edited()?, self.shown_palette())))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, report: &mut Report) -> Result<()> {
        let mut record = blob::to_record(self)?;
        let Some((index, ..)) = self.body() else { return alone::unpack(&record, None, parts) };
        let body = blob::move_out(&mut record, &format!("/chunks/{index}/content/Body"), "body.bin", parts)?;
        let picture = self.edited().inspect_err(|error| damaged(error, report)).ok();
        let view = picture.map(|picture| View {
            picture,
            palette: self.shown_palette(),
            source: "the file's",
            shows: vec![Shows::Blob(&body)],
        });
        alone::unpack(&record, view, parts)
    }

    fn spans(&self, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
        trace_whole::<Self>(&source.read_all()?, (), visitor)
    }
}

fn pack(folder: &Unpacked, report: &mut Report) -> Result<Vec<u8>> {
    let mut lbm: Lbm = blob::typed(folder)?;
    if let Some(picture) = alone::painted(folder, || lbm.edited(), &warning::INEXACT, report)? {
        lbm.set(&picture)?;
    }
    lbm.write()
}
