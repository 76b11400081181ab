//! Synthetic effect files: round trips, defects, edited WAVs.

use asset::archive::Change;
use asset::{Archive, Asset, Report};
use proptest::prelude::*;
use record::{Bytes, Source};
use scene::sound::{Depth, SampleFormat, SampleLoop, Sound, decode_wav, encode_wav};

use super::*;
use crate::sound::SoundHeader;
use proof::{
    assert_round_trip, checked, checked_in, edited, exported, names, packed, put, single_warning, unpacked,
};

const MONO: SampleFormat = SampleFormat { rate: 11025, channels: 1, depth: Depth::Eight };

fn effect(loop_flag: u8, pcm: &[u8]) -> Effect {
    let header = SoundHeader { loop_flag, data_length: pcm.len() as u32, ..SoundHeader::new(MONO, 64) };
    Effect { header, pcm: Bytes::from(pcm) }
}

fn bank() -> SoundBank {
    SoundBank::new(vec![effect(0, b"abc"), effect(255, b"")])
}

fn bytes() -> Vec<u8> {
    let mut out = b"FXHD\0\0\0\x24Antiquary".to_vec();
    out.resize(40, 0);
    out.extend(b"\x02\0\0\0FXDT\0\0\0\x39");
    out.extend(b"\0\0\0\0\0\0\0\0\x11\x2b\0\0\x40\0\0\0\0\0\xff\xff\xff\xff\x03\0\0\0\0abc");
    out.extend(b"\0\0\0\0\0\0\0\0\x11\x2b\0\0\x40\xff\0\0\0\0\xff\xff\xff\xff\0\0\0\0\0");
    out.extend(b"END ");
    out
}

fn open(bytes: &[u8]) -> SoundBank {
    SoundBank::read(bytes).unwrap()
}

#[test]
fn a_file_matches_the_documented_layout() {
    assert_round_trip(&bank(), &bytes());
}

#[test]
fn unexpected_bytes_are_kept_and_reported() {
    let odd = SoundBank {
        header_rest: Bytes::from(&b"1234"[..]),
        effects_rest: Bytes::from(&b"rest"[..]),
        end: Bytes::from(&b"END"[..]),
        ..bank()
    };
    let written = odd.write().unwrap();
    assert_round_trip(&odd, &written);
    let report = checked_in(&FORMAT, &odd, &written);
    let lines: Vec<_> = report.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines[..],
        [
            "warning SFX-W006: header_rest: 4 unexpected bytes after the effect count, at offset 0x2c",
            "warning SFX-W005: effects[1].header.loop_offset: the loop from byte 0 to frame 4294967295 is outside of the 0 frames, at offset 0x64",
            "warning SFX-W006: effects_rest: 4 unexpected bytes after the 2 effects, at offset 0x71",
            "warning SFX-W007: end: expected \"END \" at the end of the file, found 3 other bytes, at offset 0x75",
        ]
    );
}

/// Returns the file with four bytes changed.
fn with(at: usize, value: [u8; 4]) -> Vec<u8> {
    let mut out = bytes();
    out[at..at + 4].copy_from_slice(&value);
    out
}

#[test]
fn refuses_wrong_lengths_and_counts_with_their_offset() {
    for (bytes, message) in [
        (
            with(0, *b"FXHX"),
            "header.magic: expected 46 58 48 44 \"FXHD\", found 46 58 48 58 \"FXHX\", at offset 0x0",
        ),
        (
            with(4, [255; 4]),
            "header.section_size: expected 4294967295 bytes, but only 105 are left, at offset 0x4",
        ),
        (with(4, [0, 0, 0, 35]), "effect_count: expected 4 bytes, but only 3 are left, at offset 0x28"),
        (
            with(40, [3, 0, 0, 0]),
            "effects: expected 3 items of at least 27 bytes each, but only 57 bytes are left, at offset 0x28",
        ),
        (
            with(48, [255; 4]),
            "effects.section_size: expected 4294967295 bytes, but only 61 are left, at offset 0x30",
        ),
        (with(74, [4, 1, 0, 0]), "effects[0].pcm: expected 260 bytes, but only 30 are left, at offset 0x4f"),
    ] {
        assert_eq!(SoundBank::read(&bytes).unwrap_err().to_string(), message);
    }
    let mut twice = bytes();
    twice.truncate(109);
    let error = SoundBank::read(&[&twice[..], &bytes()].concat()).unwrap_err();
    assert_eq!(error.to_string(), "end: unexpected second header after the effects, at offset 0x6d");
}

