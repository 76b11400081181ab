//! Fields of a typed file by their paths: `surfaces[3].texture.name`.

use asset::Error;
use asset::suggest::did_you_mean;
use record::json::{Content, Node, Step};
use serde_json::Value;

/// A path from a typed file to one of its fields. Members are joined by dots, items are counted from 0 in brackets. A name in which
/// dots or brackets stand is written in brackets and quotes: `["tiles.png"].stepsound`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPath {
    text: String,
    steps: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
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
        let wrong = |why: &str| Error::usage(format!("\"{text}\" is not a field path: {why}"));
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(inside) = rest.strip_prefix('[') {
                let (step, after) = in_brackets(inside)
                    .ok_or_else(|| wrong("brackets must contain an index or a name in quotes"))?;
                steps.push(step);
                rest = after;
                continue;
            }
            let name = match (rest.strip_prefix('.'), steps.is_empty()) {
                (Some(name), false) => name,
                (None, true) => rest,
                (Some(_), true) => return Err(wrong("it starts with a dot")),
                (None, false) => return Err(wrong("expected a dot or a bracket after a closing bracket")),
            };
            let end = name.find(['.', '[']).unwrap_or(name.len());
            let (name, after) = name.split_at_checked(end).unwrap_or((name, ""));
            if name.is_empty() {
                return Err(wrong("a name is missing"));
            }
            steps.push(Part::Member(name.to_owned()));
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

    /// The steps from the file to the field.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        self.steps.iter().map(|step| match step {
            Part::Member(name) => Step::Member(name),
            Part::Item(index) => Step::Item(*index),
        })
    }

    /// The field in a typed file; `None` when it has no such field.
    #[must_use]
    pub fn get<'a>(&self, file: Node<'a>) -> Option<Node<'a>> {
        self.steps().try_fold(file, Node::step)
    }

    /// The field in a typed file.
    ///
    /// # Errors
    /// [`Kind::Usage`](asset::Kind::Usage) when it has no such field; the message says what there is, with the nearest name.
    pub fn find<'a>(&self, file: Node<'a>) -> Result<Node<'a>, Error> {
        let mut node = file;
        let mut so_far = String::new();
        for step in self.steps() {
            node = node.step(step).ok_or_else(|| Error::usage(missing(step, node, &so_far)))?;
            append(step, &mut so_far);
        }
        Ok(node)
    }

    /// The longest part of the path that leads to a field, and that field.
    pub(crate) fn walk<'a>(&self, file: Node<'a>) -> Vec<(String, Node<'a>)> {
        let (mut node, mut so_far, mut out) = (file, String::new(), Vec::new());
        for step in self.steps() {
            let Some(next) = node.step(step) else { break };
            append(step, &mut so_far);
            out.push((so_far.clone(), next));
            node = next;
        }
        out
    }
}

fn append(step: Step<'_>, path: &mut String) {
    match step {
        Step::Member(name) => push_name(path, name),
        Step::Item(index) => path.push_str(&format!("[{index}]")),
    }
}

/// Why a value has no such part.
fn missing(step: Step<'_>, node: Node<'_>, path: &str) -> String {
    let place = if path.is_empty() { "the file".to_owned() } else { format!("\"{path}\"") };
    match (step, node.content()) {
        (Step::Member(name), Content::Object(members)) => {
            let names = || members.iter().map(|(name, _)| name);
            let guess = did_you_mean(name, names());
            let known = match guess.is_empty() {
                true => format!("; it has: {}", listed(names())),
                false => guess,
            };
            format!("{place} has no field \"{name}\"{known}")
        }
        (Step::Item(index), Content::List(items)) => match items.len() {
            0 => format!("{place} is an empty list, so there is no item [{index}]"),
            count => {
                let last = count.saturating_sub(1);
                format!("{place} is a list of {count}, from [0] to [{last}], so there is no item [{index}]")
            }
        },
        (Step::Member(name), Content::List(items)) => {
            format!("{place} is a list of {}: [0] is its first item, not \"{name}\"", items.len())
        }
        (Step::Item(_), Content::Object(members)) => {
            format!("{place} is not a list; it has: {}", listed(members.iter().map(|(name, _)| name)))
        }
        (_, plain) => format!("{place} is {}, which has no fields", kind_of(plain)),
    }
}

/// What kind of value a field holds, in words.
pub(crate) fn kind_of(content: Content<'_>) -> &'static str {
    match content {
        Content::Null => "null",
        Content::Bool(_) => "true or false",
        Content::Whole(_) | Content::Negative(_) | Content::Single(_) | Content::Double(_) => "a number",
        Content::Text(_) => "a string",
        Content::Bytes(_) => "a run of bytes",
        Content::List(_) => "a list",
        Content::Object(_) => "an object",
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
fn in_brackets(text: &str) -> Option<(Part, &str)> {
    if text.starts_with('"') {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let name = values.next()?.ok()?;
        let rest = text.get(values.byte_offset()..)?.strip_prefix(']')?;
        return Some((Part::Member(name), rest));
    }
    let (number, rest) = text.split_once(']')?;
    let is_plain = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    Some((Part::Item(number.parse().ok().filter(|_| is_plain)?), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::json::Document;
    use serde_json::json;

    fn document(value: &Value) -> Document {
        Document::of_value(value).unwrap()
    }

    #[test]
    fn a_path_has_members_items_and_quoted_names() {
        let file = document(&json!({"a": [{"b": 1}, {"b": [2, 3]}], "tiles.png": {"": 4}, "x=y": 5}));
        for (path, found) in [("a[0].b", 1), ("a[1].b[1]", 3), ("[\"tiles.png\"][\"\"]", 4), ("[\"x=y\"]", 5)]
        {
            let parsed = FieldPath::parse(path).unwrap();
            assert_eq!(parsed.get(file.root()).unwrap().to_value(), found, "{path}");
            assert_eq!(parsed.walk(file.root()).last().unwrap().0, path);
            assert_eq!(parsed.find(file.root()).unwrap().to_value(), found);
        }
    }

    #[test]
    fn an_invalid_path_is_refused() {
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
    fn a_missing_field_is_reported_with_the_available_ones() {
        let file = document(&json!({"surfaces": [{"texture": "a"}], "empty": []}));
        let message = |path: &str| FieldPath::parse(path).unwrap().find(file.root()).unwrap_err().to_string();
        assert_eq!(message("surface[0]"), "the file has no field \"surface\"; did you mean \"surfaces\"?");
        assert_eq!(message("zzz"), "the file has no field \"zzz\"; it has: surfaces, empty");
        assert_eq!(
            message("surfaces[1]"),
            "\"surfaces\" is a list of 1, from [0] to [0], so there is no item [1]"
        );
        assert_eq!(message("empty[0]"), "\"empty\" is an empty list, so there is no item [0]");
        assert_eq!(
            message("surfaces.texture"),
            "\"surfaces\" is a list of 1: [0] is its first item, not \"texture\""
        );
        assert_eq!(message("surfaces[0][1]"), "\"surfaces[0]\" is not a list; it has: texture");
        assert_eq!(
            message("surfaces[0].texture.x"),
            "\"surfaces[0].texture\" is a string, which has no fields"
        );
    }
}
