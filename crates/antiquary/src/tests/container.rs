//! Containers: their files are processed like files in a folder.

use std::path::PathBuf;

use asset::archive::Content;
use asset::{Overwrite, Severity};

use super::crates::crate_of;
use super::textbox::textbox;
use super::{Folder, convert, failure, messages, session};
use crate::run::Run;
use crate::session::{
    ArchiveContents, CheckOptions, ConvertOptions, Destination, ExtractOptions, Inputs, PackOptions,
    Patterns, Session,
};

/// Creates a folder with a crate: boxes, one of which refers to a picture next to it, skipped files, and names that lead out
/// of the folder.
fn folder() -> Folder {
    let folder = Folder::new();
    let files: [(&str, &[u8]); 8] = [
        ("data\\a.box", &textbox(1, "SUN.png", "a")),
        ("data/deep\\b.BOX", &textbox(2, "nowhere.png", "b")),
        ("data\\sun.png", b"UNTOUCHED"),
        ("..\\..\\out.box", &textbox(1, "", "out")),
        ("..\\read.xyz", b"UNTOUCHED"),
        ("data\\con.txt", b"a device"),
        ("data\\CON.TXT", b"its twin"),
        ("data\\sealed.txt", b"SEALED"),
    ];
    folder.put("in/x.crate", &crate_of(&files));
    folder
}

fn patterns(texts: &[&str]) -> Patterns {
    Patterns::parse(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>()).unwrap()
}

fn extract(session: &Session<'_>, folder: &Folder, chosen: &[&str], out: &str) -> Run {
    let options = ExtractOptions::default().patterns(patterns(chosen));
    session.extract(&folder.path("in/x.crate"), &folder.path(out), &options).unwrap()
}

#[test]
fn convertible_entries_keep_their_tree() {
    let folder = folder();
    let out = folder.path("deep/er/out");
    let run = convert(&session(), &[folder.path("in/x.crate")], &out);
    assert_eq!(run.failed(), 0, "{run:?}");
    assert_eq!(folder.files("deep/er/out"), ["data/a.box.txt", "data/deep/b.BOX.txt", "out.box.txt"]);
    assert_eq!(folder.files("deep").len(), 3, "nothing is written outside");
    let unknown: Vec<_> = run.unknown.iter().map(|(extension, count)| (extension.as_str(), *count)).collect();
    assert_eq!(unknown, [("png", 1), ("txt", 2), ("xyz", 1)]);
    // References of a file are resolved in the same container.
    let outcomes: Vec<_> =
        run.outcomes.iter().map(|outcome| (folder.short(&outcome.input), messages(outcome))).collect();
    assert_eq!(outcomes[0].0, "in/x.crate/data/a.box");
    assert_eq!(outcomes[0].1, ["note BOX-N002: picture: \"SUN.png\" is data/sun.png"]);
    assert_eq!(outcomes[1].1, ["warning BOX-W001: picture: \"nowhere.png\" not found"]);
}

#[test]
fn with_other_inputs_a_container_becomes_a_folder() {
    let folder = folder();
    folder.put("in/c.box", &textbox(1, "", "c"));
    folder.put("in/bad.crate", b"CRATE?");
    folder.put("in/fine.crate", &[&crate_of(&[("x.box", &textbox(1, "", "x"))])[..], b"!"].concat());
    let run = convert(&session(), &[folder.path("in")], &folder.path("out"));
    assert_eq!(
        folder.files("out"),
        [
            "c.box.txt",
            "fine.crate/x.box.txt",
            "x.crate/data/a.box.txt",
            "x.crate/data/deep/b.BOX.txt",
            "x.crate/out.box.txt"
        ]
    );
    let failed: Vec<_> = run.outcomes.iter().filter(|outcome| !outcome.ok).collect();
    assert_eq!((failed.len(), failure(failed[0])), (1, "no kind"));
    // Damage found while opening is reported for the container.
    let reported: Vec<_> =
        run.outcomes.iter().filter(|outcome| outcome.input.ends_with("fine.crate")).collect();
    assert_eq!(messages(reported[0]), ["warning CRATE-W001: damage, at offset 0x17"]);
    assert!(reported[0].ok && run.left_out.is_empty(), "{run:?}");
}

#[test]
fn a_container_needs_an_output_folder() {
    let folder = folder();
    let existing = folder.put("taken.txt", b"mine");
    let inputs = Inputs::collect(&[folder.path("in/x.crate")]);
    let refused = |out: &std::path::Path| {
        let destination = Destination::new(out, &inputs, session().catalog).unwrap();
        session().convert(&inputs, &destination, &ConvertOptions::default()).unwrap_err().message().to_owned()
    };
    assert_eq!(refused(&existing), "is a file, but the contents of an archive need an output folder");
    let reported = refused(&folder.path("new.json"));
    assert!(
        reported.starts_with("is the name of a file, but the contents of an archive need an"),
        "{reported}"
    );
    assert!(reported.contains("/new/`, or `-o ") && !folder.path("new.json").exists(), "{reported}");
}

