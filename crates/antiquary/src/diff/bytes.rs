//! Byte-wise comparison in chunks, so that files of any length can be compared.

use asset::{Error, Source};

/// Number of bytes of each source in memory at the same time.
const CHUNK: u64 = 1 << 20;

/// Returns the offset of the first byte in which two sources differ; if one is a prefix of the other, the length of the
/// shorter one. Returns `None` if they are equal.
///
/// # Errors
/// Fails if one of them cannot be read.
pub fn first_difference(a: &Source, b: &Source) -> Result<Option<u64>, Error> {
    let shorter = a.len().min(b.len());
    let mut at = 0;
    while at < shorter {
        let end = (at + CHUNK).min(shorter);
        let (left, right) = (a.read(at..end)?, b.read(at..end)?);
        if left != right {
            let same = left.iter().zip(right.iter()).take_while(|(left, right)| left == right).count();
            return Ok(Some(at + same as u64));
        }
        at = end;
    }
    Ok((a.len() != b.len()).then_some(shorter))
}
