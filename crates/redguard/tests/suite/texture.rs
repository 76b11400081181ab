//! Tests with the texture sets of the synthetic install.

use std::path::PathBuf;

use crate::forge::{
    self, assert_covers_all_bytes, assert_matches_manifest, assert_round_trip, assert_survives_truncation,
    convert, crc, detect, indexed_files, malformed_files, pack, png, unpack,
};
use antiquary_redguard::picture::texture::{FORMAT, TextureSet};
use json::Value;
use scene::image::{Indexed8, Limits, decode_indexed, encode_indexed_png, encode_png};

const FILES: usize = 10;

fn files() -> Vec<(PathBuf, Value)> {
    indexed_files("texture_index.json", "texture", FILES)
}

#[test]
fn matches_an_independent_reader_on_every_record() {
    let mut counts_by_form = std::collections::BTreeMap::<String, usize>::new();
    for (path, expected) in files() {
        for (column, given) in [
            ("rgba_crc32", &[][..]),
            ("rgba_clear_crc32", &[("key-color", "clear")]),
            ("rgba_opaque_crc32", &[("key-color", "opaque")]),
        ] {
            let (sink, report) = convert(&FORMAT, &path, "png", given);
            assert!(report.is_empty(), "{}: {report:?}", path.display());
            let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
            assert_eq!((&json["set"], &json["name"]), (&expected["set"], &expected["name"]));
            let found = json["images"].as_array().unwrap();
            assert_eq!(expected["record_count"], found.len());
            for (details, expected) in found.iter().zip(expected["records"].as_array().unwrap()) {
                let at = format!("{} {}", path.display(), expected["record"]);
                *counts_by_form.entry(expected["form"].as_str().unwrap().to_owned()).or_default() += 1;
                assert_eq!(
                    (&details["record"], &details["form"]),
                    (&expected["record"], &expected["form"]),
                    "{at}"
                );
                let frames = expected["frames"].as_array().unwrap();
                if expected["form"] == "solid" {
                    assert_eq!(details["color"], expected["colour"], "{at}");
                } else {
                    for (name, column) in [
                        ("width", "width"),
                        ("height", "height"),
                        ("x_offset", "x_offset"),
                        ("y_offset", "y_offset"),
                        ("flags", "flags"),
                        ("clear", "clear"),
                        ("frames", "frame_count"),
                        ("frame_delay_ms", "field_22"),
                        ("scale", "scale"),
                    ] {
                        assert_eq!(details[name], expected[column], "{at} {name}");
                    }
                }
                if frames.is_empty() {
                    assert!(details.get("files").is_none(), "{at}");
                    continue;
                }
                let picture = png(sink.get(details["files"][0].as_str().unwrap()).unwrap());
                assert_eq!(picture.frames.len(), frames.len(), "{at}");
                for (pixels, expected) in picture.frames.iter().zip(frames) {
                    assert_eq!(expected[column], crc(pixels), "{at} {column}");
                }
            }
        }
    }
    let all: Vec<_> = counts_by_form.keys().map(String::as_str).collect();
    assert!(
        counts_by_form.is_empty() || all == ["empty", "multi", "rle", "single", "solid"],
        "{counts_by_form:?}"
    );
}

#[test]
fn detects_round_trips_and_describes_every_file() {
    for (path, _) in files() {
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(detect(&bytes, path.file_name().unwrap().to_str().unwrap()).unwrap().id, FORMAT.id);
        assert_eq!(detect(&bytes, "renamed.bin").unwrap().id, FORMAT.id, "{}", path.display());
        assert_round_trip(&FORMAT, &path);
        assert_covers_all_bytes(&FORMAT, &path);
        assert_survives_truncation(&FORMAT, &path);
        assert!(!forge::fails(&FORMAT, &path, &bytes).unwrap());
        let report = forge::check(&FORMAT, &path);
        assert!(report.is_empty(), "{}: {report:?}", path.display());
    }
}

