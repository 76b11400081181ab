//! Settings in the form that field paths address: `room2.shape`, `["tiles.jpg"].bump`. The record consists of lines of text.

use std::collections::HashMap;

use asset::{Charset, FieldChange, RecordChange};
use json::{Content, Document, Node, Step, Value, ValuePath};

use super::{LINES, Line, parse_line, same};

/// Parses a line of text.
fn parsed(line: Node<'_>, charset: Charset) -> Option<Line<'static>> {
    let Content::Text(line) = line.content() else { return None };
    let bytes = charset.encode(line)?;
    Some(match parse_line(&bytes, charset) {
        Line::Section(name) => Line::Section(name.into_owned().into()),
        Line::Entry(key, value) => Line::Entry(key.into_owned().into(), value.into_owned().into()),
        Line::Text(_) | Line::Comment(_) | Line::Empty => Line::Empty,
    })
}

fn lines(record: Node<'_>) -> Option<impl Iterator<Item = (usize, Node<'_>)>> {
    match record.get(LINES)?.content() {
        Content::List(lines) => Some(lines.iter().enumerate()),
        _ => None,
    }
}

/// Returns the sections with their keys and values, under their [unique names](UniqueNames).
pub(super) fn view(record: Node<'_>, charset: Charset) -> Option<Document> {
    let mut sections: Vec<(String, Vec<(String, String)>)> = Vec::new();
    let (mut current, mut names) = (None, UniqueNames::default());
    for (_, line) in lines(record)? {
        match parsed(line, charset)? {
            Line::Section(name) => {
                current = Some(sections.len());
                sections.push((names.add(&name), Vec::new()));
            }
            Line::Entry(key, value) => {
                let section = current.and_then(|current: usize| sections.get_mut(current));
                if let Some((_, entries)) = section
                    && entries.iter().all(|(known, _)| !same(known, &key))
                {
                    entries.push((key.into_owned(), value.into_owned()));
                }
            }
            _ => {}
        }
    }
    Some(Document::object(|out| {
        for (name, entries) in &sections {
            let entries = Document::object(|out| {
                for (key, value) in entries {
                    out.put(key, value);
                }
            });
            out.put(name, &entries);
        }
    }))
}

/// Whether two texts between brackets denote the same section.
fn is_section(a: &str, b: &str) -> bool {
    same(a.trim(), b.trim())
}

/// Assigns unique names to repeated sections: the second `[hall]`, in any letter case, is `hall#2`. The games read the first one.
#[derive(Default)]
pub(super) struct UniqueNames {
    /// Used names in lowercase, with the number of the next section of that name.
    next: HashMap<String, usize>,
}

impl UniqueNames {
    /// Returns the name of the next section, given the text between its brackets.
    pub(super) fn add(&mut self, text: &str) -> String {
        let name = text.trim();
        let key = name.to_lowercase();
        let Some(mut number) = self.next.get(&key).copied() else {
            self.next.insert(key, 2);
            return name.to_owned();
        };
        // Another section may already have such a name.
        while self.next.contains_key(&format!("{key}#{number}")) {
            number = number.saturating_add(1);
        }
        self.next.insert(format!("{key}#{number}"), 2);
        self.next.insert(key, number.saturating_add(1));
        format!("{name}#{number}")
    }
}

/// The lines of a section.
struct Found {
    /// Line of the searched key.
    key: Option<usize>,
    /// Last line with a key, or the line of the section itself.
    last: usize,
}

fn find(record: Node<'_>, section: &str, wanted: Option<&str>, charset: Charset) -> Option<Found> {
    let (mut found, mut is_inside) = (None, false);
    let mut names = UniqueNames::default();
    for (number, line) in lines(record)? {
        match (parsed(line, charset)?, &mut found) {
            (Line::Section(name), None) => {
                let name = names.add(&name);
                if is_section(&name, section) {
                    is_inside = true;
                    found = Some(Found { key: None, last: number });
                }
            }
            (Line::Section(_), Some(_)) => break,
            (Line::Entry(key, _), Some(found)) if is_inside => {
                found.last = number;
                if found.key.is_none() && wanted.is_some_and(|wanted| same(&key, wanted)) {
                    found.key = Some(number);
                }
            }
            _ => {}
        }
    }
    found
}

/// Formats a value for a line.
fn value_of(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        _ => return None,
    };
    (text.trim() == text && !text.contains(['\r', '\n', '\0'])).then_some(text)
}

