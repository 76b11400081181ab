//! Settings files of games: sections, keys and values, preserved line by line.
//!
//! A section starts with `[name]`. A line with `=` contains a key and its value; white space around both and letter case are
//! ignored. A line that starts with `;` is a comment; any other line is text of its section. In [some games](Syntax::xngine), `;`
//! starts a comment anywhere in a line.

mod edit;
mod syntax;
#[cfg(test)]
mod tests;
mod view;

use std::borrow::Cow;
use std::collections::HashMap;

use json::{Document, Node, Step, push_member};
use record::{Error, FieldDoc, Result, Source, Span, Visit, Visitor};
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};

use asset::{
    Charset, Context, FieldChange, NameKind, NameVisitor, Named, RecordChange, Unpacked, item_index,
};

pub use syntax::{LineContent, LineParts, Syntax};

/// Maximum size of a settings file in bytes.
const LARGEST: u64 = 16 << 20;

/// Maximum number of lines. The largest tables of mods have a few thousand.
const MOST_LINES: usize = 1 << 16;

/// Name of the record's member with the lines.
const LINES: &str = "lines";

/// A settings file. Every byte belongs to one of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ini {
    /// Lines with their line breaks.
    lines: Vec<Box<[u8]>>,
    syntax: Syntax,
}

/// Serialized as lines of text, because every byte is a character in the character set.
impl Serialize for Ini {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lines: Vec<_> = self.texts().collect();
        let mut out = serializer.serialize_struct("Ini", 1)?;
        out.serialize_field(LINES, &lines)?;
        out.end()
    }
}

/// The record of an unpacked settings file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lines {
    lines: Vec<String>,
}

/// A section with its entries in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<'a> {
    /// Text between the brackets.
    pub name: Cow<'a, str>,
    /// Line number, from 1.
    pub line: usize,
    /// Offset of the line in bytes.
    pub offset: u64,
    /// Keys and values. If a key is repeated, the first one applies.
    pub entries: Vec<Entry<'a>>,
    /// Lines without a `=`, except comments and empty lines.
    pub texts: Vec<TextLine<'a>>,
    syntax: Syntax,
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Text before the `=`.
    pub key: Cow<'a, str>,
    /// Text after the `=`, with the comment of the line.
    pub value: Cow<'a, str>,
    /// Line number, from 1.
    pub line: usize,
    /// Offset of the line in bytes.
    pub offset: u64,
    syntax: Syntax,
}

/// A line without a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLine<'a> {
    /// Text without surrounding white space, with the comment of the line.
    pub text: Cow<'a, str>,
    /// Line number, from 1.
    pub line: usize,
    /// Offset of the line in bytes.
    pub offset: u64,
    syntax: Syntax,
}

/// The declaration of a key.
#[derive(Debug, Clone)]
pub struct DeclaredKey {
    /// Type and meaning.
    pub doc: &'static FieldDoc,
    /// Value with its meaning, to be shown instead of the text in the file.
    pub value: Option<String>,
}

