//! Schemas of the game's tables: sections, keys, and the kinds of values.

mod tables;

use asset::Report;

use super::section::Sections;

pub use tables::{ACHIEVEMENTS, ALL, CHUNKS, DRINKS, EVENTS, LOADING_SCREENS, NPC_BONES, NPCS, OPTIONS};

/// The schema of a table of the game, which drives all operations on it.
#[derive(Debug)]
pub struct Schema {
    /// Format ID, such as `scpcb.npcs`.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Path in the game.
    pub path: &'static str,
    /// Short description of the contents.
    pub about: &'static str,
    /// Whether files of other programs have the same name. If so, a file that begins with keys must have at least one key of the
    /// table.
    pub is_common_name: bool,
    /// Noun for its sections, singular and plural.
    pub noun: [&'static str; 2],
    /// Rules of its sections. The first match applies.
    pub sections: &'static [SectionRule],
    /// Check of several values together.
    pub(super) extra: Option<Extra>,
}

/// A check of several values together.
pub(super) type Extra = fn(&Sections<'_>, &mut Report);

/// A rule for sections.
#[derive(Debug)]
pub struct SectionRule {
    /// Name pattern in lowercase: `*` is any text, `#` a number.
    pub name: &'static str,
    /// Description.
    pub about: &'static str,
    /// Rules of its keys. The first match applies.
    pub keys: &'static [KeyRule],
}

/// A rule for keys.
#[derive(Debug)]
pub struct KeyRule {
    /// Name pattern in lowercase: `*` is any text, `#` a number.
    pub name: &'static str,
    /// Kind of its values.
    pub kind: Kind,
    /// Description.
    pub about: &'static str,
}

/// The kind of a value.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Any text.
    Text,
    /// A number, possibly with a fraction.
    Number,
    /// A number within these bounds.
    Within(f64, f64),
    /// An integer.
    Whole,
    /// An integer within these bounds.
    WholeWithin(i64, i64),
    /// A number, or this word, ignoring case.
    NumberOr(&'static str),
    /// `true` or `false`, ignoring case, or 1 or 0.
    Switch,
    /// Exactly `true` or 1; everything else is off.
    ExactSwitch,
    /// Red, green and blue from 0 to 255, separated by commas.
    Color,
    /// One of these words, ignoring case.
    Choice(&'static [&'static str]),
    /// Exactly one of these words.
    ExactChoice(&'static [&'static str]),
    /// A room of `Data/rooms.ini`.
    Room,
    /// A file: noun, and the prefix and suffix that the game adds to the value.
    File(&'static str, &'static str, &'static str),
}

impl Kind {
    /// Returns a short description.
    #[must_use]
    pub fn about(self) -> String {
        match self {
            Self::Text => "text".into(),
            Self::Number => "number".into(),
            Self::Within(min, max) => format!("number from {min} to {max}"),
            Self::Whole => "integer".into(),
            Self::WholeWithin(min, max) => format!("integer from {min} to {max}"),
            Self::NumberOr(word) => format!("number, or `{}`", word.to_uppercase()),
            Self::Switch => "`true` or `false`, 1 or 0".into(),
            Self::ExactSwitch => "`true` or 1, in lowercase; otherwise off".into(),
            Self::Color => "red, green and blue from 0 to 255".into(),
            Self::Choice(words) | Self::ExactChoice(words) => format!("`{}`", words.join("`, `")),
            Self::Room => "room of `Data/rooms.ini`".into(),
            Self::File(noun, "", "") => format!("{noun} file"),
            Self::File(noun, before, after) => format!("{noun} file `{before}…{after}`"),
        }
    }
}

impl Schema {
    /// Returns the paths that cannot be set: the names of sections, and the channels of colors, which are set as one text.
    pub(super) fn derived(&self) -> &'static [&'static str] {
        let mut keys = self.sections.iter().flat_map(|section| section.keys);
        match keys.any(|key| matches!(key.kind, Kind::Color)) {
            true => &["[*].name", "[*].color[*]"],
            false => &["[*].name"],
        }
    }

    /// Returns the file name in lowercase.
    #[must_use]
    pub fn file_name(&self) -> String {
        self.path.rsplit('/').next().unwrap_or_default().to_lowercase()
    }

    /// Returns the rule of a section.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<&'static SectionRule> {
        let name = name.trim().to_lowercase();
        self.sections.iter().find(|rule| matches(rule.name, &name))
    }
}

impl SectionRule {
    /// Returns the rule of a key.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<&'static KeyRule> {
        let name = name.to_lowercase();
        self.keys.iter().find(|rule| matches(rule.name, &name))
    }
}

/// Whether a lowercase text matches a pattern: `*` is any non-empty text, `#` is one or more digits.
fn matches(pattern: &str, text: &str) -> bool {
    if let Some(rest) = pattern.strip_prefix('*') {
        let mut tails = text.char_indices().skip(1).filter_map(|(at, _)| text.get(at..));
        return if rest.is_empty() { !text.is_empty() } else { tails.any(|tail| matches(rest, tail)) };
    }
    match pattern.split_once('#') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|text| {
            let tail = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
            tail.len() < text.len() && matches(after, tail)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_names_with_texts_and_numbers() {
        for (pattern, text) in [
            ("*", "x"),
            ("room#", "room12"),
            ("obj#-x", "obj0-x"),
            ("*_bonename", "head_bonename"),
            ("*_controlleraxis#_min", "left_arm_controlleraxis2_min"),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in
            [("*", ""), ("room#", "room"), ("obj#-x", "obj1-"), ("*_bonename", "_bonename"), ("s#", "s1x")]
        {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
