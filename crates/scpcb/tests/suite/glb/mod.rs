//! Conversion of rooms to glTF: textures, light, axes and entities.

mod preset;
mod prop;
mod setup;

use antiquary_scpcb::rmesh::{
    Entity, FORMAT, InvisibleSurface, Light, Model, Screen, SoundEmitter, Spotlight, TextureKind,
    TextureSlot, TriggerBox, Vertex,
};
use asset::{Context, Install, MemorySink, Options, Report, Target};
use json::{Value, json};

use setup::{Game, assert_has, convert, image_bytes, plain, room, slot, surface};

#[test]
fn finds_textures_ignoring_case_and_extension() {
    let game =
        Game::new("found", &[("GFX/map/Wall.PNG", image_bytes()), ("GFX/map/floor.png", image_bytes())]);
    let (gltf, messages) =
        game.convert(&room(vec![plain("wall.png"), plain("FLOOR.bmp"), plain("wall.png")]), &[]);
    assert_eq!(gltf["images"].as_array().unwrap().len(), 1, "both files have the same bytes");
    assert_eq!(gltf["materials"].as_array().unwrap().len(), 2);
    assert_eq!(messages, ["FILE-N004 texture \"FLOOR.bmp\" was not found; using \"floor.png\" instead"]);
}

#[test]
fn reports_a_missing_texture_and_uses_a_placeholder() {
    let game = Game::new("missing", &[]);
    let (gltf, messages) = game.convert(&room(vec![plain("wall.png"), plain("WALL.png")]), &[]);
    assert_eq!(messages, ["FILE-W001 texture \"wall.png\" was not found"], "reported once");
    assert_eq!(gltf["images"][0]["name"], "missing wall.png");
    assert_eq!(gltf["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"], 0);
}

#[test]
fn rejects_paths_outside_of_the_game() {
    let game = Game::new("outside", &[]);
    let outside = ["..\\..\\..\\secret.png", "../../../secret.png", "C:\\secret.png", "/etc/passwd"];
    let (gltf, messages) = game.convert(&room(outside.map(plain).into()), &[]);
    for name in outside {
        assert_has(&messages, "FILE-W002", name);
    }
    let images = gltf["images"].as_array().unwrap();
    assert!(images.iter().all(|image| image["name"].as_str().unwrap().starts_with("missing")), "{images:?}");
}

#[test]
fn reports_and_replaces_a_damaged_image() {
    let game = Game::new("damaged", &[("GFX/map/wall.png", image_bytes()[..40].to_vec())]);
    let (gltf, messages) = game.convert(&room(vec![plain("wall.png")]), &[]);
    assert_has(&messages, "FILE-W005", "texture \"wall.png\" cannot be read");
    assert_eq!(gltf["images"][0]["name"], "missing wall.png");
}

#[test]
fn blends_every_kind_of_surface_as_the_game_does() {
    let files = ["wall", "glass", "room_lm1"].map(|name| (format!("GFX/map/{name}.png"), image_bytes()));
    let files: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    let game = Game::new("blend", &files);
    let lightmapped =
        surface(slot(TextureKind::LIGHTMAP, "room_lm1.png"), slot(TextureKind::OPAQUE, "wall.png"));
    let glass = surface(slot(TextureKind::OPAQUE, ""), slot(TextureKind::TRANSPARENT, "glass.png"));
    let bare = surface(TextureSlot::NONE, TextureSlot::NONE);
    let dark = surface(slot(TextureKind::LIGHTMAP, "gone_lm1.png"), slot(TextureKind::OPAQUE, "wall.png"));
    let (gltf, messages) = game
        .convert(&room(vec![lightmapped, plain("wall.png"), glass, bare, dark]), &[("lightmaps", "layers")]);
    let primitives = gltf["meshes"][0]["primitives"].as_array().unwrap();
    let material =
        |index: usize| &gltf["materials"][primitives[index]["material"].as_u64().unwrap() as usize];
    for (index, primitive) in primitives.iter().enumerate() {
        assert_eq!(primitive["extras"]["surface"], index);
        assert!(primitive["attributes"]["TEXCOORD_1"].is_u64());
    }

    let lightmap = &material(0)["extensions"]["MOZ_lightmap"];
    assert_eq!(
        (&lightmap["texCoord"], material(0)["extensions"].get("KHR_materials_unlit")),
        (&json!(1), None)
    );
    assert!((lightmap["intensity"].as_f64().unwrap() - 2_f64.powf(2.2)).abs() < 1e-5);
    assert!(
        primitives[0]["attributes"].get("COLOR_0").is_none(),
        "the game shows no vertex color under a lightmap"
    );
    assert_has(&messages, "RMESH-W023", "vertex colors");

    for index in [1, 2, 3] {
        assert!(material(index)["extensions"]["KHR_materials_unlit"].is_object());
        assert!(primitives[index]["attributes"]["COLOR_0"].is_u64());
    }
    assert_eq!(material(2)["alphaMode"], "BLEND");
    assert_eq!(material(2)["doubleSided"], true);
    assert_eq!(material(1).get("alphaMode"), None);
    assert!(material(3)["pbrMetallicRoughness"].get("baseColorTexture").is_none());
    assert!(material(4)["extensions"].get("MOZ_lightmap").is_none());
    assert_has(&messages, "RMESH-W013", "gone_lm1.png");
}

