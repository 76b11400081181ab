use crate::gltf::{read, write_glb};
use crate::sample::every_feature;
use crate::{Engine, Influences, Instance, Interpolation, Skin, Track};

use super::*;

/// Steps per meter.
const STEPS: f32 = 5120.0;

fn lengths(steps: &[[i32; 3]]) -> Vec<[f32; 3]> {
    steps.iter().map(|it| it.map(|number| number as f32 / STEPS)).collect()
}

/// A model with vertices for two frames, shown by an animated node.
fn model(first: &[[i32; 3]], second: &[[i32; 3]]) -> Scene {
    let (positions, moved) = (lengths(first), lengths(second));
    let steps = positions.iter().zip(&moved);
    let steps = steps.map(|([a, b, c], [x, y, z])| [x - a, y - b, z - c]).collect();
    let primitive = Primitive {
        positions,
        indices: (0..u32::try_from(first.len()).unwrap()).collect(),
        targets: vec![MorphTarget { positions: steps, normals: None }],
        ..Primitive::default()
    };
    let quantization = Some(Quantization { steps: STEPS, normals: NormalPrecision::Rounded });
    let mut scene = Scene::new("model");
    let mesh = Mesh { primitives: vec![primitive], quantization, ..Mesh::default() };
    let mesh = scene.add_mesh(mesh);
    let mut node = Node { mesh: Some(mesh), translation: Vec3::Y, ..Node::named("model") };
    node.extras.insert("version".into(), "4.0".into());
    let node = scene.add_root(node);
    scene.add_child(node, Node::named("held"));
    let weights = Track {
        target: Target::Weights(node),
        also: Vec::new(),
        interpolation: Interpolation::Step,
        times: vec![0.0, 1.0],
        values: vec![0.0, 1.0],
    };
    let still = Track::translation(node, Interpolation::Step, [(0.0, Vec3::Y), (1.0, Vec3::X)]);
    scene.add_animation(Animation {
        name: "frames".into(),
        tracks: vec![weights, still],
        ..Animation::default()
    });
    scene
}

fn round_trip(scene: &Scene) -> Scene {
    read(&write_glb(scene).unwrap(), &mut |_| None).unwrap().scene
}

const FIRST: [[i32; 3]; 3] = [[1, -2, 3], [-32_768, 32_767, 0], [12_345, -1, 777]];
const SECOND: [[i32; 3]; 3] = [[2, 3, 3], [32_767, 32_767, 40_000], [12_345, -129, 650]];

#[test]
fn moves_the_integer_mesh_to_a_scaling_child() {
    let mut scene = model(&FIRST, &SECOND);
    scene.quantize();
    let [node, held, child] = scene.nodes.as_slice() else { panic!("one additional node") };
    assert_eq!((node.mesh, node.translation, node.scale), (None, Vec3::Y, Vec3::ONE));
    assert_eq!((node.children.as_slice(), held.scale), ([NodeId(1), NodeId(2)].as_slice(), Vec3::ONE));
    assert_eq!((child.mesh, child.scale), (Some(MeshId(0)), Vec3::splat(1.0 / STEPS)));
    let part = &scene.meshes[0].primitives[0];
    assert_eq!(part.positions, FIRST.map(|it| it.map(|number| number as f32)));
    let steps = [[1.0, 5.0, 0.0], [65_535.0, 0.0, 40_000.0], [0.0, -128.0, -127.0]];
    assert_eq!(part.targets[0].positions, steps);
    assert_eq!(part.vertex_format, VertexFormat::Integer);
    let targets: Vec<Target> = scene.animations[0].tracks.iter().map(|track| track.target).collect();
    assert_eq!(targets, [Target::Weights(NodeId(2)), Target::Translation(NodeId(0))]);
}

#[test]
fn restores_a_quantized_scene_when_reading() {
    let scene = model(&FIRST, &SECOND);
    let mut quantized = scene.clone();
    quantized.quantize();
    let back = round_trip(&quantized);
    assert_eq!((&back.nodes, &back.roots, &back.animations), (&scene.nodes, &scene.roots, &scene.animations));
    assert_eq!(back.meshes[0].primitives[0].positions, scene.meshes[0].primitives[0].positions);
    let near = |a: &[f32; 3], b: &[f32; 3]| Vec3::from(*a).abs_diff_eq(Vec3::from(*b), 1e-6);
    let (found, wanted) = (
        &back.meshes[0].primitives[0].targets[0].positions,
        &scene.meshes[0].primitives[0].targets[0].positions,
    );
    assert!(found.iter().zip(wanted).all(|(found, wanted)| near(found, wanted)), "{found:?} {wanted:?}");
    // A second round trip.
    let mut again = back.clone();
    again.quantize();
    assert_eq!(round_trip(&again), back);
}

#[test]
fn uses_the_longest_steps_that_all_positions_allow() {
    let first = FIRST.map(|it| it.map(|number| number * 256));
    let mut scene = model(&first, &first);
    scene.quantize();
    let part = &scene.meshes[0].primitives[0];
    assert_eq!(part.positions, FIRST.map(|it| it.map(|number| number as f32)));
    assert_eq!(scene.nodes[2].scale, Vec3::splat(1.0 / 20.0));
    let back = round_trip(&scene);
    assert_eq!(back.meshes[0].primitives[0].positions, lengths(&first));
}

