//! Real rooms: read to the end, equal to what an independent reader found, written back identical, and cut everywhere.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};

use antiquary_scpcb::rmesh::{FORMAT, InvisibleSurface, RMesh, Surface, TRAILER, TextureSlot};
use asset::{Asset, Context, Install, MemorySink, Options, Report, Target};
use json::Value;
use rayon::prelude::*;
use record::Source;

static GAMES: &[&asset::GameInfo] = &[&antiquary_scpcb::GAME];

/// How many rooms the public corpus has, one of them empty.
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
fn every_room_is_written_back_identical() {
    for (path, bytes, room) in valid_rooms() {
        assert!(room.write().unwrap() == bytes, "{}", path.display());
    }
}

#[test]
fn every_room_comes_back_identical_from_its_json() {
    valid_rooms().par_iter().for_each(|(path, bytes, room)| {
        let again: RMesh = json::from_slice(&json::to_vec(room).unwrap()).unwrap();
        assert!(again.write().unwrap() == *bytes, "{}", path.display());
    });
}

#[test]
fn the_empty_room_is_refused_with_a_sentence() {
    let empty: Vec<_> = rooms().into_iter().filter(|(_, bytes)| bytes.is_empty()).collect();
    for (path, bytes) in &empty {
        assert!(path.ends_with("room2.rmesh"));
        let error = RMesh::read(bytes, &mut Report::new()).unwrap_err();
        assert_eq!(error.to_string(), "the file is empty, at offset 0x0");
    }
}

/// Where an independent reader wrote what it found.
fn expected(path: &Path) -> Value {
    let folder = corpus::folder("scpcb_expected").unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let history = path.parent().is_some_and(|parent| parent.ends_with("history"));
    let name = if history { format!("history.{name}.json") } else { format!("{name}.json") };
    json::from_slice(&std::fs::read(folder.join(&name)).expect(&name)).unwrap()
}

#[test]
fn every_room_holds_what_an_independent_reader_found() {
    for (path, bytes, room) in valid_rooms() {
        let want = expected(&path);
        let at = path.display();
        assert_eq!(want["header"], room.header.text(), "{at}");
        assert_eq!(want["trailing_bytes"], room.rest.len(), "{at}");
        assert_eq!(want["trailer"] == "eof_string", *room.rest == *TRAILER, "{at}");
        same_list(&want["surfaces"], &room.surfaces, same_surface, &format!("{at} surfaces"));
        same_list(&want["invisible_collision"], room.collision(), same_invisible, &format!("{at} collision"));
        same_list(
            &want["trigger_boxes"],
            room.triggers(),
            |want, found, at| {
                assert_eq!(want["name"], *found.name.text(), "{at}");
                same_list(&want["surfaces"], &found.surfaces, same_invisible, at);
            },
            &format!("{at} triggers"),
        );
        same_list(&want["entities"], room.entities(), same_entity, &format!("{at} entities"));
        assert_eq!(want["totals"]["triangles"], room.triangle_count(), "{at} of {} bytes", bytes.len());
    }
}

fn same_list<T>(want: &Value, found: &[T], same: impl Fn(&Value, &T, &str), at: &str) {
    let want = want.as_array().unwrap();
    assert_eq!(want.len(), found.len(), "{at}");
    for (index, (want, found)) in want.iter().zip(found).enumerate() {
        same(want, found, &format!("{at}[{index}]"));
    }
}

fn same_slot(want: &Value, found: &TextureSlot, at: &str) {
    assert_eq!(want["flag"], json::to_value(found.kind).unwrap(), "{at}");
    assert_eq!(want["path"], json::to_value(&found.name).unwrap(), "{at}");
}

fn same_surface(want: &Value, found: &Surface, at: &str) {
    same_slot(&want["lightmap"], &found.lightmap, at);
    same_slot(&want["texture"], &found.texture, at);
    let positions: Vec<[f32; 3]> = found.vertices.iter().map(|vertex| vertex.position).collect();
    same_shape(want, &positions, &found.triangles, at);
    let texture_uvs: Vec<[f32; 2]> = found.vertices.iter().map(|vertex| vertex.texture_uv).collect();
    let lightmap_uvs: Vec<[f32; 2]> = found.vertices.iter().map(|vertex| vertex.lightmap_uv).collect();
    same_bounds(&want["uv0"], &texture_uvs, at);
    same_bounds(&want["uv1"], &lightmap_uvs, at);
    for axis in 0..3 {
        let mean = found.vertices.iter().map(|vertex| f64::from(vertex.color[axis])).sum::<f64>()
            / found.vertices.len() as f64;
        assert!((mean - want["color_mean"][axis].as_f64().unwrap()).abs() < 1e-9, "{at}");
    }
}

