//! Converting files and folders.

use std::fs;

use asset::{Kind, Overwrite, Source};

use super::textbox::textbox;
use super::{Folder, convert, convert_with, failure, messages, pairs, session};
use crate::run::Strictness;
use crate::session::{ConvertOptions, Destination, Inputs};

#[test]
fn a_folder_is_mirrored_and_one_bad_file_does_not_stop_the_run() {
    let folder = Folder::game();
    let run = convert(&session(), &[folder.path("")], &folder.path("out"));
    assert_eq!(folder.files("out"), ["Boxes/a.box.txt", "Boxes/c.box.txt", "Boxes/deep/b.box.txt"]);
    assert_eq!(folder.text("out/Boxes/a.box.txt"), "hello");
    assert_eq!((run.outcomes.len(), run.failed()), (5, 2));
    assert_eq!(run.left_out.get("test.note"), Some(&1));
    assert_eq!(run.unknown_files(), 5);
    assert_eq!(folder.short(&run.outcomes[0].outputs[0]), "out/Boxes/a.box.txt");
    assert_eq!(messages(&run.outcomes[2]), ["warning BOX-W001: picture: \"moon.png\" not found"]);
}

#[test]
fn the_output_folder_is_not_an_input_even_inside_the_input_folder() {
    let folder = Folder::game();
    folder.put("out/note.unknown", b"from before");
    let run = convert(&session(), &[folder.path("")], &folder.path("out"));
    assert_eq!(run.outcomes.len(), 5);
    assert!(!folder.path("out/out").exists());
    // Existing outputs in it are not inputs, so they can be replaced.
    let again = session().overwrite(Overwrite::Allow);
    let run = convert(&again, &[folder.path("")], &folder.path("out"));
    assert_eq!((run.outcomes.len(), run.failed()), (5, 2));
    // Otherwise inputs would be left out silently.
    let game = Inputs::collect(&[folder.path("")]);
    let destination = Destination::Folder(folder.path("Boxes"));
    let error = session().convert(&game, &destination, &ConvertOptions::default()).unwrap_err();
    assert!(error.message().starts_with("contains 5 input files (such as "), "{error}");
    folder.put("out/x.box", &textbox(1, "", "from before"));
    let game = Inputs::collect(&[folder.path("")]);
    let error = again
        .convert(&game, &Destination::Folder(folder.path("out")), &ConvertOptions::default())
        .unwrap_err();
    assert!(error.message().starts_with("contains 1 input file (such as "), "{error}");
    // A file that is given directly is converted.
    let run = convert(&session(), &[folder.path("out/x.box")], &folder.path("out"));
    assert_eq!(folder.short(&run.outcomes[0].outputs[0]), "out/x.box.txt");
}

#[test]
fn outputs_may_go_into_the_input_folder() {
    let folder = Folder::game();
    convert(&session(), &[folder.path("")], &folder.path(""));
    assert_eq!(folder.text("Boxes/a.box.txt"), "hello");
}

#[test]
fn the_extension_of_a_file_chooses_the_output() {
    let folder = Folder::game();
    let run = convert(&session(), &[folder.path("Boxes/a.box")], &folder.path("new/My Box.JSON"));
    assert!(run.outcomes[0].ok, "{run:?}");
    assert_eq!(folder.files("new"), ["My Box.JSON"]);
    let inputs = Inputs::collect(&[folder.path("Boxes/a.box")]);
    let refused = |out: &str| {
        let destination = Destination::File(out.into());
        let error = session().convert(&inputs, &destination, &ConvertOptions::default()).unwrap_err();
        assert_eq!(error.kind(), Kind::Usage);
        error.to_string()
    };
    assert_eq!(
        refused("x.jsn"),
        "x.jsn: `test.box` files cannot be converted to .jsn (available: txt, json); did you mean \"json\"?"
    );
    assert_eq!(
        refused("x"),
        "x: has no extension to select the output format (available: txt, json); to name a folder, end it with a slash"
    );
}

