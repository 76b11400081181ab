//! What came of the work.

use files::sink::SharedFiles;
use std::collections::BTreeMap;
use std::path::Path;

use asset::archive::Entry;
use asset::{Description, Error, Report, Severity};
use serde::Serialize;

use super::{FoundNames, Hint, KnownFiles, Strictness, error_json};

/// What came of one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// The file, as it was named or found.
    pub input: String,
    /// The id of its format, when it was recognized.
    pub format: Option<&'static str>,
    /// How many bytes it has, when it could be opened.
    pub length: Option<u64>,
    /// Whether nothing failed.
    pub ok: bool,
    /// What it holds, when that was asked for.
    #[serde(flatten)]
    pub description: Option<Description>,
    /// The entries of a container, when they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<Listed>>,
    /// The places where something is named, when it was looked for and found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<FoundNames>,
    /// The files that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<String>,
    /// How many bytes were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<u64>,
    /// What was amiss or lost.
    pub warnings: Report,
    /// Why it failed; of the kind [`Internal`](asset::Kind::Internal) for a fault of the program.
    #[serde(serialize_with = "error_json::of_input")]
    pub error: Option<Error>,
    /// Whether it only tells what was amiss with a container whose files have outcomes of their own.
    #[serde(skip)]
    pub report_only: bool,
}

/// An entry of a container, with its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Listed {
    /// Counted from 0, in the order in which the container has them.
    pub number: usize,
    /// What it is.
    #[serde(flatten)]
    pub entry: Entry<'static>,
}

impl std::ops::Deref for Listed {
    type Target = Entry<'static>;

    fn deref(&self) -> &Entry<'static> {
        &self.entry
    }
}

impl Outcome {
    /// Nothing done yet.
    pub(crate) fn new(input: String, format: Option<&'static str>) -> Self {
        Self {
            input,
            format,
            length: None,
            ok: false,
            description: None,
            entries: None,
            names: None,
            outputs: Vec::new(),
            written: None,
            warnings: Report::new(),
            error: None,
            report_only: false,
        }
    }

    /// The outcome for an input that could not be processed at all.
    #[must_use]
    pub fn failed(input: &Path, error: &Error) -> Self {
        Self { error: Some(error.clone()), ..Self::new(input.to_string_lossy().into_owned(), None) }
    }

    /// Whether the warnings alone make it a failure.
    pub(crate) fn is_refused(&self, strictness: Strictness) -> bool {
        let bar = match strictness {
            Strictness::Lenient => Severity::Error,
            Strictness::Strict => Severity::Warning,
            Strictness::AllowDamaged => return false,
        };
        self.warnings.worst().is_some_and(|worst| worst >= bar)
    }
}

/// What came of all files.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Run {
    /// One for each file, in the order of the inputs. With [`OnFailure::Stop`](crate::OnFailure::Stop) it ends with the first
    /// that failed.
    pub outcomes: Vec<Outcome>,
    /// Files in folders that are of no known format: how many of each extension (lower case; `###` for numbers).
    pub unknown: BTreeMap<String, u64>,
    /// Files in folders that are of no format, though it is known what they are.
    pub known: Vec<KnownFiles>,
    /// Files in folders that were left out because their format cannot be converted: how many of each format.
    pub left_out: BTreeMap<&'static str, u64>,
    /// The containers of the games that cannot be opened or are damaged: what the inputs name was not found in them.
    #[serde(serialize_with = "error_json::of_files")]
    pub containers: Vec<Error>,
    /// The page that shows what was written.
    pub gallery: Option<Page>,
    /// The files that the written scenes have in common.
    pub shared: Option<SharedSummary>,
    /// Unfinished files of other runs in the output folders: the runs were killed, or are not done yet.
    pub leftovers: Vec<String>,
    /// Advice on what to do next.
    pub hints: Vec<Hint>,
}

/// The files that several outputs name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SharedSummary {
    /// Where they stand.
    pub folder: String,
    /// How many there are.
    pub files: u64,
    /// Their length, all of them together.
    pub bytes: u64,
}

impl SharedSummary {
    /// Nothing where there are none.
    pub(crate) fn of(shared: &SharedFiles) -> Option<Self> {
        let (files, bytes) = shared.count();
        (files > 0).then(|| Self { folder: shared.folder().display().to_string(), files, bytes })
    }
}

/// A page that shows what was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Page {
    /// Where it stands, or should have stood.
    pub path: String,
    /// Why it is not there.
    #[serde(serialize_with = "error_json::of_input")]
    pub error: Option<Error>,
}

impl From<Outcome> for Run {
    /// The run of a single input.
    fn from(outcome: Outcome) -> Self {
        Self { outcomes: vec![outcome], ..Self::default() }
    }
}

impl Run {
    /// How many files were worked on.
    #[must_use]
    pub fn files(&self) -> usize {
        self.outcomes.iter().filter(|outcome| !outcome.report_only).count()
    }

    /// How many of them went well.
    #[must_use]
    pub fn well(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.ok && !outcome.report_only).count()
    }

    /// How many files failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.outcomes.iter().filter(|outcome| !outcome.ok).count()
    }

    /// How many files in folders are of no known format.
    #[must_use]
    pub fn unknown_files(&self) -> u64 {
        self.unknown.values().sum()
    }

    /// How many files in folders are of no format, though it is known what they are.
    #[must_use]
    pub fn known_files(&self) -> u64 {
        self.known.iter().map(|known| known.files).sum()
    }

    /// Whether nothing failed, the gallery included.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.failed() == 0 && self.gallery.as_ref().is_none_or(|page| page.error.is_none())
    }

    /// How many warnings of one severity were raised.
    #[must_use]
    pub fn warnings(&self, severity: Severity) -> u64 {
        self.outcomes.iter().map(|outcome| outcome.warnings.count(severity)).sum()
    }
}
