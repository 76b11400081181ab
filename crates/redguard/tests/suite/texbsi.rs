//! Tests with the texture banks and images of the synthetic install.

use std::path::{Path, PathBuf};

use crate::forge::{
    self, assert_covers_all_bytes, assert_matches_manifest, assert_round_trip, assert_survives_truncation,
    convert, crc, indexed_files, install, malformed_files, open, pack, png, unpack,
};
use antiquary_redguard::picture::{bsi, texbsi};
use asset::Format;
use json::Value;

const BANKS: usize = 7;
const IMAGES: usize = 2;

/// Banks and single images, each with its format and the expected values of its images.
fn files() -> Vec<(&'static Format, PathBuf, Vec<Value>)> {
    let banks = indexed_files("assets_index.json", "texbsi", BANKS)
        .into_iter()
        .map(|(path, expected)| (&texbsi::FORMAT, path, expected["images"].as_array().unwrap().clone()));
    let images = indexed_files("assets_index.json", "bsi", IMAGES)
        .into_iter()
        .map(|(path, expected)| (&bsi::FORMAT, path, vec![expected["image"].clone()]));
    banks.chain(images).collect()
}

/// Images of a conversion, in the order of the JSON.
fn pictures(path: &Path, format: &'static Format, given: &[(&str, &str)]) -> Vec<(Value, forge::Picture)> {
    let (sink, report) = convert(format, path, "png", given);
    assert!(report.worst() <= Some(asset::Severity::Note), "{report:?}");
    let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    json["images"]
        .as_array()
        .unwrap()
        .iter()
        .map(|image| {
            let file = image["files"][0].as_str().unwrap();
            (image.clone(), png(sink.get(file).unwrap()))
        })
        .collect()
}

/// With each palette, the pixels match an independent reader.
#[test]
fn matches_an_independent_reader_on_every_frame() {
    let mut frames = 0;
    for (format, path, expected) in files() {
        for (palette, given) in [
            ("ISLAND.COL", &[("palette", "fxart/ISLAND.COL"), ("key-color", "clear")][..]),
            ("CATACOMB.COL", &[("palette", "CATACOMB"), ("key-color", "clear")]),
            ("gray", &[("palette-source", "grey"), ("key-color", "clear")]),
            ("embedded", &[("palette-source", "embedded"), ("key-color", "clear")]),
        ] {
            let found = pictures(&path, format, given);
            assert_eq!(found.len(), expected.len(), "{}", path.display());
            for ((details, picture), expected) in found.iter().zip(&expected) {
                let at = format!("{} {} in {palette}", path.display(), expected["name"]);
                assert_eq!(
                    (expected["width"].clone(), expected["height"].clone()),
                    (picture.width.into(), picture.height.into()),
                    "{at}"
                );
                let table = |frame: &Value| frame["rgba_crc32"][palette].as_str().map(ToOwned::to_owned);
                for (pixels, expected) in picture.frames.iter().zip(expected["frames"].as_array().unwrap()) {
                    // An image without an embedded palette uses the palette of the island.
                    let expected = table(expected)
                        .unwrap_or_else(|| expected["rgba_crc32"]["ISLAND.COL"].as_str().unwrap().to_owned());
                    assert_eq!(crc(pixels), expected, "{at}");
                    frames += 1;
                }
                assert_eq!(picture.frames.len(), expected["frames"].as_array().unwrap().len(), "{at}");
                for name in [
                    "x_offset",
                    "y_offset",
                    "anim_delay_ms",
                    "anim_delay_ticks",
                    "tex_scale",
                    "scale",
                    "kind",
                    "export_flags",
                ] {
                    assert_eq!(details[name], expected[name], "{at} {name}");
                }
                if format.id == texbsi::FORMAT.id {
                    assert_eq!(
                        (&details["name"], &details["image"]),
                        (&expected["name"], &expected["image_index"]),
                        "{at}"
                    );
                    assert!(
                        details["files"][0].as_str().unwrap().contains(expected["name"].as_str().unwrap()),
                        "{at}"
                    );
                }
            }
        }
    }
    assert!(frames == 0 || frames > 800, "only {frames} frames");
}

#[test]
fn prefers_the_requested_then_the_embedded_then_the_island_palette() {
    let Some(folder) = install() else { return };
    let bank = folder.join("fxart/TEXBSI.302");
    let shown = |given: &[(&str, &str)], name: &str| {
        let found = pictures(&bank, &texbsi::FORMAT, given);
        let (details, _) = found.iter().find(|(details, _)| details["name"] == name).unwrap();
        details["palette"].as_str().unwrap().to_owned()
    };
    // D02031 has an embedded palette, D02001 has none.
    assert_eq!(shown(&[], "D02031"), "embedded");
    assert_eq!(shown(&[], "D02001"), "ISLAND.COL");
    assert_eq!(shown(&[("palette", "SUNSET.COL")], "D02031"), "SUNSET.COL");
    assert_eq!(shown(&[("palette", "SUNSET.COL"), ("palette-source", "embedded")], "D02031"), "embedded");
    assert_eq!(shown(&[("palette", "SUNSET.COL"), ("palette-source", "embedded")], "D02001"), "SUNSET.COL");
}

