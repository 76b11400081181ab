//! Tests of the format on rooms of a few bytes.

use std::fmt::Debug;

use asset::{Code, Report};
use proptest::prelude::*;
use record::{Kind, Record, read_whole, write_whole};

use super::*;

fn assert_round_trip<T: Record<Context = ()> + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    assert_eq!(write_whole(value, ()).unwrap(), bytes, "writing {value:?}");
    assert_eq!(read_whole::<T>(bytes, ()).unwrap(), *value, "reading {value:?}");
}

fn read(bytes: &[u8]) -> (RMesh, Report) {
    let mut report = Report::new();
    let room = RMesh::read(bytes, &mut report).unwrap();
    (room, report)
}

fn refused(bytes: &[u8]) -> Error {
    RMesh::read(bytes, &mut Report::new()).unwrap_err()
}

pub(super) fn single_warning(report: &Report, code: &Code) -> String {
    let found: Vec<_> = report.iter().map(ToString::to_string).collect();
    assert!(report.count_of(code) == 1, "{} is not raised once: {found:?}", code.id);
    report.iter().find(|warning| warning.code.id == code.id).unwrap().message.clone()
}

pub(super) fn string(text: &str) -> Vec<u8> {
    let mut out = (text.len() as i32).to_le_bytes().to_vec();
    out.extend(text.as_bytes());
    out
}

