//! Tests of rooms created in another program: named empties, properties, images, and invalid nodes.

use glam::{Quat, Vec3};
use json::{Value, json};
use scene::image::{Rgba8, png_for_gltf};
use scene::{Image, Light, LightKind, Lightmap, Material, Mesh, Primitive, Sampler, Texture, TextureRef};

use super::*;

fn add(scene: &mut Scene, name: &str, properties: &Value) -> NodeId {
    let extras = properties.as_object().cloned().unwrap_or_default();
    scene.add_root(Node { translation: Vec3::new(1.0, 2.0, 3.0), extras, ..Node::named(name) })
}

/// The entities and warnings for empties with the given names and properties.
fn entities_of(nodes: &[(&str, Value)]) -> (Vec<Entity>, Vec<String>) {
    let mut scene = Scene::new("new");
    for (name, properties) in nodes {
        add(&mut scene, name, properties);
    }
    let (room, report) = room_of(&scene);
    let found = report.iter().filter(|found| found.code.severity == Severity::Warning);
    (room.entities().to_vec(), found.map(|found| found.message.clone()).collect())
}

const PLACE: [f32; 3] = [256.0, 512.0, -768.0];

#[test]
fn empties_become_entities_by_name() {
    let names = [
        "waypoint",
        "Waypoint.003",
        "spawn",
        "soundemitter_3",
        "screen:012.jpg",
        "model:lamp2.x.001",
        "light_corner",
        "spotlight",
    ];
    let (entities, found) = entities_of(&names.map(|name| (name, Value::Null)));
    assert!(found.is_empty(), "{found:?}");
    let white = || "255 255 255".into();
    let expected = [
        // It has a number, so it is sorted before those without one.
        Entity::SoundEmitter(SoundEmitter { position: PLACE, sound: 3, range: 4.0 }),
        Entity::Waypoint(Waypoint { position: PLACE }),
        Entity::Waypoint(Waypoint { position: PLACE }),
        Entity::PlayerStart(PlayerStart { position: PLACE, angles: "0 0 0".into() }),
        Entity::Screen(Screen { position: PLACE, image: "012.jpg".into() }),
        Entity::Model(Model { file: "lamp2.x".into(), position: PLACE, rotation: [0.0; 3], scale: [1.0; 3] }),
        Entity::Light(class::Light {
            position: PLACE,
            range: 1024.0,
            color: white(),
            intensity: 1.0,
            ..class::Light::default()
        }),
        Entity::Spotlight(Spotlight {
            position: PLACE,
            range: 1024.0,
            color: white(),
            intensity: 1.0,
            angles: "0 0 0".into(),
            inner_cone_angle: 22,
            outer_cone_angle: 45,
        }),
    ];
    assert_eq!(entities, expected);
}

#[test]
fn properties_are_in_meters_and_override_the_name() {
    let (entities, found) = entities_of(&[
        ("hum", json!({ "class": "soundemitter", "sound": 7.0, "range": 2.5 })),
        ("soundemitter_3", json!({ "sound": 8 })),
        ("a", json!({ "class": "Light", "color": [1.0, 0.5, 0.0], "intensity": "0.8", "range": 2 })),
        ("b", json!({ "class": "spotlight", "color": "255 0 9", "outer": 60, "inner": 20 })),
        ("c", json!({ "class": "model", "file": "desk.b3d" })),
    ]);
    assert!(found.is_empty(), "{found:?}");
    let [by_name, hum, light, spot, model] = &entities[..] else { panic!("{entities:?}") };
    assert_eq!(hum, &Entity::SoundEmitter(SoundEmitter { position: PLACE, sound: 7, range: 2.5 }));
    assert!(matches!(by_name, Entity::SoundEmitter(SoundEmitter { sound: 8, .. })));
    let Entity::Light(class::Light { range, color, intensity, .. }) = light else { panic!("no light") };
    assert_eq!((*range, &*color.text(), *intensity), (512.0, "255 128 0", 0.8));
    let Entity::Spotlight(Spotlight { color, inner_cone_angle, outer_cone_angle, .. }) = spot else {
        panic!("no spotlight")
    };
    assert_eq!((&*color.text(), *inner_cone_angle, *outer_cone_angle), ("255 0 9", 20, 60));
    assert!(matches!(model, Entity::Model(Model { file, .. }) if *file == "desk.b3d".into()));
}

#[test]
fn invalid_nodes_are_reported_with_a_hint() {
    let (entities, found) = entities_of(&[
        ("hum", json!({ "class": "sondemitter" })),
        ("waypoint", json!({ "rnage": 3 })),
        ("soundemitter", json!({ "rnage": 3, "range": "far" })),
        ("model", Value::Null),
        ("Empty", Value::Null),
        ("Empty.001", Value::Null),
    ]);
    assert_eq!(entities.len(), 2, "{entities:?}");
    let expected = [
        "skipped the node \"hum\": rooms have no class \"sondemitter\"; did you mean \"soundemitter\"?",
        "the node \"waypoint\": the class waypoint has no property \"rnage\"",
        "the node \"soundemitter\": the class soundemitter has no property \"rnage\"; did you mean \"range\"?",
        "the node \"soundemitter\": it has no property \"sound\"; using 1",
        "the node \"soundemitter\": the property \"range\" is not a number",
        "the node \"model\": the property \"file\" is missing, so the node is skipped; set it, or name the node like \"model:lamp2.x\"",
        "2 empty nodes like \"Empty\" have no entity class; skipped; name it after a class, such as waypoint, or set its \
         property \"class\"",
    ];
    assert_eq!(found, expected);
}

