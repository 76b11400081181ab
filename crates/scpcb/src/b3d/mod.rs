//! Blitz3D `.b3d` models with brushes, bones and animation.

mod animation;
mod brush;
mod check;
mod chunk;
mod describe;
mod excess;
mod import;
mod item;
mod kept;
mod layout;
mod material;
mod mesh;
mod name;
mod nodes;
mod scene;
mod skin;
#[cfg(test)]
mod tests;
mod text;
mod tree;
mod unpack;
mod view;
mod warning;

use asset::{
    Asset, Context, Description, Detail, FieldChange, Format, Import, Items, NameKind, Names, Offered, Probe,
    ProductContext, ProductKind, Products, RecordChange, Report, ScenePart, Score, Target,
};
use json::{Document, Step};
use record::{Bytes, Error, Record, Result, Source, Visitor};
use serde::{Deserialize, Serialize};

use crate::model::{game_transform, origin, replaced};

pub use chunk::{Chunk, MAX_DEPTH, Mesh, Node, Tag};
pub use layout::{
    Animation, Bone, Brush, Brushes, Key, Keys, Sequence, Texture, Textures, Triangles, Vertex, VertexForm,
    Vertices, Weight, blend, fx, texture,
};
pub use text::CText;
pub use warning::CODES;

pub(crate) use scene::to_scene;

