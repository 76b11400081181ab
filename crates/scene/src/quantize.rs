//! Quantization of meshes: positions become integer numbers of steps, and a node scales them back to lengths.
//!
//! What glTF calls quantization is lossless here: the games store positions as integers, and `KHR_mesh_quantization`
//! can hold them unchanged. The scale is not applied to the node that shows the mesh, since that would also scale its
//! children, but to an additional child that has nothing but the mesh.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Quat, Vec3};
use json::json;

use crate::{
    Animation, Mesh, MeshId, MorphTarget, Node, NodeId, NormalPrecision, Primitive, Quantization, Scene,
    Target, VertexFormat,
};

#[cfg(test)]
mod tests;

/// The member of a node's extras that marks a node which scales steps to lengths; its value is the steps per unit of
/// length.
const MARK: &str = "dequantizes";

/// Maximum relative distance of a position from an integer number of steps: single-precision floats are rounded in
/// each of up to three calculations.
const ROUNDING: f64 = 1.0 / 2_097_152.0;

/// The largest integer up to which every integer is representable as a single-precision float.
const MAX_INTEGER: f64 = 16_777_216.0;

impl Scene {
    /// Converts the vertices of all meshes that [allow it](Mesh::quantization) to integers, and moves each mesh to a
    /// child of the node that shows it, which scales it. Animations of its weights are retargeted. A mesh is left
    /// unchanged if a position is not an integer number of steps, if it has a skin, or if it is the hull of a
    /// trigger. A mesh that is too large for 16 bits keeps floating-point positions; its other attributes become
    /// integers.
    ///
    /// Files with such meshes require the extension `KHR_mesh_quantization`, which Godot does not support.
    pub fn quantize(&mut self) {
        let fixed = self.fixed_meshes();
        let mut steps: BTreeMap<MeshId, f32> = BTreeMap::new();
        for (index, mesh) in self.meshes.iter_mut().enumerate() {
            let id = MeshId(index);
            if !fixed.contains(&id)
                && let Some(found) = mesh.quantize_positions()
            {
                steps.insert(id, found);
            }
        }
        let mut moved: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        for index in 0..self.nodes.len() {
            let id = NodeId(index);
            let Some(node) = self.nodes.get_mut(index) else { continue };
            let Some(steps) = node.mesh.and_then(|mesh| steps.get(&mesh)).copied() else { continue };
            if steps.to_bits() == 1_f32.to_bits() {
                continue;
            }
            if let Some(places) = self.instances.get_mut(&id).filter(|places| !places.is_empty()) {
                places.iter_mut().for_each(|place| place.scale /= steps);
                continue;
            }
            let mesh = node.mesh.take();
            let mut child =
                Node { mesh, scale: Vec3::splat(steps.recip()), ..Node::named(node.name.clone()) };
            child.extras.insert(MARK.into(), json!(steps));
            moved.insert(id, self.add_child(id, child));
        }
        self.retarget_weights(&moved);
    }

    /// Returns the meshes that must not be changed.
    fn fixed_meshes(&self) -> BTreeSet<MeshId> {
        let skinned = self.nodes.iter().filter(|node| node.skin.is_some()).filter_map(|node| node.mesh);
        skinned.chain(self.nodes.iter().filter_map(|node| node.trigger)).collect()
    }

    fn retarget_weights(&mut self, moved: &BTreeMap<NodeId, NodeId>) {
        for target in targets(&mut self.animations) {
            if let Target::Weights(node) = target
                && let Some(other) = moved.get(node)
            {
                *node = *other;
            }
        }
    }

    /// Undoes [`Scene::quantize`] for all nodes it added that are still unchanged: their meshes move back to the
    /// parents, with positions as lengths.
    pub(crate) fn dequantize(&mut self) {
        let found = self.dequantizing_nodes();
        let mut done: BTreeSet<MeshId> = BTreeSet::new();
        let mut moved: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        for (child, Dequantizing { parent, mesh, steps }) in found {
            if done.insert(mesh)
                && let Some(mesh) = self.meshes.get_mut(mesh.0)
            {
                mesh.dequantize_positions(steps);
            }
            let extras = self.nodes.get_mut(child.0).map(|node| std::mem::take(&mut node.extras));
            if let Some(node) = self.nodes.get_mut(parent.0) {
                node.mesh = Some(mesh);
                node.children.retain(|other| *other != child);
                for (name, value) in extras.into_iter().flatten().filter(|(name, _)| name != MARK) {
                    node.extras.entry(name).or_insert(value);
                }
            }
            moved.insert(child, parent);
        }
        self.retarget_weights(&moved);
        self.remove_nodes(|id| moved.contains_key(&id));
    }

