//! Prints fields as an indented tree, and lists of small objects as tables.

use std::io::{self, Write};

use serde_json::{Map, Value};

use crate::escape::Escaped;
use crate::number::{count_of, thousands};
use crate::style::DIMMED;
use crate::table::Table;

/// How much to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Long lists and strings are truncated.
    Brief,
    /// Everything.
    Full,
}

/// List items shown in the brief form.
const ITEMS: usize = 24;

/// Characters of a string shown in the brief form.
const CHARACTERS: usize = 100;

/// Maximum length of a list printed on one line.
const LINE: usize = 90;

/// Writes the members of an object, or any other value, indented.
pub(crate) fn write(out: &mut dyn Write, value: &Value, indent: usize, extent: Extent) -> io::Result<()> {
    Tree { out, extent }.value(value, indent)
}

struct Tree<'a> {
    out: &'a mut dyn Write,
    extent: Extent,
}

impl Tree<'_> {
    fn value(&mut self, value: &Value, indent: usize) -> io::Result<()> {
        match value {
            Value::Object(members) => {
                members.iter().try_for_each(|(name, value)| self.member(name, value, indent))
            }
            Value::Array(items) => self.items(items, indent),
            plain => writeln!(self.out, "{:indent$}{}", "", self.plain(plain)),
        }
    }

    fn member(&mut self, name: &str, value: &Value, indent: usize) -> io::Result<()> {
        write!(self.out, "{:indent$}{}:", "", Escaped(name))?;
        match self.on_one_line(value) {
            Some(line) => writeln!(self.out, " {line}"),
            None => {
                writeln!(self.out)?;
                self.value(value, indent.saturating_add(2))
            }
        }
    }

    fn items(&mut self, items: &[Value], indent: usize) -> io::Result<()> {
        let shown = match self.extent {
            Extent::Brief => items.get(..ITEMS).unwrap_or(items),
            Extent::Full => items,
        };
        match table(shown) {
            Some(names) => self.table(&names, shown, indent)?,
            None => {
                for (index, item) in shown.iter().enumerate() {
                    self.member(&format!("[{index}]"), item, indent)?;
                }
            }
        }
        let more = count_of(items.len().saturating_sub(shown.len()));
        if more > 0 {
            let more = thousands(more);
            writeln!(
                self.out,
                "{:indent$}{DIMMED}... {more} more (use --full to show everything){DIMMED:#}",
                ""
            )?;
        }
        Ok(())
    }

    fn table(&mut self, names: &[&str], items: &[Value], indent: usize) -> io::Result<()> {
        let mut table = Table::untitled();
        let titles = names.iter().map(|name| Escaped(name).to_string());
        table.row(std::iter::once(String::new()).chain(titles));
        for (index, item) in items.iter().enumerate() {
            let cells = item.as_object().into_iter().flat_map(Map::values).map(|cell| self.cell(cell));
            table.row(std::iter::once(format!("[{index}]")).chain(cells));
        }
        table.write(self.out, indent)
    }

    fn on_one_line(&self, value: &Value) -> Option<String> {
        match value {
            Value::Object(members) if members.is_empty() => Some("{}".to_owned()),
            Value::Object(_) => None,
            Value::Array(items) if items.iter().all(is_plain) => {
                let items: Vec<_> = items.iter().map(|item| self.plain(item)).collect();
                let line = format!("[{}]", items.join(", "));
                (line.chars().count() <= LINE).then_some(line)
            }
            Value::Array(_) => None,
            plain => Some(self.plain(plain)),
        }
    }

    fn cell(&self, value: &Value) -> String {
        match value {
            Value::Null => "-".to_owned(),
            Value::Bool(true) => "yes".to_owned(),
            Value::Bool(false) => "no".to_owned(),
            plain => self.plain(plain),
        }
    }

    /// A string or other scalar.
    fn plain(&self, value: &Value) -> String {
        let Value::String(text) = value else { return value.to_string() };
        let shown: String = match self.extent {
            Extent::Brief => text.chars().take(CHARACTERS).collect(),
            Extent::Full => text.clone(),
        };
        let more = count_of(text.chars().count().saturating_sub(shown.chars().count()));
        let rest = if more > 0 { format!("... ({} more)", thousands(more)) } else { String::new() };
        format!("\"{}\"{rest}", Escaped(&shown))
    }
}

/// The common member names, if all items are objects of scalars with the same names.
fn table(items: &[Value]) -> Option<Vec<&str>> {
    let first: Vec<_> = items.first()?.as_object()?.keys().map(String::as_str).collect();
    let fits = |item: &Value| {
        item.as_object()
            .is_some_and(|members| members.keys().eq(first.iter().copied()) && members.values().all(is_plain))
    };
    (!first.is_empty() && items.len() > 1 && items.iter().all(fits)).then_some(first)
}

fn is_plain(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(value: &Value, extent: Extent) -> String {
        let mut out = Vec::new();
        write(&mut out, value, 0, extent).unwrap();
        String::from_utf8(anstream::adapter::strip_bytes(&out).into_vec()).unwrap()
    }

    #[test]
    fn members_are_indented_and_short_lists_are_on_one_line() {
        let value = json!({"header": "Map", "at": [1, 2.5, null], "owner": {"name": "a\u{1b}b"}, "none": []});
        assert_eq!(
            text(&value, Extent::Full),
            "header: \"Map\"\nat: [1, 2.5, null]\nowner:\n  name: \"a\\u{1b}b\"\nnone: []\n"
        );
    }

    #[test]
    fn a_list_of_similar_objects_is_a_table() {
        let value = json!({"walls": [{"name": "a", "open": true}, {"name": "long", "open": null}]});
        assert_eq!(
            text(&value, Extent::Full),
            "walls:\n       name    open\n  [0]  \"a\"     yes\n  [1]  \"long\"  -\n"
        );
    }

    #[test]
    fn the_brief_form_is_truncated_with_a_hint() {
        let value = json!((0..1030).map(|number| json!({"n": number})).collect::<Vec<_>>());
        let extract = text(&value, Extent::Brief);
        assert_eq!(extract.lines().count(), ITEMS + 2);
        assert!(extract.ends_with("... 1,006 more (use --full to show everything)\n"), "{extract}");
        assert_eq!(text(&value, Extent::Full).lines().count(), 1031);
        let long = json!("x".repeat(150));
        assert_eq!(text(&long, Extent::Brief), format!("\"{}\"... (50 more)\n", "x".repeat(100)));
    }
}
