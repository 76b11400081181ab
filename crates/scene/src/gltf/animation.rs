//! Writing of animations: channels, samplers, and pointers to material properties.

use std::{borrow::Cow, collections::BTreeSet};

use glam::Quat;

use super::{
    binary::Bounds,
    check::{called, count, finite, forbidden, in_range, name},
    draft::Draft,
    node::unit,
    piece::Piece,
    schema::{
        Animation as AnimationJson, AnimationSampler, Channel, ChannelTarget, Pointer, PointerExtension,
    },
};
use crate::{Error, Interpolation, MaterialId, NodeId, Target, Track};

/// The bits of 1.0.
const ONE: u32 = 1.0_f32.to_bits();

const ANIMATION_POINTER: &str = "KHR_animation_pointer";

impl<'a> Draft<'a> {
    /// Writes all animations that have keyframes.
    pub(super) fn animations(&mut self) -> Result<(), Error> {
        for (index, animation) in self.scene.animations.iter().enumerate() {
            let place = called("animation", index, &animation.name);
            let mut targets = BTreeSet::new();
            let (mut channels, mut samplers) = (Vec::new(), Vec::new());
            for (number, track) in animation.tracks.iter().enumerate() {
                let place = format!("{place}, track {number}");
                let before = channels.len();
                for target in track.targets() {
                    if !targets.insert(target) {
                        return Err(forbidden(place, "its target already has a track"));
                    }
                    if let Some(target) = self.target_of(track, target, &place)? {
                        channels.push(Channel { sampler: samplers.len(), target });
                    }
                }
                if channels.len() > before {
                    samplers.push(self.sampler(track, &place)?);
                }
            }
            if !channels.is_empty() {
                self.document.animations.push(AnimationJson {
                    name: name(&animation.name, "animation", index),
                    channels,
                    samplers,
                    extras: &animation.extras,
                });
            }
        }
        Ok(())
    }

    /// Returns the target of a channel; `None` if there is nothing to animate: no keyframes, or a mesh without
    /// triangles.
    fn target_of(
        &mut self,
        track: &Track,
        target: Target,
        place: &str,
    ) -> Result<Option<ChannelTarget>, Error> {
        if track.times.is_empty() && track.values.is_empty() {
            return Ok(None);
        }
        let (node, path) = match target {
            Target::Translation(node) => (node, "translation"),
            Target::Rotation(node) => (node, "rotation"),
            Target::Scale(node) => (node, "scale"),
            Target::Weights(node) => (node, "weights"),
            Target::MaterialUvOffset(id) => return self.uv_pointer(id, "offset", place).map(Some),
            Target::MaterialUvRotation(id) => return self.uv_pointer(id, "rotation", place).map(Some),
            Target::MaterialUvScale(id) => return self.uv_pointer(id, "scale", place).map(Some),
            Target::MaterialBaseColor(id) => {
                in_range(id.0, self.scene.materials.len(), || format!("{place}, material"))?;
                return Ok(Some(
                    self.pointer(format!("/materials/{}/pbrMetallicRoughness/baseColorFactor", id.0)),
                ));
            }
        };
        in_range(node.0, self.scene.nodes.len(), || format!("{place}, node"))?;
        if path == "weights" && self.document.nodes.get(node.0).is_some_and(|node| node.mesh.is_none()) {
            return match self.scene.nodes.get(node.0).and_then(|node| node.mesh) {
                Some(_) => Ok(None),
                None => Err(forbidden(place, "it animates the weights of a node without a mesh")),
            };
        }
        Ok(Some(ChannelTarget { node: Some(node.0), path, extensions: None }))
    }

    fn uv_pointer(
        &mut self,
        MaterialId(id): MaterialId,
        member: &str,
        place: &str,
    ) -> Result<ChannelTarget, Error> {
        in_range(id, self.scene.materials.len(), || format!("{place}, material"))?;
        if self.scene.materials.get(id).is_some_and(|material| material.base_color_texture.is_none()) {
            return Err(forbidden(place, "it animates the texture of a material without one"));
        }
        let texture = format!("/materials/{id}/pbrMetallicRoughness/baseColorTexture");
        Ok(self.pointer(format!("{texture}/extensions/KHR_texture_transform/{member}")))
    }

    fn pointer(&mut self, pointer: String) -> ChannelTarget {
        self.extensions.insert(ANIMATION_POINTER);
        let extensions = Some(PointerExtension { pointer: Pointer { pointer } });
        ChannelTarget { node: None, path: "pointer", extensions }
    }

