//! Synthetic saved games of a few chunks.

use json::{Value, json};
use proptest::prelude::*;
use record::Bytes;

use super::*;
use proof::{assert_round_trip, checked, exported, packed, single_warning, unpacked};

fn item(player_total: i32) -> Item {
    Item { hide: 1, unknown_0x01: 2, total: 3, player_max: 4, player_total, unknown_0x0e: 6, unknown_0x12: 7 }
}

fn sample() -> Save {
    let mut out = Save::new("Stros M'Kai", 1, vec![item(0), item(5)]).unwrap();
    let thumb = Chunk::Other { tag: FixedText(*b"THMB"), data: Bytes((0..100).collect()) };
    out.chunks.insert(1, thumb);
    out
}

fn flags(save: &mut Save) -> &mut Vec<Flag> {
    save.chunks
        .iter_mut()
        .find_map(|chunk| if let Chunk::Flags(flags) = chunk { Some(&mut flags.list) } else { None })
        .unwrap()
}

#[test]
fn every_chunk_round_trips() {
    assert_round_trip(&item(5), b"\x01\x02\x03\0\0\0\x04\0\0\0\x05\0\0\0\x06\0\0\0\x07\0\0\0");
    let list = vec![Flag { value: 1, state: 3 }, Flag { value: -2, state: 0x11 }];
    assert_round_trip(
        &Chunk::Flags(Flags { list }),
        b"SVGF\0\0\0\x0e\x02\0\0\0\x01\0\0\0\xfe\xff\xff\xff\x03\x11",
    );
    let items = Items { records: vec![Item::default()], selected: -1 };
    assert_round_trip(&Chunk::Items(items), &[&b"SVIT\0\0\0\x1a"[..], &[0; 22], &[0xff; 4]].concat());
    let empty = Chunk::Other { tag: FixedText(*b"SCR3"), data: Bytes::default() };
    assert_round_trip(&empty, b"SCR3\0\0\0\0");
    let save = Save { chunks: vec![empty], end: true, rest: Bytes::default() };
    assert_round_trip(&save, b"SCR3\0\0\0\0END ");
    assert_round_trip(&Save { end: false, ..save.clone() }, b"SCR3\0\0\0\0");
    assert_round_trip(&Save { rest: Bytes(vec![0; 4]), ..save }, b"SCR3\0\0\0\0END \0\0\0\0");
}

/// The documented offsets.
#[test]
fn fields_have_the_documented_offsets() {
    let mut save = sample();
    let bytes = save.write().unwrap();
    assert_eq!(bytes[..12], *b"SVGM\0\0\x01\x101.31");
    assert_eq!((&bytes[8 + 12..8 + 23], bytes[8 + 140]), (&b"Stros M'Kai"[..], 1));
    assert_eq!(save.header().unwrap(), &Save::read(&bytes).unwrap().header().unwrap().clone());
    let general = General {
        measurement_base: 1,
        frames_counted: 2,
        frame_scale: 3,
        normal_rate: 4,
        ..General::default()
    };
    let bytes = write_whole(&general, ()).unwrap();
    assert_eq!((bytes.len(), [0x94, 0xb8, 0xc4, 0xf8].map(|at| bytes[at])), (1542, [1, 2, 3, 4]));
    assert_eq!(flags(&mut save).len(), 369);
    assert_eq!(save.chunks[3].len(), 4 + 5 * 369);
    assert_eq!(Chunk::Items(Items { records: vec![item(0); 86], selected: 0 }).len(), 1896);
}

#[test]
fn flags_have_their_script_names() {
    assert_eq!((FLAGS[0].name, FLAGS[0].default, FLAGS[368].name), ("TimeOfDay", 1, "MapTimer"));
    let count = |kind| FLAGS.iter().filter(|flag| flag.kind == kind).count();
    assert_eq!([Kind::Bool, Kind::FlipFlop, Kind::Number].map(count), [282, 52, 35]);
    assert_eq!(FLAGS.iter().filter(|flag| flag.default != 0).count(), 6);
}

