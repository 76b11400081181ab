//! Names and documentation in the form of other languages.

/// Returns the name of a type in snake case: `TextureSlot` of `game::model::TextureSlot` becomes `texture_slot`.
pub(crate) fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut before = '_';
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
            out.push('_');
        }
        out.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' });
        before = letter;
    }
    if out.starts_with(|letter: char| letter.is_ascii_digit()) {
        return format!("n{out}");
    }
    if CLASSES.contains(&out.as_str()) { out + "_record" } else { out }
}

/// Types with these names would hide classes that readers in JavaScript use.
const CLASSES: &[&str] = &["array", "error", "map", "object", "set", "string", "symbol"];

/// Returns the name in Pascal case: `texture_slot` becomes `TextureSlot`.
pub(crate) fn pascal(id: &str) -> String {
    id.split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_ascii_uppercase())
                .into_iter()
                .chain(letters)
                .collect::<String>()
        })
        .collect()
}

/// Returns the last name of a path without generic arguments, and the name of the module before it.
pub(crate) fn last_of(path: &str) -> (&str, &str) {
    let plain = path.split('<').next().unwrap_or(path);
    let mut names = plain.rsplit("::");
    let last = names.next().unwrap_or(plain);
    let module = names.find(|name| *name != "layout").unwrap_or_default();
    (last, module)
}

/// Removes the links of rustdoc: ``[`Light`]`` becomes `` `Light` ``.
pub(crate) fn without_links(about: &str) -> String {
    let mut out = String::new();
    let mut rest = about;
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        match after.split_once(']') {
            Some((text, after)) if after.starts_with('(') => {
                out.push_str(text);
                rest = after.split_once(')').map_or(after, |(_, after)| after);
            }
            Some((text, after)) if text.starts_with('`') && text.ends_with('`') => {
                out.push_str(text);
                rest = after;
            }
            _ => {
                out.push('[');
                rest = after;
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_become_snake_case() {
        assert_eq!(snake("TextureSlot"), "texture_slot");
        assert_eq!(snake("Rle8"), "rle8");
        assert_eq!(snake("3d"), "n3d");
        assert_eq!(pascal("texture_slot"), "TextureSlot");
    }

    #[test]
    fn links_become_their_text() {
        assert_eq!(
            without_links("see [`Light`] and [docs](https://a.b), [0, 1]"),
            "see `Light` and docs, [0, 1]"
        );
    }
}
