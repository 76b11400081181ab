//! Results of processing files.

pub(crate) mod error_json;
mod found;
mod hint;
mod outcome;
mod summary;

use std::borrow::Cow;

use serde::Serialize;

pub use error_json::ErrorJson;
pub use found::{FoundName, FoundNames};
pub use hint::Hint;
pub use outcome::{Listed, Outcome, Page, Run, SharedSummary};
pub use summary::FormatRun;

/// Threshold for a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Strictness {
    /// Errors are failures.
    #[default]
    Lenient,
    /// Errors and warnings are failures. Output converted with a warning is not written.
    Strict,
    /// Nothing is a failure: an edited file is written even if the edit damages it.
    AllowDamaged,
}

/// Number of files of a kind that is known but not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct KnownFiles {
    /// The game that the files belong to; `None` for common kinds, which are recognized by their content.
    pub game: Option<&'static str>,
    /// File name, or a pattern with `*` and `?`.
    pub pattern: Cow<'static, str>,
    /// Description of the files and the reason why they are not read.
    pub about: &'static str,
    /// Number of files.
    pub files: u64,
}
