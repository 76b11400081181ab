//! Synthetic files of a few sections.

use std::sync::Arc;

use asset::{Charset, FixedText, Install, Options};
use files::layer::MemoryLayer;
use json::Value;
use proof::{assert_round_trip, checked, checked_in, exported, packed, single_warning, unpacked};
use proptest::collection::vec;
use proptest::prelude::*;
use record::Bytes;

use super::*;
use crate::map::AnimationCommand;

/// ShowFrame 5, PlaySound 57 with -10, GoToPrevious 0, EndAnimation.
const COMMANDS: [u32; 4] = [0x50, 4 | 57 << 4 | (0x3ff & -10_i32 as u32) << 14, 2, 1];

fn group(number: u16, commands: &[u32]) -> Group {
    let commands = commands.iter().copied().map(AnimationCommand).collect();
    Group { number, animation: 3, kind: 1, commands, rest: Bytes::default() }
}

fn other(tag: &[u8; 4], data: &[u8]) -> Section {
    Section::Other { tag: FixedText(*tag), data: Bytes(data.to_vec()) }
}

/// Two groups.
fn groups() -> Groups {
    let groups = vec![group(0, &COMMANDS), group(30, &[1])];
    Groups { most_group: 30, groups, list_end: true, rest: Bytes::default() }
}

fn file(sections: Vec<Section>) -> AiFile {
    AiFile { sections, end: true, rest: Bytes::default() }
}

fn sample() -> AiFile {
    file(vec![other(b"ABCD", &[7; 100]), Section::Groups(groups())])
}

fn list(file: &mut AiFile) -> &mut Groups {
    let found = file.sections.iter_mut().find_map(|section| match section {
        Section::Groups(groups) => Some(groups),
        Section::Other { .. } => None,
    });
    found.unwrap()
}

fn probed(bytes: &[u8], name: &str) -> Option<Score> {
    probe(&Probe::new(bytes, bytes.len() as u64, Some(name)))
}

#[test]
fn a_section_has_a_prefix_byte_and_groups_as_in_maps() {
    // Size, number, ticks per frame, kind, number of commands.
    let first = b"\x0e\0\x04\0\x03\0\x01\0\x02\0\x50\0\0\x01\0\0";
    let section =
        Groups { most_group: 4, groups: vec![group(4, &[0x50, 1])], list_end: true, rest: Bytes::default() };
    let bytes = [&b"AIAN\0\0\0\x13\x04"[..], first, b"\0\0"].concat();
    assert_round_trip(&Section::Groups(section.clone()), &bytes);
    assert_round_trip(&file(vec![Section::Groups(section.clone())]), &[&bytes[..], b"END "].concat());
    // Without an end, and with bytes after the commands and after the list.
    let open = Groups { list_end: false, ..section.clone() };
    assert_round_trip(&Section::Groups(open), &[b"AIAN\0\0\0\x11\x04", &first[..]].concat());
    let long = Group { rest: Bytes(vec![9]), ..group(4, &[]) };
    let more = Groups { groups: vec![long], rest: Bytes(vec![8, 7]), ..section };
    assert_round_trip(
        &Section::Groups(more),
        b"AIAN\0\0\0\x10\x04\x09\0\x04\0\x03\0\x01\0\0\0\x09\0\0\x08\x07",
    );
}

#[test]
fn keeps_animation_groups_that_do_not_fit_their_layout() {
    let sections: [&[u8]; 6] = [
        // No prefix byte; a size, a group and its commands that are truncated; a size below 8; too many commands.
        b"AIAN\0\0\0\0",
        b"AIAN\0\0\0\x02\x04\x0e",
        b"AIAN\0\0\0\x04\x04\x0e\0\x04",
        b"AIAN\0\0\0\x0b\x04\x08\0\x04\0\x03\0\x01\0\x01\0",
        b"AIAN\0\0\0\x0a\x04\x07\0\x04\0\x03\0\x01\0\0",
        b"AIAN\0\0\0\x0e\x04\x0b\0\x04\0\x03\0\x01\0\xff\xff\x50\0\0",
    ];
    for bytes in sections {
        let bytes = [bytes, b"END "].concat();
        let read = AiFile::read(&bytes).unwrap();
        assert!(matches!(read.sections[..], [Section::Other { .. }]), "{read:?}");
        assert_eq!(read.write().unwrap(), bytes);
        let report = checked_in(&FORMAT, &read, &bytes);
        let message = single_warning(&report, &warning::KEPT);
        assert!(message.contains("AIAN does not fit its layout"), "{message}");
        single_warning(&report, &warning::NO_GROUPS);
    }
}

