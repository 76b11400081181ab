//! Real rooms: reading, comparison with an independent reader, round trips, and truncation.

use std::path::{Path, PathBuf};

use antiquary_scpcb::rmesh::{FORMAT, InvisibleSurface, RMesh, Surface, TRAILER, TextureSlot};
use asset::{Asset, Context, Install, MemorySink, Options, Report, Target};
use json::Value;
use rayon::prelude::*;
use record::Source;

static GAMES: &[&asset::GameInfo] = &[&antiquary_scpcb::GAME];

/// Number of rooms in the public corpus, one of them empty.
const ROOMS: usize = 69;

fn rooms() -> Vec<(PathBuf, Vec<u8>)> {
    let Some(folder) = corpus::folder("scpcb") else { return Vec::new() };
    let read = |path: PathBuf| (path.clone(), std::fs::read(path).unwrap());
    corpus::files(&folder, "rmesh", ROOMS).into_iter().map(read).collect()
}

fn valid_rooms() -> Vec<(PathBuf, Vec<u8>, RMesh)> {
    let with_room = |(path, bytes): (PathBuf, Vec<u8>)| {
        let mut report = Report::new();
        let room =
            RMesh::read(&bytes, &mut report).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(report.is_empty(), "{}: {report:?}", path.display());
        (path, bytes, room)
    };
    let rooms: Vec<_> = rooms().into_iter().filter(|(_, bytes)| !bytes.is_empty()).map(with_room).collect();
    assert!(rooms.is_empty() || rooms.len() >= ROOMS - 1, "only {} rooms", rooms.len());
    rooms
}

#[test]
fn writes_every_room_it_reads() {
    for (path, bytes, room) in valid_rooms() {
        assert!(room.write().unwrap() == bytes, "{}", path.display());
    }
}

#[test]
fn json_of_every_room_round_trips() {
    valid_rooms().par_iter().for_each(|(path, bytes, room)| {
        let again: RMesh = json::from_slice(&json::to_vec(room).unwrap()).unwrap();
        assert!(again.write().unwrap() == *bytes, "{}", path.display());
    });
}

#[test]
fn refuses_the_empty_room() {
    let empty: Vec<_> = rooms().into_iter().filter(|(_, bytes)| bytes.is_empty()).collect();
    for (path, bytes) in &empty {
        assert!(path.ends_with("room2.rmesh"));
        let error = RMesh::read(bytes, &mut Report::new()).unwrap_err();
        assert_eq!(error.to_string(), "the file is empty, at offset 0x0");
    }
}

/// Returns the results of an independent reader.
fn expected(path: &Path) -> Value {
    let folder = corpus::folder("scpcb_expected").unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let history = path.parent().is_some_and(|parent| parent.ends_with("history"));
    let name = if history { format!("history.{name}.json") } else { format!("{name}.json") };
    json::from_slice(&std::fs::read(folder.join(&name)).expect(&name)).unwrap()
}

#[test]
fn every_room_matches_an_independent_reader() {
    for (path, bytes, room) in valid_rooms() {
        let want = expected(&path);
        let at = path.display();
        assert_eq!(want["header"], room.header.text(), "{at}");
        assert_eq!(want["trailing_bytes"], room.rest.len(), "{at}");
        assert_eq!(want["trailer"] == "eof_string", *room.rest == *TRAILER, "{at}");
        assert_same_list(&want["surfaces"], &room.surfaces, assert_same_surface, &format!("{at} surfaces"));
        assert_same_list(
            &want["invisible_collision"],
            room.collision(),
            assert_same_invisible,
            &format!("{at} collision"),
        );
        assert_same_list(
            &want["trigger_boxes"],
            room.triggers(),
            |want, found, at| {
                assert_eq!(want["name"], *found.name.text(), "{at}");
                assert_same_list(&want["surfaces"], &found.surfaces, assert_same_invisible, at);
            },
            &format!("{at} triggers"),
        );
        assert_same_list(&want["entities"], room.entities(), assert_same_entity, &format!("{at} entities"));
        assert_eq!(want["totals"]["triangles"], room.triangle_count(), "{at} of {} bytes", bytes.len());
    }
}

