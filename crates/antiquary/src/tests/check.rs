//! Describing and checking many files.

use asset::{Detail, Source};
use json::json;

use super::textbox::textbox;
use super::{Folder, failure, messages, session};
use crate::run::Strictness;
use crate::session::{CheckOptions, DescribeOptions, Inputs};

#[test]
fn references_are_looked_up_in_the_containing_game() {
    let folder = Folder::game();
    let run = session().check(&Inputs::collect(&[folder.path("Boxes")]), &CheckOptions::default()).unwrap();
    let found: Vec<_> = run
        .outcomes
        .iter()
        .map(|outcome| {
            let summary = outcome.description.as_ref().map_or("-", |it| it.summary.as_str());
            (folder.short(&outcome.input), outcome.ok, summary.to_owned(), messages(outcome))
        })
        .collect();
    let row = |name: &str, ok, summary: &str, warnings: &[&str]| {
        let warnings: Vec<_> = warnings.iter().map(|warning| (*warning).to_owned()).collect();
        (name.to_owned(), ok, summary.to_owned(), warnings)
    };
    assert_eq!(
        found,
        [
            row("Boxes/a.box", true, "text, 5 characters", &[]),
            row("Boxes/bad.box", false, "-", &[]),
            row(
                "Boxes/c.box",
                true,
                "text, 1 characters",
                &["warning BOX-W001: picture: \"moon.png\" not found"]
            ),
            row(
                "Boxes/deep/b.box",
                true,
                "text, 2 characters",
                &["note BOX-N002: picture: \"..\\SUN.PNG\" is Boxes/sun.png"]
            ),
            row("Boxes/empty.box", false, "-", &[]),
        ]
    );
    assert_eq!(run.failed(), 2);
    let unknown: Vec<_> = run.unknown.iter().map(|(extension, count)| (extension.as_str(), *count)).collect();
    assert_eq!(unknown, [("###", 2), ("ini", 1), ("me", 1), ("png", 1)]);
    assert_eq!(run.unknown_files(), 5);
}

#[test]
fn files_next_to_the_only_game_in_a_folder_use_it_for_lookups() {
    let folder = Folder::new();
    folder.put("mod/Boxes/list.ini", b"[list]");
    folder.put("mod/Boxes/sun.png", b"a picture");
    folder.put("extra/a.box", &textbox(1, "Boxes/sun.png", "hello"));
    let inputs = Inputs::collect(&[folder.path("")]);
    let reported = |run: &crate::Run| run.outcomes.iter().flat_map(messages).collect::<Vec<_>>();
    assert!(reported(&session().check(&inputs, &CheckOptions::default()).unwrap()).is_empty());
    let mut of_game = session();
    of_game.games = vec![folder.path("")];
    assert!(reported(&of_game.check(&inputs, &CheckOptions::default()).unwrap()).is_empty());
    assert_eq!(session().scan(&folder.path("")).unwrap().game, Some("test"));
    folder.put("other/Boxes/list.ini", b"[list]");
    let error = of_game.check(&inputs, &CheckOptions::default()).unwrap_err();
    assert!(error.to_string().contains("(\"mod\" and \"other\"); name one of them"), "{error}");
}

#[test]
fn strict_mode_fails_on_warnings_but_not_on_notes() {
    let folder = Folder::game();
    let inputs = Inputs::collect(&[folder.path("Boxes/c.box"), folder.path("Boxes/deep/b.box")]);
    let mut session = session();
    assert_eq!(session.check(&inputs, &CheckOptions::default()).unwrap().failed(), 0);
    session.strictness = Strictness::Strict;
    let run = session.check(&inputs, &CheckOptions::default()).unwrap();
    assert_eq!(run.outcomes.iter().map(|outcome| outcome.ok).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn an_error_among_the_warnings_is_a_failure() {
    let folder = Folder::new();
    let file = folder.put("x.box", &textbox(1, "x.box", "ERROR"));
    let run = session().check(&Inputs::collect(&[file]), &CheckOptions::default()).unwrap();
    assert!(!run.outcomes[0].ok && run.outcomes[0].error.is_none());
}

#[test]
fn an_explicit_file_must_be_known_and_one_in_a_folder_need_not_be() {
    let folder = Folder::game();
    let named = [folder.path("Boxes/read.me"), folder.path("nothing.box"), folder.path("Boxes/a.box")];
    let run = session().check(&Inputs::collect(&named), &CheckOptions::default()).unwrap();
    assert_eq!(failure(&run.outcomes[0]), "unknown file format");
    assert_eq!(run.outcomes[0].error.as_ref().unwrap().offset(), Some(0));
    assert_eq!(run.outcomes[1].error.as_ref().unwrap().kind().name(), "io");
    assert!(run.outcomes[2].ok);
}

#[test]
fn references_are_looked_up_in_the_given_game_folder() {
    let (game, folder) = (Folder::game(), Folder::new());
    let loose = folder.put("loose.box", &textbox(1, "boxes/sun.png", ""));
    let inputs = Inputs::collect(&[loose]);
    let mut session = session();
    assert_eq!(
        session.check(&inputs, &CheckOptions::default()).unwrap().outcomes[0]
            .warnings
            .count_of(&super::textbox::BOX.codes[0]),
        1
    );
    session.games = vec![game.path("")];
    let run = session.check(&inputs, &CheckOptions::default()).unwrap();
    assert_eq!(messages(&run.outcomes[0]), ["note BOX-N002: picture: \"boxes/sun.png\" is Boxes/sun.png"]);
    session.games = vec![game.path("nothing")];
    assert!(session.check(&inputs, &CheckOptions::default()).is_err());
}

#[test]
fn inputs_from_memory_are_described() {
    let inputs = Inputs::of_source("-", Source::from(textbox(2, "x.png", "abc")));
    let run = session().describe(&inputs, &DescribeOptions::default().detail(Detail::Full)).unwrap();
    assert_eq!(
        json::to_value(&run).unwrap(),
        json!({
            "outcomes": [{
                "input": "-", "format": "test.box", "length": 17, "ok": true,
                "summary": "text, 3 characters", "dialect": "v2", "counts": {"characters": 3},
                "fields": {"version": 2, "picture": "x.png", "text": "abc"},
                "warnings": [], "error": null
            }],
            "unknown": {}, "known": [], "left_out": {}, "containers": [], "gallery": null, "shared": null, "leftovers": [], "hints": []
        })
    );
    assert_eq!(
        session().check(&inputs, &CheckOptions::default()).unwrap().outcomes[0].warnings.iter().count(),
        1
    );
}

#[test]
fn a_failure_in_json_has_kind_message_and_location() {
    let inputs = Inputs::of_source("x", Source::from(b"TEXTBOX\x07\x00".to_vec()));
    let run = session().describe(&inputs, &DescribeOptions::default()).unwrap();
    assert_eq!(
        json::to_value(&run.outcomes[0]).unwrap(),
        json!({
            "input": "x", "format": "test.box", "length": 9, "ok": false, "warnings": [],
            "error": {"kind": "unsupported", "message": "version unknown", "offset": 7, "path": "version"}
        })
    );
    assert_eq!(
        run.outcomes[0].error.as_ref().unwrap().to_string(),
        "x: version: version unknown, at offset 0x7"
    );
}
