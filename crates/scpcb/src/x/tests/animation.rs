//! Conversion of skins and animations, and reports of defects.

use glam::{Affine3A, Mat3A, Quat, Vec3};
use scene::{NodeId, Scene, Target};

use super::{assert_has, scene};

const TRIANGLE: &str = "3; 0;0;0;, 0;256;0;, 256;0;0;; 1; 3;0,1,2;;";
const STILL: &str = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;;";

fn node_id(scene: &Scene, name: &str) -> NodeId {
    NodeId(scene.nodes.iter().position(|node| node.name == name).unwrap_or_else(|| panic!("no node {name}")))
}

/// Converts a frame `a` with a matrix, and a set with an animation of that frame.
fn clip(matrix: &str, keys: &str) -> (Scene, Vec<String>) {
    scene(&format!(
        "AnimTicksPerSecond {{ 30; }} Frame a {{ FrameTransformMatrix {{ {matrix} }} Mesh {{ {TRIANGLE} }} }}\
         AnimationSet walk {{ Animation {{ {{ a }} {keys} }} }}"
    ))
}

fn track(scene: &Scene, target: Target) -> (&[f32], &[f32]) {
    let [clip] = scene.animations.as_slice() else { panic!("{} clips", scene.animations.len()) };
    let track =
        clip.tracks.iter().find(|track| track.target == target).unwrap_or_else(|| panic!("no {target:?}"));
    (&track.times, &track.values)
}

#[test]
fn converts_keys_to_tracks_in_seconds() {
    let (scene, messages) = clip(
        STILL,
        "AnimationKey { 2; 2; 0;3;0;0;0;;, 15;3;256;512;-256;;; } AnimationKey { 1; 1; 30;3;2;1;0.5;;; }",
    );
    assert_eq!(messages, [""; 0]);
    let a = node_id(&scene, "a");
    assert_eq!(scene.animations[0].name, "walk");
    assert_eq!(
        track(&scene, Target::Translation(a)),
        ([0.0, 0.5].as_slice(), [0.0, 0.0, -0.0, 1.0, 2.0, 1.0].as_slice())
    );
    assert_eq!(track(&scene, Target::Scale(a)), ([1.0].as_slice(), [2.0, 1.0, 0.5].as_slice()));
    let slow = super::scene(&format!(
        "Frame a {{ Mesh {{ {TRIANGLE} }} }} AnimationSet {{ Animation {{ AnimationKey {{ 2; 1; 2400;3;1;0;0;;; }} {{ a }} }} }}"
    ));
    assert_eq!(slow.0.animations[0].name, "animation 0");
    assert_eq!(slow.0.animations[0].tracks[0].times, [0.5]);
}

/// A rotation as a matrix and as a quaternion must give the same result. Programs write the inverse quaternion, which is how the
/// game reads it: one of them has the rows (0.986, 0.165, 0), (-0.159, 0.953, 0.259), (0.043, -0.255, 0.966) as (0.988, -0.130,
/// -0.011, -0.082).
#[test]
fn quaternions_rotate_like_matrices() {
    let rotation_text = |degrees: f32, axis: Vec3| {
        // The transformed axes, row by row, for row vectors.
        let rows = Mat3A::from_axis_angle(axis, degrees.to_radians());
        let row = |row: glam::Vec3A| format!("{},{},{},0", row.x, row.y, row.z);
        let matrix = format!("{},{},{},0,0,0,1;;", row(rows.x_axis), row(rows.y_axis), row(rows.z_axis));
        let quaternion = Quat::from_axis_angle(axis, -degrees.to_radians());
        (matrix, format!("{};{};{};{}", quaternion.w, quaternion.x, quaternion.y, quaternion.z))
    };
    let (scene, _) = clip(
        "0.986286,0.165048,0,0,-0.159424,0.952679,0.258819,0,0.042717,-0.255270,0.965926,0,0,0,0,1;;",
        "AnimationKey { 0; 2; 0;4;0.988040;-0.130078;-0.010809;-0.082100;;, 9;4;1;0;0;0;;; }",
    );
    let a = node_id(&scene, "a");
    let first = Quat::from_slice(&track(&scene, Target::Rotation(a)).1[..4]);
    assert!(first.dot(scene.nodes[a.0].rotation).abs() > 1.0 - 1e-6);
    for (degrees, axis) in
        [(90.0, Vec3::Y), (30.0, Vec3::X), (-70.0, Vec3::Z), (130.0, Vec3::new(0.6, 0.0, -0.8))]
    {
        let (matrix, quaternion) = rotation_text(degrees, axis);
        let keys = format!("AnimationKey {{ 0; 2; 0;4;{quaternion};;, 30;4;1;0;0;0;;; }}");
        let (scene, messages) = clip(&matrix, &keys);
        assert_eq!(messages, [""; 0]);
        let a = node_id(&scene, "a");
        let (_, values) = track(&scene, Target::Rotation(a));
        let first = Quat::from_slice(&values[..4]);
        let rest = scene.nodes[a.0].rotation;
        assert!(first.dot(rest).abs() > 1.0 - 1e-6, "{degrees} about {axis}: {first} is not {rest}");
        let (of_matrix, _) = clip(STILL, &format!("AnimationKey {{ 4; 1; 0;16;{matrix};; }}"));
        let (_, values) = track(&of_matrix, Target::Rotation(node_id(&of_matrix, "a")));
        assert!(Quat::from_slice(values).dot(rest).abs() > 1.0 - 1e-6);
    }
}