    fn sampler(&mut self, track: &'a Track, place: &str) -> Result<AnimationSampler, Error> {
        let keys = track.times.len();
        finite(&track.times, || format!("{place}, times"))?;
        finite(&track.values, || format!("{place}, values"))?;
        let rising =
            track.times.iter().zip(track.times.iter().skip(1)).all(|(earlier, later)| earlier < later);
        if !rising || track.times.first().is_some_and(|first| *first < 0.0) {
            return Err(forbidden(format!("{place}, times"), "they are negative or not strictly increasing"));
        }
        let (interpolation, values_per_key) = match track.interpolation {
            Interpolation::Linear => (None, 1),
            Interpolation::Step => (Some("STEP"), 1),
            Interpolation::CubicSpline if keys < 2 => {
                return Err(forbidden(place, "a spline needs at least two keyframes"));
            }
            Interpolation::CubicSpline => (Some("CUBICSPLINE"), 3),
        };
        let mut widths = track.targets().map(|target| self.numbers_per_value(target, place));
        let width = widths.next().unwrap_or(Ok(0))?;
        if widths.any(|other| other.ok() != Some(width)) {
            return Err(forbidden(place, "its targets take different numbers of values"));
        }
        let numbers = width.saturating_mul(values_per_key);
        count(track.values.len(), keys.saturating_mul(numbers), || format!("{place}, values"))?;
        let output = values(track, || format!("{place}, values"))?;
        Ok(AnimationSampler {
            input: self.times(&track.times),
            output: self.binary.accessor(output, None, Bounds::default()),
            interpolation,
        })
    }

    fn numbers_per_value(&self, target: Target, place: &str) -> Result<usize, Error> {
        Ok(match target {
            Target::Translation(_) | Target::Scale(_) => 3,
            Target::Rotation(_) | Target::MaterialBaseColor(_) => 4,
            Target::MaterialUvOffset(_) | Target::MaterialUvScale(_) => 2,
            Target::MaterialUvRotation(_) => 1,
            Target::Weights(NodeId(node)) => {
                let mesh = self.document.nodes.get(node).and_then(|node| node.mesh);
                let primitive = mesh.and_then(|mesh| self.document.meshes.get(mesh)?.primitives.first());
                match primitive.map_or(0, |primitive| primitive.targets.len()) {
                    0 => {
                        return Err(forbidden(
                            place,
                            "it animates the weights of a mesh without morph targets",
                        ));
                    }
                    targets => targets,
                }
            }
        })
    }

    /// Returns the accessor of the times; tracks with equal times share one.
    fn times(&mut self, times: &'a [f32]) -> usize {
        let bits: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(accessor) = self.times.get(&bits) {
            return *accessor;
        }
        let (single, _) = times.as_chunks::<1>();
        let accessor = self.binary.accessor(Piece::Scalars(times), None, Bounds::of(single));
        self.times.insert(bits, accessor);
        accessor
    }
}

/// Returns the values as the content of an accessor. Rotations are normalized; their tangents are unchanged.
fn values(track: &Track, place: impl Fn() -> String) -> Result<Piece<'_>, Error> {
    Ok(match track.target {
        Target::Translation(_) | Target::Scale(_) => Piece::Vec3(track.values.as_chunks::<3>().0),
        Target::MaterialUvOffset(_) | Target::MaterialUvScale(_) => {
            Piece::Vec2(track.values.as_chunks::<2>().0)
        }
        Target::MaterialBaseColor(_) => Piece::Vec4(track.values.as_chunks::<4>().0.into()),
        // Animations that show one target after another.
        Target::Weights(_) if track.values.iter().all(|value| matches!(value.to_bits(), 0 | ONE)) => {
            Piece::Flags8(&track.values)
        }
        Target::Weights(_) | Target::MaterialUvRotation(_) => Piece::Scalars(&track.values),
        Target::Rotation(_) => {
            let mut rotations: Vec<[f32; 4]> = track.values.as_chunks::<4>().0.to_vec();
            let (first, each) =
                if track.interpolation == Interpolation::CubicSpline { (1, 3) } else { (0, 1) };
            for rotation in rotations.iter_mut().skip(first).step_by(each) {
                *rotation = unit(Quat::from_array(*rotation), &place)?.to_array();
            }
            Piece::Vec4(Cow::Owned(rotations))
        }
    })
}