#[test]
fn in_a_converted_room_the_number_in_a_name_is_an_index() {
    let mut scene = scene_of(&room_with(Vec::new(), Vec::new()));
    add(&mut scene, "soundemitter_3", &Value::Null);
    let (room, report) = room_of(&scene);
    assert!(room.entities().is_empty());
    assert_eq!(single_warning(&report, &warning::NO_FIELDS).len(), 1);
}

#[test]
fn the_kind_of_a_light_depends_on_its_lamp() {
    let mut scene = Scene::new("new");
    let (inner_cone, outer_cone) = (0.25, 0.5);
    let light = scene.add_light(Light {
        kind: LightKind::Spot { inner_cone, outer_cone },
        intensity: 8.0,
        ..Light::default()
    });
    let lamp = add(&mut scene, "light_door", &json!({ "range": 2.0 }));
    let rotation = Quat::from_rotation_y(0.5);
    scene.add_child(lamp, Node { light: Some(light), rotation, ..Node::named("light_door inner") });
    let (room, _) = room_of(&scene);
    let [Entity::Spotlight(Spotlight { range, intensity, angles, outer_cone_angle, .. })] = room.entities()
    else {
        panic!("{:?}", room.entities())
    };
    assert_eq!((*range, *intensity, *outer_cone_angle), (512.0, 0.5, 29));
    assert_eq!(&*angles.text(), "0 28.648 0");
}

#[test]
fn meshes_named_after_classes_stay_visible_unless_marked() {
    let mut scene = Scene::new("made");
    let primitive =
        Primitive { positions: vec![[0.0; 3]; 3], indices: vec![0, 1, 2], ..Primitive::default() };
    let mesh = scene.add_mesh(Mesh { primitives: vec![primitive], ..Mesh::default() });
    for name in ["door_frame", "screen", "light box", "light_1", "model:desk.x", "model_5"] {
        let properties = if name == "model_5" { json!({ "file": "a.x" }) } else { Value::Null };
        let node = add(&mut scene, name, &properties);
        scene.nodes[node.0].mesh = Some(mesh);
    }
    let (room, _) = room_of(&scene);
    assert_eq!(room.triangle_count(), 4);
    assert_eq!(room.entities().len(), 2);
}

#[test]
fn an_empty_trigger_becomes_a_box_of_twice_its_scale() {
    for mirror in [1.0, -1.0] {
        let mut scene = Scene::new("new");
        let node = add(&mut scene, "trigger_hall.002", &Value::Null);
        scene.nodes[node.0].scale = Vec3::new(mirror, 2.0, 0.5);
        add(&mut scene, "event", &json!({ "class": "trigger", "name": "other" }));
        add(&mut scene, "rail-colonly", &Value::Null);
        let (room, report) = room_of(&scene);
        assert_eq!(report.count(Severity::Warning), 0, "{report:?}");
        let [hall, other] = room.triggers() else { panic!("{:?}", room.triggers()) };
        assert_eq!((&*hall.name.text(), &*other.name.text()), ("hall", "other"));
        let [side] = &hall.surfaces[..] else { panic!("one surface") };
        assert_eq!((side.vertices.len(), side.triangles.len()), (24, 12));
        let reach = |axis: usize| {
            let numbers = side.vertices.iter().map(|vertex| vertex[axis]);
            (numbers.clone().fold(f32::MAX, f32::min), numbers.fold(f32::MIN, f32::max))
        };
        assert_eq!([reach(0), reach(1), reach(2)], [(0.0, 512.0), (0.0, 1024.0), (-896.0, -640.0)]);
        let middle = Vec3::from(PLACE);
        for triangle in &side.triangles {
            let [a, b, c] = triangle.map(|corner| Vec3::from(side.vertices[corner as usize]));
            assert!((b - a).cross(c - a).dot(a - middle) > 0.0, "it faces outward");
        }
        assert_eq!(room.collision().len(), 1);
    }
}

fn image(name: &str, shade: u8) -> Image {
    let pixels = Rgba8::new(1, 1, vec![shade, shade, shade, 255]).unwrap();
    Image { name: name.into(), encoded: png_for_gltf(&pixels) }
}

/// A scene with a triangle per material.
fn scene_of_materials(materials: impl FnOnce(&mut Scene) -> Vec<Material>) -> Read {
    let mut scene = Scene::new("new");
    for material in materials(&mut scene) {
        let material = Some(scene.add_material(material));
        let primitive = Primitive {
            positions: vec![[0.0; 3]; 3],
            indices: vec![0, 1, 2],
            material,
            ..Primitive::default()
        };
        let mesh = scene.add_mesh(Mesh { primitives: vec![primitive], ..Mesh::default() });
        scene.add_root(Node { mesh: Some(mesh), ..Node::default() });
    }
    Read { scene, left_out: Vec::new() }
}

