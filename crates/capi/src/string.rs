//! Strings for C.

use std::ffi::CString;

/// Converts a text to a string of C. Zero bytes, which end such a string, become U+FFFD.
pub(crate) fn c_string(text: &str) -> CString {
    CString::new(text).unwrap_or_else(|_| CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default())
}
