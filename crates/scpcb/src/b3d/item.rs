//! Lists that continue to the end of their chunk.

use record::{Reader, Record, Result};

/// An item of a list that continues to the end of its chunk. Bytes after the last one are too few for another.
pub(super) trait Item: Record {
    /// Returns the size of the next item in bytes; `None` if it is incomplete.
    fn length(bytes: &[u8], context: Self::Context) -> Option<usize>;
}

/// Whether no further complete item follows.
#[expect(clippy::unnecessary_wraps, reason = "the signature that list conditions require")]
pub(super) fn no_more<T: Item>(reader: &Reader<'_>, context: T::Context) -> Result<bool> {
    let rest = reader.rest();
    Ok(T::length(rest, context).is_none_or(|length| length == 0 || length > rest.len()))
}
