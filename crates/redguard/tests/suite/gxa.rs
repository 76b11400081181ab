//! Tests with the bitmaps of the synthetic install.

use crate::forge::{
    self, assert_covers_all_bytes, assert_matches_manifest, assert_round_trip, assert_survives_truncation,
    convert, crc, indexed_files, malformed_files, pack, png, unpack,
};
use antiquary_redguard::picture::gxa::{FORMAT, FramesLength, Gxa, Pixels};
use json::Value;

const FILES: usize = 5;

#[test]
fn matches_an_independent_reader_on_every_frame() {
    let mut kinds = [0; 3];
    for (path, expected) in indexed_files("assets_index.json", "gxa", FILES) {
        let at = path.display();
        let gxa = Gxa::read(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(expected["title"], gxa.banner.text(), "{at}");
        assert_eq!(expected["bbmp_length_quirk"], gxa.length == FramesLength::FileWithoutEnd, "{at}");
        assert_eq!(expected["has_end"], gxa.end, "{at}");
        assert_eq!(expected["palette_raw_6bit"], json::to_value(gxa.palette.0.to_vec()).unwrap(), "{at}");
        assert_eq!(
            expected["palette_rgb8"],
            json::to_value(gxa.palette.expanded().0.to_vec()).unwrap(),
            "{at}"
        );
        let (sink, report) = convert(&FORMAT, &path, "png", &[]);
        assert!(report.is_empty(), "{report:?}");
        let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        let frames = expected["frames"].as_array().unwrap();
        assert_eq!(
            (frames.len(), json["images"].as_array().unwrap().len()),
            (gxa.frames.len(), gxa.frames.len()),
            "{at}"
        );
        for ((frame, details), expected) in
            gxa.frames.iter().zip(json["images"].as_array().unwrap()).zip(frames)
        {
            let kind = match frame.pixels {
                Pixels::Raw(_) => 0,
                Pixels::Rle(_) => 1,
                Pixels::Lzhuf { .. } => 2,
            };
            kinds[kind] += 1;
            assert_eq!(expected["compression"], kind, "{at}");
            assert_eq!(expected["compressed_bytes"], frame.pixels.stored().len(), "{at}");
            let indices = frame.unpack(0).unwrap().indices;
            assert_eq!(expected["indexed_crc32"], format!("{:08x}", crc32fast::hash(&indices)), "{at}");
            let picture = png(sink.get(details["files"][0].as_str().unwrap()).unwrap());
            assert_eq!(
                (&expected["width"], &expected["height"]),
                (&picture.width.into(), &picture.height.into()),
                "{at}"
            );
            assert_eq!(expected["rgba_crc32"], crc(&picture.frames[0]), "{at}");
        }
    }
    assert!(kinds == [0; 3] || kinds.iter().all(|count| *count > 2), "{kinds:?}");
}

#[test]
fn round_trips_and_describes_every_file() {
    for (path, _) in indexed_files("assets_index.json", "gxa", FILES) {
        assert_round_trip(&FORMAT, &path);
        assert_covers_all_bytes(&FORMAT, &path);
        assert_survives_truncation(&FORMAT, &path);
        let report = forge::check(&FORMAT, &path);
        assert!(report.iter().all(|warning| warning.code.id == "GXA-N004"), "{}: {report:?}", path.display());
    }
}

#[test]
fn combines_frames_into_an_animation() {
    for (path, expected) in indexed_files("assets_index.json", "gxa", FILES) {
        let (sink, _) = convert(&FORMAT, &path, "png", &[("frames", "together")]);
        let picture = png(sink.get("out.png").unwrap());
        assert_eq!(picture.frames.len(), expected["frames"].as_array().unwrap().len());
        let (sink, _) = convert(&FORMAT, &path, "gif", &[]);
        assert!(sink.get("out.gif").is_some(), "{}", path.display());
    }
}

/// Every edited frame shows the edit, and all other frames keep their bytes.
#[test]
fn changes_only_the_edited_frame() {
    for (path, _) in indexed_files("assets_index.json", "gxa", FILES) {
        let bytes = std::fs::read(&path).unwrap();
        let before = Gxa::read(&bytes).unwrap();
        let folder = tempfile::tempdir().unwrap();
        unpack(&FORMAT, &path, &bytes, folder.path(), &[]);
        for number in 0..before.frames.len() {
            let view = folder.path().join(format!("views/{number:02}.png"));
            let old = std::fs::read(&view).unwrap();
            let picture =
                scene::image::decode_indexed(&old, &scene::image::Limits::default()).unwrap().unwrap();
            let mut indices = picture.indices().to_vec();
            let at = indices.len() / 2;
            indices[at] = if indices[at] == 9 { 10 } else { 9 };
            let edited = scene::image::Indexed8::new(
                picture.width(),
                picture.height(),
                indices.clone(),
                picture.palette().to_vec(),
            )
            .unwrap();
            std::fs::write(&view, scene::image::encode_png(&edited.to_rgba8())).unwrap();
            let (packed, _) = pack(&FORMAT, folder.path()).unwrap();
            std::fs::write(&view, &old).unwrap();
            let after = Gxa::read(&packed).unwrap();
            assert_eq!(after.frames[number].unpack(0).unwrap().indices, indices);
            assert!(!matches!(after.frames[number].pixels, Pixels::Lzhuf { .. }));
            for (index, (was, is)) in before.frames.iter().zip(&after.frames).enumerate() {
                assert!(index == number || was == is, "{} {index}", path.display());
            }
            assert_eq!(
                (&before.palette, before.length, before.end),
                (&after.palette, after.length, after.end)
            );
            if matches!(before.frames[number].pixels, Pixels::Raw(_)) {
                assert_eq!(bytes.iter().zip(&packed).filter(|(a, b)| a != b).count(), 1);
            }
        }
    }
}

#[test]
fn refuses_malformed_files_as_in_the_manifest() {
    assert_matches_manifest(&FORMAT, &malformed_files("assets_manifest.json", "gxa", 60));
}
