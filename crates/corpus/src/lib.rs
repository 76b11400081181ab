//! Finds the files that corpus tests read. For tests only.
//!
//! The corpus is not part of the project. It is looked for where `ANTIQUARY_CORPUS` says, or beside the project in
//! `../shared/corpus`. Without it, tests say that they were skipped; with it, they fail when fewer files than expected are there.

#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::missing_panics_doc,
    reason = "a test may panic"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use record::{Span, Visit, Visitor};

/// A folder of the corpus; `None`, said loudly, when there is no corpus.
#[must_use]
pub fn folder(name: &str) -> Option<PathBuf> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus");
    let root = std::env::var_os("ANTIQUARY_CORPUS").map_or_else(|| PathBuf::from(default), PathBuf::from);
    let folder = root.join(name);
    if folder.is_dir() {
        return folder.canonicalize().ok();
    }
    assert!(
        std::env::var_os("ANTIQUARY_CORPUS").is_none(),
        "ANTIQUARY_CORPUS is set, but {} is not there",
        folder.display()
    );
    eprintln!(
        "SKIPPED: there is no corpus at {}; set ANTIQUARY_CORPUS to test against real files",
        folder.display()
    );
    None
}

/// Every file below a folder with this extension (letter case does not matter), in order. Fails when there are fewer than `least`.
#[must_use]
pub fn files(folder: &Path, extension: &str, least: usize) -> Vec<PathBuf> {
    let has_extension =
        |path: &Path| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
    let files: Vec<PathBuf> = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.expect("the corpus can be listed").into_path())
        .filter(|path| path.is_file() && has_extension(path))
        .collect();
    assert!(
        files.len() >= least,
        "{}: {} .{extension} files, {least} expected",
        folder.display(),
        files.len()
    );
    files
}

/// Every file below a folder, in order.
#[must_use]
pub fn all_files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter();
    let paths = entries.map(|entry| entry.expect("the corpus can be listed").into_path());
    paths.filter(|path| path.is_file()).collect()
}

/// Whether the slow tests are asked for (`cargo xtask test --full`).
#[must_use]
pub fn is_full() -> bool {
    std::env::var_os("ANTIQUARY_FULL").is_some()
}

/// The lengths a file is cut to: each 61st byte up to 150 KB; above, 500 lengths and every boundary between records. All of both when
/// the slow tests are asked for.
#[must_use]
pub fn cuts(length: usize, boundaries: &BTreeSet<u64>) -> BTreeSet<usize> {
    let step = if length <= 150_000 || is_full() { 61 } else { length / 500 };
    let mut cuts: BTreeSet<usize> = (0..length).step_by(step).collect();
    let inside = boundaries.iter().filter_map(|at| usize::try_from(*at).ok()).filter(|at| *at < length);
    cuts.extend(inside);
    cuts
}

/// Notes where records start, and where counts stand, while a file is explained.
#[derive(Debug, Default)]
pub struct Places {
    /// Where the path changes in its first two steps: `surfaces[3].vertices` after `surfaces[3].texture`.
    pub boundaries: BTreeSet<u64>,
    /// First byte and size of every number in front of a list or a string.
    pub counts: Vec<(u64, u64)>,
    last: String,
}

impl Visitor for Places {
    fn span(&mut self, span: Span<'_>) -> Visit {
        let record: String = span.path.split('.').take(2).collect::<Vec<_>>().join(".");
        let record = record.trim_end_matches(|letter: char| letter == ']' || letter.is_ascii_digit());
        if record != self.last {
            self.boundaries.insert(span.start);
            self.last = record.to_owned();
        }
        if span.path.ends_with(".count") {
            self.counts.push((span.start, span.end - span.start));
        }
        Visit::Continue
    }
}
