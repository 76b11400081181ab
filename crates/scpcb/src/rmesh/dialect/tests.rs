//! Tests of other dialects with rooms built byte by byte from the documentation: read, written back, truncated, corrupted.

mod any;
mod converted;

use std::fmt::Debug;

use asset::{Probe, Report, Score, Visit};
use record::{Bytes, Kind, Record, Span, read_whole, write_whole};

use super::*;
use crate::rmesh::FORMAT;
use crate::rmesh::entity::Classes;
use crate::rmesh::layout::TriggerBox;
use crate::rmesh::tests::{count, numbers, single_warning, string, waypoint};
use crate::rmesh::{Light, Screen, TRAILER, Waypoint, warning};

fn assert_round_trip<E: Record + PartialEq + Debug>(value: &E, context: E::Context, bytes: &[Vec<u8>]) {
    let bytes = bytes.concat();
    assert_eq!(write_whole(value, context).unwrap(), bytes, "writing {value:?}");
    assert_eq!(read_whole::<E>(&bytes, context).unwrap(), *value, "reading {value:?}");
}

/// A surface with one triangle on the floor and a texture; `normal` follows each vertex.
fn surface(texture: &str, normal: &[f32]) -> Vec<u8> {
    let vertex = |x: f32, z: f32| {
        [numbers(&[x, 0.0, z, 0.25, 0.5, 0.0, 0.0]), vec![255, 128, 0], numbers(normal)].concat()
    };
    let corners = [vertex(0.0, 0.0), vertex(0.0, 256.0), vertex(256.0, 0.0)].concat();
    let triangles = [0, 1, 2].map(i32::to_le_bytes).concat();
    [vec![1], string(""), vec![1], string(texture), count(3), corners, count(1), triangles].concat()
}

fn invisible() -> Vec<u8> {
    [count(1), numbers(&[1.0, 2.0, 3.0]), count(0)].concat()
}

const PLACE: [f32; 3] = [256.0, 512.0, 768.0];

fn item() -> Vec<u8> {
    [string("item"), numbers(&PLACE), string("battery"), vec![1], numbers(&[0.0, 90.0, 0.0, 50.0, 0.0, 0.5])]
        .concat()
}

fn door(version: u8) -> Vec<u8> {
    let identifier = if version == 0 { Vec::new() } else { count(7) };
    let head = [string("door"), numbers(&PLACE), count(2), identifier, count(3), string("1234")].concat();
    let buttons: Vec<f32> = (1_u8..=12).map(f32::from).collect();
    [head, numbers(&[90.0]), vec![1, 0, 1, 0], numbers(&buttons)].concat()
}

fn subroom() -> Vec<u8> {
    [string("subroom"), numbers(&PLACE), count(512), count(256), count(-1)].concat()
}

fn light2() -> Vec<u8> {
    let head = [string("light"), numbers(&PLACE), numbers(&[512.0]), string("255 0 128"), numbers(&[1.5])];
    [head.concat(), vec![1], numbers(&[0.3]), vec![0], vec![0; 128]].concat()
}

fn spotlight2() -> Vec<u8> {
    let head = [string("spotlight"), numbers(&PLACE), numbers(&[512.0]), string("1 2 3"), numbers(&[1.0])];
    [head.concat(), vec![0], numbers(&[0.0]), vec![1], numbers(&[45.0, 90.0, 60.5]), vec![9; 128]].concat()
}

fn mesh2() -> Vec<u8> {
    let turn_and_size = numbers(&[0.0, 90.0, 0.0, 1.0, 2.0, 3.0]);
    [string("mesh"), numbers(&PLACE), string("lamp"), turn_and_size, vec![1], count(4), string("")].concat()
}

fn save_screen() -> Vec<u8> {
    let turn_and_size = numbers(&[0.0, 90.0, 0.0, 1.0, 2.0, 3.0]);
    [string("save_screen"), numbers(&PLACE), string("monitor.b3d"), turn_and_size, string("save.png")]
        .concat()
}

/// A room of the "RM" dialect with one of each item, then `entities`.
fn rm(version: u8, declared: i32, entities: &[Vec<u8>]) -> Vec<u8> {
    [
        string("RM"),
        vec![version],
        count(1),
        surface("wall.jpg", &[]),
        count(1),
        surface("decal.png", &[]),
        count(1),
        invisible(),
        count(1),
        count(1),
        invisible(),
        string("event"),
        count(declared),
        entities.concat(),
    ]
    .concat()
}

