use json::Value;

use super::*;
use crate::gltf::{read, write_glb};
use crate::{Light, Sampler, Texture, TextureRef, image::placeholder};

fn triangle(x: f32) -> Primitive {
    Primitive {
        positions: vec![[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]],
        uvs: vec![vec![[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]],
        indices: vec![0, 1, 2],
        ..Primitive::default()
    }
}

/// A wall, a barrier, a trigger with one part, one with two parts, and a lamp.
fn room() -> Scene {
    let mut scene = Scene::new("room");
    let root = scene.add_root(Node::named("room"));
    let light = scene.add_light(Light { intensity: 16.0, ..Light::default() });
    let mut add = |name: &str, parts: usize, body, layer: &'static str| {
        let primitives = (0..parts).map(|part| triangle([0.0, 5.0][part])).collect();
        let mesh = scene.add_mesh(Mesh { name: name.into(), primitives, ..Mesh::default() });
        let layer = Some(Layer::Member(layer.into()));
        scene.add_child(root, Node { mesh: Some(mesh), body: Some(body), layer, ..Node::named(name) })
    };
    add("wall", 1, Body::Solid, "walls");
    add("collision_0-colonly", 1, Body::Barrier, "collision");
    add("trigger_0-colonly", 1, Body::Trigger, "triggers");
    add("trigger_1-colonly", 2, Body::Trigger, "triggers");
    let layer = Some(Layer::Member("lights".into()));
    scene.add_child(root, Node { light: Some(light), layer, ..Node::named("lamp") });
    scene
}

fn adapted(engine: Engine) -> Scene {
    let mut scene = room();
    scene.adapt_to(engine);
    scene
}

fn named<'a>(scene: &'a Scene, name: &str) -> &'a Node {
    scene.nodes.iter().find(|node| node.name == name).unwrap_or_else(|| panic!("no node {name}"))
}

/// Returns the JSON of a scene as GLB.
fn json(scene: &Scene) -> Value {
    let glb = write_glb(scene).unwrap();
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    json::from_slice(&glb[20..20 + length]).unwrap()
}

#[test]
fn names_solid_nodes_and_adds_shapes_of_triggers_for_godot() {
    let scene = adapted(Engine::Godot);
    assert_eq!(named(&scene, "wall-col").trigger, None);
    assert_eq!(named(&scene, "collision_0-colonly").trigger, None);
    let trigger = named(&scene, "trigger_0");
    assert_eq!(trigger.trigger, trigger.mesh);
    let json = json(&scene);
    let shapes = json["extensions"]["OMI_physics_shape"]["shapes"].as_array().unwrap();
    let node = json["nodes"].as_array().unwrap().iter().find(|node| node["name"] == "trigger_0").unwrap();
    let shape = node["extensions"]["OMI_physics_body"]["trigger"]["shape"].as_u64().unwrap();
    assert_eq!(shapes[shape as usize], json!({ "type": "convex", "convex": { "mesh": node["mesh"] } }));
    assert!(scene.meshes.iter().all(|mesh| !mesh.name.contains("-col")), "Godot also evaluates these names");
    // Both parts of the other trigger have a separate hull.
    assert_eq!(shapes.len(), 3);
    assert_eq!(
        json["extensionsUsed"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|it| it.as_str().unwrap().starts_with("OMI_"))
            .count(),
        2
    );
    assert!(json.get("extensionsRequired").is_none());
}

#[test]
fn uses_godot_suffixes_for_godot_only() {
    for engine in [Engine::Unity, Engine::Unreal, Engine::Blender] {
        let scene = adapted(engine);
        assert!(scene.nodes.iter().all(|node| !node.name.contains("-col") && node.trigger.is_none()));
        named(&scene, "collision_0");
        assert!(json(&scene)["extensions"].get("OMI_physics_shape").is_none());
    }
}

#[test]
fn makes_invisible_geometry_transparent_or_translucent() {
    for (engine, alpha) in
        [(Engine::Godot, 0.0), (Engine::Unity, 0.0), (Engine::Unreal, 0.0), (Engine::Blender, 0.25)]
    {
        let scene = adapted(engine);
        let material = |name: &str| {
            let mesh = &scene.meshes[named(&scene, name).mesh.unwrap().0];
            mesh.primitives[0].material.map(|material| &scene.materials[material.0])
        };
        let trigger = material("trigger_0").unwrap();
        assert_eq!((trigger.base_color[3], trigger.alpha), (alpha, AlphaMode::Blend));
        assert_eq!(material(if engine == Engine::Godot { "wall-col" } else { "wall" }), None);
        assert_eq!(scene.materials.len(), 2, "one for triggers, one for barriers");
    }
}

