//! Tests of other dialects as scenes, as plain rooms, and as folders to edit.

use asset::{Context, Detail, FolderSink, Guard, Install, MemorySink, Options, Target, Unpacked};
use json::{Value, json};

use super::*;
use crate::rmesh::{Entity, Header, Model, Spotlight};

fn opened(bytes: &[u8]) -> Box<dyn Asset> {
    open(&Source::from(bytes.to_vec()), &mut Report::new()).unwrap()
}

fn convert(bytes: &[u8], extension: &str, options: &[(&str, &str)]) -> (Vec<u8>, Report) {
    let given: Vec<_> = options.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let options = Options::parse(FORMAT.options, &given).unwrap();
    let install = Install::empty();
    let context = Context { install: &install, location: None, options: &options };
    let target = Target::new("room", 1.0);
    let (mut sink, mut report) = (MemorySink::new(), Report::new());
    FORMAT.convert(&*opened(bytes), extension, &context, target, &mut sink, &mut report).unwrap();
    (sink.get(&format!("room.{extension}")).unwrap().to_vec(), report)
}

/// The JSON chunk of a GLB.
fn gltf(bytes: &[u8]) -> Value {
    let (glb, _) = convert(bytes, "glb", &[]);
    let length = u32::from_le_bytes(*glb[12..].first_chunk().unwrap()) as usize;
    json::from_slice(&glb[20..20 + length]).unwrap()
}

fn node<'a>(gltf: &'a Value, name: &str) -> &'a Value {
    let nodes = gltf["nodes"].as_array().unwrap();
    nodes.iter().find(|node| node["name"] == name).unwrap_or_else(|| panic!("no {name}: {nodes:#?}"))
}

fn plain(bytes: &[u8]) -> (RMesh, Report) {
    let (written, warned) = convert(bytes, "rmesh", &[]);
    let mut report = Report::new();
    let room = RMesh::read(&written, &mut report).unwrap();
    assert!(report.is_empty(), "{report:?}");
    assert_eq!(*room.rest, *TRAILER);
    (room, warned)
}

#[test]
fn an_rm_room_shows_both_lists_of_surfaces_and_its_own_entities() {
    let gltf = gltf(&small_rm(1));
    let solid = gltf["meshes"][0]["primitives"].as_array().unwrap();
    assert_eq!((solid.len(), &solid[0]["extras"]["surface"]), (1, &json!(0)));
    let render_only = node(&gltf, "render_only-nocol");
    assert_eq!(render_only["extras"]["solid"], false);
    let seen = &gltf["meshes"][render_only["mesh"].as_u64().unwrap() as usize]["primitives"][0]["extras"];
    assert_eq!((&seen["render_surface"], &seen["surface"]), (&json!(0), &Value::Null));
    let room = &node(&gltf, "room")["extras"];
    assert_eq!(room["header"], "RM version 1");
    assert_eq!(room["holds"]["entities"], json!({ "door": 1, "item": 1, "subroom": 1, "waypoint": 1 }));
    let door = node(&gltf, "door_1");
    assert_eq!(door["translation"], json!([1.0, 2.0, -3.0]));
    assert_eq!(door["extras"]["entity"]["class"], "door");
    assert_eq!(door["extras"]["entity"]["door_identifier"], 7);
    assert_eq!(door["extras"]["entity"]["keypad_code"], "1234");
    let rotation = door["rotation"].as_array().unwrap();
    assert!((rotation[1].as_f64().unwrap() - 0.5_f64.sqrt()).abs() < 1e-6, "{rotation:?}");
    assert_eq!(node(&gltf, "item_0")["extras"]["entity"]["item"], "battery");
    assert_eq!(node(&gltf, "subroom_3")["extras"]["entity"]["zone"], -1);
    assert_eq!(node(&gltf, "waypoint_2")["extras"]["entity"]["class"], "waypoint");
}

#[test]
fn warnings_name_the_second_list_of_surfaces() {
    let (_, report) = convert(&small_rm(0), "glb", &[]);
    let paths: Vec<_> = report.iter().map(|warning| warning.path.as_str()).collect();
    assert!(paths.contains(&"render_surfaces[0].texture"), "{paths:?}");
    assert!(!paths.contains(&"surfaces[1].texture"), "{paths:?}");
}

