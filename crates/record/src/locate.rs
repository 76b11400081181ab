//! Offsets of fields by their paths.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Span, Visit, Visitor};

/// Finds the offsets of fields by their paths, such as `surfaces[2].texture`, in a single trace of a file.
///
/// A path may name a record or a list; its offset is then the offset of the first field in it. Only records and lists on the way to
/// one of the paths are visited, and the trace stops once all paths are found. The cost of a span is proportional to the length of its
/// path and to the logarithm of the number of paths.
///
/// ```
/// use antiquary_record::{Locator, Record, trace_whole};
///
/// #[derive(Record)]
/// struct Picture {
///     width: u16,
///     height: u16,
///     #[record(count = u8)]
///     palette: Vec<[u8; 3]>,
/// }
///
/// let mut locator = Locator::new(["palette[1]", "height", "depth"]);
/// trace_whole::<Picture>(b"\x01\0\x01\0\x02rgbRGB", (), &mut locator)?;
/// assert_eq!(locator.offset("height"), Some(2));
/// assert_eq!(locator.offset("palette[1]"), Some(8));
/// assert_eq!(locator.offset("depth"), None);
/// # Ok::<(), antiquary_record::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Locator {
    wanted: BTreeSet<String>,
    found: BTreeMap<String, u64>,
}

impl Locator {
    /// Creates a locator for these paths.
    #[must_use]
    pub fn new<P: Into<String>>(paths: impl IntoIterator<Item = P>) -> Self {
        Self { wanted: paths.into_iter().map(Into::into).collect(), found: BTreeMap::new() }
    }

    /// Offset of a field from the start of the file. `None` if the field was not found.
    #[must_use]
    pub fn offset(&self, path: &str) -> Option<u64> {
        self.found.get(path).copied()
    }

    /// Whether all paths have been found.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Whether a requested path is below this one.
    fn has_wanted_descendant(&self, path: &str) -> bool {
        let starts_with = |separator: char| {
            let below = format!("{path}{separator}");
            self.wanted.range(below.clone()..).next().is_some_and(|wanted| wanted.starts_with(&below))
        };
        starts_with('.') || starts_with('[')
    }
}

/// Returns the ancestors of a path, then the path: `a`, `a[1]` and `a[1].b` for `a[1].b`.
fn ancestors_and_self(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.char_indices().filter(|(at, letter)| *at > 0 && matches!(letter, '.' | '['));
    ends.filter_map(|(at, _)| path.get(..at)).chain(std::iter::once(path))
}

impl Visitor for Locator {
    fn span(&mut self, span: Span<'_>) -> Visit {
        for path in ancestors_and_self(span.path) {
            if let Some(path) = self.wanted.take(path) {
                self.found.insert(path, span.start);
            }
        }
        if self.is_done() { Visit::Stop } else { Visit::Continue }
    }

    fn enters(&mut self, path: &str) -> bool {
        ancestors_and_self(path).any(|path| self.wanted.contains(path)) || self.has_wanted_descendant(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reader, Record};

    #[derive(Record)]
    struct Part {
        size: u16,
        #[record(count = u8)]
        corners: Vec<[u8; 2]>,
    }

    #[derive(Record)]
    struct Model {
        version: u8,
        #[record(count = u8)]
        parts: Vec<Part>,
        end: u8,
    }

    const MODEL: &[u8] = b"\x07\x02\x01\0\x02\x0a\x0b\x0c\x0d\x02\0\x01\x0e\x0f\x63";

    fn offsets<const N: usize>(paths: [&str; N]) -> [Option<u64>; N] {
        let mut locator = Locator::new(paths);
        Model::read(&mut Reader::tracing(MODEL, &mut locator), ()).unwrap();
        paths.map(|path| locator.offset(path))
    }

    #[test]
    fn finds_the_first_byte_of_fields_lists_and_records() {
        assert_eq!(offsets(["version", "parts", "parts[1]", "end"]), [Some(0), Some(1), Some(9), Some(14)]);
        assert_eq!(offsets(["parts[0].corners[1]", "parts[1].corners"]), [Some(7), Some(11)]);
    }

    #[test]
    fn does_not_find_incomplete_paths() {
        assert_eq!(offsets(["part", "parts[1", "parts[2]", "parts[0].siz", ""]), [None; 5]);
    }

    /// Counts the spans that it forwards.
    struct Counting(Locator, usize);

    impl Visitor for Counting {
        fn span(&mut self, span: Span<'_>) -> Visit {
            self.1 = self.1.saturating_add(1);
            self.0.span(span)
        }

        fn enters(&mut self, path: &str) -> bool {
            self.0.enters(path)
        }
    }

    #[test]
    fn visits_only_ancestors_of_the_paths_and_stops_after_the_last() {
        let mut counting = Counting(Locator::new(["parts[1].size", "parts[0].corners[1]"]), 0);
        let model = Model::read(&mut Reader::tracing(MODEL, &mut counting), ()).unwrap();
        assert_eq!(counting.0.offset("parts[1].size"), Some(9));
        assert_eq!(counting.1, 2, "the corner and the size");
        assert_eq!((model.end, model.parts[1].corners.len()), (99, 1));
    }
}
