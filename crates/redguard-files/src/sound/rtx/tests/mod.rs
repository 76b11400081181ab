//! Synthetic dialogue files: round trips, defects, edited texts and voices.

use asset::{Archive, Severity};
use record::{Bytes, Source};
use scene::sound::{Depth, SampleFormat, decode_wav};

mod add;
mod any;
mod edit;

use super::*;
use asset::FixedText;
use proof::{assert_round_trip, checked, checked_in, exported, names, packed, single_warning, unpacked};

const FORM: SampleFormat = SampleFormat { rate: 11025, channels: 1, depth: Depth::Eight };

fn tag(text: &str) -> Tag {
    FixedText::new(text).unwrap()
}

fn sound(data: &[u8]) -> Sound {
    Sound { form: FORM, data: data.to_vec(), loops: None }
}

fn lines() -> Vec<(Tag, Content)> {
    vec![
        (tag("ab1?"), Content::new("Né").unwrap()),
        (tag("#bon"), Content::voiced("Hi", &sound(b"abc"), 100).unwrap()),
    ]
}

fn written(dialogue: &Dialogue) -> Vec<u8> {
    let mut out = Vec::new();
    dialogue.write(&mut out).unwrap();
    out
}

fn bytes() -> Vec<u8> {
    written(&Dialogue::new(lines()))
}

fn read(bytes: &[u8]) -> Result<Dialogue> {
    Dialogue::read(&Source::from_bytes(bytes))
}

fn open(bytes: &[u8]) -> OpenDialogue {
    OpenDialogue::new(read(bytes).unwrap())
}

#[test]
fn the_records_match_the_documented_layout() {
    assert_round_trip(&ChunkHead { tag: tag("#bon"), payload_size: 0x102 }, b"#bon\0\0\x01\x02");
    assert_round_trip(&Prefix { kind: 1, text_length: 0x203 }, b"\0\x01\x03\x02\0\0");
    assert_round_trip(
        &IndexEntry { tag: tag("#bon"), payload_offset: 8, payload_size: 0x10 },
        b"#bon\x08\0\0\0\x10\0\0\0",
    );
    assert_round_trip(&Footer { index_offset: 0x1234, index_count: 6 }, b"RNAV\x34\x12\0\0\x06\0\0\0");
}

#[test]
fn a_file_has_lines_an_end_mark_a_reversed_index_and_a_footer() {
    let mut expected = b"ab1?\0\0\0\x08\0\0\x02\0\0\0N\x82".to_vec();
    expected.extend(b"#bon\0\0\0\x26\0\x01\x02\0\0\0Hi");
    expected.extend(b"\0\0\0\0\0\0\0\0\x11\x2b\0\0\x64\0\0\0\0\0\xff\xff\xff\xff\x03\0\0\0\0abc");
    expected.extend(b"END #bon\x18\0\0\0\x26\0\0\0ab1?\x08\0\0\0\x08\0\0\0RNAV\x42\0\0\0\x02\0\0\0");
    assert_eq!(bytes(), expected);
    let dialogue = read(&expected).unwrap();
    assert_eq!(written(&dialogue), expected);
    assert!(checked(&FORMAT, &OpenDialogue::new(dialogue)).is_empty());
}

/// Recognition uses only the content; file names are handled by the catalog.
#[test]
fn recognizes_dialogue_by_its_first_line() {
    let probe = |bytes: &[u8]| (FORMAT.probe)(&Probe::new(bytes, bytes.len() as u64, None));
    assert_eq!(probe(&bytes()), Some(Score::LIKELY));
    assert_eq!(probe(&bytes()[16..]), Some(Score::LIKELY));
    for (at, new) in [(0, &b" "[..]), (9, &[2]), (9, &[1]), (10, &[3]), (7, &[9])] {
        assert_eq!(probe(&with(&[(at, new)])), None);
    }
    assert_eq!(probe(b"ab1?\0\0"), None);
}