#[test]
fn keeps_chunks_of_unexpected_layout_unchanged() {
    for bytes in [
        &b"SVGF\0\0\0\x0e\x03\0\0\0\x01\0\0\0\xfe\xff\xff\xff\x03\x11"[..],
        b"SVGF\0\0\0\x02\x03\0",
        b"SVGF\0\0\0\x04\xff\xff\xff\xff",
        b"SVIT\0\0\0\x05\x03\0\0\0\0",
        b"SVGV\0\0\0\x01\0",
        b"SVGM\0\0\0\x041.31",
    ] {
        let chunk: Chunk = read_whole(bytes, ()).unwrap();
        assert!(matches!(chunk, Chunk::Other { .. }), "{chunk:?}");
        assert_eq!(write_whole(&chunk, ()).unwrap(), bytes);
    }
    let mut other = sample().write().unwrap();
    other[11] = b'0';
    let save = Save::read(&other).unwrap();
    assert_eq!((save.header(), save.write().unwrap() == other), (None, true));
    assert!(
        single_warning(&checked(&FORMAT, &save), &warning::VERSION).contains("unknown SVGM version 1.30")
    );
}

#[test]
fn refuses_wrong_lengths_before_allocating() {
    let mut bytes = sample().write().unwrap();
    bytes[4..8].fill(0xff);
    let error = Save::read(&bytes).unwrap_err().to_string();
    let left = bytes.len() - 8;
    assert_eq!(
        error,
        format!("chunks[0].length: expected 4294967295 bytes, but only {left} are left, at offset 0x4")
    );
    assert_eq!(
        Save::read(b"SVG").unwrap_err().to_string(),
        "chunks[0].tag: expected 4 bytes, but only 3 are left, at offset 0x0"
    );
    let bytes = sample().write().unwrap();
    for length in 0..bytes.len() {
        match Save::read(&bytes[..length]) {
            Ok(save) => assert!(!save.end),
            Err(error) => assert!(error.offset().unwrap() <= length as u64, "{error}"),
        }
    }
}

#[test]
fn check_reports_defects() {
    let check = |change: &dyn Fn(&mut Save)| {
        let mut save = sample();
        change(&mut save);
        checked(&FORMAT, &save)
    };
    assert!(check(&|_| {}).is_empty());
    single_warning(&check(&|save| save.end = false), &warning::NO_END);
    single_warning(&check(&|save| save.rest = Bytes(vec![1])), &warning::LEFT_OVER);
    single_warning(&check(&|save| save.chunks.swap(0, 1)), &warning::FIRST);
    single_warning(&check(&|save| drop(save.chunks.remove(0))), &warning::FIRST);
    single_warning(&check(&|save| save.chunks.push(save.chunks[0].clone())), &warning::FIRST);
    single_warning(&check(&|save| flags(save).truncate(368)), &warning::FLAGS);
    let other = |tag: &[u8; 4]| Chunk::Other { tag: FixedText(*tag), data: Bytes(vec![1]) };
    single_warning(&check(&|save| save.chunks[1] = other(b"ABCD")), &warning::UNKNOWN);
    single_warning(&check(&|save| save.chunks[1] = other(b"SVIT")), &warning::LENGTH);
    let select = |selected: i32| {
        check(&|save| {
            let Some(Chunk::Items(items)) = save.chunks.last_mut() else { unreachable!() };
            items.selected = selected;
        })
    };
    single_warning(&select(3), &warning::SELECTED);
    single_warning(&select(-2), &warning::SELECTED);
    assert!(select(2).is_empty() && select(0).is_empty());
}

#[test]
fn recognizes_saved_games_by_the_first_chunk() {
    let probe = |bytes: &[u8], name| (FORMAT.probe)(&Probe::new(bytes, bytes.len() as u64, Some(name)));
    assert_eq!(probe(&sample().write().unwrap(), "x"), Some(Score::CERTAIN));
    assert_eq!(probe(b"SVGM\0\0\0\x01", "x"), Some(Score::LIKELY));
    assert_eq!(probe(b"junk", "OBJECT.SAV"), Some(Score::NEVER));
    assert_eq!(probe(b"junk", "SAVEGAME.SAV"), None);
}

