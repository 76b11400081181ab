//! A scene at one moment: the effect of an animation on nodes, morph targets and materials.

use std::collections::BTreeMap;

use glam::{Affine3A, Quat, Vec3};

use crate::PoseTime;
use scene::{
    Animation, Interpolation, Material, MaterialId, Node, NodeId, Scene, Target, Track, UvTransform,
};

/// The values that an animation changes at one moment; everything else is in the rest pose.
#[derive(Debug, Default)]
pub(crate) struct Pose(BTreeMap<Target, Vec<f32>>);

impl Pose {
    /// Returns the pose of a scene at a moment.
    pub(crate) fn of(scene: &Scene, moment: PoseTime) -> Self {
        let (clip, time) = match moment {
            PoseTime::Rest => return Self::default(),
            PoseTime::Begin => {
                let Some(clip) = scene.animations.first() else { return Self::default() };
                (clip, beginning(clip))
            }
            PoseTime::At(clip, time) => {
                let Some(clip) = scene.animations.get(clip) else { return Self::default() };
                (clip, time)
            }
        };
        let value = |track: &Track| {
            let width = width_of(scene, track)?;
            sample(track, width, time)
        };
        let mut out = BTreeMap::new();
        for track in &clip.tracks {
            if let Some(value) = value(track) {
                out.extend(track.targets().map(|target| (target, value.clone())));
            }
        }
        Self(out)
    }

    /// Returns the transform from a node's space to its parent's.
    pub(crate) fn local(&self, id: NodeId, node: &Node) -> Affine3A {
        let vector = |target, rest| match self.0.get(&target).map(Vec::as_slice) {
            Some([x, y, z]) => Vec3::new(*x, *y, *z),
            _ => rest,
        };
        let translation = vector(Target::Translation(id), node.translation);
        let scale = vector(Target::Scale(id), node.scale);
        let rotation = match self.0.get(&Target::Rotation(id)).map(Vec::as_slice) {
            Some([x, y, z, w]) => unit(Quat::from_xyzw(*x, *y, *z, *w)),
            _ => unit(node.rotation),
        };
        Affine3A::from_scale_rotation_translation(scale, rotation, translation)
    }

    /// Returns the animated morph weights of a node's mesh.
    pub(crate) fn weights(&self, id: NodeId) -> Option<&[f32]> {
        self.0.get(&Target::Weights(id)).map(Vec::as_slice)
    }

    /// Returns the base color of a material.
    pub(crate) fn base_color(&self, id: MaterialId, material: &Material) -> [f32; 4] {
        match self.0.get(&Target::MaterialBaseColor(id)).map(Vec::as_slice) {
            Some([r, g, b, a]) => [*r, *g, *b, *a],
            _ => material.base_color,
        }
    }

    /// Returns the transform of the texture coordinates of a material's base color texture.
    pub(crate) fn uv_transform(&self, id: MaterialId, rest: Option<UvTransform>) -> Option<UvTransform> {
        let pair = |target| match self.0.get(&target).map(Vec::as_slice) {
            Some([u, v]) => Some([*u, *v]),
            _ => None,
        };
        let offset = pair(Target::MaterialUvOffset(id));
        let scale = pair(Target::MaterialUvScale(id));
        let rotation = match self.0.get(&Target::MaterialUvRotation(id)).map(Vec::as_slice) {
            Some([angle]) => Some(*angle),
            _ => None,
        };
        if offset.is_none() && scale.is_none() && rotation.is_none() {
            return rest;
        }
        let rest = rest.unwrap_or_default();
        Some(UvTransform {
            offset: offset.unwrap_or(rest.offset),
            rotation: rotation.unwrap_or(rest.rotation),
            scale: scale.unwrap_or(rest.scale),
        })
    }
}

fn unit(rotation: Quat) -> Quat {
    let length = rotation.length();
    if length.is_finite() && length > 1e-12 { rotation / length } else { Quat::IDENTITY }
}

/// Returns the time of the first keyframe of an animation.
fn beginning(clip: &Animation) -> f32 {
    let first = clip.tracks.iter().filter_map(|track| track.times.first());
    first.copied().filter(|time| time.is_finite()).fold(f32::INFINITY, f32::min)
}

/// Returns the number of components of the track's values.
fn width_of(scene: &Scene, track: &Track) -> Option<usize> {
    Some(match track.target {
        Target::Translation(_) | Target::Scale(_) => 3,
        Target::Rotation(_) | Target::MaterialBaseColor(_) => 4,
        Target::MaterialUvOffset(_) | Target::MaterialUvScale(_) => 2,
        Target::MaterialUvRotation(_) => 1,
        Target::Weights(node) => {
            let mesh = scene.meshes.get(scene.nodes.get(node.0)?.mesh?.0)?;
            mesh.primitives.iter().map(|primitive| primitive.targets.len()).max()?
        }
    })
}

/// Returns the value of a track at a time. Before the first and after the last keyframe, the value is constant.
fn sample(track: &Track, width: usize, time: f32) -> Option<Vec<f32>> {
    let (parts, middle) = if track.interpolation == Interpolation::CubicSpline { (3, 1) } else { (1, 0) };
    let key = |index: usize, part: usize| {
        let start = index.checked_mul(parts)?.checked_add(part)?.checked_mul(width)?;
        track.values.get(start..start.checked_add(width)?)
    };
    let after = track.times.partition_point(|key| *key <= time);
    let before = after.saturating_sub(1);
    let first = key(before, middle)?;
    let (Some(from), Some(to)) = (track.times.get(before), track.times.get(after)) else {
        return Some(first.to_vec());
    };
    let (Some(second), true) = (key(after, middle), after > 0) else { return Some(first.to_vec()) };
    let span = to - from;
    let t = if span > 0.0 { ((time - from) / span).clamp(0.0, 1.0) } else { 0.0 };
    let pairs = || first.iter().zip(second);
    Some(match track.interpolation {
        Interpolation::Step => first.to_vec(),
        Interpolation::Linear if matches!(track.target, Target::Rotation(_)) => {
            // Linear interpolation between unit quaternions is close enough to the arc for a picture.
            let dot: f32 = pairs().map(|(a, b)| a * b).sum();
            let sign = if dot < 0.0 { -1.0 } else { 1.0 };
            pairs().map(|(a, b)| a + (b * sign - a) * t).collect()
        }
        Interpolation::Linear => pairs().map(|(a, b)| a + (b - a) * t).collect(),
        Interpolation::CubicSpline => {
            let (out, into) = (key(before, 2)?, key(after, 0)?);
            let (t2, t3) = (t * t, t * t * t);
            let curve = |((a, b), (m, n)): ((&f32, &f32), (&f32, &f32))| {
                a * (2.0 * t3 - 3.0 * t2 + 1.0)
                    + m * span * (t3 - 2.0 * t2 + t)
                    + b * (3.0 * t2 - 2.0 * t3)
                    + n * span * (t3 - t2)
            };
            pairs().zip(out.iter().zip(into)).map(curve).collect()
        }
    })
}
