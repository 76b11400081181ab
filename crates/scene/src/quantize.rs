//! Meshes as integers: positions become whole numbers of steps, and a node that scales them makes lengths of them again.
//!
//! What glTF calls quantization loses nothing here: the games store positions as integers, and `KHR_mesh_quantization` can hold these as they are. The scale
//! is not the node's that shows the mesh, as that would scale what stands below it too, but one of a child that has nothing but the mesh.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Quat, Vec3};
use json::json;

use crate::{
    Animation, Mesh, MeshId, MorphTarget, Node, NodeId, NormalPrecision, Primitive, Quantization, Scene,
    Target, VertexFormat,
};

#[cfg(test)]
mod tests;

/// The member of a node's extras that says that the node makes lengths of steps, and how many steps one unit of length has.
const MARK: &str = "dequantizes";

/// How far a position may be from a whole number of steps, as a part of it: single floats are rounded in each of up to three calculations.
const ROUNDING: f64 = 1.0 / 2_097_152.0;

/// Whole numbers beyond it are not all single floats.
const MOST: f64 = 16_777_216.0;

impl Scene {
    /// Makes integers of the vertices of all meshes that [can be](Mesh::quantization), and puts each mesh into a child of the node that shows it, which
    /// scales it. Animations of its weights move along. A mesh stays as it is if a position is no whole number of steps, if it has a skin, or if it is the hull
    /// of a trigger. One that is too large for 16 bits keeps floating-point positions; all else of it becomes integers.
    ///
    /// Files that hold such meshes require an extension, `KHR_mesh_quantization`, which Godot does not know.
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

    /// The meshes that have to stay as they are.
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

    /// Undoes [`Scene::quantize`] as far as the nodes that it added are still what they were: their meshes go back to their parents, in lengths.
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

    /// The nodes that do nothing but scale a mesh which no node shows in another way, each with what it does.
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

    /// Takes out nodes that nothing refers to; the others get new numbers.
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

/// What a node does that makes lengths of steps.
#[derive(Debug, Clone, Copy)]
struct Dequantizing {
    /// The node that shows the mesh by it.
    parent: NodeId,
    mesh: MeshId,
    steps: f32,
}

impl Node {
    /// The mesh, and the steps in one unit of length, of a node that does nothing but scale it.
    fn dequantizes(&self) -> Option<(MeshId, f32)> {
        /// How much another program may have rounded a transform.
        const NEAR: f32 = 1e-5;
        let steps = single(self.extras.get(MARK)?.as_f64()?);
        let is_scaled = (self.scale * steps).abs_diff_eq(Vec3::ONE, NEAR);
        let stands_still = self.translation == Vec3::ZERO && self.rotation.abs_diff_eq(Quat::IDENTITY, NEAR);
        let is_bare = self.children.is_empty()
            && self.light.is_none()
            && self.skin.is_none()
            && self.trigger.is_none()
            && self.picture.is_none();
        self.mesh.filter(|_| is_scaled && stands_still && is_bare && steps > 0.0).map(|mesh| (mesh, steps))
    }
}

impl Mesh {
    /// Makes whole numbers of all positions, if they can be. Gives the steps in one unit of length; nothing where positions stay lengths.
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
        // Twice as long steps, and so on, where all positions are whole numbers of these: they reach farther, and differences are smaller numbers.
        let has_targets = found.iter().any(|it| !it.targets.is_empty());
        let doublings = if bits == 0 || !has_targets && fit(1.0) { 0 } else { bits.trailing_zeros() };
        let factor = (0..doublings).fold(1.0_f32, |factor, _| factor * 2.0);
        let format = match normals {
            NormalPrecision::Rounded => VertexFormat::Integer,
            NormalPrecision::Exact => VertexFormat::IntegerExceptNormals,
        };
        self.primitives.iter_mut().for_each(|primitive| primitive.vertex_format = format);
        // What is too large for 16 bits stays floating-point numbers: whole ones only where frames gain by it, which are small numbers of steps all the same.
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
        // A mesh has one unit of length, whatever is done to it next.
        self.quantization = None;
        Some(steps / factor)
    }

    /// Makes lengths of whole numbers of steps.
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

/// The positions of a primitive as whole numbers.
struct Steps {
    positions: Vec<[f32; 3]>,
    /// Those of each morph target.
    targets: Vec<Vec<[f32; 3]>>,
}

impl Steps {
    /// Nothing where a position is no whole number. `bits` gets all bits that are set in any of them.
    fn of(primitive: &Primitive, steps: f64, bits: &mut u32) -> Option<Self> {
        let positions: Vec<[f32; 3]> = primitive
            .positions
            .iter()
            .map(|place| whole3(*place, [0.0; 3], steps, bits))
            .collect::<Option<_>>()?;
        let mut of_target = |target: &MorphTarget| -> Option<Vec<[f32; 3]>> {
            let bases = primitive.positions.iter().zip(&positions);
            let moved = target.positions.iter().zip(bases).map(|(step, (base, from))| {
                if *step == [0.0; 3] {
                    return Some([0.0; 3]);
                }
                let to = whole3(*step, *base, steps, bits)?;
                let ([a, b, c], [x, y, z]) = (*from, to);
                Some([x - a, y - b, z - c])
            });
            moved.collect()
        };
        let targets = primitive.targets.iter().map(&mut of_target).collect::<Option<_>>()?;
        Some(Self { positions, targets })
    }
}

/// The whole numbers of steps of a place and what is added to it.
fn whole3([x, y, z]: [f32; 3], [a, b, c]: [f32; 3], steps: f64, bits: &mut u32) -> Option<[f32; 3]> {
    Some([whole(x, a, steps, bits)?, whole(y, b, steps, bits)?, whole(z, c, steps, bits)?])
}

fn whole(number: f32, base: f32, steps: f64, bits: &mut u32) -> Option<f32> {
    let (number, base) = (f64::from(number), f64::from(base));
    let length = number + base;
    let whole = (length * steps).round();
    let is_near = (whole / steps - length).abs() <= ROUNDING * (length.abs() + base.abs());
    if !is_near || whole.abs() > MOST {
        return None;
    }
    *bits |= magnitude(whole);
    // No -0.
    Some(single(whole) + 0.0)
}

const fn single(number: f64) -> f32 {
    number as f32
}

const fn magnitude(whole: f64) -> u32 {
    whole.abs() as u32
}
