//! A model made of a scene: one of our own conversions, perhaps edited in another program, or one made from scratch.
//!
//! - All meshes of the scene become one model of the Glide renderer, where their nodes stand. `.3dc` is version 4.0; `.3d` is the version
//!   that the extras say, else 5.0, or 4.0 where it moves.
//! - A material names the texture of its faces: see [`look`]. Texture coordinates become 16ths of a texel, places 256ths of a world unit.
//! - Morph targets are frames behind the first, or what a clip makes of them: see [`frames`].
//! - Primitives of our own conversions say how triangles make faces, and which vertex of the file each of theirs was. While the shape is
//!   the one that was converted, the extras of the mesh say the rest to the bit; else normals and radius are worked out, and the spheres
//!   for collisions are left out.

mod build;
mod frames;
mod look;
mod shape;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use asset::Report;
use glam::{DAffine3, DQuat, DVec3};
use record::{Error, Result};
use scene::gltf::Read;
use scene::{MeshId, NodeId, Scene, Target};

use super::exact::Exact;
use super::{Model, Version, warning};
use crate::axes::Axes;

/// What can be made; both stand for versions of the Glide renderer.
pub(super) const EXTENSIONS: &[&str] = &["3d", "3dc"];

/// What a model is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A `.3D`.
    Still,
    /// A `.3DC`.
    Moving,
    /// A segment of a `.ROB`.
    Segment,
}

/// Makes a model file of a scene file.
pub(super) fn import(read: &Read, extension: &str, report: &mut Report) -> Result<Vec<u8>> {
    let form = if extension == "3dc" { Form::Moving } else { Form::Still };
    Model::from_scene(read, form, report)?.write()
}

impl Model {
    /// Makes a model of the Glide renderer of a scene. What it cannot hold is reported.
    ///
    /// # Errors
    /// [`Kind::Limit`](record::Kind::Limit) for more faces or frames than this program makes.
    pub fn from_scene(read: &Read, form: Form, report: &mut Report) -> Result<Self> {
        let mut import = Importer::new(read);
        let mut parts = Vec::new();
        for root in &read.scene.roots {
            let map = read.scene.nodes.get(root.0).map(own);
            parts.extend(import.parts(*root, map.unwrap_or_default())?);
        }
        let made = import.model(&parts, form, report)?;
        import.tell(report);
        Ok(Self::Glide(made.model))
    }
}

/// A scene on its way to models.
pub(crate) struct Importer<'a> {
    read: &'a Read,
    scene: &'a Scene,
    /// Metres were multiplied by this.
    scale: f64,
    /// How the game's axes were turned.
    axes: Axes,
    looks: look::Looks,
    /// What was left out, and how often.
    lost: BTreeMap<&'static str, usize>,
    /// How much may still be worked out: a small scene may show a mesh any number of times, in any mixture of shapes.
    budget: usize,
    /// How many vertices and corners all parts have that were asked for.
    shown: usize,
    /// The nodes whose meshes were taken.
    met: Vec<bool>,
}

/// Places, faces and moved places that all models of a scene may have together.
const MOST: usize = 1 << 23;

/// A mesh where it stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    node: NodeId,
    mesh: MeshId,
    /// From the mesh to the model, metres.
    map: DAffine3,
}

impl<'a> Importer<'a> {
    pub(crate) fn new(read: &'a Read) -> Self {
        let scene = &read.scene;
        let scale = scene.meshes.iter().find_map(|mesh| Exact::of(&mesh.extras)?.scale);
        let axes = scene.meshes.iter().find_map(|mesh| Some(Exact::of(&mesh.extras)?.axes));
        let mut out = Self {
            read,
            scene,
            scale: scale.unwrap_or(1.0),
            axes: axes.unwrap_or_default(),
            looks: look::Looks::default(),
            lost: BTreeMap::new(),
            budget: MOST,
            shown: 0,
            met: vec![false; scene.nodes.len()],
        };
        let tracks = scene.animations.iter().flat_map(|animation| &animation.tracks);
        let moves = |track: &&scene::Track| !matches!(track.target, Target::Weights(_));
        out.lose("animations beside those of morph weights", tracks.filter(moves).count());
        out.lose("lights", scene.lights.len());
        out
    }

    /// The meshes at and below a node that stands there.
    ///
    /// # Errors
    /// When all that were asked for together show more than models are made of.
    #[expect(clippy::arithmetic_side_effects, reason = "matrices of floats cannot overflow")]
    pub(crate) fn parts(&mut self, node: NodeId, map: DAffine3) -> Result<Vec<Part>> {
        let mut stack = vec![(node, map)];
        let mut out = Vec::new();
        while let Some((id, map)) = stack.pop() {
            let (Some(node), Some(met)) = (self.scene.nodes.get(id.0), self.met.get_mut(id.0)) else {
                continue;
            };
            // A node that is met twice is no tree; it counts once.
            if std::mem::replace(met, true) {
                continue;
            }
            let mesh = node.mesh.and_then(|mesh| Some((mesh, self.scene.meshes.get(mesh.0)?)));
            if let Some((mesh, shown)) = mesh {
                let sizes =
                    shown.primitives.iter().flat_map(|shown| [shown.positions.len(), shown.indices.len()]);
                self.shown = sizes.fold(self.shown, usize::saturating_add);
                out.push(Part { node: id, mesh, map });
            }
            if self.shown > MOST {
                return Err(too_much());
            }
            let children = node.children.iter().rev();
            stack.extend(children.filter_map(|child| {
                let own = own(self.scene.nodes.get(child.0)?);
                Some((*child, map * own))
            }));
        }
        Ok(out)
    }

    /// Takes from what may be worked out.
    fn spend(&mut self, count: usize) -> Result<()> {
        self.budget = self.budget.checked_sub(count).ok_or_else(too_much)?;
        Ok(())
    }

    fn lose(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let lost = self.lost.entry(what).or_default();
            *lost = lost.saturating_add(count);
        }
    }

    /// Tells what has no place in models.
    pub(crate) fn tell(&self, report: &mut Report) {
        let lost = self.lost.iter().map(|(what, count)| (*what, *count));
        let passed_over = self.read.left_out.iter().map(|left_out| (left_out.what.as_str(), left_out.count));
        for (what, count) in lost.chain(passed_over) {
            report.warn(&warning::IMPORT_LOST, format!("{what} have no place in a model ({count})"));
        }
    }

    /// The version that the nodes of some parts say, if it is one that can be made.
    fn version(&self, parts: &[Part]) -> Option<Version> {
        let said = parts.iter().find_map(|part| {
            self.scene.nodes.get(part.node.0)?.extras.get("version")?.as_str().map(ToOwned::to_owned)
        })?;
        [Version::V4_0, Version::V5_0].into_iter().find(|version| version.text() == said)
    }
}

fn too_much() -> Error {
    Error::limit(format!("the scene shows its meshes more often than models are made of ({MOST} places)"))
}

/// Where a node stands in its parent.
pub(crate) fn own(node: &scene::Node) -> DAffine3 {
    let rotation: DQuat = node.rotation.as_dquat();
    let rotation = if rotation.length_squared() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
    let (scale, place): (DVec3, DVec3) = (node.scale.as_dvec3(), node.translation.as_dvec3());
    DAffine3::from_scale_rotation_translation(scale, rotation, place)
}
