//! Tests of edited scenes of a room, and of scenes that lost data in other programs.

use glam::{Quat, Vec3};

use super::*;

const LAMP: Entity = Entity::Waypoint(Waypoint { position: [64.0, 128.0, -256.0] });

fn entities() -> Vec<Entity> {
    vec![
        LAMP,
        Entity::Model(Model {
            file: "lamp2.x".into(),
            position: [0.1, -0.0, 1e-5],
            rotation: [-0.0, -89.99998, 0.0],
            scale: [0.999_999_94, 1.0, 1.5],
        }),
        Entity::Light(class::Light {
            position: [1.0; 3],
            range: 800.0,
            color: "255 180 180".into(),
            intensity: 0.8,
            ..class::Light::default()
        }),
        Entity::Spotlight(Spotlight {
            position: [1.0; 3],
            range: 800.0,
            color: "255  255 255".into(),
            intensity: 1.0,
            angles: "90 315 0".into(),
            inner_cone_angle: 35,
            outer_cone_angle: 45,
        }),
        Entity::SoundEmitter(SoundEmitter { position: [5.0; 3], sound: 3, range: 500.0 }),
    ]
}

fn node<'a>(scene: &'a mut Scene, name: &str) -> &'a mut Node {
    scene.nodes.iter_mut().find(|node| node.name == name).unwrap()
}

/// The entity of a node after an edit of the scene; all others must be unchanged.
fn edited(number: usize, edit: impl FnOnce(&mut Scene)) -> Entity {
    let room = room_with(Vec::new(), entities());
    let mut scene = scene_of(&room);
    edit(&mut scene);
    let (again, report) = room_of(&scene);
    assert_eq!(report.count(Severity::Warning), 0, "{report:?}");
    for (index, (before, after)) in room.entities().iter().zip(again.entities()).enumerate() {
        assert!(index == number || before == after, "{after:?}");
    }
    again.entities()[number].clone()
}

#[test]
fn moving_a_node_moves_its_entity() {
    let moved = edited(0, |scene| node(scene, "waypoint_0").translation.x += 1.0);
    assert_eq!(moved, Entity::Waypoint(Waypoint { position: [320.0, 128.0, -256.0] }));
}

#[test]
fn a_rounded_transform_keeps_the_stored_fields() {
    let kept = edited(1, |scene| {
        let model = node(scene, "model_1");
        model.translation += Vec3::splat(1e-7);
        model.rotation =
            Quat::from_xyzw(1e-7, -std::f32::consts::FRAC_1_SQRT_2, 0.0, std::f32::consts::FRAC_1_SQRT_2);
        model.scale.x = 1.0;
    });
    assert_eq!(kept, entities()[1]);
}

#[test]
fn rotating_or_scaling_a_model_keeps_its_other_fields() {
    let rotated = edited(1, |scene| {
        let model = node(scene, "model_1");
        model.rotation = Quat::from_rotation_y(1.0) * Quat::from_rotation_x(-0.5);
    });
    let Entity::Model(Model { rotation, scale, position, .. }) = rotated else { panic!("no model") };
    let expected = [0.5_f32.to_degrees(), 1_f32.to_degrees(), 0.0];
    assert!(Vec3::from(rotation).abs_diff_eq(expected.into(), 1e-4), "{rotation:?}");
    assert_eq!((scale, position), ([0.999_999_94, 1.0, 1.5], [0.1, -0.0, 1e-5]));

    let scaled = edited(1, |scene| node(scene, "model_1").scale.y = 3.0);
    let Entity::Model(Model { rotation, scale, .. }) = scaled else { panic!("no model") };
    assert!(Vec3::from(scale).abs_diff_eq([1.0, 3.0, 1.5].into(), 1e-5), "{scale:?}");
    assert_eq!(rotation, [-0.0, -89.99998, 0.0]);
}

#[test]
fn editing_a_light_changes_only_the_edited_fields() {
    let painted = edited(2, |scene| {
        let light = node(scene, "light_2").light.unwrap();
        scene.lights[light.0].color = [1.0, 0.0, 0.0];
    });
    assert_eq!(
        painted,
        Entity::Light(class::Light {
            position: [1.0; 3],
            range: 800.0,
            color: "255 0 0".into(),
            intensity: 0.8,
            ..class::Light::default()
        })
    );
    let dimmed = edited(2, |scene| {
        let light = node(scene, "light_2").light.unwrap();
        (scene.lights[light.0].intensity, scene.lights[light.0].range) = (8.0, Some(2.0));
    });
    assert_eq!(
        dimmed,
        Entity::Light(class::Light {
            position: [1.0; 3],
            range: 512.0,
            color: "255 180 180".into(),
            intensity: 0.5,
            ..class::Light::default()
        })
    );
    let rotated =
        edited(3, |scene| node(scene, "spotlight_3").rotation = Quat::from_rotation_y(0.5_f32.to_radians()));
    let Entity::Spotlight(Spotlight { angles, color, inner_cone_angle, .. }) = rotated else {
        panic!("no spotlight")
    };
    assert_eq!((&*angles.text(), &*color.text(), inner_cone_angle), ("0 0.5 0", "255  255 255", 35));
}

