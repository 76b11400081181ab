use std::path::Path;

use asset::{FolderSink, Guard, Options, Overwrite, Target};
use proof::assert_round_trip;

use super::*;
use crate::{axes, sample};

fn room(x: u8, y: u8, name: &str, quarter_turns: u8) -> PlacedRoom {
    PlacedRoom { x, y, room: name.into(), quarter_turns, event: "".into(), event_chance: 1.0 }
}

fn piece(x: u8, y: u8, name: &str, quarter_turns: u8) -> Piece {
    Piece { x, y, name: name.into(), quarter_turns }
}

fn map(rooms: Vec<PlacedRoom>) -> Map {
    Map {
        author: "someone".into(),
        description: "some halls".into(),
        light_row: 13,
        heavy_row: 7,
        rooms,
        forest: Vec::new(),
        tunnels: Vec::new(),
        rest: Vec::new().into(),
    }
}

/// Runs a closure with the context of a folder with the sample game and more files.
fn in_game<T>(files: &[(&str, &[u8])], with: impl FnOnce(&Context<'_>) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let mut sink = FolderSink::new(folder.path(), Guard::new(Overwrite::Allow).into());
    sample::write(&mut sink).unwrap();
    sink.finish().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    in_folder(folder.path(), with)
}

fn in_folder<T>(folder: &Path, with: impl FnOnce(&Context<'_>) -> T) -> T {
    let install = asset::game::install_around(&folder.join(sample::ROOM), crate::tests::GAMES).unwrap();
    let options = Options::defaults(FORMAT.options);
    with(&Context { install: &install, location: None, options: &options })
}

fn messages(report: &Report) -> Vec<(&str, String)> {
    report.iter().map(|warning| (warning.code.id, format!("{}: {}", warning.path, warning.message))).collect()
}

fn checked(map: &Map, files: &[(&str, &[u8])]) -> Report {
    let mut report = Report::new();
    in_game(files, |context| check::check(&map.plan(), context, &mut report));
    report
}

fn laid_out(map: &Map, files: &[(&str, &[u8])]) -> (::scene::Scene, Report) {
    let mut report = Report::new();
    let scene = in_game(files, |context| {
        scene::to_scene(&map.plan(), context, &Target::new("map", 1.0), &mut report)
    });
    (scene, report)
}

fn node<'a>(scene: &'a ::scene::Scene, name: &str) -> &'a ::scene::Node {
    scene.nodes.iter().find(|node| node.name == name).unwrap()
}

#[test]
fn every_record_round_trips() {
    assert_round_trip(&room(3, 4, "hall", 2), b"\x03\x04\x04\0\0\0hall\x02\0\0\0\0\0\0\x80\x3f");
    assert_round_trip(&piece(1, 2, "x", 3), b"\x01\x02\x01\0\0\0x\x03");
    let tunnels = vec![piece(0, 0, "y", 0)];
    assert_round_trip(
        &Map { tunnels, rest: b"!"[..].into(), ..map(vec![]) },
        b"someone\r\nsome halls\r\n\x0d\x07\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\x01\0\0\0y\0!",
    );
    assert_round_trip(
        &OldMap { rooms: vec![room(1, 1, "a", 0)] },
        b"\x01\x01\x01\0\0\0a\0\0\0\0\0\0\0\x80\x3f",
    );
}

#[test]
fn refuses_a_count_larger_than_the_file() {
    let error = Map::read(b"me\r\nmap\r\n\x0d\x07\xff\xff\xff\x7f\0\0\0\0\0\0\0\0").unwrap_err();
    assert_eq!(error.offset(), Some(0xb));
    assert_eq!(error.path(), "rooms");
}

#[test]
fn recognizes_both_versions_by_their_contents() {
    let new = map(vec![room(0, 0, "hall", 0)]).write().unwrap();
    let old = OldMap { rooms: vec![room(9, 9, "hall", 0)] }.write().unwrap();
    let dialect = |bytes: &[u8]| {
        let map = (FORMAT.open)(&Source::from_bytes(bytes), &mut Report::new()).unwrap();
        map.describe(Detail::Brief).dialect
    };
    assert_eq!(dialect(&new), "cbmap2 (map creator 2)");
    assert_eq!(dialect(&old), "cbmap (map creator 1)");
}

