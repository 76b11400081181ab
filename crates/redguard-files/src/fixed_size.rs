//! Files with a fixed size.

use record::{Error, Result};

/// Checks the length of a file before it is read. `what` names the kind of file and includes the verb: "a shade table has".
///
/// # Errors
/// Returns an error if the length is not `size`.
pub(crate) fn check_length(length: u64, size: usize, what: &str) -> Result<()> {
    let expected = u64::try_from(size).unwrap_or(u64::MAX);
    if length == expected {
        return Ok(());
    }
    Err(Error::malformed(format!("the file has {length} bytes; {what} {size}")).at(length.min(expected)))
}
