//! The guarantees of the reader.
#![allow(clippy::as_conversions, clippy::arithmetic_side_effects, reason = "a test may panic")]

mod animation;
mod hostile;
mod morph;
mod skin;

use glam::{Quat, Vec3};
use json::{Value, json};
use proptest::prelude::*;

use super::*;
use crate::gltf::tests::arbitrary::scene;
use crate::gltf::{write_glb, write_gltf};
use crate::sample::every_feature;
use crate::{LightKind, Primitive, Target, UvTransform};

fn no_files(_: &str) -> Option<Vec<u8>> {
    None
}

fn read_glb(bytes: &[u8]) -> Read {
    read(bytes, &mut no_files).unwrap()
}

fn left_out(read: &Read) -> Vec<(&str, usize)> {
    read.left_out.iter().map(|left_out| (left_out.what.as_str(), left_out.count)).collect()
}

/// A scene without the content that is not written.
fn written(mut scene: Scene) -> Scene {
    for animation in &mut scene.animations {
        animation.tracks.retain(|track| !track.times.is_empty());
    }
    scene.animations.retain(|animation| !animation.tracks.is_empty());
    scene
}

/// A `.gltf` file with one embedded buffer and the given members, such as accessors and views.
fn gltf(buffer: &[u8], rest: &Value) -> Vec<u8> {
    let mut json = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": buffer.len(), "uri": data_uri(buffer) }],
    });
    json.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    json.to_string().into_bytes()
}

fn data_uri(bytes: &[u8]) -> String {
    let hex: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    format!("data:application/octet-stream,{hex}")
}

/// Reads the primitive of a `.gltf` file with one mesh.
fn primitive(buffer: &[u8], rest: &Value) -> Primitive {
    let read = read(&gltf(buffer, rest), &mut no_files).unwrap();
    read.scene.meshes[0].primitives[0].clone()
}

fn bytes_of(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|float| float.to_le_bytes()).collect()
}

#[test]
fn writes_a_scene_that_was_read_back_identically() {
    let scene = written(every_feature());
    let glb = write_glb(&scene).unwrap();
    let read = read_glb(&glb);
    assert!(read.left_out.is_empty(), "{:?}", read.left_out);
    assert!(write_glb(&read.scene).unwrap() == glb);
    let mut materials = scene.materials.clone();
    // Properties that an animation points to are written even with default values.
    let transform = &mut materials[2].base_color_texture.as_mut().unwrap().transform;
    assert_eq!(transform.replace(UvTransform::default()), None);
    assert_eq!(read.scene.materials, materials);
    assert_eq!(read.scene.lights[0], scene.lights[0]);
    assert_eq!(read.scene.extras, scene.extras);
}

#[test]
fn reads_the_same_scene_from_separate_files() {
    let scene = written(every_feature());
    let files = write_gltf(&scene, "a room").unwrap();
    let mut requested = Vec::new();
    let mut find = |name: &str| {
        requested.push(name.to_owned());
        files.iter().find(|(known, _)| known == name).map(|(_, bytes)| bytes.clone())
    };
    let read = read(&files[0].1, &mut find).unwrap();
    assert!(write_glb(&read.scene).unwrap() == write_glb(&scene).unwrap());
    assert_eq!(requested[0], "a room.bin", "escapes are decoded");
    assert_eq!(requested.len(), files.len() - 1, "each file is requested once");
}

#[test]
fn a_missing_image_is_reported_and_a_missing_buffer_is_an_error() {
    let files = write_gltf(&every_feature(), "a").unwrap();
    let buffer = |name: &str| (name == "a.bin").then(|| files[1].1.clone());
    let found = read(&files[0].1, &mut { buffer }).unwrap();
    assert!(left_out(&found).contains(&("missing images", found.scene.images.len())));
    let error = read(&files[0].1, &mut no_files).unwrap_err();
    assert_eq!(error.to_string(), "glTF: buffer 0: its file \"a.bin\" was not found");
}

