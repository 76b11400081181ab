//! Edits of fields, as requested by the user.

use asset::Error;

use crate::field::FieldPath;

/// An edit of the fields that match a path.
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
    /// Parses `PATH=VALUE`, such as `surfaces[3].texture.name=wall.png`. The path may lead to a new item, as in
    /// `entities[+]={...}`, or be a pattern, as in `entities[*].color=[255, 0, 0]`.
    ///
    /// # Errors
    /// Returns [`Kind::Usage`](asset::Kind::Usage) if the text is not an assignment.
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

    /// Whether the value can be bytes: hexadecimal digits, as in descriptions.
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
    /// Returns [`Kind::Usage`](asset::Kind::Usage) if the path is invalid.
    pub fn to_value(path: &str, value: &json::Value) -> Result<Self, Error> {
        Ok(Self { path: FieldPath::parse(path)?, action: Action::Set(value.to_string()) })
    }

    /// Appends copies of items to their lists.
    ///
    /// # Errors
    /// Returns [`Kind::Usage`](asset::Kind::Usage) if the path is invalid.
    pub fn copy(path: &str) -> Result<Self, Error> {
        Ok(Self { path: FieldPath::parse(path)?, action: Action::Copy })
    }

    /// Removes items from lists, or members from objects.
    ///
    /// # Errors
    /// Returns [`Kind::Usage`](asset::Kind::Usage) if the path is invalid.
    pub fn remove(path: &str) -> Result<Self, Error> {
        Ok(Self { path: FieldPath::parse(path)?, action: Action::Remove })
    }
}
