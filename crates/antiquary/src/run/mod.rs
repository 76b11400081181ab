//! What came of work on many files.

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

/// What counts as a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Strictness {
    /// Errors.
    #[default]
    Lenient,
    /// Errors and warnings. What is converted with a warning is not written.
    Strict,
    /// Neither: an edited file is written even if the edit damages it.
    AllowDamaged,
}

/// How many files there are of a kind that is known but not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct KnownFiles {
    /// The game they belong to; `None` for files of a common kind, which are known by their content.
    pub game: Option<&'static str>,
    /// What they are called: a name, or a pattern with `*` and `?`.
    pub pattern: Cow<'static, str>,
    /// What they are and why they are not read.
    pub about: &'static str,
    /// How many there are.
    pub files: u64,
}
