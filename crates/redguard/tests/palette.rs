//! The palettes of the forged install.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

mod forge;

use antiquary_redguard::picture::palette::FORMAT;
use forge::{broken, comes_back, convert, explains_all, judge_broken, listed, png, survives_cuts};

const FILES: usize = 5;

#[test]
fn every_palette_holds_what_an_independent_reader_found() {
    for (path, want) in listed("assets_index.json", "col", FILES) {
        let (sink, report) = convert(&FORMAT, &path, "png", &[]);
        assert!(report.is_empty(), "{report:?}");
        let json: json::Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        let picture = png(sink.get("out.png").unwrap());
        assert_eq!((picture.width, picture.height), (256, 256));
        for (index, color) in want["entries"].as_array().unwrap().iter().enumerate() {
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
fn every_palette_comes_back_explained_and_survives_cuts() {
    for (path, _) in listed("assets_index.json", "col", FILES) {
        comes_back(&FORMAT, &path);
        explains_all(&FORMAT, &path);
        survives_cuts(&FORMAT, &path);
    }
}

#[test]
fn malformed_palettes_give_what_their_manifest_says() {
    judge_broken(&FORMAT, &broken("assets_manifest.json", "col", 10));
}