#[test]
fn containers_of_a_game_are_opened_and_missing_ones_reported() {
    let folder = Folder::game();
    folder.put("crates.txt", b"lost.crate\nmore.crate");
    folder.put("more.crate", &crate_of(&[("BOXES\\moon.png", b"a picture"), ("Boxes/sun.png", b"hidden")]));
    let run =
        session().check(&Inputs::collect(&[folder.path("Boxes/c.box")]), &CheckOptions::default()).unwrap();
    assert_eq!(messages(&run.outcomes[0]), ["note BOX-N002: picture: \"moon.png\" is BOXES/moon.png"]);
    assert_eq!(run.containers.len(), 1, "{run:?}");
    assert!(run.containers[0].to_string().contains("lost.crate: was not found"), "{run:?}");
    assert!(run.containers[0].file().as_ref().unwrap().ends_with("lost.crate"), "{run:?}");

    // The same with a container that is given as the game.
    let alone = Folder::new();
    let file = alone.put("c.box", &textbox(2, "moon.png", "x"));
    let named = Session { games: vec![folder.path("more.crate")], ..session() };
    let run = named.check(&Inputs::collect(&[file]), &CheckOptions::default()).unwrap();
    assert_eq!(messages(&run.outcomes[0]).len(), 1, "it is in another folder of the container");
    assert!(run.containers.is_empty());
    let wrong = Session { games: vec![folder.path("n.note")], ..session() };
    assert!(wrong.check(&Inputs::collect(&[alone.path("c.box")]), &CheckOptions::default()).is_err());
}

#[test]
fn a_container_is_checked_with_or_without_its_entries() {
    let folder = folder();
    folder.put(
        "in/x.crate",
        &crate_of(&[("a.box", &textbox(9, "", "")), ("b.box", &textbox(1, "", "")), ("c", b"")]),
    );
    let inputs = Inputs::collect(&[folder.path("in/x.crate")]);
    let closed = session().check(&inputs, &CheckOptions::default()).unwrap();
    assert_eq!((closed.outcomes.len(), closed.failed()), (1, 0));
    let inside = CheckOptions::default().inside(ArchiveContents::Check);
    let opened = session().check(&inputs, &inside).unwrap();
    let reported: Vec<_> =
        opened.outcomes.iter().map(|outcome| (folder.short(&outcome.input), outcome.ok)).collect();
    assert_eq!(
        reported,
        [("in/x.crate", true), ("in/x.crate/a.box", false), ("in/x.crate/b.box", true)]
            .map(|(path, ok)| (path.to_owned(), ok))
    );
}

#[test]
fn a_scan_counts_entries_of_containers() {
    let folder = folder();
    for path in ["in", "in/x.crate"] {
        let scan = session().scan(&folder.path(path)).unwrap();
        assert_eq!(scan.files, 9, "{path}");
        let found: Vec<_> = scan.formats.iter().map(|format| (format.format, format.files)).collect();
        assert_eq!(found, [("test.box", 3), ("test.crate", 1)], "{path}");
        // A sealed entry counts as a file, but is not opened.
        assert_eq!(scan.unknown["txt"], 2, "{path}");
    }
    assert!(session().scan(&folder.put("a.box", &textbox(1, "", ""))).is_err());
}

#[test]
fn containers_are_listed() {
    let folder = folder();
    let (path, lost) = (folder.path("in/x.crate"), folder.path("lost.crate"));
    let run = session().list(&[path.clone(), lost], &Patterns::default());
    let entries = run.outcomes[0].entries.as_ref().unwrap();
    assert_eq!((entries.len(), &*entries[0].name), (8, "data\\a.box"));
    assert_eq!((run.outcomes[0].ok, run.outcomes[0].format), (true, Some("test.crate")));
    assert!(!run.outcomes[1].ok && run.outcomes[1].entries.is_none());
    let run = session().list(std::slice::from_ref(&path), &patterns(&["*.BOX", "data/deep"]));
    let names: Vec<_> = run.outcomes[0].entries.iter().flatten().map(|entry| &*entry.name).collect();
    assert_eq!(names, ["data\\a.box", "data/deep\\b.BOX", "..\\..\\out.box"]);
    let run = session().list(&[path], &patterns(&["*.box", "*.bxo", "x/y"]));
    assert_eq!(failure(&run.outcomes[0]), "no entry matches \"*.bxo\", \"x/y\"");
    let file = folder.put("a.box", &textbox(1, "", ""));
    let run = session().list(&[file], &Patterns::default());
    assert_eq!(failure(&run.outcomes[0]), "`test.box` files are not archives");
}

