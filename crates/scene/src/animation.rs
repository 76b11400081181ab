//! Animations: keyframed values of nodes, morph weights and materials.

use glam::{Quat, Vec3};

use crate::{Extras, MaterialId, NodeId};

/// An animation clip: tracks that play together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Animation {
    /// Name of the clip.
    pub name: String,
    /// The animated values. No two tracks have the same target. A track without keyframes is not written.
    pub tracks: Vec<Track>,
    /// Written as `extras`.
    pub extras: Extras,
}

/// The keyframes of one animated value.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// The animated value.
    pub target: Target,
    /// Further targets of the same kind that move identically. Their keyframes are written once.
    pub also: Vec<Target>,
    /// The interpolation between two keyframes.
    pub interpolation: Interpolation,
    /// Times of the keyframes in seconds; not negative and strictly increasing.
    pub times: Vec<f32>,
    /// Values of the keyframes, concatenated. Each keyframe has 3 numbers for translations and scales, 4 (x, y, z, w)
    /// for rotations and base colors, one per morph target for weights, 2 for texture offsets and scales, and 1 for
    /// texture rotations. A cubic spline has three such groups per keyframe: in-tangent, value, out-tangent.
    pub values: Vec<f32>,
}

/// The target of a track.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A node's translation in meters.
    Translation(NodeId),
    /// A node's rotation as a quaternion.
    Rotation(NodeId),
    /// A node's scale.
    Scale(NodeId),
    /// The morph weights of a node's mesh.
    Weights(NodeId),
    /// [`UvTransform::offset`](crate::UvTransform::offset) of the material's base color texture.
    MaterialUvOffset(MaterialId),
    /// [`UvTransform::rotation`](crate::UvTransform::rotation) of the material's base color texture, in radians.
    MaterialUvRotation(MaterialId),
    /// [`UvTransform::scale`](crate::UvTransform::scale) of the material's base color texture.
    MaterialUvScale(MaterialId),
    /// The material's base color, linear, with alpha.
    MaterialBaseColor(MaterialId),
}

/// The interpolation between two keyframes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub enum Interpolation {
    /// The value of the earlier keyframe is held.
    Step,
    /// Linear interpolation; along the shorter arc for rotations.
    #[default]
    Linear,
    /// glTF's cubic Hermite spline, with tangents in the values.
    CubicSpline,
}

impl Track {
    /// Returns all targets of the track.
    pub fn targets(&self) -> impl Iterator<Item = Target> + '_ {
        std::iter::once(self.target).chain(self.also.iter().copied())
    }

    /// Creates a track of a node's translation from keyframes of (seconds, meters).
    pub fn translation(
        node: NodeId,
        interpolation: Interpolation,
        keys: impl IntoIterator<Item = (f32, Vec3)>,
    ) -> Self {
        let keys = keys.into_iter().map(|(time, value)| (time, value.to_array()));
        Self::from_keys(Target::Translation(node), interpolation, keys)
    }

    /// Creates a track of a node's rotation from keyframes of (seconds, quaternion).
    pub fn rotation(
        node: NodeId,
        interpolation: Interpolation,
        keys: impl IntoIterator<Item = (f32, Quat)>,
    ) -> Self {
        let keys = keys.into_iter().map(|(time, value)| (time, value.to_array()));
        Self::from_keys(Target::Rotation(node), interpolation, keys)
    }

    /// Creates a track of a node's scale from keyframes of (seconds, factors).
    pub fn scale(
        node: NodeId,
        interpolation: Interpolation,
        keys: impl IntoIterator<Item = (f32, Vec3)>,
    ) -> Self {
        let keys = keys.into_iter().map(|(time, value)| (time, value.to_array()));
        Self::from_keys(Target::Scale(node), interpolation, keys)
    }

    /// Creates a track of any target from keyframes of (seconds, the numbers of the target's value).
    pub fn from_keys<const N: usize>(
        target: Target,
        interpolation: Interpolation,
        keys: impl IntoIterator<Item = (f32, [f32; N])>,
    ) -> Self {
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for (time, value) in keys {
            times.push(time);
            values.extend_from_slice(&value);
        }
        Self { target, also: Vec::new(), interpolation, times, values }
    }
}