fn assert_same_list<T>(want: &Value, found: &[T], same: impl Fn(&Value, &T, &str), at: &str) {
    let want = want.as_array().unwrap();
    assert_eq!(want.len(), found.len(), "{at}");
    for (index, (want, found)) in want.iter().zip(found).enumerate() {
        same(want, found, &format!("{at}[{index}]"));
    }
}

fn assert_same_slot(want: &Value, found: &TextureSlot, at: &str) {
    assert_eq!(want["flag"], json::to_value(found.kind).unwrap(), "{at}");
    assert_eq!(want["path"], json::to_value(&found.name).unwrap(), "{at}");
}

fn assert_same_surface(want: &Value, found: &Surface, at: &str) {
    assert_same_slot(&want["lightmap"], &found.lightmap, at);
    assert_same_slot(&want["texture"], &found.texture, at);
    let positions: Vec<[f32; 3]> = found.vertices.iter().map(|vertex| vertex.position).collect();
    assert_same_shape(want, &positions, &found.triangles, at);
    let texture_uvs: Vec<[f32; 2]> = found.vertices.iter().map(|vertex| vertex.texture_uv).collect();
    let lightmap_uvs: Vec<[f32; 2]> = found.vertices.iter().map(|vertex| vertex.lightmap_uv).collect();
    assert_same_bounds(&want["uv0"], &texture_uvs, at);
    assert_same_bounds(&want["uv1"], &lightmap_uvs, at);
    for axis in 0..3 {
        let mean = found.vertices.iter().map(|vertex| f64::from(vertex.color[axis])).sum::<f64>()
            / found.vertices.len() as f64;
        assert!((mean - want["color_mean"][axis].as_f64().unwrap()).abs() < 1e-9, "{at}");
    }
}

fn assert_same_invisible(want: &Value, found: &InvisibleSurface, at: &str) {
    assert_same_shape(want, &found.vertices, &found.triangles, at);
}

fn assert_same_shape(want: &Value, positions: &[[f32; 3]], triangles: &[[u32; 3]], at: &str) {
    assert_eq!(want["vertex_count"], positions.len(), "{at}");
    assert_eq!(want["triangle_count"], triangles.len(), "{at}");
    let index_sum: u64 = triangles.iter().flatten().map(|index| u64::from(*index)).sum();
    assert_eq!(want["index_sum"], index_sum, "{at}");
    assert_same_bounds(&want["bbox"], positions, at);
    for axis in 0..3 {
        let sum: f64 = positions.iter().map(|position| f64::from(position[axis])).sum();
        let wanted = want["position_sum"][axis].as_f64().unwrap();
        assert!((sum - wanted).abs() <= 1e-9 * wanted.abs().max(1e6), "{at}: expected {wanted}, found {sum}");
    }
}

/// The bounds are numbers of the file, so they must be equal.
fn assert_same_bounds<const N: usize>(want: &Value, rows: &[[f32; N]], at: &str) {
    for axis in 0..N {
        let numbers = || rows.iter().map(|row| f64::from(row[axis]));
        assert_eq!(numbers().reduce(f64::min), want["min"][axis].as_f64(), "{at}");
        assert_eq!(numbers().reduce(f64::max), want["max"][axis].as_f64(), "{at}");
    }
}

fn assert_same_entity(want: &Value, found: &antiquary_scpcb::rmesh::Entity, at: &str) {
    assert_eq!(want["class"], *found.class(), "{at}");
    let found: Value = json::from_slice(&json::to_vec(found).unwrap()).unwrap();
    let fields = found.as_object().unwrap().values().next().unwrap();
    for (name, wanted) in want.as_object().unwrap().iter().filter(|(name, _)| *name != "class") {
        assert_same_value(wanted, &fields[name], &format!("{at}.{name}"));
    }
}

/// Numbers have single precision on both sides, but different numbers of digits.
fn assert_same_value(want: &Value, found: &Value, at: &str) {
    match (want, found) {
        (Value::Array(want), Value::Array(found)) => {
            assert_eq!(want.len(), found.len(), "{at}");
            want.iter().zip(found).for_each(|(want, found)| assert_same_value(want, found, at));
        }
        (Value::Number(want), Value::Number(found)) => {
            let single = |number: &json::Number| number.as_f64().unwrap() as f32;
            assert_eq!(single(want).to_bits(), single(found).to_bits(), "{at}");
        }
        _ => assert_eq!(want, found, "{at}"),
    }
}

