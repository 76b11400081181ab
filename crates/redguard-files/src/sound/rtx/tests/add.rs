//! Adding and removing lines, in the archive and in an unpacked folder.

use std::path::Path;

use asset::archive::Change;
use asset::unpack::{NEW_ENTRY, ROW_REMOVED};
use json::{Value, json};
use proof::{edited, packed, put, single_warning, unpacked};

use super::super::*;
use super::edit::{reported, wav};
use super::{FORM, bytes, lines, read, written};

fn tags(bytes: &[u8]) -> Vec<String> {
    reported(bytes).into_iter().map(|(tag, _, _)| tag).collect()
}

#[test]
fn adds_and_removes_a_line_with_text_and_voice() {
    let voice = wav(FORM, b"new");
    let (added, done, report) =
        edited(&FORMAT, &bytes(), &[put("ab12.txt", b"Hello\n"), put("AB12.wav", &voice)]).unwrap();
    assert_eq!(done, ["ab12.wav added"]);
    assert!(report.is_empty(), "{report:?}");
    assert_eq!(reported(&added)[2], ("ab12".to_owned(), "Hello".to_owned(), Some(b"new".to_vec())));
    assert_eq!(reported(&added)[..2], reported(&bytes()));
    let dialogue = read(&added).unwrap();
    assert!(dialogue.is_default() && dialogue.index[0].tag.text() == "ab12");
    assert_eq!(dialogue.pieces[2].line().unwrap().payload.voice().unwrap().header.volume, 100);
    let (removed, done, _) = edited(&FORMAT, &added, &[Change::Remove(0)]).unwrap();
    assert!(removed == bytes() && done == ["ab12.wav removed"]);
}

#[test]
fn warns_about_a_new_voice_without_text() {
    let (added, done, report) = edited(&FORMAT, &bytes(), &[put("ab12.wav", &wav(FORM, b"new"))]).unwrap();
    assert_eq!(done, ["ab12.wav added"]);
    assert_eq!(
        single_warning(&report, &warning::NO_TEXT),
        "warning RTX-W020: \"ab12\" has a voice, but no text"
    );
    assert_eq!(reported(&added)[2].1, "");
}

#[test]
fn finds_existing_lines_by_tag_or_by_extracted_file_name() {
    for name in ["AB1?.txt", "ab1_.txt"] {
        let (new, done, _) = edited(&FORMAT, &bytes(), &[put(name, b"New")]).unwrap();
        assert_eq!(done, ["ab1?.txt replaced"], "{name}");
        assert_eq!(reported(&new)[0].1, "New");
    }
    let (new, done, _) = edited(&FORMAT, &bytes(), &[Change::Rename(0, "cd34.wav".to_owned())]).unwrap();
    assert_eq!(done, ["#bon.wav renamed to cd34.wav"]);
    assert_eq!(tags(&new), ["ab1?", "cd34"]);
}

#[test]
fn a_shared_line_is_removed_with_its_last_entry() {
    let mut dialogue = Dialogue::new(lines());
    dialogue.index.push(IndexLine { tag: super::tag("same"), piece: 0 });
    let shared = written(&dialogue);
    // The index contains: #bon, ab1?, same.
    let once = edited(&FORMAT, &shared, &[Change::Remove(1)]).unwrap().0;
    assert_eq!((tags(&once), read(&once).unwrap().index.len()), (vec!["ab1?".into(), "#bon".into()], 2));
    let twice = edited(&FORMAT, &shared, &[Change::Remove(1), Change::Remove(2)]).unwrap().0;
    assert_eq!(tags(&twice), ["#bon"]);
    assert_eq!(read(&twice).unwrap().index, [IndexLine { tag: super::tag("#bon"), piece: 0 }]);
}

#[test]
fn refuses_invalid_tags_texts_and_voices() {
    let message = |changes: &[Change]| edited(&FORMAT, &bytes(), changes).unwrap_err().to_string();
    for name in ["abc.txt", "abcde.txt", "a b.txt", "äbcd.txt", "ab\u{1}d.txt"] {
        let message = message(&[put(name, b"x")]);
        assert!(message.contains("is not a tag: expected four ASCII characters"), "{name}: {message}");
    }
    assert!(message(&[put("ab12.txt", "漢".as_bytes())]).starts_with("ab12.txt: "));
    assert!(message(&[put("ab12.txt", b"\xff\xfe")]).contains("expected a WAV file or UTF-8 text"));
    assert!(message(&[put("ab12.wav", b"text")]).contains("not a RIFF WAVE file"));
    assert!(message(&[Change::Remove(2)]).contains("out of range"));
    assert!(message(&[Change::Rename(0, "AB1?".to_owned())]).contains("already"));
}

