//! The guarantees of the writer.

pub(super) mod arbitrary;
mod integers;
mod reader;
mod refused;

use std::sync::Arc;

use glam::{Quat, Vec3};
use json::json;
use record::Kind;

use self::reader::Glb;
use super::*;
use crate::{
    Animation, Encoded, Image, Instance, Interpolation, Light, LightKind, Material, Mesh, MorphTarget, Node,
    Primitive, Sampler, Target, Texture, TextureRef, Track, color::srgb8_to_linear, image::placeholder,
    sample::every_feature,
};

/// A triangle in the XY plane.
fn triangle() -> Primitive {
    Primitive {
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        indices: vec![0, 1, 2],
        ..Primitive::default()
    }
}

fn mesh(primitive: Primitive) -> Mesh {
    Mesh { name: "mesh".into(), primitives: vec![primitive], ..Mesh::default() }
}

/// A scene with one root that shows one mesh with one primitive.
fn scene_of(primitive: Primitive) -> Scene {
    let mut scene = Scene::new("scene");
    let mesh = scene.add_mesh(mesh(primitive));
    scene.add_root(Node { mesh: Some(mesh), ..Node::named("node") });
    scene
}

fn written(scene: &Scene) -> Glb {
    let glb = Glb::read(&write_glb(scene).unwrap());
    glb.check();
    glb
}

