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

/// The known names nearest to what was written, as many as are wanted, the nearest first.
#[must_use]
pub fn nearest_few<'a>(written: &str, known: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let written = written.to_lowercase();
    let length = written.chars().count();
    let mut near: Vec<(usize, &str)> = Vec::new();
    for name in known {
        let room = name.chars().count().div_ceil(3);
        // As far apart as their lengths are, at least.
        if name.chars().count().abs_diff(length) > room {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&written, &name.to_lowercase());
        if distance <= room {
            let at = near.partition_point(|(known, _)| *known <= distance);
            near.insert(at, (distance, name));
            near.truncate(most);
        }
    }
    // Beside a good guess a poor one is none.
    let best = near.first().map_or(0, |(distance, _)| *distance);
    let room = best.saturating_add(1);
    near.into_iter().take_while(|(distance, _)| *distance <= room).map(|(_, name)| name).collect()
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
        assert_eq!(nearest_few("mils", ["mill", "Mils", "mist", "mile"], 2), ["Mils", "mill"]);
        assert_eq!(did_you_mean("bke", ["split", "bake"]), "; did you mean \"bake\"?");
    }
}
