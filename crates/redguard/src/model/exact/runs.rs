//! Numbers in texts: those that follow one another are written as `first-last`.

use std::fmt::Write;

/// Writes numbers, each with what stands behind it: what is the same for numbers that follow one another is written once, `first-last` and then the
/// rest.
pub(in crate::model) fn write_runs<T: PartialEq>(
    items: impl IntoIterator<Item = (usize, T)>,
    mut rest: impl FnMut(&mut String, &T),
) -> String {
    let mut out = String::new();
    let mut items = items.into_iter().peekable();
    while let Some((first, value)) = items.next() {
        let mut last = first;
        while let Some((next, _)) =
            items.next_if(|(number, other)| last.checked_add(1) == Some(*number) && *other == value)
        {
            last = next;
        }
        let space = if out.is_empty() { "" } else { " " };
        // Writing into a string does not fail.
        let _ = match first == last {
            true => write!(out, "{space}{first}"),
            false => write!(out, "{space}{first}-{last}"),
        };
        rest(&mut out, &value);
    }
    out
}

/// The numbers that a word stands for.
pub(in crate::model) fn read_run(word: &str) -> Option<std::ops::RangeInclusive<usize>> {
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    Some(first.parse().ok()?..=last.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_follow_one_another_are_one_word() {
        let items = [(3, 'a'), (4, 'a'), (5, 'a'), (6, 'b'), (8, 'b'), (7, 'b'), (usize::MAX, 'b')];
        let text = write_runs(items, |out, letter| out.push(*letter));
        assert_eq!(text, format!("3-5a 6b 8b 7b {}b", usize::MAX));
        let read = |word: &str| read_run(word).map(|run| (*run.start(), *run.end()));
        assert_eq!((read("3-5"), read("7")), (Some((3, 5)), Some((7, 7))));
        assert!(["", "-", "3-", "-3", "a", "1-2-3", "1 2"].into_iter().all(|word| read(word).is_none()));
    }
}
