//! Tests that any input ends in a scene or in an error with its location, and needs little memory.

use json::{Value, json};

use super::*;

fn refused(json: &Value) -> String {
    read(&gltf(&[0; 24], json), &mut no_files).unwrap_err().to_string()
}

/// A mesh with one primitive with these attributes and accessors, over a view of all 24 bytes.
fn mesh_over(attributes: &Value, accessors: &Value) -> Value {
    json!({
        "bufferViews": [{ "buffer": 0, "byteLength": 24 }],
        "accessors": accessors,
        "meshes": [{ "primitives": [{ "attributes": attributes }] }],
    })
}

#[test]
fn accessors_out_of_bounds_are_refused() {
    let cases = [
        (json!({ "count": 3 }), "3 items of 12 bytes extend past the end of its buffer view"),
        (
            json!({ "count": 2, "byteOffset": 1 }),
            "2 items of 12 bytes extend past the end of its buffer view",
        ),
        (
            json!({ "count": 0, "byteOffset": 25 }),
            "0 items of 12 bytes extend past the end of its buffer view",
        ),
        (json!({ "count": u64::MAX }), "18446744073709551615 items are too many for the size of the file"),
        (json!({ "bufferView": 1 }), "index 1 is out of range (count: 1)"),
        (json!({ "componentType": 5124 }), "unknown component type 5124"),
    ];
    for (edit, words) in cases {
        let mut accessor = json!({ "bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3" });
        accessor.as_object_mut().unwrap().extend(edit.as_object().unwrap().clone());
        let error = refused(&mesh_over(&json!({ "POSITION": 0 }), &json!([accessor])));
        assert!(error.ends_with(words), "{error}");
        assert!(error.contains("mesh 0, primitive 0, POSITION"), "{error}");
    }
}

#[test]
fn views_out_of_bounds_are_refused() {
    let accessors = json!([{ "bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3" }]);
    for (view, words) in [
        (
            json!({ "buffer": 0, "byteLength": 25 }),
            "buffer view 0: 25 bytes at 0 extend past the end of the buffer (24)",
        ),
        (
            json!({ "buffer": 0, "byteOffset": u64::MAX, "byteLength": 12 }),
            "buffer view 0: 12 bytes at 18446744073709551615 extend past the end of the buffer (24)",
        ),
        (json!({ "buffer": 7, "byteLength": 1 }), "buffer view 0: index 7 is out of range (count: 1)"),
        (
            json!({ "buffer": 0, "byteLength": 24, "byteStride": 4 }),
            "its items have 12 bytes, but the stride is only 4",
        ),
    ] {
        let mut json = mesh_over(&json!({ "POSITION": 0 }), &accessors);
        json["bufferViews"] = json!([view]);
        let error = refused(&json);
        assert!(error.ends_with(words), "{error}");
    }
}