fn small_rm(version: u8) -> Vec<u8> {
    rm(version, 4, &[item(), door(version), waypoint(1.0), subroom()])
}

/// A `RoomMesh2` room with one floor, whose normals point up in the game's component order.
fn roommesh2(declared: i32, entities: &[Vec<u8>], rest: &[u8]) -> Vec<u8> {
    [
        string("RoomMesh2"),
        count(1),
        surface("wall.jpg", &[0.0, 0.0, 1.0]),
        count(1),
        invisible(),
        count(declared),
        entities.concat(),
        rest.to_vec(),
    ]
    .concat()
}

fn small_roommesh2() -> Vec<u8> {
    roommesh2(5, &[light2(), spotlight2(), mesh2(), waypoint(1.0), save_screen()], TRAILER)
}

/// The small rooms of each dialect.
fn small_rooms() -> [Vec<u8>; 3] {
    [small_rm(0), small_rm(1), small_roommesh2()]
}

/// Reads a room of either dialect and writes it again.
fn again(bytes: &[u8], report: &mut Report) -> Result<Vec<u8>> {
    if bytes.starts_with(ROOMMESH2_HEADER) {
        RoomMesh2::read(bytes, report)?.write()
    } else {
        Rm::read(bytes, report)?.write()
    }
}

#[test]
fn every_record_of_rm_round_trips() {
    let position = PLACE;
    let item_value = RmEntity::Item(Item {
        position,
        item: "battery".into(),
        use_custom_rotation: 1,
        rotation: [0.0, 90.0, 0.0],
        state_1: 50.0,
        state_2: 0.0,
        spawn_chance: 0.5,
    });
    assert_round_trip(&item_value, 0, &[item()]);
    for (version, door_identifier) in [(0, None), (1, Some(7))] {
        let value = RmEntity::Door(Door {
            position,
            door_type: 2,
            door_identifier,
            keycard_level: 3,
            keypad_code: "1234".into(),
            angle: 90.0,
            start_open: 1,
            locked: 0,
            delete_half: 1,
            remote_control: 0,
            button_1_position: [1.0, 2.0, 3.0],
            button_1_angle: [4.0, 5.0, 6.0],
            button_2_position: [7.0, 8.0, 9.0],
            button_2_angle: [10.0, 11.0, 12.0],
        });
        assert_round_trip(&value, version, &[door(version)]);
        let other = write_whole(&value, 1 - version).unwrap_err();
        assert_eq!((other.kind(), other.path()), (Kind::Usage, "door_identifier".to_owned()));
    }
    assert_round_trip(
        &RmEntity::Subroom(Subroom { position, width: 512, height: 256, zone: -1 }),
        1,
        &[subroom()],
    );
    let light = [string("light"), numbers(&PLACE), numbers(&[600.0]), string("1 2 3"), numbers(&[2.0])];
    let value = RmEntity::Light(Light {
        position,
        range: 600.0,
        color: "1 2 3".into(),
        intensity: 2.0,
        ..Light::default()
    });
    assert_round_trip(&value, 0, &light);
}

#[test]
fn every_record_of_roommesh2_round_trips() {
    let vertex = Vertex2 {
        position: [1.0, 2.0, 3.0],
        texture_uv: [4.0, 5.0],
        lightmap_uv: [6.0, 7.0],
        color: [8, 9, 10],
        normal: [0.0, 0.0, -1.0],
    };
    let numbers_before = numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    assert_round_trip(&vertex, (), &[numbers_before, vec![8, 9, 10], numbers(&[0.0, 0.0, -1.0])]);
    assert_eq!(write_whole(&vertex, ()).unwrap().len(), 43);
    let light = Entity2::Light(Light {
        position: PLACE,
        range: 512.0,
        color: "255 0 128".into(),
        intensity: 1.5,
        has_sprite: Some(1),
        sprite_scale: Some(0.3),
        casts_shadows: Some(0),
        reserved: Some(Bytes(vec![0; 128])),
    });
    assert_round_trip(&light, (), &[light2()]);
    let spotlight = Entity2::Spotlight(Spotlight2 {
        position: PLACE,
        range: 512.0,
        color: "1 2 3".into(),
        intensity: 1.0,
        has_sprite: 0,
        sprite_scale: 0.0,
        casts_shadows: 1,
        pitch: 45.0,
        yaw: 90.0,
        outer_cone_angle: 60.5,
        reserved: Bytes(vec![9; 128]),
    });
    assert_round_trip(&spotlight, (), &[spotlight2()]);
    let mesh = Entity2::Mesh(Prop {
        position: PLACE,
        file: "lamp".into(),
        rotation: [0.0, 90.0, 0.0],
        scale: [1.0, 2.0, 3.0],
        has_collision: 1,
        fx: 4,
        texture: "".into(),
    });
    assert_round_trip(&mesh, (), &[mesh2()]);
    let screen = Entity2::SaveScreen(SaveScreen {
        position: PLACE,
        model: "monitor.b3d".into(),
        rotation: [0.0, 90.0, 0.0],
        scale: [1.0, 2.0, 3.0],
        image: "save.png".into(),
    });
    assert_round_trip(&screen, (), &[save_screen()]);
}

