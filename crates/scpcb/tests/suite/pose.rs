//! Comparison of two scenes at many times: the distance between the corners of their triangles.

use std::collections::BTreeMap;

use glam::{Affine3A, Quat, Vec3};
use scene::static_model::MeshTransform;
use scene::{Animation, Node, NodeId, Scene, Target, Track};

/// The largest difference between two scenes.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    /// Number of compared times.
    pub(crate) frames: usize,
    /// Largest distance between corners of triangles, relative to the size of the model.
    pub(crate) vertices: f32,
}

/// Returns the largest difference between two scenes, at rest and at the frames of their longest clips. The transforms of roots are
/// ignored.
pub(crate) fn largest_difference(a: &Scene, b: &Scene) -> Difference {
    let [clip_a, clip_b] = [a, b].map(longest);
    assert_eq!(clip_a.is_some(), clip_b.is_some(), "only one of them is animated");
    let end = clip_a.map_or(0.0, end_of);
    assert!((end - clip_b.map_or(0.0, end_of)).abs() < 1e-3, "one clip is longer");
    let mut out = Difference::default();
    let times: Vec<Option<f32>> = match clip_a {
        Some(_) => (0..=24_u8).map(|step| Some(end * f32::from(step) / 24.0)).collect(),
        None => vec![None],
    };
    for time in times {
        let [at_a, at_b] = [(a, clip_a), (b, clip_b)].map(|(scene, clip)| posed(scene, clip.zip(time)));
        let size =
            at_a.values().flatten().fold(0.0_f32, |size, position| size.max(position.abs().max_element()));
        assert_eq!(at_a.keys().collect::<Vec<_>>(), at_b.keys().collect::<Vec<_>>());
        for (name, positions) in &at_a {
            let others = &at_b[name];
            assert_eq!(positions.len(), others.len(), "triangles of {name}");
            for (position, other) in positions.iter().zip(others) {
                out.vertices = out.vertices.max((*position - *other).abs().max_element() / size.max(1e-9));
            }
        }
        out.frames += 1;
    }
    out
}

fn longest(scene: &Scene) -> Option<&Animation> {
    scene.animations.iter().max_by(|a, b| end_of(a).total_cmp(&end_of(b)))
}

fn end_of(clip: &Animation) -> f32 {
    clip.tracks.iter().filter_map(|track| track.times.last()).fold(0.0, |end, time| end.max(*time))
}

/// Returns the corners of all triangles, by material.
fn posed(scene: &Scene, at: Option<(&Animation, f32)>) -> BTreeMap<String, Vec<Vec3>> {
    let tracks: BTreeMap<Target, &Track> =
        at.into_iter().flat_map(|(clip, _)| &clip.tracks).map(|track| (track.target, track)).collect();
    let time = at.map_or(0.0, |(_, time)| time);
    let local = |id: NodeId, node: &Node| {
        if scene.roots.first() == Some(&id) {
            return Affine3A::IDENTITY;
        }
        let vector = |target: Target, rest: Vec3| {
            tracks.get(&target).map_or(rest, |track| {
                let (a, b, share) = keys_around(track, time);
                let at = |key: usize| Vec3::from_slice(&track.values[key * 3..]);
                at(a).lerp(at(b), share)
            })
        };
        let rotation = tracks.get(&Target::Rotation(id)).map_or(node.rotation, |track| {
            let (a, b, share) = keys_around(track, time);
            let at = |key: usize| Quat::from_slice(&track.values[key * 4..]);
            at(a).slerp(at(b), share)
        });
        Affine3A::from_scale_rotation_translation(
            vector(Target::Scale(id), node.scale),
            rotation.normalize(),
            vector(Target::Translation(id), node.translation),
        )
    };
    let matrices: BTreeMap<NodeId, Affine3A> = scene.world_transforms_with(local).into_iter().collect();
    let mut out: BTreeMap<String, Vec<Vec3>> = BTreeMap::new();
    for (id, matrix) in &matrices {
        let node = &scene.nodes[id.0];
        let Some(mesh) = node.mesh.map(|mesh| &scene.meshes[mesh.0]) else { continue };
        let bones = scene.joint_matrices(node, &matrices);
        let transform = MeshTransform { matrix: *matrix, bones: bones.as_deref() };
        for primitive in &mesh.primitives {
            let name = primitive.material.map_or(String::new(), |id| scene.materials[id.0].name.clone());
            let positions: Vec<Vec3> = primitive
                .positions
                .iter()
                .enumerate()
                .map(|(vertex, position)| {
                    let matrix = transform.vertex_matrix(vertex, primitive.influences.as_ref());
                    matrix.transform_point3(Vec3::from(*position))
                })
                .collect();
            let corners = primitive.indices.iter().map(|corner| positions[usize::try_from(*corner).unwrap()]);
            out.entry(name).or_default().extend(corners);
        }
    }
    out
}

/// Returns the keys around a time, and the interpolation factor between them.
fn keys_around(track: &Track, time: f32) -> (usize, usize, f32) {
    let next = track.times.partition_point(|key| *key <= time);
    match (next.checked_sub(1), track.times.get(next)) {
        (None, _) => (0, 0, 0.0),
        (Some(before), None) => (before, before, 0.0),
        (Some(before), Some(end)) => {
            let start = track.times[before];
            (before, next, (time - start) / (end - start))
        }
    }
}