#[test]
fn writes_the_expected_json_of_a_triangle() {
    let mut scene = scene_of(triangle());
    scene.copyright = Some("Example".into());
    scene.nodes[0].translation = Vec3::new(0.5, 0.0, 0.0);
    let glb = written(&scene);
    let expected = json!({
        "asset": { "version": "2.0", "generator": concat!("Antiquary ", env!("CARGO_PKG_VERSION")), "copyright": "Example" },
        "scene": 0,
        "scenes": [{ "name": "scene", "nodes": [0] }],
        "nodes": [{ "name": "node", "translation": [0.5, 0.0, 0.0], "mesh": 0 }],
        "meshes": [{ "name": "mesh", "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "accessors": [
            {
                "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                "min": [0.0, 0.0, 0.0], "max": [1.0, 1.0, 0.0],
            },
            { "bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 36, "byteStride": 12, "target": 34962 },
            { "buffer": 0, "byteOffset": 36, "byteLength": 6, "target": 34963 },
        ],
        "buffers": [{ "byteLength": 44 }],
    });
    // Compared as text, so that the order of members counts.
    assert_eq!(glb.json.to_string(), expected.to_string());
    assert_eq!(glb.binary[36..], [0, 0, 1, 0, 2, 0, 0, 0]);
}

#[test]
fn writes_every_feature_correctly() {
    let glb = written(&every_feature());
    let extensions = [
        "KHR_animation_pointer",
        "KHR_lights_punctual",
        "KHR_materials_unlit",
        "KHR_texture_transform",
        "MOZ_lightmap",
    ];
    assert_eq!(glb.json["extensionsUsed"], json!(extensions));
    assert_eq!(glb.json["meshes"][1]["extras"]["targetNames"], json!(["grown", "bent"]));
    let lightmap = json!({ "index": 4, "texCoord": 1, "intensity": 4.594794 });
    assert_eq!(glb.json["materials"][1]["extensions"]["MOZ_lightmap"], lightmap);
    assert_eq!(glb.json["animations"].as_array().unwrap().len(), 3);
}

#[test]
fn writes_equal_lists_once_per_use() {
    let mut scene = scene_of(triangle());
    // The same positions with other normals: only the normals are new.
    let other = Primitive { normals: Some(vec![[0.0, 0.0, 1.0]; 3]), ..triangle() };
    let other = scene.add_mesh(mesh(other));
    scene.add_root(Node { mesh: Some(other), ..Node::named("other") });
    let glb = written(&scene);
    assert_eq!(glb.json["accessors"].as_array().unwrap().len(), 3);
    let attributes = |mesh: usize| &glb.json["meshes"][mesh]["primitives"][0]["attributes"];
    assert_eq!(attributes(0)["POSITION"], attributes(1)["POSITION"]);
}

#[test]
fn writes_the_instances_of_a_mesh() {
    let mut scene = scene_of(triangle());
    let instance = |x: f32| Instance { translation: Vec3::X * x, rotation: Quat::IDENTITY, scale: Vec3::ONE };
    scene.instances.insert(scene.roots[0], vec![instance(1.0), instance(2.0)]);
    let glb = written(&scene);
    assert_eq!(glb.json["extensionsRequired"], json!(["EXT_mesh_gpu_instancing"]));
    let attributes = &glb.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
    let names: Vec<&String> = attributes.as_object().unwrap().keys().collect();
    // A scale of 1 is not written.
    assert_eq!(names, ["TRANSLATION", "ROTATION"]);
    let translation = attributes["TRANSLATION"].as_u64().unwrap() as usize;
    assert_eq!(glb.json["accessors"][translation]["count"], 2);
    // A node without a mesh has no instances.
    scene.nodes[0].mesh = None;
    assert!(written(&scene).json["nodes"][0].get("extensions").is_none());
}

#[test]
fn animates_several_nodes_with_the_keyframes_of_one_track() {
    let mut scene = scene_of(triangle());
    let second = scene.add_root(Node::named("second"));
    let mut track =
        Track::translation(scene.roots[0], Interpolation::Linear, [(0.0, Vec3::ZERO), (1.0, Vec3::X)]);
    track.also = vec![Target::Translation(second)];
    scene.add_animation(Animation { name: "move".into(), tracks: vec![track], ..Animation::default() });
    let glb = written(&scene);
    let clip = &glb.json["animations"][0];
    assert_eq!(
        (clip["channels"].as_array().unwrap().len(), clip["samplers"].as_array().unwrap().len()),
        (2, 1)
    );
    // No two tracks have the same target, and all targets of a track are of the same kind.
    for wrong in [Target::Translation(scene.roots[0]), Target::Rotation(second)] {
        scene.animations[0].tracks[0].also = vec![wrong];
        assert!(write_glb(&scene).is_err(), "{wrong:?}");
    }
}

#[test]
fn writes_the_same_bytes_for_the_same_scene() {
    assert_eq!(write_glb(&every_feature()).unwrap(), write_glb(&every_feature()).unwrap());
    assert_eq!(write_gltf(&every_feature(), "a").unwrap(), write_gltf(&every_feature(), "a").unwrap());
}

#[test]
fn an_empty_scene_is_written_without_a_buffer() {
    let glb = written(&Scene::new("nothing"));
    assert!(glb.binary.is_empty());
    assert!(glb.json.get("buffers").is_none());
    assert_eq!(glb.json["scenes"], json!([{ "name": "nothing" }]));
    assert_eq!(write_gltf(&Scene::new("nothing"), "a").unwrap().len(), 1);
}

#[test]
fn generates_names_of_unnamed_objects() {
    let mut scene = scene_of(triangle());
    scene.name.clear();
    scene.nodes[0].name.clear();
    scene.add_material(Material::default());
    let glb = written(&scene);
    assert_eq!(glb.json["scenes"][0]["name"], "scene 0");
    assert_eq!(glb.json["nodes"][0]["name"], "node 0");
    assert_eq!(glb.json["materials"][0]["name"], "material 0");
}

#[test]
fn empty_primitives_and_meshes_are_omitted_with_their_references() {
    let mut scene = scene_of(Primitive { indices: vec![], ..triangle() });
    scene.meshes[0].primitives.push(Primitive {
        material: None,
        indices: vec![0, 1, 2],
        ..Primitive::default()
    });
    let shown =
        scene.add_mesh(Mesh { primitives: vec![Primitive::default(), triangle()], ..Mesh::default() });
    let root = scene.roots[0];
    scene.add_child(root, Node { mesh: Some(shown), ..Node::default() });
    let track = Track::from_keys(Target::Weights(root), Interpolation::Linear, [(0.0, [1.0])]);
    scene.add_animation(Animation { tracks: vec![track], ..Animation::default() });
    let glb = written(&scene);
    assert_eq!(glb.list("meshes").len(), 1);
    assert_eq!(glb.list("meshes")[0]["primitives"].as_array().unwrap().len(), 1);
    assert!(glb.json["nodes"][0].get("mesh").is_none());
    assert_eq!(glb.json["nodes"][1]["mesh"], 0);
    assert!(glb.json.get("animations").is_none());
}

#[test]
fn writes_16_bit_indices_below_65535() {
    for (last, component) in [(65_533_u32, 5123), (65_534, 5123), (65_535, 5125), (70_000, 5125)] {
        let positions = vec![[0.0; 3]; last as usize + 1];
        let glb =
            written(&scene_of(Primitive { positions, indices: vec![0, 1, last], ..Primitive::default() }));
        assert_eq!(glb.json["accessors"][1]["componentType"], component, "{last}");
        assert_eq!(glb.numbers(1), [0.0, 1.0, f64::from(last)]);
    }
}

#[test]
fn preserves_dark_display_colors() {
    let colors: Vec<[f32; 4]> = (0..=255).map(|value| [srgb8_to_linear(value), 0.0, 2.0, -1.0]).collect();
    let glb = written(&scene_of(Primitive {
        positions: vec![[0.0; 3]; 256],
        colors: Some(colors),
        indices: vec![0, 1, 2],
        ..Primitive::default()
    }));
    assert_eq!(glb.json["accessors"][1]["normalized"], true);
    for (value, color) in glb.numbers(1).chunks(4).enumerate() {
        let shown = crate::color::linear_to_srgb((color[0] / 65535.0) as f32) * 255.0;
        assert!((shown - value as f32).abs() < 0.05, "{value} became {shown}");
        assert_eq!(color[1..], [0.0, 65535.0, 0.0]);
    }
}

#[test]
fn normalizes_normals_and_replaces_zero_with_up() {
    let normals = Some(vec![[0.0, 0.0, 5.0], [0.6, 0.8, 0.0], [0.0; 3]]);
    let glb = written(&scene_of(Primitive { normals, ..triangle() }));
    let expected = [[0.0, 0.0, 1.0], [0.6, 0.8, 0.0], [0.0, 1.0, 0.0]];
    assert_eq!(
        glb.numbers(1),
        expected.as_flattened().iter().map(|n: &f32| f64::from(*n)).collect::<Vec<_>>()
    );
}

#[test]
fn normalizes_rotations_and_omits_defaults() {
    let mut scene = Scene::new("rotations");
    scene.add_root(Node { rotation: Quat::from_xyzw(0.0, 3.0, 0.0, 0.0), ..Node::default() });
    scene.add_root(Node { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 7.0), ..Node::default() });
    let glb = written(&scene);
    assert_eq!(
        glb.json["nodes"],
        json!([{ "name": "node 0", "rotation": [0.0, 1.0, 0.0, 0.0] }, { "name": "node 1" }])
    );
}

#[test]
fn normalizes_weights_and_merges_duplicate_joints() {
    let glb = written(&every_feature());
    let primitive = &glb.json["meshes"][2]["primitives"][0]["attributes"];
    let joints = glb.numbers(primitive["JOINTS_0"].as_u64().unwrap() as usize);
    let weights = glb.numbers(primitive["WEIGHTS_0"].as_u64().unwrap() as usize);
    assert_eq!(joints[12..], [1.0, 0.0, 0.0, 0.0]);
    for (joints, weights) in joints.chunks(4).zip(weights.chunks(4)) {
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-6);
        assert!(joints.iter().zip(weights).all(|(joint, weight)| *joint == 0.0 || *weight > 0.0));
    }
}

