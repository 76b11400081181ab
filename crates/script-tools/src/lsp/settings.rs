//! What the user tells of the texts: on the command line, or in the settings of the editor.

use std::path::PathBuf;

use antiquary::{ScriptOptions, Session};
use serde::Deserialize;
use serde_json::Value;

/// Where the names in texts come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// The folders of the game; earlier ones take precedence. When there are none, the game around a text is found by its layout.
    pub games: Vec<PathBuf>,
    /// The file with the scripts that the texts belong to. When there is none, it is found by the folder of a text.
    pub map: Option<PathBuf>,
    /// A file that takes the place of the game's names.
    pub definitions: Option<PathBuf>,
}

/// The same in JSON. What is not given stays.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Given {
    game: Option<String>,
    map: Option<String>,
    def: Option<String>,
}

impl Settings {
    /// With what an editor says: an object, or one below the key `antiquary`. An empty text takes a setting back.
    pub(crate) fn with(&self, value: &Value) -> Self {
        let value = value.get("antiquary").unwrap_or(value);
        let Ok(given) = Given::deserialize(value) else { return self.clone() };
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

    /// A session that looks names up in the games of the settings.
    pub(crate) fn session(&self, session: &Session<'static>) -> Session<'static> {
        let mut session = session.clone();
        session.games.clone_from(&self.games);
        session
    }

    /// How scripts are read.
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
    fn what_an_editor_does_not_say_stays_and_what_is_empty_goes() {
        let old = Settings { games: vec!["a".into()], map: Some("b".into()), definitions: Some("c".into()) };
        let new = old.with(&json!({ "antiquary": { "game": "x", "map": "", "other": 3 } }));
        let expected = Settings { games: vec!["x".into()], map: None, definitions: Some("c".into()) };
        assert_eq!(new, expected);
        assert_eq!(old.with(&json!({ "game": "" })).games, Vec::<PathBuf>::new());
        assert_eq!(old.with(&json!({ "game": 3 })), old);
        assert_eq!(old.with(&Value::Null), old);
    }
}
