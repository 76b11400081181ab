//! Result of finding names.

use asset::Report;
use serde::Serialize;

use super::{OperationResult, schema};
use crate::run::{ErrorJson, FoundName, Run};

/// An occurrence of a name, with its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FoundIn<'a> {
    /// The file, as found.
    pub input: &'a str,
    /// Id of its format, if recognized.
    pub format: Option<&'static str>,
    /// The occurrence.
    #[serde(flatten)]
    pub name: &'a FoundName,
}

/// A file that could not be searched.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct FailedFile<'a> {
    /// The file, as found.
    pub input: &'a str,
    /// The reason.
    pub error: ErrorJson<'a>,
}

/// Summary of finding names.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct FindSummary<'a> {
    /// Whether the name was found, and all files could be searched.
    pub ok: bool,
    /// Number of occurrences.
    pub places: u64,
    /// Number of occurrences that are not in the results, because a file has too many.
    pub left_out: u64,
    /// Number of files with occurrences.
    pub files: u64,
    /// Files that could not be searched.
    pub failed: Vec<FailedFile<'a>>,
    /// Warnings about all files.
    pub warnings: Report,
}

/// Result of finding names: one result for each occurrence.
pub type FindResult<'a> = OperationResult<Vec<FoundIn<'a>>, FindSummary<'a>>;

impl<'a> FindResult<'a> {
    /// Creates the result of a search.
    #[must_use]
    pub fn new(run: &'a Run) -> Self {
        let mut results = Vec::new();
        let (mut files, mut left_out) = (0, 0);
        let (mut failed, mut warnings) = (Vec::new(), Report::new());
        for outcome in &run.outcomes {
            let input = &*outcome.input;
            if let Some(found) = &outcome.names {
                let names = found.names.iter();
                results.extend(names.map(|name| FoundIn { input, format: outcome.format, name }));
                files += 1;
                left_out += found.more;
            }
            failed.extend(outcome.error.iter().map(|error| FailedFile { input, error: error.into() }));
            warnings.append(outcome.warnings.clone());
        }
        let places = results.len() as u64 + left_out;
        let ok = places > 0 && run.failed() == 0;
        let summary = FindSummary { ok, places, left_out, files, failed, warnings };
        Self::of(schema::FIND, results, summary, ok).with_files(run.files(), run.failed())
    }
}
