//! Documentation of the keys of settings files.

use serde::Serialize;

/// The documentation of a key of a settings file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SettingDoc {
    /// Usual name of the file: `SYSTEM.INI`.
    pub file: &'static str,
    /// Name of the section; `#` stands for a number.
    pub section: &'static str,
    /// Name of the key; `[]` stands for an index in brackets, `#` for a number in the name.
    pub key: &'static str,
    /// Type of the value: `integer`, `switch`, `path`.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// Unit of the number; empty if there is none.
    pub unit: &'static str,
    /// Value in the shipped file; empty if it has none, or each index has its own value.
    pub shipped: &'static str,
    /// What the game uses instead of a missing or bad value.
    pub missing: String,
    /// Valid numbers; empty if all are.
    pub valid: String,
    /// Whether the effect is `known`, known by its `name` only, or `none`.
    pub effect: &'static str,
    /// What the value means to the game.
    pub about: &'static str,
}
