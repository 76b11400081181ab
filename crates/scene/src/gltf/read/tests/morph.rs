//! Tests that morph targets and their animations are read as they were written, and refused if their parts do not
//! match.

use json::{Value, json};

use super::*;
use crate::{Mesh, MorphTarget, NodeId};

/// A file with a triangle with two animated targets, modified by `edit`.
fn deformations(edit: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut json = json!({
        "bufferViews": [{ "buffer": 0, "byteLength": 48 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" },
            { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR" },
            { "bufferView": 0, "byteOffset": 4, "componentType": 5126, "count": 4, "type": "SCALAR" },
        ],
        "meshes": [{
            "primitives": [{
                "attributes": { "POSITION": 0, "NORMAL": 0 },
                "targets": [{ "POSITION": 0, "NORMAL": 0 }, { "NORMAL": 0, "TANGENT": 0 }],
            }],
            "weights": [0.5, 0.0],
            "extras": { "targetNames": ["up", "down"], "more": 1 },
        }],
        "nodes": [{ "mesh": 0 }, {}],
        "animations": [{
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
            "samplers": [{ "input": 1, "output": 2 }],
        }],
    });
    edit(&mut json);
    let numbers: Vec<f32> = (0..12_u8).map(f32::from).collect();
    gltf(&bytes_of(&numbers), &json)
}

fn morphed(edit: impl FnOnce(&mut Value)) -> Read {
    read(&deformations(edit), &mut no_files).unwrap()
}

fn refused(edit: impl FnOnce(&mut Value)) -> String {
    read(&deformations(edit), &mut no_files).unwrap_err().to_string()
}

#[test]
fn reads_targets_with_names_and_weights() {
    let read = morphed(|_| ());
    let mesh = &read.scene.meshes[0];
    let numbers = vec![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]];
    let targets = &mesh.primitives[0].targets;
    assert_eq!(targets[0], MorphTarget { positions: numbers.clone(), normals: Some(numbers.clone()) });
    assert_eq!(targets[1], MorphTarget { positions: vec![[0.0; 3]; 3], normals: Some(numbers) });
    assert_eq!((mesh.target_names.join(" "), mesh.weights.as_slice()), ("up down".into(), &[0.5, 0.0][..]));
    assert_eq!(mesh.extras.keys().collect::<Vec<_>>(), ["more"]);
    let track = &read.scene.animations[0].tracks[0];
    assert_eq!(track.target, Target::Weights(NodeId(0)));
    assert_eq!((&track.times[..], &track.values[..]), (&[0.0, 1.0][..], &[1.0, 2.0, 3.0, 4.0][..]));
    assert_eq!(left_out(&read), [("other attributes of morph targets", 1)]);
}

#[test]
fn a_scene_with_skins_and_morphs_round_trips() {
    let scene = written(every_feature());
    let read = read_glb(&write_glb(&scene).unwrap());
    let morphing = |scene: &Scene| -> Vec<Mesh> {
        scene.meshes.iter().filter(|mesh| !mesh.target_names.is_empty()).cloned().collect()
    };
    assert!(!morphing(&scene).is_empty());
    assert_eq!(morphing(&read.scene), morphing(&scene));
    let weights = |scene: &Scene| -> Vec<crate::Track> {
        let tracks = scene.animations.iter().flat_map(|animation| &animation.tracks);
        tracks.filter(|track| matches!(track.target, Target::Weights(_))).cloned().collect()
    };
    assert!(!weights(&scene).is_empty());
    let (mut found, expected) = (weights(&read.scene), weights(&scene));
    for (found, expected) in found.iter_mut().zip(&expected) {
        let name = |scene: &Scene, target| match target {
            Target::Weights(node) => scene.nodes[node.0].name.clone(),
            _ => String::new(),
        };
        assert_eq!(name(&read.scene, found.target), name(&scene, expected.target));
        found.target = expected.target;
    }
    assert_eq!(found, expected);
}

#[test]
fn skins_and_morphs_of_a_sheared_node_apply_to_its_inner_node() {
    let sheared = json!([1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    let read = morphed(|json| json["nodes"][0]["matrix"] = sheared);
    let Target::Weights(node) = read.scene.animations[0].tracks[0].target else { panic!("weights") };
    assert!(read.scene.nodes[node.0].mesh.is_some() && node != NodeId(0));
    assert!(write_glb(&read.scene).is_ok());
}

#[test]
fn unsupported_features_are_reported() {
    let read = morphed(|json| {
        json["meshes"][0]["extras"]["targetNames"] = json!(["one"]);
        json["nodes"][0]["weights"] = json!([1, 1]);
        json["animations"][0]["channels"][0]["target"]["node"] = json!(1);
        json["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": 0 });
    });
    assert!(read.scene.animations.is_empty() && read.scene.meshes[0].target_names.is_empty());
    let expected = [
        ("other attributes of morph targets", 1),
        ("normals of morph targets without base normals", 2),
        ("mismatched names of morph targets", 1),
        ("morph weights of nodes", 1),
        ("animations of missing morph targets", 1),
    ];
    let mut found = left_out(&read);
    found.sort_unstable();
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn mismatched_morph_targets_are_refused() {
    let targets = |json: &mut Value, value: Value| json["meshes"][0]["primitives"][0]["targets"] = value;
    let cases = [
        (
            refused(|json| targets(json, json!([{ "POSITION": 1 }, {}]))),
            "mesh 0, primitive 0, target 0, POSITION: expected 3 items, found 2",
        ),
        (refused(|json| targets(json, json!([{ "POSITION": 9 }, {}]))), "index 9 is out of range (count: 3)"),
        (refused(|json| targets(json, json!([{}]))), "mesh 0, weights: expected 1 items, found 2"),
        (
            refused(|json| {
                let plain = json!({ "attributes": { "POSITION": 0 } });
                json["meshes"][0]["primitives"].as_array_mut().unwrap().push(plain);
            }),
            "mesh 0, morph targets: expected 2 items, found 0",
        ),
        (
            refused(|json| json["accessors"][2]["count"] = json!(3)),
            "animation 0, channel 0, values: expected 4 items, found 3",
        ),
    ];
    for (error, words) in cases {
        assert!(error.ends_with(words), "{error}");
    }
}

#[test]
fn many_morph_targets_cannot_allocate_much_memory() {
    let empty: Vec<Value> = (0..60_000).map(|_| json!({})).collect();
    let message = refused(|json| {
        json["accessors"][0] = json!({ "componentType": 5126, "count": 1000, "type": "VEC3" });
        json["meshes"][0]["primitives"][0]["targets"] = empty.into();
    });
    assert!(message.contains("too many for the size of the file"), "{message}");
}