#[test]
fn accepts_a_missing_end_mark_and_another_order() {
    let mut dialogue = Dialogue { end: EndMark::Absent, ..Dialogue::new(lines()) };
    assert_eq!(written(&read(&written(&dialogue)).unwrap()), written(&dialogue));
    assert!(checked(&FORMAT, &open(&written(&dialogue))).is_empty());
    dialogue.index.reverse();
    let bytes = written(&dialogue);
    assert_eq!(written(&read(&bytes).unwrap()), bytes);
    single_warning(&checked(&FORMAT, &open(&bytes)), &warning::ORDER);
}

#[test]
fn bytes_outside_of_lines_are_kept_and_reported() {
    let gap = |bytes: &[u8]| Piece::Gap(Source::from_bytes(bytes));
    let mut dialogue = Dialogue::new(lines());
    dialogue.pieces.insert(0, gap(b"lost\0\0\0\x06\0\0\0\0\0\0"));
    dialogue.pieces.push(gap(b"??"));
    for line in &mut dialogue.index {
        line.piece += 1;
    }
    dialogue.behind_index = Bytes::from(&b"more"[..]);
    let bytes = written(&dialogue);
    let again = open(&bytes);
    assert_eq!(written(again.dialogue()), bytes);
    let report = checked_in(&FORMAT, &again, &bytes);
    let found: Vec<_> = report.iter().map(ToString::to_string).collect();
    // "??" and `END ` follow the last line; `END ` is not an end mark unless it immediately follows a line.
    assert_eq!(
        found,
        [
            "warning RTX-W013: pieces[0]: 14 bytes do not belong to any line; they look like a line with the tag \"lost\", at offset 0x0",
            "warning RTX-W013: pieces[3]: 6 bytes do not belong to any line, at offset 0x4c",
            "warning RTX-W013: behind_index: 4 unexpected bytes after the index, at offset 0x6a",
        ]
    );
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
}

/// Returns the file with some bytes changed.
fn with(changes: &[(usize, &[u8])]) -> Vec<u8> {
    let mut out = bytes();
    for (at, new) in changes {
        out[*at..at + new.len()].copy_from_slice(new);
    }
    out
}

#[test]
fn an_invalid_index_is_rejected_with_its_offset() {
    for (at, new, message) in [
        (90, &b"RNAX"[..], "footer: expected a footer that starts with \"RNAV\", at offset 0x5a"),
        (
            94,
            &[0xff; 4],
            "footer.index_offset: index_offset is 0xffffffff, after the footer at 0x5a, at offset 0x5e",
        ),
        (
            98,
            &[3, 0, 0, 0],
            "footer.index_count: index_count is 3, but only 24 bytes are left for entries of 12 bytes, at offset 0x62",
        ),
        (
            98,
            &[0xff; 4],
            "footer.index_count: index_count is 4294967295, but only 24 bytes are left for entries of 12 bytes, at offset 0x62",
        ),
        (
            70,
            &[7, 0, 0, 0],
            "index[0].payload_offset: payload_offset 0x7 is not between 0x8 and 0x42, at offset 0x46",
        ),
        (
            70,
            &[0xff; 4],
            "index[0].payload_offset: payload_offset 0xffffffff is not between 0x8 and 0x42, at offset 0x46",
        ),
        (
            74,
            &[0x27, 1, 0, 0],
            "index[0].payload_size: payload_size is 295, but only 42 bytes are left before the index, at offset 0x4a",
        ),
        (74, &[5, 0, 0, 0], "index[0].payload_size: payload_size is 5 (minimum: 6), at offset 0x4a"),
        (
            70,
            &[0x17, 0, 0, 0],
            "index[0].payload_offset: the line at 0xf overlaps the previous line, which ends at 0x10, at offset 0x46",
        ),
    ] {
        assert_eq!(read(&with(&[(at, new)])).unwrap_err().to_string(), message);
    }
    assert_eq!(
        read(b"RNAV").unwrap_err().to_string(),
        "footer: the file has 4 bytes, too few for a footer of 12 bytes, at offset 0x0"
    );
}

