//! Formats lists of numbers, with consecutive numbers as `first-last`.

use std::fmt::Write;

/// Formats numbers, each followed by its value; a run of consecutive numbers with equal values is written once, as `first-last`.
pub(super) fn write_runs<T: PartialEq>(
    items: impl IntoIterator<Item = (usize, T)>,
    mut value_to: impl FnMut(&mut String, &T),
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
        // Writing to a string does not fail.
        let _ = match first == last {
            true => write!(out, "{space}{first}"),
            false => write!(out, "{space}{first}-{last}"),
        };
        value_to(&mut out, &value);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_consecutive_numbers_with_equal_values() {
        let items = [(3, 'a'), (4, 'a'), (5, 'a'), (6, 'b'), (8, 'b'), (7, 'b'), (usize::MAX, 'b')];
        let text = write_runs(items, |out, letter| out.push(*letter));
        assert_eq!(text, format!("3-5a 6b 8b 7b {}b", usize::MAX));
    }
}
