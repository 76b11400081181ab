//! Imports a scene as a model: one of our own conversions, possibly edited in another program, or one made from scratch.
//!
//! - Nodes become nodes, except those that only show a skinned mesh: such a mesh becomes that of the lowest node above all of its joints,
//!   because to the engine a bone belongs to the mesh above it. Meshes with common joints, or nested ones, become one.
//! - Primitives become triangles of a brush for each material; 65535 vertices of one brush at most, more are shared out to further nodes.
//! - The engine takes the pose in which a model is loaded as the one its skin was made in. So nodes get that pose from the skin, and keys the
//!   rest.
//! - Clips are laid one behind another, each as a sequence, unless their frames are known: from `extras.frames`, or from what the root of a
//!   conversion knows. What another clip says otherwise than the whole animation counts.
//! - A conversion has [the whole model](super::kept) with it. Each of its nodes, meshes and lists of keys that the scene shows as the model
//!   does, but for rounding, is that of the model, bit for bit. So is all that a scene does not show.

mod base;
mod brush;
mod clip;
mod mesh;
mod node;
mod place;
mod skin;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use asset::Report;
use record::{Error, Result};
use scene::gltf::Read;
use scene::{Node, Scene};

use self::base::Base;
use self::brush::BrushBuilder;
use self::clip::Timeline;
use super::kept::Kept;
use super::{B3d, warning};
use crate::axes;
use crate::import::tree::Tree;

/// Makes a model file of a scene file.
pub(super) fn import(read: &Read, report: &mut Report) -> Result<Vec<u8>> {
    let model = B3d::from_scene(&read.scene, report)?;
    let deformations = read.deformations().filter(|left_out| left_out.what != "skins");
    for left_out in read.left_out.iter().cloned().chain(deformations) {
        warning::lost(report, &left_out.what, left_out.count);
    }
    model.write()
}

impl B3d {
    /// Makes a model of a scene. What a model cannot hold is reported.
    ///
    /// # Errors
    /// [`Kind::Usage`](record::Kind::Usage) for numbers that single precision cannot hold in units of the game;
    /// [`Kind::Limit`](record::Kind::Limit) for too many nodes, vertices or keys.
    pub fn from_scene(scene: &Scene, report: &mut Report) -> Result<Self> {
        let kept = Kept::find(scene);
        let tree = Tree::of(scene)?;
        let base = kept.as_ref().and_then(|kept| Some(Base::of(kept.model.as_ref()?, kept.scale)));
        let timeline = Timeline::of(scene, kept.as_ref(), base.as_ref())?;
        let mut import = Import {
            scene,
            tree,
            scale: kept.as_ref().map_or(1.0, |kept| kept.scale),
            brushes: BrushBuilder::of(scene, base.as_ref()),
            timeline,
            lost: BTreeMap::new(),
            corners_left: most_corners(scene),
        };
        let mut nodes = node::Nodes::of(&mut import, kept.as_ref(), base.as_ref())?;
        let skins = skin::groups(&mut import, &mut nodes, base.as_ref())?;
        skin::bind(&mut import, &mut nodes, &skins, base.as_ref());
        mesh::add_skinned(&mut import, &mut nodes, &skins, base.as_ref(), report)?;
        mesh::add_plain(&mut import, &mut nodes, base.as_ref(), report)?;
        if let Some(base) = &base {
            mesh::keep_unseen(&mut nodes, base);
        }
        nodes.check_count()?;
        clip::add(&mut import, &mut nodes)?;
        let mut model = nodes.into_model(&mut import, base.as_ref(), report)?;
        import.timeline.add_to(&mut model, base.as_ref(), report);
        import.report_lost(report);
        Ok(model)
    }
}

/// The most vertices and indices of a model, unless the meshes of the scene have more themselves: a small scene may show a mesh any number of times.
const MOST_CORNERS: usize = 1 << 20;

fn most_corners(scene: &Scene) -> usize {
    let own = scene.meshes.iter().map(corners).fold(0, usize::saturating_add);
    own.saturating_mul(4).max(MOST_CORNERS)
}

/// How many vertices and indices a mesh has.
fn corners(mesh: &scene::Mesh) -> usize {
    let sizes =
        mesh.primitives.iter().flat_map(|primitive| [primitive.positions.len(), primitive.indices.len()]);
    sizes.fold(0, usize::saturating_add)
}

/// A scene on its way to a model.
struct Import<'a> {
    scene: &'a Scene,
    tree: Tree,
    /// Meters were multiplied by this.
    scale: f32,
    brushes: BrushBuilder<'a>,
    timeline: Timeline<'a>,
    /// What was left out, and how often.
    lost: BTreeMap<&'static str, usize>,
    /// How many more vertices and indices the model may have.
    corners_left: usize,
}

impl<'a> Import<'a> {
    fn lose(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let lost = self.lost.entry(what).or_default();
            *lost = lost.saturating_add(count);
        }
    }

    /// A position or a translation of the scene in units of the game.
    fn game_position(&self, place: glam::Vec3, what: &Node) -> Result<[f32; 3]> {
        let unscaled = if self.scale.to_bits() == 1_f32.to_bits() { place } else { place / self.scale };
        let place = axes::game_position(unscaled);
        if place.iter().all(|number| number.is_finite()) {
            return Ok(place);
        }
        Err(Error::usage(format!("node \"{:.80}\": a position is too large for a model", what.name)))
    }

    fn mesh(&self, node: &Node) -> Option<&'a scene::Mesh> {
        node.mesh.and_then(|mesh| self.scene.meshes.get(mesh.0))
    }

    /// Counts what a node shows against what a model may have.
    fn spend(&mut self, count: usize) -> Result<()> {
        self.corners_left = self.corners_left.checked_sub(count).ok_or_else(|| {
            Error::limit("the meshes of the scene are shown so often that the model would be too large")
        })?;
        Ok(())
    }

    fn report_lost(&self, report: &mut Report) {
        for (what, count) in self.lost.iter().chain(self.brushes.lost()) {
            warning::lost(report, what, *count);
        }
    }
}

/// A quaternion of a scene as files have it: w, x, y, z.
fn file_rotation(turn: glam::Quat) -> [f32; 4] {
    let [x, y, z, w] = turn.to_array();
    [w, x, y, -z]
}
