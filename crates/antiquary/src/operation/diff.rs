//! Result of comparing files.

use asset::Report;
use serde::Serialize;

use super::{OperationResult, schema};
use crate::session::{Comparison, Pair};

/// Summary of comparing files.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct DiffSummary<'a> {
    /// Whether everything is equal.
    pub ok: bool,
    /// Number of equal files.
    pub equal: u64,
    /// Number of pairs of files that differ.
    pub different: usize,
    /// Warnings about the folders as a whole.
    pub warnings: &'a Report,
}

/// Result of comparing files: one result for each pair that differs.
pub type DiffResult<'a> = OperationResult<&'a [Pair], DiffSummary<'a>>;

impl<'a> DiffResult<'a> {
    /// Creates the result of a comparison.
    #[must_use]
    pub fn new(comparison: &'a Comparison) -> Self {
        let Comparison { pairs, equal, warnings } = comparison;
        let (ok, equal, different) = (comparison.is_equal(), *equal, pairs.len());
        let failed = pairs.iter().filter(|pair| pair.error.is_some()).count();
        let summary = DiffSummary { ok, equal, different, warnings };
        let result = Self::of(schema::DIFF, pairs.as_slice(), summary, ok);
        Self { files: equal + different as u64, failed: failed as u64, ..result }
    }
}
