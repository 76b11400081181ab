//! DIG.INI and MDI.INI: the sound card, as a word and a value per line.

use json::{Document, Map, Value};
use media::ini::Ini;

use super::Kind;
use super::key::Key;
use super::lookup::{Text, lines};

/// A line with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting<'a> {
    /// Word at the start of the line.
    pub word: &'a str,
    /// Rest of the line without the comment.
    pub value: &'a str,
}

impl<'a> Setting<'a> {
    /// Splits a line; `None` if it has no value.
    pub(super) fn of(line: &'a Text<'_>) -> Option<Self> {
        let (word, value) = line.text().split_once(char::is_whitespace)?;
        Some(Self { word, value: value.trim() })
    }

    /// Returns the declared key; `None` for an unknown word.
    pub(super) fn key(&self) -> Option<&'static Key> {
        keys().iter().find(|key| self.word.eq_ignore_ascii_case(key.name))
    }
}

/// Returns the declared keys.
pub(super) fn keys() -> &'static [Key] {
    Kind::Driver.group("").map_or(&[], |group| group.keys)
}

/// Converts the settings: as written, and as numbers.
pub(super) fn to_json(ini: &Ini) -> Document {
    let lines: Vec<Text<'_>> = lines(ini).collect();
    let settings: Vec<Setting<'_>> = lines.iter().filter_map(Setting::of).collect();
    let mut written: Map<String, Value> = Map::new();
    for setting in &settings {
        written.entry(setting.word.to_owned()).or_insert_with(|| setting.value.into());
    }
    let driver = Document::object(|out| {
        for key in keys() {
            let found = settings.iter().find(|setting| setting.key() == Some(key));
            out.put(key.name, &key.read(found.map(|setting| setting.value)).value);
        }
    });
    Document::object(|out| {
        out.put("settings", &written).put("driver", &driver);
    })
}
