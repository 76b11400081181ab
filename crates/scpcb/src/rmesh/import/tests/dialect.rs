//! Tests of the import of rooms in other dialects.

use asset::Location;
use record::Source;
use scene::gltf::read;

use super::*;
use crate::rmesh::dialect;
use crate::rmesh::{
    Door, Entity2, Item, Light, Prop, RM_HEADER, ROOMMESH2_HEADER, Rm, RmEntity, RoomMesh2, SaveScreen,
    Spotlight2, Subroom, Surface2, Vertex2,
};

const PLACE: [f32; 3] = [256.0, 512.0, 768.0];

/// A room after a round trip through a GLB, with all optional contents.
fn through_glb(bytes: &[u8]) -> Read {
    let given = [("with".to_owned(), "collision,triggers".to_owned())];
    let options = Options::parse(FORMAT.options, &given).unwrap();
    let (install, location) = (Install::empty(), None::<Location>);
    let context = Context { install: &install, location, options: &options };
    let target = Target::new("room", 1.0);
    let source = Source::from_bytes(bytes);
    let scene = dialect::scene_of(&source, &context, &target, &mut Report::new()).unwrap();
    read(&write_glb(&scene).unwrap(), &mut |_| None).unwrap()
}

fn floor() -> Surface {
    let at =
        |x, z| Vertex { position: [x, 0.0, z], texture_uv: [x, z], lightmap_uv: [0.0; 2], color: [255; 3] };
    Surface {
        lightmap: slot(TextureKind::OPAQUE, ""),
        texture: slot(TextureKind::OPAQUE, "floor.jpg"),
        vertices: vec![at(0.0, 0.0), at(0.0, 256.0), at(256.0, 0.0)],
        triangles: vec![[0, 1, 2]],
    }
}

fn item() -> RmEntity {
    RmEntity::Item(Item {
        position: PLACE,
        item: "battery".into(),
        use_custom_rotation: 1,
        rotation: [0.0, 90.0, 0.0],
        state_1: 50.0,
        spawn_chance: 0.5,
        ..Item::default()
    })
}

fn door(door_identifier: Option<i32>) -> RmEntity {
    RmEntity::Door(Door {
        position: PLACE,
        door_type: 2,
        door_identifier,
        keypad_code: "1234".into(),
        angle: 90.0,
        button_2_angle: [1.0, 2.0, 3.0],
        ..Door::default()
    })
}

fn rm(version: u8) -> Rm {
    let mut decal = floor();
    decal.texture = slot(TextureKind::OPAQUE, "decal.png");
    let side = InvisibleSurface { vertices: vec![[1.0, 2.0, 3.0]; 3], triangles: vec![[0, 1, 2]] };
    Rm {
        surfaces: vec![floor()],
        render_surfaces: Some(vec![decal, floor()]),
        collision: Some(vec![side.clone()]),
        triggers: Some(vec![TriggerBox { surfaces: vec![side], name: "event".into() }]),
        entities: Some(vec![
            item(),
            door((version > 0).then_some(7)),
            RmEntity::Waypoint(Waypoint { position: PLACE }),
            RmEntity::Subroom(Subroom { position: PLACE, width: 512, height: 256, zone: -1 }),
            RmEntity::Custom("elevator".into(), Bytes::from(vec![1, 2, 3])),
        ]),
        ..Rm::new(version)
    }
}

/// Reserved bytes without a known meaning.
fn reserved() -> Bytes {
    Bytes::from(vec![9; 128])
}