#[test]
fn refuses_empty_and_truncated_files_with_an_offset() {
    assert_eq!(AiFile::read(b"").unwrap_err().to_string(), "the file is empty, at offset 0x0");
    assert_eq!(
        AiFile::read(b"AIAN\xff\xff\xff\xff\0").unwrap_err().to_string(),
        "sections[0].length: expected 4294967295 bytes, but only 1 are left, at offset 0x4"
    );
    let bytes = sample().write().unwrap();
    for length in 1..bytes.len() {
        match AiFile::read(&bytes[..length]) {
            Ok(read) => assert!(!read.end && read.write().unwrap() == bytes[..length]),
            Err(error) => assert!(error.offset().unwrap() <= length as u64, "{error}"),
        }
    }
    let sections = b"ABCD\0\0\0\0".repeat(5000);
    assert_eq!(AiFile::read(&sections).unwrap_err().kind(), record::Kind::Limit);
}

#[test]
fn is_recognized_by_its_first_section() {
    let bytes = sample().write().unwrap();
    assert_eq!(probed(&bytes, "sword.ai"), Some(Score::LIKELY));
    assert_eq!(probed(&bytes, "sword.bin"), None);
    let first = file(vec![Section::Groups(groups())]).write().unwrap();
    assert_eq!(probed(&first, "sword.bin"), Some(Score::CERTAIN));
    assert_eq!(probed(&first[..20], "sword.ai"), Some(Score::LIKELY));
    assert_eq!(probed(b"AIXX\0\0\x01\0", "sword.ai"), Some(Score::POSSIBLE));
    // Bare bytecode of `script asm --raw`, texts, and drawings of Illustrator.
    for content in [&[0x0a, 0, 7, 1, 0, 0, 0, 0, 4, 0, 0, 0, 0][..], b"", b"some words", b"%PDF-1.5 and more"]
    {
        assert_eq!(probed(content, "GUARD.AI"), Some(Score::NEVER));
        assert_eq!(probed(content, "GUARD.bin"), None);
    }
}

#[test]
fn check_reports_defects() {
    let check = |change: &dyn Fn(&mut AiFile)| {
        let mut file = file(vec![Section::Groups(groups())]);
        change(&mut file);
        let bytes = file.write().unwrap();
        let file = AiFile::read(&bytes).unwrap();
        let report = checked_in(&FORMAT, &file, &bytes);
        let located = |it: &asset::Warning| it.path.is_empty() || it.offset.is_some();
        assert!(report.iter().all(located), "{report:?}");
        report
    };
    assert!(check(&|_| {}).is_empty());
    single_warning(&check(&|file| file.end = false), &warning::NO_END);
    single_warning(&check(&|file| file.rest = Bytes(vec![1])), &warning::LEFT_OVER);
    single_warning(&check(&|file| list(file).rest = Bytes(vec![1])), &warning::LEFT_OVER);
    single_warning(&check(&|file| list(file).groups[0].rest = Bytes(vec![1])), &warning::LEFT_OVER);
    single_warning(&check(&|file| file.sections.push(other(b"ABCD", b"x"))), &warning::UNKNOWN);
    single_warning(&check(&|file| list(file).list_end = false), &warning::LIST_END);
    let message = single_warning(&check(&|file| list(file).most_group = 20), &warning::HIGHEST);
    assert!(message.contains("most_group is 20, but the highest group is 30"), "{message}");
    let message = single_warning(
        &check(&|file| {
            list(file).groups[1].number = 178;
            list(file).most_group = 178;
        }),
        &warning::GROUP,
    );
    assert!(message.contains("the animation group 178 does not exist (valid: 0 to 177)"), "{message}");
    // GoToFuture 1 in a group with one command.
    let jump = |file: &mut AiFile| list(file).groups[1].commands = vec![AnimationCommand(0x13)];
    let message = single_warning(&check(&jump), &warning::JUMP);
    assert!(message.contains("GoToFuture jumps to command 1, but the group has 1 command"), "{message}");
    single_warning(&checked(&FORMAT, &file(Vec::new())), &warning::NO_GROUPS);
}

