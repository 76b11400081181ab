//! Changes to fields, as they are asked for.

use asset::Error;

use crate::field::FieldPath;

/// A change to the fields that a path leads to.
#[derive(Debug, Clone)]
pub struct FieldEdit {
    pub(super) path: FieldPath,
    pub(super) action: Action,
}

#[derive(Debug, Clone)]
pub(super) enum Action {
    Set(String),
    Copy,
    Remove,
}

impl FieldEdit {
    /// Reads `PATH=VALUE`: `surfaces[3].texture.name=wall.png`. The path may be one of a new item, `entities[+]={...}`, or a pattern,
    /// `entities[*].color=[255, 0, 0]`.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when it is none.
    pub fn assign(text: &str) -> Result<Self, Error> {
        let (mut quoted, mut escaped) = (false, false);
        let mut is_end = |character: char| {
            match character {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                '=' if !quoted => return true,
                _ => {}
            }
            false
        };
        let at = text.find(&mut is_end);
        let (path, value) = at.and_then(|at| text.split_at_checked(at)).ok_or_else(|| {
            let shown: String = text.chars().take(60).collect();
            Error::usage(format!("invalid assignment \"{shown}\": expected PATH=VALUE"))
        })?;
        let value = value.strip_prefix('=').unwrap_or(value).to_owned();
        Ok(Self { path: FieldPath::parse(path)?, action: Action::Set(value) })
    }

    /// Whether the value can be bytes: hexadecimal digits, as descriptions show them.
    pub(super) fn sets_bytes(&self) -> bool {
        let Action::Set(value) = &self.action else { return false };
        let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        let digits = quoted.unwrap_or(value);
        (quoted.is_some() || !digits.is_empty())
            && digits.len().is_multiple_of(2)
            && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    }

    /// Sets a field to a value.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when it is no path.
    pub fn to_value(path: &str, value: &json::Value) -> Result<Self, Error> {
        Ok(Self { path: FieldPath::parse(path)?, action: Action::Set(value.to_string()) })
    }

    /// Appends copies of items to their lists.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when it is no path.
    pub fn copy(path: &str) -> Result<Self, Error> {
        Ok(Self { path: FieldPath::parse(path)?, action: Action::Copy })
    }

    /// Takes items out of lists, or members out of objects.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when it is no path.
    pub fn remove(path: &str) -> Result<Self, Error> {
        Ok(Self { path: FieldPath::parse(path)?, action: Action::Remove })
    }
}
