//! Distribution, order, cancellation and fault tolerance of work.

use std::path::PathBuf;
use std::sync::Mutex;

use asset::Links;

use super::textbox::textbox;
use super::{Folder, failure, session};
use crate::run::{Outcome, Run};
use crate::session::{DescribeOptions, Inputs, OnFailure, Progress};

fn many(folder: &Folder, text: impl Fn(usize) -> String) -> Inputs {
    for index in 0..200 {
        folder.put(&format!("{index:03}.box"), &textbox(1, "", &text(index)));
    }
    Inputs::collect(&[folder.path("")])
}

fn describe(inputs: &Inputs, threads: usize, on_failure: OnFailure) -> Run {
    let session = session().threads(threads).on_failure(on_failure);
    session.describe(inputs, &DescribeOptions::default()).unwrap()
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    let inputs = many(&folder, |index| "x".repeat(index * 37 % 501));
    let alone = describe(&inputs, 1, OnFailure::KeepGoing);
    assert_eq!(alone.outcomes.len(), 200);
    for threads in [0, 2, 7] {
        assert_eq!(describe(&inputs, threads, OnFailure::KeepGoing), alone);
    }
}

#[test]
fn progress_is_reported_in_input_order() {
    #[derive(Default)]
    struct Recorder(Mutex<(usize, usize, Vec<String>)>);
    impl Progress for Recorder {
        fn start(&self, files: usize) {
            self.0.lock().unwrap().0 = files;
        }
        fn done(&self, _written: u64) {
            self.0.lock().unwrap().1 += 1;
        }
        fn outcome(&self, outcome: &Outcome) {
            self.0.lock().unwrap().2.push(outcome.input.clone());
        }
    }
    let folder = Folder::new();
    let inputs = many(&folder, |index| "x".repeat(index % 3 * 1000));
    let recorder = Recorder::default();
    let run = session().progress(&recorder).describe(&inputs, &DescribeOptions::default()).unwrap();
    let (files, done, order) = recorder.0.into_inner().unwrap();
    assert_eq!((files, done), (200, 200));
    assert_eq!(order, run.outcomes.iter().map(|outcome| outcome.input.clone()).collect::<Vec<_>>());
    assert!(order.is_sorted());
}

#[test]
fn a_panic_in_a_format_fails_that_file_only() {
    let folder = Folder::new();
    let inputs = many(&folder, |index| if index % 50 == 7 { "PANIC".to_owned() } else { String::new() });
    let run = describe(&inputs, 4, OnFailure::KeepGoing);
    assert_eq!(run.failed(), 4);
    let broken = &run.outcomes[57];
    assert_eq!(broken.error.as_ref().unwrap().kind().name(), "internal");
    assert_eq!(failure(broken), "internal error while processing this file: the text says so");
    assert_eq!((broken.format, broken.length), (Some("test.box"), Some(14)));
    assert!(run.outcomes[58].ok);
}

#[test]
fn a_run_that_stops_ends_with_the_first_failure_in_order() {
    let folder = Folder::new();
    let inputs =
        many(&folder, |index| if index >= 60 { "PANIC".to_owned() } else { "x".repeat(index * 100) });
    for threads in [1, 4] {
        let run = describe(&inputs, threads, OnFailure::Stop);
        assert_eq!(run.outcomes.len(), 61);
        assert!(!run.outcomes[60].ok && run.failed() == 1);
    }
}

#[test]
fn a_file_given_twice_counts_once() {
    let folder = Folder::game();
    let file = folder.path("Boxes/a.box");
    let again: PathBuf = folder.path("Boxes/deep/../a.box");
    let inputs = Inputs::collect(&[file, again, folder.path("Boxes")]);
    let boxes = inputs.iter().filter(|input| input.path().ends_with("a.box")).count();
    assert_eq!(boxes, 1);
}

#[test]
fn files_in_folders_are_sorted_by_name() {
    let folder = Folder::new();
    for name in ["b/1.box", "a.box", "b/0.box", "c.box", "B.box", ".antiquary-x.part"] {
        folder.put(name, b"");
    }
    let inputs = Inputs::collect(&[folder.path("")]);
    let names: Vec<_> =
        inputs.iter().map(|input| input.relative().to_str().unwrap().replace('\\', "/")).collect();
    assert_eq!(names, ["B.box", "a.box", "b/0.box", "b/1.box", "c.box"]);
}

#[test]
#[cfg(unix)]
fn links_are_followed_except_in_cycles() {
    use std::os::unix::fs::symlink;
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    elsewhere.put("far.box", &textbox(1, "", ""));
    folder.put("in/near.box", &textbox(1, "", ""));
    symlink(folder.path(""), folder.path("in/circle")).unwrap();
    symlink(elsewhere.path(""), folder.path("out")).unwrap();
    symlink(folder.path("nothing"), folder.path("dangling.box")).unwrap();
    let run = describe(&Inputs::collect(&[folder.path("")]), 2, OnFailure::KeepGoing);
    let names: Vec<_> = run.outcomes.iter().map(|outcome| folder.short(&outcome.input)).collect();
    // A link that leads out of the folder is only reported.
    assert_eq!(names, ["in/near.box", ""]);
    assert!(
        run.outcomes[1].report_only && run.outcomes[1].warnings.iter().all(|it| it.code.id == "FOLDER-W001")
    );
    let all = session().links(Links::All);
    let run = describe(&all.collect_inputs(&[folder.path("")]), 2, OnFailure::KeepGoing);
    let names: Vec<_> = run.outcomes.iter().map(|outcome| folder.short(&outcome.input)).collect();
    assert_eq!(names, ["in/near.box", "out/far.box"]);
}
