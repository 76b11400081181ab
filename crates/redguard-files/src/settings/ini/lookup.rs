//! Sections and keys as the game finds them: ignoring letter case, surrounding blanks and comments. Sections of the same name
//! are one, and the first line of a key counts.

use std::borrow::Cow;
use std::collections::HashMap;

use media::ini::Ini;

use super::key::{Key, Name, Reading};
use super::value::{SYNTAX, integer};

/// The sections of a file, in the order of their first lines.
#[derive(Debug, Clone, Default)]
pub struct Lookup<'a> {
    sections: Vec<Section<'a>>,
    by_name: HashMap<String, usize>,
}

/// All lines of the sections with a name.
#[derive(Debug, Clone)]
pub struct Section<'a> {
    /// Name in lowercase.
    pub name: String,
    /// Line number of the first header, from 1.
    pub line: usize,
    /// Offset of the first header.
    pub offset: u64,
    /// Lines with a key, in order.
    pub entries: Vec<Entry<'a>>,
    /// Lines without a key, in order.
    pub texts: Vec<Text<'a>>,
    first: HashMap<Name, usize>,
}

/// A line with a key.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// Key.
    pub name: Name,
    /// Key as written.
    pub written: Cow<'a, str>,
    /// Value with its comment.
    pub raw: Cow<'a, str>,
    /// Line number, from 1.
    pub line: usize,
    /// Offset of the line.
    pub offset: u64,
    /// Whether the line is the first one of its key.
    pub is_first: bool,
}

/// A line without a key.
#[derive(Debug, Clone)]
pub struct Text<'a> {
    /// Text with its comment.
    pub raw: Cow<'a, str>,
    /// Line number, from 1.
    pub line: usize,
    /// Offset of the line.
    pub offset: u64,
}

/// Removes the comment of a line, and the blanks around the rest.
#[must_use]
pub fn without_comment(text: &str) -> &str {
    SYNTAX.without_comment(text)
}

/// Returns all lines as text, also those with a `=`.
pub(super) fn lines(ini: &Ini) -> impl Iterator<Item = Text<'_>> {
    let text = |raw: Cow<'_, str>| raw.trim().to_owned();
    let raw = ini.texts();
    ini.lines().zip(raw).map(move |(line, raw)| Text {
        raw: text(raw).into(),
        line: line.number,
        offset: line.offset,
    })
}

impl<'a> Lookup<'a> {
    /// Collects the lines of a file by section.
    #[must_use]
    pub fn new(ini: &'a Ini) -> Self {
        let mut out = Self::default();
        for section in ini.sections() {
            let name = section.name.trim().to_lowercase();
            let at = *out.by_name.entry(name.clone()).or_insert(out.sections.len());
            if at == out.sections.len() {
                out.sections.push(Section::new(name, section.line, section.offset));
            }
            let Some(merged) = out.sections.get_mut(at) else { continue };
            section.entries.into_iter().for_each(|entry| merged.add(entry));
            merged.texts.extend(section.texts.into_iter().map(|it| Text {
                raw: it.text,
                line: it.line,
                offset: it.offset,
            }));
        }
        out
    }

    /// Returns the sections in order.
    #[must_use]
    pub fn sections(&self) -> &[Section<'a>] {
        &self.sections
    }

    /// Returns a section by its name in lowercase.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<&Section<'a>> {
        self.sections.get(*self.by_name.get(name)?)
    }

    /// Reads a declared key of a section.
    #[must_use]
    pub fn read(&self, section: &str, key: &Key) -> Reading {
        key.read(self.section(section).and_then(|section| section.value(key.name, None)))
    }
}

impl<'a> Section<'a> {
    fn new(name: String, line: usize, offset: u64) -> Self {
        Self { name, line, offset, entries: Vec::new(), texts: Vec::new(), first: HashMap::new() }
    }

    fn add(&mut self, entry: media::ini::Entry<'a>) {
        let (name, at) = (Name::new(&entry.key), self.entries.len());
        let is_first = *self.first.entry(name.clone()).or_insert(at) == at;
        let (written, raw) = (entry.key, entry.value);
        self.entries.push(Entry { name, written, raw, line: entry.line, offset: entry.offset, is_first });
    }

    /// Returns the line that counts for a key.
    #[must_use]
    pub fn entry(&self, base: &str, index: Option<u32>) -> Option<&Entry<'a>> {
        self.entries.get(*self.first.get(&Name { base: base.to_owned(), index })?)
    }

    /// Returns the value that counts for a key; empty if its line has none.
    #[must_use]
    pub fn value(&self, base: &str, index: Option<u32>) -> Option<&str> {
        self.entry(base, index).map(Entry::value)
    }

    /// Returns the value that counts for a key; `None` if it is missing or empty.
    #[must_use]
    pub fn text(&self, base: &str, index: Option<u32>) -> Option<&str> {
        self.value(base, index).filter(|value| !value.is_empty())
    }

    /// Returns the number that counts for a key; 0 if it is missing.
    #[must_use]
    pub fn integer(&self, base: &str, index: Option<u32>) -> i32 {
        self.text(base, index).map_or(0, integer)
    }

    /// Reads a declared key, with the index of a key that has one.
    #[must_use]
    pub fn read(&self, key: &Key, index: Option<u32>) -> Reading {
        key.read(self.value(key.base(), index))
    }

    /// Returns the lines that count, in order.
    pub fn firsts(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter().filter(|entry| entry.is_first)
    }
}

impl Entry<'_> {
    /// Returns the value without its comment.
    #[must_use]
    pub fn value(&self) -> &str {
        without_comment(&self.raw)
    }
}

impl Text<'_> {
    /// Returns the text without its comment.
    #[must_use]
    pub fn text(&self) -> &str {
        without_comment(&self.raw)
    }
}