pub(super) fn numbers(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

pub(super) fn count(number: i32) -> Vec<u8> {
    number.to_le_bytes().to_vec()
}

/// A room without surfaces, followed by `entities`.
fn with_entities(declared: i32, entities: &[Vec<u8>], rest: &[u8]) -> Vec<u8> {
    [string("RoomMesh"), count(0), count(0), count(declared), entities.concat(), rest.to_vec()].concat()
}

pub(super) fn waypoint(x: f32) -> Vec<u8> {
    [string("waypoint"), numbers(&[x, 0.0, 0.0])].concat()
}

#[test]
fn every_record_round_trips() {
    assert_round_trip(&TextureSlot::NONE, b"\x00");
    assert_round_trip(&TextureSlot { kind: TextureKind::OPAQUE, name: Some("".into()) }, b"\x01\0\0\0\0");
    assert_round_trip(
        &TextureSlot { kind: TextureKind::LIGHTMAP, name: Some("a.png".into()) },
        b"\x02\x05\0\0\0a.png",
    );
    assert_round_trip(
        &TextureSlot { kind: TextureKind::TRANSPARENT, name: Some("g".into()) },
        b"\x03\x01\0\0\0g",
    );
    assert_round_trip(
        &Vertex {
            position: [1.0, 2.0, -3.0],
            texture_uv: [0.5, 4.0],
            lightmap_uv: [0.25, 1.0],
            color: [255, 7, 0],
        },
        b"\0\0\x80\x3f\0\0\0\x40\0\0\x40\xc0\0\0\0\x3f\0\0\x80\x40\0\0\x80\x3e\0\0\x80\x3f\xff\x07\0",
    );
    assert_round_trip(
        &InvisibleSurface { vertices: vec![[1.0, 0.0, 0.0]], triangles: vec![[0, 0, 0]] },
        b"\x01\0\0\0\0\0\x80\x3f\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    );
    assert_round_trip(
        &TriggerBox { surfaces: vec![InvisibleSurface::default(); 2], name: "scene_end".into() },
        b"\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x09\0\0\0scene_end",
    );
}

/// The examples of the format's documentation, byte for byte.
#[test]
fn reads_the_documented_examples_of_entities() {
    let hex = |text: &str| -> Vec<u8> {
        text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
    };
    assert_round_trip(
        &Entity::Screen(Screen { position: [0.0, 224.0, -224.0], image: "screen/008".into() }),
        &hex(
            "06 00 00 00 73 63 72 65 65 6E 00 00 00 00 00 00 60 43 00 00 60 C3 0A 00 00 00 73 63 72 65 65 6E 2F 30 30 38",
        ),
    );
    assert_round_trip(
        &Entity::Waypoint(Waypoint { position: [288.0, 160.0, 672.0] }),
        &hex("08 00 00 00 77 61 79 70 6F 69 6E 74 00 00 90 43 00 00 20 43 00 00 28 44"),
    );
    assert_round_trip(
        &Entity::Light(Light {
            position: [768.0, 192.0, 1312.0],
            range: 600.0,
            color: "128 255 255".into(),
            intensity: 2.0,
            ..Light::default()
        }),
        &hex(
            "05 00 00 00 6C 69 67 68 74 00 00 40 44 00 00 40 43 00 00 A4 44 00 00 16 44 0B 00 00 00 31 32 38 20 32 35 35 20 32 35 35 00 00 00 40",
        ),
    );
    assert_round_trip(
        &Entity::Spotlight(Spotlight {
            position: [-388.0, 376.0, -40.0],
            range: 800.0,
            color: "255 255 255".into(),
            intensity: 1.2,
            angles: "90 0 0".into(),
            inner_cone_angle: 35,
            outer_cone_angle: 45,
        }),
        &hex(
            "09 00 00 00 73 70 6F 74 6C 69 67 68 74 00 00 C2 C3 00 00 BC 43 00 00 20 C2 00 00 48 44 0B 00 00 00 32 35 35 20 32 35 35 20 32 35 35 9A 99 99 3F 06 00 00 00 39 30 20 30 20 30 23 00 00 00 2D 00 00 00",
        ),
    );
    assert_round_trip(
        &Entity::SoundEmitter(SoundEmitter { position: [896.0, 128.0, 159.999_95], sound: 1, range: 500.0 }),
        &hex(
            "0C 00 00 00 73 6F 75 6E 64 65 6D 69 74 74 65 72 00 00 60 44 00 00 00 43 FD FF 1F 43 01 00 00 00 00 00 FA 43",
        ),
    );
    assert_round_trip(
        &Entity::PlayerStart(PlayerStart { position: [112.0, 340.0, 1450.0], angles: "0 45 0".into() }),
        &hex(
            "0B 00 00 00 70 6C 61 79 65 72 73 74 61 72 74 00 00 E0 42 00 00 AA 43 00 40 B5 44 06 00 00 00 30 20 34 35 20 30",
        ),
    );
    let model = hex(
        "05 00 00 00 6D 6F 64 65 6C 0F 00 00 00 63 6F 6E 74 64 6F 6F 72 66 72 61 6D 65 2E 78 00 00 6C 44 00 00 A0 C4 06 00 00 38 00 00 00 80 FD FF B3 C2 00 00 00 00 FF FF 0B 42 00 00 50 42 FF FF 47 42",
    );
    let Entity::Model(Model { file, position, rotation, scale }) = read_whole(&model, ()).unwrap() else {
        panic!("no model")
    };
    assert_eq!(file.text(), "contdoorframe.x");
    assert_eq!(position, [944.0, -1280.0, 3.051_76e-5]);
    assert_eq!(rotation.map(f32::to_bits), [0x8000_0000, 0xc2b3_fffd, 0]);
    assert_eq!(scale, [34.999_996, 52.0, 49.999_996]);
}

/// A room with one of each kind of item.
fn small_room() -> RMesh {
    let slot = |kind, name: &str| TextureSlot { kind, name: Some(name.into()) };
    let corner = |x: f32, z: f32| Vertex {
        position: [x, -0.0, z],
        texture_uv: [x / 256.0, 0.1],
        lightmap_uv: [0.5, f32::INFINITY],
        color: [255, 128, 0],
    };
    let corners = vec![corner(0.0, 0.0), corner(256.0, 0.0), corner(0.0, 256.0)];
    let surface = |lightmap, texture| Surface {
        lightmap,
        texture,
        vertices: corners.clone(),
        triangles: vec![[0, 1, 2]],
    };
    let invisible = InvisibleSurface { vertices: vec![[1.5, 0.0, f32::NAN]], triangles: vec![[0, 0, 0]] };
    let position = [1.0, 2.0, -3.25];
    RMesh {
        header: Header::HasTriggerBox,
        surfaces: vec![
            surface(slot(TextureKind::LIGHTMAP, "room_lm1.png"), slot(TextureKind::OPAQUE, "café.jpg")),
            surface(slot(TextureKind::OPAQUE, ""), slot(TextureKind::TRANSPARENT, "glass.png")),
            surface(TextureSlot::NONE, TextureSlot::NONE),
        ],
        collision: Some(vec![invisible.clone()]),
        triggers: Some(vec![TriggerBox { surfaces: vec![invisible], name: "end".into() }]),
        entities: Some(vec![
            Entity::Screen(Screen { position, image: "008.sc".into() }),
            Entity::Waypoint(Waypoint { position }),
            Entity::Light(Light {
                position,
                range: 600.0,
                color: "128 255 255".into(),
                intensity: 0.1,
                ..Light::default()
            }),
            Entity::Spotlight(Spotlight {
                position,
                range: 800.0,
                color: "255 255 255".into(),
                intensity: 1.2,
                angles: "90 0 0".into(),
                inner_cone_angle: 35,
                outer_cone_angle: 45,
            }),
            Entity::SoundEmitter(SoundEmitter { position, sound: 1, range: 500.0 }),
            Entity::PlayerStart(PlayerStart { position, angles: "0 45 0".into() }),
            Entity::Model(Model {
                file: "lamp2.x".into(),
                position,
                rotation: [0.0, -89.999_98, 0.0],
                scale: [35.0; 3],
            }),
            Entity::Custom("elevator".into(), Bytes(vec![1, 2, 255])),
        ]),
        ..RMesh::new()
    }
}

#[test]
fn every_field_has_its_name_in_json() {
    let room = small_room();
    insta::assert_snapshot!(String::from_utf8(json::to_vec(&room).unwrap()).unwrap());
    let bytes = room.write().unwrap();
    assert_eq!(read(&bytes).0.write().unwrap(), bytes);
    let edited: RMesh = json::from_slice(&json::to_vec(&room).unwrap()).unwrap();
    assert_eq!(edited.write().unwrap(), bytes);
}

#[test]
fn an_empty_room_round_trips() {
    let bytes = with_entities(0, &[], TRAILER);
    let (room, report) = read(&bytes);
    assert_eq!(room, RMesh::new());
    assert!(report.is_empty());
    assert_eq!(room.write().unwrap(), bytes);
}

#[test]
fn refuses_an_empty_file() {
    assert_eq!(refused(b"").to_string(), "the file is empty, at offset 0x0");
}

#[test]
fn refuses_unsupported_dialects_by_name() {
    for (header, name) in [("RM", "\"RM\""), ("RoomMesh2", "RoomMesh2"), ("RoomMesh.HasNoColl", "HasNoColl")]
    {
        let error = refused(&string(header));
        assert_eq!(error.kind(), Kind::Unsupported);
        assert_eq!(error.offset(), Some(0));
        assert!(error.message().contains(name), "{error}");
    }
    let error = refused(&string("RoomMash"));
    assert_eq!(error.kind(), Kind::Malformed);
    assert!(error.message().contains("RoomMash"), "{error}");
}

#[test]
fn refuses_a_surface_count_larger_than_the_file_before_allocating() {
    for lie in [i32::MAX, -1] {
        let error = refused(&[string("RoomMesh"), count(lie)].concat());
        assert_eq!(error.offset(), Some(12));
        assert_eq!(error.path(), "surfaces");
    }
    assert_eq!(
        refused(&[string("RoomMesh"), count(i32::MAX)].concat()).to_string(),
        "surfaces: expected 2147483647 items of at least 10 bytes each, but only 0 bytes are left, at offset 0xc"
    );
}

#[test]
fn refuses_more_surfaces_than_the_limit_even_if_they_fit() {
    let surface = [vec![0, 0], count(0), count(0)].concat();
    let number = MAX_COUNT + 1;
    let bytes = [string("RoomMesh"), count(number as i32), surface.repeat(number)].concat();
    let error = refused(&bytes);
    assert_eq!((error.kind(), error.offset()), (Kind::Limit, Some(12)));
}

#[test]
fn refuses_an_unknown_texture_kind_at_its_offset() {
    let error = refused(&[string("RoomMesh"), count(1), vec![9], vec![0; 20]].concat());
    assert_eq!(
        error.to_string(),
        "surfaces[0].lightmap.kind: unknown texture kind 9 (known: 0 to 3), at offset 0x10"
    );
}

#[test]
fn refuses_a_string_with_a_length_of_a_gigabyte() {
    let error = refused(&[string("RoomMesh"), count(1), vec![1], count(1 << 30), vec![b'a'; 64]].concat());
    assert_eq!(
        error.to_string(),
        "surfaces[0].lightmap.name: expected 1073741824 bytes, but only 64 are left, at offset 0x11"
    );
}

#[test]
fn truncated_entities_keep_the_entities_before_and_every_byte() {
    let complete = with_entities(3, &[waypoint(1.0), waypoint(2.0), waypoint(3.0)], b"");
    let cut = &complete[..complete.len() - 5];
    let (room, report) = read(cut);
    assert_eq!(room.entities(), [1.0, 2.0].map(|x| Entity::Waypoint(Waypoint { position: [x, 0.0, 0.0] })));
    assert_eq!(room.unread_entities, 1);
    assert_eq!(room.write().unwrap(), cut);
    assert_eq!(
        single_warning(&report, &warning::CUT_SHORT),
        "the file declares 3 entities, but only 2 can be read (entities[2].position: expected 12 bytes, but only 7 are left)"
    );
}

#[test]
fn an_entity_added_to_a_truncated_room_is_counted() {
    let complete = with_entities(3, &[waypoint(1.0)], b"");
    let (mut room, _) = read(&complete);
    room.entities.as_mut().unwrap().push(Entity::Waypoint(Waypoint { position: [9.0; 3] }));
    let written = room.write().unwrap();
    assert_eq!(written[20..24], count(4));
}

#[test]
fn a_negative_entity_count_is_kept() {
    let bytes = with_entities(-1, &[], TRAILER);
    let (room, report) = read(&bytes);
    assert_eq!(room.unread_entities, -1);
    assert_eq!(room.write().unwrap(), bytes);
    assert!(!report.is_empty());
}

#[test]
fn keeps_the_bytes_of_an_unknown_class_and_reads_the_entities_after_it() {
    let custom = [string("elevator"), numbers(&[1.0, 2.0, 3.0]), vec![1], string("up")].concat();
    for rest in [&b""[..], TRAILER] {
        let bytes = with_entities(3, &[waypoint(1.0), custom.clone(), waypoint(2.0)], rest);
        let (room, report) = read(&bytes);
        assert_eq!(room.entities().len(), 3);
        assert_eq!(room.entities()[1].class(), "elevator");
        assert_eq!(room.entities()[2], Entity::Waypoint(Waypoint { position: [2.0, 0.0, 0.0] }));
        assert_eq!(room.write().unwrap(), bytes);
        assert!(single_warning(&report, &warning::CUSTOM_CLASS).contains("elevator"));
        let again: RMesh = json::from_slice(&json::to_vec(&room).unwrap()).unwrap();
        assert_eq!(again, room);
    }
}

#[test]
fn a_custom_class_at_the_end_extends_to_the_trailer() {
    let bytes = with_entities(1, &[[string("door"), vec![7; 30]].concat()], TRAILER);
    let (room, _) = read(&bytes);
    let Entity::Custom(class, fields) = &room.entities()[0] else { panic!("{room:?}") };
    assert_eq!((&*class.text(), &**fields), ("door", &[7; 30][..]));
    assert_eq!(*room.rest, *TRAILER);
    assert_eq!(room.write().unwrap(), bytes);
}

#[test]
fn stops_before_a_custom_class_that_cannot_be_skipped() {
    // What follows looks like a waypoint, but the room does not end after it.
    let custom = [string("door"), waypoint(1.0), vec![9; 6]].concat();
    let bytes = with_entities(2, &[waypoint(0.0), custom], b"");
    let (room, report) = read(&bytes);
    assert_eq!(room.entities().len(), 1);
    assert_eq!(room.unread_entities, 1);
    assert_eq!(room.write().unwrap(), bytes);
    assert!(single_warning(&report, &warning::CUT_SHORT).contains("door"));
}

#[test]
fn damage_after_the_surfaces_keeps_the_surfaces() {
    let surface = [vec![0, 0], count(0), count(0)].concat();
    let bytes = [string("RoomMesh"), count(1), surface, count(2), count(77)].concat();
    let (room, report) = read(&bytes);
    assert_eq!(room.surfaces.len(), 1);
    assert_eq!((room.collision.is_none(), room.entities.is_none()), (true, true));
    assert_eq!(room.write().unwrap(), bytes);
    assert!(single_warning(&report, &warning::DAMAGE).contains("expected 2 items of at least 8 bytes"));
}

#[test]
fn trailing_bytes_are_kept_and_reported() {
    let bytes = with_entities(0, &[], b"EOF?");
    let (room, report) = read(&bytes);
    assert_eq!(room.write().unwrap(), bytes);
    assert_eq!(single_warning(&report, &warning::LEFT_OVER), "4 trailing bytes after the end of the room");
}

#[test]
fn trigger_boxes_require_their_header() {
    let room = RMesh { triggers: Some(Vec::new()), ..RMesh::new() };
    assert_eq!(
        room.write().unwrap_err().to_string(),
        "triggers: a room with trigger boxes needs the header \"RoomMesh.HasTriggerBox\""
    );
}

#[test]
fn refuses_an_unknown_or_missing_field_in_the_record() {
    let text = String::from_utf8(json::to_vec(&RMesh::new()).unwrap()).unwrap();
    let with_typo = text.replace("\"collision\"", "\"colision\"");
    assert!(json::from_slice::<RMesh>(with_typo.as_bytes()).is_err());
    let without = text.replace("\"collision\": [],", "");
    assert_ne!(without, text);
    assert!(json::from_slice::<RMesh>(without.as_bytes()).is_err());
}

#[test]
fn every_byte_is_visited_once() {
    let custom = [string("door"), vec![7; 30]].concat();
    let model = [string("model"), string("a.x"), numbers(&[0.0; 9])].concat();
    let surface = [
        vec![2],
        string("lm.png"),
        vec![1],
        string("t.jpg"),
        count(3),
        vec![5; 93],
        count(1),
        [0, 1, 2].map(i32::to_le_bytes).concat(),
    ]
    .concat();
    let invisible = [count(1), numbers(&[1.0; 3]), count(0)].concat();
    let complete = [
        string("RoomMesh.HasTriggerBox"),
        count(1),
        surface,
        count(1),
        invisible.clone(),
        count(1),
        count(1),
        invisible,
        string("end"),
        count(3),
        waypoint(1.0),
        model,
        custom,
        TRAILER.to_vec(),
    ]
    .concat();
    // Complete, truncated within the entities, truncated within the collision, and with trailing bytes.
    for bytes in [
        &complete[..],
        &complete[..complete.len() - 50],
        &complete[..190],
        &[&complete[..], b"more"].concat(),
    ] {
        let (room, _) = read(bytes);
        let mut next = 0;
        let mut paths = Vec::new();
        let mut visit = |span: record::Span<'_>| {
            assert_eq!(span.start, next, "{span:?}");
            assert!(span.end > span.start, "{span:?}");
            next = span.end;
            paths.push(span.path.to_owned());
            record::Visit::Continue
        };
        room.trace(bytes, &mut visit).unwrap();
        assert_eq!(next, bytes.len() as u64, "{paths:#?}");
        assert!(paths.contains(&"surfaces[0].vertices[2].position[1]".to_owned()), "{paths:#?}");
    }
}

pub(super) fn any_text() -> impl Strategy<Value = BlitzString> {
    proptest::collection::vec(any::<u8>(), 0..12).prop_map(|bytes| BlitzString::from_bytes(&bytes))
}

pub(super) fn any_slot() -> impl Strategy<Value = TextureSlot> {
    prop_oneof![
        Just(TextureSlot::NONE),
        (
            prop_oneof![
                Just(TextureKind::OPAQUE),
                Just(TextureKind::LIGHTMAP),
                Just(TextureKind::TRANSPARENT)
            ],
            any_text()
        )
            .prop_map(|(kind, name)| TextureSlot { kind, name: Some(name) }),
    ]
}

pub(super) fn any_float() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(f32::from_bits)
}

