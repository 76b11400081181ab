//! Models in a room.

use antiquary_scpcb::rmesh::{Entity, Model, RMesh};
use json::{Value, json};

use super::setup::{Game, assert_has, image_bytes, plain, room};

/// Returns a triangle in a frame that translates it by 256 units upward.
fn lamp(texture: &str) -> Vec<u8> {
    format!(
        "xof 0303txt 0032
        Frame lamp {{
            FrameTransformMatrix {{ 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,256,0,1;; }}
            Mesh shade {{
                3; 0;0;0;, 256;0;0;, 0;0;512;;
                1; 3;0,1,2;;
                MeshTextureCoords {{ 3; 0;0;, 1;0;, 0;1;; }}
                MeshMaterialList {{ 1; 1; 0;; Material {{ 1;1;1;1;; 1; 0;0;0;; 0;0;0;; TextureFilename {{ \"{texture}\"; }} }} }}
            }}
        }}"
    )
    .into_bytes()
}

fn model(file: &str, position: [f32; 3], scale: [f32; 3]) -> Entity {
    Entity::Model(Model { file: file.into(), position, rotation: [0.0, 90.0, 0.0], scale })
}

fn with(entities: Vec<Entity>) -> RMesh {
    RMesh { entities: Some(entities), ..room(vec![plain("wall.png")]) }
}

fn node<'a>(gltf: &'a Value, name: &str) -> &'a Value {
    gltf["nodes"].as_array().unwrap().iter().find(|node| node["name"] == name).unwrap()
}

fn game(name: &str, more: &[(&str, Vec<u8>)]) -> Game {
    let mut files = vec![
        ("GFX/map/wall.png", image_bytes()),
        ("GFX/map/Props/lamp.x", lamp("C:\\\\art\\\\enamel.png")),
        ("GFX/map/Props/Enamel.png", image_bytes()),
    ];
    files.extend(more.iter().cloned());
    Game::new(name, &files)
}

#[test]
fn instances_of_a_prop_share_a_mesh() {
    let game = game("props", &[]);
    let uneven = [2.0, 1.0, 0.5];
    let (gltf, messages) = game.convert(
        &with(vec![model("lamp.x", [256.0, 0.0, 0.0], [1.0; 3]), model("LAMP.X", [0.0, 512.0, 0.0], uneven)]),
        &[],
    );
    let (first, second) = (node(&gltf, "model_0"), node(&gltf, "model_1"));
    assert!(first["mesh"].is_u64());
    assert_eq!(first["mesh"], second["mesh"]);
    assert_eq!(gltf["meshes"].as_array().unwrap().len(), 2, "the room and the prop");
    assert_eq!(second["scale"], json!(uneven));
    assert_eq!(second["translation"], json!([0.0, 2.0, 0.0]));
    let mesh = &gltf["meshes"][usize::try_from(first["mesh"].as_u64().unwrap()).unwrap()];
    let positions = mesh["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap();
    let bounds = &gltf["accessors"][usize::try_from(positions).unwrap()];
    assert_eq!(
        (&bounds["min"], &bounds["max"]),
        (&json!([0.0, 1.0, -2.0]), &json!([1.0, 1.0, 0.0])),
        "its frame lifts it"
    );
    assert!(!messages.iter().any(|message| message.starts_with("RMESH-W")), "{messages:?}");
    let images = gltf["images"].as_array().unwrap();
    assert_eq!(images.len(), 1, "both images have the same bytes");
}

/// Returns an image of 4 x 4 red pixels as a DDS file.
fn dds() -> Vec<u8> {
    let head = [u32::from_le_bytes(*b"DDS "), 124, 0x1007, 4, 4, 0, 0, 1];
    let pixel_format = [32, 4, u32::from_le_bytes(*b"DXT1"), 0, 0, 0, 0, 0];
    let numbers = [&head[..], &[0; 11], &pixel_format, &[0x1000, 0, 0, 0, 0, 0xf800_f800, 0]].concat();
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

#[test]
fn converts_props_of_mods_with_their_material_libraries() {
    let chair = "mtllib chair.mtl\nv 0 0 0\nv 256 0 0\nv 0 256 0\nusemtl oak\nf 1 2 3\n";
    let library = "newmtl oak\nmap_Kd oak.dds\n";
    let mut sink = asset::MemorySink::new();
    antiquary_scpcb::sample::specimens(&mut sink).unwrap();
    let files = [
        ("GFX/map/Props/chair.obj", chair.into()),
        ("GFX/map/Props/chair.mtl", library.into()),
        ("GFX/map/Props/oak.dds", dds()),
        ("GFX/map/Props/plate.3ds", sink.get("3ds/plate.3ds").unwrap().to_vec()),
        ("GFX/map/wall.jpg", image_bytes()),
    ];
    let game = game("mods", &files);
    let entities = ["chair.obj", "plate"].map(|file| model(file, [0.0; 3], [1.0; 3]));
    let (gltf, messages) = game.convert(&with(entities.into()), &[]);
    assert!(!messages.iter().any(|message| message.starts_with("RMESH-W")), "{messages:?}");
    let materials = |name: &str| {
        let mesh = usize::try_from(node(&gltf, name)["mesh"].as_u64().unwrap()).unwrap();
        let material = gltf["meshes"][mesh]["primitives"][0]["material"].as_u64().unwrap();
        gltf["materials"][usize::try_from(material).unwrap()].clone()
    };
    assert_eq!(
        (&materials("model_0")["name"], &materials("model_1")["name"]),
        (&json!("oak"), &json!("Wall"))
    );
    assert!(materials("model_0")["pbrMetallicRoughness"]["baseColorTexture"].is_object());
    let names: Vec<_> =
        gltf["images"].as_array().unwrap().iter().map(|image| image["name"].clone()).collect();
    assert!(names.contains(&json!("oak.dds")), "{names:?}");
}

#[test]
fn missing_or_damaged_props_are_empty_nodes_and_reported_once() {
    let damaged = [("GFX/map/Props/torn.x", b"xof 0303txt 0032\nMesh m { 3; 0;0;0;,".to_vec())];
    let game = game("torn", &damaged);
    let entities = ["gone.x", "GONE.X", "torn.x", "../../../secret.png", ""];
    let entities = entities.map(|file| model(file, [0.0; 3], [1.0; 3]));
    let (gltf, messages) = game.convert(&with(entities.into()), &[]);
    for index in 0..5 {
        assert!(node(&gltf, &format!("model_{index}")).get("mesh").is_none());
    }
    assert_has(&messages, "RMESH-W017", "prop \"gone.x\" was not found");
    assert_has(&messages, "RMESH-W045", "prop \"torn.x\" cannot be read");
    assert_eq!(messages.iter().filter(|message| message.contains("gone.x")).count(), 1);
    assert!(messages.iter().any(|message| message.contains("secret.png")), "{messages:?}");
}

#[test]
fn reports_defects_of_a_prop_for_the_room() {
    let game = game("defects", &[("GFX/map/Props/bare.x", lamp("nowhere.png"))]);
    let (gltf, messages) = game.convert(&with(vec![model("bare.x", [0.0; 3], [1.0; 3])]), &[]);
    assert_has(&messages, "RMESH-W046", "prop \"bare.x\": texture \"nowhere.png\" was not found");
    assert!(node(&gltf, "model_0")["mesh"].is_u64());
}

#[test]
fn mirrored_props_are_inside_out_as_in_the_game() {
    let game = game("mirrored", &[]);
    let (gltf, _) = game.convert(
        &with(vec![model("lamp.x", [0.0; 3], [1.0; 3]), model("lamp.x", [0.0; 3], [-1.0, 1.0, 1.0])]),
        &[],
    );
    assert_ne!(node(&gltf, "model_0")["mesh"], node(&gltf, "model_1")["mesh"]);
}

#[test]
fn reports_props_with_an_extension_unsupported_by_the_game() {
    let game = game("extension", &[]);
    for (name, code) in [("lamp.b3d", "RMESH-W006"), ("lamp", "FILE-N004")] {
        let (gltf, messages) = game.convert(&with(vec![model(name, [0.0; 3], [1.0; 3])]), &[]);
        assert!(node(&gltf, "model_0")["mesh"].is_u64(), "the one that exists is shown");
        let found = messages.iter().find(|message| message.contains("using \"lamp.x\"")).unwrap();
        assert!(found.contains(code), "{found}");
    }
}