#[test]
fn reserved_bytes_are_128() {
    let mut room = RoomMesh2::read(&small_roommesh2(), &mut Report::new()).unwrap();
    let Some(Entity2::Light(Light { reserved: Some(reserved), .. })) =
        room.entities.as_mut().unwrap().first_mut()
    else {
        panic!("no light")
    };
    reserved.0.pop();
    let error = room.write().unwrap_err();
    assert_eq!((error.kind(), error.path()), (Kind::Usage, "entities[0].reserved".to_owned()));
}

#[test]
fn an_rm_room_is_read_completely_and_written_back() {
    for version in [0, 1] {
        let bytes = small_rm(version);
        let mut report = Report::new();
        let room = Rm::read(&bytes, &mut report).unwrap();
        assert!(report.is_empty(), "{report:?}");
        assert_eq!((room.version, room.unread_entities, room.rest.len()), (version, 0, 0));
        assert_eq!(room.surfaces[0].texture.named().unwrap().text(), "wall.jpg");
        assert_eq!(room.render_surfaces.as_ref().unwrap()[0].texture.named().unwrap().text(), "decal.png");
        assert_eq!(room.collision.as_ref().unwrap().len(), 1);
        assert_eq!(room.triggers.as_ref().unwrap()[0].name.text(), "event");
        let classes: Vec<_> =
            room.entities.as_ref().unwrap().iter().map(|entity| entity.class().into_owned()).collect();
        assert_eq!(classes, ["item", "door", "waypoint", "subroom"]);
        assert_eq!(room.write().unwrap(), bytes);
        let edited: Rm = json::from_slice(&json::to_vec(&room).unwrap()).unwrap();
        assert_eq!(edited, room);
    }
}

#[test]
fn refuses_an_unknown_version_by_number() {
    let error = Rm::read(&small_rm(2), &mut Report::new()).unwrap_err();
    assert_eq!(error.kind(), Kind::Unsupported);
    assert_eq!(error.to_string(), "version: unknown version 2 of \"RM\" rooms (known: 0, 1), at offset 0x6");
    let error = Rm::new(2).write().unwrap_err();
    assert_eq!((error.kind(), error.path()), (Kind::Usage, "version".to_owned()));
}

#[test]
fn a_roommesh2_room_is_read_completely_and_written_back() {
    let bytes = small_roommesh2();
    let mut report = Report::new();
    let room = RoomMesh2::read(&bytes, &mut report).unwrap();
    assert!(report.is_empty(), "{report:?}");
    assert_eq!(room.surfaces[0].vertices[2].normal, [0.0, 0.0, 1.0]);
    let classes: Vec<_> =
        room.entities.as_ref().unwrap().iter().map(|entity| entity.class().into_owned()).collect();
    assert_eq!(classes, ["light", "spotlight", "mesh", "waypoint", "save_screen"]);
    assert_eq!(room.write().unwrap(), bytes);
    let edited: RoomMesh2 = json::from_slice(&json::to_vec(&room).unwrap()).unwrap();
    assert_eq!(edited, room);
}