#[test]
fn a_roommesh2_room_shows_normals_lights_and_props() {
    let gltf = gltf(&small_roommesh2());
    let normals = &gltf["meshes"][0]["primitives"][0]["attributes"]["NORMAL"];
    assert!(normals.is_number(), "{gltf:#}");
    let prop = node(&gltf, "mesh_2");
    assert_eq!(prop["translation"], json!([1.0, 2.0, -3.0]));
    assert_eq!(prop["scale"], json!([1.0, 2.0, 3.0]));
    assert_eq!(prop["extras"]["entity"]["file"], "lamp");
    assert_eq!(prop["extras"]["entity"]["fx"], 4);
    let light = node(&gltf, "light_0");
    assert_eq!(light["extras"]["entity"]["has_sprite"], 1);
    assert!(light["extensions"]["KHR_lights_punctual"].is_object(), "{light:#}");
    assert!(node(&gltf, "spotlight_1")["extensions"]["KHR_lights_punctual"].is_object());
    assert_eq!(node(&gltf, "spotlight_1")["extras"]["entity"]["pitch"], 45.0);
    assert_eq!(node(&gltf, "save_screen_4")["extras"]["entity"]["image"], "save.png");
}

#[test]
fn the_component_order_of_normals_fits_the_triangles() {
    let with = |normal: &[f32]| {
        let body = [count(1), surface("", normal), count(0), count(0)].concat();
        let (_, report) = convert(&[string("RoomMesh2"), body].concat(), "glb", &[]);
        single_warning(&report, &warning::NORMALS_READ)
    };
    assert_eq!(with(&[0.0, 0.0, 1.0]), "normals are read as x, z, y, like in the game");
    assert!(with(&[0.0, 1.0, 0.0]).contains("as x, y, z"));
}

#[test]
fn reports_a_non_finite_position_and_places_the_node_at_the_origin() {
    let lost = [string("subroom"), numbers(&[f32::NAN, 0.0, 0.0]), count(1), count(1), count(1)].concat();
    let bytes = rm(1, 1, &[lost]);
    let (_, report) = convert(&bytes, "glb", &[]);
    single_warning(&report, &warning::BAD_TRANSFORM);
    assert!(node(&gltf(&bytes), "subroom_0")["translation"].is_null());
}

#[test]
fn an_rm_room_as_a_plain_one_reports_losses() {
    let (room, report) = plain(&small_rm(1));
    assert_eq!(room.header, Header::HasTriggerBox);
    assert_eq!((room.surfaces.len(), room.collision().len(), room.triggers().len()), (2, 1, 1));
    assert_eq!(room.entities(), [Entity::Waypoint(Waypoint { position: [1.0, 0.0, 0.0] })]);
    assert!(
        single_warning(&report, &warning::RENDER_ONLY_LOST)
            .starts_with("1 render-only surface becomes solid")
    );
    assert_eq!(report.count_of(&warning::ENTITY_LOST), 3);
    let warned: Vec<_> = report.iter().map(|warning| warning.message.as_str()).collect();
    assert!(warned.contains(&"1 entity of class \"door\" left out"), "{warned:?}");
}

#[test]
fn a_roommesh2_room_as_a_plain_one_reports_losses() {
    let (room, report) = plain(&small_roommesh2());
    assert_eq!(room.header, Header::RoomMesh);
    let classes: Vec<_> = room.entities().iter().map(|entity| entity.class().into_owned()).collect();
    assert_eq!(classes, ["light", "spotlight", "model", "waypoint", "screen"]);
    let Entity::Spotlight(Spotlight { angles, outer_cone_angle, .. }) = &room.entities()[1] else {
        panic!("{room:?}")
    };
    assert_eq!((&*angles.text(), *outer_cone_angle), ("45 90 0", 61));
    let Entity::Model(Model { file, .. }) = &room.entities()[2] else { panic!("{room:?}") };
    assert_eq!(file.text(), "lamp.b3d");
    single_warning(&report, &warning::NORMALS_LOST);
    assert_eq!(report.count_of(&warning::FIELDS_LOST), 4);
}

#[test]
fn a_truncated_room_as_a_plain_one_reports_the_bytes_left_out() {
    let complete = small_rm(0);
    let (room, report) = plain(&complete[..complete.len() - 3]);
    assert_eq!(room.entities().len(), 1);
    assert!(single_warning(&report, &warning::BYTES_LOST).contains("unread bytes left out"));
}