#[test]
fn reports_and_keeps_a_damaged_line_and_converts_the_others() {
    for (at, new, message) in [
        (
            24,
            &[0, 7][..],
            "error RTX-E010: pieces[1].payload: unknown kind 7 (known: 0 for text, 1 for text with a voice), at offset 0x18",
        ),
        (
            26,
            &[0xff, 0xff],
            "error RTX-E010: pieces[1].payload: text_length is 65535, but only 32 bytes are left, at offset 0x1a",
        ),
        (
            26,
            &[20],
            "error RTX-E010: pieces[1].payload: a voice header needs 27 bytes, but only 12 are left, at offset 0x32",
        ),
        (
            54,
            &[4],
            "error RTX-E010: pieces[1].payload: data_length is 4, but only 3 bytes are left, at offset 0x36",
        ),
        (
            32,
            &[9],
            "error RTX-E001: pieces[1].voice.header.type_id: unknown type 9 (known: 0 to 3), at offset 0x20",
        ),
    ] {
        let bytes = with(&[(at, new)]);
        let lines = open(&bytes);
        assert_eq!(written(lines.dialogue()), bytes);
        let report = checked_in(&FORMAT, &lines, &bytes);
        let worst: Vec<_> =
            report.iter().filter(|it| it.code.severity == Severity::Error).map(ToString::to_string).collect();
        assert_eq!(worst, [message]);
        let (sink, report) = exported(&FORMAT, &lines, "wav", &[]);
        assert_eq!((names(&sink), report.worst()), (vec!["out.json"], Some(Severity::Error)));
        assert_eq!(lines.entry(0).unwrap().content, asset::archive::Content::Unreadable);
        assert_eq!(lines.open(1).unwrap().read_all().unwrap(), "Né".as_bytes());
        let folder = tempfile::tempdir().unwrap();
        unpacked(&FORMAT, &bytes, folder.path());
        assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
    }
}

#[test]
fn reports_and_keeps_an_index_that_disagrees_with_the_lines() {
    for (at, new, code, message) in [
        (
            66,
            &b"#Bon"[..],
            &warning::OTHER_TAG,
            "warning RTX-W011: index[0]: the index has the tag \"#Bon\", but the line has \"#bon\", at offset 0x42",
        ),
        (
            23,
            &[0x25],
            &warning::OTHER_SIZE,
            "warning RTX-W012: pieces[1].payload_size: the line has size 37, but the index says 38, at offset 0x14",
        ),
        (
            66,
            b"AB1?",
            &warning::SAME_TAG,
            "warning RTX-W014: index[1]: \"ab1?\" is also the tag of index[0], at offset 0x4e",
        ),
        (
            70,
            b"\x08\0\0\0\x08\0\0\0",
            &warning::SHARED,
            "warning RTX-W015: index[1]: shares its line with \"#bon\", at offset 0x4e",
        ),
        (
            54,
            &[2],
            &warning::REST,
            "warning RTX-W016: pieces[1].rest: 1 unexpected bytes after the voice, at offset 0x3d",
        ),
        (
            30,
            &[7],
            &warning::CONTROL,
            "warning RTX-W018: pieces[1].text: control character 0x07 at position 0 of the text, at offset 0x1e",
        ),
    ] {
        let bytes = with(&[(at, new)]);
        let lines = open(&bytes);
        assert_eq!(written(lines.dialogue()), bytes);
        assert_eq!(single_warning(&checked_in(&FORMAT, &lines, &bytes), code), message);
        let folder = tempfile::tempdir().unwrap();
        unpacked(&FORMAT, &bytes, folder.path());
        assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes, "{message}");
    }
}

