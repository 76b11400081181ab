//! ROB archives: the named models of a map or a menu in one file.

mod archive;
mod check;
mod edit;
#[cfg(test)]
mod edit_tests;
mod external;
mod import;
mod layout;
#[cfg(test)]
mod replace_tests;
mod scene;
#[cfg(test)]
mod tests;
mod warning;

use std::collections::BTreeSet;

use asset::archive::Editing;
use asset::typed_view::{Unit, UnitField};
use asset::{
    Asset, Context, Counts, Description, Detail, Entries, Format, Import, Items, NameKind, Named, Names,
    Offered, Parts, Probe, ProductKind, Products, Report, ScenePart, Score, Target, counted,
};
use json::Document;
use record::{FieldDoc, Record, Result, Source, Span, Visit, Visitor, read_whole, trace_whole, write_whole};

pub use layout::{Collision, DataHeader, END, Header, Payload, Rob, SEGMENT, Segment, SegmentHeader};
pub use scene::{RobOptions, SegmentOutput};
pub use warning::CODES;

use crate::model::{FaceTexture, Model, describe};

/// Models of a map.
pub static FORMAT: Format = Format::new("redguard.rob", "Redguard map models", open)
    .game("redguard")
    .extensions(&["rob"])
    .probe(probe)
    .pack(edit::pack)
    .import(Import {
        extensions: import::EXTENSIONS,
        options: &[],
        make: |scene, report| Ok(import::import(scene, report)?.into()),
    })
    .products(&[
        Offered { kind: ProductKind::Scene, about: "the models with their textures and frames" },
        Offered { kind: ProductKind::Data, about: "every field of the file" },
    ])
    .schema(Rob::schema)
    .spans(spans)
    .archive(Entries::of::<Rob>(Editing::Parts))
    .options(RobOptions::DECLARED)
    .names(Names::of_file(NameKind::Model).reported(|asset, _, take| {
        for (number, segment) in asset.typed::<Rob>().iter().flat_map(|rob| rob.segments.iter().enumerate()) {
            let text = &segment.header.name.text();
            take(Named::new(NameKind::Model, text, format_args!("segments[{number}].header.name")));
            if let Payload::Model(model) = &segment.payload {
                describe::visit_textures(model, &format!("segments[{number}].payload."), take);
            }
        }
        Ok(())
    }))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(Rob::read(&source.read_all()?)?))
}

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

    /// Writes the file; an unchanged file is written byte for byte as it was read.
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
                    let textures: BTreeSet<String> = self.models().flat_map(describe::textures).collect();
                    Document::object(|out| {
                        out.list("segments", headers).list("textures", &textures);
                    })
                }
                Detail::Full => Document::of(self).unwrap_or_default(),
            },
            ..Description::default()
        }
    }

    fn items(&self) -> Items {
        let name = |segment: &Segment| segment.header.name.text();
        let external = self.segments.iter().filter(|segment| segment.external().is_some());
        let attributes = self.segments.iter().filter(|segment| segment.header.attributes != 0);
        let mut items = Items::new()
            .with_named("segments", self.segments.iter().map(name))
            .with_named("external models", external.map(name))
            .with_named("segments with attributes", attributes.map(name));
        for segment in &self.segments {
            if let Payload::Model(model) = &segment.payload {
                let noun = format!("{}: sphere", name(segment));
                items = items.with_numbered("collision spheres", &noun, describe::spheres(model));
                let frames = 1..model.frame_count();
                items = items
                    .with_named("frames", frames.map(|frame| format!("{}: frame {frame}", name(segment))));
            }
        }
        items
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, context, report);
    }

    /// If several segments have the same name, the first is used.
    fn origin(&self, part: ScenePart<'_>) -> Option<String> {
        let name = part.text("segment")?;
        let index = self.segments.iter().position(|segment| segment.header.name.text() == name)?;
        Some(format!("segments[{index}]"))
    }

    fn unit_fields(&self) -> &'static [UnitField] {
        const fn units(stored: &'static str, name: &'static str) -> UnitField {
            UnitField { owner: "segments/*/header", stored, name, unit: Unit::UNITS_OF_256THS }
        }
        const FIELDS: [UnitField; 5] = [
            units("extent", "extent_units"),
            units("positive", "positive_units"),
            units("negative", "negative_units"),
            FaceTexture::glide_field("segments/*/payload/model/glide/faces/*"),
            FaceTexture::software_field("segments/*/payload/model/software/planes/*"),
        ];
        &FIELDS
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let scenes = scene::scenes(self, context, target);
        Ok(scenes.with_fields(self, self.unit_fields()))
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.typed(self)
    }
}

/// Visits every field of the file, including those of the models.
fn spans(_asset: &dyn Asset, source: &Source, visitor: &mut dyn Visitor) -> Result<()> {
    let bytes = source.read_all()?;
    trace_whole::<Rob>(&bytes, (), &mut WithModels { bytes: &bytes, visitor })
}

/// Visits the fields of embedded models instead of their bytes.
struct WithModels<'a> {
    bytes: &'a [u8],
    visitor: &'a mut dyn Visitor,
}

impl Visitor for WithModels<'_> {
    fn span(&mut self, span: Span<'_>) -> Visit {
        let range = usize::try_from(span.start).ok().zip(usize::try_from(span.end).ok());
        let payload = range.filter(|_| span.path.ends_with(".payload"));
        let model = payload.and_then(|(from, to)| self.bytes.get(from..to));
        let Some(model) = model.filter(|bytes| !bytes.is_empty()) else { return self.visitor.span(span) };
        if Model::read(model).is_err() {
            return self.visitor.span(span);
        }
        let mut embedded = Embedded {
            start: span.start,
            path: span.path,
            visitor: &mut *self.visitor,
            last: Visit::Continue,
        };
        // The model has just been read, so this cannot fail.
        let _: Result<()> = trace_whole::<Model>(model, (), &mut embedded);
        embedded.last
    }

    fn enters(&mut self, path: &str) -> bool {
        self.visitor.enters(path)
    }

    fn describe(&mut self, path: &str, doc: &'static FieldDoc) {
        self.visitor.describe(path, doc);
    }
}

/// Visits the fields of a model as fields of the file that contains it.
struct Embedded<'a> {
    /// Offset of the model in the file, and its path.
    start: u64,
    path: &'a str,
    visitor: &'a mut dyn Visitor,
    /// Result of the last visit.
    last: Visit,
}

impl Visitor for Embedded<'_> {
    fn span(&mut self, span: Span<'_>) -> Visit {
        self.last = self.visitor.span(Span {
            start: span.start.saturating_add(self.start),
            end: span.end.saturating_add(self.start),
            path: &format!("{}.{}", self.path, span.path),
            value: span.value,
        });
        self.last
    }

    fn enters(&mut self, path: &str) -> bool {
        self.visitor.enters(&format!("{}.{path}", self.path))
    }

    fn describe(&mut self, path: &str, doc: &'static FieldDoc) {
        self.visitor.describe(&format!("{}.{path}", self.path), doc);
    }
}
