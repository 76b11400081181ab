//! Converts the models of a ROB file to one scene, laid out in rows, or to a scene each.

use asset::preset::PRESET;
use asset::{Choice, Context, Offer, ProductContext, ProductKind, Products, Report, Target};
use glam::{Vec2, Vec3};
use json::json;
use record::Result;
use scene::node::PackedExtras;
use scene::{Node, Scene};

use super::external::{External, ExternalModels};
use super::layout::{Payload, Rob, Segment};
use super::{check, warning};
use crate::axes::AXES;
use crate::model::Model;
use crate::model::interpretation::{DELTA_SIGN, UV};
use crate::model::options::MeshOptions;
use crate::model::scene::{DrawStyle, Materials, animate, extras};
use redguard_files::picture::INDEX_0;
use redguard_files::picture::palette::{GLIDE_COLORS, PALETTE, PALETTE_SOURCE};

/// The gap between two models in meters.
const GAP: f32 = 1.0;

/// How the models of a file are distributed over scenes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentOutput {
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
        ("together", "in one scene, in rows"),
        ("apart", "one file each, in a folder named after the input file"),
    ],
    &[SegmentOutput::Combined, SegmentOutput::Separate],
);

asset::format_options! {
    /// How the scenes of the models are made.
    pub struct RobOptions {
        /// A palette for images: a file on disk or in the game, such as `ISLAND.COL`.
        palette: &str = PALETTE;
        /// Which palette takes precedence.
        palette_source: redguard_files::picture::palette::PalettePrecedence = PALETTE_SOURCE;
        /// Whether the palette is used as the Glide renderer does: 6 bits per channel, color 0 black.
        glide_colors: bool = GLIDE_COLORS;
        /// Whether palette color 0 is transparent; `None` as the file says.
        key_color: Option<media::picture::Index0> = INDEX_0;
        /// How the axes of the game are rotated.
        axes: crate::axes::Axes = AXES;
        /// How frame deltas are combined with the reference frame.
        delta_sign: crate::model::DeltaSign = DELTA_SIGN;
        /// How texture coordinates after the third corner of a face are determined.
        uv: crate::model::LaterCornerUvs = UV;
        /// Whether the models go to one scene or to one each.
        segments: SegmentOutput = SEGMENTS;
        /// The program that the scene is made for; it chooses other options where nothing is chosen here.
        preset: Option<::scene::Engine> = PRESET;
    }
}

/// The models of the file as one scene, or as one scene each.
pub(super) fn scenes<'a>(rob: &'a Rob, context: &Context<'a>, target: Target<'a>) -> Products<'a> {
    let products = Products::new(context, target);
    let around = context.clone();
    match context.options.choice(&SEGMENTS) {
        SegmentOutput::Separate => products.with_all(indexed_segments(rob).map(move |indexed| {
            let around = around.clone();
            let make = move |making: &mut ProductContext<'_>| {
                SceneBuilder::new(&around, &target).single(indexed, making)
            };
            Offer::new(ProductKind::Scene, make).named(indexed.segment.header.name.text())
        })),
        SegmentOutput::Combined => products
            .with_scene(move |making| SceneBuilder::new(&around, &target).combined(rob, making.report)),
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

    /// Builds one scene with all models, in rows that together are about as deep as wide.
    fn combined(&mut self, rob: &Rob, report: &mut Report) -> Result<Scene> {
        let mut scene = Scene::new(self.target.name);
        let root = scene.add_root(Node::named(self.target.name));
        let mut materials = None;
        let models: Vec<_> =
            indexed_segments(rob).map(|indexed| (indexed, self.model(indexed, report))).collect();
        let footprint = |indexed, model: &Option<ModelRef<'_>>| {
            model.as_deref().map_or_else(Footprint::default, |model| {
                Footprint::of(self.mesh_options(indexed).positions(model, 0))
            })
        };
        let footprints: Vec<_> = models.iter().map(|(indexed, model)| footprint(*indexed, model)).collect();
        let mut rows = Rows::of(&footprints, GAP * self.target.factor());
        for ((indexed, model), footprint) in models.into_iter().zip(footprints) {
            let Some(model) = model else {
                let mut node = Node::named(indexed.segment.header.name.text());
                node.packed_extras = PackedExtras::new(&facts(indexed));
                scene.add_child(root, node);
                continue;
            };
            let mut node = self.node(indexed, &model, &mut scene, &mut materials, report)?;
            node.translation = rows.place(footprint);
            let (mesh, name) = (node.mesh, node.name.clone());
            let node = scene.add_child(root, node);
            if !self.is_apart(&model) {
                animate(&model, mesh, node, &name, &mut scene);
            }
        }
        report_problems(materials.as_ref(), report);
        Ok(scene)
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
        if !self.is_apart(&model) {
            animate(&model, mesh, node, &name, &mut scene);
        }
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
            style: DrawStyle { keyed: indexed.segment.header.is_keyed(), ..DrawStyle::default() },
            ..MeshOptions::from_options(self.context, self.target)
        }
    }

    /// Whether a model becomes a file of its own, which this one names: here only its first frame is shown. What stands in another folder of
    /// the game (a mod over it) is not converted with this one.
    const fn is_apart(&self, model: &ModelRef<'_>) -> bool {
        self.target.models_apart && matches!(model, ModelRef::External(External { is_beside: true, .. }))
    }

    /// The node of a model, with its mesh.
    fn node(
        &self,
        indexed: IndexedSegment<'_>,
        model: &ModelRef<'_>,
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
        let is_apart = self.is_apart(model);
        let options =
            MeshOptions { is_restorable: !is_apart, is_still: is_apart, ..self.mesh_options(indexed) };
        let mesh = options
            .mesh(model, &name, scene, materials, &mut mesh_report)
            .map_err(|error| error.in_field("payload").in_item(index).in_field("segments"))?;
        for warning in &mesh_report {
            let field = format!("segments[{index}].payload");
            report.warn(&warning::MODEL_NOTE, format!("{name:?}: {}", warning.message)).in_field(field);
        }
        let mut node = Node { mesh, ..Node::named(name) };
        let mut about = facts(indexed);
        about.extend(extras(model));
        node.packed_extras = PackedExtras::new(&about);
        Ok(node)
    }
}

