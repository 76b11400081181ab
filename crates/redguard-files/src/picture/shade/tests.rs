//! Synthetic tables that fade to black.

use proptest::prelude::*;

use super::*;
use proof::{assert_round_trip, checked, exported, indexed, names, packed, paint, single_warning, unpacked};

fn sample() -> ShadeTable {
    ShadeTable::of(|level, index| if level == 63 { index } else { level.wrapping_mul(3) ^ index })
}

#[test]
fn the_file_contains_the_rows_in_order() {
    let bytes = sample().write().unwrap();
    assert_eq!((bytes.len(), bytes[256 * 2 + 5], bytes[256 * 63 + 200]), (FILE_SIZE, 6 ^ 5, 200));
    assert_round_trip(&sample(), &bytes);
    assert_eq!(sample().unchanged(), [0, 63]);
}

#[test]
fn refuses_another_length() {
    let message = |length| ShadeTable::read(&vec![0; length]).unwrap_err().to_string();
    assert_eq!(message(16_383), "the file has 16383 bytes; a shade table has 16384, at offset 0x3fff");
    assert_eq!(message(16_385), "the file has 16385 bytes; a shade table has 16384, at offset 0x4000");
    let short = ShadeTable { rows: vec![Raw([0; 256])] };
    assert_eq!(short.write().unwrap_err().to_string(), "rows: expected 64 rows, found 1");
}

#[test]
fn recognizes_tables_by_name_and_length() {
    let probe = |name, length| (FORMAT.probe)(&Probe::new(&[], length, Some(name)));
    assert_eq!(probe("3dart/SHADE.001", 16_384), Some(Score::LIKELY));
    assert_eq!(probe("HAZE.012", 16_384), Some(Score::LIKELY));
    assert_eq!(probe("HAZE.012", 5), Some(Score::POSSIBLE));
    assert_eq!(probe("SHADE.TXT", 16_384), None);
    assert_eq!(probe("SHADES.001", 16_384), None);
}

#[test]
fn converts_a_table_to_a_picture_or_numbers() {
    let (sink, report) = exported(&FORMAT, &sample(), "png", &[]);
    assert_eq!(names(&sink), ["out.png", "out.json"]);
    single_warning(&report, &warning::NO_PALETTE);
    let picture =
        scene::image::decode(sink.get("out.png").unwrap(), &scene::image::Limits::default()).unwrap();
    assert_eq!((picture.width(), picture.height(), picture.get(5, 2)), (256, 64, Some([3, 3, 3, 255])));
    let (_, report) = exported(&FORMAT, &sample(), "png", &[("palette-source", "grey")]);
    assert!(report.is_empty());
    let (sink, _) = exported(&FORMAT, &sample(), "csv", &[]);
    let csv = std::str::from_utf8(sink.get("out.csv").unwrap()).unwrap();
    assert_eq!((csv.lines().count(), csv.lines().nth(63).unwrap().split(',').next_back()), (64, Some("255")));
}

#[test]
fn editing_an_entry_changes_only_that_entry() {
    let bytes = sample().write().unwrap();
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    let mut painted = bytes;
    painted[700] = 77;
    paint(folder.path(), "picture.png", |old| indexed(&old, 256, 64, painted.clone()));
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, painted);
    paint(folder.path(), "picture.png", |old| indexed(&old, 1, 1, vec![0]));
    let error = packed(&FORMAT, folder.path()).unwrap_err().to_string();
    assert_eq!(error, "a shade table must be 256 x 64 pixels, not 1 x 1");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn any_table_round_trips(seed: u64) {
        let bytes: Vec<u8> = (0..FILE_SIZE as u64).map(|at| (seed.wrapping_mul(at | 1) >> 32) as u8).collect();
        let table = ShadeTable::read(&bytes).unwrap();
        prop_assert_eq!(table.write().unwrap(), bytes);
        prop_assert!(checked(&FORMAT, &table).is_empty());
        let again: ShadeTable = json::from_slice(&json::to_vec(&table).unwrap()).unwrap();
        prop_assert_eq!(again, table);
    }
}
