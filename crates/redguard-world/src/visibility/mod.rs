//! PVO: the statics of a map visible from each position, as a tree of cells.

pub(crate) mod build;
mod check;
mod layout;
mod resolved;
pub(crate) mod scene;
mod statics;
#[cfg(test)]
mod tests;
mod tree;
mod warning;

use asset::{
    Asset, Context, Counts, Description, Detail, Format, NameKind, Names, Offered, Parts, Probe, ProductKind,
    Products, Report, Score, Target, counted,
};
use json::{Document, Value};
use record::{Error, Result, Source, read_whole, write_whole};

pub use build::{BUILDER, TreeOptions};
pub use layout::{
    Ending, Header, List, Lists, NO_CHILD, NO_LIST, Node, Nodes, Objects, Patch, Patches, Run, Section,
    Visibility,
};
pub use scene::SceneOptions;
pub use tree::{Cell, Tree, VisibleSet};
pub use warning::CODES;

/// Visibility trees.
pub static FORMAT: Format = Format::new("redguard.pvo", "Redguard visibility tree", open)
    .game("redguard")
    .extensions(&["pvo"])
    .probe(probe)
    .pack(|folder, _report| folder.typed::<Visibility>()?.write())
    .products(&[
        Offered { kind: ProductKind::Data, about: "the tree, its lists and patches, and validity checks" },
        Offered { kind: ProductKind::Scene, about: "the cells as lines, with one node per size" },
    ])
    .record::<Visibility>()
    .options(SceneOptions::DECLARED)
    .names(Names::of_file(NameKind::Map))
    .codes(CODES);

fn open(source: &Source, _report: &mut Report) -> Result<Box<dyn Asset>> {
    if source.len() > MAX_SIZE {
        return Err(Error::limit(format!(
            "the file is too large for a visibility tree (limit: {MAX_SIZE} bytes)"
        )));
    }
    Ok(Box::new(Visibility::read(&source.read_all()?)?))
}

/// Maximum size of a file. Files of the game have up to 1.5 MB.
const MAX_SIZE: u64 = 8 << 20;

fn probe(file: &Probe<'_>) -> Option<Score> {
    file.starts_with(b"OCTH").then_some(Score::CERTAIN)
}

impl Visibility {
    /// Reads a tree. Unknown sections and sections that do not fit their layout are kept as bytes.
    ///
    /// # Errors
    /// When a section is truncated.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.is_empty() {
            return Err(Error::malformed("the file is empty").at(0));
        }
        read_whole(bytes, ())
    }

    /// Writes the tree; an unchanged tree is written byte for byte as it was read.
    ///
    /// # Errors
    /// When the number of children of a node differs from its mask, or a list has more than 255 runs.
    pub fn write(&self) -> Result<Vec<u8>> {
        write_whole(self, ())
    }

    fn fields(&self, context: Option<&Context<'_>>) -> Document {
        let resolved = resolved::resolved(self, context);
        Document::object(|out| {
            out.list("sections", &self.sections).put("has_end", &self.has_end);
            if self.end.is_some() {
                out.put("end", &self.end);
            }
            if !self.rest.is_empty() {
                out.put("rest", &self.rest);
            }
            out.put("resolved", &resolved);
        })
    }
}

impl Asset for Visibility {
    fn scene_memory(&self) -> u64 {
        crate::SCENE_MEMORY
    }

    fn describe(&self, detail: Detail) -> Description {
        let (nodes, lists) = (self.nodes().len(), self.lists().len());
        Description {
            summary: format!(
                "visibility tree, {}, {}",
                counted(nodes, "node", "nodes"),
                counted(lists, "list", "lists")
            ),
            counts: Counts::new()
                .with("nodes", nodes)
                .with("lists", lists)
                .with("numbers of objects", self.objects().len())
                .with("patches", self.patches().count()),
            fields: match detail {
                Detail::Full => self.fields(None),
                Detail::Brief => Document::default(),
            },
            derived: &["resolved"],
            ..Description::default()
        }
    }

    fn describe_in_game(&self, context: &Context<'_>, description: &mut Description) {
        if description.fields.root().get("resolved").is_some() {
            description.fields = Document::default();
            description.fields = self.fields(Some(context));
        }
    }

    fn check(&self, context: &Context<'_>, report: &mut Report) {
        check::check(self, context, report);
    }

    fn products<'a>(&'a self, context: &Context<'a>, target: Target<'a>) -> Result<Products<'a>> {
        let (scene_context, game) = (context.clone(), context.clone());
        Ok(Products::new(context, target)
            .with_data(move || self.fields(Some(&game)))
            .with_scene(move |_| scene::scene(self, &scene_context, &target)))
    }

    fn at(&self, context: &Context<'_>, position: &[f64]) -> Result<Option<Value>> {
        resolved::at(self, context, position).map(Some)
    }

    fn unpack(&self, _context: &Context<'_>, parts: &mut Parts<'_>, _report: &mut Report) -> Result<()> {
        parts.typed(self)
    }
}
