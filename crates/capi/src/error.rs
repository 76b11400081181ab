//! Error values.

use std::ffi::c_char;
use std::ptr::null;

use crate::call::{call, free};
use crate::failure::Failure;
use crate::handle::{self, ErrorHandle, Handle};
use crate::pointer::Out;
use crate::status::Status;

impl Handle for ErrorHandle {
    type Object = Failure;
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
