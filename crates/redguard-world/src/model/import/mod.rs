//! Imports a model from a scene: one of our own conversions, possibly edited in another program, or a scene made from scratch.
//!
//! - All meshes of the scene are merged into one model of the Glide renderer, with the transforms of their nodes. The version of a `.3dc`
//!   is 4.0; the version of a `.3d` is the one in the extras, otherwise 5.0, or 4.0 if the model is animated.
//! - A material names the texture of its faces: see [`material`]. Texture coordinates are stored in 16ths of a texel, positions in 256ths
//!   of a world unit.
//! - Morph targets, or samples of an animation, become the frames after the first: see [`frames`].
//! - The original model is the one given by `--base`, or the one that conversions [embed](super::original) in the extras of their mesh.
//!   Data that the scene still shows as the original does is kept bit for bit: see [`plan`]. An unedited model is reproduced byte for byte.

mod build;
mod frames;
mod material;
mod original_geometry;
mod plan;
#[cfg(test)]
mod tests;
mod triangle;
mod upgrade;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use asset::{Report, SceneFile, counted};
use glam::{DAffine3, DQuat, DVec3};
use record::{Error, Result};
use scene::gltf::Read;
use scene::{MeshId, NodeId, Scene, Target};

use self::build::ModelBuilder;
use self::frames::Frames;
use self::original_geometry::OriginalGeometry;
use self::plan::Plan;
use self::triangle::TriangleMesh;
use super::glide::{Glide, SINGLE};
use super::original::Original;
use super::{Model, Version, collision, warning};
use crate::axes::Axes;

/// The kind of file to import a model for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportTarget {
    /// A `.3D` file.
    Static,
    /// A `.3DC` file.
    Animated,
    /// A segment of a `.ROB` file.
    Segment,
}

/// Builds a model file from a scene file.
pub(crate) fn import(file: &SceneFile<'_>, report: &mut Report) -> Result<Vec<u8>> {
    let target = if file.extension == "3dc" { ImportTarget::Animated } else { ImportTarget::Static };
    let base = file.base.and_then(|base| base.typed::<Model>());
    Model::from_scene(file.read, target, base, report)?.write()
}

impl Model {
    /// Builds a model from a scene, which may be the edited form of `base`. Features that models cannot represent are reported.
    ///
    /// # Errors
    /// [`Kind::Limit`](record::Kind::Limit) for too many faces or frames.
    pub fn from_scene(
        read: &Read,
        target: ImportTarget,
        base: Option<&Self>,
        report: &mut Report,
    ) -> Result<Self> {
        let mut import = Importer::new(read);
        let instances = import.all_instances()?;
        let imported = import.model(&instances, target, base, report)?;
        import.report_lost(report);
        Ok(imported.model)
    }
}

/// An imported model.
#[derive(Debug)]
pub(crate) struct ImportedModel {
    pub(crate) model: Model,
    /// Whether the model is the unedited original.
    pub(crate) is_unedited: bool,
    /// Whether palette color 0 is transparent on some face.
    pub(crate) is_keyed: bool,
}

/// Converts a scene to models.
pub(crate) struct Importer<'a> {
    read: &'a Read,
    scene: &'a Scene,
    /// Scale factor of the scene.
    scale: f64,
    /// Axes of the scene.
    axes: Axes,
    materials: material::MaterialCache,
    /// Dropped features and their counts.
    lost: BTreeMap<&'static str, usize>,
    /// Remaining work budget: a small scene may instantiate a mesh any number of times, with any combination of morph targets.
    budget: usize,
    /// Total number of vertices and indices of the collected instances.
    instance_size: usize,
    /// Whether each node was visited.
    visited: Vec<bool>,
    /// Morph weight tracks of animated nodes.
    tracks: Rc<Tracks<'a>>,
    /// For each child of a node with a version in its extras: that version.
    versions: HashMap<NodeId, &'a str>,
}

