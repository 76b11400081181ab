//! Differences, field by field.

use json::Value;
use serde::Serialize;

/// A field that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Path of the field, such as `surfaces[3].texture.name`, with the indices of the first file, or of the second file for
    /// an added field. Empty for the entire file.
    pub path: String,
    /// Kind of difference.
    #[serde(flatten)]
    pub what: ChangeKind,
}

/// Kind of difference of a field.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum ChangeKind {
    /// The field has another value.
    Changed {
        /// Value in the first file.
        from: Value,
        /// Value in the second file.
        to: Value,
    },
    /// Only the second file has the field.
    Added {
        /// Value in the second file.
        to: Value,
    },
    /// Only the first file has the field.
    Removed {
        /// Value in the first file.
        from: Value,
    },
    /// The field is a text in which a range of lines differs.
    Lines {
        /// First line of the range in the first file, counted from 1.
        first_line: usize,
        /// First line of the range in the second file, counted from 1.
        second_line: usize,
        /// Lines of the first file.
        removed: Vec<String>,
        /// Lines of the second file.
        added: Vec<String>,
    },
    /// The field is a byte array with other content.
    Bytes {
        /// Length in bytes in the first file.
        from_length: u64,
        /// Length in bytes in the second file.
        to_length: u64,
        /// Offset of the first byte that differs.
        first_difference: u64,
    },
}

impl ChangeKind {
    /// Whether a number changed by at most this much.
    fn is_within(&self, tolerance: f64) -> bool {
        let Self::Changed { from, to } = self else { return false };
        from.as_f64().zip(to.as_f64()).is_some_and(|(from, to)| (from - to).abs() <= tolerance)
    }
}

/// Collects changes. Only a limited number is kept; the others are counted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Differences {
    kept: Vec<Change>,
    limit: usize,
    count: u64,
    /// Numbers that differ by at most this much are equal.
    tolerance: f64,
}

impl Differences {
    /// Creates an empty collection that keeps at most `limit` changes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Sets the maximum difference between numbers that are considered equal.
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Removes the changes of some fields.
    pub(crate) fn drop_fields(&mut self, is_dropped: impl Fn(&Change) -> bool) {
        let before = self.kept.len();
        self.kept.retain(|change| !is_dropped(change));
        let dropped = (before - self.kept.len()) as u64;
        self.count = self.count.saturating_sub(dropped);
    }

    /// Returns the number of changes, kept or not.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the changes that were kept, in the order of the fields.
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
        if self.kept.len() < self.limit {
            self.kept.push(Change { path: path.to_owned(), what: what() });
        }
    }
}
