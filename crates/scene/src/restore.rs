//! Restores content that other programs rewrote without editing it: keyframes that were resampled, and vertices that
//! were renumbered.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Quat, Vec3};

use crate::lost_extras::{pairs, without_copy_number};
use crate::{Interpolation, MaterialId, Mesh, Node, NodeId, Primitive, Scene, Target, Track};

/// Tolerance for two numbers of magnitude 1 to be considered equal: other programs round values.
const TOLERANCE: f32 = 2e-5;
/// Tolerance for translations in a scene of size 1: those of children are computed from those of their parents.
const TRANSLATION_TOLERANCE: f32 = 1e-6;
/// Tolerance for the components of rotations. `NORMAL_COSINE` is the minimum cosine between two normals.
const ROTATION_TOLERANCE: f32 = 2e-4;
const NORMAL_COSINE: f32 = 0.999;

/// Keyframes at least this dense are samples; in seconds.
const MAX_SAMPLE_INTERVAL: f32 = 0.11;
/// Tolerance for the time of a jump, in seconds.
const JUMP_TOLERANCE: f32 = 1e-3;

impl Scene {
    /// Restores the exact values of nodes, meshes and tracks from `original` where they differ only by rounding.
    /// Nodes are matched by name, and tracks of the first animation by node.
    pub fn restore_unedited(&mut self, original: &Self) {
        let names = |scene: &Self| scene.nodes.iter().map(|node| node.name.clone()).collect::<Vec<_>>();
        let nodes = pairs(&names(self), &names(original), None);
        let materials = pairs(&material_names(self), &material_names(original), None);
        let size = size(original);
        self.restore_signs(original, &nodes);
        self.restore_tracks(original, &nodes);
        for (index, pair) in nodes.iter().enumerate() {
            let Some(known) = pair.and_then(|pair| original.nodes.get(pair)) else { continue };
            let Some(node) = self.nodes.get_mut(index) else { continue };
            if without_copy_number(&node.name) == known.name {
                node.name.clone_from(&known.name);
            }
            if is_same_transform(node, known, size) {
                (node.translation, node.rotation, node.scale) =
                    (known.translation, known.rotation, known.scale);
            }
            let mesh = node.mesh.and_then(|mesh| self.meshes.get_mut(mesh.0));
            let known = known.mesh.and_then(|mesh| original.meshes.get(mesh.0));
            if let (Some(mesh), Some(known)) = (mesh, known) {
                restore_mesh(mesh, known, &materials);
            }
        }
    }

    /// Restores the signs of scales: two negative factors are equal to a half turn, and programs that decompose
    /// matrices choose either form.
    fn restore_signs(&mut self, original: &Self, nodes: &[Option<usize>]) {
        let mut turned = BTreeMap::new();
        for (index, (node, pair)) in self.nodes.iter_mut().zip(nodes).enumerate() {
            let Some(known) = pair.and_then(|pair| original.nodes.get(pair)) else { continue };
            let signs = (node.scale * known.scale).signum();
            let Some(turn) = half_turn(signs) else { continue };
            node.rotation *= turn;
            node.scale *= signs;
            turned.insert(NodeId(index), (turn, signs));
        }
        let half_turn_of = |target: Target| node_of(target).and_then(|node| turned.get(&node)).copied();
        for animation in &mut self.animations {
            let mut tracks = Vec::with_capacity(animation.tracks.len());
            for track in std::mem::take(&mut animation.tracks) {
                if track.targets().all(|target| half_turn_of(target).is_none()) {
                    tracks.push(track);
                    continue;
                }
                for target in track.targets() {
                    let mut track = Track { target, also: Vec::new(), ..track.clone() };
                    if let Some((turn, signs)) = half_turn_of(target) {
                        rotate_values(&mut track, turn, signs);
                    }
                    tracks.push(track);
                }
            }
            animation.tracks = tracks;
        }
    }