#[test]
fn moving_the_root_moves_everything() {
    let mut room = sample();
    room.entities = Some(vec![LAMP]);
    let mut scene = scene_of(&room);
    scene.nodes[0].translation = Vec3::new(0.0, 2.0, 0.0);
    scene.nodes[0].rotation = Quat::from_rotation_y(std::f32::consts::PI);
    let (again, _) = room_of(&scene);
    let near = |[x, y, z]: [f32; 3], found: [f32; 3]| {
        Vec3::from(found).abs_diff_eq(Vec3::new(-x, y + 512.0, -z), 1e-3)
    };
    assert!(near([64.0, 128.0, -256.0], again.entities()[0].position().unwrap()));
    for (before, after) in room.surfaces.iter().zip(&again.surfaces) {
        assert_eq!(before.triangles, after.triangles);
        assert!(before.vertices.iter().zip(&after.vertices).all(|(a, b)| near(a.position, b.position)));
    }
    let corners = |room: &RMesh| room.collision()[0].vertices[0];
    assert!(near(corners(&room), corners(&again)));
}

#[test]
fn reordered_and_renumbered_nodes_are_sorted_back() {
    let room = room_with(
        Vec::new(),
        (0..12).map(|x| Entity::Waypoint(Waypoint { position: [x as f32; 3] })).collect(),
    );
    let mut scene = scene_of(&room);
    scene.nodes[0].children.sort_by_key(|child| 100 - child.0);
    scene.nodes.iter_mut().for_each(|node| node.name.push_str(".001"));
    assert_eq!(room_of(&scene).0, room);
}

#[test]
fn the_mesh_of_a_prop_is_not_part_of_the_room() {
    let mut room = sample();
    room.entities = Some(entities());
    let mut scene = scene_of(&room);
    let mesh = scene.nodes[0].mesh;
    let prop = scene.nodes.iter().position(|node| node.name == "model_1").unwrap();
    scene.nodes[prop].mesh = mesh;
    scene.add_child(NodeId(prop), Node { mesh, ..Node::named("shade") });
    assert_eq!(room_of(&scene).0, room);
}

/// The scene of a room after all extras were dropped.
fn without_extras(room: &RMesh) -> Scene {
    let mut scene = scene_of(room);
    scene.extras.clear();
    scene.nodes.iter_mut().for_each(|node| node.extras.clear());
    scene.materials.iter_mut().for_each(|material| material.extras.clear());
    scene
        .meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.primitives)
        .for_each(|primitive| primitive.extras.clear());
    scene
}

#[test]
fn nodes_without_extras_are_recognized_by_name_where_possible() {
    let mut room = sample();
    room.entities = Some(entities());
    let (again, report) = room_of(&without_extras(&room));
    let classes: Vec<_> = again.entities().iter().map(Entity::class).collect();
    assert_eq!(classes, ["waypoint", "light", "spotlight", "soundemitter"]);
    assert_eq!(again.entities()[0], LAMP);
    assert_eq!(
        again.entities()[1],
        Entity::Light(class::Light {
            position: [1.0; 3],
            range: 800.0,
            color: "255 180 180".into(),
            intensity: 0.8,
            ..class::Light::default()
        })
    );
    let box_name = single_warning(&report, &warning::NO_FIELDS);
    assert_eq!(
        box_name,
        [
            "the node \"model_1\" has no fields of the class model and is left out",
            "the trigger box \"trigger_0-colonly\" has no name in its extras; using its index",
        ]
    );
    let Entity::SoundEmitter(SoundEmitter { sound, range, .. }) = again.entities()[3] else {
        panic!("no emitter")
    };
    assert_eq!((sound, range), (4, 4.0), "the number is taken as the sound");
    assert_eq!(again.triggers()[0].name, "0".into());
    let names = |room: &RMesh| -> Vec<_> {
        room.surfaces.iter().map(|surface| surface.texture.name.clone()).collect()
    };
    assert_eq!(names(&again), names(&room), "materials are named after their images");
    assert_eq!(again.collision(), room.collision());
}

