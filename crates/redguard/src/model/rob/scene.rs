//! The models of a ROB file in one scene, each a node of its name, laid out side by side; or each in a scene of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use asset::{Choice, Context, FormatOption, Item, Lookup, Making, ProductKind, Products, Report, Target};
use record::Result;
use scene::{Node, Scene};
use serde_json::json;

use super::layout::{Payload, Rob, Segment};
use super::{check, warning};
use crate::axes::AXES;
use crate::model::Model;
use crate::model::reading::{DELTA_SIGN, UV};
use crate::model::scene::{Materials, Shape, animate, extras};
use crate::picture::INDEX_0;
use crate::picture::palette::{GLIDE_COLORS, PALETTE, PALETTE_SOURCE};

/// The room between two models, metres.
const GAP: f32 = 1.0;

/// Finds the models that stand in files of their own.
pub(super) struct Externals<'a> {
    context: &'a Context<'a>,
    found: BTreeMap<String, Result<Arc<Model>, String>>,
}

impl<'a> Externals<'a> {
    pub(super) const fn new(context: &'a Context<'a>) -> Self {
        Self { context, found: BTreeMap::new() }
    }

    /// The model in a file beside this one, or a sentence about why there is none.
    pub(super) fn find(&mut self, file: &str) -> Result<Arc<Model>, String> {
        if let Some(known) = self.found.get(file) {
            return known.clone();
        }
        let found = self.read(file);
        self.found.insert(file.to_owned(), found.clone());
        found
    }

    fn read(&self, file: &str) -> Result<Arc<Model>, String> {
        let Some(place) = &self.context.place else { return Err(format!("{file:?} is not there")) };
        let install = self.context.install;
        let place = match install.beside(place).find(file) {
            Lookup::Found(found) => found.place,
            Lookup::Missing => return Err(format!("{file:?} is not there")),
            Lookup::Outside(_) => return Err(format!("{file:?} lies outside the game")),
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

/// Where the models of a file go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Segments {
    /// Into one scene.
    Together,
    /// Each into a scene of its own.
    Apart,
}

/// `--segments`.
const SEGMENTS: Choice<Segments> = Choice::new(
    "segments",
    "Where the models of the file go.",
    &[
        ("together", "side by side in one scene"),
        ("apart", "each in a file of its own, in a folder of the file's name"),
    ],
    &[Segments::Together, Segments::Apart],
);

/// What can be asked of the models of a file.
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

/// Offers the models of the file: one scene, or one for each.
pub(super) fn products(rob: &Rob, context: &Context<'_>, out: &mut Products<'_>) -> Result<()> {
    let target = out.target();
    let mut models = Models::new(context, &target);
    match context.options.choice(&SEGMENTS) {
        Segments::Apart => models.apart(rob, out),
        Segments::Together => out.scene(|making| models.together(rob, making.report)),
    }
}

/// Puts the models of a file into scenes.
struct Models<'a> {
    context: &'a Context<'a>,
    target: &'a Target<'a>,
    externals: Externals<'a>,
}

/// A segment and where it stands in the file.
#[derive(Clone, Copy)]
struct Placed<'a> {
    segment: &'a Segment,
    index: usize,
}

impl<'a> Models<'a> {
    const fn new(context: &'a Context<'a>, target: &'a Target<'a>) -> Self {
        Self { context, target, externals: Externals::new(context) }
    }

    /// All in one scene, side by side.
    fn together(&mut self, rob: &Rob, report: &mut Report) -> Result<Scene> {
        let mut scene = Scene::new(self.target.stem);
        let root = scene.add_root(Node::named(self.target.stem));
        let mut materials = None;
        let mut next = 0.0;
        for placed in placed(rob) {
            let Some(model) = self.model(placed, report) else {
                let mut node = Node::named(placed.segment.header.name.text());
                node.extras = facts(placed.segment);
                scene.add_child(root, node);
                continue;
            };
            let shape = self.shape(placed);
            let (least, most) = width(&model, shape);
            let mut node = self.node(placed, &model, &mut scene, &mut materials, report)?;
            node.translation.x = next - least;
            next += most - least + GAP * self.target.factor();
            let (mesh, name) = (node.mesh, node.name.clone());
            let node = scene.add_child(root, node);
            animate(&model, mesh, node, &name, &mut scene);
        }
        tell(materials.as_ref(), report);
        Ok(scene)
    }