    /// Returns the nodes that only scale a mesh which no node shows in another way, with the details of each.
    fn dequantizing_nodes(&self) -> BTreeMap<NodeId, Dequantizing> {
        let mut uses: BTreeMap<MeshId, usize> = BTreeMap::new();
        for mesh in self.nodes.iter().flat_map(|node| [node.mesh, node.trigger]).flatten() {
            let count = uses.entry(mesh).or_default();
            *count += 1;
        }
        let tracks = self.animations.iter().flat_map(|animation| &animation.tracks);
        let moving: BTreeSet<NodeId> = tracks
            .flat_map(|track| track.targets())
            .filter_map(|target| match target {
                Target::Translation(node) | Target::Rotation(node) | Target::Scale(node) => Some(node),
                _ => None,
            })
            .collect();
        let mut found: BTreeMap<NodeId, Dequantizing> = BTreeMap::new();
        for (index, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.mesh.is_none()) {
            let of_child = |child: &NodeId| {
                let (mesh, steps) = self.nodes.get(child.0)?.dequantizes()?;
                let stands_still = !moving.contains(child) && !self.instances.contains_key(child);
                stands_still.then_some((*child, Dequantizing { parent: NodeId(index), mesh, steps }))
            };
            found.extend(node.children.iter().find_map(of_child));
        }
        let mut steps: BTreeMap<MeshId, (f32, usize)> = BTreeMap::new();
        for it in found.values() {
            let (first, count) = steps.entry(it.mesh).or_insert((it.steps, 0));
            if first.to_bits() == it.steps.to_bits() {
                *count += 1;
            }
        }
        let is_alone = |mesh: &MeshId| uses.get(mesh) == steps.get(mesh).map(|(_, count)| count);
        found.retain(|_, it| is_alone(&it.mesh));
        found
    }

    /// Removes nodes that nothing refers to, and renumbers the others.
    fn remove_nodes(&mut self, is_gone: impl Fn(NodeId) -> bool) {
        let mut numbers: Vec<NodeId> = Vec::with_capacity(self.nodes.len());
        let mut next = 0_usize;
        for index in 0..self.nodes.len() {
            numbers.push(NodeId(next));
            next += usize::from(!is_gone(NodeId(index)));
        }
        if next == self.nodes.len() {
            return;
        }
        let renumber = |id: &mut NodeId| *id = numbers.get(id.0).copied().unwrap_or(*id);
        let mut number = 0_usize..;
        self.nodes.retain(|_| number.next().is_some_and(|number| !is_gone(NodeId(number))));
        self.nodes.iter_mut().flat_map(|node| &mut node.children).for_each(renumber);
        self.roots.iter_mut().for_each(renumber);
        self.collections.iter_mut().flat_map(|it| &mut it.roots).for_each(renumber);
        let skins = self.skins.iter_mut();
        skins.flat_map(|skin| skin.joints.iter_mut().chain(&mut skin.skeleton)).for_each(renumber);
        for target in targets(&mut self.animations) {
            match target {
                Target::Translation(node)
                | Target::Rotation(node)
                | Target::Scale(node)
                | Target::Weights(node) => renumber(node),
                _ => {}
            }
        }
        let instances = std::mem::take(&mut self.instances).into_iter();
        self.instances = instances
            .map(|(mut id, places)| {
                renumber(&mut id);
                (id, places)
            })
            .collect();
    }
}

fn targets(animations: &mut [Animation]) -> impl Iterator<Item = &mut Target> {
    let tracks = animations.iter_mut().flat_map(|animation| &mut animation.tracks);
    tracks.flat_map(|track| std::iter::once(&mut track.target).chain(&mut track.also))
}

/// A node that scales steps to lengths.
#[derive(Debug, Clone, Copy)]
struct Dequantizing {
    /// The parent, which shows the mesh through this node.
    parent: NodeId,
    mesh: MeshId,
    steps: f32,
}

impl Node {
    /// Returns the mesh and the steps per unit of length if the node does nothing but scale the mesh.
    fn dequantizes(&self) -> Option<(MeshId, f32)> {
        /// Tolerance for transforms rounded by another program.
        const TOLERANCE: f32 = 1e-5;
        let steps = single(self.extras.get(MARK)?.as_f64()?);
        let is_scaled = (self.scale * steps).abs_diff_eq(Vec3::ONE, TOLERANCE);
        let stands_still =
            self.translation == Vec3::ZERO && self.rotation.abs_diff_eq(Quat::IDENTITY, TOLERANCE);
        let is_bare = self.children.is_empty()
            && self.light.is_none()
            && self.skin.is_none()
            && self.trigger.is_none()
            && self.picture.is_none();
        self.mesh.filter(|_| is_scaled && stands_still && is_bare && steps > 0.0).map(|mesh| (mesh, steps))
    }
}

