//! Results of a run.

use files::sink::SharedFiles;
use std::collections::BTreeMap;
use std::path::Path;

use asset::archive::Entry;
use asset::{Description, Error, Report, Severity};
use serde::Serialize;

use super::{FoundNames, Hint, KnownFiles, Strictness, error_json};

/// Result of processing one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// The file, as given or found.
    pub input: String,
    /// Id of its format, if recognized.
    pub format: Option<&'static str>,
    /// Length in bytes, if the file could be opened.
    pub length: Option<u64>,
    /// Whether nothing failed.
    pub ok: bool,
    /// Description of the contents, if requested.
    #[serde(flatten)]
    pub description: Option<Description>,
    /// Entries of a container, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<Listed>>,
    /// Occurrences of the search term, if a search was requested and found any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<FoundNames>,
    /// Files that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<String>,
    /// Number of bytes written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<u64>,
    /// Defects and losses.
    pub warnings: Report,
    /// Reason of the failure; the kind is [`Internal`](asset::Kind::Internal) for a bug in the program.
    #[serde(serialize_with = "error_json::of_input")]
    pub error: Option<Error>,
    /// Whether this outcome only reports defects of a container whose files have outcomes themselves.
    #[serde(skip)]
    pub report_only: bool,
}

/// An entry of a container, with its index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Zero-based index, in container order.
    pub number: usize,
    /// The entry.
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
    /// Creates the outcome of an input that has not been processed yet.
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

    /// Creates the outcome of an input that could not be processed at all.
    #[must_use]
    pub fn failed(input: &Path, error: &Error) -> Self {
        Self { error: Some(error.clone()), ..Self::new(input.to_string_lossy().into_owned(), None) }
    }

    /// Whether the warnings alone make the outcome a failure.
    pub(crate) fn is_refused(&self, strictness: Strictness) -> bool {
        let bar = match strictness {
            Strictness::Lenient => Severity::Error,
            Strictness::Strict => Severity::Warning,
            Strictness::AllowDamaged => return false,
        };
        self.warnings.worst().is_some_and(|worst| worst >= bar)
    }
}

/// Result of processing all files.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Run {
    /// One outcome for each file, in input order. With [`OnFailure::Stop`](crate::OnFailure::Stop), the list ends with the
    /// first failure.
    pub outcomes: Vec<Outcome>,
    /// Files in folders that have no known format: number of files for each extension (lower case; `###` for numbers).
    pub unknown: BTreeMap<String, u64>,
    /// Files in folders that are known but not read.
    pub known: Vec<KnownFiles>,
    /// Files in folders that were left out because their format cannot be converted: number of files for each format.
    pub left_out: BTreeMap<&'static str, u64>,
    /// Containers of the games that could not be opened or are damaged; references of the inputs could not be resolved in
    /// them.
    #[serde(serialize_with = "error_json::of_files")]
    pub containers: Vec<Error>,
    /// Page that shows the outputs.
    pub gallery: Option<Page>,
    /// Files shared by the written scenes.
    pub shared: Option<SharedSummary>,
    /// Unfinished files of other runs in the output folders, which were killed or are still running.
    pub leftovers: Vec<String>,
    /// Advice on what to do next.
    pub hints: Vec<Hint>,
}

/// Files that several outputs refer to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SharedSummary {
    /// Folder that contains the files.
    pub folder: String,
    /// Number of files.
    pub files: u64,
    /// Total length in bytes.
    pub bytes: u64,
}

impl SharedSummary {
    /// Returns `None` if there are no shared files.
    pub(crate) fn of(shared: &SharedFiles) -> Option<Self> {
        let (files, bytes) = shared.count();
        (files > 0).then(|| Self { folder: shared.folder().display().to_string(), files, bytes })
    }
}

/// A page that shows the outputs of a conversion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Page {
    /// Path of the page, even if it could not be written.
    pub path: String,
    /// Reason why the page was not written.
    #[serde(serialize_with = "error_json::of_input")]
    pub error: Option<Error>,
}

impl From<Outcome> for Run {
    /// Creates the run of a single input.
    fn from(outcome: Outcome) -> Self {
        Self { outcomes: vec![outcome], ..Self::default() }
    }
}

impl Run {
    /// Returns the number of processed files.
    #[must_use]
    pub fn files(&self) -> usize {
        self.outcomes.iter().filter(|outcome| !outcome.report_only).count()
    }

    /// Returns the number of files that were processed without failure.
    #[must_use]
    pub fn succeeded(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.ok && !outcome.report_only).count()
    }

    /// Returns the number of files that failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.outcomes.iter().filter(|outcome| !outcome.ok).count()
    }

    /// Returns the number of files in folders that have no known format.
    #[must_use]
    pub fn unknown_files(&self) -> u64 {
        self.unknown.values().sum()
    }

    /// Returns the number of files in folders that are known but not read.
    #[must_use]
    pub fn known_files(&self) -> u64 {
        self.known.iter().map(|known| known.files).sum()
    }

    /// Whether nothing failed, including the gallery.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.failed() == 0 && self.gallery.as_ref().is_none_or(|page| page.error.is_none())
    }

    /// Returns the number of warnings of one severity.
    #[must_use]
    pub fn warnings(&self, severity: Severity) -> u64 {
        self.outcomes.iter().map(|outcome| outcome.warnings.count(severity)).sum()
    }
}
