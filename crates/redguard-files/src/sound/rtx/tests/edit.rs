//! Editing texts and voices, in the archive and in an unpacked folder.

use asset::Archive;
use asset::{Context, Report};
use record::{Result, Source};
use scene::sound::{Depth, SampleFormat, Sound, encode_wav};

use super::super::*;
use super::{FORM, bytes, open, read, with};
use proof::{checked, packed, single_warning, unpacked};

pub(super) fn replaced(bytes: &[u8], index: usize, name: &str, content: &[u8]) -> Result<(Vec<u8>, Report)> {
    let (install, options) = (asset::Install::empty(), asset::Options::default());
    let context = Context { install: &install, location: None, options: &options };
    let (mut out, mut report) = (Vec::new(), Report::new());
    let content = Source::from(content.to_vec());
    open(bytes).replace(&context, index, name, &content, &mut out, &mut report)?;
    Ok((out, report))
}

pub(super) fn wav(form: SampleFormat, data: &[u8]) -> Vec<u8> {
    encode_wav(&Sound { form, data: data.to_vec(), loops: None }).unwrap()
}

/// Returns the lines of a file: tag, text, samples.
pub(super) fn reported(bytes: &[u8]) -> Vec<(String, String, Option<Vec<u8>>)> {
    let dialogue = read(bytes).unwrap();
    let line = |(_, line): (usize, &Line)| {
        let content = line.payload.content().unwrap();
        let pcm = content.voice.as_ref().map(|voice| voice.pcm.read_all().unwrap().into_owned());
        (line.tag.text(), content.text(), pcm)
    };
    dialogue.lines().map(line).collect()
}

fn expect(
    first: (&str, Option<&[u8]>),
    second: (&str, Option<&[u8]>),
) -> Vec<(String, String, Option<Vec<u8>>)> {
    let line =
        |tag: &str, (text, pcm): (&str, Option<&[u8]>)| (tag.into(), text.into(), pcm.map(<[u8]>::to_vec));
    vec![line("ab1?", first), line("#bon", second)]
}

#[test]
fn replaces_the_voice_or_the_text_of_a_line() {
    let file = bytes();
    let longer = wav(SampleFormat { rate: 22050, channels: 1, depth: Depth::Sixteen }, b"longer");
    // The index is in reverse order: 0 is the voiced line.
    let change = |index, name: &str, content: &[u8]| replaced(&file, index, name, content).unwrap().0;
    assert_eq!(reported(&change(0, "x.wav", &longer)), expect(("Né", None), ("Hi", Some(b"longer"))));
    assert_eq!(reported(&change(1, "x.wav", &longer)), expect(("Né", Some(b"longer")), ("Hi", Some(b"abc"))));
    assert_eq!(
        reported(&change(0, "x.txt", "Grüß dich\n".as_bytes())),
        expect(("Né", None), ("Grüß dich", Some(b"abc")))
    );
    assert_eq!(reported(&change(1, "x.txt", b"\xef\xbb\xbf")), expect(("", None), ("Hi", Some(b"abc"))));
    for index in [0, 1] {
        let own = open(&file).open(index).unwrap().read_all().unwrap().into_owned();
        assert_eq!(change(index, "own", &own), file);
        assert_eq!(open(&file).entry(index).unwrap().length, own.len() as u64);
    }
    let voiced = read(&change(1, "x.wav", &longer)).unwrap();
    assert_eq!(voiced.pieces[0].line().unwrap().payload.voice().unwrap().header.volume, 100);
    assert_eq!(checked(&FORMAT, &OpenDialogue::new(voiced)).count_of(&warning::RATE), 0);
}

