//! Files that always have the same size.

use record::{Error, Result};

/// Checks the length of a file, told before it is read. `what` says with its verb what it is: "a shade table has".
///
/// # Errors
/// When it is another than `size`.
pub(crate) fn check_length(length: u64, size: usize, what: &str) -> Result<()> {
    let expected = u64::try_from(size).unwrap_or(u64::MAX);
    if length == expected {
        return Ok(());
    }
    Err(Error::malformed(format!("the file has {length} bytes; {what} {size}")).at(length.min(expected)))
}
