//! Tests of the encodings, of each warning, and of malicious files.

mod animation;
mod encode;
mod encodings;
mod geometry;
mod hostile;

use asset::{Asset, Context, Install, MemorySink, Options, Report, Target};
use scene::Scene;

use super::{FORMAT, XFile, to_scene};

/// Returns a text file with these objects.
fn text(objects: &str) -> Vec<u8> {
    format!("xof 0303txt 0032\n{objects}").into_bytes()
}

/// Reads a valid file.
fn read(bytes: &[u8]) -> (XFile, Report) {
    let mut report = Report::new();
    let file = XFile::read(bytes, &mut report).unwrap();
    (file, report)
}

/// Runs a closure with an empty install.
fn without_game<T>(work: impl FnOnce(&Context<'_>) -> T) -> T {
    let install = Install::empty();
    let options = Options::defaults(FORMAT.options);
    work(&Context { install: &install, location: None, options: &options })
}

/// Returns the scene of a text file, which must be writable, and all messages.
fn scene(objects: &str) -> (Scene, Vec<String>) {
    let (file, mut report) = read(&text(objects));
    let scene = without_game(|context| to_scene(&file, context, "model", 1.0, &mut report));
    scene::gltf::write_glb(&scene).unwrap();
    (scene, messages(&report))
}

/// Returns `CODE message` of each warning.
fn messages(report: &Report) -> Vec<String> {
    report.iter().map(|warning| format!("{} {}", warning.code.id, warning.message)).collect()
}

fn assert_has(messages: &[String], code: &str, words: &str) {
    assert!(
        messages.iter().any(|message| message.starts_with(code) && message.contains(words)),
        "no {code} with {words:?} in {messages:#?}"
    );
}

/// Returns the messages of a check.
fn check(objects: &str) -> Vec<String> {
    let (file, _) = read(&text(objects));
    let mut report = Report::new();
    without_game(|context| file.check(context, &mut report));
    messages(&report)
}

/// Runs all operations on a file. Whatever its contents, nothing may panic, and outputs must be valid.
fn assert_no_panic(bytes: &[u8]) {
    let mut report = Report::new();
    let file = match XFile::read(bytes, &mut report) {
        Ok(file) => file,
        Err(error) => {
            let offset = error.offset().unwrap_or_else(|| panic!("no offset: {error}"));
            assert!(offset <= bytes.len() as u64, "{error}");
            return;
        }
    };
    without_game(|context| {
        file.check(context, &mut report);
        for output in FORMAT.outputs() {
            let (target, mut sink) = (Target::new("model", 1.0), MemorySink::new());
            FORMAT.convert(&file, output.extension, context, target, &mut sink, &mut report).unwrap();
        }
    });
    for warning in &report {
        assert!(warning.offset.is_none_or(|offset| offset <= bytes.len() as u64), "{warning}");
    }
}