/// Formats the line of a key, without a line break.
fn entry_line(key: &str, value: &Value) -> Option<String> {
    let is_key = key.trim() == key && !key.is_empty() && !key.contains(['=', '\r', '\n', '\0']);
    if !is_key || key.starts_with(['[', ';']) {
        return None;
    }
    Some(format!("{key}={}", value_of(value)?))
}

fn line(number: usize) -> ValuePath {
    ValuePath::from(&[Step::Member(LINES), Step::Item(number)][..])
}

fn text_of(record: Node<'_>, number: usize) -> Option<&str> {
    match line(number).find(record)?.content() {
        Content::Text(text) => Some(text),
        _ => None,
    }
}

/// Returns the changes of lines that correspond to a change of the view.
pub(super) fn change(
    record: Node<'_>,
    way: &[Step<'_>],
    change: FieldChange<'_>,
    charset: Charset,
) -> Option<Vec<RecordChange>> {
    match (way, change) {
        ([Step::Member(section), Step::Member(key)], change) => {
            let number = find(record, section, Some(key), charset)?.key?;
            let old = text_of(record, number)?;
            Some(vec![match change {
                FieldChange::Set(value) => RecordChange::Set(line(number), with_value(old, value)?.into()),
                FieldChange::Remove => RecordChange::Remove(line(number)),
                FieldChange::Add(..) => return None,
            }])
        }
        ([Step::Member(section)], FieldChange::Add(key, value)) => {
            let last = find(record, section, None, charset)?.last;
            insert_after(record, last, &[entry_line(key, value)?])
        }
        ([], FieldChange::Add(section, Value::Object(entries))) => {
            if section.contains(['[', ']', '\r', '\n', '\0']) {
                return None;
            }
            let last = lines(record)?.last()?.0;
            let is_empty = text_of(record, last)?.trim_ascii().is_empty();
            let mut new = Vec::from_iter((!is_empty).then(String::new));
            new.push(format!("[{section}]"));
            for (key, value) in entries {
                new.push(entry_line(key, value)?);
            }
            insert_after(record, last, &new)
        }
        _ => None,
    }
}

/// Replaces the value in a line. White space around the value and the line break are preserved.
fn with_value(line: &str, value: &Value) -> Option<String> {
    let (before, after) = line.split_at_checked(line.find('=')?.checked_add(1)?)?;
    let blanks: String = after.chars().take_while(|it| matches!(it, ' ' | '\t')).collect();
    let end: String = after.chars().rev().take_while(char::is_ascii_whitespace).collect();
    let end: String = end.chars().rev().collect();
    // If the line has no value, all white space belongs to its end.
    let blanks = if after.trim_ascii().is_empty() { "" } else { &blanks };
    Some(format!("{before}{blanks}{}{end}", value_of(value)?))
}

/// Inserts lines, with the line break of the file, after a line that may lack one.
fn insert_after(record: Node<'_>, number: usize, new: &[String]) -> Option<Vec<RecordChange>> {
    let before = text_of(record, number)?;
    let is_dos = |text: &str| text.ends_with("\r\n");
    let end = if is_dos(before) || text_of(record, 0).is_some_and(is_dos) { "\r\n" } else { "\n" };
    let mut changes = Vec::new();
    if !before.ends_with('\n') {
        changes.push(RecordChange::Set(line(number), format!("{before}{end}").into()));
    }
    let list = ValuePath::from(&[Step::Member(LINES)][..]);
    let next = number.checked_add(1)?;
    changes.extend(
        new.iter().map(|text| RecordChange::Insert(list.clone(), next, format!("{text}{end}").into())),
    );
    Some(changes)
}
