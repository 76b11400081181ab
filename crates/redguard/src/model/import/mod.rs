//! Imports a model from a scene: one of our own conversions, possibly edited in another program, or one made from scratch.
//!
//! - All meshes of the scene become one model of the Glide renderer, placed by their node transforms. `.3dc` is version 4.0; `.3d` is the version
//!   in the extras, otherwise 5.0, or 4.0 if it is animated.
//! - A material names the texture of its faces: see [`material`]. Texture coordinates become 16ths of a texel, positions 256ths of a world unit.
//! - Morph targets, or samples of an animation, become the frames after the first: see [`frames`].
//! - Primitives of our own conversions record how triangles form faces, and the original index of each vertex. As long as the geometry is
//!   unedited, the extras of the mesh restore the rest bit for bit; otherwise normals and radius are recomputed, and the
//!   collision spheres are dropped.

mod build;
mod frames;
mod material;
mod polygon;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use asset::Report;
use glam::{DAffine3, DQuat, DVec3};
use record::{Error, Result};
use scene::gltf::Read;
use scene::{MeshId, NodeId, Scene, Target};

use super::exact::ExactExtras;
use super::{Model, Version, warning};
use crate::axes::Axes;

/// The kind of file a model is imported for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportTarget {
    /// A `.3D`.
    Static,
    /// A `.3DC`.
    Animated,
    /// A segment of a `.ROB`.
    Segment,
}

/// Builds a model file of the Glide renderer from a scene file.
pub(crate) fn import(read: &Read, extension: &str, report: &mut Report) -> Result<Vec<u8>> {
    let target = if extension == "3dc" { ImportTarget::Animated } else { ImportTarget::Static };
    Model::from_scene(read, target, report)?.write()
}

impl Model {
    /// Builds a model of the Glide renderer from a scene. What it cannot represent is reported.
    ///
    /// # Errors
    /// [`Kind::Limit`](record::Kind::Limit) for too many faces or frames.
    pub fn from_scene(read: &Read, target: ImportTarget, report: &mut Report) -> Result<Self> {
        let mut import = Importer::new(read);
        let mut instances = Vec::new();
        for root in &read.scene.roots {
            let map = read.scene.nodes.get(root.0).map(local_transform);
            instances.extend(import.instances(*root, map.unwrap_or_default())?);
        }
        let imported = import.model(&instances, target, report)?;
        import.report_lost(report);
        Ok(Self::Glide(imported.model))
    }
}

/// Converts a scene to models.
pub(crate) struct Importer<'a> {
    read: &'a Read,
    scene: &'a Scene,
    /// The scale factor of the scene.
    scale: f64,
    /// The axes of the scene.
    axes: Axes,
    materials: material::MaterialCache,
    /// What was dropped, and how often.
    lost: BTreeMap<&'static str, usize>,
    /// The remaining work budget: a small scene may instantiate a mesh any number of times, with any combination of morph targets.
    budget: usize,
    /// The total number of vertices and indices of the collected instances.
    shown: usize,
    /// The nodes that were visited.
    visited: Vec<bool>,
}

/// The most positions, faces and morphed positions of all models of a scene together.
const MOST: usize = 1 << 23;

/// A mesh instance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MeshInstance {
    node: NodeId,
    mesh: MeshId,
    /// The transform from mesh space to model space, in meters.
    map: DAffine3,
}

impl<'a> Importer<'a> {
    pub(crate) fn new(read: &'a Read) -> Self {
        let scene = &read.scene;
        let scale = scene.meshes.iter().find_map(|mesh| ExactExtras::of(&mesh.extras)?.scale);
        let axes = scene.meshes.iter().find_map(|mesh| Some(ExactExtras::of(&mesh.extras)?.axes));
        let mut out = Self {
            read,
            scene,
            scale: scale.unwrap_or(1.0),
            axes: axes.unwrap_or_default(),
            materials: material::MaterialCache::default(),
            lost: BTreeMap::new(),
            budget: MOST,
            shown: 0,
            visited: vec![false; scene.nodes.len()],
        };
        let tracks = scene.animations.iter().flat_map(|animation| &animation.tracks);
        let moves = |track: &&scene::Track| !matches!(track.target, Target::Weights(_));
        out.count_lost("animations other than morph weights", tracks.filter(moves).count());
        out.count_lost("lights", scene.lights.len());
        out
    }

    /// The mesh instances at and below a node with this transform.
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
            // Visiting a node twice means that the graph is not a tree; it is used once.
            if std::mem::replace(visited, true) {
                continue;
            }
            let mesh = node.mesh.and_then(|mesh| Some((mesh, self.scene.meshes.get(mesh.0)?)));
            if let Some((mesh, shown)) = mesh {
                let sizes =
                    shown.primitives.iter().flat_map(|shown| [shown.positions.len(), shown.indices.len()]);
                self.shown = sizes.fold(self.shown, usize::saturating_add);
                out.push(MeshInstance { node: id, mesh, map });
            }
            if self.shown > MOST {
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

    /// Takes from the work budget.
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

    /// Reports what models cannot represent.
    pub(crate) fn report_lost(&self, report: &mut Report) {
        let lost = self.lost.iter().map(|(what, count)| (*what, *count));
        let passed_over = self.read.left_out.iter().map(|left_out| (left_out.what.as_str(), left_out.count));
        let skins = Some(("skins", self.scene.skins.len())).filter(|(_, count)| *count > 0);
        for (what, count) in lost.chain(passed_over).chain(skins) {
            report.warn(&warning::IMPORT_LOST, format!("models cannot represent {what} ({count} dropped)"));
        }
    }

    /// The version in the extras of the nodes, or of those that they stand below of, if it can be written.
    fn version(&self, instances: &[MeshInstance]) -> Option<Version> {
        let of_node = |node: &scene::Node| node.extras.get("version")?.as_str().map(ToOwned::to_owned);
        let own = |instance: &MeshInstance| of_node(self.scene.nodes.get(instance.node.0)?);
        let of_parent = || {
            let shown: BTreeSet<NodeId> = instances.iter().map(|instance| instance.node).collect();
            let mut nodes = self.scene.nodes.iter();
            nodes.find_map(|node| of_node(node).filter(|_| node.children.iter().any(|id| shown.contains(id))))
        };
        let stored = instances.iter().find_map(own).or_else(of_parent)?;
        [Version::V4_0, Version::V5_0].into_iter().find(|version| version.text() == stored)
    }
}

fn over_budget() -> Error {
    Error::limit(format!("the scene has too many mesh instances (limit: {MOST} positions and faces)"))
}

/// The local transform of a node.
pub(crate) fn local_transform(node: &scene::Node) -> DAffine3 {
    let rotation: DQuat = node.rotation.as_dquat();
    let rotation = if rotation.length_squared() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
    let (scale, translation): (DVec3, DVec3) = (node.scale.as_dvec3(), node.translation.as_dvec3());
    DAffine3::from_scale_rotation_translation(scale, rotation, translation)
}