#[test]
fn files_are_extracted_under_safe_names_and_never_outside() {
    let folder = folder();
    let run = extract(&session(), &folder, &["*.box", "*.txt"], "a/b/out");
    assert_eq!(
        folder.files("a/b/out"),
        ["data/CON_~2.TXT", "data/a.box", "data/con_.txt", "data/deep/b.BOX"]
    );
    assert_eq!(folder.files("a").len(), 4, "nothing is written outside");
    assert_eq!(folder.text("a/b/out/data/CON_~2.TXT"), "its twin");
    let failed: Vec<_> = run.outcomes.iter().filter(|outcome| !outcome.ok).map(failure).collect();
    assert_eq!(failed, ["leads outside the game folder, so it is not extracted"]);
    let reported: Vec<_> = run.outcomes.iter().flat_map(messages).collect();
    assert_eq!(
        reported,
        [
            "note EXTRACT-N001: \"data\\con.txt\" is written as \"data/con_.txt\"",
            "note EXTRACT-N001: \"data\\CON.TXT\" is written as \"data/CON_~2.TXT\"",
        ]
    );
}

#[test]
fn extracting_does_not_overwrite_by_default() {
    let folder = folder();
    folder.put("out/data/con_.txt", b"mine");
    let run = extract(&session(), &folder, &["con.txt"], "out");
    assert_eq!((run.failed(), failure(&run.outcomes[0])), (1, "already exists"));
    assert_eq!(folder.text("out/data/con_.txt"), "mine");
    let force = session().overwrite(Overwrite::Allow);
    assert_eq!(extract(&force, &folder, &["con.txt"], "out").failed(), 0);
    assert_eq!(folder.text("out/data/con_.txt"), "a device");
}

#[test]
fn warnings_of_a_container_are_reported_before_its_files() {
    let folder = Folder::new();
    folder.put("in/x.crate", &[&crate_of(&[("a", b"1"), ("b", b"SEALED")])[..], b"!"].concat());
    let run = extract(&session(), &folder, &[], "out");
    assert_eq!(run.outcomes.len(), 2, "a sealed entry is skipped");
    assert_eq!(run.warnings(Severity::Warning), 1);
    assert!(run.outcomes[0].input.ends_with("x.crate") && run.outcomes[0].ok);
    assert_eq!(folder.files("out"), ["a"]);
    let listed = session().list(&[folder.path("in/x.crate")], &Patterns::default());
    assert_eq!(listed.outcomes[0].entries.as_ref().unwrap()[1].content, Content::Unreadable);
}

#[test]
fn a_plain_folder_becomes_a_container() {
    let folder = Folder::new();
    folder.put("mod/data/b.txt", b"b");
    folder.put("mod/data/A.txt", b"a");
    let out = folder.path("mod.crate");
    let outcome = session().pack(&folder.path("mod"), &out, &PackOptions::default()).unwrap();
    assert_eq!((outcome.ok, outcome.format), (true, Some("test.crate")));
    assert_eq!(std::fs::read(&out).unwrap(), crate_of(&[("data/A.txt", b"a"), ("data/b.txt", b"b")]));
    let error = session().pack(&folder.path("mod"), &out, &PackOptions::default()).unwrap_err();
    assert_eq!(error.message(), "already exists");

    // The output may be in the packed folder, but must not replace a packed file.
    let force = session().overwrite(Overwrite::Allow);
    assert!(
        force
            .pack(&folder.path("mod"), &folder.path("mod/../mod/x.crate"), &PackOptions::default())
            .unwrap()
            .ok
    );
    assert_eq!(std::fs::read(folder.path("mod/x.crate")).unwrap(), std::fs::read(&out).unwrap());
    let error = force
        .pack(&folder.path("mod"), &folder.path("mod/../mod/x.crate"), &PackOptions::default())
        .unwrap_err();
    assert_eq!(error.message(), "is an input, and inputs are never overwritten");
    std::fs::create_dir(folder.path("empty")).unwrap();
    let error = session()
        .pack(&folder.path("empty"), &folder.path("empty.crate"), &PackOptions::default())
        .unwrap_err();
    assert_eq!(error.message(), "contains no files to pack");
    let error =
        session().pack(&folder.path("mod"), &PathBuf::from("mod.box"), &PackOptions::default()).unwrap_err();
    assert!(error.message().contains("antiquary.json"), "{error}");
}