#[test]
fn adds_no_child_if_steps_are_units() {
    let mut scene = model(&FIRST, &FIRST);
    let mesh = &mut scene.meshes[0];
    mesh.quantization = Some(Quantization { steps: 1.0, normals: NormalPrecision::Rounded });
    mesh.primitives[0].targets.clear();
    mesh.primitives[0].positions = vec![[32.0, 64.0, 0.0]; 3];
    scene.animations.clear();
    let before = scene.nodes.clone();
    scene.quantize();
    assert_eq!(scene.nodes, before);
    assert_eq!(scene.meshes[0].primitives[0].vertex_format, VertexFormat::Integer);
}

#[test]
fn keeps_positions_beyond_16_bits_as_floats() {
    let wide = [[32_768, 0, 1], [0; 3], [1; 3]];
    let mut scene = model(&wide, &[[32_769, -2, 1], [0; 3], [1; 3]]);
    let before = scene.clone();
    scene.quantize();
    let part = &scene.meshes[0].primitives[0];
    assert_eq!(part.positions, wide.map(|it| it.map(|number| number as f32)));
    assert_eq!(part.targets[0].positions, [[1.0, -2.0, 0.0], [0.0; 3], [0.0; 3]]);
    let back = round_trip(&scene);
    assert_eq!((&back.nodes, &back.meshes[0].primitives[0].positions), (&before.nodes, &lengths(&wide)));
    // Without morph targets, lengths need no more space than steps.
    let mut still = before;
    still.meshes[0].primitives[0].targets.clear();
    still.animations.clear();
    let nodes = still.nodes.clone();
    still.quantize();
    let part = &still.meshes[0].primitives[0];
    assert_eq!((&still.nodes, &part.positions), (&nodes, &lengths(&wide)));
    assert_eq!(part.vertex_format, VertexFormat::Integer);
}

#[test]
fn leaves_meshes_unchanged_that_cannot_be_quantized() {
    let unchanged = |scene: Scene, why: &str| {
        let mut after = scene.clone();
        after.quantize();
        assert_eq!(after, scene, "{why}");
    };
    let mut scene = model(&FIRST, &SECOND);
    scene.meshes[0].primitives[0].positions[1][2] += 0.1 / STEPS;
    unchanged(scene, "not an integer");
    let mut scene = model(&FIRST, &SECOND);
    scene.meshes[0].primitives[0].targets[0].positions[0][1] = f32::INFINITY;
    unchanged(scene, "not a finite number");
    let mut scene = model(&FIRST, &SECOND);
    scene.meshes[0].quantization = None;
    unchanged(scene, "no quantization is specified");
    let mut scene = model(&FIRST, &SECOND);
    scene.nodes[1].trigger = Some(MeshId(0));
    unchanged(scene, "a trigger");
    let mut scene = model(&FIRST, &SECOND);
    let skin = scene.add_skin(Skin { joints: vec![NodeId(1)], ..Skin::default() });
    scene.nodes[0].skin = Some(skin);
    unchanged(scene, "a skin");
    let mut scene = model(&FIRST, &SECOND);
    scene.meshes[0].primitives[0].influences = Some(Influences::default());
    unchanged(scene, "joints");
    unchanged(every_feature(), "other scenes");
}

#[test]
fn does_not_quantize_scenes_for_godot() {
    let mut scene = model(&FIRST, &SECOND);
    scene.meshes[0].primitives[0].vertex_format = VertexFormat::Integer;
    scene.adapt_to(Engine::Godot);
    assert_eq!(scene.meshes[0].primitives[0].vertex_format, VertexFormat::Float);
    let before = scene.clone();
    scene.quantize();
    assert_eq!(scene, before);
}

#[test]
fn scales_the_instances_of_a_mesh() {
    let mut scene = model(&FIRST, &SECOND);
    let instance = Instance { translation: Vec3::X, rotation: Quat::IDENTITY, scale: Vec3::splat(2.0) };
    scene.instances.insert(NodeId(0), vec![instance]);
    scene.quantize();
    assert_eq!((scene.nodes.len(), scene.nodes[0].mesh), (2, Some(MeshId(0))));
    let scaled = scene.instances[&NodeId(0)][0];
    assert_eq!((scaled.translation, scaled.scale), (Vec3::X, Vec3::splat(2.0 / STEPS)));
}

/// A modification of a scaling node by another program.
type Change = (&'static str, fn(&mut Scene));

#[test]
fn keeps_modified_scaling_nodes() {
    let mut quantized = model(&FIRST, &SECOND);
    quantized.quantize();
    let changes: [Change; 5] = [
        ("the mark is gone", |scene| scene.nodes[2].extras.clear()),
        ("it was scaled", |scene| scene.nodes[2].scale *= 2.0),
        ("it was moved", |scene| scene.nodes[2].translation = Vec3::X),
        ("it has a child", |scene| {
            scene.add_child(NodeId(2), Node::named("hat"));
        }),
        ("the mesh is shown elsewhere", |scene| scene.nodes[1].mesh = Some(MeshId(0))),
    ];
    for (what, change) in changes {
        let mut scene = quantized.clone();
        change(&mut scene);
        let back = round_trip(&scene);
        assert_eq!(back.nodes, scene.nodes, "{what}");
        assert_eq!(back.animations, scene.animations, "{what}");
        assert_eq!(
            back.meshes[0].primitives[0].positions, quantized.meshes[0].primitives[0].positions,
            "{what}"
        );
    }
    // Additional extras are moved to the parent.
    let mut scene = quantized;
    scene.nodes[2].extras.insert("note".into(), "a hat".into());
    let back = round_trip(&scene);
    assert_eq!((back.nodes.len(), back.nodes[0].extras["note"].as_str()), (2, Some("a hat")));
}