/// Animated morph weights of nodes.
type Tracks<'a> = BTreeMap<NodeId, &'a scene::Track>;

/// The version in the extras of a node.
fn version_of(node: &scene::Node) -> Option<&str> {
    node.extras.get("version")?.as_str()
}

/// Maximum total number of positions, faces and morphed positions of all models of a scene.
const MAX_ITEMS: usize = 1 << 23;

/// A mesh instance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MeshInstance {
    node: NodeId,
    mesh: MeshId,
    /// Transform from mesh space to model space, in meters.
    map: DAffine3,
}

impl<'a> Importer<'a> {
    pub(crate) fn new(read: &'a Read) -> Self {
        let scene = &read.scene;
        let original = scene.meshes.iter().find_map(Original::of);
        let (scale, axes) =
            original.map(|original| (original.scale, original.axes)).unwrap_or((1.0, Axes::default()));
        let mut out = Self {
            read,
            scene,
            scale: scale.into(),
            axes,
            materials: material::MaterialCache::default(),
            lost: BTreeMap::new(),
            budget: MAX_ITEMS,
            instance_size: 0,
            visited: vec![false; scene.nodes.len()],
            tracks: Rc::new(frames::tracks(scene)),
            versions: HashMap::new(),
        };
        for node in &scene.nodes {
            let Some(version) = version_of(node) else { continue };
            for child in &node.children {
                out.versions.entry(*child).or_insert(version);
            }
        }
        let tracks = scene.animations.iter().flat_map(|animation| &animation.tracks);
        let moves = |track: &&scene::Track| !matches!(track.target, Target::Weights(_));
        out.count_lost("animations other than morph weights", tracks.filter(moves).count());
        out.count_lost("lights", scene.lights.len());
        out
    }

    /// Collects the mesh instances of all nodes.
    ///
    /// # Errors
    /// As [`Self::instances`].
    pub(crate) fn all_instances(&mut self) -> Result<Vec<MeshInstance>> {
        let mut out = Vec::new();
        for root in &self.scene.roots {
            let map = self.scene.nodes.get(root.0).map(local_transform);
            out.extend(self.instances(*root, map.unwrap_or_default())?);
        }
        Ok(out)
    }

    /// Collects the mesh instances of a node with the given transform and its descendants.
    ///
    /// # Errors
    /// When the instances collected so far exceed the limit.
    #[expect(clippy::arithmetic_side_effects, reason = "floating-point matrices cannot overflow")]
    pub(crate) fn instances(&mut self, node: NodeId, map: DAffine3) -> Result<Vec<MeshInstance>> {
        let mut stack = vec![(node, map)];
        let mut out = Vec::new();
        while let Some((id, map)) = stack.pop() {
            let (Some(node), Some(visited)) = (self.scene.nodes.get(id.0), self.visited.get_mut(id.0)) else {
                continue;
            };
            // A node that is visited twice means that the graph is not a tree; it is used once.
            if std::mem::replace(visited, true) || self.is_skipped(node) {
                continue;
            }
            let mesh = node.mesh.and_then(|mesh| Some((mesh, self.scene.meshes.get(mesh.0)?)));
            if let Some((mesh, content)) = mesh {
                let sizes = content
                    .primitives
                    .iter()
                    .flat_map(|primitive| [primitive.positions.len(), primitive.indices.len()]);
                self.instance_size = sizes.fold(self.instance_size, usize::saturating_add);
                out.push(MeshInstance { node: id, mesh, map });
            }
            if self.instance_size > MAX_ITEMS {
                return Err(over_budget());
            }
            let children = node.children.iter().rev();
            stack.extend(children.filter_map(|child| {
                let local_transform = local_transform(self.scene.nodes.get(child.0)?);
                Some((*child, map * local_transform))
            }));
        }
        Ok(out)
    }