#[test]
fn places_rooms_as_the_game_does() {
    let rooms = vec![room(18, 0, "hall", 0), room(17, 2, "HALL", 1)];
    let (scene, report) = laid_out(&map(rooms), &[]);
    assert!(report.iter().all(|warning| warning.code.id == "CBMAP-N026"), "{report:?}");
    let (first, second) = (node(&scene, "hall"), node(&scene, "HALL"));
    assert_eq!(first.translation.to_array(), [0.0, 0.0, 0.0]);
    assert!(first.rotation.abs_diff_eq(axes::rotation([0.0, 180.0, 0.0]), 1e-6));
    assert_eq!(second.translation.to_array(), [8.0, 0.0, -16.0]);
    assert!(second.rotation.abs_diff_eq(axes::rotation([0.0, 90.0, 0.0]), 1e-6));
}

#[test]
fn adds_a_repeated_room_once() {
    let (one, _) = laid_out(&map(vec![room(0, 0, "hall", 0)]), &[]);
    let (two, _) = laid_out(&map(vec![room(0, 0, "hall", 0), room(1, 0, "hall", 0)]), &[]);
    assert_eq!((one.meshes.len(), one.images.len()), (two.meshes.len(), two.images.len()));
    assert_eq!(one.nodes.len() * 2, two.nodes.len() + 2, "the root and the zone are shared");
}

#[test]
fn groups_rooms_by_the_zone_of_their_row() {
    let rooms = vec![room(0, 6, "hall", 0), room(0, 7, "hall", 0), room(0, 13, "hall", 0)];
    let (scene, _) = laid_out(&map(rooms), &[]);
    let zones: Vec<_> =
        scene.nodes[scene.roots[0].0].children.iter().map(|zone| scene.nodes[zone.0].name.as_str()).collect();
    assert_eq!(zones, ["Light Containment Zone", "Heavy Containment Zone", "Entrance Zone"]);
}

#[test]
fn missing_rooms_are_empty_nodes() {
    let table = b"[hall]\nmesh path=GFX\\map\\hall_opt.rmesh\n[lost]\nmesh path=GFX\\map\\lost.rmesh\n[bad]\nmesh path=GFX\\map\\bad.rmesh\n";
    let rooms =
        vec![room(0, 0, "lost", 0), room(1, 0, "unknown", 0), room(2, 0, "bad", 0), room(3, 0, "lost", 0)];
    let files: &[(&str, &[u8])] = &[("Data/rooms.ini", table), ("GFX/map/bad.rmesh", b"")];
    let (scene, report) = laid_out(&map(rooms), files);
    assert_eq!(
        messages(&report),
        [
            (
                "CBMAP-W020",
                "rooms[0].room: the file of \"lost\" was not found (searched: GFX\\map\\lost.rmesh)".into()
            ),
            ("CBMAP-W001", "rooms[1].room: \"unknown\" is not in Data/rooms.ini".into()),
            ("CBMAP-W022", "rooms[2].room: \"bad\" cannot be read: the file is empty, at offset 0x0".into()),
        ]
    );
    assert!(["lost", "unknown", "bad"].iter().all(|name| node(&scene, name).children.is_empty()));
}

#[test]
fn places_tunnels_at_the_corner_of_their_room_and_forests_as_empty_nodes() {
    let table =
        b"[room2tunnel]\nmesh path=GFX\\map\\hall_opt.rmesh\n[room860]\nmesh path=GFX\\map\\hall_opt.rmesh\n";
    let tunnel = sample::room().write().unwrap();
    let plan = Map {
        tunnels: vec![
            piece(18, 0, "maintenance tunnel corner", 0),
            piece(17, 1, "Maintenance tunnel endroom", 1),
        ],
        forest: vec![piece(9, 0, "scp-860-1 path", 0)],
        ..map(vec![room(17, 0, "room2tunnel", 0), room(18, 1, "room860", 0)])
    };
    let files: &[(&str, &[u8])] =
        &[("Data/rooms.ini", table), ("GFX/map/mt1.rmesh", &tunnel), ("GFX/map/mt2c.rmesh", &tunnel)];
    let (scene, report) = laid_out(&plan, files);
    assert_eq!(report.iter().filter(|warning| warning.code.id != "CBMAP-N026").count(), 1);
    assert_eq!(report.count_of(&warning::FOREST), 1);
    assert_eq!(node(&scene, "tunnel").translation.to_array(), [8.0, 0.0, 0.0]);
    let (corner, end) =
        (node(&scene, "maintenance tunnel corner"), node(&scene, "Maintenance tunnel endroom"));
    assert_eq!(corner.translation.to_array(), [0.0, 8.0, 0.0]);
    assert!(corner.rotation.abs_diff_eq(axes::rotation([0.0, 90.0, 0.0]), 1e-6), "{:?}", corner.rotation);
    assert_eq!(end.translation.to_array(), [2.0, 8.0, -2.0]);
    assert!(end.rotation.abs_diff_eq(axes::rotation([0.0, 90.0, 0.0]), 1e-6));
    assert!(!corner.children.is_empty() && node(&scene, "scp-860-1 path").children.is_empty());
}

