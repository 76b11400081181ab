//! Poses: the transform of each mesh at any time.
//!
//! Everything here is in model space (see [`axes`](crate::axes)), in double precision, for column vectors.
//!
//! Every mesh has a transform to the space of its parent: scale, then rotation, then translation.
//!
//! - Until 2.1, the rotation is given by an axis and an angle, or by rotation keys; scale and position are stored. First, the vertices are
//!   transformed by a matrix and an offset, which children do not inherit.
//! - Since 2.2, a mesh stores its matrix and its position in model space, and rotation, scale and position keys are relative to its
//!   parent. Without keys, the rotation is `inverse(parent's matrix) · matrix`, and the position
//!   `inverse(parent's matrix) · (position - parent's position)`, so a static model is `matrix · vertex + position` for each mesh.
//!
//! ```
//! use antiquary_ragnarok::rsm::pose::Model;
//! use antiquary_ragnarok::rsm::Version;
//!
//! let mill = antiquary_ragnarok::sample::windmill(Version::V1_4);
//! let model = Model::new(&mill);
//! let sail = mill.meshes.iter().position(|mesh| mesh.name.text() == "sail 0").unwrap();
//! // After one of its four seconds, the sail that pointed right points down (positive Y is down).
//! let tip = |milliseconds| model.pose_at(milliseconds).meshes[sail].point(glam::DVec3::new(16.0, 0.0, 0.0));
//! assert!(tip(0.0).abs_diff_eq(glam::DVec3::new(16.0, -34.0, -9.0), 1e-4));
//! assert!(tip(1000.0).abs_diff_eq(glam::DVec3::new(0.0, -18.0, -9.0), 1e-4));
//! ```
//!
//! Sources: Tokei, "RSM2 file format!"; measured on real models, where the first keys agree with these rules.

mod hierarchy;
#[cfg(test)]
mod tests;
mod track;
mod uv_animation;

pub use hierarchy::{Hierarchy, HierarchyDefect};
pub(crate) use track::unit;
pub use track::{Blend, Track, Value};
pub use uv_animation::{UvAnimation, UvTransformState};

use glam::{DMat3, DQuat, DVec3};

use crate::affine::Affine;
use crate::rsm::{Mesh, Rsm, VectorKey};

/// Playback of animations in models before 2.2, as far as neither the files nor any source determine it. Does not affect later models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Playback {
    /// The rotation before the first rotation key.
    pub start: Start,
    /// The unit of times.
    pub time_unit: TimeUnit,
}

/// The rotation of a mesh before its first rotation key, in models before 2.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Start {
    /// Blends from the mesh's axis and angle at time 0 to the first key. Nearly all original models have a key at time 0 with the same
    /// rotation, and nearly all tracks that start later end their cycle with it.
    #[default]
    Rest,
    /// The rotation of the first key.
    FirstKey,
}

/// The unit of times in models before 2.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeUnit {
    /// Milliseconds, as documented.
    #[default]
    Millisecond,
    /// 1/4800 s, the tick of the modeling program at 30 frames per second. The times of original models of 1.4 are multiples of 160.
    Tick,
}

impl TimeUnit {
    /// The number of units in a second.
    #[must_use]
    pub const fn per_second(self) -> f64 {
        match self {
            Self::Millisecond => 1000.0,
            Self::Tick => 4800.0,
        }
    }
}

/// The rotation of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub enum Rotation {
    /// A fixed matrix, which may contain shear in 2.2 and later.
    Fixed(DMat3),
    /// Rotation keys.
    Moving(Track<DQuat>),
}

/// The transform of a mesh relative to its parent.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Rotation, applied after the scale.
    pub rotation: Rotation,
    /// Scale, applied first.
    pub scale: Value<DVec3>,
    /// Position, applied last.
    pub position: Value<DVec3>,
    /// Transform of the mesh's vertices that is applied before the others. Children do not inherit it.
    pub own: Affine,
}

impl Joint {
    /// Returns the transform from the mesh's space to the parent's space at a frame.
    #[must_use]
    pub fn at(&self, frame: f64) -> Affine {
        Affine {
            linear: self.rotation_at(frame) * DMat3::from_diagonal(self.scale.at(frame)),
            translation: self.position.at(frame),
        }
    }

    /// The rotation at a frame.
    #[must_use]
    pub fn rotation_at(&self, frame: f64) -> DMat3 {
        match &self.rotation {
            Rotation::Fixed(matrix) => *matrix,
            Rotation::Moving(track) => DMat3::from_quat(unit(track.at(frame))),
        }
    }

    /// Whether the transform has keys.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        matches!(self.rotation, Rotation::Moving(_))
            || self.scale.track().is_some()
            || self.position.track().is_some()
    }
}

