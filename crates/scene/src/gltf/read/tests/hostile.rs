//! Whatever the bytes are, the reader ends with a scene or an error that says where, within little memory.

use serde_json::{Value, json};

use super::*;

fn refused(json: &Value) -> String {
    read(&gltf(&[0; 24], json), &mut no_files).unwrap_err().to_string()
}

/// A mesh with one primitive of these attributes, over these accessors of a view of all 24 bytes.
fn mesh_over(attributes: &Value, accessors: &Value) -> Value {
    json!({
        "bufferViews": [{ "buffer": 0, "byteLength": 24 }],
        "accessors": accessors,
        "meshes": [{ "primitives": [{ "attributes": attributes }] }],
    })
}

#[test]
fn accessors_that_leave_their_bytes_are_refused() {
    let cases = [
        (json!({ "count": 3 }), "3 items of 12 bytes run past the end of its buffer view"),
        (json!({ "count": 2, "byteOffset": 1 }), "2 items of 12 bytes run past the end of its buffer view"),
        (json!({ "count": 0, "byteOffset": 25 }), "0 items of 12 bytes run past the end of its buffer view"),
        (
            json!({ "count": u64::MAX }),
            "18446744073709551615 items are more than a file with so few bytes may unpack to",
        ),
        (json!({ "bufferView": 1 }), "number 1 is out of range, there are 1"),
        (json!({ "componentType": 5124 }), "5124 is no component type"),
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
fn views_that_leave_their_buffer_are_refused() {
    let accessors = json!([{ "bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3" }]);
    for (view, words) in [
        (
            json!({ "buffer": 0, "byteLength": 25 }),
            "buffer view 0: 25 bytes from 0 on run past the buffer's end (24)",
        ),
        (
            json!({ "buffer": 0, "byteOffset": u64::MAX, "byteLength": 12 }),
            "buffer view 0: 12 bytes from 18446744073709551615 on run past the buffer's end (24)",
        ),
        (json!({ "buffer": 7, "byteLength": 1 }), "buffer view 0: number 7 is out of range, there are 1"),
        (
            json!({ "buffer": 0, "byteLength": 24, "byteStride": 4 }),
            "its items have 12 bytes each, but stand only 4 apart",
        ),
    ] {
        let mut json = mesh_over(&json!({ "POSITION": 0 }), &accessors);
        json["bufferViews"] = json!([view]);
        let error = refused(&json);
        assert!(error.ends_with(words), "{error}");
    }
}

#[test]
fn references_to_nothing_are_refused() {
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
            "mesh 0, primitive 0, POSITION: number 9 is out of range, there are 3",
        ),
        (
            json!({ "attributes": { "POSITION": 0 }, "indices": 0 }),
            "glTF: mesh 0, primitive 0, indices (accessor 0): its items are no whole numbers",
        ),
        (
            json!({ "attributes": { "POSITION": 0, "TEXCOORD_0": 2 } }),
            "mesh 0, primitive 0, TEXCOORD_0: 1 items where 2 were expected",
        ),
        (
            json!({ "attributes": { "POSITION": 2 } }),
            "glTF: mesh 0, primitive 0, POSITION: its items are VEC2, where 3 numbers each were expected",
        ),
        (
            json!({ "attributes": { "POSITION": 0 }, "material": 0 }),
            "mesh 0, primitive 0, material: number 0 is out of range, there are 0",
        ),
        (
            json!({ "attributes": { "POSITION": 0 } }),
            "glTF: mesh 0, primitive 0: 2 corners do not make triangles",
        ),
        (json!({ "attributes": { "POSITION": 0 }, "mode": 9 }), "glTF: mesh 0, primitive 0: 9 is no mode"),
    ];
    for (primitive, words) in cases {
        assert_eq!(mesh(primitive), words);
    }
    for (json, words) in [
        (json!({ "nodes": [{ "mesh": 0 }] }), "node 0, mesh: number 0 is out of range, there are 0"),
        (json!({ "scene": 1, "scenes": [{}] }), "scene: number 1 is out of range, there are 1"),
        (json!({ "scenes": [{ "nodes": [4] }] }), "roots: number 4 is out of range, there are 0"),
        (
            json!({ "textures": [{ "source": 2 }] }),
            "texture 0, source: number 2 is out of range, there are 0",
        ),
        (
            json!({ "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 3 } } }] }),
            "material 0, texture: number 3 is out of range, there are 0",
        ),
    ] {
        assert_eq!(refused(&json), words);
    }
}

#[test]
fn a_corner_beyond_the_vertices_is_refused() {
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
        "mesh 0, primitive 0, indices: number 2 is out of range, there are 2"
    );
}

#[test]
fn nodes_that_make_no_tree_are_refused() {
    for (nodes, words) in [
        (json!([{ "children": [0] }]), "it stands below itself"),
        (json!([{ "children": [1] }, { "children": [0] }]), "it stands below itself"),
        (json!([{ "children": [2] }, { "children": [2] }, {}]), "it stands below both node 0 and node 1"),
        (json!([{ "children": [7] }]), "number 7 is out of range, there are 1"),
    ] {
        let error = refused(&json!({ "nodes": nodes }));
        assert!(error.ends_with(words), "{error}");
    }
    let deep: Vec<Value> =
        (1..=50_000).map(|child| json!({ "children": [child] })).chain([json!({})]).collect();
    assert_eq!(read(&gltf(&[], &json!({ "nodes": deep })), &mut no_files).unwrap().scene.roots.len(), 1);
}

#[test]
fn a_small_file_cannot_ask_for_much_memory() {
    let accessor = json!({ "componentType": 5126, "count": 1_000_000, "type": "VEC3" });
    let primitive = json!({ "attributes": { "POSITION": 0 }, "mode": 5 });
    let json = json!({
        "accessors": [accessor],
        "meshes": [{ "primitives": vec![primitive; 1000] }],
    });
    let error = refused(&json);
    assert!(error.ends_with("items are more than a file with so few bytes may unpack to"), "{error}");
    let json = json!({ "accessors": [{ "componentType": 5126, "count": 1_u64 << 62, "type": "VEC3" }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }] });
    assert!(refused(&json).contains("may unpack to"));
}