#[test]
fn skips_an_effect_of_unknown_type_and_converts_the_others() {
    let bytes = with(52, [4, 0, 0, 0]);
    let effects = open(&bytes);
    let report = checked_in(&FORMAT, &effects, &bytes);
    assert_eq!(
        single_warning(&report, &warning::UNPLAYABLE),
        "error SFX-E001: effects[0].header.type_id: unknown type 4 (known: 0 to 3), at offset 0x34"
    );
    let (sink, report) = exported(&FORMAT, &effects, "wav", &[]);
    assert_eq!(names(&sink), ["out/001.wav", "out.json"]);
    single_warning(&report, &warning::UNPLAYABLE);
    assert_eq!(effects.entry(0).unwrap().content, asset::archive::Content::Unreadable);
}

#[test]
fn each_effect_is_converted_to_a_wav_and_an_index_line() {
    let bank = SoundBank::new(vec![effect(225, b"abcd"), effect(0, b"xy")]);
    let (sink, report) = exported(&FORMAT, &bank, "wav", &[]);
    assert!(report.is_empty());
    assert_eq!(names(&sink), ["out/000.wav", "out/001.wav", "out.json"]);
    let first = decode_wav(sink.get("out/000.wav").unwrap()).unwrap();
    assert_eq!(
        (&first.data[..], first.loops),
        (&b"abcd"[..], Some(vec![SampleLoop { start: 0, end: 4, times: 225 }]))
    );
    assert_eq!(decode_wav(sink.get("out/001.wav").unwrap()).unwrap().loops, None);
    let json: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    assert_eq!(json["effects"][0]["loop"], "225 times");
    assert_eq!(
        (&json["effects"][1]["file"], &json["effects"][1]["volume"]),
        (&json!("out/001.wav"), &json!(64))
    );
}

fn wav(form: SampleFormat, data: &[u8], loops: Option<Vec<SampleLoop>>) -> Vec<u8> {
    encode_wav(&Sound { form, data: data.to_vec(), loops }).unwrap()
}

#[test]
fn an_edited_wav_changes_only_its_effect() {
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes(), folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes());
    let view = folder.path().join("views/000.wav");
    let stereo = SampleFormat { rate: 22050, channels: 2, depth: Depth::Sixteen };
    std::fs::write(&view, wav(stereo, b"left", Some(vec![SampleLoop { start: 0, end: 1, times: 3 }])))
        .unwrap();
    let (packed_bytes, report) = packed(&FORMAT, folder.path()).unwrap();
    assert!(report.is_empty());
    let new = SoundBank::read(&packed_bytes).unwrap();
    let header = SoundHeader { loop_flag: 3, data_length: 4, ..SoundHeader::new(stereo, 64) };
    assert_eq!(new.effects[0], Effect { header, pcm: Bytes::from(&b"left"[..]) });
    assert_eq!(SoundBank { effects: bank().effects, ..new.clone() }, bank());
    assert_eq!(new.effects[1], bank().effects[1]);
    let many = SampleFormat { channels: 6, ..stereo };
    std::fs::write(&view, wav(many, &[0; 12], None)).unwrap();
    let (mixed, report) = packed(&FORMAT, folder.path()).unwrap();
    assert_eq!(SoundBank::read(&mixed).unwrap().effects[0].pcm.len(), 2);
    assert_eq!(report.count_of(&warning::FITTED), 1);
    std::fs::write(&view, b"RIFF").unwrap();
    assert!(
        packed(&FORMAT, folder.path())
            .unwrap_err()
            .to_string()
            .starts_with("views/000.wav: WAV: not a RIFF WAVE file")
    );
}

fn replaced(bytes: &[u8], index: usize, content: &[u8]) -> Result<Vec<u8>> {
    let (install, options) = (asset::Install::empty(), asset::Options::default());
    let context = Context { install: &install, location: None, options: &options };
    let (mut out, mut report) = (Vec::new(), Report::new());
    let content = Source::from(content.to_vec());
    open(bytes).replace(&context, index, "new.wav", &content, &mut out, &mut report)?;
    Ok(out)
}

#[test]
fn archive_entries_are_read_and_replaced_as_wavs() {
    let effects = open(&bytes());
    let own = effects.open(0).unwrap().read_all().unwrap().into_owned();
    assert_eq!(effects.entry(0).unwrap().length, own.len() as u64);
    assert_eq!(replaced(&bytes(), 0, &own).unwrap(), bytes());
    let new = SoundBank::read(&replaced(&bytes(), 1, &own).unwrap()).unwrap();
    assert_eq!((&new.effects[0], &new.effects[1].pcm[..]), (&bank().effects[0], &b"abc"[..]));
    assert_eq!(new.effects[1].header.loop_flag, 255, "a WAV without loop information keeps the loops");
    assert!(replaced(&bytes(), 2, &own).is_err());
    assert!(replaced(&bytes(), 0, b"text").unwrap_err().to_string().starts_with("new.wav: WAV: "));
}

