//! Imports a scene as a model: an earlier conversion, possibly edited in another program, or any other scene.
//!
//! - Nodes become nodes, except those that only show a skinned mesh. Such a mesh is attached to the lowest common ancestor of its
//!   joints, because in the engine a bone belongs to the nearest mesh among its ancestors. Meshes with common joints, and nested
//!   ones, are merged.
//! - Primitives become triangles with one brush per material. A brush is limited to 65535 vertices per node; further vertices are
//!   put into additional nodes.
//! - The engine takes the pose in which a model is loaded as the bind pose. So nodes get the bind pose of the skin, and keys get
//!   the rest.
//! - Clips are placed one after another, each as a sequence, unless their frames are known: from `extras.frames`, or from the root
//!   of a conversion. If another clip differs from the complete animation, the other clip wins.
//! - A conversion contains [the original model](super::kept). Nodes, meshes and lists of keys that equal the original, except for
//!   rounding, are taken from the original, bit for bit. So is everything that a scene does not show.

mod base;
mod brush;
mod clip;
mod mesh;
mod node;
mod skin;
#[cfg(test)]
mod tests;
mod transform;

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

/// Converts a scene file to a model file.
pub(super) fn import(read: &Read, report: &mut Report) -> Result<Vec<u8>> {
    let model = B3d::from_scene(&read.scene, report)?;
    let deformations = read.deformations().filter(|left_out| left_out.what != "skins");
    for left_out in read.left_out.iter().cloned().chain(deformations) {
        warning::unsupported(report, &left_out.what, left_out.count);
    }
    model.write()
}

impl B3d {
    /// Converts a scene to a model. Reports features that models do not support.
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
            unsupported: BTreeMap::new(),
            corners_left: corner_limit(scene),
        };
        let mut nodes = node::Nodes::of(&mut import, kept.as_ref(), base.as_ref())?;
        let skins = skin::groups(&mut import, &mut nodes, base.as_ref())?;
        skin::bind(&mut import, &mut nodes, &skins, base.as_ref());
        mesh::add_skinned(&mut import, &mut nodes, &skins, base.as_ref(), report)?;
        mesh::add_plain(&mut import, &mut nodes, base.as_ref(), report)?;
        if let Some(base) = &base {
            mesh::keep_empty_meshes(&mut nodes, base);
        }
        nodes.check_count()?;
        clip::add(&mut import, &mut nodes)?;
        let mut model = nodes.into_model(&mut import, base.as_ref(), report)?;
        import.timeline.add_to(&mut model, base.as_ref(), report);
        import.report_unsupported(report);
        Ok(model)
    }
}

/// Maximum number of vertices and indices of a model, unless the meshes of the scene themselves have more. A small scene may show a
/// mesh any number of times.
const MAX_CORNERS: usize = 1 << 20;

fn corner_limit(scene: &Scene) -> usize {
    let own = scene.meshes.iter().map(corners).fold(0, usize::saturating_add);
    own.saturating_mul(4).max(MAX_CORNERS)
}

/// Returns the number of vertices and indices of a mesh.
fn corners(mesh: &scene::Mesh) -> usize {
    let sizes =
        mesh.primitives.iter().flat_map(|primitive| [primitive.positions.len(), primitive.indices.len()]);
    sizes.fold(0, usize::saturating_add)
}

/// State of the conversion of a scene to a model.
struct Import<'a> {
    scene: &'a Scene,
    tree: Tree,
    /// Factor applied to meters.
    scale: f32,
    brushes: BrushBuilder<'a>,
    timeline: Timeline<'a>,
    /// Unsupported features with their number of occurrences.
    unsupported: BTreeMap<&'static str, usize>,
    /// Number of further vertices and indices allowed.
    corners_left: usize,
}

impl<'a> Import<'a> {
    fn count_unsupported(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let unsupported = self.unsupported.entry(what).or_default();
            *unsupported = unsupported.saturating_add(count);
        }
    }

    /// Converts a position or translation of the scene to game units.
    fn game_position(&self, position: glam::Vec3, what: &Node) -> Result<[f32; 3]> {
        let unscaled = if self.scale.to_bits() == 1_f32.to_bits() { position } else { position / self.scale };
        let position = axes::game_position(unscaled);
        if position.iter().all(|number| number.is_finite()) {
            return Ok(position);
        }
        Err(Error::usage(format!("node \"{:.80}\": a position is too large for a model", what.name)))
    }

    fn mesh(&self, node: &Node) -> Option<&'a scene::Mesh> {
        node.mesh.and_then(|mesh| self.scene.meshes.get(mesh.0))
    }

    /// Subtracts the vertices and indices that a node shows from the budget.
    fn spend(&mut self, count: usize) -> Result<()> {
        self.corners_left = self.corners_left.checked_sub(count).ok_or_else(|| {
            Error::limit("the scene has so many mesh instances that the model would be too large")
        })?;
        Ok(())
    }

    fn report_unsupported(&self, report: &mut Report) {
        for (what, count) in self.unsupported.iter().chain(self.brushes.unsupported()) {
            warning::unsupported(report, what, *count);
        }
    }
}

/// Converts a quaternion of a scene to the order of files: w, x, y, z.
fn file_rotation(rotation: glam::Quat) -> [f32; 4] {
    let [x, y, z, w] = rotation.to_array();
    [w, x, y, -z]
}
