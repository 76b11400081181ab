//! Where the rows of the typed view are stored: the sections and keys of a file.

use super::key::numbered;

/// The page of the menu with the movies.
pub(super) const MOVIES_PAGE: u32 = 3;

/// Returns the first section with a number, given the name with a `#` for the number.
pub(super) fn numbered_section<S: AsRef<str>>(
    names: impl IntoIterator<Item = S>,
    pattern: &str,
    number: u32,
) -> Option<S> {
    let is_it = |name: &S| numbered(pattern, &name.as_ref().trim().to_lowercase()) == Some(number);
    names.into_iter().find(is_it)
}

/// Returns the key of a field of an element of a menu page.
pub(super) fn element_key(field: &str, index: u32) -> String {
    let base = match field {
        "x" => "text_x",
        "y" => "text_y",
        field => field,
    };
    format!("{base}[{index}]")
}

/// Returns the key of a code of an action; `None` if the action has no such code.
pub(super) fn binding_key(action: &str, code: &str) -> Option<String> {
    let single = match action {
        "inventory" | "map" | "log" | "next" => format!("{action}_key"),
        "previous" => "prev_key".to_owned(),
        "sword" | "health" => format!("quick_{action}_key"),
        _ => {
            return match code {
                "primary" => Some(format!("key_{action}[0]")),
                "secondary" => Some(format!("key_{action}[1]")),
                "user" => Some(format!("user_key_{action}")),
                _ => None,
            };
        }
    };
    (code == "primary").then_some(single)
}