    fn restore_tracks(&mut self, original: &Self, nodes: &[Option<usize>]) {
        let Some(known) = original.animations.first() else { return };
        let own: BTreeMap<usize, NodeId> =
            nodes.iter().enumerate().filter_map(|(index, pair)| Some(((*pair)?, NodeId(index)))).collect();
        let mut exact: BTreeMap<Target, &Track> = BTreeMap::new();
        for track in &known.tracks {
            exact.extend(track.targets().filter_map(|target| Some((map_target(target, &own)?, track))));
        }
        let Some(animation) = self.animations.first_mut() else { return };
        let mut tracks = Vec::with_capacity(animation.tracks.len());
        for track in std::mem::take(&mut animation.tracks) {
            for target in track.targets() {
                let alone = || Track { target, also: Vec::new(), ..track.clone() };
                match exact.remove(&target) {
                    Some(known) if shows_same_curve(&track, known) => {
                        tracks.push(Track { target, also: Vec::new(), ..known.clone() });
                    }
                    Some(_) => tracks.push(alone()),
                    // Other programs add tracks without effect.
                    None if node_of(target).is_some() && is_rest_transform(&track, target, &self.nodes) => {}
                    None => tracks.push(alone()),
                }
            }
        }
        // They also omit such tracks.
        for (target, known) in exact {
            if node_of(target).is_some() && is_rest_transform(known, target, &self.nodes) {
                tracks.push(Track { target, also: Vec::new(), ..known.clone() });
            }
        }
        animation.tracks = tracks;
    }
}

/// Returns the half turn that scaling by these signs is equal to, if two of them are negative.
fn half_turn(signs: Vec3) -> Option<Quat> {
    Some(match signs.to_array() {
        [1.0, -1.0, -1.0] => Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        [-1.0, 1.0, -1.0] => Quat::from_xyzw(0.0, 1.0, 0.0, 0.0),
        [-1.0, -1.0, 1.0] => Quat::from_xyzw(0.0, 0.0, 1.0, 0.0),
        _ => return None,
    })
}

/// Rotates the keyframes of a rotation track, or multiplies those of a scale track by the signs.
fn rotate_values(track: &mut Track, turn: Quat, signs: Vec3) {
    match track.target {
        Target::Rotation(_) => {
            for value in track.values.as_chunks_mut::<4>().0 {
                *value = (Quat::from_array(*value) * turn).to_array();
            }
        }
        Target::Scale(_) => {
            for value in track.values.as_chunks_mut::<3>().0 {
                *value = (Vec3::from_array(*value) * signs).to_array();
            }
        }
        _ => {}
    }
}

fn material_names(scene: &Scene) -> Vec<String> {
    scene.materials.iter().map(|material| material.name.clone()).collect()
}

/// Maps a target of the original to the edited scene. Materials are left to importers.
fn map_target(target: Target, nodes: &BTreeMap<usize, NodeId>) -> Option<Target> {
    let node = |id: NodeId| nodes.get(&id.0).copied();
    Some(match target {
        Target::Translation(id) => Target::Translation(node(id)?),
        Target::Rotation(id) => Target::Rotation(node(id)?),
        Target::Scale(id) => Target::Scale(node(id)?),
        _ => return None,
    })
}

/// Returns the node whose transform a target belongs to.
fn node_of(target: Target) -> Option<NodeId> {
    match target {
        Target::Translation(id) | Target::Rotation(id) | Target::Scale(id) => Some(id),
        _ => None,
    }
}

/// Whether a track only holds the node's rest transform.
fn is_rest_transform(track: &Track, target: Target, nodes: &[Node]) -> bool {
    let Some(node) = node_of(target).and_then(|id| nodes.get(id.0)) else { return false };
    let rest: Vec<f32> = match target {
        Target::Translation(_) => node.translation.to_array().into(),
        Target::Rotation(_) => node.rotation.to_array().into(),
        _ => node.scale.to_array().into(),
    };
    track.interpolation != Interpolation::CubicSpline
        && !rest.is_empty()
        && track.values.chunks(rest.len()).all(|value| is_same_value(target, value, &rest))
}