/// Reads, writes and checks a room. The offset of an error must be within the file.
fn assert_no_panic(bytes: &[u8], context: &Context<'_>, what: &str) {
    let mut report = Report::new();
    match RMesh::read(bytes, &mut report) {
        Ok(room) => {
            assert!(room.write().unwrap() == bytes, "{what}: written differently");
            room.check(context, &mut report);
        }
        Err(error) => {
            let offset = error.offset().unwrap_or_else(|| panic!("{what}: no offset: {error}"));
            assert!(offset <= bytes.len() as u64, "{what}: {error}");
        }
    }
}

#[test]
fn reads_or_refuses_truncated_rooms() {
    let options = Options::defaults(FORMAT.options);
    valid_rooms().par_iter().for_each(|(path, bytes, room)| {
        let install = asset::game::install_around(path, GAMES).unwrap();
        let context = Context { install: &install, location: install.location_of(path), options: &options };
        let mut places = corpus::Places::default();
        FORMAT.trace(room, &Source::from_bytes(&bytes[..]), &mut places).unwrap();
        assert!(places.boundaries.len() > room.surfaces.len(), "{}", path.display());
        for length in corpus::cuts(bytes.len(), &places.boundaries) {
            assert_no_panic(&bytes[..length], &context, &format!("{} cut at {length}", path.display()));
        }
    });
}

#[test]
fn refuses_or_reports_invalid_counts() {
    let options = Options::defaults(FORMAT.options);
    valid_rooms().par_iter().for_each(|(path, bytes, room)| {
        let install = asset::game::install_around(path, GAMES).unwrap();
        let context = Context { install: &install, location: install.location_of(path), options: &options };
        let mut places = corpus::Places::default();
        FORMAT.trace(room, &Source::from_bytes(&bytes[..]), &mut places).unwrap();
        assert!(places.counts.len() >= 2 * room.surfaces.len(), "{}", path.display());
        let mut bytes = bytes.clone();
        for (at, size) in places.counts {
            let place = at as usize..(at + size) as usize;
            let before = bytes[place.clone()].to_vec();
            for value in [0xffff_ffff_u32, 0x7fff_ffff] {
                bytes[place.clone()].copy_from_slice(&value.to_le_bytes());
                assert_no_panic(&bytes, &context, &format!("{} count at {at:#x}", path.display()));
            }
            bytes[place].copy_from_slice(&before);
        }
    });
}

/// The rooms of the game were written by its own converter, so writing them as plain rooms changes nothing.
#[test]
fn rooms_of_the_game_are_plain_rooms() {
    let options = Options::defaults(FORMAT.options);
    let target = Target::new("room", 1.0);
    let mut same = 0;
    for (path, bytes, room) in valid_rooms() {
        let install = Install::empty();
        let context = Context { install: &install, location: None, options: &options };
        let (mut sink, mut report) = (MemorySink::new(), Report::new());
        FORMAT.convert(&room, "rmesh", &context, target, &mut sink, &mut report).unwrap();
        assert!(report.is_empty(), "{}: {report:?}", path.display());
        let with_trailer = if bytes.ends_with(TRAILER) { bytes } else { [&bytes[..], TRAILER].concat() };
        assert!(sink.get("room.rmesh").unwrap() == with_trailer, "{}", path.display());
        same += 1;
    }
    assert!(same == 0 || same >= ROOMS - 1);
}

#[test]
fn traces_every_byte_of_every_room_in_order() {
    for (path, bytes, room) in valid_rooms() {
        let mut next = 0;
        let mut visit = |span: record::Span<'_>| {
            assert_eq!(span.start, next, "{}: {span:?}", path.display());
            next = span.end;
            record::Visit::Continue
        };
        FORMAT.trace(&room, &Source::from_bytes(&bytes[..]), &mut visit).unwrap();
        assert_eq!(next, bytes.len() as u64, "{}", path.display());
    }
}
