//! Tests with the palettes of the synthetic install.

use crate::forge::{
    assert_covers_all_bytes, assert_matches_manifest, assert_round_trip, assert_survives_truncation, convert,
    indexed_files, malformed_files, png,
};
use antiquary_redguard::picture::palette::FORMAT;

const FILES: usize = 5;

#[test]
fn matches_an_independent_reader_on_every_palette() {
    for (path, expected) in indexed_files("assets_index.json", "col", FILES) {
        let (sink, report) = convert(&FORMAT, &path, "png", &[]);
        assert!(report.is_empty(), "{report:?}");
        let json: json::Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        let picture = png(sink.get("out.png").unwrap());
        assert_eq!((picture.width, picture.height), (256, 256));
        for (index, color) in expected["entries"].as_array().unwrap().iter().enumerate() {
            let found = &json["colors"][index];
            assert_eq!([&found["r"], &found["g"], &found["b"]], [&color[0], &color[1], &color[2]]);
            let at = 4 * (256 * (16 * (index / 16) + 8) + 16 * (index % 16) + 8);
            let pixel = &picture.frames[0][at..at + 4];
            assert_eq!(pixel[3], 255);
            assert!((0..3).all(|channel| color[channel] == pixel[channel]), "{} {index}", path.display());
        }
    }
}

#[test]
fn round_trips_and_describes_every_palette() {
    for (path, _) in indexed_files("assets_index.json", "col", FILES) {
        assert_round_trip(&FORMAT, &path);
        assert_covers_all_bytes(&FORMAT, &path);
        assert_survives_truncation(&FORMAT, &path);
    }
}

#[test]
fn refuses_malformed_palettes_as_in_the_manifest() {
    assert_matches_manifest(&FORMAT, &malformed_files("assets_manifest.json", "col", 10));
}
