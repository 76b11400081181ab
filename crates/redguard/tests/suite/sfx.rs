//! Tests with the sound effects of the synthetic install.

use crate::forge::{
    assert_covers_all_bytes, assert_matches_manifest, assert_round_trip, assert_survives_truncation, check,
    convert, indexed_files, malformed_files, open,
};
use antiquary_redguard::sound::sfx::{FORMAT, SoundBank};
use json::Value;
use scene::sound::{SampleLoop, Sound, decode_wav};

fn crc(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

/// Asserts that a WAV and its details match an independent reader.
fn assert_matches(sound: &Sound, details: &Value, expected: &Value, at: &str) {
    assert_eq!(crc(&sound.data), expected["pcm_crc32"], "{at}");
    assert_eq!(
        (sound.form.channels, sound.form.depth.bits(), sound.form.rate),
        (
            expected["channels"].as_u64().unwrap() as u16,
            expected["bits"].as_u64().unwrap() as u16,
            expected["sample_rate"].as_u64().unwrap() as u32
        ),
        "{at}"
    );
    for (ours, theirs) in [
        ("type", "type_id"),
        ("volume", "base_volume"),
        ("loop_offset", "loop_offset"),
        ("loop_end", "loop_end"),
        ("bytes", "pcm_bytes"),
        ("frames", "sample_frames"),
        ("seconds", "duration_secs"),
    ] {
        assert_eq!(details[ours], expected[theirs], "{at} {ours}");
    }
    let flag = expected["loop_flag"].as_i64().unwrap() as i8 as u8;
    assert_eq!(details["loop_flag"], flag, "{at}");
    let loops = (flag != 0).then(|| {
        let end = expected["sample_frames"].as_u64().unwrap() as u32;
        vec![SampleLoop { start: 0, end, times: if flag == 255 { 0 } else { flag.into() } }]
    });
    assert_eq!(sound.loops, loops, "{at}");
}

#[test]
fn matches_an_independent_reader_on_every_effect() {
    for (path, expected) in indexed_files("assets_index.json", "sfx", 1) {
        let (sink, report) = convert(&FORMAT, &path, "wav", &[]);
        assert!(report.is_empty(), "{report:?}");
        let index: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        let (found, expected_items) =
            (index["effects"].as_array().unwrap(), expected["effects"].as_array().unwrap());
        assert_eq!((found.len(), &index["description"]), (expected_items.len(), &expected["description"]));
        for (number, (details, expected)) in found.iter().zip(expected_items).enumerate() {
            assert_eq!(
                (&details["effect"], &details["file"]),
                (&number.into(), &format!("out/{number:03}.wav").into())
            );
            let wav = sink.get(details["file"].as_str().unwrap()).unwrap();
            assert_matches(
                &decode_wav(wav).unwrap(),
                details,
                expected,
                &format!("{} {number}", path.display()),
            );
        }
    }
}

#[test]
fn round_trips_and_describes_every_file() {
    for (path, _) in indexed_files("assets_index.json", "sfx", 1) {
        let bytes = std::fs::read(&path).unwrap();
        assert!(SoundBank::read(&bytes).unwrap().write().unwrap() == bytes);
        assert_round_trip(&FORMAT, &path);
        assert_covers_all_bytes(&FORMAT, &path);
        assert_survives_truncation(&FORMAT, &path);
        assert!(check(&FORMAT, &path).is_empty());
    }
}

#[test]
fn extracts_every_entry_as_the_wav_of_a_conversion() {
    for (path, _) in indexed_files("assets_index.json", "sfx", 1) {
        let (sink, _) = convert(&FORMAT, &path, "wav", &[]);
        let (asset, _) = open(&FORMAT, &std::fs::read(&path).unwrap()).unwrap();
        let archive = FORMAT.archive_of(&*asset).unwrap();
        for (index, entry) in archive.entries().enumerate() {
            let wav = archive.open(index).unwrap().read_all().unwrap().into_owned();
            assert_eq!(
                (sink.get(&format!("out/{}", entry.name)), entry.length),
                (Some(&wav[..]), wav.len() as u64)
            );
        }
    }
}

#[test]
fn refuses_malformed_files_as_in_the_manifest() {
    assert_matches_manifest(&FORMAT, &malformed_files("assets_manifest.json", "sfx", 30));
}
