//! The lines of dialogue that scripts refer to by label.

use std::collections::BTreeMap;

/// Returns the part of a label by which the game finds a line: the first four characters, with A to Z in lowercase.
#[must_use]
pub fn label_key(label: &str) -> String {
    label.chars().take(4).map(|it| it.to_ascii_lowercase()).collect()
}

/// The texts of the lines of dialogue. As in the game, a label finds a line by its first four characters, ignoring the case of A to
/// Z.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SpokenLines {
    /// Label as written, and text, by [key](label_key).
    lines: BTreeMap<String, (String, String)>,
}

impl SpokenLines {
    /// Returns the text of a line.
    #[must_use]
    pub fn get(&self, label: &str) -> Option<&str> {
        self.lines.get(&label_key(label)).map(|(_, text)| text.as_str())
    }

    /// Iterates over the labels as written in the dialogue, and the texts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.values().map(|(label, text)| (label.as_str(), text.as_str()))
    }

    /// Whether there are no lines.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

/// Collects pairs of a label and a text. Of several lines with one key, the last is used.
impl FromIterator<(String, String)> for SpokenLines {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(lines: T) -> Self {
        Self { lines: lines.into_iter().map(|(label, text)| (label_key(&label), (label, text))).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_finds_a_line_by_four_characters_in_any_case() {
        let lines: SpokenLines = [("?AbC", "lamp"), ("&101", "Yield!")]
            .map(|(label, text)| (label.to_owned(), text.to_owned()))
            .into_iter()
            .collect();
        for label in ["?AbC", "?abc", "?ABC", "?abcdef"] {
            assert_eq!(lines.get(label), Some("lamp"), "{label}");
        }
        assert_eq!(lines.get("?ab"), None);
        assert_eq!(lines.iter().collect::<Vec<_>>(), [("&101", "Yield!"), ("?AbC", "lamp")]);
    }
}
