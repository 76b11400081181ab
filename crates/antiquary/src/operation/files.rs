//! Results of operations that process each file on its own.

use std::collections::BTreeMap;

use asset::{Error, Severity};
use files::sink::WriteMode;
use serde::Serialize;

use super::edit::FixSummary;
use super::{OkSummary, OperationResult, schema};
use crate::catalog::Catalog;
use crate::run::{FormatRun, Hint, KnownFiles, Outcome, Page, Run, SharedSummary, error_json};
use crate::session::Scan;

/// Totals of all files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Totals {
    /// Whether nothing failed.
    pub ok: bool,
    /// Number of processed files.
    pub files: usize,
    /// Number of failed files.
    pub failed: usize,
    /// Number of warnings and errors about files.
    pub warnings: u64,
    /// Number of notes about files.
    pub notes: u64,
}

impl From<&Run> for Totals {
    fn from(run: &Run) -> Self {
        Self {
            ok: run.is_success(),
            files: run.files(),
            failed: run.failed(),
            warnings: run.warnings(Severity::Warning) + run.warnings(Severity::Error),
            notes: run.warnings(Severity::Note),
        }
    }
}

/// Creates the result of a run: one result for each file.
fn of_run<'a, S>(schema: &'static str, run: &'a Run, summary: S) -> OperationResult<&'a [Outcome], S> {
    let result = OperationResult::of(schema, run.outcomes.as_slice(), summary, run.is_success());
    result.with_files(run.files(), run.failed())
}

/// Summary of describing, listing, extracting, unpacking or packing files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RunSummary {
    /// Totals of all files.
    #[serde(flatten)]
    pub totals: Totals,
    /// Whether nothing was written, as requested.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

/// Result of describing, listing, extracting, unpacking or packing files.
pub type RunResult<'a> = OperationResult<&'a [Outcome], RunSummary>;

impl<'a> RunResult<'a> {
    /// Creates the result of an operation, with its schema.
    #[must_use]
    pub fn new(schema: &'static str, run: &'a Run, writing: WriteMode) -> Self {
        let dry_run = writing == WriteMode::DryRun;
        of_run(schema, run, RunSummary { totals: run.into(), dry_run })
    }
}

/// Summary of checking files.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct CheckSummary<'a> {
    /// Totals of all files.
    #[serde(flatten)]
    pub totals: Totals,
    /// Same as [`Run::unknown`].
    pub unknown: &'a BTreeMap<String, u64>,
    /// Same as [`Run::known`].
    pub known: &'a [KnownFiles],
    /// Same as [`Run::containers`].
    #[serde(serialize_with = "error_json::of_files")]
    pub containers: &'a [Error],
    /// Same as [`Run::hints`].
    pub hints: &'a [Hint],
    /// The fixed files, if files were to be fixed.
    #[serde(flatten)]
    pub fixes: Option<FixSummary>,
}

/// Result of checking files.
pub type CheckResult<'a> = OperationResult<&'a [Outcome], CheckSummary<'a>>;

impl<'a> CheckResult<'a> {
    /// Creates the result of a check.
    #[must_use]
    pub fn new(run: &'a Run) -> Self {
        let Run { unknown, known, containers, hints, .. } = run;
        let summary = CheckSummary { totals: run.into(), unknown, known, containers, hints, fixes: None };
        of_run(schema::CHECK, run, summary)
    }

    /// Adds the fixed files.
    #[must_use]
    pub fn with_fixes(mut self, fixes: FixSummary) -> Self {
        self.is_ok &= fixes.fixed.iter().all(|edited| edited.outcome.ok);
        self.summary.fixes = Some(fixes);
        self
    }
}

/// Summary of converting files.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ConvertSummary<'a> {
    /// Totals of all files.
    #[serde(flatten)]
    pub totals: Totals,
    /// Totals of the files of each format.
    pub formats: Vec<FormatRun>,
    /// Same as [`Run::unknown`].
    pub unknown: &'a BTreeMap<String, u64>,
    /// Same as [`Run::known`].
    pub known: &'a [KnownFiles],
    /// Same as [`Run::left_out`].
    pub left_out: &'a BTreeMap<&'static str, u64>,
    /// Same as [`Run::containers`].
    #[serde(serialize_with = "error_json::of_files")]
    pub containers: &'a [Error],
    /// Same as [`Run::hints`].
    pub hints: &'a [Hint],
    /// Same as [`Run::leftovers`].
    pub leftovers: &'a [String],
    /// Same as [`Run::shared`].
    pub shared: Option<&'a SharedSummary>,
    /// Same as [`Run::gallery`].
    pub gallery: Option<&'a Page>,
    /// Whether nothing was written, as requested.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

/// Result of converting files.
pub type ConvertResult<'a> = OperationResult<&'a [Outcome], ConvertSummary<'a>>;

impl<'a> ConvertResult<'a> {
    /// Creates the result of a conversion of files of the catalog's formats.
    #[must_use]
    pub fn new(run: &'a Run, catalog: Catalog, writing: WriteMode) -> Self {
        let Run { unknown, known, left_out, containers, hints, leftovers, shared, gallery, .. } = run;
        let summary = ConvertSummary {
            totals: run.into(),
            formats: run.by_format(catalog),
            unknown,
            known,
            left_out,
            containers,
            hints,
            leftovers,
            shared: shared.as_ref(),
            gallery: gallery.as_ref(),
            dry_run: writing == WriteMode::DryRun,
        };
        of_run(schema::CONVERT, run, summary)
    }
}

/// Result of summarizing a folder.
pub type ScanResult<'a> = OperationResult<&'a [Scan], OkSummary>;

impl<'a> ScanResult<'a> {
    /// Creates the result of a scan. Damaged files are counted as failed, but only unreadable ones are a failure.
    #[must_use]
    pub fn new(scan: &'a Scan) -> Self {
        let ok = scan.unreadable.is_empty();
        let damaged: usize =
            scan.formats.iter().map(|format| format.empty.len() + format.malformed.len()).sum();
        let result = Self::of(schema::SCAN, std::slice::from_ref(scan), OkSummary { ok }, ok);
        Self { files: scan.files, failed: (damaged + scan.unreadable.len()) as u64, ..result }
    }
}
