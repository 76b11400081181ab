use std::collections::BTreeSet;

use asset::{Probe, Report};
use json::Document;
use proof::assert_round_trip;
use record::{Bytes, Locator, read_whole, trace_whole};

use super::*;
use crate::sample::saved_game::saved_game;

fn state(save: &mut Save) -> &mut State {
    save.state.as_mut().unwrap()
}

fn items(save: &mut Save) -> &mut Items {
    state(save).items.as_mut().unwrap()
}

fn checked(save: &Save) -> Vec<(&'static str, String)> {
    let mut report = Report::new();
    check::check(save, &mut report);
    report.iter().map(|warning| (warning.code.id, format!("{}: {}", warning.path, warning.message))).collect()
}

/// The offset of a field in the sample.
fn offset(path: &str) -> u64 {
    let bytes = saved_game().write().unwrap();
    let mut locator = Locator::new([path.to_owned()]);
    trace_whole::<Save>(&bytes, (), &mut locator).unwrap();
    locator.offset(path).unwrap()
}

/// The sample with other bytes at a field.
fn with(path: &str, bytes: &[u8]) -> Vec<u8> {
    let mut file = saved_game().write().unwrap();
    let start = usize::try_from(offset(path)).unwrap();
    file[start..start + bytes.len()].copy_from_slice(bytes);
    file
}

#[test]
fn small_records_round_trip() {
    assert_round_trip(&Difficulty { level: 1, custom: None }, b"\x01");
    let custom =
        CustomDifficulty { aggressive_characters: 1, permanent_death: 0, save_type: 2, other_factors: 1 };
    assert_round_trip(&Difficulty { level: 3, custom: Some(custom) }, b"\x03\x01\0\x02\x01");
    let cells = [5, 6].map(|room| Cell { room, found: 1 }).to_vec();
    assert_round_trip(
        &MapGrid { width: 0, height: 1, cells },
        b"\0\0\0\0\x01\0\0\0\x05\0\0\0\x01\x06\0\0\0\x01",
    );
}

#[test]
fn a_saved_game_round_trips_byte_for_byte() {
    let save = saved_game();
    let bytes = save.write().unwrap();
    let read = Save::read(&bytes).unwrap();
    assert_eq!(read, save);
    assert_eq!(read.write().unwrap(), bytes);
    assert!(checked(&save).is_empty(), "{:?}", checked(&save));
}

#[test]
fn a_saved_game_round_trips_through_json() {
    let save = saved_game();
    let json = serde_json::to_string(&save).unwrap();
    assert_eq!(json::from_str::<Save>(&json).unwrap(), save);
    assert!(Document::of(&save).is_ok());
}

#[test]
fn a_room_has_tunnels_and_a_forest_according_to_its_flags() {
    let mut save = saved_game();
    let short = save.write().unwrap().len();
    let mut tunnels = [[Tunnel { piece: 0, angle: 0 }; 19]; 19];
    tunnels[1][2] = Tunnel { piece: 3, angle: 1 };
    let hall = &mut state(&mut save).rooms[0];
    (hall.has_tunnels, hall.tunnels) = (1, Some(Box::new(tunnels)));
    (hall.has_forest, hall.forest) = (1, Some(Box::new(Forest { cells: [[2; 10]; 10], position: [0.0; 3] })));
    let bytes = save.write().unwrap();
    assert_eq!(bytes.len(), short + 2 * 19 * 19 + 10 * 10 + 12);
    assert_eq!(Save::read(&bytes).unwrap(), save);
    assert_eq!(json::from_str::<Save>(&serde_json::to_string(&save).unwrap()).unwrap(), save);
}

#[test]
fn the_zones_of_1_3_10_are_at_the_end() {
    let mut save = saved_game();
    save.version = "1.3.10".into();
    let zones = state(&mut save).zones.take();
    items(&mut save).zones = zones;
    let bytes = save.write().unwrap();
    assert_eq!(bytes.len(), saved_game().write().unwrap().len());
    assert_eq!(Save::read(&bytes).unwrap(), save);
}