#[test]
fn converts_to_meters_and_negates_z() {
    let (gltf, _) = convert(&room(vec![plain("x")]), &Install::empty(), None, &[]);
    let primitive = &gltf["meshes"][0]["primitives"][0];
    let positions = &gltf["accessors"][primitive["attributes"]["POSITION"].as_u64().unwrap() as usize];
    assert_eq!((&positions["min"], &positions["max"]), (&json!([0.0, 0.0, -2.0]), &json!([1.0, 0.0, 0.0])));
}

#[test]
fn leaves_out_and_counts_invalid_triangles() {
    let mut broken = plain("x");
    broken.vertices.push(Vertex {
        position: [f32::NAN, 0.0, 0.0],
        texture_uv: [f32::INFINITY, 0.0],
        ..Vertex::default()
    });
    broken.triangles.extend([[0, 1, 3], [0, 1, 4], [u32::MAX, 0, 0]]);
    let (gltf, messages) = convert(&room(vec![broken]), &Install::empty(), None, &[]);
    let indices = gltf["meshes"][0]["primitives"][0]["indices"].as_u64().unwrap() as usize;
    assert_eq!(gltf["accessors"][indices]["count"], 3);
    assert_has(&messages, "RMESH-W020", "2 triangles refer to vertices beyond the last of 4");
    assert_has(&messages, "RMESH-W021", "1 triangle with a non-finite position");
    assert_has(&messages, "RMESH-W021", "1 vertex has non-finite texture coordinates");
}

#[test]
fn converts_entities_to_nodes_with_all_their_fields() {
    let mut with_entities = room(vec![plain("x")]);
    let position = [256.0, 512.0, 1024.0];
    with_entities.entities = Some(vec![
        Entity::Light(Light {
            position,
            range: 512.0,
            color: "255 0 0".into(),
            intensity: 0.5,
            ..Light::default()
        }),
        Entity::Spotlight(Spotlight {
            position,
            range: 512.0,
            color: "255 255 255".into(),
            intensity: 1.0,
            angles: "90 0 0".into(),
            inner_cone_angle: 30,
            outer_cone_angle: 60,
        }),
        Entity::Model(Model {
            file: "lamp2.x".into(),
            position,
            rotation: [0.0, 90.0, 0.0],
            scale: [2.0, 1.0, 1.0],
        }),
        Entity::Light(Light {
            position: [f32::NAN; 3],
            range: 1.0,
            color: "red".into(),
            intensity: 1.0,
            ..Light::default()
        }),
    ]);
    let (gltf, messages) = convert(&with_entities, &Install::empty(), None, &[]);
    let node =
        |name: &str| gltf["nodes"].as_array().unwrap().iter().find(|node| node["name"] == name).unwrap();
    let lights = &gltf["extensions"]["KHR_lights_punctual"]["lights"];
    assert_eq!(node("light_0")["translation"], json!([1.0, 2.0, -4.0]));
    assert_eq!(
        node("light_0")["extras"]["entity"],
        json!({ "class": "light", "position": [256.0, 512.0, 1024.0], "range": 512.0, "color": "255 0 0", "intensity": 0.5 })
    );
    assert_eq!(
        (&lights[0]["range"], &lights[0]["intensity"], &lights[0]["color"]),
        (&json!(2.0), &json!(8.0), &json!([1.0, 0.0, 0.0]))
    );
    // A pitch of 90 points down: the node's -Z must point along -Y.
    let rotation = node("spotlight_1")["rotation"]
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_f64().unwrap())
        .collect::<Vec<_>>();
    let (x, w) = (rotation[0], rotation[3]);
    assert!((2.0 * x * w + 1.0).abs() < 1e-6, "{rotation:?}");
    assert!((lights[1]["spot"]["outerConeAngle"].as_f64().unwrap() - 60_f64.to_radians()).abs() < 1e-6);
    assert_eq!(node("model_2")["scale"], json!([2.0, 1.0, 1.0]));
    assert_has(&messages, "RMESH-W017", "prop \"lamp2.x\" was not found");
    assert_has(&messages, "RMESH-W042", "the color \"red\" is not three numbers");
    assert_has(&messages, "RMESH-W043", "not finite");
    assert!(node("light_3").get("extensions").is_none());
}