#[test]
fn a_document_of_very_many_things_is_refused() {
    let many = |list: &str, count: usize| {
        let items = vec!["{}"; count].join(",");
        let json = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"{list}\":[{items}]}}");
        read(json.as_bytes(), &mut no_files).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(many("nodes", 100_000), Ok(()));
    let message = "glTF: JSON: it has about 4000003 values, at most 2097152 are read";
    assert_eq!(many("nodes", 2_000_000), Err(message.to_owned()));
    assert!(many("materials", 70_000).unwrap_err().contains("more than 65536 materials"));
}

#[test]
fn numbers_that_are_none_are_refused() {
    let accessors = json!([{ "bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3" }]);
    let json = mesh_over(&json!({ "POSITION": 0 }), &accessors);
    let error = read(&gltf(&bytes_of(&[f32::NAN; 6]), &json), &mut no_files).unwrap_err();
    assert!(error.to_string().ends_with("it has a number that is infinite or not a number"), "{error}");
    for node in [
        json!({ "translation": [1e300, 0, 0] }),
        json!({ "matrix": [1e300, 0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1] }),
    ] {
        let error = refused(&json!({ "nodes": [node] }));
        assert!(error.contains("infinite") || error.contains("out of range"), "{error}");
    }
}

#[test]
fn what_is_no_gltf_2_is_refused_in_words() {
    let message = |bytes: &[u8]| read(bytes, &mut no_files).unwrap_err().to_string();
    assert_eq!(message(b""), "glTF: the file: it is neither a GLB nor the JSON of a .gltf");
    assert_eq!(message(b"\x89PNG"), "glTF: the file: it is neither a GLB nor the JSON of a .gltf");
    assert_eq!(message(b"glTF"), "glTF: the header: the file ends within it");
    assert_eq!(message(b"glTF\x01\0\0\0"), "glTF: version 1 of GLB is not read, 2 is");
    assert_eq!(
        message(b"glTF\x02\0\0\0\xff\0\0\0"),
        "glTF: the header: it promises 255 bytes, but the file has 12"
    );
    assert_eq!(message(b"{}"), "glTF: asset: it has no version, so this is not glTF");
    assert_eq!(message(br#"{"asset":{"version":"1.0"}}"#), "glTF: version 1.0 is not read, 2.0 is");
    assert!(message(b"{\"asset\":").starts_with("glTF: JSON: EOF while parsing"));
    let draco = json!({ "extensionsRequired": ["KHR_draco_mesh_compression"] });
    assert_eq!(
        refused(&draco),
        "glTF: it cannot be read without the extension KHR_draco_mesh_compression, which is not known"
    );
}

#[test]
fn a_file_cut_anywhere_is_refused_or_read() {
    let glb = write_glb(&every_feature()).unwrap();
    for length in (0..glb.len()).step_by(61) {
        assert!(read(&glb[..length], &mut no_files).is_err(), "cut at {length}");
        // A header that fits what is left, so that the cut is met further in.
        let mut cut = glb[..length].to_vec();
        if let Some(slot) = cut.get_mut(8..12) {
            slot.copy_from_slice(&(length as u32).to_le_bytes());
        }
        let _ = read(&cut, &mut no_files);
    }
}

/// Puts a number in the place of the `at`-th number in a document; whether there was one.
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
    let json: Value = serde_json::from_slice(&files[0].1).unwrap();
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