#[test]
fn a_saved_game_is_recognized_by_the_time_and_date_at_its_start() {
    let score = |bytes: &[u8]| (FORMAT.probe)(&Probe::new(bytes, bytes.len() as u64, Some("save.txt")));
    let bytes = saved_game().write().unwrap();
    assert_eq!(score(&bytes), Some(Score::CERTAIN));
    assert_eq!(score(&bytes[..27]), Some(Score::CERTAIN));
    assert_eq!(score(&bytes[..26]), None);
    assert_eq!(score(b"20:45:00 05 Nov 2018"), None);
    assert_eq!(score(b"\x08\0\0\0RoomMesh\x0b\0\0\x0005 Nov 2018"), None);
    assert_eq!(score(b""), None);
}

#[test]
fn a_truncated_file_is_an_error_with_an_offset_or_keeps_the_items_as_bytes() {
    let bytes = saved_game().write().unwrap();
    let of_items = usize::try_from(offset("state.items")).unwrap();
    for end in (0..bytes.len()).step_by(7).chain(of_items..bytes.len()) {
        match Save::read(&bytes[..end]) {
            Err(error) => {
                assert!(end < of_items, "{end}: {error}");
                assert!(error.offset().is_some_and(|offset| offset <= end as u64), "{end}: {error}");
            }
            Ok(save) => {
                assert!(end >= of_items, "{end}");
                assert_eq!(save.write().unwrap(), bytes[..end]);
            }
        }
    }
}

#[test]
fn refuses_counts_larger_than_the_file_before_allocating() {
    let most = i32::MAX.to_le_bytes();
    for (path, list) in [
        ("state.map.width", "state.map.cells"),
        ("state.map.height", "state.map.cells"),
        ("state.characters.count", "state.characters"),
        ("state.rooms.count", "state.rooms"),
        ("state.doors.count", "state.doors"),
        ("state.decals.count", "state.decals"),
        ("state.events.count", "state.events"),
    ] {
        let error = Save::read(&with(path, &most)).unwrap_err();
        assert_eq!(error.path(), list, "{error}");
    }
    let error = Save::read(&with("state.characters.count", &(-1_i32).to_le_bytes())).unwrap_err();
    assert_eq!(error.path(), "state.characters");
}

#[test]
fn a_map_without_cells_is_valid() {
    let grid: MapGrid = read_whole(b"\xff\xff\xff\xff\x05\0\0\0", ()).unwrap();
    assert!(grid.cells.is_empty());
}

#[test]
fn refuses_a_missing_mark_between_sections() {
    for mark in ["mark_113", "mark_632", "mark_954", "mark_1845"] {
        let path = format!("state.{mark}");
        let error = Save::read(&with(&path, b"\xff")).unwrap_err();
        assert_eq!(error.offset(), Some(offset(&path)), "{error}");
    }
}

#[test]
fn refuses_more_levers_than_the_game_reads() {
    let room = &state(&mut saved_game()).rooms[0].clone();
    let levers = Room { levers: vec![0; 12].into(), ..room.clone() };
    assert!(write_whole(&levers, ()).is_err());
    let levers = Room { levers: vec![0; 11].into(), ..room.clone() };
    assert!(write_whole(&levers, ()).is_ok());
}

#[test]
fn data_after_an_unknown_version_is_kept_as_bytes() {
    let bytes = with("version", b"\x06\0\0\0" as &[u8]);
    let start = usize::try_from(offset("version")).unwrap() + 4;
    let bytes = [&bytes[..start], b"1.2.99", &bytes[start + 6..]].concat();
    let save = Save::read(&bytes).unwrap();
    assert_eq!(save.state, None);
    assert_eq!(save.write().unwrap(), bytes);
    let expected = format!(
        "version: unknown version \"1.2.99\" (known: 1.3.10, 1.3.11); the {} bytes after it are kept as bytes",
        save.rest.len()
    );
    assert_eq!(checked(&save), [("CBSAVE-W001", expected)]);
    assert_eq!(
        save.describe(Detail::Brief).summary,
        "saved game of 05 Nov 2018 20:45:00 of an unknown version"
    );
}

#[test]
fn items_of_a_mod_are_kept_as_bytes() {
    let mut save = saved_game();
    let bytes = save.write().unwrap();
    // An animated item that the original game does not have, with an additional number.
    let frame = usize::try_from(offset("state.items.items[2].room")).unwrap();
    let modded = [&bytes[..frame], &[0, 0, 0x80, 0x3f], &bytes[frame..]].concat();
    let read = Save::read(&modded).unwrap();
    assert_eq!(read.write().unwrap(), modded);
    let start = usize::try_from(offset("state.items")).unwrap();
    assert_eq!(read.rest, Bytes::from(modded[start..].to_vec()));
    state(&mut save).items = None;
    assert_eq!(read.state, save.state);
    let expected = format!(
        "rest: the items ({} bytes) are kept as bytes: they are not those of the original game",
        read.rest.len()
    );
    assert_eq!(checked(&read), [("CBSAVE-N002", expected)]);
}

