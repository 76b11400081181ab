//! Two scenes at many times: how far apart the corners of their triangles are.

use std::collections::BTreeMap;

use glam::{Affine3A, Quat, Vec3};
use scene::still::Motion;
use scene::{Animation, Node, NodeId, Scene, Target, Track};

/// How far apart two scenes are at most.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    /// How many times were compared.
    pub(crate) frames: usize,
    /// Of corners of triangles, in sizes of the model.
    pub(crate) vertices: f32,
}

/// The largest distance between what two scenes show, at rest and at the frames of their longest clips. Roots are left out.
pub(crate) fn largest_difference(a: &Scene, b: &Scene) -> Difference {
    let [clip_a, clip_b] = [a, b].map(longest);
    assert_eq!(clip_a.is_some(), clip_b.is_some(), "only one of them moves");
    let end = clip_a.map_or(0.0, end_of);
    assert!((end - clip_b.map_or(0.0, end_of)).abs() < 1e-3, "one clip is longer");
    let mut out = Difference::default();
    let times: Vec<Option<f32>> = match clip_a {
        Some(_) => (0..=24_u8).map(|step| Some(end * f32::from(step) / 24.0)).collect(),
        None => vec![None],
    };
    for time in times {
        let [at_a, at_b] = [(a, clip_a), (b, clip_b)].map(|(scene, clip)| posed(scene, clip.zip(time)));
        let size = at_a.values().flatten().fold(0.0_f32, |size, place| size.max(place.abs().max_element()));
        assert_eq!(at_a.keys().collect::<Vec<_>>(), at_b.keys().collect::<Vec<_>>());
        for (name, places) in &at_a {
            let others = &at_b[name];
            assert_eq!(places.len(), others.len(), "triangles of {name}");
            for (place, other) in places.iter().zip(others) {
                out.vertices = out.vertices.max((*place - *other).abs().max_element() / size.max(1e-9));
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

/// The corners of all triangles, by material.
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
                let (a, b, share) = around(track, time);
                let at = |key: usize| Vec3::from_slice(&track.values[key * 3..]);
                at(a).lerp(at(b), share)
            })
        };
        let rotation = tracks.get(&Target::Rotation(id)).map_or(node.rotation, |track| {
            let (a, b, share) = around(track, time);
            let at = |key: usize| Quat::from_slice(&track.values[key * 4..]);
            at(a).slerp(at(b), share)
        });
        Affine3A::from_scale_rotation_translation(
            vector(Target::Scale(id), node.scale),
            rotation.normalize(),
            vector(Target::Translation(id), node.translation),
        )
    };
    let places: BTreeMap<NodeId, Affine3A> = scene.places_by(local).into_iter().collect();
    let mut out: BTreeMap<String, Vec<Vec3>> = BTreeMap::new();
    for (id, matrix) in &places {
        let node = &scene.nodes[id.0];
        let Some(mesh) = node.mesh.map(|mesh| &scene.meshes[mesh.0]) else { continue };
        let bones = scene.bones(node, &places);
        let motion = Motion { matrix: *matrix, bones: bones.as_deref() };
        for primitive in &mesh.primitives {
            let name = primitive.material.map_or(String::new(), |id| scene.materials[id.0].name.clone());
            let places: Vec<Vec3> = primitive
                .positions
                .iter()
                .enumerate()
                .map(|(vertex, place)| {
                    let matrix = motion.of_vertex(vertex, primitive.influences.as_ref());
                    matrix.transform_point3(Vec3::from(*place))
                })
                .collect();
            let corners = primitive.indices.iter().map(|corner| places[usize::try_from(*corner).unwrap()]);
            out.entry(name).or_default().extend(corners);
        }
    }
    out
}

/// The keys around a time, and how far it is from the first to the second.
fn around(track: &Track, time: f32) -> (usize, usize, f32) {
    let behind = track.times.partition_point(|key| *key <= time);
    match (behind.checked_sub(1), track.times.get(behind)) {
        (None, _) => (0, 0, 0.0),
        (Some(before), None) => (before, before, 0.0),
        (Some(before), Some(end)) => {
            let start = track.times[before];
            (before, behind, (time - start) / (end - start))
        }
    }
}
