//! Documentation of the keys of settings files, and the names of keys.
//!
//! Declared names are patterns: `#` stands for a number, and `[]` at the end of a key for an index in brackets. Letter case and
//! blanks around names are ignored.

use std::fmt;

use serde::Serialize;

/// The documentation of a key of a settings file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SettingDoc {
    /// Usual name of the file: `SYSTEM.INI`.
    pub file: &'static str,
    /// [Dialect](crate::Description::dialect) of the files with this key.
    pub dialect: &'static str,
    /// Name of the section; `#` stands for a number. Empty for keys that precede the first section.
    pub section: &'static str,
    /// What the section contains.
    pub section_about: &'static str,
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
    /// Names of the numbers from 0; empty if they have none.
    pub names: &'static [&'static str],
    /// Whether the effect is `known`, known by its `name` only, or `none`.
    pub effect: &'static str,
    /// What the value means to the game.
    pub about: &'static str,
}

impl SettingDoc {
    /// Whether a section of a file has the key.
    #[must_use]
    pub fn is_in(&self, section: &str) -> bool {
        numbered(self.section, &section.trim().to_lowercase()).is_some()
    }

    /// Whether a key of a file is this one.
    #[must_use]
    pub fn is(&self, key: &KeyName) -> bool {
        key.is(self.key)
    }
}

/// The name of a key in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyName {
    /// Name in lowercase, without the index.
    pub base: String,
    /// Index in brackets.
    pub index: Option<u32>,
}

impl KeyName {
    /// Splits a written key.
    #[must_use]
    pub fn new(written: &str) -> Self {
        match indexed(written) {
            Some((base, index)) => Self { base, index: Some(index) },
            None => Self { base: written.trim().to_lowercase(), index: None },
        }
    }

    /// Whether the name belongs to a declared key.
    #[must_use]
    pub fn is(&self, declared: &str) -> bool {
        match (declared.strip_suffix("[]"), self.index) {
            (Some(base), Some(_)) => numbered(base, &self.base).is_some(),
            (None, None) => numbered(declared, &self.base).is_some(),
            _ => false,
        }
    }

    /// Returns the number in the name of a key that is declared with `#`.
    #[must_use]
    pub fn number(&self, declared: &str) -> Option<u32> {
        numbered(declared.strip_suffix("[]").unwrap_or(declared), &self.base)
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(out, "{}[{index}]", self.base),
            None => out.write_str(&self.base),
        }
    }
}

/// Splits a key with a number in brackets: its name in lower case, and the number.
#[must_use]
pub fn indexed(key: &str) -> Option<(String, u32)> {
    let (name, number) = key.strip_suffix(']')?.split_once('[')?;
    let number = number.trim();
    let number = number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok())??;
    Some((name.trim().to_lowercase(), number))
}

/// Compares a name in lowercase with a pattern in which `#` stands for a number. Returns the number, or 0 if the pattern has
/// none; `None` if the name differs.
#[must_use]
pub fn numbered(pattern: &str, name: &str) -> Option<u32> {
    let Some((before, after)) = pattern.split_once('#') else { return (pattern == name).then_some(0) };
    let number = name.strip_prefix(before)?.strip_suffix(after)?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| number.parse().ok())?
}
