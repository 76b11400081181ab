//! Converts the models of a ROB file to one scene, arranged in rows, or to one scene each.

use asset::preset::PRESET;
use asset::{Choice, Context, Offer, ProductContext, ProductKind, Products, Report, Target};
use glam::{Vec2, Vec3};
use json::json;
use record::Result;
use scene::node::PackedExtras;
use scene::{Node, NodeId, Scene};

use super::external::{External, ExternalModels};
use super::layout::{Collision, Payload, Rob, Segment};
use super::{check, warning};
use crate::axes::AXES;
use crate::model::collision::{self, CollisionMeshes};
use crate::model::interpretation::{DELTA_SIGN, UV};
use crate::model::options::MeshOptions;
use crate::model::scene::{DrawStyle, Materials, animate, extras};
use crate::model::{Model, ModelLayer};
use redguard_files::picture::INDEX_0;
use redguard_files::picture::palette::{GLIDE_COLORS, PALETTE, PALETTE_SOURCE};

/// Gap between two models in meters.
const GAP: f32 = 1.0;

/// Distribution of the models of a file over scenes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentOutput {
    /// All models in one scene.
    Combined,
    /// One scene per model.
    Separate,
}

/// `--segments`.
const SEGMENTS: Choice<SegmentOutput> = Choice::new(
    "segments",
    "How to write the models.",
    &[
        ("together", "in one scene, in rows"),
        ("apart", "in one file each, in a folder named after the input file"),
    ],
    &[SegmentOutput::Combined, SegmentOutput::Separate],
);

asset::format_options! {
    /// Options for converting the models to scenes.
    pub struct RobOptions {
        /// Palette for images: a file on disk or in the game, such as `ISLAND.COL`.
        palette: &str = PALETTE;
        /// Palette that takes precedence.
        palette_source: redguard_files::picture::palette::PalettePrecedence = PALETTE_SOURCE;
        /// Whether to use the palette as the Glide renderer does: 6 bits per channel, color 0 black.
        glide_colors: bool = GLIDE_COLORS;
        /// Whether palette color 0 is transparent; `None` to use the value in the file.
        key_color: Option<media::picture::Index0> = INDEX_0;
        /// Rotation of the game's axes.
        axes: crate::axes::Axes = AXES;
        /// Sign of the frame deltas.
        delta_sign: crate::model::DeltaSign = DELTA_SIGN;
        /// Source of the texture coordinates after the third corner of a face.
        uv: crate::model::LaterCornerUvs = UV;
        /// Whether to write the models to one scene or to one scene each.
        segments: SegmentOutput = SEGMENTS;
        /// Layers to add.
        with: &[ModelLayer] = collision::WITH;
        /// Program to prepare the scene for; it selects the values of options that are not set.
        preset: Option<::scene::Engine> = PRESET;
    }
}

/// Converts the models of the file to one scene, or to one scene each.
pub(super) fn scenes<'a>(rob: &'a Rob, context: &Context<'a>, target: Target<'a>) -> Products<'a> {
    let products = Products::new(context, target);
    let shared_context = context.clone();
    match context.options.choice(&SEGMENTS) {
        SegmentOutput::Separate => products.with_all(indexed_segments(rob).map(move |indexed| {
            let shared_context = shared_context.clone();
            let make = move |product: &mut ProductContext<'_>| {
                SceneBuilder::new(&shared_context, &target).single(indexed, product)
            };
            Offer::new(ProductKind::Scene, make).named(indexed.segment.header.name.text())
        })),
        SegmentOutput::Combined => products.with_scene(move |product| {
            SceneBuilder::new(&shared_context, &target).combined(rob, product.report)
        }),
    }
}

/// Builds scenes from the models of a file.
struct SceneBuilder<'a> {
    context: &'a Context<'a>,
    target: &'a Target<'a>,
    externals: ExternalModels<'a>,
    /// The collision meshes, if the scene shows them.
    collision: Option<CollisionMeshes>,
}

/// A segment and its index.
#[derive(Clone, Copy)]
struct IndexedSegment<'a> {
    segment: &'a Segment,
    index: usize,
}

impl<'a> SceneBuilder<'a> {
    fn new(context: &'a Context<'a>, target: &'a Target<'a>) -> Self {
        let has_collision = context.options.has(&collision::WITH, &ModelLayer::Collision);
        let collision = has_collision.then(CollisionMeshes::default);
        Self { context, target, externals: ExternalModels::new(context), collision }
    }

