//! The results of functions as the JSON objects that the program prints with `--json`.

use antiquary::json::{Document, Members};
use antiquary::{ErrorJson, Outcome, Run, Severity};
use serde::Serialize;

use crate::error::{Failure, Result};

/// Creates the object of a function: `{"schema": ..., "results": [...], ...}`.
pub(crate) fn results<T: Serialize>(
    schema: &str,
    results: impl IntoIterator<Item = T>,
    more: impl FnOnce(&mut Members<'_>),
) -> Document {
    Document::object(|members| {
        members.put("schema", schema).list("results", results);
        more(members);
    })
}

/// Creates the object of a run over files.
pub(crate) fn run(schema: &str, run: &Run, more: impl FnOnce(&mut Members<'_>)) -> Document {
    results(schema, &run.outcomes, |members| {
        let warnings = run.warnings(Severity::Warning) + run.warnings(Severity::Error);
        members
            .put("ok", &run.is_success())
            .put("files", &run.files())
            .put("failed", &run.failed())
            .put("warnings", &warnings)
            .put("notes", &run.warnings(Severity::Note));
        more(members);
    })
}

/// Adds what a run found in folders, in addition to its files.
pub(crate) fn surroundings(run: &Run, members: &mut Members<'_>) {
    members
        .put("unknown", &run.unknown)
        .put("known", &run.known)
        .list("containers", run.containers.iter().map(ErrorJson::with_file))
        .put("hints", &run.hints);
}

/// Returns an outcome that succeeded.
pub(crate) fn succeeded(outcome: Outcome) -> Result<Outcome> {
    if outcome.ok { Ok(outcome) } else { Err(Failure::Outcome(Box::new(outcome))) }
}