#[test]
fn json_contains_flags_and_items() {
    let mut save = sample();
    flags(&mut save)[2] = Flag { value: 1, state: 0x10 };
    let (sink, _) = exported(&FORMAT, &save, "json", &[]);
    let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    assert_eq!(json["slot"]["text"], "Stros M'Kai");
    let flag = json!({ "flag": 2, "name": "After_League", "value": 1, "latch": true, "state": 16, "kind": "BOOL", "default": 0 });
    assert_eq!(json["flags"][2], flag);
    assert_eq!((&json["items"][1]["player_total"], &json["selected_item"]), (&json!(5), &json!(-1)));
    assert_eq!(json["other_chunks"], json!([{ "tag": "THMB", "bytes": 100 }, { "tag": "SCR3", "bytes": 0 }]));
    let brief = save.describe(Detail::Brief);
    assert_eq!(brief.summary, "saved game \"Stros M'Kai\", world 1, 1 of 369 flags changed, 1 item");
    assert_eq!(brief.fields.root().to_value()["flags_changed"][0]["name"], "After_League");
}

#[test]
fn slot_flags_and_items_are_edited_in_the_record() {
    let bytes = sample().write().unwrap();
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    let path = folder.path().join("record.json");
    let record = std::fs::read_to_string(&path).unwrap();
    let mut json: Value = json::from_str(&record).unwrap();
    let write = |json: &Value| std::fs::write(&path, serde_json::to_vec(json).unwrap()).unwrap();
    json["chunks"][0]["SVGM"]["text"] = json!("Ein früher Morgen");
    json["chunks"][3]["SVGF"][4]["value"] = json!(1);
    json["chunks"][5]["SVIT"]["records"][0]["player_total"] = json!(9);
    json["chunks"][5]["SVIT"]["records"][0]["name"] = json!("compass");
    write(&json);
    let after = Save::read(&packed(&FORMAT, folder.path()).unwrap().0).unwrap();
    let mut expected = sample();
    flags(&mut expected)[4].value = 1;
    let Chunk::Header(header) = &mut expected.chunks[0] else { unreachable!() };
    header.text = FixedText::new("Ein früher Morgen").unwrap();
    let Chunk::Items(items) = &mut expected.chunks[5] else { unreachable!() };
    items.records[0].player_total = 9;
    assert_eq!(after, expected);
    json["chunks"][3]["SVGF"][4]["name"] = json!("After_Iszara");
    write(&json);
    let error = packed(&FORMAT, folder.path()).unwrap_err().to_string();
    assert!(error.contains("flag 4 must be After_Jail, not After_Iszara (do not reorder flags)"), "{error}");
}

fn any_chunk() -> impl Strategy<Value = Chunk> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..90);
    let tag = prop::sample::select(vec![*b"THMB", *b"SCR3", *b"a\0\xff1", *b"SVGV"]);
    prop_oneof![
        (tag, bytes()).prop_map(|(tag, data)| Chunk::Other { tag: FixedText(tag), data: Bytes(data) }),
        prop::collection::vec((any::<i32>(), any::<u8>()), 0..400).prop_map(|list| {
            let list = list.into_iter().map(|(value, state)| Flag { value, state }).collect();
            Chunk::Flags(Flags { list })
        }),
        (prop::collection::vec(any::<i32>(), 0..90), any::<i32>()).prop_map(|(totals, selected)| {
            Chunk::Items(Items { records: totals.into_iter().map(item).collect(), selected })
        }),
        any::<i32>().prop_map(|number| Chunk::General(Box::new(General {
            bios_sample: number,
            ..General::default()
        }))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_saved_game_round_trips(chunks in prop::collection::vec(any_chunk(), 0..6), rest in prop::collection::vec(any::<u8>(), 0..5)) {
        let mut save = sample();
        save.chunks.extend(chunks);
        save.rest = Bytes(rest);
        let bytes = save.write().unwrap();
        prop_assert_eq!(&Save::read(&bytes).unwrap(), &save);
        let again: Save = json::from_slice(&json::to_vec(&save).unwrap()).unwrap();
        prop_assert_eq!(&again, &save);
        checked(&FORMAT, &save);
        exported(&FORMAT, &save, "json", &[]);
        let folder = tempfile::tempdir().unwrap();
        unpacked(&FORMAT, &bytes, folder.path());
        prop_assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    }

    #[test]
    fn changed_bytes_do_not_panic(at in 0_usize..5000, value: u8) {
        let mut bytes = sample().write().unwrap();
        let at = at % bytes.len();
        bytes[at] = value;
        if let Ok(save) = Save::read(&bytes) {
            prop_assert_eq!(save.write().unwrap(), bytes);
            checked(&FORMAT, &save);
        }
    }
}
