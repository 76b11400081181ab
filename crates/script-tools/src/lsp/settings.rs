//! Settings of the user: from the command line, or from the settings of the editor.

use std::path::PathBuf;

use antiquary::{ScriptOptions, Session};
use serde::Deserialize;
use serde_json::Value;

/// Sources of the names in texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// Folders of the game; earlier ones take precedence. If empty, the game around a text is detected by its layout.
    pub games: Vec<PathBuf>,
    /// The file with the scripts that the texts belong to. If `None`, it is found by the folder of a text.
    pub map: Option<PathBuf>,
    /// A definitions file that replaces the game's.
    pub definitions: Option<PathBuf>,
}

/// The settings in JSON. Missing ones are not changed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PartialSettings {
    game: Option<String>,
    map: Option<String>,
    def: Option<String>,
}

impl Settings {
    /// Returns the settings updated with those of an editor: an object, or an object below the key `antiquary`. An empty text resets a
    /// setting.
    pub(crate) fn with(&self, value: &Value) -> Self {
        let value = value.get("antiquary").unwrap_or(value);
        let Ok(given) = PartialSettings::deserialize(value) else { return self.clone() };
        let path = |given: Option<String>, known: &Option<PathBuf>| match given {
            None => known.clone(),
            Some(text) => Some(PathBuf::from(text.trim())).filter(|path| !path.as_os_str().is_empty()),
        };
        let games = match given.game {
            None => self.games.clone(),
            Some(text) => path(Some(text), &None).into_iter().collect(),
        };
        Self { games, map: path(given.map, &self.map), definitions: path(given.def, &self.definitions) }
    }

    /// A session that resolves names in the games of the settings.
    pub(crate) fn session(&self, session: &Session<'static>) -> Session<'static> {
        let mut session = session.clone();
        session.games.clone_from(&self.games);
        session
    }

    /// Options for reading scripts.
    pub(crate) fn script_options(&self) -> ScriptOptions {
        let mut options = ScriptOptions::default();
        options.definitions.clone_from(&self.definitions);
        options
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keeps_missing_settings_and_resets_empty_ones() {
        let old = Settings { games: vec!["a".into()], map: Some("b".into()), definitions: Some("c".into()) };
        let new = old.with(&json!({ "antiquary": { "game": "x", "map": "", "other": 3 } }));
        let expected = Settings { games: vec!["x".into()], map: None, definitions: Some("c".into()) };
        assert_eq!(new, expected);
        assert_eq!(old.with(&json!({ "game": "" })).games, Vec::<PathBuf>::new());
        assert_eq!(old.with(&json!({ "game": 3 })), old);
        assert_eq!(old.with(&Value::Null), old);
    }
}
