//! Wildcard patterns: `*` matches any characters, `?` matches one.

/// Whether a name matches a pattern with `*` and `?`, ignoring letter case.
#[must_use]
pub fn matches_glob(pattern: &str, name: &str) -> bool {
    // Fast path: most patterns are suffixes, and there may be very many files.
    if let Some(ending) = pattern.strip_prefix('*')
        && ending.is_ascii()
        && !ending.contains(['*', '?'])
    {
        let at = name.len().checked_sub(ending.len());
        return at.and_then(|at| name.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(ending));
    }
    matches_chars(&letters(pattern), &letters(name))
}

/// Returns the characters of a name or a pattern in lowercase.
#[must_use]
pub fn letters(name: &str) -> Vec<char> {
    name.to_lowercase().chars().collect()
}

/// Whether lowercase characters match a lowercase pattern, in which `*` matches any characters and `?` matches one.
#[must_use]
pub fn matches_chars(pattern: &[char], name: &[char]) -> bool {
    is_match(pattern, name, |wild| *wild == '*', |wanted, letter| *wanted == '?' || wanted == letter)
}

/// Whether items match a pattern. A part of the pattern for which `is_any` returns true matches any number of items; other parts
/// match one item, as decided by `matches`.
pub fn is_match<P, T>(
    pattern: &[P],
    items: &[T],
    is_any: impl Fn(&P) -> bool,
    matches: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut pattern, mut items) = (pattern, items);
    // The pattern after the last `is_any` part, and the items from which it was matched last.
    let mut any: Option<(&[P], &[T])> = None;
    loop {
        match (pattern.split_first(), items.split_first()) {
            (Some((part, rest_of_pattern)), _) if is_any(part) => {
                pattern = rest_of_pattern;
                any = Some((rest_of_pattern, items));
            }
            (Some((part, rest_of_pattern)), Some((item, rest))) if matches(part, item) => {
                (pattern, items) = (rest_of_pattern, rest);
            }
            (None, None) => return true,
            _ => {
                let Some((rest_of_pattern, [_, rest @ ..])) = any else { return false };
                (pattern, items) = (rest_of_pattern, rest);
                any = Some((rest_of_pattern, rest));
            }
        }
    }
}
