//! Tests of scripts: files that say what is to happen when scripts run.
//!
//! A file is TOML and holds any number of tests. Each one says where scripts begin and what is expected of them.

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

/// Longer files of tests are none.
const LONGEST_FILE: u64 = 16 << 20;

/// What came of files of tests.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ScriptTests {
    /// The tests, in the order of the files.
    pub tests: Vec<TestedScript>,
    /// What is wrong with the files. Their tests were not run.
    pub problems: Vec<TestProblem>,
    /// How many tests were left out because of their names.
    pub left_out: usize,
}

/// What came of a test.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct TestedScript {
    /// Its file.
    pub file: PathBuf,
    /// Its line in the file, from 1 on.
    pub line: usize,
    /// Its name.
    pub name: String,
    /// How many updates were run.
    pub updates: u32,
    /// What was otherwise than expected; nothing in a test that passed.
    pub failures: Vec<TestFailure>,
}

/// What was otherwise than expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TestFailure {
    /// Where it is expected.
    #[serde(flatten)]
    pub position: TextPosition,
    /// What was expected, or what hindered the test.
    pub message: String,
    /// What happened instead.
    pub instead: Vec<String>,
}

/// What is wrong with a file of tests.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct TestProblem {
    /// The file.
    pub file: PathBuf,
    /// Where.
    #[serde(flatten)]
    pub position: TextPosition,
    /// What.
    pub message: String,
}

impl Session<'_> {
    /// Runs the tests of files, and of files in folders, several at a time. Only those are run whose names have `filter` in them, in any letter case.
    ///
    /// # Errors
    /// When a file cannot be read, or a folder has none. What is wrong with a file or a test is told with it.
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

    /// The files that are named, and those in folders.
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
        if source.len() > LONGEST_FILE {
            return Err(Error::limit("too long for a file of tests"));
        }
        let bytes = source.read_all()?.into_owned();
        String::from_utf8(bytes).map_err(|_| Error::malformed("the file is not UTF-8"))
    };
    read().map_err(|error| error.in_file(file))
}