#[test]
fn voices_get_safe_names_and_the_index_maps_them_to_tags() {
    let voiced = |name: &str, text: &str| (tag(name), Content::voiced(text, &sound(b"ab"), 100).unwrap());
    let dialogue = Dialogue::new(vec![
        voiced("?a/b", "Who is there?"),
        voiced("NUL", "x"),
        voiced("ABCD", ""),
        voiced("abcd", "Who is there?"),
        (tag("text"), Content::new("a \"b\"").unwrap()),
    ]);
    let lines = OpenDialogue::new(dialogue);
    let (sink, _) = exported(&FORMAT, &lines, "wav", &[]);
    assert_eq!(names(&sink), ["out/abcd.wav", "out/ABCD~2.wav", "out/NUL_.wav", "out/_a_b.wav", "out.json"]);
    let json: json::Value = json::from_slice(sink.get("out.json").unwrap()).unwrap();
    assert_eq!(json["lines"][0], json::json!({"tag": "text", "kind": "text", "text": "a \"b\""}));
    assert_eq!(
        (&json["lines"][2]["tag"], &json["lines"][2]["file"]),
        (&json::json!("ABCD"), &json::json!("out/ABCD~2.wav"))
    );
    let (sink, _) = exported(&FORMAT, &lines, "wav", &[("names", "text")]);
    let expected = [
        "out/Who is there (abcd).wav",
        "out/ABCD~2.wav",
        "out/x (NUL).wav",
        "out/Who is there (_a_b).wav",
        "out.json",
    ];
    assert_eq!(names(&sink)[0], expected[0]);
    assert_eq!(names(&sink)[2..], expected[2..]);
    let (sink, _) = exported(&FORMAT, &lines, "csv", &[]);
    assert!(
        sink.get("out.csv")
            .unwrap()
            .starts_with(b"tag,text,seconds\r\n\"text\",\"a \"\"b\"\"\",\r\n\"abcd\",")
    );
    let archive: &dyn Archive = &lines;
    let listed: Vec<_> = archive.entries().map(|entry| entry.name.into_owned()).collect();
    assert_eq!(listed, ["text.txt", "abcd.wav", "ABCD.wav", "NUL.wav", "?a_b.wav"]);
}

#[test]
fn hostile_names_and_counts_are_harmless() {
    let tags = [*b"../x", *b"a\0b\0", [0xff, 0xfe, 0xfd, 0xfc], *b"a/b/", *b"CON\0"];
    let line = |tag| (FixedText(tag), Content::voiced("", &sound(b"a"), 1).unwrap());
    let bytes = written(&Dialogue::new(tags.into_iter().map(line).collect()));
    let lines = open(&bytes);
    let (sink, _) = exported(&FORMAT, &lines, "wav", &[]);
    assert_eq!(
        names(&sink),
        [
            "out/CON_.wav",
            "out/a_b_.wav",
            "out/\u{a0}■²ⁿ.wav",
            "out/0x61006200.wav",
            "out/.._x.wav",
            "out.json"
        ]
    );
    let archive: &dyn Archive = &lines;
    assert!(archive.entries().all(|entry| !entry.name.contains(['/', '\\', '\0'])));
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes, folder.path());
    assert_eq!(packed(&FORMAT, folder.path()).unwrap().0, bytes);
}

#[test]
fn the_wav_of_a_voice_matches_its_header() {
    let lines = open(&bytes());
    let wav = lines.open(0).unwrap();
    assert_eq!(decode_wav(&wav.read_all().unwrap()).unwrap(), sound(b"abc"));
    assert_eq!(lines.entry(0).unwrap().note, "\"Hi\", 11025 Hz, 8 bits, mono, 0.00 s");
}

#[test]
fn refuses_too_many_lines_before_reading_them() {
    let count = MAX_LINES + 1;
    let mut bytes = vec![0; usize::try_from(count).unwrap() * 12];
    bytes.extend(b"RNAV\0\0\0\0");
    bytes.extend(u32::try_from(count).unwrap().to_le_bytes());
    let error = read(&bytes).unwrap_err();
    assert_eq!((error.kind(), error.path().as_str()), (record::Kind::Limit, "footer.index_count"));
}

#[test]
fn speech_volume_is_the_header_volume_capped_at_127() {
    for (stored, spoken) in [(0, 0), (12, 12), (64, 64), (100, 100), (200, 127)] {
        let line = Content::voiced("Hi", &sound(b"abc"), stored).unwrap();
        let file = written(&Dialogue::new(vec![(tag("#bon"), line)]));
        let (sink, _) = exported(&FORMAT, &open(&file), "wav", &[]);
        let json = sink.files().iter().find(|(name, _)| name.ends_with(".json")).unwrap();
        let json: json::Value = json::from_slice(&json.1).unwrap();
        let line = &json["lines"][0];
        assert_eq!((&line["volume"], &line["speech_volume"]), (&stored.into(), &spoken.into()), "{json}");
    }
}