#[test]
fn dangling_references_are_refused() {
    let plain = json!([
        { "bufferView": 0, "componentType": 5126, "count": 2, "type": "VEC3" },
        { "bufferView": 0, "componentType": 5121, "count": 24, "type": "SCALAR" },
        { "bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC2" },
    ]);
    let mesh = |primitive: Value| {
        let mut json = mesh_over(&json!({}), &plain);
        json["meshes"][0]["primitives"][0] = primitive;
        refused(&json)
    };
    let cases = [
        (
            json!({ "attributes": { "POSITION": 9 } }),
            "mesh 0, primitive 0, POSITION: index 9 is out of range (count: 3)",
        ),
        (
            json!({ "attributes": { "POSITION": 0 }, "indices": 0 }),
            "glTF: mesh 0, primitive 0, indices (accessor 0): its items are not integers",
        ),
        (
            json!({ "attributes": { "POSITION": 0, "TEXCOORD_0": 2 } }),
            "mesh 0, primitive 0, TEXCOORD_0: expected 2 items, found 1",
        ),
        (
            json!({ "attributes": { "POSITION": 2 } }),
            "glTF: mesh 0, primitive 0, POSITION: expected items of 3 components, found VEC2",
        ),
        (
            json!({ "attributes": { "POSITION": 0 }, "material": 0 }),
            "mesh 0, primitive 0, material: index 0 is out of range (count: 0)",
        ),
        (
            json!({ "attributes": { "POSITION": 0 } }),
            "glTF: mesh 0, primitive 0: 2 corners are not a multiple of 3",
        ),
        (json!({ "attributes": { "POSITION": 0 }, "mode": 9 }), "glTF: mesh 0, primitive 0: unknown mode 9"),
    ];
    for (primitive, words) in cases {
        assert_eq!(mesh(primitive), words);
    }
    for (json, words) in [
        (json!({ "nodes": [{ "mesh": 0 }] }), "node 0, mesh: index 0 is out of range (count: 0)"),
        (json!({ "scene": 1, "scenes": [{}] }), "scene: index 1 is out of range (count: 1)"),
        (json!({ "scenes": [{ "nodes": [4] }] }), "roots: index 4 is out of range (count: 0)"),
        (json!({ "textures": [{ "source": 2 }] }), "texture 0, source: index 2 is out of range (count: 0)"),
        (
            json!({ "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 3 } } }] }),
            "material 0, texture: index 3 is out of range (count: 0)",
        ),
    ] {
        assert_eq!(refused(&json), words);
    }
}

#[test]
fn an_index_out_of_range_is_refused() {
    let mut json = mesh_over(
        &json!({ "POSITION": 0 }),
        &json!([
            { "componentType": 5126, "count": 2, "type": "VEC3" },
            { "bufferView": 0, "componentType": 5121, "count": 3, "type": "SCALAR" },
        ]),
    );
    json["meshes"][0]["primitives"][0]["indices"] = 1.into();
    let error = read(
        &gltf(&[[0, 1, 2], [0; 3], [0; 3], [0; 3], [0; 3], [0; 3], [0; 3], [0; 3]].concat(), &json),
        &mut no_files,
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "mesh 0, primitive 0, indices: index 2 is out of range (count: 2)"
    );
}

#[test]
fn nodes_that_are_not_a_tree_are_refused() {
    for (nodes, words) in [
        (json!([{ "children": [0] }]), "it is its own ancestor"),
        (json!([{ "children": [1] }, { "children": [0] }]), "it is its own ancestor"),
        (json!([{ "children": [2] }, { "children": [2] }, {}]), "it is a child of both node 0 and node 1"),
        (json!([{ "children": [7] }]), "index 7 is out of range (count: 1)"),
    ] {
        let error = refused(&json!({ "nodes": nodes }));
        assert!(error.ends_with(words), "{error}");
    }
    let deep: Vec<Value> =
        (1..=50_000).map(|child| json!({ "children": [child] })).chain([json!({})]).collect();
    assert_eq!(read(&gltf(&[], &json!({ "nodes": deep })), &mut no_files).unwrap().scene.roots.len(), 1);
}

#[test]
fn a_small_file_cannot_allocate_much_memory() {
    let accessor = json!({ "componentType": 5126, "count": 1_000_000, "type": "VEC3" });
    let primitive = json!({ "attributes": { "POSITION": 0 }, "mode": 5 });
    let json = json!({
        "accessors": [accessor],
        "meshes": [{ "primitives": vec![primitive; 1000] }],
    });
    let error = refused(&json);
    assert!(error.ends_with("items are too many for the size of the file"), "{error}");
    let json = json!({ "accessors": [{ "componentType": 5126, "count": 1_u64 << 62, "type": "VEC3" }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }] });
    let error = refused(&json);
    assert!(error.ends_with("items are too many for the size of the file"), "{error}");
}

#[test]
fn a_document_with_too_many_values_is_refused() {
    let many = |list: &str, count: usize| {
        let items = vec!["{}"; count].join(",");
        let json = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"{list}\":[{items}]}}");
        read(json.as_bytes(), &mut no_files).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(many("nodes", 100_000), Ok(()));
    let message = "glTF: JSON: it has about 4000003 values, but the limit is 2097152";
    assert_eq!(many("nodes", 2_000_000), Err(message.to_owned()));
    assert!(many("materials", 70_000).unwrap_err().contains("more than 65536 materials"));
}

#[test]
fn non_finite_numbers_are_refused() {
    let accessors = json!([{ "bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3" }]);
    let json = mesh_over(&json!({ "POSITION": 0 }), &accessors);
    let error = read(&gltf(&bytes_of(&[f32::NAN; 6]), &json), &mut no_files).unwrap_err();
    assert!(error.to_string().ends_with("it has a non-finite number"), "{error}");
    for node in [
        json!({ "translation": [1e300, 0, 0] }),
        json!({ "matrix": [1e300, 0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1] }),
    ] {
        let error = refused(&json!({ "nodes": [node] }));
        assert!(error.contains("infinite") || error.contains("out of range"), "{error}");
    }
}

#[test]
fn refuses_other_files_with_a_clear_message() {
    let message = |bytes: &[u8]| read(bytes, &mut no_files).unwrap_err().to_string();
    assert_eq!(message(b""), "glTF: the file: it is neither GLB nor glTF JSON");
    assert_eq!(message(b"\x89PNG"), "glTF: the file: it is neither GLB nor glTF JSON");
    assert_eq!(message(b"glTF"), "glTF: the header: it is truncated");
    assert_eq!(message(b"glTF\x01\0\0\0"), "glTF: unsupported GLB version 1 (supported: 2)");
    assert_eq!(
        message(b"glTF\x02\0\0\0\xff\0\0\0"),
        "glTF: the header: it declares 255 bytes, but the file has 12"
    );
    assert_eq!(message(b"{}"), "glTF: asset: it has no version");
    assert_eq!(message(br#"{"asset":{"version":"1.0"}}"#), "glTF: unsupported version 1.0 (supported: 2.0)");
    assert!(message(b"{\"asset\":").starts_with("glTF: JSON: the text ends"));
    let draco = json!({ "extensionsRequired": ["KHR_draco_mesh_compression"] });
    assert_eq!(refused(&draco), "glTF: it requires the unknown extension KHR_draco_mesh_compression");
}

#[test]
fn a_truncated_file_is_refused_or_read() {
    let glb = write_glb(&every_feature()).unwrap();
    for length in (0..glb.len()).step_by(61) {
        assert!(read(&glb[..length], &mut no_files).is_err(), "cut at {length}");
        // A header that matches the remaining length, so that the truncation is detected later.
        let mut cut = glb[..length].to_vec();
        if let Some(slot) = cut.get_mut(8..12) {
            slot.copy_from_slice(&(length as u32).to_le_bytes());
        }
        let _ = read(&cut, &mut no_files);
    }
}

/// Replaces the `at`-th number of a document; returns whether it exists.
fn replace_number(value: &mut Value, at: &mut usize, by: &Value) -> bool {
    match value {
        Value::Number(_) if *at == 0 => {
            *value = by.clone();
            true
        }
        Value::Number(_) => {
            *at -= 1;
            false
        }
        Value::Array(items) => items.iter_mut().any(|item| replace_number(item, at, by)),
        Value::Object(members) => members.values_mut().any(|member| replace_number(member, at, by)),
        _ => false,
    }
}

#[test]
fn a_document_with_any_number_replaced_is_refused_or_read() {
    let files = write_gltf(&every_feature(), "a").unwrap();
    let find = |name: &str| files.iter().find(|(known, _)| known == name).map(|(_, bytes)| bytes.clone());
    let json: Value = json::from_slice(&files[0].1).unwrap();
    let (mut refused, mut numbers) = (0, 0);
    for by in [json!(0), json!(1), json!(4_294_967_295_u64), json!(u64::MAX), json!(-1), json!(1e300)] {
        for place in 0.. {
            let mut edited = json.clone();
            if !replace_number(&mut edited, &mut { place }, &by) {
                break;
            }
            numbers += 1;
            match read(edited.to_string().as_bytes(), &mut { find }) {
                Ok(read) => drop(write_glb(&read.scene)),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 500 && numbers > refused, "{refused} of {numbers}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn any_bytes_are_refused_or_read(bytes: Vec<u8>, kind in 0..3) {
        let start = [&b""[..], b"glTF\x02\0\0\0", b"{\"asset\":{\"version\":\"2.0\"},"][kind as usize];
        let _ = read(&[start, &bytes].concat(), &mut no_files);
    }

    #[test]
    fn a_file_with_any_byte_changed_is_refused_or_read(place in any::<proptest::sample::Index>(), value: u8) {
        let mut glb = write_glb(&every_feature()).unwrap();
        let place = place.index(glb.len());
        glb[place] = value;
        if let Ok(read) = read(&glb, &mut no_files) {
            let _ = write_glb(&read.scene);
        }
    }
}
