//! Prints fields as an indented tree, and lists of small objects as tables.

use std::io::{self, Write};

use antiquary::json::Value;
use antiquary::json::{Content, List, Node, Object};

use crate::escape::Escaped;
use crate::number::thousands;
use crate::style::DIMMED;
use crate::table::Widths;

/// Amount of detail to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Long lists and strings are truncated.
    Brief,
    /// Everything.
    Full,
}

/// Number of list items shown in the brief form.
const ITEMS: usize = 24;

/// Number of characters of a string shown in the brief form.
const CHARACTERS: usize = 100;

/// Maximum length of a list printed on one line, in characters.
const LINE: usize = 90;

/// Writes the members of an object, or any other value, with indentation.
pub(crate) fn write(out: &mut dyn Write, value: Node<'_>, indent: usize, extent: Extent) -> io::Result<()> {
    Tree { out, extent }.value(value, indent)
}

struct Tree<'a> {
    out: &'a mut dyn Write,
    extent: Extent,
}

impl Tree<'_> {
    fn value(&mut self, value: Node<'_>, indent: usize) -> io::Result<()> {
        match value.content() {
            Content::Object(members) => {
                members.iter().try_for_each(|(name, value)| self.member(name, value, indent))
            }
            Content::List(items) => self.items(items, indent),
            _ => writeln!(self.out, "{:indent$}{}", "", self.extent.plain(value)),
        }
    }

    fn member(&mut self, name: &str, value: Node<'_>, indent: usize) -> io::Result<()> {
        write!(self.out, "{:indent$}{}:", "", Escaped(name))?;
        match self.extent.on_one_line(value) {
            Some(line) => writeln!(self.out, " {line}"),
            None => {
                writeln!(self.out)?;
                self.value(value, indent + 2)
            }
        }
    }

    fn items(&mut self, items: List<'_>, indent: usize) -> io::Result<()> {
        let shown = match self.extent {
            Extent::Brief => ITEMS.min(items.len()),
            Extent::Full => items.len(),
        };
        let first = || items.iter().take(shown);
        match table(first()) {
            Some(names) => self.table(&names, &first(), indent)?,
            None => {
                for (index, item) in first().enumerate() {
                    self.member(&format!("[{index}]"), item, indent)?;
                }
            }
        }
        let more = items.len().saturating_sub(shown) as u64;
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

    fn table<'n>(
        &mut self,
        names: &[&str],
        items: &(impl Iterator<Item = Node<'n>> + Clone),
        indent: usize,
    ) -> io::Result<()> {
        let titles = names.iter().map(|name| Escaped(name).to_string());
        let titles = std::iter::once(String::new()).chain(titles).collect();
        let extent = self.extent;
        let row = |(index, item): (usize, Node<'_>)| {
            let cells = members(item).map(|(_, cell)| extent.cell(cell));
            std::iter::once(format!("[{index}]")).chain(cells).collect()
        };
        // Rows are built twice, to measure them and to write them, so that a million rows are not kept in memory.
        let rows = || std::iter::once_with(|| Vec::clone(&titles)).chain(items.clone().enumerate().map(row));
        let mut widths = Widths::default();
        rows().for_each(|row| widths.fit(&row));
        let mut lines = Vec::new();
        for row in rows() {
            lines.clear();
            widths.write(&mut lines, indent, &row)?;
            lines.push(b'\n');
            self.out.write_all(&lines)?;
        }
        Ok(())
    }
}

impl Extent {
    fn on_one_line(self, value: Node<'_>) -> Option<String> {
        match value.content() {
            Content::Object(members) if members.is_empty() => Some("{}".to_owned()),
            Content::Object(_) => None,
            // Each item takes at least a digit.
            Content::List(items) if items.len() <= LINE && items.iter().all(is_plain) => {
                let items: Vec<_> = items.iter().map(|item| self.plain(item)).collect();
                let line = format!("[{}]", items.join(", "));
                (line.chars().count() <= LINE).then_some(line)
            }
            Content::List(_) => None,
            _ => Some(self.plain(value)),
        }
    }

    fn cell(self, value: Node<'_>) -> String {
        match value.content() {
            Content::Null => "-".to_owned(),
            Content::Bool(true) => "yes".to_owned(),
            Content::Bool(false) => "no".to_owned(),
            _ => self.plain(value),
        }
    }

    /// A string or other scalar.
    fn plain(self, value: Node<'_>) -> String {
        let text = match value.to_value() {
            Value::String(text) => text,
            other => return other.to_string(),
        };
        let shown = match self {
            Self::Brief => text.chars().take(CHARACTERS).collect(),
            Self::Full => text.clone(),
        };
        let more = (text.chars().count() - shown.chars().count()) as u64;
        let rest = if more > 0 { format!("... ({} more)", thousands(more)) } else { String::new() };
        format!("\"{}\"{rest}", Escaped(&shown))
    }
}

/// The common member names, if all items are objects of scalars with the same names.
fn table<'n>(mut items: impl Iterator<Item = Node<'n>> + Clone) -> Option<Vec<&'n str>> {
    let first: Vec<_> = members(items.clone().next()?).map(|(name, _)| name).collect();
    let fits = |item: Node<'_>| {
        members(item).map(|(name, _)| name).eq(first.iter().copied())
            && members(item).all(|(_, value)| is_plain(value))
    };
    (!first.is_empty() && items.clone().nth(1).is_some() && items.all(fits)).then_some(first)
}

/// The members of an object; empty for any other value.
fn members(value: Node<'_>) -> impl Iterator<Item = (&str, Node<'_>)> {
    let members = match value.content() {
        Content::Object(members) => Some(members),
        _ => None,
    };
    members.into_iter().flat_map(Object::iter)
}

fn is_plain(value: Node<'_>) -> bool {
    !value.is_compound()
}

#[cfg(test)]
mod tests {
    use super::*;
    use antiquary::json::Document;
    use antiquary::json::json;

    fn text(value: &Value, extent: Extent) -> String {
        let mut out = Vec::new();
        write(&mut out, Document::from(value).root(), 0, extent).unwrap();
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