#[test]
fn converts_numbers_of_all_component_types_to_floats() {
    let cases: [(u32, &[u8], bool, [f32; 2]); 9] = [
        (5120, &[0x81, 0x40], false, [-127.0, 64.0]),
        (5120, &[0x80, 0x7f], true, [-1.0, 1.0]),
        (5121, &[255, 51], true, [1.0, 0.2]),
        (5121, &[255, 51], false, [255.0, 51.0]),
        (5122, &[0x00, 0x80, 0xff, 0x7f], true, [-1.0, 1.0]),
        (5123, &[0xff, 0xff, 0x33, 0x33], true, [1.0, 0.2]),
        (5123, &[1, 0, 2, 1], false, [1.0, 258.0]),
        (5125, &[1, 0, 0, 0, 0, 0, 1, 0], false, [1.0, 65536.0]),
        (5126, &[0, 0, 0x80, 0xbf, 0, 0, 0, 0x80], false, [-1.0, -0.0]),
    ];
    for (component, bytes, normalized, expected) in cases {
        let json = json!({
            "bufferViews": [{ "buffer": 0, "byteLength": bytes.len() }],
            "accessors": [
                { "componentType": 5126, "count": 1, "type": "VEC3" },
                {
                    "bufferView": 0, "componentType": component, "count": 1, "type": "VEC2",
                    "normalized": normalized,
                },
            ],
            "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0, "TEXCOORD_0": 1 }, "mode": 6 }] }],
        });
        let [found] = primitive(bytes, &json).uvs[0][..] else { panic!("one vertex") };
        assert_eq!(found.map(f32::to_bits), expected.map(f32::to_bits), "{component} {normalized}");
    }
}

#[test]
fn strided_and_sparse_accessors_are_read() {
    // Two positions with four bytes between them, then index 2 as u8 (padded), then its value.
    let mut buffer = bytes_of(&[1.0, 2.0, 3.0, 9.0, 4.0, 5.0, 6.0, 9.0, 7.0, 8.0, 9.0]);
    buffer.extend([2, 0, 0, 0]);
    buffer.extend(bytes_of(&[-1.0, -2.0, -3.0]));
    let json = json!({
        "bufferViews": [
            { "buffer": 0, "byteLength": 44, "byteStride": 16 },
            { "buffer": 0, "byteOffset": 44, "byteLength": 16 },
        ],
        "accessors": [{
            "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
            "sparse": {
                "count": 1,
                "indices": { "bufferView": 1, "componentType": 5121 },
                "values": { "bufferView": 1, "byteOffset": 4 },
            },
        }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
    });
    let found = primitive(&buffer, &json);
    assert_eq!(found.positions, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [-1.0, -2.0, -3.0]]);
    assert_eq!(found.indices, [0, 1, 2], "without indices, vertices are used in order");
}

#[test]
fn colors_without_alpha_are_opaque_and_a_missing_set_is_empty() {
    let json = json!({
        "bufferViews": [{ "buffer": 0, "byteLength": 4 }],
        "accessors": [
            { "componentType": 5126, "count": 1, "type": "VEC3" },
            { "bufferView": 0, "componentType": 5121, "count": 1, "type": "VEC3", "normalized": true },
            { "componentType": 5126, "count": 1, "type": "VEC2" },
            { "componentType": 5126, "count": 1, "type": "VEC4" },
        ],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "COLOR_0": 1, "TEXCOORD_1": 2, "TANGENT": 3, "_LAYER": 3 }, "mode": 5,
        }] }],
    });
    let read = read(&gltf(&[255, 0, 51, 0], &json), &mut no_files).unwrap();
    let found = &read.scene.meshes[0].primitives[0];
    assert_eq!(found.colors, Some(vec![[1.0, 0.0, 0.2, 1.0]]));
    assert_eq!(found.uvs, [[[0.0; 2]], [[0.0; 2]]]);
    assert_eq!(left_out(&read), [("attributes TANGENT", 1), ("attributes _LAYER", 1)]);
}

#[test]
fn points_and_lines_are_reported() {
    let json = json!({
        "accessors": [{ "componentType": 5126, "count": 3, "type": "VEC3" }],
        "meshes": [{ "primitives": [
            { "attributes": { "POSITION": 0 }, "mode": 0 },
            { "attributes": { "POSITION": 0 }, "mode": 1 },
            { "attributes": {} },
            { "attributes": { "POSITION": 0 } },
        ] }],
        "cameras": [{}],
    });
    let read = read(&gltf(&[], &json), &mut no_files).unwrap();
    assert_eq!(read.scene.meshes[0].primitives.len(), 1);
    let expected = [
        ("primitives of points", 1),
        ("primitives of lines", 1),
        ("primitives without positions", 1),
        ("cameras", 1),
    ];
    assert_eq!(left_out(&read), expected);
}

