//! Names with wildcards: `*` stands for any letters, `?` for one.

/// Whether a file is called so: by a name, or by a pattern with `*` and `?`. Letter case does not matter.
#[must_use]
pub fn is_called(pattern: &str, name: &str) -> bool {
    // Most patterns are endings, and there may be very many files.
    if let Some(ending) = pattern.strip_prefix('*')
        && ending.is_ascii()
        && !ending.contains(['*', '?'])
    {
        let at = name.len().checked_sub(ending.len());
        return at.and_then(|at| name.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(ending));
    }
    is_like(&letters(pattern), &letters(name))
}

/// The letters of a name or pattern in lower case.
#[must_use]
pub fn letters(name: &str) -> Vec<char> {
    name.to_lowercase().chars().collect()
}

/// Whether letters are like a pattern, in which `*` stands for any letters and `?` for one.
#[must_use]
pub fn is_like(pattern: &[char], name: &[char]) -> bool {
    is_match(pattern, name, |wild| *wild == '*', |wanted, letter| *wanted == '?' || wanted == letter)
}

/// Whether items are like a pattern: some of its parts stand for any items, and each of the others for one that meets it.
pub fn is_match<P, T>(
    pattern: &[P],
    items: &[T],
    is_any: impl Fn(&P) -> bool,
    is_met: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut pattern, mut items) = (pattern, items);
    // What is behind the last part that stands for any items, and the items for which that was tried.
    let mut any: Option<(&[P], &[T])> = None;
    loop {
        match (pattern.split_first(), items.split_first()) {
            (Some((part, behind)), _) if is_any(part) => {
                pattern = behind;
                any = Some((behind, items));
            }
            (Some((part, behind)), Some((item, rest))) if is_met(part, item) => {
                (pattern, items) = (behind, rest);
            }
            (None, None) => return true,
            _ => {
                let Some((behind, [_, rest @ ..])) = any else { return false };
                (pattern, items) = (behind, rest);
                any = Some((behind, rest));
            }
        }
    }
}
