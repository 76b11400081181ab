//! Suggestions for unknown names.

/// Returns the known name most similar to `written`, if it is similar enough.
#[must_use]
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.to_lowercase();
    let length = written.chars().count();
    known
        .into_iter()
        // The distance is at least the difference of the lengths.
        .filter(|name| name.chars().count().abs_diff(length) <= name.chars().count().div_ceil(3))
        .map(|name| (strsim::damerau_levenshtein(&written, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= name.chars().count().div_ceil(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Returns up to `most` known names similar to `written`, the most similar first.
#[must_use]
pub fn nearest_few<'a>(written: &str, known: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let written = written.to_lowercase();
    let length = written.chars().count();
    let mut near: Vec<(usize, &str)> = Vec::new();
    for name in known {
        let max_distance = name.chars().count().div_ceil(3);
        // The distance is at least the difference of the lengths.
        if name.chars().count().abs_diff(length) > max_distance {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&written, &name.to_lowercase());
        if distance <= max_distance {
            let at = near.partition_point(|(known, _)| *known <= distance);
            near.insert(at, (distance, name));
            near.truncate(most);
        }
    }
    // Names that are much less similar than the best one are dropped.
    let best = near.first().map_or(0, |(distance, _)| *distance);
    let max_distance = best.saturating_add(1);
    near.into_iter().take_while(|(distance, _)| *distance <= max_distance).map(|(_, name)| name).collect()
}

/// Returns the end of a sentence such as `; did you mean "lightmaps"?`, or an empty string if no known name is similar.
#[must_use]
pub fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(written, known).map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_similar_names_only() {
        assert_eq!(nearest("lihgtmaps", ["scale", "lightmaps"]), Some("lightmaps"));
        assert_eq!(nearest("RMESH", ["rmesh", "rsm"]), Some("rmesh"));
        assert_eq!(nearest("banana", ["scale", "lightmaps"]), None);
        assert_eq!(nearest_few("mils", ["mill", "Mils", "mist", "mile"], 2), ["Mils", "mill"]);
        assert_eq!(did_you_mean("bke", ["split", "bake"]), "; did you mean \"bake\"?");
    }
}
