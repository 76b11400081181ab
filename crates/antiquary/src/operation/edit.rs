//! Results of operations that edit or build a file.

use files::sink::WriteMode;
use serde::Serialize;

use super::{OperationResult, schema};
use crate::run::Outcome;
#[cfg(feature = "fs")]
use crate::session::EditedArchive;
use crate::session::{BuiltFile, Edited, Replaced};

/// Summary of editing an archive, or of building a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EditSummary {
    /// Whether nothing failed.
    pub ok: bool,
    /// Whether nothing was written, as requested.
    pub dry_run: bool,
}

/// Result of changing the entries of an archive.
#[cfg(feature = "fs")]
pub type ArchiveResult<'a> = OperationResult<&'a [EditedArchive], EditSummary>;

#[cfg(feature = "fs")]
impl<'a> ArchiveResult<'a> {
    /// Creates the result of an edit.
    #[must_use]
    pub fn new(edited: &'a EditedArchive, writing: WriteMode) -> Self {
        of_edit(schema::ARCHIVE, edited, &edited.outcome, writing)
    }
}

/// Result of replacing an entry of an archive.
pub type ReplaceResult<'a> = OperationResult<&'a [Replaced], EditSummary>;

impl<'a> ReplaceResult<'a> {
    /// Creates the result of a replacement.
    #[must_use]
    pub fn new(replaced: &'a Replaced, writing: WriteMode) -> Self {
        of_edit(schema::REPLACE, replaced, &replaced.outcome, writing)
    }
}

/// Result of building a derived file.
pub type BuildResult<'a> = OperationResult<&'a [BuiltFile], EditSummary>;

impl<'a> BuildResult<'a> {
    /// Creates the result of a build.
    #[must_use]
    pub fn new(built: &'a BuiltFile, writing: WriteMode) -> Self {
        of_edit(schema::BUILD, built, &built.outcome, writing)
    }
}

fn of_edit<'a, T>(
    schema: &'static str,
    edit: &'a T,
    outcome: &Outcome,
    writing: WriteMode,
) -> OperationResult<&'a [T], EditSummary> {
    let summary = EditSummary { ok: outcome.ok, dry_run: writing == WriteMode::DryRun };
    let result = OperationResult::of(schema, std::slice::from_ref(edit), summary, outcome.ok);
    result.with_files(1, usize::from(!outcome.ok))
}

/// Summary of setting fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SetSummary {
    /// Whether a file was edited, and nothing failed.
    pub ok: bool,
    /// Number of files that were left unchanged, because they do not have the fields.
    pub left_alone: u64,
    /// Whether nothing was written, as requested.
    pub dry_run: bool,
}

/// Result of setting fields: one result for each edited file.
pub type SetResult<'a> = OperationResult<&'a [Edited], SetSummary>;

impl<'a> SetResult<'a> {
    /// Creates the result of edits. `left_alone` is the number of files that do not have the fields.
    #[must_use]
    pub fn new(edited: &'a [Edited], left_alone: u64, writing: WriteMode) -> Self {
        let failed = edited.iter().filter(|edited| !edited.outcome.ok).count();
        let ok = failed == 0 && !edited.is_empty();
        let summary = SetSummary { ok, left_alone, dry_run: writing == WriteMode::DryRun };
        Self::of(schema::SET, edited, summary, ok).with_files(edited.len(), failed)
    }
}

/// Fixed files, in the result of a check.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct FixSummary {
    /// One result for each file that could be fixed.
    pub fixed: Vec<Edited>,
    /// Whether nothing was written, as requested.
    pub dry_run: bool,
}

impl FixSummary {
    /// Creates the summary of fixed files.
    #[must_use]
    pub fn new(fixed: Vec<Edited>, writing: WriteMode) -> Self {
        Self { fixed, dry_run: writing == WriteMode::DryRun }
    }
}
