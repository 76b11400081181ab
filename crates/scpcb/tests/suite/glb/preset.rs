//! Presets of rooms, and their bump maps.

use antiquary_scpcb::rmesh::{
    Entity, Header, InvisibleSurface, Light, Model, RMesh, Surface, TextureKind, TriggerBox, Waypoint,
};
use json::{Value, json};
use scene::image::{Limits, Rgba8, decode, encode_png};

use super::setup::{Game, assert_has, image_bytes, plain, room, slot, surface};

const ENGINES: [&str; 4] = ["godot", "unity", "unreal", "blender"];

/// A model with one triangle.
const PROP: &str = "xof 0303txt 0032\nMesh { 3; 0;0;0;, 256;0;0;, 0;256;0;; 1; 3;0,1,2;; }\n";

fn game(name: &str) -> Game {
    let glass = encode_png(&Rgba8::new(1, 1, vec![10, 20, 30, 90]).unwrap());
    let bumps = encode_png(&Rgba8::new(1, 1, vec![128, 200, 250, 255]).unwrap());
    let files = [
        ("GFX/map/wall.png", image_bytes()),
        ("GFX/map/room_lm1.png", image_bytes()),
        ("GFX/map/glass.png", glass),
        ("GFX/map/wallbump.png", bumps),
        ("GFX/map/Props/box.x", PROP.as_bytes().to_vec()),
        (
            "Data/materials.ini",
            b"[wall.png]\nbump = GFX\\map\\WallBump.png\n[bare.png]\nbump = GFX\\map\\nowhere.png\n".to_vec(),
        ),
    ];
    Game::new(name, &files)
}

/// Returns a triangle with a lightmap.
fn lightmapped(texture: &str) -> Surface {
    let mut it = surface(slot(TextureKind::LIGHTMAP, "room_lm1.png"), slot(TextureKind::OPAQUE, texture));
    it.vertices.iter_mut().for_each(|vertex| vertex.color = [255; 3]);
    it
}

/// Returns a room with a lightmapped wall, a wall without lightmap, a pane of glass, a collision surface, two triggers, a prop, a
/// lamp and a waypoint.
fn everything() -> RMesh {
    let invisible = || InvisibleSurface {
        vertices: vec![[0.0; 3], [256.0, 0.0, 0.0], [0.0, 0.0, 512.0]],
        triangles: vec![[0, 1, 2]],
    };
    let trigger = |name: &str| TriggerBox { name: name.into(), surfaces: vec![invisible()] };
    RMesh {
        header: Header::HasTriggerBox,
        surfaces: vec![
            lightmapped("wall.png"),
            surface(slot(TextureKind::OPAQUE, ""), slot(TextureKind::TRANSPARENT, "glass.png")),
            plain("wall.png"),
        ],
        collision: Some(vec![invisible()]),
        triggers: Some(vec![trigger("door"), trigger("door")]),
        entities: Some(vec![
            Entity::Waypoint(Waypoint { position: [1.0, 2.0, 3.0] }),
            Entity::Model(Model { file: "box.x".into(), scale: [1.0; 3], ..Model::default() }),
            Entity::Light(Light {
                position: [5.0; 3],
                range: 512.0,
                color: "255 255 255".into(),
                intensity: 1.0,
                ..Light::default()
            }),
        ]),
        ..room(Vec::new())
    }
}

fn names<'a>(gltf: &'a Value, list: &str) -> Vec<&'a str> {
    gltf[list].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect()
}

fn node<'a>(gltf: &'a Value, name: &str) -> &'a Value {
    let mut nodes = gltf["nodes"].as_array().unwrap().iter();
    nodes
        .find(|node| node["name"] == name)
        .unwrap_or_else(|| panic!("no {name} in {:?}", names(gltf, "nodes")))
}