#[test]
fn every_field_has_its_name_in_json() {
    let in_json = |room: Vec<u8>| String::from_utf8(room).unwrap();
    let rm = Rm::read(&small_rm(1), &mut Report::new()).unwrap();
    insta::assert_snapshot!("rm", in_json(json::to_vec(&rm).unwrap()));
    let roommesh2 = RoomMesh2::read(&small_roommesh2(), &mut Report::new()).unwrap();
    insta::assert_snapshot!("roommesh2", in_json(json::to_vec(&roommesh2).unwrap()));
}

#[test]
fn classes_that_crash_the_game_are_kept_as_bytes_and_reported() {
    for (class, fields) in [("screen", string("a.png")), ("model", string("lamp.x"))] {
        let unknown = [string(class), numbers(&PLACE), fields].concat();
        let bytes = roommesh2(3, &[waypoint(1.0), unknown, mesh2()], TRAILER);
        let mut report = Report::new();
        let room = RoomMesh2::read(&bytes, &mut report).unwrap();
        let entities = room.entities.as_ref().unwrap();
        assert_eq!(entities[1].as_custom().unwrap().0.text(), class);
        assert_eq!(entities[2].class(), "mesh");
        assert!(single_warning(&report, &warning::CUSTOM_CLASS).contains(class));
        assert_eq!(room.write().unwrap(), bytes);
    }
}

#[test]
fn keeps_a_class_with_unexpected_fields_as_bytes_and_reads_the_entities_after_it() {
    let short = [string("subroom"), numbers(&PLACE), count(512)].concat();
    let long = [subroom(), count(5), count(6)].concat();
    let strange = [string("item"), numbers(&PLACE), count(-9), count(-9)].concat();
    for odd in [short, long, strange] {
        let bytes = rm(1, 3, &[waypoint(1.0), odd, door(1)]);
        let mut report = Report::new();
        let room = Rm::read(&bytes, &mut report).unwrap();
        let entities = room.entities.as_ref().unwrap();
        assert!(entities[1].as_custom().is_some(), "{entities:?}");
        assert_eq!(entities[2].class(), "door");
        assert!(single_warning(&report, &warning::CUSTOM_CLASS).contains("unexpected fields"));
        assert_eq!(room.write().unwrap(), bytes);
    }
}

#[test]
fn damage_after_the_surfaces_keeps_the_surfaces() {
    let complete = small_rm(0);
    let cut = &complete[..string("RM").len() + 1 + 4 + surface("wall.jpg", &[]).len() + 6];
    let mut report = Report::new();
    let room = Rm::read(cut, &mut report).unwrap();
    assert_eq!((room.surfaces.len(), room.render_surfaces.is_none()), (1, true));
    assert_eq!(room.write().unwrap(), cut);
    single_warning(&report, &warning::DAMAGE);
}

#[test]
fn a_truncated_room_is_written_back_or_refused_at_its_end() {
    for complete in small_rooms() {
        for length in 0..complete.len() {
            let cut = &complete[..length];
            let mut report = Report::new();
            match again(cut, &mut report) {
                Ok(written) => {
                    assert_eq!(written, cut, "cut at {length}");
                    let trailer = complete.ends_with(TRAILER) && length + TRAILER.len() == complete.len();
                    assert!(trailer || !report.is_empty(), "cut at {length}");
                }
                Err(error) => {
                    let offset = error.offset().unwrap();
                    assert!(offset <= length as u64, "cut at {length}: {error}");
                }
            }
        }
    }
}

#[test]
fn an_invalid_value_anywhere_is_written_back_or_refused_at_its_offset() {
    for complete in small_rooms() {
        for at in 0..complete.len() - 3 {
            for lie in [i32::MAX, -1, 1 << 14, i32::MIN, 5] {
                let mut bytes = complete.clone();
                bytes[at..at + 4].copy_from_slice(&lie.to_le_bytes());
                match again(&bytes, &mut Report::new()) {
                    Ok(written) => assert_eq!(written, bytes, "{lie} at {at}"),
                    Err(error) => assert!(error.offset().is_some_and(|offset| offset <= bytes.len() as u64)),
                }
            }
        }
    }
}

