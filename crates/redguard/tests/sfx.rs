//! The sound effects of the forged install.

#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used, reason = "a test may panic")]

mod forge;

use antiquary_redguard::sound::sfx::{FORMAT, SoundBank};
use forge::{broken, check, comes_back, convert, explains_all, judge_broken, listed, open, survives_cuts};
use json::Value;
use scene::sound::{SampleLoop, Sound, decode_wav};

fn crc(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

/// What a WAV and the facts beside it say is what an independent reader found.
fn agree(sound: &Sound, facts: &Value, want: &Value, at: &str) {
    assert_eq!(crc(&sound.data), want["pcm_crc32"], "{at}");
    assert_eq!(
        (sound.form.channels, sound.form.depth.bits(), sound.form.rate),
        (
            want["channels"].as_u64().unwrap() as u16,
            want["bits"].as_u64().unwrap() as u16,
            want["sample_rate"].as_u64().unwrap() as u32
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
        assert_eq!(facts[ours], want[theirs], "{at} {ours}");
    }
    let flag = want["loop_flag"].as_i64().unwrap() as i8 as u8;
    assert_eq!(facts["loop_flag"], flag, "{at}");
    let loops = (flag != 0).then(|| {
        let end = want["sample_frames"].as_u64().unwrap() as u32;
        vec![SampleLoop { start: 0, end, times: if flag == 255 { 0 } else { flag.into() } }]
    });
    assert_eq!(sound.loops, loops, "{at}");
}

#[test]
fn every_effect_is_what_an_independent_reader_found() {
    for (path, want) in listed("assets_index.json", "sfx", 1) {
        let (sink, report) = convert(&FORMAT, &path, "wav", &[]);
        assert!(report.is_empty(), "{report:?}");
        let index: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
        let (found, wanted) = (index["effects"].as_array().unwrap(), want["effects"].as_array().unwrap());
        assert_eq!((found.len(), &index["description"]), (wanted.len(), &want["description"]));
        for (number, (facts, want)) in found.iter().zip(wanted).enumerate() {
            assert_eq!(
                (&facts["effect"], &facts["file"]),
                (&number.into(), &format!("out/{number:03}.wav").into())
            );
            let wav = sink.get(facts["file"].as_str().unwrap()).unwrap();
            agree(&decode_wav(wav).unwrap(), facts, want, &format!("{} {number}", path.display()));
        }
    }
}

#[test]
fn every_file_comes_back_explained_and_survives_cuts() {
    for (path, _) in listed("assets_index.json", "sfx", 1) {
        let bytes = std::fs::read(&path).unwrap();
        assert!(SoundBank::read(&bytes).unwrap().write().unwrap() == bytes);
        comes_back(&FORMAT, &path);
        explains_all(&FORMAT, &path);
        survives_cuts(&FORMAT, &path);
        assert!(check(&FORMAT, &path).is_empty());
    }
}

#[test]
fn every_entry_of_the_container_is_the_wav_of_a_conversion() {
    for (path, _) in listed("assets_index.json", "sfx", 1) {
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
fn malformed_files_give_what_their_manifest_says() {
    judge_broken(&FORMAT, &broken("assets_manifest.json", "sfx", 30));
}