#[test]
fn decomposes_matrix_keys() {
    let (scene, messages) = clip(STILL, "AnimationKey { 3; 1; 0;16;2,0,0,0,0,3,0,0,0,0,4,0,256,0,256,1;;; }");
    assert_eq!(messages, [""; 0]);
    let a = node_id(&scene, "a");
    assert_eq!(track(&scene, Target::Translation(a)).1, [1.0, 0.0, -1.0]);
    assert_eq!(track(&scene, Target::Scale(a)).1, [2.0, 3.0, 4.0]);
    let (scene, messages) = clip(STILL, "AnimationKey { 4; 1; 0;16;1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1;;; }");
    assert_has(&messages, "X-W040", "1 key is a sheared matrix");
    assert_eq!(scene.animations[0].tracks.len(), 3);
}

#[test]
fn sorts_keys_and_keeps_the_last_of_each_time() {
    let (scene, messages) =
        clip(STILL, "AnimationKey { 2; 4; 30;3;1;0;0;;, 0;3;2;0;0;;, 30;3;3;0;0;;, -5;3;4;0;0;;; }");
    assert_has(&messages, "X-N043", "1 key is at the same time as another");
    assert_has(&messages, "X-W042", "1 key is before time 0");
    let (times, values) = track(&scene, Target::Translation(node_id(&scene, "a")));
    assert_eq!((times, values[0] * 256.0, values[3] * 256.0), ([0.0, 1.0].as_slice(), 2.0, 3.0));
}

#[test]
fn adjacent_rotations_have_the_same_sign() {
    let (scene, _) =
        clip(STILL, "AnimationKey { 0; 3; 0;4;1;0;0;0;;, 1;4;-0.8;0;0.6;0;;, 2;4;0.8;0;-0.6;0;;; }");
    let (_, values) = track(&scene, Target::Rotation(node_id(&scene, "a")));
    let rotations: Vec<Quat> = values.chunks(4).map(Quat::from_slice).collect();
    assert!(rotations.windows(2).all(|pair| pair[0].dot(pair[1]) >= 0.0), "{rotations:?}");
}

#[test]
fn reports_defects_of_an_animation() {
    let messages = |keys: &str| clip(STILL, keys).1;
    assert_has(
        &messages("AnimationKey { 2; 1; 0;3;nan;0;0;;; } AnimationKey { 1; 1; 0;3;2;2;2;;; }"),
        "X-W021",
        "1 key is not finite",
    );
    assert_has(
        &messages("AnimationKey { 0; 1; 0;4;0;0;0;0;;; } AnimationKey { 1; 1; 0;3;2;2;2;;; }"),
        "X-W021",
        "1 key is not finite or a zero-length rotation",
    );
    assert_has(&messages("AnimationKey { 7; 1; 0;1;0;;; }"), "X-W042", "1 keys of unknown type 7");
    assert_has(
        &messages("AnimationKey { 0; 1; 0;3;1;0;0;;; }"),
        "X-W042",
        "1 keys without the 4 values of their type",
    );
    assert_has(
        &messages("AnimationOptions { 1; 0; } AnimationKey { 2; 2; 0;3;1;0;0;;, 9;3;2;0;0;;; }"),
        "X-N045",
        "the animation of \"a\" uses spline",
    );
    assert_has(&messages("AnimationKey { 2; 1; 0;3;0;0;0;;; }"), "X-N046", "\"walk\" has no keys");
    assert_has(&messages(""), "X-N046", "\"walk\" has no keys");
    assert_has(
        &messages("AnimationKey { 2; 9; 0;3;0;0;0;;; }"),
        "X-W004",
        "AnimationKey is left out: count is 9",
    );
    assert_has(&messages("AnimationKey { 2; 2; 0;3;1;0;0;;, 1;3;1; }"), "X-W004", "AnimationKey is left out");
    let set = |animation: &str| {
        scene(&format!("Frame a {{ Mesh {{ {TRIANGLE} }} }} AnimationSet {{ {animation} }}")).1
    };
    let key = "AnimationKey { 2; 1; 0;3;1;0;0;;; }";
    assert_has(&set(&format!("Animation {{ {key} }}")), "X-W041", "the animation does not refer to a frame");
    assert_has(
        &set(&format!("Animation {{ {{ b }} {key} }}")),
        "X-W041",
        "the frame \"b\" of an animation is not in the file",
    );
    assert_has(&scene("AnimTicksPerSecond { 0; }").1, "X-W044", "using 4800");
    let twice = format!(
        "Frame a {{ }} Frame b {{ Frame a {{ Mesh {{ {TRIANGLE} }} }} }} AnimationSet {{ Animation {{ {{ a }} {key} }} }}"
    );
    let (scene, messages) = scene(&twice);
    assert_has(&messages, "X-W034", "2 frames are named \"a\"; the last one is used");
    assert_eq!(scene.animations[0].tracks[0].target, Target::Translation(NodeId(3)));
}

