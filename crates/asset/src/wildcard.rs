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
    let part: Vec<char> = pattern.to_lowercase().chars().collect();
    is_like(&part, &name.to_lowercase())
}

/// Whether a name is like a part of a pattern, in which `*` stands for any letters and `?` for one.
#[must_use]
pub fn is_like(part: &[char], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut in_name) = (0_usize, 0_usize);
    // The last `*`, and how far the name had come there.
    let mut star: Option<(usize, usize)> = None;
    while in_name < name.len() {
        let letter = name.get(in_name);
        match part.get(at) {
            Some('*') => {
                star = Some((at, in_name));
                at = at.saturating_add(1);
            }
            Some(wanted) if *wanted == '?' || Some(wanted) == letter => {
                (at, in_name) = (at.saturating_add(1), in_name.saturating_add(1));
            }
            _ => {
                let Some((star_at, from)) = star else { return false };
                let from = from.saturating_add(1);
                star = Some((star_at, from));
                (at, in_name) = (star_at.saturating_add(1), from);
            }
        }
    }
    part.get(at..).unwrap_or_default().iter().all(|rest| *rest == '*')
}
