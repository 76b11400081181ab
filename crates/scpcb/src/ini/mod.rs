//! The game's settings files: sections, keys and values, kept line by line.
//!
//! Read as the game reads them: a section starts with `[name]`, a line with `=` is a key and its value, blanks around both
//! do not count, nor does letter case; anything else is a comment. Text is windows-1252.
//! Source: the game's INI functions (version 1.3.11).

pub mod materials;
pub mod rooms;
#[cfg(test)]
mod tests;
mod view;

use std::borrow::Cow;

use asset::{Context, Report};
use encoding_rs::WINDOWS_1252;
use record::json::push_member;
use record::{Error, Result, Source, Span, Visit, Visitor};
use serde::{Deserialize, Serialize};

/// Larger files than this are no settings.
const LARGEST: u64 = 16 << 20;

/// More lines are not read. The largest tables of mods have a few thousand.
const MOST_LINES: usize = 1 << 16;

/// A settings file. Every byte of it is in one of its lines.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ini {
    /// The lines with their line breaks.
    #[serde(with = "as_text")]
    lines: Vec<Box<[u8]>>,
}

/// The lines of a settings file as JSON text: windows-1252 has a character for every byte.
mod as_text {
    use super::WINDOWS_1252;
    use serde::de::{Deserialize, Deserializer, Error as _};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(lines: &[Box<[u8]>], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(lines.iter().map(|line| super::text(line)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Box<[u8]>>, D::Error> {
        let lines = Vec::<String>::deserialize(deserializer)?;
        let encode = |line: String| match WINDOWS_1252.encode(&line) {
            (bytes, _, false) => Ok(bytes.into()),
            _ => Err(D::Error::custom(format!("{line:?} cannot be encoded in windows-1252"))),
        };
        lines.into_iter().map(encode).collect()
    }
}

/// A section with its entries in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<'a> {
    /// The text between the brackets.
    pub name: Cow<'a, str>,
    /// The offset of its line.
    pub offset: u64,
    /// Keys and values; a key may repeat, then the first counts.
    pub entries: Vec<Entry<'a>>,
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    /// In front of the `=`.
    pub key: Cow<'a, str>,
    /// The text after it.
    pub value: Cow<'a, str>,
    /// The offset of its line.
    pub offset: u64,
}

enum Line<'a> {
    Section(Cow<'a, str>),
    Entry(Cow<'a, str>, Cow<'a, str>),
    Remark,
}

impl Ini {
    /// Splits a file into lines.
    ///
    /// # Errors
    /// An empty file, one with NUL bytes, and one that is too large for settings or has too many lines.
    pub fn read(source: &Source) -> Result<Self> {
        if source.len() > LARGEST {
            return Err(
                Error::limit(format!("{} bytes are too large for a settings file", source.len())).at(0)
            );
        }
        Self::parse(&source.read_all()?)
    }

    /// Splits bytes into lines.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(bytes: &[u8]) -> Result<Self> {
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
        Ok(Self { lines: lines.map(Into::into).collect() })
    }

    /// The file's bytes.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        self.lines.concat()
    }

    /// The sections in order. Lines before the first belong to none.
    #[must_use]
    pub fn sections(&self) -> Vec<Section<'_>> {
        let mut sections: Vec<Section<'_>> = Vec::new();
        for (offset, line) in self.lines() {
            match (parse_line(line), sections.last_mut()) {
                (Line::Section(name), _) => sections.push(Section { name, offset, entries: Vec::new() }),
                (Line::Entry(key, value), Some(section)) => {
                    section.entries.push(Entry { key, value, offset });
                }
                _ => {}
            }
        }
        sections
    }

    /// The first section of this name, whatever its letter case.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<Section<'_>> {
        self.sections().into_iter().find(|section| same(&section.name, name))
    }

    fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.lines.iter().scan(0_u64, |next, line| {
            let start = *next;
            *next = start.saturating_add(u64::try_from(line.len()).unwrap_or_default());
            Some((start, &**line))
        })
    }

    /// Reports every line to the visitor, under its section and key.
    fn trace(&self, visitor: &mut dyn Visitor) {
        let mut section = String::new();
        for (number, (start, line)) in self.lines().enumerate() {
            let end = start.saturating_add(u64::try_from(line.len()).unwrap_or_default());
            let (path, value) = match parse_line(line) {
                Line::Section(name) => {
                    section.clear();
                    push_member(&mut section, &name);
                    (section.clone(), String::new())
                }
                Line::Entry(key, value) if !section.is_empty() => {
                    let mut path = section.clone();
                    push_member(&mut path, &key);
                    (path, value.into_owned())
                }
                Line::Entry(..) | Line::Remark => (format!("lines[{number}]"), text(line).trim().to_owned()),
            };
            if visitor.span(Span { start, end, path: &path, value: &value }) == Visit::Stop {
                return;
            }
        }
    }
}

impl<'a> Section<'a> {
    /// The first value of a key, whatever its letter case.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entry(key).map(|entry| &*entry.value)
    }

    /// The first entry of a key.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry<'a>> {
        self.entries.iter().find(|entry| same(&entry.key, key))
    }

    /// Whether a switch is on, as the game reads it: `true` or a number above 0.
    #[must_use]
    pub fn is_on(&self, key: &str) -> bool {
        self.get(key)
            .is_some_and(|value| same(value, "true") || value.parse::<f64>().is_ok_and(|number| number > 0.0))
    }

    /// All keys in lower case with their values, each once.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Map<String, serde_json::Value> {
        let mut out = serde_json::Map::new();
        for entry in &self.entries {
            out.entry(entry.key.to_lowercase()).or_insert_with(|| entry.value.as_ref().into());
        }
        out
    }
}

/// Whether two names are the same to the game.
fn same(a: &str, b: &str) -> bool {
    a == b || a.to_lowercase() == b.to_lowercase()
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    WINDOWS_1252.decode_without_bom_handling(bytes).0
}

fn parse_line(line: &[u8]) -> Line<'_> {
    let line = line.trim_ascii();
    match line {
        [b'[', name @ .., b']'] => Line::Section(text(name)),
        [b';', ..] => Line::Remark,
        _ => match line.iter().position(|byte| *byte == b'=') {
            Some(at) => {
                let (key, value) = line.split_at(at);
                Line::Entry(text(key.trim_ascii()), text(value.get(1..).unwrap_or_default().trim_ascii()))
            }
            None => Line::Remark,
        },
    }
}

/// A settings file of the game around a file, read once for all that ask.
pub(crate) fn of_install(context: &Context<'_>, path: &str) -> Option<std::sync::Arc<Ini>> {
    let found = context.install.find(path).found()?;
    let read = || {
        let source = context.install.open(&found.location)?;
        let size = usize::try_from(source.len()).unwrap_or(usize::MAX);
        Ok((Ini::read(&source)?, size))
    };
    context.install.decoded(&found.location, "settings", read).ok()
}

/// Puts an unpacked settings file together again.
fn pack(folder: &asset::Unpacked, _report: &mut Report) -> Result<Vec<u8>> {
    let ini: Ini = folder.typed()?;
    Ok(ini.write())
}