/// A model that can be posed.
#[derive(Debug, Clone)]
pub struct Model<'a> {
    rsm: &'a Rsm,
    time_unit: TimeUnit,
    hierarchy: Hierarchy,
    joints: Vec<Joint>,
}

/// The transforms of all meshes at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    /// The frame. Until 2.1, in time units of the model.
    pub frame: f64,
    /// For each mesh, the transform from its vertices to the model's space.
    pub meshes: Vec<Affine>,
}

impl<'a> Model<'a> {
    /// Prepares a model for posing.
    #[must_use]
    pub fn new(rsm: &'a Rsm) -> Self {
        Self::with(rsm, Playback::default())
    }

    /// Prepares a model for posing, with the given playback.
    #[must_use]
    pub fn with(rsm: &'a Rsm, playback: Playback) -> Self {
        let hierarchy = Hierarchy::of(rsm);
        let joint = |(number, mesh): (usize, &Mesh)| {
            if rsm.version.is_absolute() {
                let parent = hierarchy.parent(number).and_then(|parent| rsm.meshes.get(parent));
                absolute_joint(mesh, parent)
            } else {
                relative_joint(mesh, playback.start)
            }
        };
        let joints = rsm.meshes.iter().enumerate().map(joint).collect();
        Self { rsm, time_unit: playback.time_unit, hierarchy, joints }
    }

    /// The model file.
    #[must_use]
    pub fn rsm(&self) -> &'a Rsm {
        self.rsm
    }

    /// The hierarchy of meshes.
    #[must_use]
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// The transform of each mesh relative to its parent.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Frames per second, or time units per second until 2.1. The model is static if it is 0, infinite or not a number.
    #[must_use]
    pub fn frames_per_second(&self) -> f64 {
        if self.rsm.version.is_absolute() {
            f64::from(self.rsm.frames_per_second.unwrap_or_default())
        } else {
            self.time_unit.per_second()
        }
    }

    /// Length of the looping animation in seconds. `None` if it never plays.
    #[must_use]
    pub fn duration(&self) -> Option<f64> {
        let seconds = f64::from(self.rsm.animation_length) / self.frames_per_second();
        (seconds.is_finite() && seconds > 0.0).then_some(seconds)
    }

    /// Returns the frame at a time in milliseconds. It is not rounded.
    #[must_use]
    pub fn frame(&self, milliseconds: f64) -> f64 {
        let length = f64::from(self.rsm.animation_length);
        let frame = milliseconds * self.frames_per_second() / 1000.0;
        if length <= 0.0 || !frame.is_finite() { 0.0 } else { frame.rem_euclid(length) }
    }

    /// Whether the model has any keys or texture animations.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        let textures = |mesh: &Mesh| mesh.texture_animations.as_ref().is_some_and(|list| !list.is_empty());
        self.joints.iter().any(Joint::is_moving) || self.rsm.meshes.iter().any(textures)
    }

    /// Returns the pose at a frame.
    #[must_use]
    pub fn pose(&self, frame: f64) -> Pose {
        let chains = self.chains(|_, joint| joint.at(frame));
        let meshes = chains.iter().zip(&self.joints).map(|(chain, joint)| chain.after(&joint.own)).collect();
        Pose { frame, meshes }
    }

    /// Returns for each mesh the transform to the model's space that its children inherit. `local` returns the transform of a mesh to its
    /// parent.
    pub(crate) fn chains(&self, local: impl Fn(usize, &Joint) -> Affine) -> Vec<Affine> {
        let mut chains = vec![Affine::IDENTITY; self.joints.len()];
        for mesh in self.hierarchy.order() {
            let Some(joint) = self.joints.get(*mesh) else { continue };
            let parent = self.hierarchy.parent(*mesh).and_then(|parent| chains.get(parent)).copied();
            let chain = parent.unwrap_or(Affine::IDENTITY).after(&local(*mesh, joint));
            if let Some(to) = chains.get_mut(*mesh) {
                *to = chain;
            }
        }
        chains
    }

    /// Returns the pose at a time in milliseconds.
    #[must_use]
    pub fn pose_at(&self, milliseconds: f64) -> Pose {
        self.pose(self.frame(milliseconds))
    }

    /// Returns the minimum and maximum corner of the bounding box around all vertices of the drawn meshes, including vertices that no face
    /// uses. `None` if there are no vertices with finite positions.
    #[must_use]
    pub fn bounds(&self, pose: &Pose) -> Option<[DVec3; 2]> {
        let drawn = self.rsm.meshes.iter().zip(&pose.meshes).enumerate();
        let drawn = drawn.filter(|(number, _)| self.hierarchy.is_drawn(*number));
        let points = drawn.flat_map(|(_, (mesh, posed))| {
            mesh.vertices.iter().map(|vertex| posed.point(DVec3::from(vertex.map(f64::from))))
        });
        let points = points.filter(|point| point.is_finite());
        points.fold(None, |bounds: Option<[DVec3; 2]>, point| {
            let [min, max] = bounds.unwrap_or([point; 2]);
            Some([min.min(point), max.max(point)])
        })
    }

    /// Returns the translation that maps apply to a model before 2.2: its bounds at the first frame are centered horizontally, with the
    /// lowest point at the origin. Models of 2.2 and later are not translated.
    #[must_use]
    pub fn recentering(&self) -> Option<DVec3> {
        if self.rsm.version.is_absolute() {
            return None;
        }
        let [min, max] = self.bounds(&self.pose(0.0))?;
        let center = (min + max) / 2.0;
        Some(-DVec3::new(center.x, max.y, center.z))
    }

    /// Returns the texture animations of a mesh.
    #[must_use]
    pub fn uv_animations(&self, mesh: usize) -> Vec<UvAnimation> {
        let animations = self.rsm.meshes.get(mesh).and_then(|mesh| mesh.texture_animations.as_deref());
        animations.unwrap_or_default().iter().map(UvAnimation::of).collect()
    }

    /// Returns the animation of a texture of a mesh. If there are several, the last one is used.
    #[must_use]
    pub fn uv_animation(&self, mesh: usize, texture: i32) -> Option<UvAnimation> {
        let animations = self.rsm.meshes.get(mesh)?.texture_animations.as_deref()?;
        animations.iter().rev().find(|animation| animation.texture == texture).map(UvAnimation::of)
    }
}

