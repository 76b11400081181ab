//! Tests of skins: joints, weights of several sets, and mismatches.

use super::*;
use crate::{NodeId, SkinId};

/// A triangle with two joints; each vertex has two sets of weights.
fn skinned(change: impl FnOnce(&mut Value)) -> Result<Read, Error> {
    let positions = bytes_of(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let joints = [[0_u8, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]].concat();
    let weights = bytes_of(&[0.75, 0.25, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let second = [[1_u8, 2, 3, 4], [0, 0, 0, 0], [0, 0, 0, 0]].concat();
    let more = bytes_of(&[0.5, 0.1, 0.2, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let matrices =
        bytes_of(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 4.0, 5.0, 6.0, 1.0].repeat(5));
    let parts = [positions, joints, weights, second, more, matrices];
    let mut start = 0;
    let views: Vec<Value> = parts
        .iter()
        .map(|part| {
            let view = json!({ "buffer": 0, "byteOffset": start, "byteLength": part.len() });
            start += part.len();
            view
        })
        .collect();
    let accessor = |view: usize, kind: u32, shape: &str, count: usize| json!({ "bufferView": view, "componentType": kind, "type": shape, "count": count });
    let mut json = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": start, "uri": data_uri(&parts.concat()) }],
        "bufferViews": views,
        "accessors": [
            accessor(0, 5126, "VEC3", 3),
            accessor(1, 5121, "VEC4", 3),
            accessor(2, 5126, "VEC4", 3),
            accessor(3, 5121, "VEC4", 3),
            accessor(4, 5126, "VEC4", 3),
            accessor(5, 5126, "MAT4", 5),
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 } }] }],
        "skins": [{ "joints": [1, 2, 3, 4, 5], "inverseBindMatrices": 5, "skeleton": 1, "name": "rig" }],
        "nodes": [{ "mesh": 0, "skin": 0 }, { "children": [2, 3, 4, 5] }, {}, {}, {}, {}],
        "scenes": [{ "nodes": [0, 1] }],
    });
    change(&mut json);
    read(json.to_string().as_bytes(), &mut no_files)
}

#[test]
fn normalizes_weights_and_binds_unweighted_vertices_to_the_first_joint() {
    let read = skinned(|_| {}).unwrap();
    assert_eq!(left_out(&read), []);
    let influences = read.scene.meshes[0].primitives[0].influences.clone().unwrap();
    assert_eq!(influences.joints, [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]);
    assert_eq!(influences.weights, [[0.75, 0.25, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]);
    let skin = &read.scene.skins[0];
    assert_eq!((skin.name.as_str(), skin.joints.len(), skin.skeleton), ("rig", 5, Some(NodeId(1))));
    assert_eq!(skin.inverse_bind[0].translation.to_array(), [4.0, 5.0, 6.0]);
    assert_eq!(read.scene.nodes[0].skin, Some(SkinId(0)));
    assert_eq!(read.deformations().map(|left_out| left_out.what).collect::<Vec<_>>(), ["skins"]);
}

#[test]
fn keeps_the_four_strongest_joints() {
    let read = skinned(|json| {
        let attributes = &mut json["meshes"][0]["primitives"][0]["attributes"];
        (attributes["JOINTS_1"], attributes["WEIGHTS_1"]) = (json!(3), json!(4));
    });
    let read = read.unwrap();
    assert_eq!(left_out(&read), [("weights beyond the four largest of their vertices", 1)]);
    let influences = read.scene.meshes[0].primitives[0].influences.clone().unwrap();
    // The second joint occurs in both sets.
    assert_eq!(influences.joints[0], [0, 1, 4, 3]);
    assert!((influences.weights[0].iter().sum::<f32>() - 1.0).abs() < 1e-6);
    assert!((influences.weights[0][0] - influences.weights[0][1]).abs() < 1e-6, "0.75 and 0.25 + 0.5");
}

#[test]
fn reports_skins_without_weights_and_weights_without_skins() {
    let bare = skinned(|json| json["nodes"][0] = json!({ "mesh": 0 })).unwrap();
    assert_eq!(left_out(&bare), [("weights of meshes without a skin", 1)]);
    assert!(bare.scene.meshes[0].primitives[0].influences.is_none());
    let unweighted =
        skinned(|json| json["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": 0 })).unwrap();
    assert_eq!(left_out(&unweighted), [("skins of nodes without a mesh that has weights", 1)]);
    assert_eq!(unweighted.scene.nodes[0].skin, None);
    let half = skinned(|json| {
        json["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": 0, "JOINTS_0": 1 });
    });
    assert!(left_out(&half.unwrap()).contains(&("joints without weights, or weights without joints", 1)));
    for joints in [json!([]), json!([1, 1])] {
        let read = skinned(|json| json["skins"][0]["joints"] = joints).unwrap();
        assert!(left_out(&read).contains(&("skins without joints or with a duplicate joint", 1)));
    }
    for read in [bare, unweighted] {
        assert!(write_glb(&read.scene).is_ok());
    }
}

#[test]
fn copies_a_mesh_that_is_also_used_without_a_skin() {
    let read = skinned(|json| {
        json["nodes"][2]["mesh"] = json!(0);
    })
    .unwrap();
    let meshes: Vec<_> = read.scene.nodes.iter().filter_map(|node| node.mesh).collect();
    assert_eq!((meshes.len(), read.scene.meshes.len()), (2, 2));
    assert_ne!(meshes[0], meshes[1]);
    assert!(write_glb(&read.scene).is_ok());
}

#[test]
fn refuses_dangling_indices() {
    let refused = |change: &dyn Fn(&mut Value)| skinned(change).unwrap_err().to_string();
    for (error, words) in [
        (
            refused(&|json| json["skins"][0]["joints"] = json!([1, 77])),
            "skin 0, joints: index 77 is out of range (count: 6)",
        ),
        (
            refused(&|json| json["nodes"][0]["skin"] = json!(9)),
            "node 0, skin: index 9 is out of range (count: 1)",
        ),
        (
            refused(&|json| json["skins"][0]["joints"] = json!([1])),
            "node 0, skin, joints: index 1 is out of range (count: 1)",
        ),
        (
            refused(&|json| json["accessors"][5]["count"] = json!(2)),
            "skin 0, inverse bind matrices: expected 5 items, found 2",
        ),
        (
            refused(&|json| json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(2)),
            "JOINTS_0: 0.75 is not a valid joint index",
        ),
    ] {
        assert!(error.ends_with(words), "{error}");
    }
}
