//! Which bytes some field has claimed.

use std::collections::BTreeMap;

/// Ranges that were claimed, joined where they touch: for most files there is never more than one.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    /// Ends by starts.
    ranges: BTreeMap<u64, u64>,
}

impl Coverage {
    /// Claims a range.
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

    /// What was not claimed of a file of this length.
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
    fn ranges_that_touch_or_overlap_are_one_in_whatever_order_they_come() {
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
