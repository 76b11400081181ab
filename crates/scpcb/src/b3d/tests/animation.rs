//! Bones and keys.

use ::scene::{Scene, Target};
use glam::{Affine3A, Quat, Vec3};

use super::super::*;
use super::{
    animation, bone, model, moves, node, node_at, rotations, scene_of, sequence, single_warning, triangle,
};

/// Returns the vertex positions of the first skin in the current pose.
fn posed_vertices(scene: &Scene) -> Vec<Vec3> {
    let (skin, skinned_node) =
        (&scene.skins[0], scene.nodes.iter().find(|node| node.skin.is_some()).unwrap());
    let parent =
        |id: usize| scene.nodes.iter().position(|node| node.children.iter().any(|child| child.0 == id));
    let world = |mut id: usize| {
        let mut matrix = scene.nodes[id].to_parent();
        while let Some(above) = parent(id) {
            matrix = scene.nodes[above].to_parent() * matrix;
            id = above;
        }
        matrix
    };
    let joints: Vec<Affine3A> =
        skin.joints.iter().zip(&skin.inverse_bind).map(|(joint, bind)| world(joint.0) * *bind).collect();
    let primitive = &scene.meshes[skinned_node.mesh.unwrap().0].primitives[0];
    let influences = primitive.influences.as_ref().unwrap();
    let place = |(index, position): (usize, &[f32; 3])| {
        let skin_weights = influences.joints[index].iter().zip(influences.weights[index]);
        skin_weights
            .map(|(joint, weight)| {
                joints[usize::from(*joint)].transform_point3(Vec3::from(*position)) * weight
            })
            .sum()
    };
    primitive.positions.iter().enumerate().map(place).collect()
}

fn assert_near(a: Vec3, b: Vec3) {
    assert!(a.abs_diff_eq(b, 1e-5), "expected {b}, found {a}");
}

/// Returns a mesh with two bones whose node has a transform and a parent. The third vertex has no bone.
fn skinned_model() -> B3d {
    let bones = vec![
        triangle(-1),
        node_at(
            "hip",
            [0.0, 256.0, 0.0],
            vec![bone(&[(0, 1.0), (1, 0.25)]), node("knee", vec![bone(&[(1, 0.75)])])],
        ),
    ];
    model(vec![node_at("outside", [2560.0, 0.0, 0.0], vec![node_at("body", [0.0, 0.0, 512.0], bones)])])
}

#[test]
fn ignores_the_rest_transform_of_the_mesh_but_not_of_its_parent() {
    let (scene, report) = scene_of(&skinned_model());
    assert!(report.is_empty(), "{report:?}");
    let positions = scene.meshes[0].primitives[0].positions.clone();
    for (seen, raw) in posed_vertices(&scene).into_iter().zip(positions) {
        assert_near(seen, Vec3::from(raw) + Vec3::new(10.0, 0.0, 0.0));
    }
    let skin = &scene.skins[0];
    let names: Vec<_> = skin.joints.iter().map(|joint| &*scene.nodes[joint.0].name).collect();
    assert_eq!(names, ["hip", "knee", "body"], "the body moves vertices without bones");
    assert_eq!(scene.nodes[skin.skeleton.unwrap().0].name, "body");
    assert!(scene.roots.len() == 2 && scene.nodes[scene.roots[1].0].name == "body (skin)");
}

#[test]
fn bones_move_their_vertices() {
    let (mut scene, _) = scene_of(&skinned_model());
    let rest = posed_vertices(&scene);
    let hip = scene.nodes.iter_mut().find(|node| node.name == "hip").unwrap();
    hip.translation += Vec3::Y;
    for ((moved, rest), raw) in
        posed_vertices(&scene).into_iter().zip(rest).zip(&scene.meshes[0].primitives[0].positions)
    {
        let has_bone = *raw != [1.0, 0.0, 0.0];
        assert_near(moved - rest, if has_bone { Vec3::Y } else { Vec3::ZERO });
    }
}

#[test]
fn keeps_a_mesh_with_weightless_bones_in_its_node() {
    let with_empty_bone =
        |position| model(vec![node_at("body", position, vec![triangle(-1), node("hip", vec![bone(&[])])])]);
    let (scene, _) = scene_of(&with_empty_bone([0.0; 3]));
    assert!(scene.skins.is_empty() && scene.nodes[1].mesh.is_some());
    // Even then, bones override the node's own transform.
    let (scene, _) = scene_of(&with_empty_bone([256.0, 0.0, 0.0]));
    assert_near(posed_vertices(&scene)[0], Vec3::from(scene.meshes[0].primitives[0].positions[0]));
}

#[test]
fn converts_keys_to_a_complete_clip_and_one_for_each_sequence() {
    let keys = moves(&[(20, [0.0, 256.0, 512.0]), (0, [0.0; 3]), (10, [256.0, 0.0, 0.0])]);
    let chunks =
        vec![animation(20, 10.0), sequence("half", 5, 15), sequence("still", 3, 3), triangle(-1), keys];
    let (scene, report) = scene_of(&model(vec![node("a", chunks)]));
    assert!(report.is_empty(), "{report:?}");
    let clips: Vec<_> = scene.animations.iter().map(|clip| &*clip.name).collect();
    assert_eq!(clips, ["animation", "half", "still"]);
    let track = |clip: usize| {
        assert_eq!(scene.animations[clip].tracks.len(), 1);
        let track = &scene.animations[clip].tracks[0];
        assert_eq!(track.target, Target::Translation(::scene::NodeId(1)));
        (track.times.clone(), track.values.clone())
    };
    assert_eq!(track(0), (vec![0.0, 1.0, 2.0], vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, -2.0]));
    assert_eq!(track(1), (vec![0.0, 0.5, 1.0], vec![0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5, 0.5, -1.0]));
    assert_eq!(track(2).0, [0.0]);
}

