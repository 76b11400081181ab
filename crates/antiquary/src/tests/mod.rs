//! Tests of the engine with a synthetic game, which is unrelated to any real one.

mod archive_path;
mod catalog;
mod check;
mod container;
mod convert;
mod crates;
mod edit;
mod every;
mod gallery;
mod import;
mod pack;
mod records;
mod run;
mod scan;
mod textbox;

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Outcome, Run};
use crate::session::{ConvertOptions, Destination, Inputs, Session};
use textbox::{CATALOG, textbox};

/// A folder with a synthetic game.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Creates the synthetic game: two valid boxes, one that refers to a missing picture, one malformed, one empty, a note,
    /// and unknown files.
    fn game() -> Self {
        let folder = Self::new();
        folder.put("Boxes/list.ini", b"[list]");
        folder.put("Boxes/a.box", &textbox(1, "sun.png", "hello"));
        folder.put("Boxes/deep/b.box", &textbox(2, "..\\SUN.PNG", "hi"));
        folder.put("Boxes/c.box", &textbox(2, "moon.png", "x"));
        folder.put("Boxes/bad.box", b"TEXTBOX\x01\xff");
        folder.put("Boxes/empty.box", b"");
        folder.put("Boxes/sun.png", b"a picture");
        folder.put("Boxes/read.me", b"words");
        folder.put("Boxes/TEX.001", b"?");
        folder.put("Boxes/TEX.002", b"?");
        folder.put("n.note", b"NOTE of something");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns every file below a folder, in order, with `/` as separator.
    fn files(&self, below: &str) -> Vec<String> {
        let root = self.path(below);
        let mut files: Vec<_> = files::walk::files_recursive(&root)
            .iter()
            .map(|file| file.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/"))
            .collect();
        files.sort();
        files
    }

    /// Returns the path of an outcome relative to this folder.
    fn short(&self, path: &str) -> String {
        Path::new(path).strip_prefix(self.0.path()).unwrap().to_str().unwrap().replace('\\', "/")
    }
}

fn session() -> Session<'static> {
    Session::new(CATALOG)
}

fn convert(session: &Session<'_>, inputs: &[PathBuf], out: &Path) -> Run {
    convert_with(session, &ConvertOptions::default(), inputs, out)
}

fn convert_with(session: &Session<'_>, options: &ConvertOptions, inputs: &[PathBuf], out: &Path) -> Run {
    let inputs = Inputs::collect(inputs);
    let destination = Destination::new(out, &inputs, session.catalog).unwrap();
    session.convert(&inputs, &destination, options).unwrap()
}

/// Creates options in the form in which they are given on a command line.
fn pairs(options: &[(&str, &str)]) -> Vec<(String, String)> {
    options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn messages(outcome: &Outcome) -> Vec<String> {
    outcome.warnings.iter().map(ToString::to_string).collect()
}

fn failure(outcome: &Outcome) -> &str {
    outcome.error.as_ref().expect("should have failed").message()
}
