//! What a table of the game may hold: its sections, their keys, and the kinds of their values.

mod tables;

use asset::Report;

use super::section::Sections;

pub use tables::{ACHIEVEMENTS, ALL, CHUNKS, DRINKS, EVENTS, LOADING_SCREENS, NPC_BONES, NPCS, OPTIONS};

/// A table of the game. Everything that is done with one follows from this.
#[derive(Debug)]
pub struct Schema {
    /// The format, like `scpcb.npcs`.
    pub id: &'static str,
    /// As people call it.
    pub name: &'static str,
    /// Where the game has it.
    pub path: &'static str,
    /// What it is for, in a few words.
    pub about: &'static str,
    /// Whether files of other programs have this name, too. Then a file that begins with keys must have one of the table among them.
    pub is_common_name: bool,
    /// What its sections are called: one and several.
    pub noun: [&'static str; 2],
    /// Its sections. The first that matches counts.
    pub sections: &'static [SectionRule],
    /// Checks of several values together.
    pub(super) extra: Option<Extra>,
}

/// A check of several values together.
pub(super) type Extra = fn(&Sections<'_>, &mut Report);

/// A kind of section.
#[derive(Debug)]
pub struct SectionRule {
    /// The pattern of its names, in lower case: `*` is any text, `#` a number.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its keys. The first that matches counts.
    pub keys: &'static [KeyRule],
}

/// A kind of key.
#[derive(Debug)]
pub struct KeyRule {
    /// The pattern of its names, in lower case: `*` is any text, `#` a number.
    pub name: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// What it is for.
    pub about: &'static str,
}

/// What a value is.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Any text.
    Text,
    /// A number, possibly with a fraction.
    Number,
    /// A number within these bounds.
    Within(f64, f64),
    /// A whole number.
    Whole,
    /// A whole number within these bounds.
    WholeWithin(i64, i64),
    /// A number, or this word in any letter case.
    NumberOr(&'static str),
    /// `true` or `false` in any letter case, or 1 or 0.
    Switch,
    /// `true` or 1, exactly so; everything else is off.
    ExactSwitch,
    /// Red, green and blue from 0 to 255, between commas.
    Color,
    /// One of these words, in any letter case.
    Choice(&'static [&'static str]),
    /// One of these words, exactly so.
    ExactChoice(&'static [&'static str]),
    /// A room of `Data/rooms.ini`.
    Room,
    /// A file: what it is, and what the game writes in front of the value and behind it.
    File(&'static str, &'static str, &'static str),
}

impl Kind {
    /// In a few words, for people.
    #[must_use]
    pub fn about(self) -> String {
        match self {
            Self::Text => "text".into(),
            Self::Number => "number".into(),
            Self::Within(least, most) => format!("number from {least} to {most}"),
            Self::Whole => "whole number".into(),
            Self::WholeWithin(least, most) => format!("whole number from {least} to {most}"),
            Self::NumberOr(word) => format!("number, or `{}`", word.to_uppercase()),
            Self::Switch => "`true` or `false`, 1 or 0".into(),
            Self::ExactSwitch => "`true` or 1, in lower case; otherwise off".into(),
            Self::Color => "red, green and blue from 0 to 255".into(),
            Self::Choice(words) | Self::ExactChoice(words) => format!("`{}`", words.join("`, `")),
            Self::Room => "room of `Data/rooms.ini`".into(),
            Self::File(noun, "", "") => format!("{noun} file"),
            Self::File(noun, before, after) => format!("{noun} file `{before}…{after}`"),
        }
    }
}

impl Schema {
    /// The paths that cannot be set: the names of sections, and the channels of colors, which are set as one text.
    pub(super) fn derived(&self) -> &'static [&'static str] {
        let mut keys = self.sections.iter().flat_map(|section| section.keys);
        match keys.any(|key| matches!(key.kind, Kind::Color)) {
            true => &["[*].name", "[*].color[*]"],
            false => &["[*].name"],
        }
    }

    /// The file name, in lower case.
    #[must_use]
    pub fn file_name(&self) -> String {
        self.path.rsplit('/').next().unwrap_or_default().to_lowercase()
    }

    /// The rule of a section.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<&'static SectionRule> {
        let name = name.trim().to_lowercase();
        self.sections.iter().find(|rule| matches(rule.name, &name))
    }
}

impl SectionRule {
    /// The rule of a key.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<&'static KeyRule> {
        let name = name.to_lowercase();
        self.keys.iter().find(|rule| matches(rule.name, &name))
    }
}

/// Whether a text in lower case has the form of a pattern: `*` is any text of at least a character, `#` are digits.
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