/// An embedded or external model.
enum ModelRef<'a> {
    Embedded(&'a Model),
    External(External),
}

impl std::ops::Deref for ModelRef<'_> {
    type Target = Model;

    fn deref(&self) -> &Model {
        match self {
            Self::Embedded(model) => model,
            Self::External(external) => &external.model,
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

/// How far a model reaches in its first frame.
#[derive(Debug, Clone, Copy, Default)]
struct Footprint {
    /// The least X and Z, 0 or less.
    least: Vec2,
    /// The greatest, 0 or more.
    most: Vec2,
}

impl Footprint {
    fn of(positions: Vec<[f32; 3]>) -> Self {
        let places = positions.into_iter().map(|[x, _, z]| Vec2::new(x, z));
        places.fold(Self::default(), |all, place| Self {
            least: all.least.min(place),
            most: all.most.max(place),
        })
    }

    fn size(self) -> Vec2 {
        self.most - self.least
    }
}

/// Places models in rows, from the left to the right and then to the front.
struct Rows {
    gap: f32,
    /// What starts further to the right goes to the next row.
    width: f32,
    next: Vec2,
    depth: f32,
}

impl Rows {
    fn of(footprints: &[Footprint], gap: f32) -> Self {
        let area: f32 = footprints.iter().map(|it| (it.size() + gap).element_product()).sum();
        Self { gap, width: area.sqrt(), next: Vec2::ZERO, depth: 0.0 }
    }

    /// The translation of the next model.
    fn place(&mut self, footprint: Footprint) -> Vec3 {
        if self.next.x > 0.0 && self.next.x + footprint.size().x > self.width {
            self.next = Vec2::new(0.0, self.next.y + self.depth + self.gap);
            self.depth = 0.0;
        }
        let Vec2 { x, y } = self.next - footprint.least;
        self.next.x += footprint.size().x + self.gap;
        self.depth = self.depth.max(footprint.size().y);
        Vec3::new(x, 0.0, y)
    }
}

/// Metadata of a segment that a scene cannot represent.
fn facts(IndexedSegment { segment, index }: IndexedSegment<'_>) -> scene::Extras {
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
        "index": index,
        "kind": header.kind,
        "flags": header.flags,
        "render_mode": header.render_mode(),
        "drawn_as": drawn,
        "attributes": header.attributes,
        "box": { "extent": header.extent, "positive": header.positive, "negative": header.negative },
        "collision": header.collision,
        "collides_as": header.collision().name(),
        "reserved_12": header.reserved_12,
        "face_count_low": header.face_count_low,
        "unused_14": header.unused_14,
    });
    let mut facts = match facts {
        json::Value::Object(facts) => facts,
        _ => scene::Extras::new(),
    };
    if let Some(file) = segment.external() {
        facts.insert("external".into(), file.into());
    }
    facts
}
