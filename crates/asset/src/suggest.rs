//! Guessing what was meant by a name that is not known.

/// The known name nearest to what was written, when one is near enough to be what was meant.
#[must_use]
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&written, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= name.chars().count().div_ceil(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// A sentence end: `; did you mean "lightmaps"?`, or nothing when no known name is near.
#[must_use]
pub fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(written, known).map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_gets_a_suggestion_and_nonsense_does_not() {
        assert_eq!(nearest("lihgtmaps", ["scale", "lightmaps"]), Some("lightmaps"));
        assert_eq!(nearest("RMESH", ["rmesh", "rsm"]), Some("rmesh"));
        assert_eq!(nearest("banana", ["scale", "lightmaps"]), None);
        assert_eq!(did_you_mean("bke", ["split", "bake"]), "; did you mean \"bake\"?");
    }
}
