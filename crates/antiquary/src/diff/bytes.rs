//! Bytes compared piece by piece, so that files of any length can be.

use asset::{Error, Source};

/// How much of each source is in memory at once.
const CHUNK: u64 = 1 << 20;

/// The offset of the first byte in which two sources differ; where one begins like the other, the length of the shorter one. `None`
/// when they are equal.
///
/// # Errors
/// When one cannot be read.
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
