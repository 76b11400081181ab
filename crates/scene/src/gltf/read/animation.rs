//! Reading of animations: tracks of nodes, morph weights and materials.

use super::{Reader, bad, document, extras, out_of_range};
use crate::error::count;
use crate::{Animation, Error, Interpolation, MaterialId, NodeId, Target, Track};

/// Prefix of a pointer to a material, before its index.
const MATERIALS: &str = "/materials/";

/// The path of a texture transform after the index of the material, before the property.
const TRANSFORM: &str = "pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/";

impl Reader<'_> {
    /// Reads all animations with at least one supported target. Nodes and materials must have been read before.
    pub(super) fn animations(&mut self) -> Result<(), Error> {
        for (index, json) in self.document.animations.iter().enumerate() {
            let mut tracks: Vec<Track> = Vec::new();
            for (number, channel) in json.channels.iter().enumerate() {
                let place = format!("animation {index}, channel {number}");
                if let Some(target) = self.target(channel, &place)? {
                    tracks.push(self.track(json, channel, target, &place)?);
                }
            }
            let mut targets: Vec<Target> = tracks.iter().map(|track| track.target).collect();
            targets.sort_unstable();
            if targets.windows(2).any(|pair| matches!(pair, [a, b] if a == b)) {
                return Err(bad(format!("animation {index}"), "two channels have the same target"));
            }
            let extras = extras(&json.extras, &mut self.tally);
            if !tracks.is_empty() {
                self.scene.add_animation(Animation { name: json.name.clone(), tracks, extras });
            }
        }
        Ok(())
    }

    /// Returns the target of a channel; `None` if it is not supported.
    fn target(&mut self, channel: &document::Channel, place: &str) -> Result<Option<Target>, Error> {
        let target = &channel.target;
        if target.path == "pointer" {
            return self.resolve_pointer(target, place);
        }
        // Channels with a target that only an extension defines have no node.
        let Some(node) = target.node else {
            self.tally.add("animations of unknown targets", 1);
            return Ok(None);
        };
        let Some(json) = self.document.nodes.get(node) else {
            return Err(out_of_range(format!("{place}, node"), node, self.document.nodes.len()));
        };
        let id = NodeId(node);
        let target = match target.path.as_str() {
            "translation" => Target::Translation(id),
            "rotation" => Target::Rotation(id),
            "scale" => Target::Scale(id),
            "weights" => {
                let node = self.morphed_node(id);
                let has_targets = node.is_some_and(|node| self.targets_of(node) > 0);
                self.tally.add("animations of missing morph targets", usize::from(!has_targets));
                return Ok(node.filter(|_| has_targets).map(Target::Weights));
            }
            other => {
                self.tally.add(format!("animations of {other:.40}"), 1);
                return Ok(None);
            }
        };
        if json.matrix.is_some() {
            return Err(bad(place, "it animates a node with a matrix"));
        }
        Ok(Some(target))
    }

    /// Returns the node whose mesh the weights of a document node affect: for a sheared matrix, the inner one of two.
    fn morphed_node(&self, id: NodeId) -> Option<NodeId> {
        let has_mesh = |id: &NodeId| self.scene.nodes.get(id.0).is_some_and(|node| node.mesh.is_some());
        Some(self.innermost.get(&id).copied().unwrap_or(id)).filter(has_mesh)
    }

    /// Returns the number of morph targets of a node's mesh.
    fn targets_of(&self, id: NodeId) -> usize {
        let mesh = self.scene.nodes.get(id.0).and_then(|node| self.scene.meshes.get(node.mesh?.0));
        let primitive = mesh.and_then(|mesh| mesh.primitives.first());
        primitive.map_or(0, |primitive| primitive.targets.len())
    }

    /// Returns the target of a pointer.
    fn resolve_pointer(
        &mut self,
        target: &document::ChannelTarget,
        place: &str,
    ) -> Result<Option<Target>, Error> {
        let Some(pointer) = &target.extensions.pointer else {
            return Err(bad(place, "it has a pointer path but no pointer"));
        };
        let parts = pointer.pointer.strip_prefix(MATERIALS).and_then(|rest| {
            let (number, value) = rest.split_once('/')?;
            Some((number.parse::<usize>().ok()?, value))
        });
        let found = parts.and_then(|(number, value)| {
            let material = MaterialId(number);
            let target = match (value, value.strip_prefix(TRANSFORM)) {
                ("pbrMetallicRoughness/baseColorFactor", _) => Target::MaterialBaseColor(material),
                (_, Some("offset")) => Target::MaterialUvOffset(material),
                (_, Some("rotation")) => Target::MaterialUvRotation(material),
                (_, Some("scale")) => Target::MaterialUvScale(material),
                _ => return None,
            };
            Some((number, target))
        });
        let Some((number, target)) = found else {
            self.tally.add("animations of unsupported values", 1);
            return Ok(None);
        };
        let count = self.scene.materials.len();
        let material = self
            .scene
            .materials
            .get(number)
            .ok_or_else(|| out_of_range(format!("{place}, material"), number, count))?;
        if material.base_color_texture.is_none() && !matches!(target, Target::MaterialBaseColor(_)) {
            self.tally.add("animations of missing textures", 1);
            return Ok(None);
        }
        Ok(Some(target))
    }

    fn track(
        &mut self,
        json: &document::Animation,
        channel: &document::Channel,
        target: Target,
        place: &str,
    ) -> Result<Track, Error> {
        let sampler = json
            .samplers
            .get(channel.sampler)
            .ok_or_else(|| out_of_range(format!("{place}, sampler"), channel.sampler, json.samplers.len()))?;
        let (interpolation, values_per_key) = match sampler.interpolation.as_str() {
            "" | "LINEAR" => (Interpolation::Linear, 1),
            "STEP" => (Interpolation::Step, 1),
            "CUBICSPLINE" => (Interpolation::CubicSpline, 3_usize),
            other => return Err(bad(place, format!("unknown interpolation {other:.20}"))),
        };
        let times: Vec<f32> = self.floats::<1>(sampler.input, &format!("{place}, times"))?.concat();
        let rising = times.windows(2).all(|pair| matches!(pair, [a, b] if a < b));
        if !rising || times.first().is_some_and(|first| *first < 0.0) {
            return Err(bad(format!("{place}, times"), "they are negative or not strictly increasing"));
        }
        let at = &format!("{place}, values");
        let (values, numbers) = match target {
            Target::Translation(_) | Target::Scale(_) => {
                (self.floats::<3>(sampler.output, at)?.into_flattened(), 3)
            }
            Target::Rotation(_) | Target::MaterialBaseColor(_) => {
                (self.floats::<4>(sampler.output, at)?.into_flattened(), 4)
            }
            Target::MaterialUvOffset(_) | Target::MaterialUvScale(_) => {
                (self.floats::<2>(sampler.output, at)?.into_flattened(), 2)
            }
            Target::MaterialUvRotation(_) => (self.floats::<1>(sampler.output, at)?.into_flattened(), 1),
            Target::Weights(node) => {
                (self.floats::<1>(sampler.output, at)?.into_flattened(), self.targets_of(node))
            }
        };
        let expected = times.len().saturating_mul(values_per_key).saturating_mul(numbers);
        if values.len() != expected {
            return Err(count(at.clone(), values.len(), expected));
        }
        Ok(Track { target, also: Vec::new(), interpolation, times, values })
    }
}
