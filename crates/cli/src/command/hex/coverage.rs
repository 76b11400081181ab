//! Bytes that are covered by a field.

use std::collections::BTreeMap;

/// Covered ranges, merged where they touch. Most files have a single range at any time.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    /// Range ends, keyed by start.
    ranges: BTreeMap<u64, u64>,
}

impl Coverage {
    /// Adds a range.
    pub(super) fn add(&mut self, mut start: u64, mut end: u64) {
        if start >= end {
            return;
        }
        while let Some((known_start, known_end)) = self.ranges.range(..=end).next_back() {
            let (known_start, known_end) = (*known_start, *known_end);
            if known_end < start {
                break;
            }
            self.ranges.remove(&known_start);
            start = start.min(known_start);
            end = end.max(known_end);
        }
        self.ranges.insert(start, end);
    }

    /// The uncovered ranges of a file of this length.
    pub(super) fn gaps(&self, length: u64) -> Vec<(u64, u64)> {
        let mut out = Vec::new();
        let mut at = 0;
        for (start, end) in self.ranges.iter().map(|(start, end)| (*start, *end)).chain([(length, length)]) {
            if at < start.min(length) {
                out.push((at, start.min(length)));
            }
            at = at.max(end);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_and_overlapping_ranges_are_merged_in_any_order() {
        let mut coverage = Coverage::default();
        for (start, end) in [(10, 20), (0, 4), (30, 40), (20, 25), (24, 30), (4, 4), (12, 14)] {
            coverage.add(start, end);
        }
        assert_eq!(coverage.ranges, BTreeMap::from([(0, 4), (10, 40)]));
        assert_eq!(coverage.gaps(50), [(4, 10), (40, 50)]);
        assert_eq!(coverage.gaps(40), [(4, 10)]);
        assert_eq!(coverage.gaps(8), [(4, 8)]);
        coverage.add(3, 60);
        assert_eq!(coverage.ranges, BTreeMap::from([(0, 60)]));
        assert_eq!(coverage.gaps(60), []);
        assert_eq!(Coverage::default().gaps(3), [(0, 3)]);
    }
}
