//! Alignment of two lists: an inserted item must not make all later items differ.
//!
//! Myers, "An O(ND) difference algorithm and its variations" (1986), with a bound on the work; beyond it, items are paired
//! by index.

/// A pair of aligned items, or an item that only one of the lists contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Items of both lists, to be compared.
    Both(usize, usize),
    /// Item of the first list only.
    First(usize),
    /// Item of the second list only.
    Second(usize),
}

/// Maximum number of insertions and deletions.
const MAX_EDITS: usize = 1000;

/// Maximum number of item comparisons.
const MAX_WORK: usize = 20_000_000;

/// Maximum number of differing pairs whose similarity is computed.
const MAX_PAIRS: usize = 4096;

/// Two lists and the relation of their items.
pub(super) struct Lists<'a> {
    /// Length of the first list.
    pub(super) first: usize,
    /// Length of the second list.
    pub(super) second: usize,
    /// Number of equal items after both lists, which pairing by index would break up.
    pub(super) suffix: usize,
    /// Whether two items are equal.
    pub(super) equal: &'a dyn Fn(usize, usize) -> bool,
    /// Similarity of two differing items, from 0 to 100.
    pub(super) similarity: &'a dyn Fn(usize, usize) -> u32,
}

/// Maximum total length of lists that are aligned; longer ones are paired by index, because the alignment needs memory for
/// each item.
const MAX_LENGTH: usize = 1 << 20;

/// Returns the maximum number of insertions and deletions for lists with this total length.
fn max_edits(all: usize) -> usize {
    MAX_EDITS.min(MAX_WORK.checked_div(all).unwrap_or(MAX_EDITS)).min(all)
}

/// Whether lists of these lengths, without their common prefix and suffix, can be aligned other than by index.
pub(super) fn may_align(first: usize, second: usize) -> bool {
    let all = first + second;
    all <= MAX_LENGTH && first.abs_diff(second) <= max_edits(all)
}

/// Returns the differing items in order, without equal pairs.
pub(super) fn align(lists: &Lists<'_>) -> Vec<Step> {
    let (first, second, equal) = (lists.first, lists.second, lists.equal);
    let shorter = first.min(second);
    let start = (0..shorter).take_while(|at| equal(*at, *at)).count();
    let ends = |from_end: &usize| {
        let back = from_end + 1;
        equal(first - back, second - back)
    };
    let end = (0..shorter - start).take_while(ends).count();
    let middle = Middle { start, first: first - start - end, second: second - start - end, lists };
    let paired_by_index = (start..first.max(second)).filter(|at| !(*at < shorter && equal(*at, *at)));
    let paired_by_index: Vec<_> = paired_by_index.map(|at| by_index(at, first, second)).collect();
    let broken_pairs = if first == second { 0 } else { lists.suffix };
    match middle.matches() {
        Some(pairs) => {
            let steps = middle.between(&pairs);
            if steps.len() < paired_by_index.len() + broken_pairs { steps } else { paired_by_index }
        }
        None => paired_by_index,
    }
}

fn by_index(at: usize, first: usize, second: usize) -> Step {
    match (at < first, at < second) {
        (true, true) => Step::Both(at, at),
        (true, false) => Step::First(at),
        (false, _) => Step::Second(at),
    }
}

/// The part of both lists between the common prefix and the common suffix.
struct Middle<'a> {
    start: usize,
    first: usize,
    second: usize,
    lists: &'a Lists<'a>,
}

impl Middle<'_> {
    /// Returns the pairs of equal items; `None` if there are too many insertions and deletions.
    fn matches(&self) -> Option<Vec<(usize, usize)>> {
        let (first, second) = (self.first, self.second);
        let most = max_edits(first + second);
        let mut front = Front::new(most);
        let mut passed: Vec<Vec<usize>> = Vec::new();
        for edits in 0..=most {
            passed.push(front.snapshot(edits));
            for diagonal in Front::diagonals(edits) {
                let mut x = front.next(diagonal, edits);
                while let Some(y) = y_of(x, diagonal)
                    && x < first
                    && y < second
                    && self.equal(x, y)
                {
                    x += 1;
                }
                front.set(diagonal, x);
                if x >= first && y_of(x, diagonal).is_some_and(|y| y >= second) {
                    return Some(self.walk_back(&passed));
                }
            }
        }
        None
    }

    fn equal(&self, x: usize, y: usize) -> bool {
        (self.lists.equal)(self.start + x, self.start + y)
    }

    /// Traces the shortest edit path back from the end.
    fn walk_back(&self, passed: &[Vec<usize>]) -> Vec<(usize, usize)> {
        let (mut x, mut y) = (self.first, self.second);
        let mut pairs = Vec::new();
        for (edits, values) in passed.iter().enumerate().rev() {
            let front = Front { middle: edits + 1, values: values.clone() };
            let diagonal = signed(x) - signed(y);
            let (from_x, from_y) = match edits {
                0 => (0, 0),
                _ => {
                    let before = front.before(diagonal, edits);
                    let from_x = front.get(before);
                    (from_x, y_of(from_x, before).unwrap_or(0))
                }
            };
            while x > from_x && y > from_y {
                (x, y) = (x - 1, y - 1);
                pairs.push((x, y));
            }
            (x, y) = (from_x, from_y);
        }
        pairs.reverse();
        pairs
    }

    /// Returns the steps between pairs of equal items.
    fn between(&self, pairs: &[(usize, usize)]) -> Vec<Step> {
        let mut steps = Vec::new();
        let (mut x, mut y) = (0_usize, 0_usize);
        for &(to_x, to_y) in pairs.iter().chain([&(self.first, self.second)]) {
            self.gap(x..to_x, y..to_y, &mut steps);
            (x, y) = (to_x + 1, to_y + 1);
        }
        steps
    }

    /// Aligns a gap without equal items by pairing the most similar ones.
    fn gap(&self, xs: std::ops::Range<usize>, ys: std::ops::Range<usize>, steps: &mut Vec<Step>) {
        let of = |at: usize| self.start + at;
        let (left, right) = (xs.len(), ys.len());
        let shifts = if left == right || left.saturating_mul(right) > MAX_PAIRS {
            (0..left.min(right)).map(|at| (at, at)).collect()
        } else {
            let similarity = |x: usize, y: usize| (self.lists.similarity)(of(xs.start + x), of(ys.start + y));
            best_pairs(left, right, &similarity)
        };
        let (mut x, mut y) = (0_usize, 0_usize);
        for (to_x, to_y) in shifts.into_iter().chain([(left, right)]) {
            steps.extend((x..to_x).map(|at| Step::First(of(xs.start + at))));
            steps.extend((y..to_y).map(|at| Step::Second(of(ys.start + at))));
            if to_x < left && to_y < right {
                let (at_x, at_y) = (xs.start + to_x, ys.start + to_y);
                steps.push(Step::Both(of(at_x), of(at_y)));
            }
            (x, y) = (to_x + 1, to_y + 1);
        }
    }
}

