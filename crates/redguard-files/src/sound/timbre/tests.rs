//! Synthetic libraries of a few timbres.

use asset::{Probe, Score};
use proptest::prelude::*;
use record::{Bytes, Extent, Gap, Layout};

use super::*;
use proof::{assert_round_trip, checked, checked_in, exported, packed, single_warning, unpacked};

/// Two operators whose registers count up from `first`.
fn voice(first: u8) -> Voice {
    let operator = |first: u8| Operator {
        flags_multiple: first,
        scale_level: first + 1,
        attack_decay: first + 2,
        sustain_release: first + 3,
        waveform: first + 4,
    };
    Voice { modulator: operator(first), feedback_connection: first + 5, carrier: operator(first + 6) }
}

fn two(transpose: i8) -> Timbre {
    Timbre::TwoOperators { transpose, voice: voice(1) }
}

fn four(transpose: i8) -> Timbre {
    Timbre::FourOperators { transpose, voice: voice(1), second_voice: voice(12) }
}

const TWO: &[u8] = b"\x0e\0\xf4\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b";
const FOUR: &[u8] = b"\x19\0\x23\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\
    \x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16";

/// Assembles an index and the bytes that follow it.
fn file(entries: &[(u8, u8, u32)], body: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::new();
    for (patch, bank, offset) in entries {
        out.extend([*patch, *bank]);
        out.extend(offset.to_le_bytes());
    }
    out.extend([0xff, 0xff]);
    out.extend(body.concat());
    out
}

/// A library with timbres out of order, a gap, a shared timbre, a timbre of unknown length, two dangling offsets, and trailing
/// bytes.
fn odd_file() -> Vec<u8> {
    let [four, two, other, end] = [0x2c, 0x45, 0x54, 0x58];
    let entries =
        [(5, 0, two), (36, 127, four), (6, 0, two), (9, 1, other), (5, 0, 0x9000), (7, 0, 4), (8, 0, end)];
    file(&entries, &[FOUR, TWO, &[0xaa], &[4, 0, 7, 8], b"??"])
}

#[test]
fn the_file_has_an_index_followed_by_timbres() {
    let library = TimbreLibrary::new(vec![(5, 0, two(-12)), (36, 127, four(35))]);
    let bytes = file(&[(5, 0, 14), (36, 127, 28)], &[TWO, FOUR]);
    assert_eq!(library.write().unwrap(), bytes);
    let extent = |part: &str, start, length| Extent { part: part.into(), start, length };
    let places = vec![extent("", 0, 14), extent("timbres[0]", 14, 14), extent("timbres[1]", 28, 25)];
    assert_round_trip(&TimbreLibrary { layout: Layout { places, gaps: Vec::new() }, ..library }, &bytes);
}

#[test]
fn each_timbre_has_a_length_followed_by_registers() {
    assert_round_trip(&two(-12), TWO);
    assert_round_trip(&four(35), FOUR);
    assert_round_trip(&Timbre::Other { length: 4, data: Bytes::from(vec![7, 8]) }, b"\x04\0\x07\x08");
}

#[test]
fn shared_timbres_gaps_and_offsets_without_a_timbre_are_kept() {
    let bytes = odd_file();
    let library = TimbreLibrary::read(&bytes).unwrap();
    assert_eq!(library.write().unwrap(), bytes);
    assert_eq!(library.timbres, [two(-12), four(35), Timbre::Other { length: 4, data: vec![7, 8].into() }]);
    let references: Vec<_> = library.entries.iter().map(|entry| entry.timbre).collect();
    let (number, dangling) = (TimbreRef::Number, |offset| TimbreRef::Dangling { offset });
    assert_eq!(
        references,
        [number(0), number(1), number(0), number(2), dangling(0x9000), dangling(4), dangling(0x58)]
    );
    let gap = |start, bytes: &[u8]| Gap { start, bytes: bytes.into() };
    assert_eq!(library.layout.gaps, [gap(0x53, &[0xaa]), gap(0x58, b"??")]);
}

#[test]
fn a_timbre_needs_a_length_that_fits_into_the_file() {
    let read = |body: &[u8]| TimbreLibrary::read(&file(&[(0, 0, 8)], &[body])).unwrap().timbres;
    for body in [&b""[..], b"\x0e", b"\0\0", b"\x01\0", &TWO[..13]] {
        assert_eq!(read(body), [], "{body:?}");
    }
    assert_eq!(read(b"\x02\0"), [Timbre::Other { length: 2, data: Bytes::default() }]);
    assert_eq!(read(TWO), [two(-12)]);
}

