//! Reports of operations: the JSON object that the program prints with `--json`, and its most important numbers.

use std::ffi::{CString, c_char};

use facade::json::{Map, Value};
use facade::session::{Comparison, Edited};
use facade::{ErrorJson, Outcome, Run, Severity};
use serde::Serialize;

use crate::call::{call, free};
use crate::failure::Failure;
use crate::handle::{self, ErrorHandle, Handle, ReportHandle};
use crate::pointer::Out;
use crate::status::Status;
use crate::string::c_string;

/// The object of a report handle.
#[derive(Debug)]
pub struct ReportObject {
    json: CString,
    is_ok: bool,
    files: u64,
    failed: u64,
}

impl Handle for ReportHandle {
    type Object = ReportObject;
}

/// The JSON object of an operation while it is built.
pub(crate) struct Document {
    text: String,
    results: u64,
}

impl Document {
    /// Creates the object with its schema, such as `antiquary/check/1`.
    pub(crate) fn new(schema: &str) -> Self {
        Self { text: format!("{{\"schema\":\"{schema}\",\n\"results\":[\n"), results: 0 }
    }

    /// Adds a result.
    pub(crate) fn result(&mut self, result: &(impl Serialize + ?Sized)) -> Result<(), Failure> {
        if self.results > 0 {
            self.text.push_str(",\n");
        }
        self.results = self.results.saturating_add(1);
        self.text.push_str(&serde_json::to_string(result)?);
        Ok(())
    }

    /// Ends the object with the members about the entire operation.
    pub(crate) fn finish(mut self, rest: &Map<String, Value>) -> Result<CString, Failure> {
        self.text.push_str("\n]");
        for (name, value) in rest {
            let (name, value) = (serde_json::to_string(name)?, serde_json::to_string(value)?);
            self.text.push_str(",\n");
            self.text.push_str(&format!("{name}:{value}"));
        }
        self.text.push_str("}\n");
        Ok(c_string(&self.text))
    }
}

impl ReportObject {
    /// Creates the report of a run, with more members.
    pub(crate) fn of_run(schema: &str, run: &Run, more: Map<String, Value>) -> Result<Self, Failure> {
        let mut document = Document::new(schema);
        run.outcomes.iter().try_for_each(|outcome| document.result(outcome))?;
        let warnings = run.warnings(Severity::Warning).saturating_add(run.warnings(Severity::Error));
        let mut rest = members([
            ("ok", run.is_success().into()),
            ("files", run.files().into()),
            ("failed", run.failed().into()),
            ("warnings", warnings.into()),
            ("notes", run.warnings(Severity::Note).into()),
        ]);
        rest.extend(more);
        let json = document.finish(&rest)?;
        Ok(Self { json, is_ok: run.is_success(), files: number(run.files()), failed: number(run.failed()) })
    }

    /// Creates the report of one file: its outcome with more members, and members about the operation.
    pub(crate) fn of_outcome<const N: usize>(
        schema: &str,
        outcome: &Outcome,
        more: [(&str, Value); N],
        rest: Map<String, Value>,
    ) -> Result<Self, Failure> {
        let mut result = to_value(outcome)?;
        if let Some(result) = result.as_object_mut() {
            result.extend(members(more));
        }
        let mut all = members([("ok", outcome.ok.into())]);
        all.extend(rest);
        Self::of_results(schema, &[result], &all, (outcome.ok, 1, u64::from(!outcome.ok)))
    }

    /// Creates a report of any results.
    pub(crate) fn of_results(
        schema: &str,
        results: &[impl Serialize],
        rest: &Map<String, Value>,
        (is_ok, files, failed): (bool, u64, u64),
    ) -> Result<Self, Failure> {
        let mut document = Document::new(schema);
        results.iter().try_for_each(|result| document.result(result))?;
        Ok(Self { json: document.finish(rest)?, is_ok, files, failed })
    }

    /// Creates the report of a check.
    pub(crate) fn of_check(run: &Run) -> Result<Self, Failure> {
        let more = members([
            ("unknown", to_value(&run.unknown)?),
            ("known", to_value(&run.known)?),
            ("containers", containers(run)?),
            ("hints", to_value(&run.hints)?),
        ]);
        Self::of_run("antiquary/check/1", run, more)
    }

    /// Creates the report of edited files.
    pub(crate) fn of_edits(all: &[Edited], left_alone: u64, dry_run: bool) -> Result<Self, Failure> {
        let result = |edited: &Edited| {
            let mut result = to_value(&edited.outcome)?;
            if let Some(result) = result.as_object_mut() {
                let changes = to_value(&edited.changes)?;
                result.extend(members([("changes", changes), ("more", edited.more.into())]));
            }
            Ok::<_, Failure>(result)
        };
        let results: Vec<_> = all.iter().map(result).collect::<Result<_, _>>()?;
        let failed = number(all.iter().filter(|edited| !edited.outcome.ok).count());
        let is_ok = failed == 0 && !all.is_empty();
        let rest = members([
            ("ok", is_ok.into()),
            ("left_alone", left_alone.into()),
            ("dry_run", Value::from(dry_run)),
        ]);
        Self::of_results("antiquary/set/1", &results, &rest, (is_ok, number(all.len()), failed))
    }

    /// Creates the report of a comparison.
    pub(crate) fn of_comparison(comparison: &Comparison) -> Result<Self, Failure> {
        let rest = members([
            ("ok", comparison.is_equal().into()),
            ("equal", comparison.equal.into()),
            ("different", comparison.pairs.len().into()),
            ("warnings", to_value(&comparison.warnings)?),
        ]);
        let files = comparison.equal.saturating_add(number(comparison.pairs.len()));
        let failed = number(comparison.pairs.iter().filter(|pair| pair.error.is_some()).count());
        let is_ok = comparison.is_equal();
        Self::of_results("antiquary/diff/1", &comparison.pairs, &rest, (is_ok, files, failed))
    }
}

/// Creates a JSON object from its members.
pub(crate) fn members<const N: usize>(members: [(&str, Value); N]) -> Map<String, Value> {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Converts a value to JSON.
pub(crate) fn to_value(value: &(impl Serialize + ?Sized)) -> Result<Value, Failure> {
    facade::json::to_value(value).map_err(|error| Failure::new(Status::Internal, error))
}

/// Converts the errors of the games' archives to JSON.
pub(crate) fn containers(run: &Run) -> Result<Value, Failure> {
    run.containers.iter().map(|error| to_value(&ErrorJson::with_file(error))).collect()
}

/// Converts a number of files.
pub(crate) fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// The content of a report. The pointer is valid until the report is freed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ReportInfo {
    /// Whether nothing failed: the program would end with exit code 0.
    pub is_ok: bool,
    /// Number of files that were processed.
    pub files: u64,
    /// Number of files that failed.
    pub failed: u64,
    /// The JSON object that the program prints with `--json` for the same operation.
    pub json: *const c_char,
    /// Length of the JSON object in bytes.
    pub json_length: usize,
}

/// Gets the content of a report. The pointer is valid until the report is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_report_get(
    report: ReportHandle,
    info: *mut ReportInfo,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (info, error) = unsafe { (Out::new(info), Out::new(error)) };
    call(error, || {
        let object = handle::get(report)?;
        info.put(
            "info",
            ReportInfo {
                is_ok: object.is_ok,
                files: object.files,
                failed: object.failed,
                json: object.json.as_ptr(),
                json_length: object.json.as_bytes().len(),
            },
        )
    })
}

/// Frees a report, and everything that was borrowed from it. Does nothing for the handle 0.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_report_free(report: ReportHandle) -> Status {
    free(report)
}
