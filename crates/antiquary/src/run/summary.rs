//! Results for each format.

use std::collections::BTreeMap;

use asset::Severity;
use serde::Serialize;

use super::{Outcome, Run};
use crate::catalog::Catalog;

/// Summary of the files of one format.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FormatRun {
    /// Id of the format; `None` for files that were not recognized.
    pub format: Option<&'static str>,
    /// Name of the format.
    pub name: &'static str,
    /// Number of files.
    pub files: u64,
    /// Number of files without failure.
    pub well: u64,
    /// Number of failed files.
    pub failed: u64,
    /// Number of warnings and errors.
    pub warnings: u64,
    /// Total length of the files in bytes.
    pub bytes: u64,
    /// Number of bytes written for them.
    pub written: u64,
}

impl FormatRun {
    fn add(&mut self, outcome: &Outcome) {
        let warnings = [Severity::Warning, Severity::Error].map(|severity| outcome.warnings.count(severity));
        self.warnings += warnings.into_iter().sum::<u64>();
        if !outcome.report_only {
            self.files += 1;
            self.bytes = self.bytes.saturating_add(outcome.length.unwrap_or(0));
        }
        let count = match (outcome.ok, outcome.report_only) {
            (true, true) => return,
            (true, false) => &mut self.well,
            (false, _) => &mut self.failed,
        };
        *count += 1;
        self.written = self.written.saturating_add(outcome.written.unwrap_or(0));
    }
}

impl Run {
    /// Returns a summary for each format, in catalog order; files that were not recognized come last.
    #[must_use]
    pub fn by_format(&self, catalog: Catalog) -> Vec<FormatRun> {
        let mut found: BTreeMap<&str, FormatRun> = BTreeMap::new();
        for outcome in &self.outcomes {
            found.entry(outcome.format.unwrap_or_default()).or_default().add(outcome);
        }
        let mut out = Vec::with_capacity(found.len());
        for format in catalog.formats() {
            let of_format = found.remove(format.id);
            out.extend(of_format.map(|it| FormatRun { format: Some(format.id), name: format.name, ..it }));
        }
        out.extend(found.into_values());
        out
    }
}
