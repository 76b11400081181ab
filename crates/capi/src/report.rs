//! Reports of operations: the JSON object that the program prints with `--json`, and its most important numbers.

use std::ffi::{CString, c_char};
use std::ops::Deref;

use facade::operation::OperationResult;
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

impl ReportObject {
    /// Creates the report of an operation.
    pub(crate) fn new<T, R, S>(result: &OperationResult<R, S>) -> Result<Self, Failure>
    where
        T: Serialize,
        R: Deref<Target = [T]>,
        S: Serialize,
    {
        let mut json = Vec::new();
        result
            .write(&mut json)
            .map_err(|error| Failure::new(Status::Internal, format!("cannot be written as JSON: {error}")))?;
        let OperationResult { is_ok, files, failed, .. } = *result;
        Ok(Self { json: c_string(&String::from_utf8_lossy(&json)), is_ok, files, failed })
    }
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
