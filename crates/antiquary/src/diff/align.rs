//! Which items of two lists belong together: an item that was put in must not make all that follow it differ.
//!
//! Myers, "An O(ND) difference algorithm and its variations" (1986), with a bound on what is spent; beyond it items belong together
//! that have the same number.

/// Two items that belong together, or an item that only one of the lists has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Items of both lists that are to be compared.
    Both(usize, usize),
    /// Only the first list has it.
    First(usize),
    /// Only the second list has it.
    Second(usize),
}

/// No more items are put in or taken out.
const MOST_EDITS: usize = 1000;

/// No more pairs of items are compared.
const MOST_WORK: usize = 20_000_000;

/// No more pairs of items that differ are looked at for how much they have in common.
const MOST_PAIRS: usize = 4096;

/// Two lists and what their items have in common.
pub(super) struct Lists<'a> {
    /// The length of the first list.
    pub(super) first: usize,
    /// The length of the second list.
    pub(super) second: usize,
    /// How many equal items stand behind both, which pairs by number would tear apart.
    pub(super) behind: usize,
    /// Whether two items are equal.
    pub(super) equal: &'a dyn Fn(usize, usize) -> bool,
    /// How much two items that differ have in common, from 0 to 100.
    pub(super) alike: &'a dyn Fn(usize, usize) -> u32,
}

/// In longer lists items belong together by their number: to find what was put in takes memory for each.
const LONGEST: usize = 1 << 20;

/// How many items may be put in or taken out of lists that have so many in all.
fn most_edits(all: usize) -> usize {
    MOST_EDITS.min(MOST_WORK.checked_div(all).unwrap_or(MOST_EDITS)).min(all)
}

/// Whether lists of these lengths can be aligned other than by number, leaving out the items that they begin and end with.
pub(super) fn may_align(first: usize, second: usize) -> bool {
    let all = first + second;
    all <= LONGEST && first.abs_diff(second) <= most_edits(all)
}

/// The items that differ, in order; equal items that belong together are left out.
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
    let by_number = (start..first.max(second)).filter(|at| !(*at < shorter && equal(*at, *at)));
    let by_number: Vec<_> = by_number.map(|at| by_place(at, first, second)).collect();
    let torn = if first == second { 0 } else { lists.behind };
    match middle.matches() {
        Some(pairs) => {
            let steps = middle.between(&pairs);
            if steps.len() < by_number.len() + torn { steps } else { by_number }
        }
        None => by_number,
    }
}

fn by_place(at: usize, first: usize, second: usize) -> Step {
    match (at < first, at < second) {
        (true, true) => Step::Both(at, at),
        (true, false) => Step::First(at),
        (false, _) => Step::Second(at),
    }
}

/// What stands between the items that both lists begin and end with.
struct Middle<'a> {
    start: usize,
    first: usize,
    second: usize,
    lists: &'a Lists<'a>,
}

impl Middle<'_> {
    /// The equal items that belong together; `None` when too many are put in or taken out.
    fn matches(&self) -> Option<Vec<(usize, usize)>> {
        let (first, second) = (self.first, self.second);
        let most = most_edits(first + second);
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

    /// The way that led to the end, backwards.
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

    /// The items between those that belong together.
    fn between(&self, pairs: &[(usize, usize)]) -> Vec<Step> {
        let mut steps = Vec::new();
        let (mut x, mut y) = (0_usize, 0_usize);
        for &(to_x, to_y) in pairs.iter().chain([&(self.first, self.second)]) {
            self.gap(x..to_x, y..to_y, &mut steps);
            (x, y) = (to_x + 1, to_y + 1);
        }
        steps
    }

    /// Items that stand in one place and of which none are equal: those that have most in common belong together.
    fn gap(&self, xs: std::ops::Range<usize>, ys: std::ops::Range<usize>, steps: &mut Vec<Step>) {
        let of = |at: usize| self.start + at;
        let (left, right) = (xs.len(), ys.len());
        let shifts = if left == right || left.saturating_mul(right) > MOST_PAIRS {
            (0..left.min(right)).map(|at| (at, at)).collect()
        } else {
            let alike = |x: usize, y: usize| (self.lists.alike)(of(xs.start + x), of(ys.start + y));
            best_pairs(left, right, &alike)
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

/// Pairs in order with the most in common; each item of the shorter list that has anything in common with another gets one.
fn best_pairs(left: usize, right: usize, alike: &dyn Fn(usize, usize) -> u32) -> Vec<(usize, usize)> {
    let width = right + 1;
    let cell = |x: usize, y: usize| x * width + y;
    let mut best = vec![0_u32; cell(left, right) + 1];
    let mut score = vec![0_u32; best.len()];
    let get = |table: &[u32], x, y| table[cell(x, y)];
    for x in (0..left).rev() {
        for y in (0..right).rev() {
            let (next_x, next_y) = (x + 1, y + 1);
            // Even items with nothing in common belong together rather than not at all.
            let own = alike(x, y) + 1;
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

/// How far each diagonal was followed: the number of items of the first list that are done.
struct Front {
    middle: usize,
    values: Vec<usize>,
}

impl Front {
    fn new(edits: usize) -> Self {
        let middle = edits + 1;
        Self { middle, values: vec![0; middle * 2 + 1] }
    }

    /// The diagonals that so many edits can lead to.
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

    /// The diagonal from which one more edit leads to this one.
    fn before(&self, diagonal: isize, edits: usize) -> isize {
        let (below, above) = (diagonal - 1, diagonal + 1);
        let is_lowest = diagonal == -signed(edits);
        let is_highest = diagonal == signed(edits);
        if is_lowest || (!is_highest && self.get(below) < self.get(above)) { above } else { below }
    }

    /// How far this diagonal is reached by one more edit.
    fn next(&self, diagonal: isize, edits: usize) -> usize {
        if edits == 0 {
            return 0;
        }
        let before = self.before(diagonal, edits);
        let x = self.get(before);
        if before < diagonal { x + 1 } else { x }
    }

    /// What was reached before these edits, with a place to spare on each side.
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