/// Whether two tracks show the same at all times, except between two samples.
fn shows_same_curve(track: &Track, known: &Track) -> bool {
    let (Some(curve), Some(exact)) = (Curve::of(track), Curve::of(known)) else { return false };
    let is_sample = |(time, value): (f32, &[f32])| exact.passes_near(time, value);
    if !curve.keys().all(is_sample) {
        return false;
    }
    // Between samples that are far apart, each keyframe must lie on the curve.
    exact.keys().all(|(time, value)| curve.gap(time) <= MAX_SAMPLE_INTERVAL || curve.passes_near(time, value))
}

/// The values of a track without tangents.
struct Curve<'a> {
    track: &'a Track,
    /// Numbers per value.
    width: usize,
}

impl<'a> Curve<'a> {
    fn of(track: &'a Track) -> Option<Self> {
        let width = track.values.len().checked_div(track.times.len())?;
        (width > 0 && track.interpolation != Interpolation::CubicSpline).then_some(Self { track, width })
    }

    fn keys(&self) -> impl Iterator<Item = (f32, &'a [f32])> {
        self.track.times.iter().copied().zip(self.track.values.chunks(self.width))
    }

    fn value(&self, key: usize) -> &'a [f32] {
        let start = key.saturating_mul(self.width);
        self.track.values.get(start..start.saturating_add(self.width)).unwrap_or_default()
    }

    /// Returns the keyframes around a time: the last one not after it, and the next one.
    fn keys_around(&self, time: f32) -> (Option<usize>, Option<usize>) {
        let next = self.track.times.partition_point(|key| *key <= time);
        (next.checked_sub(1), (next < self.track.times.len()).then_some(next))
    }

    /// Returns the time between the two keyframes around a time, or the distance to the nearest keyframe beyond the
    /// ends.
    fn gap(&self, time: f32) -> f32 {
        let at = |key: usize| self.track.times.get(key).copied().unwrap_or(time);
        match self.keys_around(time) {
            (Some(before), Some(after)) => at(after) - at(before),
            (Some(end), None) | (None, Some(end)) => (at(end) - time).abs(),
            (None, None) => f32::INFINITY,
        }
    }

    /// Whether the curve has a value at a time, or just before or after it, where it may jump.
    fn passes_near(&self, time: f32, value: &[f32]) -> bool {
        [0.0, -JUMP_TOLERANCE, JUMP_TOLERANCE].into_iter().any(|by| self.has_value_at(time + by, value))
    }

    /// Whether the curve has a value at a time. Programs interpolate rotations along an arc or along its chord.
    fn has_value_at(&self, time: f32, value: &[f32]) -> bool {
        let target = self.track.target;
        let (before, after) = match self.keys_around(time) {
            (Some(before), Some(after)) => (before, after),
            (Some(end), None) | (None, Some(end)) => return is_same_value(target, value, self.value(end)),
            (None, None) => return false,
        };
        let (from, to) = (self.value(before), self.value(after));
        let at = |key: usize| self.track.times.get(key).copied().unwrap_or(time);
        let fraction = (time - at(before)) / (at(after) - at(before));
        if self.track.interpolation == Interpolation::Step {
            return is_same_value(target, value, from);
        }
        let straight: Vec<f32> =
            from.iter().zip(to).map(|(from, to)| from + (to - from) * fraction).collect();
        let is_straight = is_same_value(target, value, &straight);
        match (target, quaternion(from), quaternion(to)) {
            (Target::Rotation(_), Some(from), Some(to)) => {
                let arc = from.slerp(to, fraction).to_array();
                let chord =
                    if from.dot(to) < 0.0 { from.lerp(to, fraction).to_array().to_vec() } else { straight };
                is_straight || is_same_value(target, value, &arc) || is_same_value(target, value, &chord)
            }
            _ => is_straight,
        }
    }
}

fn quaternion(value: &[f32]) -> Option<Quat> {
    let numbers: [f32; 4] = value.try_into().ok()?;
    Quat::from_array(numbers).is_finite().then(|| Quat::from_array(numbers).normalize())
}