fn shows(scene: &mut Scene, image: Image) -> TextureRef {
    let image = scene.add_image(image);
    TextureRef::new(scene.add_texture(Texture { name: String::new(), image, sampler: Sampler::default() }))
}

#[test]
fn images_are_written_next_to_the_room_under_its_names_for_them() {
    let read = scene_of_materials(|scene| {
        let [a, b, c, d, light] =
            [("wall", 1), ("wall.png.001", 2), ("", 3), ("textures/WALL.png", 1), ("bake", 4)]
                .map(|(name, shade)| shows(scene, image(name, shade)));
        let with = |texture| Material { base_color_texture: Some(texture), ..Material::default() };
        let mut lit = with(a);
        lit.lightmap = Some(Lightmap { texture: light, intensity: 1.0 });
        let plain = Material {
            name: "Red paint.001".into(),
            base_color: [1.0, 0.0, 0.0, 1.0],
            ..Material::default()
        };
        let named = Material { name: "tiles.jpg".into(), ..plain.clone() };
        vec![lit, with(b), with(c), with(d), plain, named]
    });
    let (imported, _) = pack(&read, "rmesh", &[]).unwrap();
    let room = RMesh::read(&imported.bytes, &mut Report::new()).unwrap();
    let names: Vec<_> =
        room.surfaces.iter().map(|surface| surface.texture.named().unwrap().text().into_owned()).collect();
    assert_eq!(names, ["wall.png", "wall_2.png", "image.png", "wall.png", "Red paint.png", "tiles.jpg"]);
    assert_eq!(room.surfaces[0].lightmap, slot(TextureKind::LIGHTMAP, "bake_lm.png"));
    let companions: Vec<_> = imported.companions.iter().map(|companion| companion.name.as_str()).collect();
    assert_eq!(companions, ["bake_lm.png", "image.png", "Red paint.png", "wall.png", "wall_2.png"]);
    let red = scene::image::decode(&imported.companions[2].bytes, &scene::image::Limits::default()).unwrap();
    assert_eq!(red.get(0, 0), Some([255, 0, 0, 255]));

    let (imported, report) = pack(&read, "rmesh", &[("images", "none")]).unwrap();
    assert!(imported.companions.is_empty());
    let message = "images are not stored in a room; put them next to it (5)";
    assert!(single_warning(&report, &warning::NOT_KEPT).contains(&message.to_owned()), "{report:?}");
}

#[test]
fn images_with_the_same_name_are_numbered() {
    let read = scene_of_materials(|scene| {
        let shades = [1_u8, 2, 3].map(|shade| shows(scene, image("wall.png", shade)));
        let materials = shades.into_iter().chain(shades);
        materials.map(|shade| Material { base_color_texture: Some(shade), ..Material::default() }).collect()
    });
    let (imported, _) = pack(&read, "rmesh", &[]).unwrap();
    let companions: Vec<_> = imported.companions.iter().map(|companion| companion.name.as_str()).collect();
    assert_eq!(companions, ["wall.png", "wall_2.png", "wall_3.png"]);
}

#[test]
fn invalid_file_names_are_sanitized() {
    let read = scene_of_materials(|scene| {
        let texture = shows(scene, image("a:b?.png", 1));
        vec![Material { name: "a:b?.png".into(), base_color_texture: Some(texture), ..Material::default() }]
    });
    let (imported, _) = pack(&read, "rmesh", &[]).unwrap();
    let room = RMesh::read(&imported.bytes, &mut Report::new()).unwrap();
    let name = room.surfaces[0].texture.named().unwrap().text().into_owned();
    let companions: Vec<_> = imported.companions.iter().map(|companion| &companion.name).collect();
    assert_eq!(companions, [&name]);
    assert!(!name.contains([':', '?', '/']), "{name}");
}

#[test]
fn reports_the_table_entry_of_a_new_room() {
    let (_, report) = pack(&scene_of_materials(|_| Vec::new()), "rmesh", &[]).unwrap();
    let messages = single_warning(&report, &warning::TABLE_ENTRY);
    assert!(messages[0].contains("[new], mesh path=GFX\\map\\new.rmesh, shape=2"), "{messages:?}");
    let old = Read { scene: scene_of(&sample()), left_out: Vec::new() };
    let (_, report) = pack(&old, "rmesh", &[]).unwrap();
    assert!(single_warning(&report, &warning::TABLE_ENTRY).is_empty());
}

#[test]
fn an_extremely_large_scene_loses_its_triangles_with_a_warning() {
    let mut read = scene_of_materials(|_| vec![Material::default()]);
    read.scene.nodes[0].translation.x = f32::MAX;
    let (imported, report) = pack(&read, "rmesh", &[]).unwrap();
    let room = RMesh::read(&imported.bytes, &mut Report::new()).unwrap();
    assert_eq!(room.triangle_count(), 0);
    assert_eq!(
        single_warning(&report, &warning::NOT_FINITE),
        ["1 triangle with a non-finite position left out"]
    );
}