/// Returns the names of a node's children.
fn children<'a>(gltf: &'a Value, name: &str) -> Vec<&'a str> {
    let children = node(gltf, name)["children"].as_array().unwrap();
    let name = |child: &Value| gltf["nodes"][child.as_u64().unwrap() as usize]["name"].as_str().unwrap();
    children.iter().map(name).collect()
}

/// Returns the surfaces that a node shows.
fn surfaces(gltf: &Value, name: &str) -> Vec<u64> {
    let mesh = node(gltf, name)["mesh"].as_u64().unwrap() as usize;
    let primitives = gltf["meshes"][mesh]["primitives"].as_array().unwrap();
    primitives.iter().map(|primitive| primitive["extras"]["surface"].as_u64().unwrap()).collect()
}

/// A scene without a preset is unchanged.
#[test]
fn without_a_preset_a_room_is_one_mesh_without_collision() {
    let game = game("preset-none");
    for given in [&[("lightmaps", "layers")][..], &[("lightmaps", "layers"), ("preset", "none")]] {
        let (gltf, messages) = game.convert(&everything(), given);
        assert_eq!(names(&gltf, "nodes"), ["room", "waypoint_0", "model_1", "light_2"]);
        assert_eq!(surfaces(&gltf, "room"), [0, 1, 2]);
        assert_has(&messages, "RMESH-N050", "MOZ_lightmap");
        assert!(gltf["extensionsUsed"].as_array().unwrap().contains(&json!("MOZ_lightmap")));
    }
}

#[test]
fn godot_collides_with_solid_surfaces_and_not_with_triggers() {
    let game = game("preset-godot");
    let (gltf, _) = game.convert(&everything(), &[("preset", "godot")]);
    assert_eq!(surfaces(&gltf, "room_solid-col"), [0, 2]);
    assert_eq!(surfaces(&gltf, "room_passable"), [1]);
    assert_eq!(children(&gltf, "props"), ["model_1-col"]);
    assert_eq!(children(&gltf, "collision"), ["collision_0-colonly"]);
    assert_eq!(children(&gltf, "triggers"), ["trigger_0", "trigger_1"]);
    let solid = names(&gltf, "nodes").into_iter().filter(|name| name.contains("-col"));
    assert_eq!(solid.count(), 3);
    for name in ["trigger_0", "trigger_1"] {
        let trigger = node(&gltf, name);
        let shape = trigger["extensions"]["OMI_physics_body"]["trigger"]["shape"].as_u64().unwrap() as usize;
        let shape = &gltf["extensions"]["OMI_physics_shape"]["shapes"][shape];
        assert_eq!(shape, &json!({ "type": "convex", "convex": { "mesh": trigger["mesh"] } }));
        assert_eq!(trigger["extras"]["trigger"]["name"], "door");
    }
}

#[test]
fn every_preset_bakes_lightmaps_and_includes_everything() {
    let game = game("preset-bakes");
    for engine in ENGINES {
        let (gltf, messages) = game.convert(&everything(), &[("preset", engine)]);
        let extensions = gltf["extensionsUsed"].as_array().unwrap();
        assert!(!extensions.contains(&json!("MOZ_lightmap")), "{engine}");
        assert!(gltf.get("extensionsRequired").is_none(), "{engine}");
        let materials = gltf["materials"].as_array().unwrap();
        assert!(materials.iter().any(|it| it["name"].as_str().unwrap().ends_with("(baked)")), "{engine}");
        assert_eq!(messages, Vec::<String>::new(), "{engine}");
        let groups = ["props", "lights", "collision", "triggers", "waypoints"];
        assert!(groups.iter().all(|name| !children(&gltf, name).is_empty()), "{engine}");
        let alpha = if engine == "blender" { 0.25 } else { 0.0 };
        let invisible = materials.iter().find(|it| it["name"] == "trigger").unwrap();
        assert_eq!(invisible["pbrMetallicRoughness"]["baseColorFactor"][3], json!(alpha), "{engine}");
    }
}

