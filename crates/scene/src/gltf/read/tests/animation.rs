//! Tests that tracks are read in all forms, and refused if their parts do not match.

use json::{Value, json};

use super::*;
use crate::{Interpolation, MaterialId, NodeId, Target};

/// Three times followed by three vectors.
fn numbers() -> Vec<u8> {
    bytes_of(&[0.0, 0.5, 2.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
}

/// A file with a node, a textured material and one channel, modified by `edit`.
fn moving(edit: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut json = json!({
        "bufferViews": [{ "buffer": 0, "byteLength": 48 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR" },
            { "bufferView": 0, "byteOffset": 12, "componentType": 5126, "count": 3, "type": "VEC3" },
            { "bufferView": 0, "byteOffset": 12, "componentType": 5126, "count": 3, "type": "VEC2" },
            { "bufferView": 0, "byteOffset": 12, "componentType": 5126, "count": 1, "type": "VEC3" },
            { "bufferView": 0, "byteOffset": 0, "componentType": 5126, "count": 1, "type": "SCALAR" },
        ],
        "nodes": [{}, { "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }],
        "images": [{ "uri": "gone.png" }],
        "textures": [{ "source": 0 }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }, {}],
        "animations": [{
            "name": "clip",
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
            "samplers": [{ "input": 0, "output": 1 }],
        }],
    });
    edit(&mut json);
    gltf(&numbers(), &json)
}

fn pointing(pointer: &str) -> Value {
    json!({
        "path": "pointer",
        "extensions": { "KHR_animation_pointer": { "pointer": pointer } },
    })
}

fn refused(edit: impl FnOnce(&mut Value)) -> String {
    read(&moving(edit), &mut no_files).unwrap_err().to_string()
}

#[test]
fn reads_the_keyframes_of_a_node() {
    let read = read(&moving(|_| ()), &mut no_files).unwrap();
    let [clip] = &read.scene.animations[..] else { panic!("one clip") };
    let [track] = &clip.tracks[..] else { panic!("one track") };
    assert_eq!((clip.name.as_str(), track.target), ("clip", Target::Translation(NodeId(0))));
    assert_eq!((&track.times[..], track.interpolation), (&[0.0, 0.5, 2.0][..], Interpolation::Linear));
    assert_eq!(track.values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
}

#[test]
fn a_spline_has_three_values_per_key_and_a_step_one() {
    let read_with = |interpolation: &str, input: u32| {
        let edit = |json: &mut Value| {
            json["animations"][0]["samplers"][0] =
                json!({ "input": input, "output": 1, "interpolation": interpolation });
        };
        read(&moving(edit), &mut no_files)
    };
    let track = |read: Read| read.scene.animations[0].tracks[0].clone();
    assert_eq!(track(read_with("STEP", 0).unwrap()).interpolation, Interpolation::Step);
    let spline = track(read_with("CUBICSPLINE", 4).unwrap());
    assert_eq!((spline.times.len(), spline.values.len()), (1, 9));
    let error = read_with("CUBICSPLINE", 0).unwrap_err().to_string();
    assert!(error.ends_with("animation 0, channel 0, values: expected 27 items, found 9"), "{error}");
    assert!(read_with("WAVE", 0).unwrap_err().to_string().ends_with("unknown interpolation WAVE"));
}

#[test]
fn texture_transform_pointers_are_read_and_others_reported() {
    let base = "/materials/0/pbrMetallicRoughness";
    let with = |pointer: &str, output: u32| {
        let edit = |json: &mut Value| {
            json["animations"][0]["channels"][0]["target"] = pointing(pointer);
            json["animations"][0]["samplers"][0]["output"] = json!(output);
        };
        read(&moving(edit), &mut no_files).unwrap()
    };
    let transform = format!("{base}/baseColorTexture/extensions/KHR_texture_transform");
    let offset = with(&format!("{transform}/offset"), 2);
    assert_eq!(offset.scene.animations[0].tracks[0].target, Target::MaterialUvOffset(MaterialId(0)));
    let scale = with(&format!("{transform}/scale"), 2);
    assert_eq!(scale.scene.animations[0].tracks[0].target, Target::MaterialUvScale(MaterialId(0)));
    let rotation = with(&format!("{transform}/rotation"), 0);
    assert_eq!(rotation.scene.animations[0].tracks[0].target, Target::MaterialUvRotation(MaterialId(0)));

    for (pointer, omission) in [
        (format!("{base}/roughnessFactor"), "animations of unsupported values"),
        ("/nodes/0/translation".into(), "animations of unsupported values"),
        (transform.replace('0', "1") + "/offset", "animations of missing textures"),
    ] {
        let read = with(&pointer, 2);
        assert!(read.scene.animations.is_empty());
        assert!(left_out(&read).contains(&(omission, 1)), "{pointer}: {:?}", read.left_out);
    }
    let edit = |json: &mut Value| {
        json["animations"][0]["channels"][0]["target"] =
            pointing(&format!("{}/offset", transform.replace("s/0", "s/7")));
    };
    assert!(refused(edit).ends_with("material: index 7 is out of range (count: 2)"));
}

#[test]
fn mismatched_tracks_are_refused() {
    let set =
        |path: &'static str, value: Value| refused(move |json| *json.pointer_mut(path).unwrap() = value);
    let channel = "/animations/0/channels/0";
    for (path, value, words) in [
        (
            "/animations/0/samplers/0/output",
            json!(3),
            "animation 0, channel 0, values: expected 9 items, found 3",
        ),
        ("/animations/0/samplers/0/output", json!(9), "values: index 9 is out of range (count: 5)"),
        ("/animations/0/samplers/0/input", json!(1), "expected items of 1 components, found VEC3"),
        ("/animations/0/channels/0/sampler", json!(1), "sampler: index 1 is out of range (count: 1)"),
        ("/animations/0/channels/0/target/node", json!(5), "node: index 5 is out of range (count: 2)"),
        ("/animations/0/channels/0/target/node", json!(1), "it animates a node with a matrix"),
        ("/animations/0/channels/0/target/path", json!("pointer"), "it has a pointer path but no pointer"),
    ] {
        let error = set(path, value);
        assert!(error.ends_with(words), "{error}");
        assert!(error.contains("animation 0, channel 0"), "{error}");
    }
    let twice = refused(|json| {
        let again = json.pointer(channel).unwrap().clone();
        json["animations"][0]["channels"].as_array_mut().unwrap().push(again);
    });
    assert!(twice.ends_with("animation 0: two channels have the same target"), "{twice}");
    let mut bytes = numbers();
    bytes[4..8].copy_from_slice(&3_f32.to_le_bytes());
    let json: Value = json::from_slice(&moving(|_| ())).unwrap();
    let error = read(&gltf(&bytes, &without_buffers(json)), &mut no_files).unwrap_err().to_string();
    assert!(error.ends_with("times: they are negative or not strictly increasing"), "{error}");
}

fn without_buffers(mut json: Value) -> Value {
    json.as_object_mut().unwrap().remove("buffers");
    json
}

#[test]
fn many_channels_over_the_same_bytes_stay_within_the_budget() {
    let many = refused(|json| {
        json["accessors"][0] =
            json!({ "componentType": 5126, "count": (BASE_BUDGET / 4) as u32, "type": "SCALAR" });
    });
    assert!(many.contains("times") || many.contains("rise strictly"), "{many}");
    let more = refused(|json| {
        json["accessors"][0] = json!({ "componentType": 5126, "count": u32::MAX, "type": "SCALAR" });
    });
    assert!(more.ends_with("items are too many for the size of the file"), "{more}");
}
