//! Line-by-line comparison of two texts.

use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::change::{ChangeKind, Differences};

/// Time limit, after which the rest counts as one change.
const TIME_LIMIT: Duration = Duration::from_secs(2);

/// Adds the ranges of lines that differ. Lines with the same `key` are equal.
pub(crate) fn compare_lines(
    path: &str,
    (first, second): (&str, &str),
    key: impl Fn(&str) -> String,
    differences: &mut Differences,
) {
    let (first, second): (Vec<&str>, Vec<&str>) = (first.lines().collect(), second.lines().collect());
    let keys = |lines: &[&str]| lines.iter().map(|line| key(line)).collect::<Vec<_>>();
    let deadline = Instant::now().checked_add(TIME_LIMIT);
    let found = capture_diff_slices_deadline(Algorithm::Myers, &keys(&first), &keys(&second), deadline);
    for change in found.into_iter().filter(|change| !matches!(change, DiffOp::Equal { .. })) {
        let (old, new) = (change.old_range(), change.new_range());
        let lines = |lines: &[&str], range: std::ops::Range<usize>| -> Vec<String> {
            lines.get(range).unwrap_or_default().iter().map(|line| (*line).to_owned()).collect()
        };
        differences.add(path, || ChangeKind::Lines {
            first_line: old.start + 1,
            second_line: new.start + 1,
            removed: lines(&first, old.clone()),
            added: lines(&second, new.clone()),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_moved_lines_and_merges_adjacent_changes() {
        let mut differences = Differences::new(10);
        let key = |line: &str| line.replace(|letter: char| letter.is_ascii_digit(), "");
        compare_lines("a", ("x\nL1\ny\nz", "x\nnew\nL2\ny\nw\nv"), key, &mut differences);
        let found: Vec<_> = differences.into_kept().into_iter().map(|change| change.what).collect();
        let lines = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            found,
            [
                ChangeKind::Lines { first_line: 2, second_line: 2, removed: vec![], added: lines(&["new"]) },
                ChangeKind::Lines {
                    first_line: 4,
                    second_line: 5,
                    removed: lines(&["z"]),
                    added: lines(&["w", "v"])
                },
            ]
        );
    }
}