/// The content of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line<'a> {
    /// The start of a section: the text between the brackets.
    Section(Cow<'a, str>),
    /// A key, and its value with the comment of the line.
    Entry(Cow<'a, str>, Cow<'a, str>),
    /// Any other text, with the comment of the line.
    Text(Cow<'a, str>),
    /// A line that contains only a comment, including its `;`.
    Comment(Cow<'a, str>),
    /// Only white space.
    Empty,
}

/// A line with its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedLine<'a> {
    /// Line number, from 1.
    pub number: usize,
    /// Offset of the first byte.
    pub offset: u64,
    /// Content of the line.
    pub line: Line<'a>,
}

impl Ini {
    /// Splits a file into lines.
    ///
    /// # Errors
    /// When the file is empty, contains NUL bytes, is too large for a settings file, or has too many lines.
    pub fn read(source: &Source, syntax: impl Into<Syntax>) -> Result<Self> {
        if source.len() > LARGEST {
            return Err(
                Error::limit(format!("{} bytes are too large for a settings file", source.len())).at(0)
            );
        }
        Self::parse(&source.read_all()?, syntax)
    }

    /// Splits bytes into lines.
    ///
    /// # Errors
    /// The same as [`read`](Self::read).
    pub fn parse(bytes: &[u8], syntax: impl Into<Syntax>) -> Result<Self> {
        if bytes.is_empty() {
            return Err(Error::malformed("the file is empty").at(0));
        }
        if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
            let at = u64::try_from(at).unwrap_or_default();
            return Err(Error::malformed("unexpected NUL byte: a settings file is text").at(at));
        }
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        if lines.clone().nth(MOST_LINES).is_some() {
            let before = lines.take(MOST_LINES).fold(0_usize, |sum, line| sum.saturating_add(line.len()));
            let message = format!("more than {MOST_LINES} lines are too many for a settings file");
            return Err(Error::limit(message).at(u64::try_from(before).unwrap_or_default()));
        }
        Ok(Self { lines: lines.map(Into::into).collect(), syntax: syntax.into() })
    }

    /// Returns a settings file of the surrounding game, from the cache if possible; `None` if it does not exist or cannot be
    /// read.
    #[must_use]
    pub fn of_install(
        context: &Context<'_>,
        path: &str,
        syntax: impl Into<Syntax>,
    ) -> Option<std::sync::Arc<Self>> {
        let syntax = syntax.into();
        let found = context.install.find(path).found()?;
        let read = || {
            let source = context.install.open(&found.location)?;
            let size = usize::try_from(source.len()).unwrap_or(usize::MAX);
            Ok((Self::read(&source, syntax)?, size))
        };
        context.install.decoded(&found.location, "settings", read).ok()
    }

    /// Builds the file from an unpacked folder.
    ///
    /// # Errors
    /// When a line contains a NUL or a character that the character set lacks.
    pub fn pack(folder: &Unpacked, charset: Charset) -> Result<Vec<u8>> {
        let record: Lines = folder.typed()?;
        encode(&record.lines, charset).map_err(|error| error.in_file("record.json"))
    }

    /// Returns the syntax of the file.
    #[must_use]
    pub const fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// Returns the bytes of the file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        self.lines.concat()
    }

    /// Returns the number of lines, and whether all complete lines end with CR LF.
    #[must_use]
    pub fn line_ends(&self) -> (usize, bool) {
        let complete = || self.lines.iter().filter(|line| line.ends_with(b"\n"));
        (self.lines.len(), complete().next().is_some() && complete().all(|line| line.ends_with(b"\r\n")))
    }

    /// Iterates over the lines.
    pub fn lines(&self) -> impl Iterator<Item = LocatedLine<'_>> {
        self.raw_lines().zip(1..).map(|((offset, line), number)| LocatedLine {
            number,
            offset,
            line: self.syntax.parse(line),
        })
    }

    /// Iterates over the lines as text, with their line breaks.
    pub fn texts(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.lines.iter().map(|line| self.syntax.charset().decode(line))
    }

    /// Returns the sections in order, also those with the same name. Lines before the first section are omitted.
    #[must_use]
    pub fn sections(&self) -> Vec<Section<'_>> {
        let syntax = self.syntax;
        let mut sections: Vec<Section<'_>> = Vec::new();
        for LocatedLine { number, offset, line } in self.lines() {
            match (line, sections.last_mut()) {
                (Line::Section(name), _) => {
                    let (entries, texts) = (Vec::new(), Vec::new());
                    sections.push(Section { name, line: number, offset, entries, texts, syntax });
                }
                (Line::Entry(key, value), Some(section)) => {
                    section.entries.push(Entry { key, value, line: number, offset, syntax });
                }
                (Line::Text(text), Some(section)) => {
                    section.texts.push(TextLine { text, line: number, offset, syntax });
                }
                _ => {}
            }
        }
        sections
    }

    /// Returns the first section with a name, ignoring letter case and surrounding white space. If the sections with the same name
    /// are one section, it has the lines of all of them.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<Section<'_>> {
        let mut sections = self.sections().into_iter().filter(|section| section.is_named(name));
        let mut found = sections.next()?;
        for section in sections.filter(|_| self.syntax.joins_sections()) {
            found.entries.extend(section.entries);
            found.texts.extend(section.texts);
        }
        Some(found)
    }

    fn raw_lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.lines.iter().scan(0_u64, |next, line| {
            let start = *next;
            *next = start.saturating_add(u64::try_from(line.len()).unwrap_or_default());
            Some((start, &**line))
        })
    }

    /// Reports every line to the visitor, under its section and key. Sections that repeat an earlier name, which some games ignore,
    /// are reported under their line numbers.
    pub fn trace(&self, visitor: &mut dyn Visitor) {
        self.trace_documented(visitor, &|_, _, _| None);
    }

    /// Reports every line as [`trace`](Self::trace) does, and the declarations of keys. `declared` returns the declaration of a
    /// key, given the section, the key and the value without its comment.
    pub fn trace_documented(
        &self,
        visitor: &mut dyn Visitor,
        declared: &dyn Fn(&str, &str, &str) -> Option<DeclaredKey>,
    ) {
        let (mut section, mut name_of_section) = (String::new(), String::new());
        let mut seen: HashMap<String, String> = HashMap::new();
        for (number, (start, line)) in self.raw_lines().enumerate() {
            let end = start.saturating_add(u64::try_from(line.len()).unwrap_or_default());
            let as_line =
                || (format!("{LINES}[{number}]"), self.syntax.charset().decode(line).trim().to_owned());
            let (path, value) = match self.syntax.parse(line) {
                Line::Section(name) => {
                    let name = name.trim();
                    section.clear();
                    name.clone_into(&mut name_of_section);
                    match seen.get(&name.to_lowercase()) {
                        None => {
                            push_member(&mut section, name);
                            seen.insert(name.to_lowercase(), section.clone());
                            (section.clone(), String::new())
                        }
                        Some(first) => {
                            if self.syntax.joins_sections() {
                                section.clone_from(first);
                            }
                            as_line()
                        }
                    }
                }
                Line::Entry(key, value) if !section.is_empty() => {
                    let mut path = section.clone();
                    push_member(&mut path, &self.syntax.key_name(&key));
                    let plain = self.syntax.without_comment(&value);
                    match declared(&name_of_section, &key, plain) {
                        Some(declared) => {
                            visitor.describe(&path, declared.doc);
                            (path, declared.value.unwrap_or_else(|| value.into_owned()))
                        }
                        None => (path, value.into_owned()),
                    }
                }
                _ => as_line(),
            };
            if visitor.span(Span { start, end, path: &path, value: &value }) == Visit::Stop {
                return;
            }
        }
    }

    /// Visits the names of sections, with the given kind, and all values and comments. `kind_of_file` recognizes values that are
    /// file names.
    pub fn visit_names(
        &self,
        sections: NameKind,
        kind_of_file: &dyn Fn(&str) -> Option<NameKind>,
        visitor: NameVisitor<'_>,
    ) {
        let mut lines = self.lines();
        self.trace(&mut |span: Span<'_>| {
            let mut visit =
                |kind, text: &str| visitor(Named::new(kind, text.trim(), format_args!("{}", span.path)));
            match lines.next().map(|located| located.line) {
                Some(Line::Section(name)) => visit(sections, &name),
                Some(Line::Entry(_, value)) => {
                    let text = self.syntax.without_comment(&value);
                    visit(kind_of_file(text.trim()).unwrap_or(NameKind::Text), text);
                    let comment = value.strip_prefix(text).unwrap_or_default();
                    if !comment.is_empty() {
                        visit(NameKind::Text, comment);
                    }
                }
                Some(Line::Comment(text) | Line::Text(text)) => visit(NameKind::Text, &text),
                Some(Line::Empty) | None => {}
            }
            Visit::Continue
        });
    }

    /// Returns the record in the form that field paths address: sections with their keys, and values without comments. A repeated
    /// section is named `hall#2`, unless the sections with the same name are one section; of repeated keys, the first one is used.
    #[must_use]
    pub fn field_view(&self, record: Node<'_>) -> Option<Document> {
        view::view(record, self.syntax)
    }

    /// Returns the path in the [view](Self::field_view) of a section that descriptions list by its index: `["lockroom"].shape`
    /// for `[3].shape`. The name of the section, `[3].name`, has none.
    #[must_use]
    pub fn field_alias(&self, path: &str) -> Option<String> {
        let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
        let is_key = |rest: &str| rest != "name" && !rest.contains(['.', '[']);
        if !rest.strip_prefix('.').is_none_or(is_key) {
            return None;
        }
        let sections = self.sections();
        let index = item_index(index, sections.len())?;
        let mut names = view::SectionNames::new(self.syntax);
        let section = sections.iter().map(|section| names.add(&section.name)).nth(index)?;
        let mut out = String::new();
        push_member(&mut out, &section.name);
        Some(out + rest)
    }

    /// Returns the changes of lines that correspond to a change of the [view](Self::field_view); `None` if there are none.
    ///
    /// # Errors
    /// When a value cannot be stored in a line.
    pub fn record_change(
        &self,
        record: Node<'_>,
        way: &[Step<'_>],
        change: FieldChange<'_>,
    ) -> Result<Option<Vec<RecordChange>>> {
        view::change(record, way, change, self.syntax)
    }
}

