//! Animations: values over time, for nodes, morph weights and materials.

use glam::{Quat, Vec3};

use crate::{Extras, MaterialId, NodeId};

/// A clip: tracks that play together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Animation {
    /// What the clip is called.
    pub name: String,
    /// No two have the same target. One without keys is not written.
    pub tracks: Vec<Track>,
    /// Written as `extras`.
    pub extras: Extras,
}

/// The keys of one animated value.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// What is animated.
    pub target: Target,
    /// What else moves exactly alike: further targets of the same kind. Their keys are written once.
    pub also: Vec<Target>,
    /// What happens between two keys.
    pub interpolation: Interpolation,
    /// Seconds, not negative, strictly rising.
    pub times: Vec<f32>,
    /// The keys' values one after another: 3 numbers a key for translations and scales, 4 (x, y, z, w) for rotations and
    /// base colors, one for each morph target for weights, 2 for texture offsets and scales, 1 for texture rotations.
    /// A cubic spline has three of those a key: in-tangent, value, out-tangent.
    pub values: Vec<f32>,
}

/// What a track animates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A node's translation, meters.
    Translation(NodeId),
    /// A node's rotation, a quaternion.
    Rotation(NodeId),
    /// A node's scale.
    Scale(NodeId),
    /// The morph weights of a node's mesh.
    Weights(NodeId),
    /// [`UvTransform::offset`](crate::UvTransform::offset) of the material's base colour texture.
    MaterialUvOffset(MaterialId),
    /// [`UvTransform::rotation`](crate::UvTransform::rotation) of the material's base colour texture, radians.
    MaterialUvRotation(MaterialId),
    /// [`UvTransform::scale`](crate::UvTransform::scale) of the material's base colour texture.
    MaterialUvScale(MaterialId),
    /// The material's base color, linear, with alpha.
    MaterialBaseColor(MaterialId),
}

/// What happens between two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub enum Interpolation {
    /// The earlier key holds.
    Step,
    /// A straight line; along the shorter arc for rotations.
    #[default]
    Linear,
    /// glTF's cubic Hermite spline, with tangents in the values.
    CubicSpline,
}

impl Track {
    /// All that it animates.
    pub fn targets(&self) -> impl Iterator<Item = Target> + '_ {
        std::iter::once(self.target).chain(self.also.iter().copied())
    }

    /// A node's translation, keys of (seconds, meters).
    pub fn translation(
        node: NodeId,
        interpolation: Interpolation,
        keys: impl IntoIterator<Item = (f32, Vec3)>,
    ) -> Self {
        let keys = keys.into_iter().map(|(time, value)| (time, value.to_array()));
        Self::from_keys(Target::Translation(node), interpolation, keys)
    }

    /// A node's rotation, keys of (seconds, quaternion).
    pub fn rotation(
        node: NodeId,
        interpolation: Interpolation,
        keys: impl IntoIterator<Item = (f32, Quat)>,
    ) -> Self {
        let keys = keys.into_iter().map(|(time, value)| (time, value.to_array()));
        Self::from_keys(Target::Rotation(node), interpolation, keys)
    }

    /// A node's scale, keys of (seconds, factors).
    pub fn scale(
        node: NodeId,
        interpolation: Interpolation,
        keys: impl IntoIterator<Item = (f32, Vec3)>,
    ) -> Self {
        let keys = keys.into_iter().map(|(time, value)| (time, value.to_array()));
        Self::from_keys(Target::Scale(node), interpolation, keys)
    }

    /// Any target, keys of (seconds, as many numbers as the target takes).
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
