//! Settings in the form that field paths address: `room2.shape`, `["tiles.jpg"].bump`. The record consists of lines of text.

use std::collections::{HashMap, HashSet};

use asset::{FieldChange, RecordChange};
use json::{Content, Document, Node, Step, Value, ValuePath};
use record::{Error, Result};

use super::{LINES, Line, Syntax, same};

/// Parses a line of text.
fn parsed(line: &str, syntax: Syntax) -> Option<Line<'static>> {
    let owned = |text: std::borrow::Cow<'_, str>| text.into_owned().into();
    let bytes = syntax.charset().encode(line)?;
    Some(match syntax.parse(&bytes) {
        Line::Section(name) => Line::Section(owned(name)),
        Line::Entry(key, value) => Line::Entry(owned(key), owned(value)),
        Line::Text(text) => Line::Text(owned(text)),
        Line::Comment(_) | Line::Empty => Line::Empty,
    })
}

fn lines(record: Node<'_>) -> Option<impl Iterator<Item = (usize, Node<'_>)>> {
    match record.get(LINES)?.content() {
        Content::List(lines) => Some(lines.iter().enumerate()),
        _ => None,
    }
}

/// A section of the view.
struct Viewed {
    name: String,
    entries: Vec<(String, String)>,
    /// Keys in the form in which the game compares them.
    known: HashSet<String>,
}

/// Returns the sections with their keys and values, under their [unique names](SectionNames).
pub(super) fn view(record: Node<'_>, syntax: Syntax) -> Option<Document> {
    let mut sections: Vec<Viewed> = Vec::new();
    let (mut current, mut names) = (None, SectionNames::new(syntax));
    for (_, line) in lines(record)? {
        let Content::Text(line) = line.content() else { return None };
        match parsed(line, syntax)? {
            Line::Section(text) => {
                let SectionName { name, index } = names.add(&text);
                if index == sections.len() {
                    sections.push(Viewed { name, entries: Vec::new(), known: HashSet::new() });
                }
                current = Some(index);
            }
            Line::Entry(key, value) => {
                let key = syntax.key_name(&key).into_owned();
                let section = current.and_then(|current: usize| sections.get_mut(current));
                if let Some(section) = section.filter(|it| !it.known.contains(&key.to_lowercase())) {
                    section.known.insert(key.to_lowercase());
                    section.entries.push((key, syntax.without_comment(&value).to_owned()));
                }
            }
            _ => {}
        }
    }
    Some(Document::object(|out| {
        for section in &sections {
            let entries = Document::object(|out| {
                for (key, value) in &section.entries {
                    out.put(key, value);
                }
            });
            out.put(&section.name, &entries);
        }
    }))
}

/// Assigns names to sections in order. If only the first one of a name applies, the second `[hall]`, in any letter case, is
/// `hall#2`; otherwise all have the first spelling.
pub(super) struct SectionNames {
    syntax: Syntax,
    /// Names in lowercase.
    known: HashMap<String, KnownName>,
}

struct KnownName {
    section: SectionName,
    /// Number of the next section of this name.
    next: usize,
}

/// The name of a section.
#[derive(Clone)]
pub(super) struct SectionName {
    pub(super) name: String,
    /// Number of different names before this one.
    pub(super) index: usize,
}

impl SectionNames {
    pub(super) fn new(syntax: Syntax) -> Self {
        Self { syntax, known: HashMap::new() }
    }

    /// Returns the name of the next section, given the text between its brackets.
    pub(super) fn add(&mut self, text: &str) -> SectionName {
        let name = text.trim();
        let key = name.to_lowercase();
        let Some(known) = self.known.get(&key) else { return self.insert(key, name.to_owned()) };
        if self.syntax.joins_sections() {
            return known.section.clone();
        }
        let mut number = known.next;
        // Another section may already have such a name.
        while self.known.contains_key(&format!("{key}#{number}")) {
            number = number.saturating_add(1);
        }
        let numbered = self.insert(format!("{key}#{number}"), format!("{name}#{number}"));
        if let Some(known) = self.known.get_mut(&key) {
            known.next = number.saturating_add(1);
        }
        numbered
    }

    fn insert(&mut self, key: String, name: String) -> SectionName {
        let section = SectionName { name, index: self.known.len() };
        self.known.insert(key, KnownName { section: section.clone(), next: 2 });
        section
    }
}

/// Returns the lines of a section of the view, with their numbers. Each section of that name starts with its own line.
fn lines_of(record: Node<'_>, section: &str, syntax: Syntax) -> Option<Vec<(usize, Line<'static>)>> {
    let (mut out, mut is_inside) = (Vec::new(), false);
    let mut names = SectionNames::new(syntax);
    for (number, line) in lines(record)? {
        let Content::Text(line) = line.content() else { return None };
        let line = parsed(line, syntax)?;
        if let Line::Section(text) = &line {
            is_inside = same(names.add(text).name.trim(), section.trim());
        }
        if is_inside {
            out.push((number, line));
        }
    }
    Some(out)
}

/// Returns the number of the line that sets a key.
fn line_of_key(record: Node<'_>, section: &str, key: &str, syntax: Syntax) -> Option<usize> {
    let is_key = |line: &Line<'_>| matches!(line, Line::Entry(other, _) if syntax.is_same_key(other, key));
    let lines = lines_of(record, section, syntax)?;
    lines.into_iter().find(|(_, line)| is_key(line)).map(|(number, _)| number)
}

/// Returns the number of the last line of a section that contains a key or a text, or of the line of the section itself.
fn last_line(record: Node<'_>, section: &str, syntax: Syntax) -> Option<usize> {
    let mut lines = lines_of(record, section, syntax)?.into_iter();
    let (start, _) = lines.next()?;
    let of_first = lines.take_while(|(_, line)| !matches!(line, Line::Section(_)));
    let filled = of_first.filter(|(_, line)| matches!(line, Line::Entry(..) | Line::Text(_)));
    Some(filled.last().map_or(start, |(number, _)| number))
}