impl Mesh {
    /// Converts all positions to integers if possible. Returns the steps per unit of length; `None` if positions
    /// remain lengths.
    fn quantize_positions(&mut self) -> Option<f32> {
        let Quantization { steps, normals } = self.quantization?;
        let is_skinned = self.primitives.iter().any(|primitive| primitive.influences.is_some());
        if is_skinned || !steps.is_normal() || steps < 0.0 {
            return None;
        }
        let mut found = Vec::with_capacity(self.primitives.len());
        let mut bits = 0_u32;
        for primitive in &self.primitives {
            found.push(Steps::of(primitive, f64::from(steps), &mut bits)?);
        }
        let fit = |factor: f32| {
            let mut all = found.iter().flat_map(|it| it.positions.as_flattened());
            all.all(|number| (-32_768.0..=32_767.0).contains(&(number / factor)))
        };
        // Uses steps of twice the length (repeatedly) if all positions are integer multiples of them: this extends
        // the range and makes differences smaller.
        let has_targets = found.iter().any(|it| !it.targets.is_empty());
        let doublings = if bits == 0 || !has_targets && fit(1.0) { 0 } else { bits.trailing_zeros() };
        let factor = (0..doublings).fold(1.0_f32, |factor, _| factor * 2.0);
        let format = match normals {
            NormalPrecision::Rounded => VertexFormat::Integer,
            NormalPrecision::Exact => VertexFormat::IntegerExceptNormals,
        };
        self.primitives.iter_mut().for_each(|primitive| primitive.vertex_format = format);
        // Positions too large for 16 bits stay floating-point numbers. With morph targets they are still integers,
        // because the differences of the frames are small numbers of steps.
        if !has_targets && !fit(factor) {
            return None;
        }
        let coarser = |list: &mut Vec<[f32; 3]>| {
            list.as_flattened_mut().iter_mut().for_each(|number| *number /= factor);
        };
        for (primitive, it) in self.primitives.iter_mut().zip(found) {
            primitive.positions = it.positions;
            coarser(&mut primitive.positions);
            for (target, positions) in primitive.targets.iter_mut().zip(it.targets) {
                target.positions = positions;
                coarser(&mut target.positions);
            }
        }
        // A mesh has one unit of length, so it must not be quantized again.
        self.quantization = None;
        Some(steps / factor)
    }

    /// Converts integer numbers of steps to lengths.
    fn dequantize_positions(&mut self, steps: f32) {
        for primitive in &mut self.primitives {
            let targets = primitive.targets.iter_mut().map(|target| &mut target.positions);
            for list in targets.chain([&mut primitive.positions]) {
                list.as_flattened_mut().iter_mut().for_each(|number| *number /= steps);
            }
        }
        self.quantization = Some(Quantization { steps, normals: NormalPrecision::Exact });
    }
}

/// The positions of a primitive as integers.
struct Steps {
    positions: Vec<[f32; 3]>,
    /// Positions of each morph target.
    targets: Vec<Vec<[f32; 3]>>,
}

impl Steps {
    /// Returns `None` if a position is not an integer number of steps. The bits set in any of the numbers are added to
    /// `bits`.
    fn of(primitive: &Primitive, steps: f64, bits: &mut u32) -> Option<Self> {
        let positions: Vec<[f32; 3]> = primitive
            .positions
            .iter()
            .map(|place| to_steps3(*place, [0.0; 3], steps, bits))
            .collect::<Option<_>>()?;
        let mut of_target = |target: &MorphTarget| -> Option<Vec<[f32; 3]>> {
            let bases = primitive.positions.iter().zip(&positions);
            let moved = target.positions.iter().zip(bases).map(|(step, (base, from))| {
                if *step == [0.0; 3] {
                    return Some([0.0; 3]);
                }
                let to = to_steps3(*step, *base, steps, bits)?;
                let ([a, b, c], [x, y, z]) = (*from, to);
                Some([x - a, y - b, z - c])
            });
            moved.collect()
        };
        let targets = primitive.targets.iter().map(&mut of_target).collect::<Option<_>>()?;
        Some(Self { positions, targets })
    }
}

/// Converts a position plus an offset to integer numbers of steps.
fn to_steps3([x, y, z]: [f32; 3], [a, b, c]: [f32; 3], steps: f64, bits: &mut u32) -> Option<[f32; 3]> {
    Some([to_steps(x, a, steps, bits)?, to_steps(y, b, steps, bits)?, to_steps(z, c, steps, bits)?])
}

fn to_steps(number: f32, base: f32, steps: f64, bits: &mut u32) -> Option<f32> {
    let (number, base) = (f64::from(number), f64::from(base));
    let length = number + base;
    let rounded = (length * steps).round();
    let is_near = (rounded / steps - length).abs() <= ROUNDING * (length.abs() + base.abs());
    if !is_near || rounded.abs() > MAX_INTEGER {
        return None;
    }
    *bits |= magnitude(rounded);
    // Avoids -0.
    Some(single(rounded) + 0.0)
}

const fn single(number: f64) -> f32 {
    number as f32
}

const fn magnitude(number: f64) -> u32 {
    number.abs() as u32
}