#[test]
fn an_animated_frame_with_a_sheared_matrix_is_one_node() {
    let (scene, messages) =
        clip("1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1;;", "AnimationKey { 2; 1; 0;3;1;0;0;;; }");
    assert_has(&messages, "X-W040", "the matrix of the animated frame \"a\" is sheared");
    assert_eq!(scene.nodes.len(), 2);
}

/// Converts a frame `hip` with a child `knee` 256 units above, and a mesh next to them with a skin.
fn skin(weights: &str, rest: &str) -> (Scene, Vec<String>) {
    scene(&format!(
        "Frame hip {{ FrameTransformMatrix {{ 1,0,0,0,0,1,0,0,0,0,1,0,256,0,0,1;; }}\
         Frame knee {{ FrameTransformMatrix {{ 1,0,0,0,0,1,0,0,0,0,1,0,0,256,0,1;; }} }} }}\
         Frame body {{ FrameTransformMatrix {{ 1,0,0,0,0,1,0,0,0,0,1,0,0,0,512,1;; }} Mesh flesh {{ {TRIANGLE} {weights} }} }} {rest}"
    ))
}

/// Inverse bind matrices, from the mesh's space (512 along Z) to that of hip and knee.
const HIP: &str = "1,0,0,0,0,1,0,0,0,0,1,0,-256,0,512,1;;";
const KNEE: &str = "1,0,0,0,0,1,0,0,0,0,1,0,-256,-256,512,1;;";

fn world_matrix(scene: &Scene, node: NodeId) -> Affine3A {
    let parent = (0..scene.nodes.len()).find(|parent| scene.nodes[*parent].children.contains(&node));
    parent.map_or(Affine3A::IDENTITY, |parent| world_matrix(scene, NodeId(parent)))
        * scene.nodes[node.0].to_parent()
}

#[test]
fn binds_a_skin_to_its_frames() {
    let (scene, messages) = skin(
        &format!(
            "SkinWeights {{ \"hip\"; 2; 0, 1; 1, 0.25; {HIP} }} SkinWeights {{ \"knee\"; 1; 1; 0.75; {KNEE} }}"
        ),
        "",
    );
    assert_eq!(messages, [""; 0]);
    let node = &scene.nodes[node_id(&scene, "flesh").0];
    assert_eq!((scene.roots.len(), node.to_parent()), (2, Affine3A::IDENTITY));
    let skin = &scene.skins[node.skin.unwrap().0];
    // Vertex 2 has no weights: it is attached to the mesh's own frame.
    assert_eq!(skin.joints, [node_id(&scene, "hip"), node_id(&scene, "knee"), node_id(&scene, "body")]);
    let part = &scene.meshes[node.mesh.unwrap().0].primitives[0];
    let influences = part.influences.as_ref().unwrap();
    let own = world_matrix(&scene, node_id(&scene, "body"));
    for (vertex, position) in part.positions.iter().enumerate() {
        let position = Vec3::from(*position);
        let mut posed = Vec3::ZERO;
        for (joint, weight) in influences.joints[vertex].iter().zip(influences.weights[vertex]) {
            let joint = usize::from(*joint);
            posed += (world_matrix(&scene, skin.joints[joint]) * skin.inverse_bind[joint])
                .transform_point3(position)
                * weight;
        }
        let rest = own.transform_point3(position);
        assert!(posed.abs_diff_eq(rest, 1e-6), "{posed} is not {rest}");
    }
    // Vertex 1 of the file has two weights, the larger first.
    let middle = part.positions.iter().position(|position| position[1] == 1.0).unwrap();
    assert_eq!(
        (influences.joints[middle], influences.weights[middle]),
        ([1, 0, 0, 0], [0.75, 0.25, 0.0, 0.0])
    );
}