#[test]
fn using_the_console_changes_the_end_mark() {
    let mut save = saved_game();
    items(&mut save).end_mark = 100;
    assert_eq!(Save::read(&save.write().unwrap()).unwrap(), save);
    items(&mut save).end_mark = 995;
    assert!(save.write().is_err());
}

#[test]
fn refuses_to_write_contradicting_fields() {
    let refused = |change: fn(&mut Save)| {
        let mut save = saved_game();
        change(&mut save);
        save.write().unwrap_err().to_string()
    };
    assert_eq!(
        refused(|save| state(save).map.width = 2),
        "state.map.cells: 4 cells (expected 6: width + 1 times height + 1)"
    );
    assert_eq!(
        refused(|save| items(save).items[0].room = 1),
        "state.items.containers: 1 containers, but 2 items can contain others"
    );
    assert_eq!(
        refused(|save| items(save).items[1].room = 2),
        "state.items.containers[0].contents: 3 items in a container for 2"
    );
    refused(|save| items(save).items[1].frame = None);
    refused(|save| items(save).items[0].frame = Some(1.0));
    refused(|save| state(save).rooms[0].has_forest = 1);
    refused(|save| state(save).zones = None);
    refused(|save| save.version = "2.0".into());
}

#[test]
fn a_saved_game_is_described() {
    let description = saved_game().describe(Detail::Brief);
    assert_eq!(
        description.summary,
        "saved game of 05 Nov 2018 20:45:00, seed \"dirtymetal\", custom difficulty, 2 rooms, 2 characters"
    );
    assert_eq!(description.dialect, "1.3.11");
    let fields = json::to_value(&description.fields).unwrap();
    assert_eq!(fields["inventory"], json::json!(["Level 1 Key Card", "Clipboard"]));
    assert_eq!(fields["characters"], json::json!({"SCP-173": 1, "guard": 1}));
    assert_eq!(fields["achievements"], 1);
}

#[test]
fn reports_values_that_the_game_does_not_write() {
    let mut save = saved_game();
    save.position[1] = f32::NAN;
    let world = state(&mut save);
    world.difficulty.custom.as_mut().unwrap().save_type = 9;
    world.characters[0].kind = 5;
    world.characters[1].id = 1;
    world.characters[1].target = 7;
    world.rooms[0].has_player = 0;
    world.rooms[1].levers = vec![3].into();
    world.doors[0].open = 4;
    let carried = items(&mut save);
    carried.items[0].slot = 1;
    carried.items[2].slot = 12;
    carried.containers[0].contents[1] = 40;
    let expected = [
        ("CBSAVE-W005", "position: NaN is not a position"),
        ("CBSAVE-W004", "state.difficulty.custom.save_type: save type 9 (expected 0 to 2)"),
        ("CBSAVE-W006", "state.characters[1].id: identifier 1 is already used by characters[0]"),
        ("CBSAVE-W003", "state.characters[0].kind: kind 5 (known: 1 to 22 without 5)"),
        ("CBSAVE-W007", "state.characters[1].target: no character has the identifier 7"),
        ("CBSAVE-W007", "state.rooms[0].characters[0]: no character has the identifier 2"),
        ("CBSAVE-W010", "state.rooms[1].levers: 3 (expected 0 or 1)"),
        ("CBSAVE-W008", "state.rooms: the player is in 0 rooms (expected 1)"),
        ("CBSAVE-W010", "state.doors[0].open: 4 (expected 0 or 1)"),
        ("CBSAVE-W009", "state.items.items[1].slot: slot 1 is already used by items[0]"),
        ("CBSAVE-W009", "state.items.items[2].slot: slot 12 (expected 0 to 9, or 66 for none)"),
        ("CBSAVE-W007", "state.items.containers[0].contents[1]: no item has the identifier 40"),
    ];
    assert_eq!(checked(&save), expected.map(|(code, message)| (code, message.to_owned())));
    let reported: BTreeSet<_> = expected.iter().map(|(code, _)| *code).collect();
    assert_eq!(reported.len() + 2, CODES.len(), "each code has a test");
}