/// Edits the rows of the texts.
fn edit_rows(folder: &Path, edit: impl FnOnce(&mut Vec<Value>)) {
    let path = folder.join("views/texts.json");
    let mut rows: Vec<Value> = json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    edit(&mut rows);
    std::fs::write(path, serde_json::to_vec(&rows).unwrap()).unwrap();
}

#[test]
fn a_new_row_adds_a_line_and_a_new_wav_its_voice() {
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes(), folder.path());
    edit_rows(folder.path(), |rows| rows.push(json!({"tag": "ab12", "text": "Hello"})));
    std::fs::write(folder.path().join("views/voices/ab12.wav"), wav(FORM, b"new")).unwrap();
    let (new, report) = packed(&FORMAT, folder.path()).unwrap();
    assert_eq!(
        single_warning(&report, &NEW_ENTRY),
        "note PACK-N008: views/voices/ab12.wav is a new file and becomes the voice of the line \"ab12\""
    );
    assert_eq!(report.count_of(&warning::NO_TEXT), 0);
    assert_eq!(reported(&new)[2], ("ab12".to_owned(), "Hello".to_owned(), Some(b"new".to_vec())));
    assert!(read(&new).unwrap().is_default());
    // The result is the same as editing the archive directly.
    let changes = [put("ab12.txt", b"Hello"), put("ab12.wav", &wav(FORM, b"new"))];
    assert!(edited(&FORMAT, &bytes(), &changes).unwrap().0 == new);
    std::fs::write(folder.path().join("views/voices/cd34.wav"), wav(FORM, b"x")).unwrap();
    let (new, report) = packed(&FORMAT, folder.path()).unwrap();
    assert_eq!((tags(&new).len(), report.count_of(&warning::NO_TEXT)), (4, 1));
}

#[test]
fn a_deleted_row_removes_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut dialogue = Dialogue::new(lines());
    dialogue.index.reverse();
    unpacked(&FORMAT, &written(&dialogue), folder.path());
    edit_rows(folder.path(), |rows| drop(rows.remove(0)));
    let (new, report) = packed(&FORMAT, folder.path()).unwrap();
    assert_eq!(
        single_warning(&report, &ROW_REMOVED),
        "warning PACK-W009: 1 line is not in views/texts.json and was removed: ab1?"
    );
    assert_eq!(tags(&new), ["#bon"]);
}

#[test]
fn errors_about_rows_contain_the_row_number() {
    let message = |edit: fn(&mut Vec<Value>)| {
        let folder = tempfile::tempdir().unwrap();
        unpacked(&FORMAT, &bytes(), folder.path());
        edit_rows(folder.path(), edit);
        packed(&FORMAT, folder.path()).unwrap_err().to_string()
    };
    let copied = message(|rows| rows.push(rows[1].clone()));
    assert_eq!(
        copied,
        "views/texts.json: [2]: piece 1 is in two rows; the row of a new line has no \"piece\""
    );
    let known = message(|rows| rows.push(json!({"tag": "#BON", "text": ""})));
    assert_eq!(known, "views/texts.json: [2].tag: \"#BON\" is already the tag of piece 1");
    let short = message(|rows| rows.insert(0, json!({"tag": "ab", "text": ""})));
    assert!(short.starts_with("views/texts.json: [0].tag: \"ab\" is not a tag"), "{short}");
    let foreign = message(|rows| rows.push(json!({"tag": "ab12", "text": "漢"})));
    assert!(foreign.starts_with("views/texts.json: [2].text: "), "{foreign}");
    let far = message(|rows| rows[0]["piece"] = json!(9));
    assert!(far.contains("piece 9 is not a line of the record"), "{far}");
    assert!(message(|rows| rows[0]["x"] = json!(9)).starts_with("views/texts.json: "));
}
