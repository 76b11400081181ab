//! What came of the files of each format.

use std::collections::BTreeMap;

use asset::Severity;
use serde::Serialize;

use super::{Outcome, Run};
use crate::catalog::Catalog;

/// What came of the files of one format.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FormatRun {
    /// The format's id; `None` for files that could not be recognised.
    pub format: Option<&'static str>,
    /// The format's name.
    pub name: &'static str,
    /// How many files there are.
    pub files: u64,
    /// How many went well.
    pub well: u64,
    /// How many failed.
    pub failed: u64,
    /// How many warnings and errors were raised.
    pub warnings: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// How many bytes were written for them.
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
    /// What came of the files of each format, in the order of the list of formats; those that were not recognized last.
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