/// The edited record shows the edit; every other record is unchanged. In a single frame, one byte changes.
#[test]
fn changes_only_the_edited_record() {
    for (path, expected) in files() {
        let bytes = std::fs::read(&path).unwrap();
        let before = TextureSet::read(&bytes).unwrap();
        let folder = tempfile::tempdir().unwrap();
        unpack(&FORMAT, &path, &bytes, folder.path(), &[]);
        let records: Vec<_> = expected["records"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|record| !["solid", "empty"].contains(&record["form"].as_str().unwrap()))
            .collect();
        for record in records.iter().step_by(1 + records.len() / 10) {
            let number = record["record"].as_u64().unwrap() as usize;
            let last = record["frames"].as_array().unwrap().len() - 1;
            let name =
                if last > 0 { format!("{number:03}-{last:02}.png") } else { format!("{number:03}.png") };
            let view = folder.path().join("views").join(name);
            let old = std::fs::read(&view).unwrap();
            let picture = decode_indexed(&old, &Limits::default()).unwrap().unwrap();
            let mut indices = picture.indices().to_vec();
            let at = indices.len() / 2;
            indices[at] = if indices[at] == 9 { 10 } else { 9 };
            let painted =
                Indexed8::new(picture.width(), picture.height(), indices.clone(), picture.palette().to_vec())
                    .unwrap();
            let mut packed = Vec::new();
            for edited in
                [encode_indexed_png(&painted, scene::Compression::Usual), encode_png(&painted.to_rgba8())]
            {
                std::fs::write(&view, edited).unwrap();
                packed.push(pack(&FORMAT, folder.path()).unwrap().0);
            }
            std::fs::write(&view, &old).unwrap();
            assert!(packed[0] == packed[1], "{}", view.display());
            let after = TextureSet::read(&packed[0]).unwrap();
            if record["form"] == "single" {
                assert_eq!(
                    bytes.iter().zip(&packed[0]).filter(|(a, b)| a != b).count(),
                    1,
                    "{}",
                    view.display()
                );
                assert_eq!(bytes.len(), packed[0].len());
            }
            for index in 0..before.records.len() {
                let (was, is) =
                    (before.layout(index).unwrap().unwrap(), after.layout(index).unwrap().unwrap());
                assert_eq!(
                    (was.frames, was.width, was.height, was.encoding),
                    (is.frames, is.width, is.height, is.encoding)
                );
                for frame in 0..was.frames {
                    let (old, new) = (before.frame(&was, frame).unwrap(), after.frame(&is, frame).unwrap());
                    if (index, frame) == (number, last) {
                        assert_eq!(new, indices, "{} {index}", path.display());
                    } else {
                        assert!(old == new, "{} {index} {frame} changed with {number}", path.display());
                    }
                }
            }
        }
    }
}

#[test]
fn refuses_malformed_files_as_in_the_manifest() {
    assert_matches_manifest(&FORMAT, &malformed_files("texture_manifest.json", "texture", 116));
}

fn every_file(folder: &std::path::Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { out.extend(every_file(&path)) } else { out.push(path) }
    }
    out.sort();
    out
}

/// No other file of this or the other games is detected as a texture set.
#[test]
fn does_not_detect_other_files() {
    let mut seen = 0;
    for folder in ["redguard", "scpcb", "rsm", "grf"] {
        let Some(folder) = corpus::folder(folder) else { continue };
        for path in every_file(&folder) {
            let name = path.file_name().unwrap().to_str().unwrap().to_lowercase();
            let below = path.strip_prefix(&folder).unwrap();
            if name.starts_with("texture.") || below.starts_with("broken/texture") {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let found = detect(&bytes, &name).map(|format| format.id);
            assert_ne!(found, Some(FORMAT.id), "{}", path.display());
            seen += 1;
        }
    }
    assert!(seen == 0 || seen > 100);
}
