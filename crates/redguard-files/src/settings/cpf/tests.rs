//! Console settings.

use proptest::prelude::*;

use super::*;
use proof::{assert_round_trip, checked, checked_in, exported, names, packed, single_warning, unpacked};

/// Each field holds a number at its documented offset.
#[test]
fn every_field_round_trips() {
    let console = Console {
        version: FixedText(*b"2.0"),
        font: 1,
        shadow: 2,
        edit_color: 3,
        report_color: 4,
        screen: 5,
        paper: 6,
        hex_lines: -7,
        paper_off: 8,
        background: 9,
        screen_limit: 10,
    };
    let mut bytes = [0; FILE_SIZE];
    bytes[..3].copy_from_slice(b"2.0");
    for (at, value) in [(3, 1), (7, 2), (11, 3), (15, 4), (19, 5), (23, 6), (31, 8), (35, 9), (36, 10)] {
        bytes[at] = value;
    }
    bytes[27..31].copy_from_slice(&(-7_i32).to_le_bytes());
    assert_round_trip(&console, &bytes);
    let report = checked_in(&FORMAT, &console, &bytes);
    assert!(
        single_warning(&report, &warning::HEX_LINES)
            .ends_with("hex_lines: hex_lines is -7; the game uses 1, at offset 0x1b")
    );
}

#[test]
fn refuses_another_length_and_reports_another_version() {
    assert_eq!(
        Console::read(&[0; 41]).unwrap_err().to_string(),
        "the file has 41 bytes; console settings have 40, at offset 0x28"
    );
    assert_eq!(Console::read(&[0; 7]).unwrap_err().offset(), Some(7));
    assert!(checked(&FORMAT, &Console::default()).is_empty());
    single_warning(
        &checked(&FORMAT, &Console { version: FixedText(*b"1.0"), ..Console::default() }),
        &warning::VERSION,
    );
}

#[test]
fn recognizes_settings_by_name_length_and_version() {
    let probe = |bytes: &[u8], name| (FORMAT.probe)(&Probe::new(bytes, bytes.len() as u64, Some(name)));
    let bytes = Console::default().write().unwrap();
    assert_eq!(probe(&bytes, "REDGUARD.CPF"), Some(Score::LIKELY));
    assert_eq!(probe(&bytes, "REDGUARD.TXT"), None);
    assert_eq!(probe(&bytes[..39], "REDGUARD.CPF"), None);
}

#[test]
fn changes_a_setting_in_the_record() {
    let (sink, _) = exported(&FORMAT, &Console::default(), "json", &[]);
    assert_eq!(names(&sink), ["out.json"]);
    let bytes = Console::default().write().unwrap();
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    let path = folder.path().join("record.json");
    let record = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, record.replace("\"hex_lines\": 8", "\"hex_lines\": 20")).unwrap();
    let after = Console::read(&packed(&FORMAT, folder.path()).unwrap().0).unwrap();
    assert_eq!(after, Console { hex_lines: 20, ..Console::default() });
}

proptest! {
    #[test]
    fn any_bytes_round_trip(bytes in prop::collection::vec(any::<u8>(), FILE_SIZE)) {
        let console = Console::read(&bytes).unwrap();
        prop_assert_eq!(console.write().unwrap(), bytes);
        let again: Console = json::from_slice(&json::to_vec(&console).unwrap()).unwrap();
        prop_assert_eq!(&again, &console);
        checked(&FORMAT, &console);
    }
}