#[test]
fn refuses_an_index_without_an_end() {
    let message = |bytes: &[u8]| TimbreLibrary::read(bytes).unwrap_err().to_string();
    assert_eq!(message(b""), "the file is empty, at offset 0x0");
    assert_eq!(message(b"\xff"), "entries[0].bank: expected 1 bytes, found end of data, at offset 0x1");
    assert_eq!(message(&[0; 8]), "entries[1].timbre: expected 4 bytes, found end of data, at offset 0x8");
    let entries = vec![(0, 0, 0); MAX_ENTRIES + 1];
    let message = message(&file(&entries, &[]));
    assert_eq!(message, "entries: the count is 65536, but the limit is 65535, at offset 0x0");
}

#[test]
fn refuses_to_write_invalid_libraries() {
    let message = |change: fn(&mut TimbreLibrary)| {
        let mut library = TimbreLibrary::read(&odd_file()).unwrap();
        change(&mut library);
        library.write().unwrap_err().to_string()
    };
    assert_eq!(
        message(|library| library.entries[2].timbre = TimbreRef::Number(3)),
        "entries[2].timbre: timbre 3 does not exist (number of timbres: 3)"
    );
    assert_eq!(
        message(|library| (library.entries[1].patch, library.entries[1].bank) = (255, 255)),
        "entries[1]: patch 255 of bank 255 marks the end of the index"
    );
    assert_eq!(
        message(|library| library.timbres[2] = Timbre::Other { length: 5, data: vec![7, 8].into() }),
        "timbres[2].length: the length is 5; with 2 bytes of data it must be 4"
    );
    assert_eq!(
        message(|library| library.timbres[2] = Timbre::Other { length: 14, data: vec![0; 12].into() }),
        "timbres[2].length: a timbre of 14 bytes must have operators instead of data"
    );
}

#[test]
fn recognizes_libraries_by_extension_and_structure() {
    let probe = |name, bytes: &[u8]| {
        let head = &bytes[..bytes.len().min(Probe::HEAD as usize)];
        (FORMAT.probe)(&Probe::new(head, bytes.len() as u64, Some(name)))
    };
    let not_after_the_index = file(&[(5, 0, 9)], &[&[0], TWO]);
    let two_timbres = file(&[(36, 127, 28), (5, 0, 14)], &[TWO, FOUR]);
    assert_eq!(probe("sound/SAMPLE.OPL", &two_timbres), Some(Score::LIKELY));
    assert_eq!(probe("FAT.AD", &two_timbres), Some(Score::LIKELY));
    assert_eq!(probe("SAMPLE.BIN", &two_timbres), None);
    assert_eq!(probe("SAMPLE.OPL", &two_timbres[..two_timbres.len() - 1]), Some(Score::POSSIBLE));
    for other in [
        &b""[..],
        b"\xff\xff",
        b"text, not timbres",
        &[0; 4096],
        &not_after_the_index,
        &two_timbres[..13],
        &odd_file()[6..],
    ] {
        assert_eq!(probe("SAMPLE.OPL", other), Some(Score::NEVER), "{other:?}");
    }
    let wrong_length = file(&[(5, 0, 8)], &[&[15, 0], &[0; 13]]);
    assert_eq!(probe("SAMPLE.OPL", &wrong_length), Some(Score::NEVER));
    let many: Vec<_> = (0..300).map(|n: u16| (n as u8, (n >> 8) as u8, 1802 + 14 * u32::from(n))).collect();
    let large = file(&many, &[&TWO.repeat(300)]);
    assert!(large.len() as u64 > Probe::HEAD);
    assert_eq!(probe("SAMPLE.OPL", &large), Some(Score::LIKELY));
}

#[test]
fn check_reports_defects() {
    let bytes = odd_file();
    let report = checked_in(&FORMAT, &TimbreLibrary::read(&bytes).unwrap(), &bytes);
    let found: Vec<_> = report.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "warning TIMBRES-W002: entries[4]: patch 5 of bank 0 already has entry 0, at offset 0x18",
            "warning TIMBRES-W001: entries[4].timbre: there is no timbre at 0x9000, at offset 0x1a",
            "warning TIMBRES-W001: entries[5].timbre: there is no timbre at 0x4, at offset 0x20",
            "warning TIMBRES-W001: entries[6].timbre: there is no timbre at 0x58, at offset 0x26",
            "warning TIMBRES-W003: timbres[2]: unknown timbre length 4 (known: 14, 25), at offset 0x54",
            "note TIMBRES-N004: layout.gaps[0]: 1 byte that no entry refers to, at offset 0x53",
            "note TIMBRES-N004: layout.gaps[1]: 2 bytes that no entry refers to, at offset 0x58",
        ]
    );
    assert!(checked(&FORMAT, &TimbreLibrary::new(vec![(5, 0, two(0)), (5, 1, four(0))])).is_empty());
}