#[test]
fn outputs_keep_the_full_name_of_their_input_regardless_of_others() {
    let folder = Folder::new();
    for (name, text) in [("A.box", "1"), ("a.bx2", "2"), ("b/c.box", "3"), ("d.box", "4"), ("d?/e.box", "5")]
    {
        folder.put(&format!("in/{name}"), &textbox(1, "", text));
    }
    convert(&session(), &[folder.path("in")], &folder.path("out"));
    let expected = ["A.box.txt", "a.bx2.txt", "b/c.box.txt", "d.box.txt", "d_/e.box.txt"];
    assert_eq!(folder.files("out"), expected);
    assert_eq!(folder.text("out/a.bx2.txt"), "2");
    // A single file gets the same name.
    convert(&session(), &[folder.path("in/d.box")], &folder.path("alone/"));
    assert_eq!(folder.files("alone"), ["d.box.txt"]);
}

#[test]
#[cfg(target_os = "linux")]
fn names_that_differ_only_in_case_get_a_number() {
    let folder = Folder::new();
    for (name, text) in [("M/a.box", "1"), ("m/A.box", "2"), ("con.box", "3")] {
        folder.put(&format!("in/{name}"), &textbox(1, "", text));
    }
    convert(&session(), &[folder.path("in")], &folder.path("out"));
    assert_eq!(folder.files("out"), ["M/A~2.box.txt", "M/a.box.txt", "con_.box.txt"]);
    assert_eq!([folder.text("out/M/a.box.txt"), folder.text("out/M/A~2.box.txt")], ["1", "2"]);
}

#[test]
fn several_folders_keep_their_names_in_the_output() {
    let folder = Folder::new();
    folder.put("one/x.box", &textbox(1, "", "1"));
    folder.put("two/x.box", &textbox(1, "", "2"));
    let loose = folder.put("loose.box", &textbox(1, "", "3"));
    convert(&session(), &[folder.path("one"), folder.path("two"), loose], &folder.path("out"));
    assert_eq!(folder.files("out"), ["loose.box.txt", "one/x.box.txt", "two/x.box.txt"]);
}

#[test]
fn options_reach_the_format() {
    let folder = Folder::game();
    let session = session();
    let options = ConvertOptions::default().options(&pairs(&[("case", "upper"), ("side", "")]));
    let run = convert_with(&session, &options, &[folder.path("Boxes/a.box")], &folder.path("out/"));
    assert_eq!(folder.text("out/a.box.txt"), "HELLO");
    assert_eq!(folder.text("out/a.box/side.txt"), "sun.png");
    assert_eq!(run.outcomes[0].outputs.len(), 2);
    let options = ConvertOptions::default().options(&pairs(&[("case", "snake")]));
    let inputs = Inputs::collect(&[folder.path("Boxes/a.box")]);
    let error = session.convert(&inputs, &Destination::Folder(folder.path("o2")), &options).unwrap_err();
    assert_eq!((error.kind(), folder.path("o2").exists()), (Kind::Usage, false));
}

#[test]
fn existing_files_are_not_overwritten_by_default_and_inputs_never() {
    let folder = Folder::game();
    let inputs = [folder.path("Boxes/a.box")];
    folder.put("out/a.box.txt", b"mine");
    let run = convert(&session(), &inputs, &folder.path("out"));
    assert_eq!(failure(&run.outcomes[0]), "already exists");
    assert_eq!(folder.text("out/a.box.txt"), "mine");
    let mut forced = session();
    forced.overwrite = Overwrite::Allow;
    convert(&forced, &inputs, &folder.path("out"));
    assert_eq!(folder.text("out/a.box.txt"), "hello");

    // A box whose output would be another input, or the box itself.
    let own = folder.put("own.txt", &textbox(1, "", "I am named like my output"));
    let run = convert(&forced, std::slice::from_ref(&own), &own);
    assert_eq!(failure(&run.outcomes[0]), "is an input, and inputs are never overwritten");
    assert_eq!(fs::read(own).unwrap(), textbox(1, "", "I am named like my output"));
    // An unknown file in a converted folder is also protected.
    folder.put("Boxes/c.box.txt", b"player's own");
    let run = convert(&forced, &[folder.path("Boxes")], &folder.path("Boxes"));
    assert!(run.outcomes.iter().any(|outcome| outcome.error.is_some() && outcome.input.ends_with("c.box")));
    assert_eq!(folder.text("Boxes/c.box.txt"), "player's own");
}

