//! Synthetic cheat states.

use proptest::prelude::*;

use super::*;
use proof::{assert_round_trip, checked, checked_in, exported, packed, single_warning, unpacked};

fn sample() -> Cheats {
    let mut out = Cheats { magiccarpet: 42, yeahbaby: u32::MAX, ..Cheats::default() };
    out.reserved[50] = 7;
    out
}

#[test]
fn every_number_round_trips() {
    let mut bytes = [0; FILE_SIZE];
    (bytes[12], bytes[16], bytes[20]) = (1, 1, 42);
    bytes[48..52].fill(0xff);
    bytes[252] = 7;
    assert_round_trip(&sample(), &bytes);
    assert_eq!(Cheats::read(&bytes).unwrap(), sample());
}

#[test]
fn every_cheat_has_its_own_number() {
    let json = json::to_value(Cheats::default()).unwrap();
    let bytes: Vec<u8> = (0..64_u32).flat_map(u32::to_le_bytes).collect();
    let numbered = Cheats::read(&bytes).unwrap();
    for (slot, (cheat, value)) in numbered.list().enumerate() {
        assert_eq!(value as usize, slot);
        assert!(json.get(cheat.name).is_some(), "{}", cheat.name);
    }
    assert_eq!((numbered.reserved[0], numbered.reserved[50]), (13, 63));
}

#[test]
fn refuses_another_length() {
    let message = |length| Cheats::read(&vec![0; length]).unwrap_err().to_string();
    assert_eq!(message(255), "the file has 255 bytes; cheat states have 256, at offset 0xff");
    assert_eq!(message(512), "the file has 512 bytes; cheat states have 256, at offset 0x100");
    assert_eq!(message(0), "the file has 0 bytes; cheat states have 256, at offset 0x0");
}

#[test]
fn recognizes_cheat_states_by_name_and_length() {
    let probe = |name, length| (FORMAT.probe)(&Probe::new(&[], length, Some(name)));
    assert_eq!(probe("REDGUARD.CHT", 256), Some(Score::LIKELY));
    assert_eq!(probe("REDGUARD.CHT", 255), None);
    assert_eq!(probe("OTHER.CHT", 256), None);
}

#[test]
fn check_reports_defects() {
    let report = checked_in(&FORMAT, &sample(), &sample().write().unwrap());
    assert_eq!(
        single_warning(&report, &warning::RESERVED),
        "warning CHT-W001: reserved[50]: unused slot 63 is 7, not 0, at offset 0xfc"
    );
    assert_eq!(
        single_warning(&report, &warning::NO_EFFECT),
        "note CHT-N002: magiccarpet: magiccarpet is 42, which counts as on but has no effect (the game requires 1), at offset 0x14"
    );
    assert!(checked(&FORMAT, &Cheats::default()).is_empty());
}

#[test]
fn json_lists_every_cheat_with_value_and_state() {
    let (sink, report) = exported(&FORMAT, &sample(), "json", &[]);
    assert!(report.is_empty());
    let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    let cheats = json["cheats"].as_array().unwrap();
    assert_eq!(cheats.len(), COUNT);
    assert_eq!(
        (&cheats[5]["name"], &cheats[5]["value"], &cheats[5]["on"]),
        (&json!("magiccarpet"), &json!(42), &json!(true))
    );
    assert_eq!((&cheats[7]["name"], &cheats[7]["on"]), (&json!("drevil"), &json!(false)));
    assert_eq!(json["unnamed"], json!([{ "slot": 63, "value": 7 }]));
}

#[test]
fn toggles_a_cheat_in_the_record() {
    let bytes = sample().write().unwrap();
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    let path = folder.path().join("record.json");
    let record = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, record.replace("\"drevil\": 0", "\"drevil\": 1")).unwrap();
    let (changed, _) = packed(&FORMAT, folder.path()).unwrap();
    assert_eq!(Cheats::read(&changed).unwrap(), Cheats { drevil: 1, ..sample() });
    assert_eq!(bytes.iter().zip(&changed).filter(|(a, b)| a != b).count(), 1);
}

#[test]
fn decodes_obfuscated_names() {
    assert_eq!(hide_name("oracle").unwrap(), [0xc5, 0xd8, 0xcb, 0xc9, 0xc6, 0xcf]);
    for cheat in &CHEATS {
        let hidden = hide_name(cheat.name).unwrap();
        assert!(hidden.iter().all(|byte| !byte.is_ascii()));
        assert_eq!(show_name(&hidden), cheat.name);
        assert_eq!(show_name(&[&hidden[..], &[0, 0x12]].concat()), cheat.name);
        assert_eq!(show_name(&[&hidden[..], &[KEY, 0x12]].concat()), cheat.name);
    }
    assert!(hide_name("\u{4e2d}").is_err());
}

proptest! {
    #[test]
    fn any_states_round_trip(numbers in prop::collection::vec(any::<u32>(), 64)) {
        let bytes: Vec<u8> = numbers.iter().copied().flat_map(u32::to_le_bytes).collect();
        let cheats = Cheats::read(&bytes).unwrap();
        prop_assert_eq!(cheats.write().unwrap(), bytes);
        let again: Cheats = json::from_slice(&json::to_vec(&cheats).unwrap()).unwrap();
        prop_assert_eq!(&again, &cheats);
        checked(&FORMAT, &cheats);
    }
}
