//! The cheats of the forged install.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

mod forge;

use antiquary_redguard::settings::cht::FORMAT;
use forge::{broken, comes_back, convert, explains_all, judge_broken, listed, survives_cuts};
use json::Value;

#[test]
fn every_cheat_has_the_number_that_an_independent_reader_saw() {
    for (path, want) in listed("assets_index.json", "cht", 1) {
        let (sink, _) = convert(&FORMAT, &path, "json", &[]);
        let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        let (cheats, wanted) = (json["cheats"].as_array().unwrap(), want["cheats"].as_array().unwrap());
        assert_eq!(cheats.len(), wanted.len());
        for (cheat, want) in cheats.iter().zip(wanted) {
            for field in ["index", "name", "value", "on"] {
                assert_eq!(cheat[field], want[field], "{}", path.display());
            }
        }
        comes_back(&FORMAT, &path);
        explains_all(&FORMAT, &path);
        survives_cuts(&FORMAT, &path);
    }
}

#[test]
fn malformed_files_give_what_their_manifest_says() {
    judge_broken(&FORMAT, &broken("assets_manifest.json", "cht", 7));
}