#[test]
fn stores_equal_images_and_samplers_once() {
    let mut scene = Scene::new("images");
    for name in ["a", "b"] {
        let image = scene.add_image(placeholder(name));
        scene.add_texture(Texture { name: name.into(), image, sampler: Sampler::default() });
    }
    let glb = written(&scene);
    let textures =
        json!([{ "name": "a", "sampler": 0, "source": 0 }, { "name": "b", "sampler": 0, "source": 0 }]);
    assert_eq!(glb.json["textures"], textures);
    assert_eq!(glb.list("images").len(), 1);
    assert_eq!(glb.list("samplers").len(), 1);
    assert_eq!(glb.view(0), &*placeholder("c").encoded.bytes);
}

#[test]
fn shares_times_between_tracks() {
    let mut scene = Scene::new("times");
    let node = scene.add_root(Node::default());
    let tracks = vec![
        Track::translation(node, Interpolation::Linear, [(0.0, Vec3::ZERO), (1.5, Vec3::X)]),
        Track::scale(node, Interpolation::Step, [(0.0, Vec3::ONE), (1.5, Vec3::X)]),
    ];
    scene.add_animation(Animation { name: "clip".into(), tracks, ..Animation::default() });
    let glb = written(&scene);
    let samplers = json!([{ "input": 0, "output": 1 }, { "input": 0, "output": 2, "interpolation": "STEP" }]);
    assert_eq!(glb.json["animations"][0]["samplers"], samplers);
    assert_eq!(glb.json["accessors"][0]["max"], json!([1.5]));
}