#[test]
fn every_byte_is_visited_once() {
    let custom = [string("junk"), vec![7; 30]].concat();
    let mut rooms = small_rooms().to_vec();
    rooms.push(rm(1, 2, &[custom, waypoint(2.0)]));
    for complete in small_rooms() {
        rooms.push(complete[..complete.len() - 30].to_vec());
        rooms.push(complete[..195].to_vec());
    }
    for bytes in rooms {
        let opened = open(&Source::from(bytes.clone()), &mut Report::new()).unwrap();
        let mut next = 0;
        let mut visit = |span: Span<'_>| {
            assert_eq!(span.start, next, "{span:?}");
            assert!(span.end > span.start, "{span:?}");
            next = span.end;
            Visit::Continue
        };
        FORMAT.trace(&*opened, &Source::from(bytes.clone()), &mut visit).unwrap();
        assert_eq!(next, bytes.len() as u64);
    }
}

#[test]
fn dialects_are_recognized_by_their_first_bytes() {
    let certain = |bytes: &[u8], name: &str| {
        (FORMAT.probe)(&Probe::new(bytes, bytes.len() as u64, Some(name))) == Some(Score::CERTAIN)
    };
    for room in small_rooms() {
        assert!(certain(&room, "room.rm") && certain(&room, "room.bin"));
    }
    assert!(certain(&string("RoomMesh.HasNoColl"), "a.rmesh"));
    let probe = |name| (FORMAT.probe)(&Probe::new(b".RMF", 4, Some(name)));
    assert_eq!(probe("song.rm"), Some(Score::NEVER));
    assert_eq!(probe("room.rmesh"), Some(Score::POSSIBLE));
    assert_eq!(probe("room.bin"), None);
    let error = (FORMAT.open)(&Source::from(string("RoomMesh.HasNoColl")), &mut Report::new()).err().unwrap();
    assert_eq!(error.kind(), Kind::Unsupported);
    assert!(error.message().contains("HasNoColl"), "{error}");
}

/// A room with a trigger box whose counts are `factor` times too large.
fn rm_with_trigger(factor: i32) -> Vec<u8> {
    let corners = numbers(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let triangles = [0, 1, 2].map(i32::to_le_bytes).concat();
    let side = [count(3 * factor), corners, count(factor), triangles].concat();
    let small = rm(0, 1, &[waypoint(1.0)]);
    let plain = [count(1), count(1), invisible(), string("event")].concat();
    let start = small.windows(plain.len()).rposition(|bytes| bytes == plain).unwrap();
    let (before, rest) = (&small[..start], &small[start + plain.len()..]);
    [before, &count(1), &count(1), &side, &string("event"), rest].concat()
}

#[test]
fn trigger_counts_that_are_eight_times_too_large_are_read_and_written_back() {
    let bytes = rm_with_trigger(8);
    let mut report = Report::new();
    let room = Rm::read(&bytes, &mut report).unwrap();
    assert_eq!(room.trigger_counts, TriggerCounts::EightTimes);
    let side = &room.triggers.as_ref().unwrap()[0].surfaces[0];
    assert_eq!((side.vertices.len(), side.triangles.len()), (3, 1));
    assert_eq!(room.entities.as_ref().map(Vec::len), Some(1));
    assert_eq!(report.count_of(&warning::TRIGGER_COUNTS), 1, "{report:?}");
    assert_eq!(report.count_of(&warning::DAMAGE), 0, "{report:?}");
    assert_eq!(room.write().unwrap(), bytes);
    let json = serde_json::to_vec(&room).unwrap();
    assert_eq!(json::from_slice::<Rm>(&json).unwrap(), room);
    // Every byte is visited, with the counts of the file.
    let mut end = 0;
    let mut counts = Vec::new();
    let mut visit = |span: Span<'_>| {
        end = span.end;
        if span.path.starts_with("triggers") && span.path.ends_with("s.count") {
            counts.push(span.value.to_string());
        }
        Visit::Continue
    };
    room.trace(&bytes, &mut visit).unwrap();
    assert_eq!(end, u64::try_from(bytes.len()).unwrap());
    assert_eq!(counts, ["1", "1", "24", "8"]);

    let exact = Rm::read(&rm_with_trigger(1), &mut Report::new()).unwrap();
    assert!(exact.trigger_counts.is_exact());
    assert_eq!(exact.triggers, room.triggers);
    // Any other factor is damage.
    for factor in [2, 16] {
        let mut report = Report::new();
        let room = Rm::read(&rm_with_trigger(factor), &mut report).unwrap();
        assert_eq!((room.triggers, report.count_of(&warning::DAMAGE)), (None, 1), "{factor}");
    }
}
