//! Tests of the functions as C calls them. Those whose names begin with `miri_` also run under Miri.

mod arguments;
mod corpus;
mod handles;
mod values;

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use crate::error::{ErrorInfo, antiquary_error_free, antiquary_error_get};
use crate::file::antiquary_open_memory;
use crate::handle::{ErrorHandle, FileHandle, SceneHandle};
use crate::product::antiquary_file_scene;
use crate::status::Status;

/// A model with one triangle.
const TRIANGLE: &str = "o triangle\nv 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n";

/// The handle of no error, to be overwritten.
const NO_ERROR: ErrorHandle = ErrorHandle { id: 0 };

/// The fields of an error as values.
#[derive(Debug)]
struct Fields {
    status: Status,
    code: String,
    text: String,
    message: String,
    path: String,
    file: Option<String>,
    offset: Option<u64>,
}

/// Returns the text at a pointer that the library returned.
fn text(pointer: *const c_char) -> String {
    assert!(!pointer.is_null());
    // SAFETY: the library returns null pointers and strings.
    unsafe { CStr::from_ptr(pointer) }.to_str().unwrap().to_owned()
}

/// Returns a value that a function writes through its output, which must succeed.
fn output<T>(call: impl FnOnce(*mut T, *mut ErrorHandle) -> Status) -> T {
    attempt(call).unwrap_or_else(|fields| panic!("{fields:?}"))
}

/// Returns a value that a function writes through its output, or the fields of its error, which is freed.
fn attempt<T>(call: impl FnOnce(*mut T, *mut ErrorHandle) -> Status) -> Result<T, Box<Fields>> {
    let (mut out, mut error) = (MaybeUninit::uninit(), ErrorHandle { id: 77 });
    match call(out.as_mut_ptr(), &raw mut error) {
        Status::Ok => {
            assert_eq!(error, NO_ERROR);
            // SAFETY: the function succeeded, so it has written its output.
            Ok(unsafe { out.assume_init() })
        }
        status => {
            let fields = take_error(error);
            assert_eq!(fields.status, status);
            Err(Box::new(fields))
        }
    }
}

/// Returns the fields of an error, and frees it.
fn take_error(error: ErrorHandle) -> Fields {
    let mut info = MaybeUninit::<ErrorInfo>::uninit();
    // SAFETY: the output is valid.
    let status = unsafe { antiquary_error_get(error, info.as_mut_ptr()) };
    assert_eq!(status, Status::Ok);
    // SAFETY: the function succeeded.
    let info = unsafe { info.assume_init() };
    let fields = Fields {
        status: info.status,
        code: text(info.code),
        text: text(info.text),
        message: text(info.message),
        path: text(info.path),
        file: (!info.file.is_null()).then(|| text(info.file)),
        offset: info.has_offset.then_some(info.offset),
    };
    assert_eq!(antiquary_error_free(error), Status::Ok);
    fields
}

/// Returns a list of strings for C, with the strings that it points to.
fn strings(texts: &[&str]) -> (Vec<CString>, Vec<*const c_char>) {
    let texts: Vec<_> = texts.iter().map(|text| CString::new(*text).unwrap()).collect();
    let pointers = texts.iter().map(|text| text.as_ptr()).chain([null()]).collect();
    (texts, pointers)
}

/// Opens bytes.
fn open(bytes: &[u8], name: &CStr) -> Result<FileHandle, Box<Fields>> {
    // SAFETY: all pointers are valid.
    attempt(|file, error| unsafe {
        antiquary_open_memory(bytes.as_ptr(), bytes.len(), name.as_ptr(), null(), file, error)
    })
}

/// Opens the model with one triangle.
fn triangle() -> FileHandle {
    open(TRIANGLE.as_bytes(), c"triangle.obj").unwrap()
}

/// Creates the scene of a file.
fn scene(file: FileHandle) -> SceneHandle {
    // SAFETY: all pointers are valid.
    output(|scene, error| unsafe { antiquary_file_scene(file, scene, error) })
}

/// Returns a pointer that the library must not use.
fn nothing<T>() -> *mut T {
    null_mut()
}