/// Returns ordered pairs with the highest total similarity. Every item of the shorter list that is similar to any other gets
/// a pair.
fn best_pairs(left: usize, right: usize, similarity: &dyn Fn(usize, usize) -> u32) -> Vec<(usize, usize)> {
    let width = right + 1;
    let cell = |x: usize, y: usize| x * width + y;
    let mut best = vec![0_u32; cell(left, right) + 1];
    let mut score = vec![0_u32; best.len()];
    let get = |table: &[u32], x, y| table[cell(x, y)];
    for x in (0..left).rev() {
        for y in (0..right).rev() {
            let (next_x, next_y) = (x + 1, y + 1);
            // Pairing items without similarity is better than leaving them unpaired.
            let own = similarity(x, y) + 1;
            let together = get(&best, next_x, next_y) + own;
            let most = together.max(get(&best, next_x, y)).max(get(&best, x, next_y));
            (best[cell(x, y)], score[cell(x, y)]) = (most, own);
        }
    }
    let (mut x, mut y) = (0, 0);
    let mut pairs = Vec::new();
    while x < left && y < right {
        let (next_x, next_y) = (x + 1, y + 1);
        let here = get(&best, x, y);
        if here == get(&best, next_x, next_y) + get(&score, x, y) {
            pairs.push((x, y));
            (x, y) = (next_x, next_y);
        } else if here == get(&best, next_x, y) {
            x = next_x;
        } else {
            y = next_y;
        }
    }
    pairs
}

/// Furthest reaching points of the diagonals, as the number of processed items of the first list.
struct Front {
    middle: usize,
    values: Vec<usize>,
}

impl Front {
    fn new(edits: usize) -> Self {
        let middle = edits + 1;
        Self { middle, values: vec![0; middle * 2 + 1] }
    }

    /// Returns the diagonals that can be reached with this number of edits.
    fn diagonals(edits: usize) -> impl Iterator<Item = isize> {
        (-signed(edits)..=signed(edits)).step_by(2)
    }

    fn place(&self, diagonal: isize) -> Option<usize> {
        self.middle.checked_add_signed(diagonal)
    }

    fn get(&self, diagonal: isize) -> usize {
        self.place(diagonal).and_then(|at| self.values.get(at)).copied().unwrap_or(0)
    }

    fn set(&mut self, diagonal: isize, x: usize) {
        if let Some(value) = self.place(diagonal).and_then(|at| self.values.get_mut(at)) {
            *value = x;
        }
    }

    /// Returns the diagonal from which one more edit leads to this one.
    fn before(&self, diagonal: isize, edits: usize) -> isize {
        let (below, above) = (diagonal - 1, diagonal + 1);
        let is_lowest = diagonal == -signed(edits);
        let is_highest = diagonal == signed(edits);
        if is_lowest || (!is_highest && self.get(below) < self.get(above)) { above } else { below }
    }

    /// Returns the furthest point on this diagonal after one more edit.
    fn next(&self, diagonal: isize, edits: usize) -> usize {
        if edits == 0 {
            return 0;
        }
        let before = self.before(diagonal, edits);
        let x = self.get(before);
        if before < diagonal { x + 1 } else { x }
    }

    /// Returns the furthest points before these edits, with one extra diagonal on each side.
    fn snapshot(&self, edits: usize) -> Vec<usize> {
        let reach = signed(edits) + 1;
        (-reach..=reach).map(|diagonal| self.get(diagonal)).collect()
    }
}

fn y_of(x: usize, diagonal: isize) -> Option<usize> {
    x.checked_add_signed(-diagonal)
}

fn signed(number: usize) -> isize {
    isize::try_from(number).unwrap_or(isize::MAX)
}
