//! Fields of a typed file by their paths: `surfaces[3].texture.name`.

use asset::Error;
use asset::suggest::did_you_mean;
use serde_json::Value;

/// A path from a typed file to one of its fields. Members are joined by dots, items are counted from 0 in brackets. A name in which
/// dots or brackets stand is written in brackets and quotes: `["tiles.png"].stepsound`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPath {
    text: String,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Member(String),
    Item(usize),
}

/// Appends a member to a path.
pub(crate) fn push_name(path: &mut String, name: &str) {
    if name.is_empty() || name.contains(['.', '[', ']', '"', '=']) {
        path.push('[');
        path.push_str(&Value::from(name).to_string());
        path.push(']');
        return;
    }
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}

impl FieldPath {
    /// Reads a path.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when it is none; the message shows where.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let wrong = |why: &str| Error::usage(format!("\"{text}\" is no path of a field: {why}"));
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(inside) = rest.strip_prefix('[') {
                let (step, after) = in_brackets(inside).ok_or_else(|| {
                    wrong("in brackets stands the number of an item, counted from 0, or a name in quotes")
                })?;
                steps.push(step);
                rest = after;
                continue;
            }
            let name = match (rest.strip_prefix('.'), steps.is_empty()) {
                (Some(name), false) => name,
                (None, true) => rest,
                (Some(_), true) => return Err(wrong("it starts with a dot")),
                (None, false) => return Err(wrong("behind a bracket stands a dot or another bracket")),
            };
            let end = name.find(['.', '[']).unwrap_or(name.len());
            let (name, after) = name.split_at_checked(end).unwrap_or((name, ""));
            if name.is_empty() {
                return Err(wrong("a name is missing"));
            }
            steps.push(Step::Member(name.to_owned()));
            rest = after;
        }
        if steps.is_empty() {
            return Err(wrong("it is empty"));
        }
        Ok(Self { text: text.to_owned(), steps })
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The field in a typed file; `None` when it has no such field.
    #[must_use]
    pub fn get<'a>(&self, file: &'a Value) -> Option<&'a Value> {
        self.steps.iter().try_fold(file, |value, step| step.of(value))
    }

    /// The field in a typed file.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when it has no such field; the message says what there is, with the nearest name.
    pub fn find<'a>(&self, file: &'a mut Value) -> Result<&'a mut Value, Error> {
        let mut value = file;
        let mut so_far = String::new();
        for step in &self.steps {
            if step.of(value).is_none() {
                return Err(Error::usage(step.missing(value, &so_far)));
            }
            step.append_to(&mut so_far);
            let missing = || Error::usage(format!("there is no field \"{so_far}\""));
            value = step.of_mut(value).ok_or_else(missing)?;
        }
        Ok(value)
    }

    /// The longest part of the path that leads to a field, and that field.
    pub(crate) fn walk<'a>(&self, file: &'a Value) -> Vec<(String, &'a Value)> {
        let (mut value, mut so_far, mut out) = (file, String::new(), Vec::new());
        for step in &self.steps {
            let Some(next) = step.of(value) else { break };
            step.append_to(&mut so_far);
            out.push((so_far.clone(), next));
            value = next;
        }
        out
    }
}