/// Whether two values are equal within rounding.
fn is_same_value(target: Target, a: &[f32], b: &[f32]) -> bool {
    if let Target::Rotation(_) = target {
        let (Some(a), Some(b)) = (quaternion(a), quaternion(b)) else { return false };
        return is_same_rotation(a, b);
    }
    let size = a.iter().chain(b).fold(0.01_f32, |size, number| size.max(number.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= TOLERANCE * size)
}

fn is_same_rotation(a: Quat, b: Quat) -> bool {
    let difference = if a.dot(b) < 0.0 { a + b } else { a - b };
    difference.length() <= ROTATION_TOLERANCE
}

fn is_same_point(a: Vec3, b: Vec3) -> bool {
    (a - b).abs().max_element() <= TOLERANCE * a.abs().max_element().max(0.01)
}

/// Returns the distance of the scene's farthest node from its parent.
fn size(scene: &Scene) -> f32 {
    scene.nodes.iter().map(|node| node.translation.abs().max_element()).fold(0.0, f32::max)
}

/// Whether two nodes of a scene of this size have the same transform within rounding.
fn is_same_transform(node: &Node, known: &Node, size: f32) -> bool {
    let is_near =
        || (node.translation - known.translation).abs().max_element() <= TRANSLATION_TOLERANCE * size;
    (is_same_point(node.translation, known.translation) || is_near())
        && is_same_point(node.scale, known.scale)
        && is_same_rotation(node.rotation.normalize(), known.rotation.normalize())
}

/// Restores the primitives of the original mesh if the mesh shows the same triangles in the same order. Primitives of
/// one material may have been merged. `materials` contains the original index of each material.
fn restore_mesh(mesh: &mut Mesh, known: &Mesh, materials: &[Option<usize>]) {
    let mut of_material: BTreeMap<Option<usize>, MaterialId> = BTreeMap::new();
    for (index, pair) in materials.iter().enumerate().filter(|(_, pair)| pair.is_some()) {
        of_material.insert(*pair, MaterialId(index));
    }
    let mut restored = known.primitives.clone();
    for primitive in &mut restored {
        primitive.material = primitive.material.and_then(|id| of_material.get(&Some(id.0)).copied());
    }
    let (own, exact) = (by_material(&mesh.primitives), by_material(&restored));
    let is_same = |(material, own): (&Option<MaterialId>, &Vec<&Primitive>)| {
        exact.get(material).is_some_and(|exact| shows_same(own, exact))
    };
    if own.len() == exact.len() && own.iter().all(is_same) {
        mesh.primitives = restored;
    }
}

/// Groups the primitives by material, in order.
fn by_material(primitives: &[Primitive]) -> BTreeMap<Option<MaterialId>, Vec<&Primitive>> {
    let mut out: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for primitive in primitives.iter().filter(|primitive| !primitive.indices.is_empty()) {
        out.entry(primitive.material).or_default().push(primitive);
    }
    out
}

/// Whether primitives have the same triangles, regardless of their vertex lists.
fn shows_same(own: &[&Primitive], known: &[&Primitive]) -> bool {
    let properties = |list: &[&Primitive]| {
        let of_one = |primitive: &&Primitive| (primitive.targets.len(), primitive.uvs.is_empty());
        list.iter().map(of_one).collect::<BTreeSet<_>>()
    };
    corners(own).count() == corners(known).count()
        && properties(own) == properties(known)
        && corners(own).zip(corners(known)).all(|(own, known)| own.is_same(&known))
}

/// A corner of a triangle.
struct Corner {
    position: Option<[f32; 3]>,
    uv: Option<[f32; 2]>,
    normal: Option<[f32; 3]>,
}

/// Returns the corners of all triangles of the primitives.
fn corners<'a>(primitives: &'a [&'a Primitive]) -> impl Iterator<Item = Corner> + 'a {
    primitives.iter().flat_map(|primitive| {
        primitive.indices.iter().map(|index| {
            let at = usize::try_from(*index).unwrap_or(usize::MAX);
            Corner {
                position: primitive.positions.get(at).copied(),
                uv: primitive.uvs.first().and_then(|uvs| uvs.get(at).copied()),
                normal: primitive.normals.as_ref().and_then(|normals| normals.get(at).copied()),
            }
        })
    })
}

impl Corner {
    /// Whether two corners are equal within rounding. Texture coordinates and normals may be missing.
    fn is_same(&self, other: &Self) -> bool {
        let positions = self.position.zip(other.position);
        let uvs = self.uv.zip(other.uv);
        let normals = self.normal.zip(other.normal);
        let direction = |normal: [f32; 3]| Vec3::from(normal).normalize_or_zero();
        positions.is_some_and(|(a, b)| is_same_point(a.into(), b.into()))
            && uvs.is_none_or(|(a, b)| is_same_value(Target::MaterialUvOffset(MaterialId(0)), &a, &b))
            && normals.is_none_or(|(a, b)| direction(a).dot(direction(b)) > NORMAL_COSINE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Animation;

    fn turned(degrees: f32) -> Quat {
        Quat::from_rotation_y(degrees.to_radians())
    }

    /// A scene with a node that rotates with these keyframes and does not move.
    fn scene(keys: &[(f32, Quat)]) -> Scene {
        let mut scene = Scene::new("mill");
        let node = scene.add_root(Node { translation: Vec3::X, ..Node::named("wing") });
        let track = Track::rotation(node, Interpolation::Linear, keys.iter().copied());
        scene.add_animation(Animation { tracks: vec![track], ..Animation::default() });
        scene
    }

    type Blend = fn(Quat, Quat, f32) -> Quat;

    fn sampled(keys: &[(f32, Quat)], rate: f32, along: Blend) -> Scene {
        let last = keys.last().unwrap().0;
        let mut samples = Vec::new();
        let mut frame = 0.0;
        while frame / rate <= last {
            let time = frame / rate;
            let pair = keys.windows(2).find(|pair| time <= pair[1].0).unwrap();
            let ((start, from), (end, to)) = (pair[0], pair[1]);
            samples.push((time, along(from, to, (time - start) / (end - start))));
            frame += 1.0;
        }
        let mut scene = scene(&samples);
        // Sampling adds tracks without effect.
        let still = Track::translation(NodeId(0), Interpolation::Linear, [(0.0, Vec3::X), (last, Vec3::X)]);
        scene.animations[0].tracks.push(still);
        scene.nodes[0].name = "wing.001".into();
        scene.nodes[0].translation.x += 1e-6;
        scene
    }

    const KEYS: [(f32, f32); 3] = [(0.0, 0.0), (0.517, 100.0), (1.0, 10.0)];

    #[test]
    fn restores_the_original_keyframes_of_sampled_tracks() {
        let keys = KEYS.map(|(time, degrees)| (time, turned(degrees)));
        let original = scene(&keys);
        let blends: [Blend; 2] = [Quat::slerp, Quat::lerp];
        for along in blends {
            let mut edited = sampled(&keys, 24.0, along);
            edited.restore_unedited(&original);
            assert_eq!(edited.animations[0].tracks, original.animations[0].tracks);
            assert_eq!(edited.nodes[0].translation, Vec3::X);
        }
    }

    #[test]
    fn keeps_edited_keyframes() {
        let keys = KEYS.map(|(time, degrees)| (time, turned(degrees)));
        let original = scene(&keys);
        let mut edited = sampled(&keys, 24.0, Quat::slerp);
        edited.animations[0].tracks[0].values[20] += 0.01;
        let before = edited.animations[0].tracks[0].clone();
        edited.restore_unedited(&original);
        assert_eq!(edited.animations[0].tracks, [before]);
        // A deleted keyframe does not lie on a line between the others.
        let mut edited = scene(&[keys[0], keys[2]]);
        let before = edited.clone();
        edited.restore_unedited(&original);
        assert_eq!(edited.animations, before.animations);
    }

    #[test]
    fn restores_renumbered_vertices_unless_one_moved() {
        let mut original = Scene::new("square");
        let mut extras = crate::Extras::new();
        extras.insert("colors".into(), "ff".into());
        let primitive = Primitive {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
            uvs: vec![vec![[0.0; 2], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]],
            indices: vec![0, 1, 2, 0, 2, 3],
            extras,
            ..Primitive::default()
        };
        let mesh = original.add_mesh(Mesh { primitives: vec![primitive.clone()], ..Mesh::default() });
        original.add_root(Node { mesh: Some(mesh), ..Node::named("square") });
        let mut edited = original.clone();
        let split = |list: &[usize]| list.iter().map(|at| primitive.positions[*at]).collect();
        let order = [2, 0, 1, 3, 0, 2];
        edited.meshes[0].primitives = vec![Primitive {
            positions: split(&order),
            uvs: vec![order.iter().map(|at| primitive.uvs[0][*at]).collect()],
            indices: vec![1, 2, 0, 4, 5, 3],
            ..Primitive::default()
        }];
        let mut moved = edited.clone();
        edited.restore_unedited(&original);
        assert_eq!(edited, original);
        moved.meshes[0].primitives[0].positions[0][2] = 0.5;
        let before = moved.clone();
        moved.restore_unedited(&original);
        assert_eq!(moved, before);
    }

    #[test]
    fn restores_the_signs_of_scales() {
        let keys = KEYS.map(|(time, degrees)| (time, turned(degrees)));
        let mut original = scene(&keys);
        original.nodes[0].scale = Vec3::new(2.0, 3.0, -4.0);
        let mut edited = original.clone();
        let half = Quat::from_rotation_x(std::f32::consts::PI);
        edited.nodes[0].scale = Vec3::new(2.0, -3.0, 4.0);
        edited.nodes[0].rotation = half;
        for value in edited.animations[0].tracks[0].values.as_chunks_mut::<4>().0 {
            *value = (Quat::from_array(*value) * half).to_array();
        }
        edited.restore_unedited(&original);
        assert_eq!(edited, original);
    }

    #[test]
    fn restores_merged_primitives_of_one_material() {
        let mut original = Scene::new("square");
        let triangle = |at: f32| Primitive {
            positions: vec![[at, 0.0, 0.0], [at, 1.0, 0.0], [at, 1.0, 1.0]],
            indices: vec![0, 1, 2],
            ..Primitive::default()
        };
        let primitives = vec![triangle(0.0), triangle(1.0)];
        let mesh = original.add_mesh(Mesh { primitives, ..Mesh::default() });
        original.add_root(Node { mesh: Some(mesh), ..Node::named("square") });
        let mut edited = original.clone();
        let [first, second] = &*original.meshes[0].primitives else { unreachable!() };
        edited.meshes[0].primitives = vec![Primitive {
            positions: [&*first.positions, &*second.positions].concat(),
            indices: vec![0, 1, 2, 3, 4, 5],
            ..Primitive::default()
        }];
        edited.restore_unedited(&original);
        assert_eq!(edited, original);
    }

    #[test]
    fn restores_the_names_of_numbered_copies() {
        let mut original = Scene::new("trees");
        for at in [1.0, 2.0, 3.0] {
            original.add_root(Node { translation: Vec3::X * at, ..Node::named("tree") });
        }
        let mut edited = original.clone();
        for (node, name) in edited.nodes.iter_mut().zip(["tree", "tree.002", "tree.001"]) {
            node.name = name.into();
        }
        edited.nodes[1].translation.x = 3.000_001;
        edited.nodes[2].translation.x = 2.000_001;
        edited.restore_unedited(&original);
        let shown = |node: &Node| (node.name.clone(), node.translation.x);
        let names: Vec<_> = edited.nodes.iter().map(shown).collect();
        assert_eq!(names, [("tree".into(), 1.0), ("tree".into(), 3.0), ("tree".into(), 2.0)]);
    }
}
