//! Tests with the cheats of the synthetic install.

use crate::forge::{
    assert_covers_all_bytes, assert_matches_manifest, assert_round_trip, assert_survives_truncation, convert,
    indexed_files, malformed_files,
};
use antiquary_redguard::settings::cht::FORMAT;
use json::Value;

#[test]
fn matches_an_independent_reader_on_every_cheat() {
    for (path, expected) in indexed_files("assets_index.json", "cht", 1) {
        let (sink, _) = convert(&FORMAT, &path, "json", &[]);
        let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        let (cheats, expected_items) =
            (json["cheats"].as_array().unwrap(), expected["cheats"].as_array().unwrap());
        assert_eq!(cheats.len(), expected_items.len());
        for (cheat, expected) in cheats.iter().zip(expected_items) {
            for field in ["index", "name", "value", "on"] {
                assert_eq!(cheat[field], expected[field], "{}", path.display());
            }
        }
        assert_round_trip(&FORMAT, &path);
        assert_covers_all_bytes(&FORMAT, &path);
        assert_survives_truncation(&FORMAT, &path);
    }
}

#[test]
fn refuses_malformed_files_as_in_the_manifest() {
    assert_matches_manifest(&FORMAT, &malformed_files("assets_manifest.json", "cht", 7));
}