impl Entry<'_> {
    /// Returns the value without its comment and surrounding blanks.
    #[must_use]
    pub fn without_comment(&self) -> &str {
        self.syntax.without_comment(&self.value)
    }
}

impl TextLine<'_> {
    /// Returns the text without its comment and surrounding blanks.
    #[must_use]
    pub fn without_comment(&self) -> &str {
        self.syntax.without_comment(&self.text)
    }
}

impl<'a> Section<'a> {
    /// Whether the section has this name, ignoring letter case and surrounding white space.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        same(self.name.trim(), name.trim())
    }

    /// Returns the first value of a key, ignoring letter case, without its comment.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entry(key).map(Entry::without_comment)
    }

    /// Returns the first entry of a key.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry<'a>> {
        self.entries.iter().find(|entry| self.syntax.is_same_key(&entry.key, key))
    }

    /// Whether a switch is on, as Blitz3D games interpret it: `true` or a number above 0.
    #[must_use]
    pub fn is_on(&self, key: &str) -> bool {
        self.get(key)
            .is_some_and(|value| same(value, "true") || value.parse::<f64>().is_ok_and(|number| number > 0.0))
    }

    /// Returns all keys in lowercase with their values, without comments; of repeated keys, the first one.
    #[must_use]
    pub fn to_json(&self) -> json::Map<String, json::Value> {
        let mut out = json::Map::new();
        for entry in &self.entries {
            out.entry(entry.key.to_lowercase()).or_insert_with(|| entry.without_comment().into());
        }
        out
    }
}

/// Whether a game treats two names as equal.
#[must_use]
pub fn same(a: &str, b: &str) -> bool {
    a == b || a.to_lowercase() == b.to_lowercase()
}

/// Encodes lines to the bytes of a file.
fn encode(lines: &[String], charset: Charset) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let encoded = encode_line(line, charset);
        out.extend_from_slice(&encoded.map_err(|error| error.in_field(format!("{LINES}[{number}]")))?);
    }
    Ok(out)
}

fn encode_line(line: &str, charset: Charset) -> Result<Vec<u8>> {
    let encoded = charset.encode(line).filter(|line| !line.contains(&0));
    encoded
        .map(Into::into)
        .ok_or_else(|| Error::usage(format!("{line:?} cannot be encoded in {}", charset.name())))
}
