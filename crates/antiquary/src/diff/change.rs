//! What differs, field by field.

use json::Value;
use serde::Serialize;

/// A field that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The field, as the first file counts its items, or as the second does for what was added: `surfaces[3].texture.name`. Empty for
    /// all of a file.
    pub path: String,
    /// How it differs.
    #[serde(flatten)]
    pub what: ChangeKind,
}

/// How a field differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum ChangeKind {
    /// It has another value.
    Changed {
        /// In the first file.
        from: Value,
        /// In the second file.
        to: Value,
    },
    /// Only the second file has it.
    Added {
        /// What it is there.
        to: Value,
    },
    /// Only the first file has it.
    Removed {
        /// What it is there.
        from: Value,
    },
    /// It is a text, and a run of its lines differs.
    Lines {
        /// The first line of the run in the first file, from 1 on.
        first_line: usize,
        /// The same in the second file.
        second_line: usize,
        /// The lines of the first file.
        removed: Vec<String>,
        /// The lines of the second file.
        added: Vec<String>,
    },
    /// It is a run of bytes, and others stand there.
    Bytes {
        /// How many bytes it has in the first file.
        from_length: u64,
        /// How many bytes it has in the second file.
        to_length: u64,
        /// The first byte of the run that differs.
        first_difference: u64,
    },
}

impl ChangeKind {
    /// Whether it is a number that changed by no more than this.
    fn is_within(&self, tolerance: f64) -> bool {
        let Self::Changed { from, to } = self else { return false };
        from.as_f64().zip(to.as_f64()).is_some_and(|(from, to)| (from - to).abs() <= tolerance)
    }
}

/// Collects changes. Only so many are kept, the rest is counted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Differences {
    kept: Vec<Change>,
    room: usize,
    count: u64,
    /// Numbers that differ by no more are equal.
    tolerance: f64,
}

impl Differences {
    /// No changes yet; so many of those to come are kept.
    #[must_use]
    pub fn new(room: usize) -> Self {
        Self { room, ..Self::default() }
    }

    /// The same, where numbers that differ by no more than this are equal.
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Leaves out the changes of some fields.
    pub(crate) fn drop_fields(&mut self, is_dropped: impl Fn(&Change) -> bool) {
        let before = self.kept.len();
        self.kept.retain(|change| !is_dropped(change));
        let dropped = (before - self.kept.len()) as u64;
        self.count = self.count.saturating_sub(dropped);
    }

    /// How many there are, kept or not.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Those that were kept, in the order of the fields.
    #[must_use]
    pub fn into_kept(self) -> Vec<Change> {
        self.kept
    }

    pub(super) fn add(&mut self, path: &str, what: impl FnOnce() -> ChangeKind) {
        if self.tolerance > 0.0 {
            let what = what();
            if !what.is_within(self.tolerance) {
                self.add_any(path, || what);
            }
            return;
        }
        self.add_any(path, what);
    }

    fn add_any(&mut self, path: &str, what: impl FnOnce() -> ChangeKind) {
        self.count += 1;
        if self.kept.len() < self.room {
            self.kept.push(Change { path: path.to_owned(), what: what() });
        }
    }
}