#[test]
fn blender_gets_a_scene_for_each_layer_and_its_own_light_unit() {
    let game = game("preset-blender");
    let (gltf, _) = game.convert(&everything(), &[("preset", "blender")]);
    assert_eq!(names(&gltf, "scenes"), ["room", "waypoints", "props", "lights", "collision", "triggers"]);
    assert!(gltf.get("scene").is_none());
    let light = &gltf["extensions"]["KHR_lights_punctual"]["lights"][0];
    assert_eq!(light["intensity"], json!(16.0 * 683.0));
    let (gltf, _) = game.convert(&everything(), &[("preset", "unity")]);
    assert_eq!((names(&gltf, "scenes"), &gltf["scene"]), (vec!["room"], &json!(0)));
    assert_eq!(gltf["extensions"]["KHR_lights_punctual"]["lights"][0]["intensity"], json!(16.0));
}

#[test]
fn explicit_options_override_a_preset() {
    let game = game("preset-given");
    let given = [("with", "triggers"), ("lightmaps", "layers"), ("preset", "godot")];
    let (gltf, messages) = game.convert(&everything(), &given);
    assert_has(&messages, "RMESH-N040", "1 collision surface");
    assert!(!names(&gltf, "nodes").contains(&"collision"));
    assert!(gltf["extensionsUsed"].as_array().unwrap().contains(&json!("MOZ_lightmap")));
}

#[test]
fn rooms_of_all_presets_round_trip() {
    let game = game("preset-back");
    let want = everything();
    for engine in ENGINES {
        for lightmaps in ["bake", "layers"] {
            let glb = game.glb(&want, &[("preset", engine), ("lightmaps", lightmaps)]);
            let read = scene::gltf::read(&glb, &mut |_| None).unwrap();
            let mut report = asset::Report::new();
            let found = RMesh::from_scene(&read.scene, None, &mut report).unwrap();
            assert_eq!(found, want, "{engine} {lightmaps}");
            assert_eq!(report.count(asset::Severity::Warning), 0, "{engine} {lightmaps}: {report:?}");
        }
    }
}

#[test]
fn lit_surfaces_have_bump_maps_with_green_up() {
    let game = game("bump");
    let (gltf, messages) = game.convert(&everything(), &[("lightmaps", "layers")]);
    let materials = gltf["materials"].as_array().unwrap();
    let named = |name: &str| materials.iter().find(|it| it["name"] == name).unwrap();
    let texture = named("wall.png + room_lm1.png")["normalTexture"]["index"].as_u64().unwrap() as usize;
    assert_eq!(gltf["textures"][texture]["name"], "wallbump.png");
    // Unlit surfaces do not need bump maps.
    assert!(named("wall.png").get("normalTexture").is_none());
    assert!(named("glass.png").get("normalTexture").is_none());
    let attributes = |surface: usize| &gltf["meshes"][0]["primitives"][surface]["attributes"];
    assert!(["NORMAL", "TANGENT"].iter().all(|name| attributes(0).get(*name).is_some()));
    assert!(["NORMAL", "TANGENT"].iter().all(|name| attributes(2).get(*name).is_none()));
    assert!(!messages.iter().any(|message| message.contains("bump")), "{messages:?}");

    let glb = game.glb(&everything(), &[("lightmaps", "layers")]);
    let read = scene::gltf::read(&glb, &mut |_| None).unwrap();
    let image = read.scene.images.iter().find(|image| image.name == "wallbump.png").unwrap();
    assert_eq!(decode(&image.encoded.bytes, &Limits::default()).unwrap().pixels(), [128, 55, 250, 255]);
}

#[test]
fn reports_a_missing_bump_map_once() {
    let game = game("bump-missing");
    let (_, messages) = game
        .convert(&room(vec![lightmapped("bare.png"), lightmapped("bare.png")]), &[("lightmaps", "layers")]);
    let bump_messages: Vec<_> = messages.iter().filter(|message| message.contains("bump")).collect();
    assert_eq!(bump_messages, ["RMESH-W024 bump map \"GFX\\map\\nowhere.png\" was not found"]);
}