    /// Each in a scene of its own.
    fn apart(&mut self, rob: &Rob, out: &mut Products<'_>) -> Result<()> {
        for placed in placed(rob) {
            let item = Item::named(ProductKind::Scene, placed.segment.header.name.text());
            out.offer(item, |making| self.alone(placed, making))?;
        }
        Ok(())
    }

    /// The scene of one segment; `None` when its model cannot be found.
    fn alone(&mut self, placed: Placed<'_>, making: &mut Making<'_>) -> Result<Option<Scene>> {
        let Some(model) = self.model(placed, making.report) else { return Ok(None) };
        let mut scene = Scene::new(making.name.rsplit('/').next().unwrap_or_default());
        let mut materials = None;
        let node = self.node(placed, &model, &mut scene, &mut materials, making.report)?;
        let (mesh, name) = (node.mesh, node.name.clone());
        let node = scene.add_root(node);
        animate(&model, mesh, node, &name, &mut scene);
        tell(materials.as_ref(), making.report);
        Ok(Some(scene))
    }

    /// The model of a segment, its own or that of the file it names.
    fn model<'r>(&mut self, placed: Placed<'r>, report: &mut Report) -> Option<Held<'r>> {
        let name = placed.segment.header.name.text();
        match &placed.segment.payload {
            Payload::Model(model) => Some(Held::Own(model)),
            Payload::Unread(_) => {
                report
                    .warn(&warning::UNREAD, format!("the model of {name:?} cannot be read"))
                    .in_field(format!("segments[{}].payload", placed.index));
                None
            }
            Payload::Empty => match self.externals.find(&format!("{name}.3DC")) {
                Ok(model) => Some(Held::Elsewhere(model)),
                Err(why) => {
                    report
                        .warn(&warning::EXTERNAL, why)
                        .in_field(format!("segments[{}].header", placed.index));
                    None
                }
            },
        }
    }

    fn shape(&self, placed: Placed<'_>) -> Shape {
        Shape { keyed: placed.segment.header.is_keyed(), ..Shape::asked(self.context, self.target) }
    }

    /// The node of a model, with its mesh.
    fn node(
        &self,
        placed: Placed<'_>,
        model: &Model,
        scene: &mut Scene,
        materials: &mut Option<Materials<'a>>,
        report: &mut Report,
    ) -> Result<Node> {
        let Placed { segment, index } = placed;
        let materials = match materials {
            Some(materials) => materials,
            None => materials.insert(Materials::new(self.context, model.version())?),
        };
        let name = segment.header.name.text();
        let mut about = Report::new();
        let mesh = self
            .shape(placed)
            .mesh(model, &name, scene, materials, &mut about)
            .map_err(|error| error.in_field("payload").in_item(index).in_field("segments"))?;
        for warning in &about {
            let field = format!("segments[{index}].payload");
            report.warn(&warning::MODEL_NOTE, format!("{name:?}: {}", warning.message)).in_field(field);
        }
        let mut node = Node { mesh, ..Node::named(name) };
        node.extras = facts(segment);
        node.extras.extend(extras(model));
        Ok(node)
    }
}

/// A model in the file, or in one of its own.
enum Held<'a> {
    Own(&'a Model),
    Elsewhere(Arc<Model>),
}

impl std::ops::Deref for Held<'_> {
    type Target = Model;

    fn deref(&self) -> &Model {
        match self {
            Self::Own(model) => model,
            Self::Elsewhere(model) => model,
        }
    }
}

/// The segments with their places.
fn placed(rob: &Rob) -> impl Iterator<Item = Placed<'_>> {
    rob.segments.iter().enumerate().map(|(index, segment)| Placed { segment, index })
}

/// Tells of the textures and the palette.
fn tell(materials: Option<&Materials<'_>>, report: &mut Report) {
    let mut found = Report::new();
    if let Some(materials) = materials {
        materials.tell(&mut found);
    }
    check::pass_on(&found, report);
}

/// How far a model reaches along X in its first frame.
fn width(model: &Model, shape: Shape) -> (f32, f32) {
    let across = shape.positions(model, 0).into_iter().map(|[x, ..]| x);
    across.fold((0.0, 0.0), |(least, most), x| (x.min(least), x.max(most)))
}

/// What a scene cannot show of a segment.
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
