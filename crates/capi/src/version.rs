//! The version of the library, and the number of its objects.

use std::ffi::c_char;

/// Returns the version of the library, such as `0.1.0`: a constant text.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the number of handles that were created and not freed yet, to find leaks.
#[unsafe(no_mangle)]
pub extern "C" fn antiquary_handle_count() -> usize {
    crate::handle::count()
}
