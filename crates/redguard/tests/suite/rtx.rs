//! Tests with the dialogue of the synthetic install.

use crate::forge::{
    self, assert_covers_all_bytes, assert_matches_manifest, assert_round_trip, assert_survives_truncation,
    check, convert, indexed_files, malformed_files, open, pack, unpack,
};
use antiquary_redguard::sound::rtx::{Dialogue, FORMAT};
use json::Value;
use record::Source;
use scene::sound::{decode_wav, encode_wav};

fn crc(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

#[test]
fn matches_an_independent_reader_on_every_line() {
    for (path, expected) in indexed_files("assets_index.json", "rtx", 1) {
        let (sink, report) = convert(&FORMAT, &path, "wav", &[]);
        assert!(report.is_empty(), "{report:?}");
        let index: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        let (found, expected_items) =
            (index["lines"].as_array().unwrap(), expected["entries"].as_array().unwrap());
        assert_eq!(found.len(), expected_items.len());
        for (details, expected) in found.iter().zip(expected_items) {
            let at = format!("{} {}", path.display(), expected["tag"]);
            assert_eq!((&details["tag"], &details["text"]), (&expected["tag"], &expected["text"]), "{at}");
            let audio = &expected["audio"];
            assert_eq!(details["kind"] == "voice", audio.is_object(), "{at}");
            let Some(file) = details["file"].as_str() else {
                assert!(audio.is_null(), "{at}");
                continue;
            };
            let sound = decode_wav(sink.get(file).unwrap()).unwrap();
            assert_eq!((crc(&sound.data).into(), sound.loops), (audio["pcm_crc32"].clone(), None), "{at}");
            for (ours, theirs) in [
                ("type", "type_id"),
                ("channels", "channels"),
                ("bits", "bits"),
                ("rate", "sample_rate"),
                ("volume", "base_volume"),
                ("loop_flag", "loop_flag"),
                ("loop_offset", "loop_offset"),
                ("loop_end", "loop_end"),
                ("bytes", "pcm_bytes"),
                ("frames", "sample_frames"),
                ("seconds", "duration_secs"),
            ] {
                assert_eq!(details[ours], audio[theirs], "{at} {ours}");
            }
        }
        let voices = sink.files().iter().filter(|(name, _)| name.ends_with(".wav")).count();
        assert_eq!(voices as u64, expected["audio_count"].as_u64().unwrap());
    }
}

#[test]
fn round_trips_and_describes_every_file() {
    for (path, _) in indexed_files("assets_index.json", "rtx", 1) {
        let bytes = std::fs::read(&path).unwrap();
        let mut written = Vec::new();
        Dialogue::read(&Source::from_bytes(&bytes[..])).unwrap().write(&mut written).unwrap();
        assert!(written == bytes, "{}", path.display());
        assert_round_trip(&FORMAT, &path);
        assert_covers_all_bytes(&FORMAT, &path);
        assert_survives_truncation(&FORMAT, &path);
        assert!(check(&FORMAT, &path).is_empty());
    }
}

#[test]
fn extracts_and_replaces_every_entry() {
    for (path, expected) in indexed_files("assets_index.json", "rtx", 1) {
        let (sink, _) = convert(&FORMAT, &path, "wav", &[]);
        let index: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let (asset, _) = open(&FORMAT, &bytes).unwrap();
        let archive = FORMAT.archive_of(&*asset).unwrap();
        let (install, options) = (asset::Install::empty(), forge::options(&FORMAT, &[]));
        let context = asset::Context { install: &install, location: None, options: &options };
        for (number, (entry, expected)) in
            archive.entries().zip(expected["entries"].as_array().unwrap()).enumerate()
        {
            let content = archive.open(number).unwrap();
            let read = content.read_all().unwrap();
            assert_eq!(entry.length, content.len());
            match index["lines"][number]["file"].as_str() {
                Some(file) => assert_eq!(sink.get(file), Some(&*read)),
                None => assert_eq!(expected["text"].as_str().unwrap().as_bytes(), &*read),
            }
            let mut out = Vec::new();
            archive
                .replace(&context, number, &entry.name, &content, &mut out, &mut asset::Report::new())
                .unwrap();
            assert!(out == bytes, "{}", entry.name);
        }
    }
}

/// A longer voice moves all data after it, and changes nothing else.
#[test]
fn changes_only_the_line_of_a_longer_voice() {
    for (path, expected) in indexed_files("assets_index.json", "rtx", 1) {
        let bytes = std::fs::read(&path).unwrap();
        let folder = tempfile::tempdir().unwrap();
        unpack(&FORMAT, &path, &bytes, folder.path(), &[]);
        let expected_items = expected["entries"].as_array().unwrap();
        let edited = expected_items.iter().position(|entry| entry["tag"] == "gqt1").unwrap();
        let view = folder.path().join("views/voices/gqt1.wav");
        let mut sound = decode_wav(&std::fs::read(&view).unwrap()).unwrap();
        sound.data.extend(vec![7; 5000]);
        std::fs::write(&view, encode_wav(&sound).unwrap()).unwrap();
        let (packed, report) = pack(&FORMAT, folder.path()).unwrap();
        assert!(report.is_empty() && packed.len() == bytes.len() + 5000);
        let (before, after) = (open(&FORMAT, &bytes).unwrap().0, open(&FORMAT, &packed).unwrap().0);
        let (before, after) = (FORMAT.archive_of(&*before).unwrap(), FORMAT.archive_of(&*after).unwrap());
        for (number, expected) in expected_items.iter().enumerate() {
            let read =
                |archive: &dyn asset::Archive| archive.open(number).unwrap().read_all().unwrap().into_owned();
            if number == edited {
                assert_eq!(decode_wav(&read(after)).unwrap(), sound);
            } else {
                assert!(read(before) == read(after), "{}", expected["tag"]);
            }
        }
    }
}

#[test]
fn refuses_malformed_files_as_in_the_manifest() {
    assert_matches_manifest(&FORMAT, &malformed_files("assets_manifest.json", "rtx", 45));
}