#[test]
fn adds_images_of_screens_and_sounds_of_emitters() {
    let game = Game::new(
        "screens",
        &[
            ("GFX/screens/plan.sc", image_bytes()),
            ("Data/rooms.ini", b"[room ambience]\nambience2 = SFX\\drip.ogg\n[den]\nmesh path=gfx\\MAP\\room.rmesh\nshape=2C\n".to_vec()),
            ("Data/materials.ini", b"[wall.png]\nstepsound = 1\n".to_vec()),
        ],
    );
    let mut with_screen = room(vec![plain("Wall.png")]);
    with_screen.entities = Some(vec![
        Entity::Screen(Screen { position: [1.0; 3], image: "plan.sc".into() }),
        Entity::Screen(Screen { position: [1.0; 3], image: "gone.jpg".into() }),
        Entity::SoundEmitter(SoundEmitter { position: [1.0; 3], sound: 2, range: 9.0 }),
    ]);
    let (gltf, messages) = game.convert(&with_screen, &[]);
    let node =
        |name: &str| gltf["nodes"].as_array().unwrap().iter().find(|node| node["name"] == name).unwrap();
    let image = node("screen_0")["extras"]["image"].as_u64().unwrap() as usize;
    assert_eq!(gltf["images"][image]["name"], "plan.sc");
    assert_has(&messages, "RMESH-W018", "gone.jpg");
    assert_eq!(node("soundemitter_2")["extras"]["ambience"], "SFX\\drip.ogg");
    assert_eq!(
        gltf["nodes"][0]["extras"]["room"],
        json!({ "name": "den", "mesh path": "gfx\\MAP\\room.rmesh", "shape": "2C" })
    );
    assert_eq!(gltf["materials"][0]["extras"]["material"], json!({ "stepsound": "1" }));
}

#[test]
fn includes_collision_and_triggers_on_request() {
    let invisible = InvisibleSurface {
        vertices: vec![[0.0; 3], [256.0, 0.0, 0.0], [0.0, 256.0, 0.0]],
        triangles: vec![[0, 1, 2]],
    };
    let mut solid = room(vec![plain("x")]);
    solid.collision = Some(vec![invisible.clone()]);
    solid.triggers =
        Some(vec![TriggerBox { surfaces: vec![invisible.clone(), invisible], name: "end".into() }]);
    let (without, messages) = convert(&solid, &Install::empty(), None, &[]);
    assert_eq!(without["meshes"].as_array().unwrap().len(), 1);
    assert_has(&messages, "RMESH-N040", "left out: 1 collision surface and 1 trigger box");

    let (with, messages) = convert(&solid, &Install::empty(), None, &[("with", "collision,triggers")]);
    assert!(!messages.iter().any(|message| message.starts_with("RMESH-N040")));
    let node =
        |name: &str| with["nodes"].as_array().unwrap().iter().find(|node| node["name"] == name).unwrap();
    assert!(node("collision_0-colonly")["mesh"].is_u64());
    assert_eq!(node("trigger_0-colonly")["extras"]["trigger"]["name"], "end");
    let trigger = node("trigger_0-colonly")["mesh"].as_u64().unwrap() as usize;
    assert_eq!(with["meshes"][trigger]["primitives"].as_array().unwrap().len(), 2);
}

#[test]
fn another_unit_scales_positions_and_lengths() {
    let mut with_light = room(vec![plain("x")]);
    with_light.entities = Some(vec![Entity::Light(Light {
        position: [256.0; 3],
        range: 256.0,
        color: "1 2 3".into(),
        intensity: 1.0,
        ..Light::default()
    })]);
    let (install, options) = (Install::empty(), Options::defaults(FORMAT.options));
    let context = Context { install: &install, location: None, options: &options };
    let target = Target::new("room", 100.0);
    let (mut sink, mut report) = (MemorySink::new(), Report::new());
    FORMAT.convert(&with_light, "gltf", &context, target, &mut sink, &mut report).unwrap();
    let gltf: Value = json::from_slice(sink.get("room.gltf").unwrap()).unwrap();
    assert_eq!(gltf["accessors"][0]["max"], json!([100.0, 0.0, 0.0]));
    assert_eq!(gltf["nodes"][1]["translation"], json!([100.0, 100.0, -100.0]));
    assert_eq!(gltf["extensions"]["KHR_lights_punctual"]["lights"][0]["range"], json!(100.0));
}