fn roommesh2(upward: [f32; 3]) -> RoomMesh2 {
    let Surface { lightmap, texture, vertices, triangles } = floor();
    let vertices = vertices.into_iter().map(|vertex| Vertex2 {
        position: vertex.position,
        texture_uv: vertex.texture_uv,
        lightmap_uv: vertex.lightmap_uv,
        color: vertex.color,
        normal: upward,
    });
    let light = Light {
        position: PLACE,
        range: 512.0,
        color: "255 0 128".into(),
        intensity: 1.5,
        has_sprite: Some(1),
        sprite_scale: Some(0.3),
        casts_shadows: Some(1),
        reserved: Some(reserved()),
    };
    let spotlight = Spotlight2 {
        position: PLACE,
        range: 512.0,
        color: "1 2 3".into(),
        intensity: 1.0,
        pitch: 45.5,
        yaw: 90.25,
        outer_cone_angle: 60.5,
        reserved: reserved(),
        ..Spotlight2::default()
    };
    let prop = Prop {
        position: PLACE,
        file: "lamp".into(),
        rotation: [0.0, 90.0, 0.0],
        scale: [1.0, 2.0, 3.0],
        fx: 4,
        ..Prop::default()
    };
    let screen = SaveScreen {
        position: PLACE,
        model: "monitor.b3d".into(),
        rotation: [10.0, 20.0, 30.0],
        scale: [1.0, 2.0, 3.0],
        image: "save.png".into(),
    };
    RoomMesh2 {
        surfaces: vec![Surface2 { lightmap, texture, vertices: vertices.collect(), triangles }],
        entities: Some(vec![
            Entity2::Light(light),
            Entity2::Spotlight(spotlight),
            Entity2::Mesh(prop),
            Entity2::Waypoint(Waypoint { position: PLACE }),
            Entity2::SaveScreen(screen),
        ]),
        ..RoomMesh2::new()
    }
}

#[test]
fn an_rm_room_round_trips_identically() {
    for version in [0, 1] {
        let room = rm(version);
        let read = through_glb(&room.write().unwrap());
        let (imported, report) = pack(&read, "rm", &[]).unwrap();
        assert_eq!(report.count(Severity::Warning), 0, "{report:?}");
        assert_eq!(Rm::read(&imported.bytes, &mut Report::new()).unwrap(), room, "version {version}");
    }
}

#[test]
fn render_only_surfaces_are_kept_when_primitives_lose_their_extras() {
    let mut read = through_glb(&rm(1).write().unwrap());
    for mesh in &mut read.scene.meshes {
        mesh.primitives.iter_mut().for_each(|primitive| primitive.extras.clear());
    }
    let (imported, _) = pack(&read, "rm", &[]).unwrap();
    let again = Rm::read(&imported.bytes, &mut Report::new()).unwrap();
    let names = |surfaces: &[Surface]| -> Vec<_> {
        surfaces.iter().map(|surface| surface.texture.named().unwrap().text().into_owned()).collect()
    };
    assert_eq!(names(&again.surfaces), ["floor.jpg"]);
    assert_eq!(names(again.render_surfaces.as_deref().unwrap()), ["decal.png", "floor.jpg"]);
}

#[test]
fn a_roommesh2_room_round_trips_identically_with_either_order_of_normals() {
    for upward in [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]] {
        let room = roommesh2(upward);
        let read = through_glb(&room.write().unwrap());
        let (imported, report) = pack(&read, "rmesh", &[]).unwrap();
        assert_eq!(report.count(Severity::Warning), 0, "{report:?}");
        let again = RoomMesh2::read(&imported.bytes, &mut Report::new()).unwrap();
        assert_eq!(again, room, "{upward:?}");
    }
}

#[test]
fn the_dialect_depends_on_the_option_then_the_extension_then_the_scene() {
    let [rm, uer, plain] =
        [rm(1).write().unwrap(), roommesh2([0.0, 0.0, 1.0]).write().unwrap(), sample().write().unwrap()]
            .map(|bytes| through_glb(&bytes));
    let new = Read { scene: Scene::new("new"), left_out: Vec::new() };
    let starts = |read: &Read, extension: &str, given: &[(&str, &str)], header: &[u8]| {
        let (imported, _) = pack(read, extension, given).unwrap();
        assert!(imported.bytes.starts_with(header), "{extension} {given:?}: {:?}", imported.bytes.get(..12));
    };
    let room_mesh = b"\x08\0\0\0RoomMesh";
    starts(&rm, "rm", &[], RM_HEADER);
    starts(&rm, "rmesh", &[], b"\x16\0\0\0RoomMesh.HasTriggerBox");
    starts(&uer, "rmesh", &[], ROOMMESH2_HEADER);
    starts(&uer, "rm", &[], RM_HEADER);
    starts(&uer, "rmesh", &[("dialect", "plain")], room_mesh);
    starts(&plain, "rm", &[], RM_HEADER);
    starts(&new, "rmesh", &[], room_mesh);
    starts(&new, "rmesh", &[("dialect", "rm")], RM_HEADER);
    starts(&new, "rmesh", &[("dialect", "uer")], ROOMMESH2_HEADER);
    assert!(pack(&new, "rmesh", &[("dialect", "other")]).is_err());
}

