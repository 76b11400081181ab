//! The encodings against one another, each warning, and files that mean harm.

mod animation;
mod encode;
mod encodings;
mod geometry;
mod hostile;

use asset::{Asset, Context, Install, MemorySink, Options, Report, Target};
use scene::Scene;

use super::{FORMAT, XFile, to_scene};

/// A text file with these objects.
fn text(objects: &str) -> Vec<u8> {
    format!("xof 0303txt 0032\n{objects}").into_bytes()
}

/// Reads a file that must be valid enough for that.
fn read(bytes: &[u8]) -> (XFile, Report) {
    let mut report = Report::new();
    let file = XFile::read(bytes, &mut report).unwrap();
    (file, report)
}

/// Does with an install what a test needs.
fn nowhere<T>(work: impl FnOnce(&Context<'_>) -> T) -> T {
    let install = Install::empty();
    let options = Options::defaults(FORMAT.options);
    work(&Context { install: &install, location: None, options: &options })
}

/// The scene of a text file, which must be one that can be written; and all that was reported.
fn scene(objects: &str) -> (Scene, Vec<String>) {
    let (file, mut report) = read(&text(objects));
    let scene = nowhere(|context| to_scene(&file, context, "model", 1.0, &mut report));
    scene::gltf::write_glb(&scene).unwrap();
    (scene, messages(&report))
}

/// `CODE: message` of each warning.
fn messages(report: &Report) -> Vec<String> {
    report.iter().map(|warning| format!("{} {}", warning.code.id, warning.message)).collect()
}

fn has(messages: &[String], code: &str, words: &str) {
    assert!(
        messages.iter().any(|message| message.starts_with(code) && message.contains(words)),
        "no {code} with {words:?} in {messages:#?}"
    );
}

/// What a check reports.
fn check(objects: &str) -> Vec<String> {
    let (file, _) = read(&text(objects));
    let mut report = Report::new();
    nowhere(|context| file.check(context, &mut report));
    messages(&report)
}

/// Does everything that can be done with a file; whatever is in it, nothing may panic, and what is written must be valid.
fn survive(bytes: &[u8]) {
    let mut report = Report::new();
    let file = match XFile::read(bytes, &mut report) {
        Ok(file) => file,
        Err(error) => {
            let offset = error.offset().unwrap_or_else(|| panic!("no offset: {error}"));
            assert!(offset <= bytes.len() as u64, "{error}");
            return;
        }
    };
    nowhere(|context| {
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