fn same_invisible(want: &Value, found: &InvisibleSurface, at: &str) {
    same_shape(want, &found.vertices, &found.triangles, at);
}

fn same_shape(want: &Value, positions: &[[f32; 3]], triangles: &[[u32; 3]], at: &str) {
    assert_eq!(want["vertex_count"], positions.len(), "{at}");
    assert_eq!(want["triangle_count"], triangles.len(), "{at}");
    let index_sum: u64 = triangles.iter().flatten().map(|index| u64::from(*index)).sum();
    assert_eq!(want["index_sum"], index_sum, "{at}");
    same_bounds(&want["bbox"], positions, at);
    for axis in 0..3 {
        let sum: f64 = positions.iter().map(|position| f64::from(position[axis])).sum();
        let wanted = want["position_sum"][axis].as_f64().unwrap();
        assert!((sum - wanted).abs() <= 1e-9 * wanted.abs().max(1e6), "{at}: {sum} is not {wanted}");
    }
}

/// The bounds are the file's own numbers, so they must be equal.
fn same_bounds<const N: usize>(want: &Value, rows: &[[f32; N]], at: &str) {
    for axis in 0..N {
        let numbers = || rows.iter().map(|row| f64::from(row[axis]));
        assert_eq!(numbers().reduce(f64::min), want["min"][axis].as_f64(), "{at}");
        assert_eq!(numbers().reduce(f64::max), want["max"][axis].as_f64(), "{at}");
    }
}

fn same_entity(want: &Value, found: &antiquary_scpcb::rmesh::Entity, at: &str) {
    assert_eq!(want["class"], *found.class(), "{at}");
    let found: Value = json::from_slice(&json::to_vec(found).unwrap()).unwrap();
    let fields = found.as_object().unwrap().values().next().unwrap();
    for (name, wanted) in want.as_object().unwrap().iter().filter(|(name, _)| *name != "class") {
        same_value(wanted, &fields[name], &format!("{at}.{name}"));
    }
}

/// Numbers are single precision on both sides, written to different lengths.
fn same_value(want: &Value, found: &Value, at: &str) {
    match (want, found) {
        (Value::Array(want), Value::Array(found)) => {
            assert_eq!(want.len(), found.len(), "{at}");
            want.iter().zip(found).for_each(|(want, found)| same_value(want, found, at));
        }
        (Value::Number(want), Value::Number(found)) => {
            let single = |number: &json::Number| number.as_f64().unwrap() as f32;
            assert_eq!(single(want).to_bits(), single(found).to_bits(), "{at}");
        }
        _ => assert_eq!(want, found, "{at}"),
    }
}

/// Reads, writes what could be read, and checks; an error must stand within the file.
fn survives(bytes: &[u8], context: &Context<'_>, what: &str) {
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
fn rooms_cut_at_many_lengths_are_read_or_refused_where_they_end() {
    let options = Options::defaults(FORMAT.options);
    valid_rooms().par_iter().for_each(|(path, bytes, room)| {
        let install = asset::game::install_around(path, GAMES).unwrap();
        let context = Context { install: &install, location: install.location_of(path), options: &options };
        let mut places = corpus::Places::default();
        FORMAT.trace(room, &Source::from_bytes(&bytes[..]), &mut places).unwrap();
        assert!(places.boundaries.len() > room.surfaces.len(), "{}", path.display());
        for length in corpus::cuts(bytes.len(), &places.boundaries) {
            survives(&bytes[..length], &context, &format!("{} cut at {length}", path.display()));
        }
    });
}

#[test]
fn invalid_counts_are_refused_or_reported() {
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
            for lie in [0xffff_ffff_u32, 0x7fff_ffff] {
                bytes[place.clone()].copy_from_slice(&lie.to_le_bytes());
                survives(&bytes, &context, &format!("{} count at {at:#x}", path.display()));
            }
            bytes[place].copy_from_slice(&before);
        }
    });
}

/// The rooms of the game are what its own converter wrote, so writing them as plain rooms changes nothing.
#[test]
fn rooms_of_the_game_are_plain_rooms_already() {
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
fn every_byte_of_every_room_is_explained_in_order() {
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