#[test]
fn unsupported_features_of_a_dialect_are_reported() {
    let losses = |read: &Read, dialect: &str| -> Vec<(String, String)> {
        let (imported, report) = pack(read, "rmesh", &[("dialect", dialect)]).unwrap();
        assert!(!imported.bytes.is_empty());
        let found = report.iter().filter(|found| found.code.severity == Severity::Warning);
        found.map(|found| (found.code.id.to_owned(), found.message.clone())).collect()
    };
    let owned = |list: &[(&str, &str)]| -> Vec<_> {
        list.iter().map(|(code, message)| ((*code).to_owned(), (*message).to_owned())).collect()
    };
    let rm_room = through_glb(&rm(1).write().unwrap());
    let left_out = [
        ("RMESH-W064", "1 entity of class \"door\" left out"),
        ("RMESH-W064", "1 entity of class \"elevator\" left out"),
        ("RMESH-W064", "1 entity of class \"item\" left out"),
        ("RMESH-W064", "1 entity of class \"subroom\" left out"),
    ];
    let solid = ("RMESH-W061", "2 render-only surfaces become solid where opaque");
    assert_eq!(losses(&rm_room, "plain"), owned(&[&[solid][..], &left_out].concat()));
    let boxes = ("RMESH-W066", "1 trigger box left out: RoomMesh2 rooms have none");
    assert_eq!(losses(&rm_room, "uer"), owned(&[&[solid, boxes][..], &left_out].concat()));

    let uer_room = through_glb(&roommesh2([0.0, 0.0, 1.0]).write().unwrap());
    let found = losses(&uer_room, "rm");
    let classes: Vec<_> = found.iter().map(|(code, message)| (code.as_str(), message.as_str())).collect();
    assert_eq!(
        classes,
        [
            ("RMESH-W063", "1 entity of class \"light\" lose their glow, shadows and 128 reserved bytes"),
            ("RMESH-W063", "1 entity of class \"mesh\" lose their effects, texture and collision flag"),
            (
                "RMESH-W063",
                "1 entity of class \"save_screen\" lose their saving function, model, rotation and scale"
            ),
            (
                "RMESH-W063",
                "1 entity of class \"spotlight\" lose their glow, shadows, fractional angles and 128 reserved bytes"
            ),
        ]
    );
}

#[test]
fn a_plain_room_round_trips_through_each_dialect() {
    let room = sample();
    let opened = dialect::open(&Source::from(room.write().unwrap()), &mut Report::new()).unwrap();
    let mut report = Report::new();
    let rm = dialect::save_as_rm(&*opened, &mut report).unwrap();
    assert!(report.is_empty(), "{report:?}");
    let again = dialect::open(&Source::from(rm), &mut Report::new()).unwrap();
    let plain = dialect::save_as_plain_room(&*again, &mut report).unwrap();
    assert_eq!(
        RMesh::read(&plain, &mut Report::new()).unwrap(),
        room,
        "RM supports everything in a plain room"
    );

    let uer = dialect::save_as_roommesh2(&*opened, &mut report).unwrap();
    let uer = RoomMesh2::read(&uer, &mut Report::new()).unwrap();
    assert_eq!(uer.surfaces.len(), room.surfaces.len());
    let normals = uer.surfaces.iter().flat_map(|surface| &surface.vertices).map(|vertex| vertex.normal);
    assert!(normals.map(glam::Vec3::from).all(|normal| (normal.length() - 1.0).abs() < 1e-5));
    let light = uer.entities.iter().flatten().find_map(|entity| match entity {
        Entity2::Light(light) => Some(light),
        _ => None,
    });
    assert_eq!(light.unwrap().reserved.as_ref().unwrap().len(), 128);
    assert_eq!(single_warning(&report, &warning::TRIGGERS_LOST).len(), 1, "{report:?}");
}

#[test]
fn missing_normals_are_computed_from_the_triangles() {
    let mut read = through_glb(&room_with(vec![floor()], Vec::new()).write().unwrap());
    for primitive in read.scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.normals = None;
        primitive.extras.clear();
    }
    let (imported, _) = pack(&read, "rmesh", &[("dialect", "uer")]).unwrap();
    let room = RoomMesh2::read(&imported.bytes, &mut Report::new()).unwrap();
    let normals: Vec<_> = room.surfaces[0].vertices.iter().map(|vertex| vertex.normal).collect();
    assert_eq!(normals, [[0.0, 0.0, 1.0]; 3], "up, in the order of the game: x, z, y");
}