#[test]
fn a_room_of_another_editor_is_converted_to_what_the_game_loads() {
    let nameless = [string("model"), string(""), numbers(&[0.0; 9])].concat();
    let entities = [waypoint(1.0), [string("elevator"), vec![7; 9]].concat(), nameless, waypoint(2.0)];
    let bytes = [
        string("RoomMesh"),
        count(1),
        [vec![1], string("room_lm.png"), vec![0], count(0), count(0)].concat(),
        count(0),
        count(4),
        entities.concat(),
    ]
    .concat();
    let (room, report) = plain(&bytes);
    assert_eq!(room.surfaces[0].lightmap.named().unwrap().text(), "room_lm.png");
    assert_eq!(room.entities(), [1.0, 2.0].map(|x| Entity::Waypoint(Waypoint { position: [x, 0.0, 0.0] })));
    let warned: Vec<_> = report.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(
        warned,
        [
            "1 entity of class \"elevator\" left out",
            "1 entity of class \"model\" left out: models without a file make the game misread the room"
        ]
    );
}

#[test]
fn a_plain_room_of_the_game_stays_unchanged() {
    let bytes = [string("RoomMesh"), count(0), count(0), count(1), waypoint(1.0), TRAILER.to_vec()].concat();
    let (written, report) = convert(&bytes, "rmesh", &[]);
    assert!(report.is_empty(), "{report:?}");
    assert_eq!(written, bytes);
}

#[test]
fn a_description_names_the_dialect_and_counts_its_own_classes() {
    let description = opened(&small_rm(1)).describe(Detail::Brief);
    assert_eq!(description.dialect, "RM version 1");
    assert_eq!(description.summary, "room, 2 surfaces, 2 triangles, 4 entities");
    assert_eq!(description.counts.get("door"), 1);
    assert_eq!(description.counts.get("render-only surfaces"), 1);
    assert_eq!(description.fields.root().to_value()["header"], "RM version 1");
    assert_eq!(description.fields.root().to_value()["trailer"], "");
    let full = opened(&small_rm(1)).describe(Detail::Full);
    assert_eq!(full.fields.root().to_value()["version"], 1);
    assert_eq!(full.fields.root().to_value()["entities"][1]["door"]["keycard_level"], 3);
    let description = opened(&small_roommesh2()).describe(Detail::Brief);
    assert_eq!(description.dialect, "RoomMesh2");
    assert_eq!(description.counts.get("mesh"), 1);
}

#[test]
fn a_check_looks_up_the_files_that_the_room_names() {
    let options = Options::parse(FORMAT.options, &[]).unwrap();
    let install = Install::empty();
    let context = Context { install: &install, location: None, options: &options };
    let mut report = Report::new();
    opened(&small_roommesh2()).check(&context, &mut report);
    assert!(single_warning(&report, &warning::PROP_MISSING).contains("lamp.b3d"));
    assert!(single_warning(&report, &asset::reference::MISSING).contains("wall.jpg"));
}

#[test]
fn a_room_round_trips_through_its_folder_with_one_field_changed() {
    for complete in small_rooms() {
        let folder = tempfile::tempdir().unwrap();
        let source = Source::from(complete.clone());
        let mut sink = FolderSink::new(folder.path(), std::sync::Arc::new(Guard::default()));
        let mut parts = Parts::new(&mut sink, FORMAT.id, &source, "room.rmesh").unwrap();
        let options = Options::parse(FORMAT.options, &[]).unwrap();
        let install = Install::empty();
        let context = Context { install: &install, location: None, options: &options };
        opened(&complete).unpack(&context, &mut parts, &mut Report::new()).unwrap();
        parts.finish(&mut Report::new()).unwrap();
        sink.finish().unwrap();
        let pack = || {
            let folder = Unpacked::open(folder.path()).unwrap();
            (FORMAT.pack.unwrap())(&folder, &mut Report::new())
        };
        assert_eq!(pack().unwrap(), complete);
        let record = folder.path().join("record.json");
        let edited = std::fs::read_to_string(&record).unwrap().replace("wall.jpg", "door.jpg");
        std::fs::write(&record, edited).unwrap();
        let at = complete.windows(8).position(|text| text == b"wall.jpg").unwrap();
        let mut expected = complete.clone();
        expected[at..at + 8].copy_from_slice(b"door.jpg");
        assert_eq!(pack().unwrap(), expected);
    }
}
