//! The texture banks and the images of the forged install.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

mod forge;

use std::path::{Path, PathBuf};

use antiquary_redguard::picture::{bsi, texbsi};
use asset::Format;
use forge::{
    broken, comes_back, convert, crc, explains_all, install, judge_broken, listed, open, pack, png,
    survives_cuts, unpack,
};
use json::Value;

const BANKS: usize = 7;
const IMAGES: usize = 2;

/// Banks and images alone, each with its format and what was found of its images.
fn files() -> Vec<(&'static Format, PathBuf, Vec<Value>)> {
    let banks = listed("assets_index.json", "texbsi", BANKS)
        .into_iter()
        .map(|(path, want)| (&texbsi::FORMAT, path, want["images"].as_array().unwrap().clone()));
    let images = listed("assets_index.json", "bsi", IMAGES)
        .into_iter()
        .map(|(path, want)| (&bsi::FORMAT, path, vec![want["image"].clone()]));
    banks.chain(images).collect()
}

/// The pictures of a conversion in the order of the JSON.
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

/// With each palette the pixels are those that an independent reader saw.
#[test]
fn every_frame_has_the_pixels_that_an_independent_reader_saw() {
    let mut frames = 0;
    for (format, path, want) in files() {
        for (palette, given) in [
            ("ISLAND.COL", &[("palette", "fxart/ISLAND.COL"), ("key-color", "clear")][..]),
            ("CATACOMB.COL", &[("palette", "CATACOMB"), ("key-color", "clear")]),
            ("gray", &[("palette-source", "grey"), ("key-color", "clear")]),
            ("embedded", &[("palette-source", "embedded"), ("key-color", "clear")]),
        ] {
            let found = pictures(&path, format, given);
            assert_eq!(found.len(), want.len(), "{}", path.display());
            for ((facts, picture), want) in found.iter().zip(&want) {
                let at = format!("{} {} in {palette}", path.display(), want["name"]);
                assert_eq!(
                    (want["width"].clone(), want["height"].clone()),
                    (picture.width.into(), picture.height.into()),
                    "{at}"
                );
                let table = |frame: &Value| frame["rgba_crc32"][palette].as_str().map(ToOwned::to_owned);
                for (pixels, want) in picture.frames.iter().zip(want["frames"].as_array().unwrap()) {
                    // An image without a palette of its own is shown with that of the island.
                    let want = table(want)
                        .unwrap_or_else(|| want["rgba_crc32"]["ISLAND.COL"].as_str().unwrap().to_owned());
                    assert_eq!(crc(pixels), want, "{at}");
                    frames += 1;
                }
                assert_eq!(picture.frames.len(), want["frames"].as_array().unwrap().len(), "{at}");
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
                    assert_eq!(facts[name], want[name], "{at} {name}");
                }
                if format.id == texbsi::FORMAT.id {
                    assert_eq!(
                        (&facts["name"], &facts["image"]),
                        (&want["name"], &want["image_index"]),
                        "{at}"
                    );
                    assert!(
                        facts["files"][0].as_str().unwrap().contains(want["name"].as_str().unwrap()),
                        "{at}"
                    );
                }
            }
        }
    }
    assert!(frames == 0 || frames > 800, "only {frames} frames");
}

#[test]
fn the_palette_order_is_asked_for_then_embedded_then_the_islands() {
    let Some(folder) = install() else { return };
    let bank = folder.join("fxart/TEXBSI.302");
    let shown = |given: &[(&str, &str)], name: &str| {
        let found = pictures(&bank, &texbsi::FORMAT, given);
        let (facts, _) = found.iter().find(|(facts, _)| facts["name"] == name).unwrap();
        facts["palette"].as_str().unwrap().to_owned()
    };
    // D02031 has a palette of its own, D02001 has none.
    assert_eq!(shown(&[], "D02031"), "embedded");
    assert_eq!(shown(&[], "D02001"), "ISLAND.COL");
    assert_eq!(shown(&[("palette", "SUNSET.COL")], "D02031"), "SUNSET.COL");
    assert_eq!(shown(&[("palette", "SUNSET.COL"), ("palette-source", "embedded")], "D02031"), "embedded");
    assert_eq!(shown(&[("palette", "SUNSET.COL"), ("palette-source", "embedded")], "D02001"), "SUNSET.COL");
}

#[test]
fn every_file_comes_back_explained_and_survives_cuts() {
    for (format, path, _) in files() {
        comes_back(format, &path);
        explains_all(format, &path);
        survives_cuts(format, &path);
        let report = forge::check(format, &path);
        assert!(report.is_empty(), "{}: {report:?}", path.display());
    }
}

/// A pixel of every image is painted, as an indexed picture and in full color: that pixel changes, and nothing else.
#[test]
fn a_painted_pixel_changes_only_what_it_must() {
    for (format, path, want) in files() {
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
        let frames: usize = want.iter().map(|image| image["frames"].as_array().unwrap().len()).sum();
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
            let as_indexed = scene::image::encode_indexed_png(&painted);
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
            // One byte in a plain image; in shared rows a row of its own at the end and its place, and the lengths around them.
            if changed.len() == bytes.len() {
                let differ = bytes.iter().zip(changed).filter(|(a, b)| a != b).count();
                assert!((1..=4).contains(&differ), "{differ} bytes differ: {}", view.display());
            } else {
                assert_eq!(changed.len(), bytes.len() + picture.width() as usize, "{}", view.display());
            }
            // Unpacked again, every picture but this one is what it was.
            let again = tempfile::tempdir().unwrap();
            unpack(format, &path, changed, again.path(), &[]);
            for other in &views {
                let name = other.file_name().unwrap();
                let (was, is) = (
                    std::fs::read(other).unwrap(),
                    std::fs::read(again.path().join("views").join(name)).unwrap(),
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
fn every_image_of_a_bank_is_a_file_of_its_own() {
    for (path, want) in listed("assets_index.json", "texbsi", BANKS) {
        let (bank, _) = open(&texbsi::FORMAT, &std::fs::read(&path).unwrap()).unwrap();
        let archive = texbsi::FORMAT.archive_of(&*bank).unwrap();
        assert_eq!(archive.count(), want["image_count"].as_u64().unwrap() as usize);
        for (index, entry) in archive.entries().enumerate() {
            let bytes = archive.open(index).unwrap().read_all().unwrap().into_owned();
            assert_eq!(bytes.len() as u64, entry.length);
            assert_eq!(forge::detect(&bytes, &entry.name).unwrap().id, bsi::FORMAT.id);
            assert_eq!(bsi::Bsi::read(&bytes).unwrap().write().unwrap(), bytes);
        }
    }
}

#[test]
fn every_image_becomes_a_gif_with_its_frames() {
    for (format, path, want) in files() {
        let (sink, _) = convert(format, &path, "gif", &[]);
        let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        for (image, want) in json["images"].as_array().unwrap().iter().zip(&want) {
            let bytes = sink.get(image["files"][0].as_str().unwrap()).unwrap();
            let mut reader = gif::DecodeOptions::new().read_info(bytes).unwrap();
            let mut frames = 0;
            while reader.read_next_frame().unwrap().is_some() {
                frames += 1;
            }
            assert_eq!(want["frame_count"], frames, "{} {}", path.display(), want["name"]);
        }
    }
}

#[test]
fn malformed_banks_give_what_their_manifest_says() {
    judge_broken(&texbsi::FORMAT, &broken("assets_manifest.json", "texbsi", 70));
}