    /// Whether a node is not part of a model: collision geometry. It is counted as lost unless a conversion added it, because the original
    /// model contains it then.
    pub(crate) fn is_skipped(&mut self, node: &scene::Node) -> bool {
        if collision::is_foreign_shape(node) {
            self.count_lost("collision shapes", 1);
        }
        collision::is_shape(node)
    }

    /// Deducts from the work budget.
    fn spend(&mut self, count: usize) -> Result<()> {
        self.budget = self.budget.checked_sub(count).ok_or_else(over_budget)?;
        Ok(())
    }

    fn count_lost(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let lost = self.lost.entry(what).or_default();
            *lost = lost.saturating_add(count);
        }
    }

    /// Reports features that models cannot represent.
    pub(crate) fn report_lost(&self, report: &mut Report) {
        let lost = self.lost.iter().map(|(what, count)| (*what, *count));
        let skipped = self.read.left_out.iter().map(|left_out| (left_out.what.as_str(), left_out.count));
        let skins = Some(("skins", self.scene.skins.len())).filter(|(_, count)| *count > 0);
        for (what, count) in lost.chain(skipped).chain(skins) {
            report.warn(&warning::IMPORT_LOST, format!("models cannot represent {what} ({count} dropped)"));
        }
    }

    /// Builds a model from mesh instances, which may be the edited form of `base`.
    pub(crate) fn model(
        &mut self,
        instances: &[MeshInstance],
        target: ImportTarget,
        base: Option<&Model>,
        report: &mut Report,
    ) -> Result<ImportedModel> {
        let frames = Frames::of(self.scene, Rc::clone(&self.tracks), instances, report)?;
        let mesh = TriangleMesh::of(self, instances, &frames, report)?;
        if mesh.is_keyed && target != ImportTarget::Segment {
            self.count_lost("alpha-masked materials", 1);
        }
        if mesh.triangles.is_empty() {
            report.warn(&warning::NO_FACES, "the scene has no visible faces");
        }
        let original = self.original(instances, base);
        let count = frames.count;
        let before = original.model.as_deref().filter(|model| is_comparable(model, &mesh, count));
        let base = before.map_or_else(
            || Cow::Owned(Glide::new(self.new_version(instances, target, count))),
            |model| {
                let version =
                    if target == ImportTarget::Animated || count > 1 { Version::V4_0 } else { Version::V5_0 };
                upgrade::glide(model, &original, version)
            },
        );
        let is_moving = before.map_or(1, Model::frame_count) > 1;
        if target == ImportTarget::Static && count > 1 && !is_moving {
            let message = format!(
                "the model has {}; the game expects animated models in .3DC files",
                counted(count, "frame", "frames")
            );
            report.warn(&warning::MOVES, message);
        }
        let geometry = OriginalGeometry::of(&base, &original);
        let vertices = positions(&base, count);
        let plan = Plan::of(&base, &vertices, &geometry, &mesh);
        if let Some(model) = before.filter(|model| plan.is_unedited && model.frame_count() == count) {
            return Ok(ImportedModel { model: model.clone(), is_unedited: true, is_keyed: mesh.is_keyed });
        }
        report_changes(before, count, &base, report);
        if plan.degenerate > 0 {
            let message = format!(
                "{} dropped because of zero area",
                counted(plan.degenerate, "triangle was", "triangles were")
            );
            report.warn(&warning::NO_AREA, message);
        }
        let has_table = match before {
            Some(_) => base.normal_indices.is_some(),
            None => target != ImportTarget::Animated && count == 1,
        };
        let default_kind = if target == ImportTarget::Animated { SINGLE } else { 0 };
        let mut base = base.into_owned();
        if count > 1 && base.poses.is_empty() {
            base.header.version = Version::V4_0;
        }
        let builder =
            ModelBuilder { base: &base, vertices: &vertices, plan: &plan, count, default_kind, has_table };
        let model = Model::Glide(builder.build(report));
        Ok(ImportedModel { model, is_unedited: false, is_keyed: mesh.is_keyed })
    }

    /// The original of mesh instances, and the settings it was converted with.
    fn original<'b>(&self, instances: &[MeshInstance], base: Option<&'b Model>) -> Original<'b> {
        let meshes = instances.iter().filter_map(|instance| self.scene.meshes.get(instance.mesh.0));
        let embedded = meshes.into_iter().find_map(Original::of);
        let original = embedded.unwrap_or_else(|| Original::new(self.axes));
        match base {
            Some(base) => Original { model: Some(Cow::Borrowed(base)), ..original },
            None => original,
        }
    }

    /// The version of a model without an original.
    fn new_version(&self, instances: &[MeshInstance], target: ImportTarget, count: usize) -> Version {
        match (target, self.version(instances)) {
            (ImportTarget::Animated, _) => Version::V4_0,
            (_, Some(requested)) => requested,
            (_, None) if count > 1 => Version::V4_0,
            (_, None) => Version::V5_0,
        }
    }

    /// The version in the extras of the nodes or of their parents, if that version can be written.
    fn version(&self, instances: &[MeshInstance]) -> Option<Version> {
        let own = |instance: &MeshInstance| version_of(self.scene.nodes.get(instance.node.0)?);
        let of_parent = |instance: &MeshInstance| self.versions.get(&instance.node).copied();
        let stored = instances.iter().find_map(own).or_else(|| instances.iter().find_map(of_parent))?;
        [Version::V4_0, Version::V5_0].into_iter().find(|version| version.text() == stored)
    }
}

