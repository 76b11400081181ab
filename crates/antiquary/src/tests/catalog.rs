//! Finding formats and recognizing files.

use asset::{Kind, Source};

use super::textbox::{CATALOG, textbox};
use super::{Folder, failure, session};
use crate::session::{CheckOptions, DescribeOptions, Inputs};

fn detect(bytes: &[u8], name: Option<&str>) -> Option<&'static str> {
    let found = CATALOG.detect(&Source::from(bytes.to_vec()), name).unwrap();
    found.map(|found| found.format.id)
}

#[test]
fn content_takes_precedence_over_the_name() {
    assert_eq!(detect(b"TEXTBOX", Some("x.note")), Some("test.box"));
    assert_eq!(detect(b"", Some("A.BOX")), Some("test.box"));
    assert_eq!(detect(b"whatever", Some("folder/a.box")), Some("test.box"));
    assert_eq!(detect(b"whatever", Some("a.exe")), None);
    assert_eq!(detect(b"whatever", None), None);
}

#[test]
fn a_format_can_ignore_the_name() {
    assert_eq!(detect(b"whatever", Some("a.note")), None);
}

#[test]
fn ties_are_broken_by_extension_then_by_order() {
    assert_eq!(detect(b"NOTE", Some("x.other")), Some("other.note"));
    assert_eq!(detect(b"NOTE", Some("x.note")), Some("test.note"));
    assert_eq!(detect(b"NOTE", None), Some("test.note"));
}

#[test]
fn a_format_is_found_by_its_id_or_the_part_after_the_game() {
    assert_eq!(CATALOG.format("test.box").unwrap().id, "test.box");
    assert_eq!(CATALOG.format("BOX").unwrap().id, "test.box");
    let message = |id| CATALOG.format(id).unwrap_err().to_string();
    assert_eq!(message("bix"), "unknown format \"bix\"; did you mean \"box\"?");
    assert_eq!(message("note"), "\"note\" is ambiguous: it can mean test.note, other.note");
}

#[test]
fn each_option_is_listed_once_with_the_formats_that_have_it() {
    let options: Vec<_> = CATALOG
        .options()
        .into_iter()
        .map(|(name, formats)| (name, formats.iter().map(|(format, _)| format.id).collect::<Vec<_>>()))
        .collect();
    assert_eq!(options, [("case", vec!["test.box", "other.note"]), ("side", vec!["test.box"])]);
}

#[test]
fn a_file_is_opened_with_its_format_and_errors_name_the_file() {
    let folder = Folder::game();
    let opened = CATALOG.open(&folder.path("Boxes/a.box")).unwrap();
    assert_eq!((opened.format.id, opened.source.len()), ("test.box", 21));
    let message = |name: &str| {
        let error = CATALOG.open(&folder.path(name)).unwrap_err();
        (error.kind(), folder.short(&error.to_string()))
    };
    let malformed = |text: &str| (Kind::Malformed, text.to_owned());
    assert_eq!(
        message("Boxes/bad.box"),
        malformed("Boxes/bad.box: picture: picture runs past the end, at offset 0x8")
    );
    assert_eq!(message("Boxes/empty.box"), malformed("Boxes/empty.box: the file is empty, at offset 0x0"));
    assert_eq!(message("Boxes/read.me"), malformed("Boxes/read.me: unknown file format, at offset 0x0"));
    assert_eq!(message("Boxes"), (Kind::Usage, "Boxes: is a folder, not a file".to_owned()));
    assert_eq!(message("nothing").0, Kind::Io);
}

#[test]
fn the_hex_view_comes_from_the_asset() {
    let source = Source::from(textbox(1, "", "x"));
    let opened = CATALOG.open_source(source, None).unwrap();
    let mut paths = Vec::new();
    let mut visitor = |span: asset::Span<'_>| {
        paths.push(span.path.to_owned());
        asset::Visit::Continue
    };
    opened.format.trace(&*opened.asset, &opened.source, &mut visitor).unwrap();
    assert_eq!(paths, ["version", "rest"]);
}

#[test]
#[cfg(unix)]
fn a_pipe_is_refused_without_waiting_for_it() {
    let folder = Folder::new();
    let pipe = folder.path("pipe.box");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let run = session().describe(&Inputs::collect(&[pipe]), &DescribeOptions::default()).unwrap();
    assert_eq!(failure(&run.outcomes[0]), "is not a regular file");
    let run = session().describe(&Inputs::collect(&[folder.path("")]), &DescribeOptions::default()).unwrap();
    assert!(run.outcomes.is_empty());
}

#[test]
fn describes_known_but_unread_files_by_content_and_by_name() {
    let folder = Folder::game();
    let jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0 and more";
    folder.put("Boxes/face.pt", jpeg);
    folder.put("Boxes/photo.box", jpeg);
    folder.put("Boxes/skipped.note.bak", b"words");
    let refused = |name: &str| {
        let run =
            session().describe(&Inputs::collect(&[folder.path(name)]), &DescribeOptions::default()).unwrap();
        failure(&run.outcomes[0]).to_owned()
    };
    let message = "not a game file: JPEG image; opens in any image viewer";
    assert_eq!(refused("Boxes/face.pt"), message);
    assert_eq!(refused("Boxes/photo.box"), message, "content takes precedence over the extension");
    assert_eq!(refused("Boxes/skipped.note.bak"), "unknown file format");
    let run = session().check(&Inputs::collect(&[folder.path("Boxes")]), &CheckOptions::default()).unwrap();
    let known: Vec<_> = run.known.iter().map(|known| (known.game, &*known.pattern, known.files)).collect();
    assert!(known.contains(&(None, "*.pt", 1)) && known.contains(&(None, "*.box", 1)), "{known:?}");
}
