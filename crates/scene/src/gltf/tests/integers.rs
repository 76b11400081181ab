//! Vertices that are written as integers.

use json::Value;

use super::*;
use crate::VertexFormat;

/// A primitive with integer positions, and targets that move its first vertices.
fn moving(count: usize, targets: &[&[[f32; 3]]]) -> Primitive {
    let list = |some: &[[f32; 3]]| {
        let mut all = vec![[0.0; 3]; count];
        all.iter_mut().zip(some).for_each(|(slot, it)| *slot = *it);
        all
    };
    let target = |steps: &&[[f32; 3]]| MorphTarget { positions: list(steps), normals: None };
    Primitive {
        positions: vec![[1.0, -2.0, 3.0]; count],
        targets: targets.iter().map(target).collect(),
        indices: vec![0, 1, 2],
        vertex_format: VertexFormat::Integer,
        ..Primitive::default()
    }
}

/// Returns the accessor of an attribute of each target.
fn accessors(glb: &Glb, attribute: &str) -> Vec<Value> {
    let targets = glb.json["meshes"][0]["primitives"][0]["targets"].as_array().unwrap();
    let number = |target: &Value| target[attribute].as_u64().unwrap() as usize;
    targets.iter().map(|target| glb.list("accessors")[number(target)].clone()).collect()
}

fn read_back(scene: &Scene) -> Scene {
    read(&write_glb(scene).unwrap(), &mut |_| None).unwrap().scene
}