#[test]
fn round_trips_and_describes_every_file() {
    for (format, path, _) in files() {
        assert_round_trip(format, &path);
        assert_covers_all_bytes(format, &path);
        assert_survives_truncation(format, &path);
        let report = forge::check(format, &path);
        assert!(report.is_empty(), "{}: {report:?}", path.display());
    }
}

/// Edits a pixel of every image, as an indexed and as a full-color image: only that pixel changes.
#[test]
fn changes_only_the_edited_pixel() {
    for (format, path, expected) in files() {
        let bytes = std::fs::read(&path).unwrap();
        let folder = tempfile::tempdir().unwrap();
        unpack(format, &path, &bytes, folder.path(), &[]);
        let views: Vec<PathBuf> = {
            let mut views: Vec<_> = std::fs::read_dir(folder.path().join("views"))
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .collect();
            views.sort();
            views
        };
        let frames: usize = expected.iter().map(|image| image["frames"].as_array().unwrap().len()).sum();
        assert_eq!(views.len(), frames, "{}", path.display());
        for view in views.iter().step_by(1 + views.len() / 12) {
            let before = std::fs::read(view).unwrap();
            let limits = scene::image::Limits::default();
            let picture = scene::image::decode_indexed(&before, &limits).unwrap().unwrap();
            let mut indices = picture.indices().to_vec();
            let at = indices.len() / 2;
            let new = if indices[at] == 9 { 10 } else { 9 };
            indices[at] = new;
            let painted = scene::image::Indexed8::new(
                picture.width(),
                picture.height(),
                indices,
                picture.palette().to_vec(),
            )
            .unwrap();
            let as_indexed = scene::image::encode_indexed_png(&painted, scene::Compression::Usual);
            let as_rgb = scene::image::encode_png(&painted.to_rgba8());
            let mut packed = Vec::new();
            for edited in [as_indexed, as_rgb] {
                std::fs::write(view, edited).unwrap();
                let (bytes, report) = pack(format, folder.path()).unwrap();
                assert!(report.is_empty(), "{report:?}");
                packed.push(bytes);
            }
            std::fs::write(view, &before).unwrap();
            assert!(packed[0] == packed[1], "{}: {}", path.display(), view.display());
            let changed = &packed[0];
            // One byte in a plain image; with shared rows, a separate row at the end and its offset, and the lengths of the enclosing
            // sections.
            if changed.len() == bytes.len() {
                let differ = bytes.iter().zip(changed).filter(|(a, b)| a != b).count();
                assert!((1..=4).contains(&differ), "{differ} bytes differ: {}", view.display());
            } else {
                assert_eq!(changed.len(), bytes.len() + picture.width() as usize, "{}", view.display());
            }
            // After unpacking again, all other images are unchanged.
            let second_folder = tempfile::tempdir().unwrap();
            unpack(format, &path, changed, second_folder.path(), &[]);
            for other in &views {
                let name = other.file_name().unwrap();
                let (was, is) = (
                    std::fs::read(other).unwrap(),
                    std::fs::read(second_folder.path().join("views").join(name)).unwrap(),
                );
                if other == view {
                    let is = scene::image::decode_indexed(&is, &limits).unwrap().unwrap();
                    assert_eq!(is.indices(), painted.indices());
                } else {
                    assert!(was == is, "{} changed with {}", other.display(), view.display());
                }
            }
        }
    }
}

#[test]
fn extracts_every_image_of_a_bank() {
    for (path, expected) in indexed_files("assets_index.json", "texbsi", BANKS) {
        let (bank, _) = open(&texbsi::FORMAT, &std::fs::read(&path).unwrap()).unwrap();
        let archive = texbsi::FORMAT.archive_of(&*bank).unwrap();
        assert_eq!(archive.count(), expected["image_count"].as_u64().unwrap() as usize);
        for (index, entry) in archive.entries().enumerate() {
            let bytes = archive.open(index).unwrap().read_all().unwrap().into_owned();
            assert_eq!(bytes.len() as u64, entry.length);
            assert_eq!(forge::detect(&bytes, &entry.name).unwrap().id, bsi::FORMAT.id);
            assert_eq!(bsi::Bsi::read(&bytes).unwrap().write().unwrap(), bytes);
        }
    }
}

#[test]
fn converts_every_image_to_a_gif() {
    for (format, path, expected) in files() {
        let (sink, _) = convert(format, &path, "gif", &[]);
        let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        for (image, expected) in json["images"].as_array().unwrap().iter().zip(&expected) {
            let bytes = sink.get(image["files"][0].as_str().unwrap()).unwrap();
            let mut reader = gif::DecodeOptions::new().read_info(bytes).unwrap();
            let mut frames = 0;
            while reader.read_next_frame().unwrap().is_some() {
                frames += 1;
            }
            assert_eq!(expected["frame_count"], frames, "{} {}", path.display(), expected["name"]);
        }
    }
}

#[test]
fn refuses_malformed_banks_as_in_the_manifest() {
    assert_matches_manifest(&texbsi::FORMAT, &malformed_files("assets_manifest.json", "texbsi", 70));
}
