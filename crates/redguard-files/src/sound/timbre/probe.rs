//! Recognizes timbre libraries, which have no signature.

use asset::{Probe, Score};
use record::{Reader, Record};

use super::EXTENSIONS;
use super::layout::{FOUR_OPERATORS, Index, TWO_OPERATORS};

/// Recognizes a library by its extension, an index with an end, and a timbre immediately after it. Content that does not match
/// outweighs the extension. A library with wrong offsets can still be recognized, so that `check` can report them.
pub(super) fn probe(file: &Probe<'_>) -> Option<Score> {
    if !file.has_extension(EXTENSIONS) {
        return None;
    }
    let mut reader = Reader::new(file.head);
    let Ok(index) = Index::read(&mut reader, ()) else { return Some(Score::NEVER) };
    let end = reader.offset();
    let offsets = || index.entries.iter().map(|entry| u64::from(entry.timbre));
    let mut length_at =
        |offset| Some(reader.read_at(offset, Some(2), |reader| u16::read(reader, ())).ok()?.0);
    let starts_here = offsets().min() == Some(end)
        && length_at(end).is_some_and(|length| [TWO_OPERATORS, FOUR_OPERATORS].contains(&length));
    if !starts_here {
        return Some(Score::NEVER);
    }
    // Timbres beyond the bytes available to the probe are only checked for a minimum length.
    let fits = |offset: u64| {
        let length = u64::from(length_at(offset).unwrap_or(2));
        length >= 2 && offset.saturating_add(length) <= file.length
    };
    Some(if offsets().all(fits) { Score::LIKELY } else { Score::POSSIBLE })
}
