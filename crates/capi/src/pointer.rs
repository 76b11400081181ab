//! Pointers of the caller. This is the only module that reads or writes through them.

use std::ffi::{CStr, c_char};
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::slice;

use crate::failure::Failure;

/// A string of the caller: UTF-8, terminated by a zero byte.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<'a>(Option<&'a CStr>);

impl<'a> Text<'a> {
    /// # Safety
    /// The pointer is null, or points to bytes that end with zero and do not change during `'a`.
    pub(crate) unsafe fn new(text: *const c_char) -> Self {
        // SAFETY: the caller guarantees it for pointers that are not null.
        Self((!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }))
    }

    /// Returns the text, or an error if it is missing or not UTF-8.
    pub(crate) fn get(self, name: &str) -> Result<&'a str, Failure> {
        self.optional(name)?.ok_or_else(|| Failure::argument(name, "is NULL"))
    }

    /// Returns the text, or `None` if it is missing.
    pub(crate) fn optional(self, name: &str) -> Result<Option<&'a str>, Failure> {
        let text = self.0.map(CStr::to_str).transpose();
        text.map_err(|error| Failure::argument(name, format!("is not UTF-8: {error}")))
    }
}

/// A list of strings of the caller that ends with a null pointer. A null pointer is an empty list.
#[derive(Debug, Clone)]
pub(crate) struct Texts<'a>(Vec<Text<'a>>);

impl<'a> Texts<'a> {
    /// # Safety
    /// The pointer is null, or points to pointers to strings, as for [`Text::new`]; the last pointer is null.
    pub(crate) unsafe fn new(texts: *const *const c_char) -> Self {
        let mut out = Vec::new();
        let mut next = texts;
        // SAFETY: the caller guarantees that all pointers up to the null pointer can be read.
        while !next.is_null() && unsafe { !(*next).is_null() } {
            // SAFETY: the pointer is not the last one, so it points to a string, and another pointer follows it.
            unsafe {
                out.push(Text::new(*next));
                next = next.add(1);
            }
        }
        Self(out)
    }

    /// Returns the texts.
    pub(crate) fn get(self, name: &str) -> Result<Vec<&'a str>, Failure> {
        self.0.into_iter().map(|text| text.get(name)).collect()
    }

    /// Returns the texts, or an error if there are none.
    pub(crate) fn required(self, name: &str) -> Result<Vec<&'a str>, Failure> {
        if self.0.is_empty() {
            return Err(Failure::argument(name, "is NULL or empty"));
        }
        self.get(name)
    }
}

/// Bytes of the caller.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bytes<'a>(Option<&'a [u8]>);

impl<'a> Bytes<'a> {
    /// # Safety
    /// The pointer is null, or points to `length` bytes that do not change during `'a`.
    pub(crate) unsafe fn new(bytes: *const u8, length: usize) -> Self {
        if bytes.is_null() {
            return Self((length == 0).then_some(&[]));
        }
        // Rust has no larger objects.
        if isize::try_from(length).is_err() {
            return Self(None);
        }
        // SAFETY: the caller guarantees it for pointers that are not null.
        Self(Some(unsafe { slice::from_raw_parts(bytes, length) }))
    }

    /// Returns the bytes, or an error if the pointer is null and the length is not 0.
    pub(crate) fn get(self, name: &str) -> Result<&'a [u8], Failure> {
        self.0.ok_or_else(|| Failure::argument(name, "is NULL or too long"))
    }
}

/// A list of structs of the caller.
///
/// # Safety
/// The pointer is null, or points to `count` structs that do not change during `'a`.
pub(crate) unsafe fn list<'a, T>(items: *const T, count: usize, name: &str) -> Result<&'a [T], Failure> {
    let is_too_long = count.checked_mul(size_of::<T>()).is_none_or(|size| isize::try_from(size).is_err());
    match (items.is_null(), count) {
        (true, 0) => Ok(&[]),
        (true, _) => Err(Failure::argument(name, "is NULL")),
        (false, _) if is_too_long => Err(Failure::argument(name, "is too long")),
        // SAFETY: the caller guarantees it for pointers that are not null.
        (false, _) => Ok(unsafe { slice::from_raw_parts(items, count) }),
    }
}

/// Memory of the caller for a result.
#[derive(Clone, Copy)]
pub(crate) struct Out<'a, T>(Option<NonNull<T>>, PhantomData<&'a mut T>);

impl<T: Copy> Out<'_, T> {
    /// # Safety
    /// The pointer is null, or points to memory for a `T` that can be written during `'a`.
    pub(crate) unsafe fn new(out: *mut T) -> Self {
        Self(NonNull::new(out), PhantomData)
    }

    /// Returns an output that discards its value.
    pub(crate) fn none() -> Self {
        Self(None, PhantomData)
    }

    /// Whether the pointer is not null.
    pub(crate) fn is_given(&self) -> bool {
        self.0.is_some()
    }

    /// Returns an error if the pointer is null.
    pub(crate) fn required(&self, name: &str) -> Result<(), Failure> {
        if self.is_given() { Ok(()) } else { Err(Failure::argument(name, "is NULL")) }
    }

    /// Writes the value; an error if the pointer is null.
    pub(crate) fn put(&self, name: &str, value: T) -> Result<(), Failure> {
        self.required(name)?;
        self.put_if_given(value);
        Ok(())
    }

    /// Writes the value if the pointer is not null.
    pub(crate) fn put_if_given(&self, value: T) {
        if let Some(out) = self.0 {
            // SAFETY: the creator of this value guarantees that the memory can be written.
            unsafe { out.write(value) };
        }
    }
}

impl<T> fmt::Debug for Out<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Out").field(&self.0).finish()
    }
}

/// Returns the start of a list, or a null pointer if it is empty.
pub(crate) fn start<T>(list: &[T]) -> *const T {
    if list.is_empty() { std::ptr::null() } else { list.as_ptr() }
}