#[test]
fn reports_a_missing_table_of_rooms_once() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("GFX/map")).unwrap();
    let mut report = Report::new();
    in_folder(folder.path(), |context| {
        let map = map(vec![room(0, 0, "hall", 0), room(1, 0, "other", 0)]);
        scene::to_scene(&map.plan(), context, &Target::new("map", 1.0), &mut report);
        check::check(&map.plan(), context, &mut report);
    });
    assert_eq!(
        messages(&report),
        [("CBMAP-W021", ": Data/rooms.ini was not found, so no rooms are converted".into())]
    );
}

#[test]
fn leaves_out_more_rooms_than_the_grids_have_cells() {
    let rooms = (0..1100_u16).map(|at| room((at / 256) as u8, (at % 256) as u8, "hall", 0)).collect();
    let (_, report) = laid_out(&map(rooms), &[]);
    assert_eq!(
        proof::single_warning(&report, &warning::TOO_MANY),
        "warning CBMAP-W025: 17 rooms are not laid out (limit: 1083)"
    );
}

#[test]
fn checks_a_map_against_its_grid_and_the_tables() {
    let events = b"[alarm]\nroom1=start\n[hum]\nroom1=hall\n";
    let event =
        |name: &str, event_chance| PlacedRoom { event: name.into(), event_chance, ..room(0, 0, "hall", 0) };
    let plan = Map {
        light_row: 5,
        heavy_row: 9,
        author: "a\nb".into(),
        tunnels: vec![piece(19, 0, "bridge", 0)],
        rest: b"?"[..].into(),
        ..map(vec![
            event("hum", 1.0),
            PlacedRoom { x: 19, ..event("alarm", -1.0) },
            PlacedRoom { y: 1, quarter_turns: 4, ..event("none", f32::NAN) },
            PlacedRoom { room: "lost".into(), ..event("", 9.0) },
        ])
    };
    let report = checked(&plan, &[("Data/events.ini", events)]);
    let expected = [
        ("CBMAP-W011", "author: the game reads the text after the line break as the next field"),
        ("CBMAP-W010", "light_row: light containment starts in row 5, heavy containment in row 9"),
        ("CBMAP-W002", "rooms[1]: column 19, row 0 is outside the grid (0 to 18)"),
        ("CBMAP-W007", "rooms[1].event_chance: probability -1 (expected 0 to 1)"),
        (
            "CBMAP-N006",
            "rooms[1].event: event \"alarm\" does not belong to the room \"hall\" in Data/events.ini",
        ),
        ("CBMAP-W004", "rooms[2].quarter_turns: 4 quarter turns (expected 0 to 3)"),
        ("CBMAP-W007", "rooms[2].event_chance: probability NaN (expected 0 to 1)"),
        ("CBMAP-W005", "rooms[2].event: event \"none\" is not in Data/events.ini"),
        ("CBMAP-W003", "rooms[3]: \"lost\" is on the same cell as rooms[0]"),
        ("CBMAP-W001", "rooms[3].room: \"lost\" is not in Data/rooms.ini"),
        ("CBMAP-W009", ": 1 tunnel piece is unused: the map has no \"room2tunnel\""),
        ("CBMAP-W002", "tunnels[0]: column 19, row 0 is outside the grid (0 to 18)"),
        ("CBMAP-W008", "tunnels[0].name: \"bridge\" is not a piece of the maintenance tunnels"),
        ("CBMAP-W012", "rest: 1 trailing byte after the end of the map"),
    ];
    assert_eq!(messages(&report), expected.map(|(code, message)| (code, message.to_owned())));
}

#[test]
fn rooms_of_a_scene_have_their_field() {
    let file = OpenMap(map(vec![room(1, 2, "hall", 0), room(9, 6, "hall", 1)]));
    let (scene, _) = laid_out(&file.0, &[]);
    let origin = |node: &::scene::Node| file.origin(ScenePart { name: &node.name, extras: &node.extras });
    let mut found: Vec<_> = scene.nodes.iter().filter_map(origin).collect();
    found.sort();
    assert_eq!(found, ["rooms[0]", "rooms[1]"]);
}