#[test]
fn writes_integer_vertices_compactly_and_reads_them_back() {
    let mut scene = Scene::default();
    let square = Primitive {
        positions: vec![[0.0, 5.0, 0.0], [-32.0, 970.0, 0.0], [-32.0, 0.0, -8160.0]],
        normals: Some(vec![[0.0, 2.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, -1.0]]),
        uvs: vec![vec![[0.0, 1.0], [0.25, 0.5], [1.0, 0.0]]],
        indices: vec![0, 1, 2],
        vertex_format: VertexFormat::Integer,
        ..Primitive::default()
    };
    // Fractional positions, and texture coordinates outside of the image, stay unchanged.
    let other = Primitive {
        positions: vec![[0.5, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        uvs: vec![vec![[0.0, 2.0]; 3]],
        normals: None,
        ..square.clone()
    };
    let mesh = scene.add_mesh(Mesh { primitives: vec![square.clone(), other.clone()], ..Mesh::default() });
    scene.add_root(Node { mesh: Some(mesh), scale: Vec3::splat(0.4), ..Node::default() });
    let glb = written(&scene);
    for member in ["extensionsUsed", "extensionsRequired"] {
        assert_eq!(glb.json[member], json!(["KHR_mesh_quantization"]), "{member}");
    }
    let kinds: Vec<_> = glb.json["accessors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["componentType"].as_u64().unwrap())
        .collect();
    // The indices are shared with the first primitive.
    assert_eq!(kinds, [5122, 5120, 5123, 5123, 5126, 5126]);
    let views = glb.json["bufferViews"].as_array().unwrap();
    assert_eq!((&views[0]["byteStride"], &views[0]["byteLength"]), (&json!(8), &json!(48)));
    assert_eq!((&views[1]["byteStride"], &views[1]["byteLength"]), (&json!(4), &json!(24)));
    let read = read(&write_glb(&scene).unwrap(), &mut |_| None).unwrap().scene;
    let [first, second] = read.meshes[0].primitives.as_slice() else { panic!("{read:?}") };
    assert_eq!((&first.positions, &first.indices), (&square.positions, &square.indices));
    for (found, wanted) in first.uvs[0].as_flattened().iter().zip(square.uvs[0].as_flattened()) {
        assert!((found - wanted).abs() < 1e-5, "{found} {wanted}");
    }
    let normals = first.normals.as_ref().unwrap();
    assert!((normals[0][1] - 1.0).abs() < 1e-6 && (normals[1][0] - 0.6).abs() < 5e-3, "{normals:?}");
    assert_eq!((&second.positions, &second.uvs), (&other.positions, &other.uvs));
}

#[test]
fn writes_differences_with_the_required_number_of_bits() {
    let all = [127.0, -128.0, 0.0];
    let targets: &[&[[f32; 3]]] =
        &[&[all; 3], &[[128.0, 0.0, 0.0]; 3], &[[32_767.0, -32_768.0, 1.0]; 3], &[[32_768.0, 0.0, 0.0]; 3]];
    let scene = scene_of(moving(3, targets));
    let glb = written(&scene);
    let found = accessors(&glb, "POSITION");
    let kinds: Vec<u64> = found.iter().map(|it| it["componentType"].as_u64().unwrap()).collect();
    assert_eq!(kinds, [5120, 5122, 5122, 5126]);
    assert!(found.iter().all(|it| it.get("normalized").is_none()), "{found:?}");
    // Bounds of integers are integers.
    let bounds = |it: &Value| [it["min"].to_string(), it["max"].to_string()];
    assert_eq!(bounds(&found[0]), ["[127,-128,0]", "[127,-128,0]"]);
    assert_eq!(bounds(&found[3]), ["[32768.0,0.0,0.0]", "[32768.0,0.0,0.0]"]);
    assert_eq!(bounds(&glb.list("accessors")[0]), ["[1,-2,3]", "[1,-2,3]"]);
    let stride = |it: &Value| glb.list("bufferViews")[it["bufferView"].as_u64().unwrap() as usize].clone();
    assert_eq!((&stride(&found[0])["byteStride"], &stride(&found[1])["byteStride"]), (&json!(4), &json!(8)));
    assert_eq!(read_back(&scene).meshes[0].primitives[0].targets, scene.meshes[0].primitives[0].targets);
}

#[test]
fn writes_sparse_differences_without_padding() {
    let count = 200;
    let targets: &[&[[f32; 3]]] =
        &[&[[1.0, 2.0, 3.0], [0.0; 3], [-4.0, 5.0, -6.0]], &[[1.0, 2.0, 300.0], [-400.0, 5.0, -6.0]], &[]];
    let scene = scene_of(moving(count, targets));
    let glb = written(&scene);
    let found = accessors(&glb, "POSITION");
    let kinds: Vec<u64> = found.iter().map(|it| it["componentType"].as_u64().unwrap()).collect();
    assert_eq!(kinds, [5120, 5122, 5120]);
    let moved: Vec<_> = found.iter().map(|it| it["sparse"]["count"].as_u64()).collect();
    assert_eq!(moved, [Some(2), Some(2), None]);
    let values = |it: &Value, bytes: usize| {
        let values = &it["sparse"]["values"];
        let offset = values["byteOffset"].as_u64().unwrap_or(0) as usize;
        glb.view(values["bufferView"].as_u64().unwrap() as usize)[offset..][..bytes].to_vec()
    };
    assert_eq!(values(&found[0], 6), [1, 2, 3, 252, 5, 250]);
    assert_eq!(values(&found[1], 12), [1, 0, 2, 0, 44, 1, 112, 254, 5, 0, 250, 255]);
    assert_eq!(read_back(&scene).meshes[0].primitives[0].targets, scene.meshes[0].primitives[0].targets);
}

/// A primitive with equal normals, which its only target changes to another normal.
fn turning(base: [f32; 3], to: [f32; 3], format: VertexFormat) -> Primitive {
    let turn = [to[0] - base[0], to[1] - base[1], to[2] - base[2]];
    let mut primitive = Primitive { vertex_format: format, ..moving(3, &[&[]]) };
    primitive.normals = Some(vec![base; 3]);
    primitive.targets[0].normals = Some(vec![turn; 3]);
    primitive
}

#[test]
fn rounds_morphed_normals_like_separate_frames() {
    let (base, to) = ([0.6, 0.8, 0.0], [0.36, 0.48, 0.8]);
    let scene = scene_of(turning(base, to, VertexFormat::Integer));
    let glb = written(&scene);
    let found = accessors(&glb, "NORMAL");
    assert_eq!((&found[0]["componentType"], &found[0]["normalized"]), (&json!(5120), &json!(true)));
    let numbers = |accessor: &Value| {
        let at = glb.list("accessors").iter().position(|it| it == accessor).unwrap();
        glb.numbers(at)
    };
    let base = glb.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"].as_u64().unwrap() as usize;
    let sum: Vec<f64> = glb.numbers(base).iter().zip(numbers(&found[0])).map(|(a, b)| a + b).collect();
    assert_eq!(sum[..3], [46.0, 61.0, 102.0], "127 times the other normal, rounded");
    // A normal that is turned over exceeds the range of bytes.
    let scene = scene_of(turning([0.0, 0.0, 1.0], [0.0, 0.6, -0.8], VertexFormat::Integer));
    let glb = written(&scene);
    assert_eq!(accessors(&glb, "NORMAL")[0]["componentType"], 5126);
    let back = read_back(&scene);
    let turn = back.meshes[0].primitives[0].targets[0].normals.as_ref().unwrap()[0];
    assert!((turn[2] + 1.0 + 102.0 / 127.0).abs() < 1e-6, "{turn:?}");
}

#[test]
fn writes_exact_normals_as_floats() {
    let base = [0.6, 0.8, 0.0];
    let scene = scene_of(turning(base, [0.36, 0.48, 0.8], VertexFormat::IntegerExceptNormals));
    let glb = written(&scene);
    assert_eq!(accessors(&glb, "NORMAL")[0]["componentType"], 5120);
    let back = read_back(&scene);
    assert_eq!(back.meshes[0].primitives[0].normals, scene.meshes[0].primitives[0].normals);
}
