//! The builder of the scene of a map, and the placement of its nodes.

use std::collections::BTreeMap;
use std::rc::Rc;

use asset::{Context, Report};
use glam::{Affine3A, Mat3, Vec3};
use scene::node::{Nested, PackedExtras, from_affine};
use scene::{Instance, Node, NodeId, Scene};
use serde::Serialize;

use super::billboard::Billboard;
use super::illumination::Illumination;
use super::library::Library;
use super::part::{Parts, PoseTrack};
use crate::axes::{Axes, MAP_ORIGIN_Z};
use crate::map::resolved::{ActorTable, FRACTION, Matrix};
use crate::map::{Map, ModelEntry, Setting, Surroundings};
use crate::model::options::MeshOptions;
use crate::number::single;

/// Builds the scene of a map.
pub(super) struct SceneBuilder<'a> {
    pub(super) map: &'a Map,
    pub(super) context: &'a Context<'a>,
    pub(super) around: &'a Surroundings<'a>,
    pub(super) setting: &'a Setting,
    pub(super) actors: ActorTable,
    pub(super) options: MeshOptions,
    pub(super) library: Library<'a>,
    /// The lighting of the models, if it is baked.
    pub(super) illumination: Option<Illumination>,
    pub(super) scene: Scene,
    pub(super) root: NodeId,
    /// The statics of each mesh, if they are written as instances.
    pub(super) groups: Option<BTreeMap<scene::MeshId, Group>>,
    /// The meshes of billboards.
    pub(super) billboards: BTreeMap<Billboard, Option<scene::MeshId>>,
    /// The model lists of the objects, by object index.
    pub(super) models: BTreeMap<usize, Rc<Vec<ModelEntry>>>,
    /// The remaining number of object models that are read and shown.
    pub(super) remaining_models: usize,
    /// The models of each object, for its clips.
    pub(super) parts: BTreeMap<usize, Parts>,
    /// The placements with models, for an animation.
    pub(super) pose_tracks: Vec<PoseTrack>,
    pub(super) report: &'a mut Report,
}

impl SceneBuilder<'_> {
    /// Converts a position in world units to the scene.
    pub(super) fn position(&self, position: [i32; 3]) -> Vec3 {
        self.exact_position(position.map(f64::from))
    }

    /// Converts a position in 1/256 of a world unit to the scene.
    pub(super) fn fine_position(&self, position: [i32; 3]) -> Vec3 {
        self.exact_position(position.map(|number| f64::from(number) / FRACTION))
    }

    pub(super) fn exact_position(&self, [x, y, z]: [f64; 3]) -> Vec3 {
        let from_origin = [x, y, z - f64::from(MAP_ORIGIN_Z)].map(|number| single(number) + 0.0);
        // Avoid -0.
        Vec3::from(self.options.axes.position(from_origin)) * self.options.scale + 0.0
    }

    /// Creates a node (two for a sheared matrix) for a rotation in the game's axes.
    pub(super) fn rotated(&self, name: &str, rotation: &Matrix, position: Vec3) -> Nested {
        let matrix = in_scene(rotation, self.options.axes);
        from_affine(name, Affine3A::from_mat3_translation(matrix, position))
    }

    /// Adds the node of a record. Its name and extras are on the inner of two nodes, whose world transform is the record's.
    pub(super) fn add(
        &mut self,
        layer: NodeId,
        mut nested: Nested,
        name: &str,
        finish: impl FnOnce(&mut Node),
    ) -> NodeId {
        if nested.inner.is_some() {
            nested.outer.name = format!("{name} outer");
        }
        let inner = nested.innermost();
        name.clone_into(&mut inner.name);
        finish(inner);
        let (_, inner) = self.scene.add_nested(Some(layer), nested);
        inner
    }
}

/// The statics of one mesh.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) model: String,
    pub(super) instances: Vec<Instance>,
    pub(super) indices: Vec<usize>,
    pub(super) ids: Vec<u32>,
}

/// Packs extras as text, which takes less memory.
pub(super) fn packed(extras: &impl Serialize) -> Option<PackedExtras> {
    PackedExtras::new(extras)
}

/// Converts a rotation from the game's axes to those of the scene.
fn in_scene(rotation: &Matrix, axes: Axes) -> Mat3 {
    let signs = Vec3::from(axes.direction([1.0; 3]));
    let rows = rotation.map(|row| Vec3::from(row.map(|number| single(number) + 0.0)));
    let matrix = Mat3::from_cols(rows[0], rows[1], rows[2]).transpose();
    let flip = Mat3::from_diagonal(signs);
    flip * matrix * flip
}