#[test]
fn lost_fields_are_restored_from_the_base_room() {
    let mut room = sample();
    room.entities = Some(entities());
    let mut scene = without_extras(&room);
    node(&mut scene, "model_1").translation = Vec3::ONE;
    let mut report = Report::new();
    let again = RMesh::from_scene(&scene, Some(&room), &mut report).unwrap();
    assert_eq!(report.count(Severity::Warning), 0, "{report:?}");
    assert_eq!(again.triggers(), room.triggers());
    let mut expected = entities();
    if let Entity::Model(Model { position, .. }) = &mut expected[1] {
        *position = [256.0, 256.0, -256.0];
    }
    assert_eq!(again.entities(), expected);
}

#[test]
fn refuses_invalid_extras_and_names_the_node() {
    let mut scene = scene_of(&room_with(Vec::new(), vec![LAMP]));
    let refused = |scene: &Scene| RMesh::from_scene(scene, None, &mut Report::new()).unwrap_err().to_string();
    node(&mut scene, "waypoint_0").extras["entity"]["position"] = "here".into();
    assert!(
        refused(&scene).starts_with("node \"waypoint_0\": extras.entity.position: "),
        "{}",
        refused(&scene)
    );
    node(&mut scene, "waypoint_0").extras["entity"] = json::json!({ "class": "screen" });
    assert!(refused(&scene).contains("missing field `image`"), "{}", refused(&scene));
}

/// A scene as Blender exports it by default, without lights and custom properties.
fn without_lights_and_extras(room: &RMesh) -> Read {
    let mut scene = scene_of(room);
    let is_light: Vec<bool> = scene.nodes.iter().map(|node| node.light.is_some()).collect();
    for node in &mut scene.nodes {
        node.children.retain(|child| !is_light[child.0]);
        node.extras.clear();
    }
    Read { scene, left_out: Vec::new() }
}

#[test]
fn dropped_lights_are_reported_and_restored_if_requested() {
    let none = slot(TextureKind::OPAQUE, "");
    let room = room_with(vec![surface(slot(TextureKind::OPAQUE, "a.jpg"), none, [255; 3])], entities());
    let read = without_lights_and_extras(&room);
    let import_with = |base: Option<&RMesh>, keep: &[(&str, &str)]| {
        let given: Vec<_> =
            keep.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let options = Options::parse(ImportOptions::DECLARED, &given).unwrap();
        let base = base.map(|base| -> &dyn asset::Asset { base });
        let file = SceneFile { read: &read, extension: "rmesh", name: "new.rmesh", options: &options, base };
        let mut report = Report::new();
        let imported = import(&file, &mut report).unwrap();
        (
            RMesh::read(&imported.bytes, &mut Report::new()).unwrap(),
            single_warning(&report, &warning::MISSING),
        )
    };
    // Without the base room, gaps in the numbers reveal missing entities.
    let (_, messages) = import_with(None, &[]);
    assert!(messages[0].contains("missing, by the numbers in the other names: 1, 2, 3;"), "{messages:?}");
    let (found, messages) = import_with(Some(&room), &[]);
    assert_eq!(
        messages,
        ["2 items of the original room are missing: light_2, spotlight_3; --keep lights keeps them"]
    );
    let classes =
        |room: &RMesh| room.entities().iter().map(|entity| entity.class().into_owned()).collect::<Vec<_>>();
    assert_eq!(classes(&found), ["waypoint", "model", "soundemitter"]);
    let (found, messages) = import_with(Some(&room), &[("keep", "lights")]);
    assert_eq!((found.entities(), messages.len()), (room.entities(), 0));
    assert!(Options::parse(ImportOptions::DECLARED, &[("keep".to_owned(), "lamps".to_owned())]).is_err());
}

#[test]
fn missing_trigger_boxes_and_collision_are_taken_from_the_base_room() {
    let room = sample();
    let read = Read { scene: scene_with(&room, &[], 1.0), left_out: Vec::new() };
    let options =
        Options::parse(ImportOptions::DECLARED, &[("keep".to_owned(), "triggers,collision".to_owned())])
            .unwrap();
    let file = SceneFile {
        read: &read,
        extension: "rmesh",
        name: "new.rmesh",
        options: &options,
        base: Some(&room),
    };
    let mut report = Report::new();
    let imported = import(&file, &mut report).unwrap();
    assert_eq!(imported.bytes, room.write().unwrap());
    assert!(single_warning(&report, &warning::MISSING).is_empty(), "{report:?}");
}