impl Step {
    fn of<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        match (self, value) {
            (Self::Member(name), Value::Object(members)) => members.get(name),
            (Self::Item(index), Value::Array(items)) => items.get(*index),
            _ => None,
        }
    }

    fn of_mut<'a>(&self, value: &'a mut Value) -> Option<&'a mut Value> {
        match (self, value) {
            (Self::Member(name), Value::Object(members)) => members.get_mut(name),
            (Self::Item(index), Value::Array(items)) => items.get_mut(*index),
            _ => None,
        }
    }

    fn append_to(&self, path: &mut String) {
        match self {
            Self::Member(name) => push_name(path, name),
            Self::Item(index) => path.push_str(&format!("[{index}]")),
        }
    }

    /// Why a value has no such part.
    fn missing(&self, value: &Value, path: &str) -> String {
        let place = if path.is_empty() { "the file".to_owned() } else { format!("\"{path}\"") };
        match (self, value) {
            (Self::Member(name), Value::Object(members)) => {
                let names = || members.keys().map(String::as_str);
                let guess = did_you_mean(name, names());
                let known = match guess.is_empty() {
                    true => format!("; it has: {}", listed(names())),
                    false => guess,
                };
                format!("{place} has no field \"{name}\"{known}")
            }
            (Self::Item(index), Value::Array(items)) => match items.len() {
                0 => format!("{place} is a list without items, so there is no item [{index}]"),
                count => {
                    let last = count.saturating_sub(1);
                    format!(
                        "{place} is a list of {count}, from [0] to [{last}], so there is no item [{index}]"
                    )
                }
            },
            (Self::Member(name), Value::Array(items)) => {
                format!("{place} is a list of {}: [0] is its first item, not \"{name}\"", items.len())
            }
            (Self::Item(_), Value::Object(members)) => {
                format!("{place} is no list; it has: {}", listed(members.keys().map(String::as_str)))
            }
            (_, plain) => format!("{place} is {}, which has no fields", kind_of(plain)),
        }
    }
}

/// What kind of value a field holds, in words.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a group of fields",
    }
}

/// So many names at most are listed.
const LISTED: usize = 24;

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    let shown = names.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(LISTED) {
        0 if shown.is_empty() => "nothing".to_owned(),
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// What stands behind an opening bracket, and what follows the closing one.
fn in_brackets(text: &str) -> Option<(Step, &str)> {
    if text.starts_with('"') {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let name = values.next()?.ok()?;
        let rest = text.get(values.byte_offset()..)?.strip_prefix(']')?;
        return Some((Step::Member(name), rest));
    }
    let (number, rest) = text.split_once(']')?;
    let is_plain = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    Some((Step::Item(number.parse().ok().filter(|_| is_plain)?), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_path_leads_through_members_items_and_odd_names() {
        let mut file = json!({"a": [{"b": 1}, {"b": [2, 3]}], "tiles.png": {"": 4}, "x=y": 5});
        for (path, found) in [("a[0].b", 1), ("a[1].b[1]", 3), ("[\"tiles.png\"][\"\"]", 4), ("[\"x=y\"]", 5)]
        {
            let parsed = FieldPath::parse(path).unwrap();
            assert_eq!(parsed.get(&file), Some(&json!(found)), "{path}");
            assert_eq!(parsed.walk(&file).last().unwrap().0, path);
            assert_eq!(parsed.find(&mut file).unwrap(), &json!(found));
        }
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for path in [
            "",
            ".a",
            "a.",
            "a..b",
            "a[",
            "a[]",
            "a[-1]",
            "a[+1]",
            "a[x]",
            "a[0]b",
            "[\"a]",
            "a[99999999999999999999]",
        ] {
            assert!(FieldPath::parse(path).is_err(), "{path}");
        }
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let mut file = json!({"surfaces": [{"texture": "a"}], "empty": []});
        let mut message =
            |path: &str| FieldPath::parse(path).unwrap().find(&mut file).unwrap_err().to_string();
        assert_eq!(message("surface[0]"), "the file has no field \"surface\"; did you mean \"surfaces\"?");
        assert_eq!(message("zzz"), "the file has no field \"zzz\"; it has: surfaces, empty");
        assert_eq!(
            message("surfaces[1]"),
            "\"surfaces\" is a list of 1, from [0] to [0], so there is no item [1]"
        );
        assert_eq!(message("empty[0]"), "\"empty\" is a list without items, so there is no item [0]");
        assert_eq!(
            message("surfaces.texture"),
            "\"surfaces\" is a list of 1: [0] is its first item, not \"texture\""
        );
        assert_eq!(message("surfaces[0][1]"), "\"surfaces[0]\" is no list; it has: texture");
        assert_eq!(
            message("surfaces[0].texture.x"),
            "\"surfaces[0].texture\" is a text, which has no fields"
        );
    }
}
