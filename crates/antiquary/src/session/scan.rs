//! Summary of a game folder.

use files::disk;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use asset::game::Root;
use asset::{Counts, Detail, Error, Report, Severity};
use serde::Serialize;

use super::{Session, describe};
use crate::run::{KnownFiles, error_json};

/// Summary of a folder.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Scan {
    /// The folder, as given.
    pub folder: String,
    /// Id of the game whose layout the folder, or a folder above it, has.
    pub game: Option<&'static str>,
    /// Number of files, including those in containers.
    pub files: u64,
    /// One summary for each format that occurs, in catalog order.
    pub formats: Vec<FormatScan>,
    /// Files that have no known format: number of files for each extension (lower case; `###` for numbers).
    pub unknown: BTreeMap<String, u64>,
    /// Files that are known but not read.
    pub known: Vec<KnownFiles>,
    /// Files that cannot be opened.
    pub unreadable: Vec<Malformed>,
    /// Warnings about the folder as a whole.
    pub warnings: Report,
}

/// Summary of the files of one format in a folder.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FormatScan {
    /// Id of the format.
    pub format: &'static str,
    /// Name of the format.
    pub name: &'static str,
    /// Number of files, valid or not.
    pub files: u64,
    /// Total length in bytes.
    pub bytes: u64,
    /// Number of files of each version or dialect, except for formats with only one.
    pub dialects: BTreeMap<String, u64>,
    /// Total counts of their contents.
    pub counts: Counts,
    /// Number of warnings raised while reading them.
    pub warnings: u64,
    /// Files of zero length.
    pub empty: Vec<String>,
    /// Malformed files.
    pub malformed: Vec<Malformed>,
}

/// A malformed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Malformed {
    /// The file, as found.
    pub path: String,
    /// Reason why it is malformed.
    #[serde(serialize_with = "error_json::of_one")]
    pub error: Error,
}

impl Session<'_> {
    /// Summarizes a folder and the containers in it, or a container: opens every file of a known format and adds up the
    /// contents.
    ///
    /// # Errors
    /// Fails if the folder or container does not exist, or if a game folder does not exist.
    pub fn scan(&self, folder: &Path) -> Result<Scan, Error> {
        let inputs = self.collect_inputs(&[PathBuf::from(folder)]);
        if !disk::is_folder(folder) && !inputs.iter().any(|input| self.is_container(input)) {
            return Err(Error::usage("is neither a folder nor an archive").in_file(folder));
        }
        let (run, files) = self.each_inside(&inputs, &[], describe(Detail::Brief, &[]))?;
        let root = Root::around(folder, self.catalog.games())?;
        let mut scan = Scan {
            folder: folder.display().to_string(),
            game: root.game.map(|game| game.id),
            files,
            formats: Vec::new(),
            unknown: run.unknown,
            known: run.known,
            unreadable: Vec::new(),
            warnings: inputs.warnings(),
        };
        let mut by_format: BTreeMap<&str, FormatScan> = BTreeMap::new();
        for outcome in
            run.outcomes.into_iter().filter(|outcome| outcome.error.is_some() || outcome.format.is_some())
        {
            let Some(id) = outcome.format else {
                scan.unreadable.extend(outcome.error.map(|error| Malformed { path: outcome.input, error }));
                continue;
            };
            let entry = by_format.entry(id).or_insert_with(|| FormatScan::new(id));
            entry.add(outcome);
        }
        for format in self.catalog.formats() {
            if let Some(found) = by_format.remove(format.id) {
                scan.formats.push(FormatScan { name: format.name, ..found });
            }
        }
        Ok(scan)
    }
}

impl FormatScan {
    fn new(format: &'static str) -> Self {
        Self {
            format,
            name: "",
            files: 0,
            bytes: 0,
            dialects: BTreeMap::new(),
            counts: Counts::new(),
            warnings: 0,
            empty: Vec::new(),
            malformed: Vec::new(),
        }
    }

    fn add(&mut self, outcome: super::Outcome) {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(outcome.length.unwrap_or(0));
        self.warnings += outcome.warnings.count(Severity::Warning);
        self.warnings += outcome.warnings.count(Severity::Error);
        if let Some(description) = outcome.description {
            self.counts.add_all(&description.counts);
            if !description.dialect.is_empty() {
                let count = self.dialects.entry(description.dialect).or_default();
                *count += 1;
            }
        }
        match outcome.error {
            Some(_) if outcome.length == Some(0) => self.empty.push(outcome.input),
            Some(error) => self.malformed.push(Malformed { path: outcome.input, error }),
            None => {}
        }
    }
}
