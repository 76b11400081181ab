//! Settings as paths name their fields: `room2.shape`, `["tiles.jpg"].bump`. Its record has lines of text.

use record::json::{Content, Document, Node, Step, Way};
use serde_json::Value;

use super::{LINES, Line, parse_line};
use crate::{Charset, FieldChange, RecordChange};

/// What a line of text is.
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

/// Sections with their keys and values; of several with one name the first counts, as in the game.
pub(super) fn view(record: Node<'_>, charset: Charset) -> Option<Document> {
    let mut sections: Vec<(String, Vec<(String, String)>)> = Vec::new();
    let mut current = None;
    for (_, line) in lines(record)? {
        match parsed(line, charset)? {
            Line::Section(name) => {
                let is_new = sections.iter().all(|(known, _)| *known != name);
                current = is_new.then_some(sections.len());
                if is_new {
                    sections.push((name.into_owned(), Vec::new()));
                }
            }
            Line::Entry(key, value) => {
                let section = current.and_then(|current: usize| sections.get_mut(current));
                if let Some((_, entries)) = section
                    && entries.iter().all(|(known, _)| *known != key)
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

/// Where a section stands: its first line, and the line of a key or else the last one with a key.
struct Found {
    key: Option<usize>,
    last: usize,
}

fn find(record: Node<'_>, section: &str, wanted: Option<&str>, charset: Charset) -> Option<Found> {
    let (mut found, mut is_inside) = (None, false);
    for (number, line) in lines(record)? {
        match (parsed(line, charset)?, &mut found) {
            (Line::Section(name), None) if name == section => {
                is_inside = true;
                found = Some(Found { key: None, last: number });
            }
            (Line::Section(_), Some(_)) => break,
            (Line::Entry(key, _), Some(found)) if is_inside => {
                found.last = number;
                if found.key.is_none() && wanted.is_some_and(|wanted| key == wanted) {
                    found.key = Some(number);
                }
            }
            _ => {}
        }
    }
    found
}

/// A value as it can stand in a line.
fn value_of(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        _ => return None,
    };
    (text.trim() == text && !text.contains(['\r', '\n', '\0'])).then_some(text)
}

fn line(number: usize) -> Way {
    Way::from(&[Step::Member(LINES), Step::Item(number)][..])
}

/// The change of a line that changes a field of the view.
pub(super) fn change(
    record: Node<'_>,
    way: &[Step<'_>],
    change: FieldChange<'_>,
    charset: Charset,
) -> Option<RecordChange> {
    match (way, change) {
        ([Step::Member(section), Step::Member(key)], change) => {
            let number = find(record, section, Some(key), charset)?.key?;
            let Content::Text(old) = line(number).find(record)?.content() else { return None };
            match change {
                FieldChange::Set(value) => {
                    let (before, after) = old.split_at_checked(old.find('=')?.checked_add(1)?)?;
                    let blanks: String = after.chars().take_while(|it| matches!(it, ' ' | '\t')).collect();
                    let end: String = after.chars().rev().take_while(char::is_ascii_whitespace).collect();
                    let end: String = end.chars().rev().collect();
                    // Of a line without a value all blanks stand at its end.
                    let blanks = if after.trim_ascii().is_empty() { "" } else { &blanks };
                    let text = format!("{before}{blanks}{}{end}", value_of(value)?);
                    Some(RecordChange::Set(line(number), text.into()))
                }
                FieldChange::Remove => Some(RecordChange::Remove(line(number))),
                FieldChange::Add(..) => None,
            }
        }
        ([Step::Member(section)], FieldChange::Add(key, value)) => {
            let is_key = key.trim() == key && !key.is_empty() && !key.contains(['=', '\r', '\n', '\0']);
            if !is_key || key.starts_with(['[', ';']) {
                return None;
            }
            let last = find(record, section, None, charset)?.last;
            let Content::Text(before) = line(last).find(record)?.content() else { return None };
            let end = if before.ends_with("\r\n") { "\r\n" } else { "\n" };
            if !before.ends_with(end) {
                return None;
            }
            let text = format!("{key}={}{end}", value_of(value)?);
            let list = Way::from(&[Step::Member(LINES)][..]);
            Some(RecordChange::Insert(list, last.checked_add(1)?, text.into()))
        }
        _ => None,
    }
}