#[test]
fn keeps_an_incomplete_frame_that_a_wav_cannot_store() {
    let mut half = bank();
    half.effects[0].header.type_id = 1;
    half.effects[0].header.bit_depth = 1;
    let bytes = half.write().unwrap();
    let effects = open(&bytes);
    single_warning(&checked(&FORMAT, &effects), &warning::PARTIAL);
    let (sink, report) = exported(&FORMAT, &effects, "wav", &[]);
    single_warning(&report, &warning::PARTIAL);
    assert_eq!(decode_wav(sink.get("out/000.wav").unwrap()).unwrap().data, b"ab");
    let own = effects.open(0).unwrap().read_all().unwrap().into_owned();
    assert_eq!(replaced(&bytes, 0, &own).unwrap(), bytes);
}

#[test]
fn appends_effects_and_removes_the_last_ones() {
    let stereo = SampleFormat { rate: 22050, channels: 2, depth: Depth::Sixteen };
    let new = wav(stereo, b"left", None);
    let (added, done, report) =
        edited(&FORMAT, &bytes(), &[put("splash.wav", &new), put("003.wav", &new), put("000.wav", &new)])
            .unwrap();
    assert_eq!(done, ["002.wav added", "003.wav added", "000.wav replaced"]);
    assert!(report.is_empty(), "{report:?}");
    let larger = SoundBank::read(&added).unwrap();
    assert_eq!((larger.effects.len(), &larger.effects[1]), (4, &bank().effects[1]));
    let header = SoundHeader { data_length: 4, ..SoundHeader::new(stereo, 64) };
    assert_eq!(larger.effects[2], Effect { header, pcm: Bytes::from(&b"left"[..]) });
    let added = edited(&FORMAT, &bytes(), &[put("a.wav", &new), put("b.wav", &new)]).unwrap().0;
    let (removed, done, report) = edited(&FORMAT, &added, &[Change::Remove(2), Change::Remove(3)]).unwrap();
    assert_eq!(done, ["003.wav removed", "002.wav removed"]);
    assert!(removed == bytes() && report.is_empty());
}

#[test]
fn silences_a_removed_effect_that_others_follow() {
    let (silent, done, report) = edited(&FORMAT, &bytes(), &[Change::Remove(0)]).unwrap();
    assert_eq!(done, ["000.wav emptied"]);
    assert_eq!(
        single_warning(&report, &warning::SILENCED),
        "warning SFX-W010: 000.wav was silenced instead of removed: 1 later effect would be renumbered"
    );
    let silent = SoundBank::read(&silent).unwrap();
    assert_eq!(silent.effects[1], bank().effects[1]);
    assert_eq!(silent.effects[0].pcm[..], [0x80; 110]);
    // Once the last effect is removed, the other becomes the last and is also removed.
    let (none, done, _) = edited(&FORMAT, &bytes(), &[Change::Remove(0), Change::Remove(1)]).unwrap();
    assert_eq!(done, ["001.wav removed", "000.wav removed"]);
    assert!(SoundBank::read(&none).unwrap().effects.is_empty());
}

#[test]
fn refuses_gaps_in_numbers_renames_and_other_files() {
    let own = wav(MONO, b"abc", None);
    let message = |changes: &[Change]| edited(&FORMAT, &bytes(), changes).unwrap_err().to_string();
    assert_eq!(
        message(&[put("017.wav", &own)]),
        "017.wav: effect 017 does not exist and the next free number is 2; rename the file to 002.wav"
    );
    assert!(message(&[put("99999999999999999999.wav", &own)]).contains("does not exist"));
    assert!(message(&[put("a.wav", b"text")]).starts_with("a.wav: WAV: not a RIFF WAVE file"));
    assert_eq!(message(&[Change::Remove(2)]), "effect index out of range");
    assert!(message(&[Change::Rename(0, "x".to_owned())]).contains("numbers, not names"));
}