prop_compose! {
    fn any_vertex()(numbers in [any_float(), any_float(), any_float(), any_float(), any_float(), any_float(), any_float()], color: [u8; 3]) -> Vertex {
        let [x, y, z, u, v, lu, lv] = numbers;
        Vertex { position: [x, y, z], texture_uv: [u, v], lightmap_uv: [lu, lv], color }
    }
}

prop_compose! {
    pub(super) fn any_surface()(
        lightmap in any_slot(),
        texture in any_slot(),
        vertices in proptest::collection::vec(any_vertex(), 0..5),
        triangles: Vec<[u32; 3]>,
    ) -> Surface {
        Surface { lightmap, texture, vertices, triangles }
    }
}

prop_compose! {
    pub(super) fn any_invisible()(
        vertices in proptest::collection::vec([any_float(), any_float(), any_float()], 0..5),
        triangles: Vec<[u32; 3]>,
    ) -> InvisibleSurface {
        InvisibleSurface { vertices, triangles }
    }
}

fn any_entity() -> impl Strategy<Value = Entity> {
    let position = || [any_float(), any_float(), any_float()];
    prop_oneof![
        (position(), any_text()).prop_map(|(position, image)| Entity::Screen(Screen { position, image })),
        position().prop_map(|position| Entity::Waypoint(Waypoint { position })),
        (position(), any_float(), any_text(), any_float()).prop_map(|(position, range, color, intensity)| {
            Entity::Light(Light { position, range, color, intensity, ..Light::default() })
        }),
        (position(), any_text(), position(), position()).prop_map(|(position, file, rotation, scale)| {
            Entity::Model(Model { file, position, rotation, scale })
        }),
        (position(), any::<i32>(), any_float()).prop_map(|(position, sound, range)| Entity::SoundEmitter(
            SoundEmitter { position, sound, range }
        )),
    ]
}

