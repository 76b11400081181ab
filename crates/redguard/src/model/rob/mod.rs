//! ROB: the named models of a map or a menu in one file.

mod archive;
mod check;
mod import;
mod layout;
#[cfg(test)]
mod replace_tests;
mod scene;
#[cfg(test)]
mod tests;
mod warning;

use asset::as_archive;
use asset::{
    Asset, Context, Counts, Description, Detail, Format, Import, NameKind, Named, Names, Offered, Parts,
    Probe, ProductKind, Products, Report, ScenePart, Score, Unpacked, counted,
};
use record::json::Document;
use record::{Result, Source, Span, Visit, Visitor, read_whole, trace_whole, write_whole};

pub use layout::{DataHeader, END, Header, Payload, Rob, SEGMENT, Segment, SegmentHeader};
pub use warning::CODES;

use crate::model::Model;

/// Models of a map.
pub static FORMAT: Format = Format {
    id: "redguard.rob",
    name: "Redguard map models",
    game: Some("redguard"),
    extensions: &["rob"],
    probe,
    open: |source, _report| Ok(Box::new(Rob::read(&source.read_all()?)?)),
    pack: Some(pack),
    import: Some(Import { extensions: import::EXTENSIONS, make: import::import }),
    products: &[
        Offered { kind: ProductKind::Scene, about: "the models with their textures and frames" },
        Offered { kind: ProductKind::Data, about: "every field of the file" },
    ],
    save_as: &[],
    spans: Some(spans),
    archive: Some(as_archive::<Rob>),
    options: scene::OPTIONS,
    names: Names::of_file(NameKind::Model).told(|asset, _, take| {
        for (number, segment) in asset.typed::<Rob>().iter().flat_map(|rob| rob.segments.iter().enumerate()) {
            let text = &segment.header.name.text();
            take(Named { kind: NameKind::Model, text, path: format_args!("segments[{number}].header.name") });
        }
        Ok(())
    }),
    codes: CODES,
};

fn probe(file: &Probe<'_>) -> Option<Score> {
    file.starts_with(b"OARC").then_some(Score::CERTAIN)
}

impl Rob {
    /// Reads a file. A model that cannot be read is kept as bytes.
    ///
    /// # Errors
    /// When the file is truncated or a segment runs past its end.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        read_whole(bytes, ())
    }

    /// Writes the file; an unchanged one gives the bytes it was read from.
    ///
    /// # Errors
    /// When a model cannot be written, or a size exceeds 32 bits.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    fn models(&self) -> impl Iterator<Item = &Model> {
        self.segments.iter().filter_map(|segment| match &segment.payload {
            Payload::Model(model) => Some(&**model),
            Payload::Empty | Payload::Unread(_) => None,
        })
    }
}

impl Asset for Rob {
    fn describe(&self, detail: Detail) -> Description {
        let external = self.segments.iter().filter(|segment| segment.external().is_some()).count();
        let faces: usize = self.models().map(Model::face_count).sum();
        let mut dialects: Vec<&str> = self.models().map(|model| model.version().text()).collect();
        dialects.sort_unstable();
        dialects.dedup();
        Description {
            summary: format!(
                "{}, {external} of them external, {}",
                counted(self.segments.len(), "model", "models"),
                counted(faces, "face", "faces")
            ),
            dialect: dialects.join(", "),
            counts: Counts::new()
                .with("segments", self.segments.len())
                .with("external models", external)
                .with("vertices", self.models().map(Model::vertex_count).sum::<usize>())
                .with("faces", faces),
            fields: match detail {
                Detail::Brief => {
                    let headers = self.segments.iter().map(|segment| segment.header);
                    Document::object(|out| {
                        out.list("segments", headers);
                    })
                }
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, context, report);
    }

    fn origin(&self, part: ScenePart<'_>) -> Option<String> {
        let name = part.text("segment")?;
        let index = self.segments.iter().position(|segment| segment.header.name.text() == name)?;
        Some(format!("segments[{index}]"))
    }

    fn products(&self, context: &Context<'_>, out: &mut Products<'_>) -> Result<()> {
        scene::products(self, context, out)?;
        out.fields(self)
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.typed(self)
    }
}

/// Visits every field of the file, including those of the models.
fn spans(_asset: &dyn Asset, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
    let bytes = source.read_all()?;
    trace_whole::<Rob>(&bytes, (), &mut |span: Span<'_>| within(&bytes, span, visitor))
}

/// Visits the fields of an embedded model.
fn within(bytes: &[u8], span: Span<'_>, visitor: &mut dyn Visitor) -> Visit {
    let range = usize::try_from(span.start).ok().zip(usize::try_from(span.end).ok());
    let model = range.filter(|_| span.path.ends_with(".payload")).and_then(|(from, to)| bytes.get(from..to));
    let Some(model) = model.filter(|bytes| !bytes.is_empty()) else { return visitor.span(span) };
    if Model::read(model).is_err() {
        return visitor.span(span);
    }
    let mut visit = Visit::Continue;
    let mut shifted = |inner: Span<'_>| {
        visit = visitor.span(Span {
            start: inner.start.saturating_add(span.start),
            end: inner.end.saturating_add(span.start),
            path: &format!("{}.{}", span.path, inner.path),
            value: inner.value,
        });
        visit
    };
    // The model has just been read, so this cannot fail.
    let _: Result<()> = trace_whole::<Model>(model, (), &mut shifted);
    visit
}

fn pack(folder: &Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    let rob: Rob = folder.typed()?;
    rob.write()
}