fn vector(vector: [f32; 3]) -> DVec3 {
    DVec3::from(vector.map(f64::from))
}

/// The matrix of a mesh, in double precision.
#[must_use]
pub fn matrix(mesh: &Mesh) -> DMat3 {
    let [x, y, z] = mesh.matrix.map(vector);
    DMat3::from_cols(x, y, z)
}

fn vector_track(keys: Option<&Vec<VectorKey>>, rest: Option<DVec3>) -> Option<Track<DVec3>> {
    Track::new(keys.into_iter().flatten().map(|key| (key.frame, vector(key.value))), rest)
}

fn rotation_track(mesh: &Mesh, rest: Option<DQuat>) -> Option<Track<DQuat>> {
    let keys = mesh.rotation_keys.iter();
    Track::new(keys.map(|key| (key.frame, DQuat::from_array(key.quaternion.map(f64::from)))), rest)
}

/// Creates a joint of a model before 2.2.
fn relative_joint(mesh: &Mesh, start: Start) -> Joint {
    let axis = vector(mesh.rotation_axis.unwrap_or_default());
    let angle = f64::from(mesh.rotation_angle.unwrap_or_default());
    let length = axis.length();
    let fixed = if length == 0.0 || angle == 0.0 {
        DQuat::IDENTITY
    } else {
        DQuat::from_axis_angle(axis / length, angle)
    };
    let rest = match start {
        Start::Rest => Some(fixed),
        Start::FirstKey => None,
    };
    let scale = vector(mesh.scale.unwrap_or([1.0; 3]));
    Joint {
        rotation: rotation_track(mesh, rest)
            .map_or_else(|| Rotation::Fixed(DMat3::from_quat(fixed)), Rotation::Moving),
        scale: Value::new(vector_track(mesh.scale_keys.as_ref(), None), scale),
        position: Value::Fixed(vector(mesh.position)),
        own: Affine { linear: matrix(mesh), translation: vector(mesh.offset.unwrap_or_default()) },
    }
}

/// Creates a joint of a model since 2.2.
fn absolute_joint(mesh: &Mesh, parent: Option<&Mesh>) -> Joint {
    let (mut rotation, mut position) = (matrix(mesh), vector(mesh.position));
    if let Some(parent) = parent {
        let inverse = inverse(matrix(parent));
        (rotation, position) = (inverse * rotation, inverse * (position - vector(parent.position)));
    }
    Joint {
        rotation: rotation_track(mesh, Some(DQuat::IDENTITY))
            .map_or(Rotation::Fixed(rotation), Rotation::Moving),
        scale: Value::new(vector_track(mesh.scale_keys.as_ref(), Some(DVec3::ONE)), DVec3::ONE),
        position: Value::new(
            vector_track(mesh.position_keys.as_ref(), Some(vector(mesh.position))),
            position,
        ),
        own: Affine::IDENTITY,
    }
}

/// Returns the inverse, or the identity for a singular matrix.
fn inverse(matrix: DMat3) -> DMat3 {
    if matrix.determinant() == 0.0 { DMat3::IDENTITY } else { matrix.inverse() }
}