/// Whether the size of an original is comparable to the scene: a short text may embed a large model.
fn is_comparable(model: &Model, mesh: &TriangleMesh, count: usize) -> bool {
    const ALLOWANCE: usize = 1 << 16;
    let size = mesh.positions.len().saturating_mul(count);
    model.vertex_count().saturating_mul(model.frame_count())
        <= size.saturating_mul(8).saturating_add(ALLOWANCE)
}

/// The exact vertex positions of a model in `count` frames. Added frames copy the first.
fn positions(model: &Glide, count: usize) -> Vec<Box<[super::Triple]>> {
    let existing = model.poses.len().saturating_add(1).min(count);
    let frames: Vec<_> =
        (0..existing).map(|frame| model.raw_positions(frame, super::DeltaSign::default())).collect();
    let at = |frame: usize, vertex: usize| frames.get(frame).or_else(|| frames.first())?.get(vertex).copied();
    let of = |vertex| (0..count).map(|frame| at(frame, vertex).unwrap_or_default()).collect();
    (0..model.vertices.len()).map(of).collect()
}

/// Reports differences between an edited model and its original that concern the model as a whole.
fn report_changes(original: Option<&Model>, count: usize, base: &Glide, report: &mut Report) {
    let Some(original) = original else { return };
    let last = original.frame_count().saturating_sub(1);
    if count <= last {
        let message = match count == last {
            true => format!("frame {last} of the original was removed"),
            false => format!("frames {count} to {last} of the original were removed"),
        };
        report.warn(&warning::FRAMES_LOST, message);
    }
    if !original.version().is_glide() {
        let message = format!(
            "the original is version {}; the edited model is version {}, for the Glide renderer",
            original.version(),
            base.header.version
        );
        report.warn(&warning::UPGRADED, message);
    }
}

fn over_budget() -> Error {
    Error::limit(format!("the scene has too many mesh instances (limit: {MAX_ITEMS} positions and faces)"))
}

/// Local transform of a node.
pub(crate) fn local_transform(node: &scene::Node) -> DAffine3 {
    let rotation: DQuat = node.rotation.as_dquat();
    let rotation = if rotation.length_squared() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
    let (scale, translation): (DVec3, DVec3) = (node.scale.as_dvec3(), node.translation.as_dvec3());
    DAffine3::from_scale_rotation_translation(scale, rotation, translation)
}
