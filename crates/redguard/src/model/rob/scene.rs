//! Converts the models of a ROB file to one scene, laid out side by side, or to a scene each.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::{
    Choice, Context, FormatOption, Item, Lookup, ProductContext, ProductKind, Products, Report, Target,
};
use record::Result;
use scene::node::PackedExtras;
use scene::{Node, Scene};
use serde_json::json;

use super::layout::{Payload, Rob, Segment};
use super::{check, warning};
use crate::axes::AXES;
use crate::model::Model;
use crate::model::interpretation::{DELTA_SIGN, UV};
use crate::model::scene::{Materials, MeshOptions, animate, extras};
use crate::picture::INDEX_0;
use crate::picture::palette::{GLIDE_COLORS, PALETTE, PALETTE_SOURCE};

/// The gap between two models in meters.
const GAP: f32 = 1.0;

/// Loads external models.
pub(super) struct ExternalModels<'a> {
    context: &'a Context<'a>,
    found: BTreeMap<String, Result<Arc<Model>, String>>,
}

impl<'a> ExternalModels<'a> {
    pub(super) const fn new(context: &'a Context<'a>) -> Self {
        Self { context, found: BTreeMap::new() }
    }

    /// The model in a file next to this one, or why it cannot be loaded.
    pub(super) fn find(&mut self, file: &str) -> Result<Arc<Model>, String> {
        if let Some(known) = self.found.get(file) {
            return known.clone();
        }
        let found = self.read(file);
        self.found.insert(file.to_owned(), found.clone());
        found
    }

    fn read(&self, file: &str) -> Result<Arc<Model>, String> {
        let Some(place) = &self.context.location else { return Err(format!("{file:?} was not found")) };
        let install = self.context.install;
        let place = match install.beside(place).find(file) {
            Lookup::Found(found) => found.location,
            Lookup::Missing => return Err(format!("{file:?} was not found")),
            Lookup::Rejected(_) => return Err(format!("{file:?} is outside the game folder")),
        };
        let make = || {
            let source = install.open(&place)?;
            let bytes = source.read_all()?;
            Ok((Model::read(&bytes)?, bytes.len()))
        };
        install
            .decoded(&place, "model", make)
            .map_err(|error| format!("{file:?} cannot be read: {}", error.message()))
    }
}

/// How the models of a file are distributed over scenes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SegmentOutput {
    /// All in one scene.
    Combined,
    /// One scene each.
    Separate,
}

/// `--segments`.
const SEGMENTS: Choice<SegmentOutput> = Choice::new(
    "segments",
    "Whether the models go to one scene or to a file each.",
    &[
        ("together", "side by side in one scene"),
        ("apart", "one file each, in a folder named after the input file"),
    ],
    &[SegmentOutput::Combined, SegmentOutput::Separate],
);

/// The options of ROB files.
pub(super) const OPTIONS: &[FormatOption] = &[
    PALETTE.option(),
    PALETTE_SOURCE.option(),
    GLIDE_COLORS.option(),
    INDEX_0.option(),
    AXES.option(),
    DELTA_SIGN.option(),
    UV.option(),
    SEGMENTS.option(),
];

/// Offers the models of the file: as one scene or one scene each.
pub(super) fn products(rob: &Rob, context: &Context<'_>, out: &mut Products<'_>) -> Result<()> {
    let target = out.target();
    let mut builder = SceneBuilder::new(context, &target);
    match context.options.choice(&SEGMENTS) {
        SegmentOutput::Separate => builder.separate(rob, out),
        SegmentOutput::Combined => out.scene(|making| builder.combined(rob, making.report)),
    }
}

/// Builds scenes from the models of a file.
struct SceneBuilder<'a> {
    context: &'a Context<'a>,
    target: &'a Target<'a>,
    externals: ExternalModels<'a>,
}

/// A segment and its index.
#[derive(Clone, Copy)]
struct IndexedSegment<'a> {
    segment: &'a Segment,
    index: usize,
}

impl<'a> SceneBuilder<'a> {
    const fn new(context: &'a Context<'a>, target: &'a Target<'a>) -> Self {
        Self { context, target, externals: ExternalModels::new(context) }
    }

    /// Builds one scene with all models side by side.
    fn combined(&mut self, rob: &Rob, report: &mut Report) -> Result<Scene> {
        let mut scene = Scene::new(self.target.name);
        let root = scene.add_root(Node::named(self.target.name));
        let mut materials = None;
        let mut next = 0.0;
        for indexed in indexed_segments(rob) {
            let Some(model) = self.model(indexed, report) else {
                let mut node = Node::named(indexed.segment.header.name.text());
                node.packed_extras = PackedExtras::new(&facts(indexed.segment));
                scene.add_child(root, node);
                continue;
            };
            let mesh_options = self.mesh_options(indexed);
            let (least, most) = x_range(&model, mesh_options);
            let mut node = self.node(indexed, &model, &mut scene, &mut materials, report)?;
            node.translation.x = next - least;
            next += most - least + GAP * self.target.factor();
            let (mesh, name) = (node.mesh, node.name.clone());
            let node = scene.add_child(root, node);
            animate(&model, mesh, node, &name, &mut scene);
        }
        report_problems(materials.as_ref(), report);
        Ok(scene)
    }

