//! What is in a game folder.

use files::disk;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use asset::game::Root;
use asset::{Counts, Detail, Error, Report, Severity};
use serde::Serialize;

use super::{Session, describe};
use crate::run::{KnownFiles, error_json};

/// What is in a folder.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Scan {
    /// The folder, as it was named.
    pub folder: String,
    /// The id of the game whose layout the folder has, or a folder above it.
    pub game: Option<&'static str>,
    /// How many files there are, those in containers included.
    pub files: u64,
    /// One for each format that occurs, in the order of the list of formats.
    pub formats: Vec<FormatScan>,
    /// Files of no known format: how many of each extension (lower case; `###` for numbers).
    pub unknown: BTreeMap<String, u64>,
    /// Files of no format, though it is known what they are.
    pub known: Vec<KnownFiles>,
    /// Files that cannot even be read.
    pub unreadable: Vec<Malformed>,
    /// What concerns the folder as a whole.
    pub warnings: Report,
}

/// The files of one format in a folder.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FormatScan {
    /// The format's id.
    pub format: &'static str,
    /// The format's name.
    pub name: &'static str,
    /// How many files there are, sound or not.
    pub files: u64,
    /// How many bytes they have together.
    pub bytes: u64,
    /// How many there are of each version or dialect; those of formats with only one are not counted.
    pub dialects: BTreeMap<String, u64>,
    /// What they hold together.
    pub counts: Counts,
    /// How many warnings were raised while reading them.
    pub warnings: u64,
    /// Files without any bytes.
    pub empty: Vec<String>,
    /// Files that are not sound.
    pub malformed: Vec<Malformed>,
}

/// A file that is not sound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Malformed {
    /// The file, as it was found.
    pub path: String,
    /// What is wrong with it.
    #[serde(serialize_with = "error_json::of_one")]
    pub error: Error,
}

impl Session<'_> {
    /// Finds out what is in a folder and in the containers in it, or in a container: opens every file of a known format and adds
    /// up what they hold.
    ///
    /// # Errors
    /// When there is no such folder or container, or a game folder does not exist.
    pub fn scan(&self, folder: &Path) -> Result<Scan, Error> {
        let inputs = self.gather(&[PathBuf::from(folder)]);
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