#[test]
fn writes_properties_that_animations_point_to() {
    let mut scene = Scene::new("pointers");
    let image = scene.add_image(placeholder("image"));
    let texture = scene.add_texture(Texture { name: String::new(), image, sampler: Sampler::default() });
    let material = scene
        .add_material(Material { base_color_texture: Some(TextureRef::new(texture)), ..Material::default() });
    let tracks = vec![
        Track::from_keys(
            Target::MaterialUvRotation(material),
            Interpolation::Linear,
            [(0.0, [0.0]), (1.0, [1.0])],
        ),
        Track::from_keys(Target::MaterialBaseColor(material), Interpolation::Linear, [(0.0, [1.0; 4])]),
    ];
    scene.add_animation(Animation { tracks, ..Animation::default() });
    let glb = written(&scene);
    let transform =
        json!({ "KHR_texture_transform": { "offset": [0.0, 0.0], "rotation": 0.0, "scale": [1.0, 1.0] } });
    assert_eq!(glb.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["extensions"], transform);
    let channel = json!({ "sampler": 0, "target": { "path": "pointer", "extensions": { "KHR_animation_pointer": {
        "pointer": "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/rotation",
    } } } });
    assert_eq!(glb.json["animations"][0]["channels"][0], channel);
}

#[test]
fn limits_a_cone_to_less_than_a_right_angle() {
    let mut scene = Scene::new("light");
    let kind = LightKind::Spot { inner_cone: 0.0, outer_cone: std::f32::consts::FRAC_PI_2 };
    scene.add_light(Light { kind, ..Light::default() });
    let light = &written(&scene).json["extensions"]["KHR_lights_punctual"]["lights"][0];
    assert!(light["spot"]["outerConeAngle"].as_f64().unwrap() <= std::f64::consts::FRAC_PI_2);
    assert_eq!(light["type"], "spot");
}

#[test]
fn generates_names_of_morph_targets() {
    let target = MorphTarget { positions: vec![[1.0; 3]; 3], normals: None };
    let glb = written(&scene_of(Primitive { targets: vec![target.clone(), target], ..triangle() }));
    assert_eq!(glb.json["meshes"][0]["extras"]["targetNames"], json!(["target 0", "target 1"]));
}