    /// Offers a scene for each model.
    fn separate(&mut self, rob: &Rob, out: &mut Products<'_>) -> Result<()> {
        for indexed in indexed_segments(rob) {
            let item = Item::named(ProductKind::Scene, indexed.segment.header.name.text());
            out.offer(item, |making| self.single(indexed, making))?;
        }
        Ok(())
    }

    /// Builds the scene of one segment; `None` when its model cannot be loaded.
    fn single(
        &mut self,
        indexed: IndexedSegment<'_>,
        making: &mut ProductContext<'_>,
    ) -> Result<Option<Scene>> {
        let Some(model) = self.model(indexed, making.report) else { return Ok(None) };
        let mut scene = Scene::new(making.name.rsplit('/').next().unwrap_or_default());
        let mut materials = None;
        let node = self.node(indexed, &model, &mut scene, &mut materials, making.report)?;
        let (mesh, name) = (node.mesh, node.name.clone());
        let node = scene.add_root(node);
        animate(&model, mesh, node, &name, &mut scene);
        report_problems(materials.as_ref(), making.report);
        Ok(Some(scene))
    }

    /// The embedded or external model of a segment.
    fn model<'r>(&mut self, indexed: IndexedSegment<'r>, report: &mut Report) -> Option<ModelRef<'r>> {
        let name = indexed.segment.header.name.text();
        match &indexed.segment.payload {
            Payload::Model(model) => Some(ModelRef::Embedded(model)),
            Payload::Unread(_) => {
                report
                    .warn(&warning::UNREAD, format!("the model of {name:?} cannot be read"))
                    .in_field(format!("segments[{}].payload", indexed.index));
                None
            }
            Payload::Empty => match self.externals.find(&format!("{name}.3DC")) {
                Ok(model) => Some(ModelRef::External(model)),
                Err(why) => {
                    report
                        .warn(&warning::EXTERNAL, why)
                        .in_field(format!("segments[{}].header", indexed.index));
                    None
                }
            },
        }
    }

    fn mesh_options(&self, indexed: IndexedSegment<'_>) -> MeshOptions {
        MeshOptions {
            keyed: indexed.segment.header.is_keyed(),
            ..MeshOptions::from_options(self.context, self.target)
        }
    }

    /// The node of a model, with its mesh.
    fn node(
        &self,
        indexed: IndexedSegment<'_>,
        model: &Model,
        scene: &mut Scene,
        materials: &mut Option<Materials<'a>>,
        report: &mut Report,
    ) -> Result<Node> {
        let IndexedSegment { segment, index } = indexed;
        let materials = match materials {
            Some(materials) => materials,
            None => materials.insert(Materials::new(self.context, model.version())?),
        };
        let name = segment.header.name.text();
        let mut mesh_report = Report::new();
        let mesh = self
            .mesh_options(indexed)
            .mesh(model, &name, scene, materials, &mut mesh_report)
            .map_err(|error| error.in_field("payload").in_item(index).in_field("segments"))?;
        for warning in &mesh_report {
            let field = format!("segments[{index}].payload");
            report.warn(&warning::MODEL_NOTE, format!("{name:?}: {}", warning.message)).in_field(field);
        }
        let mut node = Node { mesh, ..Node::named(name) };
        let mut about = facts(segment);
        about.extend(extras(model));
        node.packed_extras = PackedExtras::new(&about);
        Ok(node)
    }
}

/// An embedded or external model.
enum ModelRef<'a> {
    Embedded(&'a Model),
    External(Arc<Model>),
}

impl std::ops::Deref for ModelRef<'_> {
    type Target = Model;

    fn deref(&self) -> &Model {
        match self {
            Self::Embedded(model) => model,
            Self::External(model) => model,
        }
    }
}

/// The segments with their indices.
fn indexed_segments(rob: &Rob) -> impl Iterator<Item = IndexedSegment<'_>> {
    rob.segments.iter().enumerate().map(|(index, segment)| IndexedSegment { segment, index })
}

/// Reports problems with textures and palette.
fn report_problems(materials: Option<&Materials<'_>>, report: &mut Report) {
    let mut found = Report::new();
    if let Some(materials) = materials {
        materials.report_problems(&mut found);
    }
    check::forward_warnings(&found, report);
}

/// The X range of a model in its first frame.
fn x_range(model: &Model, mesh_options: MeshOptions) -> (f32, f32) {
    let across = mesh_options.positions(model, 0).into_iter().map(|[x, ..]| x);
    across.fold((0.0, 0.0), |(least, most), x| (x.min(least), x.max(most)))
}

/// Metadata of a segment that a scene cannot represent.
fn facts(segment: &Segment) -> scene::Extras {
    let header = &segment.header;
    let drawn = match header.render_mode() {
        0x8c => "mirror",
        0xc8 => "water",
        0x5a => "beam",
        0xff => "normal",
        _ => "other",
    };
    let facts = json!({
        "segment": header.name.text(),
        "kind": header.kind,
        "flags": header.flags,
        "render_mode": header.render_mode(),
        "drawn_as": drawn,
        "attributes": header.attributes,
        "box": { "extent": header.extent, "positive": header.positive, "negative": header.negative },
        "unknown_11": header.unknown_11,
        "unused_14": header.unused_14,
    });
    let mut facts = match facts {
        serde_json::Value::Object(facts) => facts,
        _ => scene::Extras::new(),
    };
    if let Some(file) = segment.external() {
        facts.insert("external".into(), file.into());
    }
    facts
}