#[test]
fn a_conversion_that_fails_or_panics_leaves_nothing_behind() {
    let folder = Folder::new();
    for text in ["REFUSE", "PANIC"] {
        let file = folder.put("x.box", &textbox(1, "", text));
        let run = convert(&session(), &[file], &folder.path("out/deep/"));
        assert!(!run.outcomes[0].ok && run.outcomes[0].outputs.is_empty());
        assert!(!folder.path("out").exists(), "{text}");
    }
}

#[test]
fn strict_mode_writes_no_file_with_warnings() {
    let folder = Folder::game();
    let mut session = session();
    session.strictness = Strictness::Strict;
    let run =
        convert(&session, &[folder.path("Boxes/a.box"), folder.path("Boxes/c.box")], &folder.path("out"));
    assert_eq!(run.failed(), 1);
    assert_eq!(folder.files("out"), ["a.box.txt"]);
}

#[test]
fn an_explicit_file_that_cannot_be_converted_fails() {
    let folder = Folder::game();
    let run = convert(&session(), &[folder.path("n.note")], &folder.path("out/"));
    assert_eq!(failure(&run.outcomes[0]), "this format does not support conversion");
}

#[test]
fn the_output_format_can_be_chosen_for_a_folder() {
    let folder = Folder::game();
    let convert_to = |extension: &str, input: &str, out: &str| {
        let options = ConvertOptions::default().to(extension);
        convert_with(&session(), &options, &[folder.path(input)], &folder.path(out))
    };
    let run = convert_to("json", "", "out");
    assert_eq!(folder.files("out"), ["Boxes/a.box.json", "Boxes/c.box.json", "Boxes/deep/b.box.json"]);
    assert_eq!(run.left_out.get("test.note"), Some(&1));
    // An unavailable output is an error for a file given directly; in a folder, the file is left out.
    let run = convert_to("jsn", "Boxes/a.box", "out/");
    let refused =
        "`test.box` files cannot be converted to .jsn (available: txt, json); did you mean \"json\"?";
    assert_eq!(failure(&run.outcomes[0]), refused);
    let run = convert_to("jsn", "", "out");
    assert_eq!((run.outcomes.len(), run.left_out.get("test.box")), (0, Some(&5)));
}

#[test]
fn the_output_format_can_override_the_extension() {
    let folder = Folder::game();
    let options = ConvertOptions::default().to("json");
    convert_with(&session(), &options, &[folder.path("Boxes/a.box")], &folder.path("a.txt"));
    assert_eq!(folder.text("a.txt"), "{\"version\": 1, \"picture\": \"sun.png\", \"text\": \"hello\"}\n");
}

#[test]
fn one_file_can_be_converted_into_memory() {
    let inputs = Inputs::of_source("-", Source::from(textbox(1, "p", "hello")));
    let (outcome, sink) = session().convert_to_memory(&inputs, &ConvertOptions::default()).unwrap();
    assert_eq!((outcome.outputs, sink.files()[0].1.as_slice()), (vec!["-.txt".to_owned()], &b"hello"[..]));
    let (_, sink) = session().convert_to_memory(&inputs, &ConvertOptions::default().to("json")).unwrap();
    assert_eq!(sink.files()[0].1, b"{\"version\": 1, \"picture\": \"p\", \"text\": \"hello\"}\n");
    assert!(session().convert_to_memory(&inputs, &ConvertOptions::default().to("png")).is_err());
}

#[test]
fn output_does_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    for index in 0..60 {
        folder.put(&format!("in/{index}/x.box"), &textbox(1, "none", &"y".repeat(index)));
    }
    let converted = |threads, out: &str| {
        let mut session = session();
        session.threads = threads;
        let run = convert(&session, &[folder.path("in")], &folder.path(out));
        let texts: Vec<_> = folder
            .files(out)
            .iter()
            .map(|file| (file.clone(), folder.text(&format!("{out}/{file}"))))
            .collect();
        (serde_json::to_string(&run).unwrap().replace(out, "out"), texts)
    };
    assert_eq!(converted(1, "out1"), converted(8, "out8"));
}
