//! Files of the corpus for tests, and reports of skipped tests. For tests only.
//!
//! The corpus is not part of the project. It is searched in the folder that `ANTIQUARY_CORPUS` names, or in `../shared/corpus`, seen from
//! the project. Without it, tests report that they are skipped; with it, they fail if fewer files than expected are found.

#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a test may panic"
)]

mod skip;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use record::{Span, Visit, Visitor};

pub use skip::skip;

/// Returns a folder of the corpus. Without a corpus, reports that the test is skipped and returns `None`.
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
        "ANTIQUARY_CORPUS is set, but {} was not found",
        folder.display()
    );
    skip(&format!("no corpus was found in {}; set ANTIQUARY_CORPUS", root.display()));
    None
}

/// Returns every file below a folder with this extension (in any letter case), sorted by name.
///
/// # Panics
/// If there are fewer than `least`.
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

/// Returns every file below a folder, sorted by name.
#[must_use]
pub fn all_files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter();
    let paths = entries.map(|entry| entry.expect("the corpus can be listed").into_path());
    paths.filter(|path| path.is_file()).collect()
}

/// Whether slow tests run (`cargo xtask test --full`).
#[must_use]
pub fn is_full() -> bool {
    std::env::var_os("ANTIQUARY_FULL").is_some()
}

/// Returns the lengths in bytes to which a file is truncated: every 61st byte for files of up to 150 KB, 500 lengths for larger ones, and every
/// boundary between records. With slow tests, every 61st byte of large files, too.
#[must_use]
pub fn cuts(length: usize, boundaries: &BTreeSet<u64>) -> BTreeSet<usize> {
    let step = if length <= 150_000 || is_full() { 61 } else { length / 500 };
    let mut cuts: BTreeSet<usize> = (0..length).step_by(step).collect();
    let inside = boundaries.iter().filter_map(|at| usize::try_from(*at).ok()).filter(|at| *at < length);
    cuts.extend(inside);
    cuts
}

/// Collects the boundaries of records and the positions of counts while a file is traced.
#[derive(Debug, Default)]
pub struct Places {
    /// Offsets at which the path changes in its first two steps: `surfaces[3].vertices` after `surfaces[3].texture`.
    pub boundaries: BTreeSet<u64>,
    /// Offset and size in bytes of every number that precedes a list or a string.
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
