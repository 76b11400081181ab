//! Lists that go on to the end of their chunk.

use record::{Reader, Record, Result};

/// Items repeated until the end of a chunk. Bytes after the last one are too few for another.
pub(super) trait Item: Record {
    /// How many bytes the next one takes; `None` if it is not all there.
    fn length(bytes: &[u8], context: Self::Context) -> Option<usize>;
}

/// Whether no further complete item follows.
#[expect(clippy::unnecessary_wraps, reason = "the form that lists ask for")]
pub(super) fn no_more<T: Item>(reader: &Reader<'_>, context: T::Context) -> Result<bool> {
    let rest = reader.rest();
    Ok(T::length(rest, context).is_none_or(|length| length == 0 || length > rest.len()))
}