prop_compose! {
    fn any_room()(
        surfaces in proptest::collection::vec(any_surface(), 0..4),
        collision in proptest::collection::vec(any_invisible(), 0..3),
        triggers in proptest::option::of(proptest::collection::vec(
            (proptest::collection::vec(any_invisible(), 0..3), any_text()).prop_map(|(surfaces, name)| TriggerBox { surfaces, name }),
            0..3,
        )),
        entities in proptest::collection::vec(any_entity(), 0..6),
    ) -> RMesh {
        RMesh {
            header: if triggers.is_some() { Header::HasTriggerBox } else { Header::RoomMesh },
            surfaces,
            collision: Some(collision),
            triggers,
            entities: Some(entities),
            ..RMesh::new()
        }
    }
}

proptest! {
    #[test]
    fn any_room_is_written_read_and_written_identically(room in any_room()) {
        let bytes = room.write().unwrap();
        let (again, report) = read(&bytes);
        prop_assert!(report.is_empty());
        prop_assert_eq!(&again.write().unwrap(), &bytes);
        let edited: RMesh = json::from_slice(&json::to_vec(&again).unwrap()).unwrap();
        prop_assert_eq!(edited.write().unwrap(), bytes);
    }

    #[test]
    fn any_bytes_are_read_without_loss_or_refused(bytes: Vec<u8>, header in 0..3) {
        let start = [string("RoomMesh"), string("RoomMesh.HasTriggerBox"), Vec::new()][header as usize].clone();
        let bytes = [start, bytes].concat();
        match RMesh::read(&bytes, &mut Report::new()) {
            Ok(room) => prop_assert_eq!(room.write().unwrap(), bytes),
            Err(error) => prop_assert!(error.offset().is_some_and(|offset| offset <= bytes.len() as u64)),
        }
    }
}
