//! Named byte buffers: files in memory, texts, values of fields.

use std::ffi::{CString, c_char};

use crate::call::{call, free};
use crate::failure::item;
use crate::handle::{self, BuffersHandle, ErrorHandle, Handle};
use crate::pointer::Out;
use crate::status::Status;
use crate::string::c_string;

/// The object of a buffers handle.
#[derive(Debug, Default)]
pub struct BuffersObject(Vec<(CString, Vec<u8>)>);

impl Handle for BuffersHandle {
    type Object = BuffersObject;
}

impl BuffersObject {
    /// Adds a buffer.
    pub(crate) fn push(&mut self, name: &str, mut data: Vec<u8>) {
        // Not part of the buffer: a text can be used as a string.
        data.push(0);
        self.0.push((c_string(name), data));
    }

    /// Creates a single buffer.
    pub(crate) fn one(name: &str, data: Vec<u8>) -> Self {
        let mut out = Self::default();
        out.push(name, data);
        out
    }
}

/// A buffer. The pointers are valid until the list is freed.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Buffer {
    /// Name of the file, text or field.
    pub name: *const c_char,
    /// The bytes. A zero byte follows them, so texts are strings. Texts are UTF-8.
    pub data: *const u8,
    /// Number of bytes, without the zero byte at the end.
    pub length: usize,
}

/// Gets the number of buffers in a list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_buffers_count(
    buffers: BuffersHandle,
    count: *mut usize,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (count, error) = unsafe { (Out::new(count), Out::new(error)) };
    call(error, || count.put("count", handle::get(buffers)?.0.len()))
}

/// Gets a buffer. The pointers are valid until the list is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn antiquary_buffers_get(
    buffers: BuffersHandle,
    index: usize,
    buffer: *mut Buffer,
    error: *mut ErrorHandle,
) -> Status {
    // SAFETY: the caller passes `NULL` or valid pointers.
    let (buffer, error) = unsafe { (Out::new(buffer), Out::new(error)) };
    call(error, || {
        let object = handle::get(buffers)?;
        let (name, data) = item("buffer", &object.0, index)?;
        let length = data.len().saturating_sub(1);
        buffer.put("buffer", Buffer { name: name.as_ptr(), data: data.as_ptr(), length })
    })
}

/// Frees a list of buffers, and everything that was borrowed from it. Does nothing for the handle 0.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_buffers_free(buffers: BuffersHandle) -> Status {
    free(buffers)
}