#[test]
fn a_matrix_becomes_a_transform_and_a_sheared_one_two_nodes() {
    let json = json!({
        "nodes": [
            { "name": "moved", "matrix": [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1] },
            { "name": "sheared", "matrix": [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], "children": [0], "extras": { "a": 1 } },
        ],
        "scenes": [{ "nodes": [1] }],
    });
    let Read { scene, .. } = read(&gltf(&[], &json), &mut no_files).unwrap();
    let [moved, sheared, inner] = &scene.nodes[..] else { panic!("three nodes") };
    assert_eq!(moved.translation, Vec3::new(5.0, 6.0, 7.0));
    assert!(moved.scale.abs_diff_eq(Vec3::splat(2.0), 1e-6));
    assert!(moved.rotation.abs_diff_eq(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2), 1e-6));
    assert_eq!((sheared.children.len(), inner.children.len()), (1, 1));
    assert_eq!(sheared.extras["a"], 1);
    assert!(inner.extras.is_empty());
    let expected =
        glam::Affine3A::from_mat3(glam::Mat3::from_cols(Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Z));
    assert!((sheared.to_parent() * inner.to_parent()).abs_diff_eq(expected, 1e-6));
}

#[test]
fn without_scenes_the_roots_are_nodes_without_parent() {
    let json = json!({ "nodes": [{}, { "children": [0] }, {}] });
    let Read { scene, .. } = read(&gltf(&[], &json), &mut no_files).unwrap();
    assert_eq!(scene.roots, [crate::NodeId(1), crate::NodeId(2)]);
}

#[test]
fn the_default_scene_is_read_and_others_are_counted() {
    let json =
        json!({ "nodes": [{}, {}], "scenes": [{ "nodes": [0] }, { "name": "b", "nodes": [1] }], "scene": 1 });
    let read = read(&gltf(&[], &json), &mut no_files).unwrap();
    assert_eq!((read.scene.name.as_str(), read.scene.roots.as_slice()), ("b", &[crate::NodeId(1)][..]));
    assert_eq!(left_out(&read), [("other scenes", 1)]);
}

#[test]
fn lights_have_the_defaults_of_their_extension() {
    let json = json!({
        "extensions": { "KHR_lights_punctual": { "lights": [
            { "type": "spot", "spot": {} }, { "type": "area" }, { "type": "point", "range": 2.5 },
        ] } },
        "nodes": [
            { "extensions": { "KHR_lights_punctual": { "light": 0 } } },
            { "extensions": { "KHR_lights_punctual": { "light": 1 } } },
            { "extensions": { "KHR_lights_punctual": { "light": 2 } } },
        ],
    });
    let read = read(&gltf(&[], &json), &mut no_files).unwrap();
    let kind = |node: usize| read.scene.nodes[node].light.map(|light| read.scene.lights[light.0].kind);
    let spot = LightKind::Spot { inner_cone: 0.0, outer_cone: std::f32::consts::FRAC_PI_4 };
    assert_eq!([kind(0), kind(1), kind(2)], [Some(spot), None, Some(LightKind::Point)]);
    assert_eq!(left_out(&read), [("lights of an unknown kind", 1)]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn reads_back_any_scene_that_can_be_written(scene in scene()) {
        let scene = written(scene);
        if let Ok(glb) = write_glb(&scene) {
            let read = read_glb(&glb);
            prop_assert!(read.left_out.is_empty(), "{:?}", read.left_out);
            prop_assert!(write_glb(&read.scene).unwrap() == glb);
            let shown = |scene: &Scene| -> Vec<_> {
                let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
                let drawn = primitives.filter(|primitive| !primitive.is_empty());
                let shape = |drawn: &Primitive| {
                    (drawn.positions.clone(), drawn.uvs.clone(), drawn.indices.clone(), drawn.targets.clone())
                };
                drawn.map(shape).collect()
            };
            prop_assert_eq!(shown(&read.scene), shown(&scene));
        }
    }
}