#[test]
fn refuses_unsuitable_replacements_with_a_clear_message() {
    for (name, content, message) in [
        ("x.wav", &b"no"[..], "x.wav: WAV: not a RIFF WAVE file, at offset 0x0"),
        (
            "x.txt",
            "a 한 b".as_bytes(),
            "x.txt: \"a 한 b\" contains characters that are not in the game's charset (cp437): 한",
        ),
        ("x.mp3", b"\xff\xfb", "x.mp3: expected a WAV file or UTF-8 text, at offset 0x0"),
    ] {
        assert_eq!(replaced(&bytes(), 0, name, content).unwrap_err().to_string(), message);
    }
    let damaged = with(&[(24, &[0, 7])]);
    assert!(replaced(&damaged, 0, "x.wav", &wav(FORM, b"a")).is_err());
    assert_eq!(
        reported(&replaced(&damaged, 0, "x.txt", b"new").unwrap().0),
        expect(("Né", None), ("new", None))
    );
}

#[test]
fn changing_a_shared_line_is_reported() {
    let shared = with(&[(70, b"\x08\0\0\0\x08\0\0\0")]);
    let (new, report) = replaced(&shared, 0, "x.txt", b"both").unwrap();
    single_warning(&report, &warning::SHARED);
    let lines = open(&new);
    for index in [0, 1] {
        assert_eq!(&*lines.open(index).unwrap().read_all().unwrap(), b"both");
    }
}

/// An edit of a view.
type Edit<'a> = &'a dyn Fn(Vec<u8>) -> Vec<u8>;

/// Edits files in `views/`, packs, and returns the file.
fn edited(edits: &[(&str, Edit<'_>)]) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    unpacked(&FORMAT, &bytes(), folder.path());
    for (view, edit) in edits {
        let path = folder.path().join("views").join(view);
        std::fs::write(&path, edit(std::fs::read(&path).unwrap())).unwrap();
    }
    packed(&FORMAT, folder.path()).map(|(bytes, _)| bytes)
}

#[test]
fn texts_are_edited_in_one_view() {
    assert_eq!(edited(&[]).unwrap(), bytes());
    let change = |from: &'static str, to: &'static str| {
        move |view: Vec<u8>| String::from_utf8(view).unwrap().replace(from, to).into_bytes()
    };
    let new = edited(&[("texts.json", &change("\"Né\"", "\"Ça va?\""))]).unwrap();
    assert_eq!(reported(&new), expect(("Ça va?", None), ("Hi", Some(b"abc"))));
    let renamed = edited(&[("texts.json", &change("ab1?", "ab2?"))]).unwrap();
    assert!(checked(&FORMAT, &open(&renamed)).is_empty());
    assert_eq!(reported(&renamed)[0].0, "ab2?");
    let error = edited(&[("texts.json", &change("\"piece\":0", "\"piece\":9"))]).unwrap_err();
    assert_eq!(error.to_string(), "views/texts.json: [0]: piece 9 is not a line of the record");
    let error = edited(&[("texts.json", &change("Hi", "한"))]).unwrap_err();
    assert!(error.to_string().starts_with("pieces[1].text: "), "{error}");
}

#[test]
fn voices_are_replaced_added_and_removed_as_wavs() {
    let new = |_: Vec<u8>| wav(SampleFormat { rate: 22050, channels: 1, depth: Depth::Sixteen }, b"longer");
    let silent = |_: Vec<u8>| wav(FORM, b"");
    let empty = |_: Vec<u8>| Vec::new();
    assert_eq!(
        reported(&edited(&[("voices/#bon.wav", &new)]).unwrap()),
        expect(("Né", None), ("Hi", Some(b"longer")))
    );
    assert_eq!(
        reported(&edited(&[("no-voice/ab1_.wav", &new)]).unwrap()),
        expect(("Né", Some(b"longer")), ("Hi", Some(b"abc")))
    );
    for silence in [&silent as Edit<'_>, &empty] {
        assert_eq!(
            reported(&edited(&[("voices/#bon.wav", silence)]).unwrap()),
            expect(("Né", None), ("Hi", None))
        );
    }
    let stereo = |_: Vec<u8>| wav(SampleFormat { channels: 2, ..FORM }, b"acbd");
    assert_eq!(
        reported(&edited(&[("voices/#bon.wav", &stereo)]).unwrap()),
        expect(("Né", None), ("Hi", Some(b"bc")))
    );
}
