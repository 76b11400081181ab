//! Results of operations on scripts.

use std::path::PathBuf;

use asset::Report;
use files::sink::WriteMode;
use json::Value;
use serde::Serialize;
use soup::text::Problem;

use super::{NoSummary, OperationResult, schema};
use crate::run::Outcome;
use crate::script::Disassembly;
use crate::session::{Assembled, RanScripts};

/// Result of disassembling scripts: one result for each script.
pub type DisassembleResult<'a> = OperationResult<Vec<&'a Value>, NoSummary>;

impl<'a> DisassembleResult<'a> {
    /// Creates the result of disassembling the scripts of one file.
    #[must_use]
    pub fn new(scripts: &'a [Disassembly]) -> Self {
        let facts = scripts.iter().map(|script| &script.facts).collect();
        Self::of(schema::SCRIPT_DISASM, facts, NoSummary {}, true).with_files(1, 0)
    }
}

/// A problem in a script text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ScriptProblem<'a> {
    /// The script file.
    pub file: String,
    /// One-based line.
    pub line: usize,
    /// One-based column.
    pub column: usize,
    /// Description of the problem.
    pub message: &'a str,
}

impl<'a> From<&'a (PathBuf, Problem)> for ScriptProblem<'a> {
    fn from((file, problem): &'a (PathBuf, Problem)) -> Self {
        let Problem { line, column, message, .. } = problem;
        Self { file: file.display().to_string(), line: *line, column: *column, message }
    }
}

/// Summary of assembling scripts.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct AssembleSummary<'a> {
    /// Whether nothing failed.
    pub ok: bool,
    /// Whether nothing was written, as requested.
    pub dry_run: bool,
    /// Errors that the file already had.
    pub before: &'a Report,
    /// Problems in the script texts. The program prints them as text instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ScriptProblem<'a>>,
}

/// Result of assembling scripts.
pub type AssembleResult<'a> = OperationResult<&'a [Outcome], AssembleSummary<'a>>;

impl<'a> AssembleResult<'a> {
    /// Creates the result of assembling scripts, without the problems in their texts.
    #[must_use]
    pub fn new(assembled: &'a Assembled, writing: WriteMode) -> Self {
        let Assembled { outcome, before, .. } = assembled;
        let (ok, dry_run) = (outcome.ok, writing == WriteMode::DryRun);
        let summary = AssembleSummary { ok, dry_run, before, problems: Vec::new() };
        let result = Self::of(schema::SCRIPT_ASM, std::slice::from_ref(outcome), summary, ok);
        result.with_files(1, usize::from(!ok))
    }

    /// Adds the problems in the script texts.
    #[must_use]
    pub fn with_problems(mut self, assembled: &'a Assembled) -> Self {
        self.summary.problems = assembled.problems.iter().map(ScriptProblem::from).collect();
        self
    }
}

/// Result of running scripts.
pub type RunScriptsResult<'a> = OperationResult<&'a [RanScripts], NoSummary>;

impl<'a> RunScriptsResult<'a> {
    /// Creates the result of a run.
    #[must_use]
    pub fn new(ran: &'a RanScripts) -> Self {
        let is_ok = ran.end.stops.is_empty();
        let result = Self::of(schema::SCRIPT_RUN, std::slice::from_ref(ran), NoSummary {}, is_ok);
        result.with_files(1, usize::from(!is_ok))
    }
}