/// Returns the text of a value; `None` if it is a list or an object.
fn text_of(value: &Value, syntax: Syntax) -> Result<Option<String>> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(_) | Value::Bool(_) | Value::Null => value.to_string(),
        Value::Array(_) | Value::Object(_) => return Ok(None),
    };
    let why = match () {
        () if text.contains(['\r', '\n']) => "contains a line break, but a value ends with its line",
        () if text.contains('\0') => "contains a NUL character",
        () if text.trim_ascii() != text => "starts or ends with a blank, which the game ignores",
        () if syntax.without_comment(&text) != text => {
            "contains a \";\", which starts a comment in this file"
        }
        () => return Ok(Some(text)),
    };
    Err(Error::usage(format!("the value {text:?} {why}")))
}

/// Returns the line of a key, without a line break; `None` if a line cannot have this key or value.
pub(super) fn entry_line(key: &str, value: &Value, syntax: Syntax) -> Result<Option<String>> {
    let key = syntax.key_name(key);
    let Some(text) = text_of(value, syntax)? else { return Ok(None) };
    let line = format!("{key}={text}");
    let is_one_line = !key.is_empty() && !line.contains(['\r', '\n', '\0']);
    Ok(Some(line).filter(|line| is_one_line && has_entry(line, &key, &text, syntax)))
}

/// Whether a line is read as this key and value. The characters that the character set lacks are reported when the file is packed.
fn has_entry(line: &str, key: &str, text: &str, syntax: Syntax) -> bool {
    match parsed(line, syntax) {
        Some(Line::Entry(found, value)) => found == key && syntax.without_comment(&value) == text,
        Some(_) => false,
        None => true,
    }
}

fn line(number: usize) -> ValuePath {
    ValuePath::from(&[Step::Member(LINES), Step::Item(number)][..])
}

fn line_text(record: Node<'_>, number: usize) -> Option<&str> {
    match line(number).find(record)?.content() {
        Content::Text(text) => Some(text),
        _ => None,
    }
}

/// Returns the changes of lines that correspond to a change of the view; `None` if there are none.
pub(super) fn change(
    record: Node<'_>,
    way: &[Step<'_>],
    change: FieldChange<'_>,
    syntax: Syntax,
) -> Result<Option<Vec<RecordChange>>> {
    match (way, change) {
        ([Step::Member(section), Step::Member(key)], FieldChange::Set(value)) => {
            let Some(number) = line_of_key(record, section, key, syntax) else { return Ok(None) };
            let Some(old) = line_text(record, number) else { return Ok(None) };
            let new = with_value(old, value, syntax)?;
            Ok(new.map(|new| vec![RecordChange::Set(line(number), new.into())]))
        }
        ([Step::Member(section), Step::Member(key)], FieldChange::Remove) => {
            let number = line_of_key(record, section, key, syntax);
            Ok(number.map(|number| vec![RecordChange::Remove(line(number))]))
        }
        ([Step::Member(section)], FieldChange::Add(key, value)) => {
            let Some(last) = last_line(record, section, syntax) else { return Ok(None) };
            let new = entry_line(key, value, syntax)?;
            Ok(new.and_then(|new| insert_after(record, last, &[new])))
        }
        ([], FieldChange::Add(section, Value::Object(entries))) => {
            let header = format!("[{section}]");
            let is_section = |line| matches!(line, Line::Section(name) if name == section);
            let is_read = parsed(&header, syntax).is_none_or(is_section);
            if section.contains(['[', ']', '\r', '\n', '\0']) || !is_read {
                return Ok(None);
            }
            let mut new = vec![header];
            for (key, value) in entries {
                let Some(line) = entry_line(key, value, syntax)? else { return Ok(None) };
                new.push(line);
            }
            Ok(append(record, new))
        }
        _ => Ok(None),
    }
}

/// Replaces the value in a line. White space around the value, the comment and the line break are preserved.
pub(super) fn with_value(line: &str, value: &Value, syntax: Syntax) -> Result<Option<String>> {
    let Some(text) = text_of(value, syntax)? else { return Ok(None) };
    let Some((key, after)) = line.split_once('=') else { return Ok(None) };
    let old = syntax.without_comment(after);
    let (before, end) = match old {
        // Without a value, the blanks after the `=` precede it.
        "" => {
            let end = after.trim_start_matches([' ', '\t']);
            (after.strip_suffix(end).unwrap_or_default(), end)
        }
        old => after.split_once(old).unwrap_or_default(),
    };
    let new = format!("{key}={before}{text}{end}");
    if !has_entry(&new, key.trim_ascii(), &text, syntax) {
        return Err(Error::usage(format!("the value {text:?} would change the meaning of the line")));
    }
    Ok(Some(new))
}

/// Appends lines at the end of the file, after an empty line.
fn append(record: Node<'_>, mut new: Vec<String>) -> Option<Vec<RecordChange>> {
    let last = lines(record)?.last()?.0;
    if !line_text(record, last)?.trim_ascii().is_empty() {
        new.insert(0, String::new());
    }
    insert_after(record, last, &new)
}

/// Inserts lines, with the line break of the file, after a line that may lack one.
fn insert_after(record: Node<'_>, number: usize, new: &[String]) -> Option<Vec<RecordChange>> {
    let before = line_text(record, number)?;
    let is_dos = |text: &str| text.ends_with("\r\n");
    let end = if is_dos(before) || line_text(record, 0).is_some_and(is_dos) { "\r\n" } else { "\n" };
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