#[test]
fn leaves_out_a_skin_with_one_static_frame() {
    let all = format!("SkinWeights {{ \"hip\"; 3; 0,1,2; 1,1,1; {HIP} }}");
    let (still, messages) = skin(&all, "");
    assert_has(&messages, "X-N035", "the skin of the mesh \"flesh\" is left out");
    assert!(still.skins.is_empty() && still.nodes[node_id(&still, "body").0].mesh.is_some());
    let walk = "AnimationSet { Animation { { hip } AnimationKey { 2; 1; 0;3;9;9;9;;; } } }";
    let (moving, messages) = skin(&all, walk);
    assert_eq!((messages.len(), moving.skins.len()), (0, 1));
    // Moving the hip moves the knee.
    let (below, _) = skin(&format!("SkinWeights {{ \"knee\"; 3; 0,1,2; 1,1,1; {KNEE} }}"), walk);
    assert_eq!(below.skins.len(), 1);
    // A skin to its own frame has no effect.
    let own = "AnimationSet { Animation { { body } AnimationKey { 2; 1; 0;3;9;9;9;;; } } }";
    let (own, _) = skin(&format!("SkinWeights {{ \"body\"; 3; 0,1,2; 1,1,1; {STILL} }}"), own);
    assert!(own.skins.is_empty());
}

#[test]
fn vertices_without_weights_get_a_joint_at_the_mesh() {
    let (scene, _) = skin(&format!("SkinWeights {{ \"body\"; 1; 0; 1; {HIP} }}"), "");
    assert_eq!(scene.skins[0].joints, [node_id(&scene, "body"), node_id(&scene, "body unbent")]);
}

#[test]
fn keeps_the_four_largest_weights() {
    let bones = ["a", "b", "c", "d", "e"];
    let frames: String = bones.iter().map(|bone| format!("Frame {bone} {{}}")).collect();
    let weights: String = bones
        .iter()
        .zip(["0.1", "0.3", "0.05", "0.25", "0.3"])
        .map(|(bone, weight)| {
            format!("SkinWeights {{ \"{bone}\"; 3; 0,1,2; {weight},{weight},{weight}; {STILL} }}")
        })
        .collect();
    let (scene, messages) = scene(&format!("{frames} Frame body {{ Mesh {{ {TRIANGLE} {weights} }} }}"));
    assert_has(&messages, "X-W032", "3 vertices have more than four weights");
    let influences = scene.meshes[0].primitives[0].influences.as_ref().unwrap();
    assert_eq!((influences.joints[0], influences.weights[0]), ([1, 4, 3, 0], [0.3, 0.3, 0.25, 0.1]));
}

#[test]
fn reports_defects_of_a_skin() {
    let messages = |weights: &str| skin(weights, "").1;
    assert_has(
        &messages(&format!("SkinWeights {{ \"tail\"; 1; 0; 1; {HIP} }}")),
        "X-W030",
        "the frame \"tail\" of a skin is not in the file",
    );
    let invalid = messages(&format!("SkinWeights {{ \"hip\"; 4; 0,1,2,3; nan,-1,0.5,1; {HIP} }}"));
    assert_has(&invalid, "X-W031", "2 weights are negative or not finite");
    assert_has(&invalid, "X-W031", "1 weight is for vertices beyond the last of 3");
    assert_has(&invalid, "X-W031", "1 vertex has weights that do not add up to 1");
    assert_has(
        &messages("SkinWeights { \"hip\"; 1; 0; 1; 1,0,0,0,0,1,0,0,0,0,1,0,nan,0,0,1;; }"),
        "X-W021",
        "the matrix is not finite",
    );
    assert_has(
        &messages(&format!(
            "SkinWeights {{ \"hip\"; 1; 0; 1; {HIP} }} SkinWeights {{ \"hip\"; 1; 1; 1; {KNEE} }}"
        )),
        "X-W030",
        "the frame \"hip\" is bound twice",
    );
    assert_has(
        &messages("SkinWeights { \"hip\"; 1000000; 0; 1; }"),
        "X-W004",
        "SkinWeights is left out: count is 1000000",
    );
    let (scene, messages) = scene(&format!(
        "Frame hip {{}} Frame knee {{}} Mesh m {{ {TRIANGLE} SkinWeights {{ \"hip\"; 1; 0; 1; {STILL} }} SkinWeights {{ \"knee\"; 1; 1; 1; {STILL} }} }}\
         Frame a {{ {{ m }} }} Frame b {{ {{ m }} }}"
    ));
    assert_has(&messages, "X-W033", "the skinned mesh \"m\" is used several times");
    assert_eq!(scene.skins.len(), 1);
}