#[test]
fn a_new_wav_in_the_views_adds_an_effect() {
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes(), folder.path());
    let views = folder.path().join("views");
    std::fs::write(views.join("002.wav"), wav(MONO, b"new", None)).unwrap();
    std::fs::write(views.join("notes.txt"), b"mine").unwrap();
    let (larger, report) = packed(&FORMAT, folder.path()).unwrap();
    let lines: Vec<_> = report.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "warning PACK-W001: views/notes.txt is not listed in antiquary.json and is ignored",
            "note PACK-N008: views/002.wav is a new file and becomes the entry \"002.wav\"",
        ]
    );
    let larger = SoundBank::read(&larger).unwrap();
    assert_eq!((larger.effects.len(), &larger.effects[2].pcm[..]), (3, &b"new"[..]));
    std::fs::rename(views.join("002.wav"), views.join("009.wav")).unwrap();
    let error = packed(&FORMAT, folder.path()).unwrap_err().to_string();
    assert!(error.starts_with("views/009.wav: effect 009 does not exist"), "{error}");
}

#[test]
fn an_edited_view_keeps_its_effect_when_others_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let three = SoundBank::new(vec![effect(0, b"abc"), effect(0, b"def"), effect(0, b"ghi")]);
    unpacked(&FORMAT, &three.write().unwrap(), folder.path());
    let record = folder.path().join("record.json");
    let mut json: Value = json::from_slice(&std::fs::read(&record).unwrap()).unwrap();
    json["effects"].as_array_mut().unwrap().remove(2);
    std::fs::write(&record, json.to_string()).unwrap();
    std::fs::write(folder.path().join("views/001.wav"), wav(MONO, b"new", None)).unwrap();
    let new = SoundBank::read(&packed(&FORMAT, folder.path()).unwrap().0).unwrap();
    assert_eq!(new.effects.iter().map(|it| &it.pcm[..]).collect::<Vec<_>>(), [b"abc", b"new"]);
    std::fs::remove_file(folder.path().join("views/002.wav")).unwrap();
    let error = packed(&FORMAT, folder.path()).unwrap_err().to_string();
    assert!(error.contains("views/002.wav: is listed in antiquary.json but missing"), "{error}");
}

fn banks() -> impl Strategy<Value = SoundBank> {
    let run = |most| proptest::collection::vec(any::<u8>(), 0..most).prop_map(Bytes::from);
    let effect =
        (any::<[u32; 5]>(), any::<[u8; 3]>(), run(40)).prop_map(|(words, [volume, loop_flag, last], pcm)| {
            let [type_id, bit_depth, sample_rate, loop_offset, loop_end] = words;
            let data_length = pcm.len() as u32;
            let header = SoundHeader {
                type_id: type_id % 6,
                bit_depth: bit_depth % 3,
                sample_rate,
                volume,
                loop_flag,
                loop_offset,
                loop_end,
                data_length,
                unknown_0x1a: last,
            };
            Effect { header, pcm }
        });
    let end = prop_oneof![Just(Bytes::from(&b"END "[..])), run(9)];
    (any::<[u8; 32]>(), run(5), proptest::collection::vec(effect, 0..6), run(5), end).prop_map(
        |(description, header_rest, effects, effects_rest, end)| SoundBank {
            description: FixedText(description),
            header_rest,
            effects,
            effects_rest,
            end,
        },
    )
}

proptest! {
    #[test]
    fn any_file_round_trips_without_panics(bank in banks()) {
        let bytes = bank.write().unwrap();
        let read = SoundBank::read(&bytes);
        if bank.end.starts_with(b"FXHD") {
            prop_assert!(read.is_err());
            return Ok(());
        }
        prop_assert_eq!(read.unwrap(), bank);
        let effects = open(&bytes);
        checked(&FORMAT, &effects);
        let _ = effects.describe(Detail::Full);
        exported(&FORMAT, &effects, "wav", &[]);
        for index in 0..effects.count() {
            let entry = effects.entry(index).unwrap();
            if let Ok(file) = effects.open(index) {
                prop_assert_eq!(file.len(), entry.length);
                prop_assert_eq!(&replaced(&bytes, index, &file.read_all().unwrap()).unwrap(), &bytes);
            }
        }
    }

    #[test]
    fn damaged_files_are_read_or_refused(at in 0_usize..113, value: u8, cut in 0_usize..=113) {
        let mut bytes = bytes();
        bytes[at] = value;
        bytes.truncate(cut);
        match SoundBank::read(&bytes) {
            Ok(bank) => {
                prop_assert_eq!(bank.write().unwrap(), bytes);
                checked(&FORMAT, &bank);
            }
            Err(error) => prop_assert!(error.offset().is_some_and(|offset| offset <= cut as u64)),
        }
    }
}
