//! What the scene of a map is made with, and how its nodes are placed.

use std::collections::BTreeMap;
use std::rc::Rc;

use asset::{Context, Report};
use glam::{Affine3A, Mat3, Vec3};
use scene::node::{Nested, PackedExtras, from_affine};
use scene::{Instance, Node, NodeId, Scene};
use serde::Serialize;

use super::illumination::Illumination;
use super::library::Library;
use super::part::{Parts, Stand};
use super::picture::Picture;
use crate::axes::{Axes, MAP_ORIGIN_Z};
use crate::map::resolved::{Cast, FRACTION, Matrix};
use crate::map::{Map, ModelEntry, Setting, Surroundings};
use crate::model::options::MeshOptions;
use crate::number::single;

/// Makes the scene of a map.
pub(super) struct Maker<'a> {
    pub(super) map: &'a Map,
    pub(super) context: &'a Context<'a>,
    pub(super) around: &'a Surroundings<'a>,
    pub(super) setting: &'a Setting,
    pub(super) cast: Cast,
    pub(super) options: MeshOptions,
    pub(super) library: Library<'a>,
    /// What lights the models, if their light is baked.
    pub(super) illumination: Option<Illumination>,
    pub(super) scene: Scene,
    pub(super) root: NodeId,
    /// The statics of each mesh, if they are written as instances.
    pub(super) groups: Option<BTreeMap<scene::MeshId, Group>>,
    /// The meshes of pictures that face the camera.
    pub(super) pictures: BTreeMap<Picture, Option<scene::MeshId>>,
    /// The lists of models of the objects, by their number.
    pub(super) models: BTreeMap<usize, Rc<Vec<ModelEntry>>>,
    /// How many more models of objects are read and shown.
    pub(super) models_left: usize,
    /// The models of each object, for its clips.
    pub(super) parts: BTreeMap<usize, Parts>,
    /// The placements that have models, for a film.
    pub(super) stands: Vec<Stand>,
    pub(super) report: &'a mut Report,
}

impl Maker<'_> {
    /// A position in world units, in the scene.
    pub(super) fn place(&self, place: [i32; 3]) -> Vec3 {
        self.exact_place(place.map(f64::from))
    }

    /// A position in 1/256 of a world unit, in the scene.
    pub(super) fn fine_place(&self, place: [i32; 3]) -> Vec3 {
        self.exact_place(place.map(|number| f64::from(number) / FRACTION))
    }

    pub(super) fn exact_place(&self, [x, y, z]: [f64; 3]) -> Vec3 {
        let from_origin = [x, y, z - f64::from(MAP_ORIGIN_Z)].map(|number| single(number) + 0.0);
        // No -0.
        Vec3::from(self.options.axes.position(from_origin)) * self.options.scale + 0.0
    }

    /// A node, or two for a sheared one, for a rotation with the game's axes.
    pub(super) fn turned(&self, name: &str, rotation: &Matrix, place: Vec3) -> Nested {
        let matrix = in_scene(rotation, self.options.axes);
        from_affine(name, Affine3A::from_mat3_translation(matrix, place))
    }

    /// The node of a record: its name and extras stand at the inner of two nodes, whose place in the world is that of the record.
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

/// Extras as text, which take less memory.
pub(super) fn packed(extras: &impl Serialize) -> Option<PackedExtras> {
    PackedExtras::new(extras)
}

/// A rotation with the game's axes in those of the scene.
fn in_scene(rotation: &Matrix, axes: Axes) -> Mat3 {
    let signs = Vec3::from(axes.direction([1.0; 3]));
    let rows = rotation.map(|row| Vec3::from(row.map(|number| single(number) + 0.0)));
    let matrix = Mat3::from_cols(rows[0], rows[1], rows[2]).transpose();
    let flip = Mat3::from_diagonal(signs);
    flip * matrix * flip
}