#[test]
fn writes_sparse_morph_targets_for_few_moved_vertices() {
    let count = 100;
    let all = Primitive { positions: vec![[1.0; 3]; count], indices: vec![0, 1, 99], ..Primitive::default() };
    let moving = |indices: &[usize]| {
        let mut positions = vec![[0.0; 3]; count];
        indices.iter().for_each(|index| positions[*index] = [0.5, -1.0, *index as f32]);
        MorphTarget { positions, normals: None }
    };
    let everywhere: Vec<usize> = (0..count).collect();
    let targets: Vec<_> = [&[][..], &[7, 99], &everywhere, &[7, 99]].map(moving).into();
    let scene = scene_of(Primitive { targets: targets.clone(), ..all });
    let glb = written(&scene);
    let used: Vec<u64> = glb.json["meshes"][0]["primitives"][0]["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|target| target["POSITION"].as_u64().unwrap())
        .collect();
    assert_eq!(used[1], used[3], "equal targets share an accessor");
    let accessors = glb.list("accessors");
    let [still, few, many] = [0, 1, 2].map(|target| &accessors[used[target] as usize]);
    assert!(still.get("bufferView").is_none() && still.get("sparse").is_none(), "{still}");
    assert!(few.get("bufferView").is_none() && few["sparse"]["count"] == 2, "{few}");
    assert!(many["bufferView"].is_u64() && many.get("sparse").is_none(), "{many}");
    assert_eq!((&few["min"], &few["max"]), (&json!([0.0, -1.0, 0.0]), &json!([0.5, 0.0, 99.0])));
    let back = read(&write_glb(&scene).unwrap(), &mut |_| None).unwrap().scene;
    assert_eq!(back.meshes[0].primitives[0].targets, targets);
}

#[test]
fn writes_weights_of_zero_and_one_as_bytes() {
    let target = MorphTarget { positions: vec![[1.0; 3]; 3], normals: None };
    for (values, kind) in [([0.0, 1.0, 1.0, 0.0], 5121), ([0.0, 1.0, 0.5, 0.0], 5126)] {
        let mut scene = scene_of(Primitive { targets: vec![target.clone(), target.clone()], ..triangle() });
        let track = Track {
            target: Target::Weights(crate::NodeId(0)),
            also: Vec::new(),
            interpolation: Interpolation::Step,
            times: vec![0.0, 1.0],
            values: values.to_vec(),
        };
        scene.add_animation(Animation { name: "frames".into(), tracks: vec![track], ..Animation::default() });
        let glb = written(&scene);
        let output = glb.json["animations"][0]["samplers"][0]["output"].as_u64().unwrap() as usize;
        let accessor = &glb.list("accessors")[output];
        assert_eq!(
            (&accessor["componentType"], accessor["normalized"] == true),
            (&json!(kind), kind == 5121)
        );
        let back = read(&write_glb(&scene).unwrap(), &mut |_| None).unwrap().scene;
        assert_eq!(back.animations[0].tracks[0].values, values);
    }
}

/// A scene with a mesh and an image that are large enough to be shared.
fn shareable(name: &str) -> Scene {
    let mut scene = Scene::new(name);
    let Image { encoded, .. } = placeholder("");
    let bytes: Arc<[u8]> = [&*encoded.bytes, &[0; 2000]].concat().into();
    let image =
        scene.add_image(Image { name: "GFX\\Wall.JPG".into(), encoded: Encoded { bytes, ..encoded } });
    scene.add_texture(Texture { name: "wall".into(), image, sampler: Sampler::default() });
    let positions = (0..2000).map(|number| [number as f32, 0.0, 1.0]).collect();
    let large = Primitive { positions, indices: vec![0, 1, 1999], ..Primitive::default() };
    let mut other = large.clone();
    other.positions[7] = [9.0; 3];
    for (source, primitive) in
        [(Some("Tree".to_owned()), large), (Some("leaf".into()), triangle()), (None, other)]
    {
        let mesh = scene.add_mesh(Mesh { source, ..mesh(primitive) });
        scene.add_root(Node { mesh: Some(mesh), ..Node::named(name) });
    }
    scene
}

#[test]
fn shares_images_and_large_meshes_with_a_source() {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for name in ["a", "b"] {
        let scene = shareable(name);
        let mut own = Vec::new();
        let documents = write_gltf_sharing(&scene, name, "../shared/", &mut |file| {
            own.push((file.name.clone(), file.bytes().into_owned()));
            Ok(())
        })
        .unwrap();
        assert_eq!(own.len(), 2, "the small mesh and the one without a source are not shared");
        assert!(files.is_empty() || files == own, "the same content has the same name");
        assert!(own[0].0.starts_with("wall-") && own[0].0.ends_with(".png"), "{}", own[0].0);
        assert!(own[1].0.starts_with("tree-") && own[1].0.ends_with(".bin"), "{}", own[1].0);
        files = own;
        let complete = write_glb(&scene).unwrap();
        assert!(documents[1].1.len() + files[0].1.len() + files[1].1.len() < complete.len());
        let mut referenced = |name: &str| {
            let name = name.strip_prefix("../shared/").unwrap_or(name);
            let mut known = documents.iter().chain(&files);
            known.find(|(known, _)| known == name).map(|(_, bytes)| bytes.clone())
        };
        let shared = read(&documents[0].1, &mut referenced).unwrap().scene;
        assert_eq!(shared, read(&complete, &mut |_| None).unwrap().scene);
    }
    // Different content has another name.
    let mut scene = shareable("a");
    scene.meshes[0].primitives[0].positions[5] = [0.5; 3];
    let mut own = Vec::new();
    let mut keep = |file: &SharedFile<'_>| {
        own.push(file.name.clone());
        Ok(())
    };
    let gltf = write_gltf_sharing(&scene, "a", "shared/", &mut keep).unwrap();
    assert_eq!(gltf.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a.gltf", "a.bin"]);
    assert!(own[0] == files[0].0 && own[1] != files[1].0);
}

#[test]
fn writes_a_self_contained_glb() {
    let glb = write_glb(&shareable("a")).unwrap();
    assert!(!glb.windows(5).any(|bytes| bytes == b"\"uri\""));
    assert!(read(&glb, &mut |name| panic!("{name} is another file")).unwrap().left_out.is_empty());
}

#[test]
fn writes_safe_image_names_that_differ_in_more_than_case() {
    let mut scene = scene_of(triangle());
    for (number, name) in
        ["GFX\\Wall.JPG", "gfx/wall.bmp", "a:b?.png", "", "Straße.tga"].into_iter().enumerate()
    {
        // Different bytes, because equal images would be merged.
        let Image { encoded, .. } = placeholder("");
        let bytes: Arc<[u8]> = [&*encoded.bytes, &[number as u8]].concat().into();
        scene.add_image(Image { name: name.into(), encoded: Encoded { bytes, ..encoded } });
    }
    let files = write_gltf(&scene, "room 1").unwrap();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let images = [
        "room 1.Wall.png",
        "room 1.wall_2.png",
        "room 1.a_b_.png",
        "room 1.image_3.png",
        "room 1.Straße.png",
    ];
    assert_eq!(names[..2], ["room 1.gltf", "room 1.bin"]);
    assert_eq!(names[2..], images);
    let json: json::Value = json::from_slice(&files[0].1).unwrap();
    assert_eq!(json["buffers"][0]["uri"], "room%201.bin");
    assert_eq!(json["images"][4]["uri"], "room%201.Stra%C3%9Fe.png");
    assert!(files[0].1.starts_with(b"{\n  \"asset\""));
}

#[test]
fn a_file_beyond_four_gigabytes_is_refused() {
    assert_eq!(glb_length(100, 0).unwrap(), 120);
    assert_eq!(glb_length(4, 0xffff_ffff - 32).unwrap(), 0xffff_ffff);
    let error = glb_length(4, 0xffff_ffff - 31).unwrap_err();
    assert_eq!(error.kind(), Kind::Limit);
    assert!(error.message().starts_with("the file would have 4294967296 bytes"), "{error}");
}

#[test]
fn writes_the_image_index_of_a_nodes_picture() {
    let scene = every_feature();
    let picture = scene.nodes.iter().find_map(|node| node.picture).unwrap();
    let json = written(&scene).json;
    let group = json["nodes"].as_array().unwrap().iter().find(|node| node["name"] == "group").unwrap();
    let number = group["extras"]["image"].as_u64().unwrap() as usize;
    assert_ne!(number, picture.0, "duplicate images are written once");
    assert_eq!(json["images"][number]["name"], *scene.images[picture.0].name);

    let mut wrong = scene;
    wrong.nodes.iter_mut().for_each(|node| node.picture = node.picture.map(|_| crate::ImageId(99)));
    assert!(write_glb(&wrong).unwrap_err().message().contains("index 99 is out of range"));
}

#[test]
fn writes_and_copies_lines() {
    let mut scene = Scene::new("lines");
    let part = Primitive {
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        indices: vec![0, 1, 1, 2],
        topology: crate::Topology::Lines,
        ..Primitive::default()
    };
    let odd = Primitive { indices: vec![0, 1, 2], ..part.clone() };
    let mesh = scene.add_mesh(Mesh { primitives: vec![part], ..Mesh::default() });
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    assert_eq!(written(&scene).json["meshes"][0]["primitives"][0]["mode"], 1);
    // A copy keeps lines separate from triangles with the same material.
    let mut other = Scene::new("copy");
    let copy = other.add_static_copy(&scene).unwrap();
    assert_eq!(other.meshes[copy.0].primitives[0].indices, [0, 1, 1, 2]);
    scene.meshes[0].primitives = vec![odd];
    assert!(write_glb(&scene).unwrap_err().to_string().contains("multiple of 2"));
}