#[test]
fn counts_only_the_keys_within_a_sequence() {
    // One second of each of 100 movements. As complete animations, they would have a hundred times as many keys.
    let walk = |frame: i32| (frame, [f32::from(i16::try_from(frame % 60).unwrap()), 1.0, 0.0]);
    let mut chunks = vec![animation(6000, 60.0), triangle(-1)];
    chunks.extend((0..100).map(|number| sequence(&format!("s{number}"), number * 60, number * 60 + 59)));
    let bones = || {
        let keys = moves(&(0..6000).map(walk).collect::<Vec<_>>());
        let still = rotations(&(0..6000).map(|frame| (frame, [1.0, 0.0, 0.0, 0.0])).collect::<Vec<_>>());
        let turned = node("t", vec![rotations(&[(0, [0.0, 0.0, 1.0, 0.0]), (6000, [0.0, 0.0, 1.0, 0.0])])]);
        node("n", vec![keys, still, turned])
    };
    chunks.extend((0..40).map(|_| bones()));
    let (scene, report) = scene_of(&model(vec![node("a", chunks)]));
    assert!(report.is_empty(), "{report:?}");
    assert_eq!(scene.animations.len(), 101);
    let keys = |clip: &::scene::Animation| clip.tracks.iter().map(|track| track.times.len()).sum::<usize>();
    // A node that never moves has no key; one that is constant elsewhere has one.
    assert!(scene.animations.iter().skip(1).all(|clip| keys(clip) == 40 * (60 + 1)));
}

#[test]
fn rotations_take_the_shorter_arc() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // The same quarter turn with opposite sign and different length.
    let keys = rotations(&[(0, [1.0, 0.0, 0.0, 0.0]), (10, [-2.0 * half, 0.0, -2.0 * half, 0.0])]);
    let chunks = vec![animation(10, 10.0), sequence("half", 0, 5), triangle(-1), keys];
    let (scene, _) = scene_of(&model(vec![node("a", chunks)]));
    let last = |clip: usize| {
        let values = &scene.animations[clip].tracks[0].values;
        Quat::from_slice(&values[values.len() - 4..])
    };
    assert!(last(0).abs_diff_eq(crate::axes::rotation([0.0, 90.0, 0.0]), 1e-5), "{}", last(0));
    assert!(last(1).abs_diff_eq(crate::axes::rotation([0.0, 45.0, 0.0]), 1e-5), "{}", last(1));
}

#[test]
fn combines_several_key_chunks() {
    let chunks = vec![
        animation(4, 1.0),
        moves(&[(0, [0.0; 3])]),
        moves(&[(4, [256.0, 0.0, 0.0])]),
        rotations(&[(2, [1.0, 0.0, 0.0, 0.0])]),
    ];
    let (scene, _) = scene_of(&model(vec![node("a", chunks)]));
    let tracks = &scene.animations[0].tracks;
    assert_eq!(tracks.len(), 2);
    assert_eq!(tracks[0].values, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn plays_an_animation_without_length_or_frame_rate_up_to_its_last_key() {
    let (scene, report) =
        scene_of(&model(vec![node("a", vec![triangle(-1), moves(&[(0, [0.0; 3]), (30, [1.0; 3])])])]));
    assert_eq!(scene.animations[0].tracks[0].times, [0.0, 0.5]);
    assert!(single_warning(&report, &warning::NO_LENGTH).ends_with("using the last key, frame 30"));
    assert!(single_warning(&report, &warning::NO_SPEED).ends_with("60 frames per second"));
    for fps in [f32::NAN, -1.0, 1e-30, f32::INFINITY] {
        let chunks = vec![triangle(-1), animation(30, fps), moves(&[(0, [0.0; 3]), (30, [1.0; 3])])];
        let (scene, report) = scene_of(&model(vec![node("a", chunks)]));
        assert_eq!(scene.animations[0].tracks[0].times, [0.0, 0.5]);
        assert!(single_warning(&report, &warning::NO_SPEED).contains("invalid frame rate"));
    }
}

#[test]
fn clips_keys_outside_of_the_animation() {
    let chunks = vec![
        triangle(-1),
        animation(10, 10.0),
        moves(&[(-10, [0.0; 3]), (10, [512.0, 0.0, 0.0]), (20, [0.0; 3])]),
    ];
    let (scene, report) = scene_of(&model(vec![node("a", chunks)]));
    let track = &scene.animations[0].tracks[0];
    assert_eq!((&track.times[..], &track.values[..]), (&[0.0, 1.0][..], &[1.0, 0.0, 0.0, 2.0, 0.0, 0.0][..]));
    assert_eq!(single_warning(&report, &warning::KEY_OUTSIDE), "2 keys are outside of frames 0 to 10");
}