#[test]
fn sounds_that_the_game_does_not_have_are_reported() {
    let mut sink = asset::MemorySink::new();
    crate::sample::write(&mut sink).unwrap();
    let sounds = sink.get("sound/MAIN.SFX").unwrap().to_vec();
    let layer = MemoryLayer::new("game", [("sound/MAIN.SFX".to_owned(), Source::from(sounds))]).unwrap();
    let install = Install::new(vec![Arc::new(layer)]).with_game("redguard", Charset::Cp437);
    let options = Options::default();
    let mut report = Report::new();
    sample().check(&Context { install: &install, location: None, options: &options }, &mut report);
    let message = single_warning(&report, &warning::SOUND);
    assert!(message.contains("sound 57 is played, but MAIN.SFX has 3 sounds"), "{message}");
}

#[test]
fn unpacks_commands_as_lists_and_sections_as_blobs() {
    let file = sample();
    let bytes = file.write().unwrap();
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    assert_eq!(std::fs::read(folder.path().join("blobs/00-ABCD.bin")).unwrap(), [7; 100]);
    let path = folder.path().join("record.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let record: Value = json::from_slice(text.as_bytes()).unwrap();
    let commands = record["sections"][1]["AIAN"]["groups"][0]["commands"].to_string();
    let expected = r#"[[0,"ShowFrame",5],["PlaySound",57,-10],["GoToPrevious",0],["EndAnimation",0]]"#;
    assert_eq!(commands, expected);
    // A command added at the front moves the target of the jump.
    let edited = text.replacen("[0, \"ShowFrame\", 5]", "[\"ShowFrame\", 4], [0, \"ShowFrame\", 5]", 1);
    assert!(edited != text, "{text}");
    std::fs::write(&path, edited).unwrap();
    let mut edited = AiFile::read(&packed(&FORMAT, folder.path()).unwrap().0).unwrap();
    assert_eq!(list(&mut edited).groups[0].commands[3], AnimationCommand(0x12));
    for (from, to, message) in [
        ("\"PlaySound\", 57", "\"PlaySound\", 5700", "PlaySound does not take these parameters"),
        ("\"PlaySound\", 57", "\"PlaySomething\", 57", "unknown command"),
        ("\"GoToPrevious\", 0", "\"GoToPrevious\", 1", "no command has the number 1"),
    ] {
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let error = packed(&FORMAT, folder.path()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn the_data_names_groups_and_commands() {
    let (sink, report) = exported(&FORMAT, &sample(), "json", &[]);
    assert!(report.is_empty(), "{report:?}");
    let data: Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    assert_eq!(data["sections"][0], json::json!({ "tag": "ABCD", "length": 100 }));
    let group = &data["sections"][1]["animation_groups"][0];
    assert_eq!((&group["name"], &group["entry_size"]), (&"anim_panic".into(), &20.into()));
    assert_eq!(
        group["commands"][1],
        json::json!({ "opcode": 4, "name": "PlaySound", "param_a": 57, "param_b": -10 })
    );
}

fn any_group() -> impl Strategy<Value = Group> {
    (any::<[u16; 3]>(), vec(0..1_u32 << 24, 0..6), vec(any::<u8>(), 0..3)).prop_map(
        |([number, animation, kind], commands, rest)| Group {
            number,
            animation,
            kind,
            commands: commands.into_iter().map(AnimationCommand).collect(),
            rest: Bytes(rest),
        },
    )
}

proptest! {
    #[test]
    fn any_file_round_trips_through_bytes_and_json(
        most_group in any::<u8>(),
        groups in vec(any_group(), 0..4),
        rest in vec(any::<u8>(), 0..4),
        data in vec(any::<u8>(), 0..4),
    ) {
        let section = Groups { most_group, groups, list_end: true, rest: Bytes(rest) };
        let file = file(vec![Section::Groups(section), other(b"AIXX", &data)]);
        let bytes = file.write().unwrap();
        prop_assert_eq!(&AiFile::read(&bytes).unwrap(), &file);
        let document = Document::of(&file).unwrap();
        let read: AiFile = document.read().unwrap();
        prop_assert_eq!(read, file);
    }

    #[test]
    fn any_bytes_are_read_or_refused_with_an_offset(body in vec(any::<u8>(), 0..40), length in 0..60_u32) {
        let bytes = [b"AIAN", &length.to_be_bytes()[..], &body].concat();
        match AiFile::read(&bytes) {
            Ok(file) => prop_assert_eq!(file.write().unwrap(), bytes),
            Err(error) => prop_assert!(error.offset().is_some(), "{}", error),
        }
    }
}