/// Models of the game and of other games written in Blitz3D.
pub static FORMAT: Format = Format::new("scpcb.b3d", "Blitz3D model", open)
    .game("scpcb")
    .extensions(&["b3d"])
    .probe(|file: &Probe<'_>| file.starts_with(MAGIC).then_some(Score::CERTAIN))
    .pack(unpack::pack)
    .import(Import {
        extensions: &["b3d"],
        options: &[],
        make: |scene, report| Ok(import::import(scene.read, report)?.into()),
    })
    .products(&[
        Offered { kind: ProductKind::Scene, about: "the model with its textures, skin and animation" },
        Offered { kind: ProductKind::Data, about: "every field of the file" },
    ])
    .schema(B3d::schema)
    .spans(|_, source, visitor| B3d::trace(&source.read_all()?, visitor))
    .options(crate::model::ModelOptions::DECLARED)
    .names(Names::of_file(NameKind::Model).in_fields(&[
        ("textures.file", NameKind::Texture),
        ("brushes.name", NameKind::Material),
        ("name", NameKind::Node),
    ]))
    .codes(CODES)
    .shared_codes(warning::SHARED);

fn open(source: &Source, report: &mut Report) -> Result<Box<dyn Asset>> {
    Ok(Box::new(B3d::read(&source.read_all()?, report)?))
}

/// Signature of a model.
const MAGIC: &[u8] = b"BB3D";

/// The first unknown version: the hundreds are the major version.
const TOO_NEW: i32 = 100;

/// Maximum number of nodes. A complete level of 3D World Studio has a few thousand.
pub const MAX_NODES: usize = 1 << 16;

/// A model.
#[derive(Record, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[record(magic = MAGIC)]
#[serde(deny_unknown_fields)]
pub struct B3d {
    /// Version of the format: 1 in all known models; the engine also accepts 0.
    #[record(begin(length: i32), check = known_version)]
    pub version: i32,
    /// All chunks in file order. In JSON, a flat list of (depth, chunk).
    #[record(with = 0, until = chunk::no_more(0), limit = chunk::MAX_CHUNKS)]
    #[serde(with = "tree")]
    pub chunks: Vec<Chunk>,
    /// Bytes at the end of the model that are too few for another chunk.
    #[record(end)]
    #[serde(default, skip_serializing_if = "layout::is_nothing")]
    pub rest: Bytes,
    /// Bytes after the end of the model.
    #[serde(default, skip_serializing_if = "layout::is_nothing")]
    pub trailing: Bytes,
    /// Number of bytes by which the stored length exceeds the file: fewer than a chunk header, so the engine does not notice.
    /// Usually 0.
    #[record(by = excess)]
    #[serde(default, skip_serializing_if = "is_zero")]
    pub excess_length: u8,
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

impl B3d {
    /// Returns an empty model.
    #[must_use]
    pub fn new() -> Self {
        Self {
            version: 1,
            chunks: Vec::new(),
            rest: Bytes::default(),
            trailing: Bytes::default(),
            excess_length: 0,
        }
    }

    /// Reads a model. Unknown chunks and trailing bytes are kept and reported.
    ///
    /// # Errors
    /// Fails for another type of file, an unknown version, chunks that exceed their parents, and more than [`MAX_NODES`].
    pub fn read(bytes: &[u8], report: &mut Report) -> Result<Self> {
        let (bytes, excess_length) = excess::corrected(bytes);
        let model = Self { excess_length, ..record::read_whole(&bytes, ())? };
        let mut nodes = 0_usize;
        model.visit(&mut |chunk, _| {
            nodes = nodes.saturating_add(usize::from(matches!(chunk, Chunk::Node(_))));
        });
        if nodes > MAX_NODES {
            let message = format!("{nodes} nodes exceed the limit of {MAX_NODES}");
            return Err(Error::limit(message).at(0));
        }
        warning::kept(&model, report);
        Ok(model)
    }

    /// Writes the model. An unmodified model yields the bytes it was read from.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) if the contents do not fit into a chunk.
    pub fn write(&self) -> Result<Vec<u8>> {
        excess::with_excess(record::write_whole(self, ())?, self.excess_length)
    }

    /// Visits every chunk with its field path, such as `chunks[2].chunks[0]`, parents first.
    pub(crate) fn visit<'a>(&'a self, visit: &mut dyn FnMut(&'a Chunk, &str)) {
        visit_all(&self.chunks, &mut String::new(), visit);
    }

    fn trace(bytes: &[u8], visitor: &mut dyn Visitor) -> Result<()> {
        let (bytes, excess_length) = excess::corrected(bytes);
        record::trace_whole::<Self>(&bytes, (), &mut excess::Stored { visitor, excess_length })
    }
}

fn visit_all<'a>(chunks: &'a [Chunk], path: &mut String, visit: &mut dyn FnMut(&'a Chunk, &str)) {
    let before = path.len();
    for (index, chunk) in chunks.iter().enumerate() {
        path.push_str(if before == 0 { "chunks[" } else { ".chunks[" });
        path.push_str(&index.to_string());
        path.push(']');
        visit(chunk, path);
        if let Some(within) = chunk.chunks() {
            visit_all(within, path, visit);
        }
        path.truncate(before);
    }
}

impl Default for B3d {
    fn default() -> Self {
        Self::new()
    }
}

fn known_version(version: &i32) -> Result<()> {
    if (0..TOO_NEW).contains(version) {
        return Ok(());
    }
    Err(Error::unsupported(format!("unknown version {version} (known: below {TOO_NEW})")))
}

impl Asset for B3d {
    fn field_view(&self, record: json::Node<'_>) -> Option<Document> {
        view::view(record)
    }

    fn record_change(
        &self,
        record: json::Node<'_>,
        path: &[Step<'_>],
        change: FieldChange<'_>,
    ) -> Result<Option<Vec<RecordChange>>> {
        Ok(view::change(record, path, change).map(|change| vec![change]))
    }

    fn describe(&self, detail: Detail) -> Description {
        describe::describe(self, detail)
    }

    fn items(&self) -> Items {
        describe::items(self)
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, context, report);
    }

    fn origin(&self, part: ScenePart<'_>) -> Option<String> {
        origin::field_of(&part)
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let asset_context = context.clone();
        let make = move |making: &mut ProductContext<'_>| {
            let mut scene = to_scene(self, &asset_context, target.name, target.factor(), making.report);
            game_transform::apply(&mut scene, &asset_context, target.factor(), making.report);
            replaced::report_textures(&asset_context, &warning::GIVEN_TEXTURES, making.report);
            kept::keep(&mut scene, self, target.factor());
            Ok(scene)
        };
        Ok(Products::new(context, target).with_scene(make).with_fields(self, self.unit_fields()))
    }

    fn unpack(&self, context: &Context<'_>, parts: &mut asset::Parts<'_>, report: &mut Report) -> Result<()> {
        unpack::unpack(self, context, parts, report)
    }
}
