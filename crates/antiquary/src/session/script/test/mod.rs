//! Tests of scripts: files that specify the expected behavior of scripts.
//!
//! A test file is TOML and contains any number of tests. Each test specifies the start of a run and its expected results.

mod expectation;
mod file;
mod observe;
mod position;
mod run;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use asset::Error;
use files::{disk, walk};
use serde::Serialize;

use super::super::workers::Workers;
use crate::script::EXTENSION;
use crate::session::Session;

use file::{Test, TestFile};
pub use position::TextPosition;

/// Maximum length in bytes of a test file.
const MAX_FILE_LENGTH: u64 = 16 << 20;

/// Results of test files.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ScriptTests {
    /// Tests, in file order.
    pub tests: Vec<TestedScript>,
    /// Problems in the files, whose tests were not run.
    pub problems: Vec<TestProblem>,
    /// Number of tests excluded by the filter.
    pub left_out: usize,
}

/// Result of a test.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct TestedScript {
    /// File of the test.
    pub file: PathBuf,
    /// Line in the file, counted from 1.
    pub line: usize,
    /// Name of the test.
    pub name: String,
    /// Number of updates that were run.
    pub updates: u32,
    /// Failed expectations; empty for a test that passed.
    pub failures: Vec<TestFailure>,
}

/// A failed expectation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TestFailure {
    /// Position of the expectation.
    #[serde(flatten)]
    pub position: TextPosition,
    /// The expectation, or the error that prevented the test.
    pub message: String,
    /// What happened instead.
    pub instead: Vec<String>,
}

/// A problem in a test file.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct TestProblem {
    /// The file.
    pub file: PathBuf,
    /// Position in the file.
    #[serde(flatten)]
    pub position: TextPosition,
    /// Description of the problem.
    pub message: String,
}

impl Session<'_> {
    /// Runs the tests in files, and in files in folders, several at a time. Only tests whose names contain `filter` are run,
    /// ignoring letter case.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or if a folder contains no tests. Errors of a file or a test are in its result.
    pub fn test_scripts(&self, paths: &[PathBuf], filter: Option<&str>) -> Result<ScriptTests, Error> {
        let mut out = ScriptTests::default();
        let mut tests = Vec::new();
        for path in self.test_files(paths)? {
            match TestFile::parse(&read(&path)?) {
                Ok(file) => tests.extend(file.tests.into_iter().map(|test| (path.clone(), test))),
                Err(problems) => {
                    out.problems.extend(problems.into_iter().map(|(position, message)| TestProblem {
                        file: path.clone(),
                        position,
                        message,
                    }));
                }
            }
        }
        let count = tests.len();
        let filter = filter.map(str::to_lowercase);
        tests.retain(|(_, test)| filter.as_ref().is_none_or(|it| test.name.to_lowercase().contains(it)));
        out.left_out = count.saturating_sub(tests.len());
        out.tests = self.run_tests(&tests);
        Ok(out)
    }

    fn run_tests(&self, tests: &[(PathBuf, Test)]) -> Vec<TestedScript> {
        let results: Vec<Mutex<Option<TestedScript>>> = tests.iter().map(|_| Mutex::new(None)).collect();
        // Each test runs on one thread.
        let antiquary = self.clone().threads(1);
        Workers::new(self.threads).each(tests.len(), |index| {
            let Some(((file, test), result)) = tests.get(index).zip(results.get(index)) else { return };
            let ran = catch_unwind(AssertUnwindSafe(|| run::run(&antiquary, file, test)));
            let (updates, failures) = ran.unwrap_or_else(|_| {
                (0, vec![TestFailure::new(test.position, "internal error while running this test")])
            });
            let (file, name) = (file.clone(), test.name.clone());
            let tested = TestedScript { file, line: test.position.line, name, updates, failures };
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(tested);
        });
        let results = results.into_iter();
        results.filter_map(|it| it.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// Returns the given test files, and those in folders.
    fn test_files(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
        let ending = format!(".{EXTENSION}test.toml");
        let is_test = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
            name.ends_with(&ending)
        };
        let mut files = Vec::new();
        for path in paths {
            if !disk::is_folder(path) {
                files.push(path.clone());
                continue;
            }
            let mut found: Vec<_> = walk::files_recursive(path).into_iter().filter(is_test).collect();
            if found.is_empty() {
                let message = format!("no files with tests were found in this folder (*{ending})");
                return Err(Error::usage(message).in_file(path));
            }
            found.sort();
            files.append(&mut found);
        }
        Ok(files)
    }
}

impl TestFailure {
    fn new(position: TextPosition, message: impl Into<String>) -> Self {
        Self { position, message: message.into(), instead: Vec::new() }
    }
}

fn read(file: &Path) -> Result<String, Error> {
    let read = || {
        let source = disk::open(file)?;
        if source.len() > MAX_FILE_LENGTH {
            return Err(Error::limit("too long for a test file"));
        }
        let bytes = source.read_all()?.into_owned();
        String::from_utf8(bytes).map_err(|_| Error::malformed("the file is not UTF-8"))
    };
    read().map_err(|error| error.in_file(file))
}
