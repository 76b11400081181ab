//! Errors as values.

use std::any::Any;
use std::ffi::{CString, c_char};
use std::fmt;
use std::ptr::null;

use facade::Error;

use crate::call::{call, free};
use crate::handle::{self, ErrorHandle};
use crate::pointer::{Out, c_string};
use crate::status::Status;

/// The failure of a function: the object of an error handle.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The result of the function.
    pub(crate) status: Status,
    code: CString,
    text: CString,
    message: CString,
    path: CString,
    file: Option<CString>,
    offset: Option<u64>,
}

impl Failure {
    /// Creates a failure that concerns no file.
    pub(crate) fn new(status: Status, message: impl fmt::Display) -> Self {
        let message = c_string(&message.to_string());
        Self {
            status,
            code: c_string(status.code()),
            text: message.clone(),
            message,
            path: CString::default(),
            file: None,
            offset: None,
        }
    }

    /// Creates the failure for an invalid argument.
    pub(crate) fn argument(name: &str, problem: impl fmt::Display) -> Self {
        Self::new(Status::InvalidArgument, format!("{name} {problem}"))
    }

    /// Creates the failure for an index that is out of range.
    pub(crate) fn index(what: &str, index: usize, count: usize) -> Self {
        Self::new(Status::InvalidArgument, format!("there is no {what} {index} (count: {count})"))
    }

    /// Creates the failure for a panic.
    pub(crate) fn panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("unknown cause");
        Self::new(Status::Internal, format!("internal error: {text}"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = Status::from(error.kind());
        Self {
            status,
            code: c_string(status.code()),
            text: c_string(&error.to_string()),
            message: c_string(error.message()),
            path: c_string(&error.path()),
            file: error.file().map(|file| c_string(&file.to_string_lossy())),
            offset: error.offset(),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::new(Status::Internal, format!("a result cannot be written as JSON: {error}"))
    }
}

/// The fields of an error. The pointers are valid until the error is freed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ErrorInfo {
    /// The result of the function that failed.
    pub status: Status,
    /// The name of the status, such as `malformed`, which is also used in JSON.
    pub code: *const c_char,
    /// The complete sentence for users: file, field, message and offset.
    pub text: *const c_char,
    /// The message alone.
    pub message: *const c_char,
    /// Path of the field, such as `surfaces[2].vertices`; empty if the error concerns no field.
    pub path: *const c_char,
    /// Path of the file; `NULL` if it is unknown.
    pub file: *const c_char,
    /// Offset of the field from the start of the file in bytes, if `has_offset`.
    pub offset: u64,
    /// Whether the offset is known.
    pub has_offset: bool,
}

/// Gets the fields of an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_error_get(error: ErrorHandle, info: *mut ErrorInfo) -> Status {
    // SAFETY: the caller passes `NULL` or a valid pointer.
    let info = unsafe { Out::new(info) };
    call(Out::none(), || {
        let failure = handle::get(error)?;
        info.put(
            "info",
            ErrorInfo {
                status: failure.status,
                code: failure.code.as_ptr(),
                text: failure.text.as_ptr(),
                message: failure.message.as_ptr(),
                path: failure.path.as_ptr(),
                file: failure.file.as_ref().map_or(null(), |file| file.as_ptr()),
                offset: failure.offset.unwrap_or_default(),
                has_offset: failure.offset.is_some(),
            },
        )
    })
}

/// Returns the complete sentence of an error for users. It is valid until the error is freed. For an invalid handle, returns
/// a constant text, so that the result can always be printed.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_error_text(error: ErrorHandle) -> *const c_char {
    handle::get(error).map_or(c"(not an error)".as_ptr(), |failure| failure.text.as_ptr())
}

/// Frees an error. Does nothing for the handle 0.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_error_free(error: ErrorHandle) -> Status {
    free(error)
}