    /// Builds one scene with all models, in rows whose total depth is about their width.
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
                node.packed_extras = PackedExtras::new(&segment_extras(indexed));
                scene.add_child(root, node);
                continue;
            };
            let mut node = self.node(indexed, &model, &mut scene, &mut materials, report)?;
            node.translation = rows.place(footprint);
            let (mesh, name) = (node.mesh, node.name.clone());
            let node = scene.add_child(root, node);
            if !self.is_separate(&model) {
                animate(&model, mesh, node, &name, &mut scene);
            }
            self.add_collision(indexed, &model, &mut scene, node);
        }
        report_problems(materials.as_ref(), report);
        Ok(scene)
    }

    /// Builds the scene of one segment; `None` when its model cannot be loaded.
    fn single(
        &mut self,
        indexed: IndexedSegment<'_>,
        product: &mut ProductContext<'_>,
    ) -> Result<Option<Scene>> {
        let Some(model) = self.model(indexed, product.report) else { return Ok(None) };
        let mut scene = Scene::new(product.name.rsplit('/').next().unwrap_or_default());
        let mut materials = None;
        let node = self.node(indexed, &model, &mut scene, &mut materials, product.report)?;
        let (mesh, name) = (node.mesh, node.name.clone());
        let node = scene.add_root(node);
        if !self.is_separate(&model) {
            animate(&model, mesh, node, &name, &mut scene);
        }
        self.add_collision(indexed, &model, &mut scene, node);
        report_problems(materials.as_ref(), product.report);
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
                Err(reason) => {
                    report
                        .warn(&warning::EXTERNAL, reason)
                        .in_field(format!("segments[{}].header", indexed.index));
                    None
                }
            },
        }
    }

    /// Adds the collision geometry of a model below its node, if requested.
    fn add_collision(&mut self, indexed: IndexedSegment<'_>, model: &Model, scene: &mut Scene, node: NodeId) {
        let options = self.mesh_options(indexed);
        let Some(meshes) = &mut self.collision else { return };
        let header = &indexed.segment.header;
        let name = header.name.text();
        match header.collision() {
            Collision::None => {}
            Collision::Actor => {
                meshes.add_spheres_to_model(scene, (node, &name), &header.spheres(), options);
            }
            Collision::Faces => {
                meshes.add_to_model(scene, (node, &name), model, options);
            }
        }
    }

    fn mesh_options(&self, indexed: IndexedSegment<'_>) -> MeshOptions {
        MeshOptions {
            style: DrawStyle { keyed: indexed.segment.header.is_keyed(), ..DrawStyle::default() },
            ..MeshOptions::from_options(self.context, self.target)
        }
    }

    /// Whether a model is converted to a separate file that this one refers to; this scene then shows only its first frame. A model in
    /// another folder of the game (a mod that overrides it) is not converted together with this file.
    const fn is_separate(&self, model: &ModelRef<'_>) -> bool {
        self.target.separate_models
            && matches!(model, ModelRef::External(External { is_in_same_layer: true, .. }))
    }

    /// Creates the node of a model, with its mesh.
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
        let is_separate = self.is_separate(model);
        let options =
            MeshOptions { is_restorable: !is_separate, is_still: is_separate, ..self.mesh_options(indexed) };
        let mesh = options
            .mesh(model, &name, scene, materials, &mut mesh_report)
            .map_err(|error| error.in_field("payload").in_item(index).in_field("segments"))?;
        for warning in &mesh_report {
            let field = format!("segments[{index}].payload");
            report.warn(&warning::MODEL_NOTE, format!("{name:?}: {}", warning.message)).in_field(field);
        }
        let mut node = Node { mesh, ..Node::named(name) };
        let mut node_extras = segment_extras(indexed);
        node_extras.extend(extras(model));
        node.packed_extras = PackedExtras::new(&node_extras);
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

/// Segments with their indices.
fn indexed_segments(rob: &Rob) -> impl Iterator<Item = IndexedSegment<'_>> {
    rob.segments.iter().enumerate().map(|(index, segment)| IndexedSegment { segment, index })
}

/// Reports problems with textures and palettes.
fn report_problems(materials: Option<&Materials<'_>>, report: &mut Report) {
    let mut found = Report::new();
    if let Some(materials) = materials {
        materials.report_problems(&mut found);
    }
    check::forward_warnings(&found, report);
}

/// Extent of a model in the first frame.
#[derive(Debug, Clone, Copy, Default)]
struct Footprint {
    /// Minimum X and Z; 0 or less.
    min: Vec2,
    /// Maximum X and Z; 0 or more.
    max: Vec2,
}

impl Footprint {
    fn of(positions: Vec<[f32; 3]>) -> Self {
        let points = positions.into_iter().map(|[x, _, z]| Vec2::new(x, z));
        points.fold(Self::default(), |all, point| Self { min: all.min.min(point), max: all.max.max(point) })
    }

    fn size(self) -> Vec2 {
        self.max - self.min
    }
}

/// Arranges models in rows, from left to right and then to the front.
struct Rows {
    gap: f32,
    /// Width at which a new row starts.
    width: f32,
    next: Vec2,
    depth: f32,
}

impl Rows {
    fn of(footprints: &[Footprint], gap: f32) -> Self {
        let area: f32 = footprints.iter().map(|footprint| (footprint.size() + gap).element_product()).sum();
        Self { gap, width: area.sqrt(), next: Vec2::ZERO, depth: 0.0 }
    }

    /// Returns the translation of the next model.
    fn place(&mut self, footprint: Footprint) -> Vec3 {
        if self.next.x > 0.0 && self.next.x + footprint.size().x > self.width {
            self.next = Vec2::new(0.0, self.next.y + self.depth + self.gap);
            self.depth = 0.0;
        }
        let Vec2 { x, y } = self.next - footprint.min;
        self.next.x += footprint.size().x + self.gap;
        self.depth = self.depth.max(footprint.size().y);
        Vec3::new(x, 0.0, y)
    }
}

/// Metadata of a segment that a scene cannot represent.
fn segment_extras(IndexedSegment { segment, index }: IndexedSegment<'_>) -> scene::Extras {
    let header = &segment.header;
    let drawn = match header.render_mode() {
        0x8c => "mirror",
        0xc8 => "water",
        0x5a => "beam",
        0xff => "normal",
        _ => "other",
    };
    let segment_extras = json!({
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
    let mut segment_extras = match segment_extras {
        json::Value::Object(segment_extras) => segment_extras,
        _ => scene::Extras::new(),
    };
    if let Some(file) = segment.external() {
        segment_extras.insert("external".into(), file.into());
    }
    segment_extras
}
