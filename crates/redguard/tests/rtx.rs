//! The dialogue of the forged install.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

mod forge;

use antiquary_redguard::sound::rtx::{Dialogue, FORMAT};
use forge::{
    broken, check, comes_back, convert, explains_all, judge_broken, listed, open, pack, survives_cuts, unpack,
};
use json::Value;
use record::Source;
use scene::sound::{decode_wav, encode_wav};

fn crc(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

#[test]
fn every_line_is_what_an_independent_reader_found() {
    for (path, want) in listed("assets_index.json", "rtx", 1) {
        let (sink, report) = convert(&FORMAT, &path, "wav", &[]);
        assert!(report.is_empty(), "{report:?}");
        let index: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        let (found, wanted) = (index["lines"].as_array().unwrap(), want["entries"].as_array().unwrap());
        assert_eq!(found.len(), wanted.len());
        for (facts, want) in found.iter().zip(wanted) {
            let at = format!("{} {}", path.display(), want["tag"]);
            assert_eq!((&facts["tag"], &facts["text"]), (&want["tag"], &want["text"]), "{at}");
            let audio = &want["audio"];
            assert_eq!(facts["kind"] == "voice", audio.is_object(), "{at}");
            let Some(file) = facts["file"].as_str() else {
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
                assert_eq!(facts[ours], audio[theirs], "{at} {ours}");
            }
        }
        let voices = sink.files().iter().filter(|(name, _)| name.ends_with(".wav")).count();
        assert_eq!(voices as u64, want["audio_count"].as_u64().unwrap());
    }
}

#[test]
fn every_file_comes_back_explained_and_survives_cuts() {
    for (path, _) in listed("assets_index.json", "rtx", 1) {
        let bytes = std::fs::read(&path).unwrap();
        let mut written = Vec::new();
        Dialogue::read(&Source::from_bytes(&bytes[..])).unwrap().write(&mut written).unwrap();
        assert!(written == bytes, "{}", path.display());
        comes_back(&FORMAT, &path);
        explains_all(&FORMAT, &path);
        survives_cuts(&FORMAT, &path);
        assert!(check(&FORMAT, &path).is_empty());
    }
}

#[test]
fn every_entry_of_the_container_is_a_wav_or_a_text_and_takes_its_own_place() {
    for (path, want) in listed("assets_index.json", "rtx", 1) {
        let (sink, _) = convert(&FORMAT, &path, "wav", &[]);
        let index: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let (asset, _) = open(&FORMAT, &bytes).unwrap();
        let archive = FORMAT.archive_of(&*asset).unwrap();
        let (install, options) = (asset::Install::empty(), forge::options(&FORMAT, &[]));
        let context = asset::Context { install: &install, location: None, options: &options };
        for (number, (entry, want)) in archive.entries().zip(want["entries"].as_array().unwrap()).enumerate()
        {
            let content = archive.open(number).unwrap();
            let read = content.read_all().unwrap();
            assert_eq!(entry.length, content.len());
            match index["lines"][number]["file"].as_str() {
                Some(file) => assert_eq!(sink.get(file), Some(&*read)),
                None => assert_eq!(want["text"].as_str().unwrap().as_bytes(), &*read),
            }
            let mut out = Vec::new();
            archive
                .replace(&context, number, &entry.name, &content, &mut out, &mut asset::Report::new())
                .unwrap();
            assert!(out == bytes, "{}", entry.name);
        }
    }
}

/// A longer voice moves everything behind it, and changes nothing else.
#[test]
fn a_longer_voice_changes_its_line_alone() {
    for (path, want) in listed("assets_index.json", "rtx", 1) {
        let bytes = std::fs::read(&path).unwrap();
        let folder = tempfile::tempdir().unwrap();
        unpack(&FORMAT, &path, &bytes, folder.path(), &[]);
        let wanted = want["entries"].as_array().unwrap();
        let edited = wanted.iter().position(|entry| entry["tag"] == "gqt1").unwrap();
        let view = folder.path().join("views/voices/gqt1.wav");
        let mut sound = decode_wav(&std::fs::read(&view).unwrap()).unwrap();
        sound.data.extend(vec![7; 5000]);
        std::fs::write(&view, encode_wav(&sound).unwrap()).unwrap();
        let (packed, report) = pack(&FORMAT, folder.path()).unwrap();
        assert!(report.is_empty() && packed.len() == bytes.len() + 5000);
        let (before, after) = (open(&FORMAT, &bytes).unwrap().0, open(&FORMAT, &packed).unwrap().0);
        let (before, after) = (FORMAT.archive_of(&*before).unwrap(), FORMAT.archive_of(&*after).unwrap());
        for (number, want) in wanted.iter().enumerate() {
            let read =
                |archive: &dyn asset::Archive| archive.open(number).unwrap().read_all().unwrap().into_owned();
            if number == edited {
                assert_eq!(decode_wav(&read(after)).unwrap(), sound);
            } else {
                assert!(read(before) == read(after), "{}", want["tag"]);
            }
        }
    }
}

#[test]
fn malformed_files_give_what_their_manifest_says() {
    judge_broken(&FORMAT, &broken("assets_manifest.json", "rtx", 45));
}