#[test]
fn a_table_has_a_row_for_each_entry() {
    let bytes = file(&[(5, 0, 20), (36, 127, 34), (6, 1, 0)], &[TWO, FOUR]);
    let (sink, report) = exported(&FORMAT, &TimbreLibrary::read(&bytes).unwrap(), "csv", &[]);
    let csv = std::str::from_utf8(sink.get("out.csv").unwrap()).unwrap();
    let rows: Vec<_> = csv.lines().collect();
    assert!(rows[0].starts_with("patch,bank,timbre,length,transpose,note,voice.modulator.flags_multiple,"));
    assert_eq!(
        rows[1..],
        [
            format!("5,0,0,14,-12,,1,2,3,4,5,6,7,8,9,10,11{}", ",".repeat(11)),
            "36,127,1,25,,35,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22".to_owned(),
            format!("6,1,{}", ",".repeat(25)),
        ]
    );
    assert!(rows.iter().all(|row| row.matches(',').count() == 27));
    single_warning(&report, &warning::DANGLING);
}

#[test]
fn json_has_every_field() {
    let (sink, report) = exported(&FORMAT, &TimbreLibrary::read(&odd_file()).unwrap(), "json", &[]);
    assert!(report.is_empty(), "{report:?}");
    let json: json::Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    assert_eq!(json["timbres"][1]["kind"], "four_operators");
    assert_eq!(json["timbres"][1]["second_voice"]["carrier"]["waveform"], 22);
    assert_eq!(json["entries"][4]["timbre"]["offset"], 0x9000);
}

#[test]
fn a_changed_register_changes_one_byte() {
    let bytes = odd_file();
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    let path = folder.path().join("record.json");
    let record = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, record.replace("\"transpose\": -12", "\"transpose\": -11")).unwrap();
    let (changed, _) = packed(&FORMAT, folder.path()).unwrap();
    let different: Vec<_> = (0..bytes.len()).filter(|at| bytes[*at] != changed[*at]).collect();
    assert_eq!(different, [0x47]);
}

#[test]
fn a_new_entry_and_a_longer_timbre_move_the_others() {
    let mut library = TimbreLibrary::read(&odd_file()).unwrap();
    library.entries.truncate(4);
    library.entries.push(Entry { patch: 10, bank: 0, timbre: TimbreRef::Number(3) });
    library.timbres[0] = four(1);
    library.timbres.push(two(2));
    let bytes = library.write().unwrap();
    let again = TimbreLibrary::read(&bytes).unwrap();
    assert_eq!((&again.entries, &again.timbres), (&library.entries, &library.timbres));
    let gaps: Vec<&[u8]> = again.layout.gaps.iter().map(|gap| &*gap.bytes).collect();
    assert_eq!(gaps, [&[0xaa][..], b"??"]);
}

#[test]
fn refuses_timbres_that_overlap_too_often() {
    // Each offset points to a timbre of 65,535 bytes.
    let entries: Vec<_> = (0..2000_u32).map(|n| (n as u8, (n >> 8) as u8, 12_002 + 2 * n)).collect();
    let bytes = file(&entries, &[&[0xff; 70_000]]);
    let error = TimbreLibrary::read(&bytes).unwrap_err();
    assert_eq!(error.message(), "overlapping parts add up to many times the size of the file");
}

/// An arbitrary index of a few entries whose offsets are mostly within the file.
fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let entry = (any::<u8>(), 0..255_u8, 0..150_u32);
    let timbre = prop_oneof![Just(TWO.to_vec()), Just(FOUR.to_vec()), prop::collection::vec(0..20_u8, 0..8)];
    (prop::collection::vec(entry, 0..12), prop::collection::vec(timbre, 0..6))
        .prop_map(|(entries, timbres)| file(&entries, &[&timbres.concat()]))
}

proptest! {
    #[test]
    fn any_library_round_trips(bytes in any_file()) {
        let library = TimbreLibrary::read(&bytes).unwrap();
        prop_assert_eq!(&library.write().unwrap(), &bytes);
        let again: TimbreLibrary = json::from_slice(&json::to_vec(&library).unwrap()).unwrap();
        prop_assert_eq!(&again, &library);
        checked_in(&FORMAT, &library, &bytes);
        exported(&FORMAT, &library, "csv", &[]);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 1..200)) {
        (FORMAT.probe)(&Probe::new(&bytes, bytes.len() as u64, Some("a.opl")));
        if let Ok(library) = TimbreLibrary::read(&bytes) {
            prop_assert_eq!(library.write().unwrap(), bytes);
        }
    }
}