#[test]
fn groups_the_members_of_a_layer_under_one_node() {
    let scene = adapted(Engine::Unity);
    let group = named(&scene, "triggers");
    let names: Vec<&str> = group.children.iter().map(|child| scene.nodes[child.0].name.as_str()).collect();
    assert_eq!(names, ["trigger_0", "trigger_1"]);
    let root = &scene.nodes[scene.roots[0].0];
    let names: Vec<&str> = root.children.iter().map(|child| scene.nodes[child.0].name.as_str()).collect();
    assert_eq!(names, ["walls", "collision", "triggers", "lights"]);
}

#[test]
fn writes_a_scene_per_layer_without_a_default_for_blender() {
    let scene = adapted(Engine::Blender);
    let json = json(&scene);
    assert!(json.get("scene").is_none());
    let names: Vec<&str> =
        json["scenes"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["room", "walls", "collision", "triggers", "lights"]);
    let read = read(&write_glb(&scene).unwrap(), &mut |_| None).unwrap();
    assert!(read.left_out.is_empty(), "{:?}", read.left_out);
    assert_eq!(read.scene.roots.len(), 5, "all scenes are read");
}

#[test]
fn keeps_a_layer_whose_ancestor_has_a_transform() {
    let mut scene = room();
    scene.nodes[0].translation = Vec3::X;
    scene.adapt_to(Engine::Blender);
    assert!(scene.collections.is_empty());
    assert_eq!(scene.roots.len(), 1);
    assert_eq!(named(&scene, "room").children.len(), 4);
}

#[test]
fn scales_light_intensities_for_an_engine_and_restores_them() {
    let scene = adapted(Engine::Blender);
    // The intensity after the conversion of Blender's importer.
    let watts = scene.lights[0].intensity / 683.0 * 4.0 * std::f32::consts::PI;
    assert!((watts - 201.06).abs() < 0.1, "{watts}");
    let read = read(&write_glb(&scene).unwrap(), &mut |_| None).unwrap();
    assert_eq!((read.scene.lights[0].intensity, read.scene.lights[0].extras.len()), (16.0, 0));
    let godot = adapted(Engine::Godot);
    assert_eq!(godot.lights[0].intensity, 4.0);
    let read = crate::gltf::read(&write_glb(&godot).unwrap(), &mut |_| None).unwrap();
    assert_eq!((read.scene.lights[0].intensity, read.scene.lights[0].extras.len()), (16.0, 0));
    assert_eq!(adapted(Engine::Unreal).lights[0].intensity, 16.0);
}

#[test]
fn reads_triggers_and_reports_other_physics_bodies() {
    let scene = adapted(Engine::Godot);
    let glb = write_glb(&scene).unwrap();
    let complete = read(&glb, &mut |_| None).unwrap();
    assert!(complete.left_out.is_empty(), "{:?}", complete.left_out);
    let trigger = named(&complete.scene, "trigger_0");
    assert_eq!(trigger.trigger, trigger.mesh);
    let document = r#"{"asset":{"version":"2.0"},"nodes":[{"name":"a","extensions":{"OMI_physics_body":{"motion":{"type":"static"},"trigger":{"shape":0}}}}],
        "extensionsUsed":["OMI_physics_body"],"extensions":{"OMI_physics_shape":{"shapes":[{"type":"box","box":{"size":[1,1,1]}}]}}}"#;
    let omissions = read(document.as_bytes(), &mut |_| None).unwrap().left_out;
    let reported: Vec<&str> = omissions.iter().map(|it| it.what.as_str()).collect();
    assert_eq!(
        reported,
        ["physics bodies that are not triggers", "triggers that are not the hull of a mesh"]
    );
    let wrong = document.replace(r#""shape":0"#, r#""shape":7"#);
    let error = read(wrong.as_bytes(), &mut |_| None).unwrap_err().to_string();
    assert!(error.contains("index 7 is out of range (count: 1)"), "{error}");
}

#[test]
fn normal_textures_are_written_with_tangents() {
    let mut scene = Scene::new("wall");
    let image = scene.add_image(placeholder("bumps"));
    let texture = scene.add_texture(Texture { name: "bumps".into(), image, sampler: Sampler::default() });
    let material = Material { normal_texture: Some(TextureRef::new(texture)), ..Material::default() };
    let material = scene.add_material(material);
    let mut primitive = Primitive { material: Some(material), ..triangle(0.0) };
    primitive.add_tangents(0);
    let mesh = scene.add_mesh(Mesh { primitives: vec![primitive], ..Mesh::default() });
    scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    let json = json(&scene);
    assert_eq!(json["materials"][0]["normalTexture"], json!({ "index": 0 }));
    let attributes = json["meshes"][0]["primitives"][0]["attributes"].as_object().unwrap();
    assert!(attributes.contains_key("NORMAL") && attributes.contains_key("TANGENT"));
}

#[test]
fn removes_only_godot_suffixes() {
    let names = ["a-col", "a-colonly", "a-convcol", "a"].map(without_suffix);
    assert_eq!(names, ["a", "a", "a-convcol", "a"]);
}
