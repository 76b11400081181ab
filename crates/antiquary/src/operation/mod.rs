//! Results of operations as JSON: what the program prints with `--json`.
//!
//! Every result is an object with the members `schema`, the name and version of its layout; `results`, usually one for each
//! file; and members about the entire operation. Its type is an [`OperationResult`] with the summary of the operation, such as
//! [`CheckResult`].
//!
//! # Examples
//!
//! ```no_run
//! use antiquary::operation::CheckResult;
//! use antiquary::{CheckOptions, Inputs, Session};
//!
//! let run = Session::default().check(&Inputs::collect(&["mod".into()]), &CheckOptions::default())?;
//! CheckResult::new(&run).write(std::io::stdout())?;
//! # Ok::<(), antiquary::Error>(())
//! ```

mod diff;
mod edit;
mod files;
mod find;
pub mod schema;
#[cfg(feature = "scripts")]
mod script;
mod writer;

use std::io;
use std::ops::Deref;

use asset::Error;
use serde::Serialize;

use crate::run::ErrorJson;

pub use diff::{DiffResult, DiffSummary};
#[cfg(feature = "fs")]
pub use edit::ArchiveResult;
pub use edit::{BuildResult, EditSummary, FixSummary, ReplaceResult, SetResult, SetSummary};
pub use files::{
    CheckResult, CheckSummary, ConvertResult, ConvertSummary, RunResult, RunSummary, ScanResult, Totals,
};
pub use find::{FailedFile, FindResult, FindSummary, FoundIn};
#[cfg(feature = "scripts")]
pub use script::{AssembleResult, AssembleSummary, DisassembleResult, RunScriptsResult, ScriptProblem};
pub use writer::{ResultWriter, is_unsafe};

/// Result of an operation, which serializes to the JSON object that the program prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OperationResult<R, S> {
    /// Name and version of the layout, such as `antiquary/check/1`.
    pub schema: &'static str,
    /// Results, usually one for each file.
    pub results: R,
    /// Members about the entire operation.
    #[serde(flatten)]
    pub summary: S,
    /// Whether nothing failed: the program ends with exit code 0.
    #[serde(skip)]
    pub is_ok: bool,
    /// Number of processed files.
    #[serde(skip)]
    pub files: u64,
    /// Number of failed files.
    #[serde(skip)]
    pub failed: u64,
}

impl<R, S> OperationResult<R, S> {
    /// Creates a result that concerns no files.
    #[must_use]
    pub const fn of(schema: &'static str, results: R, summary: S, is_ok: bool) -> Self {
        Self { schema, results, summary, is_ok, files: 0, failed: 0 }
    }

    /// Sets the number of processed and of failed files.
    #[must_use]
    const fn with_files(mut self, files: usize, failed: usize) -> Self {
        (self.files, self.failed) = (files as u64, failed as u64);
        self
    }
}

impl<T, R, S> OperationResult<R, S>
where
    T: Serialize,
    R: Deref<Target = [T]>,
    S: Serialize,
{
    /// Writes the JSON object as the program prints it.
    ///
    /// # Errors
    /// Fails if the output fails, or if JSON cannot represent the result.
    pub fn write(&self, out: impl io::Write) -> io::Result<()> {
        let mut writer = ResultWriter::new(out, self.schema);
        self.results.iter().try_for_each(|result| writer.result(result))?;
        writer.finish(&self.summary)
    }
}

/// Summary of an operation that only succeeds or fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OkSummary {
    /// Whether nothing failed.
    pub ok: bool,
}

/// Summary of an operation without members of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct NoSummary {}

/// Summary of an operation that could not be completed.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct FailureSummary<'a> {
    /// False.
    pub ok: bool,
    /// The reason.
    pub error: ErrorJson<'a>,
}

/// Result of an operation that could not be completed.
pub type FailureResult<'a> = OperationResult<&'a [()], FailureSummary<'a>>;

impl<'a> FailureResult<'a> {
    /// Creates the result of an operation that could not be completed.
    #[must_use]
    pub fn new(schema: &'static str, error: &'a Error) -> Self {
        let summary = FailureSummary { ok: false, error: ErrorJson::from(error) };
        Self::of(schema, &[], summary, false)
    }
}

/// Result that lists values, and has no other members than `ok`.
pub type ListResult<T> = OperationResult<Vec<T>, OkSummary>;

impl<T> ListResult<T> {
    /// Creates the result.
    #[must_use]
    pub fn new(schema: &'static str, results: impl IntoIterator<Item = T>, ok: bool) -> Self {
        Self::of(schema, results.into_iter().collect(), OkSummary { ok }, ok)
    }
}
